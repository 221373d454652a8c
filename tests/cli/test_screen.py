"""What a terminal shows: lines broken between words, and nothing left of a bar that moved."""

from __future__ import annotations

import io
import re
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from lantern_kit.cli import place, screen
from lantern_kit.cli.seat import Seat, seated

ERASE = "\x1b[2K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """One terminal of 40 columns behind both streams."""
    made = Terminal()
    monkeypatch.setattr(sys, "stdout", made)
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "40")
    return made


def test_the_bar_is_off_the_screen_while_something_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with screen.working("Drawing") as step:
        for number in range(3):
            step("page", number, 3)
            screen.say(f"result {number}")
    said = terminal.getvalue()
    assert "Drawing" in said
    for number in range(3):
        before = said[: said.index(f"result {number}")]
        assert "Drawing" not in before[before.rindex(ERASE) :]
    assert "Drawing" not in said[said.rindex(ERASE) :]


def test_a_cell_gets_no_bar_though_it_says_that_it_is_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    said = at_terminal(monkeypatch)
    with seated(Seat("%lantern", lambda: None, lambda folder: None, in_cell=True)), screen.working("Drawing") as step:
        step("page", 1, 2)
        screen.say("a result")
    assert "a result" in said.getvalue()
    assert "Drawing" not in said.getvalue()


def test_results_stay_on_their_own_stream_while_a_bar_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stdout", pipe)
    with screen.working("Drawing") as step:
        step("page", 1, 2)
        screen.say("a result")
    assert pipe.getvalue() == "a result\n"
    assert "a result" not in terminal.getvalue()


def test_a_long_line_is_broken_between_words_and_goes_on_where_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    screen.say("  · the cat climbs over the roof and nobody in the house has seen it go")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue()).splitlines()
    assert lines == ["  · the cat climbs over the roof and", "    nobody in the house has seen it go"]


@given(text=st.text(st.sampled_from("ab ·-猫")), width=st.integers(8, 30))
def test_folding_loses_no_word_and_splits_none(text: str, width: int) -> None:
    parts = [part.plain for part in screen.folded(Text(text), width)]
    words = [word for part in parts for word in part.split()]
    assert words == text.split()
    assert all(Text(part).cell_len <= width or len(part.lstrip(" ·-").split()) <= 1 for part in parts)


def test_the_program_is_named_as_it_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "env" / "lantern"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    for typed, named in (("env/lantern", "env/lantern"), (str(script), "env/lantern"), ("pytest", "lantern")):
        monkeypatch.setattr(sys, "argv", [typed])
        assert place.program() == named
    monkeypatch.setenv("PATH", str(script.parent))
    monkeypatch.setattr(sys, "argv", [str(script)])
    assert place.program() == "lantern"


def waited(monkeypatch: pytest.MonkeyPatch, seconds: float) -> str:
    """What a terminal shows of an action that nobody waited for."""
    terminal = at_terminal(monkeypatch)
    moments = iter([0.0, seconds, seconds])
    monkeypatch.setattr(screen, "time", SimpleNamespace(monotonic=moments.__next__))
    with screen.patient("Comparing") as step:
        step("changes", 1, 3)
    return terminal.getvalue()


def test_an_action_that_nobody_waited_for_is_shown_once_it_takes_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert waited(monkeypatch, 0.9) == ""
    said = waited(monkeypatch, 1.1)
    assert "Comparing: chang" in said
    assert "Comparing" not in said[said.rindex(ERASE) :]


def test_it_is_shown_in_the_language_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "比较中：改动" in waited(monkeypatch, 1.1)


def test_nothing_is_shown_of_it_to_a_program_nor_of_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    thread = threading.Thread(target=lambda: said.append(waited(monkeypatch, 5.0)))
    said: list[str] = []
    thread.start()
    thread.join()
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    with screen.patient("Comparing") as step:
        step("changes", 1, 3)
    assert said == [pipe.getvalue()] == [""]
