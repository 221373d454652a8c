"""Freezing drafts and hearing what people decided."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lantern_kit.assets import AssetVersion
from lantern_kit.kernel.errors import NotFound, StaleHead, WrongState
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk, op


@pytest.fixture
def reviewer(ws: Workspace) -> Iterator[UnlockedKey]:
    ws.enrol("mina", None, demo=True)
    with ws.reviewer() as key:
        yield key


def frozen(desk: Desk, draft: str, summary: str = "a first page") -> dict[str, object]:
    return desk.ask(
        "proposal.freeze",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        summary=summary,
    )


def test_a_frozen_draft_is_told_in_words_with_the_command_for_review(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE, op("image.place", "@row.1", asset=cat.id))
    made = frozen(desk, draft)
    assert made["state"] == "pending"
    assert made["review"] == f"lantern review {made['proposal']}"
    assert made["frozen"] == desk.revisions[draft]
    (page,) = made["words"]
    assert page["unit"] == "Page 1"
    assert any("Is that… mine?" in line for line in page["changes"])
    assert any("Chelsea" in line for line in page["changes"])
    assert [item["rule"] for item in made["new_findings"]] == ["picture.dpi"]
    assert made["frozen_before"] is False


def test_freezing_twice_without_change_gives_the_same_proposal(desk: Desk) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    first, second = frozen(desk, draft), frozen(desk, draft, "again")
    assert second["proposal"] == first["proposal"]
    assert second["frozen_before"] is True
    assert len(desk.ask("proposal.list")["proposals"]) == 1


def test_freezing_after_a_change_supersedes_the_undecided_proposal(desk: Desk) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    first = frozen(desk, draft)
    desk.edit(draft, op("unit.add"))
    second = frozen(desk, draft)
    states = {row["proposal"]: row["state"] for row in desk.ask("proposal.list")["proposals"]}
    assert states == {first["proposal"]: "superseded", second["proposal"]: "pending"}


def test_an_unchanged_or_moved_draft_is_not_frozen(desk: Desk) -> None:
    draft = desk.begin()
    empty = desk.revisions[draft]
    nothing = desk.refused(
        "proposal.freeze", draft=draft, expected_revision=empty, idempotency_key="k1", summary="nothing"
    )
    assert isinstance(nothing, WrongState)
    desk.edit(draft, *PAGE)
    stale = desk.refused(
        "proposal.freeze", draft=draft, expected_revision=empty, idempotency_key="k2", summary="too early"
    )
    assert isinstance(stale, StaleHead)


def test_verdicts_and_their_reasons_come_back_to_the_agent(desk: Desk, ws: Workspace, reviewer: UnlockedKey) -> None:
    draft = desk.begin()
    words = desk.edit(draft, *PAGE)["objects"]["words"]
    first = str(frozen(desk, draft)["proposal"])
    head = ws.comics.head(desk.chapter).revision.number
    ws.proposal_service.discard(first, reviewer, compared=head, reason="too loud")
    desk.edit(draft, op("balloon.set", words, text="mine…"))
    second = str(frozen(desk, draft)["proposal"])
    decided = ws.proposal_service.apply(second, reviewer, compared=head, reason="better")
    rows = desk.ask("proposal.list", chapter=desk.chapter)["proposals"]
    told = [(row["proposal"], row["state"], row["verdicts"][0]["reason"]) for row in rows]
    assert told == [(second, "applied", "better"), (first, "discarded", "too loud")]
    assert decided.revision is not None
    assert rows[0]["verdicts"][0]["revision"] == decided.revision.id
    assert desk.ask("proposal.list", states=["discarded"])["proposals"][0]["proposal"] == first
    assert "mine…" in desk.ask("unit.read", source=desk.chapter, unit="1")["text"]


def test_one_proposal_is_told_with_its_words_and_whether_the_work_moved_on(desk: Desk, ws: Workspace) -> None:
    first = desk.begin()
    desk.edit(first, *PAGE)
    made = frozen(desk, first)
    (row,) = desk.ask("proposal.list", proposal=made["proposal"])["proposals"]
    assert row["words"] == made["words"]
    assert "moved_on" not in row
    assert isinstance(desk.refused("proposal.list", proposal="p99"), NotFound)
    assert isinstance(desk.refused("proposal.list", chapter="ch_zzzzzzzz"), NotFound)


def test_rejected_parts_come_back_to_the_agent_with_words_and_reasons(
    desk: Desk, ws: Workspace, reviewer: UnlockedKey
) -> None:
    draft = desk.begin()
    made = {name: handle.split("#")[0] for name, handle in desk.edit(draft, *PAGE)["objects"].items()}
    proposal = str(frozen(desk, draft)["proposal"])
    head = ws.comics.head(desk.chapter).revision.number
    ws.proposal_service.apply(proposal, reviewer, compared=head, reject={made["row.2"]: "one frame is enough"})
    (row,) = desk.ask("proposal.list", proposal=proposal)["proposals"]
    assert row["state"] == "applied"
    assert row["verdicts"][0]["rejected_parts"] == 2
    frame, words = row["rejected"]
    assert (frame["part"], frame["unit"], frame["reason"]) == (made["row.2"], "Page 1", "one frame is enough")
    assert "frame" in frame["words"]
    assert (words["part"], words["went_with"]) == (made["words"], made["row.2"])
    assert "mine" in words["words"]
    (listed,) = desk.ask("proposal.list")["proposals"]
    assert "rejected" not in listed, "the list stays short"


def test_a_draft_begun_from_a_proposal_holds_what_was_rejected(
    desk: Desk, ws: Workspace, reviewer: UnlockedKey
) -> None:
    draft = desk.begin()
    made = {name: handle.split("#")[0] for name, handle in desk.edit(draft, *PAGE)["objects"].items()}
    proposal = str(frozen(desk, draft)["proposal"])
    refused = desk.refused("draft.begin", chapter=desk.chapter, from_proposal=proposal, idempotency_key=desk.key())
    assert isinstance(refused, WrongState), "it waits for its verdict"
    head = ws.comics.head(desk.chapter).revision.number
    ws.proposal_service.apply(proposal, reviewer, compared=head, reject={made["words"]: "other words"})
    answer = desk.ask("draft.begin", chapter=desk.chapter, from_proposal=proposal, idempotency_key=desk.key())
    assert "conflicts" not in answer
    assert "mine" in answer["words"][0]["changes"][0]
    desk.revisions[answer["draft"]] = answer["revision"]
    assert "Is that" in desk.ask("unit.read", source=answer["draft"], unit="1")["text"]
    assert "Is that" not in desk.ask("unit.read", source=desk.chapter, unit="1")["text"]
    desk.edit(answer["draft"], op("balloon.set", made["words"], text="mine…"))
    second = str(frozen(desk, answer["draft"])["proposal"])
    head = ws.comics.head(desk.chapter).revision.number
    ws.proposal_service.apply(second, reviewer, compared=head)
    assert "mine…" in desk.ask("unit.read", source=desk.chapter, unit="1")["text"]
    assert ws.verify().clean


def test_a_follow_up_tells_what_the_work_says_otherwise_now(desk: Desk, ws: Workspace, reviewer: UnlockedKey) -> None:
    draft = desk.begin()
    words = desk.edit(draft, *PAGE)["objects"]["words"].split("#")[0]
    head = ws.comics.head(desk.chapter).revision.number
    ws.proposal_service.apply(str(frozen(desk, draft)["proposal"]), reviewer, compared=head)
    for text in ("hers", "his"):
        draft = desk.begin()
        desk.edit(draft, op("balloon.set", words, text=text))
        proposal = str(frozen(desk, draft)["proposal"])
        head = ws.comics.head(desk.chapter).revision.number
        if text == "hers":
            first = proposal
            ws.proposal_service.discard(proposal, reviewer, compared=head, reason="not hers")
        else:
            ws.proposal_service.apply(proposal, reviewer, compared=head)
    answer = desk.ask("draft.begin", chapter=desk.chapter, from_proposal=first, idempotency_key=desk.key())
    assert answer["conflicts"] == [{"object": words, "property": "text", "proposed": "hers"}]
    assert "words" not in answer


def test_another_summary_for_the_same_content_is_told_that_the_first_stands(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE)

    assert "note" not in frozen(desk, draft, "one page")
    assert "note" not in frozen(desk, draft, "one page")
    again = frozen(desk, draft, "another summary")
    assert again["note"] == f"frozen before as {again['proposal']}; its summary stands: one page"
