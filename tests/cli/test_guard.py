"""What people see when something goes wrong: no traceback, an exit code, and what to do."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from lantern_kit.cli.app import PANELS
from lantern_kit.cli.guard import Guarded
from lantern_kit.cli.screen import clean
from lantern_kit.kernel.errors import StaleHead
from lantern_kit.workspace import Workspace
from tests.cli.conftest import SCRIPT, Run

COMMANDS = sorted(command.__name__ for commands in PANELS.values() for command in commands)
Lantern = Callable[..., subprocess.CompletedProcess[str]]


def raising(error: BaseException, *words: str) -> Result:
    app = typer.Typer(cls=Guarded, pretty_exceptions_enable=False)

    @app.callback()
    def everywhere(*, debug: bool = False) -> None:
        del debug

    @app.command()
    def fail() -> None:
        raise error

    return CliRunner().invoke(app, [*words, "fail"])


def test_a_deliberate_error_says_what_was_expected_found_and_what_to_do() -> None:
    result = raising(
        StaleHead(
            "d7 moved on",
            expected="r41",
            found="r43",
            ids=["d7"],
            details={"since": [{"revision": "r42", "actor": "mina", "cause": "edit", "message": "darker"}]},
        )
    )
    assert (result.exit_code, result.stdout) == (1, "")
    lines = [line.strip() for line in result.stderr.splitlines()]
    assert lines == [
        "Error: d7 moved on  [stale_head]",
        "expected: r41",
        "found: r43",
        "· r42 edit mina darker",
        "What to do: Look at what changed, then call again with the current revision.",
    ]


def test_many_details_are_cut() -> None:
    findings = [{"object": f"bl_{number}", "message": "broken"} for number in range(20)]
    result = raising(StaleHead("x", details={"findings": findings}))
    assert "bl_7: broken" in result.stderr
    assert "bl_8" not in result.stderr
    assert "… and 12 more" in result.stderr


def test_a_bug_is_one_line_and_exit_code_70() -> None:
    result = raising(KeyError("secret words"))
    assert (result.exit_code, result.stdout) == (70, "")
    assert result.stderr.count("\n") == 1
    assert "internal error (KeyError): this is a bug" in result.stderr
    assert "secret words" not in result.stderr


def test_an_error_from_an_asynchronous_part_is_told_as_itself() -> None:
    result = raising(ExceptionGroup("group", [ExceptionGroup("inner", [StaleHead("d7 moved on")])]))
    assert result.exit_code == 1
    assert "d7 moved on" in result.stderr
    assert "(KeyError)" in raising(ExceptionGroup("group", [KeyError("x")])).stderr


def test_debug_shows_where_a_bug_is() -> None:
    result = raising(KeyError("x"), "--debug")
    assert result.exit_code == 70
    assert "Traceback" in result.stderr
    assert "in fail" in result.stderr


def test_the_machine_s_own_errors_are_no_bugs() -> None:
    result = raising(PermissionError(13, "Permission denied", "/somewhere"))
    assert result.exit_code == 1
    assert "Permission denied: /somewhere" in result.stderr
    assert "What to do" in result.stderr


def test_a_missing_system_library_is_named() -> None:
    error = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    result = raising(error)
    assert result.exit_code == 1
    assert "libEGL.so.1" in result.stderr
    assert "lantern doctor" in result.stderr


def test_ctrl_c_is_130() -> None:
    result = raising(KeyboardInterrupt())
    assert result.exit_code == 130
    assert "Stopped" in result.stderr


@pytest.mark.parametrize("text", ["plain", "多言語 ｆｕｌｌ　width", "👩\u200d🚀", "line\nline", "no\u00a0break"])
def test_ordinary_text_is_printed_as_it_is(text: str) -> None:
    assert clean(text) == text


def test_what_steers_a_terminal_is_shown() -> None:
    assert clean("\x1b[31m \r \x00 \u202e \u2066") == "\\x1b[31m \\r \\x00 \\u202e \\u2066"


def test_errors_go_to_standard_error_and_results_to_standard_output(lantern: Lantern, path: Path) -> None:
    good, bad = lantern("outline", path), lantern("outline", path / "inbox")
    assert (good.returncode, good.stderr) == (0, "")
    assert (bad.returncode, bad.stdout) == (1, "")


def test_a_reader_that_goes_away_is_no_error(path: Path, config: Path) -> None:
    for form in ("--csv", "--json", ""):
        query = "select * from range(20000)"  # more than a pipe holds
        command = f"{SCRIPT} sql {path} '{query}' {form} | head -n 1; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)
        assert done.stderr in {"", "the first 200 rows; --csv and --json give all\n"}
        assert done.stdout.splitlines()[-1] in {"0", "141"}


def test_two_processes_work_in_one_workspace(made: Workspace, lantern: Lantern, run: Run) -> None:
    """One holds a write transaction while others look: readers do not wait."""
    with made.journal.write() as connection:
        connection.exec_driver_sql("UPDATE workspace SET value = value")
        assert lantern("outline", made.path).returncode == 0
        assert lantern("verify", made.path).returncode == 0
        assert lantern("sql", made.path, "select count(*) from revisions").returncode == 0


def test_a_terminal_that_cannot_show_a_character_shows_its_number(
    lantern: Lantern, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = lantern("outline", path)
    assert done.returncode == 0
    assert "\\xb7" in done.stdout


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from lantern_kit.cli.app import app; app(['--help'], standalone_mode=False); print(*sys.modules)"
    )
    python = str(SCRIPT.with_name("python"))
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not {"duckdb", "skia", "IPython", "mcp", "numpy", "pydantic", "sqlalchemy", "PIL"} & loaded


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_teaches_with_an_example(run: Run, command: str) -> None:
    said = " ".join(run(command, "--help").output.split())
    assert f"Example: lantern {command}" in said


def test_words_that_are_no_text_are_refused_and_no_bug() -> None:
    with pytest.raises(UnicodeEncodeError) as caught:
        b"\xff".decode(errors="surrogateescape").encode()
    result = raising(caught.value)
    assert result.exit_code == 1
    assert "no text" in result.output
    assert "bug" not in result.output


def test_no_example_holds_what_a_shell_would_eat(root: Path) -> None:
    found = [
        line.partition(": ")[2].strip()
        for path in (root / "lantern_kit" / "cli").glob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if re.fullmatch(r" +[A-Z][\w ,']*: +lantern [^\"].*", line)
    ]
    assert len(found) > 40
    for example in found:
        bare = re.sub(r'"[^"$`!\\]*"', "", example)
        assert not re.search(r"""[#&;|<>*?!$()`\[\]{}"']""", bare), example
