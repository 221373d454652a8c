"""Revisions as people hold them: who changed what, when and why, and the pages before and after."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.measure import counted
from lantern_kit.comic.saved import Snapshot
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work import show
from lantern_kit.comic.work.pair import Changes, changes_between, sides_of, told
from lantern_kit.comic.work.unit import Units, UnitWork
from lantern_kit.kernel.clock import stamp, to_the_minute
from lantern_kit.kernel.revision import Revision

if TYPE_CHECKING:
    from lantern_kit.comic.work.comparison import UnitComparison
    from lantern_kit.comic.work.frozen import Frozen
    from lantern_kit.comic.work.host import Host


class RevisionWork:
    """One revision of a chapter's working line or of a draft of it.

    Args:
        saved: the version that was saved of it.
        frozen: the proposal that was frozen here, or applied by it.
    """

    def __init__(
        self,
        host: Host,
        chapter: str,
        facts: Revision,
        *,
        saved: Snapshot | None = None,
        frozen: Frozen | None = None,
    ) -> None:
        self._host = host
        self._chapter = chapter
        self.facts = facts
        self.saved = saved
        self.frozen = frozen

    # what it is

    @property
    def id(self) -> str:
        """As people say it: ``r12``."""
        return self.facts.id

    @property
    def who(self) -> str:
        """The person or agent who made it."""
        return self.facts.actor.name

    @property
    def when(self) -> str:
        """In UTC, ISO 8601."""
        return stamp(self.facts.at)

    @property
    def why(self) -> str:
        """The message it was made with."""
        return self.facts.message

    @property
    def cause(self) -> str:
        """What made it, such as edit, apply, undo or restore."""
        return self.facts.cause

    @property
    def draft(self) -> str:
        """The draft whose revision it is; empty on the working line."""
        return "" if self.facts.line == self._chapter else self.facts.line

    @cached_property
    def moment(self) -> Moment:
        """It together with the content it left."""
        return self._host.comics.at(self.facts.number)

    @cached_property
    def before(self) -> Moment | None:
        """What it was made from; None for the first of a chapter."""
        return None if self.facts.parent is None else self._host.comics.at(self.facts.parent)

    @property
    def units(self) -> Units:
        """The whole chapter as it left it."""
        moment = self.moment
        return Units((UnitWork(self._host, moment, unit) for unit in moment.book.order), f"the chapter at {self.id}")

    # what it changed

    @cached_property
    def changes(self) -> Changes:
        """What it changed, in words."""
        return changes_between(self._host, self.before, self.moment)

    @property
    def touched(self) -> list[str]:
        """Ids of the units that it changed, added or removed."""
        return [item.unit for item in self.changes if item.unit != self._chapter]

    def sides(self, unit: str) -> list[tuple[str, UnitWork]]:
        """A unit ``before`` and ``after`` it, where it is there."""
        return sides_of(self._host, self.before, self.moment, unit)

    def compare(self, unit: str, **size: Any) -> UnitComparison:
        """A unit before and after it, compared as it is drawn; sizes as of ``UnitWork.compare``. Raises NotFound."""
        from lantern_kit.comic.work.comparison import UnitComparison

        return UnitComparison(self._host, unit, self.before, self.moment, **size)

    # showing

    def told(self) -> list[str]:
        """Who made it, when and why, and what came of it: a line each."""
        facts = self.facts
        where = f" in draft {self.draft}" if self.draft else ""
        lines = [f"{self.id} · {self.cause}{where} by {self.who} · {to_the_minute(facts.at)}", self.why]
        if self.saved is not None:
            lines.append(f"saved as {self.saved.id} “{self.saved.title}”")
        if self.frozen is not None:
            lines.append(f"proposal {self.frozen.proposal}, {self.frozen.state}")
            lines.extend(self.frozen.verdicts)
        came = "the chapter began" if self.before is None else counted(facts.changes_count, "change")
        return [line for line in [*lines, came] if line]

    def text(self) -> str:
        """All of it in plain text."""
        return "\n".join([*self.told(), *([repr(self.changes)] if self.changes else [])])

    def __repr__(self) -> str:
        return f"<Revision {self.id}: {self.cause} by {self.who}{f', “{self.why}”' if self.why else ''}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(self.text(), self.html())

    def html(self) -> str:
        """Who and why, then the pages it touched, before and after, with what changed on each."""
        head, *lines = self.told()
        changes = self.changes[: show.ROWS]
        units = ((item.unit, self.sides(item.unit)) for item in changes if item.unit != self._chapter)
        pages = told(units, changes, rest="revision.sides(UNIT) gives any page, before and after")
        more = len(self.changes) - len(changes)
        rest = show.small(f"… and {more} more: revision.changes[{show.ROWS}:] tells of them" if more else "")
        return show.heading(head) + "".join(map(show.paragraph, lines)) + pages + rest
