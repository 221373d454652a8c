"""Files to cards and books: what a file is, is told from its bytes, never from its name."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from lantern_kit.cards.books import book_of, form_of
from lantern_kit.cards.card import card_of, spec_of
from lantern_kit.cards.errors import CardTooLarge, CardUnknownShape
from lantern_kit.cards.limits import BOOK_TEXT, CARD_TEXT
from lantern_kit.cards.model import Book, Card, CardForm
from lantern_kit.cards.text import Notices, parsed


def read_any(data: bytes, name: str = "") -> Card | Book:
    """The card or the book that a file holds.

    Args:
        data: the file's bytes: JSON, PNG or CHARX.
        name: the file's name, for what has none of its own.

    Raises:
        BadCard: or one of its kinds, each with its own code.
    """
    tell = Notices()
    raw = parsed(data, "the file", tell, most=BOOK_TEXT)
    return _of_json(raw, data, tell, name=stem(name))


def read_card(data: bytes, *, name: str = "") -> Card:
    """The card that a file holds; see ``read_any``. Raises BadCard; CardUnknownShape for a book."""
    found = read_any(data, name)
    if isinstance(found, Card):
        return found
    raise CardUnknownShape("the file holds a book, not a card", recovery="Read it as a book.")


def read_book(data: bytes, *, name: str = "") -> Book:
    """The book that a file holds; see ``read_any``. Raises BadCard; CardUnknownShape for a card."""
    found = read_any(data, name)
    if isinstance(found, Book):
        return found
    inside = "; there is one in it" if found.book else ", and there is none in it"
    raise CardUnknownShape(
        f"the file holds a card, not a book{inside}", recovery="Read it as a card; its book comes with it."
    )


def _of_json(raw: dict[str, Any], data: bytes, tell: Notices, *, name: str) -> Card | Book:
    spec, form = spec_of(raw), form_of(raw)
    if spec is not None and (form is None or isinstance(raw.get("data"), dict)):
        if len(data) > CARD_TEXT:
            raise CardTooLarge(
                "the card is too large", expected=f"at most {CARD_TEXT:,} bytes", found=f"{len(data):,} bytes"
            )
        return card_of(raw, spec, tell, form=CardForm.JSON, source=data, file=data, name=name)
    if form is not None:
        return book_of(raw, form, tell, source=data)
    raise CardUnknownShape(
        "the file is neither a card nor a book",
        expected="spec and data, or entries",
        found=", ".join(list(raw)[:8])[:200] or "an empty object",
    )


def stem(name: str) -> str:
    """A file's name without folders and ending."""
    return PurePath(name.replace("\\", "/")).stem
