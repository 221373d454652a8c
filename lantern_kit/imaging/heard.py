"""Bytes that are read or written piece by piece, and say so: how the codecs of Pillow report."""

from __future__ import annotations

import io
import time
from typing import Any

from lantern_kit.kernel.progress import PACE, Progress


class Heard(io.BytesIO):
    """Bytes in memory; at most at the kit's pace, whoever uses them reports, and can be stopped there."""

    def __init__(self, data: bytes, tell: Progress) -> None:
        super().__init__(data)
        self._tell = tell
        self._due = time.monotonic() + PACE
        self.raised: BaseException | None = None
        """What whoever was told raised: nothing of it is the codec's fault."""

    def read(self, size: int | None = -1, /) -> bytes:
        """As of any file."""
        self._report()
        return super().read(size)

    def write(self, data: Any, /) -> int:
        """As of any file."""
        self._report()
        return super().write(data)

    def _report(self) -> None:
        now = time.monotonic()
        if now < self._due:
            return
        try:
            self._tell("", 0, 0)
        except BaseException as error:
            self.raised = error
            raise
        self._due = now + PACE
