"""Headings of units and panels, however people write them: ``Page 3``, ``PAGE THREE``, ``第3页``, ``Panel 2``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from lantern_kit.comic.model import UnitKind
from lantern_kit.comic.script.model import LONGEST_LABEL, Panel, Sheet, tidy_name
from lantern_kit.comic.script.tongues import TONGUES, Tongue

_KINDS = {
    UnitKind.SPREAD: "double page spread|double-page spread|double page|spread|跨页|跨頁|见开|見開き|見開",
    UnitKind.COVER: "front cover|cover|封面|表紙",
    UnitKind.TRANSITION: "transition|过场|過場|转场|轉場|扉",
    UnitKind.PAGE: "pages|page|页|頁|ページ",
}
_KIND = {word: kind for kind, words in _KINDS.items() for word in words.split("|")}
_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred and"
)
_SPOKEN = "|".join(_WORDS.split())
_FIGURES = r"\d{1,6}(?:[ ]?[-–—~～/][ ]?\d{1,6})?"
_HAN = "[〇零一二两兩三四五六七八九十百]{1,8}"
_NUMBER = rf"(?:#?{_FIGURES}|{_HAN}|(?<![A-Za-z])(?:{_SPOKEN})\b(?:[- ](?:{_SPOKEN})\b){{0,3}})"
_UNIT = re.compile(
    rf"(?:第[ ]?)?(?P<before>{_NUMBER})?[ ]?(?P<word>{'|'.join(_KIND)})[ ]?(?P<after>{_NUMBER})?(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_PANEL = re.compile(
    rf"(?:第[ ]?)?(?P<before>{_NUMBER})?[ ]?(?:panel|格|コマ目|コマ|分镜|分鏡|画格|畫格)[ ]?(?P<after>{_NUMBER})?"
    r"(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_COUNT = re.compile(r"[ ]?[(（][^()（）]{0,40}(?:panels?|格|コマ)[^()（）]{0,20}[)）]", re.IGNORECASE)
_REST = re.compile(r"[ ]*[:：.—–\-][ ]*(?P<said>.*)", re.DOTALL)
_ON_PAGE = {tongue.page.lower() for tongue in TONGUES}


class Heading(NamedTuple):
    """What a heading says."""

    kind: UnitKind | None
    """None: a panel, or the page itself."""
    framed: bool
    number: str
    said: str
    """What follows: a unit's name, or the beginning of a panel's description."""


def heading_of(text: str, *, bare: bool = False) -> Heading | None:
    """What a heading says; None for what is no heading of a unit or panel.

    Args:
        text: without what marks it as a heading, and without its id.
        bare: nothing marks it as one, so that it must be numbered.
    """
    if text.lower() in _ON_PAGE:
        return None if bare else Heading(None, framed=False, number="", said="")
    for pattern, panel in ((_UNIT, False), (_PANEL, True)):
        found = pattern.fullmatch(text)
        if found is None:
            continue
        number = found["before"] or found["after"] or ""
        if (found["before"] and found["after"]) or (bare and not number):
            continue
        kind = None if panel else _KIND[found["word"].lower()]
        said = _said(found["rest"], panel=panel, bare=bare)
        if said is not None:
            return Heading(kind, framed=True, number=_figures(number), said=said)
    return None


def _figures(number: str) -> str:
    """A number in figures; one that is written in words only up to twenty."""
    figures = number.removeprefix("#")
    if figures[:1].isdecimal():
        return figures
    words = _WORDS.split()[:20]
    return str(words.index(number.lower()) + 1) if number.lower() in words else ""


def _said(rest: str, *, panel: bool, bare: bool) -> str | None:
    """What follows a heading's number; None where it is no heading at all."""
    counted = _COUNT.match(rest)
    rest = rest[counted.end() :] if counted else rest
    if not rest.strip(" .:："):
        return ""
    found = _REST.fullmatch(rest)
    if found is not None:
        return found["said"] if panel else sheet_name(found["said"])
    return rest.strip() if panel and not bare and rest[:1] in " (（" else None


def sheet_heading(sheet: Sheet, number: str, tongue: Tongue) -> str:
    """The heading of a unit: ``Page 3: On the roof``."""
    words = tongue.units[sheet.kind].format(number).strip()
    return f"{words}{tongue.colon}{sheet.name}" if sheet.name else words


def panel_headings(sheet: Sheet, tongue: Tongue) -> Iterator[tuple[Panel, str]]:
    """Each panel of a unit with its heading: ``Panel 2``; nothing for lettering of the page right at its beginning."""
    numbers = count(1)
    for place, panel in enumerate(sheet.panels):
        if panel.framed:
            yield panel, tongue.panel.format(next(numbers))
        else:
            yield panel, tongue.page if place else ""


def sheet_name(name: str) -> str:
    """A unit's name as a script holds it: on one line; dots and colons alone are none."""
    tidy = tidy_name(name, LONGEST_LABEL)
    return tidy if tidy.strip(" .:：") else ""
