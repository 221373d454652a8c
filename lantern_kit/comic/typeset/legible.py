"""The smallest sizes that print keeps legible."""

from __future__ import annotations

from typing import NamedTuple

from lantern_kit.comic.typeset.characters import is_hangul, is_ideograph
from lantern_kit.comic.typeset.layout import GlyphRun
from lantern_kit.comic.typeset.setting import SetText
from lantern_kit.comic.typeset.shaping import Part

IDEOGRAPHS = 1_500
"""Least em of ideographs and Hangul, in micrometres: their strokes run together below it."""
LETTERS = 1_300
READINGS = 750


class TooSmall(NamedTuple):
    """Words that print would lose."""

    size: int
    """Their em, in micrometres."""
    least: int
    """What it should be at least."""
    reading: bool
    """They are readings beside the words."""
    grow: float
    """How many times larger all the words must be."""


def too_small(words: SetText) -> TooSmall | None:
    """The words of a text that fall furthest below a legible size in print; None when all are large enough."""
    found = [
        TooSmall(round(run.size), least, run.part is Part.RUBY, least / run.size)
        for line in words.layout.lines
        for run in line.runs
        if run.glyphs and (least := _least(words.text, run)) > run.size + 0.5
    ]
    return max(found, key=lambda small: small.grow, default=None)


def _least(text: str, run: GlyphRun) -> int:
    if run.part is Part.DOTS:
        return 0
    if run.part is Part.RUBY:
        return READINGS
    shown = [text[item.at] for item in run.glyphs]
    if any(is_ideograph(character) or is_hangul(character) for character in shown):
        return IDEOGRAPHS
    return LETTERS if any(character.isalnum() for character in shown) else 0
