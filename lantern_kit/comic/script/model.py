"""A script: units, panels and lines as values, without places or looks.

Every text in it is tidy: no control characters, no spaces at the ends of its lines, no empty lines at its own ends.
``script_of`` and both readers give tidy scripts only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from lantern_kit.comic.model import BalloonShape, UnitKind

MOST_TEXT = 200_000
"""Characters of a script."""
LONGEST_NAME = 80
LONGEST_LABEL = 120
LONGEST_TITLE = 200
_CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_APART = re.compile(r"\n{3,}")
_SPACES = re.compile(r"\s+")


class Voice(StrEnum):
    """What is lettered."""

    BALLOON = "balloon"
    CAPTION = "caption"
    SOUND = "sound"
    TITLE = "title"
    """Lettering on the paper that is no sound: a title, a sign."""


@dataclass(frozen=True, slots=True)
class Line:
    """One balloon, caption or piece of lettering on the paper."""

    text: str
    """Words with their marks (``comic.markup``)."""
    voice: Voice = Voice.BALLOON
    speaker: str = ""
    """Of a balloon, in capitals as scripts write names; empty where nobody is named."""
    shape: BalloonShape = BalloonShape.ELLIPSE
    """Of a balloon: how it is said."""
    off: bool = False
    """Its speaker is outside of the panel."""
    joined: bool = False
    """It goes on from the balloon before it, in one outline with that."""
    label: str = ""
    """A note for people; of a caption, whose words they are."""
    id: str = ""
    """``bl_…``, ``na_…`` or ``tx_…``; empty for a new one."""
    at: int = field(default=0, compare=False)
    """Line of the text it was read from."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A frame with its lettering; without ``framed``, lettering on the page itself, between its panels."""

    lines: tuple[Line, ...] = ()
    description: str = ""
    """What is to be seen."""
    id: str = ""
    """``fr_…``; empty for a new one."""
    framed: bool = True
    at: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page, cover, transition or spread."""

    panels: tuple[Panel, ...] = ()
    """As they are read; lettering on the page itself has panels that are not framed, never two in a row."""
    kind: UnitKind = UnitKind.PAGE
    name: str = ""
    id: str = ""
    """``un_…``; empty for a new one."""
    number: str = field(default="", compare=False)
    """As people count it: told in headings, and never what a unit is found by."""
    at: int = field(default=0, compare=False)

    @property
    def frames(self) -> tuple[Panel, ...]:
        """Its panels that are frames."""
        return tuple(panel for panel in self.panels if panel.framed)

    @property
    def lines(self) -> Iterator[Line]:
        """All its lettering, as it is read."""
        return (line for panel in self.panels for line in panel.lines)


@dataclass(frozen=True, slots=True)
class Script:
    """A chapter's words, or those of some of its units."""

    sheets: tuple[Sheet, ...] = ()
    title: str = ""
    """Of the chapter; empty leaves it as it is."""


def tidy_words(words: str) -> str:
    """Words as a script holds them."""
    return "\n".join(line.strip(" ") for line in _CONTROLS.sub(" ", words).split("\n")).strip("\n")


def tidy_description(text: str) -> str:
    """A description as a script holds it: paragraphs with one empty line between them."""
    return _APART.sub("\n\n", tidy_words(text))


def tidy_name(text: str, most: int = LONGEST_NAME) -> str:
    """A name, label or title as a script holds it: on one line."""
    return _SPACES.sub(" ", _CONTROLS.sub(" ", text)).strip()[:most].rstrip()


def tidy_title(text: str) -> str:
    """A chapter's title as a script holds it."""
    return tidy_name(text, LONGEST_TITLE)
