"""Which workspace a command means."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run


def test_the_current_folder_or_one_above_it_is_the_workspace(
    run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (made.path, made.path / "inbox"):
        monkeypatch.chdir(folder)
        said = run("outline").output
        assert "Chelsea Goes Up" in said
        assert "lantern connect claude-code " in said


@pytest.mark.parametrize("option", ["-w", "--workspace"])
def test_an_option_names_it_too(run: Run, path: Path, option: str) -> None:
    assert "Chelsea Goes Up" in run("outline", option, path).output
    assert "no proposal p1" in run("show", "p1", option, path, code=1).output


def test_naming_it_twice_is_a_usage_error(run: Run, path: Path) -> None:
    assert "named twice" in run("outline", path, "-w", path, code=2).output


def test_outside_of_any_the_three_ways_are_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = run("verify", code=1).output
    assert "not inside one" in said
    assert "lantern init" in said


@pytest.mark.parametrize("command", [("verify",), ("outline",), ("history",), ("proposals",), ("sql", "select 1")])
def test_a_folder_that_is_no_workspace_is_named(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "photos").mkdir()
    said = run(command[0], tmp_path / "photos", *command[1:], code=1).output
    assert "photos is not a workspace" in said
    assert list((tmp_path / "photos").iterdir()) == []


def test_a_workspace_of_a_newer_version_is_left_alone(run: Run, made: Workspace) -> None:
    with made.journal.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    made.close()
    before = made.journal.path.read_bytes()
    for command in ("outline", "verify", "proposals"):
        said = run(command, made.path, code=1).output
        assert "newer Lantern Kit" in said
        assert "Upgrade lantern-kit" in said
    assert "newer Lantern Kit" in run("doctor", made.path, code=1).output
    assert made.journal.path.read_bytes() == before


def test_a_database_of_something_else_is_left_alone(run: Run, tmp_path: Path) -> None:
    import sqlite3

    (tmp_path / "other").mkdir()
    with sqlite3.connect(tmp_path / "other" / "journal.sqlite") as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    assert "something else" in run("outline", tmp_path / "other", code=1).output


def test_too_many_words_are_a_usage_error(run: Run, path: Path) -> None:
    assert "[WORKSPACE] PROPOSAL" in run("show", path, "p1", "p2", code=2).output


def test_a_workspace_elsewhere_is_known_by_its_name_where_a_host_was_connected_to_it(
    run: Run, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    (project / "deep").mkdir(parents=True)
    monkeypatch.chdir(project)
    assert "Chelsea Goes Up" not in run("outline", path.name, code=1).output
    for host in ("claude-code", "codex"):
        run("connect", host, path)
        for place in (project, project / "deep"):
            monkeypatch.chdir(place)
            assert "Chelsea Goes Up" in run("outline", path.name).output
            assert "there are no novels" in run("novel", "status", path.name, code=1).output
            assert "no workspace is named" in run("novel", "status", "another", code=1).output
        monkeypatch.chdir(project)
        (project / ".mcp.json").unlink(missing_ok=True)
    assert "another is not" in run("outline", "another", code=1).output
    (project / ".codex" / "config.toml").write_text("[mcp_servers\n")
    assert "is not" in run("outline", path.name, code=1).output


def test_a_name_that_two_connected_workspaces_bear_means_neither(
    run: Run, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, twin = tmp_path / "project", tmp_path / "other" / path.name
    project.mkdir()
    shutil.copytree(path, twin)
    monkeypatch.chdir(project)
    run("connect", "claude-code", path)
    run("connect", "codex", twin)
    assert "is not" in run("outline", path.name, code=1).output
