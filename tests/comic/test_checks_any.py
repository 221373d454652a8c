"""Whatever is on a page, the checks come to an end, speak of what is there, and have words for it in both languages."""

from __future__ import annotations

import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.checks import Checker
from lantern_kit.comic.checks.kept import Kept
from lantern_kit.comic.found import finding_words
from lantern_kit.comic.pages import bound_at
from tests.comic.faulty import view
from tests.comic.strategies import Ids, books
from tests.comic.test_faults import Library
from tests.comic.test_merge import edited

Seeded = tuple[Book, random.Random, Ids]
KEPT = {
    "li_00mira": Kept("li_00mira", "character", ("Mira", "Chelsea"), ("#c08040", "#203040")),
    "li_00room": Kept("li_00room", "scene", ("Attic",), ("#102030", "#405060", "#f0e0d0")),
}
CHECKER = Checker(Library(), kept=KEPT.copy)  # type: ignore[arg-type]


@given(books(), st.integers(0, 6))
@settings(max_examples=60)
def test_any_chapter_can_be_studied(seeded: Seeded, count: int) -> None:
    base, rng, ids = seeded
    book = edited(base, rng, ids, count)
    bound = bound_at(book)
    found = CHECKER.study(book.units(), book.chapter, view=view, bound=bound)
    units = {unit.id: unit for unit in book.units()}
    for item in found:
        unit = units[item.unit]
        assert item.severity in {"warning", "note"}
        assert item.object == unit.id or item.object in unit.index
        if not item.rule.startswith("continuity."):  # neighbours may stand on other pages
            assert not item.other or (item.other != item.object and item.other in unit.index)
        english, chinese = finding_words(item), finding_words(item, "zh")
        assert re.search(r"[\u4e00-\u9fff]", chinese)
        assert not re.search(r"[{}]|\d\.\d{4,}", re.sub(r"[a-z]{2}_\w+", "", english.split("(")[0]))
    assert found == CHECKER.study(book.units(), book.chapter, view=view, bound=bound)
    faults = {item.key for unit in book.units() for item in CHECKER.check(unit, book.chapter)}
    assert faults <= {item.key for item in found}
