"""Where a line of lettering may end, by ICU (UAX #14, strict kinsoku), and how gladly.

Every break has a cost: none at the end of a phrase or a word, some inside one, so that whoever shares words out over
lines takes phrases whole where it can.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import icu

from lantern_kit.comic.typeset import phrases
from lantern_kit.comic.typeset.characters import LEADERS, is_hangul, is_ideograph, is_ideographic, is_kana

NOT_AT_START = frozenset(
    "、。，．,.・：；:;？！?!‼⁇⁈⁉ー〜～ゝゞヽヾ々〻"
    "）」』】〕〉》］｝〙〗｠»’”〟)]}…‥⋯—―％%‰℃′″"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ"
)
"""Never first on a line (kinsoku): closing marks, small kana, marks of length and repetition."""
NOT_AT_END = frozenset("（「『【〔〈《［｛〘〖｟〝«‘“([{")
"""Never last on a line: opening marks."""
AFTER = frozenset("-‐–—…/")
"""Inside a word of an alphabet, a line may end after these."""
WELL = dict.fromkeys("。．？！.?!…‥⋯—―）」』”’", 0.03) | dict.fromkeys("、，,;:；：", 0.015)
"""How much better than others a line ends after one of these."""
STUCK = frozenset("\u00a0\u202f\u2007\u2060")
"""Spaces that hold together what stands on either side."""

AT_PHRASE = 0.03
"""Cost of a break between phrases where no mark parts them."""
IN_PHRASE = 0.3
"""Cost of a break between the words of a long phrase."""
IN_WORD = 1.0
"""Cost of a break inside a word, also one that is stammered or drawn out: more than any lines that keep it whole."""
IN_LETTERS = 2.0
"""Cost of a break where there should be none, inside a word too long for any line."""
FEW = 3
"""Letters that are no word of their own beside a dash or dots inside a word."""


class Break(NamedTuple):
    """A place where a line may end: before ``text[at]``."""

    at: int
    forced: bool
    cost: float = 0.0


def opportunities(text: str, language: str = "en") -> tuple[Break, ...]:
    """Every place where a line of ``text`` may or must end, in order; the end of the text is the last.

    Args:
        text: its paragraphs end in line feeds and nothing else.
        language: BCP 47 tag.

    Returns:
        Spaces at a break belong to the line before it, where they are not shown.
    """
    written = _written(text, language)
    cost = _costs(text, written)
    spaced = written == "ko" and any(c.isspace() for c in text.strip())
    found: list[Break] = []
    for at in _boundaries(f"{written or 'en'}@lb=strict", text):
        before, after = text[at - 1], text[at : at + 1]
        if before == "\n":
            if after:
                found.append(Break(at, forced=True))
        elif after and after != "\n" and _may_break(text, at, before, after):
            if spaced and not before.isspace() and before not in LEADERS and (is_hangul(before) or is_hangul(after)):
                continue
            found.append(Break(at, forced=False, cost=cost(at)))
    found.append(Break(len(text), forced=True))
    return tuple(found)


def graphemes(text: str) -> list[int]:
    """Where the characters of a text end, each with all that is written over it or joined to it (UAX #29)."""
    return list(range(1, len(text) + 1)) if text.isascii() and "\r" not in text else _boundaries("", text)


def _may_break(text: str, at: int, before: str, after: str) -> bool:
    """Whether a place where ICU would end a line is one: it knows nothing of lettering's own grudges."""
    if after.isspace():
        return False
    if before.isspace():
        # A dash between spaces stays with the words before it; a quotation mark may begin a line's first word.
        if after == "-" and not text[at + 1 : at + 2].isalnum():
            return False
        return before not in STUCK and (after not in NOT_AT_START or after in "’”»")
    if before in NOT_AT_END or after in NOT_AT_START:
        return False
    if before in LEADERS and before == after:
        return False
    if before in AFTER and not (is_ideographic(before) or is_ideographic(after)):
        return after.isalpha() and at >= 2 and (text[at - 2].isalnum() or text[at - 2] in "'’…-—–")
    return True


def _written(text: str, language: str) -> str:
    """What a text is written in, for its breaks: ``ja``, ``zh``, ``ko``, or empty for all others."""
    if text.isascii():
        return ""
    first = language.partition("-")[0]
    if any(map(is_kana, text)):
        return "ja"
    if any(map(is_hangul, text)):
        return "ko"
    if any(map(is_ideograph, text)):
        return "ja" if first == "ja" else "zh"
    return first if first in ("ja", "zh", "ko") else ""


def _costs(text: str, written: str) -> Callable[[int], float]:
    """What a line's end costs at a place where one may be."""
    ends: frozenset[int] | None = None
    inside: frozenset[int] = frozenset()
    if written == "ja":
        ends, inside = phrases.japanese(text, _boundaries("ja@lb=strict;lw=phrase", text), _words(text, "ja"))
    elif written == "zh":
        ends = phrases.chinese(text, _words(text, "zh"))
    elif written == "ko":
        ends = frozenset(_boundaries("ko@lb=strict;lw=keepall", text)) | frozenset(
            at for at in range(1, len(text)) if not is_hangul(text[at - 1])
        )
    between = AT_PHRASE if written in ("ja", "zh") else 0.0

    def cost(at: int) -> float:
        before = text[at - 1]
        if before.isspace():
            return 0.0
        if ends is not None and at not in ends:
            return IN_PHRASE if at in inside else IN_WORD
        if before in AFTER and not is_ideographic(text[at]):
            return IN_WORD if _stammered(text, at) else 0.0
        return 0.0 if before in WELL else between

    return cost


def _stammered(text: str, at: int) -> bool:
    """Whether a dash or dots inside a word part no two words: S-stop, AAA…GH."""
    start = at
    while start > 0 and text[start - 1] in AFTER:
        start -= 1
    if "/" in text[start:at]:
        return False
    before = after = 0
    while before < FEW and start - before > 0 and text[start - before - 1].isalpha():
        before += 1
    while after < FEW and at + after < len(text) and text[at + after].isalpha():
        after += 1
    return min(before, after) < FEW


_kept = threading.local()


def _words(text: str, language: str) -> list[int]:
    return _boundaries(language, text, words=True)


def _boundaries(locale: str, text: str, *, words: bool = False) -> list[int]:
    """Boundaries of lines, words, or (no locale) graphemes, counted in characters."""
    iterators: dict[tuple[str, bool], Any] = _kept.__dict__.setdefault("iterators", {})
    iterator = iterators.get((locale, words))
    if iterator is None:
        made = icu.Locale(locale or "en")
        if not locale:
            iterator = icu.BreakIterator.createCharacterInstance(made)
        elif words:
            iterator = icu.BreakIterator.createWordInstance(made)
        else:
            iterator = icu.BreakIterator.createLineInstance(made)
        iterators[locale, words] = iterator
    iterator.setText(text)
    found = list(iterator)
    if text and max(text) > "\uffff":  # ICU counts in UTF-16
        place, at = {0: 0}, 0
        for number, character in enumerate(text, 1):
            at += 2 if character > "\uffff" else 1
            place[at] = number
        found = [place[at] for at in found if at in place]
    return found
