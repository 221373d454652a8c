"""The same at the tools: every wrong argument of every action of every tool, as a client gets it back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.types import TextContent

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.kernel.capability import Scope
from lantern_kit.mcp_server.profile import Tool
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.resources import route
from lantern_kit.mcp_server.server import Face
from lantern_kit.workspace import Workspace
from tests.contract.faults import CANARY, UNKNOWN, faults, misspelt
from tests.contract.stage import AGENT, Stage, content
from tests.contract.test_refusals import asked_of

ACTIONS = [
    pytest.param(tool, action, name, id=f"{tool.name}-{action}" if action else tool.name)
    for tool in COMIC.tools
    for action, name in (tool.actions or {"": tool.capability}).items()
]
EVERY_ACTION = pytest.mark.parametrize(("tool", "action", "name"), ACTIONS)
NAMES = {tool.name for tool in COMIC.tools}


@pytest.fixture(scope="module")
def face(stood: Workspace) -> Face:
    return Face(stood.dispatcher(), COMIC, folder=stood.path.name)


def refused(face: Face, tool: str, arguments: dict[str, Any], **options: Any) -> dict[str, Any]:
    """The payload of a call that must fail, as it is sent."""
    result = face.call(tool, arguments, AGENT, **options)
    assert result.is_error
    assert result.structured_content is None
    (block,) = result.content
    assert isinstance(block, TextContent)
    found: dict[str, Any] = json.loads(block.text)
    assert {"code", "message", "retryable"} <= found.keys()
    assert found["code"] != "internal_error"
    assert found.get("next_tool", tool) in NAMES
    assert CANARY not in block.text
    return found


@EVERY_ACTION
def test_wrong_arguments_of_a_tool_are_refused_by_name_and_write_nothing(
    tool: Tool, action: str, name: str, face: Face, stage: Stage
) -> None:
    example = stage.fill(asked_of(name))
    chosen = {"action": action} if action else {}
    before = content(stage.folder)
    for case in faults(CAPABILITIES.get(name).input, example):
        payload = refused(face, tool.name, {**case.args, **chosen})
        assert payload["code"] in case.codes, case.what
        assert case.says in json.dumps(payload), case.what
    assert content(stage.folder) == before


@pytest.mark.parametrize("tool", [tool for tool in COMIC.tools if tool.actions], ids=lambda tool: tool.name)
def test_an_action_is_misspelt_missing_or_no_text(tool: Tool, face: Face, stage: Stage) -> None:
    for action, name in tool.actions.items():
        example = stage.fill(asked_of(name))
        for wrong in (
            *misspelt(action, tool.actions),
            None,
            7,
            True,
            [action],
            {action: 1},
            "",
            CANARY,
            action.upper(),
        ):
            payload = refused(face, tool.name, {**example, "action": wrong})
            assert payload["code"] == "bad_input"
            assert payload["expected"] == list(tool.actions)
        for wrong in misspelt("action", {}):
            assert "action" in refused(face, tool.name, {**example, wrong: action})["recovery"]


@pytest.mark.parametrize("tool", [tool for tool in COMIC.tools if tool.actions], ids=lambda tool: tool.name)
def test_an_argument_of_another_action_is_unknown(tool: Tool, face: Face, stage: Stage) -> None:
    models = {action: CAPABILITIES.get(name).input.model_fields for action, name in tool.actions.items()}
    for action, name in tool.actions.items():
        foreign = {key for fields in models.values() for key in fields} - set(models[action])
        for key in foreign:
            payload = refused(face, tool.name, {**stage.fill(asked_of(name)), "action": action, key: "x"})
            assert payload["code"] in UNKNOWN


@EVERY_ACTION
def test_who_was_granted_nothing_may_do_nothing(tool: Tool, action: str, name: str, face: Face, stage: Stage) -> None:
    before = content(stage.folder)
    given = {**stage.fill(asked_of(name)), **({"action": action} if action else {})}
    assert refused(face, tool.name, given, scopes=frozenset())["code"] == "not_allowed"
    if CAPABILITIES.get(name).writes:
        assert refused(face, tool.name, given, scopes=frozenset({Scope.READ}))["code"] == "not_allowed"
    assert content(stage.folder) == before


def test_every_capability_is_reached_by_a_tool_or_an_address() -> None:
    reached = {name for tool in COMIC.tools for name in tool.capabilities}
    reached |= {item.capability for item in COMIC.resources if item.capability}
    reached.add(COMIC.listing)
    assert reached == {item.name for item in CAPABILITIES}


def test_every_example_of_an_address_leads_to_its_capability(stage: Stage) -> None:
    for item in COMIC.resources:
        if not item.capability:
            continue
        example = stage.fill(asked_of(item.capability))
        uri = item.template
        for key, value in example.items():
            uri = uri.replace(f"{{{key}}}", str(value).replace("#", "%23"))
        name, given = route(COMIC, uri)
        assert name == item.capability
        assert given.items() <= example.items()
