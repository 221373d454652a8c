"""Cherry-picks: by a person into the work, by an agent into a draft."""

from __future__ import annotations

import pytest

from lantern_kit.comic.contract import Contract
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, Locked, NotAllowed, NotFound, OutOfScope, StaleHead
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import AGENT, balloon, begin, edit, say


def test_a_person_has_one_thing_back_without_the_rest(ws: Workspace, chapter: ChapterWork) -> None:
    then, thing = chapter.moment.id, balloon(chapter).id
    with chapter.edit("darker") as block:
        block[thing].set(text="Gone?")
        block[1].add_frame(rect=(20, 20, 30, 30))
    made = chapter.pick(then, thing, reason="the first line was better")
    assert balloon(chapter).text == "Is that… mine?"
    assert len(chapter[1].model.objects) == 2
    newest = chapter.history().revisions[0]
    assert (newest.id, newest.cause, newest.message) == (made, "pick", f"the first line was better · from {then}")
    assert chapter.undo() > made
    assert balloon(chapter).text == "Gone?"
    assert ws.verify().clean


def test_a_removed_page_comes_back_where_it_was(ws: Workspace, chapter: ChapterWork) -> None:
    then, order = chapter.moment, chapter.book.order
    with chapter.edit("shorter") as block:
        block.run("unit.remove", order[0])
    chapter.pick(then.id, order[0])
    assert chapter.book.order == order
    assert chapter.book.unit(order[0]) == then.book.unit(order[0])


def test_a_person_picks_out_of_a_draft_too(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [say(balloon(chapter).id, "Mine.")])
    chapter.pick(done.moment.id, balloon(chapter).id)
    assert balloon(chapter).text == "Mine."


def test_a_pick_that_changes_nothing_or_of_nothing_is_refused(ws: Workspace, chapter: ChapterWork) -> None:
    now = chapter.moment.id
    with pytest.raises(BadInput, match="already"):
        chapter.pick(now, balloon(chapter).id)
    with pytest.raises(NotFound):
        chapter.pick(now, "bl_0000none")
    with pytest.raises(NotAllowed):
        chapter.pick(now, balloon(chapter).id, by=AGENT)
    other = ws.comic("Another").begin_chapter(1)
    with pytest.raises(NotFound, match="not a revision of"):
        chapter.pick(other.moment.id, balloon(chapter).id)
    assert chapter.moment.id == now


def test_an_agent_picks_into_its_draft_within_its_contract(ws: Workspace, chapter: ChapterWork) -> None:
    then, thing = chapter.moment.revision.number, balloon(chapter).id
    with chapter.edit("darker") as block:
        block[thing].set(text="Gone?")
    with ws.journal.write() as connection:
        contract = Contract.of(units=[chapter.book.order[1]])
        draft, moment = ws.drafts.begin(connection, chapter.id, title="", actor=AGENT, contract=contract)
    with pytest.raises(OutOfScope), ws.journal.write() as connection:
        ws.drafts.pick(connection, draft.id, moment.revision.number, then, [thing], actor=AGENT)
    name, head = begin(ws, chapter)
    with pytest.raises(StaleHead), ws.journal.write() as connection:
        ws.drafts.pick(connection, name, head - 1, then, [thing], actor=AGENT)
    chapter.lock(thing)
    with pytest.raises(Locked), ws.journal.write() as connection:
        ws.drafts.pick(connection, name, head, then, [thing], actor=AGENT)
    chapter.unlock(thing)
    with ws.journal.write() as connection:
        made = ws.drafts.pick(connection, name, head, then, [thing], actor=AGENT)
    assert made.revision.cause == "pick"
    assert made.book.unit(made.book.order[0]).index[thing].text == "Is that… mine?"
    assert balloon(chapter).text == "Gone?"
