"""What one more piece of a long novel costs: a book of 1.5 million characters written through the author's desk.

Each commit is a whole turn as a driver takes it, guards on: the work is prepared and sent, the unit claimed, its prose
weighed and kept, committed with its facts, and the turn ended: five durable transactions and the prose. Chapters are
outlined once and given their scenes when they come, as a real outline is. In turn with commits run

floor   one bare SQLite transaction of as many bytes, and the prose as a file, written, synced and renamed
git     the same prose as a file, committed with core.fsync=all

commit_flat          median turn of the last tenth of units over that of the first tenth, written anew in turn with it
commit_only_flat     the same of the one transaction that commits
bytes_over_body_kb   growth of the checkpointed database by that transaction beyond the prose and its facts, late in the
                     book; the mean of a window
peak_mb              most memory that the process held
turn_vs_floor_p50, turn_vs_git_p50   late in the book
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.blobs import FolderBlobs
from lantern_kit.kernel.engine import PRAGMAS
from lantern_kit.novel.content import Content
from lantern_kit.novel.creation import create_novel
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.model import (
    PRESET_LIMITS,
    PRESET_SHARES,
    Approval,
    Config,
    Intent,
    Unbounded,
    Why,
    WorkKind,
)
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.turns import Turns
from lantern_kit.novel.whole import changed
from lantern_kit.workspace import create_workspace

BOT = Actor.agent("benchmark")
SCENES, PARAGRAPHS = 4, 12
CHARACTERS = 1_250
"""Of a unit."""
WINDOW, SIZED = 60, 240
CONFIG = Config(
    language="zh",
    genre="",
    view="",
    style="",
    approval=Approval.AUTOMATIC,
    length=Unbounded(kind="unbounded"),
    chapters=None,
    unit_maximum=5_000,
    shares=PRESET_SHARES,
    limits=changed(PRESET_LIMITS, turns=1_000_000, planning_turns=1_000_000, minutes=1_000_000),
    count_policy=1,
)


class Author:
    """Writes the book."""

    def __init__(self, folder: Path, chapters: int) -> None:
        self.random = random.Random(1)
        self.ws = create_workspace(folder, title="Bench", owner="bench")
        self.service = self.ws.novel_service
        moment = create_novel(
            self.service, title="Bench", config=CONFIG, files=(), request="写", key="bench", actor=self.ws.owner
        )
        self.novel = moment.novel.head.id
        self.seat = self.service.authors.take(self.novel, BOT.name, "bench")
        self.turns = Turns(self.service, self.seat)
        self.turn = 0
        self.people: list[str] = []
        self.chapters = chapters
        self.characters = [chr(number) for number in range(0x4E00, 0x4E00 + 3_000)]
        self.body = b""
        self.facts = 0
        self.growth: list[int] = []

    def words(self, length: int) -> str:
        """Chinese of no meaning, with commas."""
        drawn = self.random.choices(self.characters, k=length)
        return "，".join("".join(drawn[at : at + 11]) for at in range(0, length, 11)) + "。"

    def prose(self) -> list[str]:
        """A unit's paragraphs."""
        return [self.words(CHARACTERS // PARAGRAPHS) for _ in range(PARAGRAPHS)]

    def plan(self, intent: Intent, desk: AuthorDesk) -> None:
        """The first outline, or the scenes of the chapter that comes."""
        head = self.service.head(self.novel).novel
        scenes = [{"as": f"s{number}", "goal": self.words(30), "people": self.people[:2]} for number in range(SCENES)]
        if intent.kind is WorkKind.OUTLINE_CREATE:
            people = [{"as": f"p{number}", "name": f"人物{number}", "role": "人"} for number in range(12)]
            chapters: list[dict[str, Any]] = [
                {
                    "as": f"c{number}",
                    "title": self.words(6),
                    "purpose": self.words(40),
                    "events": [self.words(30) for _ in range(3)],
                }
                for number in range(self.chapters)
            ]
            chapters[0]["scenes"] = scenes
            story = {name: self.words(60) for name in ("premise", "theme", "conflict", "ending")}
            plan = Plan.model_validate({"story": {"title": "书", **story}, "people": people, "chapters": chapters})
            outcomes = [OutcomeIn(instruction=name, result="applied", note="写") for name in head.instructions]
            names = desk.create_outline(plan, outcomes, "开始")[1]
            self.people = [names[f"@p{number}"] for number in range(12)]
            return
        assert intent.why is Why.REFINE
        plan = Plan.model_validate({"chapters": [{"id": intent.chapter, "scenes": scenes}]})
        desk.revise_outline(plan, [], "细化", head.head.outline_revision)

    def content(self) -> Content:
        """A scene that is done, and what it makes true."""
        draw = self.random.choice
        facts = {
            "events": [{"what": self.words(30), "people": [draw(self.people)], "at": at} for at in range(2)],
            "states": [{"person": draw(self.people), "aspect": "place", "value": self.words(8), "at": 0}],
            "knowledge": [{"who": draw(self.people), "what": self.words(25), "at": 1}],
        }
        return Content.model_validate({"scene": {"done": True, "evidence": self.words(20)}, "facts": facts})

    def work(self, *, sized: bool = False) -> tuple[str, float, float]:
        """One turn: its kind, its seconds, and those of the commit alone."""
        self.turn += 1
        words, content = self.prose(), self.content() if self.people else None
        started = time.perf_counter()
        moment, intent = self.turns.prepare()
        if not isinstance(intent, Intent):
            raise SystemExit(f"it stopped: {intent}")
        before = moment.novel
        turn = f"turn{self.turn}"
        self.turns.send(intent.id, turn)
        desk = AuthorDesk(self.service, self.seat.at(turn), BOT)
        alone = 0.0
        if intent.kind is WorkKind.WRITE_UNIT:
            assert intent.unit is not None
            assert content is not None
            head = before.head
            token = desk.claim(intent.id, intent.unit, head.outline_revision, head.watermark)[1].token
            weighed = desk.weigh(intent.unit, token, words, content)
            if any(item.severity.value != "note" for item in weighed.found):
                raise SystemExit(f"a guard fired: {weighed.found[:2]}")
            size = self.size() if sized else 0
            begun = time.perf_counter()
            made = desk.commit(token, weighed)[1]
            alone = time.perf_counter() - begun
            if sized:
                self.growth.append(self.size() - size)
            self.body, self.facts = weighed.prose.body, len(made.model_dump_json().encode())
        elif intent.kind is WorkKind.CHAPTER_COMPLETE:
            assert intent.chapter is not None
            desk.complete_chapter(intent.chapter, before.head.content_revision, "完", [])
        elif intent.kind is WorkKind.FINISH:
            return intent.kind.value, 0.0, 0.0
        else:
            self.plan(intent, desk)
        self.turns.ended(before, Usage(1))
        return intent.kind.value, time.perf_counter() - started, alone

    def write(self, *, sized: bool = False) -> tuple[float, float]:
        """Go on until one more unit is written: seconds of its turn, and those of its commit alone."""
        while True:
            kind, whole, alone = self.work(sized=sized)
            if kind == WorkKind.WRITE_UNIT.value:
                return whole, alone

    def size(self) -> int:
        """Bytes of the database once everything is checkpointed."""
        with self.ws.journal.read() as connection:
            connection.driver.rollback()
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            pages, free = (
                connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "freelist_count")
            )
        return int(pages - free) * 4_096


class Floor:
    """A bare database and a folder of files."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.driver = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
        for pragma in ("journal_mode=WAL", *PRAGMAS):
            self.driver.execute(f"PRAGMA {pragma}")
        self.driver.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, body BLOB)")
        self.blobs = FolderBlobs(folder)

    def write(self, body: bytes, more: int) -> float:
        """Keep a body and a row, durably."""
        row = random.Random(len(body)).randbytes(more)
        started = time.perf_counter()
        self.blobs.put(body)
        self.driver.execute("BEGIN IMMEDIATE")
        self.driver.execute("INSERT INTO rows (body) VALUES (?)", (row,))
        self.driver.execute("COMMIT")
        return time.perf_counter() - started


class Git:
    """The prose as files of a repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.run("init", "-q")
        facts = {"core.fsync": "all", "user.name": "bench", "user.email": "bench@localhost", "gc.auto": "0"}
        for key, value in {**facts, "commit.gpgsign": "false"}.items():
            self.run("config", key, value)
        self.count = 0

    def run(self, *command: str) -> None:
        """Run git."""
        subprocess.run(["git", *command], cwd=self.folder, check=True, capture_output=True)

    def write(self, body: bytes) -> float:
        """Commit one more file."""
        self.count += 1
        name = f"{self.count:05}.txt"
        (self.folder / name).write_bytes(body)
        started = time.perf_counter()
        self.run("add", name)
        self.run("commit", "-q", "-m", "more", "--", name)
        return time.perf_counter() - started


def measure(folder: Path, chapters: int) -> dict[str, float]:
    """Write the book up to its last tenth, that in turn with the first tenth of the same book, and then its end."""
    far, near = Author(folder / "far", chapters), Author(folder / "near", chapters)
    floor, git = Floor(folder / "floor"), Git(folder / "git")
    units = chapters * SCENES
    tenth = units // 10
    beside: dict[str, list[float]] = {"turn": [], "floor": [], "git": []}
    over: list[float] = []
    started = time.perf_counter()
    for number in range(units - tenth):
        left = units - tenth - number
        whole, _ = far.write(sized=WINDOW < left <= WINDOW + SIZED)
        if WINDOW < left <= WINDOW + SIZED:
            over.append(far.growth[-1] - far.facts)
        if left <= WINDOW:
            beside["turn"].append(whole)
            beside["floor"].append(floor.write(far.body, 16_384))
            beside["git"].append(git.write(far.body))
        if number % 100 == 99:
            print(f"{number + 1:,} units, {time.perf_counter() - started:.0f} s", file=sys.stderr)
    first: list[tuple[float, float]] = []
    last: list[tuple[float, float]] = []
    for _ in range(tenth):
        first.append(near.write())
        last.append(far.write())
    while far.work()[0] != WorkKind.FINISH.value:
        pass
    problems = far.ws.verify().problems
    if problems:
        raise SystemExit(f"the book does not verify: {problems[:3]}")
    p50 = {name: statistics.median(taken) for name, taken in beside.items()}
    turns = [statistics.median(whole for whole, _ in some) for some in (first, last)]
    commits = [statistics.median(alone for _, alone in some) for some in (first, last)]
    head = far.service.head(far.novel).novel.head
    return {
        "commit_flat": turns[1] / turns[0],
        "commit_only_flat": commits[1] / commits[0],
        "bytes_over_body_kb": statistics.mean(over) / 1_024,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024,
        "turn_vs_floor_p50": p50["turn"] / p50["floor"],
        "turn_vs_git_p50": p50["turn"] / p50["git"],
        "turn_p50_ms": turns[1] * 1e3,
        "commit_p50_ms": commits[1] * 1e3,
        "floor_p50_ms": p50["floor"] * 1e3,
        "git_p50_ms": p50["git"] * 1e3,
        "units": head.commits,
        "characters": head.characters,
    }


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--chapters", type=int, default=300, help="of four units each, 100 at least (300)")
    chosen = options.parse_args()
    if chosen.chapters < 100:
        options.error("a book of fewer than 100 chapters says nothing of a long one")

    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), chosen.chapters)
    for key, value in figures.items():
        print(f"{key:<20} {value:12.3f}")
    if chosen.json:
        print(json.dumps({"benchmark": "novel", **{key: round(value, 3) for key, value in figures.items()}}))


if __name__ == "__main__":
    main()
