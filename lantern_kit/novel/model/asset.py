"""Cards and books as a novel was begun with them: fixed, whatever becomes of the files (seed 004, 5)."""

from __future__ import annotations

from enum import StrEnum

from lantern_kit.novel.model.values import Count, Digest, Id, Line, Name, Record


class AssetKind(StrEnum):
    """What sort of asset."""

    CARD = "card"
    BOOK = "book"


class Asset(Record):
    """A snapshot of a card or a book."""

    id: Id
    kind: AssetKind
    name: Name
    """Shown to people; never an identity."""
    file: Line
    """The file's own name, without its folder; empty for a book out of a card."""
    form: Line
    """Format and its version, such as ``v3 png``."""
    original: Digest
    """The blob of the file as it was given; of a book out of a card, the card's."""
    content: Digest
    """The blob of the normalised content."""
    digest: Digest
    """Of what it says, whatever file it came in."""
    within: Id | None
    """The card that a book came in."""
    entries: Count
    """Of a book."""
