from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lantern_kit.comic.balloons.body import form_of, room
from lantern_kit.comic.model import Align, BalloonShape, Polygon, TextStyle, Writing
from lantern_kit.comic.typeset import SetText, set_text
from lantern_kit.comic.typeset.shaping import Part
from tests.typeset.lettered import MAKE, Shown, lines, shown, words

pieces = st.lists(
    st.sampled_from(
        [
            *"月を返して。「だ」ー！、猫 \n",
            *("moon", "a ", "it’s ", "12", "!?", "……", "——", "👍🏽", "e\u0301", "قمر ", "שלום ", "한국 "),
            *("{漢字|かんじ}", "{心|こころ}", "[大]{size=1.5}", "[強]{.dots}", "[B]{.bold .italic}"),
        ]
    ),
    min_size=1,
    max_size=30,
).map("".join)
TRIANGLE = Polygon(points=((0, 0), (100_000, 0), (0, 100_000)))
HANGS = frozenset("、。，．")


def outside(found: SetText, balloon: Any, ink: Shown, slack: float) -> bool:
    """Whether a glyph reaches out of the room for words."""
    free = room(form_of(balloon), balloon.padding + balloon.stroke.width // 2)
    x, y = balloon.box.x + balloon.box.w / 2, balloon.box.y + balloon.box.h / 2
    for px in (ink.left - x, ink.right - x):
        for py in (ink.top - y, ink.bottom - y):
            at = min(max(py, free.top), free.bottom)
            left, right = free.span(at, at) or (0.0, 0.0)
            if abs(at - py) > slack or not left - slack <= px <= right + slack:
                return True
    return False


@example("月」「——、。", BalloonShape.ELLIPSE, 20_000, 20_000, Writing.VERTICAL, "ja")
@given(
    pieces,
    st.sampled_from(BalloonShape),
    st.integers(10_000, 70_000),
    st.integers(8_000, 60_000),
    st.sampled_from(list(Writing)),
    st.sampled_from(["ja", "zh-Hant", "ko", "ar", "en"]),
)
def test_set_words_stay_inside_the_room_or_are_said_to_overflow(
    text: str, shape: BalloonShape, width: int, height: int, writing: Writing, language: str
) -> None:
    style = TextStyle(writing=writing, language=language)
    outline = TRIANGLE if shape is BalloonShape.PATH else None
    balloon = MAKE.balloon(0, 0, width / 1_000, height / 1_000, text, shape=shape, style=style, outline=outline)
    found = set_text(balloon)
    if found.overflow:
        assert found.size == style.smallest
        return
    for ink in shown(found, None):
        hangs = found.text[ink.at] in HANGS or found.text[ink.at] in ",."
        hangs = hangs or (writing is Writing.VERTICAL and ink.run.part is not Part.TEXT)
        assert not outside(found, balloon, ink, 0.6 * balloon.padding + 3 if hangs else 0.01 * found.size + 3)


@given(pieces, st.sampled_from(list(Writing)), st.sampled_from(["ja", "zh-Hant", "ko", "ar", "en"]))
def test_no_character_is_lost_and_every_glyph_stands_on_its_own_line(
    text: str, writing: Writing, language: str
) -> None:
    found = words(text, style={"writing": writing, "language": language})
    assert "".join("".join(lines(found)).split()) == "".join(found.text.split())
    for one in found.lines:
        for run in one.runs:
            assert all(one.start <= item.at < one.end for item in run.glyphs)


SPOKEN = "Up here in the corner"
LONG = "I never asked for the whole moon, you know. A small one would do, if there is one left over."
JAPANESE = "彼女は月を返してほしいと言った。そんなことが、できるわけがないのに。"


@pytest.mark.parametrize(("text", "language"), [(LONG, "en"), (JAPANESE, "ja")])
@pytest.mark.parametrize("writing", list(Writing))
def test_changing_one_letter_hardly_changes_the_size(text: str, language: str, writing: Writing) -> None:
    style = {"language": language, "writing": writing, "smallest": 1_000}
    size = words(text, 22, 22, style=style).size
    assert size < 2_800
    # A letter of Japanese can make other phrases, and whole phrases are worth a seventh of the size.
    other, most = ("n", 0.075) if language == "en" else ("星", 0.15)
    for at in range(len(text)):
        if text[at].isalnum():
            edited = words(text[:at] + other + text[at + 1 :], 22, 22, style=style).size
            assert edited == pytest.approx(size, rel=most), text[at]


def test_changing_one_letter_rarely_moves_a_line_s_end() -> None:
    before = [line.end for line in words(LONG, 44, 28).lines]
    letters = [at for at, c in enumerate(LONG) if c.islower() and LONG[at - 1 : at + 2].isalpha()]
    moved = 0
    for at in letters:
        after = [line.end for line in words(LONG[:at] + "a" + LONG[at + 1 :], 44, 28).lines]
        moved += after != before
    assert moved <= len(letters) * 0.15


def test_words_stand_where_the_room_of_an_uneven_shape_is() -> None:
    balloon = MAKE.balloon(0, 0, 60, 60, "Up here in the corner", shape=BalloonShape.PATH, outline=TRIANGLE)
    found = set_text(balloon)
    assert not found.overflow
    ink = found.ink
    assert ink is not None
    assert ink.centre[0] < 26_000
    assert ink.centre[1] < 26_000
    for one in shown(found):
        assert not outside(found, balloon, one, 3)


def test_an_uneven_room_is_used_where_it_holds_the_largest_words() -> None:
    funnel = Polygon(
        points=((0, 0), (100_000, 0), (55_000, 40_000), (55_000, 100_000), (45_000, 100_000), (45_000, 40_000))
    )
    balloon = MAKE.balloon(0, 0, 50, 40, SPOKEN, shape=BalloonShape.PATH, outline=funnel)
    found = set_text(balloon)
    assert not found.overflow
    assert found.size > 2_000
    assert not any(outside(found, balloon, one, 3) for one in shown(found))


def test_a_long_word_that_would_fit_alone_breaks_where_others_leave_it_no_line() -> None:
    found = words("I saw an incomprehensible moon up there today", 20, 10)
    assert not found.overflow
    assert not any("incomprehensible" in line for line in lines(found))
    roomy = words("I saw an incomprehensible moon up there today", 30, 16)
    assert any("incomprehensible" in line for line in lines(roomy))


def test_words_that_do_not_fit_are_broken_no_more_than_they_must_be() -> None:
    found = words("moon and stars and moonlight " * 20, 20, 12)
    assert found.overflow
    assert all(word in ("moon", "and", "stars", "moonlight") for word in " ".join(lines(found)).split())


@pytest.mark.parametrize("writing", list(Writing))
@pytest.mark.parametrize(("width", "height"), [(8, 60), (60, 8)])
def test_a_narrow_balloon_keeps_its_text(writing: Writing, width: int, height: int) -> None:
    found = words("月を返して。", width, height, style={"writing": writing, "language": "ja"})
    assert not found.overflow
    assert "".join(lines(found)) == "月を返して。"


@pytest.mark.parametrize("writing", list(Writing))
@pytest.mark.parametrize("unit", ["the moon is far away, ", "彼女は月を返してほしいと言った。", "x", "ー"])
def test_ten_kilobytes_in_one_balloon_are_set_or_said_to_overflow(unit: str, writing: Writing) -> None:
    text = (unit * 10_000)[:10_000].strip()
    style = {"writing": writing, "language": "ja", "smallest": 300}
    found = words(text, 90, 130, style=style)
    assert "".join("".join(lines(found)).split()) == "".join(text.split())
    assert found.overflow == (unit == "ー")
    assert words(text, 30, 30, style=style | {"smallest": 1_700}).overflow


def test_a_line_of_nothing_but_marks_that_may_begin_none_still_shows_them_all() -> None:
    found = words("ーーーーーーーーーーーーーーーー", 12, 8, style={"language": "ja"})
    assert found.overflow
    assert len(shown(found)) == 16


def test_the_last_column_is_not_a_stub_where_others_can_give() -> None:
    text = "月を返してくださいと何度も言いました"
    found = words(text, 24, 34, style={"writing": Writing.VERTICAL, "language": "ja"})
    lengths = [line.end - line.start for line in found.lines]
    assert len(lengths) > 1
    assert lengths[-1] > 2


@pytest.mark.parametrize("align", list(Align))
def test_words_too_large_for_their_box_are_still_shown_about_its_middle(align: Align) -> None:
    for writing in Writing:
        style = {"writing": writing, "language": "ja", "align": align, "fit": False, "size": 20_000}
        found = words("月を返して", 10, 10, style=style)
        assert found.overflow
        ink = found.ink
        assert ink is not None
        assert abs(ink.centre[0] - 25_000) < 15_000
        assert abs(ink.centre[1] - 25_000) < 15_000


def test_the_same_words_are_set_alike_in_another_process() -> None:
    text = "{彼女|かのじょ}は12時に“月”を——[返した]{.dots}。👍🏽 قمر שלום"
    code = (
        "from tests.typeset.lettered import columns, line\n"
        f"for f in (columns({text!r}), line({text!r})): print(f.lines)"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] == made[1]
    assert len(made[0]) > 1_000


def test_a_reading_of_the_first_column_does_not_push_the_columns_down() -> None:
    text = "月が、ほしい。\nほんとに、全部？"
    read = "{月|つき}が、ほしい。\nほんとに、{全部|ぜんぶ}？"
    style = {"writing": Writing.VERTICAL, "language": "ja", "size": 5_500}
    plain, found = (words(some, 40, 44, style=style) for some in (text, read))
    assert lines(found) == lines(plain)
    assert found.size > 0.85 * plain.size
    for some in (plain, found):
        assert some.ink is not None
        assert some.ink.centre[1] == pytest.approx(42_000, abs=2_500)


@pytest.mark.parametrize(
    "text",
    [
        "Houston, I believe there is a cat on board. Please advise. Over.",
        "I have been watching the moon for you.",
        "Well, I found it myself, of course.",
    ],
)
def test_no_short_word_is_alone_between_lines_or_at_the_end(text: str) -> None:
    for width, height in ((34, 28), (38, 30), (42, 24)):
        found = lines(words(text, width, height, style={"size": 2_800}))
        assert all(" " in line for line in found[1:]), found
