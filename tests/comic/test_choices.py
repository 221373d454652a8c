"""What a person leaves out of a proposal: decided, kept, read again, and held to when the work moved on."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.book import Book
from lantern_kit.comic.choices import Choices, decide, landed, tell
from lantern_kit.comic.taking import take
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import BadInput, Corrupt, MergeConflict, NotFound
from tests.comic.strategies import Ids, books, stepped
from tests.comic.test_parts import desk, ids_of, split, walked

Seeded = tuple[Book, random.Random, Ids]


@given(books())
@settings(max_examples=300)
def test_whatever_the_work_became_meanwhile_it_stays_sound_and_no_rejected_part_comes(seeded: Seeded) -> None:
    base, rng, ids = seeded
    frozen, current = walked(base, rng, ids), stepped(base, rng, ids, rng.randint(0, 4))
    found = split(base, frozen)
    units = tuple(dict.fromkeys(row.unit for part in found for row in part.rows))
    reject = {part.id: "no" for part in found if rng.random() < 0.3}
    try:
        taken = take("p1", base, frozen, units, reject)
    except BadInput:
        return  # everything was rejected
    mode = rng.choice(taken.modes(current))
    try:
        merged = taken.meet(current, mode)
    except MergeConflict:
        assert mode is ApplyMode.OVERWRITE  # both sides moved one object, to different pages
        assert not reject
        return
    assert validate_book(merged.book) == ()
    assert landed(found, taken.choices.rejected, base, frozen, current, merged.book) == ()
    if mode is ApplyMode.PLAIN:
        assert {part.id for part in split(current, merged.book)} <= ids_of(found) - {*taken.choices.rejected}
    if current == base:
        assert (mode, merged.book) == (ApplyMode.PLAIN, taken.book)


@given(books())
@settings(max_examples=100)
def test_a_part_that_comes_all_the_same_is_noticed(seeded: Seeded) -> None:
    base, rng, ids = seeded
    frozen = walked(base, rng, ids)
    found = split(base, frozen)
    assert {*landed(found, ids_of(found), base, frozen, base, frozen)} == ids_of(found)
    assert landed(found, ids_of(found), base, frozen, base, base) == ()
    assert landed(found, ids_of(found), base, frozen, frozen, frozen) == (), "it was there before"


@given(books())
@settings(max_examples=100)
def test_every_part_is_told_in_words(seeded: Seeded) -> None:
    base, rng, ids = seeded
    frozen = walked(base, rng, ids)
    found = split(base, frozen)
    told = tell(found, base, frozen)
    assert [item.part for item in told] == list(found)
    assert all(item.words for item in told)


def test_choices_survive_being_kept() -> None:
    choices = Choices({"bl_0001.text": "keep my “joke”", "fr_0001": ""}, {"bl_0002": "fr_0001", "bl_0003": "bl_0002"})
    assert Choices.read(choices.text()) == choices
    assert choices.rejected == ("bl_0001.text", "bl_0002", "bl_0003", "fr_0001")
    assert Choices({}, {}).text() == ""
    assert Choices.read("") == Choices({}, {})


def test_what_went_along_has_the_reason_of_what_it_needs() -> None:
    choices = Choices({"un_0001": "no more pages"}, {"fr_0001": "un_0001", "bl_0001": "fr_0001"})
    assert choices.reason("bl_0001") == "no more pages"
    assert choices.reason("bl_0002") == ""


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"rejected":[]}', '{"rejected":{"a":1}}', '{"rejected":{},"more":{}}', "{", "1"]
)
def test_choices_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(Corrupt):
        Choices.read(text)


def test_a_later_name_without_words_keeps_the_words_given_before() -> None:
    made, page = desk()
    balloon = made.one("balloon.add", page, text="Up.", at=[50, 30])
    made.one("frame.add", page, rect=[10, 10, 80, 60])
    base = made.book
    made.do({"op": "balloon.set", "target": balloon, "args": {"text": "Down.", "speaker": "Moon"}})
    made.one("frame.add", page, rect=[10, 80, 80, 60])
    found = split(base, made.book)
    _, choices = decide(found, {f"{balloon}.text": "  keep\n my joke ", balloon: ""})
    assert choices.reasons[f"{balloon}.text"] == "keep my joke"
    assert choices.reasons[f"{balloon}.speaker"] == ""
    with pytest.raises(NotFound):
        decide(found, {"bl_nowhere": ""})
    with pytest.raises(BadInput, match="nothing of the proposal"):
        decide(found, {page: "", balloon: ""})


def test_overwriting_by_parts_takes_accepted_parts_over_others_and_leaves_the_rest_of_the_page() -> None:
    made, page = desk()
    balloon = made.one("balloon.add", page, text="Up.", at=[50, 30])
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    base = made.book
    words = {"op": "balloon.set", "target": balloon}
    named = {"op": "frame.set", "target": frame}
    made.do({**words, "args": {"text": "Agent's.", "speaker": "Agent"}}, {**named, "args": {"name": "agent"}})
    frozen, made.book = made.book, base
    made.do({**words, "args": {"text": "Mina's.", "speaker": "Mina"}}, {**named, "args": {"name": "mina"}})
    taken = take("p1", base, frozen, (page,), {f"{balloon}.text": "no", frame: "no"})
    after = taken.meet(made.book, ApplyMode.OVERWRITE).book.unit(page).index
    assert (after[balloon].text, after[balloon].speaker, after[frame].name) == ("Mina's.", "Agent", "mina")
