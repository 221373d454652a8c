"""The whole-workspace check: every hash, chain and head, and what the kinds add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from lantern_kit.kernel.actor import Actor, ActorKind
from lantern_kit.kernel.blobs import BlobStore
from lantern_kit.kernel.documents import Leaf, Root, parse_node, unpack
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, LanternError
from lantern_kit.kernel.history import GENESIS, ChangeRow, History, Revision, changes_digest

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
    for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if line != "ok":
            report.add("journal", "sqlite", str(line))
    kinds = _documents(connection, report, progress)
    documents = _revisions(connection, history, report, progress)
    _trees(connection, documents, kinds, report)
    _lines(connection, history, report)
    _blobs(blobs, report, progress)


def _documents(connection: Connection, report: Report, progress: Progress) -> set[bytes]:
    """Check every stored body against its name; gives the names that are sound."""
    sound = set()
    total = connection.exec_driver_sql("SELECT count(*) FROM documents").scalar_one()
    rows = connection.exec_driver_sql("SELECT id, hash, codec, crc, body FROM documents")
    for done, (number, name, codec, crc, body) in enumerate(rows, 1):
        try:
            unpack(name, codec, crc, body)
            sound.add(bytes(name))
        except (Corrupt, TypeError):
            report.add("document", f"row {number}", "the stored bytes do not match their hash")
        if done % 1000 == 0:
            progress("documents", done, total)
    report.count("documents", total)
    return sound


def _revisions(connection: Connection, history: History, report: Report, progress: Progress) -> list[Revision]:
    """Check every revision's chain and its change rows."""
    chains: dict[int, bytes] = {}
    found: list[Revision] = []
    claimed = 0
    numbers = [row[0] for row in connection.exec_driver_sql("SELECT id FROM revisions ORDER BY id")]
    for done, number in enumerate(numbers, 1):
        try:
            item = history.revision(connection, number)
            rows = list(_change_rows(connection, item))
            expected = item.link(GENESIS if item.parent is None else chains.get(item.parent, b""))
            digest = changes_digest(rows)
        except (LanternError, ValueError, TypeError, AttributeError):
            report.add("revision", f"r{number}", "a column of the revision cannot be read")
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


def _trees(connection: Connection, revisions: Iterable[Revision], sound: set[bytes], report: Report) -> None:
    """Check that everything a revision's document names is stored."""
    seen: set[bytes] = set()

    def body(name: bytes, revision: Revision) -> bytes | None:
        if name in seen:
            return None
        seen.add(name)
        if name not in sound:
            report.add("document", name.hex()[:16], f"named by {revision.id} and missing or damaged")
            return None
        row = connection.exec_driver_sql("SELECT codec, crc, body FROM documents WHERE hash = ?", (name,)).one()
        return unpack(name, row[0], row[1], row[2])

    def walk(name: bytes, revision: Revision) -> None:
        data = body(name, revision)
        if data is None:
            return
        try:
            node = parse_node(data)
        except (Corrupt, UnicodeDecodeError, IndexError):
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
    """Check that heads are where the lines' own revisions end."""
    rows = connection.exec_driver_sql(
        "SELECT id, mode, head, (SELECT max(id) FROM revisions WHERE line = lines.id),"
        " (SELECT count(*) FROM revisions WHERE line = lines.id AND id = lines.head) FROM lines"
    ).fetchall()
    for line, mode, head, last, owns in rows:
        if not owns or (mode == "linear" and head != last):
            report.add("line", str(line), "the head is not the line's last revision")
    report.count("lines", len(rows))
    for (line,) in connection.exec_driver_sql(
        "SELECT DISTINCT line FROM revisions WHERE line NOT IN (SELECT id FROM lines)"
    ):
        report.add("line", str(line), "revisions of a line that is not there")


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
