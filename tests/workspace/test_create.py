"""Making a workspace, and who may decide in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern_kit import workspace as module
from lantern_kit.comic.work.paper import paper
from lantern_kit.kernel.errors import BadInput, NotAllowed, NotFound, WrongState
from lantern_kit.workspace import Workspace, create_workspace, open_workspace


def test_a_name_that_nobody_has_leaves_nothing_behind(tmp_path: Path) -> None:
    for owner in ("a\nb", "x" * 81):
        with pytest.raises(BadInput):
            create_workspace(tmp_path / "ws", title="T", owner=owner)
    assert not (tmp_path / "ws").exists()


def test_a_workspace_made_by_another_process_at_the_same_moment_is_left_to_it(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "require_free", Path)  # both found the folder free
    with pytest.raises(WrongState, match="not empty"):
        create_workspace(ws.path, title="Other", owner="other")
    with open_workspace(ws.path) as again:
        assert (again.id, again.title, again.owner) == (ws.id, ws.title, ws.owner)


def test_a_reviewer_needs_a_name_and_a_passphrase(ws: Workspace) -> None:
    for name, passphrase in (("", "long enough"), ("a\nb", "long enough"), ("ann", None), ("ann", "short")):
        with pytest.raises((BadInput, WrongState)):
            ws.enrol(name, passphrase)
    assert [item.name for item in ws.reviewers()] == ["mina"]


def test_the_newest_key_that_is_here_decides_unless_a_name_is_given(ws: Workspace, tmp_path: Path) -> None:
    ws.enrol("ann", "long enough")
    assert ws.deciding().name == "ann"
    assert ws.deciding("mina").name == "mina"
    with pytest.raises(NotAllowed, match="bob"):
        ws.deciding("bob")
    with open_workspace(ws.path, config=tmp_path / "elsewhere") as other, pytest.raises(NotAllowed, match="machine"):
        other.deciding()


def test_notebooks_are_copied_once_and_a_person_s_own_stay(ws: Workspace) -> None:
    copied = ws.copy_notebooks()
    assert copied
    copied[0].write_text("mine")
    assert ws.copy_notebooks() == []
    assert copied[0].read_text() == "mine"


@pytest.mark.parametrize("size", ["A6", "a6", " A6 ", "105x148", "105 × 148 mm", "105.0X148.00", (105, 148)])
def test_paper_is_named_or_measured(size: str | tuple[float, float]) -> None:
    made = paper(size)
    assert (made.width, made.height) == (105_000, 148_000)


@pytest.mark.parametrize("size", ["A9", "", "105", "105x", "x148", "-1x5", "1e3x5", "0x5", (0, 5), (float("nan"), 5)])
def test_paper_that_is_none_is_refused(size: str | tuple[float, float]) -> None:
    with pytest.raises(BadInput):
        paper(size)


def test_paper_without_room_for_words_is_refused_before_there_is_a_chapter(ws: Workspace) -> None:
    with pytest.raises(BadInput, match="leaves nothing of paper"):
        paper("B5", safe=100)
    bare = paper("B5", safe=90.9).model_copy(update={"safe": 91_000})
    with pytest.raises(BadInput, match="a safe inset of 91 mm") as refused:
        ws.comic("Tight").begin_chapter(1, size=bare)
    assert "less than 91 mm" in refused.value.expected
    assert [work.title for work in ws.works()] == []


def test_the_paper_of_a_chapter_is_changed_in_an_edit_block(ws: Workspace) -> None:
    chapter = ws.comic("Wide").begin_chapter(1, size="B5")
    with chapter.edit("larger paper") as edit:
        edit.add_page()
        edit.run("paper.set", chapter.id, width=210, height=297, safe=8)
    held = chapter.book.chapter.paper
    assert (held.width, held.height, held.safe) == (210_000, 297_000, 8_000)
    assert chapter[0].model.width == 210_000


def test_a_mistyped_workspace_is_told_the_nearest(ws: Workspace) -> None:
    beside, inside = ws.path.parent / "wss", ws.path / "inbox"
    for wrong in (beside, inside, ws.path.parent):
        with pytest.raises(NotFound, match="is not a workspace") as told:
            open_workspace(wrong)
        assert told.value.recovery == f"Nearest: {ws.path}"
    with pytest.raises(NotFound) as told:
        open_workspace(ws.path.parent / "quite another" / "x y")
    assert told.value.recovery.endswith(f"lantern init '{ws.path.parent / 'quite another' / 'x y'}'")
    assert not beside.exists()
