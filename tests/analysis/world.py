"""Workspaces with random histories of every sort, and what is compared of their analyses."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from duckdb import DuckDBPyConnection

from lantern_kit import agent_projectors, asset_projectors
from lantern_kit.analysis import Notice
from lantern_kit.assets import AssetLibrary, Offer, SourceType
from lantern_kit.comic import projectors
from lantern_kit.comic.annotation import OnElement, OnPoint
from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.conflicts import ConflictService
from lantern_kit.comic.model import MILLION, Paper
from lantern_kit.comic.parts import closed
from lantern_kit.comic.proposal import Review
from lantern_kit.comic.service import Moment
from lantern_kit.imaging.picture import PictureFacts
from lantern_kit.kernel import telemetry
from lantern_kit.kernel.activity import Event, record
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import InvalidDocument, Locked, MergeConflict, StaleCandidate, StaleHandle, WrongState
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.novel import projectors as novel_projectors
from lantern_kit.workspace import Workspace, create_workspace
from tests.comic.strategies import Ids, stepped

PROJECTORS = (*asset_projectors.PROJECTORS, *projectors.PROJECTORS, *agent_projectors.PROJECTORS)
TABLES = (
    "activity",
    "activity_groups",
    "annotation_references",
    "annotations",
    "approvals",
    "assets",
    "candidates",
    "changes",
    "chapters",
    "conflicts",
    "drafts",
    "frame_cast",
    "gutters",
    "library",
    "library_uses",
    "library_versions",
    "locks",
    "marks",
    "objects",
    "proposals",
    "rejections",
    "revisions",
    "snapshots",
    "spans",
    "tokens",
    "units",
)
NOVEL_TABLES = frozenset(item.name for item in novel_projectors.PROJECTORS)
"""No novel is written in these worlds; tests/novel/reading looks at their rows."""
PROJECTED = frozenset({"frame_cast", "gutters", "library_uses", "marks", "objects", "rejections", "units"})
"""Those that are no tables of the journal."""
AGENTS = ("claude-code", "codex")


class World:
    """A workspace in which one thing after another happens by chance."""

    def __init__(self, folder: Path, seed: int = 0, *, like: Path | None = None) -> None:
        shutil.copytree(_template() if like is None else like, folder)
        self.rng = random.Random(seed)
        self.ids = Ids()
        self.ids.count = seed % 1_000_000  # so that a copy of another world goes on with ids of its own
        self.clock = SteppingClock()
        self.ws = Workspace(folder / "ws", clock=self.clock, ids=SeededIds(seed), config=folder / "config")
        self.owner = self.ws.owner
        self.notices: list[Notice] = []
        self.actions: tuple[Callable[[], object], ...] = (
            self.begin_chapter,
            self.edit,
            self.edit,
            self.edit,
            self.undo,
            self.redo,
            self.restore,
            self.save,
            self.begin_draft,
            self.run_agent,
            self.change_draft,
            self.change_draft,
            self.change_draft,
            self.undo_draft,
            self.discard_draft,
            self.freeze,
            self.freeze,
            self.decide,
            self.decide,
            self.decide,
            self.observe,
            self.register,
            self.annotate,
            self.deal,
            self.lock,
            self.settle,
            self.weigh,
            self.keep,
        )
        if like is None:
            self.begin_chapter()

    def live(self, steps: int) -> World:
        """Let things happen."""
        for _ in range(steps):
            try:
                self.rng.choice(self.actions)()
            except (InvalidDocument, Locked, MergeConflict, StaleCandidate, StaleHandle, WrongState):
                continue  # there was nothing to undo, freeze or decide, or two sides moved one object apart
        return self

    def lacks(self) -> list[str]:
        """What has not happened yet: tables of the journal without a row."""
        with self.raw() as raw:
            tables = set(TABLES) - PROJECTED
            asked = {name: f"SELECT 1 FROM {name} LIMIT 1" for name in sorted(tables)}
            asked["rejections"] = "SELECT 1 FROM approvals WHERE choices <> ''"
            return [name for name, query in asked.items() if raw.execute(query).fetchone() is None]

    def analysis(self, **options: Any) -> DuckDBPyConnection:
        """The workspace's analysis; notices are kept."""
        return self.ws.analysis(**{"notify": self.notices.append, **options})

    def raw(self) -> AbstractContextManager[sqlite3.Connection]:
        """The journal as bare SQLite sees it; what is written is committed."""
        return closing(sqlite3.connect(self.ws.journal.path, isolation_level=None))

    def close(self) -> None:
        self.ws.close()

    # what happens

    def begin_chapter(self) -> None:
        number = len(self.ws.comics.chapters()) + 1
        if number < 4:
            paper = Paper(width=105_000, height=148_000)
            self.ws.comics.create_chapter(comic="Chelsea Goes Up", number=number, actor=self.owner, paper=paper)

    def chapter(self) -> str:
        return self.rng.choice(self.ws.comics.chapters()).id

    def edit(self, steps: int = 3) -> Moment:
        line = self.chapter()
        seen = self.ws.comics.head(line)
        book = stepped(seen.book, self.rng, self.ids, steps)
        return self.ws.comics.commit(line, seen, book, actor=self.owner, cause="edit", message="a step")

    def undo(self) -> None:
        self.ws.comics.undo(self.chapter(), actor=self.owner)

    def redo(self) -> None:
        self.ws.comics.redo(self.chapter(), actor=self.owner)

    def restore(self) -> None:
        line = self.chapter()
        with self.ws.journal.read() as connection:
            then = self.rng.choice(self.ws.history.log(connection, line))
        self.ws.comics.restore(line, then.number, actor=self.owner, reason="it was better")

    def save(self) -> None:
        self.ws.comics.save(self.chapter(), actor=self.owner, title="so far")

    def run_agent(self) -> None:
        """A turn of the kit's own agent: two nodes and a call of a model."""
        spans = [
            telemetry.SpanRow(0, None, "invoke_workflow", "turn", 0, 9_000),
            telemetry.SpanRow(1, 0, "node", "plan", 20, 8_000),
            telemetry.SpanRow(2, 1, "chat", "small-1", 40, 7_000, self.rng.choice(["", "model_busy"])),
        ]
        tokens = [telemetry.TokenRow(2, "small-1", 30, self.rng.randrange(9), 0, 10, 10, 5, 5, "parts")]
        turn = f"t{self.rng.randrange(20)}"
        with self.ws.journal.write() as connection:
            telemetry.record(connection, turn, self.rng.choice(AGENTS), self.clock.now(), spans, tokens)

    def begin_draft(self) -> str:
        with self.ws.journal.write() as connection:
            agent = Actor.agent(self.rng.choice(AGENTS))
            return self.ws.drafts.begin(connection, self.chapter(), title="try", actor=agent)[0].id

    def draft(self) -> str:
        found = [draft.id for record in self.ws.comics.chapters() for draft in self.ws.drafts.of_chapter(record.id)]
        return self.rng.choice(found) if found else self.begin_draft()

    def change_draft(self) -> None:
        line = self.draft()
        seen = self.ws.comics.head(line)
        book = stepped(seen.book, self.rng, self.ids)
        with self.ws.journal.write() as connection:
            agent = Actor.agent(self.rng.choice(AGENTS))
            self.ws.comics.advance(connection, line, seen, book, actor=agent, cause="changeset", message="a change set")
            event = Event(
                self.clock.now(), agent.name, "comic.edit", "edit", "candidate", draft=line, duration_us=1_500
            )
            record(connection, replace(event, scope=self.ws.drafts.get(line, connection).chapter))

    def weigh(self) -> None:
        """Propose a candidate, or adopt or drop one that waits."""
        line, service = self.draft(), self.ws.candidates
        agent = Actor.agent(self.rng.choice(AGENTS))
        waiting = service.of_draft(line)
        deed = self.rng.choice(("propose", "adopt", "drop")) if waiting else "propose"
        head = self.ws.comics.head(line).revision.number
        with self.ws.journal.write() as connection:
            if deed == "propose":
                operations = [{"op": "unit.add", "as": "page"}]
                service.propose(connection, line, head, operations, task="a page more", actor=agent)
            elif deed == "adopt":
                service.adopt(connection, self.rng.choice(waiting).id, head, actor=agent)
            else:
                service.drop(connection, self.rng.choice(waiting).id, actor=self.owner)

    def keep(self) -> None:
        """Keep an entry that the strategies' casts, balloons and pictures may mean, or change one."""
        library = self.ws.library
        known = list(library.entries().values())
        if not known or self.rng.random() < 0.5:
            name = self.rng.choice(("Chelsea", "Mira", "Roof", "Ink"))
            kind = self.rng.choice(("character", "prop", "scene"))
            library.keep(kind, name, comic=self.rng.choice(("", "Chelsea Goes Up")), actor=Actor.agent(AGENTS[0]))
            return
        entry = self.rng.choice(known)
        deed = self.rng.choice(("update", "update", "restore", "archive"))
        if deed == "restore":
            library.restore(entry.id, 1, entry.number)
        elif deed == "archive":
            library.archive(entry.id, confirm=entry.name)
        else:
            library.update(entry.id, entry.number, notes=f"step {self.clock.now()}", palette=["#112233"])

    def undo_draft(self) -> None:
        line = self.draft()
        head = self.ws.comics.head(line).revision
        with self.ws.journal.write() as connection:
            then = self.rng.choice(self.ws.history.log(connection, line))
            self.ws.drafts.undo_to(connection, line, head.number, then.number, actor=Actor.agent(AGENTS[0]))

    def discard_draft(self) -> None:
        if self.rng.random() < 0.3:
            line = self.draft()  # which may begin one, in a transaction of its own
            with self.ws.journal.write() as connection:
                self.ws.drafts.discard(connection, line, actor=self.owner)

    def freeze(self) -> None:
        line = self.draft()
        head = self.ws.comics.head(line).revision
        with self.ws.journal.write() as connection:
            self.ws.proposal_service.freeze(connection, line, head.number, summary="look", actor=Actor.agent(AGENTS[0]))

    def decide(self) -> None:
        waiting = self.ws.proposal_service.all(states=("pending", "kept"))
        if not waiting:
            raise WrongState("nothing waits")
        proposal = self.rng.choice(waiting)
        compared = self.ws.comics.head(proposal.chapter).revision.number
        verdict = self.rng.choice(("apply", "apply", "keep", "discard"))
        with self.ws.reviewer() as me:
            if verdict == "apply":
                review = self.ws.proposal_service.review(proposal.id)
                mode = self.rng.choice(review.modes) if review.modes else ApplyMode.PLAIN
                reject = self.reject(review)
                self.ws.proposal_service.apply(
                    proposal.id, me, compared=compared, mode=mode, reason="yes", reject=reject
                )
            else:
                getattr(self.ws.proposal_service, verdict)(proposal.id, me, compared=compared, reason="not yet")

    def reject(self, review: Review) -> dict[str, str]:
        """Some part of a proposal, now and then, as long as something else is left."""
        if self.rng.random() < 0.5 or not review.parts:
            return {}
        part = self.rng.choice(review.parts).id
        return {part: self.rng.choice(("", "too much"))} if closed(review.parts, [part]).accepted else {}

    def observe(self) -> None:
        with self.ws.journal.write() as connection:
            for _ in range(self.rng.randint(1, 3)):
                failed = self.rng.random() < 0.2
                record(
                    connection,
                    Event(
                        self.clock.now(),
                        self.rng.choice(AGENTS),
                        "comic.look",
                        "look",
                        "observe",
                        target="un_1",
                        outcome="failed" if failed else "ok",
                        code="not_found" if failed else "",
                        duration_us=self.rng.randint(1, 90_000),
                        answer_bytes=self.rng.randint(0, 5_000),
                    ),
                )

    def annotate(self) -> None:
        line = self.chapter()
        on: list[OnElement | OnPoint] = []
        for unit in self.ws.comics.head(line).book.units():
            at = self.rng.randint(0, MILLION), self.rng.randint(0, MILLION)
            surface = self.rng.choice(("", *(item.id for item in unit.surfaces)))
            on.append(self.rng.choice((OnPoint(unit.id, at, surface), OnElement(surface or unit.id, at))))
            on += [OnElement(item.id, at) for item in unit.objects if self.rng.random() < 0.3]
        self.rng.shuffle(on)
        self.ws.annotation_service.create(line, "softer", on=on[: self.rng.randint(0, 4)], actor=self.owner)

    def deal(self) -> None:
        found = self.ws.annotation_service.of_chapter(self.chapter())
        if not found:
            return
        item = self.rng.choice(found)
        act = self.rng.choice(("claim", "claim", "resolve", "shelve", "reopen", "delete"))
        if act != "claim":
            getattr(self.ws.annotation_service, act)(item.id, actor=self.owner)
            return
        line = self.draft()
        with self.ws.journal.write() as connection:
            self.ws.annotation_service.claim(connection, [item.id], line, actor=self.owner)

    def lock(self) -> None:
        """Lock a page, or give a locked one free."""
        line, service = self.chapter(), self.ws.drafts.locks
        held = service.of_chapter(line)
        if held:
            service.unlock(line, self.rng.choice(held).object, actor=self.owner)
        elif order := self.ws.comics.head(line).book.order:
            service.lock(line, self.rng.choice(order), self.rng.choice(("", "done")), actor=self.owner)

    def settle(self) -> None:
        """Choose a side of a conflict, as it was left."""
        service = ConflictService(self.ws.comics)
        waiting = service.of_chapter(self.chapter())
        if waiting:
            service.resolve(self.rng.choice(waiting).id, self.rng.choice(("ours", "theirs")), actor=self.owner)

    def register(self) -> None:
        facts = PictureFacts(
            media="image/png",
            width=40,
            height=30,
            mode="RGB",
            bits=8,
            alpha=False,
            profile="none",
            orientation=1,
            bytes=self.rng.randint(100, 10_000),
            notes=(),
        )
        offer = Offer(digest(self.rng.randbytes(8)), facts, None, 0.0)
        library: AssetLibrary = self.ws.assets
        with self.ws.journal.write() as connection:
            library.register_offer(
                connection, offer, title="Dot", actor=self.owner, licence="CC0-1.0", source_type=SourceType.DRAWN
            )


@cache
def _template() -> Path:
    """A new workspace with a key, made once; copies of it are quick to have."""
    folder = Path(mkdtemp(prefix="lantern-analysis-"))
    made = create_workspace(
        folder / "ws", title="Chelsea", owner="mina", config=folder / "config", ids=SeededIds(1), clock=SteppingClock()
    )
    made.enrol("mina", None, demo=True)
    made.close()
    return folder


def contents(connection: DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """Every table's rows in an order of their own."""
    return {name: connection.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall() for name in TABLES}
