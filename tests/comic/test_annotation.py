"""What references point at after any edits: told truthfully, or told as missing."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.anchor import box_around, corners, ground, point_at, shares_at
from lantern_kit.comic.annotation import (
    Kind,
    OnElement,
    OnPoint,
    Reference,
    Resolution,
    Resolved,
    Target,
    refer,
    resolve,
)
from lantern_kit.comic.book import Book
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import (
    MILLION,
    Fit,
    Foreground,
    Image,
    Node,
    Overlay,
    Placement,
    Rect,
    Surface,
    Text,
    Transform,
    Unit,
    UnitKind,
)
from tests.comic.strategies import Ids, books, random_book, stepped


def home(book: Book) -> Any:
    """The unit that holds an object, looked for everywhere."""
    return lambda thing: next((unit.id for unit in book.units() if thing in unit.index), None)


def everything(book: Book) -> list[tuple[Unit, Target]]:
    """All that an element reference can be made to."""
    return [(unit, thing) for unit in book.units() for thing in (unit, *unit.surfaces, *unit.objects)]


def own(unit: Unit, thing: Target) -> tuple[Any, ...]:
    """A thing's own fields and what it lies on, without children."""
    children = {"objects", "reading"} if isinstance(thing, Unit) else set()
    return (unit.id if isinstance(thing, Surface) else "", thing.model_dump(mode="json", exclude=children))


def made(book: Book, rng: random.Random) -> list[tuple[Reference, tuple[Any, ...]]]:
    """References to some of everything, each with what its target was."""
    found = []
    for unit, thing in everything(book):
        at = rng.randint(0, MILLION), rng.randint(0, MILLION)
        if rng.random() < 0.6:
            found.append((refer(OnElement(thing.id, at), book, home(book)), own(unit, thing)))
        if isinstance(thing, Unit):
            surface = rng.choice(("", *(item.id for item in unit.surfaces)))
            found.append((refer(OnPoint(unit.id, at, surface), book, home(book)), own(unit, unit)))
    return found


@given(books(), st.integers(0, 8))
def test_after_any_edits_every_reference_resolves_truthfully(
    world: tuple[Book, random.Random, Ids], steps: int
) -> None:
    book, rng, ids = world
    references = made(book, rng)
    later = stepped(book, rng, ids, steps)
    there = {thing.id: (unit, thing) for unit, thing in everything(later)}
    for reference, before in references:
        found = resolve(reference, later, home(later))
        assert found.reference is reference
        if reference.kind is Kind.ELEMENT:
            _element(found, there.get(reference.target), before)
        else:
            _point(found, later, before)
        assert resolve(reference, book, home(book)).resolution is Resolution.UNCHANGED, "it does not depend on the past"


def _element(found: Resolved, now: tuple[Unit, Target] | None, before: tuple[Any, ...]) -> None:
    if now is None:
        assert found.resolution is Resolution.MISSING
        assert (found.thing, found.handle, found.box, found.frame) == (None, None, None, None)
        return
    unit, thing = now
    assert found.thing is thing
    assert found.unit is unit
    assert found.resolution is (Resolution.UNCHANGED if own(unit, thing) == before else Resolution.CHANGED)
    assert found.handle == (None if isinstance(thing, Surface) else handle_of(thing))
    assert found.point == point_at(ground(unit, thing), found.reference.at)


def _point(found: Resolved, later: Book, before: tuple[Any, ...]) -> None:
    made_on, surface = found.reference.target, found.reference.surface
    homes = [unit for unit in later.units() if any(item.id == surface for item in unit.surfaces)]
    if made_on not in later and not homes:
        assert (found.resolution, found.unit, found.point) == (Resolution.MISSING, None, None)
        return
    unit = homes[0] if homes else later.unit(made_on)
    assert found.unit is unit
    same = unit.id == made_on and own(unit, unit) == before
    assert found.resolution is (Resolution.UNCHANGED if same else Resolution.CHANGED)
    assert found.handle is None
    if not surface or homes:
        paper = next((item for item in unit.surfaces if item.id == surface), unit)
        assert found.point == point_at(ground(unit, paper), found.reference.at)


@given(books())
def test_a_missing_target_leaves_the_place_it_had_on_its_page(world: tuple[Book, random.Random, Ids]) -> None:
    book, rng, _ = world
    for unit in book.units():
        bare = book.replace(unit.model_copy(update={"objects": (), "reading": ()}))
        for item in unit.objects:
            reference = refer(OnElement(item.id, (rng.randint(0, MILLION), MILLION)), book, home(book))
            before, after = (resolve(reference, state, home(state)) for state in (book, bare))
            assert after.resolution is Resolution.MISSING
            assert after.unit is not None
            assert after.point == pytest.approx(before.point, abs=1)
            gone = bare.remove(unit.id)
            assert resolve(reference, gone, home(gone)).point is None


@given(books())
def test_a_place_and_its_point_on_the_page_lead_to_each_other(world: tuple[Book, random.Random, Ids]) -> None:
    book, rng, _ = world
    for unit, thing in everything(book):
        there = ground(unit, thing)
        at = rng.randint(0, MILLION), rng.randint(0, MILLION)
        back = shares_at(there, point_at(there, at))
        assert back == pytest.approx(at, abs=MILLION / 2_500), "half a micrometre on the smallest thing"
        box = box_around(corners(there))
        x, y = point_at(there, at)
        assert box.x - 1 <= x <= box.right + 1
        assert box.y - 1 <= y <= box.bottom + 1


def page(*objects: Node) -> Unit:
    surface = Surface(id="sf_00000000", x=0, width=100_000, height=100_000)
    return Unit(kind=UnitKind.PAGE, id="un_00000000", surfaces=(surface,), objects=objects)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("transform", "corner"),
    [
        (Transform(), (10_000, 20_000)),
        (Transform(dx=1_000, dy=-2_000), (11_000, 18_000)),
        (Transform(flip_x=True), (50_000, 20_000)),
        (Transform(rotate=90_000), (40_000, 10_000)),
        (Transform(scale=MILLION // 2), (20_000, 25_000)),
    ],
)
def test_a_point_on_a_picture_follows_how_it_is_placed(transform: Transform, corner: tuple[int, int]) -> None:
    box = Rect(x=10_000, y=20_000, w=40_000, h=20_000)
    placement = Placement(box=box, fit=Fit.STRETCH, transform=transform)
    item = Overlay(id="ov_00000000", parent="un_00000000", asset="as_000cat00", placement=placement)
    assert point_at(ground(page(item), item), (0, 0)) == corner
    assert point_at(ground(page(item), item), (MILLION // 2, MILLION // 2)) == (
        30_000 + transform.dx,
        30_000 + transform.dy,
    )


def test_a_point_on_lettering_turns_with_it_and_one_on_a_foreground_is_on_its_image() -> None:
    box = Rect(x=10_000, y=20_000, w=40_000, h=20_000)
    text = Text(id="tx_00000000", parent="un_00000000", box=box, text="POW", rotate=90_000)
    assert point_at(ground(page(text), text), (0, 0)) == (40_000, 10_000)
    image = Image(id="im_00000000", parent="un_00000000", asset="as_000cat00", placement=Placement(box=box))
    cut_out = Foreground(id="fg_00000000", parent=image.id, asset="as_000cut00")
    unit = page(image, cut_out)
    assert ground(unit, cut_out) == ground(unit, image)
    assert point_at(ground(unit, cut_out), (0, 0)) == (10_000, 20_000)


def test_a_thing_past_all_measure_still_has_a_box() -> None:
    item = Overlay(
        id="ov_00000000",
        parent="un_00000000",
        asset="as_000cat00",
        placement=Placement(box=Rect(x=0, y=0, w=90_000, h=90_000), transform=Transform(scale=100 * MILLION)),
    )
    box = box_around(corners(ground(page(item), item)))
    assert box.w > 0
    assert box.h > 0


def test_the_strategies_reach_every_resolution() -> None:
    met = set()
    for seed in range(30):
        rng, ids = random.Random(seed), Ids()
        book = random_book(rng, ids, units=3)
        references = made(book, rng)
        later = stepped(book, rng, ids, 6)
        met |= {(item.kind, resolve(item, later, home(later)).resolution) for item, _ in references}
    assert met == {(kind, resolution) for kind in Kind for resolution in Resolution}
