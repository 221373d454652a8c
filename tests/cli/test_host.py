"""The server that hosts start, and the configuration that lets them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.workspace import Workspace
from tests.cli.conftest import SCRIPT, Run

Lantern = Callable[..., subprocess.CompletedProcess[str]]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "some-host", "version": "1"},
    },
}


def test_the_server_speaks_only_the_protocol(path: Path, config: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    command = [str(SCRIPT), "mcp", str(path), "--root", str(pictures)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(HELLO) + "\n")
        server.stdin.flush()
        answer: dict[str, Any] = json.loads(server.stdout.readline())
        rest, errors = server.communicate(timeout=60)
    assert answer["id"] == 1
    assert answer["result"]["serverInfo"]["name"] == "lantern-kit"
    assert rest == ""
    assert "Traceback" not in errors
    assert server.returncode == 0


@pytest.mark.parametrize(
    ("words", "code"), [(("nowhere",), 1), (("nowhere", "--profile", "opera"), 2), (("{path}", "--root", "gone"), 1)]
)
def test_what_goes_wrong_before_the_protocol_is_said_beside_it(
    lantern: Lantern, path: Path, words: tuple[str, ...], code: int
) -> None:
    done = lantern("mcp", *(word.format(path=path) for word in words))
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_connect_writes_an_entry_that_starts_this_server(run: Run, made: Workspace, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    said = run("connect", "claude-code", made.path, "--project", project, "--root", tmp_path).output
    assert f"Wrote the server lantern into {project / '.mcp.json'}" in said
    entry = json.loads((project / ".mcp.json").read_text())["mcpServers"]["lantern"]
    assert entry["command"] == sys.executable
    assert entry["args"][-2:] == ["--root", str(tmp_path)]
    server = subprocess.run(
        [entry["command"], *entry["args"]], input=json.dumps(HELLO) + "\n", capture_output=True, text=True, timeout=60
    )
    assert json.loads(server.stdout.splitlines()[0])["id"] == 1
    again = run("connect", "claude-code", made.path, "--project", project, "--root", tmp_path).output
    assert "nothing was changed" in again


def test_an_agent_may_be_let_in_to_read_only(run: Run, made: Workspace, tmp_path: Path) -> None:
    said = run("connect", "claude-code", made.path, "--project", tmp_path, "--read-only").output
    assert "it reads only" in said
    entry = json.loads((tmp_path / ".mcp.json").read_text())["mcpServers"]["lantern"]
    assert entry["args"][-1] == "--read-only"
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    begun = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    server = subprocess.run(
        [entry["command"], *entry["args"]],
        input="".join(json.dumps(line) + "\n" for line in (HELLO, begun, listing)),
        capture_output=True,
        text=True,
        timeout=60,
    )
    answers = {line["id"]: line for line in map(json.loads, server.stdout.splitlines())}
    assert "only reads" in answers[1]["result"]["instructions"]
    names = [tool["name"] for tool in answers[2]["result"]["tools"]]
    assert "read_unit" in names
    assert not {"begin_draft", "edit", "freeze", "register_asset"} & set(names)


def test_connect_keeps_what_else_is_there_and_the_old_file(run: Run, made: Workspace, tmp_path: Path) -> None:
    file = tmp_path / ".mcp.json"
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}')
    said = run("connect", "claude-code", made.path, "--project", tmp_path).output
    assert "the file as it was" in said
    assert set(json.loads(file.read_text())["mcpServers"]) == {"other", "lantern"}


def test_print_writes_nothing(run: Run, made: Workspace, tmp_path: Path) -> None:
    result = run("connect", "vscode", made.path, "--project", tmp_path, "--print")
    assert "lantern" in json.loads(result.stdout)["servers"]
    assert "mcp.json" in result.stderr
    assert not (tmp_path / ".vscode").exists()


def test_any_other_host_gets_the_common_form(run: Run, made: Workspace) -> None:
    assert "lantern" in json.loads(run("connect", "json", made.path).stdout)["mcpServers"]


def test_an_unknown_host_is_a_usage_error(run: Run, made: Workspace) -> None:
    said = run("connect", "emacs", made.path, code=2).output
    assert all(name in said for name in ("claude-code", "codex", "gemini-cli", "vscode", "generic"))


def test_only_a_workspace_is_connected(run: Run, tmp_path: Path) -> None:
    assert "is not a workspace" in run("connect", "json", tmp_path, code=1).output


@pytest.mark.parametrize(
    ("name", "like"), [("claude", "claude-code"), ("gemini-cli", "gemini"), ("code", "vscode"), ("generic", "json")]
)
def test_a_host_s_other_names_give_the_same(run: Run, made: Workspace, name: str, like: str) -> None:
    one, other = (run("connect", word, made.path, "--print").stdout for word in (name, like))
    assert one == other


@pytest.mark.parametrize(
    ("host", "program"), [("claude-code", "claude"), ("codex", "codex"), ("gemini-cli", "gemini"), ("vscode", "code")]
)
def test_what_to_start_and_where_is_said(run: Run, made: Workspace, tmp_path: Path, host: str, program: str) -> None:
    project = tmp_path / "project"
    said = run("connect", host, made.path, "--project", project).output
    assert f"Start {program} in {project} and ask it" in said


def test_connect_puts_the_skills_where_the_host_looks_and_keeps_what_a_person_changed(
    run: Run, made: Workspace, tmp_path: Path
) -> None:
    said = run("connect", "claude-code", made.path, "--project", tmp_path).output
    folder = tmp_path / ".claude" / "skills"
    assert f"Put the skills into {folder}: lantern, page-review" in said
    assert (folder / "lantern" / "references" / "page.md").is_file()
    assert "are there already" in run("connect", "claude-code", made.path, "--project", tmp_path).output
    (folder / "lantern" / "SKILL.md").write_text("mine")
    assert "yours, left as it is" in run("connect", "claude-code", made.path, "--project", tmp_path).output
    (folder / ".lantern-kit.json").unlink()
    said = run("connect", "claude-code", made.path, "--project", tmp_path).output
    assert "what was there is kept as SKILL.md.yours" in said
    assert (folder / "lantern" / "SKILL.md.yours").read_text() == "mine"


def test_skills_may_be_left_out_and_an_agent_that_only_reads_gets_the_one_for_reading(
    run: Run, made: Workspace, tmp_path: Path
) -> None:
    run("connect", "codex", made.path, "--project", tmp_path, "--no-skill")
    assert not (tmp_path / ".agents").exists()
    run("connect", "codex", made.path, "--project", tmp_path, "--read-only")
    assert [path.name for path in (tmp_path / ".agents" / "skills").iterdir() if path.is_dir()] == ["page-review"]


def test_print_says_what_would_become_of_the_skills(run: Run, made: Workspace, tmp_path: Path) -> None:
    result = run("connect", "gemini", made.path, "--project", tmp_path, "--print")
    assert "lantern/SKILL.md  new" in result.stderr
    assert "SKILL" not in result.stdout
    assert "SKILL" not in run("connect", "gemini", made.path, "--project", tmp_path, "--print", "--no-skill").stderr
    assert "at the server" in run("connect", "json", made.path).stderr
    assert not (tmp_path / ".agents").exists()


def test_a_skill_that_cannot_be_put_there_is_said_in_words(run: Run, made: Workspace, tmp_path: Path) -> None:
    (tmp_path / ".claude").write_text("a file")
    said = run("connect", "claude-code", made.path, "--project", tmp_path, code=1).output
    assert "in the way" in said
    assert "Traceback" not in said
