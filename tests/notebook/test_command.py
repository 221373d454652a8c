"""``%lantern``: the command line in a notebook, on the workspace that is open in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from lantern_kit.kernel.errors import BadInput, LanternError, NotAllowed, NotFound
from lantern_kit.workspace import Workspace, open_workspace
from tests.notebook.conftest import PASSPHRASE, Kernel, balloon

Capture = pytest.CaptureFixture[str]


def run(shell: InteractiveShell, cell: str) -> BaseException | None:
    """Run a cell as a person would; gives what it raised."""
    done = shell.run_cell(cell)
    return done.error_in_exec or done.error_before_exec


def test_a_command_runs_on_the_workspace_that_is_open_and_shows_its_output(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture
) -> None:
    assert run(loaded, "%lantern outline") is None
    said = capsys.readouterr()
    assert "Chelsea Goes Up · chapter 1" in said.out and "Page 1" in said.out
    assert "%lantern show p1" in said.out and str(ws.path) not in said.out
    assert said.err == ""
    assert loaded.user_ns["_exit_code"] == 0
    assert ws.comics.chapters()  # it stays open


def test_remarks_do_not_look_like_failures_and_results_have_colours(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture
) -> None:
    assert run(loaded, "%lantern sql 'select count(*) as n from changes'") is None
    said = capsys.readouterr()
    assert said.err == ""
    assert "rows: 1" in said.out
    assert "\x1b[1mn" in said.out


def test_without_words_it_says_what_there_is(loaded: InteractiveShell, capsys: Capture) -> None:
    assert run(loaded, "%lantern") is None
    said = capsys.readouterr().out
    assert "Usage: %lantern" in said and "outline" in said and "apply" in said


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("show p9", NotFound, "there is no proposal p9"),
        ("shwo p1", BadInput, "Did you mean 'show'?"),
        ("show --partz p1", BadInput, "--parts"),
        ("show 'p1", BadInput, "Close the quotes"),
        ("export 1 --to gif", BadInput, "--to"),
        ("history --cause aply", BadInput, "Nearest: apply"),
        ("outline nowhere", NotFound, "nowhere is not a workspace"),
        ("use nowhere", NotFound, "nowhere is not a workspace"),
        ("use one two", BadInput, "one workspace is used at a time"),
        ("mcp", NotAllowed, "In a terminal: lantern mcp"),
        ("lab", NotAllowed, "In a terminal: lantern lab"),
        ("review p1", NotAllowed, "ws.proposals['p1']"),
        ("demo", NotAllowed, "In a terminal: lantern demo"),
    ],
)
def test_a_failing_command_shows_its_error_and_never_a_traceback(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture, line: str, kind: type[LanternError], words: str
) -> None:
    error = run(loaded, f"%lantern {line}")
    assert type(error) is kind
    said = capsys.readouterr()
    assert words in said.out + said.err
    for trace in ("Traceback", ".py", "lantern_kit/", "get_ipython"):
        assert trace not in said.out + said.err


def test_a_bug_is_told_as_one_without_a_traceback(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(type(ws.comics), "chapters", broken)
    error = run(loaded, "%lantern outline")
    said = capsys.readouterr().out
    assert type(error) is LanternError
    assert "internal error (ZeroDivisionError): this is a bug" in said
    assert "secret" not in said and "Traceback" not in said


def test_stopping_a_command_is_said_and_fails_nothing(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(ws.comics), "chapters", stopped)
    assert run(loaded, "%lantern outline") is None
    assert "Stopped. What was finished is kept" in capsys.readouterr().out
    assert loaded.user_ns["_exit_code"] == 130


@pytest.mark.parametrize(
    "line",
    [
        "proposals", "show p1", "keys", "approvals", "annotations", "library", "activity", "blame {thing}", "check",
        "locks", "conflicts", "history --drafts --json", "doctor", "connect json", "verify --json",
        "export 1 --to png --dpi 72", "sql --csv 'from chapters'", "lock {thing} --reason 'my joke'",
    ],
)  # fmt: skip
def test_every_other_command_runs_in_a_cell(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture, line: str
) -> None:
    loaded.user_ns["thing"] = balloon(ws).id
    assert run(loaded, f"%lantern {line}") is None
    said = capsys.readouterr()
    assert said.out and not said.err


def test_what_the_machine_says_is_told_as_the_kits(loaded: InteractiveShell, ws: Workspace, capsys: Capture) -> None:
    Path("taken").write_text("a file")
    error = run(loaded, "%lantern export 1 --out taken/here")
    assert isinstance(error, LanternError)
    assert "Traceback" not in capsys.readouterr().out


def test_a_verdict_is_asked_for_in_the_front_end_and_signed(
    loaded: InteractiveShell, ws: Workspace, kernel: Kernel, capsys: Capture
) -> None:
    kernel.answers = ["y", PASSPHRASE]
    assert run(loaded, "%lantern apply p1 --reason funnier") is None
    assert kernel.answers == []
    assert kernel.asked[0].startswith("Apply p1 to the work?")
    assert "mina" in kernel.asked[1]
    said = capsys.readouterr().out
    assert "Applied p1" in said and "signed by mina" in said
    assert PASSPHRASE not in said
    assert balloon(ws).text == "It is mine."
    assert ws.verify().clean


def test_a_no_changes_nothing(loaded: InteractiveShell, ws: Workspace, kernel: Kernel, capsys: Capture) -> None:
    kernel.answers = [""]
    assert run(loaded, "%lantern apply p1") is None
    assert "Nothing was changed." in capsys.readouterr().out
    assert loaded.user_ns["_exit_code"] == 1
    assert ws.proposals["p1"].facts.state == "pending"


def test_a_wrong_passphrase_is_refused(loaded: InteractiveShell, ws: Workspace, kernel: Kernel) -> None:
    kernel.answers = ["y", "wrong", "wrong", "wrong"]
    assert isinstance(run(loaded, "%lantern apply p1"), NotAllowed)
    assert ws.proposals["p1"].facts.state == "pending"


def test_where_the_front_end_cannot_ask_it_says_so(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook that is run by a program."""

    def refuse(_: str = "") -> str:
        raise NotImplementedError("raw_input was called, but this frontend does not support input requests.")

    monkeypatch.setattr("builtins.input", refuse)
    error = run(loaded, "%lantern apply p1")
    assert isinstance(error, NotAllowed)
    assert "nobody can be asked here" in capsys.readouterr().out
    assert ws.proposals["p1"].facts.state == "pending"


def test_a_new_passphrase_is_typed_in_the_front_end(
    loaded: InteractiveShell, ws: Workspace, kernel: Kernel, config: Path
) -> None:
    kernel.answers = [PASSPHRASE, "another lantern", "another lantern"]
    assert run(loaded, "%lantern keys passphrase") is None
    assert kernel.answers == []
    ws._ask = lambda _: "another lantern"
    with ws.reviewer() as me:
        assert me.name == "mina"


def test_variables_stand_for_their_values(loaded: InteractiveShell, ws: Workspace, capsys: Capture) -> None:
    assert run(loaded, "proposal = ws.proposals.pending()[0]\n%lantern show --text {proposal.id}") is None
    assert "Proposal p1 by claude-code" in capsys.readouterr().out


def test_a_command_that_finds_something_wrong_leaves_its_exit_code(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture
) -> None:
    with ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE revisions SET message = 'forged' WHERE id = 2")
    assert run(loaded, "%lantern verify") is None
    assert loaded.user_ns["_exit_code"] == 1
    assert "r2" in capsys.readouterr().out


# which workspace


def test_with_several_workspaces_open_it_asks_which_and_use_chooses(
    loaded: InteractiveShell, ws: Workspace, tmp_path: Path, capsys: Capture
) -> None:
    shutil.copytree(ws.path, tmp_path / "copy")
    with open_workspace(tmp_path / "copy") as other:
        loaded.user_ns["other"] = other
        error = run(loaded, "%lantern outline")
        assert isinstance(error, BadInput)
        assert error.expected == ["other", "ws"]
        assert "%lantern use other" in capsys.readouterr().out
        assert run(loaded, "%lantern outline copy") is None
        assert run(loaded, "%lantern --version") is None
        run(loaded, "chosen = %lantern use ws")
        assert loaded.user_ns["chosen"] is ws
        assert run(loaded, "%lantern outline") is None
        run(loaded, "chosen = %lantern use copy")
        assert loaded.user_ns["chosen"] is other
        run(loaded, "same = %lantern use")
        assert loaded.user_ns["same"] is other


def test_two_variables_that_hold_one_workspace_mean_it(loaded: InteractiveShell, ws: Workspace) -> None:
    loaded.user_ns["also"] = ws
    assert run(loaded, "%lantern outline") is None


def test_a_notebook_that_lies_in_a_workspace_means_that(
    loaded: InteractiveShell, made: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(made.path / "notebooks")
    assert run(loaded, "%lantern outline") is None
    assert "Chelsea Goes Up" in capsys.readouterr().out
    run(loaded, "found = %lantern use")
    assert loaded.user_ns["found"].path == made.path


def test_a_workspace_may_be_named_in_the_command(loaded: InteractiveShell, made: Workspace, capsys: Capture) -> None:
    assert run(loaded, "%lantern outline chelsea") is None
    assert "%lantern show chelsea p1" in capsys.readouterr().out


def test_where_there_is_no_workspace_it_says_how_to_open_one(loaded: InteractiveShell, capsys: Capture) -> None:
    assert isinstance(run(loaded, "%lantern use"), NotFound)
    assert "%lantern use PATH" in capsys.readouterr().out
    assert isinstance(run(loaded, "%lantern outline"), NotFound)
    assert run(loaded, "%lantern --version") is None
    assert "lantern-kit" in capsys.readouterr().out


def test_in_a_terminal_it_speaks_as_in_a_terminal(shell: InteractiveShell, made: Workspace, capsys: Capture) -> None:
    shell.run_line_magic("load_ext", "lantern_kit")
    shell.user_ns["ws"] = made
    assert run(shell, "%lantern sql 'select 1 as n'") is None
    said = capsys.readouterr()
    assert "rows: 1" in said.err and "\x1b" not in said.out
    error = run(shell, "%lantern apply p1")
    assert isinstance(error, NotAllowed)  # nobody sits at this test's standard input
    assert "needs a person at a terminal" in error.message


def test_it_speaks_chinese_where_the_machine_does(
    loaded: InteractiveShell, ws: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert run(loaded, "%lantern locks") is None
    assert "没有" in capsys.readouterr().out
