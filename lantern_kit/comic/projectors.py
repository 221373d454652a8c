"""The analysis tables of comics: chapters, drafts, candidates, proposals, verdicts, versions; those of rooms below."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lantern_kit.analysis.registry import Appended, Column, Mirrored, Row
from lantern_kit.comic import annotation_projectors, approvals, library_projectors, review_projectors, unit_projectors
from lantern_kit.comic.annotation_projectors import HEADS
from lantern_kit.comic.choices import Choices
from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.model import Chapter
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.documents import Documents, Root
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt


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


def _candidate_rows(connection: Connection) -> Iterator[Row]:
    rows = connection.exec_driver_sql(
        "SELECT id, draft, chapter, base, state, task, targets, operations, summary, new_findings, actor_kind, actor,"
        " at, settled_by, settled_at, result FROM candidates ORDER BY id"
    )
    for number, draft, chapter, base, state, task, targets, operations, summary, findings, *rest, result in rows:
        names = (f"cd{number}", f"d{draft}", chapter, f"r{base}", state, task)
        things = [handle.partition("#")[0] for handle in json.loads(targets)]
        verbs = [operation["op"] for operation in json.loads(operations)]
        rules = [finding["rule"] for finding in json.loads(findings)]
        yield (*names, things, verbs, summary, rules, *rest, None if result is None else f"r{result}")


CANDIDATES = Mirrored(
    name="candidates",
    doc="One row per candidate: a change set that waits beside a draft's line until it is adopted or dropped.",
    columns=(
        Column("candidate", "VARCHAR", "its name, cd4"),
        Column("draft", "VARCHAR", "the draft it would change"),
        Column("chapter", "VARCHAR", "the chapter of that draft"),
        Column("base", "VARCHAR", "the draft's revision that it was worked out on"),
        Column("state", "VARCHAR", "waiting, adopted or dropped"),
        Column("task", "VARCHAR", "what it is for, in the proposer's words"),
        Column("targets", "VARCHAR[]", "the objects, units or chapter that it is about"),
        Column("operations", "VARCHAR[]", "names of its operations, in order"),
        Column("summary", "VARCHAR", "what it changes, in counts"),
        Column("new_findings", "VARCHAR[]", "rules of the faults it would bring in, one entry a fault"),
        Column("actor_kind", "VARCHAR", "person or agent"),
        Column("actor", "VARCHAR", "who proposed it"),
        Column("proposed_at", "TIMESTAMP", "when, in UTC"),
        Column("decided_by", "VARCHAR", "who adopted or dropped it; NULL while it waits or if it ended with its draft"),
        Column("decided_at", "TIMESTAMP", "when, in UTC; NULL while it waits"),
        Column("result", "VARCHAR", "the draft's revision that its adoption made; else NULL"),
    ),
    read=_candidate_rows,
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
        "SELECT a.proposal, a.reviewer, a.choices, a.at, p.draft, p.frozen FROM approvals AS a"
        " JOIN proposals AS p ON p.id = a.proposal WHERE a.choices <> '' ORDER BY a.id"
    ).fetchall()
    for proposal, reviewer, text, at, draft, frozen in rows:
        try:
            choices = Choices.read(text)
        except Corrupt:
            continue  # verify names it; the verdict itself stands in approvals as not valid
        for part in choices.rejected:
            thing, _, name = part.partition(".")
            along = choices.because.get(part)
            place = connection.exec_driver_sql(
                "SELECT c.unit, c.object_kind FROM changes AS c JOIN revisions AS r ON r.id = c.revision"
                " WHERE c.object = ? AND r.line = ? AND r.id <= ? ORDER BY c.id DESC LIMIT 1",
                (thing, f"d{draft}", frozen),
            ).fetchone()
            why = choices.reason(part)
            yield (f"p{proposal}", part, thing, name or None, why, along, reviewer, at, *(place or (None, None)))


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
        Column("unit", "VARCHAR", "the unit it is on; the chapter for what lies above units"),
        Column("object_kind", "VARCHAR", "frame, balloon …, unit, chapter"),
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
    CHAPTERS,
    *unit_projectors.PROJECTORS,
    *library_projectors.PROJECTORS,
    *(DRAFTS, CANDIDATES, PROPOSALS, APPROVALS, REJECTIONS, SNAPSHOTS),
    *annotation_projectors.PROJECTORS,
    *review_projectors.PROJECTORS,
)
