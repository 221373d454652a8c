"""Locks: what a person keeps from agents until a person gives it free again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.contract import is_order, line_up, lineage, turns
from lantern_kit.comic.model import BANDS, Unit
from lantern_kit.comic.service import ComicService
from lantern_kit.kernel.actor import Actor, require_person
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Locked, NotFound, WrongState
from lantern_kit.kernel.wording import said

_COLUMNS = "id, chapter, object, reason, actor, at"
REASON = 400
"""Characters of a reason at most."""


@dataclass(frozen=True, slots=True)
class Lock:
    """One locked thing: an object, a unit or the chapter, with all that lies in it."""

    number: int
    chapter: str
    object: str
    reason: str
    actor: str
    at: int

    def facts(self) -> dict[str, str]:
        """As plain data."""
        facts = {"object": self.object, "by": self.actor, "reason": self.reason, "at": stamp(self.at)}
        return {name: value for name, value in facts.items() if value}

    def words(self) -> str:
        """Who locked it, and why."""
        return f"{self.object} is locked by {self.actor}" + (f": {self.reason}" if self.reason else "")


@dataclass
class LockService:
    """The locks of one workspace."""

    comics: ComicService

    def of_chapter(self, chapter: str, connection: Connection | None = None) -> list[Lock]:
        """A chapter's locks, oldest first."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.of_chapter(chapter, own)
        rows = connection.exec_driver_sql(
            f"SELECT {_COLUMNS} FROM locks WHERE chapter = ? ORDER BY id",  # noqa: S608
            (chapter,),
        ).fetchall()
        return [Lock(*row) for row in rows]

    def lock(self, chapter: str, thing: str, reason: str, *, actor: Actor) -> Lock:
        """Lock an object, a unit or the chapter; person-only. Raises NotFound, WrongState when it is locked."""
        require_person(actor, "lock a part of the work")
        said(reason, "a reason", longest=REASON)
        with self.comics.journal.write() as connection:
            book = self.comics.head(chapter, connection).book
            if thing != chapter and self.comics.unit_of(book, thing) is None:
                raise NotFound(f"{thing[:40]} is nothing in this chapter", ids=[thing[:40]])
            for held in self.of_chapter(chapter, connection):
                if held.object == thing:
                    raise WrongState(held.words(), ids=[thing], recovery="It stays as it is; unlock it first.")
            row = connection.exec_driver_sql(
                f"INSERT INTO locks (chapter, object, reason, actor, at) VALUES (?,?,?,?,?) RETURNING {_COLUMNS}",  # noqa: S608
                (chapter, thing, reason, actor.name, self.comics.clock.now()),
            ).one()
        return Lock(*row)

    def unlock(self, chapter: str, thing: str, *, actor: Actor) -> Lock:
        """Give a locked thing free again; person-only. Raises NotFound when it is not locked."""
        require_person(actor, "unlock a part of the work")
        with self.comics.journal.write() as connection:
            row = connection.exec_driver_sql(
                f"DELETE FROM locks WHERE chapter = ? AND object = ? RETURNING {_COLUMNS}",  # noqa: S608
                (chapter, thing),
            ).fetchone()
            if row is None:
                known = [item.object for item in self.of_chapter(chapter, connection)]
                raise NotFound(
                    f"{thing[:40]} is not locked", expected=known, ids=[thing[:40]], recovery="List the locks."
                )
        return Lock(*row)


def touched(locks: Iterable[Lock], changes: Iterable[Change], before: Book, after: Book) -> tuple[Lock, ...]:
    """Those locks whose things the changes from ``before`` to ``after`` would alter.

    A lock holds the thing's own facts, what lies in it, that it is there at all, and its place among what is drawn
    and read beside it both before and after.
    """
    by_thing = {lock.object: lock for lock in locks}
    if not by_thing:
        return ()
    found: dict[str, Lock] = {}
    for change in changes:
        names: Iterable[str]
        if is_order(change) and turns(change):
            names = [*lineage(before, change), *_turned_round(change, by_thing, before)]
        elif is_order(change):
            continue  # what came or went has rows of its own
        else:
            books = {"removed": (before,), "added": (after,), "changed": (before, after)}[change.change]
            names = [name for book in books for name in lineage(book, change)]
            if change.property == "band":
                names += _passed(change, by_thing, before, after)
        found.update({name: by_thing[name] for name in names if name in by_thing})
    return tuple(sorted(found.values(), key=lambda lock: lock.number))


def require_unlocked(locks: Sequence[Lock], deed: str) -> None:
    """Refuse a deed that would alter locked things. Raises Locked, naming who locked each and why."""
    if locks:
        raise Locked(
            f"{deed}: {locks[0].words()}" + (f"; and {len(locks) - 1} more" if len(locks) > 1 else ""),
            ids=[lock.object for lock in locks],
            details={"locks": [lock.facts() for lock in locks]},
        )


def locked_by(locks: Iterable[Lock], book: Book, unit: str, thing: str) -> Lock | None:
    """The lock that holds a thing: its own, or one of something that it lies in."""
    by_thing = {lock.object: lock for lock in locks}
    names = (*line_up(book, unit, thing), unit, book.chapter.id)
    return next((by_thing[name] for name in names if name in by_thing), None)


def _turned_round(change: Change, by_thing: dict[str, Lock], book: Book) -> list[str]:
    """Locked things in an order, or things in them, that stand before or after others than they did."""
    common = {*change.before} & {*change.after}
    was: list[Any] = [item for item in change.before if item in common]
    now: list[Any] = [item for item in change.after if item in common]
    names = []
    for item in common:
        holding = [name for name in line_up(book, change.unit, item) if name in by_thing]
        if holding and {*was[: was.index(item)]} != {*now[: now.index(item)]}:
            names += holding
    return names


def _passed(change: Change, by_thing: dict[str, Lock], before: Book, after: Book) -> list[str]:
    """Locked things, or those that hold things, that another object passes when it goes to another band."""
    if change.unit not in before or change.unit not in after:
        return []
    was, now = _drawn(before.unit(change.unit)), _drawn(after.unit(change.unit))
    if change.object not in was or change.object not in now:
        return []
    names = []
    for item in was.keys() & now.keys():
        if (was[item] < was[change.object]) != (now[item] < now[change.object]):
            names += [name for name in line_up(before, change.unit, item) if name in by_thing]
    return names


def _drawn(unit: Unit) -> dict[str, tuple[int, int]]:
    """Where each object is drawn: its band, then its place in it."""
    return {item.id: (BANDS.index(item.layer), place) for place, item in enumerate(unit.objects)}
