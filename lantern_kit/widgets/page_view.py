"""PageView: a chapter to look through, page by page, in pairs or as a strip; to point at, read of and annotate."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field

from lantern_kit.comic.found import finding_words
from lantern_kit.comic.locks import LockService
from lantern_kit.comic.model import Direction
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.words import object_names
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.unit import UnitWork, picture_title
from lantern_kit.kernel.errors import BadInput, LanternError
from lantern_kit.widgets.asks import Answer, Ask, answers, desk
from lantern_kit.widgets.given import CHAPTER, given
from lantern_kit.widgets.notes import Notes
from lantern_kit.widgets.page.first_look import MODES, USUAL, Mode, OpenArgs, first_tiles
from lantern_kit.widgets.page.still import still_html, still_text
from lantern_kit.widgets.panel import Panel
from lantern_kit.widgets.sheets import Name, Sheets, UnitsArgs
from lantern_kit.widgets.sheets.sources import HEAD, Seen, Sources

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace


class FindingsArgs(UnitsArgs):
    """What the checks find on some units."""

    units: list[Name] = Field(min_length=1, max_length=12)


class PageView(Notes, Sheets, Panel):
    """Pages to look into: deep zoom, outlines and handles, guides, annotations, all pages of the chapter below.

    It follows the work as it goes on, unless a revision is named.

    Args:
        shown: a chapter, or one of its units; a unit of an earlier revision is shown as it was.
        revision: the revision to show, ``r41``; None is the work as it stands.
        unit: id of the unit to begin with; None is the first.
        mode: ``page``, ``spread`` or ``strip``; None is ``strip`` for what is read from the top down, else ``page``.
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.

    Raises:
        NotFound: there is no such revision or unit.
        BadInput: there is no such mode or language.
    """

    kind = "page"
    host: Workspace

    def __init__(
        self,
        shown: ChapterWork | UnitWork,
        revision: str | None = None,
        *,
        unit: str | None = None,
        mode: Mode | None = None,
        language: str = "",
    ) -> None:
        if not isinstance(shown, UnitWork):
            given(shown, ChapterWork, expected="a chapter or one of its units", recovery=CHAPTER)
        host = cast("Workspace", shown.host)
        if isinstance(shown, UnitWork):
            chapter = shown.moment.book.chapter.id
            unit = shown.id if unit is None else unit
            if revision is None and shown.moment.id != host.comics.head(chapter).id:
                revision = shown.moment.id
        else:
            chapter = shown.id
        seen = Sources(host.comics).seen(chapter, revision or HEAD)
        if unit is not None:
            seen.book.position(unit)
        if mode is not None and mode not in MODES:
            raise BadInput("pages do not lie like that", expected=list(MODES), found=str(mode)[:20])
        self.chapter_id = chapter
        down = seen.book.chapter.direction is Direction.TTB
        state = {"source": seen.source, "unit": unit or "", "mode": mode or ("strip" if down else "page")}
        super().__init__(host, language=language, state=state)
        desk().take(self._ahead)

    # what browsers ask

    @answers("open", OpenArgs)
    def open_book(self, ask: Ask[OpenArgs]) -> Answer:
        """All that a first picture needs: the units, one sheet, and its tiles as they will be seen."""
        args = ask.args
        seen = self.seen(args.source)
        order = seen.book.order
        unit = args.unit if args.unit in seen.book else order[0] if order else ""
        told: dict[str, Any] = {
            "book": self._book(seen, ask.language),
            "unit": unit,
            "sheet": None,
            "level": 0,
            "tiles": [],
        }
        if args.screen is None or not unit:
            return Answer(told)
        try:
            sheet = told["sheet"] = self.lightbox.sheet(seen, unit, ask.language)
            level, tiles = first_tiles(sheet, args)
            _, painted = self.lightbox.tiles(seen, unit, level, tiles)
        except LanternError as error:  # the other pages can be looked at all the same
            return Answer({**told, "fault": error.payload()})
        return Answer({**told, "level": level, "tiles": [list(spot) for spot in tiles]}, painted)

    @answers("news", UnitsArgs)
    def news(self, ask: Ask[UnitsArgs]) -> dict[str, str]:
        """What a browser shows may be old: the newest revision, and what changes when locks or annotations do."""
        locks = LockService(self.host.comics).of_chapter(self.chapter_id)
        notes = self.host.annotation_service.of_chapter(self.chapter_id, states=None)
        return {
            "head": self.host.comics.head(self.chapter_id).id,
            "revision": self.seen(ask.args.source).revision,
            "locks": _mark(str(lock) for lock in locks),
            "notes": _mark(f"{note.id} {note.state} {note.changed_at} {len(note.messages)}" for note in notes),
        }

    @answers("findings", FindingsArgs)
    def findings(self, ask: Ask[FindingsArgs]) -> dict[str, Any]:
        """What the checks find, in the reader's language."""
        seen = self.seen(ask.args.source)
        return {"findings": [row for unit in ask.args.units for row in self._findings(seen, unit, ask.language)]}

    # without a browser

    def text(self) -> str:
        """What it shows, in words."""
        return still_text(self.host, self.lightbox, self._now(), self._place(), self.tongue)

    def picture(self) -> str:
        """The page that is looked at; of a strip and of spreads the first pages."""
        return still_html(self.host, self.lightbox, self._now(), self._place(), self._mode(), self.tongue)

    # parts

    def _ahead(self) -> None:
        """Paint what a browser will most likely ask for first, while it is still loading."""
        args = OpenArgs(source=self._source(), unit=self._place(), mode=self._mode(), screen=USUAL)
        with suppress(LanternError):  # whoever looks is told
            self.open_book(Ask(args, "en", lambda *_: None))

    def _now(self) -> Seen:
        return self.seen(self._source())

    def _source(self) -> str:
        return str(self.state.get("source") or HEAD)

    def _mode(self) -> Mode:
        return next((mode for mode in MODES if mode == self.state.get("mode")), "page")

    def _place(self) -> str:
        return str(self.state.get("unit", ""))

    def _book(self, seen: Seen, language: Language) -> dict[str, Any]:
        chapter = seen.book.chapter
        return {
            **self.lightbox.units(seen, language),
            "chapter": self.chapter_id,
            "head": seen.revision if seen.source == HEAD else self.host.comics.head(self.chapter_id).id,
            "binding": chapter.paper.binding.value,
        }

    def _findings(self, seen: Seen, unit: str, language: Language) -> list[dict[str, Any]]:
        held = seen.book.unit(unit)
        found = self.host.checker.check(held, seen.book.chapter)
        names = object_names(held, language=language, titles=lambda asset: picture_title(self.host, asset))
        title = self.lightbox.title(seen, unit, language)
        return [
            {
                "id": f"{unit}/{number}",
                "rule": item.rule,
                "severity": item.severity,
                "unit": unit,
                "object": item.object,
                "name": names.get(item.object) or title,
                "message": finding_words(item, language),
            }
            for number, item in enumerate(found)
        ]


def _mark(lines: Any) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
