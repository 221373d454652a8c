"""Blame: for each property of an object, who gave it the value it has, in which draft, and who approved it.

Undo, redo, restore, picks and conflicts settled later copy values forward; a value's origin is where it first came
from, not where it was copied to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lantern_kit.comic.approvals import of_proposal
from lantern_kit.comic.blamed import Blame, Blamed, Mark
from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.service import ComicService
from lantern_kit.kernel.canonical import dumps, loads
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import NotFound
from lantern_kit.kernel.revision import Revision

COPIES = frozenset({"undo", "redo", "restore"})
"""Causes whose revision holds exactly what an earlier one held."""
PICKS = frozenset({"pick", "follow"})
"""Causes whose revision brings some things as they were elsewhere."""
PLACE = "unit"
"""The property that says on which unit an object lies."""


@dataclass
class _Event:
    """What one revision did to the object."""

    revision: int
    line: str
    kind: str
    values: dict[str, str] = field(default_factory=dict)
    """Properties it gave a value, as canonical text."""
    made: bool = False
    gone: bool = False


@dataclass(frozen=True)
class _Trace:
    """Where a value was found: on the working line, and in a draft."""

    working: int
    drafted: int | None = None
    proposal: int | None = None


def blame(connection: Connection, comics: ComicService, chapter: str, thing: str) -> Blame:
    """Where everything of an object, a unit or the chapter itself comes from. Raises NotFound."""
    return _Search(connection, comics, chapter, thing).blame()


class _Search:
    def __init__(self, connection: Connection, comics: ComicService, chapter: str, thing: str) -> None:
        self.connection = connection
        self.comics = comics
        self.chapter = chapter
        self.thing = thing
        self.events = _events(connection, chapter, thing)
        self.by_line: dict[str, list[_Event]] = {}
        for event in self.events:
            self.by_line.setdefault(event.line, []).append(event)
        self.revisions: dict[int, Revision] = {}
        self.chain = read_keychain(connection)

    def blame(self) -> Blame:
        """Trace every property that it has, or had when it was removed."""
        first = self._first()
        own = self.by_line.get(self.chapter, [])
        if not own and self.thing != self.chapter:
            raise NotFound(f"{self.thing[:40]} was never in this chapter", ids=[self.thing[:40]])
        gone = own[-1] if own and own[-1].gone else None
        until = self.comics.history.head(self.connection, self.chapter).number if gone is None else gone.revision - 1
        values = self._values(until)
        lines = [self._blamed(name, loads(text), until, first) for name, text in values.items()]
        return Blame(
            self.chapter,
            self.thing,
            own[-1].kind if own else "chapter",
            self._blamed("", None, until, first),
            None if gone is None else self._blamed("", None, gone.revision, first),
            tuple(lines),
        )

    # what is asked of the events

    def _first(self) -> int:
        row = self.connection.exec_driver_sql(
            "SELECT id FROM revisions WHERE line = ? AND seq = 0", (self.chapter,)
        ).fetchone()
        if row is None:
            raise NotFound(f"{self.chapter[:40]} is not a chapter of this workspace", ids=[self.chapter[:40]])
        return int(row[0])

    def _values(self, until: int) -> dict[str, str]:
        """The properties that it has on the working line, in the model's order."""
        found: dict[str, str] = {}
        if self.thing == self.chapter:
            book = self.comics.at(self._first(), self.connection).book
            plain = book.chapter.model_dump(mode="json")
            found = {name: dumps(value).decode() for name, value in plain.items() if name != "id"}
            found["units"] = dumps(list(book.order)).decode()
        for event in self.by_line.get(self.chapter, []):
            if event.revision > until:
                break
            if event.made:
                found = {}
            found.update(event.values)
        return found

    def _touching(self, line: str, name: str, until: int) -> _Event | None:
        """The last event of a line, up to a revision, that gave a property its value (or made or removed the thing)."""
        for event in reversed(self.by_line.get(line, [])):
            if event.revision <= until and (name in event.values or (not name and (event.made or event.gone))):
                return event
        return None

    def _blamed(self, name: str, value: Any, until: int, first: int) -> Blamed:
        event = self._touching(self.chapter, name, until)
        last = first if event is None else event.revision
        trace = _Trace(first) if event is None else self._trace(self.chapter, until, name) or _Trace(last)
        drafted = None if trace.drafted is None else self._mark(trace.drafted)
        approval, label, key = self._approved(trace)
        return Blamed(
            name,
            value,
            self._mark(last),
            self._mark(trace.working),
            "" if drafted is None else drafted.line,
            drafted,
            "" if trace.proposal is None else f"p{trace.proposal}",
            approval,
            label,
            key,
        )

    # tracing

    def _trace(self, line: str, until: int, name: str) -> _Trace | None:
        """Where the value that a property has on a line at a revision first came from; None when it was never set."""
        event = self._touching(line, name, until)
        if event is None:
            base = None if line == self.chapter else self._base(line)
            return None if base is None else self._trace(*base, name)
        found = self._source(event, name)
        if found is None:
            found = _Trace(0, event.revision) if line != self.chapter else _Trace(event.revision)
        if line == self.chapter and not found.working:  # a draft's own value, brought to the working line here
            found = _Trace(event.revision, found.drafted, found.proposal)
        return found

    def _source(self, event: _Event, name: str) -> _Trace | None:
        """Where an event took a value from; None when it made it."""
        revision = self._revision(event.revision)
        if revision.cause in COPIES:
            same = self._same_content(revision)
            return None if same is None else self._trace(same.line, same.number, name)
        if revision.cause in {"apply", "resolve"} and event.line == self.chapter:
            return self._proposed(event, name, revision.cause)
        if revision.cause in PICKS:
            return self._earlier(event, name)
        return None

    def _proposed(self, event: _Event, name: str, cause: str) -> _Trace | None:
        """Where a proposal's value was made; None when the merge made another one of it."""
        statement = (
            "SELECT p.id, p.frozen FROM approvals AS a JOIN proposals AS p ON p.id = a.proposal WHERE a.result = ?"
            if cause == "apply"
            else "SELECT p.id, p.frozen FROM conflicts AS c JOIN proposals AS p ON p.id = c.proposal"
            " WHERE c.settled_in = ?"
        )
        row = self.connection.exec_driver_sql(statement, (event.revision,)).fetchone()
        if row is None:
            return None
        proposal, frozen = row
        line = self._revision(frozen).line
        source = self._touching(line, name, frozen)
        if source is None and (base := self._base(line)) is not None:
            source = self._touching(base[0], name, base[1])
        if source is None or source.values.get(name) != event.values.get(name) or source.gone != event.gone:
            return None
        found = self._trace(source.line, source.revision, name)
        if found is None or found.working:
            return found
        return _Trace(event.revision, found.drafted, proposal)

    def _earlier(self, event: _Event, name: str) -> _Trace | None:
        """The newest earlier event, on any line of the chapter, that gave the same value."""
        for other in reversed(self.events):
            if other.revision >= event.revision or other.gone != event.gone:
                continue
            same = name in other.values and other.values[name] == event.values[name] if name else other.made
            if same:
                return self._trace(other.line, other.revision, name)
        return None

    def _same_content(self, revision: Revision) -> Revision | None:
        """The revision that was copied forward: the newest earlier one with that content, of this line if there is."""
        row = self.connection.exec_driver_sql(
            "SELECT r.id FROM revisions AS r JOIN lines AS l ON l.id = r.line"
            " WHERE r.document = ? AND r.id < ? AND l.root = ? ORDER BY r.line = ? DESC, r.id DESC LIMIT 1",
            (revision.document, revision.number, self.chapter, revision.line),
        ).fetchone()
        return None if row is None else self._revision(row[0])

    def _base(self, line: str) -> tuple[str, int] | None:
        """The line and revision that a draft was forked from."""
        base = self.comics.history.line(self.connection, line).base
        return None if base is None else (self._revision(base).line, base)

    # telling

    def _approved(self, trace: _Trace) -> tuple[str, str, str]:
        if trace.proposal is None:
            return "", "", ""
        for item in of_proposal(self.connection, trace.proposal):
            if item.result is not None:
                known = self.chain.get(item.key)
                return item.id, item.reviewer if known is None else known.label, item.key
        return "", "", ""

    def _mark(self, number: int) -> Mark:
        item = self._revision(number)
        return Mark(item.id, item.line, item.at, item.actor.kind.value, item.actor.name, item.cause, item.message)

    def _revision(self, number: int) -> Revision:
        if number not in self.revisions:
            self.revisions[number] = self.comics.history.revision(self.connection, number)
        return self.revisions[number]


def _events(connection: Connection, chapter: str, thing: str) -> list[_Event]:
    """What every revision of every line of a chapter did to a thing, oldest first."""
    rows = connection.exec_driver_sql(
        "SELECT c.revision, r.line, c.unit, c.object_kind, c.change, c.property, c.before, c.after FROM changes AS c"
        " JOIN revisions AS r ON r.id = c.revision JOIN lines AS l ON l.id = r.line"
        " WHERE c.object = ? AND l.root = ? ORDER BY c.revision, c.id",
        (thing, chapter),
    ).fetchall()
    found: list[_Event] = []
    lost: dict[str, str] = {}
    for number, line, unit, kind, change, name, before, after in rows:
        if not found or found[-1].revision != number:
            found.append(_Event(number, line, kind))
            lost = {}
        event = found[-1]
        if change == "removed":
            lost = _fields(before, unit, kind)
            event.gone = True
        elif change == "added":
            fields = _fields(after, unit, kind)
            # An object that left one unit and came to another was moved: what stayed the same was not changed.
            event.values = {key: value for key, value in fields.items() if lost.get(key) != value}
            event.made, event.gone, event.kind = not event.gone, False, kind
        else:
            event.values[name] = "null" if after is None else after
    return found


def _fields(text: str | None, unit: str, kind: str) -> dict[str, str]:
    """Own fields of a thing as canonical text; of an object with the unit it lies on."""
    fields = {name: dumps(value).decode() for name, value in loads(text or "{}").items() if name != "id"}
    if kind != "unit":
        fields.pop("kind", None)
        fields[PLACE] = dumps(unit).decode()
    return fields
