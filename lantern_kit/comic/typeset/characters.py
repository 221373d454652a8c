"""What typesetting asks of single characters: their script, how they stand in a column, what sort of mark they are."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import icu

INVISIBLE = frozenset(
    "\u200b\u200c\u200d\u200e\u200f\u061c\u2060\u2061\u2062\u2063\u2064\ufe0e\ufe0f\ufeff\u00ad\u034f"
)
"""Drawn as nothing, whatever a font has for them; so are variation selectors, tags and directional controls."""
LINE_ENDS = "\n\x0b\x0c\x85\u2028\u2029"
LEADERS = frozenset("…‥⋯—―–")
"""Dots and dashes: in columns they run down the middle."""
AMBIGUOUS = LEADERS | frozenset("“”‘’·×÷°※→←↑↓○●□■△▲☆★♪")
"""Full width among ideographs, as narrow as the font has them among letters."""
OPENING = frozenset("（「『【〔〈《［｛〘〖｟〝“‘")
CLOSING = frozenset("）」』】〕〉》］｝〙〗｠〟”’")
STOPS = frozenset("、。，．")
"""May hang past a line's end."""
MIDDLE = frozenset("・：；！？")
"""Centred in their place in Japanese; where a font sets them to one side, what is blank beside them closes up."""
QUOTES = {"ja": "〝〟「」", "zh-Hans": "『』「」", "zh-Hant": "「」『』", "ko": "『』「」"}
"""What “ ” ‘ ’ are in columns."""
NARROW = {"！": "!", "？": "?"}
"""The slim form that stands beside another in one place of a column."""

_ORIENTATION = icu.UProperty.VERTICAL_ORIENTATION
_EMOJI = icu.UProperty.EMOJI_PRESENTATION


def is_ideographic(character: str) -> bool:
    """Whether a character is set like Chinese or Japanese: full width, lines may end on either side of it."""
    code = ord(character)
    return (
        0x2E80 <= code <= 0x30FF
        or 0x3105 <= code <= 0x312F
        or 0x3190 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0xFE30 <= code <= 0xFE4F
        or 0xFF00 <= code <= 0xFF60
        or 0x20000 <= code <= 0x3FFFF
    )


def is_hangul(character: str) -> bool:
    """Whether a character is of the Korean alphabet."""
    code = ord(character)
    return 0xAC00 <= code <= 0xD7FF or 0x1100 <= code <= 0x11FF or 0x3130 <= code <= 0x318F or 0xA960 <= code <= 0xA97F


def is_kana(character: str) -> bool:
    """Whether a character is hiragana or katakana, or the mark of length between them."""
    return "\u3041" <= character <= "\u30ff" and character not in "・゠"


def is_hiragana(character: str) -> bool:
    """Whether a character is hiragana."""
    return "\u3041" <= character <= "\u3096"


def is_katakana(character: str) -> bool:
    """Whether a character is katakana, or a mark of length or repetition among it."""
    return "\u30a1" <= character <= "\u30fa" or character in "ーヽヾ" or "\uff66" <= character <= "\uff9f"


def is_ideograph(character: str) -> bool:
    """Whether a character is a Chinese one."""
    code = ord(character)
    return 0x3400 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF or character in "々〆〇"


@lru_cache(maxsize=8192)
def script_of(character: str) -> str:
    """ISO 15924 code, as ``Latn``; ``Zyyy`` for what several scripts share, ``Zinh`` for marks."""
    return str(icu.Script.getScript(character).getShortName())


@lru_cache(maxsize=8192)
def orientation(character: str) -> str:
    """How a character stands in a column (UAX #50): ``R``, ``U``, ``Tu`` or ``Tr``.

    Dots and dashes are transformed like ``Tr``: fonts for columns have forms of their own for them.
    """
    if character in LEADERS:
        return "Tr"
    return ("R", "Tr", "Tu", "U")[icu.Char.getIntPropertyValue(ord(character), _ORIENTATION)]


@lru_cache(maxsize=8192)
def is_invisible(character: str) -> bool:
    """Whether a character shows nothing and takes no room."""
    if character in INVISIBLE:
        return True
    if character.isspace() or character < "\x20":
        return character < "\x20" and character != "\t"
    code = ord(character)
    return (
        0xFE00 <= code <= 0xFE0D
        or 0xE0000 <= code <= 0xE0FFF
        or 0x202A <= code <= 0x202E
        or 0x2066 <= code <= 0x206F
        or 0x7F <= code <= 0x9F
    )


@lru_cache(maxsize=8192)
def is_right_to_left(character: str) -> bool:
    """Whether a character is of a script that is read from right to left."""
    return unicodedata.bidirectional(character) in ("R", "AL")


def is_emoji(cluster: str) -> bool:
    """Whether a cluster is shown as a picture: by its own nature, or by the selector after it."""
    if "\ufe0e" in cluster:
        return False
    return "\ufe0f" in cluster or "\u20e3" in cluster or _is_emoji(cluster[0])


@lru_cache(maxsize=8192)
def _is_emoji(character: str) -> bool:
    return bool(icu.Char.hasBinaryProperty(ord(character), _EMOJI))


def is_letter(character: str) -> bool:
    """Whether a character is a letter or digit that words in alphabets are made of."""
    return character.isalnum() and not is_ideographic(character) and not is_hangul(character)


def chinese(language: str) -> str:
    """``zh-Hans`` or ``zh-Hant`` for a tag of Chinese; empty for other languages."""
    first, *rest = language.split("-")
    if first == "yue":
        return "zh-Hant"
    if first != "zh":
        return ""
    return "zh-Hant" if {"Hant", "TW", "HK", "MO"} & set(rest) and "Hans" not in rest else "zh-Hans"
