from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.diff import diff, plain
from lantern_kit.comic.edit import apply_changeset
from lantern_kit.comic.merge import Merged, merge
from lantern_kit.comic.sequence import merge_order
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import LanternError
from tests.comic.operations import CAT, CUT, Desk, random_operation, world
from tests.comic.strategies import Ids, books, random_book, stepped

Seeded = tuple[Book, random.Random, Ids]


def edited(book: Book, rng: random.Random, ids: Ids, count: int) -> Book:
    """The book after a few operations, or other steps."""
    for _ in range(count):
        if rng.random() < 0.3:
            book = stepped(book, rng, ids, 1)
            continue
        try:
            book = apply_changeset(book, [random_operation(book, rng)], world(ids)).book
        except LanternError:
            continue
    return book


def place(book: Book, name: str) -> tuple[str, object] | None:
    for unit in book.units():
        if name == unit.id:
            return unit.id, unit
        if name in unit.index:
            return unit.id, unit.index[name]
    return None


def holds(book: Book, row: Change) -> bool:
    """Whether what a row says came about."""
    if row.object == book.chapter.id:
        return row.property == "units" or plain(book.chapter, str(row.property)) == row.after
    if row.property in {"objects", "reading"}:
        return True  # orders have a law of their own
    found = place(book, row.object)
    if row.change == "removed":
        return found is None or found[0] != row.unit or found[1].kind != row.object_kind  # type: ignore[attr-defined]
    if found is None:
        return False
    if row.change == "added":
        return found[0] == row.unit
    name = str(row.property)
    return hasattr(found[1], name) and plain(found[1], name) == row.after  # type: ignore[arg-type]


@given(books(), st.integers(1, 12))
@settings(max_examples=150)
def test_a_side_that_did_nothing_changes_nothing(seeded: Seeded, count: int) -> None:
    base, rng, ids = seeded
    changed = edited(base, rng, ids, count)
    assert merge(base, base, changed) == Merged(changed, ())
    assert merge(base, changed, base) == Merged(changed, ())
    assert merge(base, changed, changed) == Merged(changed, ())


@given(books(), st.integers(1, 10))
@settings(max_examples=400, deadline=None)
def test_merged_books_are_sound_keep_ours_and_lose_nothing_in_silence(seeded: Seeded, count: int) -> None:
    base, rng, ids = seeded
    ours, theirs = edited(base, rng, ids, count), edited(base, rng, ids, count)
    book, conflicts = (result := merge(base, ours, theirs)).book, result.conflicts
    assert validate_book(book) == ()
    for row in diff(base, ours):
        assert holds(book, row) or row.property == "parent", row
    named = {(conflict.object, conflict.property) for conflict in conflicts}
    for row in diff(base, theirs):
        if not holds(book, row):
            assert named & {(row.object, row.property), (row.object, None), (row.unit, None), (row.object, "unit")}, row


@given(books())
@settings(max_examples=150)
def test_edits_of_different_units_never_conflict(seeded: Seeded) -> None:
    base, rng, ids = seeded
    if len(base) < 2:
        return
    one, two = rng.sample(base.order, 2)
    sides = []
    for name in (one, two):
        unit = base.unit(name)
        alone = edited(Book.of(base.chapter, [unit]), rng, ids, 4)
        sides.append(base.replace(alone.unit(name)) if name in alone and alone.chapter == base.chapter else base)
    merged = merge(base, *sides)
    names = [[item for unit in side.units() for item in unit.index] for side in sides]
    if all(len(set(items)) == len(items) for items in names):
        assert merged.conflicts == ()
        assert merged.book.unit(one) == sides[0].unit(one)
        assert merged.book.unit(two) == sides[1].unit(two)


@given(st.permutations(range(7)), st.permutations(range(7)), st.sets(st.integers(0, 9)))
def test_an_order_keeps_every_turn_of_each_side_or_says_that_it_cannot(
    ours: list[int], theirs: list[int], held: set[int]
) -> None:
    base = [str(i) for i in range(7)]
    mine, other = [str(i) for i in ours], [str(i) for i in theirs]
    everything = {*base, *(str(i) for i in held)}
    mine.insert(3, "8")
    other.insert(2, "9")
    merged, whole = merge_order(base, mine, other, everything & {*mine, *other})
    assert sorted(merged) == sorted(everything & {*mine, *other})
    for i in base:
        for j in base:
            was, one, two = (side.index(i) < side.index(j) for side in (base, mine, other))
            if whole:
                assert (merged.index(i) < merged.index(j)) == (one if one != was else two)
            else:
                assert (merged.index(i) < merged.index(j)) == one
    swapped, whole_too = merge_order(base, other, mine, everything & {*mine, *other})
    assert whole == whole_too
    if whole:
        assert [name for name in swapped if name in base] == [name for name in merged if name in base]


def desks() -> tuple[Desk, str, str, str]:
    desk = Desk()
    page = desk.one("unit.add")
    frame = desk.one("frame.add", page, rect=[10, 10, 80, 60])
    balloon = desk.one("balloon.add", frame, text="Up.", at=[40, 30])
    return desk, page, frame, balloon


def fork(desk: Desk) -> Desk:
    other = Desk(desk.book)
    other.ids.count = 5_000
    return other


def test_different_properties_of_one_object_merge_by_themselves() -> None:
    desk, _, _, balloon = desks()
    base, other = desk.book, fork(desk)
    desk.one("balloon.set", balloon, text="Down.")
    other.one("object.move", balloon, by=[5, 0])
    merged = merge(base, desk.book, other.book)
    assert merged.conflicts == ()
    found = merged.book.unit(base.order[0]).index[balloon]
    assert (found.text, found.box) == ("Down.", other.get(balloon).box)


def test_one_property_changed_on_both_sides_is_a_conflict_and_ours_stays() -> None:
    desk, page, _, balloon = desks()
    base, other = desk.book, fork(desk)
    desk.one("balloon.set", balloon, text="Down.")
    other.one("balloon.set", balloon, text="Left.")
    (conflict,) = (merged := merge(base, desk.book, other.book)).conflicts
    assert (conflict.unit, conflict.object, conflict.property) == (page, balloon, "text")
    assert (conflict.base, conflict.ours, conflict.theirs) == ("Up.", "Down.", "Left.")
    assert merged.book == desk.book


def test_a_deletion_against_a_change_is_a_conflict_either_way() -> None:
    desk, _, frame, balloon = desks()
    base, other = desk.book, fork(desk)
    desk.one("frame.remove", frame)
    other.one("balloon.set", balloon, text="Left.")
    merged = merge(base, desk.book, other.book)
    assert [(c.object, c.property, c.ours) for c in merged.conflicts] == [(balloon, None, None)]
    assert merged.book == desk.book
    merged = merge(base, other.book, desk.book)
    assert {(c.object, c.property) for c in merged.conflicts} == {(balloon, None), (frame, None)}
    assert merged.book == other.book


def test_a_child_added_where_the_other_side_removed_the_parent_is_a_conflict() -> None:
    desk, _, frame, balloon = desks()
    base, other = desk.book, fork(desk)
    desk.one("frame.remove", frame)
    added = other.one("image.place", frame, asset=CAT)
    merged = merge(base, desk.book, other.book)
    assert [(c.object, c.property) for c in merged.conflicts] == [(added, None)]
    assert merged.book == desk.book
    merged = merge(base, other.book, desk.book)
    assert {(c.object, c.property) for c in merged.conflicts} == {(frame, None), (balloon, None)}
    assert merged.book == other.book


def test_a_page_that_one_side_worked_on_and_the_other_removed_is_a_conflict() -> None:
    desk, page, frame, balloon = desks()
    base, other = desk.book, fork(desk)
    desk.one("balloon.set", balloon, text="Left.")
    other.one("unit.remove", page)
    merged = merge(base, desk.book, other.book)
    assert {c.object for c in merged.conflicts} == {page, balloon}
    assert merged.book == desk.book
    merged = merge(base, other.book, desk.book)
    assert {c.object for c in merged.conflicts} == {balloon}
    assert merged.book == other.book
    assert frame not in {c.object for c in merged.conflicts}


def test_words_changed_on_pages_that_the_other_side_joined_come_along() -> None:
    desk, _, _, balloon = desks()
    second = desk.one("unit.add")
    desk.one("unit.move", second, to="first")
    base, other = desk.book, fork(desk)
    desk.one("balloon.set", balloon, text="Left.")
    other.one("spread.join", second, gutter=5, **{"with": base.order[1]})
    for ours, theirs in ((desk.book, other.book), (other.book, desk.book)):
        merged = merge(base, ours, theirs)
        assert merged.conflicts == ()
        assert merged.book.order == (second,)
        found = merged.book.unit(second).index[balloon]
        assert (found.text, found.box) == ("Left.", other.get(balloon).box)


def test_two_foregrounds_for_one_picture_are_a_conflict() -> None:
    desk, _, frame, _ = desks()
    image = desk.one("image.place", frame, asset=CAT)
    base, other = desk.book, fork(desk)
    mine = desk.one("foreground.bind", image, asset=CUT)
    theirs = other.one("foreground.bind", image, asset=CUT)
    assert mine != theirs
    merged = merge(base, desk.book, other.book)
    assert [(c.object, c.property) for c in merged.conflicts] == [(theirs, None)]
    assert merged.book == desk.book


def test_additions_to_one_page_stand_side_by_side() -> None:
    desk, page, frame, balloon = desks()
    base, other = desk.book, fork(desk)
    mine = desk.one("balloon.add", frame, text="A", at=[20, 20])
    theirs = other.one("balloon.add", frame, text="B", at=[60, 20], after=frame)
    merged = merge(base, desk.book, other.book)
    assert merged.conflicts == ()
    assert merged.book.unit(page).reading == (frame, theirs, balloon, mine)


def test_orders_turned_against_each_other_are_a_conflict() -> None:
    desk, page, frame, balloon = desks()
    third = desk.one("balloon.add", frame, text="A", at=[20, 20])
    base, other = desk.book, fork(desk)
    desk.one("reading.set", page, order=[balloon, frame, third])
    other.one("reading.set", page, order=[frame, third, balloon])
    (conflict,) = (merged := merge(base, desk.book, other.book)).conflicts
    assert (conflict.object, conflict.property) == (page, "reading")
    assert (conflict.base, conflict.ours) == ([frame, balloon, third], [balloon, frame, third])
    assert merged.book == desk.book


def test_a_big_chapter_merges_without_reading_the_pages_nobody_touched() -> None:
    rng, ids = random.Random(3), Ids()
    base = random_book(rng, ids, units=8)
    one, two = base.order[1], base.order[6]
    ours = base.replace(base.unit(one).model_copy(update={"name": "mine"}))
    theirs = base.replace(base.unit(two).model_copy(update={"name": "theirs"}))
    merged = merge(base, ours, theirs)
    assert merged.conflicts == ()
    assert (merged.book.unit(one).name, merged.book.unit(two).name) == ("mine", "theirs")
    assert all(merged.book.unit(name) is base.unit(name) for name in base.order if name not in (one, two))


def test_changes_that_cannot_stand_together_leave_ours_and_list_all_of_theirs() -> None:
    desk, page, _, balloon = desks()
    base, other = desk.book, fork(desk)
    unit = desk.book.unit(page)
    narrow = unit.surfaces[0].model_copy(update={"width": 60_000})
    ours = base.replace(unit.model_copy(update={"surfaces": (narrow,)}))
    other.one("paper.set", safe=45)
    other.one("balloon.set", balloon, text="Left.")
    assert validate_book(ours) == ()
    merged = merge(base, ours, other.book)
    assert {(c.object, c.property) for c in merged.conflicts} == {(base.chapter.id, "paper"), (balloon, None)}
    assert merged.book == ours
