"""What a person should be told about the analysis, though nothing failed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Notice:
    """One thing to know. Not a Python warning: faces show it where the person looks."""

    code: str
    """``in_memory``: another process holds the file, this is a copy. ``moved_aside``: the file was damaged or not the
    kit's. ``rebuilt``: it spoke of another journal, or another version of the kit wrote it."""
    message: str
    recovery: str = ""
    """What to do, if anything."""

    def __str__(self) -> str:
        return f"{self.message} {self.recovery}".strip()


Notify = Callable[[Notice], None]


def log(notice: Notice) -> None:
    """Tell through the logger ``lantern_kit.analysis``, which writes to standard error unless somebody set it up."""
    logging.getLogger("lantern_kit.analysis").warning("%s", notice)
