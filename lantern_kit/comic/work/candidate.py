"""Candidates as people hold them: what waits beside agents' drafts, drawn before and after."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.candidate import Candidate
from lantern_kit.comic.work import show
from lantern_kit.comic.work.listed import Listed
from lantern_kit.comic.work.pair import Changes, changes_between, sides_of, told
from lantern_kit.kernel.clock import to_the_minute

if TYPE_CHECKING:
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
        facts = self.facts
        if not facts.waits:
            return facts.state if facts.result is None else f"{facts.state} as r{facts.result}"
        moved = self._host.candidates.moved(facts, self._host.drafts.head(facts.draft).book)
        return "stale: " + "; ".join(item.words() for item in moved) if moved else facts.state

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
