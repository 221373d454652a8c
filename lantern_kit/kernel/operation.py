"""Operations: registered pure functions from a document to a document, with a model for their arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from lantern_kit.kernel.errors import UnknownOperation, nearest


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
    """A registry of operations: a dict and a decorator. A duplicate name raises."""

    def __init__(self) -> None:
        self._items: dict[str, Operation] = {}

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
            close = nearest(name, self._items)
            hint = f"nearest: {', '.join(close)}; " if close else ""
            raise UnknownOperation(f"{name} is not an operation", recovery=f"{hint}describe lists all")
        return found
