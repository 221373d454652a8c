"""Joined balloons, where states meet: verdicts by parts, merges and picks."""

from __future__ import annotations

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import diff
from lantern_kit.comic.merge import merge
from lantern_kit.comic.parts import Part, chosen, closed, parts
from lantern_kit.comic.pick import pick
from lantern_kit.comic.validate import validate_book
from tests.comic.operations import Desk


def two_balloons() -> tuple[Desk, str, str, str]:
    """A page with two balloons, not joined."""
    desk = Desk()
    unit = desk.one("unit.add")
    one = desk.one("balloon.add", unit, text="So", at=[30, 30])
    return desk, unit, one, desk.one("balloon.add", unit, text="what?", at=[60, 30])


def side(desk: Desk) -> Desk:
    """Somebody else at the same state."""
    other = Desk(desk.book)
    other.ids.count = desk.ids.count + 100
    return other


def split(base: Book, frozen: Book) -> dict[str, Part]:
    return {part.id: part for part in parts(diff(base, frozen), base, frozen)}


def joins(book: Book) -> dict[str, str | None]:
    return {item.id: item.joined for unit in book.units() for item in unit.objects if item.kind == "balloon"}


# Verdicts by parts


def test_a_join_needs_the_new_balloon_that_it_names() -> None:
    desk, unit, one, _ = two_balloons()
    base = desk.book
    new = desk.one("balloon.add", unit, text="Well", at=[30, 90])
    desk.one("balloon.set", one, joined=new)
    found = split(base, desk.book)
    assert found[f"{one}.joined"].needs == (new,)
    assert found[new].needs == ()


def test_a_new_balloon_needs_the_new_one_that_it_is_joined_to() -> None:
    desk, unit, _, _ = two_balloons()
    base = desk.book
    first = desk.one("balloon.add", unit, text="Well", at=[30, 90])
    second = desk.one("balloon.add", unit, text="well", at=[60, 90], joined=first)
    found = split(base, desk.book)
    assert (found[first].needs, found[second].needs) == ((), (first,))


def test_a_balloon_leaves_only_with_the_joins_to_it() -> None:
    desk, _, one, two = two_balloons()
    desk.one("balloon.set", two, joined=one)
    base = desk.book
    desk.one("object.remove", one)
    found = split(base, desk.book)
    assert found[one].needs == (f"{two}.joined",)
    choice = closed(list(found.values()), [f"{two}.joined"])
    assert one in choice.rejected


def test_a_join_turned_round_needs_the_old_one_gone() -> None:
    desk, _, one, two = two_balloons()
    desk.one("balloon.set", two, joined=one)
    base = desk.book
    desk.one("balloon.set", two, joined=None)
    desk.one("balloon.set", one, joined=two)
    found = split(base, desk.book)
    assert found[f"{one}.joined"].needs == (f"{two}.joined",)
    assert found[f"{two}.joined"].needs == ()
    only = chosen(base, desk.book, list(found.values()), {f"{two}.joined"})
    assert joins(only) == {one: None, two: None}


def test_a_free_shape_and_its_outline_are_one_part() -> None:
    desk, _, one, _ = two_balloons()
    base = desk.book
    desk.one("balloon.set", one, outline={"polygon": [[20, 20], [40, 20], [30, 40]]}, rect=[20, 20, 20, 20])
    found = split(base, desk.book)
    assert found[f"{one}.shape"].properties == ("shape", "outline")


# Merges


def test_a_join_to_a_balloon_that_the_other_side_removed_is_a_conflict() -> None:
    for ours_joins in (True, False):
        desk, _, one, two = two_balloons()
        joining, removing = side(desk), side(desk)
        joining.one("balloon.set", two, joined=one)
        removing.one("object.remove", one)
        ours, theirs = (joining, removing) if ours_joins else (removing, joining)
        merged = merge(desk.book, ours.book, theirs.book)
        assert merged.book == ours.book
        assert [conflict.object for conflict in merged.conflicts] == [one if ours_joins else two]


def test_joins_that_would_make_a_circle_are_a_conflict_and_others_merge() -> None:
    desk, unit, one, two = two_balloons()
    three = desk.one("balloon.add", unit, text="Well", at=[30, 90])
    ours, theirs = side(desk), side(desk)
    ours.one("balloon.set", two, joined=one)
    theirs.one("balloon.set", one, joined=two)
    theirs.one("balloon.set", three, joined=two)
    merged = merge(desk.book, ours.book, theirs.book)
    assert joins(merged.book) == {one: None, two: one, three: two}
    assert [conflict.object for conflict in merged.conflicts] == [one]


def test_a_join_merges_with_other_changes_of_the_same_balloon() -> None:
    desk, _, one, two = two_balloons()
    ours, theirs = side(desk), side(desk)
    ours.one("balloon.set", two, joined=one)
    theirs.one("balloon.set", two, text="now?")
    merged = merge(desk.book, ours.book, theirs.book)
    assert merged.conflicts == ()
    assert joins(merged.book) == {one: None, two: one}


# Picks


def test_a_picked_balloon_comes_without_the_one_it_was_joined_to() -> None:
    desk, _, one, two = two_balloons()
    desk.one("balloon.set", two, joined=one)
    then = desk.book
    desk.one("object.remove", two)
    desk.one("object.remove", one)
    assert joins(pick(desk.book, then, [two])) == {two: None}
    assert joins(pick(desk.book, then, [one, two])) == {one: None, two: one}


def test_of_a_circle_that_a_pick_would_close_the_picked_join_stays() -> None:
    desk, _, one, two = two_balloons()
    desk.one("balloon.set", two, joined=one)
    then = desk.book
    desk.one("balloon.set", two, joined=None)
    desk.one("balloon.set", one, joined=two)
    picked = pick(desk.book, then, [two])
    assert joins(picked) == {one: None, two: one}
    assert validate_book(picked) == ()
