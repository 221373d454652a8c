"""How large a line's balloon, caption or lettering would be: good guesses from its words, before it has a place."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import usual
from lantern_kit.comic.edit.estimate import balloon_size, caption_size, words_size
from lantern_kit.comic.edit.lettering import PlaceArgs, new_style
from lantern_kit.comic.model import Balloon, BalloonShape, Narration, TextStyle, Writing
from lantern_kit.comic.script.model import Line, Voice

SCALES = (1.0, 0.93, 0.86, 0.8, 0.74)
"""Sizes of words that are tried on a page, over the usual one."""
_SOUND, _TITLE, _HEADLINE = 9_000, 5_000, 11_000
_WIDER = 1.3
_TALLEST_LINES = 1.9


class Look(NamedTuple):
    """How a new line is set."""

    style: TextStyle
    sizes: tuple[tuple[int, int], ...]
    """Widths and heights that it may have, the best first."""


def look_of(book: Book, line: Line, size: int, room: tuple[int, int], *, alone: bool = False) -> Look:
    """The look of a new line in a room.

    Args:
        book: its chapter's language and direction count.
        line: what is lettered.
        size: em of dialogue in micrometres; sounds and titles are larger in proportion.
        room: width and height of the place it has to go into.
        alone: on a page without panels, where titles are headlines.
    """
    if line.voice in (Voice.SOUND, Voice.TITLE):
        return _bare(book, line, size, room, alone=alone)
    caption = line.voice is Voice.CAPTION
    style = new_style(book, PlaceArgs(), "narration" if caption else "dialogue").model_copy(update={"size": size})
    style = style.model_copy(update={"smallest": min(style.smallest, size)})
    natural = _natural(line.text, style, None if caption else line.shape)
    least = round(_TALLEST_LINES * size) + 2 * usual(Balloon, "padding")
    return Look(style, _fitting(natural, room, least, upright=style.writing is Writing.VERTICAL))


@lru_cache(maxsize=1_024)
def _natural(words: str, style: TextStyle, shape: BalloonShape | None) -> tuple[int, int]:
    """Width and height of a balloon, or of a caption, made for its words."""
    if shape is None:
        return caption_size(words, style, usual(Narration, "padding"))
    return balloon_size(words, style, shape, usual(Balloon, "padding"))


def _bare(book: Book, line: Line, size: int, room: tuple[int, int], *, alone: bool) -> Look:
    title = line.voice is Voice.TITLE
    em = (_HEADLINE if alone else _TITLE) if title else _SOUND
    em = round(em * size / TextStyle().size)
    style = TextStyle(font="sans" if title else "sound", language=book.chapter.language, bold=title)
    wide, high = words_size(line.text, style.model_copy(update={"size": em}))
    share = min(1.0, 0.9 * room[0] / wide, (0.6 if alone else 0.4) * room[1] / high)
    em = max(500, int(em * share))
    style = style.model_copy(update={"size": em, "smallest": min(style.smallest, em)})
    wide, high = words_size(line.text, style)
    return Look(style, ((wide, high),))


def _fitting(
    natural: tuple[int, int], room: tuple[int, int], least: int, *, upright: bool
) -> tuple[tuple[int, int], ...]:
    """The natural size and one that is longer along its lines, both made to fit a room; fewer where it has none."""
    wide, high = natural
    longer = (
        (math.ceil(wide / _WIDER), math.ceil(high * _WIDER))
        if upright
        else (math.ceil(wide * _WIDER), math.ceil(high / _WIDER))
    )
    across = longer[0] if upright else longer[1]
    found: list[tuple[int, int]] = []
    for w, h in (natural, longer) if across >= least else (natural,):
        if w > room[0]:
            w, h = room[0], math.ceil(1.04 * h * w / room[0])
        if h > room[1]:
            w, h = math.ceil(1.04 * w * h / room[1]), room[1]
        if w <= room[0] and (w, h) not in found:
            found.append((w, h))
    return tuple(found)
