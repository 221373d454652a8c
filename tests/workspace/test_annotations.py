"""Annotations: the rules of seed 000, 作品批注, one test each and named after them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from lantern_kit import datasets
from lantern_kit.assets import AssetVersion
from lantern_kit.comic.annotation import Annotation, Kind, OnElement, OnPoint, Resolution, Resolved, State
from lantern_kit.comic.annotations import AnnotationService
from lantern_kit.comic.drafts import Edited
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import MILLION, Unit
from lantern_kit.comic.proposal import Proposal
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Effect, Scope
from lantern_kit.kernel.errors import BadInput, LanternError, NotAllowed, NotFound, StaleHandle, UnknownKey, WrongState
from lantern_kit.keys import UnlockedKey
from lantern_kit.mcp_server.profiles import PROFILES
from lantern_kit.workspace import Workspace

AGENT, OTHER = Actor.agent("claude-code"), Actor.agent("codex")
HALF = MILLION // 2
SCOPES = frozenset(Scope)


@pytest.fixture
def notes(ws: Workspace) -> AnnotationService:
    return ws.annotation_service


def things(chapter: ChapterWork, kind: str) -> list[Any]:
    """Objects of a kind, in order."""
    return [item for unit in chapter.book.units() for item in unit.objects if item.kind == kind]


def thing(chapter: ChapterWork, kind: str) -> Any:
    return things(chapter, kind)[0]


def units(chapter: ChapterWork) -> list[Unit]:
    return list(chapter.book.units())


def write(notes: AnnotationService, chapter: ChapterWork, body: str = "Softer, please.", **more: Any) -> Annotation:
    return notes.create(chapter.id, body, actor=Actor.person("mina"), **more)


def only(notes: AnnotationService, annotation: str) -> Resolved:
    """The one reference of an annotation, against the work as it stands."""
    (found,) = notes.inspect(annotation).references
    return found


def begin(ws: Workspace, chapter: ChapterWork, actor: Actor = AGENT) -> str:
    with ws.journal.write() as connection:
        return ws.drafts.begin(connection, chapter.id, title="try", actor=actor)[0].id


def change(ws: Workspace, draft: str, operations: Sequence[dict[str, Any]], actor: Actor = AGENT) -> Edited:
    head = ws.drafts.head(draft).revision.number
    planned = ws.drafts.plan(draft, head, operations)
    with ws.journal.write() as connection:
        return ws.drafts.commit(connection, draft, planned, head, operations, message="m", actor=actor)


def reword(ws: Workspace, chapter: ChapterWork, draft: str, text: str = "It is mine.") -> Edited:
    return change(ws, draft, [{"op": "balloon.set", "target": thing(chapter, "balloon").id, "args": {"text": text}}])


def freeze(ws: Workspace, draft: str, actor: Actor = AGENT) -> Proposal:
    with ws.journal.write() as connection:
        head = ws.drafts.head(draft).revision.number
        return ws.proposal_service.freeze(connection, draft, head, summary="A better line", actor=actor)[0]


def claim(ws: Workspace, draft: str, *annotations: str, actor: Actor = AGENT) -> list[Annotation]:
    with ws.journal.write() as connection:
        return ws.annotation_service.claim(connection, annotations, draft, actor=actor)


def note(ws: Workspace, text: str, *annotations: str, actor: Actor = AGENT) -> list[Annotation]:
    with ws.journal.write() as connection:
        return ws.annotation_service.note(connection, annotations, text, actor=actor)


def states(ws: Workspace, *annotations: str) -> list[State]:
    return [ws.annotation_service.get(item).state for item in annotations]


def awaited(ws: Workspace, notes: AnnotationService, chapter: ChapterWork) -> tuple[Annotation, Proposal]:
    """An annotation that was claimed into a draft, and the proposal the draft was frozen as."""
    written = write(notes, chapter)
    draft = begin(ws, chapter)
    reword(ws, chapter, draft)
    claim(ws, draft, written.id)
    return written, freeze(ws, draft)


# what an annotation is


def test_an_annotation_keeps_the_persons_own_words_state_messages_links_and_references_in_order(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    words = "  Softer, please.\n\t猫要更安静。  "
    first, second = thing(chapter, "balloon"), thing(chapter, "frame")
    on = (OnElement(first.id), OnPoint(units(chapter)[1].id, (0, MILLION)), OnElement(second.id, (0, 0)))
    made = write(notes, chapter, words, on=on)
    draft = begin(ws, chapter)
    claim(ws, draft, made.id)
    note(ws, "Done in the second draft.", made.id)
    kept = notes.get(made.id)
    assert kept.body == words
    assert (kept.chapter, kept.state, kept.actor) == (chapter.id, State.CLAIMED, "mina")
    assert f"d{kept.draft}" == draft
    assert [item.target for item in kept.references] == [first.id, units(chapter)[1].id, second.id]
    assert [(item.actor, item.body) for item in kept.messages] == [("claude-code", "Done in the second draft.")]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_no_reference_several_points_several_elements_pictures_and_mixtures_are_one_model(
    notes: AnnotationService, chapter: ChapterWork, cat: AssetVersion, count: int
) -> None:
    page, balloon = units(chapter)[0], thing(chapter, "balloon")
    points = [OnPoint(page.id, (HALF, place * 100_000)) for place in range(count)]
    elements = [OnElement(balloon.id), OnElement(page.id)][:count]
    mixed = [item for pair in zip(points, elements, strict=False) for item in pair]
    for on in ([], points, elements, mixed):
        for attach in ([], [cat.id]):
            made = write(notes, chapter, on=on, attach=attach)
            assert isinstance(made, Annotation)
            seen = notes.inspect(made.id)
            assert len(seen.references) == len(on)
            assert [asset.id for asset in seen.attachments] == attach


def test_an_uploaded_picture_is_registered_as_an_immutable_asset_before_it_is_attached(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    with pytest.raises(NotFound):
        write(notes, chapter, attach=["as_0000none"])
    assert notes.of_chapter(chapter.id) == []
    photo = datasets.open_photo("chelsea")
    uploaded = ws.assets.register(photo, title="like this")
    made = write(notes, chapter, attach=[uploaded.id])
    (asset,) = notes.inspect(made.id).attachments
    assert asset == uploaded
    assert ws.assets.read(asset.id) == photo


# references


@pytest.mark.parametrize("kind", ["unit", "frame", "image", "balloon", "text", "effect"])
def test_an_element_reference_holds_a_units_or_an_objects_identity_a_place_inside_it_and_a_fallback_on_the_page(
    notes: AnnotationService, chapter: ChapterWork, kind: str
) -> None:
    with chapter.edit("a sound and lines") as edit:
        edit[0].letter("POW", at=(50, 100))
        edit[0].effect("focus", box=(10, 80, 60, 50))
    page = units(chapter)[0]
    target = page if kind == "unit" else thing(chapter, kind)
    (made,) = write(notes, chapter, on=[OnElement(target.id, (250_000, 750_000))]).references
    assert (made.kind, made.target, made.target_kind, made.unit) == (Kind.ELEMENT, target.id, kind, page.id)
    assert made.at == (250_000, 750_000)
    found = only(notes, notes.of_chapter(chapter.id)[0].id)
    assert found.point is not None
    x, y = (share * size / MILLION for share, size in zip(made.fallback, (page.width, page.height), strict=True))
    assert (x, y) == pytest.approx(found.point, abs=1)
    assert found.handle == handle_of(target)


def test_an_element_reference_follows_its_object_and_the_point_inside_it(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    balloon = thing(chapter, "balloon")
    made = write(notes, chapter, on=[OnElement(balloon.id, (250_000, HALF))])
    before = only(notes, made.id)
    with chapter.edit("aside") as edit:
        edit[balloon.id].move(by=(-10, 5))
    after = only(notes, made.id)
    assert before.resolution is Resolution.UNCHANGED
    assert after.resolution is Resolution.CHANGED
    assert before.point is not None
    assert before.box is not None
    assert after.point == (before.point[0] - 10_000, before.point[1] + 5_000)
    assert after.box == before.box.model_copy(update={"x": before.box.x - 10_000, "y": before.box.y + 5_000})
    assert after.handle == handle_of(thing(chapter, "balloon")) != before.handle


def test_a_point_inside_an_object_grows_with_it_and_turns_with_it(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    with chapter.edit("a picture on the paper") as edit:
        cat = edit[0].overlay(thing(chapter, "image").asset, box=(20, 80, 40, 20))
    made = write(notes, chapter, on=[OnElement(cat.id, (0, 0))])
    assert only(notes, made.id).point == (20_000, 80_000)
    with chapter.edit("mirrored") as edit:
        edit.run("overlay.set", cat.id, flip_x=True)
    assert only(notes, made.id).point == (60_000, 80_000)
    with chapter.edit("upside down") as edit:
        edit.run("overlay.set", cat.id, flip_x=False, rotate=180)
    assert only(notes, made.id).point == (60_000, 100_000)
    with chapter.edit("twice as large") as edit:
        edit.run("overlay.set", cat.id, rotate=0, scale=2)
    assert only(notes, made.id).point == (0, 70_000)


def test_a_missing_element_falls_back_to_the_page_point_and_is_said_to_be_missing(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    balloon = thing(chapter, "balloon")
    made = write(notes, chapter, on=[OnElement(balloon.id)])
    before = only(notes, made.id)
    with chapter.edit("silence") as edit:
        edit[balloon.id].remove()
    found = only(notes, made.id)
    assert found.resolution is Resolution.MISSING
    assert (found.thing, found.handle, found.box, found.frame) == (None, None, None, None)
    assert found.point == pytest.approx(before.point, abs=1)
    assert found.page == handle_of(units(chapter)[0])


def test_when_the_page_went_with_the_element_there_is_no_place_at_all(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    page, balloon = units(chapter)[0], thing(chapter, "balloon")
    made = write(notes, chapter, on=[OnElement(balloon.id), OnPoint(page.id, (HALF, HALF)), OnElement(page.id)])
    with chapter.edit("one page less") as edit:
        edit[0].remove()
    for found in notes.inspect(made.id).references:
        assert found.resolution is Resolution.MISSING
        assert (found.unit, found.thing, found.point, found.handle, found.page) == (None, None, None, None, None)


def test_a_missing_or_changed_target_is_never_replaced_by_one_that_looks_the_same(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    balloon = thing(chapter, "balloon")
    made = write(notes, chapter, on=[OnElement(balloon.id)])
    with chapter.edit("the same words in a new balloon") as edit:
        frame = edit[balloon.parent]
        edit[balloon.id].remove()
        new = frame.say(balloon.text, speaker=balloon.speaker, at=(75, 25), tail=(60, 45))
    assert new.id != balloon.id
    assert only(notes, made.id).resolution is Resolution.MISSING


def test_an_element_that_comes_back_is_found_again(notes: AnnotationService, chapter: ChapterWork) -> None:
    balloon = thing(chapter, "balloon")
    made = write(notes, chapter, on=[OnElement(balloon.id)])
    with chapter.edit("silence") as edit:
        edit[balloon.id].remove()
    assert only(notes, made.id).resolution is Resolution.MISSING
    chapter.undo()
    assert only(notes, made.id).resolution is Resolution.UNCHANGED


def test_an_element_that_went_to_another_unit_is_followed_by_its_id(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    first, second = units(chapter)
    frame = things(chapter, "frame")[-1]
    made = write(notes, chapter, on=[OnElement(frame.id)])
    assert only(notes, made.id).page == handle_of(second)
    with chapter.edit("a spread") as edit:
        edit.run("spread.join", first.id, **{"with": second.id, "gutter": 6})
    found = only(notes, made.id)
    assert found.unit is not None
    assert found.unit.id == first.id
    assert found.resolution is Resolution.CHANGED
    assert found.point == (105_000 + 6_000 + 52_500, 74_000)


def test_changes_inside_a_target_do_not_change_it(notes: AnnotationService, chapter: ChapterWork) -> None:
    page, frame, balloon = units(chapter)[0], things(chapter, "frame")[1], thing(chapter, "balloon")
    on = [OnElement(page.id), OnElement(frame.id), OnPoint(page.id, (HALF, HALF))]
    made = write(notes, chapter, on=on)
    with chapter.edit("other words") as edit:
        edit[balloon.id].set(text="Oh.")
        edit[frame.id].narrate("Later.", rect=(60, 50, 20, 8))
    assert [found.resolution for found in notes.inspect(made.id).references] == [Resolution.UNCHANGED] * 3


def test_a_point_reference_always_means_the_same_relative_place_on_the_paper(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    page = units(chapter)[0]
    made = write(notes, chapter, on=[OnPoint(page.id, (300_000, 400_000))])
    assert only(notes, made.id).point == (31_500, 59_200)
    with chapter.edit("everything elsewhere") as edit:
        for frame in things(chapter, "frame"):
            edit[frame.id].move(by=(1, 1))
    found = only(notes, made.id)
    assert (found.resolution, found.point) == (Resolution.UNCHANGED, (31_500, 59_200))
    with chapter.edit("now half of a spread") as edit:
        edit.run("spread.join", page.id, **{"with": units(chapter)[1].id, "gutter": 0})
    found = only(notes, made.id)
    assert (found.resolution, found.point) == (Resolution.CHANGED, (63_000, 59_200))


def test_a_point_reference_may_belong_to_a_page_of_a_spread_and_stays_on_it(
    notes: AnnotationService, chapter: ChapterWork
) -> None:
    first, second = units(chapter)
    with chapter.edit("a spread") as edit:
        edit.run("spread.join", first.id, **{"with": second.id, "gutter": 4})
    spread = units(chapter)[0]
    right = spread.surfaces[1]
    made = write(notes, chapter, on=[OnPoint(spread.id, (HALF, HALF), right.id), OnElement(right.id)])
    for found in notes.inspect(made.id).references:
        assert found.point == (105_000 + 4_000 + 52_500, 74_000)
        assert found.resolution is Resolution.UNCHANGED
    with chapter.edit("two pages again") as edit:
        edit.run("spread.split", spread.id)
    pages = units(chapter)
    for found in notes.inspect(made.id).references:
        assert found.unit == pages[1]
        assert found.point == (52_500, 74_000)
        assert found.resolution is Resolution.CHANGED
    with chapter.edit("without the second") as edit:
        edit[1].remove()
    point, element = notes.inspect(made.id).references
    assert element.resolution is Resolution.MISSING
    assert point.resolution is Resolution.CHANGED
    assert point.unit == units(chapter)[0]


def test_a_reference_is_made_only_to_what_is_there(notes: AnnotationService, chapter: ChapterWork) -> None:
    page = units(chapter)[0]
    wrong: list[tuple[OnElement | OnPoint, type[LanternError]]] = [
        (OnElement("bl_0000none"), NotFound),
        (OnElement("sf_0000none"), NotFound),
        (OnElement("no id"), BadInput),
        (OnPoint("un_0000none", (0, 0)), NotFound),
        (OnPoint(page.id, (0, 0), "sf_0000none"), NotFound),
        (OnPoint(page.id, (0, MILLION + 1)), BadInput),
        (OnElement(page.id, (-1, 0)), BadInput),
        (OnElement(f"{page.id}#00000000"), StaleHandle),
    ]
    for on, error in wrong:
        with pytest.raises(error):
            write(notes, chapter, on=[on])
    assert write(notes, chapter, on=[OnElement(handle_of(page))]).references[0].target == page.id


@pytest.mark.parametrize("body", ["", " \n", "x" * 4_001, "bell\x07", "half\ud800"])
def test_words_that_cannot_be_kept_or_shown_are_refused(
    notes: AnnotationService, chapter: ChapterWork, body: str
) -> None:
    with pytest.raises(BadInput):
        write(notes, chapter, body)


# apart from the work


def test_annotations_enter_no_document_no_revision_no_saved_version_no_picture_and_no_export(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, tmp_path: Any
) -> None:
    def everything() -> tuple[Any, ...]:
        moment = chapter.moment
        snapshots = [(item.id, item.revision) for item in chapter.snapshots()]
        pictures = [unit.render(long_edge=200).rendered.sha256 for unit in chapter]
        (report,) = chapter.export(tmp_path / str(len(notes.of_chapter(chapter.id))), "cbz", dpi=72)
        return moment.id, moment.revision.document, len(chapter.history()), snapshots, pictures, report.sha256

    chapter.save("before")
    before = everything()
    made = write(notes, chapter, "A word nobody else writes: xylophonic", on=[OnElement(thing(chapter, "balloon").id)])
    draft = begin(ws, chapter)
    claim(ws, draft, made.id)
    note(ws, "xylophonic it is", made.id)
    assert everything() == before
    for document in _documents(ws):
        assert b"xylophonic" not in document
        assert made.id.encode() not in document


def _documents(ws: Workspace) -> list[bytes]:
    with ws.journal.read() as connection:
        names = connection.exec_driver_sql("SELECT hash FROM documents").fetchall()
        return [ws.comics.store._documents.get(connection, name) for (name,) in names]


def test_every_read_resolves_against_the_working_revision_of_that_moment(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, me: UnlockedKey
) -> None:
    balloon = thing(chapter, "balloon")
    made = write(notes, chapter, on=[OnElement(balloon.id)])
    draft = begin(ws, chapter)
    reword(ws, chapter, draft)
    assert only(notes, made.id).resolution is Resolution.UNCHANGED, "a draft is not the work"
    proposal = freeze(ws, draft)
    assert only(notes, made.id).resolution is Resolution.UNCHANGED
    ws.proposals[proposal.id].apply(me)
    seen = notes.inspect(made.id)
    assert seen.moment.id == chapter.moment.id
    assert seen.references[0].resolution is Resolution.CHANGED
    chapter.undo()
    assert only(notes, made.id).resolution is Resolution.UNCHANGED


# what follows from a draft's life


def test_freezing_the_draft_makes_its_annotations_await_and_links_the_proposal(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written, proposal = awaited(ws, notes, chapter)
    bystander = write(notes, chapter, "Something else.")
    kept = notes.get(written.id)
    assert (kept.state, kept.proposal) == (State.AWAITING, proposal.number)
    assert states(ws, bystander.id) == [State.OPEN]


def test_freezing_again_links_the_newer_proposal_and_takes_what_was_claimed_meanwhile(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written, first = awaited(ws, notes, chapter)
    draft = f"d{first.draft}"
    later = write(notes, chapter, "And this.")
    claim(ws, draft, later.id)
    assert states(ws, written.id, later.id) == [State.AWAITING, State.CLAIMED]
    assert freeze(ws, draft).id == first.id
    assert states(ws, written.id, later.id) == [State.AWAITING, State.AWAITING]
    reword(ws, chapter, draft, "Mine!")
    second = freeze(ws, draft)
    assert second.id != first.id
    assert {notes.get(item.id).proposal for item in (written, later)} == {second.number}
    assert ws.verify().clean


def test_keeping_the_proposal_leaves_its_annotations_awaiting(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, me: UnlockedKey
) -> None:
    written, proposal = awaited(ws, notes, chapter)
    later = write(notes, chapter, "And this.")
    claim(ws, f"d{proposal.draft}", later.id)
    ws.proposals[proposal.id].keep(me)
    assert states(ws, written.id, later.id) == [State.AWAITING, State.CLAIMED]


def test_discarding_the_proposal_opens_its_annotations_again(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, me: UnlockedKey
) -> None:
    written, proposal = awaited(ws, notes, chapter)
    ws.proposals[proposal.id].discard(me, reason="keep my joke")
    kept = notes.get(written.id)
    assert (kept.state, kept.draft, kept.proposal) == (State.OPEN, None, None)
    assert claim(ws, f"d{proposal.draft}", written.id)[0].state is State.CLAIMED
    assert ws.verify().clean


@pytest.mark.parametrize("frozen", [False, True])
def test_discarding_the_draft_opens_its_annotations_again(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, *, frozen: bool
) -> None:
    written = write(notes, chapter)
    draft = begin(ws, chapter)
    reword(ws, chapter, draft)
    claim(ws, draft, written.id)
    if frozen:
        freeze(ws, draft)
    with ws.journal.write() as connection:
        ws.drafts.discard(connection, draft, actor=AGENT)
    kept = notes.get(written.id)
    assert (kept.state, kept.draft, kept.proposal) == (State.OPEN, None, None)
    assert ws.verify().clean


def test_applying_the_proposal_leaves_its_annotations_awaiting(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, me: UnlockedKey
) -> None:
    written, proposal = awaited(ws, notes, chapter)
    late = write(notes, chapter, "Claimed after the freeze.")
    claim(ws, f"d{proposal.draft}", late.id)
    ws.proposals[proposal.id].apply(me)
    kept = notes.get(written.id)
    assert (kept.state, kept.proposal) == (State.AWAITING, proposal.number)
    assert states(ws, late.id) == [State.OPEN], "what was applied did not deal with it"
    assert ws.verify().clean
    assert notes.resolve(written.id, actor=ws.owner).state is State.RESOLVED


def test_an_act_that_fails_moves_no_annotation(ws: Workspace, notes: AnnotationService, chapter: ChapterWork) -> None:
    written = write(notes, chapter)
    draft = begin(ws, chapter)
    claim(ws, draft, written.id)
    with pytest.raises(WrongState):
        freeze(ws, draft)  # it holds the same content as its base
    assert states(ws, written.id) == [State.CLAIMED]


def test_what_the_person_settled_stays_settled_whatever_becomes_of_the_draft(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written, proposal = awaited(ws, notes, chapter)
    notes.shelve(written.id, actor=ws.owner)
    with ws.journal.write() as connection:
        ws.drafts.discard(connection, f"d{proposal.draft}", actor=AGENT)
    assert states(ws, written.id) == [State.SHELVED]


# whose acts they are


def test_resolving_shelving_reopening_editing_and_deleting_are_the_creators_acts(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written = write(notes, chapter)
    acts = (
        lambda: notes.create(chapter.id, "mine", actor=AGENT),
        lambda: notes.edit(written.id, body="mine", actor=AGENT),
        lambda: notes.resolve(written.id, actor=AGENT),
        lambda: notes.shelve(written.id, actor=AGENT),
        lambda: notes.reopen(written.id, actor=AGENT),
        lambda: notes.delete(written.id, actor=AGENT),
    )
    for act in acts:
        with pytest.raises(NotAllowed):
            act()
    assert notes.of_chapter(chapter.id) == [written]
    me = ws.owner
    assert notes.resolve(written.id, actor=me).state is State.RESOLVED
    assert notes.reopen(written.id, actor=me).state is State.OPEN
    assert notes.shelve(written.id, actor=me).state is State.SHELVED
    assert notes.reopen(written.id, actor=me).state is State.OPEN
    assert notes.edit(written.id, body="Softer still.", actor=me).body == "Softer still."
    assert notes.delete(written.id, actor=me).body == "Softer still."
    with pytest.raises(NotFound):
        notes.get(written.id)


def test_no_tool_and_no_capability_settles_edits_or_deletes_annotations(ws: Workspace) -> None:
    dispatcher = ws.dispatcher()
    named = {item.name for item in dispatcher.capabilities if item.name.startswith("annotation.")}
    assert named == {"annotation.list", "annotation.inspect", "annotation.claim", "annotation.note"}
    offered = {name for profile in PROFILES.values() for tool in profile.tools for name in tool.capabilities}
    assert named <= offered
    with pytest.raises(UnknownKey):
        dispatcher.dispatch(
            "annotation.note",
            {"annotations": ["an_00000000"], "text": "x", "idempotency_key": "k", "state": "resolved"},
            actor=AGENT,
            scopes=SCOPES,
        )


@pytest.mark.parametrize("act", ["resolve", "shelve"])
def test_settled_annotations_are_settled_once(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, act: str
) -> None:
    written = write(notes, chapter)
    getattr(notes, act)(written.id, actor=ws.owner)
    for again in ("resolve", "shelve"):
        with pytest.raises(WrongState):
            getattr(notes, again)(written.id, actor=ws.owner)
    notes.reopen(written.id, actor=ws.owner)
    with pytest.raises(WrongState):
        notes.reopen(written.id, actor=ws.owner)


def test_reopening_takes_an_annotation_away_from_its_draft(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written = write(notes, chapter)
    claim(ws, begin(ws, chapter), written.id)
    freed = notes.reopen(written.id, actor=ws.owner)
    assert (freed.state, freed.draft) == (State.OPEN, None)
    second = begin(ws, chapter, OTHER)
    assert claim(ws, second, written.id, actor=OTHER)[0].state is State.CLAIMED


def test_references_and_attachments_are_added_removed_and_put_in_another_order(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, cat: AssetVersion
) -> None:
    me = ws.owner
    balloon, page = thing(chapter, "balloon"), units(chapter)[0]
    written = write(notes, chapter, on=[OnElement(balloon.id), OnElement(page.id)])
    with chapter.edit("other words") as edit:
        edit[balloon.id].set(text="Oh.")
    first, second = written.references
    turned = notes.edit(written.id, on=[OnPoint(page.id, (0, 0)), second, first], attach=[cat.id], actor=me)
    assert turned.references[1:] == (second, first), "those it had keep what they were made with"
    assert [item.resolution for item in notes.inspect(written.id).references] == [
        Resolution.UNCHANGED,
        Resolution.UNCHANGED,
        Resolution.CHANGED,
    ]
    fresh = notes.edit(written.id, on=[OnElement(balloon.id)], actor=me)
    assert only(notes, written.id).resolution is Resolution.UNCHANGED
    assert (fresh.body, fresh.attachments) == (written.body, (cat.id,))
    assert notes.edit(written.id, on=[], attach=[], actor=me).references == ()
    other = write(notes, chapter, on=[OnElement(page.id)])
    with pytest.raises(BadInput):
        notes.edit(written.id, on=other.references, actor=me)
    assert ws.verify().clean


def test_deleting_is_for_good(ws: Workspace, notes: AnnotationService, chapter: ChapterWork, cat: AssetVersion) -> None:
    written = write(notes, chapter, on=[OnElement(units(chapter)[0].id)], attach=[cat.id])
    note(ws, "seen", written.id)
    notes.delete(written.id, actor=ws.owner)
    with ws.journal.read() as connection:
        for table in ("annotations", "annotation_references", "annotation_attachments", "annotation_messages"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0
    assert ws.assets.get(cat.id) == cat


# how agents deal with them


def test_claiming_is_all_or_none_and_only_into_an_open_draft_of_ones_own_on_that_chapter(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    first, second = write(notes, chapter), write(notes, chapter)
    draft, others = begin(ws, chapter), begin(ws, chapter, OTHER)
    elsewhere = ws.comic("Chelsea Goes Up").begin_chapter(2, size="A6")
    away = begin(ws, elsewhere)
    notes.resolve(second.id, actor=ws.owner)
    for wanted, into in (((first.id, second.id), draft), ((first.id,), others), ((first.id,), away)):
        with pytest.raises(WrongState):
            claim(ws, into, *wanted)
    assert states(ws, first.id) == [State.OPEN]
    claim(ws, draft, first.id)
    assert claim(ws, draft, first.id)[0].state is State.CLAIMED, "again is no fault"
    with pytest.raises(WrongState, match=f"claimed in {draft}"):
        claim(ws, others, first.id, actor=OTHER)
    with ws.journal.write() as connection:
        ws.drafts.discard(connection, draft, actor=AGENT)
    with pytest.raises(WrongState, match="discarded"):
        claim(ws, draft, first.id)


def test_an_agent_has_nothing_to_say_to_a_settled_annotation(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written = write(notes, chapter)
    notes.resolve(written.id, actor=ws.owner)
    with pytest.raises(WrongState):
        note(ws, "but", written.id)
    assert note(ws, "thank you", written.id, actor=ws.owner)[0].messages[0].actor == "mina"


class Agent:
    """An agent at the dispatcher."""

    def __init__(self, ws: Workspace) -> None:
        self.dispatcher = ws.dispatcher()
        self.keys = 0

    def ask(self, capability: str, /, **args: Any) -> dict[str, Any]:
        if self.dispatcher.capabilities.get(capability).writes:
            self.keys += 1
            args.setdefault("idempotency_key", f"k{self.keys}")
        data = self.dispatcher.dispatch(capability, args, actor=AGENT, scopes=SCOPES).data
        self.dispatcher.capabilities.get(capability).output.model_validate(data)
        return data


def test_an_agent_lists_inspects_looks_edits_claims_notes_and_freezes_once(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, cat: AssetVersion
) -> None:
    balloon, page = thing(chapter, "balloon"), units(chapter)[0]
    written = write(
        notes,
        chapter,
        on=[OnElement(balloon.id), OnPoint(page.id, (HALF, HALF))],
        attach=[cat.id],
    )
    agent = Agent(ws)
    (row,) = agent.ask("annotation.list", chapter=chapter.id)["annotations"]
    assert (row["annotation"], row["references"], row["attachments"]) == (written.id, 2, 1)
    seen = agent.ask("annotation.inspect", annotation=written.id)
    assert seen["revision"] == chapter.moment.id
    element, point = seen["references"]
    assert [item["n"] for item in (element, point)] == [1, 2]
    assert element["resolution"] == "unchanged"
    for view in ({"around": element["handle"]}, {"unit": point["unit"]}, {"unit": element["unit"]}):
        looked = agent.ask("unit.look", source=seen["revision"], **view)
        assert looked["revision"] == seen["revision"]
    assert agent.ask("asset.read", asset=seen["attachments"][0]["asset"])["asset"]["asset"] == cat.id
    begun = agent.ask("draft.begin", chapter=chapter.id)
    draft = begun["draft"]
    operations = [
        {"op": "balloon.set", "target": element["handle"], "args": {"text": "Oh."}},
        {"op": "narration.add", "target": element["frame"], "args": {"text": "Later.", "rect": [60, 50, 20, 8]}},
    ]
    edited = agent.ask("draft.edit", draft=draft, expected_revision=begun["revision"], operations=operations)
    (claimed,) = agent.ask("annotation.claim", annotations=[written.id], draft=draft)["annotations"]
    assert (claimed["state"], claimed["draft"]) == ("claimed", draft)
    agent.ask("annotation.note", annotations=[written.id], text="Softer words, as you asked.")
    frozen = agent.ask("proposal.freeze", draft=draft, expected_revision=edited["revision"], summary="softer")
    after = agent.ask("annotation.inspect", annotation=written.id)
    assert (after["state"], after["proposal"]) == ("awaiting", frozen["proposal"])
    assert after["review"] == frozen["review"]
    assert after["messages"][0]["words"] == "Softer words, as you asked."
    assert agent.ask("annotation.list", chapter=chapter.id)["annotations"] == []
    assert len(agent.ask("annotation.list", chapter=chapter.id, states=["awaiting"])["annotations"]) == 1


def test_an_annotation_without_references_names_no_page(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written = write(notes, chapter, "On page 1 the cat in the left frame is too loud.")
    seen = Agent(ws).ask("annotation.inspect", annotation=written.id)
    assert seen["references"] == []
    assert not {"unit", "page", "handle"} & seen.keys()
    assert units(chapter)[0].id not in json.dumps(seen)


def test_an_agent_sees_a_missing_target_as_missing_and_gets_no_handle_for_it(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    balloon = thing(chapter, "balloon")
    written = write(notes, chapter, on=[OnElement(balloon.id)])
    with chapter.edit("silence") as edit:
        edit[balloon.id].remove()
    (seen,) = Agent(ws).ask("annotation.inspect", annotation=written.id)["references"]
    assert seen["resolution"] == "missing"
    assert not {"handle", "frame", "box", "at"} & seen.keys()
    assert seen["fallback"] == pytest.approx([75, 25], abs=0.01)


def test_claims_and_notes_are_collaboration_changes_and_advance_no_draft(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written = write(notes, chapter)
    agent = Agent(ws)
    draft = agent.ask("draft.begin", chapter=chapter.id)["draft"]
    before = ws.drafts.head(draft).id, chapter.moment.id
    agent.ask("annotation.claim", annotations=[written.id], draft=draft)
    agent.ask("annotation.note", annotations=[written.id], text="on it")
    assert (ws.drafts.head(draft).id, chapter.moment.id) == before
    for name in ("annotation.claim", "annotation.note"):
        assert agent.dispatcher.capabilities.get(name).effect is Effect.COLLABORATION_CHANGE


def test_annotations_share_the_registry_the_receipts_and_the_activity_of_every_other_capability(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork
) -> None:
    written = write(notes, chapter, "planted-body")
    agent = Agent(ws)
    draft = agent.ask("draft.begin", chapter=chapter.id)["draft"]
    for _ in range(2):
        agent.ask("annotation.claim", annotations=[written.id], draft=draft, idempotency_key="claim")
        agent.ask("annotation.note", annotations=[written.id], text="planted-note", idempotency_key="note")
    assert len(notes.get(written.id).messages) == 1
    agent.ask("annotation.inspect", annotation=written.id)
    agent.dispatcher.flush()
    with ws.journal.read() as connection:
        events = connection.exec_driver_sql(
            "SELECT capability, effect, target FROM activity WHERE capability LIKE 'annotation.%' ORDER BY id"
        ).fetchall()
        told = connection.exec_driver_sql("SELECT * FROM activity").fetchall()
    assert [tuple(event) for event in events] == [
        ("annotation.claim", "collaboration_change", written.id),
        ("annotation.note", "collaboration_change", written.id),
        ("annotation.inspect", "observe", written.id),
    ]
    assert "planted" not in repr([tuple(row) for row in told])


# the whole-workspace check


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE annotations SET state = 'done'",
        "UPDATE annotations SET chapter = 'ch_0000none'",
        "UPDATE annotations SET state = 'claimed'",
        "UPDATE annotations SET state = 'awaiting'",
        "UPDATE annotations SET draft = 99",
        "UPDATE annotations SET proposal = 99",
        "UPDATE annotation_references SET position = 7 WHERE position = 2",
        "UPDATE annotation_references SET kind = 'area' WHERE position = 1",
        "UPDATE annotation_references SET x = 'left' WHERE position = 1",
        "UPDATE annotation_references SET fingerprint = '' WHERE position = 1",
        "UPDATE annotation_references SET unit = 'un_0000none' WHERE position = 1",
        "UPDATE annotation_attachments SET asset = 'as_0000none'",
        "DELETE FROM annotations",
    ],
)
def test_verify_names_an_annotation_whose_rows_do_not_hold_together(
    ws: Workspace, notes: AnnotationService, chapter: ChapterWork, cat: AssetVersion, damage: str
) -> None:
    on = [OnElement(thing(chapter, "balloon").id), OnPoint(units(chapter)[0].id, (0, 0))]
    written = write(notes, chapter, on=on, attach=[cat.id])
    assert ws.verify().clean
    assert ws.verify().checked["annotations"] == 1
    with ws.journal.write() as connection:
        connection.exec_driver_sql(damage)
    problems = ws.verify().problems
    assert {(item.kind, item.id) for item in problems} == {("annotation", written.id)}


# as people hold them


def test_a_person_writes_lists_edits_and_settles_in_a_notebook(
    ws: Workspace, chapter: ChapterWork, cat: AssetVersion
) -> None:
    balloon, (first, second) = thing(chapter, "balloon"), chapter
    note_ = chapter.annotate(
        "Softer, please.",
        on=[balloon.id, {"element": first.id, "at": (0.25, 1)}, {"unit": second.id, "point": [0.3, 0.4]}, first],
        attach=cat,
    )
    assert [item.at for item in note_.references] == [
        (HALF, HALF),
        (250_000, MILLION),
        (300_000, 400_000),
        (HALF, HALF),
    ]
    assert [item.id for item in chapter.annotations()] == [note_.id]
    note_.edit("Much softer.", on=[*note_.references[:2], second])
    assert note_.facts.body == "Much softer."
    assert [item.target for item in note_.references] == [balloon.id, first.id, second.id]
    assert note_.reply("or not at all").facts.messages[0].body == "or not at all"
    assert note_.shelve().state is State.SHELVED
    assert len(chapter.annotations()) == 0
    assert chapter.annotations("shelved")[note_.id].reopen().state is State.OPEN
    assert note_.resolve().state is State.RESOLVED
    note_.delete()
    assert len(chapter.annotations(*State)) == 0


def test_files_and_bytes_that_are_attached_are_registered_first(
    ws: Workspace, chapter: ChapterWork, tmp_path: Any
) -> None:
    photo = datasets.open_photo("chelsea")
    (tmp_path / "like-this.png").write_bytes(photo)
    seen = chapter.annotate("Like these.", attach=[photo, tmp_path / "like-this.png"]).look()
    assert [asset.title for asset in seen.attachments] == ["attached picture", "like-this.png"]
    assert {ws.assets.read(asset) for asset in seen.attachments} == {photo}
    assert {asset.registered_by for asset in seen.attachments} == {"mina"}


@pytest.mark.parametrize(
    "on",
    [7, {"element": "bl_0000none", "where": 1}, {"unit": "un_0000none"}, {"unit": "un_1", "point": (0.5,)}, [None]],
)
def test_what_cannot_be_pointed_at_is_refused_in_words(chapter: ChapterWork, on: Any) -> None:
    with pytest.raises(BadInput) as caught:
        chapter.annotate("Here.", on=on)
    assert caught.value.expected is not None
    assert len(chapter.annotations()) == 0


def test_an_annotation_shows_its_words_its_pages_with_pins_and_its_pictures(
    ws: Workspace, chapter: ChapterWork, cat: AssetVersion
) -> None:
    balloon, (first, second) = thing(chapter, "balloon"), chapter
    made = chapter.annotate(
        "Softer & <quieter>", on=[balloon.id, second, {"unit": first.id, "point": (0, 0)}], attach=cat
    )
    made.reply("please")
    shown = made._repr_mimebundle_()
    assert "Softer &amp; &lt;quieter&gt;" in shown["text/html"]
    assert shown["text/html"].count("<img ") == 3
    assert "<script" not in shown["text/html"]
    text = shown["text/plain"]
    assert f"1. Page 1 “One”: balloon {balloon.id} at 75, 25 mm" in text
    assert "3. Page 1 “One”: a point at 0, 0 mm" in text
    assert "mina: please" in text
    (title, pinned), _ = made.pages()
    assert title == "Page 1 “One”"
    plain = first.render(long_edge=700).rendered
    assert pinned.rendered.sha256 != plain.sha256
    with chapter.edit("silence") as edit:
        edit[balloon.id].remove()
        edit[1].remove()
    text = made.text()
    assert "gone since" in text
    assert "gone with its page" in text
    assert repr(chapter.annotations()).startswith(made.id)
    assert chapter.annotations()._repr_mimebundle_()["text/html"].count("<img ") == 2
    assert chapter.annotations("shelved")._repr_mimebundle_()["text/plain"] == "no annotations"
