"""Where a line of lettering may end: spaces and hyphens in alphabets, between characters in Chinese and Japanese.

``opportunities`` is the one seam: a fuller line breaker replaces it and nothing else. It goes by the characters alone,
whatever the language.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

NOT_AT_START = frozenset(
    "、。，．,.・：；:;？！?!‼⁇⁈⁉ー〜～ゝゞヽヾ々〻"
    "）」』】〕〉》］｝〙〗｠»’”)]}…‥—―％%‰℃′″"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ"
)
"""Never first on a line (kinsoku): closing marks, small kana, marks of length and repetition."""
NOT_AT_END = frozenset("（「『【〔〈《［｛〘〖｟«‘“([{")
"""Never last on a line: opening marks."""
INSEPARABLE = frozenset("…‥—―")
"""Two of a kind are one mark."""
AFTER = frozenset("-‐–—…/")
"""Inside a word of an alphabet, a line may end after these."""
CLOSING = frozenset("、。，．？！.?!,;:…—）」』”’")
"""A line that ends after one of these ends well."""


class Break(NamedTuple):
    """A place where a line may end: before ``text[at]``."""

    at: int
    forced: bool


def opportunities(text: str) -> tuple[Break, ...]:
    """Every place where a line of ``text`` may or must end, in order; the end of the text is the last.

    Args:
        text: without carriage returns.

    Returns:
        Spaces at a break belong to the line before it, where they are not shown.
    """
    found: list[Break] = []
    for at in range(1, len(text)):
        before, after = text[at - 1], text[at]
        if before == "\n":
            found.append(Break(at, forced=True))
        elif after != "\n" and _may_break(text, at, before, after):
            found.append(Break(at, forced=False))
    found.append(Break(len(text), forced=True))
    return tuple(found)


def _may_break(text: str, at: int, before: str, after: str) -> bool:
    if after.isspace() or unicodedata.combining(after) or after in "\u200d\ufe0e\ufe0f":
        return False
    if before.isspace():
        # A dash between spaces stays with the words before it.
        return before not in "\u00a0\u202f\u2007" and after not in "–—"
    if before == "\u200b":
        return True
    if before in NOT_AT_END or after in NOT_AT_START:
        return False
    if before in INSEPARABLE and after == before:
        return False
    if is_ideographic(before) or is_ideographic(after):
        return True
    return before in AFTER and after.isalpha() and at >= 2 and text[at - 2].isalnum()


def is_ideographic(character: str) -> bool:
    """Whether a character is set like Chinese or Japanese: lines may end on either side of it."""
    code = ord(character)
    return (
        0x2E80 <= code <= 0x30FF
        or 0x3190 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE4F
        or 0xFF00 <= code <= 0xFF60
        or 0x20000 <= code <= 0x3FFFF
    )


def is_hiragana(character: str) -> bool:
    """Whether a character is hiragana: as a rule it carries on the word before it."""
    return "\u3041" <= character <= "\u309f"
