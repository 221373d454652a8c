"""What is on its way into a PDF, kept in files of its own so that none of it has to stay in memory."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, BinaryIO

import pikepdf


class Spool:
    """A PDF without pages that holds streams, one after another.

    Args:
        file: an empty file, open for writing and reading.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._places: list[int] = []
        self._kept: list[int] = []
        file.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")

    def object(self, body: bytes) -> int:
        """Write an object; gives its number."""
        self._places.append(self._file.tell())
        self._file.write(b"%d 0 obj\n%s\nendobj\n" % (len(self._places), body))
        return len(self._places)

    def stream(self, entries: Mapping[str, Any], data: bytes) -> int:
        """Write a stream with its dictionary; gives its number. Values are PDF as it stands."""
        words = " ".join(f"/{key} {value}" for key, value in entries.items())
        return self.object(b"<< %s /Length %d >>\nstream\n%s\nendstream" % (words.encode(), len(data), data))

    def keep(self, number: int) -> None:
        """Hand out this object, after those before it."""
        self._kept.append(number)

    def __len__(self) -> int:
        return len(self._kept)

    def done(self) -> Any:
        """What was kept, in order, to be copied into another PDF; the file stays open as long as that is written."""
        kept = b" ".join(b"%d 0 R" % number for number in self._kept)
        pages = self.object(b"<< /Type /Pages /Kids [] /Count 0 >>")
        root = self.object(b"<< /Type /Catalog /Pages %d 0 R /Kept [%s] >>" % (pages, kept))
        start, count = self._file.tell(), len(self._places) + 1
        self._file.write(b"xref\n0 %d\n0000000000 65535 f \n" % count)
        for place in self._places:
            self._file.write(b"%010d 00000 n \n" % place)
        self._file.write(b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, root, start))
        self._file.flush()
        self._file.seek(0)
        self._pdf = pikepdf.open(self._file, attempt_recovery=False)
        return self._pdf.Root.Kept


class Leaves:
    """Pages that were drawn, each a small PDF of its own, one after another in a file.

    Args:
        file: an empty file, open for writing and reading.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._places: list[tuple[int, int]] = []

    def keep(self, data: bytes) -> None:
        """Add a PDF of one page."""
        self._places.append((self._file.tell(), len(data)))
        self._file.write(data)

    def bound(self) -> pikepdf.Pdf:
        """All pages in one PDF; the file stays open as long as that is written."""
        self._file.flush()
        made = pikepdf.new()
        for start, length in self._places:
            leaf = pikepdf.open(io.BufferedReader(_Window(self._file, start, length)), attempt_recovery=False)
            made.pages.append(leaf.pages[0])
        return made


class _Window(io.RawIOBase):
    """A part of a file as if it were one."""

    def __init__(self, file: BinaryIO, start: int, length: int) -> None:
        super().__init__()
        self._file, self._start, self._length, self._at = file, start, length, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._length}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        self._file.seek(self._start + self._at)
        data = self._file.read(max(0, min(len(buffer), self._length - self._at)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
