"""The whole way of a novel in one command."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lantern_kit.workspace import create_workspace, open_workspace
from tests.cli.conftest import Run

Program = Callable[..., "subprocess.CompletedProcess[str]"]


def test_two_cards_and_a_world_become_a_novel_and_nobody_is_asked(lantern: Program, tmp_path: Path) -> None:
    done = lantern(
        "novel", "run", "--demo", "--seed", "7", "--workspace", "one", "--export", "one.md", stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    assert "offline stand-in, no model\n" in done.stdout
    assert "Completed: What the Tide Keeps, 12 chapters" in done.stdout
    text = (tmp_path / "one.md").read_bytes()
    assert text.count(b"\n## ") == 12
    assert str(tmp_path).encode() not in text
    with open_workspace(tmp_path / "one") as ws:
        assert ws.verify().clean
        (novel,) = ws.novels
        assert len(novel.moment.novel.assets) >= 3
        assert [item.facts.source.value for item in novel.instructions] == ["creation"]


@pytest.mark.parametrize("steps", [5, pytest.param(48, marks=pytest.mark.prove)])
def test_the_same_seed_gives_the_same_bytes_however_often_it_was_ended(run: Run, tmp_path: Path, steps: int) -> None:
    def demo(name: str, seed: int, *parts: int) -> bytes:
        folder = tmp_path / name
        for part in parts:
            run("novel", "run", "--demo", "--seed", seed, "--workspace", folder, "--steps", part)
        run("novel", "export", folder, "--out", tmp_path / f"{name}.md")
        return (tmp_path / f"{name}.md").read_bytes()

    whole = demo("whole", 7, steps)
    assert whole == demo("parts", 7, 2, steps - 2)
    assert whole != demo("other", 8, steps)


def test_a_demo_that_was_ended_goes_on_and_another_seed_is_refused(run: Run, tmp_path: Path) -> None:
    demo = ("novel", "run", "--demo", "--language", "zh", "--workspace", tmp_path / "demo", "--steps", "2")
    assert "雾港潮声" in run(*demo, "--seed", "3").output
    assert "It is not exported yet" in run(*demo, "--seed", "3", "--export", tmp_path / "demo.md").output
    with open_workspace(tmp_path / "demo") as ws:
        (novel,) = ws.novels
        assert [item.state for item in novel.chapters[:2]] == ["completed", "planned"]
        times = [item.at for item in novel.history()]
        assert times == sorted(times, reverse=True)
        assert ws.verify().clean
    shown = run(*demo, "--seed", "4", code=1).output
    assert "holds another demo" in shown
    assert "demo zh 3" in shown


@pytest.mark.parametrize("what", ["file", "workspace"])
def test_a_folder_in_use_is_refused_and_left_alone(run: Run, tmp_path: Path, what: str) -> None:
    folder = tmp_path / "mine"
    if what == "file":
        folder.mkdir()
        (folder / "notes.txt").write_text("mine")
    else:
        with create_workspace(folder, title="Mine", owner="mina") as ws:
            ws.comic("Mine").begin_chapter(1)
    before = sorted(folder.rglob("*.txt"))
    assert "[wrong_state]" in run("novel", "run", "--demo", "--workspace", folder, code=1).output
    assert sorted(folder.rglob("*.txt")) == before
    if what == "workspace":
        with open_workspace(folder) as ws:
            assert not ws.novels
