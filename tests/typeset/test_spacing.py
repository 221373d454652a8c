from __future__ import annotations

from itertools import pairwise

import pytest

from lantern_kit.comic.model import Align, BalloonShape, Writing
from lantern_kit.comic.typeset import SetText
from tests.typeset.lettered import columns, line, one, shown, words

EM = 2_800


def length(found: SetText, writing: Writing) -> float:
    (only,) = found.lines
    return (only.box[3] - only.box[1] if writing is Writing.VERTICAL else only.box[2] - only.box[0]) / EM


def set_in(writing: Writing, text: str, language: str = "ja", **style: object) -> SetText:
    return (columns if writing is Writing.VERTICAL else line)(text, language=language, **style)  # type: ignore[operator]


@pytest.mark.parametrize("writing", list(Writing))
@pytest.mark.parametrize(
    ("text", "ems"),
    [
        ("月月月", 3.0),
        ("「月」", 2.0),  # the blank halves at both ends are trimmed
        ("月、月", 3.0),
        ("月「月」月", 5.0),
        ("月」、月", 3.5),
        ("月。」月", 3.5),
        ("月」「月", 3.5),  # of the two blank halves between them one stays
        ("月『「月", 3.5),
        ("月」』月", 3.5),
        ("（月）", 2.0),
        ("月、「月", 3.0 + 0.5),
    ],
)
def test_blank_halves_of_marks_beside_each_other_and_at_edges_close_up(writing: Writing, text: str, ems: float) -> None:
    assert length(set_in(writing, text), writing) == pytest.approx(ems, abs=0.02)


@pytest.mark.parametrize("writing", list(Writing))
def test_ink_of_marks_never_meets_when_they_close_up(writing: Writing) -> None:
    found = set_in(writing, "月」「月』、『月。」月", size=2_000, align=Align.LEFT)
    assert len(found.lines) == 1
    for a, b in pairwise(shown(found)):
        if writing is Writing.VERTICAL:
            assert b.top >= a.bottom - 0.02 * 2_000
        else:
            assert b.left >= a.right - 0.02 * 2_000


@pytest.mark.parametrize("writing", list(Writing))
def test_an_opening_mark_begins_a_line_flush_with_its_neighbours(writing: Writing) -> None:
    found = set_in(writing, "月が出た\n「月だ」", align=Align.LEFT)
    first, second = one(found, 0), one(found, 5)
    if writing is Writing.VERTICAL:
        assert second.top - first.top < 0.1 * EM
    else:
        assert second.left - first.left < 0.16 * EM


@pytest.mark.parametrize("writing", list(Writing))
def test_a_quarter_em_parts_ideographs_from_letters_and_digits(writing: Writing) -> None:
    both, letters, moon = (set_in(writing, text) for text in ("月MOON月", "MOON", "月"))
    bare = length(letters, writing) + 2 * length(moon, writing)
    assert length(both, writing) == pytest.approx(bare + 0.5 + 0.13, abs=0.1)  # the letters have space of their own
    spaced = set_in(writing, "月 MOON 月")
    assert length(spaced, writing) - bare < 0.9


@pytest.mark.parametrize("writing", list(Writing))
def test_a_korean_particle_follows_its_quotation_without_a_gap(writing: Writing) -> None:
    quoted, bare = set_in(writing, "「달」은", "ko"), set_in(writing, "「달」", "ko")
    assert length(quoted, writing) == pytest.approx(length(bare, writing) + 0.96, abs=0.2)
    spaced = set_in(writing, "은 「달」", "ko")
    assert length(spaced, writing) < length(bare, writing) + 1.4


def test_no_space_is_added_across_marks_or_to_single_places() -> None:
    assert length(columns("第12話"), Writing.VERTICAL) == pytest.approx(3, abs=0.01)
    assert length(columns("A級"), Writing.VERTICAL) <= 2.01


def test_after_a_full_width_mark_a_space_is_only_where_one_is_written() -> None:
    bare, spaced = line("何？月"), line("何？　月")
    assert length(bare, Writing.HORIZONTAL) == pytest.approx(3, abs=0.02)
    assert length(spaced, Writing.HORIZONTAL) == pytest.approx(4, abs=0.02)


def test_centred_stops_of_traditional_chinese_keep_their_place() -> None:
    assert length(line("月，月", language="zh-Hant"), Writing.HORIZONTAL) == pytest.approx(3, abs=0.02)


@pytest.mark.parametrize("writing", list(Writing))
def test_tracking_is_added_between_characters_and_not_at_the_edges(writing: Writing) -> None:
    tight, loose = set_in(writing, "月月月"), set_in(writing, "月月月", tracking=200_000)
    assert length(loose, writing) == pytest.approx(length(tight, writing) + 0.4, abs=0.01)


def test_tracking_does_not_tear_arabic_words() -> None:
    tight, loose = line("قمر", language="ar"), line("قمر", language="ar", tracking=300_000)
    assert length(loose, Writing.HORIZONTAL) == pytest.approx(length(tight, Writing.HORIZONTAL), abs=0.01)
    words_apart = line("قمر قمر", language="ar", tracking=300_000)
    assert length(words_apart, Writing.HORIZONTAL) > length(line("قمر قمر", language="ar"), Writing.HORIZONTAL) + 0.3


def test_with_tracking_letters_are_not_drawn_as_one() -> None:
    assert len(shown(line("ffi", language="en", tracking=100_000))) == 3


@pytest.mark.parametrize("writing", list(Writing))
def test_a_stop_hangs_past_the_line_when_it_alone_would_not_fit(writing: Writing) -> None:
    box = {"width": 12, "height": 12}
    style = {"language": "ja", "writing": writing, "fit": False, "size": 2_000, "align": Align.LEFT}
    room = 12_000 - 2 * (1_200 + 175)
    count = room // 2_000
    text = "月" * count + "。"
    found = words(text, **box, shape=BalloonShape.BOX, style=style)
    assert not found.overflow
    assert len(found.lines) == 1
    ink = found.ink
    assert ink is not None
    assert ink.right <= 32_000 - 175
    assert ink.bottom <= 32_000 - 175
    two = words(text + "月", **box, shape=BalloonShape.BOX, style=style)
    assert len(two.lines) == 2
