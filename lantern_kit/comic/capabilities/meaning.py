"""What a text means in some chapters: an id, a reference or a link is pointed at; all else is read and looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.comic.capabilities.place import Place
from lantern_kit.comic.capabilities.read import titles
from lantern_kit.comic.capabilities.services import ComicServices
from lantern_kit.comic.capabilities.whereabouts import whereabouts
from lantern_kit.comic.handle import fingerprint_of, handle_of, parse_handle
from lantern_kit.comic.markup import parse
from lantern_kit.comic.measure import a, counted
from lantern_kit.comic.model import Chapter, Foreground, Image, Lettering, Node, Overlay, Unit
from lantern_kit.comic.pages import page_numbers
from lantern_kit.comic.reference import Reference, linked_proposal, parse_reference
from lantern_kit.comic.scope import Found, Noun, Phrase, read, resolve
from lantern_kit.comic.scope.matching import Title, names_of
from lantern_kit.comic.scope.nouns import fold
from lantern_kit.kernel.errors import BadInput, NotFound, WrongTarget
from lantern_kit.kernel.revision import revision_number

_ID = re.compile(r"[a-z]{2}_[0-9a-z]{4,20}(?:#[0-9a-z]{8})?")
_RESOURCE = re.compile(r"lantern://(?:asset|unit/[^/]+)/([^/?#]+)")
_MARKS = '“”"「」『』《》«»'
Hit = tuple[Place, Found]


@dataclass
class Meant:
    """Everything that answers to a text."""

    found: list[Hit] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    """What is neither unit nor object: proposals and chapters, as they are told."""
    note: str = ""
    marks: dict[str, Any] = field(default_factory=dict)
    """What else is told of the thing that was pointed at."""


def pointed(
    held: ComicServices, places: Sequence[Place], text: str, kinds: frozenset[str], *, given: bool
) -> Meant | None:
    """What an id, handle, reference or link points at; None for a text that is none of them.

    Args:
        held: the services.
        places: where to look.
        text: what was said.
        kinds: those that are asked for; empty for all.
        given: whether the caller named the place.

    Raises NotFound, WrongTarget and BadInput that say what the thing is instead.
    """
    if text.startswith(("http://", "https://")):
        return _link(held, places, text, given=given)
    reference = parse_reference(text)
    resource = _RESOURCE.fullmatch(text)
    bare = resource[1] if resource is not None else text
    if reference is None and not _ID.fullmatch(bare):
        return None
    name, fingerprint = parse_handle(text if reference is not None else bare)
    if reference is not None and given and reference.chapter != places[0].chapter:
        raise _elsewhere(held, name, places[0].chapter)
    if name.startswith("as_"):
        return _shown(held, places, name, kinds)
    if name.startswith("ch_"):
        return _chapter(held, name, places, given=given)
    hits = [(place, item) for place in places if (item := _thing(held, place, name)) is not None]
    if not hits:
        raise _elsewhere(held, name, places[0].chapter if given and places else "")
    place, item = hits[0]
    _require_kind(item, kinds)
    thing: Unit | Node = item.unit if item.thing is None else item.thing
    marks: dict[str, Any] = {}
    if fingerprint is not None and fingerprint_of(thing) != fingerprint:
        marks["changed"] = True
    if reference is not None and reference.revision:
        marks["changed"] = _changed(held, reference, thing)
    if reference is not None and reference.object and reference.unit != item.unit.id:
        marks["moved_from"] = reference.unit
    return Meant([(place, item)], marks=marks)


def told(held: ComicServices, places: Sequence[Place], text: str, kinds: frozenset[str]) -> Meant:
    """What words mean: what a phrase says, and what bears just these words; of other words, whatever holds them."""
    found: dict[tuple[str, str], Hit] = {}
    chapters: dict[str, dict[str, Any]] = {}
    reader = _Reader(held, text)
    for place in places if text else ():
        meant, whole = reader.read(place)
        found.update({(place.chapter, item.key): (place, item) for item in meant})
        if whole:
            chapters[place.chapter] = _chapter_row(place)
    if reader.understood:
        for place, item in _everything(held, places, text):
            if fold(text) in {fold(name) for name in (*names_of(item, reader.title), *_words(item))}:
                found[place.chapter, item.key] = (place, item)
    hits = [hit for hit in found.values() if _wanted(hit[1], kinds)]
    if hits or (chapters and not kinds):
        return Meant(_sorted(places, hits), [] if kinds else list(chapters.values()))
    if reader.firm:
        return Meant(note=_missing(places, text))
    searched = [hit for hit in _everything(held, places, text) if _wanted(hit[1], kinds)]
    return Meant(searched, note="" if searched else reader.note)


class _Reader:
    """Reads one text for several chapters."""

    def __init__(self, held: ComicServices, text: str) -> None:
        self.title = titles(held)
        self.understood = False
        """Whether some reading made sense of all of it, beyond a mere name."""
        self.firm = False
        """Whether one says more than a bare noun, so that its words are hardly searched for."""
        self.note = ""
        self._text = text

    def read(self, place: Place) -> tuple[list[Found], bool]:
        """What the text means in a chapter, and whether it may mean the chapter itself."""
        found: list[Found] = []
        whole = False
        for said, titled in _about(place.book.chapter, self._text):
            whole = whole or (titled and not said)
            readings = read(said, _names(place, said, self.title))
            for phrase in readings.phrases:
                if all(pick.noun is Noun.ANY for pick in phrase.picks) and not any(mark in said for mark in _MARKS):
                    continue  # a name by itself: it is searched for
                self.understood = True
                self.firm = self.firm or _firm(phrase)
                if _of_chapter(phrase, place.book.chapter):
                    whole = whole or phrase.innermost == 0
                    found += resolve(phrase, place.book, self.title)
            if readings.strange and not self.note:
                self.note = f"not understood: {', '.join(readings.strange)}"
                if readings.without is not None:
                    left = len(resolve(readings.without, place.book, self.title))
                    self.note += f"; without it: {counted(left, 'candidate')}"
        self.understood = self.understood or whole
        return found, whole


# Pointing


def _link(held: ComicServices, places: Sequence[Place], text: str, *, given: bool) -> Meant:
    name = linked_proposal(text)
    if not name:
        raise BadInput(
            "that is no link to a review on this machine",
            expected="http://127.0.0.1:…/?proposal=p2",
            recovery="Ask the person for the proposal's number.",
        )
    item = held.proposals.get(name)
    if given and item.chapter != places[0].chapter:
        raise NotFound(
            f"{name} is a proposal for another chapter, {item.chapter}",
            ids=[name, item.chapter],
            recovery=f"Say source {item.chapter} if that is meant.",
        )
    row = {"kind": "proposal", "proposal": item.id, "state": item.state, "draft": f"d{item.draft}"}
    return Meant(others=[{**row, "source": item.chapter, "summary": item.summary}])


def _chapter(held: ComicServices, name: str, places: Sequence[Place], *, given: bool) -> Meant:
    held.comics.find_chapter(name)
    if given and places[0].chapter != name:
        raise _elsewhere(held, name, places[0].chapter)
    return Meant(others=[_chapter_row(place) for place in places if place.chapter == name])


def _chapter_row(place: Place) -> dict[str, Any]:
    chapter = place.book.chapter
    row = {"kind": "chapter", "handle": handle_of(chapter), "source": place.chapter, "comic": chapter.comic}
    return {**row, "number": chapter.number, "title": chapter.title, "units": len(place.book)}


def _shown(held: ComicServices, places: Sequence[Place], name: str, kinds: frozenset[str]) -> Meant:
    """Where a picture is placed."""
    held.assets.get(name)
    hits = [
        (place, Found(unit, item))
        for place in places
        for unit in place.book.units()
        for item in unit.objects
        if isinstance(item, Image | Overlay | Foreground) and item.asset == name
    ]
    kept = [hit for hit in hits if _wanted(hit[1], kinds)]
    return Meant(kept, note="" if kept else f"{name} is a picture that is placed nowhere there: read_asset shows it")


def _thing(held: ComicServices, place: Place, name: str) -> Found | None:
    if name in place.book:
        return Found(place.book.unit(name))
    home = held.comics.unit_of(place.book, name)
    if home is None:  # what was made since the journal last heard of it, as in a candidate
        home = next((unit.id for unit in place.book.units() if name in unit.index), None)
    return None if home is None else Found(place.book.unit(home), place.book.unit(home).index[name])


def _elsewhere(held: ComicServices, name: str, chapter: str) -> NotFound:
    known = whereabouts(held, name, chapter=chapter)
    return known or NotFound(
        f"nothing here has, or ever had, the id {name}", ids=[name], recovery="find searches by words; outline lists."
    )


def _require_kind(item: Found, kinds: frozenset[str]) -> None:
    if not _wanted(item, kinds):
        kind = item.unit.kind.value if item.thing is None else item.thing.kind
        raise WrongTarget(f"{item.key} is {a(kind)}", expected=sorted(kinds), found=kind, ids=[item.key])


def _changed(held: ComicServices, reference: Reference, thing: Unit | Node) -> bool:
    """Whether a thing is another than it was at the revision of a reference. Raises NotFound."""
    then = held.comics.of_chapter(reference.chapter, revision_number(reference.revision)).book
    for unit in then.units():
        old = unit if unit.id == thing.id else unit.index.get(thing.id)
        if old is not None:
            return fingerprint_of(old) != fingerprint_of(thing)
    raise NotFound(f"{thing.id} was not there yet at {reference.revision}", ids=[thing.id, reference.revision])


# Reading


def _about(chapter: Chapter, text: str) -> Iterator[tuple[str, bool]]:
    """The text, and what is left of it when the work's own title is taken away; whether that was done."""
    yield text, False
    folded = fold(text)
    for title in dict.fromkeys((chapter.comic, chapter.title)):
        wanted = fold(title)
        if wanted and wanted in folded:
            rest = re.sub(f"[{_MARKS}]?{re.escape(wanted)}[{_MARKS}]?", " ", folded, count=1).strip(" ,.:·")
            if rest.isdigit():  # Chelsea Goes Up 2
                rest = f"chapter {rest}"
            yield rest, True


def _of_chapter(phrase: Phrase, chapter: Chapter) -> bool:
    """Whether a chapter is one that the phrase speaks of."""
    picks = phrase.of_rank(0)
    return not picks or any(
        (pick.number is None or pick.number[0] <= chapter.number <= pick.number[1])
        and (not pick.name or fold(pick.name) in {fold(chapter.title), fold(chapter.comic)})
        and not pick.ordinal
        for pick in picks
    )


def _firm(phrase: Phrase) -> bool:
    """Whether a phrase says more than a single bare noun or name, so that its words are hardly searched for."""
    first = phrase.picks[0]
    return len(phrase.picks) > 1 or bool(first.ordinal or first.number or first.speaker or first.said)


def _missing(places: Sequence[Place], text: str) -> str:
    """Why nothing answers to a phrase that was understood."""
    if len(places) != 1:
        return "understood, and nothing answers to it"
    place = places[0]
    chapter = place.book.chapter
    phrases = read(text).phrases
    if phrases and not any(_of_chapter(phrase, chapter) for phrase in phrases):
        return f"source is chapter {chapter.number} of {chapter.comic}; leave it out to look in all"
    pages = page_numbers(brief.kind for brief in place.book.briefs())
    last = max((end for _, end in pages), default=0)
    return f"nothing answers to it: pages are 1–{last}, in {counted(len(pages), 'unit')}"


def _names(place: Place, text: str, title: Title) -> set[str]:
    """Names of people, things, pages and pictures that stand in a text, folded."""
    folded = fold(text)
    found: set[str] = set()
    for unit in place.book.units():
        for item in (Found(unit), *(Found(unit, item) for item in unit.objects)):
            found.update(name for name in map(fold, names_of(item, title)) if name and name in folded)
    return found


# Searching


def _everything(held: ComicServices, places: Sequence[Place], text: str) -> Iterator[Hit]:
    """All that holds a text, in the order of reading pages and drawing."""
    wanted = text.casefold()
    title = titles(held)
    for place in places:
        for unit in place.book.units():
            if _holds(wanted, unit.id, unit.name):
                yield place, Found(unit)
            for item in unit.objects:
                row = Found(unit, item)
                pictures = (item.asset,) if isinstance(item, Image | Overlay | Foreground) else ()
                if _holds(wanted, item.id, *pictures, *names_of(row, title), *_words(row)):
                    yield place, row


def _words(row: Found) -> tuple[str, ...]:
    """Words of lettering as they are read, as they are written, and by their readings."""
    if not isinstance(row.thing, Lettering):
        return ()
    marked = parse(row.thing.text)
    return marked.text, row.thing.text, *("".join(ruby.readings) for ruby in marked.rubies)


def _holds(wanted: str, *words: str) -> bool:
    return any(wanted in word.casefold() for word in words) or not wanted


def _wanted(item: Found, kinds: frozenset[str]) -> bool:
    return not kinds or ("unit" if item.thing is None else item.thing.kind) in kinds


def _sorted(places: Sequence[Place], hits: list[Hit]) -> list[Hit]:
    """In the order of places, units, and reading or drawing."""
    order = {place.chapter: number for number, place in enumerate(places)}

    def key(hit: Hit) -> tuple[int, int, int]:
        place, item = hit
        unit, thing = item.unit, item.thing
        inside = -1 if thing is None else [other.id for other in unit.objects].index(thing.id)
        if thing is not None and thing.id in unit.reading:
            inside = unit.reading.index(thing.id)
        return order[place.chapter], place.book.position(unit.id), inside

    return sorted(hits, key=key)
