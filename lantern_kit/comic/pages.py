"""Pages as people count them: from 1, a spread is two of them, a cover is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Binding, Direction, Edge, Unit, UnitKind


def page_numbers(kinds: Iterable[UnitKind]) -> list[tuple[int, int]]:
    """The first and the last page that each unit of a chapter is; those of a cover, which is none, cross: (5, 4)."""
    found: list[tuple[int, int]] = []
    number = 1
    for kind in kinds:
        pages = {UnitKind.COVER: 0, UnitKind.SPREAD: 2}.get(kind, 1)
        found.append((number, number + pages - 1))
        number += pages
    return found


def bound_at(book: Book) -> Callable[[Unit], Edge | None]:
    """Tells at which edge each page of a chapter is bound; None of covers and spreads, and of a strip that is scrolled.

    The first page lies on the right of a book that is bound at the left, and on the left of one bound at the right.
    """
    binding = book.chapter.paper.binding
    kinds = [brief.kind for brief in book.briefs()]
    numbers = page_numbers(kinds)

    def edge(unit: Unit) -> Edge | None:
        if unit.kind in {UnitKind.COVER, UnitKind.SPREAD} or book.chapter.direction is Direction.TTB:
            return None
        if binding is Binding.TOP:
            return Edge.TOP
        first = numbers[book.position(unit.id)][0] % 2 == 1
        return Edge.LEFT if first is (binding is Binding.LEFT) else Edge.RIGHT

    return edge


def unit_labels(book: Book, units: Iterable[str]) -> list[str]:
    """What people call some units, in a sentence and without their names: ``page 4``, ``pages 4–5``, ``cover``.

    Nothing is read of the units but what lists tell of them. Raises NotFound.
    """
    kinds = [brief.kind for brief in book.briefs()]
    numbers = page_numbers(kinds)
    return [unit_label(kinds[place], numbers[place]) for place in map(book.position, units)]


def unit_label(kind: UnitKind, pages: tuple[int, int]) -> str:
    """``page 4`` of a page, ``pages 4–5`` of a spread, ``cover`` of a cover."""
    if kind is UnitKind.COVER:
        return "cover"
    return f"page {pages[0]}" if pages[0] == pages[1] else f"pages {pages[0]}–{pages[1]}"
