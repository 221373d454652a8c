"""lantern init and enrol, without a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern_kit.workspace import Workspace, open_workspace
from tests.cli.conftest import Run


def test_a_workspace_without_a_reviewer_says_so(run: Run, tmp_path: Path, config: Path) -> None:
    said = run("init", tmp_path / "my-comic", "--no-key", "--direction", "rtl", "--paper", "US comic").output
    assert "Made the workspace My comic" in said
    assert "nobody: proposals can be read, but not decided" in said
    assert "lantern enrol" in said
    with open_workspace(tmp_path / "my-comic", config=config) as made:
        assert (made.title, made.reviewers()) == ("My comic", [])
        facts = made.comic("My comic").chapter(1).book.chapter
        assert (facts.direction, facts.paper.width, facts.paper.binding) == ("rtl", 168_275, "right")
    assert not config.exists()


def test_the_notebooks_are_copied(run: Run, tmp_path: Path, root: Path) -> None:
    run("init", tmp_path / "a", "--no-key")
    shipped = {path.name for path in (root / "notebooks").glob("*.ipynb")}
    assert shipped
    assert {path.name for path in (tmp_path / "a" / "notebooks").iterdir()} == shipped


def test_a_key_without_a_terminal_is_refused_before_anything_is_made(run: Run, tmp_path: Path, config: Path) -> None:
    said = run("init", tmp_path / "a", code=1).output
    assert "standard input is not one" in said
    assert "--no-key" in said
    assert not (tmp_path / "a").exists()
    assert not config.exists()


def test_enrol_without_a_terminal_is_refused(run: Run, made: Workspace) -> None:
    assert "needs a person at a terminal" in run("enrol", made.path, "--name", "Ann", code=1).output
    assert len(made.reviewers()) == 1


@pytest.mark.parametrize("option", ["--passphrase", "--password"])
def test_there_is_no_flag_for_a_passphrase(run: Run, tmp_path: Path, option: str) -> None:
    assert "No such option" in run("init", tmp_path / "a", option, "a lantern in the fog", code=2).output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--paper", "A9"), "A9 is not a known paper"),
        (("--paper", "0x100"), "paper.width"),
        (("--bleed", "nan"), "finite"),
        (("--bleed", "-1"), "paper.bleed"),
        (("--paper", "B5", "--safe", "100"), "a safe inset of 100 mm leaves nothing of paper of 182 × 257 mm"),
        (("--paper", "B5", "--safe", "91"), "less than 91 mm, half the shorter side"),
        (("--title", " "), "1 to 120 printable"),
        (("--comic", "a\nb"), "1 to 120 printable"),
        (("--language", "English"), "chapter.language"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_left(
    run: Run, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    assert said in run("init", tmp_path / "a", "--no-key", *words, code=1).output
    assert not (tmp_path / "a").exists()


def test_an_unknown_direction_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    assert "ltr" in run("init", tmp_path / "a", "--no-key", "--direction", "up", code=2).output


def test_a_folder_in_use_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.txt").write_text("mine")
    assert "not empty" in run("init", tmp_path / "a", "--no-key", code=1).output
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["notes.txt"]
