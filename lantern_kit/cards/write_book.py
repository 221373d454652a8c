"""Books in the shape of another program; what that cannot hold is found by reading the result again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from lantern_kit.cards.books import LOREBOOK, book_of
from lantern_kit.cards.entries import LOGICS, POSITIONS
from lantern_kit.cards.errors import CardUnwritable
from lantern_kit.cards.model import Book, BookEntry, BookForm, Notice, Written
from lantern_kit.cards.patterns import slashed
from lantern_kit.cards.text import Notices, written
from lantern_kit.cards.write import book_as_v3

_CONTENT = {BookForm.NOVELAI: "text", BookForm.AGNAI: "entry"}
_TOLD = 200
_APART = frozenset({"id", "raw", "extensions"})


def write_book(book: Book, form: BookForm | str) -> Written:
    """A book as a JSON file.

    Returns:
        The file, and what of the book it holds otherwise or not at all. In the form that it was read from: the bytes
        that were read; a V3 book that lay in a card is named a book, as one that stands alone is.

    Raises:
        CardUnwritable: no such form.
    """
    try:
        wanted = BookForm(form)
    except ValueError:
        raise CardUnwritable(
            f"{str(form)[:40]} is no form of books", expected=[one.value for one in BookForm]
        ) from None
    if wanted is book.form and (wanted is not BookForm.V3 or book.raw.get("spec") == LOREBOOK):
        return Written(book.source)
    kin = {wanted, book.form} <= {BookForm.V2, BookForm.V3}
    made = _among_kin(book, wanted) if kin else _anew(book, wanted)
    data = written(made)
    again = book_of(made, wanted, Notices(), source=data)
    losses = list(_differences(book, again))
    if not kin:
        losses += _unsaid(book)
    return Written(data, tuple(losses[:_TOLD]))


def _held(book: Book) -> Mapping[str, Any]:
    """The object that holds the entries."""
    inner = book.raw.get("data")
    return inner if book.raw.get("spec") == LOREBOOK and isinstance(inner, dict) else book.raw


def _among_kin(book: Book, form: BookForm) -> dict[str, Any]:
    held = dict(_held(book))
    if form is BookForm.V2:
        return held
    return {"spec": LOREBOOK, "data": book_as_v3(held)}


def _anew(book: Book, form: BookForm) -> dict[str, Any]:
    entries = [_ENTRIES[form](entry, _text(entry, book.form), place) for place, entry in enumerate(book.entries)]
    head = {key: value for key, value in (("name", book.name), ("description", book.description)) if value}
    match form:
        case BookForm.SILLYTAVERN:
            return {**head, "entries": {str(entry["uid"]): entry for entry in entries}}
        case BookForm.NOVELAI:
            return {"lorebookVersion": 5, **head, "entries": entries, "settings": {"orderByKeyLocations": False}}
        case BookForm.RISU:
            return {"type": "risu", "ver": 1, **head, "data": entries}
        case BookForm.AGNAI:
            return {"kind": "memory", "name": book.name, "description": book.description, "entries": entries}
        case BookForm.V2 | BookForm.V3:
            settings = (
                ("scan_depth", book.scan_depth),
                ("token_budget", book.token_budget),
                ("recursive_scanning", book.recursive),
            )
            told = {key: value for key, value in settings if value is not None}
            held = {**head, **told, "extensions": {}, "entries": entries}
            return held if form is BookForm.V2 else {"spec": LOREBOOK, "data": book_as_v3(held)}


def _text(entry: BookEntry, form: BookForm) -> str:
    """An entry's content as written, decorators included."""
    value = entry.raw.get(_CONTENT.get(form, "content"))
    return value if isinstance(value, str) else entry.content


def _character_book(entry: BookEntry, content: str, place: int) -> dict[str, Any]:
    own: dict[str, Any] = {
        "selectiveLogic": LOGICS.index(entry.logic),
        "match_whole_words": entry.whole_words,
        "scan_depth": entry.scan_depth,
        "probability": entry.probability,
        "useProbability": True,
        "exclude_recursion": entry.exclude_recursion,
        "prevent_recursion": entry.prevent_recursion,
        "delay_until_recursion": entry.delay_until_recursion,
    }
    position = entry.position
    if position in POSITIONS:
        own["position"] = POSITIONS.index(position)
    made: dict[str, Any] = {
        "id": int(entry.id) if entry.id.isdecimal() and len(entry.id) < 16 else place,
        "keys": _plain(entry),
        "secondary_keys": list(entry.secondary_keys),
        "comment": entry.comment,
        "name": entry.name,
        "content": content,
        "constant": entry.constant,
        "selective": entry.selective,
        "insertion_order": entry.order,
        "enabled": entry.enabled,
        "position": position if position in {"before_char", "after_char"} else "before_char",
        "extensions": own,
    }
    if entry.case_sensitive is not None:
        made["case_sensitive"] = entry.case_sensitive
    if entry.priority is not None:
        made["priority"] = entry.priority
    return made


def _sillytavern(entry: BookEntry, content: str, place: int) -> dict[str, Any]:
    return {
        "uid": int(entry.id) if entry.id.isdecimal() and len(entry.id) < 16 else place,
        "key": _plain(entry),
        "keysecondary": list(entry.secondary_keys),
        "comment": entry.comment or entry.name,
        "content": content,
        "constant": entry.constant,
        "vectorized": False,
        "selective": entry.selective,
        "selectiveLogic": LOGICS.index(entry.logic),
        "addMemo": True,
        "order": entry.order,
        "position": POSITIONS.index(entry.position) if entry.position in POSITIONS else 0,
        "disable": not entry.enabled,
        "excludeRecursion": entry.exclude_recursion,
        "preventRecursion": entry.prevent_recursion,
        "delayUntilRecursion": entry.delay_until_recursion,
        "probability": entry.probability,
        "useProbability": True,
        "depth": 4,
        "group": "",
        "scanDepth": entry.scan_depth,
        "caseSensitive": entry.case_sensitive,
        "matchWholeWords": entry.whole_words,
        "automationId": "",
        "role": None,
        "displayIndex": place,
    }


def _novelai(entry: BookEntry, content: str, place: int) -> dict[str, Any]:
    del place
    return {
        "text": content,
        "contextConfig": {"budgetPriority": entry.order},
        "displayName": entry.name or entry.comment,
        "keys": _plain(entry),
        "enabled": entry.enabled,
        "forceActivation": entry.constant,
        "id": entry.id,
    }


def _risu(entry: BookEntry, content: str, place: int) -> dict[str, Any]:
    del place
    keys = [entry.keys[0]] if entry.use_regex and entry.keys else _plain(entry)
    return {
        "key": ", ".join(keys),
        "secondkey": ", ".join(entry.secondary_keys),
        "comment": entry.comment or entry.name,
        "content": content,
        "mode": "normal",
        "insertorder": entry.order,
        "alwaysActive": entry.constant,
        "selective": entry.selective,
        "useRegex": entry.use_regex,
        "activationPercent": entry.probability,
        "extentions": {},
    }


def _agnai(entry: BookEntry, content: str, place: int) -> dict[str, Any]:
    del place
    return {
        "name": entry.name or entry.comment,
        "entry": content,
        "keywords": _plain(entry),
        "priority": entry.order if entry.priority is None else entry.priority,
        "weight": entry.order,
        "enabled": entry.enabled,
    }


_ENTRIES: Mapping[BookForm, Callable[[BookEntry, str, int], dict[str, Any]]] = {
    BookForm.V2: _character_book,
    BookForm.V3: _character_book,
    BookForm.SILLYTAVERN: _sillytavern,
    BookForm.NOVELAI: _novelai,
    BookForm.RISU: _risu,
    BookForm.AGNAI: _agnai,
}


def _plain(entry: BookEntry) -> list[str]:
    """Keys; patterns in slashes, as programs without ``use_regex`` know them."""
    if not entry.use_regex:
        return list(entry.keys)
    flags = "" if entry.case_sensitive else "i"
    escaped = [key.replace("/", r"\/") for key in entry.keys]
    return [key if slashed(key) else f"/{other}/{flags}" for key, other in zip(entry.keys, escaped, strict=True)]


def _differences(book: Book, again: Book) -> Iterator[Notice]:
    """Everything that another reading of the result finds otherwise."""
    for name in ("name", "description", "scan_depth", "token_budget", "recursive"):
        if getattr(book, name) != getattr(again, name):
            yield Notice(f"lost_{name}", "The form cannot hold this of the book.", name)
    for one, other in zip(book.entries, again.entries, strict=True):
        names = [item.name for item in fields(BookEntry) if item.name not in _APART]
        changed = [name for name in names if getattr(one, name) != getattr(other, name)]
        for name in changed:
            yield Notice("changed_field", "The form holds this otherwise, or not at all.", f"entry {one.id}: {name}")


def _unsaid(book: Book) -> Iterator[Notice]:
    """Fields that the reader of the book's own form knows nothing of."""
    for entry in book.entries:
        if entry.extensions:
            yield Notice("lost_extensions", "Extensions of programs are left out.", f"entry {entry.id}: extensions")
        names = set(_ENTRIES[book.form](entry, "", 0)) | {"use_regex", "case_sensitive", "priority", "id", "extensions"}
        for name in sorted(set(entry.raw) - names):
            yield Notice("lost_field", "A field of the original form is left out.", f"entry {entry.id}: {name[:60]}")
