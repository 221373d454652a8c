"""Problems said more closely: which object of a revision, which pages show a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from lantern_kit.comic.diff import diff
from lantern_kit.comic.model import Foreground, Image
from lantern_kit.comic.service import ComicService
from lantern_kit.comic.store import change_rows
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.report import Problem, Report
from lantern_kit.kernel.revision import ChangeRow

SHOWN = 200
"""Characters of a value in a report."""


def locate(connection: Connection, comics: ComicService, report: Report, tell: Progress = quiet) -> None:
    """Put the closer problems in the place of those that can be told more closely."""
    found: list[Problem] = []
    for problem in steps(report.problems, tell, "places"):
        if problem.kind == "change" and problem.id != "all":
            found.extend(_changes(connection, comics, problem) or [problem])
        elif problem.kind in {"blob", "asset"}:
            found.append(_shown(connection, comics, problem))
        else:
            found.append(problem)
    report.problems[:] = found


def _changes(connection: Connection, comics: ComicService, problem: Problem) -> list[Problem]:
    """Which change rows of a revision are not what its content and its parent's say."""
    try:
        here = comics.at(int(problem.id[1:]), connection)
        parent = here.revision.parent
        before = None if parent is None or here.revision.seq == 0 else comics.at(parent, connection)
        expected = [] if before is None else change_rows(diff(before.book, here.book))
        first = here.revision.changes_from
        rows = connection.exec_driver_sql(
            "SELECT unit, object, object_kind, change, property, before, after FROM changes"
            " WHERE revision = ? OR (id >= ? AND id < ?) ORDER BY id",
            (here.revision.number, first, first + here.revision.changes_count),
        ).fetchall()
    except (LanternError, ValueError, TypeError):
        return []
    return list(_compared(problem, expected, [ChangeRow(*row) for row in rows]))


def _compared(problem: Problem, expected: list[ChangeRow], stored: list[ChangeRow]) -> Iterator[Problem]:
    lost, extra = Counter(expected), Counter(stored)
    lost, extra = lost - extra, extra - lost
    others = list(extra.elements())
    for row in lost.elements():
        same = next((item for item in others if (item.object, item.property) == (row.object, row.property)), None)
        if same is not None:
            others.remove(same)
        message = "a change row is missing" if same is None else "a change row is not what was written"
        yield _said(problem, message, row, _row(row), "nothing" if same is None else _row(same))
    for row in others:
        yield _said(problem, "a change row was not written by this revision", row, "nothing", _row(row))


def _said(problem: Problem, message: str, row: ChangeRow, expected: str, found: str) -> Problem:
    where = {**problem.where, "units": (str(row.unit),), "objects": (str(row.object),)}
    if row.property is not None:
        where["properties"] = (str(row.property),)
    return replace(problem, message=message, where=where, expected=expected, found=found)


def _row(row: ChangeRow) -> str:
    if row.change == "changed":
        words = f"{row.before} → {row.after}"
    else:
        words = f"{row.change} {row.object_kind} {row.after if row.after is not None else row.before}"
    return words if len(words) <= SHOWN else f"{words[:SHOWN]}…"


def _shown(connection: Connection, comics: ComicService, problem: Problem) -> Problem:
    """Which assets a blob belongs to, and which units show them, in the works and open drafts as they stand."""
    if problem.kind == "blob":
        rows = connection.exec_driver_sql("SELECT id FROM assets WHERE lower(hex(blob)) = ?", (problem.id,)).fetchall()
        assets = [str(row[0]) for row in rows]
    else:
        assets = [problem.id]
    lines: dict[str, None] = {}
    units: dict[str, None] = {}
    objects: dict[str, None] = {}
    heads = connection.exec_driver_sql(
        "SELECT id FROM lines WHERE kind = 'chapter' OR id IN (SELECT 'd' || id FROM drafts WHERE state = 'open')"
    ).fetchall()
    for (line,) in heads:
        try:
            book = comics.head(line, connection).book
            for unit in book.units():
                for item in unit.objects:
                    if isinstance(item, Image | Foreground) and item.asset in assets:
                        lines[line] = units[unit.id] = objects[item.id] = None
        except (LanternError, ValueError, TypeError):
            continue  # what cannot be read is a problem of its own
    where = {"assets": tuple(assets), "lines": tuple(lines), "units": tuple(units), "objects": tuple(objects)}
    return replace(problem, where={**problem.where, **{name: ids for name, ids in where.items() if ids}})
