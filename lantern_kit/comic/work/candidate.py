"""Candidates as people hold them: what waits beside agents' drafts, drawn before and after."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.candidate import Candidate, Moved
from lantern_kit.comic.work import show
from lantern_kit.comic.work.pair import Changes, changes_between, sides_of, told
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.revision import revision_number
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.proposal import Proposal
    from lantern_kit.comic.service import Moment
    from lantern_kit.comic.work.host import Host
    from lantern_kit.comic.work.unit import UnitWork
    from lantern_kit.kernel.actor import Actor


class Candidates(Listed["CandidateWork"]):
    """Candidates of a chapter's drafts, oldest first."""

    heads = ("candidate", "draft", "by", "what for", "changes", "state")
    empty = "no candidates wait"

    def row(self, item: CandidateWork) -> tuple[str, ...]:
        """Names, author, task, changes in counts, and how it stands."""
        facts = item.facts
        return (facts.id, facts.draft, facts.actor, facts.task, facts.summary, item.standing)

    def line(self, item: CandidateWork) -> str:
        """One candidate."""
        return repr(item)

    def picture(self, item: CandidateWork) -> str:
        """The first page that it changes, as it would be, or as it was where it would go."""
        sides = next((sides for change in item.changes if (sides := item.sides(change.unit))), [])
        if not sides:
            return ""
        label, page = sides[-1]
        return page.render(long_edge=show.THUMB).picture(f"{page.title}, {label} {item.id}")


def beside(host: Host, proposal: Proposal) -> Candidates:
    """The candidates that waited beside a draft when a proposal was frozen from it, and are no part of that."""
    found = host.candidates.of_draft(f"d{proposal.draft}", state=None)
    frozen = proposal.frozen_at
    return Candidates(
        CandidateWork(host, item.id)
        for item in found
        if item.at <= frozen and (item.settled_at is None or item.settled_at > frozen)
    )


class CandidateWork:
    """One candidate, beside the draft's revision that it was worked out on."""

    def __init__(self, host: Host, candidate: str) -> None:
        self._host = host
        self.id = candidate

    @property
    def facts(self) -> Candidate:
        """Its task, targets, operations and state, read anew."""
        return self._host.candidates.get(self.id)

    @property
    def standing(self) -> str:
        """``waiting``, ``stale: …`` with what moved since, ``adopted as r45`` or ``dropped``."""
        facts, moved = self.facts, self.moved
        if facts.result is not None:
            return f"{facts.state} as r{facts.result}"
        return "stale: " + "; ".join(item.words() for item in moved) if moved else facts.state

    @property
    def moved(self) -> tuple[Moved, ...]:
        """What it is about and changed since; nothing once it is settled."""
        facts = self.facts
        return self._host.candidates.moved(facts, self._host.drafts.head(facts.draft).book) if facts.waits else ()

    @cached_property
    def before(self) -> Moment:
        """The draft as it was where the candidate was worked out."""
        return self._host.comics.at(self.facts.base)

    @cached_property
    def moment(self) -> Moment:
        """The content that it gives."""
        return self._host.candidates.moment(self.facts)

    @cached_property
    def changes(self) -> Changes:
        """What it changes, in words."""
        return changes_between(self._host, self.before, self.moment)

    def sides(self, unit: str) -> list[tuple[str, UnitWork]]:
        """A unit ``before`` and ``after``, where it is there."""
        return sides_of(self._host, self.before, self.moment, unit)

    def adopt(self, *, by: Actor | None = None, expected: str | None = None) -> str:
        """Make it one revision of its draft, as a person's act; gives that revision. The work stays as it is.

        ``expected`` is the draft's newest revision that was looked at, if that matters.

        Raises:
            StaleCandidate: something that it is about changed since; ``details['moved']`` names all of it.
            WrongState: it is settled, or its draft is closed.
            OutOfScope, StaleHead, BadInput.
        """
        candidates = self._host.candidates
        planned = candidates.plan_adoption(self.id)
        seen = planned.seen.revision.number if expected is None else revision_number(expected)
        with self._host.comics.journal.write() as connection:
            edited, _ = candidates.adopt(connection, self.id, seen, actor=by or self._host.owner, planned=planned)
        return edited.moment.id

    def drop(self, *, by: Actor | None = None) -> None:
        """Put it away; the draft stays as it is. Raises WrongState when it is settled."""
        with self._host.comics.journal.write() as connection:
            self._host.candidates.drop(connection, self.id, actor=by or self._host.owner)

    # showing

    def told(self) -> list[str]:
        """Who proposed it, when and what for, how it stands, and what it would bring: a line each."""
        facts = self.facts
        head = f"{facts.id} · candidate in draft {facts.draft} by {facts.actor} · {to_the_minute(facts.at)}"
        lines = [head, facts.task, self.standing]
        lines += [f"would bring: {item.message}" for item in facts.new_findings[: show.ROWS]]
        return [*lines, f"would heal {len(facts.healed)}"] if facts.healed else lines

    def line(self) -> str:
        """Name, task, author and how it stands, on a line."""
        facts = self.facts
        return f"{facts.id} “{facts.task}” by {facts.actor}: {self.standing}"

    def text(self) -> str:
        """All of it in plain text."""
        return "\n".join([*self.told(), repr(self.changes)])

    def __repr__(self) -> str:
        facts = self.facts
        return f"<Candidate {facts.id} in {facts.draft} by {facts.actor}, “{facts.task}”: {self.standing}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(self.text(), self.html())

    def html(self) -> str:
        """Who and why, then the pages it touches, before and after, with what would change on each."""
        head, *lines = self.told()
        chapter = self.moment.book.chapter.id
        units = ((item.unit, self.sides(item.unit)) for item in self.changes if item.unit != chapter)
        pages = told(units, self.changes, rest="candidate.sides(UNIT) gives any page, before and after")
        return show.heading(head) + "".join(map(show.paragraph, lines)) + pages
