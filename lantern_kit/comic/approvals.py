"""Approvals: verdicts signed by a person's key over what they looked at and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from lantern_kit.comic import reviewers
from lantern_kit.comic.reviewers import Reviewer
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError, NotAllowed
from lantern_kit.kernel.verify import Report

_COLUMNS = "id, proposal, verdict, mode, reviewer, key, compared, content, result, reason, at, signature"


class Verdict(StrEnum):
    """What a person decided."""

    APPLY = "apply"
    KEEP = "keep"
    DISCARD = "discard"


class ApplyMode(StrEnum):
    """How a proposal meets a work that moved on."""

    PLAIN = "plain"
    """Nothing the draft touched has moved."""
    MERGE = "merge"
    """Both sides' changes, property by property."""
    OVERWRITE = "overwrite"
    """The draft's version of every unit it touched."""


@dataclass(frozen=True)
class Approval:
    """One signed verdict."""

    number: int
    proposal: int
    verdict: Verdict
    mode: str
    reviewer: str
    key: str
    compared: int
    """The working revision that was looked at."""
    content: bytes
    """Hash of the document that resulted: of an apply the new work, else the work as it stood."""
    result: int | None
    """The working revision an apply made."""
    reason: str
    at: int
    signature: bytes

    def message(self, workspace: str) -> bytes:
        """The canonical bytes that are signed."""
        return dumps(
            {
                "at": self.at,
                "compared": self.compared,
                "content": self.content.hex(),
                "key": self.key,
                "mode": self.mode,
                "number": self.number,
                "proposal": self.proposal,
                "reason": self.reason,
                "result": self.result,
                "reviewer": self.reviewer,
                "verdict": self.verdict.value,
                "workspace": workspace,
            }
        )


def record(connection: Connection, approval: Approval, workspace: str, reviewer: Reviewer) -> Approval:
    """Number a verdict, sign it and keep it, in the transaction of what it decides. Raises NotAllowed."""
    known = reviewers.find(connection, reviewer.key)
    number = connection.exec_driver_sql("SELECT coalesce(max(id), 0) + 1 FROM approvals").scalar_one()
    numbered = replace(approval, number=number)
    signed = replace(numbered, signature=reviewer.sign(numbered.message(workspace)))
    if not known.signed(signed.message(workspace), signed.signature):
        raise NotAllowed("the signature was not made by the enrolled key", ids=[reviewer.key])
    connection.exec_driver_sql(
        f"INSERT INTO approvals ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608
        (
            signed.number,
            signed.proposal,
            signed.verdict.value,
            signed.mode,
            signed.reviewer,
            signed.key,
            signed.compared,
            signed.content,
            signed.result,
            signed.reason,
            signed.at,
            signed.signature,
        ),
    )
    return signed


def of_proposal(connection: Connection, proposal: int) -> list[Approval]:
    """A proposal's verdicts, oldest first."""
    rows = connection.exec_driver_sql(
        f"SELECT {_COLUMNS} FROM approvals WHERE proposal = ? ORDER BY id",  # noqa: S608
        (proposal,),
    ).fetchall()
    return [_approval(row) for row in rows]


def is_valid(connection: Connection, approval: Approval, workspace: str) -> bool:
    """Whether the signature holds and was made by an enrolled key."""
    try:
        known = reviewers.find(connection, approval.key)
    except LanternError:
        return False
    return known.name == approval.reviewer and known.signed(approval.message(workspace), approval.signature)


def verify_approvals(connection: Connection, workspace: str, report: Report) -> None:
    """Check every verdict's signature, and that applied work is what was signed."""
    rows = connection.exec_driver_sql(f"SELECT {_COLUMNS} FROM approvals ORDER BY id").fetchall()  # noqa: S608
    for row in rows:
        try:
            approval = _approval(row)
            valid = is_valid(connection, approval, workspace)
        except (ValueError, TypeError, AttributeError):
            report.add("approval", str(row[0]), "a column of the approval cannot be read")
            continue
        if not valid:
            report.add("approval", str(row[0]), "the signature does not match, or its key is not enrolled")
        elif approval.result is not None:
            document = connection.exec_driver_sql(
                "SELECT document FROM revisions WHERE id = ? AND cause = 'apply'", (approval.result,)
            ).scalar()
            if document != approval.content:
                report.add("approval", str(row[0]), "the revision it made does not hold what was signed")
    report.count("approvals", len(rows))
    applied = connection.exec_driver_sql(
        "SELECT id FROM revisions WHERE cause = 'apply' AND id NOT IN"
        " (SELECT result FROM approvals WHERE result IS NOT NULL)"
    ).fetchall()
    for (number,) in applied:
        report.add("approval", f"r{number}", "a proposal was applied here without a verdict")


def _approval(row: Any) -> Approval:
    return Approval(row[0], row[1], Verdict(row[2]), *row[3:])
