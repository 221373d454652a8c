"""A novel's past as people read it: every step that was ever made, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.revision import Revision
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host


class NovelHistory(Listed[Revision]):
    """Revisions of a novel's line."""

    heads: ClassVar = ("revision", "time", "who", "what", "changes")

    def row(self, item: Revision) -> tuple[str, ...]:
        """Revision, time, who did what, and how much it changed."""
        return (item.id, to_the_minute(item.at), item.actor.name, item.cause, str(item.changes_count))


def history(host: Host, novel: str, last: int) -> NovelHistory:
    """The last revisions of a novel, newest first."""
    return NovelHistory(host.novel_service.log(novel, last))
