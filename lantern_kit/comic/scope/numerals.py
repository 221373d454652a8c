"""Numbers as people say them, in figures and in words."""

from __future__ import annotations

_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_TENS = {"十": 10, "百": 100}
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth",
)  # fmt: skip
_CARDINALS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
ORDINALS = {word: number for number, word in enumerate(_ORDINALS, 1)}
CARDINALS = {word: number for number, word in enumerate(_CARDINALS, 1)}
HAN = "".join((*_DIGITS, *_TENS))
"""Characters of Chinese numbers."""
MOST = 100_000


def number_of(text: str) -> int | None:
    """12 from ``12``, ``twelve`` or ``十二``; None for what is no number, or one larger than any page's."""
    if text.isascii() and text.isdigit():
        found = int(text) if len(text) < 7 else MOST + 1
    elif text in CARDINALS:
        found = CARDINALS[text]
    else:
        found = _han(text)
    return found if 0 <= found <= MOST else None


def _han(text: str) -> int:
    """A number in Chinese characters below a thousand; -1 for what is none."""
    if not text or any(character not in HAN for character in text):
        return -1
    if not any(character in _TENS for character in text):
        return int("".join(str(_DIGITS[character]) for character in text))
    total, digit = 0, None
    for character in text:
        if character in _TENS:
            total += (1 if digit is None else digit) * _TENS[character]
            digit = None
        elif digit not in (None, 0):
            return -1
        else:
            digit = _DIGITS[character]
    return total + (digit or 0)
