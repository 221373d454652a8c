"""The check of everything that people decide by: keys, verdicts, proposals, drafts, saved versions, conflicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lantern_kit.comic.approvals import (
    Approval,
    Verdict,
    all_approvals,
    conflicts_digest,
    objection,
    proposal_facts,
    snapshot_facts,
)
from lantern_kit.comic.keychain import Keychain, KeyEvent, KeyEventKind, read_events, read_keychain, verdicts_digest
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.report import Report
from lantern_kit.kernel.verify import readable

_UNREADABLE = (ValueError, TypeError, AttributeError, KeyError, Corrupt)


def verify_decisions(connection: Connection, workspace: str, report: Report, tell: Progress = quiet) -> None:
    """Check keys, verdicts, and what they speak of; notes go into ``report``."""
    chain = read_keychain(connection)
    with readable(report, "key_events"):
        verify_keys(connection, chain, report)
    with readable(report, "approvals"):
        verify_approvals(connection, workspace, chain, report, tell)
    for table, check in {
        "drafts": _draft,
        "proposals": _proposal,
        "snapshots": _snapshot,
        "conflicts": _conflict,
    }.items():
        with readable(report, table):
            _each(connection, table, check, report, tell)
    chosen = connection.exec_driver_sql(
        "SELECT id, line FROM revisions WHERE cause = 'resolve' AND id NOT IN"
        " (SELECT settled_in FROM conflicts WHERE settled_in IS NOT NULL) ORDER BY id"
    ).fetchall()
    for number, line in chosen:
        report.add(
            "conflict",
            f"r{number}",
            "a conflict was settled here that is kept nowhere",
            lines=str(line),
            revisions=f"r{number}",
        )


def verify_keys(connection: Connection, chain: Keychain, report: Report) -> None:
    """Check who was let in by whom, and that the verdicts before each event are those that stood then."""
    for fault in chain.faults:
        report.add("key", f"k{fault.event}", fault.message, keys=fault.key)
    events = [item for item in read_events(connection) if isinstance(item, KeyEvent)]
    bad = {fault.event for fault in chain.faults}
    for event in events:
        if event.kind is KeyEventKind.CARRIED or event.number in bad:
            continue
        if verdicts_digest(connection, event.verdicts) != event.verdicts_digest:
            report.add(
                "approval",
                f"v1 to v{event.verdicts}",
                f"they are not the verdicts that stood when {event.id} was signed",
                expected=event.verdicts_digest.hex(),
                keys=event.key,
            )
    for key in chain.keys:
        if not key.vouched_by:
            report.notes.append(f"trusted because it was there first: {key.label}, key {key.key}")
    report.count("keys", len(chain.heads) - 1)


def verify_approvals(
    connection: Connection, workspace: str, chain: Keychain, report: Report, tell: Progress = quiet
) -> None:
    """Check every verdict's signature, that its key might decide then, and that what it covers is what is there."""
    found = all_approvals(connection)
    numbers = {item.number if isinstance(item, Approval) else item for item in found}
    for number in range(1, max(numbers, default=0) + 1):
        if number not in numbers:
            report.add("approval", f"v{number}", "the verdict is missing")
    for item in steps(found, tell, "approvals"):
        if not isinstance(item, Approval):
            report.add("approval", f"v{item}", "a column of the approval cannot be read")
            continue
        try:
            against = objection(item, workspace, chain)
            if against:
                report.add("approval", item.id, against, proposals=f"p{item.proposal}", keys=item.key)
            else:
                _result(connection, item, report)
                if item.covers:
                    _covers(connection, item, item.covered(), chain, report)
            if against or not item.covers:
                _retold(connection, item, report)
        except _UNREADABLE:
            report.add("approval", item.id, "a column of the approval cannot be read")
    report.count("approvals", len(found))
    gone = connection.exec_driver_sql(
        "SELECT DISTINCT proposal FROM approvals WHERE proposal NOT IN (SELECT id FROM proposals) ORDER BY proposal"
    ).fetchall()
    for (proposal,) in gone:
        report.add("proposal", f"p{proposal}", "there is a verdict on it, and it is gone", proposals=f"p{proposal}")
    unsaved = connection.exec_driver_sql(
        "SELECT proposal, result FROM approvals WHERE verdict = 'apply' AND proposal NOT IN"
        " (SELECT proposal FROM snapshots WHERE proposal IS NOT NULL) ORDER BY id"
    ).fetchall()
    for proposal, result in unsaved:
        report.add(
            "snapshot",
            f"r{result}",
            "a proposal was applied here, and no version of it was saved",
            revisions=f"r{result}",
            proposals=f"p{proposal}",
        )
    applied = connection.exec_driver_sql(
        "SELECT id, line FROM revisions WHERE cause = 'apply' AND id NOT IN"
        " (SELECT result FROM approvals WHERE result IS NOT NULL)"
    ).fetchall()
    for number, line in applied:
        report.add(
            "approval",
            f"r{number}",
            "a proposal was applied here without a verdict",
            lines=str(line),
            revisions=f"r{number}",
        )


def _result(connection: Connection, item: Approval, report: Report) -> None:
    if item.result is None:
        return
    row = connection.exec_driver_sql("SELECT document, cause FROM revisions WHERE id = ?", (item.result,)).fetchone()
    if row is None or row[0] != item.content or row[1] != "apply":
        report.add(
            "approval",
            item.id,
            "the revision it made does not hold what was signed",
            expected=f"an apply of SHA-256 {item.content.hex()}",
            found="no revision" if row is None else f"{row[1]} of SHA-256 {_hex(row[0])}",
            proposals=f"p{item.proposal}",
            revisions=f"r{item.result}",
        )


def _retold(connection: Connection, item: Approval, report: Report) -> None:
    """Compare an apply, where no signature covers it, with the revision and the saved version that it made."""
    row = connection.exec_driver_sql("SELECT chapter, summary FROM proposals WHERE id = ?", (item.proposal,)).fetchone()
    if item.verdict is not Verdict.APPLY or row is None:
        return
    proposal = f"p{item.proposal}"
    chapter, summary = row
    expected = (chapter, f"{proposal}: {summary}"[:200])
    made = connection.exec_driver_sql("SELECT line, message FROM revisions WHERE id = ?", (item.result,)).fetchone()
    if made is None or tuple(made) != expected:
        report.add(
            "proposal",
            proposal,
            "the revision that it became is of another chapter, or tells another summary",
            expected=expected,
            found=made or "nothing",
            proposals=proposal,
            revisions=f"r{item.result}",
        )
    saved = snapshot_facts(connection, item.proposal)
    kept = [item.result, summary[:120] or proposal]
    if saved and saved[2:] != kept:
        report.add(
            "snapshot",
            f"s{saved[0]}",
            "it is not what the verdict on its proposal made",
            expected=kept,
            found=saved[2:],
            proposals=proposal,
        )


def _covers(connection: Connection, item: Approval, covers: dict[str, Any], chain: Keychain, report: Report) -> None:
    """Compare what a sound verdict covers with what is there now."""
    _covered_keys(item, covers["keys"], chain, report)
    for name, signed in covers["revisions"].items():
        if name.endswith("_document"):
            continue
        number = {"compared": item.compared, "result": item.result}.get(name, covers["proposal"].get(name))
        now = connection.exec_driver_sql("SELECT chain FROM revisions WHERE id = ?", (number,)).scalar()
        if _hex(now) != signed:
            report.add(
                "revision",
                f"r{number}",
                f"the history up to it is not the one that {item.id} was signed over",
                expected=signed,
                found=_hex(now),
                revisions=f"r{number}",
                proposals=f"p{item.proposal}",
            )
    _covered_proposal(connection, item, covers["proposal"], report)
    if item.result is None:
        return
    if conflicts_digest(connection, item.result).hex() != covers["conflicts"]:
        ids = connection.exec_driver_sql("SELECT id FROM conflicts WHERE revision = ?", (item.result,)).fetchall()
        report.add(
            "conflict",
            f"r{item.result}",
            f"the conflicts kept open there are not those that {item.id} was signed over",
            revisions=f"r{item.result}",
            conflicts=[f"c{number}" for (number,) in ids],
            proposals=f"p{item.proposal}",
        )
    saved = snapshot_facts(connection, item.proposal)
    if saved and saved != covers["snapshot"]:
        report.add(
            "snapshot",
            f"s{covers['snapshot'][0]}",
            f"the saved version is not the one that {item.id} was signed over",
            expected=covers["snapshot"],
            found=saved,
            proposals=f"p{item.proposal}",
        )


def _covered_proposal(connection: Connection, item: Approval, facts: dict[str, Any], report: Report) -> None:
    if connection.exec_driver_sql("SELECT 1 FROM proposals WHERE id = ?", (item.proposal,)).fetchone() is None:
        return  # told once, whatever was decided on it
    try:
        now = proposal_facts(connection, item.proposal)
    except _UNREADABLE:
        now = {}
    for name, signed in facts.items():
        if now.get(name) != signed:
            report.add(
                "proposal",
                f"p{item.proposal}",
                f"its {name} is not what {item.id} was signed over",
                expected=signed,
                found=now.get(name, "nothing"),
                proposals=f"p{item.proposal}",
            )


def _covered_keys(item: Approval, keys: dict[str, Any], chain: Keychain, report: Report) -> None:
    """Check that the keys' events before a verdict are still there, and came before it."""
    events = keys["events"]
    if events >= len(chain.heads):
        report.add(
            "key",
            f"k{len(chain.heads)}",
            f"events of keys that {item.id} was signed over are missing",
            expected=f"{events} events",
            found=f"{len(chain.heads) - 1} events",
        )
        return
    if chain.heads[events].hex() != keys["chain"]:
        if not any(fault.event <= events for fault in chain.faults):
            report.add(
                "key",
                f"k1 to k{events}",
                f"they are not the events that {item.id} was signed over",
                expected=keys["chain"],
                found=chain.heads[events].hex(),
            )
        return
    late = [place for place, verdicts in enumerate(chain.verdicts[:events], 1) if verdicts >= item.number]
    early = [place for place, verdicts in enumerate(chain.verdicts[events:], events + 1) if verdicts < item.number]
    if late or early:
        report.add(
            "approval",
            item.id,
            "it claims another place among the events of keys than its number says",
            keys=[f"k{place}" for place in late + early],
            proposals=f"p{item.proposal}",
        )


# rows of tables, one by one

_Check = Callable[[Connection, dict[str, Any]], Iterator[tuple[str, object, object]]]
_NAMES = {"drafts": "d", "proposals": "p", "snapshots": "s", "conflicts": "c"}


def _each(connection: Connection, table: str, check: _Check, report: Report, tell: Progress) -> None:
    """Check the rows of a table: each check gives what is wrong, what was expected, what was found."""
    columns = [row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table})")]
    rows = connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY id").fetchall()  # noqa: S608
    kind, prefix = table.removesuffix("s"), _NAMES[table]
    for row in steps(rows, tell, table):
        facts = dict(zip(columns, row, strict=True))
        name = f"{prefix}{facts['id']}"
        try:
            for message, expected, found in check(connection, facts):
                report.add(kind, name, message, expected=expected, found=found, **{table: name}, lines=facts["chapter"])
        except _UNREADABLE:
            report.add(kind, name, "a column of it cannot be read", **{table: name})
    report.count(table, len(rows))


def _draft(connection: Connection, row: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    """A draft is what the first revision of its line says."""
    first = connection.exec_driver_sql(
        "SELECT l.root, r.parent, r.actor_kind, r.actor, r.message FROM lines AS l JOIN revisions AS r"
        " ON r.line = l.id AND r.seq = 0 WHERE l.id = ? AND l.kind = 'draft'",
        (f"d{row['id']}",),
    ).fetchone()
    if first is None:
        yield "it has no line", f"a line d{row['id']}", "nothing"
        return
    names = ("chapter", "base", "actor_kind", "actor", "title")
    for name, expected in zip(names, first, strict=True):
        if row[name] != expected:
            yield f"its {name} is not what its line began with", expected, row[name]
    applied = connection.exec_driver_sql(
        "SELECT count(*) FROM approvals AS a JOIN proposals AS p ON p.id = a.proposal"
        " WHERE p.draft = ? AND a.verdict = 'apply'",
        (row["id"],),
    ).scalar_one()
    if (row["state"] == "applied") != bool(applied) or row["state"] not in {"open", "applied", "discarded"}:
        yield "its state is not what the verdicts say", "applied" if applied else "open or discarded", row["state"]


def _proposal(connection: Connection, row: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    """A proposal speaks of its draft's line, and its state is what the verdicts made of it."""
    draft = connection.exec_driver_sql(
        "SELECT chapter, base, state FROM drafts WHERE id = ?", (row["draft"],)
    ).fetchone()
    if draft is None:
        yield "its draft is missing", f"d{row['draft']}", "nothing"
        return
    for name, expected in zip(("chapter", "base"), draft, strict=False):
        if row[name] != expected:
            yield f"its {name} is not its draft's", expected, row[name]
    line = connection.exec_driver_sql("SELECT line FROM revisions WHERE id = ?", (row["frozen"],)).scalar()
    if line != f"d{row['draft']}":
        yield "what it proposes is no revision of its draft", f"a revision of d{row['draft']}", f"r{row['frozen']}"
    verdicts = connection.exec_driver_sql(
        "SELECT verdict, at FROM approvals WHERE proposal = ? ORDER BY id", (row["id"],)
    ).fetchall()
    later = connection.exec_driver_sql(
        "SELECT count(*) FROM proposals WHERE draft = ? AND id > ?", (row["draft"], row["id"])
    ).scalar_one()
    yield from _state(row, verdicts, draft[2], superseded=bool(later))


def _state(
    row: dict[str, Any], verdicts: Sequence[Sequence[Any]], draft: str, *, superseded: bool
) -> Iterator[tuple[str, object, object]]:
    """A proposal's state and its time are what the verdicts, its draft and later proposals made them."""
    last, at = verdicts[-1] if verdicts else (None, None)
    ended = {Verdict.APPLY.value: "applied", Verdict.DISCARD.value: "discarded"}
    if any(verdict in ended for verdict, _ in verdicts[:-1]):
        yield "a verdict follows the one that ended it", "no later verdict", last
    if last in ended:
        allowed = {ended[last]}
    else:
        undecided = "pending" if last is None else "kept"
        allowed = {"discarded": {"discarded"}, "applied": set()}.get(draft, {undecided})
        allowed |= {"superseded"} if superseded else set()
    if row["state"] not in allowed:
        yield "its state is not what the verdicts say", " or ".join(sorted(allowed)) or "decided", row["state"]
    elif last not in ended and row["state"] in {"superseded", "discarded"}:
        if row["decided_at"] is None:
            yield "it does not say when it was decided", "a time", "nothing"
    elif row["decided_at"] != at:
        yield "it was not decided when its verdict was signed", at, row["decided_at"]


def _snapshot(connection: Connection, row: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    line = connection.exec_driver_sql("SELECT line FROM revisions WHERE id = ?", (row["revision"],)).scalar()
    if line != row["chapter"]:
        yield "what it saved is no revision of its chapter", f"a revision of {row['chapter']}", f"r{row['revision']}"
    if row["proposal"] is None:
        return
    name = f"p{row['proposal']}"
    reviewer = connection.exec_driver_sql(
        "SELECT reviewer FROM approvals WHERE proposal = ? AND verdict = 'apply' ORDER BY id", (row["proposal"],)
    ).scalar()
    if reviewer is None:
        yield "no verdict made it", f"an apply of {name}", "nothing"
    elif row["actor"] != reviewer:
        yield "it was not saved by who decided", reviewer, row["actor"]
    first = connection.exec_driver_sql(
        "SELECT min(id) FROM snapshots WHERE proposal = ?", (row["proposal"],)
    ).scalar_one()
    if row["id"] != first:
        yield f"{name} has a saved version already", f"s{first}", f"s{row['id']}"


def _conflict(connection: Connection, row: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    cause = connection.exec_driver_sql(
        "SELECT cause FROM revisions WHERE id = ? AND line = ?", (row["revision"], row["chapter"])
    ).scalar()
    if cause != "apply":
        yield "nothing was applied where it is said to come from", f"an apply at r{row['revision']}", cause or "nothing"
    if row["settled_in"] is not None:
        cause = connection.exec_driver_sql(
            "SELECT cause FROM revisions WHERE id = ? AND line = ?", (row["settled_in"], row["chapter"])
        ).scalar()
        if cause != "resolve":
            yield "it was not settled where it says", f"a choice at r{row['settled_in']}", cause or "nothing"
    if (row["state"] == "open") != (row["settled_at"] is None) or row["state"] not in {"open", "ours", "theirs"}:
        yield "its state does not fit whether it was settled", "open, ours or theirs", row["state"]


def _hex(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else "nothing"
