"""The person's own folder, and files in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern_kit.home import config_folder, read_own, write_own
from lantern_kit.workspace import create_workspace


def test_every_door_looks_for_the_person_s_own_folder_in_one_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert config_folder() == tmp_path / ".config" / "lantern-kit"
    monkeypatch.setenv("XDG_CONFIG_HOME", "not/absolute")
    assert config_folder() == tmp_path / ".config" / "lantern-kit"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "own"))
    with create_workspace(tmp_path / "ws", title="Chelsea", owner="mina") as made:
        assert made.config == config_folder() == tmp_path / "own" / "lantern-kit"


def test_a_file_of_one_s_own_is_whole_and_nobody_else_s(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.json"
    write_own(path, "first")
    write_own(path, "second")
    assert read_own(path) == "second"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [item.name for item in path.parent.iterdir()] == ["file.json"]


def test_what_others_could_have_written_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    assert read_own(path) is None
    write_own(path, "mine")
    path.chmod(0o620)
    assert read_own(path) is None
    path.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    assert read_own(link) is None
    assert read_own(tmp_path) is None
