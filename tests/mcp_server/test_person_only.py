"""The whole surface that an agent meets, walked over the wire: nothing on it belongs to a person."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

DEEDS = frozenset(
    {
        "apply",
        "keep",
        "verdict",
        "approve",
        "enrol",
        "rotate",
        "revoke",
        "unlock",
        "lock",
        "archive",
        "create",
        "restore",
        "save",
        "resolve",
        "settle",
        "shelve",
        "reopen",
        "erase",
        "confirm",
        "pause",
        "resume",
        "budget",
    }
)


def words(name: str) -> set[str]:
    return set(re.split(r"[^a-z]+", name.lower()))


def named(schema: dict[str, Any]) -> set[str]:
    """Names of arguments and the values that they may take, at any depth."""
    found: set[str] = set()
    for name, item in schema.get("properties", {}).items():
        found |= words(name)
        for value in item.get("enum", ()):
            found |= words(str(value))
        found |= named(item) | named(item.get("items", {}))
    return found


def test_nothing_on_the_whole_surface_belongs_to_a_person(folder: Path) -> None:
    seen: dict[str, set[str]] = {}
    tools: list[str] = []

    async def walk() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-P", "-m", "lantern_kit.mcp_server", str(folder)])
        async with Client(stdio_client(server)) as client:
            for tool in (await client.list_tools()).tools:
                tools.append(tool.name)
                seen[tool.name] = words(tool.name) | named(tool.input_schema)
            for resource in (await client.list_resources()).resources:
                seen[str(resource.uri)] = words(str(resource.uri))
            for template in (await client.list_resource_templates()).resource_templates:
                seen[template.uri_template] = words(template.uri_template) | words(template.name)
            for prompt in (await client.list_prompts()).prompts:
                seen[prompt.name] = words(prompt.name) | {argument.name for argument in prompt.arguments or ()}

    anyio.run(walk)
    assert len(tools) == 16
    assert len(seen) >= 16 + 2 + 2, "and templates of resources, texts and prompts"
    assert {"undo", "discard", "pick", "claim", "note"} <= set().union(*seen.values()), "the walk sees actions"
    for name, found in seen.items():
        assert not found & DEEDS, name
