"""A notebook without a browser: IPython's shell, with the kit loaded into it."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

from lantern_kit import datasets
from lantern_kit.comic.model import Balloon
from lantern_kit.kernel.actor import Actor
from lantern_kit.workspace import Workspace, create_workspace

PASSPHRASE = "a lantern in the fog"
AGENT = Actor.agent("claude-code")

Complete = Callable[[str], list[str]]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder; nothing of the real one is seen."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    for name in ("LC_ALL", "LC_MESSAGES", "FORCE_COLOR", "COLUMNS", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "config" / "lantern-kit"


@pytest.fixture
def shell(config: Path) -> Iterator[InteractiveShell]:
    """A plain shell, as in a terminal, with nothing loaded."""
    made = InteractiveShell.instance()
    yield made
    if "lantern_kit" in made.extension_manager.loaded:
        made.run_line_magic("unload_ext", "lantern_kit")
    made.history_manager.end_session()
    InteractiveShell.clear_instance()


class Kernel:
    """What stands for a notebook's kernel: that there is one, and a person who answers in its front end."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def answer(self, question: str = "") -> str:
        """The person's next answer."""
        self.asked.append(question)
        return self.answers.pop(0)


@pytest.fixture
def kernel(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """The shell becomes a notebook's."""
    made = Kernel()
    shell.kernel = made
    monkeypatch.setattr("builtins.input", made.answer)
    monkeypatch.setattr(getpass, "getpass", made.answer)
    return made


@pytest.fixture
def loaded(shell: InteractiveShell, kernel: Kernel) -> InteractiveShell:
    """A notebook after ``%load_ext lantern_kit``."""
    shell.run_line_magic("load_ext", "lantern_kit")
    return shell


@pytest.fixture
def made(tmp_path: Path, config: Path) -> Iterator[Workspace]:
    """A workspace with Mina's key, one page on which Chelsea says something, and a proposal p1 for other words."""
    workspace = create_workspace(tmp_path / "chelsea", title="Chelsea", owner="mina", config=config)
    workspace.enrol("mina", PASSPHRASE)
    chapter = workspace.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
    cat = workspace.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0")
    with chapter.edit("one page") as edit:
        frame = edit.add_page().add_frame(rect=(6, 6, 93, 136))
        frame.place(cat)
        frame.say("Is that… mine?", at=(50, 30), speaker="Chelsea", tail=(40, 60))
    propose(workspace)
    yield workspace
    workspace.close()


@pytest.fixture
def ws(loaded: InteractiveShell, made: Workspace) -> Workspace:
    """That workspace, open in the notebook as ``ws``."""
    loaded.user_ns["ws"] = made
    return made


@pytest.fixture
def complete(loaded: InteractiveShell) -> Complete:
    """What a Tab at the end of a text offers, and only what the kit's matcher offers where it has anything."""

    def offers(text: str, *, after: str = "") -> list[str]:
        with provisionalcompleter():
            found = list(loaded.Completer.completions(text + after, len(text)))
        return [text[item.start :][:0] + item.text for item in found]

    return offers


def balloon(workspace: Workspace) -> Balloon:
    """The balloon of the chapter as it stands."""
    book = workspace.comics.head(workspace.comics.chapters()[0].id).book
    return next(item for unit in book.units() for item in unit.objects if isinstance(item, Balloon))


def propose(workspace: Workspace, text: str = "It is mine.") -> str:
    """Have an agent propose other words for the balloon; gives the proposal's id."""
    record = workspace.comics.chapters()[0]
    say: list[dict[str, Any]] = [{"op": "balloon.set", "target": balloon(workspace).id, "args": {"text": text}}]
    with workspace.journal.write() as connection:
        draft, moment = workspace.drafts.begin(connection, record.id, title="words", actor=AGENT)
    head = moment.revision.number
    planned = workspace.drafts.plan(draft.id, head, say)
    with workspace.journal.write() as connection:
        done = workspace.drafts.commit(connection, draft.id, planned, head, say, message="words", actor=AGENT)
    number = done.moment.revision.number
    with workspace.journal.write() as connection:
        frozen, _ = workspace.proposal_service.freeze(connection, draft.id, number, summary="A line", actor=AGENT)
    return frozen.id
