"""Replies and errors as tool results, in the form that hosts neither drop nor cut."""

from __future__ import annotations

import base64
import json
import shlex
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from mcp.types import CallToolResult, ImageContent, TextContent

from lantern_kit.kernel.capability import Reply
from lantern_kit.kernel.errors import BadInput, LanternError
from lantern_kit.mcp_server.profile import Profile, Shape, Tool
from lantern_kit.review_site import ReviewSite

Site = Callable[[], ReviewSite | None]
"""Finds the review server that runs for a workspace."""
REVIEW = "review"
"""The key of answers that says how a person opens a proposal."""
FAULT: dict[str, Any] = {
    "code": "internal_error",
    "message": "Lantern Kit failed on this call.",
    "retryable": True,
    "recovery": "Retry it with the same idempotency_key; if it fails again, tell the person; the log says where.",
}


def compact_json(value: Any) -> str:
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def answer(tool: Tool, reply: Reply, folder: str = "", site: Site = lambda: None) -> CallToolResult:
    """What a tool gives for a capability's reply.

    Args:
        tool: which.
        reply: what its capability gave.
        folder: the name of the workspace's own folder, for commands that a person types.
        site: finds the review server that runs for the workspace; asked only where an answer leads there.
    """
    match tool.shape:
        case Shape.DATA:
            data = opening(reply.data, folder, site) if tool.opens else reply.data
            return CallToolResult(content=[_text(compact_json(data))], structured_content=data)
        case Shape.TEXT:
            text = reply.data.get("text")
            return CallToolResult(content=[_text(text if isinstance(text, str) else compact_json(reply.data))])
        case Shape.PICTURE:
            pictures = [
                ImageContent(data=base64.b64encode(item.data).decode(), mime_type=item.media) for item in reply.pictures
            ]
            return CallToolResult(content=[_text(compact_json(reply.data)), *pictures])


def opening(data: Mapping[str, Any], folder: str, site: Site) -> dict[str, Any]:
    """An answer, and the rows that it lists, with the way to open each undecided proposal: link, or command."""
    rows = {key: value for key, value in data.items() if isinstance(value, list)}
    leads = REVIEW in data or any(isinstance(row, dict) and REVIEW in row for value in rows.values() for row in value)
    if not leads:
        return dict(data)
    server = site()

    def led(facts: Mapping[str, Any]) -> dict[str, Any]:
        return {key: way(value, folder, server) if key == REVIEW else value for key, value in facts.items()}

    return led(data) | {
        key: [led(row) if isinstance(row, dict) else row for row in value] for key, value in rows.items()
    }


def way(command: str, folder: str, server: ReviewSite | None = None) -> str:
    """How a person opens ``lantern review p1``: the server's address, else what is typed, ``lantern review ws p1``."""
    program, verb, proposal = command.split(" ")
    if server is not None:
        return server.link(proposal)
    return " ".join([program, verb, *([shlex.quote(folder)] if folder else []), proposal])


def refusal(error: LanternError, profile: Profile, tool: Tool | None = None) -> CallToolResult:
    """What a tool gives for a deliberate error: one JSON text that says what is wrong and what to do next."""
    following = next_tool(error, profile, tool)
    payload = error.payload() | ({"next_tool": following} if following else {})
    return CallToolResult(content=[_text(compact_json(payload))], is_error=True)


def next_tool(error: LanternError, profile: Profile, tool: Tool | None = None) -> str:
    """The tool to call after an error; empty where there is none."""
    code = "unknown_operation" if isinstance(error, BadInput) and "operation" in error.details else error.code
    following = profile.next_tool | (tool.next_tool if tool is not None else {})
    return following.get(code, "")


def failure(error: Exception) -> CallToolResult:
    """What a tool gives for a fault of the kit itself: nothing of it reaches the client."""
    log_fault(error)
    return CallToolResult(content=[_text(compact_json(FAULT))], is_error=True)


def log_fault(error: Exception) -> None:
    """Say on stderr where the kit failed.

    Neither the exception's own text nor the arguments are written anywhere: they may hold words of the work.
    """
    places = [f"  {at.filename}:{at.lineno} in {at.name}" for at in traceback.extract_tb(error.__traceback__)]
    sys.stderr.write("\n".join([f"lantern mcp: {type(error).__name__}", *places, ""]))
    sys.stderr.flush()


def _text(text: str) -> TextContent:
    return TextContent(text=text)
