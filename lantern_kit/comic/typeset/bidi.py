"""Right-to-left text: the level of every character (UAX #9, by ICU), and the order in which a line shows its places."""

from __future__ import annotations

from collections.abc import Sequence

import icu

from lantern_kit.comic.typeset.characters import is_right_to_left

RIGHT_TO_LEFT = frozenset({"ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "ckb", "dv", "arc", "syr"})
CONTROLS = frozenset("\u200f\u202b\u202e\u2067")


def levels(text: str, language: str) -> list[int] | None:
    """The level of every character; None when all of the text runs from left to right.

    A paragraph runs as its first letter does; in a language written from right to left, as its own if it has any
    letter of it.
    """
    if text.isascii() or not any(is_right_to_left(c) or c in CONTROLS for c in text):
        return None
    native = language.partition("-")[0] in RIGHT_TO_LEFT
    found: list[int] = []
    for number, paragraph in enumerate(text.split("\n")):
        if number:
            found.append(0)
        if paragraph:
            base = 1 if native and any(map(is_right_to_left, paragraph)) else icu.Bidi.DEFAULT_LTR
            found.extend(_levels(paragraph, base))
    return found


def _levels(paragraph: str, base: int) -> list[int]:
    bidi = icu.Bidi()
    bidi.setPara(icu.UnicodeString(paragraph), base)
    units = bidi.getLevels()
    if max(paragraph) <= "\uffff":
        return list(units)
    found, at = [], 0
    for character in paragraph:
        found.append(units[at])
        at += 2 if character > "\uffff" else 1
    return found


def visual_order(line: Sequence[int]) -> list[int]:
    """Places of a line as they stand from left to right, from their levels (rule L2)."""
    order = list(range(len(line)))
    if not line:
        return order
    for level in range(max(line), 0, -1):
        at = 0
        while at < len(order):
            end = at
            while end < len(order) and line[order[end]] >= level:
                end += 1
            if end > at:
                order[at:end] = order[at:end][::-1]
            at = end + 1
    return order
