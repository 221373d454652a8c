"""The past at the command line: history with its filters, blame, and a report of damage."""

from __future__ import annotations

import json
import sqlite3

import pytest

from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, balloon, propose, reword


@pytest.fixture
def lived(made: Workspace) -> Workspace:
    """A proposal applied, one discarded, and words of Mina's own."""
    with made.reviewer() as me:
        first = made.proposals[propose(made, "It is mine.", summary="A better line")]
        first.apply(me)
        made.proposals[propose(made, "It is not.", summary="A worse line")].discard(me, reason="no")
    reword(made, "Mine?")
    return made


def revisions(run: Run, made: Workspace, *words: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(run("history", made.path, "--json", *words).output)
    return found


def test_history_shows_proposals_and_who_decided(run: Run, lived: Workspace) -> None:
    said = run("history", lived.path).output
    (applied,) = [line for line in said.splitlines() if " apply " in line and line.startswith("r")]
    assert "p1 applied" in applied
    assert "apply by mina" in applied
    assert "s1 A better line" in applied
    assert "It is not" not in said


def test_history_shows_drafts_with_their_lines_and_frozen_proposals(run: Run, lived: Workspace) -> None:
    said = run("history", lived.path, "--drafts").output
    assert "d1" in said and "d2" in said and "claude-code" in said
    (refused,) = [line for line in said.splitlines() if "p2 discarded" in line]
    assert "discard by mina" in refused
    assert {item["line"] for item in revisions(run, lived, "--drafts")} >= {"d1", "d2"}


def test_history_is_filtered_by_actor_cause_and_time(run: Run, lived: Workspace) -> None:
    everything = revisions(run, lived, "--drafts")
    agents = revisions(run, lived, "--drafts", "--actor", "claude-code")
    assert agents == [item for item in everything if item["actor"] == "claude-code"] != []
    some = revisions(run, lived, "--cause", "apply", "--cause", "create")
    assert [item["cause"] for item in some] == ["apply", "create"]
    moment = str(everything[2]["at"])
    assert revisions(run, lived, "--drafts", "--since", moment) == everything[:3]
    assert revisions(run, lived, "--drafts", "--until", moment) == everything[3:]
    assert "no revisions of that kind" in run("history", lived.path, "--cause", "undo").output
    assert "that is no moment" in run("history", lived.path, "--since", "soon", code=1).output


def test_history_names_the_actors_and_causes_there_are_when_a_word_is_unknown(run: Run, lived: Workspace) -> None:
    said = run("history", lived.path, "--actor", "minna", code=1).output
    assert "the actor minna" in said and "claude-code, mina" in said and "Nearest: mina" in said
    assert "no revisions of that kind" in run("history", lived.path, "--actor", "claude-code").output
    said = run("history", lived.path, "--cause", "aply", code=1).output
    assert "the cause aply" in said and "restore" in said and "Nearest: apply" in said


def test_blame_says_who_in_which_draft_and_who_approved(run: Run, made: Workspace) -> None:
    with made.reviewer() as me:
        made.proposals[propose(made, "It is mine.")].apply(me)
    thing = balloon(made).id
    said = run("blame", made.path, thing).output
    (text,) = [line for line in said.splitlines() if line.startswith("text ")]
    assert "claude-code" in text and "d1 r4" in text and "p1" in text and text.rstrip().endswith("mina")
    (shape,) = [line for line in said.splitlines() if line.startswith("shape ")]
    assert "r2" in shape and "mina" in shape and "d1" not in shape
    assert f"lantern show {made.path} p1" in said
    data = json.loads(run("blame", made.path, thing, "--json").output)
    (told,) = [item for item in data["properties"] if item["property"] == "text"]
    assert (told["draft"], told["proposal"], told["approved_by"]) == ("d1", "p1", "mina")


def test_blame_finds_what_is_gone_and_refuses_what_never_was(run: Run, made: Workspace) -> None:
    thing = balloon(made).id
    with made.comic("Chelsea Goes Up").chapter(1).edit("quiet") as edit:
        edit[thing].remove()
    said = run("blame", made.path, thing).output
    assert "gone" in said
    assert "(removed)" in said
    run("blame", made.path, "bl_00000000", code=1)
    run("blame", made.path, "nonsense", code=1)


def test_a_damage_is_said_with_its_place_and_as_json(run: Run, lived: Workspace) -> None:
    assert json.loads(run("verify", lived.path, "--json").output)["clean"] is True
    with sqlite3.connect(lived.journal.path) as journal:
        journal.execute("UPDATE proposals SET summary = 'harmless' WHERE id = 1")
    journal.close()
    said = run("verify", lived.path, code=1).output
    assert "proposal p1: its summary is not what v1 was signed over" in said
    assert "expected: A better line" in said
    assert "found: harmless" in said
    assert "have the draft frozen again" in said
    report = json.loads(run("verify", lived.path, "--json", code=1).output)
    (problem,) = [item for item in report["problems"] if item["kind"] == "proposal"]
    assert (problem["kind"], problem["id"], problem["where"]) == ("proposal", "p1", {"proposals": ["p1"]})


def test_a_limit_holds_for_json_too(run: Run, lived: Workspace) -> None:
    everything = json.loads(run("history", lived.path, "--json").output)
    assert len(everything) > 1
    assert json.loads(run("history", lived.path, "--json", "--limit", "1").output) == everything[:1]


def test_blame_of_what_was_never_in_the_work_says_so(run: Run, lived: Workspace) -> None:
    assert "was never in the work" in run("blame", lived.path, "bl_00000000", code=1).output
