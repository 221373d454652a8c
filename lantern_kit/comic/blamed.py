"""Who gave each property of an object its value, as values that show themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from lantern_kit.comic.quantities import in_peoples_units
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import NotFound

WIDE = 80
"""Characters of a value in a table."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A revision, as far as blame tells of it."""

    revision: str
    line: str
    at: int
    actor_kind: str
    actor: str
    cause: str
    message: str

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "revision": self.revision,
            "line": self.line,
            "at": stamp(self.at),
            "actor_kind": self.actor_kind,
            "actor": self.actor,
            "cause": self.cause,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Blamed:
    """One property and where its value comes from."""

    name: str
    """The property; "" of an object's coming to be and of its removal."""
    value: Any
    """Plain data, as the document keeps it: whole micrometres, thousandths of a degree, millionths of one; tables show
    millimetres, degrees and shares. Of an object that is gone, what it was last."""
    changed: Mark
    """The last change of it on the working line, be it a copy."""
    origin: Mark
    """The revision of the working line in which the value first came to be."""
    draft: str
    """The draft that made the value; "" when a person gave it directly."""
    drafted: Mark | None
    """The draft's revision that made it, and its agent."""
    proposal: str
    approval: str
    approved_by: str
    """The reviewer as the key's label says."""
    key: str

    @property
    def who(self) -> str:
        """Who gave the value: the agent of the draft, else who made the revision."""
        return self.origin.actor if self.drafted is None else self.drafted.actor

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "property": self.name,
            "value": self.value,
            "changed": self.changed.data(),
            "origin": self.origin.data(),
            "draft": self.draft or None,
            "drafted": None if self.drafted is None else self.drafted.data(),
            "proposal": self.proposal or None,
            "approval": self.approval or None,
            "approved_by": self.approved_by or None,
            "key": self.key or None,
        }


@dataclass(frozen=True)
class Blame:
    """Where everything of one object comes from."""

    chapter: str
    object: str
    kind: str
    made: Blamed
    """The object's coming to be; its name is "" and its value None."""
    removed: Blamed | None
    """Who took it away, when it is gone."""
    lines: tuple[Blamed, ...]
    heads: ClassVar = (
        "property",
        "value",
        "since",
        "when",
        "by",
        "cause",
        "draft",
        "proposal",
        "approved by",
        "copied",
    )

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Blamed]:
        return iter(self.lines)

    def __getitem__(self, name: str) -> Blamed:
        """A property's line. Raises NotFound."""
        for line in self.lines:
            if line.name == name:
                return line
        raise NotFound(
            f"{self.object} has no property {name[:40]}",
            expected=[item.name for item in self.lines],
            found=name[:40],
        )

    def rows(self) -> list[tuple[str, ...]]:
        """One row a property under ``heads``, with the object's coming and going around them."""
        found = [_row("(made)", self.made), *(_row(item.name, item) for item in self.lines)]
        return found if self.removed is None else [*found, _row("(removed)", self.removed)]

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "chapter": self.chapter,
            "object": self.object,
            "kind": self.kind,
            "gone": self.removed is not None,
            "made": self.made.data(),
            "removed": None if self.removed is None else self.removed.data(),
            "properties": [item.data() for item in self.lines],
        }


def _row(name: str, item: Blamed) -> tuple[str, ...]:
    shown = in_peoples_units(name, item.value)
    value = "" if name.startswith("(") else json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    drafted = "" if item.drafted is None else f"{item.draft} {item.drafted.revision}"
    return (
        name,
        value if len(value) <= WIDE else f"{value[:WIDE]}…",
        item.origin.revision,
        stamp(item.origin.at),
        item.who,
        item.origin.cause,
        drafted,
        item.proposal,
        item.approved_by,
        "" if item.changed == item.origin else f"{item.changed.cause} {item.changed.revision} by {item.changed.actor}",
    )
