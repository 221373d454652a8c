"""Changes in words, as answers carry them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities.answer import cut
from lantern_kit.comic.capabilities.read import titles
from lantern_kit.comic.capabilities.services import ComicServices
from lantern_kit.comic.change import Change
from lantern_kit.comic.words import describe

BUDGET = 3_500


def sections(held: ComicServices, changes: Sequence[Change], before: Book, after: Book) -> list[dict[str, Any]]:
    """What changed, unit by unit: each with its title and its changes in sentences."""
    told = describe(changes, before, after, titles=titles(held))
    return [{"unit": item.title, "changes": list(item.sentences)} for item in told]


def summary(held: ComicServices, changes: Sequence[Change], before: Book, after: Book) -> list[dict[str, Any]]:
    """The same, as much of it as an answer about something else has room for."""
    told = sections(held, changes, before, after)
    shown, more = cut(told, budget=BUDGET)
    if more is not None:
        shown.append({"unit": "…", "changes": [f"and {len(told) - len(shown)} more units: compare tells them"]})
    return shown
