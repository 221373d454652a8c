"""A chapter's past as people read it: revisions of all its lines, saved versions, proposals and who approved them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar, overload

from lantern_kit.comic.saved import Snapshot
from lantern_kit.comic.work import show
from lantern_kit.comic.work.frozen import Frozen, read_frozen
from lantern_kit.comic.work.revision import RevisionWork
from lantern_kit.kernel.clock import stamp, to_the_minute
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput, NotFound, nearest
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.kernel.revision import Revision

if TYPE_CHECKING:
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.comic.work.host import Host

NOTHING = "no revisions of that kind"
CAUSES = (
    *("create", "edit", "apply", "undo", "redo", "restore", "pick", "resolve"),
    *("fork", "changeset", "adopt", "follow"),
)
"""What makes revisions: the working line's causes, then those of drafts."""


@dataclass(frozen=True)
class History:
    """Revisions, newest first, with saved versions, proposals and verdicts marked."""

    host: Host = field(repr=False, compare=False)
    chapter_id: str
    revisions: tuple[Revision, ...]
    snapshots: tuple[Snapshot, ...]
    frozen: dict[int, Frozen] = field(default_factory=dict)
    """Proposals by the draft revision that was frozen, and by the working revision that an apply made."""
    drafts: bool = False
    """Whether revisions of drafts are among them."""
    chosen: bool = False
    """Whether only some of the revisions were asked for."""
    plain: ClassVar = ("revision", "time", "who", "cause", "message", "changes", "saved as", "proposal", "verdicts")

    @property
    def chapter(self) -> ChapterWork:
        """The chapter whose past it is."""
        from lantern_kit.comic.work.chapter import ChapterWork

        return ChapterWork(self.host, self.chapter_id)

    @property
    def heads(self) -> tuple[str, ...]:
        """What stands over the rows."""
        return (self.plain[0], "line", *self.plain[1:]) if self.drafts else self.plain

    def __len__(self) -> int:
        return len(self.revisions)

    def __iter__(self) -> Iterator[RevisionWork]:
        saved = {item.revision: item for item in self.snapshots}
        return (self._work(item, saved) for item in self.revisions)

    @overload
    def __getitem__(self, place: int | str) -> RevisionWork: ...
    @overload
    def __getitem__(self, place: slice) -> History: ...
    def __getitem__(self, place: int | str | slice) -> RevisionWork | History:
        """A revision by its place from 0 or by its id, or a part of the history. Raises NotFound, IndexError."""
        if isinstance(place, slice):
            return replace(self, revisions=self.revisions[place], chosen=True)
        saved = {item.revision: item for item in self.snapshots}
        if isinstance(place, int):
            return self._work(self.revisions[place], saved)
        for item in self.revisions:
            if item.id == place:
                return self._work(item, saved)
        near = nearest(place, (item.id for item in self.revisions))
        raise NotFound(
            f"{place[:40]} is not in this history",
            expected=near or None,
            ids=[place[:40]],
            recovery="history(drafts=True) has the drafts' revisions too; chapter.revision(ID) gives any.",
        )

    def _work(self, item: Revision, saved: dict[int, Snapshot]) -> RevisionWork:
        found = self.frozen.get(item.number)
        return RevisionWork(self.host, self.chapter_id, item, saved=saved.get(item.number), frozen=found)

    def rows(self) -> list[tuple[str, ...]]:
        """One row a revision, under ``heads``."""
        return self._rows(self.revisions)

    def _rows(self, revisions: Iterable[Revision]) -> list[tuple[str, ...]]:
        saved = {item.revision: f"{item.id} {item.title}" for item in self.snapshots}
        return [
            (
                item.id,
                *([item.line] if self.drafts else []),
                to_the_minute(item.at),
                item.actor.name,
                item.cause,
                item.message,
                str(item.changes_count),
                saved.get(item.number, ""),
                self._proposal(item.number),
                "; ".join(self.frozen[item.number].verdicts) if item.number in self.frozen else "",
            )
            for item in revisions
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
                    else {
                        "id": frozen.proposal,
                        "state": frozen.state,
                        "verdicts": list(frozen.verdicts),
                        "left_out": frozen.left_out,
                    },
                }
            )
        return found

    def _proposal(self, number: int) -> str:
        found = self.frozen.get(number)
        return "" if found is None else f"{found.proposal} {found.state}"

    def _rest(self) -> str:
        more = len(self) - show.ROWS
        return f"… and {more} earlier: history[{show.ROWS}:] shows them" if more > 0 else ""

    def __repr__(self) -> str:
        lines = ["  ".join(cell for cell in row if cell) for row in self._rows(self.revisions[: show.ROWS])]
        return "\n".join([*lines, self._rest()]).rstrip() or NOTHING

    def _ipython_key_completions_(self) -> list[str]:
        return [item.id for item in self.revisions]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        rows = self._rows(self.revisions[: show.ROWS])
        return show.bundle(repr(self), show.table(self.heads, rows, empty=NOTHING) + show.small(self._rest()))


def read_history(
    host: Host,
    chapter: str,
    *,
    drafts: bool = False,
    actor: str | None = None,
    causes: Sequence[str] = (),
    since: str | datetime | None = None,
    until: str | datetime | None = None,
    progress: Progress | None = None,
) -> History:
    """A chapter's revisions, newest first.

    Args:
        drafts: also those of its drafts.
        actor: of this name only.
        causes: of these causes only: edit, apply, undo …
        since, until: from this moment on, and before that one; text is ISO 8601, in UTC unless it says otherwise.

    Raises BadInput, also for an actor or a cause that nothing in the chapter or its drafts knows.
    """
    low, high = _milliseconds(since), _milliseconds(until)
    with reporting(progress, "Reading the history") as tell, host.comics.journal.read() as connection:
        history = host.comics.history
        lines = [line.id for line in history.lines(connection, chapter)] if drafts else [chapter]
        found = [item for line in lines for item in history.log(connection, line, tell=tell)]
        frozen = read_frozen(connection, chapter)
        if actor is not None and all(item.actor.name != actor for item in found):
            _require_known("actor", actor, _used(connection, chapter, "actor"))
        if any(cause not in CAUSES for cause in causes):
            known = {*CAUSES, *_used(connection, chapter, "cause")}
            for cause in causes:
                _require_known("cause", cause, sorted(known))
    kept = [
        item
        for item in sorted(found, key=lambda item: -item.number)
        if (actor is None or item.actor.name == actor)
        and (not causes or item.cause in causes)
        and (low is None or item.at >= low)
        and (high is None or item.at < high)
    ]
    chosen = actor is not None or bool(causes) or low is not None or high is not None
    return History(host, chapter, tuple(kept), tuple(host.comics.snapshots(chapter)), frozen, drafts, chosen)


def read_revision(host: Host, chapter: str, number: int) -> RevisionWork:
    """One revision of a chapter or of a draft of it. Raises NotFound."""
    facts = host.comics.of_chapter(chapter, number).revision
    with host.comics.journal.read() as connection:
        frozen = read_frozen(connection, chapter).get(number)
    saved = next((item for item in host.comics.snapshots(chapter) if item.revision == number), None)
    return RevisionWork(host, chapter, facts, saved=saved, frozen=frozen)


def _used(connection: Connection, chapter: str, column: str) -> list[str]:
    """Every actor or cause of the chapter's revisions and of its drafts'."""
    rows = connection.exec_driver_sql(
        f"SELECT DISTINCT r.{column} FROM revisions AS r JOIN lines AS l ON l.id = r.line"  # noqa: S608
        " WHERE l.root = ? ORDER BY 1",
        (chapter,),
    ).fetchall()
    return [str(row[0]) for row in rows]


def _require_known(what: str, word: str, known: Sequence[str]) -> None:
    if word in known:
        return
    near = nearest(word, known)
    raise BadInput(
        f"no revision of this chapter, nor of its drafts, has the {what} {word[:60]}",
        expected=list(known),
        found=word[:60],
        recovery=f"Nearest: {', '.join(near)}." if near else "Choose one of these.",
    )


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
