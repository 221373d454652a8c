"""What a crash of the machine could lose: writes that were not synced when something came to rely on them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from tests.novel.crashes.sweep import Call

_HANDLE = re.compile(r"^(\d+)<([^>]*)>")
_NAMES = re.compile(r'"([^"]*)"')


def unordered(calls: Iterable[Call]) -> list[str]:
    """Where a deed relies on what was not synced by then.

    A file is synced before it is renamed, and what lies outside the log, its name included, before the log is written
    to; the log before the database, and before the deed tells that it is done. SQLite's shared memory is no store.
    """
    waiting: dict[str, str] = {}
    found = []
    for call in calls:
        if " = -1 " in call.rest:
            continue
        handle = _HANDLE.match(call.rest)
        path = "" if handle is None else handle.group(2)
        names = _NAMES.findall(call.rest)
        if call.name in {"fsync", "fdatasync"}:
            waiting.pop(path, None)
        elif call.name == "mkdir":
            _folder(waiting, names[0])
        elif call.name in {"rename", "renameat", "renameat2"}:
            if waiting.pop(names[0], None):
                found.append(f"{names[0]} gets its name unsynced")
            _folder(waiting, names[1])
        elif call.name in {"write", "pwrite64", "ftruncate"}:
            if path.startswith("pipe:"):
                found += [f"{left} is unsynced when the deed is told" for left in waiting if not _database(left)]
            elif path.endswith("-wal"):
                if path not in waiting:
                    found += [f"{left} is unsynced when the log is written to" for left in waiting]
                waiting[path] = call.name
            elif not path.endswith("-shm"):
                if _database(path) and f"{path}-wal" in waiting:
                    found.append("the database is written to while its log is unsynced")
                waiting[path] = call.name
    return found


def _database(path: str) -> bool:
    """Whether it is the database, whose pages the log keeps until they are synced."""
    return path.endswith(".sqlite")


def _folder(waiting: dict[str, str], name: str) -> None:
    """A name was put into a folder; one that only stands aside need not last."""
    path = PurePosixPath(name)
    if path.name != ".aside":
        waiting[str(path.parent)] = "a name"
