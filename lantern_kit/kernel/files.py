"""Whole files or none: written beside the target, synced, then put in its place."""

from __future__ import annotations

import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from io import BufferedRandom
from pathlib import Path

from lantern_kit.kernel.blobs import sync_folder
from lantern_kit.kernel.errors import BadInput, PathRefused

_PART = re.compile(r"\.[0-9a-f]{16}\.part")
JOURNAL, BLOBS = "journal.sqlite", "blobs"
"""What of a workspace's folder nothing else can be made from."""
DEVICES, PROCESSES = Path("/dev"), Path("/proc")
"""Where links such as ``/dev/stdout`` lie, which may lead to plain files."""
STALE = 24 * 3600
"""Seconds after which a file that was being written, and was not written to since, is nobody's any more."""


def sweep(folder: Path) -> None:
    """Take away what writers left behind that were killed: hidden files of our own naming, untouched for a day.

    What cannot be taken away stays; it is in nobody's way.
    """
    oldest = time.time() - STALE
    for item in folder.glob(".*.part"):
        if _PART.fullmatch(item.name):
            with suppress(OSError):
                if item.is_file() and item.stat().st_mtime < oldest:
                    item.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8, with line ends as they are; an older one is replaced in one step. Raises BadInput."""
    with replacing(path) as file:
        file.write(text.encode())


@contextmanager
def replacing(path: Path) -> Iterator[BufferedRandom]:
    """A file to write to, which becomes ``path`` when the block ends without an error; otherwise nothing changes.

    The bytes, and the name, are on the disk when this returns. An older file of that name is replaced in one step.

    Raises:
        BadInput: the file could not be written there (no such folder, not allowed, no space …).
    """
    with translated(path.name), beside(path) as made:
        _require_replaceable(path)
        with made.open("xb+") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
        sync_folder(path.parent)


class Batch:
    """Files that come into a folder together."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[tuple[Path, Path]] = []

    def __call__(self, name: str, data: bytes) -> None:
        """Write a file. Raises BadInput."""
        with self.open(name) as file:
            file.write(data)

    @contextmanager
    def open(self, name: str) -> Iterator[BufferedRandom]:
        """A file to write to, piece by piece. Raises BadInput."""
        path = self._folder / name
        with translated(name):
            _require_replaceable(path)
            self._waiting.append((_beside(path), path))
            with self._waiting[-1][0].open("xb+") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())

    def take_places(self) -> None:
        """Put all of them where they belong. Raises BadInput."""
        for made, path in self._waiting:
            with translated(path.name):
                made.replace(path)
        sync_folder(self._folder)

    def clear(self) -> None:
        """Take away what did not come to its place."""
        for made, _ in self._waiting:
            made.unlink(missing_ok=True)


@contextmanager
def replacing_all(folder: Path) -> Iterator[Batch]:
    """A way to write files that come into a folder together, when the block ends without an error; otherwise none does.

    Raises:
        BadInput: a file could not be written there.
    """
    batch = Batch(folder)
    try:
        yield batch
        batch.take_places()
    finally:
        batch.clear()


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """The path of a hidden file next to another one; whatever is there when the block ends is removed."""
    made = _beside(path)
    try:
        yield made
    finally:
        made.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{secrets.token_hex(8)}.part")


def _require_replaceable(path: Path) -> None:
    """Refuse what is no plain file, and what a workspace lives by. Raises BadInput, IsADirectoryError."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    folder = Path(os.path.realpath(path.parent))
    if (path.exists() and not path.is_file()) or folder == DEVICES or folder.is_relative_to(PROCESSES):
        raise BadInput(f"{path.name} is a device or a pipe", expected="a file", recovery="Name another file.")
    beside_it = path.name.casefold().startswith(JOURNAL) and (folder / JOURNAL).exists()
    if beside_it or any(it.name == BLOBS and (it.parent / JOURNAL).exists() for it in (folder, *folder.parents)):
        raise BadInput(
            f"{path.name} belongs to a workspace, which would be lost",
            expected="a file that no workspace lives by",
            recovery="Name another file.",
        )


def is_own(path: Path) -> bool:
    """Whether a plain file lies there that has no second name: whoever writes to it writes to nobody else's."""
    try:
        facts = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISREG(facts.st_mode) and facts.st_nlink == 1


def require_unlinked(*folders: Path) -> None:
    """Refuse folders that are links: what is written, or taken away, in them lies elsewhere. Raises PathRefused."""
    for folder in folders:
        if folder.is_symlink():
            raise PathRefused(
                f"{folder.name} is a link to another folder",
                expected="a folder of the workspace's own",
                recovery="Put a folder in the link's place, or take the link away: what belongs there is made again.",
            )


@contextmanager
def translated(name: str) -> Iterator[None]:
    """What the operating system refuses is said as BadInput, by the name of the file that is meant."""
    try:
        yield
    except OSError as problem:
        raise BadInput(
            f"{name} could not be written: {problem.strerror or type(problem).__name__}",
            recovery="Name a file in a folder that exists, may be written to and has space left.",
        ) from problem
