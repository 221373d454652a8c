"""Overlays: items of a plan laid over those that are there, by id (seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.ids import IdSource
from lantern_kit.novel.model import Record
from lantern_kit.novel.plan import Plan

T = TypeVar("T", bound=Record)


class Item(Protocol):
    """What all items of plans have."""

    @property
    def id(self) -> str | None:
        """Of one that is there."""

    @property
    def as_(self) -> str | None:
        """The author's name of a new one."""


def named(plan: Plan, ids: IdSource) -> dict[str, str]:
    """An id for each name that the author gave to a new item, under ``@name``. Raises BadInput for one given twice."""
    found: dict[str, str] = {}
    sent: set[str] = set()
    groups: Iterable[tuple[str, Sequence[Item]]] = [
        ("pn", plan.people),
        ("cp", plan.chapters),
        ("fs", plan.foreshadows),
        *(("sc", chapter.scenes) for chapter in plan.chapters),
    ]
    for prefix, items in groups:
        for item in items:
            if (item.id is None) == (item.as_ is None):
                raise BadInput(
                    "an item of a plan has an id, when it is there, or a name under as, when it is new",
                    found=item.id or item.as_ or "neither",
                    recovery='Send "id" of an item that the outline lists, or "as" with a name for a new one.',
                )
            if item.id is not None:
                if item.id in sent:
                    raise BadInput(f"{item.id[:40]} stands twice in this plan", expected="each item once")
                sent.add(item.id)
            if item.as_ is not None:
                if f"@{item.as_}" in found:
                    raise BadInput(f"as: {item.as_} names two items of this plan", expected="each name once")
                found[f"@{item.as_}"] = ids.new(prefix)
    return found


def own_id(item: Item, names: Mapping[str, str]) -> str:
    """The id of an item, given or new."""
    return item.id if item.id is not None else names[f"@{item.as_}"]


def people_of(given: Iterable[str], names: Mapping[str, str], known: Mapping[str, object]) -> tuple[str, ...]:
    """Ids of people who are referred to. Raises NotFound."""
    return tuple(ref(item, names, known, "person") for item in given)


def ref(given: str, names: Mapping[str, str], known: Mapping[str, object], what: str) -> str:
    """The id of what is referred to. Raises NotFound."""
    found = names.get(given, given)
    if found not in known:
        raise NotFound(
            f"{given[:60]} is no {what} of this outline",
            expected=[*known, *names][:20],
            ids=[given[:60]],
            recovery="Refer by an id that the outline lists, or by @name to an item of this plan.",
        )
    return found


def filled(old: T | None, item: Any, usual: Mapping[str, Any], needed: Sequence[str], what: str) -> dict[str, Any]:
    """The fields of an item over those that were there: one that is left out stays, one that is empty is cleared.

    Raises BadInput for a new one that lacks what it needs, and for one that would lose it.
    """
    given = {name: getattr(item, name) for name in usual}
    emptied = [name for name in needed if old is not None and given[name] is not None and not given[name]]
    if emptied:
        raise BadInput(
            f"a {what} cannot do without {', '.join(emptied)}",
            expected="something, or the key left out: then it stays",
            found="nothing",
        )
    missing = [name for name in needed if not given[name]] if old is None else []
    if missing:
        raise BadInput(f"a new {what} needs {', '.join(needed)}", expected=", ".join(missing), found="nothing")
    held = usual if old is None else {name: getattr(old, name) for name in usual}
    return {name: held[name] if value is None else value or usual[name] for name, value in given.items()}


def placed(order: list[str], name: str, after: str | None, first: int, *, fixed: Callable[[str], bool]) -> list[str]:
    """An order with one item put where it belongs.

    Args:
        after: the item before it; empty: first; None: where it is, or last.
        first: before this place nothing may be put.
        fixed: what may not be moved.

    Raises BadInput, NotFound.
    """
    if after is None:
        return order if name in order else [*order, name]
    if name in order and fixed(name):
        raise BadInput(f"{name} has prose, and stays where it is", ids=[name], recovery="Leave out after.")
    rest = [item for item in order if item != name]
    if after and after not in rest:
        raise NotFound(f"{after[:60]} is nothing to stand after", ids=[after[:60], name], expected=rest[:20])
    at = rest.index(after) + 1 if after else 0
    if at < first:
        raise BadInput(
            "nothing can be put before what has prose",
            expected=f"after {order[first - 1]}, or later",
            found=after or "first",
            ids=[name],
        )
    return [*rest[:at], name, *rest[at:]]
