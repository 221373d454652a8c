"""Chapters as people hold them: read, edit, save, compare, restore."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from lantern_kit.comic.book import Book
from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.locks import LockService
from lantern_kit.comic.measure import counted
from lantern_kit.comic.pages import bound_at
from lantern_kit.comic.reference import Reference
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work import show
from lantern_kit.comic.work.editing import Edit
from lantern_kit.comic.work.finding import Findings
from lantern_kit.comic.work.history import History, read_history, read_revision
from lantern_kit.comic.work.lock import Locks, LockWork
from lantern_kit.comic.work.named import revision_named
from lantern_kit.comic.work.revision import RevisionWork
from lantern_kit.comic.work.snapshot import Snapshots, SnapshotWork
from lantern_kit.comic.work.unit import Units, UnitWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.progress import Progress, reporting, steps
from lantern_kit.kernel.revision import revision_number

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from lantern_kit.comic.annotation import State
    from lantern_kit.comic.work.annotation import Annotations, AnnotationWork, Attach
    from lantern_kit.comic.work.blame import BlameWork
    from lantern_kit.comic.work.candidate import Candidates
    from lantern_kit.comic.work.conflict import ConflictShelf
    from lantern_kit.comic.work.exported import Exports
    from lantern_kit.comic.work.host import Host
    from lantern_kit.comic.work.library import Uses
    from lantern_kit.comic.work.match import Matches
    from lantern_kit.comic.work.script import ScriptText


class ChapterWork:
    """A chapter's working line: read, edit, save, compare, restore."""

    def __init__(self, host: Host, chapter: str) -> None:
        self._host = host
        self.id = chapter

    @property
    def host(self) -> Host:
        """The workspace it belongs to."""
        return self._host

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
        """Comic, number and title in one line; a title that is the comic's too is said once."""
        facts = self.book.chapter
        own = facts.title if facts.title != facts.comic else ""
        return f"{facts.comic} · chapter {facts.number}" + (f" · {own}" if own else "")

    @property
    def reference(self) -> str:
        """Its address for agents and notes, ``lantern://comic/ch_…``: it stays the same whatever is edited."""
        return str(Reference(self.id))

    def __len__(self) -> int:
        return len(self.book)

    def __iter__(self) -> Iterator[UnitWork]:
        moment = self.moment
        return (UnitWork(self._host, moment, unit) for unit in moment.book.order)

    @overload
    def __getitem__(self, place: int | str) -> UnitWork: ...
    @overload
    def __getitem__(self, place: slice) -> Units: ...
    def __getitem__(self, place: int | str | slice) -> UnitWork | Units:
        """A unit by its place from 0 or by its id, or a part of the strip, ``chapter[24:48]``.

        Raises NotFound; BadInput for what is neither.
        """
        moment = self.moment
        if isinstance(place, slice):
            return self._units(moment)[place]
        if isinstance(place, str):
            moment.book.position(place)
            return UnitWork(self._host, moment, place)
        if isinstance(place, bool) or not isinstance(place, int):
            raise BadInput(
                "a unit is named by its place from 0 or by its id",
                expected="a whole number, or an id such as un_7kq2m9x4",
                found=repr(place)[:40],
            )
        try:
            return UnitWork(self._host, moment, moment.book.order[place])
        except IndexError:
            raise NotFound(f"the chapter has {counted(len(moment.book), 'unit')}", found=place) from None

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.book.order)

    def at(self, revision: str) -> Units:
        """The units as they were at ``r12``, or a saved version's id or title. Raises as ``revision`` does."""
        return self._units(self._host.comics.at(revision_named(self._host, self.id, revision)))

    def _units(self, moment: Moment) -> Units:
        title = f"{self.title} · {moment.id}"
        return Units((UnitWork(self._host, moment, unit) for unit in moment.book.order), title)

    def find(self, text: str, *kinds: str) -> Matches:
        """What words mean here: ``page 3, last panel``, a name, words that are said, an id, a handle, a reference.

        Everything that could be meant is listed with what tells it apart; ``.one()`` gives the only one, or refuses.

        Args:
            text: English or Chinese.
            kinds: only such things: ``unit``, ``frame``, ``balloon`` …

        Raises BadInput for a kind that is none, NotFound for an id that is nothing here.
        """
        from lantern_kit.comic.work.match import find

        return find(self._host, self.moment, text, kinds)

    def check(self, *, notes: bool = False, progress: Progress | None = None) -> Findings:
        """What the checks find, all units.

        Args:
            notes: what taste decides too: composition, reading order, habits of writing, weight and colours, and what
                differs between neighbours.
            progress: is told of every unit.
        """
        units = list(self)
        moment = units[0].moment if units else self.moment
        chapter, checker = moment.book.chapter, self._host.checker
        with reporting(progress, "Checking") as tell:
            models = (unit.model for unit in steps(units, tell, lambda unit: unit.title))
            if notes:
                view, bound = self._host.renderer.view, bound_at(moment.book)
                found = list(checker.study(models, chapter, view=view, bound=bound))
            else:
                found = [item for model in models for item in checker.check(model, chapter)]
        here = {unit.id: unit for unit in units}
        names: dict[str, str] = {}
        for item in found:
            unit = here[item.unit]
            name = unit.named(item.object)
            names[item.object] = f"{unit.title}, {name}" if name else unit.title
            if item.other:
                names.setdefault(item.other, unit.named(item.other))
        return Findings.of(self._host, moment, found, names)

    def __repr__(self) -> str:
        return f"<Chapter {self.title!r}: {counted(len(self), 'unit')}, {self.moment.id}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        units = self._units(self.moment)
        shown = units[: show.STRIP]
        pages = ((unit.render(long_edge=show.THUMB), unit.title) for unit in shown)
        more = f"{len(shown)} of {len(units)} units. chapter[{show.STRIP}:{2 * show.STRIP}] shows the next of them"
        rest = "" if len(shown) == len(units) else f"{more}, chapter[{len(units) - 1}] the last."
        return show.bundle(repr(self), show.filmstrip(units.title, pages, rest=rest))

    def script(self, form: str = "markdown", *, units: Iterable[str] | None = None) -> ScriptText:
        """The chapter's words as one text, ``markdown`` or ``fountain``: pages, panels, lines as they are read.

        It can be changed and written back: ``with chapter.edit("new words") as edit: edit.write_script(text)``.

        Args:
            form: of the text.
            units: only these, by id or handle.

        Raises:
            BadInput, NotFound.
        """
        from lantern_kit.comic.work.script import script_text

        return script_text(self.moment, form, units)

    # editing

    def edit(self, message: str, *, by: Actor | None = None) -> Edit:
        """A block in which a person edits: ``with chapter.edit("why") as edit:``."""
        return Edit(self._host, self.id, message, by or self._host.owner)

    def undo(self, *, by: Actor | None = None, expected: str | None = None) -> str:
        """Take back the last change; gives the new revision.

        Raises WrongState when there is none; StaleHead when the newest revision is not the ``expected`` one, if given.
        """
        return self._host.comics.undo(self.id, actor=by or self._host.owner, expected=_number(expected)).id

    def redo(self, *, by: Actor | None = None, expected: str | None = None) -> str:
        """Bring back what the last undo took; gives the new revision. Raises as ``undo`` does."""
        return self._host.comics.redo(self.id, actor=by or self._host.owner, expected=_number(expected)).id

    def save(self, title: str, *, by: Actor | None = None, expected: str | None = None) -> SnapshotWork:
        """Save a version under a title. Raises StaleHead when the newest revision is not the ``expected`` one."""
        actor = by or self._host.owner
        saved = self._host.comics.save(self.id, actor=actor, title=title, expected=_number(expected))
        return SnapshotWork.of(self._host, saved)

    def restore(self, revision: str, reason: str, *, by: Actor | None = None, expected: str | None = None) -> str:
        """Copy an earlier revision's content forward; gives the new revision.

        ``revision`` is ``r12``, or a saved version's id or title; ``expected`` is the newest revision that was looked
        at, if that matters. Raises NotFound, StaleHead, BadInput.
        """
        number, head = revision_named(self._host, self.id, revision), _number(expected)
        return self._host.comics.restore(self.id, number, actor=by or self._host.owner, reason=reason, expected=head).id

    def pick(
        self,
        revision: str,
        *things: str,
        reason: str = "",
        by: Actor | None = None,
        expected: str | None = None,
    ) -> str:
        """Bring objects and units back as they were at a revision, without the rest of it; gives the new revision.

        Args:
            revision: of this chapter or of a draft of it, ``r30``, or a saved version's id or title.
            things: ids or handles; an object comes with what lay in it and what it cannot stand without.
            expected: the newest revision that was looked at; StaleHead when the work moved on from it.
        """
        names = [parse_handle(thing)[0] for thing in things]
        number = revision_named(self._host, self.id, revision)
        actor, head = by or self._host.owner, _number(expected)
        return self._host.comics.pick(self.id, number, names, actor=actor, reason=reason, expected=head).id

    # what agents are kept from, and what waits for a choice

    def lock(self, thing: str, reason: str = "", *, by: Actor | None = None) -> LockWork:
        """Keep agents from an object, a unit or the chapter with all that lies in it. Raises NotFound, WrongState."""
        name, _ = parse_handle(thing)
        made = LockService(self._host.comics).lock(self.id, name, reason, actor=by or self._host.owner)
        return LockWork.of(self._host, made)

    def unlock(self, thing: str, *, by: Actor | None = None) -> LockWork:
        """Give a locked thing free again. Raises NotFound when it is not locked."""
        name, _ = parse_handle(thing)
        gone = LockService(self._host.comics).unlock(self.id, name, actor=by or self._host.owner)
        return LockWork.of(self._host, gone, held=False)

    def locks(self) -> Locks:
        """What is locked, oldest first."""
        return Locks(LockWork.of(self._host, item) for item in LockService(self._host.comics).of_chapter(self.id))

    def conflicts(self, *, settled: bool = False) -> ConflictShelf:
        """What merges could not settle and waits for a choice; with ``settled``, also what was chosen."""
        from lantern_kit.comic.work.conflict import ConflictShelf

        return ConflictShelf(self._host, self.id, settled=settled)

    def candidates(self, *, settled: bool = False) -> Candidates:
        """What waits beside agents' drafts to be adopted; with ``settled``, also what was adopted or dropped."""
        from lantern_kit.comic.work.candidate import Candidates, CandidateWork

        found = self._host.candidates.of_chapter(self.id, state=None if settled else "waiting")
        return Candidates(CandidateWork(self._host, item.id) for item in found)

    def uses(self) -> Uses:
        """What of the library it uses, and where: scenes, casts, marks, styles, speakers, reference pictures."""
        return self._host.library.uses(chapter=self.id)

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
        progress: Progress | None = None,
    ) -> History:
        """The working line, newest first, with its saved versions, proposals and verdicts.

        Args:
            drafts: also the revisions of its drafts.
            actor, causes, since, until: only those; see ``read_history``.
        """
        return read_history(
            self._host,
            self.id,
            drafts=drafts,
            actor=actor,
            causes=causes,
            since=since,
            until=until,
            progress=progress,
        )

    def revision(self, revision: str) -> RevisionWork:
        """A revision of this chapter or of a draft of it, ``r12``: who, when, why, and what it changed.

        A saved version's id or title will do as well. Raises NotFound, BadInput.
        """
        return read_revision(self._host, self.id, revision_named(self._host, self.id, revision))

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

    def snapshots(self) -> Snapshots:
        """Saved versions, newest first."""
        return Snapshots(SnapshotWork.of(self._host, item) for item in self._host.comics.snapshots(self.id))

    # exports

    def export(
        self,
        folder: str | Path,
        to: str = "cbz",
        *,
        dpi: int | None = None,
        spreads: str = "whole",
        bleed: bool = False,
        colour: str = "rgb",
        marks: bool = True,
        intent: str | Path | None = None,
        author: str = "",
        lpi: float | None = None,
        angle: float | None = None,
        progress: Progress | None = None,
    ) -> Exports:
        """Write the chapter as one ``cbz``, as a ``pdf`` for print, or as ``png``, ``tiff`` or ``webp`` pages.

        Args:
            folder: where to.
            to: the format.
            dpi: pixels an inch, 72 to 1200: the paper's own for ``pdf`` and ``tiff``, 300 for the others, if not given.
            spreads: ``whole``, or ``split`` into two pages, the one that is read first before the other.
            bleed: pictures with their bleed; a ``pdf`` always has it.
            colour: ``rgb``, ``grey`` or ``bitonal``.
            marks: crop marks round a ``pdf``'s pages.
            intent: a printer's ICC profile for a ``pdf``, as a file; sRGB if not given.
            author: who is named as the author of a ``pdf``.
            lpi, angle: the screen of ``bitonal``: rows of dots an inch (60) and degrees (45).

        Returns:
            A report for each file, with what its format could not hold and whether it replaced an older one. Files are
            called by what is unusual of them, ``comic-01-split-grey.pdf``. Raises BadInput.
        """
        from lantern_kit.comic.export import Wanted, export_chapter
        from lantern_kit.comic.work.exported import Exports

        wanted = Wanted(spreads, bleed, colour, marks, intent, author, lpi, angle)
        place = Path(folder)
        made = export_chapter(self._host.renderer, self.moment, place, to=to, dpi=dpi, wanted=wanted, progress=progress)
        return Exports(made)


def _number(revision: str | None) -> int | None:
    return None if revision is None else revision_number(revision)
