"""The whole-workspace check: every hash, chain and head, and what the kinds add."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from lantern_kit.kernel.actor import Actor, ActorKind
from lantern_kit.kernel.blobs import BlobStore
from lantern_kit.kernel.documents import Leaf, Root, load, parse_node, unpack
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, LanternError
from lantern_kit.kernel.history import History
from lantern_kit.kernel.revision import GENESIS, ChangeRow, Mode, Revision, changes_digest, opening

Progress = Callable[[str, int, int], None]
"""(what is checked, done, of how many)"""


@dataclass(frozen=True)
class Problem:
    """One thing that is not as it was written."""

    kind: str
    """document, revision, change, line, blob, approval, …"""
    id: str
    message: str


@dataclass
class Report:
    """What a check looked at and found."""

    checked: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Nothing was found."""
        return not self.problems

    def add(self, kind: str, subject: str, message: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(kind, subject, message))

    def count(self, kind: str, number: int = 1) -> None:
        """Note that things of a kind were looked at."""
        self.checked[kind] = self.checked.get(kind, 0) + number


def _quiet(what: str, done: int, total: int) -> None:
    """Report progress to nobody."""


def verify_kernel(
    connection: Connection, blobs: BlobStore, history: History, report: Report, progress: Progress = _quiet
) -> None:
    """Check the journal's own tables and every blob; notes go into ``report``."""
    with connection.lenient():
        with readable(report, "file"):
            for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
                if line != "ok":
                    report.add("journal", "sqlite", str(line))
        with readable(report, "documents"):
            _documents(connection, report, progress)
        with readable(report, "revisions"):
            _trees(connection, _revisions(connection, history, report, progress), report)
        with readable(report, "lines"):
            _lines(connection, history, report)
    _blobs(blobs, report, progress)


@contextmanager
def readable(report: Report, table: str) -> Iterator[None]:
    """Note that a part of the journal cannot be read at all, so that the check goes on with the others."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError, Corrupt) as error:
        said = error.message if isinstance(error, Corrupt) else error
        report.add("journal", table, f"cannot be read: {said}")


def _documents(connection: Connection, report: Report, progress: Progress) -> None:
    """Check every stored body against its name."""
    total, first, last = connection.exec_driver_sql("SELECT count(*), min(id), max(id) FROM documents").one()
    if total and (first, last) != (1, total):
        report.add("document", "all", f"{total} documents are stored, their rows run from {first} to {last}")
    rows = connection.exec_driver_sql("SELECT id, hash, codec, crc, body FROM documents")
    for done, (number, name, codec, crc, body) in enumerate(rows, 1):
        try:
            unpack(name, codec, crc, body)
        except Corrupt:
            report.add("document", f"row {number}", "the stored bytes do not match their hash")
        if done % 1000 == 0:
            progress("documents", done, total)
    report.count("documents", total)


def _revisions(connection: Connection, history: History, report: Report, progress: Progress) -> list[Revision]:
    """Check every revision's chain and its change rows."""
    lines = {row[0]: row for row in connection.exec_driver_sql("SELECT id, kind, mode, root FROM lines").fetchall()}
    chains: dict[int | None, bytes] = {None: GENESIS}
    found: list[Revision] = []
    claimed = 0
    numbers = [row[0] for row in connection.exec_driver_sql("SELECT id FROM revisions ORDER BY id")]
    for done, number in enumerate(numbers, 1):
        try:
            item = history.revision(connection, number)
            rows = list(_change_rows(connection, item))
            before = chains.get(item.parent, b"")
            expected = item.link(before if item.seq else opening(lines[item.line], before))
            digest = changes_digest(rows)
        except (LanternError, KeyError, ValueError, TypeError):
            report.add("revision", f"r{number}", "a column of the revision, or its line, cannot be read")
            continue
        chains[number] = item.chain
        found.append(item)
        if expected != item.chain:
            report.add("revision", item.id, "the chain hash does not match the revision's facts and its parent's chain")
        if len(rows) != item.changes_count or digest != item.changes_digest:
            report.add("change", item.id, "the change rows are not the ones this revision wrote")
        claimed += item.changes_count
        if done % 1000 == 0:
            progress("revisions", done, len(numbers))
    report.count("revisions", len(numbers))
    total = connection.exec_driver_sql("SELECT count(*) FROM changes").scalar_one()
    if total != claimed:
        report.add("change", "all", f"{total} change rows are stored, the revisions speak of {claimed}")
    report.count("changes", total)
    return found


def _change_rows(connection: Connection, item: Revision) -> Iterator[ChangeRow]:
    rows = connection.exec_driver_sql(
        "SELECT revision, unit, object, object_kind, change, property, before, after FROM changes"
        " WHERE id >= ? AND id < ? ORDER BY id",
        (item.changes_from, item.changes_from + item.changes_count),
    )
    for row in rows:
        if row[0] == item.number:
            yield ChangeRow(*row[1:])


def _trees(connection: Connection, revisions: Iterable[Revision], report: Report) -> None:
    """Check that everything a revision's document names is stored."""
    seen: set[bytes] = set()

    def body(name: bytes, revision: Revision) -> bytes | None:
        if name in seen:
            return None
        seen.add(name)
        try:
            return load(connection, name)
        except Corrupt:
            report.add("document", name.hex()[:16], f"named by {revision.id} and missing or damaged")
            return None

    def walk(name: bytes, revision: Revision) -> None:
        data = body(name, revision)
        if data is None:
            return
        try:
            node = parse_node(data)
        except Corrupt:
            report.add("document", name.hex()[:16], f"named by {revision.id} and not a chunk of a document")
            return
        if isinstance(node, Leaf):
            for item in node.hashes:
                body(item, revision)
        else:
            for child in node:
                walk(child, revision)

    for revision in revisions:
        data = body(revision.document, revision)
        if data is None:
            continue
        try:
            root = Root.parse(data)
        except Corrupt:
            report.add("document", revision.id, "its document has no readable root")
            continue
        if root.tree is not None:
            walk(root.tree, revision)


def _lines(connection: Connection, history: History, report: Report) -> None:
    """Check that heads are where the lines' own revisions, or the last checkout, left them."""
    names = [row[0] for row in connection.exec_driver_sql("SELECT id FROM lines ORDER BY id")]
    for name in names:
        try:
            line = history.line(connection, name)
            own = history.log(connection, name)
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
            report.add("line", line.id, "the head is not where the line's revisions and checkouts left it")
        if own and (line.base, line.created_at) != (own[-1].parent, own[-1].at):
            report.add("line", line.id, "it does not begin where and when its first revision does")
    report.count("lines", len(names))


def _blobs(blobs: BlobStore, report: Report, progress: Progress) -> None:
    """Check every stored blob against its name."""
    names = list(blobs.names())
    for done, name in enumerate(names, 1):
        try:
            blobs.get(name)
        except LanternError as error:
            report.add("blob", name.hex(), error.message)
        if done % 50 == 0:
            progress("blobs", done, len(names))
    report.count("blobs", len(names))


KIT = Actor(ActorKind.KIT, "lantern")
"""The kit acting by itself."""
