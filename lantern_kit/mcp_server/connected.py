"""The workspaces that the hosts of a project were connected to, as the projects' own files name them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lantern_kit.mcp_server.connect import FILES, MODULE, Host


def connected(start: Path) -> Iterator[Path]:
    """Workspace folders that are named in a folder or above it, the nearest first, each once.

    Args:
        start: where a host is started, or a folder inside.
    """
    seen: set[Path] = set()
    for folder in (start, *start.parents):
        for host, names in FILES.items():
            for workspace in _named(_settings(folder.joinpath(*names), toml=host is Host.CODEX)):
                if workspace not in seen:
                    seen.add(workspace)
                    yield workspace


def _settings(path: Path, *, toml: bool) -> Any:
    """What a host's file holds; nothing where it is not there or is not what it should be."""
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text) if toml else json.loads(text)
    except (OSError, ValueError, RecursionError):
        return {}


def _named(settings: Any) -> Iterator[Path]:
    for root in ("mcpServers", "servers", "mcp_servers"):
        servers = settings.get(root) if isinstance(settings, dict) else None
        for server in servers.values() if isinstance(servers, dict) else ():
            words = server.get("args") if isinstance(server, dict) else None
            if isinstance(words, list) and MODULE in words[:-1]:
                word = words[words.index(MODULE) + 1]
                if isinstance(word, str) and Path(word).is_absolute():
                    yield Path(word)
