"""Whether what stands beside the history agrees with it: chapters, drafts, what proposals change, pictures.

Their rows carry no hash of their own. What they say is checked against the lines and revisions, which do; what people
decided is checked with the verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from lantern_kit.comic.diff import diff
from lantern_kit.comic.service import ComicService
from lantern_kit.comic.store import KIND
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError, Stopped
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.verify import Report

_BEGINNINGS = (
    "SELECT l.id, r.message, r.at FROM lines l JOIN revisions r ON r.line = l.id AND r.seq = 0 WHERE l.kind = ?"
)
_PLACED = (
    "SELECT json_extract(after, CASE WHEN property IS NULL THEN '$.asset' ELSE '$' END) AS name, min(revision)"
    " FROM changes WHERE after IS NOT NULL AND json_valid(after) AND object_kind IN ('image', 'foreground', 'overlay')"
    " AND (property = 'asset' OR change = 'added') GROUP BY name"
)


def verify_records(connection: Connection, comics: ComicService, report: Report, tell: Progress = quiet) -> None:
    """Check every row that no chain holds, and no signature speaks of; notes go into ``report``."""
    for kind, found in (
        ("chapter", _chapters(connection)),
        ("draft", _drafts(connection)),
        ("proposal", _proposals(connection, comics, tell)),
        ("asset", _pictures(connection, tell)),
    ):
        try:
            for subject, message in found:
                report.add(kind, subject, message)
        except Stopped:
            raise
        except (LanternError, ValueError, TypeError, AttributeError, KeyError):
            report.add(kind, "all", "a column of a row cannot be read")
    report.count("chapters", connection.exec_driver_sql("SELECT count(*) FROM chapters").scalar_one())


def _chapters(connection: Connection) -> Iterator[tuple[str, str]]:
    chapters = {
        row[0]: row[1:] for row in connection.exec_driver_sql("SELECT id, comic, number, created_at FROM chapters")
    }
    begun = {row[0]: tuple(row[1:]) for row in connection.exec_driver_sql(_BEGINNINGS, (KIND,))}
    for chapter in chapters.keys() ^ begun.keys():
        yield str(chapter), "it has a line and no row, or a row and no line"
    for chapter in chapters.keys() & begun.keys():
        comic, number, created_at = chapters[chapter]
        if (f"{comic}, chapter {number}", created_at) != begun[chapter]:
            yield str(chapter), "its title, number or time are not those it was begun with"


def _drafts(connection: Connection) -> Iterator[tuple[str, str]]:
    forgotten = connection.exec_driver_sql(
        "SELECT id FROM lines WHERE kind = 'draft' AND id NOT IN (SELECT 'd' || id FROM drafts) ORDER BY id"
    )
    for (draft,) in forgotten:
        yield str(draft), "it has a line and no row"


def _proposals(connection: Connection, comics: ComicService, tell: Progress) -> Iterator[tuple[str, str]]:
    rows = connection.exec_driver_sql(
        "SELECT id, draft, base, frozen, units, changes FROM proposals ORDER BY id"
    ).fetchall()
    numbers = [row[0] for row in rows]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "all", "their numbers have gaps"
    for number, draft, base, frozen, units, changes in steps(rows, tell, "proposals"):
        try:
            old, new = comics.at(base, connection), comics.at(frozen, connection)
            if new.revision.line != f"d{draft}":
                continue  # what it proposes is not its draft's at all, which is told where decisions are checked
            told = diff(old.book, new.book)
            named = {change.unit for change in told if change.object_kind != "chapter"}
            same = changes == len(told) and sorted(json.loads(units)) == sorted(named)
        except (LanternError, ValueError, TypeError):
            same = False
        if not same:
            yield f"p{number}", "its frozen revision does not change what it says"


def _pictures(connection: Connection, tell: Progress) -> Iterator[tuple[str, str]]:
    known = {row[0]: row[1:] for row in connection.exec_driver_sql("SELECT id, kind, source_of FROM assets")}
    with connection.told(tell, "changes"):
        placed = connection.exec_driver_sql(_PLACED).fetchall()
    for name, revision in placed:
        if name is not None and name not in known:
            yield str(name), f"placed by r{revision} and not registered"
    for name, (kind, source) in known.items():
        if (kind == "foreground") != (source is not None) or (source is not None and source not in known):
            yield str(name), "it is the foreground of nothing that is registered"
