"""People and agents at work in random order, beside a model of a few lines that says what must come of it.

The model knows balloons only: two pages, balloons that come, go and say things. After every step the workspace verifies
clean, every line holds exactly what the model says (so no accepted change is lost and no rejected one is present), and
every annotation resolves truthfully.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lantern_kit.comic.annotation import OnElement, Resolution
from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Balloon
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import create_workspace, open_workspace

AGENT = Actor.agent("claude-code")
WORDS = st.sampled_from(["Mine.", "Yours.", "Ours!", "Whose?"])
PEOPLE = st.sampled_from(["Chelsea", "Commander", "Moon"])
PICK = st.integers(0, 1_000)
KINDS = st.sampled_from(["text", "text", "speaker", "add", "remove"])
EDITS = st.lists(st.tuples(KINDS, PICK, WORDS, PEOPLE), min_size=1, max_size=4)


class Said(NamedTuple):
    """A balloon, as the model knows it."""

    page: str
    text: str
    speaker: str


State = dict[str, Said]


@dataclass
class Draft:
    """A draft, as the model knows it."""

    base: State
    now: State
    head: int


@dataclass
class Proposal:
    """An undecided proposal, as the model knows it."""

    draft: str
    base: State
    frozen: State


def state_of(book: Book) -> State:
    """What the real chapter holds."""
    return {
        item.id: Said(unit.id, item.text, item.speaker)
        for unit in book.units()
        for item in unit.objects
        if isinstance(item, Balloon)
    }


def merged(base: State, ours: State, theirs: State) -> tuple[State, int]:
    """Three-way, property by property, ours where both sides differ; and how many conflicts there were."""
    result: State = {}
    conflicts = 0
    for name in {**base, **ours, **theirs}:
        was, mine, their = base.get(name), ours.get(name), theirs.get(name)
        if mine is None or their is None:
            gone_here, gone_there = was is not None and mine is None, was is not None and their is None
            kept = mine if mine is not None else their
            if gone_here or gone_there:
                if kept is not None and kept != was:
                    conflicts += 1
                    kept = mine
                else:
                    kept = None
            if kept is not None:
                result[name] = kept
            continue
        values = dict(mine._asdict())
        for field in ("text", "speaker"):
            before = getattr(was, field) if was is not None else None
            here, there = getattr(mine, field), getattr(their, field)
            if here == there or there == before:
                continue
            if here == before:
                values[field] = there
            else:
                conflicts += 1
        result[name] = Said(**values)
    return result, conflicts


@pytest.fixture(scope="module", autouse=True)
def template() -> Iterator[None]:
    """A workspace with two pages, made once and copied for each run."""
    with tempfile.TemporaryDirectory() as folder:
        Machine.template = Path(folder)
        with create_workspace(
            Path(folder) / "ws", title="W", owner="mina", clock=SteppingClock(), ids=SeededIds(3)
        ) as ws:
            ws.enrol("mina", None, demo=True)
            chapter = ws.comic("C").begin_chapter(1, size="A6")
            with chapter.edit("two pages") as edit:
                for _ in range(2):
                    page = edit.add_page()
                    page.say("Hm.", at=(30, 30), size=(30, 20), speaker="Chelsea")
                    page.say("Hm?", at=(70, 90), size=(30, 20), speaker="Moon")
        yield


class Machine(RuleBasedStateMachine):
    """The workspace and its model, driven side by side."""

    template: Path

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        shutil.copytree(self.template / "ws", self.folder / "ws")
        self.ws = open_workspace(self.folder / "ws", clock=SteppingClock(2_000_000_000_000), ids=SeededIds(9))
        self.chapter = self.ws.works()[0].chapter(1)
        self.pages = list(self.chapter.book.order)
        self.work = state_of(self.chapter.book)
        self.past: list[State] = []
        self.future: list[State] = []
        self.revisions: dict[str, State] = {self.chapter.moment.id: dict(self.work)}
        self.drafts: dict[str, Draft] = {}
        self.proposals: dict[str, Proposal] = {}
        self.notes: dict[str, tuple[str, Said]] = {}
        self.count = 0

    def teardown(self) -> None:
        self.ws.close()
        shutil.rmtree(self.folder)

    # helpers

    def moved(self, new: State) -> None:
        """The working line has a new state."""
        self.past.append(self.work)
        self.future = []
        self.work = new
        self.revisions[self.chapter.moment.id] = dict(new)

    @staticmethod
    def one(items: Any, pick: int) -> Any:
        """One of several things, the same for the same number."""
        ordered = sorted(items)
        return ordered[pick % len(ordered)]

    def change(self, state: State, kind: str, pick: int, text: str, speaker: str) -> tuple[dict[str, Any], State, str]:
        """A random operation on a state: as it is sent, what the state becomes, and whose id is new ("" for none)."""
        new = dict(state)
        if kind == "add" or not state:
            page = self.one(self.pages, pick)
            args = {"text": text, "speaker": speaker, "at": [50, 60], "size": [30, 20]}
            return {"op": "balloon.add", "target": page, "as": "n", "args": args}, new, page
        name = self.one(state, pick)
        if kind == "remove":
            del new[name]
            return {"op": "object.remove", "target": name}, new, ""
        field, value = ("text", text) if kind == "text" else ("speaker", speaker)
        new[name] = state[name]._replace(**{field: value})
        return {"op": "balloon.set", "target": name, "args": {field: value}}, new, ""

    @initialize(first=EDITS, second=EDITS, own=EDITS)
    def start(self, first: list[Any], second: list[Any], own: list[Any]) -> None:
        """Two agents have proposed something, and a person has gone on working."""
        self.propose(first)
        self.propose(second)
        for kind, pick, text, speaker in own:
            self.person_edits(kind, pick, text, speaker)

    # people

    @rule(kind=KINDS, pick=PICK, text=WORDS, speaker=PEOPLE)
    def person_edits(self, kind: str, pick: int, text: str, speaker: str) -> None:
        operation, new, page = self.change(self.work, kind, pick, text, speaker)
        with self.chapter.edit(kind) as edit:
            made = edit.run(operation["op"], operation["target"], **operation.get("args", {}))
        if page:
            new[made[""]] = Said(page, text, speaker)
        if new != self.work:
            self.moved(new)

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.chapter.undo()
        self.future.append(self.work)
        self.work = self.past.pop()
        self.revisions[self.chapter.moment.id] = dict(self.work)

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        self.chapter.redo()
        self.past.append(self.work)
        self.work = self.future.pop()
        self.revisions[self.chapter.moment.id] = dict(self.work)

    @rule(pick=PICK)
    def restore(self, pick: int) -> None:
        revision = self.one(self.revisions, pick)
        self.chapter.restore(revision, "it was better")
        self.moved(dict(self.revisions[revision]))

    @rule(pick=PICK, which=PICK)
    def pick_one(self, pick: int, which: int) -> None:
        revision = self.one(self.revisions, pick)
        then = self.revisions[revision]
        if not then:
            return
        name = self.one(then, which)
        if self.work.get(name) == then[name]:
            return
        self.chapter.pick(revision, name, reason="this one")
        self.moved({**self.work, name: then[name]})

    # agents

    @precondition(lambda self: len(self.drafts) < 3)
    @rule()
    def begin(self) -> None:
        with self.ws.journal.write() as connection:
            draft, moment = self.ws.drafts.begin(connection, self.chapter.id, title="t", actor=AGENT)
        self.drafts[draft.id] = Draft(dict(self.work), dict(self.work), moment.revision.number)

    @precondition(lambda self: self.drafts)
    @rule(
        which=PICK,
        kind=KINDS,
        pick=PICK,
        text=WORDS,
        speaker=PEOPLE,
    )
    def agent_edits(self, which: int, kind: str, pick: int, text: str, speaker: str) -> None:
        name = self.one(self.drafts, which)
        draft = self.drafts[name]
        operation, new, page = self.change(draft.now, kind, pick, text, speaker)
        if not page and new == draft.now:
            return
        planned = self.ws.drafts.plan(name, draft.head, [operation])
        with self.ws.journal.write() as connection:
            done = self.ws.drafts.commit(connection, name, planned, draft.head, [operation], message="m", actor=AGENT)
        if page:
            new[done.made["n"].partition("#")[0]] = Said(page, text, speaker)
        draft.now, draft.head = new, done.moment.revision.number

    @precondition(lambda self: any(item.now != item.base for item in self.drafts.values()))
    @rule(which=PICK)
    def freeze(self, which: int) -> None:
        name = self.one([key for key, item in self.drafts.items() if item.now != item.base], which)
        draft = self.drafts[name]
        with self.ws.journal.write() as connection:
            found, again = self.ws.proposal_service.freeze(connection, name, draft.head, summary="better", actor=AGENT)
        if again:
            assert self.proposals[found.id].frozen == draft.now
            return
        self.proposals = {key: item for key, item in self.proposals.items() if item.draft != name}
        self.proposals[found.id] = Proposal(name, dict(draft.base), dict(draft.now))

    @precondition(lambda self: len(self.drafts) < 3)
    @rule(edits=EDITS)
    def propose(self, edits: list[Any]) -> None:
        """A whole sitting: begin, edit, freeze."""
        self.begin()
        name = max(self.drafts, key=lambda draft: int(draft[1:]))
        which = sorted(self.drafts).index(name)
        for kind, pick, text, speaker in edits:
            self.agent_edits(which, kind, pick, text, speaker)
        draft = self.drafts[name]
        if draft.now != draft.base:
            candidates = sorted(key for key, item in self.drafts.items() if item.now != item.base)
            self.freeze(candidates.index(name))

    @precondition(lambda self: self.drafts)
    @rule(which=PICK)
    def discard_draft(self, which: int) -> None:
        name = self.one(self.drafts, which)
        with self.ws.journal.write() as connection:
            self.ws.drafts.discard(connection, name, actor=AGENT)
        del self.drafts[name]
        self.proposals = {key: item for key, item in self.proposals.items() if item.draft != name}

    # verdicts

    @precondition(lambda self: self.proposals)
    @rule(which=PICK)
    def apply_whole(self, which: int) -> None:
        self.decide(which, set())

    @precondition(lambda self: self.proposals)
    @rule(which=PICK, rejected=st.sets(PICK, min_size=1, max_size=4))
    def apply_by_parts(self, which: int, rejected: set[int]) -> None:
        self.decide(which, rejected)

    def decide(self, which: int, rejected: set[int]) -> None:
        """Apply a proposal without some of its parts, merging where the work moved on."""
        name = self.one(self.proposals, which)
        proposal = self.proposals[name]
        held = self.ws.proposals[name]
        review = held.look()
        frozen, reject = proposal.frozen, {}
        if rejected:
            parts = [item.id for item in review.parts]
            reject = {self.one(parts, pick): "not this" for pick in rejected}
            if len(reject) == len(parts):
                reject.popitem()
            frozen = self.without(proposal, set(reject))
        touched = {
            said.page
            for key in {**proposal.base, **frozen}
            if proposal.base.get(key) != frozen.get(key)
            for said in (proposal.base.get(key), frozen.get(key))
            if said is not None
        }
        if frozen == proposal.base:
            return
        expected, conflicts = merged(proposal.base, self.work, frozen)
        changed = {
            page
            for page in touched
            if {key: said for key, said in self.work.items() if said.page == page}
            != {key: said for key, said in proposal.base.items() if said.page == page}
        }
        with self.ws.reviewer() as me:
            decided = held.apply(me, mode="merge" if changed else None, reject=reject)
        assert decided.proposal.state == "applied"
        open_ones = len(list(self.chapter.conflicts()))
        assert open_ones >= bool(conflicts)
        self.moved(expected)
        del self.proposals[name]
        del self.drafts[proposal.draft]

    def without(self, proposal: Proposal, rejected: set[str]) -> State:
        """The frozen state less the rejected parts."""
        result = dict(proposal.frozen)
        for part in rejected:
            key, _, field = part.partition(".")
            was = proposal.base.get(key)
            if field:
                assert was is not None
                result[key] = result[key]._replace(**{field: getattr(was, field)})
            elif was is None:
                del result[key]
            else:
                result[key] = was
        return result

    @precondition(lambda self: self.proposals)
    @rule(which=PICK)
    def discard_proposal(self, which: int) -> None:
        name = self.one(self.proposals, which)
        held = self.ws.proposals[name]
        held.look()
        with self.ws.reviewer() as me:
            held.discard(me, reason="keep my joke")
        del self.proposals[name]

    # annotations

    @precondition(lambda self: self.work)
    @rule(pick=PICK)
    def annotate(self, pick: int) -> None:
        name = self.one(self.work, pick)
        made = self.ws.annotation_service.create(self.chapter.id, "Louder?", on=[OnElement(name)], actor=self.ws.owner)
        self.notes[made.id] = (name, self.work[name])

    # what must hold

    @invariant()
    def everything_is_as_it_was_written(self) -> None:
        report = self.ws.verify()
        assert report.clean, report.problems

    @invariant()
    def every_line_holds_what_the_model_says(self) -> None:
        assert state_of(self.chapter.book) == self.work
        for name, draft in self.drafts.items():
            assert state_of(self.ws.drafts.head(name).book) == draft.now

    @invariant()
    def every_annotation_resolves_truthfully(self) -> None:
        for note, (name, said) in self.notes.items():
            (reference,) = self.ws.annotation_service.inspect(note).references
            now = self.work.get(name)
            wanted = Resolution.CHANGED if now is not None and now != said else Resolution.UNCHANGED
            assert reference.resolution is (Resolution.MISSING if now is None else wanted)


class TestWork(Machine.TestCase):  # type: ignore[misc]
    """A fair sample; the proof runs more."""

    settings = settings(max_examples=15, stateful_step_count=25)


@pytest.mark.prove
class TestMuchWork(Machine.TestCase):  # type: ignore[misc]
    """The whole proof."""

    settings = settings(max_examples=200, stateful_step_count=50)
