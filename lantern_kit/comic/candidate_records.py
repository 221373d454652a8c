"""The check of candidates: that each fits its draft, gives what it was kept with, and became what its state says."""

from __future__ import annotations

from collections.abc import Iterator

from lantern_kit.comic.book import Book
from lantern_kit.comic.candidate import ADOPTED, COLUMNS, DROPPED, WAITING, Candidate, adoption_message
from lantern_kit.comic.handle import handle_of, parse_handle
from lantern_kit.comic.planning import order_in, plan_on, thing_in
from lantern_kit.comic.service import ComicService
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError, Stopped
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.report import Report

_UNREADABLE = (ValueError, TypeError, AttributeError, KeyError, LanternError)
_Fault = tuple[str, object, object]


def verify_candidates(connection: Connection, comics: ComicService, report: Report, tell: Progress = quiet) -> None:
    """Check every candidate against its draft's line; notes go into ``report``."""
    rows = connection.exec_driver_sql(f"SELECT {COLUMNS} FROM candidates ORDER BY id").fetchall()  # noqa: S608
    numbers = {row[0] for row in rows}
    for number in range(1, max(numbers, default=0) + 1):
        if number not in numbers:
            report.add("candidate", f"cd{number}", "the candidate is missing", candidates=f"cd{number}")
    for row in steps(rows, tell, "candidates"):
        name = f"cd{row[0]}"
        try:
            item = Candidate.read(row)
            for message, expected, found in (*_draft(connection, item), *_state(connection, item)):
                report.add(
                    "candidate",
                    name,
                    message,
                    expected=expected,
                    found=found,
                    lines=item.draft,
                    candidates=name,
                )
            for message in _content(connection, comics, item):
                report.add("candidate", name, message, lines=item.draft, candidates=name)
        except Stopped:
            raise
        except _UNREADABLE:
            report.add("candidate", name, "a column of it, or what it would give, cannot be read", candidates=name)
    report.count("candidates", len(rows))
    adopted = connection.exec_driver_sql(
        "SELECT id, line FROM revisions WHERE cause = 'adopt' AND id NOT IN"
        " (SELECT result FROM candidates WHERE result IS NOT NULL) ORDER BY id"
    ).fetchall()
    for number, line in adopted:
        report.add(
            "candidate",
            f"r{number}",
            "a candidate was adopted here that is kept nowhere",
            lines=str(line),
            revisions=f"r{number}",
        )


def _draft(connection: Connection, item: Candidate) -> Iterator[_Fault]:
    """It belongs to a draft, and was worked out on a revision of it."""
    row = connection.exec_driver_sql(
        "SELECT chapter, state FROM drafts WHERE id = ?", (int(item.draft[1:]),)
    ).fetchone()
    if row is None:
        yield "its draft is missing", item.draft, "nothing"
        return
    if row[0] != item.chapter:
        yield "its chapter is not its draft's", row[0], item.chapter
    if item.state == WAITING and row[1] != "open":
        yield "it waits, and its draft is closed", "dropped", item.state
    line = connection.exec_driver_sql("SELECT line FROM revisions WHERE id = ?", (item.base,)).scalar()
    if line != item.draft:
        yield "its base is no revision of its draft", f"a revision of {item.draft}", f"r{item.base}"


def _state(connection: Connection, item: Candidate) -> Iterator[_Fault]:
    """Its state is what became of it."""
    settled = (item.settled_at is not None, item.result is not None)
    wanted = {WAITING: (False, False), DROPPED: (True, False), ADOPTED: (True, True)}.get(item.state)
    if wanted != settled or (item.state == WAITING and item.settled_by is not None):
        yield "its state does not fit how it was settled", "waiting, adopted or dropped", item.state
    elif item.state == ADOPTED:
        expected = (item.draft, "adopt", item.settled_by, item.settled_at, adoption_message(item))
        row = connection.exec_driver_sql(
            "SELECT line, cause, actor, at, message FROM revisions WHERE id = ?", (item.result,)
        ).fetchone()
        if row is None or tuple(row) != expected:
            yield "the revision that it became tells another tale", expected, "nothing" if row is None else tuple(row)


def _content(connection: Connection, comics: ComicService, item: Candidate) -> Iterator[str]:
    """What it is about was so at its base, and what it would give is stored; while it waits, its operations give it."""
    base = comics.at(item.base, connection)
    given = comics.store.load(connection, item.document).book
    for unit in given.units():
        unit.index  # noqa: B018  read, so that what is missing of it is found
    if any(_handle(comics, base.book, handle) != handle for handle in item.targets):
        yield "what it is about was not so at its base"
    if any(order_in(base.book, parent) != order for parent, order in item.orders.items()):
        yield "the orders that it is about were not so at its base"
    if item.state == WAITING and not item.targets and not item.orders:
        yield "it is about nothing"
    if item.state == WAITING:
        planned = plan_on(
            comics, base, item.base, item.operations, connection, kept=item.fresh, looked_up=item.looked_up
        )
        if planned.book != given:
            yield "its operations do not give the content that is kept with it"


def _handle(comics: ComicService, book: Book, handle: str) -> str:
    thing = thing_in(comics, book, parse_handle(handle)[0])
    return "" if thing is None else handle_of(thing)
