"""What a draft was opened for holds at every step of it."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.comic.contract import Contract
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, NotFound, OutOfScope
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import AGENT, balloon, edit, freeze, say


def opened(ws: Workspace, chapter: ChapterWork, **parts: Any) -> tuple[str, int]:
    with ws.journal.write() as connection:
        contract = Contract.of(**parts)
        draft, moment = ws.drafts.begin(connection, chapter.id, title="", actor=AGENT, contract=contract)
    return draft.id, moment.revision.number


def add(parent: str, **args: Any) -> dict[str, Any]:
    return {"op": "frame.add", "target": parent, "args": {"rect": [20, 80, 30, 30], **args}}


def test_an_edit_outside_is_refused_with_the_contract(ws: Workspace, chapter: ChapterWork) -> None:
    one, two = chapter.book.order
    draft, head = opened(ws, chapter, units=[two])
    with pytest.raises(OutOfScope, match="was opened for") as caught:
        edit(ws, draft, head, [say(balloon(chapter).id, "x")])
    assert caught.value.details["contract"] == {"units": [two]}
    assert caught.value.details["outside"] == [{"unit": one, "object": balloon(chapter).id, "property": "text"}]
    assert ws.drafts.head(draft).revision.number == head
    done = edit(ws, draft, head, [add(two)])
    assert freeze(ws, draft, done.moment.revision.number).units == (two,)


def test_a_named_frame_covers_what_lies_in_it_and_what_is_put_into_it(ws: Workspace, chapter: ChapterWork) -> None:
    frame = balloon(chapter).parent
    draft, head = opened(ws, chapter, objects=[frame])
    done = edit(ws, draft, head, [say(balloon(chapter).id, "Mine.")])
    put = {"op": "balloon.add", "target": frame, "args": {"text": "Oh", "at": [75, 50]}}
    done = edit(ws, draft, done.moment.revision.number, [put])
    done = edit(ws, draft, done.moment.revision.number, [{"op": "object.remove", "target": balloon(chapter).id}])
    for operation in (
        add(chapter.book.order[0]),
        {"op": "unit.set", "target": chapter.book.order[0], "args": {"name": "x"}},
        {"op": "chapter.set", "args": {"title": "x"}},
        {"op": "unit.add", "args": {}},
        {"op": "frame.cut", "target": frame, "args": {"line": [[75, 0], [75, 100]], "gutter": 3}},
    ):
        with pytest.raises(OutOfScope):
            edit(ws, draft, done.moment.revision.number, [operation])


def test_named_properties_are_all_that_changes(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = opened(ws, chapter, properties=["text"])
    done = edit(ws, draft, head, [say(balloon(chapter).id, "Mine.")])
    for operation in (
        {"op": "balloon.set", "target": balloon(chapter).id, "args": {"speaker": "x"}},
        {"op": "object.remove", "target": balloon(chapter).id},
        add(chapter.book.order[1]),
    ):
        with pytest.raises(OutOfScope):
            edit(ws, draft, done.moment.revision.number, [operation])


def test_places_and_properties_hold_together(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = opened(ws, chapter, units=[chapter.book.order[1]], properties=["text"])
    with pytest.raises(OutOfScope):
        edit(ws, draft, head, [say(balloon(chapter).id, "x")])


def test_a_covered_object_may_change_its_place_but_not_that_of_others(ws: Workspace, chapter: ChapterWork) -> None:
    page = chapter.book.unit(chapter.book.order[0])
    left, right, said = page.reading
    draft, head = opened(ws, chapter, objects=[said])
    done = edit(ws, draft, head, [{"op": "reading.set", "target": page.id, "args": {"order": [said, left, right]}}])
    order = {"order": [said, right, left]}
    with pytest.raises(OutOfScope):
        edit(ws, draft, done.moment.revision.number, [{"op": "reading.set", "target": page.id, "args": order}])


def test_a_contract_names_what_is_there(ws: Workspace, chapter: ChapterWork) -> None:
    with pytest.raises(NotFound):
        opened(ws, chapter, units=["un_0000none"])
    with pytest.raises(NotFound):
        opened(ws, chapter, objects=["fr_0000none"])
    with pytest.raises(BadInput, match="property of nothing") as caught:
        opened(ws, chapter, properties=["txt"])
    assert "text" in caught.value.recovery


def test_a_proposal_says_what_its_draft_was_opened_for(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = opened(ws, chapter, objects=[balloon(chapter).id], properties=["text"])
    done = edit(ws, draft, head, [say(balloon(chapter).id, "Mine.")])
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    assert f"Opened for {balloon(chapter).id}; only text" in held.text()
    assert "opened for" in held.html()


def test_a_contract_is_kept_as_it_was_said() -> None:
    contract = Contract.of(units=["un_b", "un_a", "un_b"], properties=["text"])
    assert Contract.parse(contract.text()) == contract
    assert contract.units == ("un_b", "un_a")
    assert Contract.of().text() == ""
    assert not Contract.parse("")
