"""Briefs: what a list of units tells of each, read without its objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.model import OBJECT_TYPES, Unit, UnitKind
from lantern_kit.kernel.canonical import digest, dumps, loads
from lantern_kit.kernel.errors import Corrupt


@dataclass(frozen=True, slots=True)
class Brief:
    """A unit, as far as lists and titles go."""

    id: str
    kind: UnitKind
    name: str
    width: int
    """Trim width of the whole unit, gutter included, in micrometres."""
    height: int
    """Trim height, in micrometres."""
    assets: tuple[str, ...]
    """Pictures that its objects show, each once, in the order they are held."""
    objects: int
    """How many lie on it."""
    drawn: bytes | None = None
    """Hash of the document that it would be without what is never drawn; None where nothing of that is said."""

    @classmethod
    def of(cls, unit: Unit) -> Brief:
        """What is told of a unit that is at hand."""
        assets = dict.fromkeys(item.asset for item in unit.objects if hasattr(item, "asset"))
        objects = tuple(item.drawn for item in unit.objects)
        drawn = None
        if any(one is not other for one, other in zip(objects, unit.objects, strict=True)):
            drawn = digest(dumps(unit.model_copy(update={"objects": objects}).model_dump(mode="json")))
        return cls(unit.id, unit.kind, unit.name, unit.width, unit.height, tuple(assets), len(unit.objects), drawn)

    @classmethod
    def parse(cls, body: bytes) -> Brief:
        """What is told of a unit from its canonical bytes. Raises Corrupt."""
        try:
            data = loads(body)
            surfaces, objects = data["surfaces"], data["objects"]
            return cls(
                data["id"],
                UnitKind(data["kind"]),
                data["name"],
                surfaces[-1]["x"] + surfaces[-1]["width"],
                max(surface["height"] for surface in surfaces),
                tuple(dict.fromkeys(item["asset"] for item in objects if "asset" in item)),
                len(objects),
                _drawn(data),
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise Corrupt("a stored page cannot be read") from error


_UNSEEN: Mapping[str, frozenset[str]] = {kind: frozenset(made.unseen) for kind, made in OBJECT_TYPES.items()}


def _drawn(data: dict[str, Any]) -> bytes | None:
    if not any(_UNSEEN[item["kind"]] & item.keys() for item in data["objects"]):
        return None
    objects = [
        {key: part for key, part in item.items() if key not in _UNSEEN[item["kind"]]} for item in data["objects"]
    ]
    return digest(dumps({**data, "objects": objects}))
