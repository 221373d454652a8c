"""Stored conflicts: kept until a person chooses on what both sides look like."""

from __future__ import annotations

import pytest

from lantern_kit import datasets
from lantern_kit.comic.diff import own_fields
from lantern_kit.comic.model import Foreground
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.conflict import ConflictWork
from lantern_kit.kernel.errors import BadInput, InvalidDocument, NotAllowed, NotFound, StaleHandle, WrongState
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import AGENT, balloon, begin, edit, freeze, proposed


def conflict(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> ConflictWork:
    """A conflict of two texts for one balloon."""
    held = ws.proposals[proposed(ws, chapter).id]
    with chapter.edit("my own line") as block:
        block[balloon(chapter).id].set(text="MINE!")
    held.look()
    held.apply(me, mode="merge")
    (found,) = chapter.conflicts()
    return found


def test_the_choice_of_theirs_is_one_revision(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    before = chapter.moment.revision.number
    made = found.resolve("theirs")
    assert balloon(chapter).text == "It is mine."
    newest = chapter.history().revisions[0]
    assert (newest.id, newest.cause, newest.parent) == (made, "resolve", before)
    assert found.facts.state == "theirs"
    assert found.facts.settled_by == "mina"
    assert len(chapter.conflicts()) == 0
    assert len(chapter.conflicts(settled=True)) == 1
    assert ws.verify().clean


def test_the_choice_of_ours_leaves_the_work_as_it_is(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    before = chapter.moment.revision.number
    assert chapter.conflicts().resolve(found.id, "ours") is None
    assert chapter.moment.revision.number == before
    assert found.facts.state == "ours"
    with pytest.raises(WrongState, match="settled"):
        found.resolve("theirs")
    assert ws.verify().clean


def test_both_choices_are_drawn_beside_each_other(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    shown = found._repr_mimebundle_()
    for words in ("“MINE!”", "“It is mine.”", "it stands as the merge left it"):
        assert words in shown["text/plain"]
    assert shown["text/html"].count("<img") == 2
    (_, ours), (_, theirs) = found.pages()
    assert ours.rendered.jpeg() != theirs.rendered.jpeg()
    assert shown["text/html"] in chapter.conflicts()._repr_mimebundle_()["text/html"]


def test_what_changed_meanwhile_is_asked_again(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    with chapter.edit("third thoughts") as block:
        block[balloon(chapter).id].set(text="Ours?")
    with pytest.raises(StaleHandle, match="changed since"):
        found.resolve("theirs")
    assert balloon(chapter).text == "Ours?"
    assert "changed since the merge" in found.text()
    found.resolve("theirs")
    assert balloon(chapter).text == "It is mine."


def test_a_look_counts_only_while_what_was_seen_stands(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    found.look()
    with chapter.edit("third thoughts") as block:
        block[balloon(chapter).id].set(text="Ours?")
    with pytest.raises(StaleHandle):
        found.resolve("theirs")


def test_other_changes_do_not_make_a_conflict_stale(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    with chapter.edit("elsewhere") as block:
        block[balloon(chapter).id].set(speaker="The cat")
    found.resolve("theirs")
    assert (balloon(chapter).text, balloon(chapter).speaker) == ("It is mine.", "The cat")


def test_a_gone_object_is_said_to_be_gone(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    with chapter.edit("no words") as block:
        block.run("object.remove", balloon(chapter).id)
    assert found.standing == "gone"
    assert "gone from the work" in found.text()
    with pytest.raises((WrongState, StaleHandle)):
        found.resolve("theirs")
    found.resolve("ours")
    assert found.facts.state == "ours"


def test_theirs_that_came_about_by_itself_needs_no_revision(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    found = conflict(ws, chapter, me)
    with chapter.edit("as they said") as block:
        block[balloon(chapter).id].set(text="It is mine.")
    assert found.standing == "theirs"
    assert found.resolve("theirs") is None
    assert found.facts.state == "theirs"


def test_a_removed_object_comes_back_as_theirs_has_it(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    thing = balloon(chapter).id
    with chapter.edit("no words") as block:
        block.run("object.remove", thing)
    held.look()
    held.apply(me, mode="merge")
    (found,) = chapter.conflicts()
    assert (found.facts.object, found.facts.property, found.facts.ours) == (thing, None, None)
    found.resolve("theirs")
    assert (balloon(chapter).id, balloon(chapter).text) == (thing, "It is mine.")
    assert ws.verify().clean


def test_an_object_that_theirs_removed_can_be_let_go(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    draft, head = begin(ws, chapter)
    thing = balloon(chapter).id
    done = edit(ws, draft, head, [{"op": "object.remove", "target": thing}])
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    with chapter.edit("my own line") as block:
        block[thing].set(text="MINE!")
    held.look()
    held.apply(me, mode="merge")
    (found,) = chapter.conflicts()
    assert "not there" in found.text()
    found.resolve("theirs")
    assert all(thing not in unit.index for unit in chapter.book.units())
    assert ws.verify().clean


def test_a_fact_of_the_chapter_and_an_order_are_settled_too(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    page = chapter.book.order[0]
    first, second, third = chapter.book.unit(page).reading
    draft, head = begin(ws, chapter)
    done = edit(
        ws,
        draft,
        head,
        [
            {"op": "chapter.set", "args": {"title": "Theirs"}},
            {"op": "reading.set", "target": page, "args": {"order": [first, third, second]}},
        ],
    )
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    with chapter.edit("mine") as block:
        block.run("chapter.set", title="Mine")
        block.run("reading.set", page, order=[second, first, third])
    held.look()
    held.apply(me, mode="merge")
    found = {item.facts.property: item for item in chapter.conflicts()}
    found["reading"].resolve("theirs")
    assert chapter.book.unit(page).reading == (first, third, second)
    found["title"].resolve("theirs")
    assert chapter.book.chapter.title == "Theirs"
    assert ws.verify().clean


def test_only_a_person_settles_and_only_one_way_or_the_other(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    found = conflict(ws, chapter, me)
    with pytest.raises(NotAllowed):
        found.resolve("theirs", by=AGENT)
    with pytest.raises(BadInput):
        found.resolve("both")
    with pytest.raises(NotFound):
        chapter.conflicts()["c99"]
    with pytest.raises(BadInput):
        chapter.conflicts()["99"]
    with pytest.raises(NotFound):
        chapter.conflicts()[1]
    assert found.facts.state == "open"


def test_theirs_brings_back_what_it_cannot_stand_without(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    thing = balloon(chapter).id
    with chapter.edit("apart") as block:
        block.run("unit.remove", chapter.book.order[0])
    held.look()
    held.apply(me, mode="merge")
    found = next(item for item in chapter.conflicts() if item.facts.object == thing)
    found.resolve("theirs")
    assert balloon(chapter).text == "It is mine."
    assert ws.verify().clean


def test_saying_what_a_choice_would_do_never_fails(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    with chapter.edit("no words") as block:
        block.run("object.remove", balloon(chapter).id)
    shown = found._repr_mimebundle_()
    assert "taking theirs" in shown["text/plain"]
    assert shown["text/html"].count("<img") == 1
    with pytest.raises((InvalidDocument, WrongState, StaleHandle)):
        found.resolve("theirs")


def test_a_picture_with_a_foreground_is_not_taken_from_under_it(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    image = next(item for item in chapter[0].model.objects if item.kind == "image")
    moon = ws.assets.register(datasets.open_photo("moon"), title="Moon", licence="CC0-1.0")
    coffee = ws.assets.register(datasets.open_photo("coffee"), title="Coffee", licence="CC0-1.0")
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [{"op": "image.replace", "target": image.id, "args": {"asset": moon.id}}])
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    with chapter.edit("coffee") as block:
        block.run("image.replace", image.id, asset=coffee.id)
    held.look()
    held.apply(me, mode="merge")
    (found,) = chapter.conflicts()
    with chapter.edit("it steps out") as block:
        unit = block.book.unit(block.book.order[0])
        front = Foreground(id="fg_0000cut0", parent=image.id, asset=coffee.id)
        block._book = block.book.replace(unit.model_copy(update={"objects": (*unit.objects, front)}))
    with pytest.raises(WrongState, match="cut out of the picture"):
        found.resolve("theirs")
    with chapter.edit("back in") as block:
        block.run("foreground.unbind", "fg_0000cut0")
    found.resolve("theirs")
    assert own_fields(chapter[0].model.index[image.id])["asset"] == moon.id


def test_a_picture_that_is_taken_after_all_has_no_marks_of_the_other(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    image = next(item for item in chapter[0].model.objects if item.kind == "image")
    moon = ws.assets.register(datasets.open_photo("moon"), title="Moon", licence="CC0-1.0")
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [{"op": "image.replace", "target": image.id, "args": {"asset": moon.id}}])
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    with chapter.edit("her face") as block:
        block[image.id].mark({"kind": "face", "area": (0.3, 0.2, 0.7, 0.6)})
    held.look()
    held.apply(me, mode="merge")
    (found,) = chapter.conflicts()
    assert own_fields(chapter[0].model.index[image.id])["asset"] == image.asset
    found.resolve("theirs")
    held_now = chapter[0].model.index[image.id]
    assert (held_now.asset, held_now.marks) == (moon.id, ())


def test_a_choice_whose_conflict_is_gone_is_found(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    found = conflict(ws, chapter, me)
    made = found.resolve("theirs")
    with ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE conflicts SET settled_in = NULL")
    assert any(item.kind == "conflict" and item.id == made for item in ws.verify().problems)
