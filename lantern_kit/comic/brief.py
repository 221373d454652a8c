"""Briefs: what a list of units tells of each, read without its objects."""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.comic.model import Unit, UnitKind
from lantern_kit.kernel.canonical import loads
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

    @classmethod
    def of(cls, unit: Unit) -> Brief:
        """What is told of a unit that is at hand."""
        assets = dict.fromkeys(item.asset for item in unit.objects if hasattr(item, "asset"))
        return cls(unit.id, unit.kind, unit.name, unit.width, unit.height, tuple(assets), len(unit.objects))

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
            )
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise Corrupt("a stored page cannot be read") from error
