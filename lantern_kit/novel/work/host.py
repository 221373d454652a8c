"""What novels need of the workspace they belong to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from lantern_kit.kernel.actor import Actor
    from lantern_kit.kernel.ids import IdSource
    from lantern_kit.novel.service import NovelService


class Host(Protocol):
    """A workspace, as its novels see it."""

    path: Path
    ids: IdSource
    novel_service: NovelService

    @property
    def owner(self) -> Actor:
        """Who acts when nobody else is named."""
        ...


def clipped(text: str, most: int = 80) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
