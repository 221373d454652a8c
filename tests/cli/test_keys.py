"""Keys at a terminal: let in, offered, replaced, revoked, given another passphrase. The terminal is a real one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lantern_kit.keyring import Offer
from lantern_kit.keys import TRIES
from lantern_kit.workspace import Workspace
from tests.cli.conftest import PASSPHRASE, Run, propose
from tests.cli.test_terminal import Terminal, answer, ended, terminal

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")  # how ptys are made
OTHER = "a lamp in the rain"
__all__ = ["terminal"]


def test_keys_are_listed_with_their_states(run: Run, made: Workspace) -> None:
    old = made.keys.get("mina")
    with made.reviewer() as me:
        made.keys.enrol("ann", OTHER, by=me)
        made.keys.revoke("ann", by=me, reason="left")
        new = made.keys.rotate(OTHER, by=me)
    said = run("keys", made.path).output
    lines = {line.split()[0]: line for line in said.splitlines() if line.startswith("ke_")}
    assert "replaced" in lines[old.key] and new.key in lines[old.key] and "the first key here" in lines[old.key]
    assert "active" in lines[new.key]
    assert "revoked" in lines[made.keys.all()[1].key]
    listed = json.loads(run("keys", "list", made.path, "--json").output)
    assert [item["state"] for item in listed] == ["replaced", "revoked", "active"]
    assert listed[1]["reason"] == "left"
    assert listed[2]["let_in_by"] == old.key


@pytest.mark.parametrize(
    "words",
    [("enrol",), ("keys", "rotate"), ("keys", "passphrase"), ("keys", "revoke", "mina"), ("keys", "offer", "f")],
)
def test_nothing_about_a_key_is_done_without_a_terminal(
    run: Run, made: Workspace, tmp_path: Path, words: tuple[str, ...]
) -> None:
    place = () if words[-1] == "f" else ("--workspace", made.path)
    assert "needs a person at a terminal" in run(*words, *place, code=1).output
    assert len(made.keys) == 1
    assert not (Path.cwd() / "f").exists()


def test_a_key_is_replaced_at_a_terminal(terminal: Terminal, made: Workspace) -> None:
    old = made.keys.get("mina").key
    child = terminal("keys", "rotate", made.path)
    answer(child, Passphrase=PASSPHRASE, New=OTHER, again=OTHER)
    child.expect(f"{old} decides nothing more")
    assert ended(child) == 0
    assert [item.state for item in made.keys.all()] == ["replaced", "active"]
    name = propose(made, "It is mine.")
    child = terminal("apply", made.path, name)
    answer(child, Apply="y", Passphrase=OTHER)
    child.expect("signed by mina")
    assert ended(child) == 0
    assert made.verify().clean


def test_a_wrong_passphrase_replaces_nothing(terminal: Terminal, made: Workspace) -> None:
    child = terminal("keys", "rotate", made.path)
    for _ in range(TRIES):
        answer(child, Passphrase="not the passphrase")
    child.expect("the passphrase is wrong")
    assert ended(child) == 1
    assert len(made.keys) == 1


def test_a_passphrase_is_changed_at_a_terminal(terminal: Terminal, made: Workspace) -> None:
    child = terminal("keys", "passphrase", made.path)
    answer(child, Passphrase=PASSPHRASE, New=OTHER, again=OTHER)
    child.expect("Changed the passphrase")
    assert ended(child) == 0
    child = terminal("keys", "passphrase", made.path)
    for _ in range(TRIES):
        answer(child, Passphrase=PASSPHRASE)
    child.expect("the passphrase is wrong")
    assert ended(child) == 1


def test_a_key_is_revoked_after_a_yes(terminal: Terminal, made: Workspace) -> None:
    with made.reviewer() as me:
        key = made.keys.enrol("ann", OTHER, by=me).key
    child = terminal("keys", "revoke", made.path, "ann", "--reason", "left", "--reviewer", "mina")
    answer(child, Revoke="n")
    assert ended(child) == 1
    assert made.keys.get(key).state == "active"
    child = terminal("keys", "revoke", made.path, key, "--reason", "left", "--reviewer", "mina")
    answer(child, Revoke="y", Passphrase=PASSPHRASE)
    child.expect("Revoked ann")
    assert ended(child) == 0
    assert (made.keys.get(key).state, made.keys.get(key).reason) == ("revoked", "left")


def test_a_key_of_another_machine_is_offered_and_let_in(terminal: Terminal, made: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "ann.json"
    child = terminal("keys", "offer", file, "--name", "Ann")
    answer(child, New=OTHER, again=OTHER)
    child.expect("Wrote the offer of Ann")
    assert ended(child) == 0
    offered = Offer.read(file.read_text())
    child = terminal("enrol", made.path, "--offer", file)
    answer(child, **{f"Let Ann decide here, with the key {offered.key}": "y"}, Passphrase=PASSPHRASE)
    child.expect("Enrolled Ann")
    assert ended(child) == 0
    assert [item.name for item in made.reviewers()] == ["mina", "Ann"]


def test_a_file_that_is_no_offer_is_refused(terminal: Terminal, made: Workspace, tmp_path: Path) -> None:
    (tmp_path / "no.json").write_text('{"name": "Eve"}')
    for file, said in (("no.json", "no offer of a key"), ("none.json", "there is no file")):
        child = terminal("enrol", made.path, "--offer", tmp_path / file)
        child.expect(said)
        assert ended(child) == 1
    assert len(made.keys) == 1
