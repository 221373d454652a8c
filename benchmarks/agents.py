"""What the kit's own agent costs beside its model: a turn through the seven nodes whose model and tools do nothing.

turn_overhead_ms     a turn with a checkpoint after every node, durable, p50
bare_overhead_ms     the floor: the same nodes called one after another, the same rows kept, without a graph, p50
times_floor          the one over the other
checkpoint_bytes     what a turn's checkpoints take, p50
tokens_off           the parts of the input against the whole that the model's server counted, all turns: nothing
framework_shift_ms   the framework's own time where the model takes 1.4 s, minus where it takes none
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lantern_kit.agents.chat import Hear, Message, Said, ToolCall, ToolSpec, Usage
from lantern_kit.agents.desk import Desk
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.meter import INPUT, PARTS, Kind, Meter, part_name
from lantern_kit.agents.react import LoopRunner
from lantern_kit.agents.tools import Result, Tool
from lantern_kit.agents.turn import Request, Runner, Seat
from lantern_kit.kernel.clock import SystemClock

SLOW_S = 1.4
COUNTED = Usage(1_009, 17, 512)


class Model:
    """Asks for one tool, then answers, after so many seconds; its server counts."""

    model = "nothing-1"
    stand_in = False

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        most: int = 1_024,
        hear: Hear | None = None,
    ) -> Said:
        """One call, or an answer."""
        if self._seconds:
            time.sleep(self._seconds)
        asked = bool(tools) and not any(message.calls for message in messages)
        calls = (ToolCall("c", "edit", {"text": "x"}),) if asked else ()
        return Said("" if asked else "So.", calls, "stop", COUNTED, self.model)


class Nothing:
    """One tool, which does nothing."""

    notice = ""

    def offered(self) -> Sequence[Tool]:
        """It."""
        return [Tool("edit", "Change a page.", {"type": "object", "properties": {"text": {"type": "string"}}}, True)]

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        """Nothing."""
        return Result(True, "{}", made={"revision": "r1"})


def turn(runner: Runner, desk: Desk, number: str, seconds: float = 0.0) -> Meter:
    """One turn, measured."""
    seat = Seat(chat=Model(seconds), tools=Nothing(), desk=desk, meter=Meter(), instructions="You make pages.")
    runner.run(Request(number, number, "Make a page"), seat)
    return seat.meter


def p50(run: Callable[[str], Meter], turns: int, name: str) -> tuple[float, list[Meter]]:
    """The middle of the framework's own milliseconds, and all meters."""
    meters = [run(f"{name}{place}") for place in range(turns)]
    return statistics.median(meter.framework for meter in meters) / 1e6, meters


def measured(folder: Path, turns: int) -> dict[str, float]:
    """All figures."""
    desk = Desk(folder / "agents.sqlite", SystemClock())
    graph, loop = GraphRunner(desk.path), LoopRunner()
    turn(graph, desk, "warm")
    turn(loop, desk, "warm-loop")
    over, meters = p50(lambda name: turn(graph, desk, name), turns, "g")
    bare, _ = p50(lambda name: turn(loop, desk, name), turns, "b")
    sizes = [_checkpoints(desk, f"g{place}") for place in range(max(0, turns - 10), turns)]
    slow = [turn(graph, desk, f"s{place}", SLOW_S) for place in range(3)]
    fast = [turn(graph, desk, f"f{place}") for place in range(9)]
    shift = statistics.median(m.framework for m in slow) - statistics.median(m.framework for m in fast)
    off = sum(
        abs(sum(span.facts[part_name(part)] for part in PARTS) - COUNTED.input) + abs(span.facts[INPUT] - COUNTED.input)
        for meter in (*meters, *slow)
        for span in meter.spans
        if span.kind is Kind.CHAT
    )
    graph.close()
    desk.close()
    return {
        "turn_overhead_ms": round(over, 2),
        "bare_overhead_ms": round(bare, 2),
        "times_floor": round(over / bare, 2),
        "checkpoint_bytes": int(statistics.median(sizes)),
        "tokens_off": off,
        "framework_shift_ms": round(shift / 1e6, 2),
    }


def _checkpoints(desk: Desk, name: str) -> int:
    """Bytes of a turn's checkpoints and of what its nodes wrote."""
    row = desk.connection.execute(
        "SELECT (SELECT sum(length(checkpoint) + length(metadata)) FROM checkpoints WHERE thread_id = :turn)"
        " + (SELECT coalesce(sum(length(value)), 0) FROM writes WHERE thread_id = :turn)",
        {"turn": name},
    ).fetchone()
    return int(row[0])


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    parser.add_argument("--turns", type=int, default=100, help="turns of each way (100)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder), asked.turns)
    if asked.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:22}{value}")


if __name__ == "__main__":
    main()
