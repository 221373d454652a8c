"""Tools as clients list them: flat schemas and hints, made from the capabilities' own models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcp.types import Tool as Listed
from mcp.types import ToolAnnotations

from lantern_kit.kernel.capability import Capabilities, Capability, Risk, Scope
from lantern_kit.kernel.schema import flat_schema
from lantern_kit.mcp_server.profile import Profile, Shape, Tool

ACTION = "action"


def listed_tools(
    profile: Profile, capabilities: Capabilities, scopes: frozenset[Scope] = frozenset(Scope)
) -> list[Listed]:
    """The tools of a profile that callers with these scopes can use, with those of their actions that they can."""
    tools = (_within(tool, capabilities, scopes) for tool in profile.tools)
    return [_listed(tool, [capabilities.get(name) for name in tool.capabilities]) for tool in tools if tool is not None]


def _within(tool: Tool, capabilities: Capabilities, scopes: frozenset[Scope]) -> Tool | None:
    """What is left of a tool within some scopes; None where nothing is."""
    if all(capabilities.get(name).scope in scopes for name in tool.capabilities):
        return tool
    actions = {action: name for action, name in tool.actions.items() if capabilities.get(name).scope in scopes}
    return replace(tool, actions=actions) if actions else None


def _listed(tool: Tool, called: list[Capability]) -> Listed:
    writes = any(capability.writes for capability in called)
    return Listed(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=_input(tool, called),
        output_schema=_output(called) if tool.shape is Shape.DATA else None,
        annotations=ToolAnnotations(
            read_only_hint=not writes,
            destructive_hint=writes and any(capability.risk is not Risk.LOW for capability in called),
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def _input(tool: Tool, called: list[Capability]) -> dict[str, Any]:
    schemas = [flat_schema(capability.input, brief=True) for capability in called]
    properties: dict[str, Any] = {}
    if tool.actions:
        properties[ACTION] = {"type": "string", "enum": list(tool.actions)}
    for schema in schemas:
        properties.update(schema["properties"])
    first, *others = [schema.get("required", []) for schema in schemas]
    needed = [name for name in first if all(name in other for other in others)]
    required = [ACTION, *needed] if tool.actions else needed
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": required} if required else schema


def _output(called: list[Capability]) -> dict[str, Any]:
    """What a tool answers with; of one with actions only what all of them do, since each answers with its own."""
    first, *others = [flat_schema(capability.output, brief=True, shallow=True) for capability in called]
    properties = {
        name: part
        for name, part in first["properties"].items()
        if all(other["properties"].get(name) == part for other in others)
    }
    required = [
        name
        for name in first.get("required", [])
        if name in properties and all(name in other.get("required", []) for other in others)
    ]
    schema: dict[str, Any] = {"type": "object"}
    if properties:
        schema["properties"] = properties
    return {**schema, "required": required} if required else schema
