"""jtypeset, which follows JLREQ, says whether Japanese has its spaces, its line ends and its readings in their places.

Where the two differ, the standard decides; what is left then is named here with its reason.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from lantern_kit.comic.typeset.setting import Part
from tests.specimens.corpus import CORPUS, Sentence
from tests.specimens.japanese import Japanese
from tests.specimens.ours import EM, ends, ours, style_of

pytest.importorskip("jtypeset", reason="NO JTYPESET: Japanese setting was not judged by it; install jtypeset")
JAPANESE = [sentence for sentence in CORPUS if sentence.language == "ja"]
NAMES = [f"ja-{place}" for place in range(len(JAPANESE))]
BOTH = pytest.mark.parametrize("vertical", [False, True], ids=["lines", "columns"])
LENGTHS = (3.3, 4.2, 5.1, 6.5, 8.2, 11.4)
TOP = 0.88
"""Ems from the top of an upright glyph's place to its origin, in the face that is used here."""
ALIKE = 0.02
"""Ems by which two distances may differ."""
OWN_SPACES = {
    "[」』）、。][「『（]": "JLREQ 3.1.4: half an em between a closing and an opening mark; jtypeset sets them solid",
    "[^—]—+|—+.": "jtypeset counts the font's joined double dash as one em, and sets the next character on it",
    "[！？][^！？」』）]": "JLREQ 3.1.6 has an em after a sentence's end; in comics it is written where it is wanted",
    "−.|.?[0-9][㎏％]|㎏、|.!|[は、だ][0-9]|[0-9][0-9]": "digits upright in one place have no Latin edge",
    "[A-Z][・。]": "single letters stand upright in the kit, as comics set them, and lie in jtypeset",
}
"""Distances that differ, by the characters around them."""


@pytest.fixture(scope="module")
def japanese() -> Japanese:
    return Japanese()


def starts(sentence: Sentence, length: float = 80) -> list[tuple[int, float]]:
    """Where the place of each character begins along its line, in ems."""
    found: dict[int, float] = {}
    for line in ours(sentence, length).words.lines:
        for run in (run for run in line.runs if run.part is Part.TEXT):
            for glyph in run.glyphs:
                at = glyph.x if not sentence.vertical else glyph.y - (TOP * EM if glyph.turn == 0 else 0)
                found.setdefault(glyph.at, at / EM)
    return sorted(found.items())


@BOTH
@pytest.mark.parametrize("sentence", JAPANESE, ids=NAMES)
def test_characters_are_as_far_from_each_other_as_in_jtypeset(
    japanese: Japanese, sentence: Sentence, vertical: bool
) -> None:
    sentence = sentence._replace(vertical=vertical)
    theirs = japanese.set(sentence.words, style_of(sentence)).starts
    mine = [(at, place) for at, place in starts(sentence) if at in theirs]
    assert len(mine) >= 0.8 * len(sentence.words)
    wrong = {}
    for (before, there), (at, here) in pairwise(mine):
        apart = (here - there) - (theirs[at] - theirs[before])
        pair = sentence.words[before : at + 1]
        if abs(apart) > ALIKE and not any(re.fullmatch(pattern, pair) for pattern in OWN_SPACES):
            wrong[pair] = round(apart, 2)
    assert wrong == {}


def test_most_distances_are_the_same_and_the_exceptions_are_few(japanese: Japanese) -> None:
    same = every = 0
    for sentence in JAPANESE:
        for vertical in (False, True):
            turned = sentence._replace(vertical=vertical)
            theirs = japanese.set(turned.words, style_of(turned)).starts
            mine = [(at, place) for at, place in starts(turned) if at in theirs]
            for (before, there), (at, here) in pairwise(mine):
                every += 1
                same += abs((here - there) - (theirs[at] - theirs[before])) <= ALIKE
    assert every > 400 and same / every > 0.94


@BOTH
@pytest.mark.parametrize("sentence", JAPANESE, ids=NAMES)
def test_lines_end_only_where_jtypeset_may_end_one(japanese: Japanese, sentence: Sentence, vertical: bool) -> None:
    sentence = sentence._replace(vertical=vertical)
    permitted = {start for start, _ in japanese.set(sentence.words, style_of(sentence), length=1.0).lines}
    begun = {at for length in LENGTHS for at in ends(sentence, length)}
    assert begun and begun <= permitted


@BOTH
def test_lines_of_the_same_lengths_hold_the_same_words(japanese: Japanese, vertical: bool) -> None:
    same = every = 0
    # Where it spaces otherwise it has other lengths; so it has with Latin words, which it does not kern.
    plain = [item for item in JAPANESE if not re.search("[A-Z0-9]|——|[！？][^！？」』）]", item.words)]
    for sentence in plain:
        turned = sentence._replace(vertical=vertical)
        for length in LENGTHS:
            found = ours(turned, length).words
            side = (1, 3) if vertical else (0, 2)
            lengths = [(line.box[side[1]] - line.box[side[0]]) / EM for line in found.lines]
            theirs = japanese.set(turned.words, style_of(turned), lengths, length=length)
            every += 1
            mine = ["".join(found.words_of(line).split()) for line in found.lines]
            same += mine == ["".join(turned.words[start:end].split()) for start, end in theirs.lines]
    assert every >= 60 and same == every


@BOTH
@pytest.mark.parametrize(
    ("words", "base", "reading"),
    [
        ("{望遠鏡|ぼうえんきょう}で", 3, 7),
        ("{月|つき}が", 1, 2),
        ("{天|てん}{文|もん}の", 2, 4),
        ("{東京|とうきょう}へ", 2, 5),
        ("{流星|シューティングスター}を", 2, 10),
    ],
)
def test_a_reading_is_half_as_large_and_centred_on_its_base(
    vertical: bool, words: str, base: int, reading: int
) -> None:
    sentence = Sentence("ja", "の" + words, vertical=vertical)
    found = ours(sentence)
    runs = [run for line in found.words.lines for run in line.runs if run.part is Part.RUBY]
    glyphs = [glyph for run in runs for glyph in run.glyphs]
    assert len(glyphs) == reading and all(run.size == pytest.approx(EM / 2, rel=0.01) for run in runs)
    along = [(glyph.y - TOP * EM / 2 if vertical else glyph.x) / EM for glyph in glyphs]
    places = dict(starts(sentence))
    assert (along[0] + along[-1] + 0.5) / 2 == pytest.approx((places[1] + places[base] + 1) / 2, abs=0.03)
    line = found.words.lines[0]
    if vertical:  # to the right of the column
        assert min(glyph.x for glyph in glyphs) > line.baseline + 0.4 * EM
    else:
        assert max(glyph.y for glyph in glyphs) < line.baseline - 0.8 * EM
