"""A change proposal as it is kept, as a person reviews it, and what came of its verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any

from lantern_kit.comic.approvals import ApplyMode, Approval
from lantern_kit.comic.change import Change
from lantern_kit.comic.choices import Choices, Told, rejected, tell
from lantern_kit.comic.contract import Contract
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.locks import Lock
from lantern_kit.comic.measure import counted
from lantern_kit.comic.merge import Conflict
from lantern_kit.comic.parts import Part, parts
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.reference import proposal_in
from lantern_kit.comic.saved import Snapshot
from lantern_kit.comic.service import Moment
from lantern_kit.comic.taking import Taken, take
from lantern_kit.comic.touch import Touch
from lantern_kit.comic.words import UnitWords
from lantern_kit.kernel.errors import WrongState
from lantern_kit.kernel.ids import numbered
from lantern_kit.kernel.revision import Revision

COLUMNS = (
    "id, chapter, draft, base, frozen, state, summary, units, changes, new_findings, healed,"
    " actor_kind, actor, frozen_at, decided_at"
)
"""Of the table of proposals, as ``Proposal.read`` takes them."""
UNDECIDED = ("pending", "kept")


@dataclass(frozen=True)
class Proposal:
    """A frozen draft. Its content never changes; only its state does."""

    number: int
    chapter: str
    draft: int
    base: int
    """Working revision the draft was forked from."""
    frozen: int
    """Draft revision that is proposed."""
    state: str
    """pending | kept | applied | discarded | superseded"""
    summary: str
    units: tuple[str, ...]
    """Touched units."""
    changes: int
    new_findings: tuple[Finding, ...]
    healed: tuple[Finding, ...]
    actor_kind: str
    actor: str
    frozen_at: int
    decided_at: int | None

    @classmethod
    def read(cls, row: Sequence[Any]) -> Proposal:
        """A proposal from a row of ``COLUMNS``."""
        return cls(
            number=row[0],
            chapter=row[1],
            draft=row[2],
            base=row[3],
            frozen=row[4],
            state=row[5],
            summary=row[6],
            units=tuple(json.loads(row[7])),
            changes=row[8],
            new_findings=_findings(row[9]),
            healed=_findings(row[10]),
            actor_kind=row[11],
            actor=row[12],
            frozen_at=row[13],
            decided_at=row[14],
        )

    @property
    def id(self) -> str:
        """As people and agents say it: ``p12``."""
        return f"p{self.number}"

    @property
    def undecided(self) -> bool:
        """Whether a verdict is still to come."""
        return self.state in UNDECIDED


@dataclass(frozen=True)
class Review:
    """A proposal as a person sees it: against the work as it stands now."""

    proposal: Proposal
    base: Moment
    frozen: Moment
    current: Moment
    """The working revision compared with; a verdict names it."""
    changes: tuple[Change, ...]
    """From base to frozen."""
    words: tuple[UnitWords, ...]
    overwrites: tuple[str, ...]
    """Units the draft touched that moved on since its base."""
    conflicts: tuple[Conflict, ...]
    """What a merge would keep as it is in the work, for a later choice."""
    approvals: tuple[Approval, ...]
    touches_human: tuple[Touch, ...] = ()
    """What a person changed last and the proposal would change."""
    locked: tuple[Lock, ...] = ()
    """What the proposal would change and a person locked meanwhile: an apply is refused."""
    contract: Contract = field(default_factory=Contract)
    """What its draft was opened for."""
    language: Language = "en"
    titles: Callable[[str], str] | None = field(default=None, repr=False, compare=False)
    """What people call a picture, by its id."""

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What can be taken or left by itself."""
        return parts(self.changes, self.base.book, self.frozen.book)

    def tell(self, found: Sequence[Part]) -> list[Told]:
        """Some of its parts in words."""
        return tell(found, self.base.book, self.frozen.book, language=self.language, titles=self.titles)

    @cached_property
    def rejected(self) -> tuple[Told, ...]:
        """The parts that its verdict left out, with words and reasons."""
        choices = next((Choices.read(item.choices) for item in reversed(self.approvals) if item.choices), None)
        return () if choices is None else tuple(self.left_out(choices))

    def left_out(self, choices: Choices) -> list[Told]:
        """The parts that some choices leave out, with words and reasons."""
        return list(rejected(self.tell([part for part in self.parts if part.id in choices.rejected]), choices))

    def taking(self, reject: Mapping[str, str]) -> Taken:
        """What would be applied without some parts. Raises NotFound, BadInput."""
        found = self.proposal
        return take(found.id, self.base.book, self.frozen.book, found.units, reject)

    @property
    def modes(self) -> tuple[ApplyMode, ...]:
        """The ways in which it may be applied now."""
        if not self.overwrites and not self.conflicts:
            return (ApplyMode.PLAIN,)
        return (ApplyMode.MERGE, ApplyMode.OVERWRITE)


@dataclass(frozen=True)
class Decided:
    """What came of a verdict."""

    proposal: Proposal
    approval: Approval
    revision: Revision | None = None
    snapshot: Snapshot | None = None

    def __repr__(self) -> str:
        """One line: the verdict, whose it is, and what the work became."""
        verdict = self.approval
        words = f"{self.proposal.id} {self.proposal.state} by {verdict.reviewer}"
        if self.revision is not None and self.snapshot is not None:
            words += f": the work is at {self.revision.id}, saved as {self.snapshot.id}"
            count = len(Choices.read(verdict.choices).rejected)
            words += f", {counted(count, 'part')} left out" if count else ""
        return f"<{words}{f' ({verdict.reason})' if verdict.reason else ''}, signed with {verdict.key}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"


def proposal_number(text: str) -> int:
    """12 from ``p12``, as people also type it, ``P12`` or ``12``, or from a link to its review. Raises BadInput."""
    return numbered(proposal_in(text), "p12", "a proposal", typed=True)


def require_undecided(proposal: Proposal) -> None:
    """Refuse a proposal that has its verdict or was superseded. Raises WrongState."""
    if not proposal.undecided:
        raise WrongState(
            f"{proposal.id} is {proposal.state}",
            expected="pending or kept",
            found=proposal.state,
            ids=[proposal.id],
            recovery="It is decided; nothing was changed.",
        )


def require_seen(proposal: Proposal, given: Sequence[Approval], seen: int) -> None:
    """Refuse when a proposal has other verdicts than the person who decides has seen. Raises WrongState."""
    if len(given) == seen:
        return
    last = given[-1] if given else None
    raise WrongState(
        f"{proposal.id} was decided meanwhile: {last.verdict.value} by {last.reviewer}"
        if last is not None
        else f"the verdicts that were seen of {proposal.id} are gone",
        expected=f"{seen} verdicts",
        found=f"{len(given)} verdicts",
        ids=[proposal.id] if last is None else [proposal.id, last.id],
        recovery="Read that verdict, then decide." if last is not None else "Look at it again, then decide.",
    )


def _findings(text: str) -> tuple[Finding, ...]:
    return tuple(Finding.model_validate_json(json.dumps(item)) for item in json.loads(text))
