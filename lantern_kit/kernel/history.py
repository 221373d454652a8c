"""Lines: append-only histories of documents, moved by one compare-and-swap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.kernel.actor import Actor, ActorKind
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, LanternError, NotFound, StaleHead, WrongState
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.revision import GENESIS, ChangeRow, Line, Mode, Next, Revision, changes_digest, opening

_REVISION = (
    "id, line, seq, parent, document, actor_kind, actor, cause, message, at,"
    " changes_from, changes_count, changes_digest, chain"
)
_INSERT_REVISION = f"INSERT INTO revisions ({_REVISION}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"  # noqa: S608
_SELECT_REVISION = f"SELECT {_REVISION} FROM revisions"  # noqa: S608
_NEWEST = "(SELECT coalesce(max(id), 0) FROM revisions), (SELECT coalesce(max(id), 0) FROM changes)"
_HEAD = (
    f"SELECT {_REVISION}, {_NEWEST}, (SELECT max(seq) FROM revisions WHERE line = ?1) FROM revisions"  # noqa: S608
    " WHERE id = (SELECT head FROM lines WHERE id = ?1)"
)
_SELECT_LINE = "SELECT id, kind, mode, root, base, head, created_at FROM lines"
_INSERT_CHANGE = (
    "INSERT INTO changes (id, revision, unit, object, object_kind, change, property, before, after)"
    " VALUES (?,?,?,?,?,?,?,?,?)"
)
_SELECT_UNITS = "SELECT DISTINCT unit FROM changes WHERE id >= ? AND id < ?"
_SELECT_CHANGES = (
    "SELECT unit, object, object_kind, change, property, before, after FROM changes"
    " WHERE id >= ? AND id < ? ORDER BY id"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the next revision stands."""

    number: int
    change: int
    """Number of its first change row."""
    seq: int
    parent: int | None
    link: bytes
    """What its chain hash follows."""


class History:
    """The lines of one journal. Every method works on an open connection; the writing ones need a write transaction."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    # reading

    def line(self, connection: Connection, line: str) -> Line:
        """A line with its head. Raises NotFound."""
        row = connection.exec_driver_sql(f"{_SELECT_LINE} WHERE id = ?", (line,)).fetchone()
        if row is None:
            raise NotFound(f"there is no line {line}", ids=[line])
        return _line(row)

    def lines(self, connection: Connection, root: str) -> list[Line]:
        """All lines of a work, oldest first."""
        rows = connection.exec_driver_sql(f"{_SELECT_LINE} WHERE root = ? ORDER BY created_at, id", (root,)).fetchall()
        return [_line(row) for row in rows]

    def head(self, connection: Connection, line: str) -> Revision:
        """The revision a line stands at. Raises NotFound."""
        row = connection.exec_driver_sql(
            f"{_SELECT_REVISION} WHERE id = (SELECT head FROM lines WHERE id = ?)",  # noqa: S608  constant text
            (line,),
        ).fetchone()
        if row is None:
            raise NotFound(f"there is no line {line}", ids=[line])
        return _revision(row)

    def revision(self, connection: Connection, number: int) -> Revision:
        """One revision. Raises NotFound."""
        row = connection.exec_driver_sql(f"{_SELECT_REVISION} WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise NotFound(f"there is no revision r{number}", ids=[f"r{number}"])
        return _revision(row)

    def log(
        self, connection: Connection, line: str, *, limit: int = 1_000_000, tell: Progress = quiet
    ) -> list[Revision]:
        """A line's own revisions, newest first."""
        with connection.told(tell, "revisions"):
            rows = connection.exec_driver_sql(
                f"{_SELECT_REVISION} WHERE line = ? ORDER BY seq DESC LIMIT ?", (line, limit)
            ).fetchall()
        return [_revision(row) for row in steps(rows, tell, "revisions")]

    def back(self, connection: Connection, line: str) -> Iterator[Revision]:
        """A line's own revisions, newest first, each read when it is asked for. Raises Corrupt at a damaged one."""
        rows = connection.exec_driver_sql(f"{_SELECT_REVISION} WHERE line = ? ORDER BY seq DESC", (line,))
        return (_revision(row) for row in rows)

    def changes(self, connection: Connection, revision: Revision) -> list[ChangeRow]:
        """What a revision changed, in the order written."""
        first = revision.changes_from
        rows = connection.exec_driver_sql(_SELECT_CHANGES, (first, first + revision.changes_count)).fetchall()
        return [ChangeRow(*row) for row in rows]

    # writing

    def create(
        self,
        connection: Connection,
        line: str,
        *,
        kind: str,
        root: str,
        document: bytes,
        actor: Actor,
        mode: Mode = Mode.LINEAR,
        cause: str = "create",
        message: str = "",
        changes: Sequence[ChangeRow] = (),
    ) -> Revision:
        """A new line with its first revision."""
        return self._begin(connection, line, kind, root, mode, None, document, actor, cause, message, changes)

    def fork(
        self,
        connection: Connection,
        line: str,
        *,
        kind: str,
        base: Revision,
        root: str,
        actor: Actor,
        message: str = "",
    ) -> Revision:
        """A new linear line that starts with the content of ``base``."""
        return self._begin(connection, line, kind, root, Mode.LINEAR, base, base.document, actor, "fork", message, ())

    def advance(
        self,
        connection: Connection,
        line: str,
        *,
        expected_head: int,
        document: bytes,
        actor: Actor,
        cause: str,
        message: str = "",
        changes: Sequence[ChangeRow] = (),
    ) -> Revision:
        """Append one revision and move the head to it.

        The document's bodies are already in this transaction. Raises StaleHead when the head is not ``expected_head``.
        """
        row = connection.exec_driver_sql(_HEAD, (line,)).fetchone()
        if row is None:
            raise NotFound(f"there is no line {line}", ids=[line])
        parent = _revision(row)
        if parent.number != expected_head:
            raise self.stale(connection, line, expected_head, parent)
        place = _Place(row[-3] + 1, row[-2] + 1, row[-1] + 1, parent.number, parent.chain)
        made = self._append(connection, place, line, document, actor, cause, message, changes)
        connection.exec_driver_sql("UPDATE lines SET head = ? WHERE id = ?", (made.number, line))
        return made

    def update(
        self,
        connection: Connection,
        line: str,
        make: Callable[[Revision], Next | None],
        *,
        actor: Actor,
        cause: str,
        message: str = "",
    ) -> Revision:
        """Append what a pure function makes of the newest content, whatever that is: no head is expected.

        ``make`` is given the head and gives what comes next, or None to leave the line as it is.
        """
        head = self.head(connection, line)
        made = make(head)
        if made is None:
            return head
        return self.advance(
            connection,
            line,
            expected_head=head.number,
            document=made.document,
            actor=actor,
            cause=cause,
            message=message,
            changes=made.changes,
        )

    def checkout(self, connection: Connection, line: str, *, expected_head: int, node: int, actor: Actor) -> Revision:
        """Move a branching line's head to one of its nodes; no revision is made, the head log gets a row.

        Raises WrongState on a linear line, StaleHead, NotFound.
        """
        found = self.line(connection, line)
        if found.mode is not Mode.BRANCHING:
            raise WrongState(
                f"{line} is linear: its head cannot be moved back",
                ids=[line],
                recovery="Restore the earlier content; that copies it forward as a new revision.",
            )
        if found.head != expected_head:
            raise self.stale(connection, line, expected_head, self.revision(connection, found.head))
        target = self.revision(connection, node)
        if target.line != line:
            raise NotFound(f"r{node} is not a node of {line}", ids=[f"r{node}", line])
        connection.exec_driver_sql(
            "INSERT INTO checkouts (line, newest, from_revision, to_revision, actor_kind, actor, at)"
            " SELECT line, max(id), ?, ?, ?, ?, ? FROM revisions WHERE line = ?",
            (found.head, node, actor.kind.value, actor.name, self.clock.now(), line),
        )
        connection.exec_driver_sql("UPDATE lines SET head = ? WHERE id = ?", (node, line))
        return target

    # parts

    def stale(self, connection: Connection, line: str, expected: int, head: Revision) -> StaleHead:
        """The error that says what happened between two heads: ten newest revisions, units of the fifty newest."""
        since = [item for item in self.log(connection, line, limit=50) if item.number > expected]
        units: set[str] = set()
        for item in since:
            first = item.changes_from
            units.update(
                row[0] for row in connection.exec_driver_sql(_SELECT_UNITS, (first, first + item.changes_count))
            )
        return StaleHead(
            f"{line} moved on from r{expected} to {head.id}"
            if expected < head.number
            else f"{line} is not at r{expected} but at {head.id}",
            expected=f"r{expected}",
            found=head.id,
            ids=[line],
            details={
                "current_revision": head.id,
                "since": [
                    {"revision": item.id, "actor": item.actor.name, "cause": item.cause, "message": item.message}
                    for item in since[:10]
                ],
                "changed_units": sorted(units)[:50],
            },
        )

    def _begin(
        self,
        connection: Connection,
        line: str,
        kind: str,
        root: str,
        mode: Mode,
        base: Revision | None,
        document: bytes,
        actor: Actor,
        cause: str,
        message: str,
        changes: Sequence[ChangeRow],
    ) -> Revision:
        taken = connection.exec_driver_sql("SELECT 1 FROM lines WHERE id = ?", (line,)).fetchone()
        if taken is not None:
            raise WrongState(f"there is a line {line} already", ids=[line])
        last, last_change = connection.exec_driver_sql(f"SELECT {_NEWEST}").one()
        start = opening((line, kind, mode.value, root), GENESIS if base is None else base.chain)
        place = _Place(last + 1, last_change + 1, 0, None if base is None else base.number, start)
        made = self._append(connection, place, line, document, actor, cause, message, changes)
        connection.exec_driver_sql(
            "INSERT INTO lines (id, kind, mode, root, base, head, created_at) VALUES (?,?,?,?,?,?,?)",
            (line, kind, mode.value, root, None if base is None else base.number, made.number, made.at),
        )
        return made

    def _append(
        self,
        connection: Connection,
        place: _Place,
        line: str,
        document: bytes,
        actor: Actor,
        cause: str,
        message: str,
        changes: Sequence[ChangeRow],
    ) -> Revision:
        bare = Revision(
            number=place.number,
            line=line,
            seq=place.seq,
            parent=place.parent,
            document=document,
            actor=actor,
            cause=cause,
            message=message,
            at=self.clock.now(),
            changes_from=place.change,
            changes_count=len(changes),
            changes_digest=changes_digest(changes),
            chain=GENESIS,
        )
        cells = (*_cells(bare)[:-1], bare.link(place.link))
        connection.exec_driver_sql(_INSERT_REVISION, cells)
        if changes:
            rows: list[tuple[Any, ...]] = [
                (number, place.number, *change.cells()) for number, change in enumerate(changes, place.change)
            ]
            connection.exec_driver_sql(_INSERT_CHANGE, rows if len(rows) > 1 else rows[0])
        return _revision(cells)


def _line(row: Any) -> Line:
    return Line(row[0], row[1], Mode(row[2]), *row[3:])


def _cells(item: Revision) -> tuple[Any, ...]:
    return (
        item.number,
        item.line,
        item.seq,
        item.parent,
        item.document,
        item.actor.kind.value,
        item.actor.name,
        item.cause,
        item.message,
        item.at,
        item.changes_from,
        item.changes_count,
        item.changes_digest,
        item.chain,
    )


def _revision(row: Any) -> Revision:
    try:
        actor = Actor(ActorKind(row[5]), row[6])
    except (LanternError, ValueError, TypeError, AttributeError) as error:
        raise Corrupt("a revision's actor cannot be read", ids=[f"r{row[0]}"]) from error
    if not type(row[4]) is type(row[12]) is type(row[13]) is bytes:
        raise Corrupt("a revision's hashes cannot be read", ids=[f"r{row[0]}"])
    return Revision(
        row[0], row[1], row[2], row[3], row[4], actor, row[7], row[8], row[9], row[10], row[11], row[12], row[13]
    )
