"""The protocol's own inspector lists and calls our tools: somebody else's reader.

It is fetched with npm into a cache of its own, outside the checkout; without npm or a network the proof is skipped, and
says so.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.mcp_server.profiles import COMIC

PACKAGE = "@modelcontextprotocol/inspector@0.15.0"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "lantern-kit" / "inspector"

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def inspector() -> str:
    """The inspector's program, fetched once."""
    program = CACHE / "node_modules" / ".bin" / "mcp-inspector"
    if not program.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("NOT PROVED: npm is not installed, so the MCP inspector cannot be fetched")
        CACHE.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--prefix", str(CACHE), PACKAGE],
            capture_output=True,
            text=True,
            timeout=600,
        )
        if done.returncode:
            pytest.skip(f"NOT PROVED: npm could not fetch {PACKAGE}: {done.stderr[-300:]}")
    return str(program)


def inspect(inspector: str, folder: Path, *arguments: str) -> dict[str, Any]:
    server = [sys.executable, "-P", "-m", "lantern_kit.mcp_server", str(folder)]
    done = subprocess.run([inspector, "--cli", *server, *arguments], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_inspector_lists_the_tools(inspector: str, folder: Path) -> None:
    tools = inspect(inspector, folder, "--method", "tools/list")["tools"]
    assert [tool["name"] for tool in tools] == [tool.name for tool in COMIC.tools]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)


def test_the_inspector_calls_a_tool_and_shows_a_refusal(inspector: str, folder: Path) -> None:
    call = ("--method", "tools/call", "--tool-name")
    listed = inspect(inspector, folder, *call, "outline")
    assert listed["structuredContent"]["chapters"][0]["comic"] == "Chelsea Goes Up"
    guide = inspect(inspector, folder, *call, "describe", "--tool-arg", "guide=page")
    assert guide["structuredContent"]["guide"].startswith("# Laying out a page")
    refused = inspect(inspector, folder, *call, "read_unit", "--tool-arg", "source=d9", "--tool-arg", "unit=1")
    assert refused["isError"] is True
    assert json.loads(refused["content"][0]["text"])["code"] == "not_found"
