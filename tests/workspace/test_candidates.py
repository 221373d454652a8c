"""Candidates: change sets that wait beside a draft, and what becomes of them."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.comic.candidates import Candidate
from lantern_kit.comic.contract import Contract
from lantern_kit.comic.drafts import Edited
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Balloon, Node, Unit
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.workspace import Workspace

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
