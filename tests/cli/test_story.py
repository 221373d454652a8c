"""The demo from the command line, and what it leaves to the person."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import Played

Lantern = Callable[..., subprocess.CompletedProcess[str]]


def test_the_demo_leaves_a_book_and_a_proposal_to_decide_on(lantern: Lantern, tmp_path: Path, demo: Played) -> None:
    assert (demo.said.returncode, demo.said.stderr) == (0, "")
    assert "demo key" in demo.said.stdout
    assert "lantern show lantern-demo p2" in demo.said.stdout
    assert list((demo.path / "exports").glob("*.cbz"))
    assert not demo.config.exists(), "the demo touches nothing of the person's own"
    shutil.copytree(demo.path, tmp_path / "lantern-demo")
    shown = lantern("show", "lantern-demo", "p2")
    assert "New faults: none" in shown.stdout
    assert len(list((tmp_path / "lantern-demo" / "exports" / "review" / "p2").iterdir())) == 3
    applied = lantern("apply", "lantern-demo", "p2", "--yes")
    assert "Applied p2" in applied.stdout
    assert "(demo key)" in applied.stdout
    assert lantern("verify", "lantern-demo").returncode == 0


def test_a_folder_in_use_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for options in ((), ("--fresh",)):
        assert "not empty" in run("demo", tmp_path, *options, code=1).output
    assert (tmp_path / "notes.txt").read_text() == "mine"
