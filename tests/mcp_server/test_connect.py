"""The configuration of hosts: what is printed, and what is written into files that hold other things too."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.errors import BadInput, WrongState
from lantern_kit.mcp_server.connect import Host, Launch, configuration, find_host, write_configuration

FILES = {
    Host.CLAUDE_CODE: ".mcp.json",
    Host.CODEX: ".codex/config.toml",
    Host.GEMINI: ".gemini/settings.json",
    Host.VSCODE: ".vscode/mcp.json",
}
WRITTEN = pytest.mark.parametrize("host", FILES)
AS_JSON = pytest.mark.parametrize("host", [Host.CLAUDE_CODE, Host.GEMINI, Host.VSCODE])
PYTHON = "/opt/with space/bin/python"


def servers(host: Host, text: str) -> dict[str, Any]:
    """The servers that a host would read."""
    if host is Host.CODEX:
        found: dict[str, Any] = tomllib.loads(text)["mcp_servers"]
        return found
    return dict(json.loads(text)["servers" if host is Host.VSCODE else "mcpServers"])


@pytest.mark.parametrize("host", list(Host))
def test_every_host_starts_the_same_command(host: Host, tmp_path: Path) -> None:
    workspace = tmp_path / 'a "quoted" wörk\\space'
    path, text = configuration(host, Launch(workspace, PYTHON), tmp_path)
    assert path == (tmp_path / FILES[host] if host in FILES else None)
    (entry,) = servers(host, text).values()
    assert entry["command"] == PYTHON
    assert entry["args"] == ["-P", "-m", "lantern_kit.mcp_server", str(workspace), "--profile", "comic"]
    assert entry.get("type") == ("stdio" if host in {Host.CLAUDE_CODE, Host.VSCODE} else None)


def test_folders_that_agents_may_read_from_are_passed_on(tmp_path: Path) -> None:
    _, text = configuration(
        Host.JSON, Launch(tmp_path / "ws", PYTHON, roots=(tmp_path / "pictures", tmp_path / "more"))
    )
    (entry,) = servers(Host.JSON, text).values()
    assert entry["args"][-4:] == ["--root", str(tmp_path / "pictures"), "--root", str(tmp_path / "more")]


def test_a_host_may_be_let_in_to_read_only(tmp_path: Path) -> None:
    _, text = configuration(Host.JSON, Launch(tmp_path / "ws", PYTHON, roots=(tmp_path,), read_only=True))
    (entry,) = servers(Host.JSON, text).values()
    assert entry["args"][-3:] == ["--read-only", "--root", str(tmp_path)]
    write_configuration(Host.CODEX, Launch(tmp_path / "ws", PYTHON), tmp_path)
    done = write_configuration(Host.CODEX, Launch(tmp_path / "ws", PYTHON, read_only=True), tmp_path)
    (entry,) = servers(Host.CODEX, done.path.read_text()).values()
    assert entry["args"][-1] == "--read-only"


@WRITTEN
def test_a_new_file_is_written_with_its_folder_and_again_without_change(host: Host, tmp_path: Path) -> None:
    done = write_configuration(host, Launch(tmp_path / "ws", PYTHON), tmp_path)
    assert (done.path, done.backup, done.changed) == (tmp_path / FILES[host], None, True)
    before = done.path.read_bytes()
    again = write_configuration(host, Launch(tmp_path / "ws", PYTHON), tmp_path)
    assert (again.changed, again.backup) == (False, None)
    assert done.path.read_bytes() == before
    assert sorted(item.name for item in done.path.parent.iterdir()) == [done.path.name]


@AS_JSON
def test_what_else_a_json_file_holds_stays_and_the_old_file_is_kept(host: Host, tmp_path: Path) -> None:
    path = tmp_path / FILES[host]
    path.parent.mkdir(exist_ok=True)
    root = "servers" if host is Host.VSCODE else "mcpServers"
    old = json.dumps({"theme": "dark", root: {"other": {"command": "x"}}, "ü": [1, 2]}, indent=4, ensure_ascii=False)
    path.write_text(old, encoding="utf-8")
    path.chmod(0o600)
    done = write_configuration(host, Launch(tmp_path / "ws", PYTHON), tmp_path)
    text = path.read_text(encoding="utf-8")
    now = json.loads(text)
    assert now.pop(root).keys() == {"other", "lantern"}
    assert now == {"theme": "dark", "ü": [1, 2]}
    assert '\n    "theme"' in text
    assert done.backup is not None
    assert done.backup.read_text(encoding="utf-8") == old
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_else_a_toml_file_holds_stays_to_the_letter(tmp_path: Path) -> None:
    path = tmp_path / FILES[Host.CODEX]
    path.parent.mkdir()
    old = (
        '# mine\nmodel = "o9"  # the best\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "a",\n]\n\n[tui]\nx = 1\n'
    )
    path.write_text(old)
    write_configuration(Host.CODEX, Launch(tmp_path / "ws", PYTHON), tmp_path)
    assert path.read_text().startswith(old)
    moved = write_configuration(Host.CODEX, Launch(tmp_path / "ws", "/other/python"), tmp_path)
    text = path.read_text()
    assert moved.changed
    assert text.startswith(old)
    assert text.count("[mcp_servers.lantern]") == 1
    assert tomllib.loads(text)["mcp_servers"]["lantern"]["command"] == "/other/python"


@WRITTEN
def test_an_interpreter_that_moved_is_renewed_but_another_workspace_is_not_taken_over(
    host: Host, tmp_path: Path
) -> None:
    write_configuration(host, Launch(tmp_path / "ws", "/old/python"), tmp_path)
    assert write_configuration(host, Launch(tmp_path / "ws", PYTHON), tmp_path).changed
    path = tmp_path / FILES[host]
    before = path.read_bytes()
    with pytest.raises(WrongState):
        write_configuration(host, Launch(tmp_path / "other", PYTHON), tmp_path)
    assert path.read_bytes() == before
    write_configuration(host, Launch(tmp_path / "other", PYTHON, name="lantern-2"), tmp_path)
    assert servers(host, path.read_text()).keys() == {"lantern", "lantern-2"}


@WRITTEN
@pytest.mark.parametrize(
    "text", ["{ // a comment\n}", "[1", '"text"', "x = = 1", "\ufffe", '{"servers": 1, "mcpServers": []}']
)
def test_a_file_that_cannot_be_changed_safely_is_left_alone(host: Host, text: str, tmp_path: Path) -> None:
    path = tmp_path / FILES[host]
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        write_configuration(host, Launch(tmp_path / "ws", PYTHON), tmp_path)
    assert "by hand" in caught.value.recovery
    assert path.read_text(encoding="utf-8") == text
    assert [item.name for item in path.parent.iterdir()] == [path.name]


def test_a_toml_file_with_our_name_inside_another_table_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILES[Host.CODEX]
    path.parent.mkdir()
    entry = {"command": "/old", "args": ["-m", "lantern_kit.mcp_server", str(tmp_path / "ws")]}
    old = f'mcp_servers = {{ lantern = {{ command = "/old", args = {json.dumps(entry["args"])} }} }}\n'
    path.write_text(old)
    with pytest.raises(BadInput):
        write_configuration(Host.CODEX, Launch(tmp_path / "ws", PYTHON), tmp_path)
    assert path.read_text() == old


def test_names_and_hosts_that_nobody_knows_are_refused(tmp_path: Path) -> None:
    assert find_host("codex") is Host.CODEX
    with pytest.raises(BadInput) as caught:
        find_host("emacs")
    assert "codex" in caught.value.expected
    with pytest.raises(BadInput):
        configuration(Host.CODEX, Launch(tmp_path, PYTHON, name="my lantern"))
    with pytest.raises(BadInput):
        write_configuration(Host.JSON, Launch(tmp_path, PYTHON))
