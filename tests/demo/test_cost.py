"""What the demo's chapter costs an agent, as the benchmark counts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_three_rich_units_cost_at_most_40_calls_and_30_000_tokens_by_change_sets() -> None:
    program = [sys.executable, str(ROOT / "benchmarks" / "agent.py"), "--json"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout.splitlines()[-1])
    sets, single = figures["change_sets"], figures["one_a_call"]
    assert sets["calls"] <= 40
    assert sets["tokens_in"] + sets["tokens_out"] <= 30_000
    assert single["calls"] > 2 * sets["calls"]
    assert single["tokens_in"] > sets["tokens_in"]
    assert single["pictures"] == sets["pictures"]
