"""The configuration that lets an MCP host start the server: shown, or merged into the file where the host looks.

Formats: Claude Code ``.mcp.json``, Codex ``.codex/config.toml``, Gemini CLI ``.gemini/settings.json``, VS Code
``.vscode/mcp.json``, each in the folder of the project; any other host takes the ``mcpServers`` object.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from lantern_kit.kernel.errors import BadInput, WrongState, nearest

NAME = "lantern"
MODULE = "lantern_kit.mcp_server"
"""What hosts run; the workspace's folder follows it."""
TOKEN = "LANTERN_TOKEN"  # noqa: S105  its name, not a token
"""The environment variable from which a host takes the token of a server over HTTP."""
_NAME = re.compile(r"^[A-Za-z0-9-]{1,40}$")


class Host(StrEnum):
    """Programs that start MCP servers."""

    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    GEMINI = "gemini"
    VSCODE = "vscode"
    JSON = "json"

    @property
    def program(self) -> str:
        """What a person types to start it; empty where that is not known."""
        return _PROGRAMS.get(self, "")


_PROGRAMS = {Host.CLAUDE_CODE: "claude", Host.CODEX: "codex", Host.GEMINI: "gemini", Host.VSCODE: "code"}
_ALIASES = {"claude": Host.CLAUDE_CODE, "gemini-cli": Host.GEMINI, "code": Host.VSCODE, "generic": Host.JSON}
FILES = {
    Host.CLAUDE_CODE: (".mcp.json",),
    Host.CODEX: (".codex", "config.toml"),
    Host.GEMINI: (".gemini", "settings.json"),
    Host.VSCODE: (".vscode", "mcp.json"),
}
"""Where each looks, below the folder of a project."""


@dataclass(frozen=True)
class Launch:
    """How a host starts the server."""

    workspace: Path
    """The workspace's folder."""
    python: str = sys.executable
    """The interpreter in whose environment Lantern Kit is installed."""
    name: str = NAME
    """How the host calls it."""
    profile: str = "comic"
    """Which tools it offers."""
    novel: str = ""
    """Which one, for the profile of novels; empty: the only one when it begins."""
    roots: Sequence[Path] = ()
    """Folders, besides the workspace's inbox, from which agents may read pictures."""
    read_only: bool = False
    """Let agents read, and nothing else."""

    @property
    def command(self) -> list[str]:
        """What the host runs, word by word."""
        # -P: a module in the folder where the host happens to be started must not shadow one of ours.
        words = [self.python, "-P", "-m", MODULE, str(self.workspace.resolve()), "--profile", self.profile]
        words += ["--novel", self.novel] if self.novel else []
        words += ["--read-only"] if self.read_only else []
        return [*words, *(word for root in self.roots for word in ("--root", str(root.resolve())))]


@dataclass(frozen=True)
class Written:
    """What was done to a host's file."""

    path: Path
    backup: Path | None
    """The file as it was before; None where there was none, or nothing had to change."""
    changed: bool


def host_names() -> list[str]:
    """Every name under which a host is known: its own, then other common ones."""
    return [*(host.value for host in Host), *_ALIASES]


def find_host(name: str) -> Host:
    """The host of that name, or of another common name for it. Raises BadInput, naming them all."""
    known = name.strip().lower()
    try:
        return _ALIASES.get(known) or Host(known)
    except ValueError:
        close = nearest(known, host_names())
        hint = f"Nearest: {', '.join(close)}; any" if close else "Any"
        raise BadInput(
            f"{name[:40]} is not a host known here",
            expected=host_names(),
            recovery=f"{hint} other host takes what json prints.",
        ) from None


def configuration(host: Host, launch: Launch, project: Path | None = None) -> tuple[Path | None, str]:
    """Where a host looks for its configuration, and what must be there for it to start the server.

    Args:
        host: which program.
        launch: how it starts the server.
        project: the folder in which the host is started; the current one when none is given.

    Returns:
        The file (None for ``json``, which any host may take) and the text of a file that holds nothing else.

    Raises:
        BadInput: a name that hosts do not take.
    """
    entry = _entry(host, launch)
    path = None if host is Host.JSON else (project or Path.cwd()).joinpath(*FILES[host])
    if not _NAME.match(launch.name):
        raise BadInput("a server's name has 1 to 40 letters, digits and hyphens")
    if host is Host.CODEX:
        return path, _toml(launch.name, entry)
    return path, json.dumps({_root(host): {launch.name: entry}}, indent=2, ensure_ascii=False) + "\n"


def reaching(url: str, name: str = NAME) -> str:
    """What any host may take to reach a server over HTTP, as JSON; its token comes from the environment."""
    entry = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer ${{{TOKEN}}}"}}
    return json.dumps({"mcpServers": {name: entry}}, indent=2)


def commands(url: str, name: str = NAME) -> list[tuple[str, str]]:
    """Hosts, and what is typed so that they reach a server over HTTP; its token comes from the environment."""
    entry = json.dumps(json.loads(reaching(url, name))["mcpServers"][name])
    return [
        ("Claude Code", f"claude mcp add-json {name} {shlex.quote(entry)}"),
        ("Codex", f"codex mcp add {name} --url {url} --bearer-token-env-var {TOKEN}"),
    ]


def write_configuration(host: Host, launch: Launch, project: Path | None = None) -> Written:
    """Merge the configuration into the host's file: everything else in it stays, and the old file is kept beside it.

    Raises:
        BadInput: the host has no file of its own, or the file there cannot be read as what it should be.
        WrongState: the name is taken by another server.
    """
    path, text = configuration(host, launch, project)
    if path is None:
        raise BadInput("any host may take this configuration, so no file is written", recovery="Copy what is printed.")
    old = _read(path)
    if old is None or not old.strip():
        new = text
    elif host is Host.CODEX:
        new = _merge_toml(path, old, text, launch)
    else:
        new = _merge_json(path, old, host, launch)
    if new == old:
        return Written(path, None, changed=False)
    backup = None
    if old is not None:
        backup = path.with_name(f"{path.name}.before-lantern")
        write_whole(backup, old)
    write_whole(path, new)
    return Written(path, backup, changed=True)


def _entry(host: Host, launch: Launch) -> dict[str, Any]:
    program, *args = launch.command
    entry: dict[str, Any] = {"command": program, "args": args}
    return {"type": "stdio", **entry} if host in {Host.CLAUDE_CODE, Host.VSCODE} else entry


def _root(host: Host) -> str:
    return "servers" if host is Host.VSCODE else "mcpServers"


def _toml(name: str, entry: dict[str, Any]) -> str:
    # A JSON string is a TOML basic string, once the one escape that TOML lacks is gone.
    args = ", ".join(_quoted(item) for item in entry["args"])
    return f"[mcp_servers.{name}]\ncommand = {_quoted(entry['command'])}\nargs = [{args}]\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _merge_json(path: Path, old: str, host: Host, launch: Launch) -> str:
    root, name, entry = _root(host), launch.name, _entry(host, launch)
    try:
        settings = json.loads(old)
    except ValueError:
        raise _unreadable(path, "JSON without comments") from None
    servers = settings.setdefault(root, {}) if isinstance(settings, dict) else None
    if not isinstance(servers, dict):
        raise _unreadable(path, f"an object with {root}")
    _check_taken(servers.get(name), launch)
    if servers.get(name) == entry:
        return old
    servers[name] = entry
    return json.dumps(settings, indent=_indent(old), ensure_ascii=False) + "\n"


def _merge_toml(path: Path, old: str, text: str, launch: Launch) -> str:
    """The old text with our table in it, checked to say the same as before about everything else."""
    name = launch.name
    before = _parse_toml(path, old)
    servers = before.get("mcp_servers", {})
    if not isinstance(servers, dict):
        raise _unreadable(path, "a table mcp_servers")
    _check_taken(servers.get(name), launch)
    ours = tomllib.loads(text)["mcp_servers"][name]
    if servers.get(name) == ours:
        return old
    rest = old
    if name in servers:
        table = re.compile(
            rf"^\[mcp_servers\.(?:{re.escape(name)}|\"{re.escape(name)}\")\][^\n]*\n(?:(?!\s*\[).*\n?)*", re.MULTILINE
        )
        rest = table.sub("", old, count=1)
    new = rest.rstrip("\n") + ("\n\n" if rest.strip() else "") + text
    wanted = {**before, "mcp_servers": {**servers, name: ours}}
    try:
        same = tomllib.loads(new) == wanted
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        raise _unreadable(path, f"[mcp_servers.{name}] as a table of its own")
    return new


def _parse_toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise _unreadable(path, "TOML") from None


def _check_taken(existing: Any, launch: Launch) -> None:
    """Refuse to take over a server that is not this workspace's. Raises WrongState."""
    if existing is None:
        return
    args = existing.get("args", []) if isinstance(existing, dict) else []
    if not (isinstance(args, list) and MODULE in args and str(launch.workspace.resolve()) in args):
        raise WrongState(
            f"a server called {launch.name} is configured there already, for something else",
            ids=[launch.name],
            recovery="Choose another name for this one, or take the old entry out yourself.",
        )


def _unreadable(path: Path, expected: str) -> BadInput:
    return BadInput(
        f"{path.name} could not be changed safely, so nothing was written",
        expected=expected,
        recovery="Print the configuration and put it in by hand.",
    )


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        raise _unreadable(path, "a readable text file") from None


def _indent(text: str) -> int | str:
    """The indentation that a JSON file uses."""
    found = re.search(r"^[\[{]\s*\n([ \t]+)", text)
    if found is None:
        return 2
    return "\t" if found.group(1).startswith("\t") else len(found.group(1))


def write_whole(path: Path, text: str) -> None:
    """Write a text file whole or not at all, with the rights it had. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    real = path.resolve()
    handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(real.stat().st_mode & 0o777 if real.exists() else 0o644)
        temporary.replace(real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
