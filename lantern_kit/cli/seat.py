"""Where a command runs when it is no program of its own: in the process of a notebook, as a cell's magic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

_taken: ContextVar[Seat | None] = ContextVar("lantern_kit.cli.seat", default=None)


@dataclass(frozen=True)
class Seat:
    """What such a command finds there."""

    program: str
    """How people type the program there, ``%lantern``."""
    meant: Callable[[], Workspace | None]
    """The workspace that is meant where a command names none. May raise BadInput."""
    held: Callable[[Path], Workspace | None]
    """The workspace of a folder, where it is open there already: a command uses it, and leaves it open."""
    in_cell: bool = False
    """Whether what is printed goes into a notebook's cell, and questions to its front end."""


def seat() -> Seat | None:
    """The seat that is taken; None for a program of its own."""
    return _taken.get()


def in_cell() -> bool:
    """Whether a notebook's cell runs the command."""
    taken = _taken.get()
    return taken is not None and taken.in_cell


@contextmanager
def seated(taken: Seat) -> Iterator[None]:
    """Run what is in the block from that seat."""
    token = _taken.set(taken)
    try:
        yield
    finally:
        _taken.reset(token)
