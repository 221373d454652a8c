"""The analysis tables of comics: chapters; units and objects at lines' heads; drafts, proposals, verdicts, versions."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lantern_kit.analysis.registry import Appended, Column, Followed, Mirrored, Part, Row
from lantern_kit.comic import annotation_projectors, approvals, review_projectors
from lantern_kit.comic.annotation_projectors import HEADS
from lantern_kit.comic.choices import Choices
from lantern_kit.comic.inventory import measured
from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.documents import Documents, Root
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.revision import revision_number

Place = tuple[int, bytes]
"""A unit's place in its chapter, from 1, and the hash of its document."""


class _Pages:
    """What the readers of one run read of units, each unit once."""

    def __init__(self) -> None:
        self._documents = Documents()
        self._places: dict[str, dict[str, Place]] = {}
        self._rows: dict[bytes, tuple[Row, list[Row]]] = {}

    def places(self, connection: Connection, revision: str) -> dict[str, Place]:
        """Where each unit stands at a revision, and its content."""
        found = self._places.get(revision)
        if found is None:

            def read(name: bytes) -> bytes:
                return self._documents.get(connection, name)

            document = connection.exec_driver_sql(
                "SELECT document FROM revisions WHERE id = ?", (revision_number(revision),)
            ).scalar_one()
            items = self._documents.items(read, Root.parse(read(document)).tree)
            found = self._places[revision] = {unit: (place, name) for place, (unit, name) in enumerate(items, 1)}
        return found

    def rows(self, connection: Connection, name: bytes) -> tuple[Row, list[Row]]:
        """What is told of a unit, and of its objects, whatever line it is on and at which place."""
        found = self._rows.get(name)
        if found is None:
            unit = Unit.model_validate_json(self._documents.get(connection, name))
            found = self._rows[name] = (_facts(unit), list(measured(unit)))
        return found


class _Heads(ABC):
    """Reads units at lines' heads, following each line from one head to the next by the units that differ."""

    def __init__(self, shared: dict[str, Any]) -> None:
        self._pages: _Pages = shared.setdefault("pages", _Pages())

    @abstractmethod
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        """The rows of one unit; ``since`` has the revisions that touched objects last after the head before."""

    @abstractmethod
    def differ(self, before: Place | None, after: Place) -> bool:
        """Whether the rows do."""

    def stamps(self, connection: Connection) -> Mapping[str, str]:
        """Every line of every chapter, with its head."""
        rows = connection.exec_driver_sql("SELECT id, head FROM lines WHERE root IN (SELECT id FROM chapters)")
        return {line: f"r{head}" for line, head in rows}

    def read(self, connection: Connection, group: str, old: str | None, new: str) -> Part:
        """The rows of units that came, differ or were touched between two heads."""
        after = self._pages.places(connection, new)
        if old is None:
            return Part(None, [row for place in after.values() for row in self.rows(connection, group, place, {})])
        before = self._pages.places(connection, old)
        touched = self._touched(connection, group, old, new)
        moved = [unit for unit, place in after.items() if unit in touched or self.differ(before.get(unit), place)]
        gone = frozenset(moved) | (before.keys() - after.keys())
        since = {thing: number for things in touched.values() for thing, number in things.items()}
        return Part(gone, [row for unit in moved for row in self.rows(connection, group, after[unit], since)])

    def _touched(self, connection: Connection, line: str, old: str, new: str) -> dict[str, dict[str, int]]:
        """Units that the revisions between two heads speak of, with what was touched on them, and by which last.

        Content may be as before and yet have been changed.
        """
        rows = connection.exec_driver_sql(
            "SELECT c.unit, c.object, max(r.id) FROM revisions AS r CROSS JOIN changes AS c"
            " ON c.id >= r.changes_from AND c.id < r.changes_from + r.changes_count"
            " WHERE r.line = ? AND r.id > ? AND r.id <= ? GROUP BY 1, 2",
            (line, revision_number(old), revision_number(new)),
        )
        found: dict[str, dict[str, int]] = {}
        for unit, thing, number in rows:
            found.setdefault(unit, {})[thing] = number
        return found


class _UnitHeads(_Heads):
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        unit, *facts = self._pages.rows(connection, place[1])[0]
        return [(line, unit, place[0], *facts, place[1].hex())]

    def differ(self, before: Place | None, after: Place) -> bool:
        return before != after


class _ObjectHeads(_Heads):
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        return [(line, *row, since.get(row[1])) for row in self._pages.rows(connection, place[1])[1]]

    def differ(self, before: Place | None, after: Place) -> bool:
        return before is None or before[1] != after[1]


def _facts(unit: Unit) -> Row:
    return (
        unit.id,
        unit.kind.value,
        unit.name,
        millimetres(unit.width),
        millimetres(unit.height),
        millimetres(unit.gutter),
        len(unit.objects),
    )


UNITS = Followed(
    name="units",
    doc="One row per unit at a line's head: a page, cover, transition or spread.",
    columns=(
        Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
        Column("unit", "VARCHAR", "the unit"),
        Column("position", "INTEGER", "its place in the chapter, from 1"),
        Column("kind", "VARCHAR", "page, cover, transition or spread"),
        Column("name", "VARCHAR", "a label for people"),
        Column("width", "DOUBLE", "trim width, gutter included, in millimetres"),
        Column("height", "DOUBLE", "trim height, in millimetres"),
        Column("gutter", "DOUBLE", "width between the surfaces of a spread, in millimetres"),
        Column("objects", "INTEGER", "how many objects are on it"),
        Column("document", "VARCHAR", "SHA-256 of its content, in hex; equal units have equal hashes"),
    ),
    group="line",
    part="unit",
    open=_UnitHeads,
)

_OBJECT_COLUMNS = (
    Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
    Column("unit", "VARCHAR", "the unit it is on"),
    Column("object", "VARCHAR", "the object"),
    Column("kind", "VARCHAR", "frame, image, foreground, overlay, balloon, narration, text or effect"),
    Column("parent", "VARCHAR", "the unit, frame or image it belongs to"),
    Column("x", "DOUBLE", "left edge, in millimetres from the trim corner; a picture's box as placed, before clipping"),
    Column("y", "DOUBLE", "top edge, in millimetres"),
    Column("w", "DOUBLE", "width, in millimetres"),
    Column("h", "DOUBLE", "height, in millimetres"),
    Column("area", "DOUBLE", "square millimetres inside its outline: a frame's or ellipse's own, else its box's"),
    Column("z", "INTEGER", "place in the order of drawing, from 1 at the bottom"),
    Column("reading_order", "INTEGER", "place in the order of reading, from 1; NULL for what is not read"),
    Column("text", "VARCHAR", "its words; NULL for objects without any"),
    Column("characters", "INTEGER", "code points of its words"),
    Column("asset", "VARCHAR", "the picture it shows; NULL for objects without one"),
)

OBJECTS = Followed(
    name="objects",
    doc="One row per object at a line's head.",
    columns=(
        *_OBJECT_COLUMNS,
        Column(
            "first_revision", "VARCHAR", "the first revision of the line, or of what it was forked from, to change it"
        ),
        Column("last_revision", "VARCHAR", "the last revision to change it"),
    ),
    read_columns=(*_OBJECT_COLUMNS, Column("since", "BIGINT", "the revision that touched it last, of those new here")),
    keeps=("line", "object", "first_revision", "last_revision"),
    group="line",
    part="unit",
    open=_ObjectHeads,
    insert="""
        SELECT
            incoming.* EXCLUDE (since),
            first_revision,
            coalesce('r' || since, last_revision) AS last_revision
        FROM incoming JOIN replaced USING (line, object)
    """,
    rare="SELECT EXISTS (FROM incoming ANTI JOIN replaced USING (line, object))",
    insert_rare="""
        WITH RECURSIVE strange AS (SELECT line, object FROM incoming ANTI JOIN replaced USING (line, object)),
        path(line, source, until) AS (
            SELECT DISTINCT line, line, NULL::BIGINT FROM strange
            UNION ALL
            SELECT path.line, base.line, number(base.revision)
            FROM path
            JOIN revisions AS first ON first.line = path.source AND first.seq = 0
            JOIN revisions AS base ON base.revision = first.parent
        ),
        spans AS (
            SELECT path.line, changes.object, min(number(revision)) AS first, max(number(revision)) AS last
            FROM path
            JOIN revisions ON revisions.line = path.source AND (until IS NULL OR number(revision) <= until)
            JOIN changes USING (revision)
            WHERE changes.object IN (SELECT object FROM strange)
            GROUP BY ALL
        )
        SELECT
            incoming.* EXCLUDE (since),
            coalesce(replaced.first_revision, 'r' || first) AS first_revision,
            coalesce('r' || since, replaced.last_revision, 'r' || last) AS last_revision
        FROM incoming LEFT JOIN replaced USING (line, object) LEFT JOIN spans USING (line, object)
    """,
)


def _chapter_rows(connection: Connection) -> Iterator[Row]:
    documents = Documents()
    rows = connection.exec_driver_sql(
        "SELECT c.id, c.created_at, r.document FROM chapters AS c JOIN lines AS l ON l.id = c.id"
        " JOIN revisions AS r ON r.id = l.head ORDER BY c.comic, c.number"
    ).fetchall()
    for chapter, created_at, document in rows:
        root = Root.parse(documents.get(connection, document))
        facts = Chapter.model_validate_json(dumps(root.head))
        yield (
            chapter,
            facts.comic,
            facts.number,
            facts.title,
            facts.language,
            facts.direction.value,
            millimetres(facts.paper.width),
            millimetres(facts.paper.height),
            root.count,
            created_at,
        )


CHAPTERS = Mirrored(
    name="chapters",
    doc="One row per chapter, as its working line stands.",
    columns=(
        Column("chapter", "VARCHAR", "the chapter; also the name of its working line"),
        Column("comic", "VARCHAR", "title of the comic"),
        Column("number", "INTEGER", "number of the chapter"),
        Column("title", "VARCHAR", "title of the chapter"),
        Column("language", "VARCHAR", "BCP 47 tag"),
        Column("direction", "VARCHAR", "reading direction: ltr, rtl or ttb"),
        Column("width", "DOUBLE", "trim width of a page, in millimetres"),
        Column("height", "DOUBLE", "trim height, in millimetres"),
        Column("units", "INTEGER", "how many units it has"),
        Column("created_at", "TIMESTAMP", "when it was begun, in UTC"),
    ),
    read=_chapter_rows,
    depends=("SELECT * FROM chapters", HEADS),
)


def _draft_rows(connection: Connection) -> Iterator[Row]:
    yield from connection.exec_driver_sql(
        "SELECT 'd' || d.id, d.chapter, 'r' || d.base, 'r' || l.head, d.state, d.title, d.actor_kind, d.actor,"
        " d.created_at, 'p' || d.from_proposal, nullif(d.contract, '')"
        " FROM drafts AS d JOIN lines AS l ON l.id = 'd' || d.id ORDER BY d.id"
    )


DRAFTS = Mirrored(
    name="drafts",
    doc="One row per draft: an isolated copy of a chapter that an agent works in.",
    columns=(
        Column("draft", "VARCHAR", "its name, d7; also the name of its line"),
        Column("chapter", "VARCHAR", "the chapter it was forked from"),
        Column("base", "VARCHAR", "the working revision it was forked from"),
        Column("head", "VARCHAR", "the revision it stands at"),
        Column("state", "VARCHAR", "open, applied or discarded"),
        Column("title", "VARCHAR", "what it is for"),
        Column("actor_kind", "VARCHAR", "person or agent"),
        Column("actor", "VARCHAR", "who began it"),
        Column("created_at", "TIMESTAMP", "when it was begun, in UTC"),
        Column("from_proposal", "VARCHAR", "the proposal whose rejected parts it began with; else NULL"),
        Column("contract", "VARCHAR", "what it was opened for, as JSON; NULL when it may change anything"),
    ),
    read=_draft_rows,
)


def _proposal_rows(connection: Connection) -> Iterator[Row]:
    rows = connection.exec_driver_sql(
        "SELECT p.id, p.chapter, p.draft, p.base, p.frozen, p.state, p.actor, d.created_at, p.frozen_at, p.decided_at,"
        " p.units, p.changes, p.new_findings FROM proposals AS p JOIN drafts AS d ON d.id = p.draft ORDER BY p.id"
    )
    for number, chapter, draft, base, frozen, state, actor, created, at, decided, units, changes, findings in rows:
        rules = [finding["rule"] for finding in json.loads(findings)]
        names = (f"p{number}", chapter, f"d{draft}", f"r{base}", f"r{frozen}")
        yield (*names, state, actor, created, at, decided, json.loads(units), changes, rules)


PROPOSALS = Mirrored(
    name="proposals",
    doc="One row per proposal: a draft frozen for a person's verdict.",
    columns=(
        Column("proposal", "VARCHAR", "its name, p12"),
        Column("chapter", "VARCHAR", "the chapter it would change"),
        Column("draft", "VARCHAR", "the draft that was frozen"),
        Column("base", "VARCHAR", "the working revision the draft was forked from"),
        Column("frozen", "VARCHAR", "the draft's revision that is proposed"),
        Column("state", "VARCHAR", "pending, kept, applied, discarded or superseded"),
        Column("actor", "VARCHAR", "who froze it"),
        Column("created_at", "TIMESTAMP", "when its draft was begun, in UTC"),
        Column("frozen_at", "TIMESTAMP", "when it was frozen, in UTC"),
        Column("decided_at", "TIMESTAMP", "when its state changed last, in UTC; NULL while it is pending"),
        Column("units", "VARCHAR[]", "the units it touches, in reading order"),
        Column("changes", "INTEGER", "how many changed properties it has"),
        Column("new_findings", "VARCHAR[]", "rules of the faults it would bring in, one entry a fault"),
    ),
    read=_proposal_rows,
    depends=("SELECT id, state, decided_at FROM proposals ORDER BY id",),
)


def _approval_rows(connection: Connection) -> Iterator[Row]:
    workspace = connection.exec_driver_sql("SELECT value FROM workspace WHERE key = 'id'").scalar()
    chain = read_keychain(connection)
    decided = connection.exec_driver_sql("SELECT DISTINCT proposal FROM approvals ORDER BY proposal").fetchall()
    for (proposal,) in decided:
        for item in approvals.of_proposal(connection, proposal):
            yield (
                f"p{item.proposal}",
                item.verdict.value,
                item.mode,
                item.reviewer,
                item.key,
                f"r{item.compared}",
                None if item.result is None else f"r{item.result}",
                item.reason,
                item.at,
                approvals.is_valid(connection, item, str(workspace), chain),
            )


APPROVALS = Mirrored(
    name="approvals",
    doc="One row per signed verdict of a person.",
    columns=(
        Column("proposal", "VARCHAR", "the proposal that was decided"),
        Column("verdict", "VARCHAR", "apply, keep or discard"),
        Column("mode", "VARCHAR", "of an apply: plain, merge or overwrite; else empty"),
        Column("reviewer", "VARCHAR", "who decided"),
        Column("key", "VARCHAR", "the key that signed"),
        Column("compared", "VARCHAR", "the working revision the reviewer looked at"),
        Column("result", "VARCHAR", "the working revision an apply made; else NULL"),
        Column("reason", "VARCHAR", "what the reviewer said"),
        Column("decided_at", "TIMESTAMP", "when, in UTC"),
        Column("valid", "BOOLEAN", "whether the signature holds and was made by an enrolled key"),
    ),
    read=_approval_rows,
    depends=(
        "SELECT * FROM approvals ORDER BY id",
        "SELECT * FROM key_events ORDER BY id",
        "SELECT value FROM workspace WHERE key = 'id'",
    ),
)


def _rejection_rows(connection: Connection) -> Iterator[Row]:
    rows = connection.exec_driver_sql(
        "SELECT proposal, reviewer, choices, at FROM approvals WHERE choices <> '' ORDER BY id"
    ).fetchall()
    for proposal, reviewer, text, at in rows:
        try:
            choices = Choices.read(text)
        except Corrupt:
            continue  # verify names it; the verdict itself stands in approvals as not valid
        for part in choices.rejected:
            thing, _, name = part.partition(".")
            along = choices.because.get(part)
            yield (f"p{proposal}", part, thing, name or None, choices.reason(part), along, reviewer, at)


REJECTIONS = Mirrored(
    name="rejections",
    doc="One row per part that a person left out of a proposal when applying it.",
    columns=(
        Column("proposal", "VARCHAR", "the proposal that was applied without it"),
        Column("part", "VARCHAR", "the part: an object, or object.property"),
        Column("object", "VARCHAR", "the object, unit or chapter it is about"),
        Column("property", "VARCHAR", "the property, the first of several that are one part; NULL for whole objects"),
        Column("reason", "VARCHAR", "why, in the reviewer's words; empty when none were given"),
        Column("went_with", "VARCHAR", "the rejected part that it could not stand without; NULL when named itself"),
        Column("reviewer", "VARCHAR", "who decided"),
        Column("decided_at", "TIMESTAMP", "when, in UTC"),
    ),
    read=_rejection_rows,
    depends=("SELECT * FROM approvals WHERE choices <> '' ORDER BY id",),
)

SNAPSHOTS = Appended(
    name="snapshots",
    doc="One row per version that a person saved, by hand or by applying a proposal.",
    columns=(
        Column("snapshot", "VARCHAR", "its name, s3"),
        Column("chapter", "VARCHAR", "the chapter"),
        Column("revision", "VARCHAR", "the revision that was saved"),
        Column("title", "VARCHAR", "what it is called"),
        Column("proposal", "VARCHAR", "the proposal whose apply made it; else NULL"),
        Column("actor", "VARCHAR", "who saved it"),
        Column("saved_at", "TIMESTAMP", "when, in UTC"),
    ),
    source="snapshots",
    cells=("'s' || t.id", "t.chapter", "'r' || t.revision", "t.title", "'p' || t.proposal", "t.actor", "t.at"),
)

PROJECTORS = (
    *(CHAPTERS, UNITS, OBJECTS, DRAFTS, PROPOSALS, APPROVALS, REJECTIONS, SNAPSHOTS),
    *annotation_projectors.PROJECTORS,
    *review_projectors.PROJECTORS,
)
