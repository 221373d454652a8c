"""Text to glyphs: faces per character, HarfBuzz per run, everything in ems so that one shaping serves every size."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from itertools import accumulate

import uharfbuzz as hb

from lantern_kit.comic.typeset.breaking import is_ideographic
from lantern_kit.comic.typeset.fonts import CJK_LANGUAGES, Choice, Face

AMBIGUOUS = frozenset("…‥—―“”‘’·×÷°※→←↑↓○●□■△▲☆★♪")
"""Set full width when the language is written in ideographs."""
JOINED = frozenset("\u200d\ufe0e\ufe0f")
INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff\u00ad")


@dataclass(frozen=True, slots=True)
class Glyph:
    """One glyph of a shaped text, in ems."""

    face: Face
    glyph: int
    cluster: int
    """Place in the text of the character it begins to show."""
    x: float
    """Pen position from the start of the text, offset included."""
    y: float
    """Height above the baseline."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """A whole text as glyphs on one endless line."""

    text: str
    glyphs: tuple[Glyph, ...]
    edges: tuple[float, ...]
    """Pen position before each character, and after the last: len(text) + 1 numbers, in ems."""
    lefts: tuple[float, ...]
    """Free space before a character's ink, in ems."""
    rights: tuple[float, ...]
    """Free space after a character's ink, up to its advance."""
    top: float
    """Highest ink above the baseline of any glyph."""
    bottom: float
    """Deepest ink below it; negative when all of it stands above (a dash)."""
    missing: tuple[str, ...]
    """Characters that no face has, each once."""


def shape(text: str, choice: Choice, language: str) -> Shaped:
    """Shape a text once, for every size it will be tried at. Line ends take no room."""
    glyphs: list[Glyph] = []
    advances = [0.0] * len(text)
    lefts: dict[int, float] = {}
    rights: dict[int, float] = {}
    missing: list[str] = []
    pen = 0.0
    top = bottom = -math.inf
    for start, end, face in _runs(text, choice, language, missing):
        buffer = hb.Buffer()
        buffer.add_codepoints([ord(c) for c in text], start, end - start)
        buffer.guess_segment_properties()
        buffer.direction = "ltr"
        buffer.language = language
        hb.shape(face.shaper, buffer, {"kern": True, "liga": True})
        em = face.upem
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            at, glyph = info.cluster, info.codepoint
            if text[at] in INVISIBLE:
                continue
            ink = face.ink(glyph)
            dx, dy, advance = place.x_offset / em, place.y_offset / em, place.x_advance / em
            glyphs.append(Glyph(face, glyph, at, pen + dx, dy))
            if ink.right > ink.left:
                top, bottom = max(top, ink.top + dy), max(bottom, -ink.bottom - dy)
                left, right = dx + ink.left, advance - dx - ink.right
                lefts[at] = min(left + advances[at], lefts.get(at, left + advances[at]))
                rights[at] = right if advance else min(right, rights.get(at, right))
            advances[at] += advance
            pen += advance
    return Shaped(
        text=text,
        glyphs=tuple(glyphs),
        edges=tuple(accumulate(advances, initial=0.0)),
        lefts=tuple(lefts.get(at, 0.0) for at in range(len(text))),
        rights=tuple(rights.get(at, 0.0) for at in range(len(text))),
        top=top if rights else 0.0,
        bottom=bottom if rights else 0.0,
        missing=tuple(dict.fromkeys(missing)),
    )


def _runs(text: str, choice: Choice, language: str, missing: list[str]) -> list[tuple[int, int, Face]]:
    """Stretches of one face each, without the line ends between them."""
    wide = language.partition("-")[0] in CJK_LANGUAGES
    runs: list[tuple[int, int, Face]] = []
    for at, character in enumerate(text):
        if character == "\n":
            continue
        follows = bool(runs) and runs[-1][1] == at
        if follows and (character in JOINED or unicodedata.combining(character) or character == " "):
            face = runs[-1][2]
        else:
            face = _face(character, choice, missing, wide=wide)
        if follows and runs[-1][2] is face:
            runs[-1] = (runs[-1][0], at + 1, face)
        else:
            runs.append((at, at + 1, face))
    return runs


def _face(character: str, choice: Choice, missing: list[str], *, wide: bool) -> Face:
    faces = choice.faces
    if wide and len(faces) > 1 and (character in AMBIGUOUS or is_ideographic(character)):
        faces = (faces[1], faces[0], *faces[2:])
    for face in faces:
        if face.glyph(ord(character)):
            return face
    if character not in INVISIBLE and not character.isspace():
        missing.append(character)
    return faces[0]
