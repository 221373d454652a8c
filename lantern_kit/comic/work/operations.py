"""The operations of an edit and their arguments, as people look them up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.operation import Operation
from lantern_kit.kernel.schema import flat_schema
from lantern_kit.listed import Listed


class Argument(NamedTuple):
    """One argument of an operation."""

    name: str
    values: str
    """What it takes: kinds of values, with their limits."""
    needed: bool
    description: str


class Operations(Listed[Operation]):
    """Every operation, by name."""

    heads = ("operation", "on", "does")
    key = "name"

    def __init__(self) -> None:
        super().__init__(OPERATIONS)

    def row(self, item: Operation) -> tuple[str, ...]:
        """Name, what it is applied to, and what it does."""
        return (item.name, ", ".join(item.target), item.summary)


class Arguments(Listed[Argument]):
    """The arguments of one operation. Raises UnknownOperation."""

    heads = ("argument", "takes", "", "what it is")
    empty = "it takes no arguments"
    key = "name"

    def __init__(self, operation: str) -> None:
        super().__init__(_arguments(OPERATIONS.get(operation)))

    def row(self, item: Argument) -> tuple[str, ...]:
        """Name, values, whether it is needed, and what it is."""
        return (item.name, item.values, "needed" if item.needed else "", item.description)


def _arguments(operation: Operation) -> Iterator[Argument]:
    schema = flat_schema(operation.args)
    for name, facts in schema.get("properties", {}).items():
        yield Argument(name, _values(facts), name in schema.get("required", ()), facts.get("description", ""))


def _values(facts: dict[str, Any]) -> str:
    """The kinds of values in words."""
    several = facts.get("anyOf") or facts.get("oneOf")
    if several:
        return " or ".join(dict.fromkeys(filter(None, map(_values, several))))
    if "enum" in facts:
        return ", ".join(map(str, facts["enum"]))
    kind = facts.get("type", "")
    if isinstance(kind, list):
        return " or ".join(word for word in map(_kind, kind) if word)
    if kind == "object":
        keys = ", ".join(facts.get("properties", {}))
        return f"keys {keys}" if keys else "keys"
    low, high = facts.get("minimum"), facts.get("maximum")
    limits = f" {low:g} … {high:g}" if low is not None and high is not None else ""
    return _kind(kind) + limits


def _kind(kind: str) -> str:
    names = {"number": "a number", "integer": "a whole number", "string": "text", "boolean": "true or false"}
    return names.get(kind, {"array": "a list", "null": ""}.get(kind, kind))
