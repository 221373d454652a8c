"""Blame as people see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lantern_kit.comic.blame import blame
from lantern_kit.comic.blamed import Blame
from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.work import show
from lantern_kit.kernel.errors import NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host


class BlameWork(Blame):
    """Where everything of one object comes from; shows itself as a table."""

    def __repr__(self) -> str:
        state = " (gone)" if self.removed is not None else ""
        lines = [f"{self.kind} {self.object}{state}"]
        lines += ["  ".join(cell for cell in row if cell) for row in self.rows()]
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), show.table(self.heads, self.rows()))


def read_blame(host: Host, chapter: str, thing: str) -> BlameWork:
    """Where everything of an object, a unit or the chapter comes from, given by id or handle.

    Raises NotFound, BadInput.
    """
    with host.comics.journal.read() as connection:
        found = blame(connection, host.comics, chapter, parse_handle(thing)[0])
    return BlameWork(**vars(found))


def find_chapter(host: Host, thing: str) -> str:
    """The chapter in whose work a thing is, or was. Raises NotFound, BadInput."""
    name = parse_handle(thing)[0]
    with host.comics.journal.read() as connection:
        row = connection.exec_driver_sql(
            "SELECT r.line FROM changes AS c JOIN revisions AS r ON r.id = c.revision"
            " WHERE c.object = ? AND r.line IN (SELECT id FROM chapters) ORDER BY c.id DESC LIMIT 1",
            (name,),
        ).fetchone()
    if row is not None:
        return str(row[0])
    if name.startswith("ch_"):
        return host.comics.find_chapter(name).id
    raise NotFound(
        f"{name} was never in the work",
        ids=[name],
        recovery="What lies only in a draft reaches the work by a verdict; name something that the outline lists.",
    )
