from __future__ import annotations

import json
import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import apply, diff, reverse, squash
from lantern_kit.comic.edit import OPERATIONS, apply_changeset
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.operation import Operation
from tests.comic.operations import random_operation, world
from tests.comic.strategies import Ids, books, random_book

Seeded = tuple[Book, random.Random, Ids]


def stored(book: Book) -> list[str]:
    return [book.chapter.model_dump_json(), *(unit.model_dump_json() for unit in book.units())]


def walk(book: Book, rng: random.Random, ids: Ids, tries: int) -> list[tuple[str, Book]]:
    """The book after each operation that was taken, with its name; what is refused is refused by an error of ours."""
    states = [("", book)]
    for _ in range(tries):
        raws = [random_operation(book, rng) for _ in range(rng.choice((1, 1, 2, 3)))]
        before = stored(book)
        try:
            after = apply_changeset(book, raws, world(ids)).book
        except LanternError:
            after = book
        else:
            states.append((raws[0]["op"], after))
        assert stored(book) == before, "an edit never changes the book it was given"
        book = states[-1][1]
    return states


@given(books())
@settings(max_examples=150)
def test_whatever_operations_leave_is_sound_and_survives_storage(seeded: Seeded) -> None:
    book, rng, ids = seeded
    for _, state in walk(book, rng, ids, 12):
        assert validate_book(state) == ()
    chapter, *units = stored(state)
    again = Book.of(Chapter.model_validate_json(chapter), [Unit.model_validate_json(unit) for unit in units])
    assert again == state


@given(books())
@settings(max_examples=150)
def test_the_laws_of_differences_hold_for_every_operation(seeded: Seeded) -> None:
    book, rng, ids = seeded
    states = [state for _, state in walk(book, rng, ids, 8)]
    for old, new in pairwise(states):
        rows = diff(old, new)
        assert apply(old, rows) == new
        assert apply(new, reverse(rows)) == old
    first, middle, last = states[0], states[len(states) // 2], states[-1]
    assert apply(first, squash(diff(first, middle), diff(middle, last))) == last


@given(books())
def test_units_an_operation_does_not_touch_stay_the_very_same(seeded: Seeded) -> None:
    book, rng, ids = seeded
    raw = random_operation(book, rng)
    try:
        result = apply_changeset(book, [raw], world(ids))
    except LanternError:
        return
    touched = set(result.units)
    changed = {row.unit for row in diff(book, result.book)} - {book.chapter.id}
    assert changed <= touched
    for name in set(book.order) - touched:
        assert result.book.unit(name) is book.unit(name)


def test_random_walks_reach_every_operation() -> None:
    reached = set()
    for seed in range(60):
        rng, ids = random.Random(seed), Ids()
        reached |= {name for name, _ in walk(random_book(rng, ids, units=2), rng, ids, 40)}
    assert reached - {""} == {operation.name for operation in OPERATIONS}


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just(10**400) | st.just("@1"),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.data(), st.sampled_from(list(OPERATIONS)))
@settings(max_examples=200, deadline=None)
def test_junk_is_refused_by_an_error_of_ours_and_never_breaks_the_book(
    data: st.DataObject, operation: Operation
) -> None:
    rng, ids = random.Random(data.draw(st.integers(0, 50))), Ids()
    book = random_book(rng, ids, units=2)
    raw = random_operation(book, rng, operation.name)
    names = [field.alias or name for name, field in operation.args.model_fields.items()]
    args = raw["args"]
    for name in data.draw(st.lists(st.sampled_from([*names, "junk"]), max_size=4)):
        args[name] = data.draw(JUNK)
    raw["target"] = data.draw(st.sampled_from([raw["target"]] * 6 + [None, "@x", "#", "", "un_0000none"]))
    try:
        result = apply_changeset(book, [{"op": "unit.add"}, raw], world(ids))
    except LanternError as error:
        json.dumps(error.payload(), allow_nan=False)
    else:
        assert validate_book(result.book) == ()
