"""Sheets: what browsers ask of a chapter's pages to show them; mixed into every panel that shows any."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.widgets.asks import Answer, Args, Ask, answers
from lantern_kit.widgets.sheets.lightbox import Lightbox
from lantern_kit.widgets.sheets.sources import Seen

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

AT_ONCE = 24
"""Tiles or thumbs of one ask at most."""
Name = Annotated[str, Field(min_length=1, max_length=60)]
Place = Annotated[int, Field(ge=0, le=1_000_000)]


class UnitsArgs(Args):
    """Which units: all of a source, ``head``, ``r41``, ``c3:theirs``."""

    source: Name = "head"


class ThumbsArgs(UnitsArgs):
    """Small pictures of some units."""

    units: list[Name] = Field(min_length=1, max_length=AT_ONCE)
    edge: int = Field(200, ge=16, le=800)
    """Pixels of the longer side."""


class SheetArgs(UnitsArgs):
    """One unit."""

    unit: Name


class TilesArgs(SheetArgs):
    """Parts of one unit."""

    level: Place
    """From 0, the coarsest."""
    tiles: list[tuple[Place, Place]] = Field(min_length=1, max_length=AT_ONCE)
    """Columns and rows, from 0."""


class FactsArgs(SheetArgs):
    """An object of a unit, or the unit itself."""

    object: Name


class Sheets:
    """Answers what browsers ask of pages.

    ``host`` and ``chapter_id`` say of which chapter; other sources than those of ``Sources`` come by overriding
    ``book_of``, or ``seen`` where their revision is known.
    """

    host: Workspace
    chapter_id: str

    @cached_property
    def lightbox(self) -> Lightbox:
        """Where the pages are laid out."""
        return Lightbox(self.host)

    def seen(self, source: str) -> Seen:
        """The chapter at a source. Raises BadInput, NotFound, or what ``book_of`` raises."""
        sources = self.lightbox.sources
        if sources.knows(source):
            return sources.seen(self.chapter_id, source)
        return Seen(source, self.book_of(source), "")

    def book_of(self, source: str) -> Book:
        """What a source holds. Raises BadInput for one of no known form, NotFound."""
        return self.lightbox.sources.seen(self.chapter_id, source).book

    @answers("units", UnitsArgs)
    def tell_units(self, ask: Ask[UnitsArgs]) -> dict[str, Any]:
        """All units in order: ids, titles, kinds, keys, sizes in millimetres; and the direction of reading."""
        return self.lightbox.units(self.seen(ask.args.source), ask.language)

    @answers("thumbs", ThumbsArgs)
    def send_thumbs(self, ask: Ask[ThumbsArgs]) -> Answer:
        """Small pictures, one buffer a unit as asked; an empty one where ``thumbs`` has an error instead."""
        args = ask.args
        told, pictures = self.lightbox.thumbs(
            self.seen(args.source), args.units, args.edge, lambda _, done, total: ask.progress(done, total)
        )
        return Answer({"thumbs": told}, pictures)

    @answers("sheet", SheetArgs)
    def tell_sheet(self, ask: Ask[SheetArgs]) -> dict[str, Any]:
        """One unit: its key, areas, levels, objects, reading order, and pictures that are not there."""
        return self.lightbox.sheet(self.seen(ask.args.source), ask.args.unit, ask.language)

    @answers("tiles", TilesArgs)
    def send_tiles(self, ask: Ask[TilesArgs]) -> Answer:
        """Parts of one unit at one level, one buffer a tile as asked, with the key that they belong to."""
        args = ask.args
        key, painted = self.lightbox.tiles(self.seen(args.source), args.unit, args.level, args.tiles)
        return Answer({"key": key, "tiles": [list(spot) for spot in args.tiles]}, painted)

    @answers("facts", FactsArgs)
    def tell_facts(self, ask: Ask[FactsArgs]) -> dict[str, Any]:
        """What is told of one object, as rows of a label and a value in the reader's language."""
        args = ask.args
        rows = self.lightbox.facts(self.seen(args.source), args.unit, args.object, ask.language)
        return {"rows": [list(row) for row in rows]}
