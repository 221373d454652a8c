"""The stand-in's tale as it is kept: beats with scenes, and what goes between them, in two languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lantern_kit.novel.model import is_chinese

APART = ("story", "interlude", "after", "asked", "filler")
"""Sections that are no beats; some are of several sorts, named after them."""
_SEVERAL = ("when", "echo", "motif")
"""Lines that a section can have more than once."""


@dataclass
class Piece:
    """A paragraph of a scene, with choices and names still open."""

    text: str
    must: bool
    facts: list[str] = field(default_factory=list)
    """What it makes true, in the tale's own short way."""

    @property
    def lore(self) -> bool:
        """Whether it is for a sentence out of a book."""
        return "{lore}" in self.text


@dataclass
class SceneText:
    """A scene."""

    fields: dict[str, str] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)

    @property
    def people(self) -> list[str]:
        """Their parts in the tale, such as hero."""
        return self.fields["people"].split()


@dataclass
class Section:
    """A beat, or what can stand between beats."""

    titles: list[str]
    fields: dict[str, str] = field(default_factory=dict)
    scenes: list[SceneText] = field(default_factory=list)
    when: list[str] = field(default_factory=list)
    """Forms of an instruction that it is for."""
    echo: list[str] = field(default_factory=list)
    """How it shows later on."""
    motif: list[str] = field(default_factory=list)
    """What stands for something that was not understood."""
    lines: list[list[str]] = field(default_factory=lambda: [[]])
    """Sentences that go together."""


@dataclass(frozen=True)
class Tale:
    """The whole."""

    beats: tuple[Section, ...]
    apart: Mapping[str, Section]

    @property
    def story(self) -> Mapping[str, str]:
        """What is said of the whole."""
        return self.apart["story"].fields

    @property
    def filler(self) -> list[list[str]]:
        """Sentences that tell of the place and nothing else, by what they are about."""
        return self.apart["filler"].lines

    def sorts(self, name: str) -> list[Section]:
        """The sections of a name, of all its sorts, in order."""
        return [section for key, section in self.apart.items() if key.partition(" ")[0] == name]


@cache
def tale(language: str) -> Tale:
    """The tale in a language: Chinese for Chinese, else English."""
    name = "zh" if is_chinese(language) else "en"
    beats: list[Section] = []
    apart: dict[str, Section] = {}
    now = Section([])
    for line in Path(__file__).with_name(f"tale_{name}.txt").read_text("utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if not line or mark == "#":
            continue
        if mark == "==":
            now = Section([title.strip() for title in rest.split(" | ")])
            if rest.partition(" ")[0] in APART:
                apart[rest] = now
            else:
                beats.append(now)
        elif mark == "--" and now is apart.get("filler"):
            now.lines.append([])
        elif mark == "--":
            now.scenes.append(SceneText())
        elif mark in {"!", "?"}:
            now.scenes[-1].pieces.append(Piece(rest, mark == "!"))
        elif mark == "+":
            now.scenes[-1].pieces[-1].facts.append(rest)
        elif now is apart.get("filler"):
            now.lines[-1].append(line)
        else:
            fields = now.scenes[-1].fields if now.scenes else now.fields
            key, _, value = line.partition(": ")
            if key in _SEVERAL:
                getattr(now, key).append(value)
            else:
                fields[key] = value
    return Tale(tuple(beats), apart)
