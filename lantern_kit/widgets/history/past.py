"""A chapter's past as it lies in the journal, read once and kept up to date; what is damaged is told, not raised."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from lantern_kit.comic.choices import left_out
from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.work.host import Host
from lantern_kit.kernel.actor import ActorKind
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import NotFound
from lantern_kit.widgets.history.step import (
    COPYING,
    UNREAD,
    DraftFacts,
    ProposalFacts,
    SavedFacts,
    Step,
    Tale,
    VerdictFacts,
)

_KINDS = {kind.value for kind in ActorKind}
_BACK = re.compile(r"^back to r(\d{1,16})$")
_FROM = re.compile(r"^picked from r(\d{1,16}):|· from r(\d{1,16})$")
_STEPS = (
    "SELECT r.id, r.line, r.seq, r.parent, r.document, r.actor_kind, r.actor, r.cause, r.message, r.at,"
    " r.changes_count FROM revisions AS r WHERE r.id > ? AND r.line IN (SELECT id FROM lines WHERE root = ?)"
    " ORDER BY r.id"
)


class Past:
    """The revisions of all lines of one chapter. Safe to ask from several threads."""

    def __init__(self, host: Host, chapter: str) -> None:
        self._host = host
        self.chapter = chapter
        self._lock = threading.Lock()
        self._steps: list[Step] = []
        self._by_number: dict[int, Step] = {}
        self._contents: dict[bytes, list[Step]] = {}
        self._sources: dict[int, int] = {}
        self._newest = 0
        self._tale: Tale | None = None

    def tale(self) -> Tale:
        """The past as it is now. Raises NotFound when the chapter is not there, Corrupt for an unreadable journal."""
        with self._lock, self._host.comics.journal.read() as connection, connection.lenient():
            stamp = _stamp(connection, self.chapter)
            if self._tale is None or self._tale.stamp != stamp:
                self._tale = self._read(connection, stamp)
            return self._tale

    def _read(self, connection: Connection, stamp: str) -> Tale:
        line = connection.exec_driver_sql("SELECT head FROM lines WHERE id = ?", (self.chapter,)).fetchone()
        if line is None:
            raise NotFound(f"{self.chapter[:40]} is not a chapter of this workspace", ids=[self.chapter[:40]])
        drafts = {item.number: item for item in _drafts(connection, self.chapter)}
        proposals = {item.number: item for item in _proposals(connection, self.chapter)}
        resolved = dict(
            connection.exec_driver_sql(
                "SELECT c.settled_in, p.frozen FROM conflicts AS c JOIN proposals AS p ON p.id = c.proposal"
                " WHERE c.chapter = ? AND c.settled_in IS NOT NULL",
                (self.chapter,),
            ).fetchall()
        )
        for row in connection.exec_driver_sql(_STEPS, (self._newest, self.chapter)).fetchall():
            self._take(_step(row, self.chapter), drafts, proposals, resolved)
        head = line[0] if isinstance(line[0], int) else 0
        steps = [*self._steps, *_ghosts(self._steps, self._by_number, head)]
        steps.sort(key=lambda step: step.number)
        verdicts = list(_verdicts(connection, self.chapter))
        saved = list(_saved(connection, self.chapter))
        return Tale(
            stamp,
            self.chapter,
            steps,
            {step.number: step for step in steps},
            head,
            dict(self._sources),
            drafts,
            proposals,
            verdicts,
            saved,
            _marks(steps, drafts, proposals, verdicts, saved),
        )

    def _take(
        self,
        step: Step,
        drafts: dict[int, DraftFacts],
        proposals: dict[int, ProposalFacts],
        resolved: dict[Any, Any],
    ) -> None:
        source = self._source(step, drafts, proposals, resolved) if step.cause in COPYING else None
        if source is not None and source < step.number and source in self._by_number:
            self._sources[step.number] = source
        self._steps.append(step)
        self._by_number[step.number] = step
        self._contents.setdefault(step.document, []).append(step)
        self._newest = step.number

    def _source(
        self,
        step: Step,
        drafts: dict[int, DraftFacts],
        proposals: dict[int, ProposalFacts],
        resolved: dict[Any, Any],
    ) -> int | None:
        """Which revision it copied from: as it says itself, else the newest earlier one of that content."""
        if step.cause == "resolve":
            found = resolved.get(step.number)
            return found if isinstance(found, int) else None
        if step.cause == "follow":
            draft = drafts.get(step.branch)
            proposal = None if draft is None else proposals.get(draft.from_proposal or 0)
            return None if proposal is None else proposal.frozen
        if step.cause == "pick":
            said = _FROM.search(step.message)
            return None if said is None else int(said[1] or said[2])
        told = _BACK.match(step.message)
        named = None if told is None else self._by_number.get(int(told[1]))
        if named is not None and named.document == step.document:
            return named.number
        alike = self._contents.get(step.document, [])
        own = next((item for item in reversed(alike) if item.branch == step.branch), None)
        return own.number if own is not None else (alike[-1].number if alike else None)


def _stamp(connection: Connection, chapter: str) -> str:
    """What changes whenever anything that is told of does."""
    row = connection.exec_driver_sql(
        "SELECT (SELECT max(id) FROM revisions), (SELECT max(id) FROM approvals), (SELECT max(id) FROM snapshots),"
        " (SELECT max(id) FROM proposals), (SELECT count(*) FROM key_events),"
        " (SELECT count(*) FROM drafts WHERE chapter = ?1 AND state = 'open'),"
        " (SELECT count(*) FROM conflicts WHERE chapter = ?1 AND state = 'open'),"
        " (SELECT head FROM lines WHERE id = ?1)",
        (chapter,),
    ).one()
    return "-".join("0" if cell is None else str(cell) for cell in row)


# rows, also damaged ones


def _text(value: Any) -> str:
    """Text that can be sent on, whatever the journal holds."""
    if not isinstance(value, str):
        return UNREAD
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _branch(line: Any, chapter: str) -> int | None:
    if line == chapter:
        return 0
    digits = line[1:] if isinstance(line, str) and line[:1] == "d" else ""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 17 else None


def _step(row: Any, chapter: str) -> Step:
    number, line, seq, parent, document, kind, actor, cause, message, at, changes = row
    branch = _branch(line, chapter)
    sound = (
        branch is not None
        and kind in _KINDS
        and all(type(cell) is str and cell.isprintable() for cell in (actor, cause))
        and type(message) is str
        and _text(message) == message
        and all(type(cell) is int for cell in (seq, at, changes))
        and (parent is None or type(parent) is int)
        and type(document) is bytes
        and len(document) == 32
    )
    return Step(
        number,
        branch or 0,
        _number(seq),
        parent if isinstance(parent, int) else None,
        document if isinstance(document, bytes) else b"",
        kind if kind in _KINDS else "kit",
        _text(actor),
        _text(cause),
        _text(message),
        _number(at),
        _number(changes),
        "" if sound else "unreadable",
    )


def _ghosts(steps: Iterable[Step], known: dict[int, Step], head: int) -> Iterator[Step]:
    """Revisions that others, or the line, name and that are not there."""
    last: dict[int, int] = {}
    gone: set[int] = set()
    at = 0
    for step in steps:
        if step.parent is not None and step.parent not in known and step.parent not in gone:
            gone.add(step.parent)
            branch = step.branch if step.seq else 0
            yield Step(step.parent, branch, 0, last.get(branch), b"", "kit", UNREAD, "", "", step.at, 0, "missing")
        last[step.branch] = step.number
        at = step.at
    if head and head not in known and head not in gone:
        yield Step(head, 0, 0, last.get(0), b"", "kit", UNREAD, "", "", at, 0, "missing")


# what hangs on revisions


def _drafts(connection: Connection, chapter: str) -> Iterator[DraftFacts]:
    rows = connection.exec_driver_sql(
        "SELECT id, title, state, base, actor, from_proposal FROM drafts WHERE chapter = ?", (chapter,)
    ).fetchall()
    for number, title, state, base, actor, proposal in rows:
        origin = proposal if isinstance(proposal, int) else None
        yield DraftFacts(number, _text(title), _text(state), _number(base), _text(actor), origin)


def _proposals(connection: Connection, chapter: str) -> Iterator[ProposalFacts]:
    rows = connection.exec_driver_sql(
        "SELECT id, draft, frozen, state, summary FROM proposals WHERE chapter = ? ORDER BY id", (chapter,)
    ).fetchall()
    for number, draft, frozen, state, summary in rows:
        yield ProposalFacts(number, _number(draft), _number(frozen), _text(state), _text(summary))


def _verdicts(connection: Connection, chapter: str) -> Iterator[VerdictFacts]:
    labels = {item.key: item.label for item in read_keychain(connection).keys}
    rows = connection.exec_driver_sql(
        "SELECT a.id, a.proposal, a.verdict, a.mode, a.reviewer, a.key, a.result, a.choices FROM approvals AS a"
        " JOIN proposals AS p ON p.id = a.proposal WHERE p.chapter = ? ORDER BY a.id",
        (chapter,),
    ).fetchall()
    for number, proposal, verdict, mode, reviewer, key, result, choices in rows:
        by = labels.get(key) or _text(reviewer)
        made = result if isinstance(result, int) else None
        yield VerdictFacts(number, proposal, _text(verdict), _text(mode), by, made, left_out(_text(choices)))


def _saved(connection: Connection, chapter: str) -> Iterator[SavedFacts]:
    rows = connection.exec_driver_sql(
        "SELECT id, revision, title, actor FROM snapshots WHERE chapter = ? ORDER BY id", (chapter,)
    ).fetchall()
    for number, revision, title, actor in rows:
        yield SavedFacts(number, _number(revision), _text(title), _text(actor))


def _marks(
    steps: Iterable[Step],
    drafts: dict[int, DraftFacts],
    proposals: dict[int, ProposalFacts],
    verdicts: Iterable[VerdictFacts],
    saved: Iterable[SavedFacts],
) -> dict[int, list[dict[str, Any]]]:
    found: dict[int, list[dict[str, Any]]] = {}
    for step in steps:
        draft = drafts.get(step.branch)
        if draft is not None and step.seq == 0 and not step.damage:
            mark = {"kind": "draft", "id": f"d{draft.number}", "state": draft.state, "words": draft.title}
            found.setdefault(step.number, []).append(mark)
    for proposal in proposals.values():
        words = {"id": f"p{proposal.number}", "state": proposal.state, "words": proposal.summary}
        found.setdefault(proposal.frozen, []).append({"kind": "proposal", **words})
    for verdict in verdicts:
        made = {
            "kind": "verdict", "id": f"v{verdict.number}", "proposal": f"p{verdict.proposal}", "by": verdict.by,
            "verdict": verdict.verdict, "mode": verdict.mode, "left_out": verdict.left_out,
        }  # fmt: skip
        about = proposals.get(verdict.proposal)
        place = verdict.result if verdict.result is not None else (0 if about is None else about.frozen)
        found.setdefault(place, []).append(made)
    for item in saved:
        mark = {"kind": "saved", "id": f"s{item.number}", "words": item.title, "by": item.by}
        found.setdefault(item.revision, []).append(mark)
    return found
