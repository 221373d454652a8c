"""What people wrote about a chapter, as browsers read, write and settle it: a person's alone, no agent has any."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from lantern_kit.comic.anchor import Shares, ground, shares_at
from lantern_kit.comic.annotation import Kind, OnElement, OnPoint, Resolved
from lantern_kit.comic.annotations import LONGEST, MOST, Inspected
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.measure import micrometres, spoken
from lantern_kit.comic.model import MILLION, Node, Surface, Unit
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.words import object_name, unit_titles
from lantern_kit.comic.work.annotation import AnnotationWork, write
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.sendable import sendable
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import NotFound
from lantern_kit.widgets.asks import Answer, Args, Ask, Nothing, answers

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

THUMB = 320
"""Long edge of an attached picture in a list, in pixels."""
FAR = 1_000_000
"""Millimetres beyond which nothing lies on any paper."""
Millimetres = Annotated[float, Field(ge=-FAR, le=FAR)]


class Pointed(Args):
    """What was pointed at on a page: an object, a place on the paper, or with neither the page itself."""

    unit: str = Field(max_length=60)
    object: str = Field("", max_length=60)
    """Its id."""
    point: tuple[Millimetres, Millimetres] | None = None
    """Millimetres from the trim's top left corner; on an object, where it was touched."""


class WriteArgs(Args):
    """A new annotation."""

    body: str = Field(max_length=LONGEST)
    on: list[Pointed] = Field(default=[], max_length=MOST)


class EditArgs(Args):
    """Other words for an annotation."""

    note: str
    body: str = Field(max_length=LONGEST)


class SettleArgs(Args):
    """What becomes of an annotation."""

    note: str
    to: Literal["resolve", "shelve", "reopen", "delete"]


class AttachedArgs(Args):
    """A picture that is attached to an annotation."""

    note: str
    asset: str


class Notes:
    """Answers what browsers ask of a chapter's annotations; mixed into panels.

    ``chapter_id`` and ``host`` say which chapter.
    """

    host: Workspace
    chapter_id: str

    @answers("notes", Nothing)
    def notes(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """All annotations of the chapter against the working head, oldest first."""
        seen = self.host.annotation_service.inspect_all(self.chapter_id, states=None)
        moment = seen[0].moment if seen else self.host.comics.head(self.chapter_id)
        titles = unit_titles(moment.book, ask.language)
        return {"revision": moment.id, "notes": [self._told(item, titles, ask.language) for item in seen]}

    @answers("note.write", WriteArgs)
    def write(self, ask: Ask[WriteArgs]) -> dict[str, Any]:
        """Write one; agents read it from then on."""
        book = self.host.comics.head(self.chapter_id).book
        on = [_target(book.unit(item.unit), item) for item in ask.args.on]
        made = write(self.host, self.chapter_id, ask.args.body, on)
        return self._one(made.id, ask.language)

    @answers("note.edit", EditArgs)
    def edit(self, ask: Ask[EditArgs]) -> dict[str, Any]:
        """Give it other words; what it points at stays."""
        return self._one(self._work(ask.args.note).edit(ask.args.body).id, ask.language)

    @answers("note.reply", EditArgs)
    def reply(self, ask: Ask[EditArgs]) -> dict[str, Any]:
        """Add a message, for the agent that deals with it and for other people."""
        return self._one(self._work(ask.args.note).reply(ask.args.body).id, ask.language)

    @answers("note.settle", SettleArgs)
    def settle(self, ask: Ask[SettleArgs]) -> dict[str, Any]:
        """Resolve it, shelve it, open it again, or take it out for good."""
        work = self._work(ask.args.note)
        match ask.args.to:
            case "resolve":
                work.resolve()
            case "shelve":
                work.shelve()
            case "reopen":
                work.reopen()
            case "delete":
                work.delete()
                return {"note": None}
        return self._one(work.id, ask.language)

    @answers("note.picture", AttachedArgs)
    def attached(self, ask: Ask[AttachedArgs]) -> Answer:
        """A small picture of what is attached. Raises NotFound, Corrupt."""
        facts = self._work(ask.args.note).facts
        if ask.args.asset not in facts.attachments:
            raise NotFound(f"{ask.args.asset[:40]} is not attached to {facts.id}", ids=[facts.id])
        asset = self.host.assets.get(ask.args.asset)
        small = sendable(decode(self.host.assets.read(asset)), max_edge=THUMB, max_bytes=100_000)
        return Answer({"media": small.media, "title": asset.title}, (small.data,))

    def _work(self, note: str) -> AnnotationWork:
        found = self.host.annotation_service.get(note)
        if found.chapter != self.chapter_id:
            raise NotFound(f"{note[:40]} is about another chapter", ids=[note[:40], found.chapter])
        return AnnotationWork(self.host, found.id)

    def _one(self, note: str, language: Language) -> dict[str, Any]:
        seen = self.host.annotation_service.inspect(note)
        return {"note": self._told(seen, unit_titles(seen.moment.book, language), language)}

    def _told(self, seen: Inspected, titles: Mapping[str, str], language: Language) -> dict[str, Any]:
        return told(seen, titles, language, lambda asset: self.host.assets.get(asset).title)


def told(
    seen: Inspected, titles: Mapping[str, str], language: Language, picture: Callable[[str], str]
) -> dict[str, Any]:
    """An annotation as a browser shows it; lengths in millimetres.

    ``titles`` are those of units in that language, ``picture`` gives the title of an asset.
    """
    item = seen.annotation
    return {
        "id": item.id,
        "body": item.body,
        "state": item.state.value,
        "actor": item.actor,
        "created_at": stamp(item.created_at),
        "draft": "" if item.draft is None else f"d{item.draft}",
        "proposal": "" if item.proposal is None else f"p{item.proposal}",
        "references": [
            _reference(place, found, titles, _name(found, language, picture))
            for place, found in enumerate(seen.references, 1)
        ],
        "attachments": [{"asset": asset.id, "title": asset.title} for asset in seen.attachments],
        "messages": [
            {"actor": said.actor, "kind": said.actor_kind, "at": stamp(said.at), "body": said.body}
            for said in item.messages
        ],
    }


def _reference(place: int, found: Resolved, titles: Mapping[str, str], name: str) -> dict[str, Any]:
    made, unit = found.reference, found.unit
    return {
        "place": place,
        "kind": made.kind.value,
        "resolution": found.resolution.value,
        "unit": None if unit is None else unit.id,
        "title": "" if unit is None else titles[unit.id],
        "name": name,
        "target": made.target,
        "handle": found.handle if made.kind is Kind.ELEMENT else None if unit is None else handle_of(unit),
        "at": None if found.point is None else _mm(found.point),
        "outline": [] if isinstance(found.thing, Unit) else [_mm(point) for point in found.outline],
    }


def _name(found: Resolved, language: Language, picture: Callable[[str], str]) -> str:
    """What people call the target as it is; "" of points, whole units, and what is gone."""
    if found.reference.kind is Kind.POINT or found.unit is None or not isinstance(found.thing, Node):
        return ""
    return object_name(found.unit, found.thing.id, language=language, titles=picture) or found.thing.id


def _target(unit: Unit, pointed: Pointed) -> OnElement | OnPoint:
    at = None if pointed.point is None else (micrometres(pointed.point[0]), micrometres(pointed.point[1]))
    if pointed.object:
        item = unit.index.get(pointed.object)
        if item is None or at is None:
            return OnElement(pointed.object)  # what is not there is refused where annotations are made
        return OnElement(pointed.object, _within(shares_at(ground(unit, item), at)))
    if at is None:
        return OnElement(unit.id)
    page: Unit | Surface = unit
    if len(unit.surfaces) > 1:
        page = next((side for side in unit.surfaces if side.x <= at[0] < side.x + side.width), unit)
    surface = page.id if isinstance(page, Surface) else ""
    return OnPoint(unit.id, _within(shares_at(ground(unit, page), at)), surface)


def _within(shares: Shares) -> Shares:
    x, y = (min(MILLION, max(0, share)) for share in shares)
    return x, y


def _mm(point: Sequence[int]) -> list[float]:
    return [float(spoken(part, 2)) for part in point]
