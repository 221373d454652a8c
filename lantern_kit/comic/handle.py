"""Handles: what agents hold of an object, its id and a fingerprint of its own fields, ``fr_7kq2m9x4#c2mk9q1t``."""

from __future__ import annotations

import re
import weakref

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import own_fields
from lantern_kit.comic.model import Chapter, Node, Unit
from lantern_kit.comic.reference import parse_reference
from lantern_kit.kernel.canonical import dumps, fingerprint, mark
from lantern_kit.kernel.errors import BadInput

Thing = Chapter | Unit | Node

_HANDLE = re.compile(r"^([a-z]{2}_[0-9a-z]{4,20})(?:#([0-9a-z]{8}))?$")

# By identity: the values are immutable, and hashing one by its fields costs as much as the text itself.
_known: dict[int, tuple[weakref.ref[Thing], bytes, str]] = {}


def text_of(thing: Thing) -> bytes:
    """Canonical JSON of the thing's own fields and its parent's id, without children; made once for each thing."""
    return _own(thing)[1]


def fingerprint_of(thing: Thing) -> str:
    """Eight base-32 characters over ``text_of`` the thing."""
    return _own(thing)[2]


def _own(thing: Thing) -> tuple[weakref.ref[Thing], bytes, str]:
    key = id(thing)
    known = _known.get(key)
    if known is not None and known[0]() is thing:
        return known
    text = dumps(own_fields(thing))
    made = _known[key] = (weakref.ref(thing, lambda _: _known.pop(key, None)), text, mark(text))
    return made


def order_fingerprint(parent: Unit | Book) -> str:
    """Eight base-32 characters over an order: a unit's drawing and reading orders, or a book's order of units."""
    if isinstance(parent, Book):
        return fingerprint(list(parent.order))
    return fingerprint([[item.id for item in parent.objects], list(parent.reading)])


def handle_of(thing: Thing) -> str:
    """``id#fingerprint``."""
    return f"{thing.id}#{fingerprint_of(thing)}"


def parse_handle(text: object) -> tuple[str, str | None]:
    """Id and fingerprint of a handle; of a bare id or a reference the fingerprint is None. Raises BadInput."""
    reference = parse_reference(text) if isinstance(text, str) else None
    if reference is not None:
        return reference.id, None
    found = _HANDLE.match(text) if isinstance(text, str) else None
    if found is None:
        raise BadInput(
            "that is neither an id nor a handle",
            expected="an id such as fr_7kq2m9x4, or id#fingerprint",
            found=None if isinstance(text, str) else type(text).__name__,
            recovery="find resolves names, pages and quoted words.",
        )
    return found.group(1), found.group(2)
