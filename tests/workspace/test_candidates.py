"""Candidates: change sets that wait beside a draft, and what becomes of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest

from lantern_kit.comic import candidates
from lantern_kit.comic.candidate import Candidate, candidate_number
from lantern_kit.comic.candidates import MOST_WAITING
from lantern_kit.comic.contract import Contract
from lantern_kit.comic.drafts import Edited
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Balloon, Frame, Image, Node, Unit
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import (
    BadInput,
    LanternError,
    Locked,
    NotFound,
    OutOfScope,
    StaleCandidate,
    StaleHandle,
    StaleHead,
    WrongState,
)
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace, open_workspace

AGENT = Actor.agent("page-worker")
OTHER = Actor.agent("letterer")
Operation = dict[str, Any]


class Studio:
    """A draft of the chapter, and the few things that these tests do in it."""

    def __init__(self, ws: Workspace, chapter: ChapterWork, contract: Contract | None = None) -> None:
        self.ws = ws
        self.chapter = chapter
        with ws.journal.write() as connection:
            draft, _ = ws.drafts.begin(connection, chapter.id, title="try", actor=AGENT, contract=contract)
        self.draft = draft.id

    @property
    def head(self) -> int:
        return self.ws.drafts.head(self.draft).revision.number

    def unit(self, place: int = 0) -> Unit:
        book = self.ws.drafts.head(self.draft).book
        return book.unit(book.order[place])

    def node(self, kind: type[Node], place: int = 0, which: int = 0) -> Node:
        return [item for item in self.unit(place).objects if isinstance(item, kind)][which]

    def handle(self, kind: type[Node], place: int = 0, which: int = 0) -> str:
        return handle_of(self.node(kind, place, which))

    def words(self, text: str, target: str = "") -> Operation:
        return {"op": "balloon.set", "target": target or self.handle(Balloon), "args": {"text": text}}

    def edit(self, *operations: Operation, actor: Actor = AGENT) -> Edited:
        planned = self.ws.drafts.plan(self.draft, self.head, operations)
        with self.ws.journal.write() as connection:
            return self.ws.drafts.commit(
                connection, self.draft, planned, self.head, operations, message="an edit", actor=actor
            )

    def propose(self, *operations: Operation, actor: Actor = AGENT, expected: int = 0, **options: Any) -> Candidate:
        with self.ws.journal.write() as connection:
            made, _ = self.ws.candidates.propose(
                connection,
                self.draft,
                expected or self.head,
                operations,
                task=options.pop("task", "a try"),
                actor=actor,
                **options,
            )
        return made

    def adopt(self, candidate: Candidate, *, actor: Actor = AGENT, expected: int = 0) -> Edited:
        planned = self.ws.candidates.plan_adoption(candidate.id)
        with self.ws.journal.write() as connection:
            made, _ = self.ws.candidates.adopt(
                connection, candidate.id, expected or self.head, actor=actor, planned=planned
            )
        return made

    def drop(self, candidate: Candidate, *, actor: Actor = AGENT) -> Candidate:
        with self.ws.journal.write() as connection:
            return self.ws.candidates.drop(connection, candidate.id, actor=actor)

    def now(self, candidate: Candidate) -> Candidate:
        return self.ws.candidates.get(candidate.id)


def text_of(studio: Studio, place: int = 0) -> str:
    found = studio.node(Balloon, place)
    assert isinstance(found, Balloon)
    return found.text


@pytest.fixture
def studio(ws: Workspace, chapter: ChapterWork) -> Studio:
    return Studio(ws, chapter)


def test_proposing_moves_no_line_and_keeps_what_it_would_give(studio: Studio) -> None:
    head, balloon = studio.head, studio.node(Balloon)
    made = studio.propose(studio.words("Mine."), task="say it shorter")
    assert (made.id, made.draft, made.base, made.state, made.task) == ("cd1", "d1", head, "waiting", "say it shorter")
    assert made.targets == (handle_of(balloon),)
    assert (made.summary, made.result, made.settled_by) == ("1 balloon changed on page 1", None, None)
    assert studio.head == head
    assert studio.node(Balloon) == balloon
    given = studio.ws.candidates.moment(made)
    assert given.stored.document == made.document
    words = given.book.unit(studio.unit().id).index[balloon.id]
    assert isinstance(words, Balloon)
    assert words.text == "Mine."
    assert studio.ws.verify().clean


def test_an_adoption_is_one_revision_with_the_content_that_was_looked_at(studio: Studio) -> None:
    head = studio.head
    frame = studio.handle(Frame)
    made = studio.propose(
        {"op": "frame.cut", "target": frame, "as": "parts", "args": {"line": [[6, 30], [50, 34]], "gutter": 3}},
        {"op": "balloon.add", "target": "@parts.2", "args": {"text": "Here.", "at": [25, 50]}},
        task="two frames",
    )
    studio.adopt(made)
    now = studio.ws.drafts.head(studio.draft)
    assert now.stored.document == made.document
    assert (now.revision.parent, now.revision.cause, now.revision.message) == (head, "adopt", "cd1: two frames")
    assert studio.unit() == studio.ws.candidates.moment(made).book.unit(studio.unit().id)
    kept = studio.now(made)
    assert (kept.state, kept.result, kept.settled_by) == ("adopted", now.revision.number, "page-worker")
    assert studio.ws.verify().clean


def test_an_edit_elsewhere_stays_beside_an_adoption(studio: Studio) -> None:
    made = studio.propose(studio.words("Mine."))
    studio.edit({"op": "frame.set", "target": studio.handle(Frame, 1), "args": {"name": "other"}})
    done = studio.adopt(made)
    assert text_of(studio) == "Mine."
    assert studio.node(Frame, 1).name == "other"
    assert [item["message"] for item in done.since] == ["an edit"]
    assert studio.ws.verify().clean


def changed(studio: Studio) -> Operation:
    return studio.words("Somebody else's.")


def removed(studio: Studio) -> Operation:
    return {"op": "object.remove", "target": studio.handle(Balloon)}


def page_removed(studio: Studio) -> Operation:
    return {"op": "unit.remove", "target": studio.unit().id}


@pytest.mark.parametrize(("meanwhile", "what"), [(changed, "changed"), (removed, "removed"), (page_removed, "removed")])
def test_a_candidate_whose_target_moved_is_stale_and_says_so(studio: Studio, meanwhile: Any, what: str) -> None:
    balloon = studio.node(Balloon).id
    made = studio.propose(studio.words("Mine."))
    studio.edit(meanwhile(studio))
    head = studio.head
    with pytest.raises(StaleCandidate) as caught:
        studio.adopt(made)
    error = caught.value
    assert error.ids == ("cd1", balloon)
    assert [(item["object"], item["what"]) for item in error.details["moved"]] == [(balloon, what)]
    assert "since cd1 was proposed on r" in error.message
    assert (studio.head, studio.now(made).state) == (head, "waiting")
    assert studio.ws.verify().clean


def test_a_candidate_that_is_stale_and_whose_target_comes_back_can_be_adopted(studio: Studio) -> None:
    before = studio.head
    made = studio.propose(studio.words("Mine."))
    studio.edit(changed(studio))
    with pytest.raises(StaleCandidate):
        studio.adopt(made)
    with studio.ws.journal.write() as connection:
        studio.ws.drafts.undo_to(connection, studio.draft, studio.head, before, actor=AGENT)
    studio.adopt(made)
    assert text_of(studio) == "Mine."


def test_all_that_moved_is_named_at_once(studio: Studio) -> None:
    first, second = studio.node(Frame), studio.node(Frame, which=1)
    made = studio.propose(
        {"op": "frame.set", "target": handle_of(first), "args": {"name": "left"}},
        {"op": "balloon.add", "target": handle_of(second), "args": {"text": "New.", "at": [75, 50]}},
    )
    assert {handle.split("#")[0] for handle in made.targets} == {first.id, second.id}
    assert list(made.orders) == [studio.unit().id]
    studio.edit({"op": "frame.set", "target": first.id, "args": {"name": "links"}})
    studio.edit({"op": "text.add", "target": second.id, "args": {"text": "BANG", "at": [75, 50]}})
    with pytest.raises(StaleCandidate) as caught:
        studio.adopt(made)
    moved = {(item["object"], item["what"]) for item in caught.value.details["moved"]}
    assert moved == {(first.id, "changed"), (studio.unit().id, "order")}


def test_what_a_candidate_only_depends_on_makes_it_stale_too(studio: Studio) -> None:
    picture = studio.handle(Image)
    made = studio.propose(studio.words("Mine."), targets=[picture])
    assert picture in made.targets
    studio.edit({"op": "image.adjust", "target": picture, "args": {"focus": [0.2, 0.2]}})
    with pytest.raises(StaleCandidate) as caught:
        studio.adopt(made)
    assert caught.value.ids == ("cd1", picture.split("#")[0])


def test_a_target_that_moved_before_the_proposal_is_a_stale_handle(studio: Studio) -> None:
    picture, seen = studio.handle(Image), studio.head
    studio.edit({"op": "image.adjust", "target": picture, "args": {"focus": [0.2, 0.2]}})
    for target in (picture, picture.split("#")[0]):
        with pytest.raises(StaleHandle) as caught:
            studio.propose(studio.words("Mine."), targets=[target], expected=seen)
        assert caught.value.details["handles"] == [studio.handle(Image)]
    with pytest.raises(NotFound):
        studio.propose(studio.words("Mine."), targets=["fr_0000none"])
    assert studio.propose(studio.words("Mine."), targets=[picture.split("#")[0]]).targets


def test_a_candidate_is_settled_once(studio: Studio) -> None:
    adopted, dropped = studio.propose(studio.words("One.")), studio.propose(studio.words("Two."))
    studio.adopt(adopted)
    studio.drop(dropped)
    assert studio.now(dropped).settled_by == "page-worker"
    head = studio.head
    for settled in (adopted, dropped):
        for deed in (studio.adopt, studio.drop):
            with pytest.raises(WrongState) as caught:
                deed(settled)
            assert caught.value.found == studio.now(settled).state
    assert studio.head == head
    assert studio.ws.verify().clean


def test_two_candidates_for_one_thing_leave_the_second_stale(studio: Studio) -> None:
    one, two = studio.propose(studio.words("One.")), studio.propose(studio.words("Two."), actor=OTHER)
    studio.adopt(two)
    with pytest.raises(StaleCandidate):
        studio.adopt(one)
    assert text_of(studio) == "Two."


def test_of_two_that_adopt_one_candidate_at_once_the_second_is_told(studio: Studio) -> None:
    made = studio.propose(studio.words("Mine."))
    plans = [studio.ws.candidates.plan_adoption(made.id) for _ in range(2)]
    with studio.ws.journal.write() as connection:
        studio.ws.candidates.adopt(connection, made.id, studio.head, actor=AGENT, planned=plans[0])
    with pytest.raises(WrongState), studio.ws.journal.write() as connection:
        studio.ws.candidates.adopt(connection, made.id, studio.head, actor=OTHER, planned=plans[1])
    assert studio.now(made).settled_by == "page-worker"


def test_a_plan_that_the_draft_passed_is_worked_out_anew(studio: Studio) -> None:
    words = studio.words("Mine.")
    planned = studio.ws.candidates.plan(studio.draft, studio.head, [words])
    seen = studio.head
    studio.edit({"op": "frame.set", "target": studio.handle(Frame, 1), "args": {"name": "other"}})
    made = studio.propose(words, expected=seen, planned=planned)
    assert made.base == studio.head
    adoption = studio.ws.candidates.plan_adoption(made.id)
    studio.edit({"op": "frame.set", "target": studio.handle(Frame, 1), "args": {"name": "again"}})
    with studio.ws.journal.write() as connection:
        studio.ws.candidates.adopt(connection, made.id, seen, actor=AGENT, planned=adoption)
    assert (text_of(studio), studio.node(Frame, 1).name) == ("Mine.", "again")
    late = studio.propose(studio.words("Later."))
    adoption = studio.ws.candidates.plan_adoption(late.id)
    studio.edit(changed(studio))
    with pytest.raises(StaleCandidate), studio.ws.journal.write() as connection:
        studio.ws.candidates.adopt(connection, late.id, studio.head, actor=AGENT, planned=adoption)
    assert studio.ws.verify().clean


def test_an_interrupted_write_leaves_nothing_half_done(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    head = studio.head

    class Crash(Exception):
        pass

    def crash(*_: Any, **__: Any) -> None:
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr(Candidate, "read", crash)  # after the row was written
        with pytest.raises(Crash):
            studio.propose(studio.words("Mine."))
    assert studio.ws.candidates.of_draft(studio.draft, state=None) == []
    made = studio.propose(studio.words("Mine."))
    with monkeypatch.context() as patch:
        patch.setattr(candidates.CandidateService, "_settle", crash)
        with pytest.raises(Crash):
            studio.adopt(made)
    assert (studio.head, studio.now(made).state) == (head, "waiting")
    assert studio.ws.verify().clean
    studio.adopt(made)
    assert text_of(studio) == "Mine."


def test_what_waits_is_there_when_the_workspace_is_opened_again(studio: Studio) -> None:
    made = studio.propose(
        {"op": "unit.add", "as": "p"}, {"op": "frame.add", "target": "@p", "args": {"rect": [9, 9, 50, 50]}}
    )
    with open_workspace(studio.ws.path) as again:
        (found,) = again.candidates.of_draft(studio.draft)
        assert found == made
        book = again.candidates.moment(found).book
        (frame,) = book.unit(book.order[-1]).objects
        assert again.comics.unit_of(book, frame.id) == book.order[-1]
        assert again.comics.unit_of(again.drafts.head(studio.draft).book, frame.id) is None


def test_the_contract_of_the_draft_holds_for_a_proposal_and_for_an_adoption(
    ws: Workspace, chapter: ChapterWork
) -> None:
    page = chapter.book.order[0]
    studio = Studio(ws, chapter, Contract.of(units=[page]))
    with pytest.raises(OutOfScope):
        studio.propose({"op": "frame.set", "target": studio.handle(Frame, 1), "args": {"name": "x"}})
    made = studio.propose(studio.words("Mine."))
    with ws.journal.write() as connection:
        narrower = Contract.of(units=[chapter.book.order[1]])
        connection.exec_driver_sql("UPDATE drafts SET contract = ? WHERE id = 1", (narrower.text(),))
    with pytest.raises(OutOfScope):
        studio.adopt(made)
    assert studio.now(made).state == "waiting"


def test_what_a_person_locks_is_refused_when_proposed_and_when_adopted(studio: Studio) -> None:
    balloon = studio.node(Balloon).id
    made = studio.propose(studio.words("Mine."))
    studio.ws.drafts.locks.lock(studio.chapter.id, balloon, "it is right", actor=studio.ws.owner)
    head = studio.head
    with pytest.raises(Locked):
        studio.propose(studio.words("Ours."))
    with pytest.raises(Locked) as caught:
        studio.adopt(made)
    assert caught.value.details["locks"][0]["reason"] == "it is right"
    assert (studio.head, studio.now(made).state) == (head, "waiting")
    studio.ws.drafts.locks.unlock(studio.chapter.id, balloon, actor=studio.ws.owner)
    studio.adopt(made)


def test_candidates_end_with_their_draft(studio: Studio, me: UnlockedKey) -> None:
    ws = studio.ws
    first = studio.propose(studio.words("Mine."))
    with ws.journal.write() as connection:
        ws.drafts.discard(connection, studio.draft, actor=AGENT)
    gone = studio.now(first)
    assert (gone.state, gone.settled_by, gone.settled_at is None) == ("dropped", None, False)
    with pytest.raises(WrongState):
        studio.adopt(first)
    with pytest.raises(WrongState):
        studio.propose(studio.words("Mine."))
    other = Studio(ws, studio.chapter)
    other.edit(other.words("Ours."))
    late = other.propose(other.words("Theirs."))
    with ws.journal.write() as connection:
        frozen, _ = ws.proposal_service.freeze(connection, other.draft, other.head, summary="s", actor=AGENT)
    assert other.now(late).state == "waiting"
    ws.proposals[frozen.id].apply(reviewer=me)
    assert other.now(late).state == "dropped"
    assert ws.verify().clean


def test_a_person_drops_whatever_waits(studio: Studio) -> None:
    made = studio.propose(studio.words("Mine."))
    with pytest.raises(WrongState):
        studio.drop(made, actor=Actor.agent("passer-by"))
    assert studio.drop(made, actor=studio.ws.owner).settled_by == "mina"


def test_only_so_many_candidates_wait_in_one_draft(studio: Studio) -> None:
    for number in range(MOST_WAITING):
        studio.propose(studio.words(f"{number}"))
    with pytest.raises(WrongState) as caught:
        studio.propose(studio.words("One more."))
    assert caught.value.found == MOST_WAITING
    studio.drop(studio.ws.candidates.of_draft(studio.draft)[0])
    studio.propose(studio.words("One more."))


@pytest.mark.parametrize("name", ["", "cd", "d4", "cd-1", "cdx", "CD4", "cd4 ", "cd" + "9" * 17, "k4"])
def test_a_name_that_is_no_candidates_is_refused(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        candidate_number(name)
    assert caught.value.expected == "a candidate such as cd4"


@pytest.mark.parametrize(
    ("expected", "kind"), [(1, StaleHead), (10_000, LanternError)], ids=["another line's", "of no line"]
)
def test_a_revision_that_is_not_the_drafts_is_no_expectation(
    studio: Studio, expected: int, kind: type[LanternError]
) -> None:
    made = studio.propose(studio.words("Mine."))
    head = studio.head
    with pytest.raises(kind):
        studio.adopt(made, expected=expected)
    with pytest.raises(kind):
        studio.propose(studio.words("Ours."), expected=expected)
    with pytest.raises(kind), studio.ws.journal.write() as connection:
        studio.ws.candidates.drop(connection, made.id, actor=AGENT, expected=expected)
    assert (studio.head, studio.now(made).state) == (head, "waiting")


DAMAGE = {
    "other operations": "operations = replace(operations, 'Mine.', 'Ours.')",
    "operations that are none": "operations = '[]'",
    "operations that cannot be read": "operations = x'00'",
    "another target": "targets = replace(targets, '#', '#0') ",
    "no target": "targets = '[]', orders = '{}'",
    "another order": "orders = json_object(chapter, 'aaaaaaaa')",
    "another draft": "draft = 9",
    "another chapter": "chapter = 'ch_00000000'",
    "another base": "base = 1",
    "another document": "document = (SELECT document FROM revisions WHERE id = 1)",
    "a document that is not there": "document = x'00'",
    "a state that is none": "state = 'lost'",
    "adopted by nobody": "state = 'adopted'",
    "dropped at no time": "state = 'dropped'",
    "settled and waiting": "settled_at = 5",
    "findings that cannot be read": "new_findings = '[1]'",
    "the row moved": "id = 3",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_candidate_that_contradicts_its_draft_is_found(studio: Studio, damage: str) -> None:
    studio.propose(studio.words("Mine."))
    assert studio.ws.verify().checked["candidates"] == 1
    with closing(sqlite3.connect(studio.ws.journal.path, isolation_level=None)) as driver:
        assert driver.execute(f"UPDATE candidates SET {damage}").rowcount == 1
    assert {item.kind for item in studio.ws.verify().problems} == {"candidate"}


ADOPTED = {
    "who": "UPDATE candidates SET settled_by = 'eve'",
    "when": "UPDATE candidates SET settled_at = settled_at + 1",
    "what for": "UPDATE candidates SET task = 'harmless'",
    "another revision": "UPDATE candidates SET result = result - 1",
    "waiting again": "UPDATE candidates SET state = 'waiting', settled_by = NULL, settled_at = NULL, result = NULL",
    "gone": "DELETE FROM candidates",
}


@pytest.mark.parametrize("damage", ADOPTED.values(), ids=ADOPTED)
def test_an_adoption_that_the_line_tells_otherwise_is_found(studio: Studio, damage: str) -> None:
    studio.adopt(studio.propose(studio.words("Mine.")))
    assert studio.ws.verify().clean
    with closing(sqlite3.connect(studio.ws.journal.path, isolation_level=None)) as driver:
        assert driver.execute(damage).rowcount == 1
    assert {item.kind for item in studio.ws.verify().problems} == {"candidate"}


def test_people_see_what_waits_with_its_pages_before_and_after(studio: Studio) -> None:
    made = studio.propose(studio.words("Mine."), task="shorter")
    (item,) = studio.chapter.candidates()
    assert repr(item) == "<Candidate cd1 in d1 by page-worker, “shorter”: waiting>"
    assert [label for label, _ in item.sides(studio.unit().id)] == ["before", "after"]
    assert item.changes.sentences == ["Page 1 “One”: balloon 1: “Is that… mine?” → “Mine.”"]
    assert studio.chapter.candidates()._repr_mimebundle_()["text/html"].count("<img") == 1
    html = item._repr_mimebundle_()["text/html"]
    assert html.count("<img") == 2
    assert "after (cd1)" in html
    studio.edit(changed(studio))
    assert item.standing == f"stale: {studio.node(Balloon).id} changed"
    assert "stale: " in repr(studio.chapter.candidates())
    item.drop()
    assert (item.standing, studio.now(made).settled_by) == ("dropped", "mina")
    assert len(studio.chapter.candidates()) == 0
    (kept,) = studio.chapter.candidates(settled=True)
    assert kept.id == "cd1"


def test_a_person_adopts_into_the_draft_and_the_work_stays(studio: Studio) -> None:
    made = studio.propose(studio.words("Mine."), task="shorter")
    work = studio.chapter.moment.id
    item = studio.chapter.candidates()["cd1"]
    revision = item.adopt()
    assert (studio.now(made).settled_by, item.standing) == ("mina", f"adopted as {revision}")
    assert (studio.ws.drafts.head(studio.draft).id, text_of(studio)) == (revision, "Mine.")
    assert studio.chapter.moment.id == work
    newest = studio.ws.comics.at(int(revision[1:])).revision
    assert (newest.actor, newest.cause) == (studio.ws.owner, "adopt")
    with pytest.raises(WrongState):
        item.adopt()
    assert studio.ws.verify().clean


def test_the_list_shows_each_as_it_would_be_even_where_a_page_would_go_or_none_is_touched(studio: Studio) -> None:
    studio.propose({"op": "unit.remove", "target": handle_of(studio.unit(1)), "args": {}}, task="without the second")
    chapter = studio.ws.drafts.head(studio.draft).book.chapter
    studio.propose({"op": "chapter.set", "target": handle_of(chapter), "args": {"title": "Up"}}, task="a title")
    html = studio.chapter.candidates()._repr_mimebundle_()["text/html"]
    assert html.count("<img") == 1
    assert "before cd1" in html


def test_a_person_adopts_nothing_that_went_stale_or_past_the_draft_they_saw(studio: Studio) -> None:
    first, second = studio.propose(studio.words("Mine.")), studio.propose(studio.words("Ours."))
    one, two = studio.chapter.candidates()
    with pytest.raises(StaleHead):
        one.adopt(expected="r1")
    one.adopt(expected=f"r{studio.head}")
    with pytest.raises(StaleCandidate) as caught:
        two.adopt()
    assert caught.value.details["moved"][0]["what"] == "changed"
    assert (studio.now(first).state, studio.now(second).state) == ("adopted", "waiting")


def test_a_person_s_adoption_keeps_to_the_contract_and_its_freeze_to_the_locks(studio: Studio) -> None:
    made = studio.propose(studio.words("Mine."))
    studio.chapter.lock(studio.node(Balloon).id, "keep my joke")
    studio.chapter.candidates()[made.id].adopt()
    with pytest.raises(Locked), studio.ws.journal.write() as connection:
        studio.ws.proposal_service.freeze(connection, studio.draft, studio.head, summary="s", actor=AGENT)


def test_a_proposal_says_what_waited_beside_its_draft(studio: Studio, me: UnlockedKey) -> None:
    ws = studio.ws
    early = studio.propose(studio.words("Mine."), task="early")
    studio.drop(early)
    studio.edit({"op": "unit.set", "target": studio.unit().id, "args": {"name": "Eins"}})
    waits = studio.propose(studio.words("Ours."), task="shorter")
    with ws.journal.write() as connection:
        frozen, _ = ws.proposal_service.freeze(connection, studio.draft, studio.head, summary="s", actor=AGENT)
    studio.propose(studio.words("Late."), task="late")
    proposal = ws.proposals[frozen.id]
    said = f"Beside it, not in it: {waits.id} “shorter” by page-worker: "
    assert f"{said}waiting" in proposal.text()
    assert f"{said}waiting" in proposal._repr_mimebundle_()["text/html"]
    assert "early" not in proposal.text()
    assert "late" not in proposal.text()
    proposal.apply(reviewer=me)
    assert f"{said}dropped" in proposal.text()


def test_an_adoption_is_told_in_the_history_and_in_the_tables(studio: Studio) -> None:
    studio.adopt(studio.propose(studio.words("Mine."), task="shorter"))
    newest = studio.chapter.history(drafts=True)[0]
    assert (newest.cause, newest.why) == ("adopt", "cd1: shorter")
    waiting = studio.propose(studio.words("Yours."))
    with studio.ws.analysis(in_memory=True) as db:
        rows = db.execute("SELECT candidate, state, operations, targets, result, decided_by FROM candidates").fetchall()
    balloon = studio.node(Balloon).id
    assert rows == [
        ("cd1", "adopted", ["balloon.set"], [balloon], newest.id, "page-worker"),
        (waiting.id, "waiting", ["balloon.set"], [balloon], None, None),
    ]
