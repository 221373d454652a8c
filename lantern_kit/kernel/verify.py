"""The whole-workspace check: every hash, chain and head, and what the kinds add."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.kernel import leases
from lantern_kit.kernel.actor import Actor, ActorKind
from lantern_kit.kernel.blobs import BlobStore
from lantern_kit.kernel.documents import Leaf, Root, load, parse_node, unpack
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, LanternError, Stopped
from lantern_kit.kernel.history import History
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.report import Problem, Report
from lantern_kit.kernel.revision import GENESIS, ChangeRow, Mode, Revision, changes_digest, opening

__all__ = ["KIT", "Problem", "Report", "readable", "verify_kernel"]
LISTED = 20
"""How many missing rows of one kind are said one by one."""


def verify_kernel(
    connection: Connection, blobs: BlobStore, history: History, report: Report, tell: Progress = quiet
) -> None:
    """Check the journal's own tables and every blob; notes go into ``report``."""
    with connection.lenient():
        with readable(report, "file"), connection.told(tell, "file"):
            for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
                if line != "ok":
                    report.add("journal", "sqlite", str(line))
        bodies = _Bodies()
        with readable(report, "documents"):
            _documents(connection, bodies, report, tell)
        with readable(report, "revisions"):
            _trees(connection, _revisions(connection, history, report, tell), bodies, report, tell)
        bodies.report(report)
        with readable(report, "lines"):
            _lines(connection, history, report, tell)
        for (name,) in connection.exec_driver_sql("SELECT name FROM leases").fetchall():
            with readable(report, "leases"):
                leases.read(connection, name)
    _blobs(blobs, report, tell)


@contextmanager
def readable(report: Report, table: str) -> Iterator[None]:
    """Note that a part of the journal cannot be read at all, so that the check goes on with the others."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError, Corrupt) as error:
        said = error.message if isinstance(error, Corrupt) else error
        report.add("journal", table, f"cannot be read: {said}")


@dataclass
class _Need:
    """Who needs a body that is damaged or missing."""

    revisions: list[str] = field(default_factory=list)
    lines: dict[str, None] = field(default_factory=dict)
    units: dict[str, None] = field(default_factory=dict)


@dataclass
class _Bodies:
    """The stored bodies: which are sound, which are not, and who needs those."""

    sound: set[bytes] = field(default_factory=set)
    damaged: dict[Any, int] = field(default_factory=dict)
    """Row of each damaged body, by the name it is stored under."""
    needs: dict[bytes, _Need] = field(default_factory=dict)

    def need(self, name: bytes, unit: str, revision: Revision) -> None:
        """Note that a revision needs a body that is not sound."""
        need = self.needs.setdefault(name, _Need())
        if revision.id not in need.revisions[-1:]:
            need.revisions.append(revision.id)
        need.lines[revision.line] = None
        if unit:
            need.units[unit] = None

    def report(self, report: Report) -> None:
        """Say each body that is not sound once, with all who need it."""
        for name, row in self.damaged.items():
            need = self.needs.pop(name, _Need())
            self._say(report, f"row {row}", "the stored bytes do not match their hash", name, need, "other bytes")
        for name, need in self.needs.items():
            self._say(report, name.hex()[:16], "it is missing", name, need, "nothing")

    def _say(self, report: Report, subject: str, message: str, name: Any, need: _Need, found: str) -> None:
        expected = f"SHA-256 {name.hex()}" if isinstance(name, bytes) else "a hash"
        report.add(
            "document",
            subject,
            message,
            expected=expected,
            found=found,
            lines=need.lines,
            revisions=need.revisions,
            units=need.units,
        )


def _documents(connection: Connection, bodies: _Bodies, report: Report, tell: Progress) -> None:
    """Check every stored body against its name."""
    total, first, last = connection.exec_driver_sql("SELECT count(*), min(id), max(id) FROM documents").one()
    if total and (first, last) != (1, total):
        report.add("document", "all", f"{total} documents are stored, their rows run from {first} to {last}")
    rows = connection.exec_driver_sql("SELECT id, hash, codec, crc, body FROM documents")
    for number, name, codec, crc, body in steps(rows, tell, "documents", total):
        try:
            unpack(name, codec, crc, body)
            bodies.sound.add(name)
        except Corrupt:
            bodies.damaged[name] = number
    report.count("documents", total)


def _revisions(connection: Connection, history: History, report: Report, tell: Progress) -> list[Revision]:
    """Check every revision's chain and its change rows."""
    lines = {row[0]: row for row in connection.exec_driver_sql("SELECT id, kind, mode, root FROM lines").fetchall()}
    chains: dict[int | None, bytes] = {None: GENESIS}
    computed: dict[int | None, bytes] = {}
    found: list[Revision] = []
    claimed = 0
    numbers = [row[0] for row in connection.exec_driver_sql("SELECT id FROM revisions ORDER BY id")]
    last = numbers[-1] if numbers and isinstance(numbers[-1], int) else 0
    for number in sorted({*range(1, min(last, 2 * len(numbers) + LISTED) + 1)} - {*numbers})[:LISTED]:
        report.add("revision", f"r{number}", "the revision is missing", revisions=f"r{number}")
    for number in steps(numbers, tell, "revisions"):
        try:
            item = history.revision(connection, number)
            rows = list(_change_rows(connection, item))
            expected = _link(item, lines[item.line], chains.get(item.parent, b""))
            digest = changes_digest(rows)
        except (LanternError, KeyError, ValueError, TypeError):
            report.add(
                "revision",
                f"r{number}",
                "a column of the revision, or its line, cannot be read",
                revisions=f"r{number}",
            )
            continue
        # A chain hash that was changed breaks the next link too; that is the fault of this revision only.
        if expected != item.chain and item.parent in computed:
            expected = _link(item, lines[item.line], computed[item.parent])
        if expected != item.chain:
            report.add(
                "revision",
                item.id,
                "the chain hash does not match the revision's facts and its parent's chain",
                expected=expected.hex(),
                found=item.chain.hex(),
                lines=item.line,
                revisions=item.id,
            )
            computed[number] = expected
        chains[number] = item.chain
        found.append(item)
        if len(rows) != item.changes_count or digest != item.changes_digest:
            report.add(
                "change",
                item.id,
                "the change rows are not the ones this revision wrote",
                expected=f"{item.changes_count} rows, SHA-256 {item.changes_digest.hex()}",
                found=f"{len(rows)} rows, SHA-256 {digest.hex()}",
                lines=item.line,
                revisions=item.id,
            )
        claimed += item.changes_count
    report.count("revisions", len(numbers))
    total = connection.exec_driver_sql("SELECT count(*) FROM changes").scalar_one()
    if total != claimed:
        report.add("change", "all", f"{total} change rows are stored, the revisions speak of {claimed}")
    report.count("changes", total)
    return found


def _link(item: Revision, line: Any, before: bytes) -> bytes:
    """The chain hash a revision must carry after its parent's."""
    return item.link(before if item.seq else opening(line[:4], before))


def _change_rows(connection: Connection, item: Revision) -> Iterator[ChangeRow]:
    rows = connection.exec_driver_sql(
        "SELECT revision, unit, object, object_kind, change, property, before, after FROM changes"
        " WHERE id >= ? AND id < ? ORDER BY id",
        (item.changes_from, item.changes_from + item.changes_count),
    )
    for row in rows:
        if row[0] == item.number:
            yield ChangeRow(*row[1:])


def _trees(
    connection: Connection, revisions: Sequence[Revision], bodies: _Bodies, report: Report, tell: Progress
) -> None:
    """Check that everything a revision's document names is stored, and note who needs what is not."""
    lacking: dict[bytes, frozenset[tuple[bytes, str]]] = {}
    refused: set[bytes] = set()

    def below(name: bytes, revision: Revision) -> frozenset[tuple[bytes, str]]:
        """Bodies that are not sound under a chunk, each with the unit it holds."""
        known = lacking.get(name)
        if known is not None:
            return known
        found: frozenset[tuple[bytes, str]]
        if name not in bodies.sound:
            found = frozenset({(name, "")})
        else:
            found = frozenset()
            try:
                node = parse_node(load(connection, name))
            except Corrupt:
                report.add(
                    "document",
                    name.hex()[:16],
                    "it is no chunk of a document",
                    lines=revision.line,
                    revisions=revision.id,
                )
                node = ()
            if isinstance(node, Leaf):
                pairs = zip(node.hashes, node.ids, strict=True)
                found = frozenset((item, unit) for item, unit in pairs if item not in bodies.sound)
            else:
                found = frozenset().union(*(below(child, revision) for child in node))
        lacking[name] = found
        return found

    for revision in steps(revisions, tell, "trees"):
        if revision.document not in bodies.sound:
            bodies.need(revision.document, "", revision)
            continue
        if revision.document in refused:
            continue
        try:
            root = Root.parse(load(connection, revision.document))
        except Corrupt:
            refused.add(revision.document)
            report.add(
                "document", revision.id, "its document has no readable root", lines=revision.line, revisions=revision.id
            )
            continue
        if root.tree is not None:
            for name, unit in sorted(below(root.tree, revision)):
                bodies.need(name, unit, revision)


def _lines(connection: Connection, history: History, report: Report, tell: Progress) -> None:
    """Check that heads are where the lines' own revisions, or the last checkout, left them."""
    names = [row[0] for row in connection.exec_driver_sql("SELECT id FROM lines ORDER BY id")]
    for name in names:
        try:
            line = history.line(connection, name)
            own = history.log(connection, name, tell=lambda _, done, total: tell("lines", done, total))
        except Stopped:
            raise
        except (LanternError, ValueError, TypeError):
            report.add("line", str(name), "a column of the line, or a revision of it, cannot be read")
            continue
        checkout = connection.exec_driver_sql(
            "SELECT newest, to_revision FROM checkouts WHERE line = ? ORDER BY id DESC LIMIT 1", (name,)
        ).fetchone()
        numbers = {item.number for item in own}
        last = own[0].number if own else None
        head = checkout[1] if checkout is not None and checkout[0] == last else last
        if line.head != head or head not in numbers or (checkout is not None and line.mode is Mode.LINEAR):
            report.add(
                "line",
                line.id,
                "the head is not where the line's revisions and checkouts left it",
                expected=f"r{head}",
                found=f"r{line.head}",
                lines=line.id,
            )
        if own and (line.base, line.created_at) != (own[-1].parent, own[-1].at):
            report.add(
                "line",
                line.id,
                "it does not begin where and when its first revision does",
                expected=f"after r{own[-1].parent} at {own[-1].at}",
                found=f"after r{line.base} at {line.created_at}",
                lines=line.id,
                revisions=own[-1].id,
            )
    report.count("lines", len(names))


def _blobs(blobs: BlobStore, report: Report, tell: Progress) -> None:
    """Check every stored blob against its name."""
    names = list(blobs.names())
    for name in steps(names, tell, "blobs"):
        try:
            blobs.get(name)
        except LanternError as error:
            report.add("blob", name.hex(), error.message)
    report.count("blobs", len(names))


KIT = Actor(ActorKind.KIT, "lantern")
"""The kit acting by itself."""
