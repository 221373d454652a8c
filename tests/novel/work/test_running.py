"""An author at work, as people hold it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit.kernel.errors import BadInput, Stopped
from lantern_kit.novel.errors import NovelCapability, NovelOwnership
from lantern_kit.novel.host import Order
from lantern_kit.novel.steps import Step
from lantern_kit.novel.work.novel import NovelWork
from lantern_kit.workspace import Workspace, create_workspace
from tests.novel.work.scribe import Scribe


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Novels", owner="Ann") as made:
        yield made


@pytest.fixture
def novel(ws: Workspace) -> NovelWork:
    return ws.novels.begin("The Lamp", "Write of a lamp.")


def test_a_run_goes_to_the_end_and_says_how_it_ended(ws: Workspace, novel: NovelWork) -> None:
    steps: list[Step] = []
    told: list[tuple[str, int, int]] = []
    came = novel.run(Scribe(), on_step=steps.append, progress=lambda *facts: told.append(facts))
    assert came.completed
    assert came.status.state == "completed"
    assert came.status.author == ""
    assert [item.intent.kind.value for item in steps if item.intent is not None].count("write-unit") == 4
    assert told[-1] == ("", 2, 2)
    assert "by scribe, no model." in repr(came)
    assert "scribe, no model" in came._repr_mimebundle_()["text/html"]
    assert came.status.ways[0].code == 'novel.export("novel.md")'
    assert [item.state for item in novel.chapters] == ["completed", "completed"]
    assert len(list((ws.path / "projections" / "novels" / novel.id).rglob("*.md"))) == 2
    assert ws.verify().clean


def test_what_is_written_is_found_by_its_words(novel: NovelWork) -> None:
    novel.run(Scribe())
    hits = novel.search("word2x3")
    assert [str(item.source) for item in hits] == [str(novel.chapters[0].paragraphs[2][0])]
    assert "word2x3" in repr(hits)
    assert not novel.search("lighthouse")


def test_a_run_that_ends_early_or_is_stopped_by_who_watches_goes_on_later(novel: NovelWork) -> None:
    came = novel.run(Scribe(), until=lambda step: step.moment.novel.head.commits == 1)
    assert not came.completed
    assert came.status.state == "active"

    def enough(part: str, done: int, total: int) -> None:
        raise Stopped("enough")

    with pytest.raises(Stopped):
        novel.run(Scribe(), progress=enough)
    assert novel.status().state == "active"
    assert novel.status().author == ""
    assert novel.run(Scribe()).completed


def test_an_interrupted_piece_is_given_back_and_written_once(ws: Workspace, novel: NovelWork) -> None:
    def interrupt(order: Order) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        novel.run(Scribe(interrupt))
    status = novel.status()
    assert (status.state, status.novel.head.claimed, status.author) == ("active", None, "")
    assert novel.run(Scribe()).completed
    assert ws.verify().clean


def test_an_instruction_that_comes_meanwhile_is_dealt_with_before_the_next_piece(novel: NovelWork) -> None:
    asked: list[str] = []

    def ask(order: Order) -> None:
        if not asked:
            assert novel.status().author == "scribe"
            with pytest.raises(NovelOwnership, match="another author writes"):
                novel.run(Scribe())
            asked.append(novel.instruct("More fog.").effect)

    kinds = []
    novel.run(Scribe(ask), on_step=lambda step: kinds.append(None if step.intent is None else step.intent.kind.value))
    assert asked == ["after the unit that is being written"]
    assert kinds[:4] == ["outline-create", "write-unit", "outline-revise", "write-unit"]
    assert novel.instructions[1].effect == "from the next unit on, in outline revision 2"


def test_a_pause_lets_the_claimed_piece_end_and_a_stop_refuses_it(novel: NovelWork) -> None:
    came = novel.run(Scribe(lambda order: novel.pause() and None))
    assert (came.status.pause.reason.value, came.status.novel.head.commits) == ("requested", 1)  # type: ignore[union-attr]
    novel.resume()
    came = novel.run(Scribe(lambda order: novel.stop() and None))
    assert (came.status.pause.reason.value, came.status.novel.head.commits) == ("stopped", 1)  # type: ignore[union-attr]
    assert [item.deed.value for item in came.status.ways] == ["resume"]


def test_a_host_that_cannot_is_refused_before_anything_is_written(novel: NovelWork) -> None:
    class Mute(Scribe):
        def report(self):  # type: ignore[no-untyped-def]
            from dataclasses import replace

            return replace(super().report(), rows=())

    before = novel.moment.id
    with pytest.raises(NovelCapability):
        novel.run(Mute())
    assert novel.moment.id == before


def test_a_novel_is_written_to_files_that_say_what_they_hold(ws: Workspace, novel: NovelWork, tmp_path: Path) -> None:
    novel.run(Scribe(), until=lambda step: step.moment.novel.head.commits == 1)
    early = novel.export(tmp_path / "early.md")
    assert (early.replaced, early.facts.finished) == (False, False)
    novel.run(Scribe())
    assert novel.export(tmp_path, revision=early.facts.revision).path.read_bytes() == early.path.read_bytes()
    whole = novel.export(to="epub")
    assert whole.path == ws.path / "exports" / f"{novel.id}.epub"
    assert "completed as of" in repr(whole)
    assert whole.facts.sha256 in whole._repr_mimebundle_()["text/html"]
    assert novel.export(to="epub").replaced
    with pytest.raises(BadInput, match="another form"):
        novel.export(ws.path / "lamp.epub", to="md")
    assert not (ws.path / "lamp.epub").exists()
    for wrong in ({"to": "pdf"}, {"path": tmp_path / "lamp"}, {"path": tmp_path / "no" / "lamp.md"}):
        with pytest.raises(BadInput):
            novel.export(**wrong)  # type: ignore[arg-type]
