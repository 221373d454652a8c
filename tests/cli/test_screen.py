"""What a terminal shows: lines broken between words, and nothing left of a bar that moved."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from lantern_kit.cli import place, screen

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
