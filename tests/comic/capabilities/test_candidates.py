"""Candidates as agents propose, look at, adopt and drop them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lantern_kit.kernel.errors import (
    BadInput,
    IdempotencyConflict,
    LanternError,
    NotFound,
    StaleCandidate,
    StaleHead,
    UnknownKey,
    UnknownOperation,
    WrongState,
)
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk, op


def propose(desk: Desk, draft: str, *operations: dict[str, Any], **options: Any) -> dict[str, Any]:
    return desk.ask("candidate.propose", **asked(desk, draft, *operations, **options))


def asked(desk: Desk, draft: str, *operations: dict[str, Any], **options: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "draft": draft,
        "expected_revision": desk.revisions[draft],
        "idempotency_key": desk.key(),
        "task": "another way",
        "operations": list(operations),
    }
    return {**given, **options}


def settle(desk: Desk, draft: str, candidate: str, **options: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "draft": draft,
        "expected_revision": desk.revisions[draft],
        "idempotency_key": desk.key(),
        "candidate": candidate,
    }
    return {**given, **options}


@pytest.fixture
def draft(desk: Desk) -> str:
    made = desk.begin()
    desk.edit(made, *PAGE)
    return made


@pytest.fixture
def words(desk: Desk, draft: str) -> str:
    """The handle of the balloon."""
    (row,) = desk.ask("work.find", source=draft, text="mine")["found"]
    return str(row["handle"])


def test_a_candidate_is_a_source_of_its_own_and_the_draft_stays_as_it_is(desk: Desk, draft: str, words: str) -> None:
    made = propose(desk, draft, op("balloon.set", words, text="Not yours."))
    assert (made["candidate"], made["base"], made["new_findings"]) == ("cd1", desk.revisions[draft], [])
    assert "Not yours." in json.dumps(made["words"], ensure_ascii=False)
    read = desk.ask("unit.read", source="cd1", unit="1")["text"]
    assert "Not yours." in read
    assert f"candidate cd1 on {made['base']} of draft {draft}" in read
    assert "Is that… mine?" in desk.ask("unit.read", source=draft, unit="1")["text"]
    assert desk.ask("unit.read", source="cd1", unit="1", form="full")["revision"] == "cd1"
    compared = desk.ask("work.compare", source="cd1")
    assert (compared["old"], compared["new"], compared["changes"]) == (made["base"], "cd1", 1)
    assert desk.ask("work.compare", source="cd1", old=draft)["changes"] == 1
    assert desk.ask("work.check", source="cd1")["findings"] == []
    assert desk.ask("unit.look", source="cd1", unit="1")["revision"] == "cd1"
    assert desk.ask("work.find", source="cd1", text="yours")["found"]
    assert desk.ask("work.outline", source="cd1")["revision"] == "cd1"
    assert desk.ask("draft.status", draft=draft)["revision"] == desk.revisions[draft]


def test_what_a_candidate_makes_can_be_looked_at_and_keeps_its_handles_when_it_is_adopted(
    desk: Desk, draft: str
) -> None:
    made = propose(
        desk,
        draft,
        op("unit.add", None, "page"),
        op("frame.add", "@page", "f", rect=[8, 8, 89, 60]),
        op("balloon.add", "@f", "b", text="Here.", at=[50, 30]),
    )
    seen = desk.ask("unit.look", source="cd1", around=made["objects"]["b"])
    assert seen["unit"] == made["objects"]["page"]
    assert isinstance(desk.refused("unit.look", source=draft, around=made["objects"]["b"]), NotFound)
    adopted = desk.ask("candidate.adopt", **settle(desk, draft, "cd1"))
    assert adopted["objects"] == made["objects"]
    desk.revisions[draft] = adopted["revision"]
    desk.edit(draft, op("balloon.set", made["objects"]["b"], text="There."))


def test_status_lists_what_waits_and_what_became_stale(desk: Desk, draft: str, words: str) -> None:
    assert "candidates" not in desk.ask("draft.status", draft=draft)
    propose(desk, draft, op("balloon.set", words, text="One."), task="shorter")
    propose(desk, draft, op("unit.add"), task="a page more")
    first, second = desk.ask("draft.status", draft=draft)["candidates"]
    assert (first["candidate"], first["task"], first["by"]) == ("cd1", "shorter", "claude-code")
    assert (first["base"], first["changes"]) == (desk.revisions[draft], "1 balloon changed on page 1")
    assert "stale" not in first
    desk.edit(draft, op("balloon.set", words, text="Two."))
    first, second = desk.ask("draft.status", draft=draft)["candidates"]
    assert first["stale"] == [f"{words.split('#', maxsplit=1)[0]} changed"]
    assert "stale" not in second
    desk.ask("candidate.drop", **settle(desk, draft, "cd1"))
    (left,) = desk.ask("draft.status", draft=draft)["candidates"]
    assert left["candidate"] == "cd2"


def test_a_stale_candidate_is_refused_naming_what_changed(desk: Desk, draft: str, words: str) -> None:
    propose(desk, draft, op("balloon.set", words, text="One."))
    (now,) = desk.edit(draft, op("balloon.set", words, text="Two."))["changed"]
    error = desk.refused("candidate.adopt", **settle(desk, draft, "cd1"))
    assert isinstance(error, StaleCandidate)
    thing = now.split("#")[0]
    assert error.ids == ("cd1", thing)
    assert error.details["moved"] == [{"object": thing, "what": "changed", "handle": now}]
    assert error.details["current_revision"] == desk.revisions[draft]
    assert desk.ask("draft.status", draft=draft)["revision"] == desk.revisions[draft]
    assert desk.events()[-2] == ("candidate.adopt", "failed", "stale_candidate")


def test_an_edit_elsewhere_does_not_stop_an_adoption_and_is_told(desk: Desk, draft: str, words: str) -> None:
    propose(desk, draft, op("balloon.set", words, text="One."))
    seen = desk.revisions[draft]
    made = desk.edit(draft, op("unit.add"), message="a page more")
    adopted = desk.ask("candidate.adopt", **settle(desk, draft, "cd1", expected_revision=seen))
    assert [item["revision"] for item in adopted["since"]] == [made["revision"]]
    assert "One." in desk.ask("unit.read", source=draft, unit="1")["text"]
    (newest, *_) = desk.ask("draft.status", draft=draft)["log"]
    assert (newest["cause"], newest["message"]) == ("adopt", "cd1: another way")


def test_a_retry_gives_the_same_answer_and_adds_nothing(desk: Desk, ws: Workspace, draft: str, words: str) -> None:
    given = asked(desk, draft, op("balloon.set", words, text="One."))
    first = desk.ask("candidate.propose", **given)
    assert desk.ask("candidate.propose", **given) == first
    assert isinstance(desk.refused("candidate.propose", **{**given, "task": "else"}), IdempotencyConflict)
    adopting = settle(desk, draft, "cd1")
    adopted = desk.ask("candidate.adopt", **adopting)
    assert desk.ask("candidate.adopt", **adopting) == adopted
    assert len(ws.candidates.of_draft(draft, state=None)) == 1
    error = desk.refused("candidate.adopt", **settle(desk, draft, "cd1"))
    assert isinstance(error, WrongState)
    assert error.message == f"cd1 is adopted as {adopted['revision']}"
    dropped = desk.refused("candidate.drop", **settle(desk, draft, "cd1"))
    assert isinstance(dropped, WrongState)


def test_only_the_proposer_and_the_drafts_owner_drop_a_candidate(desk: Desk, draft: str, words: str) -> None:
    other, third = (Desk(desk.ws, desk.chapter, name=name) for name in ("letterer", "passer-by"))
    other.revisions = third.revisions = desk.revisions
    propose(other, draft, op("balloon.set", words, text="One."))
    propose(other, draft, op("balloon.set", words, text="Two."))
    propose(desk, draft, op("balloon.set", words, text="Three."))
    assert isinstance(third.refused("candidate.drop", **settle(third, draft, "cd1")), WrongState)
    assert other.ask("candidate.drop", **settle(other, draft, "cd1")) == {"candidate": "cd1", "state": "dropped"}
    assert desk.ask("candidate.drop", **settle(desk, draft, "cd2"))["state"] == "dropped"
    assert isinstance(other.refused("candidate.drop", **settle(other, draft, "cd3")), WrongState)


def test_freezing_says_how_many_wait_and_proposes_nothing_of_them(desk: Desk, draft: str, words: str) -> None:
    propose(desk, draft, op("balloon.set", words, text="One."))
    propose(desk, draft, op("balloon.set", words, text="Two."))
    frozen = desk.ask(
        "proposal.freeze",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        summary="a page",
    )
    assert frozen["note"] == "2 candidates still wait in the draft and p1 has nothing of them"
    assert "One." not in json.dumps(frozen["words"])


def test_discarding_a_draft_drops_its_candidates_and_says_so(desk: Desk, draft: str, words: str) -> None:
    propose(desk, draft, op("balloon.set", words, text="One."))
    gone = desk.ask("draft.discard", draft=draft, expected_revision=desk.revisions[draft], idempotency_key=desk.key())
    assert gone["dropped_candidates"] == ["cd1"]
    assert isinstance(desk.refused("candidate.adopt", **settle(desk, draft, "cd1")), WrongState)
    assert "One." in desk.ask("unit.read", source="cd1", unit="1")["text"]


def test_activity_tells_of_candidates_in_the_kits_own_words(desk: Desk, ws: Workspace, draft: str, words: str) -> None:
    propose(desk, draft, op("balloon.set", words, text="One."), task="a secret of mine")
    desk.ask("candidate.adopt", **settle(desk, draft, "cd1"))
    desk.dispatcher.flush()
    with ws.journal.read() as connection:
        rows = connection.exec_driver_sql(
            "SELECT capability, effect, action, link, summary FROM activity WHERE capability LIKE 'candidate.%'"
        ).fetchall()
    proposed, adopted = map(tuple, rows)
    told = "1 balloon changed on page 1"
    assert proposed == ("candidate.propose", "candidate", "balloon.set", "cd1", f"cd1: {told}")
    assert adopted[:3] == ("candidate.adopt", "direct_change", "balloon.set")
    assert adopted[4] == f"cd1 adopted: {told}"
    assert not any("secret" in str(cell) for row in rows for cell in row)


REFUSALS: dict[str, tuple[type[LanternError], dict[str, Any]]] = {
    "no operations": (BadInput, {"operations": []}),
    "too many operations": (BadInput, {"operations": [op("unit.add")] * 26}),
    "no task": (BadInput, {"task": ""}),
    "a task that is no text": (BadInput, {"task": 7}),
    "a task that cannot be shown": (BadInput, {"task": "a\x00b"}),
    "an unknown operation": (UnknownOperation, {"operations": [op("balloon.sett", "bl_0000none")]}),
    "a misspelt key": (UnknownKey, {"taks": "x"}),
    "a misspelt key of an operation": (UnknownKey, {"operations": [{"op": "unit.add", "agrs": {}}]}),
    "a thing that is not there": (NotFound, {"operations": [op("balloon.set", "bl_0000none", text="x")]}),
    "a draft that is not there": (NotFound, {"draft": "d99"}),
    "a revision of another line": (StaleHead, {"expected_revision": "r1"}),
    "what changes nothing": (BadInput, {"operations": [op("chapter.set")]}),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_bad_proposal_is_refused_and_leaves_nothing(case: str, desk: Desk, ws: Workspace, draft: str) -> None:
    kind, wrong = REFUSALS[case]
    error = desk.refused("candidate.propose", **{**asked(desk, draft, op("unit.add")), **wrong})
    assert type(error) is kind, error
    assert error.recovery
    assert ws.candidates.of_draft(draft, state=None) == []


@pytest.mark.parametrize("name", ["candidate.adopt", "candidate.drop"])
def test_a_candidate_that_is_none_is_refused(name: str, desk: Desk, draft: str) -> None:
    propose(desk, draft, op("unit.add"))
    other = desk.begin()
    assert isinstance(desk.refused(name, **settle(desk, draft, "cd9")), NotFound)
    assert isinstance(desk.refused(name, **settle(desk, draft, "d1x")), BadInput)
    assert isinstance(desk.refused(name, **settle(desk, draft, "cd1", candidat="cd1")), UnknownKey)
    assert isinstance(desk.refused(name, **settle(desk, draft, "cd1", expected_revision="r1")), StaleHead)
    elsewhere = desk.refused(name, **settle(desk, other, "cd1"))
    assert (type(elsewhere), elsewhere.expected) == (NotFound, draft)
    assert isinstance(desk.refused("unit.read", source="cd9", unit="1"), NotFound)
    (left,) = desk.ask("draft.status", draft=draft)["candidates"]
    assert left["candidate"] == "cd1"
