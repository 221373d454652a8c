"""Comics, chapters and units as people hold them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import ValidationError

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.problems import bad_arguments
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.locks import Lock, LockService
from lantern_kit.comic.measure import counted, micrometres
from lantern_kit.comic.model import Binding, Direction, Paper, Unit
from lantern_kit.comic.service import Moment, Snapshot
from lantern_kit.comic.words import object_name
from lantern_kit.comic.work import show
from lantern_kit.comic.work.editing import Edit
from lantern_kit.comic.work.history import History, read_history
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.revision import revision_number

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from lantern_kit.comic.annotation import State
    from lantern_kit.comic.export import Progress
    from lantern_kit.comic.formats.report import ExportReport
    from lantern_kit.comic.work.annotation import Annotations, AnnotationWork, Attach
    from lantern_kit.comic.work.blame import BlameWork
    from lantern_kit.comic.work.conflict import ConflictShelf
    from lantern_kit.comic.work.host import Host

PAPERS: dict[str, tuple[float, float]] = {
    "A4": (210, 297),
    "A5": (148, 210),
    "A6": (105, 148),
    "B5": (182, 257),
    "US comic": (168.275, 260.35),
}
"""Trim sizes by name, width and height in millimetres."""
_SIZE = re.compile(r"\s*(\d{1,4}(?:\.\d{1,3})?)\s*[x×]\s*(\d{1,4}(?:\.\d{1,3})?)\s*(?:mm)?\s*", re.IGNORECASE)


def paper(
    size: str | tuple[float, float] = "A5",
    *,
    bleed: float = 3,
    safe: float = 5,
    dpi: int = 600,
    binding: Binding | str = Binding.LEFT,
) -> Paper:
    """Paper by name, by ``"148x210"`` or by trim width and height; lengths in millimetres. Raises BadInput."""
    width, height = _trim(size) if isinstance(size, str) else size
    if not all(map(math.isfinite, (width, height, bleed, safe))):
        raise BadInput("the lengths of a paper are finite numbers of millimetres")
    try:
        return Paper(
            width=micrometres(width),
            height=micrometres(height),
            bleed=micrometres(bleed),
            safe=micrometres(safe),
            dpi=dpi,
            binding=Binding(binding),
        )
    except ValidationError as error:
        raise bad_arguments(error, Paper, root="paper") from error


def _trim(size: str) -> tuple[float, float]:
    found = {name.lower(): value for name, value in PAPERS.items()}.get(size.strip().lower())
    if found is not None:
        return found
    written = _SIZE.fullmatch(size)
    if written is None:
        known = [*PAPERS, "WIDTHxHEIGHT in millimetres"]
        raise BadInput(f"{size[:40]} is not a known paper", expected=known, found=size[:40])
    return float(written[1]), float(written[2])


class Comic:
    """A comic: its chapters, by number."""

    def __init__(self, host: Host, title: str) -> None:
        self._host = host
        self.title = title

    def __repr__(self) -> str:
        return f"<Comic {self.title!r}: {counted(len(self.chapters()), 'chapter')}>"

    def chapters(self) -> list[ChapterWork]:
        """All chapters in order."""
        records = self._host.comics.chapters()
        return [ChapterWork(self._host, item.id) for item in records if item.comic == self.title]

    def chapter(self, number: int) -> ChapterWork:
        """One chapter. Raises NotFound."""
        records = [item for item in self._host.comics.chapters() if item.comic == self.title]
        for item in records:
            if item.number == number:
                return ChapterWork(self._host, item.id)
        raise NotFound(
            f"there is no chapter {number} of {self.title}",
            expected=[item.number for item in records],
            found=number,
            recovery="Begin it with comic.begin_chapter(...)." if records else "List the works: ws.works().",
        )

    def begin_chapter(
        self,
        number: int,
        *,
        size: str | tuple[float, float] | Paper = "A5",
        title: str = "",
        direction: Direction | str = Direction.LTR,
        language: str = "en",
        by: Actor | None = None,
    ) -> ChapterWork:
        """Begin an empty chapter. A right-to-left chapter is bound on the right unless its paper says otherwise."""
        direction = Direction(direction)
        if not isinstance(size, Paper):
            size = paper(size, binding=Binding.RIGHT if direction is Direction.RTL else Binding.LEFT)
        record = self._host.comics.create_chapter(
            comic=self.title,
            number=number,
            actor=by or self._host.owner,
            paper=size,
            title=title,
            direction=direction,
            language=language,
        )
        return ChapterWork(self._host, record.id)


class ChapterWork:
    """A chapter's working line: read, edit, save, compare, restore."""

    def __init__(self, host: Host, chapter: str) -> None:
        self._host = host
        self.id = chapter

    # reading

    @property
    def moment(self) -> Moment:
        """The newest revision with its content."""
        return self._host.comics.head(self.id)

    @property
    def book(self) -> Book:
        """The newest content."""
        return self.moment.book

    @property
    def title(self) -> str:
        """Comic, number and title in one line."""
        facts = self.book.chapter
        return f"{facts.comic} · chapter {facts.number}" + (f" · {facts.title}" if facts.title else "")

    def __len__(self) -> int:
        return len(self.book)

    def __iter__(self) -> Iterator[UnitWork]:
        moment = self.moment
        return (UnitWork(self._host, moment, unit) for unit in moment.book.order)

    def __getitem__(self, place: int | str) -> UnitWork:
        """A unit by its place from 0, or by its id. Raises NotFound."""
        moment = self.moment
        if isinstance(place, str):
            moment.book.position(place)
            return UnitWork(self._host, moment, place)
        try:
            return UnitWork(self._host, moment, moment.book.order[place])
        except IndexError:
            raise NotFound(f"the chapter has {counted(len(moment.book), 'unit')}", found=place) from None

    def at(self, revision: str) -> list[UnitWork]:
        """The units as they were at a revision. Raises NotFound."""
        moment = self._host.comics.at(revision_number(revision))
        return [UnitWork(self._host, moment, unit) for unit in moment.book.order]

    def check(self) -> Findings:
        """What the checks find, all units."""
        units = list(self)
        found = [unit.check() for unit in units]
        names = {
            thing: f"{unit.title}, {name}" if name != unit.title else name
            for unit, here in zip(units, found, strict=True)
            for thing, name in here.names.items()
        }
        return Findings(tuple(item for here in found for item in here), names)

    def __repr__(self) -> str:
        return f"<Chapter {self.title!r}: {counted(len(self), 'unit')}, {self.moment.id}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(
            repr(self), show.filmstrip(self.title, [(unit.render(long_edge=show.THUMB), unit.title) for unit in self])
        )

    # editing

    def edit(self, message: str, *, by: Actor | None = None) -> Edit:
        """A block in which a person edits: ``with chapter.edit("why") as edit:``."""
        return Edit(self._host, self.id, message, by or self._host.owner)

    def undo(self, *, by: Actor | None = None) -> str:
        """Take back the last change; gives the new revision. Raises WrongState."""
        return self._host.comics.undo(self.id, actor=by or self._host.owner).id

    def redo(self, *, by: Actor | None = None) -> str:
        """Bring back what the last undo took; gives the new revision. Raises WrongState."""
        return self._host.comics.redo(self.id, actor=by or self._host.owner).id

    def save(self, title: str, *, by: Actor | None = None) -> Snapshot:
        """Save a version under a title."""
        return self._host.comics.save(self.id, actor=by or self._host.owner, title=title)

    def restore(self, revision: str, reason: str, *, by: Actor | None = None) -> str:
        """Copy an earlier revision's content forward; gives the new revision. Raises NotFound."""
        number = revision_number(revision)
        return self._host.comics.restore(self.id, number, actor=by or self._host.owner, reason=reason).id

    def pick(self, revision: str, *things: str, reason: str = "", by: Actor | None = None) -> str:
        """Bring objects and units back as they were at a revision, without the rest of it; gives the new revision.

        Args:
            revision: of this chapter or of a draft of it, ``r30``.
            things: ids or handles; an object comes with what lay in it and what it cannot stand without.
        """
        names = [parse_handle(thing)[0] for thing in things]
        number = revision_number(revision)
        return self._host.comics.pick(self.id, number, names, actor=by or self._host.owner, reason=reason).id

    # what agents are kept from, and what waits for a choice

    def lock(self, thing: str, reason: str = "", *, by: Actor | None = None) -> Lock:
        """Keep agents from an object, a unit or the chapter with all that lies in it. Raises NotFound, WrongState."""
        name, _ = parse_handle(thing)
        return LockService(self._host.comics).lock(self.id, name, reason, actor=by or self._host.owner)

    def unlock(self, thing: str, *, by: Actor | None = None) -> Lock:
        """Give a locked thing free again. Raises NotFound when it is not locked."""
        name, _ = parse_handle(thing)
        return LockService(self._host.comics).unlock(self.id, name, actor=by or self._host.owner)

    def locks(self) -> Locks:
        """What is locked, oldest first."""
        return Locks(tuple(LockService(self._host.comics).of_chapter(self.id)))

    def conflicts(self, *, settled: bool = False) -> ConflictShelf:
        """What merges could not settle and waits for a choice; with ``settled``, also what was chosen."""
        from lantern_kit.comic.work.conflict import ConflictShelf

        return ConflictShelf(self._host, self.id, settled=settled)

    # what people write about it

    def annotate(
        self, body: str, *, on: Any = (), attach: Attach | Sequence[Attach] = (), by: Actor | None = None
    ) -> AnnotationWork:
        """Write what should be changed; agents read it. Nothing of the chapter itself changes.

        Args:
            body: in your own words.
            on: what it is about, in order: ids or handles, units, ``{"element": id, "at": (0.5, 0.5)}``,
                ``{"unit": id, "point": (0.3, 0.4), "surface": id}``; shares from 0 to 1. May be left out.
            attach: pictures to go with it: registered ones, or files and bytes, which are registered first.
            by: the person, when not the owner.

        Raises:
            BadInput, NotFound, StaleHandle.
        """
        from lantern_kit.comic.work.annotation import write

        return write(self._host, self.id, body, on, attach, by=by)

    def annotations(self, *states: State | str) -> Annotations:
        """The annotations, oldest first: those not settled yet, or those in the states that are named."""
        from lantern_kit.comic.annotation import UNSETTLED, State
        from lantern_kit.comic.work.annotation import Annotations

        return Annotations(self._host, self.id, tuple(State(state) for state in states) or UNSETTLED)

    # history

    def history(
        self,
        *,
        drafts: bool = False,
        actor: str | None = None,
        causes: Sequence[str] = (),
        since: str | datetime | None = None,
        until: str | datetime | None = None,
    ) -> History:
        """The working line, newest first, with its saved versions, proposals and verdicts.

        Args:
            drafts: also the revisions of its drafts.
            actor, causes, since, until: only those; see ``read_history``.
        """
        return read_history(self._host, self.id, drafts=drafts, actor=actor, causes=causes, since=since, until=until)

    def blame(self, thing: str) -> BlameWork:
        """Who gave each property of an object its value: revision, draft, agent, proposal and who approved it.

        ``thing`` is an object, a unit or the chapter, by id or handle; what is gone can be asked for too.
        Raises NotFound.
        """
        from lantern_kit.comic.work.blame import read_blame

        return read_blame(self._host, self.id, thing)

    def analysis(self) -> DuckDBPyConnection:
        """The workspace's analysis tables, brought up to date; this chapter's working line is called ``self.id``."""
        return self._host.analysis()

    def snapshots(self) -> list[Snapshot]:
        """Saved versions, newest first."""
        return self._host.comics.snapshots(self.id)

    # exports

    def export(
        self, folder: str | Path, to: str = "cbz", *, dpi: int = 300, progress: Progress | None = None
    ) -> tuple[ExportReport, ...]:
        """Write the chapter as one ``cbz`` or as ``png`` pages; a report for each file. Raises BadInput."""
        from lantern_kit.comic.export import export_chapter

        return export_chapter(self._host.renderer, self.moment, Path(folder), to=to, dpi=dpi, progress=progress)


class UnitWork:
    """One page, cover, transition or spread at one revision."""

    def __init__(self, host: Host, moment: Moment, unit: str) -> None:
        self._host = host
        self.moment = moment
        self.id = unit

    @property
    def model(self) -> Unit:
        """The unit's content, in micrometres."""
        return self.moment.book.unit(self.id)

    @property
    def number(self) -> int:
        """Its place in the chapter, from 1."""
        return self.moment.book.position(self.id) + 1

    @property
    def title(self) -> str:
        """What people call it, as in the words of changes: ``Page 4 “The Moon”``."""
        return self.moment.titles[self.id]

    def render(self, *, dpi: int | None = None, long_edge: int | None = None, bleed: bool = False) -> show.RenderedPage:
        """Draw it: at ``dpi``, or so that the long edge has ``long_edge`` pixels (1,024 when neither is given)."""
        size: dict[str, Any] = {"dpi": dpi} if dpi is not None else {"long_edge": long_edge or 1024}
        drawn = self._host.renderer.render(self.model, self.moment.book.chapter, bleed=bleed, **size)
        return show.RenderedPage(drawn)

    def check(self) -> Findings:
        """What the checks find here."""
        unit = self.model
        found = tuple(self._host.checker.check(unit, self.moment.book.chapter))
        names = {item.object: object_name(unit, item.object, titles=self._picture) or self.title for item in found}
        return Findings(found, names)

    def _picture(self, asset: str) -> str:
        """What people call a picture; its id when it is not registered here."""
        try:
            return self._host.assets.get(asset).title
        except NotFound:
            return asset

    def __repr__(self) -> str:
        unit = self.model
        return f"<{self.title}: {counted(len(unit.objects), 'object')}, {self.moment.id}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), show.figure(self.render(), f"{self.title} at {self.moment.id}"))


@dataclass(frozen=True)
class Findings(Sequence[Finding]):
    """What checks found, as a list that shows itself as a table."""

    items: tuple[Finding, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    """What people call the objects, by id."""

    def __getitem__(self, place: Any) -> Any:
        return self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        lines = [f"{severity} {rule} {what}: {message}" for severity, rule, what, message in self.rows()]
        return "\n".join(lines) or "no findings"

    def rows(self) -> list[tuple[str, ...]]:
        """One row a finding: severity, rule, object, what."""
        return [(item.severity, item.rule, self._called(item.object), item.message) for item in self.items]

    def _called(self, thing: str) -> str:
        name = self.names.get(thing, "")
        return f"{name} ({thing})" if name else thing

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        heads = ("severity", "rule", "object", "what")
        return show.bundle(repr(self), show.table(heads, self.rows(), empty="no findings"))


@dataclass(frozen=True)
class Locks(Sequence[Lock]):
    """Locks, as a list that shows itself as a table."""

    items: tuple[Lock, ...]
    heads: ClassVar = ("locked", "by", "time", "reason")

    def __getitem__(self, place: Any) -> Any:
        return self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def rows(self) -> list[tuple[str, ...]]:
        """One row a lock, under ``heads``."""
        return [(item.object, item.actor, stamp(item.at), item.reason) for item in self.items]

    def __repr__(self) -> str:
        return "\n".join(item.words() for item in self.items) or "nothing is locked"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), show.table(self.heads, self.rows(), empty="nothing is locked"))
