"""What a person does from a history: restore, pick, undo, redo, save; each shown before it is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.diff import diff
from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.locks import LockService, touched
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.pick import pick
from lantern_kit.comic.service import Moment
from lantern_kit.comic.words import describe, describe_each, object_name, unit_titles
from lantern_kit.comic.work.unit import picture_title
from lantern_kit.kernel.errors import BadInput, InvalidDocument, LanternError, WrongState
from lantern_kit.kernel.revision import revision_number
from lantern_kit.widgets.asks import Args, Ask, Nothing, answers
from lantern_kit.widgets.history.difference import SENTENCES, name_of

if TYPE_CHECKING:
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.kernel.engine import Connection
    from lantern_kit.workspace import Workspace

REASON = 400
Name = Annotated[str, Field(max_length=60)]
UNITS = 40
"""Units that a preview tells of; the rest is counted."""


class OfRevision(Args):
    """One revision."""

    revision: Name


class RestoreArgs(OfRevision):
    """What to restore, why, and the head that was looked at."""

    reason: str = Field(max_length=REASON)
    expected: Name


class DifferingArgs(OfRevision):
    """Which of the things that differ."""

    start: int = Field(0, ge=0)
    count: int = Field(50, ge=1, le=100)


class PickingArgs(OfRevision):
    """Things that would be picked."""

    things: list[Name] = Field(min_length=1, max_length=100)


class PickArgs(PickingArgs):
    """Things to pick, why, and the head that was looked at."""

    reason: str = Field("", max_length=REASON)
    expected: Name


class StepArgs(Args):
    """The head that was looked at."""

    expected: Name


class SaveArgs(StepArgs):
    """Under which title."""

    title: str = Field(min_length=1, max_length=120)


class GoingBack:
    """Answers to what is asked before going back, and does it.

    The owner acts; every deed names the head it was decided on.
    """

    host: Workspace
    chapter: ChapterWork

    def require(self, revision: str) -> int:
        """The number of a revision of this chapter. Raises NotFound, BadInput."""
        raise NotImplementedError

    # restore

    @answers("restoring", OfRevision)
    def restoring(self, ask: Ask[OfRevision]) -> dict[str, Any]:
        """What restoring a revision would change in the work as it stands, and what it would meet."""
        number = self.require(ask.args.revision)
        head, then = self.host.comics.head(self.chapter.id), self.host.comics.at(number)
        changes = diff(head.book, then.book)
        return {
            "revision": then.id,
            "head": head.id,
            "owner": self.host.owner.name,
            "working": then.revision.line == self.chapter.id,
            "same": not changes,
            **self._preview(changes, head.book, then.book, ask.language),
        }

    @answers("restore", RestoreArgs)
    def restore(self, ask: Ask[RestoreArgs]) -> dict[str, Any]:
        """Copy a revision forward. Raises BadInput without a reason, StaleHead, NotFound."""
        wanted = ask.args
        self.require(wanted.revision)
        if not wanted.reason.strip():
            raise BadInput(
                "a restore needs a reason", recovery="Say in a few words why; the history keeps it with the revision."
            )
        made = self.chapter.restore(wanted.revision, wanted.reason.strip(), expected=wanted.expected)
        return {"revision": made}

    # pick

    @answers("differing", DifferingArgs)
    def differing(self, ask: Ask[DifferingArgs]) -> dict[str, Any]:
        """Units and objects of a revision that the work has otherwise or not at all, each with what a pick brings."""
        number = self.require(ask.args.revision)
        head, then = self.host.comics.head(self.chapter.id), self.host.comics.at(number)
        changes = diff(head.book, then.book)
        things = _things(changes, then.book)
        some = things[ask.args.start : ask.args.start + ask.args.count]
        told = describe_each(
            [[row for row in changes if row.object == thing or (thing == unit and row.unit == unit)]
             for unit, thing in some],
            head.book, then.book, language=ask.language, titles=partial(picture_title, self.host),
        )  # fmt: skip
        titles = unit_titles(then.book, ask.language)
        listed = []
        for done, ((unit, thing), sections) in enumerate(zip(some, told, strict=True), 1):
            sentences = [sentence for section in sections if section.unit == unit for sentence in section.sentences]
            listed.append(
                {
                    "thing": thing,
                    "unit": unit,
                    "whole": thing == unit,
                    "title": titles[unit],
                    "name": titles[unit] if thing == unit else self._named(then.book, unit, thing, ask.language),
                    "words": "; ".join(sentences[:4]),
                    "more": max(0, len(sentences) - 4),
                    "gone": thing not in head.book and self.host.comics.unit_of(head.book, thing) is None,
                    "refused": self._refused(head, then, thing),
                }
            )
            ask.progress(done, len(some))
        gone = {row.object for row in changes if row.change == "removed"} - {thing for _, thing in things}
        return {
            "revision": then.id,
            "head": head.id,
            "owner": self.host.owner.name,
            "total": len(things),
            "things": listed,
            "newer": len(gone),
        }

    @answers("picking", PickingArgs)
    def picking(self, ask: Ask[PickingArgs]) -> dict[str, Any]:
        """What picking some things would change, and what would come or go with them.

        Raises InvalidDocument, NotFound.
        """
        number = self.require(ask.args.revision)
        things = [parse_handle(thing)[0] for thing in ask.args.things]
        head, then = self.host.comics.head(self.chapter.id), self.host.comics.at(number)
        book = pick(head.book, then.book, things, find=self.host.comics.unit_of)
        changes = diff(head.book, book)
        chosen = _covered(then.book, things, self.host.comics.unit_of)
        comes = [row.object for row in changes if row.change == "added" and row.object not in chosen]
        goes = [row.object for row in changes if row.change == "removed" and row.object not in chosen | set(comes)]
        return {
            "head": head.id,
            "same": not changes,
            "comes": [name_of(self.host, book, thing, ask.language) for thing in dict.fromkeys(comes)],
            "goes": [name_of(self.host, head.book, thing, ask.language) for thing in dict.fromkeys(goes)],
            **self._preview(changes, head.book, book, ask.language),
        }

    @answers("pick", PickArgs)
    def pick(self, ask: Ask[PickArgs]) -> dict[str, Any]:
        """Pick. Raises StaleHead, InvalidDocument, NotFound, BadInput."""
        wanted = ask.args
        self.require(wanted.revision)
        made = self.chapter.pick(
            wanted.revision, *wanted.things, reason=wanted.reason.strip(), expected=wanted.expected
        )
        return {"revision": made}

    # undo, redo, save

    @answers("steps", Nothing)
    def steps(self, _: Ask[Nothing]) -> dict[str, Any]:
        """Where the work stands, and to which revision an undo and a redo would lead; None where there is none."""
        comics = self.host.comics
        with comics.journal.read() as connection:
            return {
                "head": comics.history.head(connection, self.chapter.id).id,
                "undo": _leads(comics.before_last, connection, self.chapter.id),
                "redo": _leads(comics.before_undo, connection, self.chapter.id),
                "owner": self.host.owner.name,
            }

    @answers("undo", StepArgs)
    def undo(self, ask: Ask[StepArgs]) -> dict[str, Any]:
        """Take the last change of the work back. Raises WrongState, StaleHead."""
        return {"revision": self.chapter.undo(expected=ask.args.expected)}

    @answers("redo", StepArgs)
    def redo(self, ask: Ask[StepArgs]) -> dict[str, Any]:
        """Bring back what the last undo took. Raises WrongState, StaleHead."""
        return {"revision": self.chapter.redo(expected=ask.args.expected)}

    @answers("save", SaveArgs)
    def save(self, ask: Ask[SaveArgs]) -> dict[str, Any]:
        """Save the work as a version. Raises StaleHead, BadInput."""
        if not ask.args.title.strip():
            raise BadInput("a saved version needs a title", recovery="Give it a name that you will know again.")
        saved = self.chapter.save(ask.args.title.strip(), expected=ask.args.expected)
        return {"saved": saved.id, "revision": f"r{revision_number(ask.args.expected)}"}

    # parts

    def _preview(self, changes: Sequence[Change], before: Book, after: Book, language: Language) -> dict[str, Any]:
        """What would change, in words, and what of it is locked against agents."""
        told = describe(changes, before, after, language=language, titles=partial(picture_title, self.host))
        locks = touched(LockService(self.host.comics).of_chapter(self.chapter.id), changes, before, after)
        return {
            "changes": len(changes),
            "units": [
                {
                    "unit": item.unit,
                    "title": item.title,
                    "sentences": list(item.sentences[:SENTENCES]),
                    "count": len(item.sentences),
                }
                for item in told[:UNITS]
            ],
            "units_total": len(told),
            "locked": [
                {
                    "name": name_of(self.host, before, lock.object, language),
                    "reason": lock.reason,
                    "by": lock.actor,
                }
                for lock in locks
            ],
        }

    def _refused(self, head: Moment, then: Moment, thing: str) -> str:
        """Why a thing cannot be picked by itself; "" when it can."""
        try:
            pick(head.book, then.book, [thing], find=self.host.comics.unit_of)
        except InvalidDocument as error:
            return error.message
        return ""

    def _named(self, book: Book, unit: str, thing: str, language: Language) -> str:
        return object_name(book.unit(unit), thing, language=language, titles=partial(picture_title, self.host))


def _leads(choose: Any, connection: Connection, line: str) -> str | None:
    try:
        return str(choose(connection, line).id)
    except WrongState:
        return None
    except LanternError:  # what it would lead to is damaged: asking for it says so
        return "?"


def _things(changes: Iterable[Change], then: Book) -> list[tuple[str, str]]:
    """Units and objects that can be picked, unit by unit in reading order, a unit before what lies on it."""
    by_unit: dict[str, dict[str, None]] = {}
    for row in changes:
        if row.unit in then:
            by_unit.setdefault(row.unit, {})[row.object] = None
    found = []
    for unit in then.order:
        if unit in by_unit:
            index = then.unit(unit).index
            found.append((unit, unit))
            found += [(unit, thing) for thing in index if thing in by_unit[unit]]
    return found


def _covered(then: Book, things: Iterable[str], find: Any) -> set[str]:
    """Things with all that lay on or in them."""
    covered: set[str] = set()
    for thing in things:
        covered.add(thing)
        if thing in then:
            covered.update(then.unit(thing).index)
            continue
        home = find(then, thing)
        if home is None:
            continue
        unit = then.unit(home)
        queue = [thing]
        while queue:
            children = [item.id for item in unit.children(queue.pop())]
            covered.update(children)
            queue += children
    return covered
