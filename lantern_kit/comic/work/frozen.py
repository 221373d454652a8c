"""Proposals as far as a chapter's past tells of them: where each was frozen, and what was decided on it."""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.comic.choices import left_out
from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.measure import counted
from lantern_kit.kernel.engine import Connection


@dataclass(frozen=True)
class Frozen:
    """A proposal, as far as a history tells of it."""

    proposal: str
    state: str
    verdicts: tuple[str, ...]
    """Each as ``apply by mina``, with how many parts it left out."""
    left_out: int | None = 0
    """Parts of it that an apply left out; None when its choices cannot be read."""


def read_frozen(connection: Connection, chapter: str) -> dict[int, Frozen]:
    """A chapter's proposals, by the draft revision that was frozen and by the working revision that an apply made."""
    labels = {item.key: item.label for item in read_keychain(connection).keys}
    proposals = connection.exec_driver_sql(
        "SELECT id, frozen, state FROM proposals WHERE chapter = ? ORDER BY id", (chapter,)
    ).fetchall()
    verdicts = connection.exec_driver_sql(
        "SELECT a.proposal, a.verdict, a.key, a.reviewer, a.result, a.choices FROM approvals AS a"
        " JOIN proposals AS p ON p.id = a.proposal WHERE p.chapter = ? ORDER BY a.id",
        (chapter,),
    ).fetchall()
    found: dict[int, Frozen] = {}
    for number, revision, state in proposals:
        own = [row for row in verdicts if row[0] == number]
        counts = [left_out(row[5]) for row in own]
        words = tuple(
            f"{verdict} by {labels.get(key, reviewer)}{without(count)}"
            for (_, verdict, key, reviewer, _, _), count in zip(own, counts, strict=True)
        )
        found[revision] = Frozen(f"p{number}", state, words, counts[-1] if counts else 0)
        found.update({row[4]: found[revision] for row in own if row[4] is not None})
    return found


def without(count: int | None) -> str:
    """What is added to the words of a verdict that left parts out."""
    if count is None:
        return ", with choices that cannot be read"
    return f", {counted(count, 'part')} left out" if count else ""
