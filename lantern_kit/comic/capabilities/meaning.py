"""What a text means in some chapters: an id, a reference or a link is pointed at; all else is read and looked up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.comic.capabilities.place import Place
from lantern_kit.comic.capabilities.read import titles
from lantern_kit.comic.capabilities.services import ComicServices
from lantern_kit.comic.capabilities.whereabouts import whereabouts
from lantern_kit.comic.handle import fingerprint_of, handle_of, parse_handle
from lantern_kit.comic.measure import a
from lantern_kit.comic.model import Node, Unit
from lantern_kit.comic.reference import Reference, linked_proposal, parse_reference
from lantern_kit.comic.scope import Found, of_kind, seek
from lantern_kit.comic.uses import placing, showing, using
from lantern_kit.kernel.errors import BadInput, NotFound, WrongTarget
from lantern_kit.kernel.revision import revision_number

_ID = re.compile(r"[a-z]{2}_[0-9a-z]{4,20}(?:#[0-9a-z]{8})?")
_RESOURCE = re.compile(r"lantern://(?:asset|unit/[^/]+)/([^/?#]+)")
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
    if name.startswith("li_"):
        return _kept(held, places, name, kinds)
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
    by = {place.chapter: place for place in places}
    using_called = showing(held.comics.library.entries())
    sought = seek([place.book for place in places], text, kinds, titles(held), using_called)
    found = [(by[book.chapter.id], item) for book, item in sought.found]
    others = [_chapter_row(by[book.chapter.id]) for book in sought.chapters]
    return Meant(found, others, note=sought.note)


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


def _kept(held: ComicServices, places: Sequence[Place], name: str, kinds: frozenset[str]) -> Meant:
    """Where an entry of the library is used."""
    library = held.comics.library
    library.get(name)
    entries = library.entries()
    hits = [(place, found) for place in places for found in using(place.book, name, entries)]
    kept = [hit for hit in hits if of_kind(hit[1], kinds)]
    return Meant(kept, note="" if kept else f"{name} is an entry of the library that is used nowhere there")


def _shown(held: ComicServices, places: Sequence[Place], name: str, kinds: frozenset[str]) -> Meant:
    """Where a picture is placed."""
    held.assets.get(name)
    hits = [(place, found) for place in places for found in placing(place.book, name)]
    kept = [hit for hit in hits if of_kind(hit[1], kinds)]
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
    if not of_kind(item, kinds):
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
