"""A workspace on disk with a chapter and proposals, and the command line as people run it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lantern_kit import datasets
from lantern_kit.cli.app import app
from lantern_kit.comic.model import Balloon
from lantern_kit.kernel.actor import Actor
from lantern_kit.workspace import Workspace, create_workspace

PASSPHRASE = "a lantern in the fog"
AGENT = Actor.agent("claude-code")
SCRIPT = Path(sys.executable).with_name("lantern")

Run = Callable[..., Result]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's configuration folder; nothing of the real one is seen."""
    home = tmp_path / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setenv("LANG", "C.UTF-8")
    for name in ("LC_ALL", "LC_MESSAGES", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return home / "lantern-kit"


@pytest.fixture
def run(config: Path) -> Run:
    """Run a command in this process: ``run("verify", path)``. Standard input is no terminal."""

    def call(*words: object, code: int = 0) -> Result:
        result = CliRunner().invoke(app, [str(word) for word in words])
        assert result.exit_code == code, f"{result.exit_code}\n{result.output}\n{result.exception!r}"
        assert "Traceback" not in result.output
        return result

    return call


@pytest.fixture
def lantern(config: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the installed program: ``lantern("verify", path)``."""

    def call(*words: object, cwd: Path = tmp_path, **options: object) -> subprocess.CompletedProcess[str]:
        command = [str(SCRIPT), *map(str, words)]
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, env=os.environ, **options)

    return call


@pytest.fixture
def made(tmp_path: Path, config: Path) -> Iterator[Workspace]:
    """An open workspace with Mina's key, and one page on which Chelsea says something."""
    workspace = create_workspace(
        tmp_path / "chelsea", title="Chelsea", owner="mina", config=config, ask=lambda name: PASSPHRASE
    )
    workspace.enrol("mina", PASSPHRASE)
    chapter = workspace.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
    cat = workspace.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0")
    with chapter.edit("one page") as edit:
        page = edit.add_page()
        frame = page.add_frame(rect=(6, 6, 93, 136))
        frame.place(cat)
        frame.say("Is that… mine?", at=(50, 30), speaker="Chelsea", tail=(40, 60))
    yield workspace
    workspace.close()


@pytest.fixture
def path(made: Workspace) -> Path:
    """The folder of that workspace."""
    return made.path


def balloon(workspace: Workspace) -> Balloon:
    """The balloon of the chapter as it stands."""
    record = workspace.comics.chapters()[0]
    book = workspace.comics.head(record.id).book
    return next(item for unit in book.units() for item in unit.objects if isinstance(item, Balloon))


def propose(workspace: Workspace, text: str, *, summary: str = "A better line") -> str:
    """Have an agent propose other words for the balloon; gives the proposal's id."""
    record = workspace.comics.chapters()[0]
    with workspace.journal.write() as connection:
        draft, moment = workspace.drafts.begin(connection, record.id, title="words", actor=AGENT)
    head = moment.revision.number
    operations = [{"op": "balloon.set", "target": balloon(workspace).id, "args": {"text": text}}]
    planned = workspace.drafts.plan(draft.id, head, operations)
    with workspace.journal.write() as connection:
        done = workspace.drafts.commit(connection, draft.id, planned, head, operations, message="words", actor=AGENT)
    with workspace.journal.write() as connection:
        number = done.moment.revision.number
        frozen, _ = workspace.proposal_service.freeze(connection, draft.id, number, summary=summary, actor=AGENT)
    return frozen.id


def reword(workspace: Workspace, text: str) -> None:
    """Mina changes the words herself, so that the work moves on."""
    record = workspace.comics.chapters()[0]
    chapter = workspace.comic(record.comic).chapter(record.number)
    with chapter.edit("my own words") as edit:
        edit[balloon(workspace).id].set(text=text)
