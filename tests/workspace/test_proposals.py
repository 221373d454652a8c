"""Drafts, frozen proposals and a person's verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from lantern_kit.comic.conflicts import ConflictService
from lantern_kit.comic.drafts import Edited
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Balloon
from lantern_kit.comic.proposal import Proposal
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput, MergeConflict, NotAllowed, NotFound, StaleHandle, StaleHead, WrongState
from lantern_kit.keys import KeyFolder, UnlockedKey
from lantern_kit.workspace import Workspace

AGENT = Actor.agent("claude-code")


def begin(ws: Workspace, chapter: ChapterWork) -> tuple[str, int]:
    with ws.journal.write() as connection:
        draft, moment = ws.drafts.begin(connection, chapter.id, title="try", actor=AGENT)
    return draft.id, moment.revision.number


def edit(ws: Workspace, draft: str, expected: int, operations: Sequence[dict[str, Any]]) -> Edited:
    planned = ws.drafts.plan(draft, expected, operations)
    with ws.journal.write() as connection:
        return ws.drafts.commit(connection, draft, planned, expected, operations, message="m", actor=AGENT)


def freeze(ws: Workspace, draft: str, expected: int) -> Proposal:
    with ws.journal.write() as connection:
        return ws.proposal_service.freeze(connection, draft, expected, summary="A better line", actor=AGENT)[0]


def balloon(chapter: ChapterWork) -> Balloon:
    return next(item for unit in chapter.book.units() for item in unit.objects if isinstance(item, Balloon))


def say(thing: str, text: str) -> dict[str, Any]:
    return {"op": "balloon.set", "target": thing, "args": {"text": text}}


def proposed(ws: Workspace, chapter: ChapterWork, text: str = "It is mine.") -> Proposal:
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [say(handle_of(balloon(chapter)), text)])
    return freeze(ws, draft, done.moment.revision.number)


def test_a_draft_leaves_the_work_alone(ws: Workspace, chapter: ChapterWork) -> None:
    before = chapter.moment.revision
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [say(balloon(chapter).id, "Mine.")])
    assert chapter.moment.revision == before
    assert done.moment.revision.line == draft
    assert ws.drafts.get(draft).base == before.number


def test_freezing_twice_without_change_gives_the_same_proposal(ws: Workspace, chapter: ChapterWork) -> None:
    first = proposed(ws, chapter)
    head = ws.drafts.head(f"d{first.draft}").revision.number
    assert freeze(ws, f"d{first.draft}", head) == first


def test_freezing_again_after_a_change_supersedes(ws: Workspace, chapter: ChapterWork) -> None:
    first = proposed(ws, chapter)
    draft = f"d{first.draft}"
    head = ws.drafts.head(draft).revision.number
    done = edit(ws, draft, head, [say(balloon(chapter).id, "Truly mine.")])
    second = freeze(ws, draft, done.moment.revision.number)
    assert ws.proposal_service.get(first.id).state == "superseded"
    assert second.state == "pending"
    assert ws.proposal_service.get(first.id).frozen == first.frozen


def test_a_draft_without_changes_cannot_be_frozen(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    with pytest.raises(WrongState):
        freeze(ws, draft, head)


def test_operations_that_change_nothing_are_refused(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    with pytest.raises(BadInput, match="change nothing"):
        edit(ws, draft, head, [say(balloon(chapter).id, balloon(chapter).text)])


def test_applying_makes_a_revision_a_saved_version_and_a_signed_approval(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal = proposed(ws, chapter)
    held = ws.proposals[proposal.id]
    decided = held.apply(me, reason="funnier")
    assert balloon(chapter).text == "It is mine."
    assert decided.snapshot is not None
    assert decided.snapshot.revision == chapter.moment.revision.number
    assert decided.proposal.state == "applied"
    assert ws.drafts.get(f"d{proposal.draft}").state == "applied"
    assert chapter.history().revisions[0].cause == "apply"
    assert decided.approval.content == chapter.moment.revision.document
    assert ws.verify().clean
    with pytest.raises(WrongState, match="is applied"):
        held.apply(me)


def test_a_proposal_says_what_it_changes(ws: Workspace, chapter: ChapterWork) -> None:
    text = ws.proposals[proposed(ws, chapter).id].text()
    assert "claude-code" in text
    assert "Is that… mine?" in text
    assert "It is mine." in text
    assert "New faults: none" in text


def test_a_fault_that_a_proposal_brings_is_told_with_what_it_is_about(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    operations = [{"op": "balloon.set", "target": balloon(chapter).id, "args": {"text": "Is that mine? " * 60}}]
    made = freeze(ws, draft, edit(ws, draft, head, operations).moment.revision.number)
    held = ws.proposals[made.id]
    assert "New faults: Page 1 “One”, balloon 1 “Is that mine? Is that mine? Is…”: " in held.text()
    assert "balloon 1 “Is that mine?" in held.html()


def test_the_title_of_a_chapter_that_bears_its_comics_is_said_once(ws: Workspace) -> None:
    assert ws.comic("The Cat").begin_chapter(1, title="The Cat").title == "The Cat · chapter 1"
    assert ws.comic("The Cat").begin_chapter(2, title="Up").title == "The Cat · chapter 2 · Up"


def test_a_proposal_shows_before_and_after(ws: Workspace, chapter: ChapterWork) -> None:
    html = ws.proposals[proposed(ws, chapter).id]._repr_mimebundle_()["text/html"]
    assert html.count("data:image/jpeg") == 2
    assert "before" in html
    assert "after" in html


def test_discarding_keeps_the_reason_and_leaves_the_draft_open(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal = proposed(ws, chapter)
    ws.proposals[proposal.id].discard(me, reason="keep my joke")
    review = ws.proposal_service.review(proposal.id)
    assert review.proposal.state == "discarded"
    assert review.approvals[0].reason == "keep my joke"
    assert ws.drafts.get(f"d{proposal.draft}").state == "open"
    assert balloon(chapter).text == "Is that… mine?"


def test_a_kept_proposal_can_still_be_applied(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    held.keep(me)
    assert held.facts.state == "kept"
    held.apply(me)
    assert held.facts.state == "applied"
    assert len(ws.proposal_service.review(held.id).approvals) == 2


def test_a_verdict_names_the_revision_that_was_compared(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    held.look()
    with chapter.edit("meanwhile") as block:
        block[1].add_frame(rect=(20, 20, 30, 30))
    with pytest.raises(StaleHead):
        held.apply(me)
    held.look()
    held.apply(me)
    assert balloon(chapter).text == "It is mine."
    assert len(chapter[1].model.objects) == 2
    assert ws.verify().clean


def test_overwriting_is_named_and_needs_a_choice(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    with chapter.edit("a wider tail") as block:
        block[balloon(chapter).id].set(speaker="The cat")
    review = held.look()
    assert review.overwrites == (chapter.book.order[0],)
    assert "merge offered" in held.text()
    with pytest.raises(WrongState, match="changed meanwhile"):
        held.apply(me)
    held.apply(me, mode="merge")
    assert (balloon(chapter).text, balloon(chapter).speaker) == ("It is mine.", "The cat")


def test_a_merge_keeps_ours_and_stores_the_conflict(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    with chapter.edit("my own line") as block:
        block[balloon(chapter).id].set(text="MINE!", speaker="The cat")
    review = held.look()
    assert [(item.object, item.property) for item in review.conflicts] == [(balloon(chapter).id, "text")]
    assert [mode.value for mode in review.modes] == ["merge", "overwrite"]
    held.apply(me, mode="merge")
    assert (balloon(chapter).text, balloon(chapter).speaker) == ("MINE!", "The cat")
    (stored,) = ConflictService(ws.comics).of_chapter(chapter.id)
    assert (stored.object, stored.property) == (balloon(chapter).id, "text")
    assert (stored.base, stored.ours, stored.theirs) == ("Is that… mine?", "MINE!", "It is mine.")
    assert stored.revision == chapter.moment.revision.number


def test_overwriting_takes_the_proposals_side_of_a_conflict(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    with chapter.edit("my own line") as block:
        block[balloon(chapter).id].set(text="MINE!", speaker="The cat")
    held.look()
    held.apply(me, mode="overwrite")
    assert (balloon(chapter).text, balloon(chapter).speaker) == ("It is mine.", "Chelsea")
    assert ConflictService(ws.comics).of_chapter(chapter.id) == []


def test_overwriting_takes_the_drafts_facts_of_the_chapter_too(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [{"op": "chapter.set", "args": {"title": "From the draft"}}])
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    with chapter.edit("my own title") as block:
        block.run("chapter.set", title="From the author")
    assert [item.property for item in held.look().conflicts] == ["title"]
    held.apply(me, mode="overwrite")
    assert chapter.book.chapter.title == "From the draft"


def test_an_object_that_each_side_moved_to_another_page_is_named(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    one, two = chapter.book.order
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [{"op": "spread.join", "target": one, "args": {"with": two}}])
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    with chapter.edit("apart") as block:
        fresh = block.add_page(before=two)
        block.run("spread.join", fresh.id, **{"with": two})
    held.look()
    with pytest.raises(MergeConflict, match="different pages"):
        held.apply(me, mode="overwrite")
    assert held.facts.state == "pending"
    assert ws.verify().clean


def test_restoring_takes_nothing_out_of_a_draft(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [say(balloon(chapter).id, "It is mine.")])
    before = chapter.moment.revision
    for revision in (head, done.moment.revision.number):
        with pytest.raises(NotFound, match=draft):
            chapter.restore(f"r{revision}", "around the verdict")
    assert chapter.moment.revision == before


def test_a_key_that_is_not_enrolled_decides_nothing(ws: Workspace, chapter: ChapterWork, tmp_path: Any) -> None:
    stranger = KeyFolder(tmp_path / "other").create("mina", "another passphrase")
    held = ws.proposals[proposed(ws, chapter).id]
    for verdict in (held.apply, held.keep, held.discard):
        with pytest.raises(NotAllowed, match="not enrolled"):
            verdict(stranger)
    assert held.facts.state == "pending"
    assert chapter.history().revisions[0].cause == "edit"


@pytest.mark.parametrize("reason", ["\ud800", "a\x00b", None, "x" * 1_001])
def test_a_reason_that_cannot_be_kept_is_refused_and_nothing_is_decided(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, reason: Any
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    before = chapter.moment.revision
    for verdict in (held.apply, held.keep, held.discard):
        with pytest.raises(BadInput, match="a reason"):
            verdict(me, reason=reason)
    with pytest.raises(BadInput, match="a message"), chapter.edit("\ud800") as edit:
        edit.add_page()
    assert held.facts.state == "pending"
    assert chapter.moment.revision == before


def test_a_locked_key_decides_nothing(ws: Workspace, chapter: ChapterWork) -> None:
    with ws.reviewer() as me:
        pass
    held = ws.proposals[proposed(ws, chapter).id]
    with pytest.raises(NotAllowed, match="locked"):
        held.apply(me)
    assert held.facts.state == "pending"


def test_discarding_a_draft_discards_its_undecided_proposal(ws: Workspace, chapter: ChapterWork) -> None:
    proposal = proposed(ws, chapter)
    with ws.journal.write() as connection:
        ws.drafts.discard(connection, f"d{proposal.draft}", actor=AGENT)
    assert ws.proposal_service.get(proposal.id).state == "discarded"
    with pytest.raises(WrongState):
        edit(ws, f"d{proposal.draft}", proposal.frozen, [say(balloon(chapter).id, "x")])


def test_an_agent_cannot_discard_another_agents_draft(ws: Workspace, chapter: ChapterWork) -> None:
    draft, _ = begin(ws, chapter)
    with pytest.raises(WrongState), ws.journal.write() as connection:
        ws.drafts.discard(connection, draft, actor=Actor.agent("codex"))


def test_an_edit_goes_through_beside_others_while_its_handle_holds(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    edit(ws, draft, head, [{"op": "frame.add", "target": chapter.book.order[1], "args": {"rect": [20, 20, 30, 30]}}])
    done = edit(ws, draft, head, [say(handle_of(balloon(chapter)), "Mine.")])
    assert [item["revision"] for item in done.since] == [f"r{head + 1}"]


def test_a_stale_handle_is_refused_with_the_current_one(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    old = handle_of(balloon(chapter))
    edit(ws, draft, head, [say(old, "Mine.")])
    with pytest.raises(StaleHandle) as caught:
        edit(ws, draft, head + 1, [say(old, "Yours.")])
    current = caught.value.details["handles"][0]
    edit(ws, draft, head + 1, [say(current, "Yours.")])


def test_a_bare_id_is_held_to_what_the_caller_saw(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    thing = balloon(chapter).id
    edit(ws, draft, head, [say(thing, "Mine.")])
    with pytest.raises(StaleHandle):
        edit(ws, draft, head, [say(thing, "Yours.")])


def test_adding_to_an_order_that_moved_is_refused_on_that_page_only(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    one, two = chapter.book.order
    add = {"op": "frame.add", "args": {"rect": [20, 100, 30, 30]}}
    edit(ws, draft, head, [{**add, "target": one}])
    with pytest.raises(StaleHandle, match="order"):
        edit(ws, draft, head, [{**add, "target": one}])
    edit(ws, draft, head, [{**add, "target": two}])


def test_a_revision_of_another_line_is_no_expectation(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    with pytest.raises(StaleHead):
        edit(ws, draft, head - 1, [say(balloon(chapter).id, "x")])
    begin(ws, chapter)
    with pytest.raises(StaleHead):
        edit(ws, draft, head + 1, [say(balloon(chapter).id, "x")])


def test_a_draft_goes_back_by_copying_forward(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    first = edit(ws, draft, head, [say(balloon(chapter).id, "one")])
    second = edit(ws, draft, first.moment.revision.number, [say(balloon(chapter).id, "two")])
    with ws.journal.write() as connection:
        back = ws.drafts.undo_to(
            connection, draft, second.moment.revision.number, first.moment.revision.number, actor=AGENT
        )
    assert back.revision.document == first.moment.revision.document
    assert back.revision.seq == 3


def test_a_proposal_in_hand_knows_the_verdict_it_was_just_given(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    assert "pending" in held.text()
    kept = held.keep(me, reason="later")
    assert kept.proposal.state == "kept"
    assert "keep by mina" in held.text()
    assert '"later"' in held.certificate()
    held.apply(me, reason="now")
    assert "apply by mina" in held.text()
    assert "pending" not in held.text()
    assert '"now"' in held.certificate()


def test_keeping_is_no_new_look_at_the_work(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    held.look()
    held.keep(me)
    with chapter.edit("meanwhile") as block:
        block[1].add_frame(rect=(20, 20, 30, 30))
    with pytest.raises(StaleHead):
        held.apply(me)
