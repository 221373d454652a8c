"""Balloons that are joined: one speaker, several breaths, one outline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lantern_kit.comic.model import Balloon, BalloonShape


@dataclass(frozen=True, slots=True)
class Group:
    """Balloons with one outline in common."""

    root: Balloon
    """The one that is joined to no other: its fill and stroke are those of all."""
    members: tuple[Balloon, ...]
    """All of them, as they are drawn from the bottom up."""

    @property
    def links(self) -> tuple[tuple[Balloon, Balloon], ...]:
        """Who is joined to whom."""
        by_id = {member.id: member for member in self.members}
        return tuple(
            (member, by_id[member.joined])
            for member in self.members
            if member is not self.root and member.joined is not None
        )


def groups(balloons: Iterable[Balloon]) -> tuple[Group, ...]:
    """Those of a unit's balloons that are joined, in the order of their lowest members.

    A balloon that names one that is not there, itself, or one that in the end names it again, is not joined by that;
    words without a body join nothing.

    Args:
        balloons: all of a unit, as they are drawn from the bottom up.
    """
    there = {item.id: item for item in balloons if item.shape is not BalloonShape.NONE}
    roots = {name: _root(there, name) for name in there}
    found: dict[str, list[Balloon]] = {}
    for name, item in there.items():
        found.setdefault(roots[name], []).append(item)
    return tuple(Group(there[root], tuple(members)) for root, members in found.items() if len(members) > 1)


def _root(there: Mapping[str, Balloon], name: str) -> str:
    """The end of the chain that a balloon begins; the first of a ring is the end where the chain runs into one."""
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        after = there[name].joined
        if after is None or after not in there:
            return name
        name = after
    return name
