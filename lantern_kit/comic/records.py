"""Whether what stands beside the history agrees with it: chapters, drafts, proposals, saved versions, pictures.

Their rows carry no hash of their own. What they say is checked against the lines and the signed verdicts, which do.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from lantern_kit.comic.diff import diff
from lantern_kit.comic.service import ComicService
from lantern_kit.comic.store import KIND
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.verify import Report

Row = Sequence[Any]
_BEGINNINGS = (
    "SELECT l.id, l.root, l.base, r.actor_kind, r.actor, r.message, r.at FROM lines l"
    " JOIN revisions r ON r.line = l.id AND r.seq = 0 WHERE l.kind = ?"
)
_PLACED = (
    "SELECT json_extract(after, CASE WHEN property IS NULL THEN '$.asset' ELSE '$' END) AS name, min(revision)"
    " FROM changes WHERE after IS NOT NULL AND json_valid(after) AND object_kind IN ('image', 'foreground', 'overlay')"
    " AND (property = 'asset' OR change = 'added') GROUP BY name"
)
_VERDICTS = "SELECT proposal, verdict, reviewer, result, at FROM approvals ORDER BY id"


def verify_records(connection: Connection, comics: ComicService, report: Report) -> None:
    """Check every row that no chain holds; notes go into ``report``."""
    verdicts: dict[int, list[Row]] = defaultdict(list)
    for row in connection.exec_driver_sql(_VERDICTS):
        verdicts[row[0]].append(row[1:])
    total, last = connection.exec_driver_sql("SELECT count(*), max(id) FROM approvals").one()
    if total and total != last:
        report.add("approval", "all", f"{total} verdicts are stored, the last of them is number {last}")
    chapters = {
        row[0]: row[1:] for row in connection.exec_driver_sql("SELECT id, comic, number, created_at FROM chapters")
    }
    drafts = {
        f"d{row[0]}": row[1:]
        for row in connection.exec_driver_sql("SELECT id, chapter, base, actor_kind, actor, title, state FROM drafts")
    }
    proposals = connection.exec_driver_sql(
        "SELECT id, chapter, draft, base, frozen, state, summary, units, changes, decided_at FROM proposals ORDER BY id"
    ).fetchall()
    snapshots = connection.exec_driver_sql(
        "SELECT id, chapter, revision, title, proposal, actor FROM snapshots"
    ).fetchall()
    told = {(problem.kind, problem.id) for problem in report.problems}
    for kind, found in (
        ("chapter", _chapters(connection, chapters)),
        ("draft", _drafts(connection, drafts, proposals)),
        ("proposal", _proposals(connection, comics, drafts, proposals, verdicts)),
        ("snapshot", _snapshots(connection, proposals, snapshots, verdicts)),
        ("asset", _pictures(connection)),
    ):
        try:
            for subject, message in found:
                if (kind, subject) not in told:  # the signatures say more closely what is wrong with it
                    report.add(kind, subject, message)
        except (LanternError, ValueError, TypeError, AttributeError, KeyError):
            report.add(kind, "all", "a column of a row cannot be read")
    for kind, count in (("chapters", len(chapters)), ("drafts", len(drafts)), ("proposals", len(proposals))):
        report.checked[kind] = count


def _chapters(connection: Connection, chapters: dict[str, Row]) -> Iterator[tuple[str, str]]:
    begun = {row[0]: row for row in connection.exec_driver_sql(_BEGINNINGS, (KIND,))}
    for chapter in chapters.keys() ^ begun.keys():
        yield str(chapter), "it has a line and no row, or a row and no line"
    for chapter in chapters.keys() & begun.keys():
        comic, number, created_at = chapters[chapter]
        if (f"{comic}, chapter {number}", created_at) != tuple(begun[chapter][5:]):
            yield str(chapter), "its title, number or time are not those it was begun with"


def _drafts(connection: Connection, drafts: dict[str, Row], proposals: list[Any]) -> Iterator[tuple[str, str]]:
    begun = {row[0]: row for row in connection.exec_driver_sql(_BEGINNINGS, ("draft",))}
    for draft in drafts.keys() ^ begun.keys():
        yield str(draft), "it has a line and no row, or a row and no line"
    applied = {f"d{row[2]}" for row in proposals if row[5] == "applied"}
    open_ones = {f"d{row[2]}" for row in proposals if row[5] in {"pending", "kept"}}
    for draft in drafts.keys() & begun.keys():
        *facts, state = drafts[draft]
        if facts != list(begun[draft][1:6]):
            yield draft, "its chapter, base, author or title are not those it was begun with"
        if (
            state not in {"open", "applied", "discarded"}
            or (state == "applied") != (draft in applied)
            or (state != "open" and draft in open_ones)
        ):
            yield draft, f"it is {state}, which its proposals contradict"


def _proposals(
    connection: Connection,
    comics: ComicService,
    drafts: dict[str, Row],
    proposals: list[Any],
    verdicts: dict[int, list[Row]],
) -> Iterator[tuple[str, str]]:
    numbers = [row[0] for row in proposals]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "all", "their numbers have gaps"
    for proposal in verdicts.keys() - set(numbers):
        yield f"p{proposal}", "there is a verdict on it, and it is gone"
    newest = {row[2]: row[0] for row in proposals}
    for row in proposals:
        number, chapter, draft, base, frozen, state, summary, units, changes, decided_at = row
        name = f"p{number}"
        source = drafts.get(f"d{draft}")
        if source is None or list(source[:2]) != [chapter, base]:
            yield name, "its chapter or base are not its draft's"
            continue
        if not _said(
            state, decided_at, verdicts[number], discarded=source[-1] == "discarded", newest=newest[draft] == number
        ):
            yield name, f"it is {state}, which the verdicts on it contradict"
        try:
            old, new = comics.at(base, connection), comics.at(frozen, connection)
            told = diff(old.book, new.book)
            named = {change.unit for change in told if change.object_kind != "chapter"}
            same = (
                new.revision.line == f"d{draft}" and changes == len(told) and sorted(json.loads(units)) == sorted(named)
            )
        except (LanternError, ValueError, TypeError):
            same = False
        if not same:
            yield name, "its frozen revision is not of its draft, or does not change what it says"
        for verdict, _, result, _ in verdicts[number]:
            made = connection.exec_driver_sql("SELECT line, message FROM revisions WHERE id = ?", (result,)).fetchone()
            if verdict == "apply" and made != (chapter, f"{name}: {summary}"[:200]):
                yield name, "the revision that it became is of another chapter, or tells another summary"


def _said(state: str, decided_at: int | None, verdicts: list[Row], *, discarded: bool, newest: bool) -> bool:
    """Whether a proposal's state is what the verdicts on it, its draft and later proposals made it."""
    ends = [row for row in verdicts if row[0] in {"apply", "discard"}]
    if ends:
        past = {"apply": "applied", "discard": "discarded"}
        return len(ends) == 1 and ends[0] is verdicts[-1] and (state, decided_at) == (past[ends[0][0]], ends[0][3])
    match state:
        case "pending":
            return not verdicts and decided_at is None
        case "kept":
            return bool(verdicts) and decided_at == verdicts[-1][3]
        case "superseded":
            return not newest and decided_at is not None
        case "discarded":
            return discarded and decided_at is not None
    return False


def _snapshots(
    connection: Connection, proposals: list[Any], snapshots: list[Any], verdicts: dict[int, list[Row]]
) -> Iterator[tuple[str, str]]:
    titles = {row[0]: row[6][:120] or f"p{row[0]}" for row in proposals}
    made = {row[2]: (number, row[1]) for number, rows in verdicts.items() for row in rows if row[0] == "apply"}
    saved = {row[2] for row in snapshots if row[4] is not None}
    for revision in made.keys() - saved:
        yield f"r{revision}", "a proposal was applied here, and no version of it was saved"
    for number, chapter, revision, title, proposal, actor in snapshots:
        home = connection.exec_driver_sql("SELECT line FROM revisions WHERE id = ?", (revision,)).scalar()
        if home != chapter:
            yield f"s{number}", "it saves no revision of its chapter"
        if proposal is None:
            continue
        if made.get(revision) != (proposal, actor) or title != titles.get(proposal):
            yield f"s{number}", "it is not what the verdict on its proposal made"


def _pictures(connection: Connection) -> Iterator[tuple[str, str]]:
    known = {row[0]: row[1:] for row in connection.exec_driver_sql("SELECT id, kind, source_of FROM assets")}
    for name, revision in connection.exec_driver_sql(_PLACED):
        if name is not None and name not in known:
            yield str(name), f"placed by r{revision} and not registered"
    for name, (kind, source) in known.items():
        if (kind == "foreground") != (source is not None) or (source is not None and source not in known):
            yield str(name), "it is the foreground of nothing that is registered"
