"""Drafts as agents make, edit, undo and discard them."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.assets import AssetVersion
from lantern_kit.kernel.errors import (
    BadInput,
    IdempotencyConflict,
    InvalidDocument,
    LanternError,
    NotFound,
    StaleHandle,
    StaleHead,
    UnknownKey,
    UnknownOperation,
    WrongState,
    WrongTarget,
)
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk, op


def test_an_edit_answers_with_handles_of_what_it_made_and_changed(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)
    assert set(made["objects"]) == {"page", "top", "row.1", "row.2", "words"}
    words = made["objects"]["words"]
    changed = desk.edit(draft, op("balloon.set", words, text="Mine!"))
    assert changed["objects"] == {}
    (fresh,) = changed["changed"]
    assert fresh.split("#")[0] == words.split("#")[0]
    assert fresh != words
    desk.edit(draft, op("balloon.set", fresh, text="Yes, mine!"))
    assert "Yes, mine!" in desk.ask("unit.read", source=draft, unit="1")["text"]


def test_what_was_made_without_a_name_stands_under_its_number(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, op("unit.add"), op("unit.add"))["objects"]
    assert set(made) == {"1", "2"}


def test_faults_that_an_edit_brings_and_heals_are_told(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft,
        op("unit.add", None, "p"),
        op("balloon.add", "@p", "b", text="too many words for it", at=[50, 50], size=[6, 5]),
    )
    assert [item["rule"] for item in made["new_findings"]] == ["lettering.overflow"]
    assert made["new_findings"][0]["object"] == made["objects"]["b"]
    assert made["new_findings"][0]["n"] == 1
    healed = desk.edit(draft, op("balloon.set", made["objects"]["b"], size=[40, 30]))
    assert (healed["new_findings"], healed["healed"]) == ([], 1)


def test_the_work_itself_does_not_move(desk: Desk, ws: Workspace) -> None:
    before = ws.comics.head(desk.chapter)
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    after = ws.comics.head(desk.chapter)
    assert after.id == before.id
    assert len(after.book) == 0


def test_a_retry_gives_the_same_answer_and_adds_nothing(desk: Desk) -> None:
    draft = desk.begin()
    call: dict[str, Any] = {
        "draft": draft,
        "expected_revision": desk.revisions[draft],
        "idempotency_key": "page-one",
        "operations": list(PAGE),
    }
    first = desk.ask("draft.edit", **call)
    events = desk.events()
    again = desk.reply("draft.edit", **call)
    assert again.data == first
    assert again.repeated
    assert desk.events() == events
    late = {**call, "expected_revision": first["revision"]}
    assert desk.ask("draft.edit", **late) == first
    assert len(desk.ask("draft.status", draft=draft)["log"]) == 2


def test_a_key_used_again_for_something_else_is_refused(desk: Desk) -> None:
    draft = desk.begin()
    call: dict[str, Any] = {"draft": draft, "expected_revision": desk.revisions[draft], "idempotency_key": "k"}
    desk.ask("draft.edit", **call, operations=[op("unit.add")])
    error = desk.refused("draft.edit", **call, operations=[op("unit.add", None, None, kind="cover")])
    assert isinstance(error, IdempotencyConflict)


def test_a_refusal_writes_no_receipt_so_the_key_is_free_for_the_mended_call(desk: Desk) -> None:
    draft = desk.begin()
    call: dict[str, Any] = {"draft": draft, "expected_revision": desk.revisions[draft], "idempotency_key": "k"}
    desk.refused("draft.edit", **call, operations=[op("unit.ad")])
    assert desk.ask("draft.edit", **call, operations=[op("unit.add")])["revision"]


def bad_edits(made: dict[str, str]) -> dict[str, tuple[type[LanternError], dict[str, Any], str]]:
    """Edits that must be refused: error, operation, and what the error says."""
    frame, page, words = made["row.1"], made["page"], made["words"]
    return {
        "misspelt operation": (UnknownOperation, op("frame.splt", frame), "frame."),
        "misspelt key of an operation": (UnknownKey, {"op": "frame.remove", "taget": frame}, "target"),
        "misspelt argument": (UnknownKey, op("balloon.set", words, txt="x"), "text"),
        "argument of another operation": (UnknownKey, op("frame.set", frame, gutter=3), "border"),
        "spread operation on a page": (WrongTarget, op("spread.split", page), "spread"),
        "page operation on a frame": (WrongTarget, op("frame.add", frame, rect=[1, 1, 5, 5]), "unit"),
        "polygon that crosses itself": (
            InvalidDocument,
            op("frame.reshape", frame, polygon=[[8, 8], [60, 60], [60, 8], [8, 60]]),
            "cross",
        ),
        "not a number": (BadInput, op("frame.reshape", frame, rect=[8, 8, float("nan"), 10]), "number"),
        "infinite": (BadInput, op("frame.reshape", frame, rect=[8, 8, float("inf"), 10]), "number"),
        "text for a number": (BadInput, op("frame.reshape", frame, rect=[8, 8, "40", 10]), "number"),
        "no such object": (NotFound, op("frame.remove", "fr_00000000"), "fr_00000000"),
        "no such name": (NotFound, op("frame.remove", "@nothing"), "name"),
        "no such picture": (NotFound, op("image.place", frame, asset="as_00000000"), "as_00000000"),
        "neither id nor handle": (BadInput, op("frame.remove", "the left frame"), "handle"),
        "no target": (BadInput, op("frame.remove"), "target"),
        "two places at once": (BadInput, op("object.move", words, by=[1, 1], to=[2, 2]), "exactly one"),
        "arguments that are a list": (BadInput, {"op": "frame.remove", "target": frame, "args": []}, "args"),
    }


CASES = list(bad_edits({"row.1": "", "page": "", "words": ""}))


@pytest.mark.parametrize("case", CASES)
def test_a_bad_edit_is_refused_with_what_to_do_and_leaves_nothing(case: str, desk: Desk, ws: Workspace) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)["objects"]
    kind, operation, says = bad_edits(made)[case]
    error = desk.cannot(draft, op("unit.add"), operation)
    assert isinstance(error, kind), error
    payload = error.payload()
    assert says in f"{payload}"
    assert error.recovery
    assert error.details.get("operation") == 2 or error.details["findings"][0]["object"] in operation["target"]
    status = desk.ask("draft.status", draft=draft)
    assert status["revision"] == desk.revisions[draft]
    assert desk.events()[-2:] == [("draft.edit", "failed", error.code), ("draft.status", "ok", "")]
    assert ws.verify().clean


def test_errors_never_repeat_what_was_sent(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)["objects"]
    secret = "the butler did it"
    for operation in (
        op("balloon.set", made["words"], at=secret),
        op("balloon.set", made["words"], speaker={"name": secret}),
        op("balloon.set", made["words"], text=[secret]),
    ):
        assert secret not in str(desk.cannot(draft, operation).payload())
    plain = desk.refused("draft.edit", draft=draft, expected_revision="r1", idempotency_key="k", operations=secret)
    assert secret not in str(plain.payload())


def test_a_stale_handle_names_the_current_one(desk: Desk) -> None:
    draft = desk.begin()
    words = desk.edit(draft, *PAGE)["objects"]["words"]
    (fresh,) = desk.edit(draft, op("balloon.set", words, text="Mine!"))["changed"]
    error = desk.cannot(draft, op("balloon.set", words, text="No, mine!"))
    assert isinstance(error, StaleHandle)
    assert error.details["handles"] == [fresh]


def test_an_edit_goes_through_beside_others_while_its_handle_holds(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)
    other = Desk(desk.ws, desk.chapter, name="other-agent")
    other.revisions[draft] = made["revision"]
    other.edit(draft, op("frame.set", made["objects"]["row.1"], border={"width": 1}), message="thicker")
    mine = desk.edit(draft, op("balloon.set", made["objects"]["words"], text="Mine!"))
    assert mine["since"] == [{"revision": other.revisions[draft], "actor": "other-agent", "message": "thicker"}]


def test_an_order_that_changed_meanwhile_stops_an_edit_of_that_order_only(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE, op("unit.add", None, "two"))
    other = Desk(desk.ws, desk.chapter, name="other-agent")
    other.revisions[draft] = made["revision"]
    other.edit(draft, op("frame.add", made["objects"]["page"], rect=[8, 80, 30, 30]))
    error = desk.cannot(draft, op("frame.add", made["objects"]["page"], rect=[60, 80, 30, 30]))
    assert isinstance(error, StaleHandle)
    desk.edit(draft, op("frame.add", made["objects"]["two"], rect=[8, 80, 30, 30]))


def test_a_revision_of_another_line_is_no_expectation(desk: Desk) -> None:
    draft = desk.begin()
    assert isinstance(desk.cannot(draft, op("unit.add"), expected="r1"), StaleHead)
    assert isinstance(desk.cannot(draft, op("unit.add"), expected="41"), BadInput)


def test_status_tells_the_log_what_is_touched_and_how_far_the_work_moved_on(desk: Desk, ws: Workspace) -> None:
    draft = desk.begin("first page")
    page = desk.edit(draft, *PAGE, message="lay out")["objects"]["page"].split("#")[0]
    status = desk.ask("draft.status", draft=draft)
    assert (status["state"], status["title"], status["by"], status["behind"]) == (
        "open",
        "first page",
        "claude-code",
        0,
    )
    assert [row["message"] for row in status["log"]] == ["lay out", "first page"]
    assert page in status["units"]
    head = ws.comics.head(desk.chapter)
    titled = head.book.chapter.model_copy(update={"title": "Up"})
    ws.comics.commit(desk.chapter, head, head.book.with_chapter(titled), actor=ws.owner, cause="edit", message="title")
    assert desk.ask("draft.status", draft=draft)["behind"] == 1


def test_undo_copies_an_earlier_revision_forward(desk: Desk) -> None:
    draft = desk.begin()
    empty = desk.revisions[draft]
    desk.edit(draft, *PAGE)
    undone = desk.ask(
        "draft.undo", draft=draft, expected_revision=desk.revisions[draft], idempotency_key=desk.key(), to=empty
    )
    assert undone["undone_to"] == empty
    assert undone["revision"] not in {empty, desk.revisions[draft]}
    assert desk.ask("work.outline", source=draft)["units"] == []
    stale = desk.refused(
        "draft.undo", draft=draft, expected_revision=desk.revisions[draft], idempotency_key=desk.key(), to=empty
    )
    assert isinstance(stale, StaleHead)
    foreign = desk.refused(
        "draft.undo", draft=draft, expected_revision=undone["revision"], idempotency_key=desk.key(), to="r1"
    )
    assert isinstance(foreign, NotFound)
    assert "status" in foreign.recovery


def test_undo_says_what_it_changed_and_can_itself_be_undone(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)
    desk.edit(draft, op("balloon.set", made["objects"]["words"], text="Mine!"))
    last = desk.revisions[draft]
    key = desk.key()
    given = {"draft": draft, "expected_revision": last, "idempotency_key": key, "to": made["revision"]}
    undone = desk.ask("draft.undo", **given)
    assert "“Mine!” → “Is that… mine?”" in str(undone["words"])
    assert desk.ask("draft.undo", **given) == undone
    desk.revisions[draft] = undone["revision"]
    desk.edit(draft, op("balloon.set", made["objects"]["words"], text="Ours!"))
    again = desk.ask(
        "draft.undo", draft=draft, expected_revision=desk.revisions[draft], idempotency_key=desk.key(), to=last
    )
    assert "“Ours!” → “Mine!”" in str(again["words"])
    (newest, *_) = desk.ask("draft.status", draft=draft)["log"]
    assert (newest["cause"], newest["message"]) == ("undo", f"back to {last}")


def test_undo_to_what_is_there_or_in_a_closed_draft_is_refused_and_writes_nothing(desk: Desk) -> None:
    draft = desk.begin()
    begun = desk.revisions[draft]
    made = desk.edit(draft, *PAGE)
    at = {"draft": draft, "expected_revision": made["revision"]}
    same = desk.refused("draft.undo", **at, idempotency_key=desk.key(), to=made["revision"])
    assert isinstance(same, WrongState)
    assert same.message == f"{draft} is as it was at {made['revision']} already"
    for nowhere in ("r999", "r0"):
        assert isinstance(desk.refused("draft.undo", **at, idempotency_key=desk.key(), to=nowhere), NotFound)
    for wrong in ("", "38", "d1", "r-1"):
        assert isinstance(desk.refused("draft.undo", **at, idempotency_key=desk.key(), to=wrong), BadInput)
    assert desk.ask("draft.status", draft=draft)["revision"] == made["revision"]
    desk.ask("draft.discard", **at, idempotency_key=desk.key())
    assert isinstance(desk.refused("draft.undo", **at, idempotency_key=desk.key(), to=begun), WrongState)


def test_discarding_closes_a_draft_with_its_undecided_proposal_and_says_so(desk: Desk) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    at = {"draft": draft, "expected_revision": desk.revisions[draft]}
    frozen = desk.ask("proposal.freeze", **at, idempotency_key=desk.key(), summary="a page")
    gone = desk.ask("draft.discard", **at, idempotency_key=desk.key())
    assert gone == {"draft": draft, "state": "discarded", "discarded_proposals": [frozen["proposal"]]}
    assert desk.ask("proposal.list")["proposals"][0]["state"] == "discarded"
    assert isinstance(desk.cannot(draft, op("unit.add")), WrongState)
    assert isinstance(desk.refused("draft.discard", **at, idempotency_key=desk.key()), WrongState)


def test_an_agent_discards_only_its_own_drafts_and_only_as_last_seen(desk: Desk) -> None:
    draft = desk.begin()
    before = desk.revisions[draft]
    desk.edit(draft, op("unit.add"))
    stale = desk.refused("draft.discard", draft=draft, expected_revision=before, idempotency_key=desk.key())
    assert isinstance(stale, StaleHead)
    other = Desk(desk.ws, desk.chapter, name="other-agent")
    error = other.refused(
        "draft.discard", draft=draft, expected_revision=desk.revisions[draft], idempotency_key=other.key()
    )
    assert isinstance(error, WrongState)
    assert desk.ask("draft.status", draft=draft)["state"] == "open"


def test_every_key_names_one_request_of_one_agent(desk: Desk) -> None:
    other = Desk(desk.ws, desk.chapter, name="other-agent")
    mine = desk.ask("draft.begin", chapter=desk.chapter, idempotency_key="same")
    theirs = other.ask("draft.begin", chapter=desk.chapter, idempotency_key="same")
    assert mine["draft"] != theirs["draft"]
    assert isinstance(desk.refused("draft.begin", chapter=desk.chapter, idempotency_key=""), BadInput)


def test_an_old_revision_beside_a_current_handle_is_told_the_revision_to_use(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)
    old = desk.revisions[draft]
    other = Desk(desk.ws, desk.chapter, name="other-agent")
    other.revisions[draft] = old
    other.edit(draft, op("frame.add", made["objects"]["page"], rect=[8, 80, 30, 30]))
    head = other.revisions[draft]
    error = desk.cannot(draft, op("frame.add", made["objects"]["page"], rect=[50, 80, 30, 30]), expected=old)
    assert isinstance(error, StaleHandle)
    assert f"use expected_revision {head} (current)" in error.recovery
    desk.revisions[draft] = head
    desk.edit(draft, op("frame.add", made["objects"]["page"], rect=[50, 80, 30, 30]))


@pytest.mark.parametrize("typed", ["1", "ch_nothing0", "Chelsea Goes Up"])
def test_a_chapter_that_is_none_is_told_those_there_are(desk: Desk, typed: str) -> None:
    error = desk.refused("draft.begin", chapter=typed, idempotency_key=desk.key())
    assert isinstance(error, NotFound)
    assert error.expected == [f"{desk.chapter} (Chelsea Goes Up 1)"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({}, "chapter, idempotency_key are missing"),
        ({"chpter": "x", "idempotency_key": "k"}, "chapter is missing, and chpter is not an argument here"),
        ({"chapter": 1, "idempotency_key": "k"}, "chapter: text is expected"),
        ({"chapter": "", "idempotency_key": "k"}, "chapter: text of at least 1 characters is expected"),
    ],
)
def test_arguments_are_refused_in_plain_words(desk: Desk, args: dict[str, Any], said: str) -> None:
    assert desk.refused("draft.begin", **args).message == said
