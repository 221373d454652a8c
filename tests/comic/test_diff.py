from __future__ import annotations

import dataclasses
import json
import random

import pytest
from hypothesis import given, settings

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import apply, diff, reverse, squash
from lantern_kit.comic.model import Unit
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import WrongState
from tests.comic.strategies import Ids, books, random_book, stepped

Seeded = tuple[Book, random.Random, Ids]


@given(books())
def test_random_books_and_their_steps_are_sound(seeded: Seeded) -> None:
    book, rng, ids = seeded
    assert validate_book(book) == ()
    assert validate_book(stepped(book, rng, ids)) == ()


@given(books())
@settings(max_examples=200)
def test_a_difference_applies_and_turns_back_exactly(seeded: Seeded) -> None:
    old, rng, ids = seeded
    new = stepped(old, rng, ids, rng.randint(1, 6))
    rows = diff(old, new)
    assert apply(old, rows) == new
    assert apply(new, reverse(rows)) == old
    assert (rows == ()) == (old == new)


@given(books())
def test_differences_of_books_read_separately_are_the_same(seeded: Seeded) -> None:
    old, rng, ids = seeded
    new = stepped(old, rng, ids)
    again = Book.of(new.chapter, [Unit.model_validate_json(unit.model_dump_json()) for unit in new.units()])
    assert set(map(repr, diff(old, again))) == set(map(repr, diff(old, new)))
    assert apply(old, diff(old, again)) == new


@given(books())
@settings(max_examples=200)
def test_two_differences_add_up_to_one(seeded: Seeded) -> None:
    first, rng, ids = seeded
    second = stepped(first, rng, ids, rng.randint(1, 4))
    third = first if rng.random() < 0.2 else stepped(second, rng, ids, rng.randint(1, 4))
    squashed = squash(diff(first, second), diff(second, third))
    assert apply(first, squashed) == third
    assert {(row.unit, row.object, row.change, row.property) for row in squashed} >= {
        (row.unit, row.object, row.change, row.property) for row in diff(first, third)
    }


@given(books())
def test_rows_survive_json(seeded: Seeded) -> None:
    old, rng, ids = seeded
    new = stepped(old, rng, ids)
    rows = diff(old, new)
    stored = json.loads(json.dumps([dataclasses.asdict(row) for row in rows]))
    again = tuple(type(row)(**values) for row, values in zip(rows, stored, strict=True))
    assert again == rows
    assert apply(old, again) == new


def test_going_there_and_back_squashes_to_nothing() -> None:
    rng, ids = random.Random(5), Ids()
    book = random_book(rng, ids, units=3)
    other = stepped(book, rng, ids, 6)
    rows = diff(book, other)
    assert rows
    assert squash(rows, reverse(rows)) == ()


def test_an_untouched_unit_is_not_looked_at() -> None:
    rng, ids = random.Random(1), Ids()
    book = random_book(rng, ids, units=2)
    first, second = book.order
    new = book.replace(book.unit(first).model_copy(update={"name": "Opening"}))
    assert new.differing(book) == (first,)
    (row,) = diff(book, new)
    assert (row.unit, row.object, row.object_kind, row.property, row.before, row.after) == (
        first, first, "unit", "name", "", "Opening",
    )  # fmt: skip
    assert new.unit(second) is book.unit(second)


def test_rows_that_do_not_fit_are_refused() -> None:
    rng, ids = random.Random(2), Ids()
    book = random_book(rng, ids, units=2)
    unit = book.unit(book.order[0])
    assert unit.objects
    emptied = book.replace(unit.model_copy(update={"objects": (), "reading": ()}))
    rows = diff(book, emptied)
    with pytest.raises(WrongState):
        apply(emptied, rows)
    with pytest.raises(WrongState):
        apply(book, reverse(rows))
    with pytest.raises(WrongState):
        apply(book.remove(unit.id), rows)
