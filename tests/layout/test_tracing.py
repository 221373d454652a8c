"""A page's layout taken as a template, and laid on other pages."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lantern_kit.comic.geometry import area, extent, safe_areas
from lantern_kit.comic.layout.edges import frames_of, pairs
from lantern_kit.comic.layout.template import Place, Template, built_in, fit, sketch, template_named
from lantern_kit.comic.layout.tracing import TOLERANCE, traced
from lantern_kit.comic.model import Direction, Frame, Paper, Point, Polygon, Unit
from lantern_kit.comic.validate import validate_unit
from lantern_kit.kernel.errors import BadInput, LanternError
from tests.comic.operations import Desk, empty
from tests.comic.strategies import Ids, stepped

DIRECTIONS = ["ltr", "rtl", "ttb"]


def taken(desk: Desk, unit: str, title: str = "Mine") -> Template:
    facts = desk.book.chapter
    return traced(desk.book.unit(unit), facts.paper, facts.direction, title=title)


def bare(unit: Unit) -> Unit:
    return unit.model_copy(update={"objects": (), "reading": ()})


def corners(frame: Frame | Place) -> list[Point]:
    assert isinstance(frame.shape, Polygon)
    points = frame.shape.points
    start = points.index(min(points))
    turned = points[start:] + points[:start]
    doubled = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(turned, turned[1:] + turned[:1], strict=True))
    return list(turned if doubled > 0 else (turned[0], *reversed(turned[1:])))


def held(desk: Desk, unit: str) -> None:
    """The unit's layout, laid on an empty unit of the same paper, gives the same frames."""
    facts, page = desk.book.chapter, desk.book.unit(unit)
    places = fit(taken(desk, unit), bare(page), facts.paper, facts.direction)
    frames = frames_of(page)
    assert len(places) == len(frames)
    for frame, place in zip(frames, places, strict=True):
        assert place.bleed == frame.bleed
        ends = (page.width, page.height) * 2
        for one, other, end in zip(extent(frame.shape), extent(place.shape), ends, strict=True):
            inside = min(max(one, 0), end)
            assert abs(inside - other) <= TOLERANCE or abs(one - other) <= TOLERANCE


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", list(built_in()))
def test_every_template_of_the_kit_comes_back_from_the_page_it_was_laid_on(name: str, direction: str) -> None:
    template = template_named(name)
    desk = Desk(empty(direction=direction))
    unit = desk.one("unit.add", kind=template.sheet)
    desk.one("layout.apply", unit, template=name)
    made = taken(desk, unit)
    assert made.sheet == template.sheet
    assert [slot.over for slot in made.slots] == [slot.over for slot in template.slots]
    for there in DIRECTIONS:
        other = Desk(empty(direction=there))
        page = other.book.chapter.paper, Direction(there)
        target = other.one("unit.add", kind=template.sheet)
        sheet = other.book
        mine = fit(made, sheet.unit(target), *page)
        if template.mirror:
            usual = fit(template, sheet.unit(target), *page)
            for one, two in zip(mine, usual, strict=True):
                assert corners(one) == [(pytest.approx(x, abs=5), pytest.approx(y, abs=5)) for x, y in corners(two)]
    held(desk, unit)


PARTS = st.lists(st.tuples(st.integers(0, 5), st.floats(0.25, 0.75), st.floats(-6, 6), st.booleans()), max_size=6)


@settings(deadline=None)
@given(
    st.sampled_from(DIRECTIONS),
    st.tuples(st.floats(-2, 12), st.floats(0, 12), st.floats(1, 12), st.floats(0, 12)),
    st.floats(0, 9),
    PARTS,
)
def test_any_page_cut_by_straight_lines_comes_back_as_it_was(
    direction: str, margins: tuple[float, ...], gutter: float, parts: list[tuple[int, float, float, bool]]
) -> None:
    desk, unit = cut(direction, margins, gutter, parts)
    try:
        taken(desk, unit)
    except BadInput as error:
        refused = set(error.ids)
        assert refused and all(sharpest(frame) < 8 for frame in frames_of(desk.book.unit(unit)) if frame.id in refused)
    else:
        held(desk, unit)


def sharpest(frame: Frame) -> float:
    """The sharpest of its corners, in degrees."""
    found = corners(frame)
    ways = []
    for place, (x, y) in enumerate(found):
        before, after = found[place - 1], found[(place + 1) % len(found)]
        turn = math.atan2(before[1] - y, before[0] - x) - math.atan2(after[1] - y, after[0] - x)
        ways.append(abs(math.degrees(math.remainder(turn, 2 * math.pi))))
    return min(ways)


def cut(
    direction: str, margins: tuple[float, ...], gutter: float, parts: list[tuple[int, float, float, bool]]
) -> tuple[Desk, str]:
    """A page with one frame between margins, cut again and again."""
    desk = Desk(empty(direction=direction))
    unit = desk.one("unit.add")
    left, top, right, bottom = margins
    desk.one("frame.add", unit, rect=[left, top, 105 - left - right, 148 - top - bottom])
    for place, share, skew, upright in parts:
        frames = frames_of(desk.book.unit(unit))
        frame = frames[place % len(frames)]
        x, y, to_x, to_y = (value / 1_000 for value in extent(frame.shape))
        if upright:
            at = x + share * (to_x - x)
            line = [[at - skew, y - 1], [at + skew, to_y + 1]]
        else:
            at = y + share * (to_y - y)
            line = [[x - 1, at - skew], [to_x + 1, at + skew]]
        try:
            desk.one("frame.cut", frame.id, line=line, gutter=gutter)
        except LanternError:
            continue
    smallest = min(area(frame.shape) for frame in frames_of(desk.book.unit(unit)))
    assume(smallest > 60_000_000)
    return desk, unit


@settings(deadline=None)
@given(st.sampled_from(DIRECTIONS), st.floats(0, 6), PARTS, st.integers(60, 400), st.integers(80, 500))
def test_on_other_paper_frames_keep_their_order_gutters_and_edges(
    direction: str, gutter: float, parts: list[tuple[int, float, float, bool]], width: int, height: int
) -> None:
    straight = [(place, share, 0.0, upright) for place, share, _, upright in parts]
    desk, unit = cut(direction, (5, 5, 5, 5), gutter, straight)
    template = taken(desk, unit)
    paper = Paper(width=width * 1_000, height=height * 1_000)
    other = Desk(empty(direction=direction))
    other.book = other.book.with_chapter(other.book.chapter.model_copy(update={"paper": paper}))
    target = other.one("unit.add")
    try:
        places = fit(template, other.book.unit(target), paper, Direction(direction))
    except BadInput:
        assume(False)
    safe = safe_areas(other.book.unit(target), paper)[0]
    reach = [extent(place.shape) for place in places]
    assert min(box[0] for box in reach) == pytest.approx(safe.x, abs=2)
    assert min(box[1] for box in reach) == pytest.approx(safe.y, abs=2)
    assert max(box[2] for box in reach) == pytest.approx(safe.right, abs=2)
    assert max(box[3] for box in reach) == pytest.approx(safe.bottom, abs=2)
    usual = {pair.gutter for pair in pairs(desk.book.unit(unit))}
    frames = [
        Frame(id=f"fr_{number:08d}", parent=target, shape=place.shape, bleed=place.bleed)
        for number, place in enumerate(places)
    ]
    page = other.book.unit(target).model_copy(
        update={"objects": tuple(frames), "reading": tuple(frame.id for frame in frames)}
    )
    assert validate_unit(page, other.book.chapter) == ()
    for pair in pairs(page):
        assert any(abs(pair.gutter - one) <= 3 for one in usual)


def test_margins_bleeds_and_insets_are_kept() -> None:
    desk = Desk(empty())
    unit = desk.one("unit.add")
    big = desk.one("frame.add", unit, rect=[0, 0, 105, 90], bleed=["left", "right", "top"])
    inset = desk.one("frame.add", unit, rect=[60, 60, 30, 20])
    low = desk.one("frame.add", unit, rect=[3, 94, 99, 51])
    template = taken(desk, unit, "Über allem")
    assert [slot.over for slot in template.slots] == [False, True, False]
    assert template.slots[0].bleed == ("left", "right", "top") and template.gutter == (3_500, 4_000)
    assert (template.name, template.title) == ("ber-allem", "Über allem")
    assert sketch(template) == "111/121/111/333"
    other = desk.one("unit.add")
    held(desk, unit)
    places = fit(template, desk.book.unit(other), desk.book.chapter.paper, Direction.LTR)
    wanted = [extent(desk.get(name).shape) for name in (big, inset, low)]
    for place, box in zip(places, wanted, strict=True):
        assert extent(place.shape) == pytest.approx(box, abs=2)
    narrow = Paper(width=100_000, height=150_000, safe=1_000)
    sheet = Desk(empty())
    sheet.book = sheet.book.with_chapter(sheet.book.chapter.model_copy(update={"paper": narrow}))
    target = sheet.one("unit.add")
    page = sheet.book.unit(target)
    for place in fit(template, page, narrow, Direction.LTR):
        left, top, right, bottom = extent(place.shape)
        assert left >= 0 and top >= 0 and right <= 100_000 and bottom <= 150_000


def test_a_spread_keeps_what_lies_on_either_page_and_across() -> None:
    for direction in DIRECTIONS:
        desk = Desk(empty(direction=direction))
        unit = desk.one("unit.add", kind="spread")
        width = desk.get(unit).width / 1_000
        desk.one("frame.add", unit, rect=[5, 5, width - 10, 60])
        desk.one("frame.add", unit, rect=[5, 70, 95, 70])
        desk.one("frame.add", unit, rect=[width - 100, 70, 95, 70])
        first = "second" if direction == "rtl" else "first"
        assert [slot.page for slot in taken(desk, unit).slots][:2] == ["both", first]
        held(desk, unit)


def test_what_a_layout_cannot_hold_is_refused_by_name() -> None:
    desk = Desk(empty())
    unit = desk.one("unit.add")
    with pytest.raises(BadInput, match="a layout has frames"):
        taken(desk, unit)
    frame = desk.one("frame.add", unit, rect=[5, 5, 50, 50])
    curve: dict[str, Any] = {
        "start": [10, 100],
        "segments": [[[10, 80], [60, 80], [60, 100]], [[60, 120], [10, 120], [10, 100]]],
    }
    round_one = desk.one("frame.add", unit, curve=curve)
    with pytest.raises(BadInput, match="curved") as caught:
        taken(desk, unit)
    assert caught.value.ids == (round_one,)
    desk.one("frame.remove", round_one)
    notch = [[5, 5], [29.5, 5], [29.5, 30], [30.5, 30], [30.5, 5], [55, 5], [55, 55], [5, 55]]
    desk.one("frame.reshape", frame, polygon=notch)
    with pytest.raises(BadInput, match="such an outline") as caught:
        taken(desk, unit)
    assert caught.value.ids == (frame,)


def test_a_frame_that_lies_past_the_trim_is_refused_by_name() -> None:
    desk = Desk(empty())
    unit = desk.one("unit.add")
    desk.one("frame.add", unit, rect=[5, 5, 50, 50])
    outside = desk.one("frame.add", unit, rect=[-2.5, 60, 2, 50])
    with pytest.raises(BadInput, match="such an outline") as caught:
        taken(desk, unit)
    assert caught.value.ids == (outside,)


@settings(deadline=None, max_examples=40)
@given(st.randoms(use_true_random=False))
def test_any_unit_at_all_comes_back_or_is_refused_by_name(rng: Any) -> None:
    desk = Desk(empty(direction=rng.choice(DIRECTIONS)))
    book = stepped(desk.book, rng, Ids(), 25)
    for unit in book.units():
        desk.book = book
        refused: tuple[str, ...] | None = None
        try:
            taken(desk, unit.id)
        except BadInput as error:
            refused = error.ids
        assert refused != ()
        if refused is None:
            held(desk, unit.id)
