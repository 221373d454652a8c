"""Several processes at one library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from lantern_kit.workspace import Workspace

KEEPER = Path(__file__).with_name("keeper.py")
AGENTS = ("ann", "ben")


def test_two_processes_that_keep_and_update_at_once_lose_nothing(ws: Workspace) -> None:
    shared = ws.library.keep("character", "Mira", notes="")
    count = 20
    running = [
        subprocess.Popen(
            [sys.executable, str(KEEPER), str(ws.path), agent, shared.id, str(count)], stdout=subprocess.PIPE, text=True
        )
        for agent in AGENTS
    ]
    lines = [line.split() for worker in running for line in worker.communicate()[0].splitlines()]
    assert all(worker.returncode == 0 for worker in running)
    kept = {value for word, value in lines if word == "kept"}
    updated = [int(value) for word, value in lines if word == "updated"]
    refused = [value for word, value in lines if word == "refused"]
    assert len(kept) == 2 * count
    assert {item.name for item in ws.library.find(kind="prop")} == {
        f"{agent} {number}" for agent in AGENTS for number in range(count)
    }
    assert len(updated) + len(refused) == 2 * count
    assert set(refused) <= {"stale_entry"}
    assert sorted(updated) == list(range(2, len(updated) + 2))
    assert ws.library.get(shared.id).number == len(updated) + 1
    assert ws.verify().clean
