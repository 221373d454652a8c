"""The line under a notebook's cell that says how far a long action is, for as long as that takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lantern_kit.kernel.progress import Progress, quiet, use, used
from lantern_kit.widgets.jobs.cell import in_cell, in_kernel
from lantern_kit.widgets.progress_words import Two, bar, figures, lasted, line, spoken

PATIENCE = 1.0
"""Seconds that an action may take before anything is shown of it."""
PACE = 0.2
"""Seconds between two states of the line."""
_STOP = Two("interrupt the kernel (■) to stop", "中断内核（■）即可停止")


def show_progress() -> None:
    """From now on show long actions of this kernel's cells by a line, unless something shows them already.

    Outside of a notebook nothing changes.
    """
    if in_kernel() and used() is None:
        use(progress_line)


def hide_progress() -> None:
    """Show them no more."""
    if used() is progress_line:
        use(None)


@contextmanager
def progress_line(doing: str) -> Iterator[Progress]:
    """Show one action: nothing for a second, then a line, and nothing again at its end."""
    if not in_cell():
        yield quiet
        return
    shown = _Line(doing)
    try:
        yield shown.tell
    finally:
        shown.remove()


class _Line:
    """The line of one action."""

    def __init__(self, doing: str) -> None:
        self._doing = doing or "Working"
        self._began = time.monotonic()
        self._due = self._began + PATIENCE
        self._handle: Any = None

    def tell(self, what: str, done: int, total: int) -> None:
        """Show how far it is, when it is time for that."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + PACE
        took = lasted(now - self._began)
        words = line(spoken(self._doing), spoken(what), figures(done, total), took, _STOP)
        self._show({"text/plain": words.en, "text/html": bar(words, done, total)})

    def remove(self) -> None:
        """Leave nothing of it."""
        if self._handle is not None:
            self._show({})

    def _show(self, bundle: dict[str, str]) -> None:
        from IPython.display import DisplayHandle

        if self._handle is None:
            self._handle = DisplayHandle()  # type: ignore[no-untyped-call]
            self._handle.display(bundle, raw=True)
        else:
            self._handle.update(bundle, raw=True)
