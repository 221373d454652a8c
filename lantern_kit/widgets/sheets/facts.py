"""What is told of one object, or of a unit: rows of a label and a value, in the reader's language."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lantern_kit.assets import AssetVersion, SourceType
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.found import finding_words, severity_word
from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.latest import Latest, latest_change
from lantern_kit.comic.locks import LockService, locked_by
from lantern_kit.comic.markup import parse
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import (
    MILLION,
    Balloon,
    Effect,
    EffectType,
    Foreground,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Rect,
    Text,
    Unit,
    Writing,
)
from lantern_kit.comic.phrases import Language, Speech
from lantern_kit.comic.placement import MICROMETRES_PER_INCH, box_of, effective_dpi
from lantern_kit.comic.stage_words import dressed, lit, marked_things
from lantern_kit.comic.typeset.setting import set_text
from lantern_kit.comic.words import object_name
from lantern_kit.comic.work.unit import picture_title
from lantern_kit.kernel.clock import moment
from lantern_kit.kernel.errors import NotFound
from lantern_kit.widgets.sheets.fact_words import say
from lantern_kit.widgets.sheets.sheet import lock_words
from lantern_kit.widgets.sheets.sources import Seen

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host

Row = tuple[str, str]


class Facts:
    """Tells facts.

    Args:
        host: the workspace.
    """

    def __init__(self, host: Host) -> None:
        self._host = host

    def rows(self, seen: Seen, unit: str, thing: str, title: str, language: Language) -> list[Row]:
        """Rows about an object of a unit, or about the unit itself.

        Args:
            seen: where it is looked at.
            unit: id of the unit.
            thing: id of the object; the unit's own for the unit.
            title: what people call the unit.
            language: of labels and values.

        Raises:
            NotFound: the unit has no such object.
        """
        held = seen.book.unit(unit)
        if thing == unit:
            return list(self._unit(seen, held, title, language))
        item = held.index.get(thing)
        if item is None:
            raise NotFound(
                f"{thing[:40]} is not on {title}", ids=[thing[:40], unit], recovery="Ask for the sheet again."
            )
        return list(self._object(seen, held, item, language))

    # what is told

    def _unit(self, seen: Seen, unit: Unit, title: str, language: Language) -> Iterator[Row]:
        yield say("kind", language), say(f"unit.{unit.kind.value}", language)
        yield say("name", language), title
        sides = " + ".join(f"{spoken(side.width)} × {spoken(side.height)}" for side in unit.surfaces)
        yield say("trim", language), say("mm", language, value=sides)
        if unit.gutter:
            yield say("gutter", language), say("mm", language, value=spoken(unit.gutter))
        yield say("paper", language), unit.background
        yield say("objects", language), str(len(unit.objects))
        found = self._host.checker.check(unit, seen.book.chapter)
        if found:
            yield say("findings", language), str(len(found))
        yield from self._ends(seen, unit, unit.id, language)

    def _object(self, seen: Seen, unit: Unit, item: Any, language: Language) -> Iterator[Row]:
        speech = Speech(language)
        kind = f"effect.{item.effect.value}" if isinstance(item, Effect) else f"object.{item.kind}"
        yield say("kind", language), say(kind, language)
        yield (
            say("name", language),
            object_name(unit, item.id, language=language, titles=lambda asset: picture_title(self._host, asset)),
        )
        box = _box(item, unit, seen)
        if box is not None:
            yield say("place", language), say("mm", language, value=f"{spoken(box.x)}, {spoken(box.y)}")
            yield say("size", language), say("mm", language, value=f"{spoken(box.w)} × {spoken(box.h)}")
        if isinstance(item, Lettering):
            size = set_text(item, fonts=self._host.renderer.fonts).size
            yield from _lettering(item, size, unit, speech, language)
        elif isinstance(item, Effect):
            yield from _effect(item, speech, language)
        elif isinstance(item, Image | Overlay | Foreground):
            yield from self._picture(item, unit, seen, language)
            if isinstance(item, Image | Overlay) and item.marks:
                marks = [mark.model_dump(mode="json") for mark in item.marks]
                yield say("marks", language), marked_things(speech, marks)
        elif isinstance(item, Frame):
            yield from _frame(item, speech, language)
            yield from _shown(item, speech, language, lambda entry: picture_title(self._host, entry))
        if getattr(item, "opacity", MILLION) != MILLION:
            yield say("opacity", language), f"{item.opacity / MILLION:.0%}"
        for finding in self._findings(seen, unit, item):
            words = say("finding", language, severity=severity_word(finding, language))
            yield words, finding_words(finding, language)
        yield from self._ends(seen, unit, item.id, language)

    def _picture(self, item: Image | Overlay | Foreground, unit: Unit, seen: Seen, language: Language) -> Iterator[Row]:
        asset = self._asset(item.asset)
        if asset is None:
            yield say("picture", language), say("picture.unknown", language, asset=item.asset)
            return
        yield say("picture", language), asset.title
        if not self._host.assets.holds(asset):
            yield say("state", language), say("picture.gone", language)
        yield say("licence", language), asset.licence or say("licence.none", language)
        if asset.digital_source_type != SourceType.UNKNOWN:
            yield say("made", language), say(f"made.{asset.digital_source_type}", language)
        yield say("pixels", language), f"{asset.width} × {asset.height}"
        image = unit.index[item.parent] if isinstance(item, Foreground) else item
        dpi = effective_dpi(image.placement, _limits(image, unit, seen), asset.width, asset.height)
        yield say("resolution", language), say("dpi", language, value=math.floor(dpi))

    def _findings(self, seen: Seen, unit: Unit, item: Node) -> list[Finding]:
        """What the checks find of one object, without looking at the others."""
        line: list[Any] = [item]
        while line[0].parent in unit.index:
            line.insert(0, unit.index[line[0].parent])
        alone = unit.model_copy(update={"objects": tuple(line), "reading": ()})
        return [found for found in self._host.checker.check(alone, seen.book.chapter) if found.object == item.id]

    def _ends(self, seen: Seen, unit: Unit, thing: str, language: Language) -> Iterator[Row]:
        things = [thing, *unit.index] if thing == unit.id else [thing]
        chapter = seen.book.chapter.id
        comics = self._host.comics
        with comics.journal.read() as connection:
            held = locked_by(LockService(comics).of_chapter(chapter, connection), seen.book, unit.id, thing)
            latest = None if seen.number is None else latest_change(connection, comics, seen.number, things)
        if held is not None:
            yield say("lock", language), lock_words(held, language)
        if latest is not None:
            yield say("latest", language), _latest(latest, language)

    # what it is looked up in

    def _asset(self, asset: str) -> AssetVersion | None:
        try:
            return self._host.assets.get(asset)
        except NotFound:
            return None


def _lettering(item: Lettering, size: int, unit: Unit, speech: Speech, language: Language) -> Iterator[Row]:
    if isinstance(item, Balloon) and item.speaker:
        yield say("speaker", language), item.speaker
    marked = parse(item.text)
    yield say("text", language), marked.text
    if marked.rubies:
        read = [f"{marked.text[ruby.start : ruby.end]} {' '.join(ruby.readings)}" for ruby in marked.rubies]
        yield say("ruby", language), speech.join(read)
    yield say("lettering", language), say("lettered", language, font=item.style.font, size=spoken(size))
    if item.style.writing is Writing.VERTICAL:
        yield say("writing", language), say("writing.vertical", language)
    if isinstance(item, Balloon):
        yield say("shape", language), speech.value(item.shape.value)
        if item.joined is not None:
            yield say("joined", language), object_name(unit, item.joined, language=language)
    if isinstance(item, Text) and item.arc:
        yield say("arc", language), say("degrees", language, value=spoken(item.arc))


def _effect(item: Effect, speech: Speech, language: Language) -> Iterator[Row]:
    if item.effect is EffectType.TONE:
        lpi = f"{MICROMETRES_PER_INCH / item.pitch:.0f}"
        yield say("screen", language), say("screened", language, screen=speech.value(item.screen.value), lpi=lpi)


def _frame(item: Frame, speech: Speech, language: Language) -> Iterator[Row]:
    border = item.border
    line = say("line", language, width=spoken(border.width), colour=border.colour)
    yield say("border", language), line if border.width else say("none", language)
    if item.bleed:
        yield say("bleed", language), speech.join([speech.value(edge.value) for edge in item.bleed])
    if item.keep is not None:
        yield say("keep", language), speech.value(item.keep.value)


def _shown(item: Frame, speech: Speech, language: Language, name: Callable[[str], str]) -> Iterator[Row]:
    """What a frame is to show, with names of the library."""
    if item.description:
        yield say("shows", language), item.description
    if item.scene is not None:
        yield say("scene", language), name(item.scene)
    if item.light is not None:
        yield say("light", language), lit(speech, item.light.model_dump())
    if item.cast:
        cast = [dressed(speech, name(one.who), one.look) for one in item.cast]
        yield say("cast", language), speech.join(cast)


def _latest(latest: Latest, language: Language) -> str:
    when = f"{moment(latest.revision.at):%Y-%m-%d %H:%M} UTC"
    facts = {"who": latest.actor, "revision": latest.revision.id, "when": when}
    if latest.proposal:
        return say("changed.applied", language, **facts, proposal=latest.proposal, reviewer=latest.approved_by)
    return say("changed", language, **facts)


def _limits(image: Any, unit: Unit, seen: Seen) -> Rect:
    frame = unit.index.get(image.parent)
    paper = seen.book.chapter.paper
    return bounds(outline(frame, unit, paper)) if isinstance(frame, Frame) else bleed_rect(unit, paper)


def _box(item: Any, unit: Unit, seen: Seen) -> Rect | None:
    """Where it lies, as it says so itself: a frame's bounds, a picture's box."""
    if isinstance(item, Frame):
        return bounds(outline(item, unit, seen.book.chapter.paper))
    if isinstance(item, Foreground):
        item = unit.index[item.parent]
    if isinstance(item, Image | Overlay):
        return box_of(item.placement, _limits(item, unit, seen))
    box: Rect | None = item.box
    return _limits(item, unit, seen) if box is None else box
