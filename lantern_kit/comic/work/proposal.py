"""Proposals as people hold them: before and after, the changes in words, and the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import Lettering
from lantern_kit.comic.proposal import UNDECIDED, Decided, Proposal, Review
from lantern_kit.comic.reviewers import Reviewer
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work import show
from lantern_kit.comic.work.annotation import line_of
from lantern_kit.comic.work.candidate import Candidates, beside
from lantern_kit.comic.work.finding import Findings
from lantern_kit.comic.work.pair import sides_of, told
from lantern_kit.comic.work.parts import PartsTable, rejected
from lantern_kit.comic.work.unit import UnitWork
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.annotation import Annotation
    from lantern_kit.comic.finding import Finding
    from lantern_kit.comic.work.comparison import UnitComparison
    from lantern_kit.comic.work.host import Host

SAID = 30
"""Characters of lettering that tell which one is meant."""
LISTED = 10
"""Warnings of one sort that are listed."""


class ProposalShelf:
    """All proposals of a workspace."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def pending(self) -> Proposals:
        """Proposals that wait for a verdict, newest first; kept ones too."""
        found = self._host.proposal_service.all(states=UNDECIDED)
        return Proposals((ProposalWork(self._host, item.id) for item in found), empty="no proposal waits for a verdict")

    def all(self) -> Proposals:
        """All proposals, newest first."""
        return Proposals(ProposalWork(self._host, item.id) for item in self._host.proposal_service.all())

    def __getitem__(self, proposal: str) -> ProposalWork:
        """A proposal by id. Raises NotFound."""
        return ProposalWork(self._host, self._host.proposal_service.get(proposal).id)

    def _ipython_key_completions_(self) -> list[str]:
        return [item.id for item in self._host.proposal_service.all()]

    def __repr__(self) -> str:
        return repr(self.all())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return self.all()._repr_mimebundle_()


class ProposalWork:
    """One proposal, compared with the work as it stood when it was last looked at."""

    def __init__(self, host: Host, proposal: str) -> None:
        self._host = host
        self.id = proposal
        self._review: Review | None = None

    @property
    def host(self) -> Host:
        """The workspace it belongs to."""
        return self._host

    @property
    def facts(self) -> Proposal:
        """Its state and figures, read anew."""
        return self._host.proposal_service.get(self.id)

    def look(self, *, progress: Progress | None = None) -> Review:
        """Compare it with the work as it stands now; a verdict then speaks of this comparison."""
        self._review = self._host.proposal_service.review(self.id, progress=progress)
        return self._review

    @property
    def review(self) -> Review:
        """The comparison last looked at."""
        return self._review or self.look()

    # verdicts

    def apply(
        self,
        reviewer: Reviewer,
        *,
        mode: ApplyMode | str | None = None,
        reason: str = "",
        reject: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Decided:
        """Make it the work, whole or without some of its parts: a new revision and a saved version in one step.

        Args:
            reject: what must not come → why, as in ``{"bl_0zr4n6yc": "keep my joke"}``: a part (``parts()`` lists
                them), an object (all its parts) or a unit (all on it). What needs a rejected part is rejected too.

        Raises:
            StaleHead: the work moved on since this was last looked at; ``look()`` again.
            WrongState: it would overwrite others' changes and ``mode`` does not say how.
            NotFound: what is rejected is no part of it.
            BadInput: nothing would be left of it; discard it instead.
        """
        chosen = ApplyMode.PLAIN if mode is None else ApplyMode(mode)
        with reporting(progress, "Applying"):  # who applies without having looked looks now, which is reported too
            decided = self._host.proposal_service.apply(
                self.id, reviewer, compared=self._compared(), mode=chosen, reason=reason, reject=reject
            )
        self._review = None
        return decided

    def keep(self, reviewer: Reviewer, *, reason: str = "") -> Decided:
        """Leave it for later, with a signed note."""
        seen = self.review
        kept = self._host.proposal_service.keep(self.id, reviewer, compared=self._compared(), reason=reason)
        # A later verdict still speaks of what was looked at, so this is no new look.
        self._review = replace(seen, proposal=kept.proposal, approvals=(*seen.approvals, kept.approval))
        return kept

    def discard(self, reviewer: Reviewer, *, reason: str = "") -> Decided:
        """Turn it down; the agent reads the reason."""
        decided = self._host.proposal_service.discard(self.id, reviewer, compared=self._compared(), reason=reason)
        self._review = None
        return decided

    def certificate(self, verdict: str | None = None, *, pages: bool = False, progress: Progress | None = None) -> str:
        """A signed verdict as the text of a file that another machine checks with the public key alone.

        Args:
            verdict: such as ``v3``; None is the last one.
            pages: also the hashes of the resulting pages' pictures, which are drawn for it.

        Raises NotFound when it was not decided.
        """
        from lantern_kit.comic.work.certificate import make_certificate

        with reporting(progress, "Drawing"):
            return make_certificate(self._host, self.review, verdict, pages=pages)

    def _compared(self) -> int:
        return self.review.current.revision.number

    # showing

    @property
    def annotations(self) -> list[Annotation]:
        """What it answers: the annotations that its agent dealt with in it, oldest first."""
        return self._host.annotation_service.of_proposal(self.id)

    @property
    def candidates(self) -> Candidates:
        """What waited beside its draft when it was frozen; they are no part of it."""
        return beside(self._host, self.facts)

    def parts(self) -> PartsTable:
        """What can be taken or left by itself, in words; once decided, with what was rejected and why."""
        left = {item.part.id: item for item in self.review.rejected}
        return PartsTable([left.get(item.part.id, item) for item in self.review.tell(self.review.parts)])

    def without(self, reject: Mapping[str, str]) -> PartsTable:
        """All that an apply would leave out if these were rejected: they, and what needs them.

        Raises NotFound, BadInput: see ``apply``.
        """
        return PartsTable(self.review.left_out(self.review.taking(reject).choices))

    def text(self) -> str:
        """What a person reads before deciding."""
        review = self.review
        facts = review.proposal
        lines = [
            f"Proposal {facts.id} by {facts.actor}, from draft d{facts.draft}: {facts.state}",
            f"  {_counted(facts.changes, 'change')} to {_counted(len(facts.units), 'unit')}",
            f"  {facts.summary}" if facts.summary else "",
            *(f"Answers {line_of(item)}" for item in self.annotations),
            f"Base {review.base.id}, compared with {review.current.id}",
            f"Opened for {review.contract.words()}" if review.contract else "",
        ]
        for unit in review.words:
            lines.append(f"{unit.title}")
            lines.extend(f"  · {sentence}" for sentence in unit.sentences)
        lines.append(self._findings("New faults", facts.new_findings, proposed=True))
        if facts.healed:
            lines.append(self._findings("Healed", facts.healed))
        lines.extend(self._warnings(review))
        lines.extend(self._beside())
        lines.extend(_verdicts(review))
        lines.extend(f"  rejected: {rejected(item)}" for item in review.rejected)
        return "\n".join(line for line in lines if line)

    def _warnings(self, review: Review) -> list[str]:
        lines = []
        if review.overwrites:
            names = ", ".join(self._unit(review.current, review.frozen, unit) for unit in review.overwrites)
            lines.append(f"Overwrites: {names} changed since the draft began; merge offered")
        lines.extend(
            f"Conflict on {item.object}: {item.property or 'the whole object'}; a merge keeps the work's and asks later"
            for item in review.conflicts[:LISTED]
        )
        lines.extend(
            f"Touches: {touch.words(self._called(touch.unit, touch.object))}" for touch in review.touches_human[:LISTED]
        )
        if len(review.touches_human) > LISTED:
            lines.append(f"Touches: {len(review.touches_human) - LISTED} more things that people changed last")
        lines.extend(f"Locked: {lock.words()}; it can be applied once that is unlocked" for lock in review.locked)
        return lines

    def _beside(self) -> list[str]:
        """Its candidates, each on a line."""
        found = self.candidates
        lines = [f"Beside it, not in it: {item.line()}" for item in found[:LISTED]]
        more = len(found) - LISTED
        return [*lines, f"Beside it, not in it: {_counted(more, 'more candidate')}"] if more > 0 else lines

    def _unit(self, current: Moment, frozen: Moment, unit: str) -> str:
        moment = current if unit in current.book else frozen
        return UnitWork(self._host, moment, unit).title if unit in moment.book else unit

    def _called(self, unit: str, thing: str, *, proposed: bool = False) -> str:
        """What people call a thing, ``Page 1, balloon 1 “Hm?”``, as it is or as it is proposed; else its id."""
        review = self.review
        is_now = review.current, review.base
        for moment in (review.frozen, *is_now) if proposed else (*is_now, review.frozen):
            if unit not in moment.book:
                continue
            work = UnitWork(self._host, moment, unit)
            item = work.model.index.get(thing)
            if item is None and thing != unit:
                continue
            words = plain(item.text) if isinstance(item, Lettering) else ""
            said = f" “{words[:SAID]}{'…' if len(words) > SAID else ''}”" if words else ""
            return ", ".join(filter(None, (work.title, work.named(thing)))) + said
        return "the chapter" if thing == review.proposal.chapter else thing

    def _findings(self, title: str, findings: Sequence[Finding], *, proposed: bool = False) -> str:
        """Faults on a line, each with what it is about."""
        told = (f"{self._called(item.unit, item.object, proposed=proposed)}: {item.message}" for item in findings)
        return f"{title}: {'; '.join(told) or 'none'}"

    def __repr__(self) -> str:
        facts = self.facts
        return f"<Proposal {facts.id} {facts.state} by {facts.actor}: {_counted(facts.changes, 'change')}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        html = self.html()  # looks at it anew; the words are then about the same comparison
        return show.bundle(self.text(), html)

    def html(self) -> str:
        """Before and after beside each other, unit by unit, and the changes in words."""
        review = self.look()
        facts = review.proposal
        changes = _counted(facts.changes, "change")
        drawn = ((unit, self.sides(unit)) for unit in facts.units)
        return "".join(
            [
                show.heading(f"Proposal {facts.id} · {facts.state}"),
                show.paragraph(facts.summary),
                *(show.paragraph(f"Answers {line_of(item)}") for item in self.annotations),
                show.small(f"by {facts.actor}, from draft d{facts.draft} · {changes}"),
                show.small(f"base {review.base.id}, compared with {review.current.id}"),
                show.small(f"opened for {review.contract.words()}" if review.contract else ""),
                *map(show.warning, self._warnings(review)),
                told(drawn, review.words, rest="proposal.sides(UNIT) gives any page, before and after"),
                show.paragraph(self._findings("New faults", facts.new_findings, proposed=True)),
                self._faults(review).html() if facts.new_findings else "",
                show.paragraph(self._findings("Healed", facts.healed) if facts.healed else ""),
                *map(show.paragraph, self._beside()),
                *map(show.paragraph, _verdicts(review)),
                show.bullets(f"rejected: {rejected(item)}" for item in review.rejected),
            ]
        )

    def sides(self, unit: str) -> list[tuple[str, UnitWork]]:
        """A touched unit ``before`` and ``after``, where it is there; before is what a verdict meets or met."""
        review = self.review
        before = review.current if review.proposal.undecided else review.base
        return sides_of(self._host, before, review.frozen, unit)

    def compare(self, unit: str, **size: Any) -> UnitComparison:
        """A touched unit before and after, compared as it is drawn; sizes as of ``UnitWork.compare``."""
        from lantern_kit.comic.work.comparison import UnitComparison

        review = self.review
        before = review.current if review.proposal.undecided else review.base
        return UnitComparison(self._host, unit, before, review.frozen, **size)

    def _faults(self, review: Review) -> Findings:
        """The new faults, each where it is on its page."""
        book = review.frozen.book
        found = [item for item in review.proposal.new_findings if item.unit in book]
        names = {item.object: UnitWork(self._host, review.frozen, item.unit).named(item.object) for item in found}
        return Findings.of(self._host, review.frozen, found, names)


class Proposals(Listed[ProposalWork]):
    """Proposals, as a list that shows itself as a table."""

    heads = ("proposal", "state", "by", "what", "changes", "frozen")
    empty = "no proposals"

    def __init__(self, items: Iterable[ProposalWork], *, empty: str = "no proposals") -> None:
        super().__init__(items)
        self.empty = empty

    def row(self, item: ProposalWork) -> tuple[str, ...]:
        """Id, state, agent, summary, changes and time."""
        facts = item.facts
        changes = f"{_counted(facts.changes, 'change')} to {_counted(len(facts.units), 'unit')}"
        return (facts.id, facts.state, facts.actor, facts.summary, changes, to_the_minute(facts.frozen_at))

    def line(self, item: ProposalWork) -> str:
        """A proposal on one line."""
        return repr(item)


def _verdicts(review: Review) -> list[str]:
    """Each signed verdict on a line."""
    return [
        f"{item.verdict.value} by {item.reviewer} at {to_the_minute(item.at)}"
        + (f": {item.reason}" if item.reason else "")
        for item in review.approvals
    ]


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
