"""ProposalReview: where a person looks at what an agent proposes, takes and leaves parts of it, and decides.

A person's face: nothing of it is reachable from what agents call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import traitlets as t
from pydantic import Field

from lantern_kit.comic import approvals
from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.book import Book
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.work.conflict import ConflictWork
from lantern_kit.comic.work.proposal import ProposalWork
from lantern_kit.comic.work.unit import picture_title
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.files import replacing
from lantern_kit.widgets.asks import Args, Ask, answers
from lantern_kit.widgets.panel import Panel
from lantern_kit.widgets.review.outcome import Outcomes, outcome
from lantern_kit.widgets.review.regions import regions
from lantern_kit.widgets.review.reviewed import Reviewed, since
from lantern_kit.widgets.review.still import still
from lantern_kit.widgets.review.unlocking import IDLE, Unlocking
from lantern_kit.widgets.review.verdict import VerdictArgs, Verdicts, checked, damages
from lantern_kit.widgets.sheets import Name, SheetArgs, Sheets

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

LOOK = 150
"""Dots an inch at which two pages are compared: what differs by less is not to be seen."""


class ReviewArgs(Args):
    """Which proposal."""

    proposal: str = Field(max_length=40)


class StandingArgs(ReviewArgs):
    """Which proposal, and since when."""

    since: int
    """The revision of the work that was looked at."""
    ticket: str = Field(default="", max_length=64)
    """Of a verdict whose answer did not come."""


class OutcomeArgs(ReviewArgs):
    """An apply that is thought of."""

    reject: dict[str, str] = Field(default_factory=dict, max_length=20_000)
    """Reasons by part, object or unit."""
    mode: ApplyMode | None = None


class PairArgs(SheetArgs):
    """A unit at two sources."""

    against: Name


class SettleArgs(ReviewArgs):
    """A conflict that a merge left, and the choice."""

    conflict: str = Field(max_length=40)
    choice: str = Field(max_length=10)
    compared: int
    """The revision of the work that was looked at."""


class ExportArgs(ReviewArgs):
    """Which verdict."""

    verdict: str = Field(max_length=40)


class ProposalReview(Sheets, Panel):
    """A proposal, compared with the work; a person takes or leaves its parts and decides with their key.

    Args:
        proposal: itself, or its id with ``workspace``.
        workspace: where it is, when it is named by its id.
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.
        idle: seconds for which a key that is kept unlocked stays so unused, ten minutes at most.

    Raises:
        NotFound: there is no such proposal.
        BadInput: an id says not of which workspace.
    """

    kind = "review"

    proposal = t.Unicode().tag(sync=True)
    """Id of the proposal that is shown."""

    def __init__(
        self,
        proposal: ProposalWork | str,
        workspace: Workspace | None = None,
        *,
        language: str = "",
        idle: float = IDLE,
    ) -> None:
        if isinstance(proposal, ProposalWork):
            host, name = cast("Workspace", proposal.host), proposal.id
        elif workspace is None:
            raise BadInput(
                "an id says not of which workspace it is",
                expected="a proposal, or its id and its workspace",
                recovery="Give workspace.proposals[ID], or ProposalReview(ID, workspace).",
            )
        else:
            host, name = workspace, proposal
        found = host.proposal_service.get(name)
        super().__init__(host, language=language)
        self.proposal, self.chapter_id = found.id, found.chapter
        self._outcomes = Outcomes()
        self._unlocking = Unlocking(host, lambda: self.tell("locked"), idle=min(idle, IDLE))
        self._verdicts = Verdicts(host, self._unlocking)

    # what is shown

    @answers("review", ReviewArgs)
    def review(self, ask: Ask[ReviewArgs]) -> dict[str, Any]:
        """The proposal against the work as it stands."""
        return self._reviewed(ask.args.proposal, ask.language).data()

    @answers("standing", StandingArgs)
    def standing(self, ask: Ask[StandingArgs]) -> dict[str, Any]:
        """How it stands, quickly: its state, its verdicts, where the work is, and what happened to it since."""
        found = self.host.proposal_service.get(ask.args.proposal)
        head = self.host.comics.head(found.chapter)
        with self.host.journal.read() as connection:
            verdicts = len(approvals.of_proposal(connection, found.number))
        return {
            "state": found.state,
            "verdicts": verdicts,
            "head": head.revision.number,
            "since": since(self.host, head, ask.args.since, ask.language),
            "given": self._verdicts.given(ask.args.ticket),
        }

    @answers("outcome", OutcomeArgs)
    def outcome(self, ask: Ask[OutcomeArgs]) -> dict[str, Any]:
        """What an apply with these choices would make, and the source that it is drawn from."""
        reviewed = self._reviewed(ask.args.proposal, ask.language)
        found = outcome(self.host, reviewed.review, ask.args.reject, ask.args.mode)
        return reviewed.outcome(found, self._outcomes.keep(found))

    @answers("sound", aside=True)
    def sound(self, ask: Ask[Any]) -> dict[str, Any]:
        """Whether the workspace is as it was written."""
        report = checked(self.host, ask)
        return {"clean": report.clean, "damages": damages(report, ask.language), "count": len(report.problems)}

    @answers("keys")
    def keys_here(self, _: Ask[Any]) -> dict[str, Any]:
        """Whose keys are here, and which is unlocked."""
        return self._unlocking.facts()

    # what a person does

    @answers("verdict", VerdictArgs, aside=True)
    def verdict(self, ask: Ask[VerdictArgs]) -> dict[str, Any]:
        """Decide."""
        return self._verdicts.give(ask)

    @answers("lock", aside=True)
    def lock_key(self, _: Ask[Any]) -> dict[str, Any]:
        """Forget the key that is unlocked."""
        self._unlocking.lock()
        return self._unlocking.facts()

    @answers("settle", SettleArgs, aside=True)
    def settle(self, ask: Ask[SettleArgs]) -> dict[str, Any]:
        """Choose one side of a conflict, if the work is as it was looked at. Raises StaleHead, WrongState."""
        args = ask.args
        work = ConflictWork(self.host, args.conflict)
        seen = work.look()
        if seen.revision.number != args.compared:
            with self.host.journal.read() as connection:
                raise self.host.history.stale(connection, work.facts.chapter, args.compared, seen.revision)
        return {"conflict": work.id, "revision": work.resolve(args.choice) or ""}

    @answers("export", ExportArgs)
    def export(self, ask: Ask[ExportArgs]) -> dict[str, Any]:
        """Write a verdict as a file that stands by itself into the workspace's exports; gives its name there."""
        found = self.host.proposals[ask.args.proposal]
        text = found.certificate(ask.args.verdict)
        name = f"{found.id}-{ask.args.verdict}.json"
        folder = self.host.path / "exports"
        folder.mkdir(exist_ok=True)
        with replacing(folder / name) as file:
            file.write(text.encode())
        return {"file": f"exports/{name}"}

    @answers("open", ReviewArgs)
    def open_other(self, ask: Ask[ReviewArgs]) -> dict[str, Any]:
        """Show another proposal of the workspace."""
        found = self.host.proposal_service.get(ask.args.proposal)
        self.proposal, self.chapter_id = found.id, found.chapter
        return {"proposal": self.proposal}

    # what is drawn

    def book_of(self, source: str) -> Book:
        """What a source holds; ``taking:…`` is an outcome that was looked at. Raises NotFound, BadInput."""
        if not source.startswith(Outcomes.PREFIX):
            return super().book_of(source)
        found = self._outcomes.get(source)
        if found is None:
            raise NotFound("that was looked at too long ago", ids=[source[:40]], recovery="Look at it again.")
        return found

    @answers("pair", PairArgs)
    def pair(self, ask: Ask[PairArgs]) -> dict[str, Any]:
        """Whether a unit looks different at two sources, and the titles of the pictures that are not there."""
        args = ask.args
        drawn = [
            self.host.renderer.render(book.unit(args.unit), book.chapter, dpi=LOOK)
            for book in (self.seen(args.against).book, self.seen(args.source).book)
        ]
        missing = dict.fromkeys(asset for item in drawn for asset in item.missing)
        return {
            "alike": drawn[0].sha256 == drawn[1].sha256,
            "missing": [picture_title(self.host, asset) for asset in missing],
        }

    @answers("regions", PairArgs)
    def regions(self, ask: Ask[PairArgs]) -> dict[str, Any]:
        """Where a unit that is there at both sources looks different, bleed included. Raises NotFound."""
        args = ask.args
        before, after = self.seen(args.against).book, self.seen(args.source).book
        sides = (before.unit(args.unit), after.unit(args.unit), before.chapter, after.chapter)
        return regions(self.host.renderer.compare(*sides, dpi=LOOK, bleed=True))

    # showing

    def text(self) -> str:
        """What a person reads before deciding."""
        return ProposalWork(self.host, self.proposal).text()

    def picture(self) -> str:
        """The words, and the first touched page before and after."""
        return still(self.host, self._reviewed(self.proposal, self.tongue).review)

    def close(self) -> None:
        """Forget the key, and free the rest."""
        if hasattr(self, "_unlocking"):  # making it was not refused
            self._unlocking.lock()
        super().close()

    # parts

    def _reviewed(self, proposal: str, language: Language) -> Reviewed:
        return Reviewed(self.host, self.host.proposal_service.review(proposal, language=language))
