"""Bringing the tables up to date: it says how far it is, can be stopped, and goes on from there the next time."""

from __future__ import annotations

import threading

import duckdb
import pytest

from lantern_kit.analysis import run as run_module
from lantern_kit.analysis import sync
from lantern_kit.kernel.errors import Stopped
from lantern_kit.kernel.progress import Progress
from lantern_kit.widgets.jobs.job import start
from tests.analysis.world import World, contents

WAIT = 60


def stopping(at: int) -> Progress:
    left = at

    def tell(what: str, done: int, total: int) -> None:
        nonlocal left
        if not left:
            raise Stopped("stopped")
        left -= 1

    return tell


@pytest.mark.parametrize("batch", [7, 50_000])
def test_a_run_that_is_stopped_leaves_a_state_to_go_on_from(
    world: World, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(run_module, "BATCH", batch)
    with world.analysis(in_memory=True) as fresh:
        whole = contents(fresh)
    stops, kept = 0, []
    while stops < 400:  # each time a little further, until it comes through
        try:
            world.analysis(progress=stopping(5 + stops)).close()
            break
        except Stopped:
            stops += 1
        with duckdb.connect(world.ws.path / "analysis.duckdb") as left:
            marks = dict(left.execute("SELECT name, watermark FROM lantern.marks").fetchall())
            rows = dict(left.execute("SELECT table_name, estimated_size FROM duckdb_tables()").fetchall())
            kept.append(marks.get("changes", 0))
            assert rows.get("changes", 0) == kept[-1]
    assert stops
    assert kept == sorted(kept)
    assert (kept[-1] > 0) == (batch == 7)
    with world.analysis() as db:
        assert contents(db) == whole
    assert world.notices == []


def test_a_job_waits_for_another_one_and_says_so_and_can_be_stopped_meanwhile(world: World) -> None:
    waits = threading.Event()

    def tell(what: str, done: int, total: int) -> None:
        if what == "waiting for another one":
            waits.set()

    with sync._SYNCING:
        job = start(world.ws.analysis, in_memory=True, progress=tell)
        assert waits.wait(WAIT)
        job.stop()
        with pytest.raises(Stopped):
            job.result(WAIT)
    with world.analysis(in_memory=True) as db:
        assert contents(db)


def test_two_jobs_fill_one_file_and_both_see_everything(world: World) -> None:
    jobs = [start(world.ws.analysis) for _ in range(2)]
    with world.analysis(in_memory=True) as fresh:
        whole = contents(fresh)
    for job in jobs:
        with job.result(WAIT) as db:
            assert contents(db) == whole
