"""The protocol's own inspector lists and calls our tools, over both transports and in both eras."""

from __future__ import annotations

import base64
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lantern_kit.mcp_server.profiles import COMIC, NOVEL
from tests.mcp_server.outside import Program, fetched
from tests.novel.capabilities.conftest import Place

HERE = Path(__file__).parent
PACKAGE = "@modelcontextprotocol/inspector@2.12.0"
Inspect = Callable[..., dict[str, Any]]

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def inspector() -> Program:
    return fetched(PACKAGE, "mcp-inspector")


@pytest.fixture(params=["stdio, legacy", "http, modern"])
def inspect(request: pytest.FixtureRequest, inspector: Program, folder: Path) -> Inspect:
    """What the inspector says to one request, made by a process of its own."""
    transport, era = request.param.split(", ")
    if transport == "http":
        target = ["--transport", "http", "--server-url", request.getfixturevalue("door").url]
    else:
        target = [sys.executable, "-P", "-m", "lantern_kit.mcp_server", str(folder)]

    return asking(inspector, target, era)


@pytest.fixture
def inspect_novel(inspector: Program, tmp_path: Path) -> Inspect:
    """The same of a server of one novel over stdio."""
    made = Place(tmp_path / "novels")
    made.ws.close()
    target = [sys.executable, "-P", "-m", "lantern_kit.mcp_server", str(made.ws.path), "--profile", "novel"]
    return asking(inspector, target, "legacy")


def asking(inspector: Program, target: list[str], era: str) -> Inspect:
    """Asks a server one thing, with an inspector of its own."""

    def ask(method: str, *more: str) -> dict[str, Any]:
        words = [*target, "--method", method, "--protocol-era", era, "--quiet", *more]
        done = inspector.run("--cli", *words)
        assert done.stdout, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    return ask


def test_every_tool_is_listed_and_called(inspect: Inspect) -> None:
    listed = inspect("tools/list", "--strict")["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in COMIC.tools]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in listed)
    called = set()

    def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
        called.add(tool)
        given = ("--tool-name", tool, "--tool-args-json", json.dumps(arguments))
        result = inspect("tools/call", *given)
        assert not result.get("isError"), result
        text = result["content"][0]["text"]
        if "structuredContent" in result:
            assert json.loads(text) == result["structuredContent"]
        kinds = [block["type"] for block in result["content"]]
        return {"text": text, "kinds": kinds, **(json.loads(text) if text.startswith("{") else {})}

    chapter = call("outline")["chapters"][0]["chapter"]
    assert call("describe", guide="page")["guide"].startswith("# ")
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "#c33").save(out, "PNG")
    data = base64.b64encode(out.getvalue()).decode()
    picture = call("register_asset", data=data, title="Red", idempotency_key="a")["asset"]["asset"]
    assert call("read_asset", asset=picture)["kinds"] == ["text", "image"]
    begun = call("begin_draft", chapter=chapter, idempotency_key="b")
    page = [
        {"op": "unit.add", "as": "page"},
        {"op": "frame.add", "target": "@page", "as": "f", "args": {"rect": [8, 8, 89, 60]}},
        {"op": "image.place", "target": "@f", "args": {"asset": picture}},
        {"op": "balloon.add", "target": "@f", "args": {"text": "Mine?", "at": [50, 20], "tail": [40, 40]}},
    ]
    at = {"draft": begun["draft"], "expected_revision": begun["revision"]}
    at["expected_revision"] = call("edit", **at, idempotency_key="e", operations=page)["revision"]
    assert "Mine?" in call("read_unit", source=begun["draft"], unit="1")["text"]
    assert call("look", source=begun["draft"], unit="1", size=256)["kinds"] == ["text", "image"]
    assert call("find", source=begun["draft"], text="mine")["match"] == "one"
    assert call("check", source=begun["draft"])["checked"] == 1
    assert call("compare", source=begun["draft"], show="difference", unit="1")["kinds"] == ["text", "image"]
    assert call("library", action="list") is not None
    assert call("annotations", action="list", chapter=chapter)["annotations"] == []
    assert call("manage_draft", action="status", draft=begun["draft"])["state"] == "open"
    proposal = call("freeze", **at, idempotency_key="f", summary="one page")["proposal"]
    assert call("proposals", proposal=proposal)["proposals"][0]["state"] == "pending"
    assert called == {tool.name for tool in COMIC.tools}


def test_a_refusal_a_resource_and_a_prompt_are_read(inspect: Inspect) -> None:
    given = ("--tool-name", "read_unit", "--tool-args-json", json.dumps({"source": "d9", "unit": "1"}))
    refused = inspect("tools/call", *given)
    assert refused["isError"] is True
    assert json.loads(refused["content"][0]["text"])["code"] == "not_found"
    listed = inspect("resources/list")["resources"]
    assert "skill://lantern/SKILL.md" in [item["uri"] for item in listed]
    (skill,) = inspect("resources/read", "--uri", "skill://lantern/SKILL.md")["contents"]
    assert skill["text"].startswith("---\nname: lantern")
    assert len(inspect("resources/templates/list")["resourceTemplates"]) == len(COMIC.resources)
    name = inspect("prompts/list")["prompts"][0]["name"]
    assert inspect("prompts/get", "--prompt-name", name)["messages"][0]["role"] == "user"


def test_a_novels_tools_are_listed_and_its_work_its_state_and_a_refusal_are_read(inspect_novel: Inspect) -> None:
    listed = inspect_novel("tools/list", "--strict")["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in NOVEL.tools]
    assert len(listed) == 20

    def call(tool: str, /, **arguments: Any) -> tuple[bool, dict[str, Any]]:
        result = inspect_novel("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))
        return result.get("isError", False), json.loads(result["content"][0]["text"])

    failed, work = call("next_work", idempotency_key="n")
    assert (failed, work["kind"]) == (False, "outline-create")
    failed, status = call("status_read")
    assert (failed, status["title"]) == (False, "The Lamp")
    failed, refusal = call("body_read", unit="nothing")
    assert (failed, refusal["code"]) == (True, "not_found")
