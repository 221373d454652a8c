"""What changing one balloon's words costs, durably: the whole edit, beside bare SQLite and beside git.

An edit is all that an agent's change set goes through: the operation, the new page, validation, the difference, and one
transaction with the page, the chunks above it, the revision, its change row and the receipt. In turn with it run

bare    the same rows, as the edit wrote them, into a copy of the database by ``sqlite3`` alone, with the same pragmas
git     the same page as a file, committed with core.fsync=all

edit_vs_bare_p50   edit over bare, medians, in a chapter of 100 pages
edit_vs_git_p50    edit over git
flat_history       median edit from revision 10,000 on, over from revision 100 on
flat_pages         median edit in a chapter of 1,000 pages, over one of 10
bytes_ratio        growth of the checkpointed database per edit, over the page's JSON and 8 KB
"""

from __future__ import annotations

import argparse
import json
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from lantern_kit.comic.diff import diff
from lantern_kit.comic.edit.changeset import apply_changeset
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Paper
from lantern_kit.comic.service import Moment
from lantern_kit.comic.store import unit_body
from lantern_kit.kernel import receipts
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.engine import PRAGMAS, Connection
from lantern_kit.workspace import create_workspace

BOT = Actor.agent("benchmark")
FRAMES, BALLOONS = 6, 8
APPENDED = ("documents", "revisions", "changes", "receipts")
Row = tuple[Any, ...]


def seconds(task: Callable[..., object], *given: object) -> float:
    """How long a task takes."""
    started = time.perf_counter()
    task(*given)
    return time.perf_counter() - started


class Studio:
    """A workspace with one chapter of so many pages, and a draft of it that is edited."""

    def __init__(self, folder: Path, pages: int) -> None:
        self.workspace = create_workspace(folder, title="Store", owner="benchmark")
        self.random = Random(1)
        self.edits = 0
        self.edited = ""
        paper = Paper(width=105_000, height=148_000)
        comics, owner = self.workspace.comics, self.workspace.owner
        chapter = comics.create_chapter(comic="Store", number=1, actor=owner, paper=paper).id
        seen = comics.head(chapter)
        book = seen.book
        context = EditContext(ids=self.workspace.ids, assets=self.workspace.assets.get)
        for _ in range(pages):
            book = apply_changeset(book, page(), context, find=lambda _: None).book
        comics.commit(chapter, seen, book, actor=owner, cause="edit", message="pages")
        with self.workspace.journal.write() as connection:
            self.draft = self.workspace.drafts.begin(connection, chapter, title="words", actor=BOT)[0].id
        self.moment = comics.head(self.draft)

    def operation(self) -> dict[str, Any]:
        """New words for some balloon on some page, as an agent would send them."""
        unit = self.moment.book.unit(self.random.choice(self.moment.book.order))
        balloon = self.random.choice([item for item in unit.objects if item.kind == "balloon"])
        self.edits += 1
        self.edited = unit.id
        words = f"Nobody lit it, and I have asked {self.edits} of them."
        return {"op": "balloon.set", "target": handle_of(balloon), "args": {"text": words}}

    def edit(self, operation: dict[str, Any]) -> None:
        """The whole edit."""
        comics = self.workspace.comics
        seen = comics.head(self.draft)
        planned = self.plan(seen, operation)
        with self.workspace.journal.write() as connection:
            self.moment = self.commit(connection, seen, operation, planned)

    def plan(self, seen: Moment, operation: dict[str, Any]) -> tuple[Any, Any]:
        """The new book and what changed in it, without a lock."""
        context = EditContext(ids=self.workspace.ids, assets=self.workspace.assets.get)
        result = apply_changeset(
            seen.book, [operation], context, find=lambda thing: self.workspace.comics.unit_of(seen.book, thing)
        )
        return result.book, diff(seen.book, result.book)

    def commit(
        self, connection: Connection, seen: Moment, operation: dict[str, Any], planned: tuple[Any, Any]
    ) -> Moment:
        """Advance the draft and keep the receipt."""
        asked = receipts.request_digest([operation])
        book, changes = planned
        made = self.workspace.comics.advance(
            connection, self.draft, seen, book, actor=BOT, cause="changeset", message="new words", changes=changes
        )
        answer = {"revision": made.id, "changed": [operation["target"]]}
        receipts.keep(connection, "edit/agent/benchmark", f"e{self.edits}", asked, answer, made.revision.at)
        return made

    def page(self) -> tuple[str, bytes]:
        """Name and content of the page that was edited last, as a file."""
        return f"{self.edited}.json", unit_body(self.moment.book.unit(self.edited))

    def go_to(self, revision: int) -> None:
        """Edit until the draft's revision has this number: a hundred edits a transaction, their time does not count."""
        while self.moment.revision.number < revision:
            with self.workspace.journal.write() as connection:
                for _ in range(min(100, revision - self.moment.revision.number)):
                    operation = self.operation()
                    self.moment = self.commit(connection, self.moment, operation, self.plan(self.moment, operation))

    def size(self) -> int:
        """Bytes of the database once everything is checkpointed."""
        with self.workspace.journal.read() as connection:
            connection.driver.rollback()
            busy, *_ = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        if busy:
            raise SystemExit("the database could not be checkpointed")
        return self.workspace.journal.path.stat().st_size


def page() -> list[dict[str, Any]]:
    """Operations that make a page of six frames and eight balloons."""
    made: list[dict[str, Any]] = [{"op": "unit.add", "as": "page"}]
    spots = [(8 + 46 * (place % 2), 8 + 45 * (place // 2)) for place in range(FRAMES)]
    for place, (x, y) in enumerate(spots):
        made.append({"op": "frame.add", "target": "@page", "as": f"f{place}", "args": {"rect": [x, y, 43, 42]}})
    for number in range(BALLOONS):
        x, y = spots[number % FRAMES]
        at = [x + 22, y + (12 if number < FRAMES else 32)]
        args = {"text": f"It was on the roof, {number}.", "speaker": "Ann", "at": at, "tail": [x + 10, y + 38]}
        made.append({"op": "balloon.add", "target": f"@f{number % FRAMES}", "args": args})
    return made


class Bare:
    """A copy of a workspace's database, written by ``sqlite3`` alone."""

    def __init__(self, studio: Studio, path: Path) -> None:
        studio.size()
        shutil.copy(studio.workspace.journal.path, path)
        self.source = sqlite3.connect(studio.workspace.journal.path, isolation_level=None)
        self.driver = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode=WAL", *PRAGMAS):
            self.driver.execute(f"PRAGMA {pragma}")
        self.line = studio.draft
        self.last = {table: self.newest(table) for table in APPENDED}
        self.inserts = {table: self.insert(table) for table in APPENDED}

    def newest(self, table: str) -> int:
        """The last row of a table."""
        return int(self.source.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])

    def insert(self, table: str) -> str:
        """The statement that adds a row."""
        count = len(self.source.execute(f"PRAGMA table_info({table})").fetchall())
        return f"INSERT INTO {table} VALUES ({', '.join('?' * count)})"

    def written(self) -> dict[str, list[Row]]:
        """The rows that the last edit wrote."""
        rows = {}
        for table in APPENDED:
            rows[table] = self.source.execute(f"SELECT * FROM {table} WHERE id > ?", (self.last[table],)).fetchall()
            self.last[table] = self.newest(table)
        return rows

    def write(self, rows: dict[str, list[Row]]) -> None:
        """Write them durably."""
        run = self.driver.execute
        run("BEGIN IMMEDIATE")
        for table, some in rows.items():
            statement = self.inserts[table]
            for row in some:
                run(statement, row)
        run("UPDATE lines SET head = ? WHERE id = ?", (rows["revisions"][-1][0], self.line))
        run("COMMIT")


class Git:
    """The same pages as files of a repository."""

    def __init__(self, studio: Studio, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.run("init", "-q")
        for key, value in {
            "core.fsync": "all",
            "user.name": "benchmark",
            "user.email": "benchmark@localhost",
            "gc.auto": "0",
            "commit.gpgsign": "false",
        }.items():
            self.run("config", key, value)
        for unit in studio.moment.book.units():
            (folder / f"{unit.id}.json").write_bytes(unit_body(unit))
        self.run("add", ".")
        self.run("commit", "-q", "-m", "pages")

    def run(self, *command: str) -> None:
        """Run git."""
        subprocess.run(["git", *command], cwd=self.folder, check=True, capture_output=True)

    def commit(self, name: str) -> None:
        """Commit one changed file."""
        self.run("commit", "-q", "-m", "new words", "--", name)


def in_turn(cases: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Seconds of every case in every round, in an order drawn anew, so that no case always follows the same other."""
    draw = Random(2)
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name in draw.sample(list(cases), len(cases)):
            taken[name].append(cases[name]())
    return taken


def beside_bare(studio: Studio, folder: Path, rounds: int) -> dict[str, float]:
    """An edit, and the rows that the one before it wrote, as bare SQLite writes them."""
    bare = Bare(studio, folder / "bare.sqlite")
    before = studio.size()
    rows: list[dict[str, list[Row]]] = []
    sizes: list[int] = []

    def edit() -> float:
        taken = seconds(studio.edit, studio.operation())
        rows.append(bare.written())
        sizes.append(len(studio.page()[1]))
        return taken

    edit()  # the peer is one edit behind, so that it need not always follow it
    taken = in_turn({"edit": edit, "bare": lambda: seconds(bare.write, rows.pop(0))}, rounds)
    growth = (studio.size() - before) / (rounds + 1)
    p50 = {name: statistics.median(times) for name, times in taken.items()}
    return {
        "edit_vs_bare_p50": p50["edit"] / p50["bare"],
        "bytes_ratio": growth / (statistics.mean(sizes) + 8 * 1024),
        **{f"{name}_p50_ms": value * 1e3 for name, value in p50.items()},
        "edit_p95_ms": statistics.quantiles(taken["edit"], n=20)[-1] * 1e3,
        "bytes_an_edit": growth,
        "page_json_bytes": statistics.mean(sizes),
    }


def beside_git(studio: Studio, folder: Path, rounds: int) -> dict[str, float]:
    """An edit, and the page of the one before it, as git commits it."""
    git = Git(studio, folder / "git")
    files: list[tuple[str, bytes]] = []

    def edit() -> float:
        taken = seconds(studio.edit, studio.operation())
        files.append(studio.page())
        return taken

    def commit() -> float:
        name, body = files.pop(0)
        (git.folder / name).write_bytes(body)
        return seconds(git.commit, name)

    edit()
    taken = in_turn({"edit": edit, "git": commit}, rounds)
    p50 = {name: statistics.median(times) for name, times in taken.items()}
    return {"edit_vs_git_p50": p50["edit"] / p50["git"], "git_p50_ms": p50["git"] * 1e3}


def flatness(far: Studio, near: Studio, rounds: int) -> float:
    """Median edit in one studio over that in another."""
    studios = {"far": far, "near": near}
    taken = in_turn(
        {name: lambda studio=studio: seconds(studio.edit, studio.operation()) for name, studio in studios.items()},
        rounds,
    )
    return statistics.median(taken["far"]) / statistics.median(taken["near"])


def measure(folder: Path, rounds: int, history: int) -> dict[str, float]:
    """One comparison after the other, each with its peers in turn."""
    with studio(folder / "chapter", 100) as here:
        figures = beside_bare(here, folder, rounds) | beside_git(here, folder, rounds)
    with studio(folder / "old", 100, history) as old, studio(folder / "new", 100) as new:
        figures["flat_history"] = flatness(old, new, rounds)
    with studio(folder / "big", 1_000) as big, studio(folder / "small", 10) as small:
        figures["flat_pages"] = flatness(big, small, rounds)
    return figures


@contextmanager
def studio(folder: Path, pages: int, revision: int = 100) -> Iterator[Studio]:
    """A studio whose draft is at a revision; it must verify when all is done."""
    made = Studio(folder, pages)
    made.go_to(revision)
    yield made
    problems = made.workspace.verify().problems
    if problems:
        raise SystemExit(f"{folder.name} does not verify: {problems[:3]}")
    made.workspace.close()


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--rounds", type=int, default=400, help="edits of each case (400)")
    options.add_argument("--history", type=int, default=10_000, help="revision at which the old draft starts (10000)")
    chosen = options.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), chosen.rounds, chosen.history)
    for key, value in figures.items():
        print(f"{key:<18} {value:10.3f}")
    if chosen.json:
        rounded = {key: round(value, 3) for key, value in figures.items()}
        print(json.dumps({"benchmark": "store", **rounded, "rounds": chosen.rounds}))


if __name__ == "__main__":
    main()
