"""The lightbox: pages of a workspace laid out to be looked at, whatever widget looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.brief import Brief
from lantern_kit.comic.locks import LockService
from lantern_kit.comic.model import UnitKind
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.words import titles_of
from lantern_kit.comic.work.unit import picture_title
from lantern_kit.kernel.errors import Corrupt, LanternError, NotFound, nearest
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.widgets.sheets.fact_words import say
from lantern_kit.widgets.sheets.facts import Facts, Row
from lantern_kit.widgets.sheets.keys import Keyed, Keys
from lantern_kit.widgets.sheets.sheet import sheet
from lantern_kit.widgets.sheets.sources import Seen, Sources
from lantern_kit.widgets.sheets.thumbs import Thumbs
from lantern_kit.widgets.sheets.tiles import Tiles

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host

NAMED = 8
"""Units that an error names."""


class Lightbox:
    """Everything that is asked of sheets, without a browser. Several threads may ask at once.

    Args:
        host: the workspace.
    """

    def __init__(self, host: Host) -> None:
        self._host = host
        self.sources = Sources(host.comics)
        self.keys = Keys(host.assets, host.renderer.fonts)
        self._facts = Facts(host)

    def units(self, seen: Seen, language: Language) -> dict[str, Any]:
        """A chapter's units in order, none of them read whole, and the direction of reading."""
        listed = self._listed(seen)
        titles = titles_of((item.brief for item in listed), language)
        return {
            "revision": seen.revision,
            "direction": seen.book.chapter.direction.value,
            "units": [self._row(item, titles[item.brief.id], language) for item in listed],
        }

    def thumbs(
        self, seen: Seen, units: Sequence[str], edge: int, tell: Progress = quiet
    ) -> tuple[list[dict[str, Any]], list[bytes]]:
        """Small pictures of some units; of one that cannot be painted the error, and no bytes."""
        facts: list[dict[str, Any]] = []
        pictures: list[bytes] = []
        for unit in units:
            self._require(seen, unit)
        painting = Thumbs(self._host.renderer)
        for unit in steps(units, tell, "thumbs"):
            told: dict[str, Any] = {"unit": unit, "key": ""}
            picture = b""
            try:
                keyed = self._keyed(seen, unit)
                told["key"] = keyed.key
                picture = painting.thumb(seen, keyed, edge)
            except LanternError as error:
                told["error"] = error.payload()
            facts.append(told)
            pictures.append(picture)
        return facts, pictures

    def sheet(self, seen: Seen, unit: str, language: Language) -> dict[str, Any]:
        """The facts of a sheet. Raises NotFound, Corrupt."""
        keyed = self._keyed(seen, unit)
        return sheet(
            seen,
            keyed,
            self.title(seen, unit, language),
            pictures=self._host.renderer.pictures,
            picture_title=lambda asset: picture_title(self._host, asset),
            locks=LockService(self._host.comics).of_chapter(seen.book.chapter.id),
            language=language,
        )

    def tiles(self, seen: Seen, unit: str, level: int, spots: Sequence[tuple[int, int]]) -> tuple[str, list[bytes]]:
        """The key of a sheet as it is now, and tiles of one of its levels. Raises NotFound, Corrupt."""
        key = self._keyed(seen, unit).key
        book = seen.book
        return key, Tiles(self._host.renderer).tiles(key, book.unit(unit), book.chapter, level, spots)

    def facts(self, seen: Seen, unit: str, thing: str, language: Language) -> list[Row]:
        """What is told of an object of a unit, or of the unit itself. Raises NotFound, Corrupt."""
        self._keyed(seen, unit)
        return self._facts.rows(seen, unit, thing, self.title(seen, unit, language), language)

    def title(self, seen: Seen, unit: str, language: Language) -> str:
        """What people call a unit."""
        try:
            briefs = seen.book.briefs()
        except Corrupt:
            briefs = tuple(item.brief for item in self._listed(seen))
        return titles_of(briefs, language)[unit]

    # parts

    def _listed(self, seen: Seen) -> list[Keyed]:
        """All units; one that is damaged stands in its place with no key, so that the others can be looked at."""
        try:
            return self.keys.of(seen.book)
        except Corrupt:
            return [self._or_damaged(seen, unit) for unit in seen.book.order]

    def _or_damaged(self, seen: Seen, unit: str) -> Keyed:
        try:
            return self.keys.of(seen.book, [unit])[0]
        except Corrupt:
            paper = seen.book.chapter.paper
            return Keyed(Brief(unit, UnitKind.PAGE, "", paper.width, paper.height, (), 0), "", ())

    def _row(self, item: Keyed, title: str, language: Language) -> dict[str, Any]:
        brief = item.brief
        return {
            "unit": brief.id,
            "title": title if item.key else say("title.damaged", language, title=title),
            "kind": brief.kind.value if item.key else "damaged",
            "key": item.key,
            "width": brief.width / 1_000,
            "height": brief.height / 1_000,
            "spread": brief.kind is UnitKind.SPREAD,
        }

    def _keyed(self, seen: Seen, unit: str) -> Keyed:
        self._require(seen, unit)
        try:
            return self.keys.of(seen.book, [unit])[0]
        except Corrupt as error:
            raise Corrupt(
                f"the page {unit} is damaged in the journal: {error.message}",
                ids=[unit, *error.ids],
                recovery="Run lantern verify to see all that is damaged; the page as it was can be picked from an"
                " earlier revision. The other pages can be looked at.",
            ) from error

    def _require(self, seen: Seen, unit: str) -> None:
        if unit in seen.book:
            return
        close = nearest(unit, seen.book.order)
        raise NotFound(
            f"{unit[:40]} is not a unit of this chapter at {seen.revision or seen.source}",
            expected=close or list(seen.book.order[:NAMED]),
            found=unit[:40],
            ids=[unit[:40]],
            recovery="Ask for the units again, and name one of them.",
        )
