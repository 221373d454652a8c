"""Which faults a change brings and which it heals: only new ones are named new."""

from __future__ import annotations

from collections.abc import Iterable

from lantern_kit.comic.book import Book
from lantern_kit.comic.checks import Checker
from lantern_kit.comic.finding import Finding
from lantern_kit.kernel.progress import reporting, steps


def compare_faults(
    checker: Checker, old: Book, new: Book, units: Iterable[str]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """What ``new`` has that ``old`` had not, and the other way round, by rule and objects.

    Args:
        units: those that differ; all are looked at when the paper changed, which every page is checked against.
    """
    looked_at = [*units]
    if old.chapter != new.chapter:
        looked_at = list(dict.fromkeys((*new.order, *old.order)))
    before: dict[tuple[str, str, str], Finding] = {}
    after: dict[tuple[str, str, str], Finding] = {}
    with reporting(None, "Checking") as tell:
        for unit in steps(looked_at, tell, "pages"):
            for book, found in ((old, before), (new, after)):
                if unit in book:
                    found.update((item.key, item) for item in checker.check(book.unit(unit), book.chapter))
    return (
        tuple(item for key, item in after.items() if key not in before),
        tuple(item for key, item in before.items() if key not in after),
    )
