"""How much the chapters of a novel repeat themselves, as people compare them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from lantern_kit.listed import Listed
from lantern_kit.novel.guards.repetition import Repetition, chapter_repetition

if TYPE_CHECKING:
    from lantern_kit.novel.work.chapters import ChapterWork


@dataclass(frozen=True)
class ChapterRepetition:
    """How much one chapter repeats itself."""

    id: str
    number: int
    title: str
    measured: Repetition


class Repetitions(Listed[ChapterRepetition]):
    """One row a chapter that has prose."""

    heads: ClassVar = ("chapter", "title", "words", "new words", "new pairs", "new threes", "new fours", "loops")

    def row(self, item: ChapterRepetition) -> tuple[str, ...]:
        """Chapter, title, words (of Han and kana, characters), shares of runs that are new, and loops."""
        shares = [f"{share:.0%}" for share in item.measured.distinct]
        return (str(item.number), item.title, str(item.measured.tokens), *shares, str(len(item.measured.loops)))


def repetitions(chapters: Iterable[ChapterWork]) -> Repetitions:
    """How much each chapter that has prose repeats itself. Raises NovelStorageCorruption."""
    return Repetitions(
        ChapterRepetition(
            chapter.id, chapter.number, chapter.title, chapter_repetition([words for _, words in chapter.paragraphs])
        )
        for chapter in chapters
        if chapter.units
    )
