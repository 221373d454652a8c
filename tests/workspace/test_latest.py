"""Who last changed a thing, as of any revision."""

from __future__ import annotations

import pytest

from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.latest import Latest, latest_change
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import NotFound
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import AGENT, balloon, begin, edit, proposed, say


def latest(ws: Workspace, revision: str, *things: str) -> Latest | None:
    with ws.journal.read() as connection:
        return latest_change(connection, ws.comics, int(revision[1:]), things)


def test_the_last_change_is_that_of_the_revision_that_is_asked_of(ws: Workspace, chapter: ChapterWork) -> None:
    thing, made = balloon(chapter).id, chapter.moment.id
    with chapter.edit("other words") as block:
        block[thing].set(text="Other words.")
    changed = chapter.moment.id
    with chapter.edit("elsewhere") as block:
        block.add_page()
    found = latest(ws, chapter.moment.id, thing)
    assert found is not None
    assert (found.revision.id, found.actor, found.actor_kind, found.proposal) == (changed, "mina", "person", "")
    earlier = latest(ws, made, thing)
    assert earlier is not None
    assert earlier.revision.id == made


def test_a_draft_knows_its_own_changes_and_those_of_the_work_that_it_came_from(
    ws: Workspace, chapter: ChapterWork
) -> None:
    thing, other = balloon(chapter).id, chapter.book.order[1]
    draft, number = begin(ws, chapter)
    edit(ws, draft, number, [say(handle_of(balloon(chapter)), "From the draft.")])
    head = ws.drafts.head(draft).id
    own, from_work = latest(ws, head, thing), latest(ws, head, other)
    assert own is not None
    assert from_work is not None
    assert (own.revision.id, own.actor, own.actor_kind) == (head, AGENT.name, "agent")
    assert (from_work.revision.line, from_work.actor) == (chapter.id, "mina")
    in_work = latest(ws, chapter.moment.id, thing)
    assert in_work is not None
    assert in_work.actor == "mina", "what lies only in a draft is no change of the work"


def test_what_an_apply_brought_is_its_agents_with_who_approved_it(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    proposal = proposed(ws, chapter)
    held = ws.proposals[proposal.id]
    held.look()
    held.apply(me)
    found = latest(ws, chapter.moment.id, balloon(chapter).id)
    assert found is not None
    assert (found.actor, found.proposal, found.approved_by) == (AGENT.name, proposal.id, "mina")
    assert found.revision.id == chapter.moment.id


def test_of_several_things_the_newest_change_counts(ws: Workspace, chapter: ChapterWork) -> None:
    unit = chapter.book.unit(chapter.book.order[0])
    with chapter.edit("other words") as block:
        block[balloon(chapter).id].set(text="Other words.")
    found = latest(ws, chapter.moment.id, unit.id, *unit.index)
    assert found is not None
    assert found.revision.id == chapter.moment.id


def test_what_was_never_changed_has_no_last_change(ws: Workspace, chapter: ChapterWork) -> None:
    assert latest(ws, chapter.moment.id, "bl_nowhere") is None
    assert latest(ws, chapter.moment.id) is None
    with pytest.raises(NotFound):
        latest(ws, "r999", "bl_nowhere")
