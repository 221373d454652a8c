"""Live widgets in a notebook, static forms everywhere else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import lantern_kit
from lantern_kit.kernel.errors import WorkspaceProblem
from lantern_kit.notebook import load, unload
from lantern_kit.notebook.shown import SHOWN, widget
from lantern_kit.workspace import Workspace
from tests.notebook.conftest import Kernel

Capture = pytest.CaptureFixture[str]


class Stand:
    """What stands for a widget: it says what it was made of."""

    def __init__(self, name: str, arguments: tuple[Any, ...]) -> None:
        self.name = name
        self.arguments = arguments

    def _ipython_display_(self) -> None:
        print(f"live {self.name}")


class Stage:
    """Where widgets come from in these tests, and which were made."""

    def __init__(self) -> None:
        self.made: list[Stand] = []

    def __call__(self, name: str) -> Callable[..., Stand]:
        def make(*arguments: Any) -> Stand:
            stand = Stand(name, arguments)
            self.made.append(stand)
            return stand

        return make


@pytest.fixture
def stage(shell: InteractiveShell, kernel: Kernel, made: Workspace) -> Stage:
    """A notebook with stand-ins for widgets, and the workspace open as ``ws``."""
    found = Stage()
    load(shell, widgets=found)
    shell.user_ns |= {"ws": made, "chapter": made.works()[0].chapter(1)}
    return found


def test_every_model_of_the_table_is_there_by_that_name() -> None:
    for model in SHOWN:
        home, _, name = model.rpartition(".")
        assert getattr(import_module(home), name).__module__ == home


def test_every_widget_of_the_table_is_there_by_that_name() -> None:
    for live in SHOWN.values():
        assert widget(live.widget).__name__ == live.widget


@pytest.mark.parametrize(
    ("cell", "widget_name"),
    [
        ("chapter", "PageView"),
        ("chapter[0]", "PageView"),
        ("ws.proposals['p1']", "ProposalReview"),
        ("chapter.history()", "HistoryView"),
        ("chapter.history(drafts=True)", "HistoryView"),
        ("chapter.annotations()", "AnnotationPanel"),
        ("ws.activity()", "ActivityPanel"),
        ("ws.activity(chapter)", "ActivityPanel"),
        ("ws.novels.begin('The Lamp', 'Write of a lamp.')", "NovelDesk"),
    ],
)
def test_in_a_notebook_an_object_shows_its_live_widget(
    shell: InteractiveShell, stage: Stage, capsys: Capture, cell: str, widget_name: str
) -> None:
    assert shell.run_cell(cell).success
    assert [item.name for item in stage.made] == [widget_name]
    assert capsys.readouterr().out.endswith(f"live {widget_name}\n")


def test_a_widget_is_made_with_what_it_shows(shell: InteractiveShell, stage: Stage, made: Workspace) -> None:
    shell.run_cell("display(chapter, ws.proposals['p1'], chapter.history(), chapter.annotations())")
    chapter, proposal, history, notes = (item.arguments for item in stage.made)
    assert chapter == (shell.user_ns["chapter"],)
    assert proposal[0].id == "p1"
    assert history[0].id == notes[0].id == chapter[0].id
    stage.made.clear()
    shell.run_cell("display(ws.activity(), ws.activity(chapter))")
    everything, one = (item.arguments for item in stage.made)
    assert everything == (made, None)
    assert one[0] is made and one[1].id == chapter[0].id


@pytest.mark.parametrize(
    "cell",
    [
        "chapter.history(actor='mina')",
        "chapter.history()[:1]",
        "chapter.annotations('resolved')",
        "ws.activity(agent='claude-code')",
        "ws",
        "ws.works()",
        "chapter.locks()",
    ],
)
def test_what_shows_a_part_or_has_no_widget_keeps_its_static_form(
    shell: InteractiveShell, stage: Stage, capsys: Capture, cell: str
) -> None:
    shell.run_cell(cell)
    assert stage.made == []
    assert capsys.readouterr().out.startswith("Out[")


def test_a_widget_that_cannot_be_made_says_why_and_the_static_form_is_shown(
    shell: InteractiveShell, kernel: Kernel, made: Workspace, capsys: Capture
) -> None:
    def broken(name: str) -> Callable[..., Any]:
        raise WorkspaceProblem(f"{name} is not built", recovery="Build it.")

    load(shell, widgets=broken)
    shell.user_ns["ws"] = made
    shell.run_cell("ws.proposals['p1']")
    said = capsys.readouterr().out
    assert "WorkspaceProblem [workspace_problem]: ProposalReview is not built" in said
    assert "Build it." in said and "Traceback" not in said
    assert "Proposal p1 by claude-code" in said


def test_in_a_terminal_the_plain_form_stays(shell: InteractiveShell, made: Workspace, capsys: Capture) -> None:
    found = Stage()
    load(shell, widgets=found)
    shell.user_ns["ws"] = made
    shell.run_cell("ws.proposals['p1']")
    assert found.made == []
    assert "Proposal p1 by claude-code" in capsys.readouterr().out


def test_unloading_takes_everything_down(shell: InteractiveShell, stage: Stage, capsys: Capture) -> None:
    shell.run_cell("chapter")
    assert len(stage.made) == 1
    unload(shell)
    capsys.readouterr()
    shell.run_cell("chapter")
    shell.run_cell("ws.activity()")
    assert len(stage.made) == 1
    assert "<Chapter 'Chelsea Goes Up" in capsys.readouterr().out
    assert "lantern" not in shell.magics_manager.magics["line"]
    assert "lantern_sql" not in shell.magics_manager.magics["cell"]
    assert all("lantern" not in getattr(item, "matcher_identifier", "") for item in shell.Completer.custom_matchers)
    unload(shell)  # a second time changes nothing


def test_it_is_loaded_by_its_name_once_and_again_after_unloading(
    shell: InteractiveShell, kernel: Kernel, capsys: Capture
) -> None:
    shell.run_cell("%load_ext lantern_kit\n%load_ext lantern_kit")
    lantern_kit.load_ipython_extension(shell)
    matchers = [item for item in shell.Completer.custom_matchers if item.matcher_identifier == "lantern_kit"]
    assert len(matchers) == 1
    shell.run_line_magic("unload_ext", "lantern_kit")
    shell.run_line_magic("load_ext", "lantern_kit")
    capsys.readouterr()
    assert shell.run_cell("%lantern --version").success
    assert lantern_kit.__version__ in capsys.readouterr().out


def test_unloading_closes_what_was_opened_for_the_notebook_and_nothing_else(
    shell: InteractiveShell, kernel: Kernel, made: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(shell)
    monkeypatch.chdir(made.path)
    shell.run_cell("found = %lantern use")
    opened = shell.user_ns["found"]
    assert opened is not made
    closed: list[Workspace] = []

    def close(self: Workspace) -> None:
        closed.append(self)
        self.journal.close()

    monkeypatch.setattr(Workspace, "close", close)
    unload(shell)
    assert closed == [opened]
