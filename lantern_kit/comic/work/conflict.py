"""Stored conflicts as people hold them: both choices drawn beside each other, and the choice."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.conflicts import ConflictService, StoredConflict, name_of
from lantern_kit.comic.diff import diff
from lantern_kit.comic.quoting import quote
from lantern_kit.comic.service import Moment
from lantern_kit.comic.words import describe
from lantern_kit.comic.work import show
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.errors import LanternError, NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host
    from lantern_kit.kernel.actor import Actor

DRAWN = 6
"""Conflicts of one list that are drawn; the others are listed."""
STANDING = {
    "kept": "it stands as the merge left it",
    "theirs": "the work has theirs already",
    "changed": "it changed since the merge: look at what is there now",
    "gone": "it is gone from the work",
}


class ConflictShelf:
    """The conflicts of a chapter, oldest first."""

    def __init__(self, host: Host, chapter: str, *, settled: bool = False) -> None:
        self._host = host
        self._chapter = chapter
        self._state = None if settled else "open"

    def _all(self) -> list[StoredConflict]:
        return ConflictService(self._host.comics).of_chapter(self._chapter, state=self._state)

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[ConflictWork]:
        return (ConflictWork(self._host, item.id) for item in self._all())

    def __getitem__(self, place: str | int) -> ConflictWork:
        """A conflict by id, or by its place from 0. Raises NotFound."""
        if isinstance(place, str):
            found = ConflictService(self._host.comics).get(place)
            if found.chapter != self._chapter:
                raise NotFound(f"{place} is a conflict of another chapter", ids=[place, found.chapter])
            return ConflictWork(self._host, found.id)
        items = self._all()
        if not -len(items) <= place < len(items):
            raise NotFound(f"there are {len(items)} conflicts", found=place)
        return ConflictWork(self._host, items[place].id)

    def _ipython_key_completions_(self) -> list[str]:
        return [item.id for item in self._all()]

    def resolve(self, conflict: str, choice: str, *, by: Actor | None = None) -> str | None:
        """Settle one as ``ours`` or ``theirs``; see ``ConflictWork.resolve``."""
        return self[conflict].resolve(choice, by=by)

    def __repr__(self) -> str:
        return "\n".join(item.text() for item in self) or "no conflicts"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        items = list(self)
        html = "".join(item.html() for item in items[:DRAWN])
        if len(items) > DRAWN:
            html += show.small(f"{DRAWN} of {len(items)} are drawn; conflicts[ID] shows any other")
            html += show.bullets(map(repr, items[DRAWN:]))
        return show.bundle(repr(self), html or show.small("no conflicts"))


class ConflictWork:
    """One conflict, compared with the work as it stood when it was last looked at."""

    def __init__(self, host: Host, conflict: str) -> None:
        self._host = host
        self.id = conflict
        self._seen: Moment | None = None

    @property
    def facts(self) -> StoredConflict:
        """Its values and state, read anew."""
        return ConflictService(self._host.comics).get(self.id)

    def look(self) -> Moment:
        """Look at the work as it stands now; a choice then speaks of this."""
        self._seen = self._host.comics.head(self.facts.chapter)
        return self._seen

    @property
    def standing(self) -> str:
        """``kept`` as the merge left it, ``theirs`` already, ``changed`` since or ``gone``."""
        facts = self.facts
        return ConflictService(self._host.comics).standing(facts, self._host.comics.head(facts.chapter))

    def resolve(self, choice: str, *, by: Actor | None = None) -> str | None:
        """Settle it as ``ours`` or ``theirs``; gives the revision that theirs made, None when nothing had to change.

        Raises:
            StaleHandle: it changed since the merge and was not looked at since; look at it, then choose.
            WrongState: it is settled, or what it is about is gone.
            InvalidDocument: theirs does not fit the work as it stands.
        """
        compared = None if self._seen is None else self._seen.revision.number
        _, made = ConflictService(self._host.comics).resolve(
            self.id, choice, actor=by or self._host.owner, compared=compared
        )
        return None if made is None else made.id

    # showing

    def text(self) -> str:
        """What it is about, what each side has, and how it stands."""
        facts, moment = self.facts, self.look()
        lines = [
            f"Conflict {facts.id}: {name_of(facts)}, left by p{facts.proposal} at r{facts.revision}: {facts.state}"
        ]
        sides = (("before", facts.base), ("ours", facts.ours), ("theirs", facts.theirs))
        lines.extend(f"  {label}: {said(value)}" for label, value in sides if isinstance(value, str | None))
        if facts.state == "open":
            lines.extend(f"  taking theirs: {sentence}" for sentence in self._would(facts, moment))
            lines.append(f"  {STANDING[self.standing]}")
        elif facts.settled_at is not None:
            made = "" if facts.settled_in is None else f", r{facts.settled_in}"
            lines.append(f"  chosen by {facts.settled_by} at {to_the_minute(facts.settled_at)}{made}")
        return "\n".join(lines)

    def _would(self, facts: StoredConflict, moment: Moment) -> list[str]:
        """What taking theirs would do to the work as it stands, in words."""
        try:
            book = ConflictService(self._host.comics).with_choice(facts, moment)
        except LanternError as error:
            return [error.message]
        told = describe(diff(moment.book, book), moment.book, book)
        return [f"{unit.title}: {sentence}" for unit in told for sentence in unit.sentences]

    def choices(self) -> list[tuple[str, Book]]:
        """The chapter with ``ours`` and with ``theirs``, as it would be after each choice, where that can be had."""
        facts, moment = self.facts, self.look()
        found = [("ours", moment.book)]
        if facts.state == "open":
            try:
                found.append(("theirs", ConflictService(self._host.comics).with_choice(facts, moment)))
            except LanternError:
                return found  # the text says how it stands; resolving says why it does not fit
        return found

    def pages(self) -> list[tuple[str, show.RenderedPage]]:
        """The page that it is about, drawn with ``ours`` and with ``theirs``, where it is there."""
        facts = self.facts
        drawn = []
        for label, book in self.choices():
            unit = self._page(facts, book)
            if unit is not None:
                page = self._host.renderer.render(book.unit(unit), book.chapter, bleed=False, long_edge=560)
                drawn.append((label, show.RenderedPage(page)))
        return drawn

    def _page(self, facts: StoredConflict, book: Book) -> str | None:
        home = self._host.comics.unit_of(book, facts.object)
        return home or (facts.unit if facts.unit in book else None)

    def __repr__(self) -> str:
        facts = self.facts
        return f"<Conflict {facts.id} {facts.state}: {name_of(facts)}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(self.text(), self.html())

    def html(self) -> str:
        """Both choices drawn beside each other, with the words."""
        figures = (show.figure(page, f"{self.id} · {label}") for label, page in self.pages())
        words = f'<pre style="margin:.2em 0;white-space:pre-wrap">{escape(self.text())}</pre>'
        return words + show.side_by_side(figures)


def said(value: str | None) -> str:
    """A side's value in words."""
    return "not there" if value is None else f"“{quote(value)}”"
