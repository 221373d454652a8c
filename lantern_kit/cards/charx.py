"""CHARX: a zip file with ``card.json`` and assets. Nothing of it is ever unpacked to a disk."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lantern_kit.cards.errors import (
    CardArchive,
    CardArchiveBomb,
    CardMissing,
    CardTooLarge,
    CardUnsafeMember,
)
from lantern_kit.cards.limits import CARD_TEXT, DIRECTORY, FILE, MEMBERS, RATIO, RATIO_FREE, UNPACKED
from lantern_kit.cards.text import Tell

CARD = "card.json"
SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error)
_END, _LOCATOR = b"PK\x05\x06", b"PK\x06\x07"
_END_WINDOW = 22 + (1 << 16)
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside an archive."""

    name: str
    size: int
    """Bytes, unpacked."""


def is_archive(data: bytes) -> bool:
    """Whether bytes are a zip file, be it behind a JPEG picture, as Risu writes them."""
    if data.startswith(SIGNATURES):
        return True
    return data.startswith(b"\xff\xd8\xff") and zipfile.is_zipfile(io.BytesIO(data))


def card_in(data: bytes, tell: Tell) -> bytes:
    """The JSON of the card in an archive.

    Raises:
        CardArchive: no sound zip file, or an encrypted one.
        CardArchiveBomb, CardUnsafeMember: by its list of members, before anything is unpacked.
        CardMissing: no ``card.json``. CardTooLarge: more than is read.
    """
    with _opened(data) as archive:
        infos = _checked(archive)
        if not data.startswith(SIGNATURES):
            tell("prefixed_archive", "The archive lies behind a picture, as Risu writes it.", "")
        _tell_of_members(infos, tell)
        found = next((one for one in infos if one.filename == CARD), None)
        if found is None:
            raise CardMissing("the archive holds no card.json", found=", ".join(one.filename for one in infos)[:200])
        return _content(archive, found, most=CARD_TEXT)


def members(data: bytes) -> tuple[Member, ...]:
    """What lies in an archive, directories left out. Raises as ``card_in``."""
    with _opened(data) as archive:
        return tuple(Member(one.filename, one.file_size) for one in _checked(archive) if not one.is_dir())


def member(data: bytes, name: str) -> bytes | None:
    """The bytes of one member; None where there is none of that name. Raises as ``card_in``."""
    with _opened(data) as archive:
        found = next((one for one in _checked(archive) if one.filename == name), None)
        return None if found is None else _content(archive, found, most=FILE)


def archive_of(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip file with these members, in order; the same members give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            info.create_system = 3
            archive.writestr(info, data)
    return out.getvalue()


@contextmanager
def _opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    if len(data) > FILE:
        raise CardTooLarge("the archive is too large", expected=f"at most {FILE:,} bytes", found=f"{len(data):,} bytes")
    _listed_briefly(data)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _BROKEN as error:
        raise CardArchive("the archive is broken", found=str(error)[:80]) from None
    with archive:
        yield archive


def _listed_briefly(data: bytes) -> None:
    """Refuse a list of members that would take long to read, by all that might be the end of the archive."""
    at = len(data)
    window = max(0, len(data) - _END_WINDOW)
    while (at := data.rfind(_END, window, at)) >= 0:
        size = int.from_bytes(data[at + 12 : at + 16], "little")
        if size > DIRECTORY or data[max(0, at - 20) : at].startswith(_LOCATOR):
            raise CardArchiveBomb("the archive has too many members", expected=f"a list of at most {DIRECTORY:,} bytes")


def _checked(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The list of members, once all of it is known to be harmless."""
    infos = archive.infolist()
    if len(infos) > MEMBERS:
        raise CardArchiveBomb("the archive has too many members", expected=f"at most {MEMBERS:,}", found=len(infos))
    for one in infos:
        shown = one.filename[:80]
        if not _is_safe(one):
            raise CardUnsafeMember("the archive has a member that would land outside of it, or is a link", found=shown)
        if one.flag_bits & 0x1:
            raise CardArchive("the archive is encrypted", found=shown)
        if one.file_size > RATIO_FREE and one.file_size > RATIO * max(1, one.compress_size):
            raise CardArchiveBomb(
                "a member of the archive unpacks to far more than it should",
                expected=f"at most {RATIO} times its size",
                found=f"{shown}: {one.compress_size:,} to {one.file_size:,} bytes",
            )
    total = sum(one.file_size for one in infos)
    if total > UNPACKED:
        raise CardArchiveBomb(
            "the archive unpacks to too much", expected=f"at most {UNPACKED:,} bytes", found=f"{total:,} bytes"
        )
    return infos


def _is_safe(one: zipfile.ZipInfo) -> bool:
    name, mode = one.orig_filename, one.external_attr >> 16
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return False
    if not name or "\0" in name or "\\" in name or name.startswith("/") or ":" in name.partition("/")[0]:
        return False
    return ".." not in name.split("/")


def _tell_of_members(infos: list[zipfile.ZipInfo], tell: Tell) -> None:
    seen: set[str] = set()
    for one in infos:
        if one.filename in seen:
            tell("duplicate_member", "Two members have one name; the first one counts.", one.filename[:80])
        seen.add(one.filename)
        if one.filename.lower().endswith((".zip", ".charx")):
            tell("nested_archive", "An archive lies in the archive; it is kept, and never opened.", one.filename[:80])


def _content(archive: zipfile.ZipFile, one: zipfile.ZipInfo, *, most: int) -> bytes:
    if one.file_size > most:
        raise CardTooLarge(
            f"{one.filename[:80]} is too large", expected=f"at most {most:,} bytes", found=f"{one.file_size:,} bytes"
        )
    try:
        with archive.open(one) as stream:
            data = stream.read(most + 1)
            stream.read(1)  # past the end, the checksum is compared
    except _BROKEN as error:
        raise CardArchive(f"{one.filename[:80]} cannot be unpacked", found=str(error)[:80]) from None
    return data
