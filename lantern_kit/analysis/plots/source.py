"""What a picture may be drawn from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol, runtime_checkable

from duckdb import DuckDBPyConnection

from lantern_kit.analysis.plots import look
from lantern_kit.kernel.errors import BadInput, NotFound


@runtime_checkable
class Analysed(Protocol):
    """A workspace or a chapter: something that gives a connection to the analysis tables."""

    def analysis(self) -> DuckDBPyConnection:
        """A connection, brought up to date."""
        ...


Source = Analysed | DuckDBPyConnection
_ACTORS = """
    SELECT actor_kind, actor, sum(n) FROM (
        SELECT actor_kind, actor, count(*) AS n FROM revisions GROUP BY 1, 2
        UNION ALL SELECT 'agent', actor, count(*) FROM activity GROUP BY 2
    ) GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2
"""


@contextmanager
def tables(source: Source) -> Iterator[DuckDBPyConnection]:
    """A connection to the tables; one that was opened for this is closed again. Raises BadInput."""
    if isinstance(source, DuckDBPyConnection):
        yield source
    elif isinstance(source, Analysed):
        with source.analysis() as connection:
            yield connection
    else:
        raise BadInput(
            "there is nothing to draw from",
            expected="a chapter, a workspace or the connection of workspace.analysis()",
            found=type(source).__name__,
        )


def actors_of(connection: DuckDBPyConnection) -> dict[tuple[str, str], str]:
    """A colour for everybody who did anything in the workspace, by (kind, name): the same in every picture of it."""
    rows = connection.execute(_ACTORS).fetchall()
    return look.actor_colours([(kind, name) for kind, name, _ in rows])


class Chosen(NamedTuple):
    """The chapter that a picture is of."""

    id: str
    title: str
    """Comic, number and title in one line."""


def chapter_of(connection: DuckDBPyConnection, source: Source, chapter: str | None) -> Chosen | None:
    """The chapter that is meant; None where there is no chapter at all.

    Raises NotFound, BadInput when several could be meant.
    """
    known = _chapters(connection)
    found = _named(known, source, chapter)
    if found is not None or not known:
        return found
    if len(known) > 1:
        raise BadInput("several chapters could be meant", expected="chapter=…", ids=list(known))
    return next(iter(known.values()))


def chapter_or_all(connection: DuckDBPyConnection, source: Source, chapter: str | None) -> Chosen | None:
    """The chapter that is meant; None where none is, so that all are. Raises NotFound."""
    return _named(_chapters(connection), source, chapter)


def _named(known: dict[str, Chosen], source: Source, chapter: str | None) -> Chosen | None:
    wanted = chapter if chapter is not None else getattr(source, "id", None)
    if wanted in known:
        return known[str(wanted)]
    if chapter is not None:
        raise NotFound(f"there is no chapter {chapter}", ids=list(known), recovery="Name one of these.")
    return None


def _chapters(connection: DuckDBPyConnection) -> dict[str, Chosen]:
    rows = connection.execute("SELECT chapter, comic, number, title FROM chapters ORDER BY comic, number").fetchall()
    return {row[0]: Chosen(row[0], f"{row[1]} · chapter {row[2]}" + (f" · {row[3]}" if row[3] else "")) for row in rows}
