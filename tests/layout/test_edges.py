"""Shared edges: what faces what, and what moves along."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.geometry import extent, gap, rect_of
from lantern_kit.comic.layout.edges import frames_of, pairs
from lantern_kit.comic.layout.overlap import overlapping
from lantern_kit.comic.model import Polygon, Unit
from lantern_kit.kernel.errors import BadInput, LanternError
from tests.comic.operations import Desk, empty


def page(**facts: str) -> tuple[Desk, str]:
    desk = Desk(empty(**facts))
    return desk, desk.one("unit.add")


def unit_of(desk: Desk, unit: str) -> Unit:
    found: Unit = desk.book.unit(unit)
    return found


def cut_up(rng: random.Random, *, slanted: bool) -> tuple[Desk, str]:
    """A page cut by chance, each cut with a gutter of its own."""
    desk, unit = page()
    names = [desk.one("frame.add", unit, rect=[5, 5, 95, 138])]
    for _ in range(rng.randint(1, 7)):
        name = rng.choice(names)
        left, top, right, bottom = (value / 1_000 for value in extent(desk.get(name).shape))
        upright = right - left > bottom - top
        low, high = (left, right) if upright else (top, bottom)
        if high - low < 30:
            continue
        at = rng.uniform(low + 12, high - 12)
        lean = rng.uniform(-5, 5) if slanted else 0
        line = [[at - lean, top], [at + lean, bottom]] if upright else [[left, at - lean], [right, at + lean]]
        try:
            made = desk.do({"op": "frame.cut", "target": name, "args": {"line": line, "gutter": rng.choice((2, 3, 5))}})
        except LanternError:
            continue
        names.append(made["1.2"])
    return desk, unit


def rect(desk: Desk, name: str) -> Any:
    found = rect_of(desk.get(name).shape)
    return None if found is None else [value / 1_000 for value in (found.x, found.y, found.w, found.h)]


def grid(desk: Desk, unit: str) -> list[str]:
    """Two rows of two, gutters of 4 mm."""
    places = ([5, 5, 40, 60], [49, 5, 40, 60], [5, 69, 40, 60], [49, 69, 40, 60])
    return [desk.one("frame.add", unit, rect=place) for place in places]


def test_an_edge_moves_with_the_frame_across_the_gutter() -> None:
    desk, unit = page()
    a, b, c, d = grid(desk, unit)
    desk.one("frame.edge", a, side="right", by=6)
    assert rect(desk, a) == [5, 5, 46, 60]
    assert rect(desk, b) == [55, 5, 34, 60]
    assert rect(desk, c) == [5, 69, 40, 60] and rect(desk, d) == [49, 69, 40, 60]
    assert desk.notes == (f"moved along, on the other side of a gutter: {b}",)


def test_line_takes_the_edges_in_line_along() -> None:
    desk, unit = page()
    a, b, c, d = grid(desk, unit)
    desk.one("frame.edge", b, side="left", to=60, line=True)
    assert [rect(desk, name) for name in (a, c)] == [[5, 5, 51, 60], [5, 69, 51, 60]]
    assert [rect(desk, name) for name in (b, d)] == [[60, 5, 29, 60], [60, 69, 29, 60]]


def test_where_rows_are_cut_differently_their_whole_border_moves() -> None:
    desk, unit = page()
    wide = desk.one("frame.add", unit, rect=[5, 5, 95, 60])
    left = desk.one("frame.add", unit, rect=[5, 70, 40, 60])
    right = desk.one("frame.add", unit, rect=[49, 70, 51, 60])
    desk.one("frame.edge", left, side="top", by=-10)
    assert rect(desk, wide) == [5, 5, 95, 50]
    assert rect(desk, left) == [5, 60, 40, 70] and rect(desk, right) == [49, 60, 51, 70]


def test_a_slanted_cut_moves_as_it_was_cut() -> None:
    desk, unit = page()
    frame = desk.one("frame.add", unit, rect=[5, 5, 95, 60])
    made = desk.do({"op": "frame.cut", "target": frame, "args": {"line": [[60, 5], [50, 65]], "gutter": 3}})
    first, second = made["1.1"], made["1.2"]
    before = {name: desk.get(name).shape for name in (first, second)}
    width = gap(before[first], before[second])
    desk.one("frame.edge", first, side="right", by=-12.345)
    assert abs(gap(desk.get(first).shape, desk.get(second).shape) - width) <= 1
    still = set(desk.get(first).shape.points) & set(before[first].points)
    assert still == {(5_000, 5_000), (5_000, 65_000)}
    desk.one("frame.edge", second, side="left", by=12.345)
    assert {name: desk.get(name).shape for name in (first, second)} == before


def test_an_edge_of_the_page_moves_alone_and_a_picture_in_the_frame_stays_as_reshape_leaves_it() -> None:
    desk, unit = page()
    a, b, *_ = grid(desk, unit)
    words = desk.one("balloon.add", a, text="Up.", rect=[10, 10, 20, 20])
    box = desk.get(words).box
    desk.one("frame.edge", a, side="left", to=0)
    assert rect(desk, a) == [0, 5, 45, 60] and rect(desk, b) == [49, 5, 40, 60]
    assert desk.get(words).box == box


def test_frames_of_two_pages_share_nothing_across_the_fold() -> None:
    desk = Desk(empty())
    spread = desk.one("unit.add", kind="spread", gutter=2)
    left = desk.one("frame.add", spread, rect=[5, 5, 97, 100])
    right = desk.one("frame.add", spread, rect=[109, 5, 90, 100])
    assert pairs(unit_of(desk, spread)) == ()
    desk.one("frame.edge", left, side="right", by=-5)
    assert rect(desk, right) == [109, 5, 90, 100]


def test_an_inset_shares_nothing_with_what_it_lies_on() -> None:
    desk, unit = page()
    wide = desk.one("frame.add", unit, rect=[5, 5, 95, 100])
    inset = desk.one("frame.add", unit, rect=[60, 60, 38, 38])
    below = desk.one("frame.add", unit, rect=[5, 109, 95, 30])
    desk.one("frame.edge", wide, side="bottom", by=-3)
    assert rect(desk, inset) == [60, 60, 38, 38] and rect(desk, below) == [5, 106, 95, 33]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"side": "right", "by": 90}, "nothing left"),
        ({"side": "right", "by": -39.5}, "nothing left"),
        ({"side": "bottom", "by": 100}, "nothing left"),
        ({"index": 9, "by": 1}, "no side 9"),
    ],
)
def test_a_move_that_leaves_nothing_is_refused_and_names_the_frame(args: dict[str, Any], words: str) -> None:
    desk, unit = page()
    a, *_ = grid(desk, unit)
    with pytest.raises(BadInput, match=words) as caught:
        desk.one("frame.edge", a, **args)
    assert caught.value.ids


def test_frames_that_lie_apart_do_not_come_to_lie_on_each_other() -> None:
    desk, unit = page()
    one = desk.one("frame.add", unit, rect=[5, 5, 30, 40])
    other = desk.one("frame.add", unit, rect=[60, 20, 30, 40])
    with pytest.raises(BadInput, match="on each other") as caught:
        desk.one("frame.edge", one, side="right", by=40)
    assert caught.value.ids == (one, other)


def test_a_curved_frame_and_an_ambiguous_side_are_refused_with_what_there_is() -> None:
    desk, unit = page()
    curve = {"start": [10, 30], "segments": [[[10, 10], [40, 10], [40, 30]], [[40, 50], [10, 50], [10, 30]]]}
    round_one = desk.one("frame.add", unit, curve=curve)
    with pytest.raises(BadInput, match="curved"):
        desk.one("frame.edge", round_one, side="left", by=1)
    bent = desk.one("frame.add", unit, polygon=[[50, 60], [90, 60], [90, 90], [70, 90], [70, 120], [50, 120]])
    with pytest.raises(BadInput, match="several") as caught:
        desk.one("frame.edge", bent, side="right", by=1)
    assert caught.value.expected == ["index, one of", "2: right 90,60 to 90,90", "4: right 70,90 to 70,120"]
    desk.one("frame.edge", bent, index=4, by=5)
    assert desk.get(bent).shape.points[3:5] == ((75_000, 90_000), (75_000, 120_000))


def test_a_frame_that_keeps_its_size_or_ratio_is_not_changed() -> None:
    desk, unit = page()
    a, b, *_ = grid(desk, unit)
    for keep in ("size", "ratio"):
        desk.one("frame.set", b, keep=keep)
        for op, target, args in (
            ("frame.edge", a, {"side": "right", "by": 1}),
            ("frame.reshape", b, {"rect": [49, 5, 41, 60]}),
            ("frame.cut", b, {"line": [[60, 0], [60, 1]]}),
        ):
            with pytest.raises(BadInput, match=f"keeps its {keep}") as caught:
                desk.one(op, target, **args)
            assert caught.value.ids == (b,)
        desk.one("frame.reshape", b, rect=[50, 6, 40, 60])
        desk.one("frame.reshape", b, rect=[49, 5, 40, 60])
    desk.one("frame.reshape", b, rect=[49, 5, 20, 30])
    desk.one("frame.set", b, keep=None)
    assert desk.get(b).keep is None
    desk.one("frame.reshape", b, rect=[49, 5, 41, 60])


@pytest.mark.parametrize(
    ("to", "lands", "words"),
    [
        (46.1, 47, "a gutter of 4 mm before"),
        (99.2, 100, "the safe area"),
        (104.2, 105, "the trim"),
        (107, 108, "the bleed"),
        (52.8, 52.5, "the middle of the page"),
        (30, 30, None),
    ],
)
def test_an_edge_snaps_and_says_to_what(to: float, lands: float, words: str | None) -> None:
    desk, unit = page()
    one = desk.one("frame.add", unit, rect=[5, 5, 20, 40])
    desk.one("frame.add", unit, rect=[51, 60, 30, 40])
    desk.one("frame.edge", one, side="right", to=to, snap=True)
    assert rect(desk, one) == [5, 5, lands - 5, 40]
    assert any(words in note for note in desk.notes) if words else desk.notes == ()


def test_a_new_outline_snaps_on_all_sides() -> None:
    desk, unit = page()
    one = desk.one("frame.add", unit, rect=[20, 20, 20, 40])
    desk.one("frame.reshape", one, rect=[5.4, 4.2, 46.5, 138.4], snap=True)
    assert rect(desk, one) == [5, 5, 47.5, 138]
    assert len(desk.notes) == 4
    desk.one("frame.reshape", one, rect=[5.4, 4.2, 46.5, 138.4])
    assert rect(desk, one) == [5.4, 4.2, 46.5, 138.4]


@given(st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=60, deadline=None)
def test_moving_an_edge_keeps_every_gutter_and_moving_it_back_is_as_before(rng: random.Random, slanted: bool) -> None:
    desk, unit = cut_up(rng, slanted=slanted)
    before = unit_of(desk, unit)
    frames = frames_of(before)
    frame = rng.choice(frames)
    index = rng.randint(1, len(frame.shape.points)) if isinstance(frame.shape, Polygon) else 1
    by = round(rng.uniform(-8, 8), 3)
    try:
        desk.one("frame.edge", frame.id, index=index, by=by)
    except BadInput:
        assert unit_of(desk, unit) == before
        return
    after = unit_of(desk, unit)
    # Slanted edges end on whole micrometres, so their gutters may differ by what rounding does.
    slack = 3 if slanted else 0
    widths = {(p.one.frame, p.other.frame, p.one.places, p.other.places): p.gutter for p in pairs(after)}
    for pair in pairs(before):
        key = (pair.one.frame, pair.other.frame, pair.one.places, pair.other.places)
        if key in widths:
            assert abs(widths[key] - pair.gutter) <= slack
    new = frames_of(after)
    for place, one in enumerate(frames):
        for other_place in range(place + 1, len(frames)):
            if not overlapping(one.shape, frames[other_place].shape):
                assert not overlapping(new[place].shape, new[other_place].shape)
    try:
        desk.one("frame.edge", frame.id, index=index, by=-by)
    except BadInput:
        assert slanted  # the other way round, a corner may have slid past another frame's
        return
    for was, now in zip(frames, frames_of(unit_of(desk, unit)), strict=True):
        assert isinstance(was.shape, Polygon)
        assert isinstance(now.shape, Polygon)
        for (x, y), (u, v) in zip(was.shape.points, now.shape.points, strict=True):
            assert max(abs(x - u), abs(y - v)) <= slack


def test_no_two_sides_are_paired_through_a_frame_between_them() -> None:
    desk, unit = page()
    first = desk.one("frame.add", unit, rect=[5, 5, 90, 20])
    thin = desk.one("frame.add", unit, rect=[5, 28, 90, 4])
    last = desk.one("frame.add", unit, rect=[5, 35, 90, 20])
    found = {frozenset((pair.one.frame, pair.other.frame)) for pair in pairs(unit_of(desk, unit))}
    assert found == {frozenset((first, thin)), frozenset((thin, last))}
