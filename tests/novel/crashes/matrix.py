"""Writes docs/novel-crashes.md: ``python -m tests.novel.crashes.matrix > docs/novel-crashes.md``, some two minutes."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.novel.crashes.deeds import DEEDS
from tests.novel.crashes.sweep import Deed, Forge

HEAD = """# Novels and crashes

What is left of a novel when its author is killed, or its disk fails, in the middle of a deed: exactly what was there
before, or exactly what is to be there after. Nothing else was found at any of {points} points.

Written by `python -m tests.novel.crashes.matrix > docs/novel-crashes.md`; `make prove` finds the same again, and
`make test` a sample of it.

How: each deed is carried out by a process of its own on a copy of one prepared workspace. strace notes the system calls
it makes on files, from where it begins until it tells that it is done. Then, for each of these calls and a fresh copy:

- **killed**: SIGKILL as the process enters the call. Nothing of it is told to anybody.
- **failed**: the call answers EIO, once. The deed must say an error of the kit's, or go through.

After each the workspace is opened, `verify` must be clean, every body must be there, and the hash of the novel's newest
document, the count of revisions and of receipts must be those of before or those of after. Then the author, by now
another process that takes the seat of the dead one, does the deed again: the receipt, the document and all counts must
be those of an author who did it once and undisturbed.

*Old* and *new* say what was found before it was done again. Of failed calls, *said* counts those after which the deed
said an error; a deed that said none was done. A failed deed may leave the new state where the log was written and only
its sync failed: doing it again gives what is there. A failed `pread64` is told as damage, which is what SQLite makes
of it.

What a kill cannot show is a machine that loses its power: writes that were not synced may be gone. So the order is held
to in each deed's trace (`tests/novel/crashes/order.py`): a body is written, synced, renamed, and its folders synced,
before the first write to the log of the transaction that names it; the log is synced before the deed tells of itself.
"""
ROW = "| `{name}` | {calls} | {killed_old} | {killed_new} | {said} | {through} | {failed_old} | {failed_new} |"
TABLE = """
## {deed}

| call | times | killed: old | killed: new | failed: said | failed: done | old | new |
|---|---:|---:|---:|---:|---:|---:|---:|"""


def tried(deed: Deed) -> tuple[list[str], int]:
    """The table of one deed, and at how many points it was disturbed."""
    counts: dict[str, Counter[str]] = {}
    for call in deed.calls:
        told = counts.setdefault(call.name, Counter())
        told["calls"] += 1
        told["killed_new" if deed.kill(call) else "killed_old"] += 1
        if call is not deed.calls[-1]:  # the answer itself, which is no more of the deed
            said, done = deed.fail(call)
            told["said" if said else "through"] += 1
            told["failed_new" if done else "failed_old"] += 1
    names = ("calls", "killed_old", "killed_new", "said", "through", "failed_old", "failed_new")
    rows = [ROW.format(name=name, **{key: told[key] or "" for key in names}) for name, told in counts.items()]
    return [TABLE.format(deed=deed.name), *rows], 2 * len(deed.calls) - 1


def main() -> None:
    """Try everything, and print the page."""
    lines: list[str] = []
    points = 0
    with tempfile.TemporaryDirectory() as folder, Forge() as forge:
        for number, name in enumerate(DEEDS):
            table, some = tried(Deed(forge, name, Path(folder) / f"deed{number}"))
            lines += table
            points += some
            print(f"{name}: {some} points", file=sys.stderr)
    print(HEAD.format(points=f"{points:,}") + "\n".join(lines))


if __name__ == "__main__":
    main()
