"""What the analysis tables cost and give, beside bare Arrow inserts of the same rows and SQLite answering the same.

sync_vs_arrow      filling all tables from the journal, over inserting the same rows, Arrow already, into such tables of
                   a new file in one transaction
rows_per_s         rows of all tables over the seconds of that filling
step_ms, idle_ms   bringing the tables up to date after one edit of a person, and after nothing; the file opened anew
memory_s           the copy in memory that a second process gets
questions          for each question DuckDB's median over SQLite's, on the journal with its own indexes, same answer
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from lantern_kit.analysis.history import PROJECTORS as HISTORY
from lantern_kit.asset_projectors import PROJECTORS as ASSETS
from lantern_kit.comic.model import Balloon, Frame, Paper, Polygon, Rect, Surface, Unit, UnitKind
from lantern_kit.comic.projectors import PROJECTORS as COMIC
from lantern_kit.kernel.activity import Event, record
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import Workspace, create_workspace

TABLES = [projector.name for projector in (*HISTORY, *ASSETS, *COMIC)]
AGENTS = [Actor.agent(name) for name in ("claude-code", "codex", "gemini-cli")]
PER_EDIT = 5
BALLOONS = 8
JOINED = "changes AS c JOIN revisions AS r ON r.id = c.revision"
WORDS = """
    SELECT object_kind, sum(length(after->>'$') - length(before->>'$'))
    FROM changes WHERE property = 'text' GROUP BY 1 ORDER BY 1
"""
DUCKDB = {
    "by_actor": "SELECT actor, count(*) FROM changes GROUP BY 1 ORDER BY 1",
    "by_unit_and_hour": """
        SELECT unit, epoch_ms(date_trunc('hour', committed_at)) AS hour, count(*)
        FROM changes JOIN revisions USING (revision) GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 10
    """,
    "many_hands": "SELECT count(*) FROM (SELECT object FROM changes GROUP BY 1 HAVING count(DISTINCT actor) > 2)",
    "words_gained": WORDS,
    "middle_call": "SELECT actor, quantile_disc(duration_ms, 0.5) FROM activity GROUP BY 1 ORDER BY 1",
}
SQLITE = {
    "by_actor": f"SELECT r.actor, count(*) FROM {JOINED} GROUP BY 1 ORDER BY 1",
    "by_unit_and_hour": f"""
        SELECT c.unit, r.at / 3600000 * 3600000 AS hour, count(*)
        FROM {JOINED} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 10
    """,
    "many_hands": f"SELECT count(*) FROM (SELECT object FROM {JOINED} GROUP BY 1 HAVING count(DISTINCT r.actor) > 2)",
    "words_gained": WORDS,
    "middle_call": """
        SELECT actor, max(duration_us) / 1000.0 FROM (
            SELECT actor, duration_us, ntile(2) OVER (PARTITION BY actor ORDER BY duration_us) AS half FROM activity
        ) WHERE half = 1 GROUP BY 1 ORDER BY 1
    """,
}


def page(ids: SeededIds) -> Unit:
    """A page with two frames and eight balloons."""
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
        Balloon(
            id=ids.new("bl"), parent=name, box=Rect(x=10_000, y=10_000 + 15_000 * i, w=30_000, h=12_000), text="Hm."
        )
        for i in range(BALLOONS)
    ]
    things = (*frames, *balloons)
    surface = Surface(id=ids.new("sf"), x=0, width=105_000, height=148_000)
    reading = tuple(thing.id for thing in things)
    return Unit(kind=UnitKind.PAGE, id=name, surfaces=(surface,), objects=things, reading=reading)


def populate(workspace: Workspace, pages: int, rows: int) -> str:
    """A chapter and a draft of it in which agents changed so many properties; gives the chapter."""
    rng = random.Random(1)
    comics = workspace.comics
    owner = workspace.owner
    paper = Paper(width=105_000, height=148_000)
    chapter = comics.create_chapter(comic="Bench", number=1, actor=owner, paper=paper).id
    seen = comics.head(chapter)
    ids = SeededIds(2)
    book = seen.book
    for place in range(pages):
        book = book.insert(page(ids), place)
    comics.commit(chapter, seen, book, actor=owner, cause="edit", message="pages")
    with workspace.journal.write() as connection:
        draft, moment = workspace.drafts.begin(connection, chapter, title="work", actor=AGENTS[0])
        for turn in range(rows // PER_EDIT):
            agent = rng.choice(AGENTS)
            unit = moment.book.unit(rng.choice(moment.book.order))
            objects = list(unit.objects)
            for spot in rng.sample(range(2, len(objects)), PER_EDIT):
                objects[spot] = objects[spot].model_copy(update={"text": f"Hm {'…' * rng.randint(0, 30)} {turn}"})
            book = moment.book.replace(unit.model_copy(update={"objects": tuple(objects)}))
            moment = comics.advance(
                connection, draft.id, moment, book, actor=agent, cause="changeset", message=f"turn {turn}"
            )
            at, time_taken = workspace.clock.now(), rng.randint(500, 90_000)
            record(connection, Event(at, agent.name, "comic.edit", "edit", "candidate", duration_us=time_taken))
    return chapter


def timed(task: Callable[[], object]) -> float:
    """Seconds of one run."""
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def bare(folder: Path, source: duckdb.DuckDBPyConnection) -> float:
    """Seconds for putting the same rows, in Arrow already, into the same tables of a new file."""
    tables = {name: source.sql(f"FROM {name}").to_arrow_table() for name in TABLES}
    path = folder / "bare.duckdb"
    path.unlink(missing_ok=True)
    with duckdb.connect(path) as target:
        for projector in (*HISTORY, *ASSETS, *COMIC):
            target.execute(projector.ddl()[0])

        def insert() -> None:
            target.begin()
            for name, rows in tables.items():
                target.register("incoming", rows)
                target.execute(f"INSERT INTO {name} BY NAME SELECT * FROM incoming")
                target.unregister("incoming")
            target.commit()

        return timed(insert)


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--rows", type=int, default=100_000, help="change rows (100000)")
    options.add_argument("--pages", type=int, default=100, help="pages of the chapter (100)")
    options.add_argument("--rounds", type=int, default=5, help="runs per figure (5)")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        figures = measure(Path(name), chosen.rows, chosen.pages, chosen.rounds)
    for key, value in figures.items():
        if not isinstance(value, dict):
            print(f"{key:<15} {value:>12}")
    for key, pair in figures["questions"].items():
        print(
            f"{key:<18} DuckDB {pair['duckdb_ms']:8.2f} ms   SQLite {pair['sqlite_ms']:8.2f} ms   {pair['ratio']:6.3f}"
        )
    if chosen.json:
        print(json.dumps({"benchmark": "analysis", **figures}))


def measure(folder: Path, rows: int, pages: int, rounds: int) -> dict[str, object]:
    """All figures, side by side in one process."""
    workspace = create_workspace(
        folder / "ws", title="Bench", owner="bench", clock=SteppingClock(), ids=SeededIds(1), config=folder / "config"
    )
    chapter = populate(workspace, pages, rows)
    fills, inserts, copies, steps, idles = [], [], [], [], []
    for _ in range(rounds):
        (workspace.path / "analysis.duckdb").unlink(missing_ok=True)
        fills.append(timed(lambda: workspace.analysis().close()))
        with workspace.analysis() as connection:
            inserts.append(bare(folder, connection))
        copies.append(timed(lambda: workspace.analysis(in_memory=True).close()))
    for turn in range(4 * rounds):
        idles.append(timed(lambda: workspace.analysis().close()))
        seen = workspace.comics.head(chapter)
        unit = seen.book.unit(seen.book.order[turn % pages])
        book = seen.book.replace(unit.model_copy(update={"name": f"turn {turn}"}))
        workspace.comics.commit(chapter, seen, book, actor=workspace.owner, cause="edit", message="name")
        steps.append(timed(lambda: workspace.analysis().close()))
    with workspace.analysis() as connection:
        counted = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES}
        asked = questions(connection, workspace.journal.path, rounds)
    total = sum(counted.values())
    fill, insert = statistics.median(fills), statistics.median(inserts)
    return {
        "rows": total,
        "change_rows": counted["changes"],
        "fill_s": round(fill, 3),
        "arrow_s": round(insert, 3),
        "sync_vs_arrow": round(fill / insert, 2),
        "rows_per_s": round(total / fill),
        "memory_s": round(statistics.median(copies), 3),
        "step_ms": round(1000 * statistics.median(steps), 2),
        "idle_ms": round(1000 * statistics.median(idles), 2),
        "file_bytes": (workspace.path / "analysis.duckdb").stat().st_size,
        "journal_bytes": workspace.journal.path.stat().st_size,
        "questions": asked,
    }


def questions(connection: duckdb.DuckDBPyConnection, journal: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Each question put to both in turn; a differing answer is a failure here."""
    found = {}
    other = sqlite3.connect(journal)
    for name, text in DUCKDB.items():

        def mine(text: str = text) -> list[tuple[object, ...]]:
            return connection.execute(text).fetchall()

        def theirs(text: str = SQLITE[name]) -> list[tuple[object, ...]]:
            return other.execute(text).fetchall()

        if mine() != theirs():
            raise SystemExit(f"{name}: DuckDB says {mine()[:3]}, SQLite {theirs()[:3]}")
        fast, slow = [], []
        for _ in range(rounds):
            fast.append(timed(mine))
            slow.append(timed(theirs))
        quick, long = statistics.median(fast), statistics.median(slow)
        found[name] = {
            "duckdb_ms": round(1000 * quick, 2),
            "sqlite_ms": round(1000 * long, 2),
            "ratio": round(quick / long, 3),
        }
    other.close()
    return found


if __name__ == "__main__":
    main()
