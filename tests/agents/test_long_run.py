"""Many turns in processes that are killed again and again: each write once, every turn ended."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lantern_kit.agents.graph import KEPT, GraphRunner
from lantern_kit.assistant import open_desk
from lantern_kit.comic.model import Frame
from lantern_kit.workspace import Workspace

SCRIPT = Path(__file__).with_name("long_run.py")


@pytest.mark.parametrize(
    ("turns", "seed"),
    [(3, 7), pytest.param(50, 1, marks=pytest.mark.prove), pytest.param(50, 2, marks=pytest.mark.prove)],
)
def test_turns_killed_at_random_points_go_on_without_repeating_a_write(
    ws: Workspace, root: Path, turns: int, seed: int
) -> None:
    points, killed = random.Random(seed), 0
    while True:
        words = [sys.executable, str(SCRIPT), str(ws.path), str(turns), str(points.randint(20, 1_500))]
        done = subprocess.run(words, cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, text=True)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        killed += 1
    print(f"{turns} turns, killed {killed} times")
    assert killed >= turns // 3
    with ws.journal.read() as connection:
        scopes = connection.exec_driver_sql("SELECT scope, count(*) FROM receipts GROUP BY scope").fetchall()
    assert {str(row[0]).split("/")[0]: row[1] for row in scopes} == {"draft.begin": 1, "draft.edit": 2 * turns}
    units = list(ws.drafts.head("d1").book.units())
    assert [unit.name for unit in units] == [f"page-{number:02}" for number in range(turns)]
    assert all(sum(isinstance(item, Frame) for item in unit.objects) == 1 for unit in units)
    with closing(open_desk(ws)) as desk, closing(GraphRunner(desk.path)) as graph:
        kept = sorted(desk.newest(99), key=lambda item: item.turn)
        assert [item.turn for item in kept] == [f"t{number:02}" for number in range(turns)]
        assert all(item.outcome == "made" and item.ended is not None for item in kept)
        assert graph.held() == [item.turn for item in kept][-KEPT:]
    assert ws.verify().clean
