"""The story without a server: its change sets applied in memory, checked and mended there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from lantern_kit import datasets
from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities.facts import thing_facts
from lantern_kit.comic.checks import check_unit
from lantern_kit.comic.edit import EditContext, apply_changeset
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.model import Chapter, Paper
from lantern_kit.demo.mend import remedies
from lantern_kit.demo.script import Operation, Step
from lantern_kit.demo.story import PARTS, PICTURES
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.ids import SeededIds


@dataclass(frozen=True)
class Facts:
    """What edits and checks ask of a picture."""

    width: int
    height: int
    alpha: bool
    media: str
    source_of: str | None


@cache
def facts() -> Mapping[str, Facts]:
    """The story's pictures, under the names it gives them."""
    found = {}
    for source in PICTURES:
        photo = datasets.photo(source.photo)
        cut_of = source.photo if source.cut else None
        found[source.name] = Facts(photo.width, photo.height, source.cut, "image/png", cut_of)
    return found


@cache
def pictures() -> Mapping[str, Picture]:
    """The same pictures, decoded."""
    return {
        source.name: decode(datasets.open_matte(source.photo) if source.cut else datasets.open_photo(source.photo))
        for source in PICTURES
    }


class Stage:
    """A chapter in memory and the names of what was made in it."""

    def __init__(self, *, seed: int = 1) -> None:
        chapter = Chapter(id="ch_00000000", comic="Chelsea Goes Up", paper=Paper(width=105_000, height=148_000))
        self.book = Book.of(chapter)
        self.known = {"chapter": chapter.id}
        self._context = EditContext(SeededIds(seed), lambda asset: facts()[asset])

    def play(self, step: Step) -> None:
        """Apply one change set of the story."""
        own = {item["as"] for item in step.operations if "as" in item}
        self.apply([self._said(item, own) for item in step.operations])

    def apply(self, operations: Iterable[Operation]) -> None:
        """Apply a change set whose targets are ids."""
        result = apply_changeset(self.book, list(operations), self._context)
        self.book = result.book
        self.known.update(result.made)

    def findings(self) -> list[Finding]:
        """What the checks find."""
        return [found for unit in self.book.units() for found in check_unit(unit, self.book.chapter, facts().get)]

    def mend(self) -> None:
        """Mend once what the checks find."""
        objects = {item.id: thing_facts(item) for unit in self.book.units() for item in unit.objects}
        self.apply(remedies([found.model_dump() for found in self.findings()], objects))

    def _said(self, value: Any, own: set[str]) -> Any:
        if isinstance(value, str):
            if value.startswith("$"):
                return value[1:]
            if value.startswith("@") and value[1:].partition(".")[0] not in own:
                return self.known[value[1:]]
            return value
        if isinstance(value, Mapping):
            return {key: self._said(item, own) for key, item in value.items()}
        return [self._said(item, own) for item in value] if isinstance(value, list | tuple) else value


def played() -> Stage:
    """The whole story as first drafted."""
    stage = Stage()
    for part in PARTS:
        for step in part.steps:
            stage.play(step)
    return stage
