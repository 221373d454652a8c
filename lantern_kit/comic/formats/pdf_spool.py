"""A PDF written object by object as its pages come, so that a book takes the memory of one page.

What is written is a plain PDF that only lacks its finish; pikepdf opens it, and copies what is large in it from file to
file. (Copies from one open PDF to another go through memory.)
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, BinaryIO

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream


class Spool:
    """The objects of a PDF, one after another in a file.

    Args:
        file: an empty file, open for writing and reading.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._places: list[int] = []
        self._pages: list[int] = []
        self._pictures: dict[int, int] = {}
        file.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        self._tree = self.reserve()

    def reserve(self) -> int:
        """The number of an object that is to be written yet."""
        self._places.append(0)
        return len(self._places)

    def put(self, number: int, body: bytes) -> None:
        """Write an object."""
        self._places[number - 1] = self._file.tell()
        self._file.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))

    def stream(self, entries: Mapping[str, Any], data: bytes, number: int | None = None) -> int:
        """Write a stream with its dictionary, whose values are PDF as it stands; gives its number."""
        number = number or self.reserve()
        words = " ".join(f"/{key} {value}" for key, value in entries.items()).encode("latin-1")
        self.put(number, b"<< %s /Length %d >>\nstream\n%s\nendstream" % (words, len(data), data))
        return number

    def picture(self, point: int) -> int:
        """The object that is to be the picture for which a point was drawn."""
        if point not in self._pictures:
            self._pictures[point] = self.reserve()
        return self._pictures[point]

    def page(self, data: bytes) -> None:
        """Add the page of a PDF that has one, with the pictures where their points stand."""
        with pikepdf.open(io.BytesIO(data), attempt_recovery=False) as leaf:
            page = leaf.pages[0].obj
            copy = _Copy(self)
            number = self.reserve()
            held = {key: value for key, value in page.items() if key not in ("/Parent", "/StructParents", "/Tabs")}
            body = b" ".join(b"%s %s" % (key.encode(), copy.written(value)) for key, value in held.items())
            self.put(number, b"<< /Parent %d 0 R %s >>" % (self._tree, body))
            copy.finish()
            self._pages.append(number)

    def done(self) -> pikepdf.Pdf:
        """The PDF; the file stays open as long as that is in use."""
        kids = b" ".join(b"%d 0 R" % number for number in self._pages)
        self.put(self._tree, b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(self._pages), kids))
        root = self.reserve()
        self.put(root, b"<< /Type /Catalog /Pages %d 0 R >>" % self._tree)
        start, count = self._file.tell(), len(self._places) + 1
        self._file.write(b"xref\n0 %d\n0000000000 65535 f \n" % count)
        for place in self._places:
            self._file.write(b"%010d 00000 n \n" % place)
        self._file.write(b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, root, start))
        self._file.flush()
        self._file.seek(0)
        return pikepdf.open(self._file, attempt_recovery=False)


class _Copy:
    """Objects of another PDF on their way into a spool, under new numbers."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._numbers: dict[tuple[int, int], int] = {}
        self._waiting: list[tuple[int, Any]] = []

    def written(self, value: Any) -> bytes:
        """A value as PDF."""
        if isinstance(value, pikepdf.Object) and value.is_indirect:
            return b"%d 0 R" % self._number(value)
        return self._direct(value)

    def finish(self) -> None:
        """Write all that was referred to, and what that refers to."""
        while self._waiting:
            number, value = self._waiting.pop()
            if isinstance(value, Stream):
                held = {key[1:]: item for key, item in value.items() if key != "/Length"}
                entries = {key: self.written(item).decode("latin-1") for key, item in held.items()}
                self._spool.stream(entries, value.read_raw_bytes(), number)
            else:
                self._spool.put(number, self._direct(value))

    def _number(self, value: Any) -> int:
        number = self._numbers.get(value.objgen)
        if number is None:
            if isinstance(value, Stream) and value.get("/Subtype") == Name.Image and value.get("/Width") == 1:
                number = self._spool.picture(int.from_bytes(value.read_bytes()[:3]))
            else:
                number = self._spool.reserve()
                self._waiting.append((number, value))
            self._numbers[value.objgen] = number
        return number

    def _direct(self, value: Any) -> bytes:
        if isinstance(value, Dictionary):
            return b"<< %s >>" % b" ".join(b"%s %s" % (key.encode(), self.written(item)) for key, item in value.items())
        if isinstance(value, Array):
            return b"[%s]" % b" ".join(self.written(item) for item in value)
        if isinstance(value, pikepdf.Object):
            return value.unparse()
        if isinstance(value, bool):
            return b"true" if value else b"false"
        if isinstance(value, int | Decimal):
            return format(value, "f" if isinstance(value, Decimal) else "d").encode()
        return b"null"
