"""What words mean in a chapter: one thing, or all that could be meant with what tells them apart; never a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.handle import handle_of, parse_handle
from lantern_kit.comic.model import OBJECT_TYPES
from lantern_kit.comic.reference import Reference, parse_reference
from lantern_kit.comic.scope import Found, Sought, candidate, of_kind, seek
from lantern_kit.comic.uses import placing, showing, using
from lantern_kit.comic.work import show
from lantern_kit.comic.work.closeup import EDGE, close_up
from lantern_kit.comic.work.unit import UnitWork, picture_title
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.service import Moment
    from lantern_kit.comic.work.host import Host

CLOSELY = 12
"""So many are told apart by place, size and neighbours too."""
LARGE = 700
"""Long edge of the page that one match is shown on, in pixels."""
_ID = re.compile(r"[a-z]{2}_[0-9a-z]{4,20}(?:#[0-9a-z]{8})?")
_KINDS = frozenset({"unit", *OBJECT_TYPES})


class Match:
    """A unit or an object that answers to some words, at one revision."""

    def __init__(self, host: Host, moment: Moment, found: Found, facts: dict[str, Any]) -> None:
        self._host = host
        self._found = found
        self.moment = moment
        self.facts = facts
        """What agents are told of it: kind, name, page, words, place in millimetres, neighbours."""

    @property
    def id(self) -> str:
        """Its id."""
        return self._found.key

    @property
    def handle(self) -> str:
        """Its id and fingerprint."""
        thing = self._found.thing
        return handle_of(self._found.unit if thing is None else thing)

    @property
    def kind(self) -> str:
        """What it is: ``frame``, ``balloon``, or of a unit ``page``, ``spread``."""
        return str(self.facts["kind"])

    @property
    def name(self) -> str:
        """What people call it: ``balloon 2``; of a unit its kind."""
        return str(self.facts.get("what") or self.kind)

    @property
    def page(self) -> str:
        """Title of its unit."""
        return str(self.facts["page"])

    @property
    def unit(self) -> UnitWork:
        """Its unit, or itself."""
        return UnitWork(self._host, self.moment, self._found.unit.id)

    @property
    def reference(self) -> str:
        """Its address for agents and notes, which edits do not change."""
        thing = self._found.thing
        return str(Reference(self.moment.book.chapter.id, self._found.unit.id, "" if thing is None else thing.id))

    @property
    def words(self) -> str:
        """What it says or shows: who says what, the words of a frame, a picture's title; empty where there is none."""
        facts = self.facts
        said = str(facts.get("text") or facts.get("words") or facts.get("holds") or "")
        return f"{facts['speaker']}: {said}" if facts.get("speaker") and said else said

    @property
    def apart(self) -> str:
        """What tells it from the others that answer: where it lies, how large it is, what is read before and after."""
        facts = self.facts
        parts = [str(facts["where"])] if "where" in facts else []
        if "at" in facts:
            parts.append("{:g} × {:g} mm".format(*facts["at"][2:]))
        parts += [f"{word} {facts[word]}" for word in ("in", "after", "before") if word in facts]
        return ", ".join(parts)

    def close_up(self, *, edge: int = LARGE) -> show.RenderedPage | None:
        """The page round it, which is marked, or the whole unit; None where nothing of it is on the page."""
        return close_up(self._host, self._found.unit, self.moment.book.chapter, self.id, edge=edge)

    def __repr__(self) -> str:
        words = f": {self.words}" if self.words else ""
        apart = f" ({self.apart})" if self.apart else ""
        return f"<{self.page}, {self.name} {self.handle}{words}{apart}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        seen = self.close_up()
        drawn = "" if seen is None else show.figure(seen, f"{self.page}, {self.name} at {self.moment.id}")
        told = (show.paragraph(text) for text in (self.handle, self.words, self.apart) if text)
        return show.bundle(repr(self), drawn + "".join(told))


class Matches(Listed[Match]):
    """All that answers to some words, in the order of reading."""

    heads = ("page", "what", "handle", "words", "told apart by")

    def __init__(self, items: Iterable[Match], text: str, note: str = "") -> None:
        super().__init__(items)
        self.text = text
        self.note = note
        """Why nothing answers; empty where something does."""
        self.empty = f"nothing: {note}" if note else "nothing"

    def one(self) -> Match:
        """The only thing that is meant. Raises NotFound; BadInput with what tells several apart."""
        if len(self) == 1:
            return self[0]
        text = self.text[:80]
        if not self.items:
            raise NotFound(f"nothing answers to “{text}”", found=self.note or None, recovery="Say it otherwise.")
        raise BadInput(
            f"“{text}” may mean {len(self)} things",
            expected="one of them",
            found=[repr(item)[1:-1] for item in self.items[:CLOSELY]],
            ids=[item.id for item in self.items[:CLOSELY]],
            recovery="Say what tells it apart, or take one of the list by its place or id.",
        )

    def row(self, item: Match) -> tuple[str, ...]:
        """Page, name, handle, words, and what tells it apart."""
        return (item.page, item.name, item.handle, item.words, item.apart)

    def picture(self, item: Match) -> str:
        """Its place on the page."""
        seen = item.close_up(edge=EDGE)
        return "" if seen is None else seen.picture(item.name)


def find(host: Host, moment: Moment, text: str, kinds: Iterable[str] = ()) -> Matches:
    """What a text means in a chapter at a moment: words, names, phrases, an id, a handle or a reference.

    Raises BadInput for a kind that is none, NotFound for an id or a reference that is nothing there.
    """
    text, wanted = text.strip(), frozenset(kinds)
    if wanted - _KINDS:
        strange = sorted(wanted - _KINDS)
        raise BadInput("there is no such kind of thing", expected=sorted(_KINDS), found=strange)

    def title(asset: str) -> str:
        called = picture_title(host, asset)
        return "" if called == asset else called

    sought = _pointed(host, moment, text, wanted)
    if sought is None:
        sought = seek([moment.book], text, wanted, title, showing(host.comics.library.entries()))
    note = sought.note
    if sought.chapters and not sought.found:
        note = "these words mean the chapter itself"
    closely = 1 < len(sought.found) <= CLOSELY
    matches = []
    for book, item in sought.found:
        n = book.position(item.unit.id) + 1
        facts = candidate(item, n=n, page=moment.titles[item.unit.id], title=title, closely=closely)
        matches.append(Match(host, moment, item, facts))
    return Matches(matches, text, note or ("" if matches else "no words and no name hold it"))


def _pointed(host: Host, moment: Moment, text: str, kinds: frozenset[str]) -> Sought | None:
    """What an id, a handle or a reference names, or where a picture or an entry is used; None for any other text."""
    reference = parse_reference(text)
    if reference is None and not _ID.fullmatch(text):
        return None
    book, (name, _) = moment.book, parse_handle(text)
    if reference is not None and reference.chapter != book.chapter.id:
        raise NotFound(
            f"{reference.chapter} is another chapter", ids=[reference.chapter], recovery="Look for it in that one."
        )
    if name == book.chapter.id:
        return Sought(chapters=[book])
    if name.startswith("as_"):
        host.assets.get(name)
        found = placing(book, name)
        note = "" if found else "the picture is placed nowhere here"
    elif name.startswith("li_"):
        library = host.comics.library
        library.get(name)
        found = using(book, name, library.entries())
        note = "" if found else "it is an entry of the library that nothing here shows"
    else:
        home = host.comics.unit_of(book, name)
        if home is None:
            raise NotFound(f"{name} is nothing in this chapter as it stands", ids=[name])
        unit = book.unit(home)
        found, note = [Found(unit, unit.index.get(name))], ""
    hits = [(book, item) for item in found if of_kind(item, kinds)]
    return Sought(hits, note=note if hits or note else "it is of another kind")
