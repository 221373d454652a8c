"""Prose: paragraphs of plain text, kept as bytes in one fixed way, so that a paragraph's number means one thing.

Paragraphs are non-empty lines without blanks at their ends; the body is their UTF-8, each ended by a line feed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.errors import BadInput
from lantern_kit.novel.count import Counted, count
from lantern_kit.novel.errors import NovelStorageCorruption

MOST_PARAGRAPHS, LONGEST_PARAGRAPH = 2_000, 50_000
_DIGITS = 9
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff\u2028\u2029]")
"""Halves of characters, controls and line ends of other sorts: what XML cannot hold, or breaks a paragraph in two."""


@dataclass(frozen=True)
class Prose:
    """The prose of a unit, checked and counted."""

    paragraphs: tuple[str, ...]
    counted: Counted

    @property
    def body(self) -> bytes:
        """Its bytes."""
        return "".join(f"{paragraph}\n" for paragraph in self.paragraphs).encode()

    @property
    def name(self) -> str:
        """The SHA-256 of its bytes, in hex."""
        return digest(self.body).hex()


def prose(paragraphs: Sequence[str], *, policy: int) -> Prose:
    """Prose from the paragraphs an author sends. Raises BadInput, with the paragraph and the place in it."""
    if not 1 <= len(paragraphs) <= MOST_PARAGRAPHS:
        raise BadInput("prose has paragraphs", expected=f"1 to {MOST_PARAGRAPHS:,}", found=len(paragraphs))
    for number, paragraph in enumerate(paragraphs):
        wrong = _FORBIDDEN.search(paragraph)
        if wrong is not None:
            raise BadInput(
                f"paragraph {number} holds a character that no book can: U+{ord(wrong.group()):04X} at {wrong.start()}",
                expected="plain text; each paragraph an item of its own",
                details={"paragraph": number, "position": wrong.start()},
            )
        if not paragraph.strip() or paragraph != paragraph.strip() or len(paragraph) > LONGEST_PARAGRAPH:
            raise BadInput(
                f"paragraph {number} is empty, too long, or has blanks at its ends",
                expected=f"1 to {LONGEST_PARAGRAPH:,} characters without blanks round them",
                found=len(paragraph),
                details={"paragraph": number},
            )
    counted = count("\n".join(paragraphs), policy=policy)
    if not counted.effective:
        raise BadInput("prose holds at least one letter or number", found="none")
    return Prose(tuple(paragraphs), counted)


def paragraphs_of(body: bytes) -> tuple[str, ...]:
    """The paragraphs of a body. Raises NovelStorageCorruption."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise NovelStorageCorruption("a body is no text") from error
    if not text.endswith("\n"):
        raise NovelStorageCorruption("a body ends in its middle")
    return tuple(text[:-1].split("\n"))


def paragraph_of(digits: str) -> int | None:
    """The number of a paragraph as somebody wrote it; None for what is none, or has more digits than any."""
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _DIGITS else None
