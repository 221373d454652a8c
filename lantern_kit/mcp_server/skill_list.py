"""The protocol's extension for skills: each with what it says of itself and the digests of its files.

The files themselves are resources (``taught``). Source: SEP-2640, io.modelcontextprotocol/skills.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, PaginatedRequestParams, RequestParams

from lantern_kit.kernel.errors import NotFound
from lantern_kit.mcp_server.taught import address
from lantern_kit.skills import Skill

EXTENSION = "io.modelcontextprotocol/skills"
FRESH = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""A skill changes when another version of the kit is started, and never in between."""


class GetSkillParams(RequestParams):
    """Which skill."""

    uri: str


def entry(skill: Skill) -> dict[str, Any]:
    """A skill as the extension describes it."""
    return {
        "uri": address(skill, skill.files[0]),
        "frontmatter": dict(skill.frontmatter),
        "resources": [
            {"uri": address(skill, file), "digest": f"sha256:{file.digest}", "size": len(file.data)}
            for file in skill.files
        ],
    }


def serve_skills(server: Server[Any], skills: Sequence[Skill]) -> None:
    """Let a server list and describe skills; without any, it does not say that it could."""
    if not skills:
        return
    entries = {found["uri"]: found for found in map(entry, skills)}

    async def list_skills(context: ServerRequestContext[Any, Any], params: PaginatedRequestParams) -> dict[str, Any]:
        return {"skills": list(entries.values()), **FRESH}

    async def get_skill(context: ServerRequestContext[Any, Any], params: GetSkillParams) -> dict[str, Any]:
        if params.uri not in entries:
            error = NotFound("there is no skill at that address", expected=list(entries), recovery="List the skills.")
            raise MCPError(INVALID_PARAMS, error.message, error.payload())
        return {"skill": entries[params.uri], **FRESH}

    server.extensions[EXTENSION] = {}
    server.add_request_handler("skills/list", PaginatedRequestParams, list_skills)
    server.add_request_handler("skills/get", GetSkillParams, get_skill)
