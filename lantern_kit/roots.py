"""Folders from which files may be read on somebody's behalf: what lies in them, and nothing that lies elsewhere."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from lantern_kit.imaging.sniff import SUFFIXES
from lantern_kit.kernel.errors import BadInput, NotFound, PathRefused, nearest

LOOKED_AT = 5_000
"""Files and folders of each root that a list looks at."""
DEEP = 4
"""Folders below a root that a list goes down."""
NAMED = 5
"""Files that an error names."""
_PICTURES = frozenset(suffix for known in SUFFIXES.values() for suffix in known)


@dataclass(frozen=True)
class Found:
    """A picture file under an allowed folder."""

    name: str
    """As ``read_allowed`` takes it: the allowed folder's own name, then the way in it, ``inbox/cat.jpg``."""
    path: str
    """Its real place, with all links followed."""
    bytes: int
    modified: int
    """Nanoseconds since 1970."""


def pictures(roots: Sequence[Path]) -> Iterator[Found]:
    """The picture files under allowed folders, by name; hidden ones, and links that lead out, are passed over."""
    allowed = [os.path.realpath(root) for root in roots]
    for root in roots:
        waiting = [(Path(os.path.realpath(root)), PurePath(root.name), 0)]
        left = LOOKED_AT
        while waiting and left > 0:
            folder, name, depth = waiting.pop(0)
            for entry in _entries(folder, left):
                left -= 1
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEEP:
                        waiting.append((folder / entry.name, name / entry.name, depth + 1))
                elif (found := _picture(entry, name, allowed)) is not None:
                    yield found


def _entries(folder: Path, most: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as inside:
            entries = [entry for entry, _ in zip(inside, range(most), strict=False) if not entry.name.startswith(".")]
    except OSError:
        return []
    return sorted(entries, key=lambda entry: entry.name)


def _picture(entry: os.DirEntry[str], folder: PurePath, allowed: Sequence[str]) -> Found | None:
    if PurePath(entry.name).suffix.lower() not in _PICTURES:
        return None
    try:
        facts = entry.stat()
        real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
    except OSError:
        return None
    if not stat.S_ISREG(facts.st_mode) or not _lies_in(real, allowed):
        return None
    return Found((folder / entry.name).as_posix(), real, facts.st_size, facts.st_mtime_ns)


def read_allowed(path: str, roots: Sequence[Path], *, largest: int) -> bytes:
    """The bytes of a regular file that lies under an allowed root with all links followed.

    Args:
        path: absolute, or relative to any of the roots, with or without the root's own name before it.
        roots: the allowed folders.
        largest: bytes it may have.

    Raises:
        PathRefused: it lies outside, or was moved out while it was opened.
        NotFound: there is no such file; ``details["nearest"]`` names some that are there.
        BadInput: it is too large, or cannot be read.
    """
    name = Path(path).name[:80]
    real = _allowed(path, name, roots)
    # What the name says may change between the look and the opening: the file that was opened must be the one that
    # lies there now, without a link on the way.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(real, flags), "rb") as file:
            facts = os.fstat(file.fileno())
            moved = os.path.realpath(real) != real or not os.path.samestat(facts, os.lstat(real))
            if moved or not stat.S_ISREG(facts.st_mode):
                raise PathRefused("the file changed place while it was opened", found=name)
            data = file.read(largest + 1) if facts.st_size <= largest else None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise PathRefused("the file changed place while it was opened", found=name) from None
        raise BadInput(f"the file cannot be read: {error.strerror}", found=name) from None
    if data is None or len(data) > largest:
        raise BadInput(
            "the file is too large for a picture here",
            expected=f"at most {largest // 1024**2} MiB",
            found=f"{facts.st_size:,} bytes",
        )
    return data


def _allowed(path: str, name: str, roots: Sequence[Path]) -> str:
    """The real place of a file, with all links followed. Raises PathRefused, NotFound."""
    given = os.path.expanduser(path)  # noqa: PTH111  Path.expanduser fails where a user is not known
    allowed = [os.path.realpath(root) for root in roots]
    inside = False
    for place in _places(given, roots) if "\0" not in given else ():
        real = os.path.realpath(place)
        if _lies_in(real, allowed):
            inside = True
            if os.path.isfile(real):  # noqa: PTH113  Path.is_file fails where a name is too long
                return real
    names = [root.name for root in roots]
    if not inside:
        raise PathRefused("the path lies outside the allowed folders", expected=names, found=name)
    there = [item.name for item in pictures(roots)]
    raise NotFound(
        "there is no such file under the allowed folders",
        expected=names,
        found=name,
        recovery="Use a name that is there, or ask the person to copy the file into one of the allowed folders.",
        details={"nearest": _like(name, there)},
    )


def _places(given: str, roots: Sequence[Path]) -> Iterator[Path]:
    """Where a path may lead: under a root, or under the root whose own name it begins with."""
    yield from (root / given for root in roots)
    first, *rest = PurePath(given).parts or ("",)
    yield from (root.joinpath(*rest) for root in roots if rest and first == root.name)


def _like(name: str, there: Sequence[str]) -> list[str]:
    """The files whose names are nearest, or the first ones where none is near."""
    called = {item: PurePath(item).name.lower() for item in there}
    close = nearest(name.lower(), called.values(), NAMED)
    return [item for word in dict.fromkeys(close) for item in there if called[item] == word][:NAMED] or [*there[:NAMED]]


def _lies_in(real: str, allowed: Sequence[str]) -> bool:
    return any(Path(real).is_relative_to(folder) for folder in allowed)
