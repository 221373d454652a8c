"""A chapter's past as people read it: revisions of all its lines, saved versions, proposals and who approved them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.service import Snapshot
from lantern_kit.comic.work import show
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.revision import Revision

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host


@dataclass(frozen=True)
class Frozen:
    """A proposal, as far as a history tells of it."""

    proposal: str
    state: str
    verdicts: tuple[str, ...]
    """Each as ``apply by mina``."""


@dataclass(frozen=True)
class History:
    """Revisions, newest first, with saved versions, proposals and verdicts marked."""

    revisions: tuple[Revision, ...]
    snapshots: tuple[Snapshot, ...]
    frozen: dict[int, Frozen] = field(default_factory=dict)
    """Proposals by the draft revision that was frozen, and by the working revision that an apply made."""
    drafts: bool = False
    """Whether revisions of drafts are among them."""
    plain: ClassVar = ("revision", "time", "who", "cause", "message", "changes", "saved as", "proposal", "verdicts")

    @property
    def heads(self) -> tuple[str, ...]:
        """What stands over the rows."""
        return (self.plain[0], "line", *self.plain[1:]) if self.drafts else self.plain

    def __len__(self) -> int:
        return len(self.revisions)

    def rows(self) -> list[tuple[str, ...]]:
        """One row a revision, under ``heads``."""
        saved = {item.revision: f"{item.id} {item.title}" for item in self.snapshots}
        return [
            (
                item.id,
                *([item.line] if self.drafts else []),
                stamp(item.at),
                item.actor.name,
                item.cause,
                item.message,
                str(item.changes_count),
                saved.get(item.number, ""),
                self._proposal(item.number),
                "; ".join(self.frozen[item.number].verdicts) if item.number in self.frozen else "",
            )
            for item in self.revisions
        ]

    def data(self) -> list[dict[str, Any]]:
        """The revisions as plain data."""
        saved = {item.revision: item for item in self.snapshots}
        found = []
        for item in self.revisions:
            frozen, snapshot = self.frozen.get(item.number), saved.get(item.number)
            found.append(
                {
                    "revision": item.id,
                    "line": item.line,
                    "parent": None if item.parent is None else f"r{item.parent}",
                    "at": stamp(item.at),
                    "actor_kind": item.actor.kind.value,
                    "actor": item.actor.name,
                    "cause": item.cause,
                    "message": item.message,
                    "changes": item.changes_count,
                    "document": item.document.hex(),
                    "snapshot": None if snapshot is None else {"id": snapshot.id, "title": snapshot.title},
                    "proposal": None
                    if frozen is None
                    else {"id": frozen.proposal, "state": frozen.state, "verdicts": list(frozen.verdicts)},
                }
            )
        return found

    def _proposal(self, number: int) -> str:
        found = self.frozen.get(number)
        return "" if found is None else f"{found.proposal} {found.state}"

    def __repr__(self) -> str:
        return "\n".join("  ".join(cell for cell in row if cell) for row in self.rows())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), show.table(self.heads, self.rows(), empty="nothing of that kind"))


def read_history(
    host: Host,
    chapter: str,
    *,
    drafts: bool = False,
    actor: str | None = None,
    causes: Sequence[str] = (),
    since: str | datetime | None = None,
    until: str | datetime | None = None,
) -> History:
    """A chapter's revisions, newest first.

    Args:
        drafts: also those of its drafts.
        actor: of this name only.
        causes: of these causes only: edit, apply, undo …
        since, until: from this moment on, and before that one; text is ISO 8601, in UTC unless it says otherwise.

    Raises BadInput.
    """
    low, high = _milliseconds(since), _milliseconds(until)
    with host.comics.journal.read() as connection:
        history = host.comics.history
        lines = [line.id for line in history.lines(connection, chapter)] if drafts else [chapter]
        found = [item for line in lines for item in history.log(connection, line)]
        labels = {item.key: item.label for item in read_keychain(connection).keys}
        proposals = connection.exec_driver_sql(
            "SELECT id, frozen, state FROM proposals WHERE chapter = ? ORDER BY id", (chapter,)
        ).fetchall()
        verdicts = connection.exec_driver_sql(
            "SELECT a.proposal, a.verdict, a.key, a.reviewer, a.result FROM approvals AS a"
            " JOIN proposals AS p ON p.id = a.proposal WHERE p.chapter = ? ORDER BY a.id",
            (chapter,),
        ).fetchall()
    frozen: dict[int, Frozen] = {}
    for number, revision, state in proposals:
        own = [row for row in verdicts if row[0] == number]
        words = tuple(f"{verdict} by {labels.get(key, reviewer)}" for _, verdict, key, reviewer, _ in own)
        frozen[revision] = Frozen(f"p{number}", state, words)
        frozen.update({row[4]: frozen[revision] for row in own if row[4] is not None})
    kept = [
        item
        for item in sorted(found, key=lambda item: -item.number)
        if (actor is None or item.actor.name == actor)
        and (not causes or item.cause in causes)
        and (low is None or item.at >= low)
        and (high is None or item.at < high)
    ]
    return History(tuple(kept), tuple(host.comics.snapshots(chapter)), frozen, drafts)


def _milliseconds(given: str | datetime | None) -> int | None:
    if given is None:
        return None
    try:
        when = datetime.fromisoformat(given) if isinstance(given, str) else given
    except ValueError as error:
        raise BadInput(
            "that is no moment", expected="such as 2026-05-01 or 2026-05-01T14:30", found=str(given)[:40]
        ) from error
    return round((when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp() * 1000)
