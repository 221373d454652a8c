"""Whole files or none: written beside the target, synced, then put in its place."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EISDIR
from io import BufferedRandom
from pathlib import Path

from lantern_kit.kernel.blobs import sync_folder
from lantern_kit.kernel.errors import BadInput

Write = Callable[[str, bytes], None]
"""Takes a file's name and its bytes."""


@contextmanager
def replacing(path: Path) -> Iterator[BufferedRandom]:
    """A file to write to, which becomes ``path`` when the block ends without an error; otherwise nothing changes.

    The bytes, and the name, are on the disk when this returns. An older file of that name is replaced in one step.

    Raises:
        BadInput: the file could not be written there (no such folder, not allowed, no space …).
    """
    beside = _beside(path)
    with _translated(path.name):
        try:
            with beside.open("xb+") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
            sync_folder(path.parent)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def replacing_all(folder: Path) -> Iterator[Write]:
    """A way to write files that come into a folder together, when the block ends without an error; otherwise none does.

    Raises:
        BadInput: a file could not be written there.
    """
    waiting: list[tuple[Path, Path]] = []

    def write(name: str, data: bytes) -> None:
        path = folder / name
        with _translated(name):
            if path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            waiting.append((_beside(path), path))
            with waiting[-1][0].open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())

    try:
        yield write
        for beside, path in waiting:
            with _translated(path.name):
                beside.replace(path)
        sync_folder(folder)
    finally:
        for beside, _ in waiting:
            beside.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{secrets.token_hex(8)}.part")


@contextmanager
def _translated(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise BadInput(
            f"{name} could not be written: {problem.strerror or type(problem).__name__}",
            recovery="Name a file in a folder that exists, may be written to and has space left.",
        ) from problem
