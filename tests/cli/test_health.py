"""lantern verify and doctor."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from lantern_kit.cli import health
from lantern_kit.review_site import announced
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, propose


def test_a_sound_workspace_is_said_to_be_sound(run: Run, made: Workspace) -> None:
    propose(made, "It is mine.")
    said = run("verify", made.path).output
    assert "Everything is as it was written" in said
    assert "revisions" in said


def test_what_was_tampered_with_is_named_and_ends_with_one(run: Run, made: Workspace) -> None:
    made.close()
    with sqlite3.connect(made.journal.path) as journal:
        journal.execute("UPDATE revisions SET message = 'never said' WHERE id = 2")
    journal.close()
    said = run("verify", made.path, code=1).output
    assert "r2: the chain hash does not match" in said
    assert "restore" in said


def test_a_damaged_picture_is_found(run: Run, made: Workspace) -> None:
    (blob,) = made.blobs.folder.glob("??/*")
    blob.write_bytes(blob.read_bytes()[:-1] + b"x")
    assert "does not match its hash" in run("verify", made.path, code=1).output


def test_the_doctor_finds_a_good_machine_ready(run: Run, made: Workspace) -> None:
    propose(made, "It is mine.")
    said = run("doctor", made.path).output
    assert "waiting proposals: 1" in said
    assert "mina" in said
    assert str(made.path / "inbox") in said
    assert "Ready." in said


def test_the_doctor_works_outside_of_any_workspace(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "lantern doctor my-comic" in run("doctor").output


def test_the_doctor_says_what_to_do_about_a_key_that_others_may_read(run: Run, made: Workspace, config: Path) -> None:
    (key,) = (config / "keys").iterdir()
    key.chmod(0o644)
    said = run("doctor", made.path, code=1).output
    assert f"chmod 600 {key}" in said
    assert "Ready" not in said


def test_the_doctor_names_the_packages_of_missing_libraries(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(health, "_missing_libraries", lambda: ["libEGL.so.1", "libGL.so.1"])
    monkeypatch.setattr(health.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setitem(__import__("sys").modules, "skia", None)  # as if importing it failed
    said = run("doctor", code=1).output
    assert "sudo apt-get update && sudo apt-get install -y --no-install-recommends libegl1 libgl1" in said


def test_the_doctor_s_packages_are_those_of_the_system_check(root: Path) -> None:
    script = (root / "scripts" / "system.sh").read_text()
    for library, package in health.DEBIAN.items():
        assert f"{library}) echo {package} ;;" in script


def test_the_doctor_says_whether_notebooks_and_the_review_app_can_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "lantern lab and lantern review can run; Node is not needed" in run("doctor").output
    monkeypatch.setattr(health, "SHARED", {**health.SHARED, "voila": "voila/templates/gone"})
    said = run("doctor", code=1).output
    assert "missing: voila" in said
    assert "pip install --force-reinstall voila" in said
    assert "can run" not in said


def test_the_doctor_says_when_the_widgets_were_never_built(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from lantern_kit.widgets import bundle

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    bundle.bundle.cache_clear()
    said = run("doctor", code=1).output
    bundle.bundle.cache_clear()
    assert "were not built" in said
    assert "make widgets" in said


def test_the_doctor_names_the_review_that_runs(run: Run, made: Workspace, config: Path) -> None:
    assert "runs at" not in run("doctor", made.path).output
    with announced(config, made.id, "http://127.0.0.1:8866/"):
        assert "runs at http://127.0.0.1:8866/" in run("doctor", made.path).output


def test_the_doctor_reports_a_workspace_that_does_not_open(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "journal.sqlite").write_bytes(b"not a database, " * 300)
    assert "damaged" in run("doctor", tmp_path / "a", code=1).output


def test_the_doctor_sees_a_damaged_journal(run: Run, made: Workspace) -> None:
    made.close()
    data = bytearray(made.journal.path.read_bytes())
    data[4096 * 3 : 4096 * 4] = bytes(4096)
    made.journal.path.write_bytes(data)
    assert "wrong" in run("doctor", made.path, code=1).output


def test_looking_changes_nothing(run: Run, made: Workspace) -> None:
    head = made.comics.head(made.comics.chapters()[0].id).id
    made.close()
    before = made.journal.path.read_bytes()
    for command in ("verify", "doctor", "outline", "history", "proposals"):
        run(command, made.path)
    assert made.journal.path.read_bytes() == before
    assert head == "r2"
