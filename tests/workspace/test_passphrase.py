"""Where a passphrase comes from: a person who types it, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ipykernel.inprocess.ipkernel import InProcessKernel

from lantern_kit import asking as module
from lantern_kit.kernel.errors import NotAllowed
from lantern_kit.workspace import Workspace, open_workspace
from tests.workspace.conftest import PASSPHRASE


@pytest.fixture
def asked(ws: Workspace, tmp_path: Path) -> Workspace:
    """The workspace as a person's own program opens it: nobody injected a way to ask."""
    return open_workspace(ws.path, config=tmp_path / "config")


@pytest.mark.parametrize("given", [f"{PASSPHRASE}\n", ""])
def test_a_piped_passphrase_is_not_read(ws: Workspace, tmp_path: Path, given: str) -> None:
    code = (
        "import sys; from pathlib import Path; from lantern_kit.workspace import open_workspace\n"
        "open_workspace(sys.argv[1], config=Path(sys.argv[2])).reviewer()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ws.path), str(tmp_path / "config")],
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        start_new_session=True,  # without a terminal to fall back on
    )
    assert done.returncode == 1
    assert "NotAllowed: a passphrase is typed by a person" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("end", [EOFError(), NotImplementedError("no front end")])
def test_no_answer_is_not_allowed_to_decide(asked: Workspace, monkeypatch: pytest.MonkeyPatch, end: Exception) -> None:
    def nobody(prompt: str) -> str:
        raise end

    monkeypatch.setattr(module, "_at_terminal", lambda: True)
    monkeypatch.setattr(module.getpass, "getpass", nobody)
    with asked, pytest.raises(NotAllowed, match="no passphrase was typed"):
        asked.reviewer()


def test_in_a_notebook_the_front_end_asks(asked: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []

    def front_end(prompt: str) -> str:
        prompts.append(prompt)
        return PASSPHRASE if len(prompts) == 3 else "mistyped"

    class Shell:
        kernel = InProcessKernel

    monkeypatch.setattr("IPython.get_ipython", Shell)
    monkeypatch.setattr(module.getpass, "getpass", front_end)
    with asked, asked.reviewer() as me:
        assert me.name == "mina"
    assert prompts == ["Passphrase of mina's key: ", *["That was not it. Passphrase of mina's key: "] * 2]


def test_each_key_is_asked_for_afresh(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return PASSPHRASE

    monkeypatch.setattr(ws, "_ask", ask)
    held = ws.keys
    for _ in range(2):
        held.unlock().lock()
    assert prompts == ["Passphrase of mina's key: "] * 2
