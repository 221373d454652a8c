"""Templates laid on units: outlines, gutters, reading order, and what lies in the frames."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.geometry import bounds, extent, rect_of, safe_areas
from lantern_kit.comic.layout.edges import frames_of, pairs
from lantern_kit.comic.layout.overlap import overlapping
from lantern_kit.comic.layout.template import built_in, fit, sketch, template_named
from lantern_kit.comic.model import Direction, Edge, Frame, Polygon, Unit
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.validate import validate_unit
from lantern_kit.kernel.errors import BadInput, NotFound
from tests.comic.operations import CAT, Desk, empty

NAMES = list(built_in())
DIRECTIONS = ["ltr", "rtl", "ttb"]


def laid(name: str, direction: str = "ltr", kind: str | None = None, **args: Any) -> tuple[Desk, str]:
    desk = Desk(empty(direction=direction))
    sheet = kind or ("spread" if template_named(name).sheet == "spread" else "page")
    unit = desk.one("unit.add", kind=sheet)
    desk.do({"op": "layout.apply", "target": unit, "args": {"template": name, **args}})
    return desk, unit


def unit_of(desk: Desk, unit: str) -> Unit:
    found: Unit = desk.book.unit(unit)
    return found


def rects(desk: Desk, unit: str) -> list[Any]:
    """Left, top, right, bottom in millimetres, as read."""
    return [tuple(value / 1_000 for value in extent(frame.shape)) for frame in frames_of(unit_of(desk, unit))]


def test_there_are_templates_for_many_kinds_of_page() -> None:
    assert len(NAMES) >= 12
    assert all(template.author and template.licence and template.title for template in built_in().values())


def test_sketches_show_what_is_where() -> None:
    assert sketch(template_named("six-grid")) == "12/34/56"
    assert sketch(template_named("manga-staggered")) == "112/344/556"
    assert sketch(template_named("two-tier-inset")) == "111/121/323/333"


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_a_template_makes_sound_frames_with_exact_gutters_in_the_safe_area(name: str, direction: str) -> None:
    desk, unit = laid(name, direction)
    made, template = unit_of(desk, unit), template_named(name)
    frames = frames_of(made)
    assert len(frames) == len(template.slots)
    assert validate_unit(made, desk.book.chapter) == ()
    across, down = template.gutter
    for pair in pairs(made):
        straight = pair.one.start[not pair.one.upright] == pair.one.end[not pair.one.upright]
        assert abs(pair.gutter - (across if pair.one.upright else down)) <= (0 if straight else 2)
    safes = safe_areas(made, desk.book.chapter.paper)
    limits = (safes[0].x, safes[0].y, safes[-1].right, safes[-1].bottom)
    for frame in frames:
        left, top, right, bottom = extent(frame.shape)
        for edge, inside, out in (
            (Edge.LEFT, left >= limits[0], left == 0),
            (Edge.TOP, top >= limits[1], top == 0),
            (Edge.RIGHT, right <= limits[2], right == made.width),
            (Edge.BOTTOM, bottom <= limits[3], bottom == made.height),
        ):
            assert out if edge in frame.bleed else inside
    for place, one in enumerate(template.slots):
        for other in range(place + 1, len(frames)):
            if not one.over and not template.slots[other].over:
                assert not overlapping(frames[place].shape, frames[other].shape)
    drawn = [item.id for item in made.objects if isinstance(item, Frame)]
    over = [frame.id for frame, slot in zip(frames, template.slots, strict=True) if slot.over]
    assert drawn[len(drawn) - len(over) :] == over


@pytest.mark.parametrize("name", [name for name in NAMES if template_named(name).mirror])
def test_rtl_is_the_mirror_of_ltr(name: str) -> None:
    desk, unit = laid(name)
    width = desk.get(unit).width / 1_000
    there = [(width - right, top, width - left, bottom) for left, top, right, bottom in rects(desk, unit)]
    for one, other in zip(there, rects(*laid(name, "rtl")), strict=True):
        assert one == pytest.approx(other, abs=0.002)


def test_weights_make_rows_and_columns_larger_and_leave_gutters_and_edges() -> None:
    desk, unit = laid("four-koma", weights=[2, 1, 1, 1])
    heights = [bottom - top for _, top, _, bottom in rects(desk, unit)]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.01)
    assert rects(desk, unit)[0][:3] == (5, 5, 100) and rects(desk, unit)[3][3] == 143
    assert {pair.gutter for pair in pairs(unit_of(desk, unit))} == {3_500}
    desk, unit = laid("six-grid", weights=[1, 1, 1, 1, 3, 1])
    found = rects(desk, unit)
    assert found[4][2] - found[4][0] > 1.5 * (found[5][2] - found[5][0])
    assert [box[1] for box in found[::2]] == [box[1] for box in found[1::2]]


def test_gutters_can_be_given() -> None:
    desk, unit = laid("nine-grid", gutter=2.5, rows=6.001)
    assert {(pair.one.upright, pair.gutter) for pair in pairs(unit_of(desk, unit))} == {(True, 2_500), (False, 6_001)}
    with pytest.raises(BadInput, match="leave nothing of slot 1"):
        laid("nine-grid", gutter=48)


def test_a_page_template_lays_each_page_of_a_spread_out_and_a_spread_one_no_page() -> None:
    desk, unit = laid("three-tiers", "rtl", "spread")
    found = rects(desk, unit)
    assert len(found) == 6 and all(box[0] > 105 for box in found[:3]) and all(box[2] < 105 for box in found[3:])
    with pytest.raises(BadInput, match="on a spread"):
        laid("spread-inset", kind="page")
    with pytest.raises(NotFound, match="no layout template sixgrid") as caught:
        laid("sixgrid", kind="page")
    assert "six-grid" in caught.value.recovery


def filled() -> tuple[Desk, str, list[str], dict[str, str]]:
    """Three frames with a picture, a balloon, an effect and a free caption."""
    desk = Desk(empty())
    unit = desk.one("unit.add")
    frames = [desk.one("frame.add", unit, rect=[5, 5 + 46 * n, 95, 42], name=f"f{n}") for n in range(3)]
    made = {
        "fitted": desk.one("image.place", frames[0], asset=CAT, focus=[0.3, 0.6]),
        "boxed": desk.one("image.place", frames[1], asset=CAT, box=[5, 51, 47.5, 42]),
        "balloon": desk.one("balloon.add", frames[1], text="Up.", rect=[60, 55, 30, 20], tail=[52.5, 72]),
        "wide": desk.one("balloon.add", frames[2], text="A wide one", rect=[7, 100, 90, 20], style={"fit": False}),
        "tone": desk.one("effect.add", frames[2], effect="tone", box=[5, 97, 95, 21]),
        "free": desk.one("narration.add", unit, text="Later", rect=[10, 8, 20, 8]),
        "title": desk.one("text.add", unit, text="End", rect=[30, 140, 40, 7]),
    }
    return desk, unit, frames, made


def test_frames_go_to_slots_with_all_that_is_in_them() -> None:
    desk, unit, frames, made = filled()
    before = {name: desk.get(name) for name in made.values()}
    count, reading = len(desk.get(unit).objects), desk.get(unit).reading
    new = desk.do({"op": "layout.apply", "target": unit, "as": "page", "args": {"template": "six-grid"}})
    assert list(new) == ["page.1", "page.2", "page.3"]
    assert len(desk.get(unit).objects) == count + 3
    assert desk.get(unit).reading == (*reading, *new.values())
    assert [frame.id for frame in frames_of(unit_of(desk, unit))] == [*frames, *new.values()]
    assert desk.get(made["fitted"]) == before[made["fitted"]]
    first, second, third = (bounds(desk.get(name).shape) for name in frames)
    boxed = desk.get(made["boxed"]).placement
    assert (boxed.box.x, boxed.box.y, boxed.box.bottom) == (second.x, second.y, second.bottom)
    assert abs(boxed.box.w - second.w / 2) <= 1 and boxed.focus == before[made["boxed"]].placement.focus
    balloon = desk.get(made["balloon"])
    assert (balloon.box.w, balloon.box.h) == (30_000, 20_000)
    assert second.x <= balloon.box.x and balloon.box.right <= second.right
    assert balloon.tails[0].tip[0] == second.x + (second.w + 1) // 2
    wide = desk.get(made["wide"])
    assert third.x <= wide.box.x and wide.box.right <= third.right
    assert wide.style.size < before[made["wide"]].style.size
    assert bounds_of(desk, made["tone"]) == (third.x, third.y, third.right, third.y + third.h // 2)
    assert first.x <= desk.get(made["free"]).box.x and desk.get(made["free"]).box.right <= first.right
    assert desk.get(made["title"]) == before[made["title"]]


def bounds_of(desk: Desk, name: str) -> tuple[int, int, int, int]:
    box = desk.get(name).box
    return box.x, box.y, box.right, box.bottom


def test_more_frames_than_slots_are_refused_and_named() -> None:
    desk, unit, frames, _ = filled()
    with pytest.raises(BadInput, match="1 slot for this unit, which has 3 frames") as caught:
        desk.one("layout.apply", unit, template="splash")
    assert caught.value.ids == tuple(frames[1:])


@pytest.mark.parametrize("keep", ["ratio", "size"])
@pytest.mark.parametrize("name", ["three-tiers", "six-grid", "l-shape", "pinwheel"])
def test_a_frame_that_keeps_its_size_or_ratio_keeps_it_in_its_slot(name: str, keep: str) -> None:
    desk, unit, frames, _ = filled()
    desk.one("frame.reshape", frames[1], rect=[5, 51, 25, 20])
    desk.one("frame.set", frames[1], keep=keep)
    desk.one("layout.apply", unit, template=name)
    shape = bounds(desk.get(frames[1]).shape)
    assert abs(shape.w * 4 - shape.h * 5) <= 8
    assert keep == "ratio" or (shape.w, shape.h) == (25_000, 20_000)
    if name == "six-grid":  # where edges can move, they do, and the gutters stay as they are
        assert {pair.gutter for pair in pairs(unit_of(desk, unit))} == {3_500, 4_500}


def test_a_frame_that_keeps_a_size_no_slot_has_is_refused() -> None:
    desk, unit, frames, _ = filled()
    desk.one("frame.reshape", frames[0], rect=[5, 5, 95, 80])
    desk.one("frame.set", frames[0], keep="size")
    with pytest.raises(BadInput, match="keeps its size, 95×80 mm") as caught:
        desk.one("layout.apply", unit, template="nine-grid")
    assert caught.value.ids == (frames[0],)


@given(st.sampled_from(NAMES), st.sampled_from(DIRECTIONS), st.data())
@settings(max_examples=60, deadline=None)
def test_any_weights_keep_gutters_order_and_safe_area(name: str, direction: str, data: st.DataObject) -> None:
    count = len(template_named(name).slots)
    weights = data.draw(st.lists(st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0]), min_size=count, max_size=count))
    desk, unit = laid(name, direction)
    plain = {(pair.one.frame, pair.other.frame): pair.gutter for pair in pairs(unit_of(desk, unit))}
    outer = [extent(frame.shape) for frame in frames_of(unit_of(desk, unit))]
    desk.one("layout.apply", unit, template=name, weights=weights)
    made = unit_of(desk, unit)
    assert validate_unit(made, desk.book.chapter) == ()
    for pair in pairs(made):
        known = plain.get((pair.one.frame, pair.other.frame))
        assert known is None or abs(known - pair.gutter) <= 3
    frames = frames_of(made)
    for axis in (0, 1):
        assert min(box[axis] for box in outer) == min(extent(frame.shape)[axis] for frame in frames)
        assert max(box[axis + 2] for box in outer) == max(extent(frame.shape)[axis + 2] for frame in frames)
    slots = template_named(name).slots
    for place, one in enumerate(frames):
        for other in range(place + 1, len(frames)):
            if not slots[place].over and not slots[other].over:
                assert not overlapping(one.shape, frames[other].shape)


def test_a_slot_is_fitted_to_the_micrometre() -> None:
    desk = Desk(empty())
    name = desk.one("unit.add")
    unit = unit_of(desk, name)
    for gutter in range(3_000, 3_012):
        places = fit(template_named("nine-grid"), unit, desk.book.chapter.paper, Direction.LTR, (gutter, gutter))
        row = [extent(place.shape) for place in places[:3]]
        assert row[0][0] == 5_000 and row[2][2] == 100_000
        assert [after[0] - before[2] for before, after in pairwise(row)] == [gutter, gutter]


def test_another_units_layout_is_taken_over() -> None:
    desk, unit = laid("two-tier-inset")
    one = desk.one("unit.add")
    frame = desk.one("frame.add", one, rect=[10, 10, 40, 40])
    words = desk.one("balloon.add", frame, text="Up.", rect=[15, 15, 10, 10])
    desk.one("layout.apply", one, like=unit)
    assert rects(desk, one) == rects(desk, unit)
    assert desk.get(one).objects[0].id == frame and desk.get(words).parent == frame
    over = [item.id for item in desk.get(one).objects if item.kind == "frame"][-1]
    assert over == frames_of(unit_of(desk, one))[1].id
    spread = desk.one("unit.add", kind="spread")
    for target, like in ((spread, unit), (one, one), (one, frame), (unit, desk.one("unit.add"))):
        with pytest.raises(BadInput, match=r"args\.like"):
            desk.one("layout.apply", target, like=like)
    for args in ({}, {"like": unit, "template": "splash"}, {"like": unit, "gutter": 3}):
        with pytest.raises(BadInput):
            desk.one("layout.apply", one, **args)


# Page layouts as published comics have them, described and rebuilt by calls alone.


def test_a_four_panel_strip_is_rebuilt() -> None:
    desk, unit = laid("four-koma", "rtl", gutter=3, rows=3)
    found = rects(desk, unit)
    assert [box[0] for box in found] == [5] * 4 and [box[2] for box in found] == [100] * 4
    assert all(after[1] - before[3] == 3 for before, after in pairwise(found))
    assert len({round(box[3] - box[1], 2) for box in found}) == 1
    assert drawn(desk, unit)


def test_a_six_panel_grid_is_rebuilt_and_its_middle_row_made_lower() -> None:
    desk, unit = laid("six-grid")
    first = frames_of(unit_of(desk, unit))[0]
    desk.one("frame.edge", first.id, side="bottom", by=8, line=True)
    found = rects(desk, unit)
    assert [box[1] for box in found[::2]] == [box[1] for box in found[1::2]]
    assert found[0][3] - found[0][1] > found[2][3] - found[2][1]
    assert {pair.gutter for pair in pairs(unit_of(desk, unit))} == {3_500, 4_500}
    assert drawn(desk, unit)


def test_a_staggered_manga_page_is_rebuilt_from_the_right() -> None:
    desk, unit = laid("manga-staggered", "rtl")
    frames = frames_of(unit_of(desk, unit))
    assert frames[0].bleed == (Edge.RIGHT, Edge.TOP) and extent(frames[0].shape)[2] == 105_000
    for right, left in ((0, 1), (2, 3), (4, 5)):
        assert extent(frames[left].shape)[2] < extent(frames[right].shape)[0]
    cuts = {extent(frames[place].shape)[0] for place in (0, 2, 4)}
    assert len(cuts) == 3
    desk.do(
        {"op": "frame.cut", "target": frames[4].id, "as": "beats", "args": {"line": [[76, 90], [70, 148]], "gutter": 3}}
    )
    assert not isinstance(rect_of(desk.get(frames[4].id).shape), Polygon)
    assert drawn(desk, unit)


def test_a_spread_with_an_inset_across_the_gutter_is_rebuilt() -> None:
    desk, unit = laid("spread-inset", "rtl")
    whole, _, across = frames_of(unit_of(desk, unit))
    assert extent(whole.shape) == (0, 0, 210_000, 148_000) and len(whole.bleed) == 4
    left, _, right, _ = extent(across.shape)
    assert left < 105_000 < right
    assert drawn(desk, unit)


def drawn(desk: Desk, unit: str) -> bool:
    """Whether the page shows its frames' borders."""
    picture = render_unit(unit_of(desk, unit), desk.book.chapter, lambda _: None, long_edge=300, bleed=True)
    return bool((picture.pixels[..., :3] < 80).any())
