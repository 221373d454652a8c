"""Where a caller looks: a draft, a candidate beside it, a chapter's working line, or one fixed revision."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lantern_kit.comic.book import Book
from lantern_kit.comic.candidate import Candidate
from lantern_kit.comic.capabilities.answer import Out
from lantern_kit.comic.capabilities.services import ComicServices
from lantern_kit.comic.drafts import Draft, draft_number
from lantern_kit.comic.handle import Thing, parse_handle
from lantern_kit.comic.model import Unit
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.capability import Reply
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.revision import revision_number

_DRAFT = re.compile(r"^d[0-9]{1,16}$")
_CANDIDATE = re.compile(r"^cd[0-9]{1,16}$")
_REVISION = re.compile(r"^r[0-9]{1,16}$")
_PLACE = re.compile(r"^[0-9]{1,6}$")


@dataclass(frozen=True)
class Place:
    """A chapter at one moment, with how the caller came to it."""

    moment: Moment
    draft: Draft | None = None
    candidate: Candidate | None = None
    """What would become of the draft; the moment's revision is the one that it was worked out on."""

    @property
    def book(self) -> Book:
        """The chapter as it is there."""
        return self.moment.book

    @property
    def chapter(self) -> str:
        """Id of the chapter."""
        return self.book.chapter.id

    @property
    def revision(self) -> str:
        """As agents say it: ``r41``; a candidate is no revision, and has its own name."""
        return self.moment.id if self.candidate is None else self.candidate.id

    @property
    def draft_id(self) -> str:
        """``d7``, or empty."""
        return "" if self.draft is None else self.draft.id

    @property
    def words(self) -> str:
        """``draft d7 at r41``, ``candidate cd4 on r41 of draft d7``, ``work at r40``, ``r12``."""
        if self.candidate is not None:
            return f"candidate {self.candidate.id} on {self.moment.id} of draft {self.candidate.draft}"
        if self.draft is not None:
            return f"draft {self.draft.id} at {self.revision}"
        return f"work at {self.revision}" if self.moment.revision.line == self.chapter else self.revision


def find_place(services: ComicServices, source: str) -> Place:
    """What a source names. Raises BadInput, NotFound."""
    if _DRAFT.match(source):
        draft = services.drafts.get(f"d{draft_number(source)}")
        return Place(services.drafts.head(draft.id), draft)
    if _CANDIDATE.match(source):
        candidate = services.candidates.get(source)
        return Place(services.candidates.moment(candidate), services.drafts.get(candidate.draft), candidate)
    if _REVISION.match(source):
        return Place(services.comics.at(revision_number(source)))
    if source.startswith("ch_"):
        chapter, _ = parse_handle(source)
        services.comics.find_chapter(chapter)
        return Place(services.comics.head(chapter))
    raise BadInput(
        "source names no draft, candidate, chapter or revision",
        expected="d7, cd4, ch_… or r41",
        found=source[:40],
        recovery="outline without a source lists the chapters and their drafts.",
    )


def find_unit(book: Book, unit: str) -> Unit:
    """The unit that a handle, an id or a place (from 1) names; a fingerprint does not matter for reading.

    Raises BadInput, NotFound.
    """
    if _PLACE.match(unit):
        place = int(unit)
        if not 1 <= place <= len(book):
            raise NotFound(
                f"the chapter has no unit {place}",
                expected=f"1 to {len(book)}" if len(book) else "no units yet",
                recovery="Add it with unit.add, or name one that outline lists.",
            )
        return book.unit(book.order[place - 1])
    name, _ = parse_handle(unit)
    if name not in book:
        raise NotFound(f"{name} is not a unit there", ids=[name])
    return book.unit(name)


def find_thing(services: ComicServices, book: Book, handle: str) -> tuple[Unit | None, Thing]:
    """The unit, object or chapter that a handle names, with its unit. Raises BadInput, NotFound."""
    name, _ = parse_handle(handle)
    if name == book.chapter.id:
        return None, book.chapter
    if name in book:
        unit = book.unit(name)
        return unit, unit
    home = services.comics.unit_of(book, name)
    if home is None:
        raise NotFound(f"{name} is nothing in this chapter", ids=[name], recovery="find searches the chapter.")
    unit = book.unit(home)
    thing: Thing = unit.index[name]
    return unit, thing


def seen(place: Place, answer: Out, *, target: str, summary: str) -> Reply:
    """The reply to an observation made at a place."""
    return Reply(
        answer.facts(),
        scope=place.chapter,
        draft=place.draft_id,
        target=target,
        summary=summary,
        revision=place.moment.revision.number,
    )
