"""Files to cards and books: what a file is, is told from its bytes, never from its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from lantern_kit.cards.books import book_of, form_of
from lantern_kit.cards.card import card_of, spec_of
from lantern_kit.cards.charx import card_in, is_archive
from lantern_kit.cards.errors import BadCard, CardMissing, CardTooLarge, CardUnknownShape
from lantern_kit.cards.limits import BOOK_TEXT, CARD_TEXT
from lantern_kit.cards.model import Book, Card, CardForm
from lantern_kit.cards.png import BOOK, CARDS, SIGNATURE, Held, found_in, json_in
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
    if data.startswith(SIGNATURE):
        return _of_png(data, tell, name=stem(name))
    if is_archive(data):
        source = card_in(data, tell)
        return _of_source(source, "card.json", CardForm.CHARX, data, tell, name=stem(name))
    return _of_source(data, "the file", CardForm.JSON, data, tell, name=stem(name))


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


def _of_source(source: bytes, what: str, form: CardForm, file: bytes, tell: Notices, *, name: str) -> Card | Book:
    """What JSON holds, wherever it lay."""
    raw = parsed(source, what, tell, most=BOOK_TEXT if form is CardForm.JSON else CARD_TEXT)
    spec, shape = spec_of(raw), form_of(raw)
    if spec is not None and (shape is None or isinstance(raw.get("data"), dict)):
        if len(source) > CARD_TEXT:
            raise CardTooLarge(
                "the card is too large", expected=f"at most {CARD_TEXT:,} bytes", found=f"{len(source):,} bytes"
            )
        return card_of(raw, spec, tell, form=form, source=source, file=file, name=name)
    if shape is not None and form is not CardForm.CHARX:
        return book_of(raw, shape, tell, source=source)
    raise CardUnknownShape(
        f"{what} is neither a card nor a book",
        expected="spec and data, or entries",
        found=", ".join(list(raw)[:8])[:200] or "an empty object",
    )


def _of_png(data: bytes, tell: Notices, *, name: str) -> Card | Book:
    """The first sound card of a picture, V3 before others; the rest is told. Else its first book."""
    found = found_in(data, tell)
    ranked = sorted(found, key=lambda held: (*CARDS, BOOK).index(held.keyword))
    if not ranked:
        raise CardMissing("the picture holds no card")
    chosen: Card | Book | None = None
    refused: BadCard | None = None
    for held in ranked:
        if chosen is not None:
            tell(*_passed_over(held, ranked))
            continue
        own = Notices()
        try:
            chosen = _of_source(json_in(data, held, own), held.where, CardForm.PNG, data, own, name=name)
        except BadCard as error:
            refused = refused or error
            tell("unusable_card", f"It was passed over ({error.code}): {error.message}.", held.where)
    if chosen is None:
        raise refused or CardMissing("the picture holds no card")
    return replace(chosen, notices=(*tell.all(), *chosen.notices))


def _passed_over(held: Held, ranked: list[Held]) -> tuple[str, str, str]:
    if any(other.keyword == held.keyword for other in ranked if other is not held):
        return "duplicate_card", "There are several of these; the first sound one counts.", held.where
    return "older_card", "It is there for older programs; the newer card counts.", held.where


def stem(name: str) -> str:
    """A file's name without folders and ending."""
    return PurePath(name.replace("\\", "/")).stem
