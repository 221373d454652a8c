from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from lantern_kit.kernel.progress import reporting
from lantern_kit.kernel.turn import Turn
from lantern_kit.novel.deviation import Deviation, Fault
from lantern_kit.novel.errors import ProjectionFailed
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.projection import Projection
from lantern_kit.novel.search import Search
from tests.novel.reading.pages import begun, bytes_of, say, whole
from tests.novel.stage import Stage


def projection(made: Stage, folder: Path) -> Projection:
    return Projection(folder, made.service)


def test_chapters_and_status_are_written_under_names_of_the_programs_own(tmp_path: Path) -> None:
    made = whole(tmp_path / "ws")
    done = projection(made, tmp_path / "out").bring_up(made.novel_id)
    home = tmp_path / "out" / made.novel_id
    first, second = made.novel.chapters
    assert done.written == (f"chapters/0001-{first}.md", f"chapters/0002-{second}.md", "status.json")
    assert (home / done.written[0]).read_text() == "# Chapter 1\n\n灯塔的看守人点亮了灯。\n\n\\# not a heading\n"
    status = json.loads((home / "status.json").read_text())
    assert status["content_revision"] == done.content_revision == made.novel.head.content_revision
    assert [item["characters"] for item in status["chapters"]] == [21, 27]
    assert projection(made, tmp_path / "out").verify(made.novel_id) == []
    made.close()


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    made = begun(tmp_path / "ws", scenes=2)
    pages = projection(made, tmp_path / "out")
    assert pages.content_revision(made.novel_id) is None
    assert pages.bring_up(made.novel_id).written == ("status.json",)
    say(made, ["One."])
    assert len(pages.bring_up(made.novel_id).written) == 2
    assert pages.bring_up(made.novel_id).written == ()
    say(made, ["Two."])
    assert len(pages.bring_up(made.novel_id).written) == 2
    made.complete()
    assert pages.bring_up(made.novel_id).written == ()
    before = bytes_of(tmp_path / "out")
    say(made, ["Three."])
    first, second = made.novel.chapters
    assert pages.bring_up(made.novel_id).written == (f"chapters/0002-{second}.md", "status.json")
    name = f"{made.novel_id}/chapters/0001-{first}.md"
    assert bytes_of(tmp_path / "out")[name] == before[name] == b"# Chapter 1\n\nOne.\n\n---\n\nTwo.\n"
    made.close()


def test_instructions_claims_and_run_states_rewrite_nothing(tmp_path: Path) -> None:
    made = begun(tmp_path / "ws", scenes=2)
    say(made, ["One."])
    pages = projection(made, tmp_path / "out")
    pages.bring_up(made.novel_id)
    revision = pages.content_revision(made.novel_id)
    made.claim(made.next())
    made.ann.instruct("Make it SECRETINSTRUCTION.", message="m1")
    made.ann.pause()
    assert pages.bring_up(made.novel_id).written == ()
    assert pages.verify(made.novel_id) == []
    assert pages.content_revision(made.novel_id) == revision
    made.close()


def test_replaying_gives_the_same_bytes(tmp_path: Path) -> None:
    made = begun(tmp_path / "ws", scenes=2)
    step_by_step = projection(made, tmp_path / "steps")
    for number in range(2):
        say(made, [f"Piece {number}."])
        step_by_step.bring_up(made.novel_id)
    made.complete()
    say(made, ["Another."])
    step_by_step.bring_up(made.novel_id)
    projection(made, tmp_path / "once").bring_up(made.novel_id)
    assert bytes_of(tmp_path / "steps") == bytes_of(tmp_path / "once")
    step_by_step.bring_up(made.novel_id, anew=True)
    assert bytes_of(tmp_path / "steps") == bytes_of(tmp_path / "once")
    made.close()


def test_nothing_but_prose_titles_and_numbers_gets_into_them(tmp_path: Path) -> None:
    made = begun(tmp_path / "ws")
    made.ann.instruct("SECRETONE in the instruction.", message="m1")
    made.plan()
    intent, before = made.next(), made.novel
    made.claim(intent)
    made.end(before, failed="SECRETTWO in the error.")
    say(made, ["Prose."], states=[{"person": made.made["mira"], "aspect": "place", "value": "SECRETTHREE", "at": 0}])
    projection(made, tmp_path / "out").bring_up(made.novel_id)
    for data in bytes_of(tmp_path / "out").values():
        assert b"SECRET" not in data and b"goal" not in data and b"premise" not in data and b"it is" not in data
    index = (tmp_path / "out" / made.novel_id / "search.sqlite").read_bytes()
    assert b"SECRETTHREE" in index and b"SECRETONE" not in index and b"SECRETTWO" not in index
    made.close()


def test_a_new_title_rewrites_its_chapter_and_keeps_its_file(tmp_path: Path) -> None:
    made = begun(tmp_path / "ws", scenes=2)
    say(made, ["One."])
    pages = projection(made, tmp_path / "out")
    pages.bring_up(made.novel_id)
    first = next(iter(made.novel.chapters))
    made.ann.instruct("Rename it.", message="m1")
    made.plan(Plan.model_validate({"chapters": [{"id": first, "title": "../../etc #1 #"}]}))
    assert pages.verify(made.novel_id)[0] == Deviation(f"chapters/0001-{first}.md", Fault.STALE)
    assert pages.bring_up(made.novel_id).written == (f"chapters/0001-{first}.md", "status.json")
    assert len(bytes_of(tmp_path / "out")) == 2
    assert not (tmp_path / "etc").exists()
    made.close()


def test_a_status_nested_without_end_is_damage_like_any_other(tmp_path: Path) -> None:
    made = whole(tmp_path / "ws")
    pages = projection(made, tmp_path / "out")
    pages.bring_up(made.novel_id)
    status = tmp_path / "out" / made.novel_id / "status.json"
    sound = status.read_bytes()
    status.write_text("[" * 100_000)
    assert pages.content_revision(made.novel_id) is None
    assert [(item.file, item.fault) for item in pages.verify(made.novel_id)] == [("status.json", Fault.DAMAGED)]
    pages.bring_up(made.novel_id)
    assert status.read_bytes() == sound


def test_what_is_stale_damaged_missing_or_stray_is_named_and_mended(tmp_path: Path) -> None:
    made = whole(tmp_path / "ws")
    pages = projection(made, tmp_path / "out")
    pages.bring_up(made.novel_id)
    home = tmp_path / "out" / made.novel_id
    sound = bytes_of(home)
    first, second = made.novel.chapters
    damaged, missing = f"chapters/0001-{first}.md", f"chapters/0002-{second}.md"
    stray, mine = "chapters/0009-cp_zzzzzzzz.md", "chapters/notes.md"
    (home / damaged).write_bytes(sound[damaged].replace(b"heading", b"HEADING"))
    (home / missing).unlink()
    (home / stray).write_text("old")
    (home / mine).write_text("mine")
    (home / "status.json").write_bytes(sound["status.json"][:-40])
    (home / "search.sqlite").write_bytes(b"SQLite format 3\0" + bytes(4000))
    assert {(item.file, item.fault) for item in pages.verify(made.novel_id)} == {
        (damaged, Fault.DAMAGED),
        (missing, Fault.MISSING),
        (stray, Fault.STRAY),
        ("status.json", Fault.DAMAGED),
        ("search.sqlite", Fault.DAMAGED),
    }
    done = pages.bring_up(made.novel_id, anew=True)
    assert done.removed == (stray,)
    assert bytes_of(home) == {**sound, mine: b"mine"}
    assert pages.verify(made.novel_id) == []
    made.close()


def test_a_failure_says_so_and_leaves_what_was_there_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = begun(tmp_path / "ws", scenes=2)
    say(made, ["One."])
    pages = projection(made, tmp_path / "out")
    pages.bring_up(made.novel_id)
    before = bytes_of(tmp_path / "out")
    say(made, ["Two."])
    real = os.fsync

    def full(handle: int) -> None:
        if Path(f"/proc/self/fd/{handle}").readlink().suffix == ".part":
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ProjectionFailed, match="No space left") as caught:
        pages.bring_up(made.novel_id)
    assert str(tmp_path) not in str(caught.value)
    assert bytes_of(tmp_path / "out") == before
    assert list((tmp_path / "out").rglob("*.part")) == []
    monkeypatch.undo()
    assert len(pages.bring_up(made.novel_id).written) == 2
    made.close()


def test_several_writers_at_once_leave_one_sound_projection(tmp_path: Path) -> None:
    made = whole(tmp_path / "ws")
    errors: list[BaseException] = []

    def run() -> None:
        try:
            projection(made, tmp_path / "out").bring_up(made.novel_id, anew=True)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert projection(made, tmp_path / "out").verify(made.novel_id) == []
    made.close()


@pytest.mark.parametrize("linked", ["", "novel", "novel/chapters"])
def test_nothing_is_written_or_taken_away_where_a_link_leads(tmp_path: Path, linked: str) -> None:
    made = whole(tmp_path / "ws")
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "chapters").mkdir(parents=True)
    for name in ("0009-cp_1n659zqk.md", "chapters/0009-cp_1n659zqk.md"):
        (elsewhere / name).write_text("mine")
    link = tmp_path / "out" / linked.replace("novel", made.novel_id)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)
    pages = projection(made, tmp_path / "out")
    for act in (pages.bring_up, pages.verify):
        with pytest.raises(ProjectionFailed, match="is a link to another folder"):
            act(made.novel_id)
    if linked != "novel/chapters":  # the index does not lie below that one
        with pytest.raises(ProjectionFailed, match="is a link to another folder"):
            Search(tmp_path / "out", made.service).find(made.novel_id, "lamp")
    assert sorted(path.name for path in elsewhere.rglob("*.*")) == ["0009-cp_1n659zqk.md"] * 2
    link.unlink()
    pages.bring_up(made.novel_id)
    assert pages.verify(made.novel_id) == []
    made.close()


def test_links_and_pipes_in_a_files_place_give_way_and_what_they_lead_to_stays(tmp_path: Path) -> None:
    made = whole(tmp_path / "ws")
    pages = projection(made, tmp_path / "out")
    home = tmp_path / "out" / made.novel_id
    pages.bring_up(made.novel_id)
    sound = bytes_of(home)
    mine = tmp_path / "mine"
    for path in [path for path in home.rglob("*.*") if path.suffix in {".md", ".json", ".sqlite"}]:
        for put in (path.symlink_to, path.hardlink_to):
            mine.write_bytes(path.read_bytes())
            path.unlink()
            put(mine)
            before = mine.read_bytes()
            assert pages.verify(made.novel_id) != []
            pages.bring_up(made.novel_id)
            assert pages.verify(made.novel_id) == []
            assert not path.is_symlink()
            assert not path.samefile(mine)
            assert mine.read_bytes() == before
        path.unlink()
        os.mkfifo(path)
        assert pages.verify(made.novel_id) != []
        if path.suffix != ".sqlite":  # somebody put it there; nobody waits for what never comes out of it
            with pytest.raises(ProjectionFailed, match="is a device or a pipe"):
                pages.bring_up(made.novel_id)
            path.unlink()
        pages.bring_up(made.novel_id)
        assert pages.verify(made.novel_id) == []
    assert bytes_of(home) == sound
    made.close()


def test_who_waits_for_another_writer_says_so_at_once_and_then_why_it_gave_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = whole(tmp_path / "ws")
    pages = projection(made, tmp_path / "out")
    pages.bring_up(made.novel_id)
    monkeypatch.setattr("lantern_kit.novel.projection.PATIENCE", 0.0)
    other = Turn(tmp_path / "out" / made.novel_id / ".writer", 0.0)
    told: list[str] = []
    with (
        other.held(),
        reporting(lambda what, *_: told.append(what)),
        pytest.raises(ProjectionFailed, match="another process has been writing") as caught,
    ):
        pages.bring_up(made.novel_id)
    other.close()
    assert told == ["waiting for another process that writes them"]
    assert "End that process" in str(caught.value.recovery)
    pages.bring_up(made.novel_id)
    made.close()
