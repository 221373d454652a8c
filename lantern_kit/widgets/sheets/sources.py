"""Where sheets are taken from: the work as it stands, any revision of a chapter, a choice of a conflict."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass

from lantern_kit.comic.book import Book
from lantern_kit.comic.conflicts import CHOICES, ConflictService
from lantern_kit.comic.service import ComicService
from lantern_kit.kernel.errors import BadInput, NotFound, WrongState
from lantern_kit.kernel.revision import revision_number

HEAD = "head"
FORMS = ("head", "r41", "c3:ours", "c3:theirs")
"""What a source may look like."""
KEPT = 8
"""Chapters as they would be with a choice of a conflict that are remembered."""
_REVISION = re.compile(r"r[0-9]{1,16}")
_CHOICE = re.compile(r"(c[0-9]{1,16}):([a-z]{1,10})")


@dataclass(frozen=True)
class Seen:
    """A chapter at one source."""

    source: str
    book: Book
    revision: str
    """The revision it is, or that it was made from, as people say it; empty when it is none."""

    @property
    def number(self) -> int | None:
        """The revision's number."""
        return revision_number(self.revision) if _REVISION.fullmatch(self.revision) else None


class Sources:
    """The sources of one workspace's chapters.

    Args:
        comics: the workspace's chapters.
    """

    def __init__(self, comics: ComicService) -> None:
        self._comics = comics
        self._theirs: OrderedDict[tuple[str, int], Book] = OrderedDict()
        self._lock = threading.Lock()

    def knows(self, source: str) -> bool:
        """Whether a source has one of the forms known here."""
        return source == HEAD or bool(_REVISION.fullmatch(source) or _CHOICE.fullmatch(source))

    def seen(self, chapter: str, source: str) -> Seen:
        """A chapter at a source.

        Raises:
            BadInput: it has no known form.
            NotFound: there is no such revision or conflict of this chapter.
            WrongState, InvalidDocument: the choice of a conflict cannot be shown any more.
        """
        if source == HEAD:
            head = self._comics.head(chapter)
            return Seen(source, head.book, head.id)
        if _REVISION.fullmatch(source):
            then = self._comics.of_chapter(chapter, revision_number(source))
            return Seen(source, then.book, then.id)
        choice = _CHOICE.fullmatch(source)
        if choice is None:
            raise BadInput("that is no source of pages", expected=list(FORMS), found=source[:40])
        return self._chosen(chapter, source, choice[1], choice[2])

    def _chosen(self, chapter: str, source: str, conflict: str, side: str) -> Seen:
        if side not in CHOICES:
            raise BadInput("a conflict has two sides", expected=list(CHOICES), found=side)
        service = ConflictService(self._comics)
        found = service.get(conflict)
        if found.chapter != chapter:
            raise NotFound(f"{conflict} is a conflict of another chapter", ids=[conflict, found.chapter])
        head = self._comics.head(chapter)
        if side == "ours":
            return Seen(source, head.book, head.id)
        if found.state != "open":
            raise WrongState(
                f"{conflict} is settled: {found.state}",
                ids=[conflict],
                recovery="Look at the work as it stands, or list the conflicts that are open.",
            )
        key = (conflict, head.revision.number)
        with self._lock:
            book = self._theirs.get(key)
        if book is None:
            book = service.with_choice(found, head)
            with self._lock:
                self._theirs[key] = book
                if len(self._theirs) > KEPT:
                    self._theirs.popitem(last=False)
        return Seen(source, book, head.id)
