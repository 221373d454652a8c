"""Blame: where each value truly comes from, through drafts, verdicts, merges, undo, redo, restores and picks."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import own_fields
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import NotFound, WrongState
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.kernel.revision import Revision
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace, create_workspace
from tests.workspace.test_proposals import balloon, begin, edit, freeze, proposed, say


def test_a_person_s_own_words_are_theirs(ws: Workspace, chapter: ChapterWork) -> None:
    found = chapter.blame(balloon(chapter).id)
    text = found["text"]
    assert (text.value, text.origin.revision, text.who, text.draft, text.approved_by) == (
        "Is that… mine?",
        "r2",
        "mina",
        "",
        "",
    )
    assert found.made.origin.revision == "r2"
    assert found.removed is None
    assert {item.name for item in found} == {*own_fields(balloon(chapter))} - {"id", "kind"} | {"unit"}


def test_applied_words_lead_to_the_draft_its_agent_the_proposal_and_who_approved(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    draft, head = begin(ws, chapter)
    thing = balloon(chapter)
    first = edit(ws, draft, head, [say(handle_of(thing), "Mine.")]).moment.revision
    second = edit(ws, draft, first.number, [{"op": "balloon.set", "target": thing.id, "args": {"speaker": "The cat"}}])
    held = ws.proposals[freeze(ws, draft, second.moment.revision.number).id]
    decided = held.apply(me)
    found = chapter.blame(handle_of(balloon(chapter)))
    text, speaker, shape = found["text"], found["speaker"], found["shape"]
    assert decided.revision is not None
    assert text.drafted is not None
    assert speaker.drafted is not None
    assert (text.origin.revision, text.changed.revision) == (decided.revision.id, decided.revision.id)
    assert (text.drafted.revision, speaker.drafted.revision) == (first.id, second.moment.revision.id)
    assert (text.draft, text.who, text.proposal, text.approved_by, text.key) == (
        "d1",
        "claude-code",
        "p1",
        "mina",
        me.key,
    )
    assert text.approval == decided.approval.id
    assert (shape.origin.revision, shape.draft) == ("r2", "")


def test_a_table_tells_lengths_in_millimetres_angles_in_degrees_and_shares_of_one(chapter: ChapterWork) -> None:
    with chapter.edit("a sound") as edit:
        made = edit[0].letter("FWOOM", at=(50, 40), size=(60, 20), rotate=-12.5, style={"size": 12, "tracking": 0.1})
    found = chapter.blame(made.id)
    cells = {row[0]: row[1] for row in found.rows()}
    assert found["box"].value["w"] == 60_000
    assert json.loads(cells["box"]) == {"x": 20, "y": 30, "w": 60, "h": 20}
    assert cells["rotate"] == "-12.5"
    assert cells["text"] == '"FWOOM"'


def test_an_undo_gives_back_the_value_with_its_true_origin(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    thing = balloon(chapter).id
    ws.proposals[proposed(ws, chapter).id].apply(me)
    applied = chapter.moment.id
    undone = chapter.undo()
    text = chapter.blame(thing)["text"]
    assert (text.value, text.origin.revision, text.draft) == ("Is that… mine?", "r2", "")
    assert (text.changed.revision, text.changed.cause) == (undone, "undo")
    chapter.redo()
    text = chapter.blame(thing)["text"]
    assert (text.origin.revision, text.draft, text.approved_by) == (applied, "d1", "mina")


def test_a_restore_gives_back_the_values_with_their_true_origins(ws: Workspace, chapter: ChapterWork) -> None:
    thing = balloon(chapter).id
    for words in ("one", "two", "three"):
        with chapter.edit(words) as block:
            block[thing].set(text=words)
    chapter.restore("r4", "it was better")
    found = chapter.blame(thing)
    assert (found["text"].value, found["text"].origin.message) == ("two", "two")
    assert found["text"].changed.message == "it was better"
    assert found["shape"].origin.revision == "r2"


def test_a_merge_keeps_each_side_s_origin(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    with chapter.edit("a speaker") as block:
        block[balloon(chapter).id].set(speaker="The cat")
    speaking = chapter.moment.id
    held.look()
    held.apply(me, mode="merge")
    found = chapter.blame(balloon(chapter).id)
    assert (found["speaker"].origin.revision, found["speaker"].draft) == (speaking, "")
    assert (found["text"].draft, found["text"].approved_by) == ("d1", "mina")


def test_a_conflict_settled_later_leads_to_the_draft(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    with chapter.edit("my own") as block:
        block[balloon(chapter).id].set(text="MINE!")
    held.look()
    held.apply(me, mode="merge")
    assert chapter.blame(balloon(chapter).id)["text"].origin.message == "my own"
    chapter.conflicts()["c1"].resolve("theirs")
    text = chapter.blame(balloon(chapter).id)["text"]
    assert (text.origin.cause, text.draft, text.who, text.proposal) == ("resolve", "d1", "claude-code", "p1")
    assert text.approved_by == "mina"


def test_a_picked_object_keeps_its_origins(ws: Workspace, chapter: ChapterWork) -> None:
    thing = balloon(chapter).id
    with chapter.edit("two") as block:
        block[thing].set(text="two")
    chapter.pick("r2", thing, reason="the joke")
    text = chapter.blame(thing)["text"]
    assert (text.origin.revision, text.changed.cause) == ("r2", "pick")


def test_an_object_that_is_gone_says_who_took_it_and_what_it_was(ws: Workspace, chapter: ChapterWork) -> None:
    thing = balloon(chapter).id
    with chapter.edit("quiet") as block:
        block[thing].remove()
    found = chapter.blame(thing)
    assert found.removed is not None
    assert (found.removed.origin.message, found["text"].value) == ("quiet", "Is that… mine?")
    assert "(gone)" in repr(found)
    chapter.undo()
    back = chapter.blame(thing)
    assert back.removed is None
    assert back["text"].origin.revision == "r2"
    assert back.made.origin.revision == "r2"
    assert back.made.changed.cause == "undo"


def test_units_and_the_chapter_are_blamed_too(ws: Workspace, chapter: ChapterWork) -> None:
    unit = chapter.book.order[0]
    with chapter.edit("a name") as block:
        block.run("unit.set", unit, name="Opening")
    found = chapter.blame(unit)
    assert (found["name"].origin.message, found["kind"].origin.message) == ("a name", "two pages")
    whole = chapter.blame(chapter.id)
    assert whole["units"].origin.message == "two pages"
    assert (whole["comic"].value, whole["comic"].origin.cause) == ("Chelsea Goes Up", "create")


def test_what_was_never_there_is_not_found(ws: Workspace, chapter: ChapterWork) -> None:
    with pytest.raises(NotFound):
        chapter.blame("bl_00000000")
    with pytest.raises(NotFound):
        chapter.blame(balloon(chapter).id)["nonsense"]


def test_an_object_only_a_draft_has_is_not_in_the_work(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    add = {"op": "frame.add", "target": chapter.book.order[1], "as": "f", "args": {"rect": [20, 20, 30, 30]}}
    made = edit(ws, draft, head, [add]).made["f"].split("#")[0]
    with pytest.raises(NotFound):
        chapter.blame(made)


def test_blame_shows_itself_as_a_table_and_as_data(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    ws.proposals[proposed(ws, chapter).id].apply(me)
    found = chapter.blame(balloon(chapter).id)
    shown = found._repr_mimebundle_()
    assert "<td" in shown["text/html"]
    assert "claude-code" in shown["text/plain"]
    data = json.loads(json.dumps(found.data()))
    (text,) = [item for item in data["properties"] if item["property"] == "text"]
    assert (text["drafted"]["actor"], text["approved_by"]) == ("claude-code", "mina")


# against a walk over every book there ever was

Origins = dict[tuple[str, str], tuple[int, int]]
"""For each property of each thing, the revision of the working line and of a draft (or 0) that made its value."""


def values(book: Book) -> dict[tuple[str, str], Any]:
    """Every property of everything in a book."""
    found: dict[tuple[str, str], Any] = {}
    for unit in book.units():
        for name, value in own_fields(unit).items():
            found[unit.id, name] = value
        found[unit.id, "objects"] = [item.id for item in unit.objects]
        found[unit.id, "reading"] = list(unit.reading)
        for item in unit.objects:
            found |= {(item.id, name): value for name, value in own_fields(item).items() if name not in {"id", "kind"}}
            found[item.id, "unit"] = unit.id
    return found


class Walk:
    """Carries origins from book to book, without looking at a single change row."""

    def __init__(self, ws: Workspace, chapter: str) -> None:
        self.ws, self.chapter = ws, chapter
        self.known: dict[int, Origins] = {}
        with ws.journal.read() as connection:
            lines = ws.history.lines(connection, chapter)
            logs = [item for line in lines for item in ws.history.log(connection, line.id)]
            self.frozen = dict(
                connection.exec_driver_sql(
                    "SELECT a.result, p.frozen FROM approvals AS a JOIN proposals AS p ON p.id = a.proposal"
                    " WHERE a.result IS NOT NULL"
                ).fetchall()
            )
        self.revisions = sorted(logs, key=lambda item: item.number)
        for item in self.revisions:
            self.known[item.number] = self._of(item)

    def _of(self, item: Revision) -> Origins:
        now = values(self.ws.comics.at(item.number).book)
        if item.parent is None:
            return dict.fromkeys(now, (item.number, 0))
        before, held = values(self.ws.comics.at(item.parent).book), self.known[item.parent]
        own = (item.number, 0) if item.line == self.chapter else (0, item.number)
        source: Origins = {}
        there: dict[tuple[str, str], Any] = {}
        if item.cause in {"undo", "redo", "restore"}:
            same = [
                other
                for other in self.revisions
                if other.number < item.number and other.document == item.document and other.line == item.line
            ]
            source, there = self.known[same[-1].number], now
        elif item.cause == "apply":
            frozen = self.frozen[item.number]
            there = values(self.ws.comics.at(frozen).book)
            source = {key: at if at[0] else (item.number, at[1]) for key, at in self.known[frozen].items()}
        found = {}
        for key, value in now.items():
            if key in before and before[key] == value:
                found[key] = held[key]
            else:
                found[key] = source[key] if key in there and there[key] == value else own
        return found


TEXTS = st.sampled_from(["one", "two", "three"])
DEEDS = st.one_of(
    st.tuples(st.just("set"), TEXTS),
    st.tuples(st.just("speak"), TEXTS),
    st.tuples(st.just("drop"), st.just("")),
    st.tuples(st.just("undo"), st.just("")),
    st.tuples(st.just("redo"), st.just("")),
    st.tuples(st.just("restore"), st.integers(2, 12)),
    st.tuples(st.just("draft"), TEXTS),
    st.tuples(st.just("apply"), st.sampled_from(["plain", "merge", "overwrite"])),
)


@contextmanager
def fresh() -> Iterator[tuple[Workspace, ChapterWork]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        create_workspace(
            Path(folder) / "ws", title="T", owner="mina", ids=SeededIds(1), clock=SteppingClock(), config=Path(folder)
        ) as ws,
    ):
        ws.enrol("mina", None, demo=True)
        chapter = ws.comic("C").begin_chapter(1, size="A6")
        with chapter.edit("a page") as block:
            page = block.add_page()
            page.add_frame(rect=(6, 6, 93, 60)).say("zero", at=(50, 30), speaker="A", tail=(40, 50))
        yield ws, chapter


def play(ws: Workspace, chapter: ChapterWork, deed: str, value: Any, open_drafts: list[str]) -> None:
    things = [item for unit in chapter.book.units() for item in unit.objects]
    thing = next((item for item in things if item.kind == "balloon"), None)
    if deed in {"set", "speak", "drop"} and thing is not None:
        with chapter.edit(deed) as block:
            if deed == "drop":
                block[thing.id].remove()
            else:
                block[thing.id].set(**{"text" if deed == "set" else "speaker": value})
    elif deed in {"undo", "redo"}:
        getattr(chapter, deed)()
    elif deed == "restore":
        numbers = [item.id for item in chapter.history().revisions]
        chapter.restore(numbers[value % len(numbers)], "so")
    elif deed == "draft" and thing is not None:
        draft, head = begin(ws, chapter)
        args = [{"text": value}, {"speaker": f"{value}, drafted"}]
        for arg in args:
            operation = {"op": "balloon.set", "target": thing.id, "args": arg}
            if getattr(thing, next(iter(arg))) != next(iter(arg.values())):
                head = edit(ws, draft, head, [operation]).moment.revision.number
        open_drafts.append(freeze(ws, draft, head).id)
    elif deed == "apply" and open_drafts:
        held = ws.proposals[open_drafts.pop(0)]
        held.look()
        with ws.reviewer() as me:
            held.apply(me, mode=value)


@settings(max_examples=25)
@given(st.lists(DEEDS, min_size=3, max_size=14))
def test_blame_is_what_a_walk_over_all_books_finds(deeds: list[tuple[str, Any]]) -> None:
    with fresh() as (ws, chapter):
        open_drafts: list[str] = []
        for deed, value in deeds:
            try:
                play(ws, chapter, deed, value, open_drafts)
            except WrongState:  # nothing to undo, or what it touches moved
                continue
        walk = Walk(ws, chapter.id)
        expected = walk.known[chapter.moment.revision.number]
        for thing in {key[0] for key in expected}:
            for item in chapter.blame(thing):
                if item.name in {"id", "kind"}:
                    continue
                at = (
                    int(item.origin.revision[1:]),
                    0 if item.drafted is None else int(item.drafted.revision[1:]),
                )
                assert at == expected[thing, item.name], (thing, item.name, chapter.history())
