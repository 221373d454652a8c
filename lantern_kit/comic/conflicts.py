"""Stored conflicts: what a merge left as it was in the work, kept until a person chooses on rendered pictures."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from lantern_kit.comic.book import Book
from lantern_kit.comic.contract import ORDERS
from lantern_kit.comic.diff import own_fields, plain
from lantern_kit.comic.edit.problems import bad_arguments
from lantern_kit.comic.edit.tree import drop
from lantern_kit.comic.merge import Conflict
from lantern_kit.comic.model import Chapter, Foreground, Image, Node, Overlay, Record, Unit
from lantern_kit.comic.pick import pick
from lantern_kit.comic.service import ComicService, Moment, require_valid
from lantern_kit.kernel.actor import Actor, require_person
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput, InvalidDocument, NotFound, StaleHandle, WrongState
from lantern_kit.kernel.ids import numbered

_COLUMNS = (
    "'c' || id, chapter, proposal, revision, unit, object, property, base, ours, theirs, state, settled_by,"
    " settled_at, settled_in"
)
CHOICES = ("ours", "theirs")
SHEET = frozenset({"kind", "gutter", "surfaces"})
"""Facts of a unit that only make sense together, and are chosen together."""
_GONE = object()


@dataclass(frozen=True, slots=True)
class StoredConflict:
    """Something both the work and a proposal changed; the work kept its own."""

    id: str
    """As people say it: ``c3``."""
    chapter: str
    proposal: int
    revision: int
    """The working revision whose merge kept ours."""
    unit: str
    object: str
    property: str | None
    """None when it is about the whole object."""
    base: Any
    ours: Any
    theirs: Any
    """Plain data; None is "not there"."""
    state: str
    """open | ours | theirs"""
    settled_by: str | None
    settled_at: int | None
    settled_in: int | None
    """The working revision that a choice of theirs made; None when nothing had to be changed."""


def name_of(conflict: StoredConflict) -> str:
    """What it is about: ``bl_0zr4n6yc.text``, or the bare object."""
    return conflict.object if conflict.property is None else f"{conflict.object}.{conflict.property}"


def conflict_number(text: str) -> int:
    """3 from ``c3``. Raises BadInput."""
    return numbered(text, "c3", "a conflict")


def store(connection: Connection, chapter: str, proposal: int, revision: int, conflicts: Sequence[Conflict]) -> None:
    """Keep what a merge could not settle, in the transaction of its revision."""
    for item in conflicts:
        connection.exec_driver_sql(
            "INSERT INTO conflicts (chapter, proposal, revision, unit, object, property, base, ours, theirs, state)"
            " VALUES (?,?,?,?,?,?,?,?,?,'open')",
            (
                chapter,
                proposal,
                revision,
                item.unit,
                item.object,
                item.property,
                *(dumps(value).decode() for value in (item.base, item.ours, item.theirs)),
            ),
        )


@dataclass
class ConflictService:
    """The stored conflicts of one workspace."""

    comics: ComicService

    def get(self, conflict: str, connection: Connection | None = None) -> StoredConflict:
        """A conflict. Raises NotFound."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.get(conflict, own)
        row = connection.exec_driver_sql(
            f"SELECT {_COLUMNS} FROM conflicts WHERE id = ?",  # noqa: S608
            (conflict_number(conflict),),
        ).fetchone()
        if row is None:
            raise NotFound(f"there is no conflict {conflict}", ids=[conflict], recovery="List the conflicts.")
        return stored(row)

    def of_chapter(
        self, chapter: str, *, state: str | None = "open", connection: Connection | None = None
    ) -> list[StoredConflict]:
        """A chapter's conflicts, oldest first; all of them when ``state`` is None."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.of_chapter(chapter, state=state, connection=own)
        rows = connection.exec_driver_sql(
            f"SELECT {_COLUMNS} FROM conflicts WHERE chapter = ? ORDER BY id",  # noqa: S608
            (chapter,),
        ).fetchall()
        return [item for item in map(stored, rows) if state in {None, item.state}]

    def standing(self, conflict: StoredConflict, moment: Moment) -> str:
        """How it stands at a moment: ``kept`` as the merge left it, ``theirs`` already, ``changed`` or ``gone``."""
        value = self._value(moment.book, conflict)
        if value is _GONE or (value is None and conflict.ours is not None and conflict.property is None):
            return "theirs" if conflict.theirs is None and conflict.property is None else "gone"
        if _same(conflict, value, conflict.theirs):
            return "theirs"
        return "kept" if _same(conflict, value, conflict.ours) else "changed"

    def resolve(
        self, conflict: str, choice: str, *, actor: Actor, compared: int | None = None
    ) -> tuple[StoredConflict, Moment | None]:
        """Settle a conflict; person-only. A choice of theirs that changes something is one revision, else none is made.

        Args:
            choice: ``ours`` or ``theirs``.
            compared: the working revision at which the person looked at it; absent, as the merge left it.

        Raises:
            WrongState: it is settled, or its object is gone from the work.
            StaleHandle: what it is about changed since ``compared``; look again.
            InvalidDocument: theirs does not fit the work as it stands.
        """
        require_person(actor, "settle a conflict")
        if choice not in CHOICES:
            raise BadInput("a conflict is settled as ours or theirs", expected=list(CHOICES), found=choice[:20])
        with self.comics.journal.write() as connection:
            found = self.get(conflict, connection)
            if found.state != "open":
                raise WrongState(
                    f"{found.id} is settled: {found.state}", ids=[found.id], recovery="Nothing was changed."
                )
            moment: Moment | None = None
            settled = [found]
            if choice == "theirs":
                current = self.comics.head(found.chapter, connection)
                self._require_as_seen(connection, found, current, compared)
                settled = self._together(connection, found)
                moment = self._take_theirs(connection, settled, current, actor)
            for item in settled:
                connection.exec_driver_sql(
                    "UPDATE conflicts SET state = ?, settled_by = ?, settled_at = ?, settled_in = ? WHERE id = ?",
                    (
                        choice,
                        actor.name,
                        self.comics.clock.now(),
                        None if moment is None else moment.revision.number,
                        conflict_number(item.id),
                    ),
                )
            return self.get(conflict, connection), moment

    def with_choice(self, conflict: StoredConflict, moment: Moment) -> Book:
        """The chapter as it would be with theirs. Raises WrongState, InvalidDocument."""
        with self.comics.journal.read() as connection:
            return self._with_theirs(connection, self._together(connection, conflict), moment.book)

    # parts

    def _together(self, connection: Connection, conflict: StoredConflict) -> list[StoredConflict]:
        """The open conflicts that are settled with this one: a sheet is chosen whole."""
        if conflict.property not in SHEET or not conflict.object.startswith(Unit.prefix):
            return [conflict]
        return [
            item
            for item in self.of_chapter(conflict.chapter, connection=connection)
            if (item.revision, item.object) == (conflict.revision, conflict.object) and item.property in SHEET
        ]

    def _require_as_seen(
        self, connection: Connection, conflict: StoredConflict, current: Moment, compared: int | None
    ) -> None:
        if self.standing(conflict, current) in {"kept", "theirs"}:
            return
        if compared is not None:
            seen = self.comics.at(compared, connection).book
            if self._value(seen, conflict) == self._value(current.book, conflict):
                return
        raise StaleHandle(
            f"{name_of(conflict)} changed since r{conflict.revision}, where the merge left it",
            ids=[conflict.id, conflict.object],
            recovery=f"Look at it again; then settle it as compared at {current.id}.",
            details={"current_revision": current.id},
        )

    def _take_theirs(
        self, connection: Connection, together: Sequence[StoredConflict], current: Moment, actor: Actor
    ) -> Moment | None:
        book = self._with_theirs(connection, together, current.book)
        if book == current.book:
            return None
        names = ", ".join(name_of(item) for item in together)
        return self.comics.advance(
            connection,
            together[0].chapter,
            current,
            book,
            actor=actor,
            cause="resolve",
            message=f"{together[0].id}: {names} as in p{together[0].proposal}"[:200],
        )

    def _with_theirs(self, connection: Connection, together: Sequence[StoredConflict], book: Book) -> Book:
        first = together[0]
        if first.property is None or first.property == "unit":
            made = self._whole(connection, first, book)
        elif first.property in ORDERS:
            made = self._ordered(first, book)
        else:
            made = self._changed(together, book)
        require_valid(made)
        return made

    def _whole(self, connection: Connection, conflict: StoredConflict, book: Book) -> Book:
        """With the whole object as theirs has it: there, or not there."""
        if conflict.theirs is None:
            return self._removed(conflict.object, book)
        number = connection.exec_driver_sql(
            "SELECT frozen FROM proposals WHERE id = ?", (conflict.proposal,)
        ).scalar_one()
        theirs = self.comics.at(number, connection).book
        return pick(book, theirs, [conflict.object], find=self.comics.unit_of)

    def _removed(self, thing: str, book: Book) -> Book:
        if thing in book:
            return book.remove(thing)
        home = self.comics.unit_of(book, thing)
        if home is None:
            return book
        unit = book.unit(home)
        gone = {thing}
        while more := {item.id for item in unit.objects if item.parent in gone} - gone:
            gone |= more
        return book.replace(drop(unit, gone))

    def _ordered(self, conflict: StoredConflict, book: Book) -> Book:
        """With an order as theirs has it; what theirs does not know keeps its place."""
        chapter = conflict.object == book.chapter.id
        if not chapter and conflict.object not in book:
            raise _gone(conflict)
        wanted: list[str] = conflict.theirs
        if chapter:
            return book.reorder(tuple(_imposed(list(book.order), wanted)))
        unit = book.unit(conflict.object)
        if conflict.property == "reading":
            return book.replace(unit.model_copy(update={"reading": tuple(_imposed(list(unit.reading), wanted))}))
        order = _imposed([item.id for item in unit.objects], wanted)
        return book.replace(unit.model_copy(update={"objects": tuple(unit.index[name] for name in order)}))

    def _changed(self, together: Sequence[StoredConflict], book: Book) -> Book:
        """With some properties of one thing as theirs has them."""
        first = together[0]
        update = {str(item.property): item.theirs for item in together}
        if first.object == book.chapter.id:
            return book.with_chapter(_with(book.chapter, update))
        if first.object in book:
            return book.replace(_with(book.unit(first.object), update))
        home = self.comics.unit_of(book, first.object)
        if home is None:
            raise _gone(first)
        unit = book.unit(home)
        item: Node = _with(unit.index[first.object], update)
        bound = next(
            (other.id for other in unit.objects if isinstance(other, Foreground) and other.parent == item.id), ""
        )
        if "asset" in update and bound and isinstance(item, Image):
            raise WrongState(
                f"{bound} was cut out of the picture that is there",
                ids=[first.id, item.id, bound],
                recovery="Unbind the foreground first, or settle it as ours.",
            )
        if "asset" in update and "marks" not in update and isinstance(item, Image | Overlay):
            item = item.model_copy(update={"marks": ()})  # they tell of the picture that goes
        objects = tuple(item if other.id == item.id else other for other in unit.objects)
        return book.replace(unit.model_copy(update={"objects": objects}))

    def _value(self, book: Book, conflict: StoredConflict) -> Any:
        return value_of(book, conflict, self.comics.unit_of)


def value_of(book: Book, conflict: StoredConflict, find: Callable[[Book, str], str | None]) -> Any:
    """What a book has where a conflict is: plain data.

    None for a whole object that is not there, ``_GONE`` for a property of one.
    """
    name, prop = conflict.object, conflict.property
    thing: Chapter | Unit | Node | None = None
    home: str | None = None
    if name == book.chapter.id:
        thing = book.chapter
    elif name in book:
        thing = book.unit(name)
    elif (home := find(book, name)) is not None:
        thing = book.unit(home).index[name]
    if thing is None:
        return None if prop is None else _GONE
    if prop is None:
        return own_fields(thing)
    if prop == "unit" and home is not None:
        return home
    if prop in ORDERS and isinstance(thing, Chapter):
        return list(book.order)
    if prop in ORDERS and isinstance(thing, Unit):
        return [item.id for item in thing.objects] if prop == "objects" else list(thing.reading)
    return plain(thing, prop) if prop in type(thing).model_fields else _GONE


def stored(row: Any) -> StoredConflict:
    """A row of the journal, its values as data."""
    base, ours, theirs = (None if text is None else json.loads(text) for text in row[7:10])
    name, chapter, proposal, revision, unit, thing, prop = row[:7]
    return StoredConflict(name, chapter, proposal, revision, unit, thing, prop, base, ours, theirs, *row[10:])


def _same(conflict: StoredConflict, one: Any, other: Any) -> bool:
    """Whether two values are the same; of orders, what both hold in the same order."""
    if conflict.property in ORDERS and isinstance(one, list) and isinstance(other, list):
        common = {*one} & {*other}
        return [name for name in one if name in common] == [name for name in other if name in common]
    return bool(one == other)


def _imposed(order: list[str], wanted: list[str]) -> list[str]:
    """An order in which the wanted ids take each other's places to stand as wanted, and the others stay."""
    turned = iter([name for name in wanted if name in order])
    known = {*wanted}
    return [next(turned) if name in known else name for name in order]


def _with(thing: Any, update: dict[str, Any]) -> Any:
    kind: type[Record] = type(thing)
    if unknown := set(update) - set(kind.model_fields):
        raise WrongState(
            f"{thing.id} is of another kind now and has no {min(unknown)}",
            ids=[thing.id],
            recovery="Settle it as ours, or pick the object from the proposal.",
        )
    try:
        given = kind.model_validate_json(dumps({**thing.model_dump(mode="json"), **update}))
    except ValidationError as error:
        raise InvalidDocument(bad_arguments(error, kind, root=thing.id).message, ids=[thing.id]) from None
    return thing.model_copy(update={name: getattr(given, name) for name in update})


def _gone(conflict: StoredConflict) -> WrongState:
    return WrongState(
        f"{conflict.object} is gone from the work",
        ids=[conflict.id, conflict.object],
        recovery=f"Pick it from the proposal to have it back, or settle {conflict.id} as ours.",
    )
