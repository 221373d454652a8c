"""Rows, edges and facts of a history as the browser is told them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lantern_kit.comic.approvals import Approval, is_valid, of_proposal
from lantern_kit.comic.choices import Choices
from lantern_kit.comic.keychain import Keychain, read_keychain
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.work.host import Host
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError
from lantern_kit.widgets.history.difference import on
from lantern_kit.widgets.history.lanes import TRUNK
from lantern_kit.widgets.history.step import Step, Tale
from lantern_kit.widgets.history.weave import Row, Woven

LEFT_OUT = 40
"""Parts left out of one verdict that are told in words; the rest is counted."""
WORDS = 2_000
"""Characters of a message or summary that a row carries."""


def line_id(branch: int) -> str:
    """``d7`` of a draft; "" of the working line."""
    return f"d{branch}" if branch != TRUNK else ""


def rows(woven: Woven, start: int, count: int) -> list[dict[str, Any]]:
    """Some rows, newest first, from a place on."""
    return [_row(woven, row) for row in woven.rows[start : start + count]]


def edges(woven: Woven, start: int, count: int) -> list[list[Any]]:
    """The edges that touch those rows, each as kind, lane, top, bottom, lanes at both ends, dashed, branch."""
    top, bottom = 2 * start - 1, 2 * (start + count)
    return [
        [
            edge.kind, edge.lane, edge.top, edge.bottom, edge.top_lane, edge.bottom_lane, int(edge.dashed),
            line_id(edge.branch),
        ]
        for edge in woven.drawn.edges
        if edge.top < bottom and edge.bottom > top
    ]  # fmt: skip


def _row(woven: Woven, row: Row) -> dict[str, Any]:
    tale, step = woven.tale, row.step
    told: dict[str, Any] = {
        "id": step.id,
        "line": line_id(step.branch),
        "lane": woven.drawn.lanes.get(step.branch, TRUNK),
        "at": step.at,
        "kind": step.kind,
        "who": step.actor,
        "cause": step.cause,
        "message": step.message[:WORDS],
        "changes": sum(item.changes for item in row.steps),
        "marks": tale.marks.get(step.number, []),
    }
    source = tale.sources.get(step.number)
    if source is not None:
        told["from"] = f"r{source}"
    if step.damage:
        told["damage"] = step.damage
    if step.number == tale.head:
        told["head"] = True
    if row.run:
        oldest = row.steps[-1]
        told["run"] = {
            "first": f"r{row.run}",
            "count": len(row.steps),
            "oldest": oldest.id,
            "before": None if oldest.parent is None else f"r{oldest.parent}",
            "from": oldest.at,
        }
    return told


def overview(woven: Woven) -> dict[str, Any]:
    """Counts, and what there is to choose from."""
    tale = woven.tale
    actors = Counter((step.kind, step.actor) for step in tale.steps if step.damage != "missing")
    causes = Counter(step.cause for step in tale.steps if step.cause)
    return {
        "stamp": tale.stamp,
        "rows": len(woven.rows),
        "shown": woven.shown,
        "all": len(tale.steps),
        "right": woven.drawn.right,
        "left": woven.drawn.left,
        "head": f"r{tale.head}",
        "newest": tale.steps[-1].number if tale.steps else 0,
        "first_at": tale.steps[0].at if tale.steps else 0,
        "last_at": tale.steps[-1].at if tale.steps else 0,
        "actors": [[kind, name, count] for (kind, name), count in actors.most_common(200)],
        "causes": [[cause, count] for cause, count in causes.most_common(50)],
        "drafts": len(tale.drafts),
    }


def facts(host: Host, workspace: str, tale: Tale, step: Step, language: Language) -> dict[str, Any]:
    """All that is known of one revision beside its differences."""
    told: dict[str, Any] = {
        "id": step.id,
        "line": line_id(step.branch),
        "at": step.at,
        "kind": step.kind,
        "who": step.actor,
        "cause": step.cause,
        "message": step.message,
        "changes": step.changes,
        "parent": None if step.parent is None else f"r{step.parent}",
        "from": f"r{tale.sources[step.number]}" if step.number in tale.sources else None,
        "digest": step.document.hex(),
        "damage": step.damage,
        "marks": tale.marks.get(step.number, []),
        "draft": _draft(tale, step),
    }
    numbers = [item.number for item in tale.proposals.values() if item.frozen == step.number]
    numbers += [item.proposal for item in tale.verdicts if item.result == step.number]
    with host.comics.journal.read() as connection:
        row = connection.exec_driver_sql("SELECT chain FROM revisions WHERE id = ?", (step.number,)).fetchone()
        told["chain"] = row[0].hex() if row is not None and isinstance(row[0], bytes) else ""
        chain = read_keychain(connection)
        told["proposals"] = [
            _proposal(host, connection, chain, workspace, tale, number, language) for number in dict.fromkeys(numbers)
        ]
    return told


def _draft(tale: Tale, step: Step) -> dict[str, Any] | None:
    draft = tale.drafts.get(step.branch)
    if draft is None:
        return None
    return {
        "id": line_id(draft.number),
        "title": draft.title,
        "state": draft.state,
        "base": f"r{draft.base}",
        "who": draft.actor,
        "from_proposal": None if draft.from_proposal is None else f"p{draft.from_proposal}",
    }


def _proposal(
    host: Host,
    connection: Connection,
    chain: Keychain,
    workspace: str,
    tale: Tale,
    number: int,
    language: Language,
) -> dict[str, Any]:
    known = tale.proposals[number]
    try:
        verdicts = of_proposal(connection, number)
    except (LanternError, ValueError, TypeError):
        verdicts = []
    return {
        "id": f"p{number}",
        "state": known.state,
        "summary": known.summary,
        "draft": line_id(known.draft),
        "frozen": f"r{known.frozen}",
        "verdicts": [_verdict(host, connection, chain, workspace, item, language) for item in verdicts],
    }


def _verdict(
    host: Host, connection: Connection, chain: Keychain, workspace: str, approval: Approval, language: Language
) -> dict[str, Any]:
    key = chain.get(approval.key)
    told, count = _left_out(host, approval, language)
    return {
        "id": approval.id,
        "verdict": approval.verdict.value,
        "mode": approval.mode,
        "by": approval.reviewer if key is None else key.label,
        "key": approval.key,
        "at": approval.at,
        "reason": approval.reason,
        "compared": f"r{approval.compared}",
        "result": None if approval.result is None else f"r{approval.result}",
        "valid": is_valid(connection, approval, workspace, chain),
        "left_out": told,
        "left_out_count": count,
    }


def _left_out(host: Host, approval: Approval, language: Language) -> tuple[list[dict[str, str]], int]:
    """The parts that a verdict rejected, in words where their content can still be read."""
    if not approval.choices:
        return [], 0
    try:
        choices = Choices.read(approval.choices)
    except LanternError:
        return [], 0
    try:
        review = host.proposal_service.review(f"p{approval.proposal}", language=language)
        found = review.left_out(choices)
        told = [
            {
                "part": item.part.id,
                "words": on(item.title, item.words, language) if item.title else item.words,
                "reason": item.reason,
                "because": item.because,
            }
            for item in found[:LEFT_OUT]
        ]
    except LanternError:
        told = [
            {"part": name, "words": name, "reason": choices.reason(name), "because": choices.because.get(name, "")}
            for name in choices.rejected[:LEFT_OUT]
        ]
    return told, len(choices.rejected)
