"""Pages laid out anew: topology, gutters, safe area, locks, lettering; and frames that flow from page to page."""

from __future__ import annotations

import random
from typing import Any

import kiwisolver
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.geometry import bounds, extent, safe_areas
from lantern_kit.comic.layout.edges import frames_of, pairs
from lantern_kit.comic.layout.overlap import overlapping
from lantern_kit.comic.layout.template import sketch, tiers
from lantern_kit.comic.model import Unit
from lantern_kit.comic.validate import validate_book, validate_unit
from lantern_kit.kernel.errors import BadInput
from tests.comic.operations import CAT, Desk, empty
from tests.layout.test_edges import cut_up, unit_of


def page(**args: Any) -> tuple[Desk, str]:
    desk = Desk(empty(**args))
    return desk, desk.one("unit.add")


def edges(desk: Desk, unit: str) -> list[tuple[float, ...]]:
    return [tuple(value / 1_000 for value in extent(frame.shape)) for frame in frames_of(unit_of(desk, unit))]


def gaps(unit: Unit) -> dict[Any, int]:
    return {(p.one.frame, p.one.places, p.other.frame, p.other.places): p.gutter for p in pairs(unit)}


def test_a_page_that_was_made_smaller_is_laid_out_in_its_new_live_area() -> None:
    desk, unit = page()
    desk.one("layout.apply", unit, template="manga-staggered")
    before = unit_of(desk, unit)
    desk.one("paper.set", width=90, height=140)
    desk.one("layout.reflow", unit)
    after = unit_of(desk, unit)
    assert gaps(after) == gaps(before)
    assert [frame.bleed for frame in frames_of(after)] == [frame.bleed for frame in frames_of(before)]
    found = edges(desk, unit)
    assert found[0][:2] == (0, 0) and found[1][2] == 85 and found[3][2] == 90 and found[4][3] == found[5][3] == 135
    assert validate_unit(after, desk.book.chapter) == ()


def test_weights_change_what_is_beside_them_and_rows_stay_rows() -> None:
    desk, unit = page()
    desk.one("layout.apply", unit, template="six-grid")
    desk.one("layout.reflow", unit, weights=[2, 1, 1, 1, 1, 1])
    found = edges(desk, unit)
    assert found[0][2] - found[0][0] == pytest.approx(2 * (found[1][2] - found[1][0]), abs=0.01)
    assert found[2][2] - found[2][0] == found[3][2] - found[3][0]
    assert [box[1] for box in found[::2]] == [box[1] for box in found[1::2]]
    assert found[0][3] - found[0][1] > found[2][3] - found[2][1]
    with pytest.raises(BadInput, match="2 weights for 6 frames"):
        desk.one("layout.reflow", unit, weights=[1, 2])


def test_all_gutters_can_be_made_alike() -> None:
    desk, unit = page()
    frame = desk.one("frame.add", unit, rect=[5, 5, 95, 138])
    cut = desk.do({"op": "frame.cut", "target": frame, "as": "a", "args": {"line": [[0, 70], [1, 70]], "gutter": 6}})
    desk.do({"op": "frame.cut", "target": cut["a.1"], "args": {"line": [[50, 0], [44, 70]], "gutter": 2}})
    desk.one("layout.reflow", unit, gutter=3)
    found = {pair.one.upright: pair.gutter for pair in pairs(unit_of(desk, unit))}
    assert found[False] == 6_000 and abs(found[True] - 3_000) <= 2
    desk.one("layout.reflow", unit, rows=4)
    assert {p.gutter for p in pairs(unit_of(desk, unit)) if not p.one.upright} == {4_000}


@pytest.mark.parametrize("keep", ["size", "ratio"])
def test_a_frame_keeps_its_size_or_ratio_and_its_neighbours_make_room(keep: str) -> None:
    desk, unit = page()
    desk.one("layout.apply", unit, template="nine-grid")
    frames = frames_of(unit_of(desk, unit))
    desk.one("frame.set", frames[4].id, keep=keep)
    before = bounds(desk.get(frames[4].id).shape)
    desk.one("layout.reflow", unit, weights=[1, 1, 1, 3, 1, 1, 1, 3, 1])
    after = bounds(desk.get(frames[4].id).shape)
    assert abs(after.w * before.h - after.h * before.w) <= max(before.w, before.h)
    assert keep == "ratio" or (after.w, after.h) == (before.w, before.h)
    assert {pair.gutter for pair in pairs(unit_of(desk, unit))} == {3_000}
    assert edges(desk, unit)[3][2] - edges(desk, unit)[3][0] > 40


def test_locks_that_leave_no_room_are_refused_and_named() -> None:
    desk, unit = page()
    desk.one("layout.apply", unit, template="three-tiers")
    first = frames_of(unit_of(desk, unit))[0].id
    desk.one("frame.set", first, keep="size")
    desk.one("paper.set", width=90)
    with pytest.raises(BadInput, match="no room for") as caught:
        desk.one("layout.reflow", unit)
    assert caught.value.ids == (first,)


def test_lettering_has_room_where_weights_would_leave_it_none() -> None:
    desk, unit = page()
    desk.one("layout.apply", unit, template="six-grid")
    left = frames_of(unit_of(desk, unit))[0].id
    words = desk.one("balloon.add", left, text="So it is.", rect=[8, 10, 30, 20])
    desk.one("layout.reflow", unit, weights=[0.2, 3, 1, 1, 1, 1])
    box, frame = desk.get(words).box, bounds(desk.get(left).shape)
    assert (box.w, box.h) == (30_000, 20_000)
    assert frame.x <= box.x and box.right <= frame.right and frame.w >= 30_000


def test_insets_and_curved_frames_follow_the_page() -> None:
    desk, unit = page()
    desk.one("layout.apply", unit, template="two-tier-inset")
    curve = {"start": [20, 30], "segments": [[[20, 10], [50, 10], [50, 30]], [[50, 50], [20, 50], [20, 30]]]}
    desk.one("frame.add", unit, curve=curve)
    before = edges(desk, unit)
    desk.one("paper.set", width=200, height=291)
    desk.one("layout.reflow", unit)
    for (left, top, right, bottom), now in zip(before, edges(desk, unit), strict=True):
        wide = [5 + (value - 5) * 2 for value in (left, right)]
        high = [5 + (value - 5) * 281 / 138 for value in (top, bottom)]
        assert now == pytest.approx((wide[0], high[0], wide[1], high[1]), abs=3)


@pytest.mark.parametrize("seed", [124, 158])
def test_a_page_with_room_is_laid_out_wherever_the_solver_keeps_its_variables(seed: int) -> None:
    held = []
    for place in range(6):
        held += random.Random(place).sample([kiwisolver.Variable() for _ in range(40)], place * 5)
        rng = random.Random(seed)
        desk, unit = cut_up(rng, slanted=True)
        weights = [rng.choice((0.5, 1, 1, 2)) for _ in frames_of(unit_of(desk, unit))]
        desk.one("paper.set", width=rng.uniform(95, 120), height=rng.uniform(140, 170))
        desk.one("layout.reflow", unit, weights=weights)
        desk.one("layout.reflow", unit, weights=[1] * len(weights))


@given(st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=50, deadline=None)
def test_any_cut_page_keeps_order_gutters_and_safe_area(rng: random.Random, slanted: bool) -> None:
    desk, unit = cut_up(rng, slanted=slanted)
    before = unit_of(desk, unit)
    weights = [rng.choice((0.5, 1, 1, 2)) for _ in frames_of(before)]
    desk.one("paper.set", width=rng.uniform(95, 120), height=rng.uniform(140, 170))
    try:
        desk.one("layout.reflow", unit, weights=weights)
    except BadInput:
        return
    again = desk.result({"op": "layout.reflow", "target": unit, "args": {"weights": [1] * len(weights)}}).book
    after = unit_of(desk, unit)
    assert after.reading == before.reading
    slack = 4 if slanted else 0
    widths = gaps(after)
    for key, width in gaps(before).items():
        assert key not in widths or abs(widths[key] - width) <= slack
    for pair in pairs(before):  # what is beside or above what stays so
        one, other = (extent(desk.get(side.frame).shape) for side in (pair.one, pair.other))
        low, high = (0, 2) if pair.one.upright else (1, 3)
        if not slanted:
            assert one[high] <= other[low] if pair.one.edge in {"right", "bottom"} else other[high] <= one[low]
    (safe,) = safe_areas(after, desk.book.chapter.paper)
    frames = frames_of(after)
    for place, one in enumerate(frames):
        left, top, right, bottom = extent(one.shape)
        assert left >= safe.x - 1 and top >= safe.y - 1 and right <= safe.right + 1 and bottom <= safe.bottom + 1
        for other in frames[place + 1 :]:
            assert not overlapping(one.shape, other.shape)
    for one, other in zip(frames, frames_of(again.unit(unit)), strict=True):  # what is laid out already stays
        assert extent(one.shape) == pytest.approx(extent(other.shape), abs=300)


def crowd() -> tuple[Desk, list[str], list[str]]:
    """Three pages, the first with seven frames, each with a picture and a balloon; the second with one."""
    desk = Desk(empty(direction="rtl"))
    units = [desk.one("unit.add") for _ in range(3)]
    frames = []
    for number in range(7):
        frame = desk.one("frame.add", units[0], rect=[5, 5 + 19 * number, 95, 16])
        picture = desk.one("image.place", frame, asset=CAT, focus=[0.2, 0.7])
        desk.one("foreground.bind", picture, asset="as_000cut00")
        desk.one(
            "balloon.add", frame, text=f"No. {number}", rect=[60, 6 + 19 * number, 20, 10], tail=[40, 10 + 19 * number]
        )
        frames.append(frame)
    desk.one("narration.add", units[0], text="Above the last", rect=[10, 121, 20, 8])
    frames.append(desk.one("frame.add", units[1], rect=[5, 5, 95, 138]))
    return desk, units, frames


def test_frames_that_are_too_many_flow_on_with_all_that_is_in_them() -> None:
    desk, units, frames = crowd()
    count = sum(len(unit.objects) for unit in desk.book.units())
    words = {item.id: item for unit in desk.book.units() for item in unit.objects if item.kind == "balloon"}
    desk.one("layout.reflow", units[0], over=units[1:], most=3)
    held = [[frame.id for frame in frames_of(unit_of(desk, unit))] for unit in units]
    assert held == [frames[:3], frames[3:6], frames[6:]]
    assert sum(len(unit.objects) for unit in desk.book.units()) == count
    assert validate_book(desk.book) == ()
    for unit in desk.book.units():
        (safe,) = safe_areas(unit, desk.book.chapter.paper)
        for item in unit.objects:
            if item.kind == "frame":
                assert item.parent == unit.id and bounds(item.shape).right <= safe.right
            if item.kind == "balloon":
                frame = bounds(unit.index[item.parent].shape)
                assert item.parent == words[item.id].parent
                assert frame.x <= item.box.x and item.box.right <= frame.right
                assert frame.y <= item.box.y and item.box.bottom <= frame.bottom
                assert unit.reading.index(item.id) > unit.reading.index(item.parent)
        assert {pair.gutter for pair in pairs(unit)} <= {3_500, 5_000}
    caption = next(item for item in desk.book.unit(units[2]).objects if item.kind == "narration")
    assert caption.parent == units[2]
    assert desk.notes[0].startswith(f"{', '.join(frames[3:7])} went on from {units[0]} to {units[1]}")


def test_frames_that_have_no_room_are_refused_and_units_out_of_order_too() -> None:
    desk, units, frames = crowd()
    with pytest.raises(BadInput, match="8 frames have no room on 2 units with up to 3 each") as caught:
        desk.one("layout.reflow", units[0], over=[units[1]], most=3)
    assert caught.value.ids == tuple(frames[6:])
    with pytest.raises(BadInput, match="follow each other"):
        desk.one("layout.reflow", units[0], over=[units[2]], most=3)


def test_balloons_that_part_are_no_longer_joined() -> None:
    desk, units, _ = crowd()
    first, *_, last = (item.id for item in desk.book.unit(units[0]).objects if item.kind == "balloon")
    desk.one("balloon.set", last, joined=first)
    desk.one("layout.reflow", units[0], over=units[1:], most=4)
    assert desk.get(last).joined is None
    assert any("no longer joined" in note for note in desk.notes)


def test_pages_with_room_enough_are_only_laid_out_anew() -> None:
    desk = Desk(empty())
    units = [desk.one("unit.add"), desk.one("unit.add", kind="spread")]
    for unit, name in zip(units, ("l-shape", "spread-panorama"), strict=True):
        desk.one("layout.apply", unit, template=name)
    before = [edges(desk, unit) for unit in units]
    with pytest.raises(BadInput):
        desk.one("layout.reflow", units[0], over=[units[1]], most=6)
    desk.do({"op": "frame.set", "target": desk.get(units[0]).reading[0], "args": {"name": "L"}})
    result = desk.result({"op": "layout.reflow", "target": units[0], "args": {"over": [units[1]], "most": 7}})
    for unit, was in zip(units, before, strict=True):
        now = [extent(frame.shape) for frame in frames_of(result.book.unit(unit))]
        for one, other in zip(was, now, strict=True):
            assert one == pytest.approx([value / 1_000 for value in other], abs=0.02)


def test_plain_rows_are_even_and_hold_all() -> None:
    found = [sketch(tiers(count)) for count in (1, 2, 3, 4, 5, 6, 9)]
    assert found == ["1", "1/2", "1/2/3", "12/34", "11/23/45", "12/34/56", "123/456/789"]
    for count in range(1, 41):
        assert len(tiers(count).slots) == count
