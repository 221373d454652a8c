"""A small novel for tests: a workspace, a person, an author at the desk, and prose that says little."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.content import Content
from lantern_kit.novel.controls import Controls
from lantern_kit.novel.creation import CardFile, create_novel
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.model import (
    PLANNING,
    PRESET_LIMITS,
    PRESET_SHARES,
    Approval,
    Commit,
    Config,
    ForeshadowState,
    Instruction,
    Intent,
    Status,
    Unbounded,
    WorkKind,
)
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.turns import Turns
from lantern_kit.novel.whole import Novel, changed
from lantern_kit.workspace import Workspace, create_workspace

ANN = Actor.person("Ann")
BOT = Actor.agent("bot")
CONFIG = Config(
    language="en",
    genre="mystery",
    view="third person",
    style="plain",
    approval=Approval.AUTOMATIC,
    length=Unbounded(kind="unbounded"),
    chapters=None,
    unit_maximum=2_000,
    shares=PRESET_SHARES,
    limits=PRESET_LIMITS,
    count_policy=1,
)


def config(**facts: Any) -> Config:
    """The usual configuration with some facts changed; ``limits`` may be a mapping of those that change."""
    if isinstance(facts.get("limits"), dict):
        facts["limits"] = changed(PRESET_LIMITS, **facts["limits"])
    return changed(CONFIG, **facts)


def outline(chapters: int = 2, scenes: int = 2) -> Plan:
    """A first outline: two people, some chapters with scenes, one foreshadow that must be taken up."""
    return Plan.model_validate(
        {
            "story": {
                "title": "The Lamp",
                "premise": "A lamp goes out.",
                "theme": "light",
                "conflict": "dark against light",
                "ending": "It burns again.",
            },
            "people": [{"as": "mira", "name": "Mira"}, {"as": "tom", "name": "Tom"}],
            "chapters": [
                {
                    "as": f"c{chapter}",
                    "title": f"Chapter {chapter}",
                    "purpose": "to go on",
                    "events": [f"event {chapter}"],
                    "people": ["@mira"],
                    "scenes": [
                        {"as": f"s{chapter}_{scene}", "goal": f"goal {chapter}.{scene}", "people": ["@mira", "@tom"]}
                        for scene in range(1, scenes + 1)
                    ],
                }
                for chapter in range(1, chapters + 1)
            ],
            "foreshadows": [
                {"as": "key", "what": "the key", "plant": "@c1", "resolve": f"@c{chapters}", "required": True}
            ],
        }
    )


def content(*, done: bool = True, **facts: Any) -> Content:
    """What a commit says: a scene that is done, or goes on, and some facts."""
    scene = {"done": True, "evidence": "it is"} if done else {"done": False, "remaining": "half", "anchor": "the door"}
    return Content.model_validate({"scene": scene, "facts": facts})


def text(number: int, length: int = 12) -> list[str]:
    """Two paragraphs that no other number gives."""
    words = " ".join(f"word{number}x{place}" for place in range(length))
    return [f"Mira saw {words}.", f"“{number},” said Tom."]


@dataclass
class Stage:
    """A novel with an author at its desk."""

    ws: Workspace
    novel_id: str
    seat: AuthorSeat
    turn: int = 0
    made: dict[str, str] = field(default_factory=dict)
    """Ids by the names of the outline."""

    @property
    def service(self) -> NovelService:
        """The workspace's novels."""
        return self.ws.novel_service

    @property
    def novel(self) -> Novel:
        """As it stands."""
        return self.service.head(self.novel_id).novel

    @property
    def ann(self) -> Controls:
        """A person's hand on it."""
        return Controls(self.service, self.novel_id, ANN)

    @property
    def turns(self) -> Turns:
        """The kit's."""
        return Turns(self.service, self.seat)

    @property
    def desk(self) -> AuthorDesk:
        """The author's, in the current turn."""
        return AuthorDesk(self.service, self.seat.at(f"turn{self.turn}"), BOT)

    def next(self) -> Intent:
        """Prepare and send the next work in a new turn."""
        _, intent = self.turns.prepare()
        assert isinstance(intent, Intent), intent
        self.turn += 1
        return self.turns.send(intent.id, f"turn{self.turn}")[1]

    def instruct(self, words: str = "Let it rain.", **facts: Any) -> Instruction:
        """A person's instruction."""
        return self.ann.instruct(words, message=facts.pop("message", f"m{self.novel.head.received}"), **facts)[1]

    def whole(self) -> Novel:
        """Write the novel to its end, from wherever it stands between two turns."""
        while self.novel.head.run.status is Status.ACTIVE:
            _, work = self.turns.prepare()
            assert isinstance(work, Intent), work
            if work.kind in PLANNING:
                self.plan()
            elif work.kind is WorkKind.WRITE_UNIT:
                self.write(**self._foreshadowed())
            elif work.kind is WorkKind.CHAPTER_COMPLETE:
                self.complete()
            else:
                self.finish()
        return self.novel

    def _foreshadowed(self) -> dict[str, Any]:
        """What the key of the usual outline does next: planted first, taken up at once in the next unit."""
        moves = {ForeshadowState.PLANNED: "planted", ForeshadowState.PLANTED: "resolved"}
        move = moves.get(self.novel.foreshadows[self.made["key"]].state)
        return {} if move is None else {"foreshadows": [{"foreshadow": self.made["key"], "move": move, "at": 0}]}

    def halted(self) -> Halt:
        """Why there is no next work."""
        _, halt = self.turns.prepare()
        assert isinstance(halt, Halt), halt
        return halt

    def end(self, before: Novel, failed: str = "") -> Novel:
        """End the turn."""
        return self.turns.ended(before, Usage(1_000), failed=failed).novel

    def settle(self) -> list[OutcomeIn]:
        """All open instructions as applied."""
        return [
            OutcomeIn(instruction=item.id, result="applied", note="as asked") for item in self.novel.open_instructions
        ]

    def plan(self, plan: Plan | None = None) -> Novel:
        """Carry out outline work, the first or a revision for instructions."""
        intent, before = self.next(), self.novel
        if intent.kind is WorkKind.OUTLINE_CREATE:
            _, names = self.desk.create_outline(plan or outline(), self.settle(), "it begins")
            self.made.update({name.removeprefix("@"): value for name, value in names.items()})
        else:
            revision = self.novel.head.outline_revision
            _, names = self.desk.revise_outline(plan or Plan(), self.settle(), "as asked", revision)
            self.made.update({name.removeprefix("@"): value for name, value in names.items()})
        return self.end(before)

    def claim(self, intent: Intent) -> str:
        """Claim the unit of a work, and give its token."""
        head = self.novel.head
        assert intent.unit is not None
        return self.desk.claim(intent.id, intent.unit, head.outline_revision, head.watermark)[1].token

    def write(self, *, number: int = 0, done: bool = True, **facts: Any) -> Commit:
        """Carry out one unit, from its preparation to its commit."""
        intent, before = self.next(), self.novel
        assert intent.unit is not None
        token = self.claim(intent)
        unit = self.novel.unit(intent.unit)
        weighed = self.desk.weigh(intent.unit, token, text(number or unit.number), content(done=done, **facts))
        _, commit = self.desk.commit(token, weighed)
        self.end(before)
        return commit

    def complete(self) -> Novel:
        """Carry out the completion of a chapter."""
        intent, before = self.next(), self.novel
        assert intent.kind is WorkKind.CHAPTER_COMPLETE
        assert intent.chapter is not None
        self.desk.complete_chapter(intent.chapter, self.novel.head.content_revision, "all is told", [])
        return self.end(before)

    def finish(self) -> Novel:
        """Carry out the completion of the novel."""
        intent, before = self.next(), self.novel
        assert intent.kind is WorkKind.FINISH
        head = self.novel.head
        ending = list(self.novel.commits)[-1]
        self.desk.finish(head.content_revision, head.outline_revision, ending, "the lamp burns")
        return self.end(before)

    def close(self) -> None:
        """Leave."""
        self.ws.close()


def stage(
    folder: Path, *, configured: Config = CONFIG, files: tuple[CardFile, ...] = (), request: str = "Write of a lamp."
) -> Stage:
    """A new workspace with a new novel."""
    ws = create_workspace(folder, title="Novels", owner="Ann", clock=SteppingClock(), ids=SeededIds(7))
    moment = create_novel(
        ws.novel_service, title="The Lamp", config=configured, files=files, request=request, key="first", actor=ANN
    )
    seat = ws.novel_service.authors.take(moment.novel.head.id, BOT.name, "test")
    return Stage(ws, moment.novel.head.id, seat)
