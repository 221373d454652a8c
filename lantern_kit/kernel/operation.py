"""Operations: registered pure functions from a document to a document, with a model for their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from lantern_kit.kernel.errors import UnknownOperation, nearest

LONGEST = 200
"""Characters of a name that are looked at."""


@dataclass(frozen=True)
class Operation:
    """One verb of a document kind."""

    name: str
    """``noun.verb``, as callers say it."""
    summary: str
    """One line for people and agents: the first line of the function's docstring."""
    target: tuple[str, ...]
    """Kinds of object it applies to."""
    args: type[BaseModel]
    """Model of its arguments; unknown keys are refused."""
    order: tuple[str, ...]
    """Kinds of parent among whose children it adds, removes or moves: their order must be the one the caller saw."""
    run: Callable[..., Any]
    """``(document, target, args, context) -> outcome``."""


class Operations:
    """A registry of operations: a dict and a decorator. A duplicate name raises.

    Args:
        words: what callers also call a noun, a verb or the two together, and what that is called here; for suggestions
            only.
    """

    def __init__(self, words: Mapping[str, str] | None = None) -> None:
        self._items: dict[str, Operation] = {}
        self._words = dict(words or {})

    def operation(
        self, name: str, *, target: tuple[str, ...], args: type[BaseModel], order: tuple[str, ...] = ()
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register the decorated function under ``name``."""

        def register(run: Callable[..., Any]) -> Callable[..., Any]:
            if name in self._items:
                raise ValueError(f"operation {name} is registered twice")
            summary = (inspect.getdoc(run) or "").split("\n")[0]
            if not summary:
                raise ValueError(f"operation {name} has no docstring")
            self._items[name] = Operation(name, summary, target, args, order, run)
            return run

        return register

    def __iter__(self) -> Iterator[Operation]:
        return iter(sorted(self._items.values(), key=lambda item: item.name))

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def get(self, name: str) -> Operation:
        """The operation of that name. Raises UnknownOperation, naming the nearest."""
        found = self._items.get(name)
        if found is None:
            close = self._near(name)
            hint = f"nearest: {', '.join(close)}; " if close else ""
            raise UnknownOperation(
                f"{name[:60]} is not an operation", recovery=f"{hint}describe lists all, edit.describe() in Python"
            )
        return found

    def _near(self, name: str) -> list[str]:
        """The operations that were probably meant: by other words for the same first, then by spelling."""
        name = name[:LONGEST]
        meant = ".".join(self._words.get(word, word) for word in name.lower().split("."))
        meant = self._words.get(meant, meant)
        if meant in self._items:
            return [meant]
        noun, _, verb = meant.partition(".")
        alike = {item.name.partition(".")[2]: item.name for item in self if item.name.startswith(f"{noun}.")}
        if meant != name and alike:
            return [alike[found] for found in nearest(verb, alike)] or list(alike.values())
        return nearest(name, self._items)
