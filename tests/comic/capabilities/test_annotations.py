"""Annotations as agents read and answer them."""

from __future__ import annotations

import pytest

from lantern_kit.comic.annotation import OnElement
from lantern_kit.comic.annotations import AnnotationService
from lantern_kit.kernel.errors import BadInput, IdempotencyConflict, NotFound, WrongState
from lantern_kit.skills import guides
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk


@pytest.fixture
def notes(ws: Workspace) -> AnnotationService:
    return ws.annotation_service


def write(desk: Desk, body: str = "Softer, please.", **more: object) -> str:
    return desk.ws.annotation_service.create(desk.chapter, body, actor=desk.ws.owner, **more).id  # type: ignore[arg-type]


def test_the_outline_says_how_many_wait(desk: Desk) -> None:
    assert "open_annotations" not in desk.ask("work.outline", source=desk.chapter)
    first, _ = write(desk), write(desk)
    assert desk.ask("work.outline", source=desk.chapter)["open_annotations"] == 2
    desk.ask("annotation.claim", annotations=[first], draft=desk.begin(), idempotency_key=desk.key())
    assert desk.ask("work.outline", source=desk.chapter)["open_annotations"] == 1


def test_a_long_list_is_paged_and_long_words_are_cut_in_it_but_not_in_an_inspection(desk: Desk) -> None:
    names = [write(desk, f"{number} " + "more and more words " * 40) for number in range(90)]
    seen: list[str] = []
    start: int | None = 1
    pages = 0
    while start is not None:
        answer = desk.ask("annotation.list", chapter=desk.chapter, start=start)
        assert all(len(row["body"]) <= 300 for row in answer["annotations"])
        seen += [row["annotation"] for row in answer["annotations"]]
        start = answer.get("next")
        pages += 1
    assert seen == names
    assert pages > 1
    assert desk.ask("annotation.inspect", annotation=names[7])["body"] == "7 " + "more and more words " * 40


def test_the_newest_messages_are_told_first_when_there_is_no_room_for_all(desk: Desk) -> None:
    name = write(desk)
    for number in range(20):
        text = f"{number} " + "words " * 250
        desk.ask("annotation.note", annotations=[name], text=text, idempotency_key=desk.key())
    answer = desk.ask("annotation.inspect", annotation=name)
    numbers = [int(said["words"].split()[0]) for said in answer["messages"]]
    assert numbers == list(range(20 - len(numbers), 20))
    assert 0 < len(numbers) < 20
    assert answer["older_messages"] == 20 - len(numbers)


def test_one_note_may_go_to_several_and_a_claim_is_all_or_none(desk: Desk, notes: AnnotationService) -> None:
    first, second = write(desk), write(desk)
    draft = desk.begin()
    refused = desk.refused(
        "annotation.claim", annotations=[first, "an_0000none"], draft=draft, idempotency_key=desk.key()
    )
    assert isinstance(refused, NotFound)
    assert notes.get(first).state.value == "open"
    desk.ask("annotation.claim", annotations=[first, second, first], draft=draft, idempotency_key=desk.key())
    answer = desk.ask("annotation.note", annotations=[first, second], text="both", idempotency_key=desk.key())
    assert [row["messages"] for row in answer["annotations"]] == [1, 1]
    assert [row["draft"] for row in answer["annotations"]] == [draft, draft]


def test_a_repeated_call_is_answered_again_and_another_under_its_key_is_refused(
    desk: Desk, notes: AnnotationService
) -> None:
    name = write(desk)
    first = desk.ask("annotation.note", annotations=[name], text="done", idempotency_key="n")
    assert desk.ask("annotation.note", annotations=[name], text="done", idempotency_key="n") == first
    again = desk.refused("annotation.note", annotations=[name], text="undone", idempotency_key="n")
    assert isinstance(again, IdempotencyConflict)
    assert len(notes.get(name).messages) == 1


def test_two_agents_do_not_take_the_same_annotation(ws: Workspace, desk: Desk) -> None:
    name = write(desk)
    other = Desk(ws, desk.chapter, name="codex")
    desk.ask("annotation.claim", annotations=[name], draft=desk.begin(), idempotency_key=desk.key())
    error = other.refused("annotation.claim", annotations=[name], draft=other.begin(), idempotency_key=other.key())
    assert isinstance(error, WrongState)
    assert "claimed in d1" in error.message


def test_a_proposal_names_the_annotations_it_answers(ws: Workspace, desk: Desk) -> None:
    name = write(desk, "A page, please.")
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)
    desk.ask("annotation.claim", annotations=[name], draft=draft, idempotency_key=desk.key())
    frozen = desk.ask(
        "proposal.freeze", draft=draft, expected_revision=made["revision"], idempotency_key=desk.key(), summary="page"
    )
    (row,) = desk.ask("proposal.list", proposal=frozen["proposal"])["proposals"]
    assert row["annotations"] == [{"annotation": name, "state": "awaiting"}]
    assert f"Answers {name} awaiting: A page, please." in ws.proposals[frozen["proposal"]].text()
    assert "A page, please." in ws.proposals[frozen["proposal"]].html()


def test_annotations_are_listed_of_a_chapter_that_is_named(desk: Desk) -> None:
    assert isinstance(desk.refused("annotation.list"), BadInput)
    assert isinstance(desk.refused("annotation.list", chapter="ch_0000none"), NotFound)
    assert isinstance(desk.refused("annotation.inspect", annotation="an_0000none"), NotFound)


def test_an_element_that_only_a_draft_has_cannot_be_annotated(desk: Desk) -> None:
    made = desk.edit(desk.begin(), *PAGE)
    with pytest.raises(NotFound):
        write(desk, on=[OnElement(made["objects"]["words"])])


def test_the_guide_says_what_to_do_with_a_target_that_is_gone() -> None:
    text = guides()["annotations"]
    for word in ("`unchanged`", "`changed`", "`missing`", "do not guess", "`freeze` once", "never"):
        assert word in text
