"""An author's desk: all that an author may do, each deed one step of the novel under the author's seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.engine import Connection
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.content import Content
from lantern_kit.novel.edit import claim as claims
from lantern_kit.novel.edit import commit as commits
from lantern_kit.novel.edit import complete, deduce, ledger, outline, work
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.errors import NovelLengthLimit
from lantern_kit.novel.finding import Finding
from lantern_kit.novel.guards import outline_findings, prose_findings
from lantern_kit.novel.known_names import known_names
from lantern_kit.novel.model import Attempt, Chapter, Commit, Instruction, Person, Reason, Source, Unit, UnitState
from lantern_kit.novel.plan import FindingOverrideIn, OutcomeIn, Plan
from lantern_kit.novel.prose import Prose, prose
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.service import Moment, NovelService
from lantern_kit.novel.whole import Novel, changed


@dataclass(frozen=True)
class Weighed:
    """Prose that is kept and was looked at, and is not committed yet."""

    unit: str
    prose: Prose
    content: Content
    found: tuple[Finding, ...]


class AuthorDesk:
    """What an author may do with one novel. Every method raises NovelOwnership when the seat was lost.

    Args:
        seat: the author's, in the turn that is on.
        actor: whose deeds they are in the journal.
    """

    def __init__(self, service: NovelService, seat: AuthorSeat, actor: Actor) -> None:
        self.service = service
        self.seat = seat
        self.actor = actor

    @property
    def novel(self) -> Novel:
        """The novel as it stands."""
        return self.service.head(self.seat.novel).novel

    # planning

    def create_outline(
        self,
        plan: Plan,
        outcomes: Sequence[OutcomeIn],
        reason: str,
        overrides: Sequence[FindingOverrideIn] = (),
        connection: Connection | None = None,
    ) -> tuple[Moment, dict[str, str]]:
        """The first outline; gives ids by the names of the plan. Raises as ``edit.outline.create``, NovelFindings."""

        def make(novel: Novel, stamp: Stamp) -> tuple[Novel, dict[str, str]]:
            after, names = outline.create(novel, plan, outcomes, reason, overrides, stamp)
            commits.require_overridden(outline_findings(novel, after), overrides)
            return after, names

        return self.service.step(
            self.seat.novel, make, actor=self.actor, cause="outline", seat=self.seat, connection=connection
        )

    def revise_outline(
        self,
        plan: Plan,
        outcomes: Sequence[OutcomeIn],
        reason: str,
        expected: int,
        overrides: Sequence[FindingOverrideIn] = (),
        connection: Connection | None = None,
    ) -> tuple[Moment, dict[str, str]]:
        """Change the outline; gives ids by the names of the plan. Raises as ``edit.outline.revise``, NovelFindings."""

        def make(novel: Novel, stamp: Stamp) -> tuple[Novel, dict[str, str]]:
            after, names = outline.revise(novel, plan, outcomes, reason, overrides, expected, stamp)
            commits.require_overridden(outline_findings(novel, after), overrides)
            return after, names

        return self.service.step(
            self.seat.novel, make, actor=self.actor, cause="revise", seat=self.seat, connection=connection
        )

    def block(
        self,
        instruction: str,
        reason: str,
        sources: Sequence[Source],
        expected: int,
        connection: Connection | None = None,
    ) -> tuple[Moment, Instruction]:
        """Say that an instruction contradicts what is written. Raises as ``edit.ledger.block``."""
        return self.service.step(
            self.seat.novel,
            lambda novel, stamp: ledger.block(novel, instruction, reason, sources, expected, stamp),
            actor=self.actor,
            cause="block",
            seat=self.seat,
            connection=connection,
        )

    # writing

    def claim(
        self,
        intent: str,
        unit: str,
        expected_outline: int,
        expected_watermark: int,
        connection: Connection | None = None,
    ) -> tuple[Moment, Attempt]:
        """Claim the unit that is asked for. Raises as ``edit.claim.claim``."""
        return self.service.step(
            self.seat.novel,
            lambda novel, stamp: claims.claim(novel, intent, unit, expected_outline, expected_watermark, stamp),
            actor=self.actor,
            cause="claim",
            seat=self.seat,
            connection=connection,
        )

    def weigh(self, unit: str, token: str, paragraphs: Sequence[str], content: Content) -> Weighed:
        """Check, count and keep prose, and have the guards look at it; nothing is committed yet.

        Prose past a maximum counts as a correction of its unit; when those are used up, the novel pauses.

        Raises NovelOwnership, BadInput, NovelLengthLimit, NovelDuplicateCommit, NovelStaleUnit, NotFound.
        """
        with self.service.journal.read() as connection:
            self.service.authors.check(connection, self.seat)
            novel = self.service.head(self.seat.novel, connection).novel
        written = prose(paragraphs, policy=novel.config.count_policy)
        held = novel.unit(unit)
        if commits.given_before(held, written, content) is not None:
            return Weighed(unit, written, content, ())
        claims.require_token(novel, held, token, Stamp(0, self.actor.name, self.service.ids, self.seat.turn))
        try:
            commits.require_length(novel, held, written)
        except NovelLengthLimit as error:
            told = error.message
            self.service.step(
                self.seat.novel,
                lambda novel, stamp: (_corrected(novel, unit, told, stamp), None),
                actor=self.actor,
                cause="too long",
                seat=self.seat,
            )
            raise
        names = known_names(novel.assets.values(), self.service.blobs)
        found = prose_findings(novel, held, written, content, lambda name: self.service.paragraphs(novel, name), names)
        self.service.keep(written)
        return Weighed(unit, written, content, tuple(found))

    def commit(self, token: str, weighed: Weighed, connection: Connection | None = None) -> tuple[Moment, Commit]:
        """Commit prose that was weighed, with its facts and progress. Raises as ``edit.commit.commit``."""
        return self.service.step(
            self.seat.novel,
            lambda novel, stamp: commits.commit(
                novel, weighed.unit, token, weighed.prose, weighed.content, weighed.found, stamp
            ),
            actor=self.actor,
            cause="commit",
            seat=self.seat,
            connection=connection,
        )

    def deduce(
        self, people: Sequence[str], rounds: int, connection: Connection | None = None
    ) -> tuple[Moment, tuple[Person, ...]]:
        """Begin to act a scene out by some people; it counts as one deduction. Raises as ``edit.deduce.begin``."""
        return self.service.step(
            self.seat.novel,
            lambda novel, stamp: deduce.begin(novel, people, rounds, stamp),
            actor=self.actor,
            cause="deduce",
            seat=self.seat,
            connection=connection,
        )

    def give_up_deduction(self, people: Sequence[str]) -> Moment:
        """Pause: some people of a deduction failed however often they were asked. Raises as ``deduce``."""
        moment, _ = self.service.step(
            self.seat.novel,
            lambda novel, stamp: (deduce.given_up(novel, people, stamp), None),
            actor=self.actor,
            cause="deduction failed",
            seat=self.seat,
        )
        return moment

    def supersede(self, unit: str, connection: Connection | None = None) -> tuple[Moment, Unit]:
        """Retire a unit that was prepared for what is no longer so. Raises as ``edit.work.supersede``."""

        def make(novel: Novel, stamp: Stamp) -> tuple[Novel, Unit]:
            after = work.supersede(novel, unit, stamp)
            return after, after.unit(unit)

        return self.service.step(
            self.seat.novel, make, actor=self.actor, cause="supersede", seat=self.seat, connection=connection
        )

    def complete_chapter(
        self,
        chapter: str,
        expected_content: int,
        evidence: str,
        open_ends: Sequence[str],
        connection: Connection | None = None,
    ) -> tuple[Moment, Chapter]:
        """Complete the chapter that is asked for. Raises as ``edit.complete.complete_chapter``."""
        return self.service.step(
            self.seat.novel,
            lambda novel, stamp: complete.complete_chapter(
                novel, chapter, expected_content, evidence, open_ends, stamp
            ),
            actor=self.actor,
            cause="complete chapter",
            seat=self.seat,
            connection=connection,
        )

    def finish(
        self,
        expected_content: int,
        expected_outline: int,
        ending: str,
        evidence: str,
        connection: Connection | None = None,
    ) -> tuple[Moment, Novel]:
        """Complete the novel, if it is. Raises as ``edit.complete.finish``."""

        def make(novel: Novel, stamp: Stamp) -> tuple[Novel, Novel]:
            after = complete.finish(novel, expected_content, expected_outline, ending, evidence, stamp)
            return after, after

        return self.service.step(
            self.seat.novel, make, actor=self.actor, cause="finish", seat=self.seat, connection=connection
        )


def _corrected(novel: Novel, unit: str, told: str, stamp: Stamp) -> Novel:
    """The novel with one more correction of a unit noted; paused for its length when they are used up."""
    held = novel.unit(unit)
    if held.state is not UnitState.CLAIMED:
        return novel
    held = changed(held, corrections=held.corrections + 1)
    novel = novel.put("units", held)
    if held.corrections <= novel.config.limits.corrections:
        return novel
    halt = Halt(
        f"The prose stayed too long after {held.corrections - 1} corrections: {told}.",
        Reason.LENGTH,
        (unit,),
        "Raise the length, or ask for less to be told; then resume.",
    )
    return work.paused(novel, halt, stamp)
