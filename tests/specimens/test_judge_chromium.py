"""Chromium sets the same sentences in the same fonts, and says whether the kit turns, orders and breaks them rightly.

Where the two differ, the standard decides; what is left then is named here with its reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import icu
import numpy as np
import pytest
from numpy.typing import NDArray

from lantern_kit.comic.markup import parse
from lantern_kit.comic.typeset.setting import Part
from tests.specimens.chromium import Chromium
from tests.specimens.corpus import CORPUS, Sentence
from tests.specimens.ours import EM, SCALE, Box, Ours, ends, ink_of, ours, picture, style_of

PIXELS = EM / 1_000 * SCALE
"""Of an em, in every picture here."""
LENGTHS = (3.3, 4.2, 5.1, 6.5, 8.2, 11.4)
"""Of lines, in ems, at which breaks are compared."""
AS_DRAWN = 0.35
"""Share of ink that may differ between two drawings of one glyph on other pixels; other glyphs differ by more."""
BESIDE = 0.06
"""Ems by which an upright glyph may stand further to a side."""
BESIDE_TURNED = 0.16
"""The same of what lies on its side: Chromium hangs it by the font's ascent and descent, the kit by its own middle."""
OWN_BREAKS = {
    "”“": "CLREQ 3.1.3: a line may end with a closing quotation mark and begin with an opening one",
    "/D": "UAX #14 breaks after a solidus (SY ÷ AL), Chromium does not",
}
"""Breaks that Chromium does not make, by the two characters around them."""


def names(sentences: list[Sentence]) -> list[str]:
    return [f"{sentence.language}-{CORPUS.index(sentence)}" for sentence in sentences]


COLUMNS = [sentence for sentence in CORPUS if sentence.vertical]
MIXED = [item for item in CORPUS if re.search("[\u0590-\u06ff]", item.words)]
LINES = [item for item in CORPUS if item not in MIXED]


@pytest.fixture(scope="module")
def chromium(browser: Any) -> Iterator[Chromium]:
    context = browser.new_context(viewport={"width": 6_000, "height": 900})
    yield Chromium(context.new_page())
    context.close()


class Glyph(NamedTuple):
    """One character, or several that are one glyph, as both show it; boxes in ems."""

    words: str
    ours: Box
    theirs: Box
    turned: bool
    apart: float


def combined(words: str) -> str:
    """What the kit combines by itself in columns, marked for CSS, which does not."""
    marked = re.sub(r"(?<![0-9])[0-9]{2}(?![0-9])|(?<![!?])[!?]{2}(?![!?])", r"[\g<0>]{.tcy}", words)
    return re.sub(r"(?<![0-9A-Za-z])[0-9A-Z](?![0-9A-Za-z℃㎏])|(?<![0-9−])[0-9](?=㎏)", r"[\g<0>]{.upright}", marked)


def glyphs(chromium: Chromium, sentence: Sentence) -> list[Glyph]:
    words = combined(sentence.words) if sentence.vertical else sentence.words
    assert parse(words).text == sentence.words
    theirs = chromium.set(words, style_of(sentence), size=PIXELS)
    found, seen, drawn = ours(sentence), chromium.picture(), picture(sentence)
    made = []
    for group in groups(sentence, found):
        boxes = [_inward(box, vertical=sentence.vertical) for at in group if (box := theirs.boxes[at])]
        inked = [ink for box in boxes if (ink := dark(seen, box)) is not None]
        mine = [found.ink[at] for at in group if at in found.ink]
        shown = "".join(sentence.words[at] for at in group)
        assert inked and mine, (sentence.words, shown)
        here, box = _around(inked), _around(mine)
        turned = orientation(shown[0]) == icu.UVerticalOrientation.ROTATED
        made.append(Glyph(shown, box, here, turned, apart(cut(drawn, box), cut(seen, here))))
    return made


def groups(sentence: Sentence, found: Ours) -> Iterator[list[int]]:
    """The places of characters that are looked at together: words of an alphabet, whose letters overlap, and glyphs."""
    group: list[int] = []
    for at, character in enumerate(sentence.words):
        if character.isspace():
            continue
        before = group[-1] if group else -9
        pair = sentence.words[before : at + 1] if at == before + 1 else ""
        joined = any(one.isalnum() and one < "\u0700" for one in pair) and all(
            one < "\u0700" or one in "‘’“”—…−" for one in pair
        )
        if group and not joined and at in found.ink:
            yield group
            group = []
        group.append(at)
    yield group


def orientation(character: str) -> int:
    """UAX #50."""
    return int(icu.Char.getIntPropertyValue(character, icu.UProperty.VERTICAL_ORIENTATION))


def _inward(box: Box, *, vertical: bool) -> Box:
    """A box less what a neighbour's edge may reach into it."""
    left, top, right, bottom = box
    return (left, top + 1.5, right, bottom - 1.5) if vertical else (left + 1.5, top, right - 1.5, bottom)


def _around(boxes: list[Box]) -> Box:
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def dark(grey: NDArray[np.uint8], box: Box) -> Box | None:
    """What is inked inside a box of pixels, in ems; None when nothing is."""
    left, top, right, bottom = (round(side) for side in box)
    rows, columns = np.nonzero(grey[max(0, top) : bottom, max(0, left) : right] < 128)
    if not rows.size:
        return None
    return (
        (left + columns.min()) / PIXELS,
        (top + rows.min()) / PIXELS,
        (left + columns.max() + 1) / PIXELS,
        (top + rows.max() + 1) / PIXELS,
    )


def cut(grey: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    """Some ink alone, in the middle of a square of its own."""
    side = round(PIXELS * (2.5 if max(box[2] - box[0], box[3] - box[1]) < 2.3 else 12))
    left, top = math.floor(box[0] * PIXELS), math.floor(box[1] * PIXELS)
    right, bottom = math.ceil(box[2] * PIXELS), math.ceil(box[3] * PIXELS)
    piece = grey[max(0, top) : bottom, max(0, left) : right][:side, :side]
    square = np.full((side, side), 255, np.uint8)
    y, x = (side - piece.shape[0]) // 2, (side - piece.shape[1]) // 2
    square[y : y + piece.shape[0], x : x + piece.shape[1]] = piece
    return square


def apart(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Share of the ink that only one of two pictures has, at the best of all places a pixel away."""
    best = 1.0
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            moved = np.roll(other, (dy, dx), (0, 1)).astype(int)
            ink = (255 - np.minimum(one, moved)).sum()
            best = min(best, float(np.abs(one - moved).sum() / max(1, ink)))
    return best


@pytest.mark.parametrize("sentence", COLUMNS, ids=names(COLUMNS))
def test_a_column_shows_the_glyphs_that_chromium_shows_turned_as_there_and_on_that_side(
    chromium: Chromium, sentence: Sentence
) -> None:
    found = glyphs(chromium, sentence)
    assert [f"{glyph.words}: {glyph.apart:.2f} apart" for glyph in found if glyph.apart > AS_DRAWN] == []
    axis = float(np.median([glyph.ours[0] - glyph.theirs[0] for glyph in found if not glyph.turned]))
    aside = {glyph.words: glyph.ours[0] - glyph.theirs[0] - axis for glyph in found}
    assert {
        glyph.words: round(aside[glyph.words], 2)
        for glyph in found
        if abs(aside[glyph.words]) > (BESIDE_TURNED if glyph.turned else BESIDE)
    } == {}


@pytest.mark.parametrize("sentence", LINES, ids=names(LINES))
def test_a_line_shows_the_glyphs_that_chromium_shows_at_that_height(chromium: Chromium, sentence: Sentence) -> None:
    found = glyphs(chromium, sentence._replace(vertical=False))
    assert [f"{glyph.words}: {glyph.apart:.2f} apart" for glyph in found if glyph.apart > AS_DRAWN] == []
    height = float(np.median([glyph.ours[1] - glyph.theirs[1] for glyph in found]))
    off = {glyph.words: round(glyph.ours[1] - glyph.theirs[1] - height, 2) for glyph in found}
    assert {words: by for words, by in off.items() if abs(by) > BESIDE} == {}


@pytest.mark.parametrize("wrong", ["turned", "on the other side", "another glyph"])
def test_the_comparison_sees_a_glyph_that_is(chromium: Chromium, wrong: str) -> None:
    sentence = Sentence("ja", "ーっ、月（", vertical=True)
    found = glyphs(chromium, sentence)
    seen = chromium.picture()
    for glyph in found:
        piece = cut(seen, glyph.theirs)
        if wrong == "turned":
            other = np.rot90(piece)
        elif wrong == "on the other side":
            other = np.roll(piece, round(PIXELS / 4), axis=1)
        else:
            other = cut(seen, found[(found.index(glyph) + 1) % len(found)].theirs)
        assert apart(piece, other) > AS_DRAWN


def permitted(chromium: Chromium, sentence: Sentence) -> tuple[set[int], float]:
    """Where Chromium may begin a line, found by lines of no length; and its longest unbroken piece, in ems."""
    found = chromium.set(sentence.words, style_of(sentence), size=PIXELS, length="0")
    low, high = (1, 3) if sentence.vertical else (0, 2)
    lines: list[list[tuple[int, Box]]] = []
    last = -math.inf
    for at, box in enumerate(found.boxes):
        if box is None or found.text[at].isspace():
            continue
        line = box[0] if sentence.vertical else box[1]
        if abs(line - last) > PIXELS / 2:
            lines.append([])
        lines[-1].append((at, box))
        last = line
    longest = max(max(box[high] for _, box in line) - min(box[low] for _, box in line) for line in lines)
    return {line[0][0] for line in lines}, longest / PIXELS


@pytest.mark.parametrize("sentence", CORPUS, ids=names(list(CORPUS)))
def test_lines_begin_only_where_chromium_may_begin_one(chromium: Chromium, sentence: Sentence) -> None:
    starts, longest = permitted(chromium, sentence)
    tried = [length for length in LENGTHS if length > longest + 0.3]
    begun = {at for length in tried for at in ends(sentence, length)}
    assert begun
    wrong = {sentence.words[at - 1 : at + 1] for at in begun - starts}
    assert wrong <= set(OWN_BREAKS)


@pytest.mark.parametrize("sentence", MIXED, ids=names(MIXED))
def test_characters_stand_in_the_order_in_which_chromium_shows_them(chromium: Chromium, sentence: Sentence) -> None:
    theirs = chromium.set(sentence.words, style_of(sentence), size=PIXELS)
    found = ours(sentence)
    shown = [at for at in found.ink if theirs.boxes[at] is not None]
    assert len(shown) > 0.8 * len(sentence.words.replace(" ", ""))

    def middle(box: Box | None) -> float:
        assert box is not None
        return box[0] + box[2]

    mine = "".join(sentence.words[at] for at in sorted(shown, key=lambda at: middle(found.ink[at])))
    assert mine == "".join(sentence.words[at] for at in sorted(shown, key=lambda at: middle(theirs.boxes[at])))
    assert mine != "".join(sentence.words[at] for at in shown)


@pytest.mark.parametrize("vertical", [False, True], ids=["lines", "columns"])
@pytest.mark.parametrize("words", ["の{望遠鏡|ぼうえんきょう}で", "は{月|つき}が", "の{東京|とうきょう}へ"])
def test_a_reading_stands_on_the_side_and_over_the_middle_where_chromium_has_it(
    chromium: Chromium, words: str, vertical: bool
) -> None:
    sentence = Sentence("ja", words, vertical=vertical)
    theirs = chromium.set(words, style_of(sentence), size=PIXELS)
    ((_, reading),) = chromium.readings()
    base = _around([box for place, box in enumerate(theirs.boxes) if box and 0 < place < len(theirs.text) - 1])
    found = ours(sentence)
    runs = [run for line in found.words.lines for run in line.runs if run.part is Part.RUBY]
    mine = _around([ink for run in runs for glyph in run.glyphs if (ink := ink_of(run, glyph))])
    under = _around([ink for place, ink in found.ink.items() if 0 < place < len(theirs.text) - 1])
    along, across = ((1, 3), (0, 2)) if vertical else ((0, 2), (1, 3))

    def aside(one: Box, other: Box, sides: tuple[int, int], unit: float) -> float:
        return (one[sides[0]] + one[sides[1]] - other[sides[0]] - other[sides[1]]) / 2 / unit

    assert aside(mine, under, along, 1) == pytest.approx(aside(reading, base, along, PIXELS), abs=0.12)
    assert aside(mine, under, across, 1) * aside(reading, base, across, PIXELS) > 0
    assert abs(aside(mine, under, across, 1)) == pytest.approx(0.75, abs=0.2)


@pytest.mark.parametrize("vertical", [False, True], ids=["lines", "columns"])
@pytest.mark.parametrize("pair", ["」「", "』（", "、「", "。」", "（「", "」、", "月「", "」月", "、月"])
def test_brackets_side_by_side_are_as_far_apart_as_chromium_trims_them(
    chromium: Chromium, pair: str, vertical: bool
) -> None:
    sentence = Sentence("ja", f"国{pair}国", vertical=vertical)
    style = style_of(sentence)
    theirs = chromium.set(sentence.words, style, size=PIXELS, css="text-spacing-trim: normal")
    seen = chromium.picture()
    ink = [dark(seen, _inward(box, vertical=vertical)) for box in theirs.boxes if box]
    found = ours(sentence)
    low, high = (1, 3) if vertical else (0, 2)
    for at in range(1, len(sentence.words)):
        before, here = ink[at - 1], ink[at]
        assert before is not None and here is not None
        assert found.ink[at][low] - found.ink[at - 1][high] == pytest.approx(here[low] - before[high], abs=0.04)
