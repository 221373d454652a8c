"""Agents beside people and beside each other: contracts, locks, picks, and two drafts on one chapter."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import IdempotencyConflict, Locked, NotFound, OutOfScope, StaleHead, WrongState
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import Desk, op


@pytest.fixture
def work(ws: Workspace, chapter: str) -> ChapterWork:
    """The chapter with two pages by a person, each with a frame and a balloon."""
    made = ChapterWork(ws, chapter)
    with made.edit("two pages") as edit:
        for words in ("One.", "Two."):
            edit.add_page().add_frame(rect=(8, 8, 89, 60)).say(words, at=(50, 30))
    return made


def thing(work: ChapterWork, unit: int, kind: str) -> str:
    """The id of the first object of a kind on a unit."""
    return next(item.id for item in work.book.unit(work.book.order[unit]).objects if item.kind == kind)


def begin(desk: Desk, **contract: Any) -> str:
    made = desk.ask("draft.begin", chapter=desk.chapter, idempotency_key=desk.key(), **contract)
    desk.revisions[made["draft"]] = made["revision"]
    return str(made["draft"])


def freeze(desk: Desk, draft: str) -> str:
    made = desk.ask(
        "proposal.freeze",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        summary="Better words",
    )
    return str(made["proposal"])


def words(work: ChapterWork, unit: int) -> str:
    return str(work.book.unit(work.book.order[unit]).index[thing(work, unit, "balloon")].text)


# contracts


def test_a_draft_is_opened_for_units_by_their_places(desk: Desk, work: ChapterWork) -> None:
    made = desk.ask("draft.begin", chapter=desk.chapter, units=["2", "2"], idempotency_key=desk.key())
    assert made["contract"] == {"units": [work.book.order[1]]}
    refused = desk.refused("draft.begin", chapter=desk.chapter, units=["99"], idempotency_key=desk.key())
    assert isinstance(refused, NotFound)
    assert "no unit 99" in refused.message


def test_a_draft_is_opened_for_what_the_agent_names_and_says_so_everywhere(desk: Desk, work: ChapterWork) -> None:
    page = work.book.order[1]
    made = desk.ask("draft.begin", chapter=desk.chapter, units=[page], properties=["text"], idempotency_key=desk.key())
    contract = {"units": [page], "properties": ["text"]}
    assert made["contract"] == contract
    draft = made["draft"]
    desk.revisions[draft] = made["revision"]
    assert desk.ask("draft.status", draft=draft)["contract"] == contract
    assert desk.ask("work.outline", source=desk.chapter)["drafts"][0]["contract"] == contract
    error = desk.cannot(draft, op("balloon.set", thing(work, 0, "balloon"), text="x"))
    assert isinstance(error, OutOfScope)
    assert error.payload()["contract"] == contract
    assert isinstance(desk.cannot(draft, op("balloon.set", thing(work, 1, "balloon"), speaker="x")), OutOfScope)
    desk.edit(draft, op("balloon.set", thing(work, 1, "balloon"), text="Two!"))
    assert desk.ask("proposal.list", proposal=freeze(desk, draft))["proposals"][0]["contract"] == contract


def test_handles_serve_in_a_contract_and_what_is_not_there_is_named(desk: Desk, work: ChapterWork) -> None:
    text = desk.ask("unit.read", source=desk.chapter, unit="1")["text"]
    handle = next(word for word in text.split() if word.startswith(thing(work, 0, "frame")))
    draft = begin(desk, objects=[handle])
    desk.edit(draft, op("balloon.set", thing(work, 0, "balloon"), text="One!"))
    refused = [
        desk.refused("draft.begin", chapter=desk.chapter, idempotency_key=desk.key(), **contract).code
        for contract in ({"units": ["un_0000none"]}, {"objects": ["bl_0000none"]}, {"properties": ["txt"]})
    ]
    assert refused == ["not_found", "not_found", "bad_input"]


# locks


def test_what_is_locked_is_marked_and_refused(desk: Desk, work: ChapterWork) -> None:
    balloon = thing(work, 0, "balloon")
    work.lock(balloon, "my joke")
    draft = begin(desk)
    line = next(line for line in desk.ask("unit.read", source=draft, unit="1")["text"].splitlines() if balloon in line)
    assert line.endswith("· locked by mina: my joke")
    full = desk.ask("unit.read", source=draft, unit="1", form="full")["objects"]
    assert {item["handle"].split("#")[0]: item.get("locked") for item in full}[balloon] == "by mina: my joke"
    error = desk.cannot(draft, op("balloon.set", balloon, text="x"))
    assert isinstance(error, Locked)
    assert error.payload()["locks"][0] | {"at": ""} == {
        "object": balloon, "by": "mina", "reason": "my joke", "at": ""
    }  # fmt: skip
    assert desk.ask("work.outline", source=desk.chapter)["locks"][0]["object"] == balloon
    assert desk.ask("draft.status", draft=draft)["locks"][0]["by"] == "mina"
    desk.edit(draft, op("balloon.set", thing(work, 1, "balloon"), text="Two!"))


def test_a_locked_page_is_marked_as_a_whole(desk: Desk, work: ChapterWork) -> None:
    work.lock(work.book.order[0])
    first, *others = desk.ask("unit.read", source=desk.chapter, unit="1")["text"].splitlines()
    assert first.endswith("· locked by mina")
    assert not any("locked" in line for line in others)
    assert desk.ask("unit.read", source=desk.chapter, unit="1", form="full")["unit"]["locked"] == "by mina"
    assert "locked" not in desk.ask("unit.read", source=desk.chapter, unit="2")["text"]


# picks


def test_an_agent_brings_a_thing_back_from_any_revision(desk: Desk, work: ChapterWork) -> None:
    then, balloon = work.moment.id, thing(work, 0, "balloon")
    with work.edit("quieter") as edit:
        edit[balloon].set(text="…")
    draft = begin(desk)
    request = {
        "draft": draft,
        "expected_revision": desk.revisions[draft],
        "idempotency_key": desk.key(),
        "source": then,
        "things": [balloon],
    }
    made = desk.ask("draft.pick", **request)
    assert "“…” → “One.”" in made["words"][0]["changes"][0]
    assert '"One."' in desk.ask("unit.read", source=draft, unit="1")["text"]
    assert words(work, 0) == "…"
    again = desk.reply("draft.pick", **request)
    assert (again.repeated, again.data) == (True, made)
    with pytest.raises(IdempotencyConflict):
        desk.ask("draft.pick", **{**request, "things": [work.book.order[0]]})
    assert isinstance(desk.refused("draft.pick", **{**request, "idempotency_key": desk.key()}), StaleHead)
    desk.revisions[draft] = made["revision"]
    same = {**request, "expected_revision": made["revision"], "idempotency_key": desk.key()}
    assert desk.refused("draft.pick", **same).code == "bad_input"
    assert desk.refused("draft.pick", **{**same, "things": ["bl_0000none"]}).code == "not_found"
    assert desk.ask("draft.status", draft=draft)["log"][0]["cause"] == "pick"


def test_picks_obey_the_contract_and_the_locks(desk: Desk, work: ChapterWork) -> None:
    then, balloon = work.moment.id, thing(work, 0, "balloon")
    with work.edit("quieter") as edit:
        edit[balloon].set(text="…")
    for contract, wanted in (({"units": [work.book.order[1]]}, OutOfScope), ({}, Locked)):
        if wanted is Locked:
            work.lock(balloon)
        draft = begin(desk, **contract)
        error = desk.refused(
            "draft.pick",
            draft=draft,
            expected_revision=desk.revisions[draft],
            idempotency_key=desk.key(),
            source=then,
            things=[balloon],
        )
        assert isinstance(error, wanted)


# the human touch


def test_what_a_person_changed_last_is_told_with_the_proposal(desk: Desk, work: ChapterWork) -> None:
    draft = begin(desk)
    desk.edit(draft, op("balloon.set", thing(work, 0, "balloon"), text="One!"))
    row = desk.ask("proposal.list", proposal=freeze(desk, draft))["proposals"][0]
    (touch,) = row["touches_human"]
    assert (touch["object"], touch["by"]) == (thing(work, 0, "balloon"), "mina")


# two agents at once


def test_two_agents_work_on_one_chapter_and_both_proposals_can_be_reviewed(
    ws: Workspace, chapter: str, work: ChapterWork
) -> None:
    ws.enrol("mina", None, demo=True)
    one, two = Desk(ws, chapter), Desk(ws, chapter, name="codex")
    mine, theirs = begin(one), begin(two)
    first, second = thing(work, 0, "balloon"), thing(work, 1, "balloon")
    one.edit(mine, op("balloon.set", first, text="One by one."))
    two.edit(theirs, op("balloon.set", second, text="Two by two."), op("object.move", first, by=[3, 0]))
    one.edit(mine, op("balloon.set", first, speaker="Chelsea"))
    p1, p2 = freeze(one, mine), freeze(two, theirs)
    for name, agent in ((p1, "claude-code"), (p2, "codex")):
        assert f"by {agent}" in ws.proposals[name].text()
    box = work.book.unit(work.book.order[0]).index[first].box
    with ws.reviewer() as me:
        ws.proposals[p1].apply(me)
        review = ws.proposals[p2].look()
        assert review.overwrites == (work.book.order[0],)
        assert review.conflicts == ()
        held = ws.proposals[p2]
        held.look()
        held.apply(me, mode="merge")
    both = work.book.unit(work.book.order[0]).index[first]
    assert (both.text, both.speaker, both.box.x) == ("One by one.", "Chelsea", box.x + 3_000)
    assert words(work, 1) == "Two by two."
    assert ws.verify().clean
    assert two.ask("proposal.list", proposal=p2)["proposals"][0]["state"] == "applied"


def test_two_agents_that_want_one_thing_differently_leave_a_choice_and_hear_of_it(
    ws: Workspace, chapter: str, work: ChapterWork
) -> None:
    ws.enrol("mina", None, demo=True)
    one, two = Desk(ws, chapter), Desk(ws, chapter, name="codex")
    mine, theirs = begin(one), begin(two)
    first, second = thing(work, 0, "balloon"), thing(work, 1, "balloon")
    one.edit(mine, op("balloon.set", first, text="By one."))
    two.edit(theirs, op("balloon.set", first, text="By two."), op("balloon.set", second, text="Two by two."))
    p1, p2 = freeze(one, mine), freeze(two, theirs)
    with ws.reviewer() as me:
        ws.proposals[p1].apply(me)
        held = ws.proposals[p2]
        assert [item.object for item in held.look().conflicts] == [first]
        held.apply(me, mode="merge")
    assert (words(work, 0), words(work, 1)) == ("By one.", "Two by two.")
    told = two.ask("proposal.list", proposal=p2)["proposals"][0]["conflicts"]
    assert told == [{"conflict": "c1", "about": f"{first}.text", "state": "open"}]
    work.conflicts().resolve("c1", "theirs")
    assert words(work, 0) == "By two."
    assert two.ask("proposal.list", proposal=p2)["proposals"][0]["conflicts"][0]["state"] == "theirs"


# a draft's life


def test_a_draft_stays_editable_after_a_freeze_and_a_second_freeze_supersedes(desk: Desk, work: ChapterWork) -> None:
    draft = begin(desk)
    other = begin(desk)
    balloon = thing(work, 0, "balloon")
    desk.edit(draft, op("balloon.set", balloon, text="One!"))
    first = freeze(desk, draft)
    desk.edit(draft, op("balloon.set", balloon, text="One!!"))
    second = freeze(desk, draft)
    assert first != second
    states = {item["proposal"]: item["state"] for item in desk.ask("draft.status", draft=draft)["proposals"]}
    assert states == {first: "superseded", second: "pending"}
    open_drafts = {item["draft"] for item in desk.ask("work.outline", source=desk.chapter)["drafts"]}
    assert open_drafts == {draft, other}


def test_an_apply_closes_the_draft(ws: Workspace, desk: Desk, work: ChapterWork) -> None:
    ws.enrol("mina", None, demo=True)
    draft = begin(desk)
    desk.edit(draft, op("balloon.set", thing(work, 0, "balloon"), text="One!"))
    name = freeze(desk, draft)
    desk.edit(draft, op("balloon.set", thing(work, 1, "balloon"), text="Later."))
    with ws.reviewer() as me:
        ws.proposals[name].apply(me)
    assert words(work, 1) == "Two.", "what came after the freeze was not proposed"
    assert desk.ask("draft.status", draft=draft)["state"] == "applied"
    assert isinstance(desk.cannot(draft, op("unit.add")), WrongState)


def test_discarding_a_draft_with_an_undecided_proposal_says_so(desk: Desk, work: ChapterWork) -> None:
    draft = begin(desk)
    desk.edit(draft, op("balloon.set", thing(work, 0, "balloon"), text="One!"))
    name = freeze(desk, draft)
    made = desk.ask("draft.discard", draft=draft, expected_revision=desk.revisions[draft], idempotency_key=desk.key())
    assert made["discarded_proposals"] == [name]
    assert desk.ask("proposal.list", proposal=name)["proposals"][0]["state"] == "discarded"
