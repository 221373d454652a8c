"""Servers that let agents read and nothing else: what they list, and what they refuse."""

from __future__ import annotations

import pytest
from mcp.types import Tool as Listed

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.kernel.capability import Scope
from lantern_kit.mcp_server.profile import Tool
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import READS_ONLY, Face, scopes_for
from lantern_kit.mcp_server.tools import listed_tools
from lantern_kit.workspace import Workspace
from tests.mcp_server.host import Host

READS = scopes_for(read_only=True)
LISTED: dict[str, Listed] = {tool.name: tool for tool in listed_tools(COMIC, CAPABILITIES, READS)}
WRITING = [
    (tool, action, name)
    for tool in COMIC.tools
    for action, name in (tool.actions or {"": tool.capability}).items()
    if CAPABILITIES.get(name).writes
]


def test_tools_that_only_write_are_not_listed_and_the_others_all_are() -> None:
    reading = {
        tool.name for tool in COMIC.tools if any(not CAPABILITIES.get(name).writes for name in tool.capabilities)
    }
    assert set(LISTED) == reading
    assert all(tool.annotations is not None and tool.annotations.read_only_hint for tool in LISTED.values())


def test_of_a_tool_with_actions_only_those_that_read_are_listed() -> None:
    assert LISTED["annotations"].input_schema["properties"]["action"]["enum"] == ["list", "inspect"]
    assert LISTED["manage_draft"].input_schema["properties"]["action"]["enum"] == ["status"]
    for tool in LISTED.values():
        assert not {"idempotency_key", "expected_revision"} & set(tool.input_schema["properties"])


@pytest.mark.parametrize(("tool", "action", "name"), WRITING, ids=[name for *_, name in WRITING])
def test_every_write_is_refused_for_want_of_the_scope(
    tool: Tool, action: str, name: str, host: Host, ws: Workspace
) -> None:
    face = Face(host.dispatcher, COMIC, scopes=READS)
    result = face.call(tool.name, {"action": action} if action else {}, host.actor, scopes=READS)
    assert result.is_error
    assert '"code":"not_allowed"' in result.content[0].text
    assert f"{name} needs the scope {Scope.DRAFT.value}" in result.content[0].text
    assert ws.verify().clean


def test_the_instructions_say_so_first(host: Host) -> None:
    plain, reading = host.face.server(), Face(host.dispatcher, COMIC, scopes=READS).server()
    assert plain.instructions == COMIC.instructions
    assert reading.instructions == f"{READS_ONLY}\n{COMIC.instructions}"
