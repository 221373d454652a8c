"""Proposals as people hold them: before and after, the changes in words, and the verdict."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.proposals import UNDECIDED, Decided, Proposal, Review
from lantern_kit.comic.reviewers import Reviewer
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work import show
from lantern_kit.comic.work.comic import UnitWork
from lantern_kit.kernel.clock import stamp

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host


class ProposalShelf:
    """All proposals of a workspace."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def pending(self) -> list[ProposalWork]:
        """Proposals that wait for a verdict, newest first; kept ones too."""
        return [ProposalWork(self._host, item.id) for item in self._host.proposal_service.all(states=UNDECIDED)]

    def all(self) -> list[ProposalWork]:
        """All proposals, newest first."""
        return [ProposalWork(self._host, item.id) for item in self._host.proposal_service.all()]

    def __getitem__(self, proposal: str) -> ProposalWork:
        """A proposal by id. Raises NotFound."""
        return ProposalWork(self._host, self._host.proposal_service.get(proposal).id)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.all())) or "no proposals"


class ProposalWork:
    """One proposal, compared with the work as it stood when it was last looked at."""

    def __init__(self, host: Host, proposal: str) -> None:
        self._host = host
        self.id = proposal
        self._review: Review | None = None

    @property
    def facts(self) -> Proposal:
        """Its state and figures, read anew."""
        return self._host.proposal_service.get(self.id)

    def look(self) -> Review:
        """Compare it with the work as it stands now; a verdict then speaks of this comparison."""
        self._review = self._host.proposal_service.review(self.id)
        return self._review

    @property
    def review(self) -> Review:
        """The comparison last looked at."""
        return self._review or self.look()

    # verdicts

    def apply(self, reviewer: Reviewer, *, mode: ApplyMode | str | None = None, reason: str = "") -> Decided:
        """Make it the work: a new revision and a saved version in one step.

        Raises:
            StaleHead: the work moved on since this was last looked at; ``look()`` again.
            WrongState: it would overwrite others' changes and ``mode`` does not say how.
        """
        chosen = ApplyMode.PLAIN if mode is None else ApplyMode(mode)
        return self._host.proposal_service.apply(
            self.id, reviewer, compared=self._compared(), mode=chosen, reason=reason
        )

    def keep(self, reviewer: Reviewer, *, reason: str = "") -> Decided:
        """Leave it for later, with a signed note."""
        return self._host.proposal_service.keep(self.id, reviewer, compared=self._compared(), reason=reason)

    def discard(self, reviewer: Reviewer, *, reason: str = "") -> Decided:
        """Turn it down; the agent reads the reason."""
        return self._host.proposal_service.discard(self.id, reviewer, compared=self._compared(), reason=reason)

    def _compared(self) -> int:
        return self.review.current.revision.number

    # showing

    def text(self) -> str:
        """What a person reads before deciding."""
        review = self.review
        facts = review.proposal
        lines = [
            f"Proposal {facts.id} by {facts.actor}, from draft d{facts.draft}: {facts.state}",
            f"  {_counted(facts.changes, 'change')} to {_counted(len(facts.units), 'unit')}",
            f"  {facts.summary}" if facts.summary else "",
            f"Base {review.base.id}, compared with {review.current.id}",
        ]
        for unit in review.words:
            lines.append(f"{unit.title}")
            lines.extend(f"  · {sentence}" for sentence in unit.sentences)
        lines.append(_findings("New faults", facts.new_findings))
        if facts.healed:
            lines.append(_findings("Healed", facts.healed))
        lines.extend(self._warnings(review))
        for verdict in review.approvals:
            reason = f": {verdict.reason}" if verdict.reason else ""
            lines.append(f"{verdict.verdict.value} by {verdict.reviewer} at {stamp(verdict.at)}{reason}")
        return "\n".join(line for line in lines if line)

    def _warnings(self, review: Review) -> list[str]:
        lines = []
        if review.overwrites:
            names = ", ".join(self._unit(review.current, review.frozen, unit) for unit in review.overwrites)
            offered = "merge offered" if ApplyMode.MERGE in review.modes else "no merge without choosing"
            lines.append(f"Overwrites: {names} changed since the draft began; {offered}")
        lines.extend(
            f"Conflict on {item.object}: {item.property or 'the whole object'}" for item in review.conflicts[:10]
        )
        return lines

    def _unit(self, current: Moment, frozen: Moment, unit: str) -> str:
        moment = current if unit in current.book else frozen
        return UnitWork(self._host, moment, unit).title if unit in moment.book else unit

    def __repr__(self) -> str:
        facts = self.facts
        return f"<Proposal {facts.id} {facts.state} by {facts.actor}: {_counted(facts.changes, 'change')}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(self.text(), self.html())

    def html(self) -> str:
        """Before and after beside each other, unit by unit, and the changes in words."""
        review = self.look()
        facts = review.proposal
        changes = _counted(facts.changes, "change")
        parts = [
            f'<h4 style="margin:.2em 0">Proposal {facts.id} · {escape(facts.state)}</h4>',
            f"<p>{escape(facts.summary)}</p>",
            f"<p><small>by {escape(facts.actor)}, from draft d{facts.draft} · {changes}</small></p>",
            f"<p><small>base {review.base.id}, compared with {review.current.id}</small></p>",
        ]
        parts.extend(
            f'<p style="border-left:4px solid #d97706;padding-left:8px">{escape(line)}</p>'
            for line in self._warnings(review)
        )
        words = {unit.unit: unit for unit in review.words}
        for unit in facts.units:
            parts.append(self._pair(unit))
            if unit in words:
                items = "".join(f"<li>{escape(sentence)}</li>" for sentence in words[unit].sentences)
                parts.append(f"<ul>{items}</ul>")
        parts.append(f"<p>{escape(_findings('New faults', facts.new_findings))}</p>")
        if facts.healed:
            parts.append(f"<p>{escape(_findings('Healed', facts.healed))}</p>")
        return "".join(parts)

    def sides(self, unit: str) -> list[tuple[str, UnitWork]]:
        """A touched unit ``before`` and ``after``, where it is there; before is what a verdict meets or met."""
        review = self.review
        before = review.current if review.proposal.undecided else review.base
        return [
            (label, UnitWork(self._host, moment, unit))
            for label, moment in (("before", before), ("after", review.frozen))
            if unit in moment.book
        ]

    def _pair(self, unit: str) -> str:
        sides = dict(self.sides(unit))
        shown = []
        for label, absent in (("before", "not there yet"), ("after", "removed")):
            if label in sides:
                work = sides[label]
                shown.append(show.figure(work.render(long_edge=560), f"{work.title} · {label} ({work.moment.id})"))
            else:
                shown.append(f'<p style="opacity:.7;margin:0 12px">{absent}</p>')
        return f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start">{"".join(shown)}</div>'


def _findings(title: str, findings: Any) -> str:
    words = "; ".join(item.message for item in findings) or "none"
    return f"{title}: {words}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
