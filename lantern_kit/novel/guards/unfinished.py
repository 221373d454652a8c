"""Lines of a plan that were not written out: words that stand for others, sentences without an end, numbers."""

from __future__ import annotations

import re

_ALONE = re.compile(
    r"[\W_]*|\W*(?:TODO|TBD|TBA|FIXME|n/?a|(?i:etc|and so on|to be continued|to be decided|to be written|omitted|"
    r"as above|same as above|placeholder|lorem ipsum.*)|"
    r"略|省略|待续|未完待续|待定|待补充?|待写|同上|下略|以此类推|如此类推)\W*",
    re.DOTALL,
)
_OPEN, _SHUT = "[(（\\[【<]", "[)）\\]】>]"
_LEFT_OUT = (
    r"略|省略|待续|未完待续|下略|此处省略[^)）\]】>]*|omitted|to be continued|continued|placeholder|"
    r"insert\b[^)\]>]*|remaining chapters[^)\]>]*|rest of[^)\]>]*"
)
_WITHIN = re.compile(
    rf"\b(?:TODO|TBD|FIXME)\b|{_OPEN}\s*(?i:{_LEFT_OUT})\s*{_SHUT}|以此类推|如此类推|(?i:lorem ipsum|\band so on\W*$)"
)
_BROKEN = re.compile(r"(?:[,，、;；:：(（\[【“「『《]|\b(?:and|because|the|whose))\s*$")
_DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"〇": 0, "两": 2}
_HAN = "零〇一二两三四五六七八九十百"
_NUMBER = re.compile(rf"^\s*(?:chapter\s+(\d{{1,4}})|第\s*([{_HAN}]+|\d{{1,4}})\s*[章回节话])(?!\w*\d)", re.IGNORECASE)
_TO = "(?:-|–|—|~|to|through|至|到)"
_SEVERAL = re.compile(
    rf"\bchapters?\s+\d+\s*{_TO}\s*\d+|第\s*(?:[{_HAN}]+|\d+)\s*章?\s*{_TO}\s*第?\s*(?:[{_HAN}]+|\d+)\s*[章回]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_RUN = re.compile(r"[㐀-鿿]+")


def stands_for(text: str) -> bool:
    """Whether a line stands for others that were left out."""
    return _ALONE.fullmatch(text) is not None or _WITHIN.search(text) is not None


def breaks_off(text: str) -> bool:
    """Whether a line ends in the middle of a sentence."""
    return _BROKEN.search(text) is not None


def several(title: str) -> bool:
    """Whether a title names several chapters."""
    return _SEVERAL.search(title) is not None


def number_of(title: str) -> int | None:
    """The number a title begins with: ``Chapter 7``, ``第七章``."""
    found = _NUMBER.match(title)
    if found is None:
        return None
    digits = found.group(1) or found.group(2)
    return int(digits) if digits.isdecimal() else _value(digits)


def pairs(text: str) -> frozenset[str]:
    """Longer words, and pairs of Han characters: what a text is known again by."""
    plain = text.casefold()
    han = [run[at : at + 2] for run in _RUN.findall(plain) for at in range(len(run) - 1)]
    return frozenset([*(word for word in _WORD.findall(plain) if not _RUN.search(word)), *han])


def _value(text: str) -> int:
    """The number that Chinese numerals below a thousand say."""
    if not any(sign in text for sign in "十百"):
        return int("".join(str(_DIGITS[sign]) for sign in text))
    whole = digit = 0
    for sign in text:
        if sign in "十百":
            whole += (digit or 1) * (10 if sign == "十" else 100)
            digit = 0
        else:
            digit = _DIGITS[sign]
    return whole + digit
