"""Approvals: verdicts signed by a person's key over what they looked at and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from lantern_kit.comic import reviewers
from lantern_kit.comic.keychain import Keychain, read_keychain
from lantern_kit.comic.reviewers import Reviewer
from lantern_kit.kernel.canonical import digest, dumps, loads
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, NotAllowed

_COLUMNS = (
    "id, proposal, verdict, mode, reviewer, key, compared, content, result, reason, at, signature, choices, covers"
)


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
    """Both sides' changes, property by property; where they conflict the work stays and the choice is kept open."""
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
    choices: str = ""
    """Canonical JSON of the parts that were rejected; "" when it was decided whole."""
    covers: str = ""
    """Canonical JSON of what else is signed: see ``covered``. "" of verdicts older than that."""

    @property
    def id(self) -> str:
        """As people say it: ``v3``."""
        return f"v{self.number}"

    def message(self, workspace: str) -> bytes:
        """The canonical bytes that are signed. Raises Corrupt when what it covers cannot be read."""
        facts: dict[str, Any] = {
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
        if self.covers:
            facts |= {"about": "verdict", "choices": self.choices, "covers": self.covered()}
        elif self.choices:
            raise Corrupt("a verdict by parts says nothing of what it covers", ids=[self.id])
        return dumps(facts)

    def covered(self) -> dict[str, Any]:
        """What else is signed, as plain data; empty for verdicts older than that. Raises Corrupt."""
        if not self.covers:
            return {}
        found = loads(self.covers)
        if not isinstance(found, dict) or dumps(found).decode() != self.covers:
            raise Corrupt("what a verdict covers is not canonical JSON", ids=[self.id])
        return found


def record(connection: Connection, approval: Approval, workspace: str, reviewer: Reviewer) -> Approval:
    """Number a verdict, sign it and keep it, in the transaction of what it decides. Raises NotAllowed."""
    chain = read_keychain(connection)
    known = reviewers.deciding(chain, reviewer.key)
    number = connection.exec_driver_sql("SELECT coalesce(max(id), 0) + 1 FROM approvals").scalar_one()
    covers: dict[str, Any] = {
        "keys": {"chain": chain.heads[-1].hex(), "events": len(chain.heads) - 1},
        "proposal": proposal_facts(connection, approval.proposal),
        "revisions": _chains(connection, approval),
    }
    if approval.result is not None:
        covers["conflicts"] = conflicts_digest(connection, approval.result).hex()
        covers["snapshot"] = snapshot_facts(connection, approval.proposal)
    numbered = replace(approval, number=number, covers=dumps(covers).decode())
    signed = replace(numbered, signature=reviewer.sign(numbered.message(workspace)))
    if not known.signed(signed.message(workspace), signed.signature):
        raise NotAllowed("the signature was not made by the enrolled key", ids=[reviewer.key])
    connection.exec_driver_sql(
        f"INSERT INTO approvals ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608
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
            signed.choices,
            signed.covers,
        ),
    )
    return signed


def proposal_facts(connection: Connection, proposal: int) -> dict[str, Any]:
    """What a frozen proposal says and never changes; its findings as a digest."""
    row = connection.exec_driver_sql(
        "SELECT p.chapter, p.draft, p.base, p.frozen, p.summary, p.units, p.changes, p.actor_kind, p.actor,"
        " p.frozen_at, p.new_findings, p.healed, d.contract FROM proposals AS p LEFT JOIN drafts AS d ON d.id = p.draft"
        " WHERE p.id = ?",
        (proposal,),
    ).fetchone()
    if row is None:
        raise Corrupt("a verdict speaks of a proposal that is not there", ids=[f"p{proposal}"])
    names = ("chapter", "draft", "base", "frozen", "summary", "units", "changes", "actor_kind", "actor", "frozen_at")
    facts = dict(zip(names, row, strict=False))
    facts["units"] = loads(facts["units"])
    facts["findings"] = digest(dumps([row[10], row[11]])).hex()
    facts["contract"] = row[12] or ""
    return facts


def conflicts_digest(connection: Connection, revision: int) -> bytes:
    """Digest over the conflicts that a working revision left open, as they were then."""
    rows = connection.exec_driver_sql(
        "SELECT id, chapter, proposal, unit, object, property, base, ours, theirs FROM conflicts WHERE revision = ?"
        " ORDER BY id",
        (revision,),
    ).fetchall()
    return digest(dumps([list(row) for row in rows]))


def snapshot_facts(connection: Connection, proposal: int) -> list[Any]:
    """The saved version that applying a proposal made: number, chapter, revision, title."""
    row = connection.exec_driver_sql(
        "SELECT id, chapter, revision, title FROM snapshots WHERE proposal = ? ORDER BY id", (proposal,)
    ).fetchone()
    return [] if row is None else list(row)


def _chains(connection: Connection, approval: Approval) -> dict[str, str]:
    """Chain and document hashes of the revisions a verdict speaks of, which pin everything before them."""
    base, frozen = connection.exec_driver_sql(
        "SELECT base, frozen FROM proposals WHERE id = ?", (approval.proposal,)
    ).one()
    numbers = {"base": base, "frozen": frozen, "compared": approval.compared, "result": approval.result}
    found = {}
    for name, number in numbers.items():
        if number is not None:
            document, chain = connection.exec_driver_sql(
                "SELECT document, chain FROM revisions WHERE id = ?", (number,)
            ).one()
            found[name] = chain.hex()
            found[f"{name}_document"] = document.hex()
    return found


def of_proposal(connection: Connection, proposal: int) -> list[Approval]:
    """A proposal's verdicts, oldest first."""
    rows = connection.exec_driver_sql(
        f"SELECT {_COLUMNS} FROM approvals WHERE proposal = ? ORDER BY id",  # noqa: S608
        (proposal,),
    ).fetchall()
    return [_approval(row) for row in rows]


def choices_of_applies(connection: Connection) -> dict[str, str]:
    """The choices of every verdict that left parts out, as they are kept, by proposal."""
    rows = connection.exec_driver_sql(
        "SELECT proposal, choices FROM approvals WHERE choices <> '' AND result IS NOT NULL ORDER BY id"
    ).fetchall()
    return {f"p{proposal}": str(choices) for proposal, choices in rows}


def is_valid(connection: Connection, approval: Approval, workspace: str, chain: Keychain | None = None) -> bool:
    """Whether the signature holds and was made by a key that might decide then.

    ``chain`` is what ``read_keychain`` gives, if the caller has it already.
    """
    try:
        return not objection(approval, workspace, read_keychain(connection) if chain is None else chain)
    except (Corrupt, ValueError, TypeError, AttributeError):
        return False


def objection(approval: Approval, workspace: str, chain: Keychain) -> str:
    """Why a verdict does not count, or nothing."""
    known = chain.get(approval.key)
    if known is None:
        return "the signature does not match, or its key is not enrolled"
    if known.name != approval.reviewer or not known.signed(approval.message(workspace), approval.signature):
        return "the signature does not match, or its key is not enrolled"
    if not known.could_sign(approval.number):
        return f"its key was {known.state} before it" if known.after < approval.number else "its key came after it"
    return ""


def all_approvals(connection: Connection) -> list[Approval | int]:
    """Every verdict in order; of one that cannot be read, its number only."""
    rows = connection.exec_driver_sql(f"SELECT {_COLUMNS} FROM approvals ORDER BY id").fetchall()  # noqa: S608
    found: list[Approval | int] = []
    for row in rows:
        try:
            found.append(_approval(row))
        except ValueError:
            found.append(int(row[0]))
    return found


def _approval(row: Any) -> Approval:
    return Approval(row[0], row[1], Verdict(row[2]), *row[3:])
