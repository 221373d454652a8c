"""HistoryView: a chapter's past as a graph, to look into, compare, and go back from."""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import partial
from typing import Any

from pydantic import Field

from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.words import object_name, unit_titles
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.unit import picture_title
from lantern_kit.kernel.errors import LanternError, NotFound
from lantern_kit.kernel.revision import revision_number
from lantern_kit.widgets.asks import Args, Ask, answers
from lantern_kit.widgets.given import CHAPTER, given
from lantern_kit.widgets.history import telling
from lantern_kit.widgets.history.difference import SENTENCES, Difference, Differences
from lantern_kit.widgets.history.going_back import GoingBack, Name, OfRevision
from lantern_kit.widgets.history.look import Look, Touched
from lantern_kit.widgets.history.past import Past
from lantern_kit.widgets.history.soundness import Soundness
from lantern_kit.widgets.history.still import Still
from lantern_kit.widgets.history.weave import Woven, weave
from lantern_kit.widgets.panel import Panel
from lantern_kit.widgets.sheets import Sheets

KEPT = 4
"""Looks that are kept woven."""
OBJECTS = 1_000


class HistoryArgs(Args):
    """A look, and revisions whose rows are to be found in it."""

    look: Look = Look()
    keep: list[Name] = Field(default_factory=list, max_length=20)


class RowsArgs(Args):
    """Rows of a look, from a place on."""

    look: Look = Look()
    start: int = Field(0, ge=0)
    count: int = Field(50, ge=1, le=200)


class DifferenceArgs(Args):
    """Two revisions, and which units of what differs; or one unit, and which sentences of it."""

    before: Name
    after: Name
    unit: str = Field("", max_length=60)
    start: int = Field(0, ge=0)
    count: int = Field(SENTENCES, ge=1, le=200)


class CheckArgs(Args):
    """Revisions to be held against what was written."""

    revisions: list[Name] = Field(min_length=1, max_length=200)


class ThingsArgs(Args):
    """The objects of one unit; without one, the units."""

    unit: str = Field("", max_length=60)


class HistoryView(GoingBack, Sheets, Panel):
    """A chapter's revisions with drafts, proposals, verdicts and saved versions, newest on top.

    Args:
        chapter: whose past it is.
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.
    """

    kind = "history"

    def __init__(self, chapter: ChapterWork, *, language: str = "") -> None:
        host: Any = given(chapter, ChapterWork, expected="a chapter", recovery=CHAPTER).host
        self.chapter = chapter
        self.chapter_id = chapter.id
        self._past = Past(host, chapter.id)
        self._touched = Touched(host.journal, chapter.id)
        self._differences = Differences(host)
        self._soundness = Soundness(host.journal, host.history)
        self._woven: OrderedDict[tuple[str, Look], Woven] = OrderedDict()
        self._weaving = threading.Lock()
        self._told = ""
        super().__init__(host, language=language)

    # what the browser asks

    @answers("history", HistoryArgs)
    def history(self, ask: Ask[HistoryArgs]) -> dict[str, Any]:
        """How long a look is, and what there is to filter by."""
        woven = self._weave(ask.args.look)
        places = {name: woven.places.get(revision_number(name)) for name in ask.args.keep}
        return {**telling.overview(woven), "places": places, "title": self.chapter.title}

    @answers("rows", RowsArgs)
    def rows(self, ask: Ask[RowsArgs]) -> dict[str, Any]:
        """Some rows of a look with the edges that touch them."""
        woven = self._weave(ask.args.look)
        start, count = ask.args.start, ask.args.count
        return {
            "stamp": woven.tale.stamp,
            "start": start,
            "rows": telling.rows(woven, start, count),
            "edges": telling.edges(woven, start, count),
        }

    @answers("check", CheckArgs)
    def check(self, ask: Ask[CheckArgs]) -> dict[str, Any]:
        """What is damaged of some revisions."""
        return {"faults": self._soundness.faults(self.require(name) for name in ask.args.revisions)}

    @answers("revision", OfRevision)
    def revision(self, ask: Ask[OfRevision]) -> dict[str, Any]:
        """Everything that is known of one revision beside its differences."""
        number = self.require(ask.args.revision)
        tale = self._past.tale()
        told = telling.facts(self.host, self.host.id, tale, tale.by_number[number], ask.language)
        return {**told, "faults": self._soundness.faults([number]).get(f"r{number}", [])}

    @answers("difference", DifferenceArgs)
    def difference(self, ask: Ask[DifferenceArgs]) -> dict[str, Any]:
        """What lies between two revisions, in words: some units, or more of one. Raises Corrupt for lost content."""
        wanted = ask.args
        before, after = self.require(wanted.before), self.require(wanted.after)
        ask.progress(0, 0)
        found: Difference = self._differences.between(before, after, ask.language)
        if wanted.unit:
            return found.unit(wanted.unit, wanted.start, wanted.count)
        return found.page(wanted.start, wanted.count)

    @answers("things", ThingsArgs)
    def things(self, ask: Ask[ThingsArgs]) -> dict[str, Any]:
        """Units of the work as it stands, or objects of one, to filter by."""
        book = self.host.comics.head(self.chapter.id).book
        if not ask.args.unit:
            titles = unit_titles(book, ask.language)
            return {"things": [{"id": unit, "name": titles[unit]} for unit in book.order]}
        unit = book.unit(parse_handle(ask.args.unit)[0])
        titled = partial(picture_title, self.host)
        return {
            "things": [
                {"id": item.id, "name": object_name(unit, item.id, language=ask.language, titles=titled)}
                for item in unit.objects[:OBJECTS]
            ]
        }

    # what is told without being asked

    def moved(self) -> None:
        """Something was committed: told when it is of this chapter."""
        try:
            stamp = self._past.tale().stamp
        except LanternError:  # whoever asks next is told
            stamp = ""
        if not stamp or stamp != self._told:
            self._told = stamp
            self.tell("moved", {"stamp": stamp})

    # showing

    def text(self) -> str:
        """The newest revisions in plain text."""
        return self._still().text()

    def picture(self) -> str:
        """The newest revisions as a drawn graph and a table."""
        return self._still().html()

    def _still(self) -> Still:
        return Still(self.chapter.title, self._weave(Look()), self.tongue)

    # parts

    def require(self, revision: str) -> int:
        """The number of a revision of this chapter or of a draft of it. Raises NotFound, BadInput."""
        number = revision_number(revision)
        if number not in self._past.tale().by_number:
            raise NotFound(
                f"r{number} is not a revision of this chapter",
                ids=[f"r{number}", self.chapter.id],
                recovery="Choose one that this history lists; another chapter has a history of its own.",
            )
        return number

    def _weave(self, look: Look) -> Woven:
        tale = self._past.tale()
        key = (tale.stamp, look)
        with self._weaving:
            found = self._woven.get(key)
            if found is None:
                thing = parse_handle(look.touches.strip())[0] if look.touches.strip() else ""
                touching = self._touched.by(thing, tale.stamp) if thing else None
                found = self._woven[key] = weave(tale, look, touching)
                while len(self._woven) > KEPT:
                    self._woven.popitem(last=False)
            else:
                self._woven.move_to_end(key)
        return found
