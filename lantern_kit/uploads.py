"""Files that come in parts: kept aside without a name until the last part is there, or nobody sends on.

Nothing of an upload is in the workspace before its picture is registered. Its bytes lie in a file that has no name, so
a process that ends, however, leaves nothing behind.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO

from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.errors import BadInput, Busy, NotFound, WorkspaceProblem, WrongState
from lantern_kit.kernel.ids import IdSource

OPEN = 8
"""Uploads that are kept at a time."""
EACH = 4
"""Of one sender."""
PATIENCE = 15 * 60_000
"""Milliseconds without a part after which an upload is given up."""


@dataclass(frozen=True)
class Received:
    """What came of a part."""

    upload: str
    received: int
    data: bytes | None = field(default=None, repr=False)
    """All bytes, once they are there."""


@dataclass
class _Upload:
    sender: str
    whole: int
    file: IO[bytes]
    touched: int
    received: int = 0

    def at(self, offset: int, size: int) -> bytes:
        self.file.seek(offset)
        return self.file.read(size)


class Uploads:
    """Uploads that are under way.

    Args:
        folder: a folder on the disk where their bytes may lie.
        clock: the time.
        ids: names for them.
        largest: bytes a whole file may have.
    """

    def __init__(self, folder: Path, clock: Clock, ids: IdSource, *, largest: int) -> None:
        self._folder = folder
        self._clock = clock
        self._ids = ids
        self._largest = largest
        self._lock = Lock()
        self._open: dict[str, _Upload] = {}

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, sender: str, whole: int, data: bytes) -> Received:
        """Take the first part of a file of ``whole`` bytes.

        Raises:
            BadInput: the file is too large, or the part is larger than the file, or empty.
            Busy: too many uploads are under way.
        """
        if not 0 < whole <= self._largest:
            raise BadInput(
                "a file of that size is not taken", expected=f"1 to {self._largest} bytes", found=f"{whole} bytes"
            )
        with self._lock:
            self._give_up()
            self._make_room(sender)
            try:
                file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  it is closed when it is dropped
            except OSError as error:
                raise _full(error) from None
            name = self._ids.new("up")
            self._open[name] = _Upload(sender, whole, file, self._clock.now())
            try:
                return self._take(name, 0, data)
            except BaseException:
                self._drop(name)
                raise

    def go_on(self, sender: str, upload: str, offset: int, data: bytes) -> Received:
        """Take the part that begins at a byte. One that was sent before gives the same answer again.

        Raises:
            NotFound: there is no such upload of that sender, or no more.
            WrongState: the part does not begin where the last one ended; ``details["received"]`` says where that is.
            BadInput: it is empty, or goes past the file's end.
        """
        with self._lock:
            self._give_up()
            held = self._open.get(upload)
            if held is None or held.sender != sender:
                raise NotFound(
                    f"{upload[:40]} is not an upload that is under way",
                    ids=[upload[:40]],
                    recovery="Send the file again from its first part, with new idempotency keys.",
                )
            held.touched = self._clock.now()
            return self._take(upload, offset, data)

    def drop(self, upload: str) -> None:
        """Give one up; one that is not there is passed over."""
        with self._lock:
            self._drop(upload)

    def close(self) -> None:
        """Give all up."""
        with self._lock:
            for name in list(self._open):
                self._drop(name)

    # parts

    def _take(self, name: str, offset: int, data: bytes) -> Received:
        held = self._open[name]
        end = offset + len(data)
        if not data or end > held.whole:
            raise BadInput(
                "a part goes past the file's end" if data else "a part is empty",
                expected=f"1 to {held.whole - offset} bytes from {offset} on",
                found=f"{len(data)} bytes",
            )
        if end <= held.received:
            if held.at(offset, len(data)) != data:
                raise WrongState(
                    "other bytes were sent for that place before",
                    ids=[name],
                    recovery="Send the file again from its first part, with new idempotency keys.",
                    details={"received": held.received},
                )
        elif offset != held.received:
            raise WrongState(
                "a part does not begin where the last one ended",
                expected=f"offset {held.received}",
                found=f"offset {offset}",
                ids=[name],
                recovery="Send on from the byte after those that were received.",
                details={"received": held.received},
            )
        else:
            self._write(held, data)
        return Received(name, held.received, held.at(0, held.whole) if held.received == held.whole else None)

    def _write(self, held: _Upload, data: bytes) -> None:
        try:
            held.file.seek(held.received)
            held.file.write(data)
            held.file.flush()
        except OSError as error:
            raise _full(error) from None
        held.received += len(data)

    def _give_up(self) -> None:
        """Drop those whose senders have not been heard of for long."""
        now = self._clock.now()
        for name in [name for name, held in self._open.items() if now - held.touched > PATIENCE]:
            self._drop(name)

    def _make_room(self, sender: str) -> None:
        """Drop complete ones, oldest first, until there is room for one more. Raises Busy."""
        while len(self._open) >= OPEN or sum(held.sender == sender for held in self._open.values()) >= EACH:
            done = next(self._complete(sender if len(self._open) < OPEN else None), None)
            if done is None:
                raise Busy(
                    "too many uploads are under way",
                    expected=f"at most {EACH} of one sender, {OPEN} in all",
                    recovery=f"Finish one first; those without a part for {PATIENCE // 60_000} minutes are given up.",
                )
            self._drop(done)

    def _complete(self, sender: str | None) -> Iterator[str]:
        """Names of complete uploads, of one sender or of all, oldest first."""
        return (
            name for name, held in self._open.items() if held.received == held.whole and sender in {None, held.sender}
        )

    def _drop(self, name: str) -> None:
        held = self._open.pop(name, None)
        if held is not None:
            held.file.close()


def _full(error: OSError) -> WorkspaceProblem:
    return WorkspaceProblem(
        f"a part of a file cannot be kept: {os.strerror(error.errno) if error.errno else 'the disk failed'}",
        recovery="Check the disk, then send the part again.",
    )
