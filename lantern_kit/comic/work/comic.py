"""Comics as people hold them: their chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Binding, Direction, Paper
from lantern_kit.comic.work import show
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.chapters import Chapters
from lantern_kit.comic.work.paper import paper
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host


class Comic:
    """A comic: its chapters, by number."""

    def __init__(self, host: Host, title: str) -> None:
        self._host = host
        self.title = title

    def __repr__(self) -> str:
        return f"<Comic {self.title!r}: {counted(len(self.chapters()), 'chapter')}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), self.html())

    def html(self) -> str:
        """The first page of each chapter."""
        return show.heading(self.title) + self.chapters().html()

    def chapters(self) -> Chapters:
        """All chapters in order."""
        records = self._host.comics.chapters()
        return Chapters(ChapterWork(self._host, item.id) for item in records if item.comic == self.title)

    def chapter(self, number: int) -> ChapterWork:
        """One chapter. Raises NotFound."""
        records = [item for item in self._host.comics.chapters() if item.comic == self.title]
        for item in records:
            if item.number == number:
                return ChapterWork(self._host, item.id)
        raise NotFound(
            f"there is no chapter {number} of {self.title}",
            expected=[item.number for item in records],
            found=number,
            recovery="Begin it with comic.begin_chapter(...)." if records else "List the works: ws.works().",
        )

    def begin_chapter(
        self,
        number: int,
        *,
        size: str | tuple[float, float] | Paper = "A5",
        title: str = "",
        direction: Direction | str = Direction.LTR,
        language: str = "en",
        by: Actor | None = None,
    ) -> ChapterWork:
        """Begin an empty chapter. A right-to-left chapter is bound on the right unless its paper says otherwise."""
        direction = Direction(direction)
        if not isinstance(size, Paper):
            size = paper(size, binding=Binding.RIGHT if direction is Direction.RTL else Binding.LEFT)
        record = self._host.comics.create_chapter(
            comic=self.title,
            number=number,
            actor=by or self._host.owner,
            paper=size,
            title=title,
            direction=direction,
            language=language,
        )
        return ChapterWork(self._host, record.id)
