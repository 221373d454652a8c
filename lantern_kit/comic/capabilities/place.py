"""Where a caller looks: a draft, a candidate beside it, a chapter's working line, or one fixed revision."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lantern_kit.comic.book import Book
from lantern_kit.comic.candidate import Candidate
from lantern_kit.comic.capabilities.answer import Out
from lantern_kit.comic.capabilities.services import ComicServices
from lantern_kit.comic.capabilities.whereabouts import whereabouts
from lantern_kit.comic.drafts import Draft, draft_number
from lantern_kit.comic.handle import Thing, parse_handle
from lantern_kit.comic.measure import a
from lantern_kit.comic.model import Unit
from lantern_kit.comic.reference import SCHEME, parse_reference, proposal_in
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.capability import Reply
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.revision import revision_number

_DRAFT = re.compile(r"^d[0-9]{1,16}$")
_PROPOSAL = re.compile(r"^p[0-9]{1,16}$")
_SAVED = re.compile(r"^s[0-9]{1,16}$")
SAVED = "@saved"
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
        return self.moment.id

    @property
    def draft_id(self) -> str:
        """``d7``, or empty."""
        return "" if self.draft is None else self.draft.id

    @property
    def words(self) -> str:
        """``draft d7 at r41``, ``candidate cd4 on r41 of draft d7``, ``work at r40``, ``r12``."""
        if self.candidate is not None:
            return f"candidate {self.revision} on r{self.candidate.base} of draft {self.candidate.draft}"
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
    if _SAVED.match(source):
        return Place(services.comics.at(services.comics.snapshot_of(source).revision))
    proposal = proposal_in(source)
    if _PROPOSAL.match(proposal):
        return Place(services.comics.at(services.proposals.get(proposal).frozen))
    if source.startswith(("ch_", SCHEME)):
        chapter = chapter_in(source.removesuffix(SAVED))
        services.comics.find_chapter(chapter)
        return Place(_saved(services, chapter) if source.endswith(SAVED) else services.comics.head(chapter))
    raise BadInput(
        "source names no draft, candidate, chapter, revision or proposal",
        expected="d7, cd4, ch_…, ch_…@saved, s3, r41 or p2",
        found=source[:40],
        recovery="outline without a source lists the chapters and their drafts.",
    )


def chapter_in(text: str) -> str:
    """The id of the chapter in a handle or a reference; any other text as it is. Raises BadInput."""
    reference = parse_reference(text)
    return text.partition("#")[0] if reference is None else reference.chapter


def _saved(services: ComicServices, chapter: str) -> Moment:
    """A chapter as it was saved last. Raises NotFound."""
    saved = services.comics.snapshots(chapter)
    if not saved:
        raise NotFound(
            f"{chapter} was never saved", ids=[chapter], recovery="Use the chapter itself: its work as it stands."
        )
    return services.comics.at(saved[0].revision)


def find_unit(book: Book, unit: str, services: ComicServices | None = None) -> Unit:
    """The unit that a handle, an id, a reference or a place (from 1) names; for reading any fingerprint will do.

    ``services`` let a refusal say what else an id is. Raises BadInput, NotFound.
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
        raise _no_unit(book, name, services)
    return book.unit(name)


def unit_names(names: Iterable[str], book: Callable[[], Book]) -> list[str]:
    """Units as edits know them: of a place (from 1) the id, any other name as it is. Raises NotFound.

    ``book`` is asked only where a place is named.
    """
    return [find_unit(book(), name).id if _PLACE.match(name) else name for name in names]


def _no_unit(book: Book, name: str, services: ComicServices | None) -> NotFound:
    home = next((unit for unit in book.units() if name in unit.index), None)
    if home is not None:
        return NotFound(
            f"{name} is {a(home.index[name].kind)} on {home.id}, not a unit",
            ids=[name, home.id],
            recovery="Say its unit.",
        )
    known = None if services is None else whereabouts(services, name, chapter=book.chapter.id)
    return known or NotFound(f"{name} is not a unit there", ids=[name])


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
        raise whereabouts(services, name, chapter=book.chapter.id) or NotFound(
            f"{name} is nothing in this chapter", ids=[name], recovery="find searches the chapter."
        )
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
