"""The chapters of a comic as a list that shows itself by their first pages."""

from __future__ import annotations

from lantern_kit.comic.measure import counted
from lantern_kit.comic.work import show
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.listed import Listed


class Chapters(Listed[ChapterWork]):
    """Chapters of one comic; they show themselves by their first pages."""

    empty = "no chapters yet"

    def line(self, item: ChapterWork) -> str:
        """A chapter on one line."""
        return repr(item)

    def html(self) -> str:
        """The first page of each, and how long it is."""
        figures = []
        for chapter in self.items[: show.STRIP]:
            units = chapter[:1]
            facts = chapter.book.chapter
            title = f"chapter {facts.number}" + (f" · {facts.title}" if facts.title else "")
            drawn = units[0].render(long_edge=show.THUMB).picture(title) if units else show.small("nothing on it yet")
            figures.append(show.figure(show.Markup(drawn), f"{title} · {counted(len(chapter), 'unit')}"))
        more = f"{show.STRIP} of {len(self)} chapters; [{show.STRIP}:] shows the next" if len(self) > show.STRIP else ""
        return (show.side_by_side(figures) if figures else show.small(self.empty)) + show.small(more)
