"""The ledger against a simple model: whatever comes in whatever order, no word is lost and no unit written twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.novel.edit import control, ledger, outline, work
from lantern_kit.novel.edit.begin import begin
from lantern_kit.novel.edit.claim import claim
from lantern_kit.novel.edit.commit import commit
from lantern_kit.novel.edit.complete import complete_chapter, finish
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.model import (
    PLANNING,
    AttemptEnd,
    InstructionSource,
    InstructionState,
    Intent,
    Source,
    Status,
    UnitState,
    Why,
    WorkKind,
)
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.prose import prose
from lantern_kit.novel.sent import sent
from lantern_kit.novel.whole import Novel, committed
from tests.novel.stage import config, content, text
from tests.novel.stage import outline as first_outline

CONFIG = config(limits={"turns": 40, "failures": 3, "stalled": 4})


class Interleaved(RuleBasedStateMachine):
    """An author in turns, and a person who interferes between any two deeds."""

    ids: SeededIds
    novel: Novel

    @initialize(seed=st.integers(0, 1_000))
    def begun(self, seed: int) -> None:
        """A novel with its outline."""
        self.ids = SeededIds(seed)
        self.clock = self.turn = self.written = 0
        self.said: list[str] = ["Write."]
        """What a person said, in order."""
        self.last = 0
        """The newest instruction that answers none."""
        self.done: dict[str, str] = {}
        """The body of every commit that was answered."""
        self.order: list[str] = []
        self.marks = [0]
        self.spent = 0
        self.tokens: list[tuple[str, str, str]] = []
        self.before: Novel | None = None
        self.novel = begin("T", CONFIG, (), "Write.", "m0", self.stamp())
        self.prepared()
        self.created()

    def stamp(self, turn: int = 0) -> Stamp:
        """The world at a new time."""
        self.clock += 1
        return Stamp(self.clock, "somebody", self.ids, f"turn{turn}" if turn else "")

    def tried(self, deed: Callable[[], Novel]) -> bool:
        """Do something that may be refused; a refusal changes nothing."""
        held = self.novel
        try:
            self.novel = deed()
        except LanternError:
            assert self.novel is held
            return False
        return True

    @property
    def intent(self) -> Intent | None:
        """What is asked for."""
        return self.novel.head.run.intent

    # the kit

    @rule()
    def prepared(self) -> None:
        """A new turn begins, if there is something to do; the one before may never have ended."""
        self.novel, asked = work.prepare(self.novel, self.stamp())
        if isinstance(asked, Intent) and self.tried(
            lambda: work.send(self.novel, asked.id, self.stamp(self.turn + 1))[0]
        ):
            self.turn += 1
            self.before = self.novel

    @precondition(lambda self: self.before is not None)
    @rule(failed=st.booleans())
    def ended(self, failed: bool) -> None:
        """The newest turn ends."""
        assert self.before is not None
        before, self.before = self.before, None
        usage = Usage(1, 1, 1, 1)
        self.novel = work.ended(self.novel, before, usage, failed="lost" if failed else "", stamp=self.stamp())

    @rule()
    def recovered(self) -> None:
        """The author is provably gone."""
        novel = work.given_back(self.novel, AttemptEnd.LOST, "gone", self.stamp())
        self.novel, self.before = novel.with_run(intent=None), None

    # the author

    def created(self) -> None:
        """The first outline."""
        self.novel, _ = outline.create(
            self.novel,
            first_outline(2, 2).model_copy(update={"foreshadows": ()}),
            self.outcomes(9),
            "so",
            (),
            self.stamp(self.turn),
        )

    def outcomes(self, most: int) -> list[OutcomeIn]:
        """What comes of the first open instructions."""
        return [
            OutcomeIn(instruction=item.id, result="applied", note="so") for item in self.novel.open_instructions[:most]
        ]

    @rule(most=st.integers(0, 4), added=st.booleans())
    def revised(self, most: int, added: bool) -> None:
        """Some instructions are dealt with."""
        chapter = self.novel.current
        more: dict[str, Any] = (
            {}
            if chapter is None or not added
            else {"chapters": [{"id": chapter.id, "scenes": [{"as": "s", "goal": "g"}]}]}
        )
        revision = self.novel.head.outline_revision
        self.tried(
            lambda: outline.revise(
                self.novel, sent(Plan, more), self.outcomes(most), "so", (), revision, self.stamp(self.turn)
            )[0]
        )

    @precondition(lambda self: self.done and self.novel.open_instructions)
    @rule()
    def blocked(self) -> None:
        """An instruction contradicts what is written."""
        told, place = self.novel.open_instructions[0], next(iter(self.novel.commits))
        revision = self.novel.head.outline_revision
        source = Source(commit=place, paragraph=0)
        self.tried(lambda: ledger.block(self.novel, told.id, "no", [source], revision, self.stamp(self.turn))[0])

    @precondition(lambda self: self.intent is not None and self.intent.kind is WorkKind.WRITE_UNIT)
    @rule(late=st.booleans())
    def claimed(self, late: bool) -> None:
        """The unit that is asked for is claimed, by this turn or one of before."""
        asked, head = self.intent, self.novel.head
        assert asked is not None
        turn = self.turn - late

        def deed() -> Novel:
            novel, attempt = claim(
                self.novel, asked.id, asked.unit or "", head.outline_revision, head.watermark, self.stamp(turn)
            )
            self.tokens.append((asked.unit or "", attempt.token, f"turn{turn}"))
            return novel

        held = self.novel
        if self.tried(deed) and self.novel is not held:
            assert head.received == head.watermark
            assert head.run.status is Status.ACTIVE

    @precondition(lambda self: self.tokens)
    @rule(which=st.integers(0, 3), done=st.booleans(), again=st.booleans())
    def committed(self, which: int, done: bool, again: bool) -> None:
        """Prose comes under a token of now or of before, perhaps a second time and otherwise."""
        unit, token, turn = self.tokens[-1 - which % len(self.tokens)]
        number = self.written if again else self.written + 1
        written, said = prose(text(number), policy=1), content(done=done)
        held, stamp = self.novel, self.stamp()
        stamp = Stamp(stamp.at, stamp.by, stamp.ids, turn)
        valid = held.head.claimed == unit and held.unit(unit).attempts[-1].token == token
        ok = self.tried(lambda: commit(self.novel, unit, token, written, said, (), stamp)[0])
        if not ok or self.novel is held:
            return
        assert valid
        made = committed(self.novel.unit(unit))
        assert made.id not in self.done
        self.done[made.id] = made.body
        self.order.append(unit)
        self.written += 1

    @rule()
    def closed(self) -> None:
        """The chapter, or the novel, is completed if it can be."""
        asked, head, stamp = self.intent, self.novel.head, self.stamp(self.turn)
        if asked is None:
            return
        if asked.kind is WorkKind.CHAPTER_COMPLETE:
            self.tried(
                lambda: complete_chapter(self.novel, asked.chapter or "", head.content_revision, "told", (), stamp)[0]
            )
        elif asked.kind is WorkKind.FINISH:
            ending = next(reversed(list(self.novel.commits)))
            self.tried(lambda: finish(self.novel, head.content_revision, head.outline_revision, ending, "told", stamp))

    @rule(steps=st.integers(1, 20), block=st.booleans())
    def worked(self, steps: int, block: bool) -> None:
        """What is asked for is done as it should be, for some steps."""
        for _ in range(steps):
            asked = self.intent
            if asked is None or asked.turn != f"turn{self.turn}" or self.before is None:
                self.prepared()
            elif asked.kind in PLANNING:
                if block and self.done and self.novel.open_instructions:
                    self.blocked()
                self.revised(9, asked.why is Why.REFINE)
                self.ended(False)
            elif asked.kind is not WorkKind.WRITE_UNIT:
                self.closed()
                self.ended(False)
            elif self.novel.head.claimed is None:
                self.claimed(False)
            else:
                self.committed(0, True, False)
                self.ended(False)

    # the person

    @rule(twice=st.booleans())
    def instructed(self, twice: bool) -> None:
        """A word of the author's, or the newest one sent again."""
        fresh = not twice or not self.last
        number = len(self.said) if fresh else self.last
        words = f"Word {number}."
        completed = self.novel.head.run.status is Status.COMPLETED
        received = self.novel.head.received
        ok = self.tried(
            lambda: ledger.receive(self.novel, f"m{number}", words, InstructionSource.INSTRUCTION, None, self.stamp())[
                0
            ]
        )
        if self.novel.head.received > received:
            self.said.append(words)
            self.last = number
        assert ok == (not fresh or not completed)

    @precondition(lambda self: self.novel.blocked)
    @rule()
    def answered(self) -> None:
        """What a blocked instruction means."""
        told, number = self.novel.blocked[0], len(self.said)
        source = InstructionSource.CLARIFICATION
        if self.tried(
            lambda: ledger.receive(self.novel, f"m{number}", f"Word {number}.", source, told.id, self.stamp())[0]
        ):
            self.said.append(f"Word {number}.")

    @rule(what=st.sampled_from(["pause", "stop", "resume", "resume", "resume"]))
    def controlled(self, what: str) -> None:
        """A person's control. After a stop no token of before is worth anything; a resume gives nothing back."""
        spent = self.novel.head.spent
        deed = {"pause": control.pause, "stop": control.stop, "resume": control.resume}[what]
        if self.tried(lambda: deed(self.novel, self.stamp())) and what == "stop":
            assert self.novel.head.claimed is None
            assert self.novel.head.run.status is Status.PAUSED
        assert self.novel.head.spent.turns == spent.turns

    # what holds at any time

    @invariant()
    def nothing_is_lost_or_written_twice(self) -> None:
        """The laws of the ledger, of units and of reading."""
        novel = self.novel
        head = novel.head
        told = list(novel.instructions.values())
        assert [item.text for item in told] == self.said
        assert [item.sequence for item in told] == list(range(1, len(told) + 1))
        assert head.received == len(told)
        assert all(item.settled == (item.sequence <= head.watermark) for item in told)
        assert head.watermark >= self.marks[-1]
        self.marks.append(head.watermark)
        assert {name: committed(unit).body for name, unit in novel.commits.items()} == self.done
        assert head.commits == len(self.done)
        assert head.characters == sum(committed(unit).characters for unit in novel.commits.values())
        assert [unit.id for _, unit in novel.reading()] == self.order
        states = [unit.state for unit in novel.units.values()]
        assert states.count(UnitState.CLAIMED) == (head.claimed is not None)
        assert UnitState.PREPARED not in states[:-1]
        anew = replace(novel)
        assert [*novel.commits] == [*anew.commits]
        assert [*novel.units_by_chapter.items()] == [*anew.units_by_chapter.items()]
        if head.run.status is not Status.ACTIVE:
            assert head.run.intent is None or head.claimed is not None
        if head.run.status is Status.COMPLETED:
            assert head.watermark == head.received
            assert head.claimed is None
        assert not [item for item in told if item.state is InstructionState.BLOCKED and item.conflict is None]
        assert head.spent.turns >= self.spent
        self.spent = head.spent.turns
        if self.intent is not None and self.intent.kind not in PLANNING and head.claimed is None:
            assert head.received == head.watermark


_SAMPLE = settings(max_examples=25, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TestInterleaved = Interleaved.TestCase
TestInterleaved.settings = _SAMPLE


@pytest.mark.prove
class TestInterleavedLong(Interleaved.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(_SAMPLE, max_examples=400, stateful_step_count=80)
