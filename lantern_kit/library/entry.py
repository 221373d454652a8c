"""Entries of the library: what is kept of a character, a scene, a prop, a style or a layout, version by version."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.problems import PATTERNS, refused
from lantern_kit.kernel.wording import one_line, said

LONGEST_NAME = 120
LONGEST_NOTES = 20_000
_ASSET = r"^as_[0-9a-z]{4,20}$"
_COLOUR = r"^#[0-9a-f]{6}$"
PATTERNS[_ASSET] = "the id of a registered picture, such as as_9m3kx0vd"
PATTERNS[_COLOUR] = "a colour such as #d97706"


class Kind(StrEnum):
    """What an entry is of."""

    CHARACTER = "character"
    SCENE = "scene"
    PROP = "prop"
    STYLE = "style"
    LAYOUT = "layout"


def kind_named(kind: Kind | str) -> Kind:
    """A kind by name. Raises BadInput."""
    try:
        return Kind(kind)
    except ValueError:
        raise BadInput(f"{str(kind)[:40]} is no kind of entry", expected=[item.value for item in Kind]) from None


class Cause(StrEnum):
    """How a version came to be."""

    KEPT = "kept"
    UPDATED = "updated"
    RESTORED = "restored"
    ARCHIVED = "archived"


def _lines(text: str) -> str:
    return said(text, "a note", longest=LONGEST_NOTES)


AssetId = Annotated[str, Field(pattern=_ASSET)]
Colour = Annotated[str, Field(pattern=_COLOUR)]
Line = Annotated[str, AfterValidator(one_line)]
Name = Annotated[Line, Field(min_length=1, max_length=LONGEST_NAME)]


class Value(BaseModel):
    """A frozen value; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Sheet(Value):
    """A reference picture."""

    asset: AssetId
    role: Annotated[Line, Field(max_length=40)] = ""
    """What it shows, in a word: front, turnaround, expression."""
    note: Annotated[str, Field(max_length=400), AfterValidator(_lines)] = ""


class Look(Value):
    """One of the ways in which a character, scene or prop is seen: what is worn, the time of day."""

    name: Name
    notes: Annotated[str, Field(max_length=2_000), AfterValidator(_lines)] = ""
    sheets: Annotated[tuple[AssetId, ...], Field(max_length=20)] = ()
    """Reference pictures of this look."""


class Content(Value):
    """What a version of an entry holds."""

    name: Name
    aliases: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    """Other names that it is called by."""
    notes: Annotated[str, Field(max_length=LONGEST_NOTES), AfterValidator(_lines)] = ""
    """Markdown."""
    palette: Annotated[tuple[Colour, ...], Field(max_length=24)] = ()
    looks: Annotated[tuple[Look, ...], Field(max_length=40)] = ()
    sheets: Annotated[tuple[Sheet, ...], Field(max_length=60)] = ()
    layout: dict[str, JsonValue] | None = None
    """Of a layout: the page template, in whole numbers."""
    comic: Annotated[Line, Field(max_length=LONGEST_NAME)] = ""
    """The comic it belongs to; empty: to all of the workspace."""

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        for what, names in (
            ("names", [self.name, *self.aliases]),
            ("looks", [look.name for look in self.looks]),
        ):
            if len({folded(name) for name in names}) < len(names):
                raise ValueError(f"{what} that differ from each other")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called by, its name first."""
        return (self.name, *self.aliases)

    @property
    def captions(self) -> dict[str, str]:
        """What each of its reference pictures shows, by picture, in order: ``raincoat front: as in chapter 1``."""
        found = {sheet.asset: ": ".join(filter(None, (sheet.role, sheet.note))) for sheet in self.sheets}
        for look in self.looks:
            for asset in look.sheets:
                found[asset] = " ".join(filter(None, (look.name, found.get(asset, ""))))
        return found

    @property
    def assets(self) -> tuple[str, ...]:
        """All its reference pictures, each once, in order."""
        own = [sheet.asset for sheet in self.sheets]
        return tuple(dict.fromkeys([*own, *(asset for look in self.looks for asset in look.sheets)]))

    def canonical(self) -> bytes:
        """Its canonical JSON. Raises BadInput for a layout that says more than whole numbers and text."""
        try:
            return dumps(self.model_dump(mode="json"))
        except TypeError:
            raise BadInput("layout: not a page template", expected="keys, text and whole numbers") from None

    def changed(self, other: Content) -> tuple[str, ...]:
        """Names of the fields in which another differs, in order."""
        return tuple(name for name in Content.model_fields if getattr(self, name) != getattr(other, name))


def content_of(facts: Mapping[str, Any]) -> Content:
    """Content from plain data; sheets may be ids alone. Raises UnknownKey, BadInput."""
    given = dict(facts)
    if isinstance(given.get("sheets"), Sequence) and not isinstance(given["sheets"], str):
        given["sheets"] = [{"asset": item} if isinstance(item, str) else item for item in given["sheets"]]
    if isinstance(given.get("palette"), Sequence) and not isinstance(given["palette"], str):
        given["palette"] = [item.lower() if isinstance(item, str) else item for item in given["palette"]]
    try:
        return Content.model_validate(given)
    except ValidationError as error:
        raise refused(error, Content) from None


def folded(name: str) -> str:
    """A name as it is compared: case, width and runs of blanks tell nothing apart."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True)
class Version:
    """An entry as it was kept at one time; versions are only ever added."""

    entry: str
    number: int
    """1, 2, …"""
    cause: Cause
    content: Content
    actor_kind: str
    actor: str
    message: str
    at: int
    chain: bytes
    """Digest over this version and all before it."""


@dataclass(frozen=True)
class Entry:
    """An entry at its newest version."""

    id: str
    kind: Kind
    version: Version

    @property
    def number(self) -> int:
        """Of its newest version."""
        return self.version.number

    @property
    def content(self) -> Content:
        """What it holds now."""
        return self.version.content

    @property
    def name(self) -> str:
        """What it is called."""
        return self.version.content.name

    @property
    def archived(self) -> bool:
        """Whether a person put it away."""
        return self.version.cause is Cause.ARCHIVED

    def apart(self) -> dict[str, str]:
        """What tells it from others of its name."""
        first = self.content.notes.strip().partition("\n")[0]
        facts = {"entry": self.id, "kind": self.kind.value, "name": self.name, "comic": self.content.comic}
        facts |= {"also": ", ".join(self.content.aliases), "notes": first[:80]}
        return {key: value for key, value in facts.items() if value}

    def __repr__(self) -> str:
        held = self.content
        counts = [_counted(len(held.assets), "sheet"), _counted(len(held.looks), "look")]
        told = ", ".join([f"version {self.number}", *filter(None, counts), *(["archived"] if self.archived else [])])
        return f"<{self.kind.value.capitalize()} {self.id} “{self.name}”: {told}>"


def _counted(number: int, noun: str) -> str:
    """So many of them; nothing for none."""
    return f"{number} {noun}{'' if number == 1 else 's'}" if number else ""


def chained(before: bytes, kind: Kind, version: Version, text: bytes) -> bytes:
    """The digest of a version whose content has that canonical text, over the digest of the one before it."""
    return digest(
        dumps(
            [
                before.hex(),
                version.entry,
                kind.value,
                version.number,
                version.cause.value,
                version.actor_kind,
                version.actor,
                version.message,
                version.at,
                digest(text).hex(),
            ]
        )
    )
