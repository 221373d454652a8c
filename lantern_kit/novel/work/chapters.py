"""Chapters as people read them: the prose that is committed, paragraph by paragraph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from lantern_kit import showing as show
from lantern_kit.kernel.wording import counted
from lantern_kit.listed import Listed
from lantern_kit.novel.model import Chapter, Source
from lantern_kit.novel.whole import Novel, committed

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host

SHOWN = 400
"""Paragraphs of a chapter that a cell shows."""


@dataclass(frozen=True)
class ChapterWork:
    """A chapter: its plan, and what is written of it."""

    host: Host = field(repr=False, compare=False)
    novel: Novel = field(repr=False, compare=False)
    number: int
    facts: Chapter

    @property
    def id(self) -> str:
        """Its id, ``cp_…``, which its title never changes."""
        return self.facts.id

    @property
    def title(self) -> str:
        """Its title."""
        return self.facts.title

    @property
    def state(self) -> str:
        """planned, writing or completed."""
        return self.facts.state.value

    @property
    def characters(self) -> int:
        """Effective characters that are written."""
        return sum(committed(unit).characters for unit in self.novel.units_of(self.id))

    @property
    def units(self) -> int:
        """Pieces of prose that are committed."""
        return len(self.novel.units_of(self.id))

    @property
    def paragraphs(self) -> list[tuple[Source, str]]:
        """Its prose in the order of reading, each paragraph with its place. Raises NovelStorageCorruption."""
        return [
            (Source(commit=committed(unit).id, paragraph=number), words)
            for unit in self.novel.units_of(self.id)
            for number, words in enumerate(self.host.novel_service.paragraphs(self.novel, committed(unit).id))
        ]

    @property
    def text(self) -> str:
        """Its prose, paragraphs parted by an empty line. Raises NovelStorageCorruption."""
        return "\n\n".join(words for _, words in self.paragraphs)

    def told(self) -> str:
        """How far it is, in a few words."""
        return f"{self.state}, {counted(self.characters, 'character')} in {counted(self.units, 'unit')}"

    def __repr__(self) -> str:
        return f"<Chapter {self.number} {self.title!r}: {self.told()}>"

    def html(self) -> str:
        """Its prose, the first of it where it is long."""
        paragraphs = self.paragraphs
        shown = "".join(show.paragraph(words) for _, words in paragraphs[:SHOWN])
        more = len(paragraphs) - SHOWN
        rest = f"… and {counted(more, 'paragraph')} more: chapter.text has all" if more > 0 else ""
        head = show.heading(f"{self.number}. {self.title}") + show.small(self.told())
        return head + (shown or show.small("nothing is written of it yet")) + show.small(rest)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(f"{self.number}. {self.title}\n\n{self.text}", self.html())


class Chapters(Listed[ChapterWork]):
    """The chapters of a novel in order; ``[0]`` is the first, ``["cp_…"]`` one by its id."""

    heads: ClassVar = ("", "chapter", "id", "state", "characters", "units")
    empty = "no chapters yet: the outline comes first, novel.run()"

    def row(self, item: ChapterWork) -> tuple[str, ...]:
        """Number, title, id, state, and how much of it is written."""
        return (str(item.number), item.title, item.id, item.state, f"{item.characters:,}", str(item.units))

    def line(self, item: ChapterWork) -> str:
        """A chapter on one line."""
        return f"{item.number}. {item.title}: {item.told()}"


def chapters(host: Host, novel: Novel) -> Chapters:
    """All chapters of a novel."""
    return Chapters(
        ChapterWork(host, novel, number, chapter) for number, chapter in enumerate(novel.chapters.values(), 1)
    )
