"""A person takes a proposal without some of its parts; the rest goes back to the agent."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.comic import taking
from lantern_kit.comic.approvals import of_proposal
from lantern_kit.comic.choices import Choices
from lantern_kit.comic.follow_up import FollowUp, follow_up
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Balloon, Frame
from lantern_kit.comic.proposal import Proposal
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput, NotFound, WrongState
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import AGENT, balloon, begin, edit, freeze, say


def frame(chapter: ChapterWork, page: int = 1) -> Frame:
    return next(item for item in chapter.book.unit(chapter.book.order[page]).objects if isinstance(item, Frame))


def proposed(ws: Workspace, chapter: ChapterWork) -> tuple[Proposal, dict[str, str]]:
    """New words and a new speaker for the balloon of page one; a frame with a balloon in it on page two."""
    draft, head = begin(ws, chapter)
    page = chapter.book.unit(chapter.book.order[1])
    words = {"text": "It is mine.", "speaker": "Luna"}
    operations: list[dict[str, Any]] = [
        {"op": "balloon.set", "target": handle_of(balloon(chapter)), "args": words},
        {"op": "frame.add", "target": page.id, "as": "new", "args": {"rect": [20, 20, 40, 40]}},
        {"op": "balloon.add", "target": "@new", "as": "said", "args": {"text": "Up.", "at": [40, 40]}},
    ]
    done = edit(ws, draft, head, operations)
    made = {name: handle.split("#")[0] for name, handle in done.made.items()}
    return freeze(ws, draft, done.moment.revision.number), made


def follow(ws: Workspace, proposal: str, chapter: ChapterWork) -> FollowUp:
    with ws.journal.write() as connection:
        return follow_up(ws.proposal_service, connection, proposal, chapter.id, title="again", actor=AGENT)


def test_a_rejected_property_stays_as_it_was_and_the_rest_comes(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal, made = proposed(ws, chapter)
    decided = ws.proposals[proposal.id].apply(me, reject={f"{balloon(chapter).id}.text": "keep my joke"})
    assert balloon(chapter).text == "Is that… mine?"
    assert balloon(chapter).speaker == "Luna"
    assert {made["new"], made["said"]} <= chapter.book.unit(chapter.book.order[1]).index.keys()
    assert decided.proposal.state == "applied"
    assert decided.snapshot is not None
    assert ws.drafts.get(f"d{proposal.draft}").state == "applied"
    assert ws.verify().clean


def test_an_object_s_name_means_all_its_parts_and_what_needs_it_goes_along(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal, made = proposed(ws, chapter)
    held = ws.proposals[proposal.id]
    assert [item.part.id for item in held.without({made["new"]: "no"})] == [made["new"], made["said"]]
    target = balloon(chapter)
    decided = held.apply(me, reject={target.id: "keep my joke"})
    assert balloon(chapter) == target
    assert Choices.read(decided.approval.choices).reasons == {
        f"{target.id}.text": "keep my joke",
        f"{target.id}.speaker": "keep my joke",
    }


def test_the_whole_of_it_cannot_be_rejected_by_parts(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    proposal, made = proposed(ws, chapter)
    before = chapter.moment.revision
    with pytest.raises(BadInput, match="nothing of the proposal would be left") as caught:
        ws.proposals[proposal.id].apply(me, reject={balloon(chapter).id: "no", made["new"]: "no"})
    assert "Discard" in caught.value.recovery
    assert chapter.moment.revision == before
    assert ws.proposal_service.get(proposal.id).state == "pending"


def test_what_is_no_part_is_named_with_what_is_near(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    proposal, _ = proposed(ws, chapter)
    with pytest.raises(NotFound, match="is not a part") as caught:
        ws.proposals[proposal.id].apply(me, reject={f"{balloon(chapter).id}.txt": ""})
    assert f"{balloon(chapter).id}.text" in caught.value.recovery
    assert ws.proposal_service.get(proposal.id).state == "pending"


def test_the_signature_covers_what_was_rejected_and_what_came_of_it(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal, made = proposed(ws, chapter)
    decided = ws.proposals[proposal.id].apply(me, reject={made["new"]: "too crowded"})
    choices = Choices.read(decided.approval.choices)
    assert choices.reasons == {made["new"]: "too crowded"}
    assert choices.because == {made["said"]: made["new"]}
    assert decided.approval.content == chapter.moment.revision.document
    for forged in ('{"rejected":{}}', "", decided.approval.choices.replace("crowded", "empty")):
        with ws.journal.write() as connection:
            connection.exec_driver_sql("UPDATE approvals SET choices = ?", (forged,))
        assert [item.kind for item in ws.verify().problems] == ["approval"]
    with ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE approvals SET choices = ?", (decided.approval.choices,))
    assert ws.verify().clean


def test_reasons_are_facts_of_the_proposal_in_words(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    proposal, made = proposed(ws, chapter)
    held = ws.proposals[proposal.id]
    assert "rejected" not in held.text()
    held.apply(me, reject={made["new"]: "too crowded"})
    held.look()
    text, html = held.text(), held.html()
    assert "too crowded" in text
    assert f"went with {made['new']}" in text
    assert "too crowded" in html
    table = held.parts()
    assert {item.part.id for item in table if item.reason} == {made["new"], made["said"]}
    assert "too crowded" in repr(table)
    assert "too crowded" in table._repr_mimebundle_()["text/html"]


def test_the_table_of_parts_says_what_each_needs(ws: Workspace, chapter: ChapterWork) -> None:
    proposal, made = proposed(ws, chapter)
    table = ws.proposals[proposal.id].parts()
    assert set(table.ids) == {
        f"{balloon(chapter).id}.text",
        f"{balloon(chapter).id}.speaker",
        made["new"],
        made["said"],
    }
    said = next(item for item in table if item.part.id == made["said"])
    assert said.part.needs == (made["new"],)
    assert "Up." in said.words
    assert f"only with {made['new']}" in repr(table)


def test_a_unit_s_name_means_all_that_lies_on_it(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    proposal, made = proposed(ws, chapter)
    before = chapter.book.unit(chapter.book.order[1])
    ws.proposals[proposal.id].apply(me, reject={chapter.book.order[1]: "leave page two"})
    assert chapter.book.unit(chapter.book.order[1]) == before
    assert balloon(chapter).text == "It is mine."
    assert made


def test_a_rejected_change_keeps_what_a_person_made_of_it_meanwhile(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    for mode in ("merge", "overwrite"):
        proposal, _ = proposed(ws, chapter)
        held = ws.proposals[proposal.id]
        with chapter.edit("meanwhile") as block:
            block[balloon(chapter).id].set(text=f"Mine, {mode}.", speaker="Mina")
        held.look()
        held.apply(me, mode=mode, reject={f"{balloon(chapter).id}.text": "keep mine"})
        assert balloon(chapter).text == f"Mine, {mode}."
        assert balloon(chapter).speaker == ("Mina" if mode == "merge" else "Luna")
        assert ws.verify().clean


def test_plain_is_enough_where_only_rejected_parts_met_other_changes(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal, _ = proposed(ws, chapter)
    held = ws.proposals[proposal.id]
    with chapter.edit("meanwhile") as block:
        block[balloon(chapter).id].set(text="Mine.")
    held.look()
    assert "merge" in held.review.modes
    rejected = {balloon(chapter).id: "keep mine"}
    assert held.review.taking(rejected).modes(held.review.current.book) == ("plain",)
    held.apply(me, reject=rejected)
    assert balloon(chapter).text == "Mine."


def test_a_follow_up_starts_from_the_work_with_the_rejected_parts(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal, made = proposed(ws, chapter)
    ws.proposals[proposal.id].apply(me, reject={made["new"]: "not yet"})
    with chapter.edit("go on") as block:
        block[balloon(chapter).id].set(text="Mine again.")
    begun = follow(ws, proposal.id, chapter)
    assert begun.conflicts == ()
    assert begun.draft.from_proposal == proposal.number
    assert ws.drafts.get(begun.draft.id) == begun.draft
    book = ws.drafts.head(begun.draft.id).book
    page = chapter.book.order[1]
    assert {made["new"], made["said"]} <= book.unit(page).index.keys()
    assert book.unit(chapter.book.order[0]) == chapter.book.unit(chapter.book.order[0])
    assert made["new"] not in chapter.book.unit(page).index
    again = freeze(ws, begun.draft.id, begun.moment.revision.number)
    ws.proposals[again.id].apply(me)
    assert made["said"] in chapter.book.unit(page).index
    assert ws.verify().clean


def test_a_follow_up_of_a_discarded_or_superseded_proposal_brings_all_of_it(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    first, made = proposed(ws, chapter)
    draft = f"d{first.draft}"
    done = edit(ws, draft, first.frozen, [say(balloon(chapter).id, "Truly mine.")])
    second = freeze(ws, draft, done.moment.revision.number)
    ws.proposals[second.id].discard(me, reason="no")
    for proposal, text in ((first, "It is mine."), (second, "Truly mine.")):
        begun = follow(ws, proposal.id, chapter)
        book = begun.moment.book
        assert made["said"] in book.unit(chapter.book.order[1]).index
        texts = [item.text for unit in book.units() for item in unit.objects if isinstance(item, Balloon)]
        assert text in texts


def test_a_follow_up_lists_conflicts_and_keeps_the_work(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    proposal, _ = proposed(ws, chapter)
    target = balloon(chapter).id
    ws.proposals[proposal.id].apply(me, reject={f"{target}.text": "no"})
    with chapter.edit("my own") as block:
        block[target].set(text="My own.")
    begun = follow(ws, proposal.id, chapter)
    (conflict,) = begun.conflicts
    assert (conflict.object, conflict.property, conflict.ours, conflict.theirs) == (
        target, "text", "My own.", "It is mine.",
    )  # fmt: skip
    assert begun.changes == ()
    assert begun.moment.book == chapter.book


def test_what_waits_or_was_taken_whole_has_no_follow_up(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    proposal, _ = proposed(ws, chapter)
    with pytest.raises(WrongState, match="waits for its verdict"):
        follow(ws, proposal.id, chapter)
    ws.proposals[proposal.id].apply(me)
    with pytest.raises(WrongState, match="taken whole"):
        follow(ws, proposal.id, chapter)
    other = ws.comic("Chelsea Goes Up").begin_chapter(2, size="A6")
    with pytest.raises(BadInput, match="another chapter"):
        follow(ws, proposal.id, other)
    assert [draft.id for draft in ws.drafts.of_chapter(chapter.id)] == []


def test_a_rejected_part_with_a_lock_lets_the_rest_through(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal, made = proposed(ws, chapter)
    chapter.lock(balloon(chapter).id, "the joke is settled")
    held = ws.proposals[proposal.id]
    held.look()
    held.apply(me, reject={balloon(chapter).id: "it is locked"})
    assert made["said"] in chapter.book.unit(chapter.book.order[1]).index
    assert balloon(chapter).text == "Is that… mine?"


def test_verify_finds_a_rejected_part_in_the_work(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal, made = proposed(ws, chapter)
    # A defect: the whole proposal comes, and the verdict says that a part of it was rejected.
    monkeypatch.setattr(taking, "chosen", lambda base, frozen, found, accepted: frozen)
    held = ws.proposals[proposal.id]
    with pytest.raises(WrongState, match="would come all the same") as caught:
        held.apply(me, reject={made["new"]: "no"})
    assert set(caught.value.ids) == {made["new"], made["said"]}
    with monkeypatch.context() as broken:
        broken.setattr(taking, "landed", lambda *_: ())
        held.apply(me, reject={made["new"]: "no"})
    (problem,) = ws.verify().problems
    assert "rejected" in problem.message
    assert made["new"] in problem.message


def test_a_verdict_on_the_whole_says_nothing_of_choices(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    proposal, _ = proposed(ws, chapter)
    ws.proposals[proposal.id].apply(me, reject={})
    with ws.journal.read() as connection:
        (approval,) = of_proposal(connection, proposal.number)
    assert approval.choices == ""
    assert Actor.person("mina").name == approval.reviewer
