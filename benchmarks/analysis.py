"""What the analysis tables cost and give, over a journal of a million rows of changes and activity.

rows_per_s                filling an empty analysis.duckdb from the journal: rows of all tables over seconds
sync_100_rows_ms          bringing it up to date after 100 rows more, while a connection is held open
query_speedup_vs_journal  five audit questions: SQLite's time on the journal, with the indexes that it ships, over
                          DuckDB's, same answers; geometric mean, each in ``questions``

Each has a floor and a peer in the same run, in turn with it:

floor_rows_per_s   the same rows, in Arrow already, into such tables of a new file in one transaction
peer_rows_per_s    the numbered tables as pandas reads them from the journal and DuckDB takes the frames: what somebody
                   would write in a notebook; without units, objects and gutters, which are in no table of the journal
floor_sync_ms      the same 100 rows, in Arrow already, into such tables of a file that is held open
peer_sync_ms       the same 100 rows, copied by SQLite from the journal to a second database, durably

Besides: open_sync_ms and idle_ms, with the file opened anew, after 100 rows and after none; memory_s, the copy in
memory that a second process gets. Medians over rounds.
"""

from __future__ import annotations

import argparse
import json
import math
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pyarrow
from _history import Studio

from lantern_kit.analysis.history import ACTIVITY, CHANGES, REVISIONS
from lantern_kit.analysis.history import PROJECTORS as HISTORY
from lantern_kit.asset_projectors import PROJECTORS as ASSETS
from lantern_kit.comic.projectors import PROJECTORS as COMIC

PROJECTORS = (*HISTORY, *ASSETS, *COMIC)
NUMBERED = (REVISIONS, CHANGES, ACTIVITY)
MORE = 100
CHANGED = "changes AS c JOIN revisions AS r ON r.id = c.revision"
DUCKDB = {
    "who_changed_what_when": """
        SELECT r.actor, epoch_ms(date_trunc('day', committed_at)) AS day, object_kind, count(*)
        FROM changes JOIN revisions AS r USING (revision) GROUP BY ALL ORDER BY ALL
    """,
    "which_pages_churn": """
        SELECT unit, count(*), count(DISTINCT actor), count(*) - count(DISTINCT (object, property))
        FROM changes GROUP BY 1 ORDER BY 2 DESC, 1
    """,
    "what_many_hands_touched": """
        SELECT object, count(*) FROM changes GROUP BY 1 HAVING count(DISTINCT actor) > 2 ORDER BY 2 DESC, 1 LIMIT 20
    """,
    "what_an_accepted_change_cost": """
        WITH spent AS (
            SELECT draft, count(*) AS calls, sum(answer_bytes)::BIGINT AS bytes FROM activity
            WHERE capability <> '' GROUP BY 1
        )
        SELECT proposal, calls, bytes, revisions.changes
        FROM approvals JOIN proposals USING (proposal) JOIN spent USING (draft)
        JOIN revisions ON revision = result WHERE verdict = 'apply' ORDER BY number(proposal)
    """,
    "how_long_tools_take": """
        SELECT tool, actor, count(*), quantile_disc(duration_ms, 0.5), quantile_disc(duration_ms, 0.95)
        FROM activity WHERE capability <> '' GROUP BY 1, 2 ORDER BY 1, 2
    """,
}
SQLITE = {
    "who_changed_what_when": f"""
        SELECT r.actor, r.at / 86400000 * 86400000 AS day, c.object_kind, count(*)
        FROM {CHANGED} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3, 4
    """,
    "which_pages_churn": f"""
        SELECT c.unit, count(*), count(DISTINCT r.actor),
            count(*) - count(DISTINCT c.object || '.' || coalesce(c.property, ''))
        FROM {CHANGED} GROUP BY 1 ORDER BY 2 DESC, 1
    """,
    "what_many_hands_touched": f"""
        SELECT c.object, count(*) FROM {CHANGED} GROUP BY 1 HAVING count(DISTINCT r.actor) > 2
        ORDER BY 2 DESC, 1 LIMIT 20
    """,
    "what_an_accepted_change_cost": """
        WITH spent AS (
            SELECT draft, count(*) AS calls, sum(answer_bytes) AS bytes FROM activity WHERE capability <> '' GROUP BY 1
        )
        SELECT 'p' || p.id, calls, bytes, r.changes_count
        FROM approvals AS a JOIN proposals AS p ON p.id = a.proposal JOIN spent ON spent.draft = 'd' || p.draft
        JOIN revisions AS r ON r.id = a.result WHERE a.verdict = 'apply' ORDER BY p.id
    """,
    "how_long_tools_take": """
        WITH ranked AS (
            SELECT tool, actor, duration_us, row_number() OVER (PARTITION BY tool, actor ORDER BY duration_us) AS place,
                count(*) OVER (PARTITION BY tool, actor) AS calls
            FROM activity WHERE capability <> ''
        )
        SELECT tool, actor, calls, min(duration_us) FILTER (WHERE place >= 0.5 * calls) / 1000.0,
            min(duration_us) FILTER (WHERE place >= 0.95 * calls) / 1000.0
        FROM ranked GROUP BY 1, 2 ORDER BY 1, 2
    """,
}


def timed(task: Callable[[], object]) -> float:
    """Seconds of one run."""
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def tables(path: Path, names: set[str]) -> duckdb.DuckDBPyConnection:
    """A new file with empty tables of these names."""
    path.unlink(missing_ok=True)
    made = duckdb.connect(path)
    made.execute("CREATE MACRO number(id) AS CAST(substr(id, 2) AS BIGINT)")
    for projector in PROJECTORS:
        if projector.name in names:
            made.execute(projector.ddl()[0])
    return made


def insert(target: duckdb.DuckDBPyConnection, rows: dict[str, pyarrow.Table]) -> None:
    """Put rows into tables in one transaction."""
    target.begin()
    for name, some in rows.items():
        target.register("incoming", some)
        target.execute(f"INSERT INTO {name} BY NAME SELECT * FROM incoming")
        target.unregister("incoming")
    target.commit()


def filling(studio: Studio, folder: Path, rounds: int) -> dict[str, float]:
    """From the journal to the tables, beside Arrow and pandas."""
    ws = studio.ws
    taken: dict[str, list[float]] = {"fill": [], "floor": [], "peer": [], "memory": []}
    rows = some = 0

    def pandas_way() -> int:
        with tables(folder / "peer.duckdb", {item.name for item in NUMBERED}) as target:
            journal = sqlite3.connect(ws.journal.path)
            count = 0
            for item in NUMBERED:
                query = f"SELECT {', '.join(item.cells)} FROM {item.source} AS t {item.joins} ORDER BY t.{item.key}"
                frame = pandas.read_sql_query(query, journal)
                frame.columns = pandas.Index([column.name for column in item.columns])
                for column in item.columns:
                    if column.type == "TIMESTAMP":
                        frame[column.name] = pandas.to_datetime(frame[column.name], unit="ms")
                insert(target, {item.name: frame})
                count += len(frame)
            journal.close()
        return count

    for _ in range(rounds):
        (ws.path / "analysis.duckdb").unlink(missing_ok=True)
        taken["fill"].append(timed(lambda: ws.analysis().close()))
        with ws.analysis() as connection:
            arrow = {item.name: connection.sql(f"FROM {item.name}").to_arrow_table() for item in PROJECTORS}
        rows = sum(table.num_rows for table in arrow.values())
        with tables(folder / "floor.duckdb", set(arrow)) as target:
            taken["floor"].append(timed(lambda target=target, arrow=arrow: insert(target, arrow)))
        del arrow
        started = time.perf_counter()
        some = pandas_way()
        taken["peer"].append(time.perf_counter() - started)
        taken["memory"].append(timed(lambda: ws.analysis(in_memory=True).close()))
    middle = {name: statistics.median(seconds) for name, seconds in taken.items()}
    return {
        "rows": rows,
        "rows_per_s": round(rows / middle["fill"]),
        "floor_rows_per_s": round(rows / middle["floor"]),
        "peer_rows_per_s": round(some / middle["peer"]),
        "fill_s": round(middle["fill"], 2),
        "memory_s": round(middle["memory"], 2),
    }


def syncing(studio: Studio, folder: Path, rounds: int) -> dict[str, float]:
    """A hundred rows more, beside Arrow and beside SQLite's own copying."""
    ws = studio.ws
    taken: dict[str, list[float]] = {"sync": [], "floor": [], "peer": [], "open": [], "idle": []}
    names = [item.name for item in NUMBERED]
    with tables(folder / "floor.duckdb", set(names)) as floor, sqlite3.connect(folder / "peer.sqlite") as peer:
        peer.execute("PRAGMA journal_mode = WAL")
        peer.execute("PRAGMA synchronous = FULL")
        peer.execute("ATTACH ? AS journal", [str(ws.journal.path)])
        for name in names:
            peer.execute(f"CREATE TABLE {name} AS SELECT * FROM journal.{name} LIMIT 0")
        peer.commit()
        with ws.analysis() as held:
            for name in names:
                floor.register("incoming", held.sql(f"FROM {name}").to_arrow_table())
                floor.execute(f"INSERT INTO {name} FROM incoming")
            for _ in range(5 * rounds):
                last = {name: peer.execute(f"SELECT max(id) FROM journal.{name}").fetchone()[0] for name in names}
                peer.commit()
                before = {name: held.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0] for name in names}
                studio.add(MORE)
                taken["sync"].append(timed(lambda: ws.analysis().close()))
                new = {name: held.sql(f"FROM {name} OFFSET {count}").to_arrow_table() for name, count in before.items()}
                if (count := new["changes"].num_rows + new["activity"].num_rows) < MORE:
                    raise SystemExit(f"{count} rows came instead of {MORE}")
                taken["floor"].append(timed(lambda new=new: insert(floor, new)))

                def copy(last: dict[str, int] = last) -> None:
                    for name, number in last.items():
                        peer.execute(f"INSERT INTO {name} SELECT * FROM journal.{name} WHERE id > ?", [number])
                    peer.commit()

                taken["peer"].append(timed(copy))
    for _ in range(5 * rounds):
        taken["idle"].append(timed(lambda: ws.analysis().close()))
        studio.add(MORE)
        taken["open"].append(timed(lambda: ws.analysis().close()))
    middle = {name: round(1000 * statistics.median(seconds), 2) for name, seconds in taken.items()}
    return {
        "sync_100_rows_ms": middle["sync"],
        "floor_sync_ms": middle["floor"],
        "peer_sync_ms": middle["peer"],
        "open_sync_ms": middle["open"],
        "idle_ms": middle["idle"],
    }


def asking(studio: Studio, rounds: int) -> dict[str, Any]:
    """Each question put to both in turn; a differing answer is a failure here."""
    found = {}
    other = sqlite3.connect(studio.ws.journal.path)
    other.execute("PRAGMA cache_size = -256000")  # as DuckDB, it may keep what it reads
    with studio.ws.analysis() as connection:
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
                "speedup": round(long / quick, 1),
            }
    other.close()
    speedup = math.exp(statistics.mean(math.log(pair["speedup"]) for pair in found.values()))
    return {"query_speedup_vs_journal": round(speedup, 1), "questions": found}


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--rows", type=int, default=1_000_000, help="rows of changes and activity (1000000)")
    options.add_argument("--pages", type=int, default=60, help="pages of the chapter (60)")
    options.add_argument("--rounds", type=int, default=3, help="runs per figure (3)")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        studio = Studio(folder, chosen.pages)
        studio.live(chosen.rows)
        figures: dict[str, Any] = {"journal_rows": studio.rows()}
        figures |= filling(studio, folder, chosen.rounds)
        figures |= syncing(studio, folder, chosen.rounds)
        figures |= asking(studio, chosen.rounds)
        figures["file_bytes"] = (studio.ws.path / "analysis.duckdb").stat().st_size
        figures["journal_bytes"] = studio.ws.journal.path.stat().st_size
        studio.ws.close()
    for key, value in figures.items():
        if not isinstance(value, dict):
            print(f"{key:<26} {value:>12,}")
    for key, pair in figures["questions"].items():
        print(
            f"{key:<30} DuckDB {pair['duckdb_ms']:9.2f} ms   SQLite {pair['sqlite_ms']:9.2f} ms"
            f"   {pair['speedup']:6.1f}×"
        )
    if chosen.json:
        print(json.dumps({"benchmark": "analysis", **figures}))


if __name__ == "__main__":
    main()
