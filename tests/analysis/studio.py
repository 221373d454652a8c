"""A chapter with months of history: agents of different tempers draft, and a person decides, in her own time.

Everything goes through the kit's own services; only the clock is made.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Balloon, Frame, Unit
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import create_workspace

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
START = 1_767_600_000_000
"""A Monday in January 2026."""
BOTH = frozenset({Scope.READ, Scope.DRAFT})
LINES = (
    "Is that… mine?",
    "Nobody lit it.",
    "We have a cat aboard, Houston, and she has opinions about the cheese.",
    "Three. Two. One.",
    "我们到月球了吗?",
    "There is no milk here. I have asked. Twice. The moon is a disappointment in every way that matters to a cat.",
    "Hm.",
    "Up!",
    "这里没有牛奶。",
    "Look down.",
)
REASONS = ("keep my joke", "too many words for one balloon", "这句台词太长", "the tail points at nobody", "")
WHY = ("It made me laugh.", "Better rhythm.", "节奏更好", "Yes.")
WHY_NOT = ("the page lost its quiet", "not before chapter two", "画面太挤", "we tried this in May")


class Temper(NamedTuple):
    """How an agent works."""

    name: str
    edits: tuple[int, int]
    looks: int
    slips: float
    """Share of its calls that are wrong."""
    luck: float
    """How often its proposals are taken."""


AGENTS = (
    Temper("claude-code", (4, 11), 2, 0.04, 0.85),
    Temper("codex", (2, 6), 1, 0.12, 0.6),
    Temper("gemini-cli", (3, 9), 3, 0.08, 0.7),
)


class Studio:
    """A workspace of Mina's."""

    def __init__(self, folder: Path, *, pages: int = 8, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.clock = SteppingClock(START, step=2_500)
        self.ws = create_workspace(
            folder / "ws",
            title="Cat",
            owner="mina",
            clock=self.clock,
            ids=SeededIds(seed),
            config=folder / "config",
        )
        self.ws.enrol("mina", None, demo=True)
        self.dispatcher = self.ws.dispatcher()
        self.chapter = self.ws.comic("月亮上的猫 The Cat on the Moon").begin_chapter(1, size="A5", title="第一话")
        self.keys = iter(range(1_000_000))
        for _ in range(pages):
            self.lay_out()
            self.clock.skip(self.random.randint(1, 20) * HOUR)

    def live(self, tasks: int) -> Studio:
        """Let agents take on so many tasks, and Mina decide and edit between them."""
        for task in range(tasks):
            self.work(self.random.choice(AGENTS), f"task {task + 1}")
            self.clock.skip(self.random.choice((2 * HOUR, 9 * HOUR, 2 * DAY)))
            if self.random.random() < 0.35:
                self.touch_up()
        self.dispatcher.flush()
        return self

    # Mina

    def lay_out(self) -> None:
        """A page of three rows, some of them cut, with somebody saying something in each."""
        draw = self.random
        with self.chapter.edit("lay out a page") as edit:
            page = edit.add_page(name=draw.choice((None, "起飞", "The Moon", None)))
            top = 8.0
            for height in draw.choice(((58, 64, 60), (90, 96), (44, 44, 44, 48))):
                frame = page.add_frame(rect=(8, top, 132, height))
                parts = [frame]
                if draw.random() < 0.7:
                    at, lean = draw.randint(45, 100), draw.choice((0, 0, 7))
                    parts = list(
                        frame.cut(
                            line=((at + lean, top - 1), (at - lean, top + height + 1)), gutter=draw.choice((3, 4, 4, 5))
                        )
                    )
                for part in parts:
                    middle = part.now.shape.points
                    x = sum(point[0] for point in middle) / len(middle) / 1000
                    part.say(draw.choice(LINES), speaker="Chelsea", at=(x, top + 14), size=(34, 16))
                top += height + draw.choice((4, 5))

    def touch_up(self) -> None:
        """A small edit of her own, now and then taken back."""
        balloon = self.random.choice(list(self.balloons(self.chapter.book.units())))
        with self.chapter.edit("touch up") as edit:
            edit[balloon.id].set(text=self.random.choice(LINES) + " " * (self.random.random() < 0.5))
        with suppress(LanternError):
            if self.random.random() < 0.2:
                self.chapter.undo()

    def decide(self, proposal: str, luck: float) -> None:
        """A verdict, some time later; now and then in two steps, or without some of it; or none at all."""
        draw = self.random
        self.clock.skip(round(draw.lognormvariate(1.2, 1.3) * HOUR))
        held = self.ws.proposals[proposal]
        fate = draw.random()
        with self.ws.reviewer() as me:
            if fate > 0.94:
                return
            if fate < 0.12:
                held.look()
                held.keep(me, reason="on paper first")
                self.clock.skip(3 * DAY)
            review = held.look()
            if draw.random() > luck:
                held.discard(me, reason=draw.choice(WHY_NOT))
                return
            reject = {}
            if draw.random() < 0.4 and len(review.parts) > 1:
                reject = {part.id: draw.choice(REASONS) for part in draw.sample(review.parts, 1)}
            with suppress(LanternError):
                held.apply(me, mode=review.modes[0] if review.modes else None, reason=draw.choice(WHY), reject=reject)

    # agents

    def work(self, agent: Temper, title: str) -> None:
        """One task: read, draft, look, mend, freeze; then what becomes of it."""
        draw = self.random
        self.call(agent, "outline", "work.outline")
        self.call(agent, "outline", "work.outline", source=self.chapter.id)
        if draw.random() < 0.5:
            self.call(agent, "describe", "operation.describe", operations=["balloon.set", "frame.cut", "object.move"])
        made = self.write(agent, "begin_draft", "draft.begin", chapter=self.chapter.id, title=title)
        draft, revision = made["draft"], made["revision"]
        units = list(self.chapter.book.units())
        unit = units[min(int(draw.expovariate(0.35)), len(units) - 1)]
        for _ in range(draw.randint(*agent.edits)):
            self.call(agent, "read_unit", "unit.read", source=draft, unit=unit.id)
            self.clock.skip(draw.randint(5, 90) * 1_000)
            now = self.ws.comics.head(draft).book.unit(unit.id)
            made = self.write(
                agent,
                "edit",
                "draft.edit",
                draft=draft,
                expected_revision=revision,
                message="go on",
                operations=list(self.operations(now)),
            )
            revision = made.get("revision", revision)
            for _ in range(agent.looks):
                self.call(agent, "look", "unit.look", source=draft, unit=unit.id, size=draw.choice((256, 512)))
            self.call(agent, "check", "work.check", source=draft, units=[unit.id])
            if draw.random() < agent.slips:
                self.call(agent, "read_unit", "unit.read", source=draft, unit="un_nothere00")
        self.clock.skip(draw.randint(1, 50) * MINUTE)
        frozen = self.write(agent, "freeze", "proposal.freeze", draft=draft, expected_revision=revision, summary=title)
        if frozen:
            self.decide(frozen["proposal"], agent.luck)

    def operations(self, unit: Unit) -> Iterator[dict[str, Any]]:
        """A few changes of a page; the handles of some are wrong."""
        draw = self.random
        balloons = list(self.balloons([unit]))
        for balloon in draw.sample(balloons, min(len(balloons), draw.randint(1, 3))):
            if draw.random() < 0.7:
                yield {"op": "balloon.set", "target": handle_of(balloon), "args": {"text": draw.choice(LINES)}}
            else:
                yield {"op": "object.move", "target": handle_of(balloon), "args": {"by": [draw.randint(1, 3), 0]}}
        frames = [item for item in unit.objects if isinstance(item, Frame)]
        if draw.random() < 0.25:
            border = {"width": draw.choice((0.3, 0.5, 0.8))}
            yield {"op": "frame.set", "target": handle_of(draw.choice(frames)), "args": {"border": border}}
        if draw.random() < 0.3:
            frame = draw.choice(frames)
            at = [frame.shape.points[0][0] / 1000 + 20, frame.shape.points[0][1] / 1000 + 30]
            args = {"text": draw.choice(LINES), "at": at, "size": [30, 14]}
            yield {"op": "balloon.add", "target": handle_of(frame), "args": args}

    def balloons(self, units: Any) -> Iterator[Balloon]:
        return (item for unit in units for item in unit.objects if isinstance(item, Balloon))

    def call(self, agent: Temper, tool: str, capability: str, **args: Any) -> dict[str, Any]:
        """One call; what is refused gives nothing."""
        self.clock.skip(self.random.randint(1, 20) * 1_000)
        try:
            return self.dispatcher.dispatch(
                capability, args, actor=Actor.agent(agent.name), scopes=BOTH, tool=tool
            ).data
        except LanternError:
            return {}

    def write(self, agent: Temper, tool: str, capability: str, **args: Any) -> dict[str, Any]:
        return self.call(agent, tool, capability, idempotency_key=f"k{next(self.keys)}", **args)
