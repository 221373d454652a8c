"""Long pasts, made quickly by the kit's own services."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.model import Balloon, Frame, Paper, Polygon, Rect, Surface, Unit, UnitKind
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import Workspace, create_workspace
from tests.widgets.asking import heard

AGENTS = tuple(Actor.agent(name) for name in ("claude-code", "codex", "gemini-cli"))
BALLOONS = 4


def page(ids: SeededIds) -> Unit:
    """An A6 page with one frame and a few balloons."""
    name = ids.new("un")
    corners = ((6_000, 6_000), (99_000, 6_000), (99_000, 140_000), (6_000, 140_000))
    frame = Frame(id=ids.new("fr"), parent=name, shape=Polygon(points=corners))
    balloons = [
        Balloon(
            id=ids.new("bl"), parent=name, box=Rect(x=12_000, y=12_000 + 30_000 * place, w=40_000, h=20_000), text="Hm."
        )
        for place in range(BALLOONS)
    ]
    things = (frame, *balloons)
    surface = Surface(id=ids.new("sf"), x=0, width=105_000, height=148_000)
    return Unit(
        kind=UnitKind.PAGE, id=name, surfaces=(surface,), objects=things, reading=tuple(thing.id for thing in things)
    )


@dataclass
class Studio:
    """A workspace with one chapter on which a person and agents work."""

    ws: Workspace
    chapter: ChapterWork
    draw: random.Random
    turn: int = 0

    @classmethod
    def new(cls, folder: Path, *, pages: int = 3, seed: int = 1) -> Studio:
        """A chapter of a few pages, by mina."""
        ws = create_workspace(
            folder / "ws",
            title="Fog",
            owner="mina",
            clock=SteppingClock(step=20_000),
            ids=SeededIds(seed),
            config=folder / "config",
        )
        ws.enrol("mina", None, demo=True)
        paper = Paper(width=105_000, height=148_000)
        name = ws.comics.create_chapter(comic="Lantern in the Fog", number=1, actor=ws.owner, paper=paper).id
        seen = ws.comics.head(name)
        book = seen.book
        ids = SeededIds(seed + 1)
        for place in range(pages):
            book = book.insert(page(ids), place)
        ws.comics.commit(name, seen, book, actor=ws.owner, cause="edit", message="the first pages")
        return cls(ws, ws.comic("Lantern in the Fog").chapter(1), random.Random(seed))

    def edit(self, connection: Connection, line: str, seen: Moment, actor: Actor, cause: str) -> Moment:
        """One balloon says something else."""
        self.turn += 1
        unit = seen.book.unit(self.draw.choice(seen.book.order))
        place = self.draw.randrange(1, len(unit.objects))
        objects = list(unit.objects)
        objects[place] = objects[place].model_copy(update={"text": f"Who lit it, {self.turn}?"})
        book = seen.book.replace(unit.model_copy(update={"objects": tuple(objects)}))
        return self.ws.comics.advance(
            connection, line, seen, book, actor=actor, cause=cause, message=f"turn {self.turn}"
        )

    def live(self, revisions: int, drafts: int) -> None:
        """Let so many drafts begin, be edited side by side, frozen and decided, until there are so many revisions."""
        comics, chapter = self.ws.comics, self.chapter.id
        each = max(2, (revisions - 2 * drafts) // (drafts + drafts // 4 + 1))
        open_drafts: list[tuple[str, Moment, Actor]] = []
        with self.ws.reviewer() as me:
            for number in range(drafts):
                with self.ws.journal.write() as connection:
                    actor = self.draw.choice(AGENTS)
                    draft, moment = self.ws.drafts.begin(connection, chapter, title=f"idea {number}", actor=actor)
                    open_drafts.append((draft.id, moment, actor))
                    head = comics.head(chapter, connection)
                    for _ in range(max(1, each // 4)):
                        head = self.edit(connection, chapter, head, self.ws.owner, "edit")
                    for _ in range(each):
                        place = self.draw.randrange(len(open_drafts))
                        name, seen, by = open_drafts[place]
                        open_drafts[place] = (name, self.edit(connection, name, seen, by, "changeset"), by)
                if len(open_drafts) > 3:
                    name, seen, by = open_drafts.pop(0)
                    with self.ws.journal.write() as connection:
                        if seen.revision.seq == 0:
                            seen = self.edit(connection, name, seen, by, "changeset")
                        proposal, _ = self.ws.proposal_service.freeze(
                            connection, name, seen.revision.number, summary=f"lines of {name}", actor=by
                        )
                    held = self.ws.proposals[proposal.id]
                    if self.draw.random() < 0.7:
                        held.apply(me, mode=ApplyMode.OVERWRITE, reason="yes")
                    else:
                        held.discard(me, reason="no")
                if number % 40 == 39:
                    comics.undo(chapter, actor=self.ws.owner)
                    comics.restore(chapter, head.revision.number, actor=self.ws.owner, reason="as it was")


AGENT = AGENTS[0]


def storied(folder: Path) -> Studio:
    """A short past with one of everything.

    r1 r2 the chapter and its pages · d1: r3, six edits r4–r9, frozen as p1 · r10 mina's edit · r11 applies p1 without
    page three · s1 · r12 undo · r13 redo · r14 mina's edit · r15 restores r2 · r16 picks a balloon of r14 ·
    d2: r17 r18, frozen as p2, discarded · d3: r19 r20, open
    """
    studio = Studio.new(folder)
    ws, chapter = studio.ws, studio.chapter
    pages = chapter.book.order
    said = [next(item.id for item in unit.objects if isinstance(item, Balloon)) for unit in chapter.book.units()]

    def say(line: str, head: int, balloon: str, text: str) -> int:
        operations = [{"op": "balloon.set", "target": balloon, "args": {"text": text}}]
        planned = ws.drafts.plan(line, head, operations)
        with ws.journal.write() as connection:
            done = ws.drafts.commit(connection, line, planned, head, operations, message=f"say {text}", actor=AGENT)
        return done.moment.revision.number

    def begin(title: str) -> tuple[str, int]:
        with ws.journal.write() as connection:
            draft, moment = ws.drafts.begin(connection, chapter.id, title=title, actor=AGENT)
        return draft.id, moment.revision.number

    def freeze(line: str, head: int, summary: str) -> str:
        with ws.journal.write() as connection:
            return ws.proposal_service.freeze(connection, line, head, summary=summary, actor=AGENT)[0].id

    line, head = begin("softer words")
    for place, text in enumerate(("Oh.", "Ah.", "Who lit it?", "Oh!", "Ah!", "Nobody lit it.")):
        head = say(line, head, said[place % 3], text)
    first = freeze(line, head, "Softer words on all pages")
    with chapter.edit("a name for the first page") as edit:
        edit.run("unit.set", pages[0], name="Fog")
    with ws.reviewer() as me:
        ws.proposals[first].apply(me, reject={pages[2]: "keep my silence"}, mode=ApplyMode.MERGE, reason="much better")
        chapter.undo()
        chapter.redo()
        with chapter.edit("louder") as edit:
            edit[said[0]].set(text="HM!")
        chapter.restore("r2", "the first night was better")
        chapter.pick("r14", said[0], reason="but loud")
        line, head = begin("a joke")
        second = freeze(line, say(line, head, said[1], "Knock, knock."), "A joke")
        ws.proposals[second].discard(me, reason="no jokes")
    line, head = begin("")
    say(line, head, said[2], "Is anybody there?")
    assert chapter.moment.id == "r16"
    return studio


def asked(panel: Any, name: str, language: str = "en", **args: Any) -> dict[str, Any]:
    """What the kernel answers to an ask: the data, or the error under ``error``."""
    content, _ = heard(panel, name, args, language)
    return dict(content["ok"]) if "ok" in content else {"error": content["error"]}


def raw(ws: Workspace, statement: str, *values: object) -> None:
    """Damage one row of a workspace's journal."""
    ws.journal.close()
    with sqlite3.connect(ws.journal.path) as driver:
        count = driver.execute(statement, values).rowcount
    driver.close()
    assert count == 1
