"""Whole files or none: written beside the target, synced, then put in its place."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedRandom
from pathlib import Path

from lantern_kit.kernel.blobs import sync_folder
from lantern_kit.kernel.errors import BadInput


@contextmanager
def replacing(path: Path) -> Iterator[BufferedRandom]:
    """A file to write to, which becomes ``path`` when the block ends without an error; otherwise nothing changes.

    The bytes, and the name, are on the disk when this returns. An older file of that name is replaced in one step.

    Raises:
        BadInput: the file could not be written there (no such folder, not allowed, no space …).
    """
    beside = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        try:
            with beside.open("xb+") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
            sync_folder(path.parent)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as problem:
        raise BadInput(
            f"{path.name} could not be written: {problem.strerror or type(problem).__name__}",
            recovery="Name a file in a folder that exists, may be written to and has space left.",
        ) from problem
