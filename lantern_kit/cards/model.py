"""Cards, books and their entries as they were read: frozen, with the whole original beside what is understood of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Spec(StrEnum):
    """Which specification a card follows."""

    V1 = "v1"
    V2 = "v2"
    V3 = "v3"


class CardForm(StrEnum):
    """What kind of file a card lies in."""

    JSON = "json"
    PNG = "png"
    CHARX = "charx"


class BookForm(StrEnum):
    """Whose shape a book has."""

    V2 = "v2"
    V3 = "v3"
    SILLYTAVERN = "sillytavern"
    NOVELAI = "novelai"
    RISU = "risu"
    AGNAI = "agnai"


class Logic(StrEnum):
    """What secondary keys must do, once a key was found."""

    AND_ANY = "and_any"
    NOT_ALL = "not_all"
    NOT_ANY = "not_any"
    AND_ALL = "and_all"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a file that its reader should know: it was accepted all the same."""

    code: str
    """Stable: ``missing_extensions``, ``duplicate_key`` …"""
    message: str
    """One English sentence."""
    where: str = ""
    """The chunk, member, field or entry that it is about."""


@dataclass(frozen=True, slots=True)
class Decorator:
    """A line ``@@name value`` before an entry's content."""

    name: str
    value: str = ""
    """As written, without blanks at its ends; empty where there is none."""
    fallbacks: tuple[Decorator, ...] = ()
    """``@@@`` lines below it, in order: the first that is understood stands in for one that is not."""

    @property
    def values(self) -> tuple[str, ...]:
        """Its values, parted by commas, blanks at their ends left out."""
        return tuple(part.strip() for part in self.value.split(",") if part.strip())


@dataclass(frozen=True, slots=True)
class BookEntry:
    """One entry of a book."""

    id: str
    """Its own id or uid as text, else its place in the book (``0``, ``1`` …); unlike all others of its book."""
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    selective: bool = False
    """Whether secondary keys count."""
    logic: Logic = Logic.AND_ANY
    constant: bool = False
    enabled: bool = True
    case_sensitive: bool | None = None
    """None: as the reader likes."""
    whole_words: bool | None = None
    """None: as the reader likes."""
    use_regex: bool = False
    """Every key is a JavaScript pattern. A key written ``/pattern/flags`` is one in any case."""
    content: str = ""
    """Without decorators."""
    decorators: tuple[Decorator, ...] = ()
    order: int | float = 100
    """The lower, the earlier it is put in."""
    priority: int | float | None = None
    """The lower, the sooner it is left out when there is too much."""
    position: str = ""
    """``before_char``, ``after_char``, a SillyTavern place such as ``at_depth``, or nothing."""
    name: str = ""
    comment: str = ""
    scan_depth: int | None = None
    """How many of the newest texts are looked at; None: as the book says."""
    probability: int | float = 100
    """Out of a hundred; this kit never rolls dice: 0 is never, all else is always, and told."""
    exclude_recursion: bool = False
    """Other entries' contents do not wake it."""
    prevent_recursion: bool = False
    """Its content wakes no others."""
    delay_until_recursion: bool = False
    """Only other entries' contents wake it."""
    extensions: Mapping[str, Any] = field(default_factory=dict, hash=False)
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)
    """The entry as written."""

    @property
    def title(self) -> str:
        """What people call it: its name, its comment, its first key or its id."""
        return self.name or self.comment or next(iter(self.keys), "") or self.id


@dataclass(frozen=True, slots=True)
class Book:
    """A lorebook: what a world holds, entry by entry."""

    name: str
    description: str
    scan_depth: int | None
    token_budget: int | None
    recursive: bool | None
    form: BookForm
    entries: tuple[BookEntry, ...]
    """In the order of the file."""
    raw: Mapping[str, Any] = field(repr=False, hash=False)
    """The whole book as written, unknown fields included."""
    notices: tuple[Notice, ...] = ()
    digest: str = ""
    """SHA-256 of the canonical form of ``raw``, in hexadecimal."""
    source: bytes = field(default=b"", repr=False)
    """The JSON as it was read, byte for byte; of a book inside a card, its data written anew in the same order."""

    @property
    def characters(self) -> int:
        """Characters of all contents together."""
        return sum(len(entry.content) for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Card:
    """A character card."""

    spec: Spec
    spec_version: str
    """As written; empty in V1."""
    form: CardForm
    name: str
    nickname: str
    description: str
    personality: str
    scenario: str
    first_mes: str
    mes_example: str
    creator_notes: str
    system_prompt: str
    """Words for a model's system prompt that the card asks for: data, never followed by this kit."""
    post_history_instructions: str
    """The same, for after the history."""
    alternate_greetings: tuple[str, ...]
    tags: tuple[str, ...]
    creator: str
    character_version: str
    book: Book | None
    raw: Mapping[str, Any] = field(repr=False, hash=False)
    """The whole JSON as written, unknown fields included."""
    notices: tuple[Notice, ...] = ()
    digest: str = ""
    """SHA-256 of the canonical form of ``raw``, in hexadecimal: the same card in PNG, CHARX and JSON has one."""
    characters: int = 0
    """Characters of all its texts, its book's contents included."""
    source: bytes = field(default=b"", repr=False)
    """The card's JSON as it was read, byte for byte."""
    file: bytes = field(default=b"", repr=False)
    """The file it lay in, byte for byte."""

    @property
    def called(self) -> str:
        """What ``{{char}}`` stands for: the nickname, else the name."""
        return self.nickname or self.name


@dataclass(frozen=True, slots=True)
class Written:
    """A card or a book as a file."""

    data: bytes = field(repr=False)
    losses: tuple[Notice, ...] = ()
    """What the form cannot hold, or holds otherwise; empty: all of it."""
