"""Only what a change brings is named new, and only what it takes away is named healed."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.checks import Checker
from lantern_kit.comic.diff import diff
from lantern_kit.comic.faults import compare_faults
from lantern_kit.comic.finding import Finding
from tests.comic.operations import Desk, assets
from tests.comic.strategies import Ids, books
from tests.comic.test_merge import edited

Seeded = tuple[Book, random.Random, Ids]
Key = tuple[str, str, str]


class Library:
    """Made-up pictures, as a checker asks for them."""

    def get(self, asset: str) -> object:
        return assets(asset)

    def holds(self, asset: object) -> bool:
        return True


CHECKER = Checker(Library())  # type: ignore[arg-type]


def all_of(book: Book) -> dict[Key, Finding]:
    found = (item for unit in book.units() for item in CHECKER.check(unit, book.chapter))
    return {item.key: item for item in found}


@given(books(), st.integers(1, 6))
@settings(max_examples=40)
def test_only_new_faults_are_named_new_whatever_was_changed(seeded: Seeded, count: int) -> None:
    base, rng, ids = seeded
    frozen = edited(base, rng, ids, count)
    units = {row.unit for row in diff(base, frozen) if row.object_kind != "chapter"}
    new, healed = compare_faults(CHECKER, base, frozen, units)
    before, after = all_of(base), all_of(frozen)
    assert {item.key for item in new} == after.keys() - before.keys()
    assert {item.key for item in healed} == before.keys() - after.keys()


def test_other_paper_can_bring_faults_to_pages_that_nobody_touched() -> None:
    desk = Desk()
    page = desk.one("unit.add")
    balloon = desk.one("balloon.add", page, text="Up.", at=[20, 20], size=[20, 12])
    base = desk.book
    desk.one("paper.set", safe=30)
    new, healed = compare_faults(CHECKER, base, desk.book, [])
    assert {item.object for item in new} == {balloon}
    assert healed == ()
    again, mended = compare_faults(CHECKER, desk.book, base, [])
    assert again == ()
    assert {item.object for item in mended} == {balloon}
