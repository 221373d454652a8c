"""The tails of new balloons, and of those that find new places."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.geometry import bounds
from lantern_kit.comic.model import MILLION, Balloon, BalloonShape, Image, MarkKind, Point, Rect, Unit
from lantern_kit.comic.placement import placement_matrix
from lantern_kit.comic.script import pointing
from lantern_kit.comic.script.groups import Group, Spot
from lantern_kit.comic.script.model import Line, Voice
from lantern_kit.kernel.errors import LanternError

TAILED = frozenset(BalloonShape) - {BalloonShape.NONE, BalloonShape.BOX}
"""Shapes that are given tails."""


def tails_of(
    book: Book, unit: Unit, group: Group, found: Mapping[int, Spot], ctx: EditContext, shaken: Collection[str]
) -> dict[int, Spot]:
    """The spots of a group's new balloons again, with tails where there is a place to point at."""
    frame, direction = group.frame, book.chapter.direction
    if frame is None:
        return {}
    around = bounds(frame.shape)
    speakers = list(dict.fromkeys(line.speaker for _, line in group.lines if line.speaker and not line.off))
    pictures = [item for item in unit.objects if isinstance(item, Image) and item.parent == frame.id]
    known = {
        item.speaker.upper(): item.tails[0].tip
        for item in unit.objects
        if isinstance(item, Balloon) and item.parent == frame.id and item.tails and item.speaker
    }
    boxes = {number: found[number].box for number, _ in group.lines if number in found}
    still = [unit.index[line.id].box for number, line in group.lines if line.id in unit.index and number not in found]
    made: dict[int, Spot] = {}
    for number, line in group.lines:
        if number not in found or line.voice is not Voice.BALLOON or line.joined or line.shape not in TAILED:
            continue
        box = boxes[number]
        others = [*still, *(other for key, other in boxes.items() if key != number)]
        tip = _still(unit, line, box, others) if line.id in shaken and not line.off else None
        if tip is None and line.off:
            tip = pointing.out_of(box, around, others, direction)
        elif tip is None and line.speaker:
            known_at = known.get(line.speaker.upper()) or _face(line.speaker, pictures, around, ctx)
            if known_at is not None:
                tip = pointing.reaching(box, known_at, others)
            elif not pictures:
                stance = pointing.stance(around, speakers.index(line.speaker), len(speakers), direction)
                tip = pointing.towards(box, stance, others, around)
        if tip is not None:
            made[number] = found[number]._replace(tip=tip)
    return made


def _still(unit: Unit, line: Line, box: Rect, others: Sequence[Rect]) -> Point | None:
    """Where a balloon points already, when a tail from its new place leads there."""
    item = unit.index[line.id]
    tails = item.tails if isinstance(item, Balloon) else ()
    return pointing.reaching(box, tails[0].tip, others) if tails else None


def _face(speaker: str, pictures: Sequence[Image], around: Rect, ctx: EditContext) -> Point | None:
    """The mouth of a speaker whose face is marked in one of a panel's pictures, in or near the panel."""
    if not any(mark.kind is MarkKind.FACE and mark.who for item in pictures for mark in item.marks):
        return None
    try:
        who = ctx.library.entry(speaker).id
    except LanternError:  # nobody of that name, or several: no place is known
        return None
    for item in pictures:
        facts = ctx.assets(item.asset)
        lies = placement_matrix(item.placement, around, facts.width, facts.height)
        for mark in item.marks:
            if mark.kind is MarkKind.FACE and mark.who == who:
                left, _, right, bottom = mark.area
                x, y = lies.map((left + right) / 2 * facts.width / MILLION, bottom * facts.height / MILLION)
                at = round(x), round(y)
                if around.x <= at[0] <= around.right and around.y <= at[1] <= around.bottom:
                    return at
    return None
