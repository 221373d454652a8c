"""Several processes at one analysis file, and processes that die while they fill it."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from tests.analysis.world import TABLES, World, contents

HOLD = """
import sys
from lantern_kit.analysis import analysis
from lantern_kit.workspace import open_workspace
from tests.analysis.world import PROJECTORS
workspace = open_workspace(sys.argv[1])
db = analysis(workspace, PROJECTORS)
print(db.execute("SELECT count(*) FROM changes").fetchone()[0], flush=True)
sys.stdin.read()
"""
DIE = """
import os, signal, sys
from lantern_kit.analysis import analysis, run
from lantern_kit.workspace import open_workspace
from tests.analysis.world import PROJECTORS
run.BATCH = int(sys.argv[2])
left = int(sys.argv[3])
def tell(what, done, total):
    global left
    left -= 1
    if left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)
analysis(open_workspace(sys.argv[1]), PROJECTORS, progress=tell, notify=print)
"""
FILL = """
import sys
from lantern_kit.analysis import analysis, run
from lantern_kit.workspace import open_workspace
from tests.analysis.world import PROJECTORS
run.BATCH = 7
workspace = open_workspace(sys.argv[1])
print("ready", flush=True)
while True:
    analysis(workspace, PROJECTORS, rebuild=True, notify=print).close()
    print("filled", flush=True)
"""


FULL = """
import resource, signal, sys
from lantern_kit.analysis import analysis
from lantern_kit.workspace import open_workspace
from tests.analysis.world import PROJECTORS
workspace = open_workspace(sys.argv[1])
workspace.journal.connect().close()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
db = analysis(workspace, PROJECTORS, notify=lambda notice: print(notice.code, notice.message))
print(db.execute("SELECT count(*) FROM changes").fetchone()[0])
"""


@contextmanager
def running(root: Path, code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


def test_while_another_process_has_the_file_this_one_gets_a_copy_and_is_told(world: World, root: Path) -> None:
    with running(root, HOLD, str(world.ws.path)) as other:
        assert other.stdout is not None
        counted = int(other.stdout.readline())
        with world.analysis() as db:
            assert db.execute("SELECT count(*) FROM changes").fetchone() == (counted,)
            copied = contents(db)
            assert db.execute("SELECT path FROM duckdb_databases() WHERE NOT internal").fetchall() == [(None,)]
        assert [notice.code for notice in world.notices] == ["in_memory"]
        assert str(world.ws.path) not in str(world.notices[0])
        world.edit()  # the journal is free
    world.notices.clear()
    with world.analysis() as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh) != copied
    assert world.notices == []


@pytest.mark.parametrize(("batch", "calls", "kept"), [(1, 1, 1), (1, 300, 1), (7, 9, 1), (50_000, 11, 0)])
def test_a_process_killed_while_it_fills_the_file_leaves_a_state_to_go_on_from(
    world: World, root: Path, batch: int, calls: int, kept: int
) -> None:
    with running(root, DIE, str(world.ws.path), str(batch), str(calls)) as other:
        said = other.communicate()
    assert other.returncode == -signal.SIGKILL, said
    with duckdb.connect(world.ws.path / "analysis.duckdb") as left:
        marks = dict(left.execute("SELECT name, watermark FROM lantern.marks").fetchall())
        assert (marks.get("revisions", 0) > 0) == bool(kept)
        if kept:
            assert left.execute("SELECT count(*) FROM changes").fetchone() == (marks["changes"],)
            assert left.execute("SELECT coalesce(max(number(revision)), 0) FROM revisions").fetchone() == (
                marks["revisions"],
            )
    done: dict[str, int] = {}
    world.live(5)
    with world.analysis(progress=lambda what, now, _: done.update({what: now})) as db:
        with world.analysis(in_memory=True) as fresh:
            assert contents(db) == contents(fresh)
        (rows,) = db.execute("SELECT count(*) FROM changes").fetchone() or (0,)
    assert done.get("changes", 0) == rows - marks.get("changes", 0), "it went on from where the other one died"
    assert world.notices == []


@pytest.mark.prove
@pytest.mark.parametrize("attempt", range(20))
def test_a_process_killed_at_any_moment_leaves_a_state_to_go_on_from(world: World, root: Path, attempt: int) -> None:
    with running(root, FILL, str(world.ws.path)) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        chance = random.Random(attempt)
        for _ in range(chance.randint(0, 2)):
            assert other.stdout.readline() == "filled\n"
        try:
            other.wait(chance.uniform(0.01, 0.4))
        except subprocess.TimeoutExpired:
            other.kill()
        assert other.wait() == -signal.SIGKILL
    with world.analysis() as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh)
    assert world.notices == []


@pytest.mark.parametrize("room", [5_000, 13_000, 60_000])
def test_where_the_disk_has_no_room_the_rows_are_in_memory_and_the_file_is_not_blamed(
    world: World, root: Path, room: int
) -> None:
    with running(root, FULL, str(world.ws.path), str(room)) as other:
        said, complaints = other.communicate()
    assert other.returncode == 0, complaints
    notice, counted = said.splitlines()
    assert notice.startswith("in_memory This is a copy in memory")
    assert "Could not write" in notice
    with world.analysis() as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh)
        assert len(contents(db)["changes"]) == int(counted)
    assert not any(notice.code == "in_memory" for notice in world.notices)


def test_two_processes_that_begin_together_both_get_all_rows(world: World, root: Path) -> None:
    with world.analysis(in_memory=True) as fresh:
        wanted = len(contents(fresh)["changes"])
    with running(root, HOLD, str(world.ws.path)) as one, running(root, HOLD, str(world.ws.path)) as two:
        assert one.stdout is not None
        assert two.stdout is not None
        assert [int(one.stdout.readline()), int(two.stdout.readline())] == [wanted, wanted]
    with world.analysis() as db:
        assert all(contents(db)[name] for name in TABLES)


def test_asking_for_tables_loads_duckdb_and_naming_them_does_not(root: Path) -> None:
    code = (
        "import sys, lantern_kit.analysis, lantern_kit.asset_projectors, lantern_kit.comic.projectors;"
        "print({'duckdb', 'pyarrow', 'matplotlib', 'skia'} & {name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr
