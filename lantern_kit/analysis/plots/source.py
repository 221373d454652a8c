"""What a picture may be drawn from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from duckdb import DuckDBPyConnection

from lantern_kit.kernel.errors import BadInput, NotFound


@runtime_checkable
class Analysed(Protocol):
    """A workspace or a chapter: something that gives a connection to the analysis tables."""

    def analysis(self) -> DuckDBPyConnection:
        """A connection, brought up to date."""
        ...


Source = Analysed | DuckDBPyConnection


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


def chapter_of(connection: DuckDBPyConnection, source: Source, chapter: str | None) -> tuple[str, str]:
    """The chapter that is meant, and its title in one line. Raises NotFound, BadInput when several could be meant."""
    known = {
        row[0]: f"{row[1]} · chapter {row[2]}" + (f" · {row[3]}" if row[3] else "")
        for row in connection.execute(
            "SELECT chapter, comic, number, title FROM chapters ORDER BY comic, number"
        ).fetchall()
    }
    wanted = chapter if chapter is not None else getattr(source, "id", None)
    if wanted in known:
        return str(wanted), known[str(wanted)]
    if chapter is not None or not known:
        raise NotFound(f"there is no chapter {chapter or ''}".rstrip(), ids=list(known), recovery="Name one of these.")
    if len(known) > 1:
        raise BadInput("several chapters could be meant", expected="chapter=…", ids=list(known))
    return next(iter(known.items()))
