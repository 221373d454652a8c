r"""Words with marks: ruby as Denden Markdown writes it, styles as bracketed spans of Pandoc's Markdown.

``{漢字|かんじ}``            group ruby: one reading for all of the base
``{漢字|かん|じ}``           mono ruby: as many readings as the base has characters
``[so what]{.bold}``       a look of its own: ``.bold .italic .plain .dots .sesame .tcy .upright size=1.4 colour=#c00000
font=sound``
``\{ \[ \\``               the character itself, where it would begin a mark

The full-width bar that Japanese and Chinese keyboards write, ``{漢字｜かんじ}``, is a bar as well.

``.dots`` and ``.sesame`` are emphasis marks; ``.tcy`` stands upright in one place of a column (tate-chu-yoko), and
``.upright`` sets each character upright. Marks may stand inside each other. What is no mark is taken as it is written,
so that no text is ever refused.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lantern_kit.comic.model import MILLION
from lantern_kit.kernel.remembered import remembered

MOST_READINGS = 60
LONGEST_FONT = 80
DEEPEST = 8
"""Marks inside marks; deeper ones are taken as written."""
_BARS = "|｜"
_ESCAPED = frozenset("{[\\|｜]}｛")
_ATTRIBUTES = re.compile(r"\{([^{}]+)\}")
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


class Look(NamedTuple):
    """How a stretch of words differs from the style of the whole; None and empty are as the style says."""

    bold: bool | None = None
    italic: bool | None = None
    size: int = MILLION
    """Over the size of the whole, in millionths."""
    colour: str = ""
    font: str = ""
    marks: str = ""
    """Emphasis beside each character: ``dots`` or ``sesame``."""
    column: str = ""
    """In columns: ``tcy`` is upright in one place, ``upright`` each character upright."""


class Stretch(NamedTuple):
    """Characters of one look."""

    start: int
    end: int
    look: Look


class Ruby(NamedTuple):
    """Readings beside a base."""

    start: int
    end: int
    readings: tuple[str, ...]
    """One for the whole base, or one a character."""


class Marked(NamedTuple):
    """Words and what is marked in them; places count characters of ``text``."""

    text: str
    """The words as they are read, without marks."""
    stretches: tuple[Stretch, ...]
    """All of the text, in order."""
    rubies: tuple[Ruby, ...]


_PLAIN = Look()


def plain(words: str) -> str:
    """The words as they are read, without marks."""
    return parse(words).text if "{" in words or "\\" in words else words


@remembered(1_000_000)
def parse(words: str) -> Marked:
    """Words taken apart: their text, looks and readings."""
    reader = _Reader(words)
    reader.read(0, len(words), _PLAIN, 0)
    return Marked("".join(reader.text), tuple(_joined(reader.looks)), tuple(reader.rubies))


class Suspect(NamedTuple):
    """What looks like a mark and is none, so that it is printed as it stands."""

    start: int
    """Where it begins in the words as they are written."""
    written: str
    meant: str
    """The mark that is most likely meant; empty where nobody can tell."""


LONGEST_SUSPECT = 80
_SPAN = rf"[^{{}}\[\]\n]{{1,{LONGEST_SUSPECT}}}"
_PART = rf"[^{{}}\[\]|｜\n]{{1,{LONGEST_SUSPECT}}}"
_LOOKS = ("bold", "italic", "plain", "dots", "sesame", "tcy", "upright", "size", "colour", "font")
_SUSPECTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"\[({_PART})[|｜]({_PART})\](?!\{{)"), lambda found: f"{{{found[1]}|{found[2]}}}"),
    (re.compile(rf"[|｜]({_PART})《([^《》\n]{{1,{LONGEST_SUSPECT}}})》"), lambda found: f"{{{found[1]}|{found[2]}}}"),
    (re.compile(rf"｛({_PART})[|｜]({_PART})[｝}}]"), lambda found: f"{{{found[1]}|{found[2]}}}"),
    (re.compile(rf"\[({_SPAN})\]\{{([^{{}}\n]{{1,{LONGEST_SUSPECT}}})\}}"), lambda found: _nearest(found[1], found[2])),
    (re.compile(rf"\{{({_PART})[|｜]({_PART})(?![^\n]*\}})"), lambda found: f"{{{found[1]}|{found[2]}}}"),
    (re.compile(rf"\{{(?:{_PART})?(?:[|｜](?:{_PART})?)+\}}"), lambda _: ""),
    (re.compile(rf"(?<!\])\{{\.[a-z]{{1,{LONGEST_SUSPECT}}}\}}"), lambda _: ""),
)


def suspects(words: str) -> tuple[Suspect, ...]:
    """What in words looks like a mark and is none, in order: a likely slip of whoever wrote them.

    Full-width braces, ruby in square brackets or as Aozora Bunko writes it (``｜漢字《かんじ》``), a brace that is not
    closed, an empty reading, and looks that nobody has (``[so]{.bol}``). What is escaped is meant as it is.
    """
    if not any(character in words for character in "{[|｜｛"):
        return ()
    reader = _Reader(words)
    reader.read(0, len(words), _PLAIN, 0)
    found: list[Suspect] = []
    end = 0
    for at in sorted(reader.literal):
        if at < end:
            continue
        for pattern, meant in _SUSPECTS:
            match = pattern.match(words, at)
            if match is not None:
                found.append(Suspect(at, match[0], meant(match)))
                end = match.end()
                break
    return tuple(found)


def _nearest(words: str, attributes: str) -> str:
    """A span with looks that there are, for one with looks that there are not; empty where none is near."""
    meant = []
    for word in attributes.split():
        name, sign, value = word.partition("=")
        near = difflib.get_close_matches(name.lstrip(".").lower(), _LOOKS, 1)
        if not near:
            return ""
        meant.append(near[0] + sign + value if sign else f".{near[0]}")
    mark = f"[{words}]{{{' '.join(meant)}}}"
    return mark if _look(" ".join(meant), _PLAIN) is not None else ""


class _Reader:
    def __init__(self, words: str) -> None:
        self.words = words
        self.text: list[str] = []
        self.looks: list[Look] = []
        self.rubies: list[Ruby] = []
        self.literal: set[int] = set()
        """Places of characters that might have begun a mark, and are taken as written."""
        self.ends, self.bars = _partners(words)

    def read(self, at: int, end: int, look: Look, depth: int) -> None:
        while at < end:
            character = self.words[at]
            close = self.ends.get(at, end) if depth < DEEPEST else end
            if character == "\\" and at + 1 < end and self.words[at + 1] in _ESCAPED:
                self._add(self.words[at + 1], look)
                at += 2
            elif character == "{" and close < end and self._ruby(at + 1, close, look, depth + 1):
                at = close + 1
            elif character == "[" and close < end and (found := self._span(at, close, end, look, depth + 1)):
                at = found
            else:
                if character in "{[|｜｛":
                    self.literal.add(at)
                self._add(character, look)
                at += 1

    def _add(self, character: str, look: Look) -> None:
        self.text.append(character)
        self.looks.append(look)

    def _ruby(self, start: int, close: int, look: Look, depth: int) -> bool:
        bars = self.bars[start - 1]
        parts = [*zip([start, *(bar + 1 for bar in bars)], [*bars, close], strict=True)]
        if not 2 <= len(parts) <= MOST_READINGS + 1 or any(begin == end for begin, end in parts):
            return False
        readings = [self._aside(*part, depth) for part in parts[1:]]
        first, before = len(self.text), len(self.rubies)
        self.read(*parts[0], look, depth)
        del self.rubies[before:]  # a reading over a reading has no place
        base = "".join(self.text[first:])
        if len(readings) > 1 and len(readings) != len(list(_clusters(base))):
            readings = ["".join(readings)]
        if base.strip():
            self.rubies.append(Ruby(first, len(self.text), tuple(readings)))
        return True

    def _aside(self, start: int, end: int, depth: int) -> str:
        """Words as they are read, which stand beside the text and not in it."""
        first, before = len(self.text), len(self.rubies)
        self.read(start, end, _PLAIN, depth)
        words = "".join(self.text[first:])
        del self.text[first:], self.looks[first:], self.rubies[before:]
        return words

    def _span(self, at: int, close: int, end: int, look: Look, depth: int) -> int:
        """The place after a bracketed span; 0 when it is none."""
        found = _ATTRIBUTES.match(self.words, close + 1, end)
        changed = _look(found[1], look) if found else None
        if found is None or changed is None:
            return 0
        self.read(at + 1, close, changed, depth)
        return found.end()


def _look(attributes: str, look: Look) -> Look | None:
    """A look with attributes applied; None when one of them is unknown, or there are none."""
    if not attributes.strip():
        return None
    for word in attributes.split():
        name, _, value = word.partition("=")
        if name in (".bold", ".italic"):
            look = look._replace(bold=True) if name == ".bold" else look._replace(italic=True)
        elif name == ".plain":
            look = look._replace(bold=False, italic=False)
        elif name in (".dots", ".sesame"):
            look = look._replace(marks=name[1:])
        elif name in (".tcy", ".upright"):
            look = look._replace(column=name[1:])
        elif name in ("colour", "color") and _COLOUR.fullmatch(value):
            digits = value[1:].lower()
            look = look._replace(colour="#" + ("".join(2 * digit for digit in digits) if len(digits) == 3 else digits))
        elif name == "font" and 0 < len(value) <= LONGEST_FONT:
            look = look._replace(font=value.replace("_", " "))
        elif name == "size" and re.fullmatch(r"\d(\.\d{1,3})?", value) and 0.3 <= float(value) <= 5:
            look = look._replace(size=round(float(value) * MILLION))
        else:
            return None
    return look


def _partners(words: str) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Where each opening brace and bracket is closed, and the bars that stand in it and in nothing inside it."""
    ends: dict[int, int] = {}
    bars: dict[int, list[int]] = {}
    waiting: list[int] = []
    at = 0
    while at < len(words):
        character = words[at]
        if character == "\\" and words[at + 1 : at + 2] in _ESCAPED:
            at += 2
            continue
        if character in "{[":
            waiting.append(at)
            bars[at] = []
        elif character in _BARS and waiting:
            bars[waiting[-1]].append(at)
        elif character in "}]":
            wanted = "{" if character == "}" else "["
            # What was opened inside and never closed is taken as written.
            for place in range(len(waiting) - 1, max(-1, len(waiting) - 9), -1):
                if words[waiting[place]] == wanted:
                    ends[waiting[place]] = at
                    for unclosed in waiting[place + 1 :]:
                        bars[waiting[place]] += bars.pop(unclosed)
                    del waiting[place:]
                    break
        at += 1
    return ends, bars


def _clusters(text: str) -> Iterator[str]:
    """Characters with what is written over them."""
    cluster = ""
    for character in text:
        if cluster and not (unicodedata.combining(character) or character in "\ufe0e\ufe0f\U000e0100"):
            yield cluster
            cluster = ""
        cluster += character
    if cluster:
        yield cluster


def _joined(looks: list[Look]) -> Iterator[Stretch]:
    start = 0
    for at in range(1, len(looks) + 1):
        if at == len(looks) or looks[at] != looks[start]:
            yield Stretch(start, at, looks[start])
            start = at
