"""Habits of writing that a letterer keeps throughout a page; taste decides, so all of them are notes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lantern_kit.comic.checks.seen import Wrong
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import Lettering, Unit, Writing

DOUBLED = re.compile(r"(?<=\S) {2,}(?=\S)")
STRAIGHT = re.compile(r"(?<!\d)[\"']")
"""After a digit it may be a foot or an inch."""
CURLY = re.compile(r"[‘’“”]")
DOTS = re.compile(r"(?<![.。])(?:\.{3,}|。{2,}|・{3,})(?![.。])")
ELLIPSIS = "…"
_CJK = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
NARROW = re.compile(rf"(?<={_CJK})[,.!?:;](?![0-9A-Za-z.,!?:;])")
NARROW_MARKS = frozenset("!?")
"""In columns these stand upright in one place, narrow as they are."""
WIDE = {"ja": str.maketrans(",.!?:;", "、。！？：；"), "zh": str.maketrans(",.!?:;", "，。！？：；")}
"""Full-width marks by language."""


def writing(unit: Unit) -> Iterator[tuple[str, Wrong]]:
    """lettering.spaces, lettering.quotes, lettering.dots, lettering.width."""
    said = [(item, plain(item.text)) for item in unit.objects if isinstance(item, Lettering)]
    curly = any(CURLY.search(words) for _, words in said)
    one_sign = any(ELLIPSIS in words for _, words in said)
    for item, words in said:
        doubled = len(DOUBLED.findall(words))
        if doubled:
            yield item.id, _note("spaces", "it has doubled spaces; leave one of each", {"count": doubled})
        straight = STRAIGHT.findall(words)
        if straight and curly:
            yield (
                item.id,
                _note(
                    "quotes",
                    f"it has straight quotes ({' '.join(dict.fromkeys(straight))}) on a page with curly ones; "
                    "use ‘ ’ and “ ” throughout",
                    {"count": len(straight), "characters": [*dict.fromkeys(straight)]},
                ),
            )
        dots = DOTS.findall(words)
        if dots and (one_sign or any(found[0] != "." for found in dots)):
            yield (
                item.id,
                _note(
                    "dots",
                    f"it has {dots[0]} where … is meant; use one sign throughout the page",
                    {"count": len(dots), "found": dots[0]},
                ),
            )
        narrow, wide = _narrow(item, words)
        if narrow:
            yield (
                item.id,
                _note(
                    "width",
                    f"it has narrow marks ({' '.join(narrow)}) after wide characters; write {' '.join(wide)}",
                    {"found": narrow, "wide": wide},
                ),
            )


def _narrow(item: Lettering, words: str) -> tuple[list[str], list[str]]:
    """Marks of half width among full-width ones, where the language has both; and those that are meant."""
    wide = WIDE.get(item.style.language.partition("-")[0])
    if wide is None:
        return [], []
    allowed = NARROW_MARKS if item.style.writing is Writing.VERTICAL else frozenset[str]()
    found = [mark for mark in dict.fromkeys(NARROW.findall(words)) if mark not in allowed]
    return found, [mark.translate(wide) for mark in found]


def _note(rule: str, message: str, data: dict[str, object]) -> Wrong:
    return Wrong(f"lettering.{rule}", "note", message, data)
