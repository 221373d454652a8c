"""The works of a workspace as people see them: its comics and chapters, and what waits for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lantern_kit.comic.measure import counted
from lantern_kit.comic.work import show
from lantern_kit.comic.work.comic import Comic
from lantern_kit.comic.work.proposal import ProposalShelf
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host

_COUNTED = {
    "picture": "assets",
    "open draft": "drafts WHERE state = 'open'",
    "unsettled annotation": "annotations WHERE state NOT IN ('resolved', 'shelved')",
    "open conflict": "conflicts WHERE state = 'open'",
}
"""What is counted, where there is any."""
COMICS = 12
"""Comics that are drawn; the others are listed."""


class Works(Listed[Comic]):
    """The comics of a workspace, by title."""

    heads = ("comic", "chapters")
    empty = "no comics yet: ws.comic(TITLE).begin_chapter(1) begins one"
    key = "title"

    def row(self, item: Comic) -> tuple[str, ...]:
        """Title and chapters."""
        return (item.title, ", ".join(str(chapter.book.chapter.number) for chapter in item.chapters()))

    def line(self, item: Comic) -> str:
        """A comic on one line."""
        return repr(item)

    def html(self) -> str:
        """Each comic with the first page of its chapters."""
        if not self.items:
            return show.small(self.empty)
        drawn = "".join(item.html() for item in self.items[:COMICS])
        return drawn + show.bullets(item.title for item in self.items[COMICS:])


def all_works(host: Host) -> Works:
    """All comics of a workspace, by title."""
    titles = dict.fromkeys(record.comic for record in host.comics.chapters())
    return Works(Comic(host, title) for title in titles)


def show_workspace(host: Host, title: str) -> str:
    """A workspace: its works, how much is in it, and what waits for a person."""
    works, waiting = all_works(host), ProposalShelf(host).pending()
    with host.comics.journal.read() as connection:
        counts = {
            noun: connection.exec_driver_sql(f"SELECT count(*) FROM {what}").scalar_one()  # noqa: S608  constant text
            for noun, what in _COUNTED.items()
        }
    remarks = [host.owner.name, counted(len(works), "comic"), *(counted(n, noun) for noun, n in counts.items() if n)]
    verdicts = show.heading("Waiting for a verdict") + waiting.html() if waiting else ""
    return show.heading(title) + show.small(" · ".join(remarks)) + works.html() + verdicts
