"""Locks: what a person keeps from agents."""

from __future__ import annotations

import pytest

from lantern_kit.comic.model import Frame
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import Locked, NotAllowed, NotFound, WrongState
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import AGENT, balloon, begin, edit, freeze, proposed, say

MINA = Actor.person("mina")


def frame(chapter: ChapterWork) -> Frame:
    """The frame that holds the balloon."""
    found = chapter.book.unit(chapter.book.order[0]).index[balloon(chapter).parent]
    assert isinstance(found, Frame)
    return found


def test_an_agent_is_refused_with_who_locked_it_and_why(ws: Workspace, chapter: ChapterWork) -> None:
    chapter.lock(balloon(chapter).id, "the joke is mine")
    draft, head = begin(ws, chapter)
    with pytest.raises(Locked, match="locked by mina: the joke is mine") as caught:
        edit(ws, draft, head, [say(balloon(chapter).id, "No joke.")])
    assert caught.value.details["locks"][0]["object"] == balloon(chapter).id
    assert ws.drafts.head(draft).revision.number == head


def test_what_lies_in_a_locked_frame_is_locked_too(ws: Workspace, chapter: ChapterWork) -> None:
    chapter.lock(frame(chapter).id)
    draft, head = begin(ws, chapter)
    for operation in (
        say(balloon(chapter).id, "x"),
        {"op": "frame.set", "target": frame(chapter).id, "args": {"name": "x"}},
        {"op": "balloon.add", "target": frame(chapter).id, "args": {"text": "x", "at": [75, 50]}},
        {"op": "object.remove", "target": balloon(chapter).id},
        {"op": "frame.cut", "target": frame(chapter).id, "args": {"line": [[75, 0], [75, 100]], "gutter": 3}},
    ):
        with pytest.raises(Locked):
            edit(ws, draft, head, [operation])


def test_what_holds_a_locked_thing_cannot_be_removed(ws: Workspace, chapter: ChapterWork) -> None:
    chapter.lock(balloon(chapter).id)
    draft, head = begin(ws, chapter)
    for op, target in (("frame.remove", frame(chapter).id), ("unit.remove", chapter.book.order[0])):
        with pytest.raises(Locked):
            edit(ws, draft, head, [{"op": op, "target": target}])


def test_the_place_among_what_is_drawn_and_read_is_locked_too(ws: Workspace, chapter: ChapterWork) -> None:
    chapter.lock(balloon(chapter).id)
    draft, head = begin(ws, chapter)
    page = chapter.book.unit(chapter.book.order[0])
    with pytest.raises(Locked):
        edit(ws, draft, head, [{"op": "object.order", "target": balloon(chapter).id, "args": {"to": "back"}}])
    with pytest.raises(Locked):
        edit(ws, draft, head, [{"op": "reading.set", "target": page.id, "args": {"order": [*reversed(page.reading)]}}])


def test_nothing_is_drawn_over_a_locked_thing_by_another_band(ws: Workspace, chapter: ChapterWork) -> None:
    chapter.lock(balloon(chapter).id)
    draft, head = begin(ws, chapter)
    image = next(item for item in chapter.book.unit(chapter.book.order[0]).objects if item.kind == "image")
    band = {"op": "object.band", "target": image.id}
    with pytest.raises(Locked):
        edit(ws, draft, head, [{**band, "args": {"band": "text"}}])
    edit(ws, draft, head, [{**band, "args": {"band": "overlays"}}])


def test_the_rest_of_the_page_stays_free(ws: Workspace, chapter: ChapterWork) -> None:
    chapter.lock(balloon(chapter).id)
    draft, head = begin(ws, chapter)
    page = chapter.book.order[0]
    done = edit(ws, draft, head, [{"op": "frame.add", "target": page, "args": {"rect": [10, 80, 60, 40]}}])
    added = next(iter(done.made.values()))
    edit(ws, draft, done.moment.revision.number, [{"op": "frame.set", "target": added, "args": {"name": "free"}}])


def test_a_locked_page_and_a_locked_chapter_hold_everything(ws: Workspace, chapter: ChapterWork) -> None:
    one, two = chapter.book.order
    chapter.lock(one)
    draft, head = begin(ws, chapter)
    add = {"op": "frame.add", "args": {"rect": [10, 80, 60, 40]}}
    with pytest.raises(Locked):
        edit(ws, draft, head, [{**add, "target": one}])
    done = edit(ws, draft, head, [{**add, "target": two}])
    chapter.unlock(one)
    chapter.lock(chapter.id)
    for operation in ({**add, "target": two}, {"op": "chapter.set", "args": {"title": "x"}}):
        with pytest.raises(Locked):
            edit(ws, draft, done.moment.revision.number, [operation])


def test_a_person_edits_what_is_locked(chapter: ChapterWork) -> None:
    chapter.lock(balloon(chapter).id)
    with chapter.edit("mine to change") as block:
        block[balloon(chapter).id].set(text="Mine!")
    assert balloon(chapter).text == "Mine!"


def test_locks_are_for_people_alone(ws: Workspace, chapter: ChapterWork) -> None:
    with pytest.raises(NotAllowed):
        chapter.lock(balloon(chapter).id, by=AGENT)
    chapter.lock(balloon(chapter).id, by=MINA)
    with pytest.raises(NotAllowed):
        chapter.unlock(balloon(chapter).id, by=AGENT)
    assert [item.actor for item in chapter.locks()] == ["mina"]


def test_a_thing_is_locked_once_and_must_be_there(chapter: ChapterWork) -> None:
    chapter.lock(balloon(chapter).id, "first")
    with pytest.raises(WrongState, match="locked by mina: first"):
        chapter.lock(balloon(chapter).id, "second")
    with pytest.raises(NotFound):
        chapter.lock("fr_0000none")
    with pytest.raises(NotFound, match="not locked"):
        chapter.unlock(frame(chapter).id)


def test_locks_show_themselves(chapter: ChapterWork) -> None:
    assert repr(chapter.locks()) == "nothing is locked"
    chapter.lock(balloon(chapter).id, "the <joke>")
    shown = chapter.locks()._repr_mimebundle_()
    assert "is locked by mina: the <joke>" in shown["text/plain"]
    assert "the &lt;joke&gt;" in shown["text/html"]


def test_a_lock_made_meanwhile_keeps_a_draft_from_being_frozen_until_it_is_taken_back(
    ws: Workspace, chapter: ChapterWork
) -> None:
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [say(balloon(chapter).id, "x")])
    more = {"op": "frame.add", "target": chapter.book.order[1], "args": {"rect": [20, 20, 30, 30]}}
    done = edit(ws, draft, done.moment.revision.number, [more])
    chapter.lock(balloon(chapter).id, "mine")
    with pytest.raises(Locked):
        freeze(ws, draft, done.moment.revision.number)
    done = edit(ws, draft, done.moment.revision.number, [say(balloon(chapter).id, balloon(chapter).text)])
    assert freeze(ws, draft, done.moment.revision.number).changes > 0


def test_going_back_in_a_draft_past_a_lock_is_refused_unless_it_gives_the_thing_back(
    ws: Workspace, chapter: ChapterWork
) -> None:
    draft, head = begin(ws, chapter)
    first = edit(ws, draft, head, [say(balloon(chapter).id, "one")]).moment.revision.number
    second = edit(ws, draft, first, [say(balloon(chapter).id, "two")]).moment.revision.number
    chapter.lock(balloon(chapter).id)
    with pytest.raises(Locked), ws.journal.write() as connection:
        ws.drafts.undo_to(connection, draft, second, first, actor=AGENT)
    with ws.journal.write() as connection:
        ws.drafts.undo_to(connection, draft, second, head, actor=AGENT)


def test_a_proposal_that_touches_what_was_locked_meanwhile_says_so_and_waits(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    chapter.lock(balloon(chapter).id, "not now")
    review = held.look()
    assert [lock.object for lock in review.locked] == [balloon(chapter).id]
    assert "locked by mina: not now" in held.text()
    assert "locked by mina: not now" in held.html()
    with pytest.raises(Locked, match="not now"):
        held.apply(me)
    assert held.facts.state == "pending"
    chapter.unlock(balloon(chapter).id)
    held.apply(me)
    assert balloon(chapter).text == "It is mine."
    assert ws.verify().clean
