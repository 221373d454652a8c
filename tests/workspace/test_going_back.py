"""Going back from where one looked: the work that moved on meanwhile is left as it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import StaleHead
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import balloon

Deed = Callable[[Workspace, str, int, int], object]

DEEDS: dict[str, Deed] = {
    "restore": lambda ws, line, then, seen: ws.comics.restore(
        line, then, actor=ws.owner, reason="as before", expected=seen
    ),
    "pick": lambda ws, line, then, seen: ws.comics.pick(
        line, then, [ws.comics.at(then).book.order[1]], actor=ws.owner, expected=seen
    ),
    "undo": lambda ws, line, then, seen: ws.comics.undo(line, actor=ws.owner, expected=seen),
    "save": lambda ws, line, then, seen: ws.comics.save(line, actor=ws.owner, title="now", expected=seen),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_what_was_decided_on_an_older_head_is_refused_and_changes_nothing(
    ws: Workspace, chapter: ChapterWork, deed: str
) -> None:
    then = chapter.moment.revision.number
    with chapter.edit("darker") as block:
        block[1].add_frame(rect=(20, 20, 30, 30))
    seen = chapter.moment.revision.number
    with chapter.edit("meanwhile") as block:
        block[balloon(chapter).id].set(text="Gone?")
    moved = chapter.moment.id
    with pytest.raises(StaleHead) as refused:
        DEEDS[deed](ws, chapter.id, then, seen)
    assert refused.value.details["current_revision"] == moved
    assert [item["message"] for item in refused.value.details["since"]] == ["meanwhile"]
    assert chapter.moment.id == moved
    assert ws.comics.snapshots(chapter.id) == []
    DEEDS[deed](ws, chapter.id, then, chapter.moment.revision.number)
    assert ws.verify().clean


def test_a_redo_waits_for_the_head_it_was_asked_at(ws: Workspace, chapter: ChapterWork) -> None:
    seen = chapter.moment.revision.number
    undone = ws.comics.undo(chapter.id, actor=ws.owner, expected=seen)
    with pytest.raises(StaleHead):
        ws.comics.redo(chapter.id, actor=ws.owner, expected=seen)
    made = ws.comics.redo(chapter.id, actor=ws.owner, expected=undone.revision.number)
    assert (made.revision.cause, len(made.book)) == ("redo", 2)


def test_an_undo_needs_no_older_revision_than_what_it_takes_back(ws: Workspace, chapter: ChapterWork) -> None:
    with chapter.edit("third") as block:
        block.add_page()
    with sqlite3.connect(ws.journal.path) as driver:
        driver.execute("UPDATE revisions SET actor_kind = 'nobody' WHERE id = 1")
    driver.close()
    assert len(ws.comics.undo(chapter.id, actor=ws.owner).book) == 2
