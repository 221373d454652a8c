"""Cherry-picking objects and units out of another state of the chapter."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import own_fields
from lantern_kit.comic.model import Balloon, Foreground, Image, Node, Unit
from lantern_kit.comic.pick import pick
from lantern_kit.comic.validate import validate_book, validate_unit
from lantern_kit.kernel.errors import BadInput, InvalidDocument, NotFound
from tests.comic.operations import CAT, CUT, MOON, Desk
from tests.comic.strategies import Ids, books
from tests.comic.test_merge import edited

Seeded = tuple[Book, random.Random, Ids]


def things(book: Book) -> dict[str, tuple[str, Node]]:
    return {name: (unit.id, item) for unit in book.units() for name, item in unit.index.items()}


def family(unit: Unit, root: str) -> set[str]:
    found = {root}
    while more := {item.id for item in unit.objects if item.parent in found} - found:
        found |= more
    return found


@given(books(), st.integers(1, 10))
@settings(max_examples=300)
def test_picked_things_are_as_they_were_and_nothing_else_changes(seeded: Seeded, count: int) -> None:
    source, rng, ids = seeded
    book = edited(source, rng, ids, count)
    then, now = things(source), things(book)
    names = [*source.order, *then]
    if not names:
        return
    wanted = rng.sample(names, rng.randint(1, min(3, len(names))))
    try:
        picked = pick(book, source, wanted)
    except InvalidDocument:
        return
    assert validate_book(picked) == ()
    after = things(picked)
    brought: set[str] = set()
    for name in wanted:
        if name in source:
            unit = source.unit(name)
            assert own_fields(picked.unit(name)) == own_fields(unit)
            brought |= {*unit.index}
            order = [item.id for item in picked.unit(name).objects if item.id in unit.index]
            assert order == [item.id for item in unit.objects]
            assert [item for item in picked.unit(name).reading if item in unit.index] == [*unit.reading]
        else:
            brought |= family(source.unit(then[name][0]), name)
    for name in brought:
        assert after[name][1] == then[name][1] or freed(then[name][1], name, picked), name
    for name, (_, item) in now.items():
        if name in brought:
            continue
        if name not in after:
            # Gone: it was put on a picked unit since, or is the other foreground of a picture, or of another picture.
            on_picked = now[name][0] in wanted and name not in then
            second = isinstance(item, Foreground) and any(
                isinstance(other, Foreground) and other.parent == item.parent for _, other in after.values()
            )
            was, held = (things.get(item.parent, ("", None))[1] for things in (now, after))
            recut = isinstance(was, Image) and isinstance(held, Image) and was.asset != held.asset
            hung = on_picked or (item.parent in now and item.parent not in after)
            assert on_picked or second or recut or hung, name
        elif after[name][1] != item and not freed(item, name, picked):
            # Brought: what a picked thing lies in and is there as another kind, or as another picture.
            assert after[name][1] == then[name][1]
            assert then[name][1].kind != item.kind or isinstance(item, Image)
    for name, (_, item) in after.items():
        if name not in now and name not in brought:
            assert item == then[name][1] or freed(then[name][1], name, picked), "what it needs comes as it was"


def freed(was: Node, name: str, picked: Book) -> bool:
    """Whether a balloon is as it was but for a join that would be a fault where it is now."""
    unit = next(unit for unit in picked.units() if name in unit.index)
    if not isinstance(was, Balloon) or unit.index[name] != was.model_copy(update={"joined": None}):
        return False
    still = unit.model_copy(update={"objects": tuple(was if item.id == name else item for item in unit.objects)})
    return any(found.rule == "balloon.joined" for found in validate_unit(still, picked.chapter))


@given(books(), st.integers(1, 10))
@settings(max_examples=200)
def test_picking_again_changes_nothing(seeded: Seeded, count: int) -> None:
    source, rng, ids = seeded
    book = edited(source, rng, ids, count)
    names = [*source.order, *things(source)]
    if not names:
        return
    wanted = rng.sample(names, rng.randint(1, min(3, len(names))))
    try:
        once = pick(book, source, wanted)
    except InvalidDocument:
        return
    assert pick(once, source, wanted) == once


@given(books())
@settings(max_examples=100)
def test_picking_what_is_there_changes_nothing(seeded: Seeded) -> None:
    book, rng, _ = seeded
    names = [*book.order, *things(book)]
    if names:
        assert pick(book, book, rng.sample(names, min(3, len(names)))) == book


@given(books(), st.integers(1, 6))
@settings(max_examples=150)
def test_picking_every_unit_of_a_state_brings_back_all_of_it(seeded: Seeded, count: int) -> None:
    source, rng, ids = seeded
    book = edited(source, rng, ids, count)
    if not len(source):
        return
    try:
        picked = pick(book, source, source.order)
    except InvalidDocument:
        return
    for name in source.order:
        assert picked.unit(name).index.items() >= source.unit(name).index.items()


def desk() -> tuple[Desk, str, str, str]:
    made = Desk()
    page = made.one("unit.add")
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    balloon = made.one("balloon.add", frame, text="Up.", at=[40, 30])
    return made, page, frame, balloon


def test_a_removed_balloon_comes_back_to_its_frame_without_undoing_the_rest() -> None:
    made, page, frame, balloon = desk()
    then = made.book
    made.one("object.remove", balloon)
    made.one("frame.set", frame, name="wide")
    picked = pick(made.book, then, [balloon])
    assert picked.unit(page).index[balloon] == then.unit(page).index[balloon]
    assert picked.unit(page).index[frame].name == "wide"
    assert picked.unit(page).reading == (frame, balloon)


def test_a_balloon_brings_the_frame_and_the_page_it_cannot_stand_without() -> None:
    made, page, frame, balloon = desk()
    other = made.one("text.add", page, text="BANG", at=[50, 100])
    after = made.one("unit.add")
    then = made.book
    made.one("unit.remove", page)
    picked = pick(made.book, then, [balloon])
    assert picked.order == (page, after)
    assert {*picked.unit(page).index} == {frame, balloon}
    assert other not in picked.unit(page).index


def test_a_frame_comes_with_what_lay_in_it_and_keeps_what_was_put_in_since() -> None:
    made, page, frame, balloon = desk()
    then = made.book
    made.one("balloon.set", balloon, text="Down.")
    late = made.one("balloon.add", frame, text="Late", at=[60, 50])
    made.one("frame.reshape", frame, rect=[10, 10, 40, 60])
    picked = pick(made.book, then, [frame]).unit(page)
    assert picked.index[frame] == then.unit(page).index[frame]
    assert picked.index[balloon].text == "Up."
    assert picked.index[late].text == "Late"


def test_a_page_comes_as_it_was_without_what_was_put_on_it_since() -> None:
    made, page, frame, _ = desk()
    then = made.book
    made.one("balloon.add", frame, text="Late", at=[60, 50])
    made.one("frame.add", page, rect=[10, 80, 80, 30])
    assert pick(made.book, then, [page]).unit(page) == then.unit(page)


def test_a_picked_foreground_takes_the_place_of_the_one_bound_since() -> None:
    made, page, frame, _ = desk()
    image = made.one("image.place", frame, asset=CAT)
    first = made.one("foreground.bind", image, asset=CUT)
    then = made.book
    made.one("foreground.unbind", first)
    second = made.one("foreground.bind", image, asset=CUT)
    picked = pick(made.book, then, [first]).unit(page)
    assert first in picked.index
    assert second not in picked.index


def test_a_picked_foreground_brings_the_picture_it_was_cut_out_of() -> None:
    made, page, frame, _ = desk()
    image = made.one("image.place", frame, asset=CAT)
    bound = made.one("foreground.bind", image, asset=CUT)
    then = made.book
    made.one("foreground.unbind", bound)
    made.one("image.replace", image, asset=MOON)
    picked = pick(made.book, then, [bound]).unit(page)
    assert picked.index[image].asset == CAT
    assert pick(then, made.book, [image]).unit(page).index.keys() == made.book.unit(page).index.keys()


def test_a_page_that_became_half_of_a_spread_cannot_be_had_beside_it() -> None:
    made, page, _, balloon = desk()
    second = made.one("unit.add")
    then = made.book
    made.one("spread.join", page, gutter=5, **{"with": second})
    with pytest.raises(InvalidDocument, match="does not fit"):
        pick(made.book, then, [second])
    both = pick(made.book, then, [page, second])
    assert both.order == then.order
    assert both.unit(page) == then.unit(page)
    assert balloon in both.unit(page).index


def test_what_was_not_there_cannot_be_picked() -> None:
    made, page, frame, _ = desk()
    then = made.book
    late = made.one("balloon.add", frame, text="Late", at=[60, 50])
    with pytest.raises(NotFound):
        pick(made.book, then, [late])
    with pytest.raises(BadInput):
        pick(made.book, then, [])
    with pytest.raises(BadInput):
        pick(made.book, then, [page, *(f"bl_{number:08d}" for number in range(100))])
