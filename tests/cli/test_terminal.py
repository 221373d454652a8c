"""A person at a terminal: passphrases, a yes, a no, Ctrl-C. The terminal is a real one."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from lantern_kit.workspace import Workspace, open_workspace
from tests.cli.conftest import PASSPHRASE, SCRIPT, balloon, propose, reword

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")  # how ptys are made

Terminal = Callable[..., "pexpect.spawn[str]"]
PROMPT = r"\[y/N\]: "
"""What a question ends with: from here on the program reads."""


@pytest.fixture
def terminal(config: Path, tmp_path: Path) -> Terminal:
    """Run the installed program at a terminal: ``terminal("init", path)``."""

    def start(*words: object) -> pexpect.spawn[str]:
        env = {**os.environ, "TERM": "dumb"}
        return pexpect.spawn(
            str(SCRIPT),
            [str(word) for word in words],
            cwd=str(tmp_path),
            env=env,
            encoding="utf-8",
            timeout=20,
            dimensions=(50, 200),
        )

    return start


def ended(child: pexpect.spawn[str]) -> int:
    """Wait for the end; ``child.before`` is what was printed since."""
    child.expect(pexpect.EOF)
    child.wait()  # close() would hang up on a process that is still ending
    child.close()
    assert child.exitstatus is not None
    return child.exitstatus


def answer(child: pexpect.spawn[str], **answers: str) -> None:
    for question, words in answers.items():
        child.expect(question)
        child.sendline(words)


def test_init_asks_for_everything_and_enrols_a_key_with_a_passphrase(
    terminal: Terminal, tmp_path: Path, config: Path
) -> None:
    child = terminal("init", "chelsea")
    answer(child, Title="", comic="Chelsea Goes Up", direction="rtl", Paper="110x160", reviewer="Ann")
    answer(child, passphrase=PASSPHRASE, again=PASSPHRASE)
    child.expect("Made the workspace Chelsea in chelsea")
    child.expect("lantern connect claude-code chelsea")
    assert ended(child) == 0
    (key,) = (config / "keys").glob("*.pem")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert b"ENCRYPTED" in key.read_bytes()
    with open_workspace(tmp_path / "chelsea", config=config) as made:
        facts = made.comic("Chelsea Goes Up").chapter(1).book.chapter
        assert (facts.direction, facts.paper.binding, facts.paper.width) == ("rtl", "right", 110_000)
        (enrolled,) = made.reviewers()
        assert (enrolled.name, enrolled.key, enrolled.demo) == ("Ann", key.stem, False)
        assert made.verify().clean
    assert not list((tmp_path / "chelsea").rglob("*.pem")), "a private key never lies in the workspace"


def test_init_asks_again_for_what_it_cannot_take(terminal: Terminal, tmp_path: Path) -> None:
    child = terminal(
        "init", "chelsea", "--title", "Chelsea", "--comic", "Up", "--direction", "ltr", "--reviewer", "Ann"
    )
    answer(child, Paper="A9")
    child.expect("A9 is not a known paper")
    answer(child, Paper="A6")
    answer(child, New="short")
    child.expect("at least 8 characters")
    answer(child, New=PASSPHRASE, again="something else")
    child.expect("The two differ")
    answer(child, New=PASSPHRASE, again=PASSPHRASE)
    assert ended(child) == 0


def test_a_passphrase_nobody_agrees_on_leaves_nothing_behind(terminal: Terminal, tmp_path: Path, config: Path) -> None:
    child = terminal("init", "chelsea", "--title", "C", "--comic", "U", "--direction", "ltr", "--paper", "A6")
    answer(child, reviewer="Ann")
    for _ in range(3):
        answer(child, New="short")
    child.expect("no passphrase was agreed on")
    assert ended(child) == 1
    assert not (tmp_path / "chelsea").exists()
    assert not config.exists()


def test_enrol_adds_a_second_reviewer(terminal: Terminal, made: Workspace) -> None:
    child = terminal("enrol", made.path)
    child.expect("May decide here already: mina")
    answer(child, reviewer="Ann", New="a lamp in the rain", again="a lamp in the rain")
    answer(child, **{"Passphrase of mina": PASSPHRASE})
    child.expect("Enrolled Ann")
    assert ended(child) == 0
    assert [item.name for item in made.reviewers()] == ["mina", "Ann"]


def test_apply_shows_the_words_asks_and_makes_the_proposal_the_work(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name, "--reason", "funnier")
    child.expect("Is that… mine?.*It is mine.")
    answer(child, Apply="y", Passphrase=PASSPHRASE)
    child.expect(f"Applied {name}: Chelsea Goes Up, chapter 1 is at r5, saved as s1")
    child.expect("signed by mina")
    assert ended(child) == 0
    assert balloon(made).text == "It is mine."
    (approval,) = made.proposals[name].look().approvals
    assert (approval.reviewer, approval.reason) == ("mina", "funnier")
    assert made.verify().clean


def test_a_wrong_passphrase_changes_nothing(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name)
    answer(child, Apply="yes", Passphrase="not the passphrase")
    for wrong in ("nor this", ""):
        child.expect("That was not it. Passphrase")
        child.sendline(wrong)
    child.expect("the passphrase is wrong")
    assert ended(child) == 1
    assert made.proposals[name].facts.state == "pending"
    assert balloon(made).text == "Is that… mine?"


def test_a_passphrase_mistyped_once_is_asked_for_again(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name)
    answer(child, Apply="yes", Passphrase="not the passphrase")
    answer(child, **{"That was not it": PASSPHRASE})
    child.expect("Applied")
    assert ended(child) == 0


@pytest.mark.parametrize("words", ["", "n", "maybe"])
def test_anything_but_a_yes_is_a_no(terminal: Terminal, made: Workspace, words: str) -> None:
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name)
    answer(child, Apply=words)
    child.expect("Nothing was changed")
    assert ended(child) == 1
    assert made.proposals[name].facts.state == "pending"


def test_keep_and_discard_are_signed_and_leave_the_work_alone(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    for verdict, state in (("keep", "kept"), ("discard", "discarded")):
        child = terminal(verdict, made.path, name, "--reason", "not yet")
        answer(child, **{f"{verdict.capitalize()} {name}": "y"}, Passphrase=PASSPHRASE)
        child.expect("signed by mina")
        assert ended(child) == 0
        assert made.proposals[name].facts.state == state
    assert balloon(made).text == "Is that… mine?"
    assert made.verify().clean


def test_a_proposal_over_changed_work_is_applied_only_by_saying_how(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    reword(made, "Mine?")
    child = terminal("apply", made.path, name, "--overwrite")
    child.expect("Overwrites: Page 1 changed since the draft began")
    answer(child, **{"overwrite what changed meanwhile": "y"}, Passphrase=PASSPHRASE)
    child.expect("Applied")
    assert ended(child) == 0
    assert balloon(made).text == "It is mine."


def test_work_that_moves_while_the_person_reads_is_not_overwritten(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name)
    child.expect(PROMPT)
    reword(made, "Mine?")
    child.sendline("y")
    answer(child, Passphrase=PASSPHRASE)
    child.expect("moved on from")
    child.expect("my own words")
    assert ended(child) == 1
    assert balloon(made).text == "Mine?"
    assert made.proposals[name].facts.state == "pending"


def test_rows_too_wide_for_the_terminal_are_printed_one_below_the_other(terminal: Terminal, made: Workspace) -> None:
    child = terminal("sql", made.path, "select * from revisions order by revision")
    assert ended(child) == 0
    lines = [line.strip() for line in child.before.splitlines()]
    assert [line.split()[1] for line in lines if line.startswith("revision ")] == ["r1", "r2"]
    assert sum(line.startswith("chain ") and len(line.split()[1]) == 64 for line in lines) == 2


def test_ctrl_c_ends_with_130_and_no_traceback(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name)
    child.expect(PROMPT)
    child.sendintr()
    child.expect("Stopped")
    assert "Traceback" not in child.before
    assert ended(child) == 130
    assert made.proposals[name].facts.state == "pending"


def test_the_end_of_input_is_a_no(terminal: Terminal, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name)
    child.expect(PROMPT)
    child.sendeof()
    assert ended(child) == 1
    assert made.proposals[name].facts.state == "pending"


@pytest.mark.parametrize("said", [False, True])
def test_the_server_in_a_terminal_says_that_it_waits_and_ends_at_once(
    terminal: Terminal, made: Workspace, said: bool
) -> None:
    child = terminal("mcp", made.path)
    child.expect("waiting for an MCP host")
    if said:
        child.sendline('{"jsonrpc":"2.0","id":7,"method":"ping"}')
        child.expect('"id":7.*"id":7')  # the terminal's own echo, then the answer
    child.sendintr()
    assert ended(child) == 130
    assert "Traceback" not in child.before
