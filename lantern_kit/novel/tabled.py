"""Novels as the analysis reads them: each once, whatever tables are made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from lantern_kit.analysis.registry import Column, Row
from lantern_kit.kernel.documents import Documents
from lantern_kit.kernel.engine import Connection
from lantern_kit.novel.store import NovelStore
from lantern_kit.novel.whole import Novel

NOVEL = Column("novel", "VARCHAR", "the novel; also the name of its line")
_HEADS = "SELECT l.id, l.head, r.document FROM lines AS l JOIN revisions AS r ON r.id = l.head WHERE l.kind = 'novel'"
DEPENDS = (f"{_HEADS} ORDER BY l.id",)


@cache
def _store() -> NovelStore:
    """What was read stays in memory by its hash, so that one novel is read once for all tables."""
    return NovelStore(Documents())


def each(connection: Connection) -> Iterator[tuple[str, Novel]]:
    """Every novel with the revision it stands at."""
    for _, head, document in connection.exec_driver_sql(DEPENDS[0]).fetchall():
        yield f"r{head}", _store().load(connection, document).novel


def rows(read: Callable[[Novel], Iterator[Row]]) -> Callable[[Connection], Iterator[Row]]:
    """Rows of all novels, each begun with its novel's id."""

    def all_rows(connection: Connection) -> Iterator[Row]:
        for _, novel in each(connection):
            for row in read(novel):
                yield (novel.head.id, *row)

    return all_rows
