"""Balloons, captions, paper lettering and effects: what their operations take, keep and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.comic.diff import diff
from lantern_kit.comic.edit.estimate import balloon_size
from lantern_kit.comic.model import (
    MOST_WORDS,
    BalloonShape,
    Curve,
    EffectType,
    Polygon,
    Rect,
    Screen,
    TailStyle,
    TextStyle,
    Writing,
)
from lantern_kit.comic.words import describe
from lantern_kit.kernel.errors import BadInput, InvalidDocument
from tests.comic.operations import Desk, empty

TRIANGLE = {"polygon": [[20, 20], [60, 20], [40, 50]]}
BLOB = {
    "curve": {
        "start": [20, 40],
        "segments": [[[20, 20], [60, 20], [60, 40]], [[60, 60], [20, 60], [20, 40]]],
    }
}


def page(direction: str = "ltr", language: str = "en") -> tuple[Desk, str]:
    desk = Desk(empty(direction=direction, language=language))
    return desk, desk.one("unit.add")


def refused(desk: Desk, op: str, target: str, kind: type[Exception] = BadInput, /, **args: Any) -> str:
    before = desk.book
    with pytest.raises(kind) as caught:
        desk.one(op, target, **args)
    assert desk.book is before
    return str(caught.value)


# Outlines


def test_an_outline_makes_a_free_shape_whose_box_is_its_bounds() -> None:
    desk, unit = page()
    found = desk.get(desk.one("balloon.add", unit, text="Up.", outline=TRIANGLE))
    assert found.shape is BalloonShape.PATH
    assert found.outline == Polygon(points=((20_000, 20_000), (60_000, 20_000), (40_000, 50_000)))
    assert found.box == Rect(x=20_000, y=20_000, w=40_000, h=30_000)


def test_an_outline_is_stretched_to_a_box_that_is_given() -> None:
    desk, unit = page()
    found = desk.get(desk.one("balloon.add", unit, text="Up.", outline=BLOB, rect=[5, 5, 30, 20], shape="path"))
    assert isinstance(found.outline, Curve)
    assert found.box == Rect(x=5_000, y=5_000, w=30_000, h=20_000)
    about = desk.get(desk.one("balloon.add", unit, text="Up.", outline=TRIANGLE, at=[50, 60]))
    assert about.box == Rect(x=30_000, y=45_000, w=40_000, h=30_000)


def test_an_outline_can_be_given_and_taken_from_a_balloon_that_is_there() -> None:
    desk, unit = page()
    words = desk.one("balloon.add", unit, text="Up.", rect=[5, 5, 30, 20])
    desk.one("balloon.set", words, outline=TRIANGLE)
    assert (desk.get(words).shape, desk.get(words).box.w) == (BalloonShape.PATH, 40_000)
    desk.one("balloon.set", words, rect=[5, 5, 10, 10])
    assert desk.get(words).outline is not None, "only its box is another"
    desk.one("balloon.set", words, shape="cloud", seed=12)
    assert (desk.get(words).shape, desk.get(words).outline, desk.get(words).seed) == (BalloonShape.CLOUD, None, 12)


def test_a_free_shape_without_an_outline_and_an_outline_of_another_shape_are_refused() -> None:
    desk, unit = page()
    assert "outline" in refused(desk, "balloon.add", unit, text="Up.", at=[30, 30], shape="path")
    assert "outline" in refused(desk, "balloon.add", unit, text="Up.", shape="cloud", outline=TRIANGLE)
    words = desk.one("balloon.add", unit, text="Up.", at=[30, 30])
    assert "outline" in refused(desk, "balloon.set", words, shape="path")
    crossed = {"polygon": [[0, 0], [20, 20], [20, 0], [0, 20]]}
    assert "crosses" in refused(desk, "balloon.set", words, InvalidDocument, outline=crossed)
    assert refused(desk, "balloon.set", words, outline={**TRIANGLE, "rect": [0, 0, 5, 5]})
    assert refused(desk, "balloon.set", words, outline={"polygn": [[0, 0], [20, 20], [20, 0]]})


# Joined balloons


def joined(count: int = 3) -> tuple[Desk, str, list[str]]:
    """A page with balloons, each joined to the one before it."""
    desk, unit = page()
    made: list[str] = []
    for number in range(count):
        more = {"joined": made[-1]} if made else {}
        made.append(desk.one("balloon.add", unit, text=f"{number}", at=[20 + 20 * number, 30], **more))
    return desk, unit, made


def test_a_balloon_is_joined_to_another_of_its_unit_and_freed_again() -> None:
    desk, unit, (one, two, _) = joined()
    assert desk.get(two).joined == one
    for nothing in (None, ""):
        desk.one("balloon.set", two, joined=one)
        desk.one("balloon.set", two, joined=nothing)
        assert desk.get(two).joined is None
    made = desk.do(
        {"op": "balloon.add", "target": unit, "as": "a", "args": {"text": "So", "at": [40, 90]}},
        {"op": "balloon.add", "target": unit, "as": "b", "args": {"text": "what", "at": [60, 90], "joined": "@a"}},
    )
    assert desk.get(made["b"]).joined == made["a"]


def test_a_balloon_is_joined_neither_to_itself_nor_to_other_things_nor_in_a_circle() -> None:
    desk, unit, (one, _, three) = joined()
    caption = desk.one("narration.add", unit, text="Later", at=[50, 60])
    elsewhere = desk.one("balloon.add", desk.one("unit.add"), text="Far", at=[50, 60])
    assert "itself" in refused(desk, "balloon.set", one, joined=one)
    assert "narration" in refused(desk, "balloon.set", one, joined=caption)
    assert "not on the balloon's unit" in refused(desk, "balloon.set", one, joined=elsewhere)
    assert "circle" in refused(desk, "balloon.set", one, InvalidDocument, joined=three)


def test_removing_a_balloon_frees_those_that_were_joined_to_it_and_says_so() -> None:
    desk, _, (one, two, three) = joined()
    before = desk.book
    desk.one("object.remove", two)
    assert desk.get(three).joined is None
    assert desk.notes == (f"{three} is no longer joined to {two}",)
    rows = {(row.object, row.change, row.property) for row in diff(before, desk.book)}
    assert {(three, "changed", "joined"), (two, "removed", None)} <= rows
    assert describe(diff(before, desk.book), before, desk.book)[0].sentences == (
        "balloon 2: no longer joined to another balloon",
        "balloon 2 removed, “1”",
    )
    assert desk.get(one).joined is None


def test_a_frame_that_goes_with_its_balloons_frees_those_outside() -> None:
    desk, unit = page()
    frame = desk.one("frame.add", unit, rect=[10, 10, 40, 40])
    inside = desk.one("balloon.add", frame, text="In", at=[30, 30])
    outside = desk.one("balloon.add", unit, text="Out", at=[60, 30], joined=inside)
    desk.one("frame.remove", frame)
    assert desk.get(outside).joined is None
    assert len(desk.notes) == 2


def test_copies_are_joined_to_copies() -> None:
    desk, unit, (one, two, _) = joined()
    copy = desk.get(desk.one("unit.duplicate", unit))
    balloons = [copy.index[name] for name in copy.reading]
    assert [item.joined for item in balloons] == [None, balloons[0].id, balloons[1].id]
    again = desk.get(desk.one("object.duplicate", two))
    assert again.joined == one, "a copy alone stays joined to the same balloon"


def test_a_split_frees_what_it_parts_and_a_join_keeps_all() -> None:
    desk = Desk(empty())
    spread = desk.one("unit.add", kind="spread", gutter=4)
    left = desk.one("balloon.add", spread, text="L", at=[50, 30])
    right = desk.one("balloon.add", spread, text="R", at=[160, 30], joined=left)
    same = desk.one("balloon.add", spread, text="S", at=[170, 60], joined=right)
    desk.one("spread.split", spread)
    assert (desk.get(right).joined, desk.get(same).joined) == (None, right)
    assert f"{right} is no longer joined to {left}, which is on the other page" in desk.notes
    one, two = desk.book.order
    desk.one("spread.join", one, **{"with": two})
    assert desk.get(same).joined == right


# Tails


def test_a_tail_has_a_look_of_its_own_or_its_balloons() -> None:
    desk, unit = page()
    words = desk.one("balloon.add", unit, text="Up.", at=[30, 30], tails=[{"tip": [40, 60], "style": "bubbles"}])
    assert desk.get(words).tails[0].style is TailStyle.BUBBLES
    desk.one("balloon.tail", words, tip=[41, 60])
    assert desk.get(words).tails[0].style is TailStyle.BUBBLES
    desk.one("balloon.tail", words, style=None)
    assert desk.get(words).tails[0].style is None
    desk.one("balloon.tail", words, index=2, tip=[20, 60], style="pointed")
    assert desk.get(words).tails[1].style is TailStyle.POINTED
    assert "nothing else" in refused(desk, "balloon.tail", words, index=1, remove=True, style="pointed")


# Words and how they are set


def test_words_keep_their_marks_and_may_be_long() -> None:
    desk, unit = page()
    marked = "{三毛猫|みけねこ}は[上]{.bold}へ"
    assert desk.get(desk.one("balloon.add", unit, text=marked, at=[50, 50])).text == marked
    long = "moon " * 2_000
    for noun in ("balloon", "narration", "text"):
        assert desk.get(desk.one(f"{noun}.add", unit, text=long, at=[50, 70])).text == long
        assert refused(desk, f"{noun}.add", unit, text="m" * (MOST_WORDS + 1), at=[50, 70])


def test_marks_are_no_words_where_a_balloon_is_sized() -> None:
    style = TextStyle()
    size = balloon_size("So what?", style, BalloonShape.ELLIPSE, 1_200)
    assert balloon_size("[So]{.italic} what?", style, BalloonShape.ELLIPSE, 1_200) == size
    ruby = balloon_size("{三毛猫|みけねこ}", style, BalloonShape.ELLIPSE, 1_200)
    assert ruby[1] > balloon_size("三毛猫", style, BalloonShape.ELLIPSE, 1_200)[1], "readings need room"
    assert balloon_size("[So what?]{size=2}", style, BalloonShape.ELLIPSE, 1_200) > size


def test_style_takes_spacing_and_writing_and_leading_goes_back_to_the_scripts() -> None:
    desk, unit = page()
    style = {"writing": "vertical", "leading": 1.5, "tracking": 0.05, "combine": 3}
    words = desk.one("balloon.add", unit, text="Up.", at=[30, 30], style=style)
    found = desk.get(words).style
    assert (found.writing, found.leading, found.tracking, found.combine) == (Writing.VERTICAL, 1_500_000, 50_000, 3)
    desk.one("balloon.set", words, style={"leading": None})
    assert desk.get(words).style.leading is None
    assert desk.get(words).style.tracking == 50_000
    for wrong in ({"writing": "sideways"}, {"tracking": 3}, {"combine": 9}, {"combine": 1.5}, {"traking": 0.1}):
        assert refused(desk, "balloon.set", words, style=wrong)


@pytest.mark.parametrize(
    ("language", "direction", "vertical"),
    [
        ("ja", "rtl", True),
        ("ja-JP", "rtl", True),
        ("zh-Hant", "rtl", True),
        ("zh-TW", "rtl", True),
        ("zh-Hant-HK", "rtl", True),
        ("zh-Hans", "rtl", False),
        ("zh", "rtl", False),
        ("ja", "ltr", False),
        ("ar", "rtl", False),
        ("ko", "rtl", False),
        ("jam", "rtl", False),
    ],
)
def test_new_balloons_and_captions_stand_in_columns_where_they_are_written_so(
    language: str, direction: str, *, vertical: bool
) -> None:
    desk, unit = page(direction, language)
    writing = Writing.VERTICAL if vertical else Writing.HORIZONTAL
    text = "月はどこへ行きましたか、教えてください。"
    balloon = desk.get(desk.one("balloon.add", unit, text=text, at=[50, 50]))
    caption = desk.get(desk.one("narration.add", unit, text=text, at=[50, 100]))
    assert (balloon.style.writing, caption.style.writing) == (writing, writing)
    assert (balloon.box.h > balloon.box.w) is vertical
    assert (caption.box.h > caption.box.w) is vertical
    sound = desk.get(desk.one("text.add", unit, text=text, at=[50, 50]))
    assert sound.style.writing is Writing.HORIZONTAL
    across = desk.get(desk.one("balloon.add", unit, text=text, at=[50, 50], style={"writing": "horizontal"}))
    assert across.style.writing is Writing.HORIZONTAL


def test_paper_lettering_bends_and_leans() -> None:
    desk, unit = page()
    words = desk.one("text.add", unit, text="BANG", at=[50, 50], arc=40, skew=-12.5)
    assert (desk.get(words).arc, desk.get(words).skew) == (40_000, -12_500)
    before = desk.book
    desk.one("text.set", words, arc=0, skew=10)
    assert describe(diff(before, desk.book), before, desk.book)[0].sentences == (
        "lettering 1: arc 40° → 0°, slanted -12.5° → 10°",
    )
    assert refused(desk, "text.set", words, skew=75)


# Effects


def test_a_tone_is_told_by_its_lines_an_inch_or_by_its_pitch() -> None:
    desk, unit = page()
    frame = desk.one("frame.add", unit, rect=[10, 10, 40, 40])
    args = {"effect": "tone", "lpi": 42.3, "screen": "lines", "density": 0.4, "density_to": 0.1, "ramp": 0}
    tone = desk.one("effect.add", frame, **args)
    found = desk.get(tone)
    assert (found.pitch, found.screen, found.density_to, found.ramp) == (600, Screen.LINES, 100_000, 0)
    desk.one("effect.set", tone, density_to=None, pitch=0.5)
    assert (desk.get(tone).density_to, desk.get(tone).pitch) == (None, 500)
    assert "not both" in refused(desk, "effect.set", tone, pitch=0.5, lpi=60)
    assert "tone" in refused(desk, "effect.add", frame, effect="focus", lpi=60)
    assert "tone" in refused(desk, "effect.set", tone, effect="speed", lpi=60)
    assert refused(desk, "effect.set", tone, lpi=0)


@pytest.mark.parametrize("effect", list(EffectType))
def test_every_effect_is_added(effect: EffectType) -> None:
    desk, unit = page()
    frame = desk.one("frame.add", unit, rect=[10, 10, 40, 40])
    assert desk.get(desk.one("effect.add", frame, effect=effect.value, centre=[0.2, 0.8])).effect is effect
