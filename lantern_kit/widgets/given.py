"""What a panel is given to show: anything else is named, with what to give instead."""

from __future__ import annotations

from typing import Any, TypeVar

from lantern_kit.kernel.errors import BadInput

T = TypeVar("T")

CHAPTER = "Give a chapter: ws.works()[0].chapter(1), say."
WORKSPACE = "Give the workspace: lk.open_workspace(…)."


def given(shown: Any, *kinds: type[T], expected: str, recovery: str) -> T:
    """What was given, if it is of one of the kinds; otherwise ``BadInput``."""
    if isinstance(shown, kinds):
        return shown
    raise BadInput("this shows something else", expected=expected, found=type(shown).__name__, recovery=recovery)
