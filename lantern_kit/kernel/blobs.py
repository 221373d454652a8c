"""Blobs: bytes named by their SHA-256, never overwritten, durable before anything may name them."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.errors import Corrupt, NotFound, WorkspaceProblem

LEFT_SECONDS = 3_600
_NAME = re.compile(r"[0-9a-f]{64}")


class BlobStore(Protocol):
    """Where blobs lie."""

    def put(self, data: bytes) -> bytes:
        """Keep bytes durably and give their hash; keeping the same bytes again is free."""
        ...

    def get(self, name: bytes) -> bytes:
        """The bytes. Raises NotFound, or Corrupt when they are not what the name says."""
        ...

    def has(self, name: bytes) -> bool:
        """Whether bytes of that name are kept."""
        ...

    def names(self) -> Iterator[bytes]:
        """All names, sorted."""
        ...


class FolderBlobs:
    """Blobs as files: ``ab/ab12…`` under one folder. Written in ``.aside``, synced, renamed, and the folder synced."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, name: bytes) -> Path:
        word = name.hex()
        return self.folder / word[:2] / word

    def put(self, data: bytes) -> bytes:
        """Keep bytes durably and give their hash. Raises WorkspaceProblem when the disk does not take them."""
        name = digest(data)
        path = self._path(name)
        try:
            if not path.is_file() or path.read_bytes() != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._write(path, data)
            # Also when the file was there: whoever put it may not have come to this yet.
            sync_folder(path.parent)
            sync_folder(self.folder)
        except OSError as error:
            raise WorkspaceProblem(
                f"the blob cannot be kept: {error.strerror}",
                ids=[name.hex()],
                recovery="Check the disk and the folder's permissions, then try again.",
            ) from error
        return name

    def get(self, name: bytes) -> bytes:
        """The bytes of a name. Raises NotFound or Corrupt."""
        try:
            data = self._path(name).read_bytes()
        except FileNotFoundError as error:
            raise NotFound(
                "a blob is missing from the workspace",
                ids=[name.hex()],
                recovery="Run lantern verify; restore the blobs folder from a backup.",
            ) from error
        except OSError as error:
            raise Corrupt(f"a blob cannot be read: {error.strerror}", ids=[name.hex()]) from error
        if digest(data) != name:
            raise Corrupt("a blob does not match its hash", ids=[name.hex()])
        return data

    def has(self, name: bytes) -> bool:
        """Whether a file of that name is there."""
        return self._path(name).exists()

    def names(self) -> Iterator[bytes]:
        """All names, sorted; files that are not blobs are passed over."""
        for path in sorted(self.folder.glob("??/*")):
            if _NAME.fullmatch(path.name):
                yield bytes.fromhex(path.name)

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file so that it is there as a whole or not at all."""
        folder = self.folder / ".aside"
        folder.mkdir(exist_ok=True)
        self._sweep(folder)
        aside = folder / f"{path.name[:16]}-{secrets.token_hex(6)}"
        try:
            with aside.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        finally:
            aside.unlink(missing_ok=True)

    def _sweep(self, folder: Path) -> None:
        """Take away what killed processes left half written."""
        for left in folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another process sweeps too, or has just renamed it
                if time.time() - left.stat().st_mtime > LEFT_SECONDS:
                    left.unlink()


def sync_folder(folder: Path) -> None:
    """Make renames inside a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
