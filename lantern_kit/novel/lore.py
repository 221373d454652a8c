"""What authors read of cards and books: their snapshot, as it was fixed when the novel was begun (seed 004, 5, 11).

It is data for a story. Words in it that speak to a model are handed on as words, and never followed.
"""

from __future__ import annotations

import json
from typing import Any

from lantern_kit.cards import Book, Card
from lantern_kit.kernel.blobs import BlobStore
from lantern_kit.kernel.errors import Corrupt, NotFound
from lantern_kit.novel.errors import NovelStorageCorruption
from lantern_kit.novel.model import Asset

_TEXTS = (
    "name",
    "nickname",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "creator",
    "character_version",
)
"""What of a card tells of a character; prompts that it would like a model to follow are left out."""


def content_of_card(card: Card) -> bytes:
    """A card as it is kept beside its original: what tells of the character."""
    held: dict[str, Any] = {name: getattr(card, name) for name in _TEXTS if getattr(card, name)}
    return _bytes({**held, "greetings": list(card.alternate_greetings), "tags": list(card.tags)})


def content_of_book(book: Book) -> bytes:
    """A book as it is kept beside its original: entries by stable ids."""
    entries = [
        {
            "id": entry.id,
            "title": entry.title,
            "keys": [*entry.keys, *entry.secondary_keys],
            "constant": entry.constant,
            "enabled": entry.enabled,
            "content": entry.content,
        }
        for entry in book.entries
    ]
    return _bytes({"name": book.name, "description": book.description, "entries": entries})


def content(asset: Asset, blobs: BlobStore) -> dict[str, Any]:
    """What is kept of a card or a book. Raises NovelStorageCorruption."""
    try:
        found = json.loads(blobs.get(bytes.fromhex(asset.content)))
    except (Corrupt, NotFound, ValueError) as error:
        raise NovelStorageCorruption("a card or a book of the novel is missing or damaged", ids=[asset.id]) from error
    return dict(found)


def _bytes(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode(errors="replace")
