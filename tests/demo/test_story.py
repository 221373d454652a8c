"""The story as data: within the limits, faulty where it says so, and sound once mended."""

from __future__ import annotations

import pytest

from lantern_kit.comic.edit import MOST, OPERATIONS
from lantern_kit.comic.geometry import extent, gutter
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import Balloon, Foreground, Frame, Overlay, Unit, UnitKind
from lantern_kit.demo.mend import remedies
from lantern_kit.demo.script import Step, op
from lantern_kit.demo.story import PARTS, SECOND
from tests.demo.stage import Stage, played

STEPS = [*(step for part in PARTS for step in part.steps), SECOND]


@pytest.fixture(scope="module")
def drafted() -> Stage:
    return played()


@pytest.fixture(scope="module")
def mended() -> Stage:
    stage = played()
    stage.mend()
    return stage


def units(stage: Stage) -> list[Unit]:
    return list(stage.book.units())


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.message)
def test_every_change_set_is_within_the_limit_and_uses_operations_there_are(step: Step) -> None:
    assert 1 <= len(step.operations) <= MOST
    assert all(item["op"] in OPERATIONS for item in step.operations)


def test_the_first_draft_has_three_honest_faults(drafted: Stage) -> None:
    assert [found.rule for found in drafted.findings()] == ["picture.dpi", "lettering.overflow", "lettering.gutter"]


def test_mending_by_the_findings_own_figures_leaves_none(mended: Stage) -> None:
    assert mended.findings() == []


def test_page_one_has_five_frames_of_different_shapes(mended: Stage) -> None:
    frames = [item for item in units(mended)[0].objects if isinstance(item, Frame)]
    assert len(frames) == 5
    assert {item.shape.type for item in frames} == {"polygon", "curve"}
    assert any(item.bleed for item in frames)


def test_one_frame_of_the_spread_runs_across_the_gutter_and_no_balloon_does(mended: Stage) -> None:
    spread = units(mended)[1]
    fold = gutter(spread)
    assert spread.kind is UnitKind.SPREAD
    assert fold is not None
    across = [
        item
        for item in spread.objects
        if isinstance(item, Frame) and extent(item.shape)[0] < fold.x and extent(item.shape)[2] > fold.right
    ]
    assert "sky, across the gutter" in {item.name for item in across}
    for item in spread.objects:
        if isinstance(item, Balloon):
            assert item.gutter_safe
            assert item.box.right <= fold.x or item.box.x >= fold.right


def test_the_last_page_has_an_ordinary_and_a_bound_breakout(mended: Stage) -> None:
    page = units(mended)[2]
    overlay = next(item for item in page.objects if isinstance(item, Overlay))
    landing = next(item for item in page.objects if isinstance(item, Frame) and item.name == "landing")
    box = overlay.placement.box
    assert box is not None
    assert box.y < extent(landing.shape)[1] < box.bottom
    bound = next(item for item in page.objects if isinstance(item, Foreground))
    portrait = page.index[bound.parent]
    end = page.index[portrait.parent]
    assert portrait.placement.box.y < extent(end.shape)[1]


def test_the_story_is_read_in_the_order_it_is_told(mended: Stage) -> None:
    words = [
        plain(unit.index[name].text)
        for unit in units(mended)
        for name in unit.reading
        if hasattr(unit.index[name], "text")
    ]
    assert words == [
        "CHELSEA GOES",
        "UP",
        "5:10 a.m. Launch day.",
        "That’s my saucer.",
        "It was empty, Chelsea.",
        "It is always empty.",
        "There’s a bigger one up there.",
        "Is it full?",
        "Once a month.",
        "Three. Two. One.",
        "FWOOOSH!",
        "Nobody counted the cat.",
        "Houston… my helmet is purring.",
        "prrrrr",
        "Slightly past the Moon.",
        "There! My saucer!",
        "That’s Mars.",
        "You sat on the keyboard.",
        "Nine days late. The Moon was full.",
        "LICK",
        "It’s dry.",
        "Two stars.",
        "I count\nten thousand.",
    ]


def test_words_that_print_would_lose_and_a_frame_that_stops_at_the_trim_have_remedies() -> None:
    stage = Stage()
    tight = {"smallest": 0.6}
    add = [
        op("unit.add", "@chapter", "page"),
        op("frame.add", "@page", rect=[0, 0, 105, 60]),
        op("balloon.add", "@page", text="I never asked for the whole moon.", rect=[20, 80, 12, 7], style=tight),
        op("balloon.add", "@page", text="Tiny.", rect=[50, 80, 40, 20], style={"size": 1.0, "smallest": 1.0}),
    ]
    stage.play(Step("faults of print", tuple(add)))
    assert [found.rule for found in stage.findings()] == ["frame.reach", "lettering.small", "lettering.small"]
    stage.mend()
    assert stage.findings() == []


def test_words_outside_the_safe_area_are_moved_back_and_a_remedy_is_given_for_what_has_one() -> None:
    stage = Stage()
    add = [
        op("unit.add", "@chapter", "page"),
        op("balloon.add", "@page", text="Hello there, Chelsea.", rect=[-3, 140, 30, 14]),
        op("balloon.add", "@page", text="漢字 \U0010fffe", rect=[40, 40, 40, 20]),
    ]
    stage.play(Step("two balloons", tuple(add)))
    rules = [found.rule for found in stage.findings()]
    assert rules == ["lettering.safe", "lettering.glyph"]
    stage.mend()
    assert [found.rule for found in stage.findings()] == ["lettering.glyph"]
    assert remedies([found.model_dump() for found in stage.findings()], {}) == []
