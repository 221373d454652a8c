"""Books, in the shape of each program that makes them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, count
from typing import Any

from lantern_kit.cards.entries import own_id, read_entry
from lantern_kit.cards.errors import CardTooLarge, CardUnknownShape
from lantern_kit.cards.fields import Fields
from lantern_kit.cards.limits import BOOK_KEYS, ENTRIES
from lantern_kit.cards.model import Book, BookEntry, BookForm
from lantern_kit.cards.text import Notices, digest

LOREBOOK = "lorebook_v3"


def form_of(raw: Mapping[str, Any]) -> BookForm | None:
    """Whose shape a JSON object has; None where it is no book."""
    if raw.get("spec") == LOREBOOK and isinstance(raw.get("data"), dict):
        return BookForm.V3
    if raw.get("type") == "risu" and isinstance(raw.get("data"), list):
        return BookForm.RISU
    entries = raw.get("entries")
    if isinstance(entries, dict):
        return BookForm.SILLYTAVERN
    if not isinstance(entries, list):
        return None
    names = {name for entry in entries if isinstance(entry, dict) for name in entry}
    if "lorebookVersion" in raw or ("text" in names and "content" not in names):
        return BookForm.NOVELAI
    if "keywords" in names and "entry" in names:
        return BookForm.AGNAI
    if raw.get("kind") == "memory" and not names:
        return BookForm.AGNAI
    if "key" in names and "keys" not in names:
        return BookForm.SILLYTAVERN
    return BookForm.V2


def book_of(raw: Mapping[str, Any], form: BookForm, tell: Notices, *, source: bytes, where: str = "") -> Book:
    """The book that a JSON object of a form is.

    Args:
        raw: as written.
        form: whose shape it has.
        tell: gathers notices; those of the book are all that are there at the end.
        source: its bytes.
        where: what it is, for notices.

    Raises:
        CardUnknownShape: no entries. CardTooLarge: too many of them.
    """
    held = raw["data"] if form is BookForm.V3 and raw.get("spec") == LOREBOOK else raw
    fields = Fields(held, where, tell)
    if form in {BookForm.V2, BookForm.V3}:
        _tell_of_extensions(held, where, tell)
    return Book(
        name=fields.text("name"),
        description=fields.text("description"),
        scan_depth=fields.count("scan_depth", "scanDepth"),
        token_budget=fields.count("token_budget", "tokenBudget"),
        recursive=fields.maybe("recursive_scanning", "recursiveScanning"),
        form=form,
        entries=_entries(held, form, where, tell),
        raw=raw,
        notices=tell.all(),
        digest=digest(raw),
        source=source,
    )


def _entries(held: Mapping[str, Any], form: BookForm, where: str, tell: Notices) -> tuple[BookEntry, ...]:
    name = "data" if form is BookForm.RISU else "entries"
    value = held.get(name)
    if isinstance(value, dict):
        rows = list(value.items())
    elif isinstance(value, list):
        rows = [(str(place), entry) for place, entry in enumerate(value)]
    else:
        raise CardUnknownShape(
            "a book has no entries", expected=f"a list or an object under {name}", found=where or "a book"
        )
    if len(rows) > ENTRIES:
        raise CardTooLarge("a book has too many entries", expected=f"at most {ENTRIES:,}", found=f"{len(rows):,}")
    made: list[BookEntry] = []
    used: set[str] = set()
    for place, (key, entry) in enumerate(rows):
        at = f"{where}.{name}[{key[:40]}]".lstrip(".")
        if not isinstance(entry, dict):
            tell("wrong_type", "This should be an entry; it is left out.", at)
            continue
        own = own_id(form, entry)
        if own in used:
            tell("duplicate_id", "Two entries have one id; the later one is called by its place.", at)
        others = (f"{place}-{number}" for number in count(2))
        ident = next(one for one in chain((own, key, str(place)), others) if one and one not in used)
        used.add(ident)
        made.append(read_entry(form, entry, ident, at, tell))
    keys = sum(len(entry.keys) + len(entry.secondary_keys) for entry in made)
    if keys > BOOK_KEYS:
        raise CardTooLarge("a book has too many keys", expected=f"at most {BOOK_KEYS:,}", found=f"{keys:,}")
    return tuple(made)


def _tell_of_extensions(held: Mapping[str, Any], where: str, tell: Notices) -> None:
    if "extensions" not in held:
        tell("missing_extensions", "A book should have extensions; read as none.", where)
    lacking = sum(isinstance(one, dict) and "extensions" not in one for one in held.get("entries") or ())
    if lacking:
        message = f"Entries should have extensions, and {lacking:,} have none; read as none."
        tell("missing_extensions", message, f"{where}.entries".lstrip("."))
