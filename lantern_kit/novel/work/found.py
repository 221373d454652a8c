"""What was found in a novel, as people read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lantern_kit.listed import Listed
from lantern_kit.novel.search import Hit, Search
from lantern_kit.novel.work.running import projections

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host


class Hits(Listed[Hit]):
    """What holds the words that were looked for, best first."""

    heads: ClassVar = ("kind", "where", "words")
    empty = "nothing holds these words"
    key: ClassVar = "source"

    def row(self, item: Hit) -> tuple[str, ...]:
        """Kind, place, and the words round it."""
        return (item.kind.value, str(item.source or item.entry or ""), item.snippet)


def found(host: Host, novel: str, words: str, kinds: tuple[str, ...] | None, limit: int) -> Hits:
    """What holds some words. Raises BadInput, ProjectionFailed."""
    search = Search(projections(host), host.novel_service)
    if kinds is None:
        return Hits(search.find(novel, words, limit=limit))
    return Hits(search.find(novel, words, kinds=kinds, limit=limit))
