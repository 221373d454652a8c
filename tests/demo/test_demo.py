"""The demo, whole: what a person has after one command."""

from __future__ import annotations

import re
import sqlite3
import zipfile
from functools import partial
from pathlib import Path

import anyio
import pikepdf
import pytest

from lantern_kit.comic.render import render_unit
from lantern_kit.demo import run_demo
from lantern_kit.demo.agent import Agent, sitting
from lantern_kit.demo.run import make_room
from lantern_kit.demo.story import PARTS, PICTURES
from lantern_kit.folders import DEMO_KEYS
from lantern_kit.imaging.decode import probe
from lantern_kit.kernel.errors import LanternError, Stopped, WrongState
from lantern_kit.workspace import create_workspace, open_workspace
from tests.demo.stage import pictures, played


def test_the_demo_makes_a_book_and_leaves_one_proposal_to_decide(tmp_path: Path) -> None:
    said: list[str] = []
    result = run_demo(tmp_path / "my demo", said.append)

    assert result.mended == ("picture.dpi", "lettering.overflow", "lettering.gutter")
    assert result.edits <= 15
    assert result.figures.calls == sum(result.figures.tools.values())
    assert {"outline", "describe", "register_asset", "begin_draft", "edit", "look", "check", "freeze"} <= {
        *result.figures.tools
    }
    album = sorted((result.path / "exports" / "as-the-agent-saw-it").iterdir())
    assert len(album) == result.figures.pictures
    assert all(probe(picture.read_bytes()).media == "image/jpeg" for picture in album)

    *pages, printed, book = result.exports
    sizes = [(probe(page.read_bytes()).width, probe(page.read_bytes()).height) for page in pages]
    assert sizes == [(1240, 1748), (2528, 1748), (1240, 1748)]
    with pikepdf.open(printed) as pdf:
        assert len(pdf.pages) == 3
        assert all(page.trimbox != page.mediabox for page in pdf.pages)
    with zipfile.ZipFile(book) as archive:
        assert archive.testzip() is None
        assert "ComicInfo.xml" in archive.namelist()

    with open_workspace(result.path, config=tmp_path / "nobody") as workspace:
        report = workspace.verify()
        assert not report.problems
        applied, pending = workspace.proposals[result.applied], workspace.proposals[result.pending]
        assert (applied.facts.state, pending.facts.state) == ("applied", "pending")
        approval = applied.review.approvals[0]
        key = workspace.deciding()
        assert key.demo
        assert approval.key == key.key
        chapter = workspace.comic("Chelsea Goes Up").chapter(1)
        assert not chapter.check()
        assert chapter.moment.id == result.revision

        registered = [item for item in workspace.assets.find("") if item.registered_by == "demo-host"]
        assert len(registered) == len(PICTURES)
        assert all(item.licence and item.source for item in registered)

        told = played()
        told.mend()
        for unit, expected in zip(chapter, told.book.units(), strict=True):
            drawn = workspace.renderer.render(unit.model, chapter.book.chapter, long_edge=400)
            again = render_unit(expected, told.book.chapter, pictures().get, long_edge=400)
            assert drawn.sha256 == again.sha256, unit.title

        with workspace.reviewer() as me:
            pending.apply(me)
        assert not chapter.check()

    assert result.notebook is not None
    assert '"output_type": "execute_result"' in result.notebook.read_text("utf-8")
    assert any("(demo key)" in line for line in said)
    assert any(line.startswith("  lantern show '") and line.endswith(result.pending) for line in said)
    assert len(PARTS) == len(pages)

    with pytest.raises(WrongState, match="earlier demo"):
        run_demo(result.path, said.append)


def test_the_private_key_of_the_demo_stays_in_its_own_folder(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "ws", title="Lantern demo", config=tmp_path / "config") as workspace:
        key = workspace.enrol("demo reviewer", None, demo=True)
        assert (workspace.path / DEMO_KEYS / "keys" / f"{key}.pem").is_file()
    assert not (tmp_path / "config").exists()
    assert b"PRIVATE" not in (tmp_path / "ws" / "journal.sqlite").read_bytes()


def test_fresh_removes_nothing_but_a_demo(tmp_path: Path) -> None:
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "dear.txt").write_text("Dear Chelsea", "utf-8")
    with pytest.raises(WrongState):
        run_demo(letters, print, fresh=True)
    with create_workspace(tmp_path / "own", title="My own work") as workspace:
        workspace.enrol("me", None, demo=True)
    with pytest.raises(WrongState):
        run_demo(tmp_path / "own", print, fresh=True)
    assert (letters / "dear.txt").is_file()
    with sqlite3.connect(tmp_path / "own" / "journal.sqlite") as journal:
        assert journal.execute("SELECT count(*) FROM workspace").fetchone()[0] > 0
    journal.close()


def test_fresh_makes_room_for_a_new_demo_where_an_old_one_lay(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "old", title="Lantern demo") as workspace:
        workspace.enrol("demo reviewer", None, demo=True)
    with pytest.raises(WrongState, match="earlier demo"):
        make_room(tmp_path / "old", fresh=False)
    make_room(tmp_path / "old", fresh=True)
    assert not (tmp_path / "old").exists()


def test_a_server_that_cannot_start_is_told_in_its_own_words(tmp_path: Path) -> None:
    async def work(agent: Agent) -> None:
        await agent.call("outline")

    with pytest.raises(LanternError, match="connection") as lost:
        anyio.run(partial(sitting, tmp_path / "nowhere", [], work))
    assert "nowhere is not a workspace" in str(lost.value.found)


def test_what_the_server_refuses_reaches_the_agent_with_what_to_do(tmp_path: Path) -> None:
    async def work(agent: Agent) -> None:
        await agent.call("outline", source="ch_nothing0")

    with create_workspace(tmp_path / "ws", title="Empty"):
        pass
    with pytest.raises(LanternError, match="refused outline") as refused:
        anyio.run(partial(sitting, tmp_path / "ws", [], work))
    assert refused.value.recovery


def test_fresh_leaves_what_somebody_put_into_an_earlier_demo(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "old", title="Lantern demo") as workspace:
        workspace.enrol("demo reviewer", None, demo=True)
    for own in (tmp_path / "old" / ".mcp.json", tmp_path / "old" / "inbox" / "mine.jpg"):
        own.write_text("mine")
        with pytest.raises(WrongState, match=re.escape(own.name)):
            make_room(tmp_path / "old", fresh=True)
        assert own.read_text() == "mine"
        own.unlink()


def test_an_earlier_demo_is_told_with_every_way_on(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "old", title="Lantern demo") as workspace:
        workspace.enrol("demo reviewer", None, demo=True)
    with pytest.raises(WrongState) as told:
        make_room(tmp_path / "old", fresh=False, program=".venv/bin/lantern")
    assert f".venv/bin/lantern demo --fresh {tmp_path / 'old'}" in told.value.recovery
    assert "make demo DEMO=" in told.value.recovery


def test_a_demo_reports_its_acts_and_one_that_is_stopped_takes_its_folder_along(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []

    def stop(what: str, done: int, total: int) -> None:
        told.append((what, done, total))
        if done == 1 and told.count(told[-1]) == 3:  # in the middle of the agent's sitting
            raise Stopped("enough")

    with pytest.raises(Stopped, match="enough"):
        run_demo(tmp_path / "mine", lambda _: None, notebook=False, progress=stop)
    assert [*dict.fromkeys(told)] == [("acts", 0, 5), ("acts", 1, 5)]
    assert list(tmp_path.iterdir()) == []
