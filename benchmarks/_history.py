"""A long history for benchmarks: a chapter in which agents worked, draft after draft, and a person decided.

Everything is made by the kit's own services, in the proportions of its demo: eight changes and four calls an edit.
"""

from __future__ import annotations

import random
from pathlib import Path

from lantern_kit.comic.model import Balloon, Frame, Paper, Polygon, Rect, Surface, Unit, UnitKind
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.activity import Event, record
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import create_workspace

AGENTS = [Actor.agent(name) for name in ("claude-code", "codex", "gemini-cli")]
LOOKS = (("unit.look", "look", 200_000), ("unit.read", "read_unit", 6_000), ("work.check", "check", 900))
CHANGES, CALLS = 8, 4
"""Of each edit."""
EDITS = 2_400
"""Of each draft."""
BALLOONS = 12
HOUR = 3_600_000


class Studio:
    """A workspace with one chapter of so many pages, on which agents work."""

    def __init__(self, folder: Path, pages: int) -> None:
        self.random = random.Random(1)
        self.clock = SteppingClock(step=4_000)
        self.ws = create_workspace(
            folder / "ws",
            title="Bench",
            owner="bench",
            clock=self.clock,
            ids=SeededIds(1),
            config=folder / "config",
        )
        self.ws.enrol("bench", None, demo=True)
        comics, ids = self.ws.comics, SeededIds(2)
        paper = Paper(width=105_000, height=148_000)
        self.chapter = comics.create_chapter(comic="Bench", number=1, actor=self.ws.owner, paper=paper).id
        seen = comics.head(self.chapter)
        book = seen.book
        for place in range(pages):
            book = book.insert(page(ids), place)
        comics.commit(self.chapter, seen, book, actor=self.ws.owner, cause="edit", message="pages")
        self.turn = 0

    def rows(self) -> int:
        """Rows of changes and activity so far."""
        with self.ws.journal.read() as connection:
            query = "SELECT (SELECT count(*) FROM changes) + (SELECT count(*) FROM activity)"
            return int(connection.exec_driver_sql(query).scalar_one())

    def live(self, rows: int) -> None:
        """Let drafts be made and decided until there are so many rows; the last draft stays open."""
        while (left := rows - self.rows()) > 0:
            agent = self.random.choice(AGENTS)
            with self.ws.journal.write() as connection:
                draft, moment = self.ws.drafts.begin(connection, self.chapter, title="work", actor=agent)
                edits = -(-left // (CHANGES + CALLS))
                for _ in range(min(EDITS, edits)):
                    moment = self.edit(connection, draft.id, moment, agent)
                if edits <= EDITS:
                    return
                proposal, _ = self.ws.proposal_service.freeze(
                    connection, draft.id, moment.revision.number, summary="work", actor=agent
                )
            self.clock.skip(self.random.randint(1, 30) * HOUR)
            held = self.ws.proposals[proposal.id]
            with self.ws.reviewer() as me:
                if self.random.random() < 0.75:
                    held.apply(me, reason="yes")
                else:
                    held.discard(me, reason="no")

    def edit(self, connection: Connection, draft: str, seen: Moment, agent: Actor) -> Moment:
        """What one edit leaves: its revision and changes, its call, and the looks before it."""
        self.turn += 1
        for _ in range(CALLS - 1):
            self.call(connection, draft, agent, *self.random.choice(LOOKS), effect="observe")
        unit = seen.book.unit(self.random.choice(seen.book.order))
        objects = list(unit.objects)
        for spot in self.random.sample(range(2, len(objects)), CHANGES):
            objects[spot] = self.changed(objects[spot])
        book = seen.book.replace(unit.model_copy(update={"objects": tuple(objects)}))
        made = self.ws.comics.advance(
            connection, draft, seen, book, actor=agent, cause="changeset", message=f"turn {self.turn}"
        )
        self.call(connection, draft, agent, "draft.edit", "edit", 700, effect="direct_change")
        return made

    def changed(self, balloon: Balloon) -> Balloon:
        """New words, or another place."""
        if self.random.random() < 0.6:
            return balloon.model_copy(update={"text": f"Hm {'…' * self.random.randint(0, 30)} {self.turn}"})
        box = balloon.box.model_copy(update={"x": balloon.box.x + 1 + self.turn % 7})
        return balloon.model_copy(update={"box": box})

    def call(
        self, connection: Connection, draft: str, agent: Actor, capability: str, tool: str, size: int, *, effect: str
    ) -> None:
        """One call of an agent's, as its dispatcher notes it."""
        failed = self.random.random() < 0.03
        event = Event(
            self.clock.now(),
            agent.name,
            capability,
            tool,
            effect,
            scope=self.chapter,
            draft=draft,
            outcome="failed" if failed else "ok",
            code="stale_handle" if failed else "",
            duration_us=self.random.randint(300, 90_000),
            answer_bytes=self.random.randint(size // 2, size),
        )
        record(connection, event)

    def add(self, rows: int) -> None:
        """Write that many rows more, in the open draft, in one transaction."""
        draft = self.ws.drafts.of_chapter(self.chapter)[0].id
        seen = self.ws.comics.head(draft)
        with self.ws.journal.write() as connection:
            for _ in range(rows // (CHANGES + CALLS)):
                seen = self.edit(connection, draft, seen, AGENTS[0])
            for _ in range(rows % (CHANGES + CALLS)):
                self.call(connection, draft, AGENTS[0], *LOOKS[1], effect="observe")


def page(ids: SeededIds) -> Unit:
    """A page with two frames and twelve balloons."""
    name = ids.new("un")
    frames = [
        Frame(
            id=ids.new("fr"),
            parent=name,
            shape=Polygon(points=((6_000, y), (99_000, y), (99_000, y + 60_000), (6_000, y + 60_000))),
        )
        for y in (6_000, 76_000)
    ]
    balloons = [
        Balloon(id=ids.new("bl"), parent=name, box=Rect(x=10_000, y=8_000 + 11_000 * i, w=30_000, h=9_000), text="Hm.")
        for i in range(BALLOONS)
    ]
    things = (*frames, *balloons)
    surface = Surface(id=ids.new("sf"), x=0, width=105_000, height=148_000)
    reading = tuple(thing.id for thing in things)
    return Unit(kind=UnitKind.PAGE, id=name, surfaces=(surface,), objects=things, reading=reading)
