"""Whether the faces and focuses that an author marked are seen: nothing over them, whole, and off the fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import shapely

from lantern_kit.comic.balloons.body import form_of, polygon
from lantern_kit.comic.balloons.tails import spine
from lantern_kit.comic.checks.balloons import is_bare, shape_of, words_area
from lantern_kit.comic.checks.frames import frame_area
from lantern_kit.comic.checks.marked import Depth, Lying, depths, picture_area
from lantern_kit.comic.checks.seen import Pictures, Wrong, fold_of
from lantern_kit.comic.geometry import outline
from lantern_kit.comic.model import (
    MILLION,
    AnyObject,
    Balloon,
    Direction,
    Edge,
    Foreground,
    Frame,
    Image,
    Lettering,
    Narration,
    Overlay,
    Paper,
    Text,
    Unit,
)
from lantern_kit.comic.typeset.fonts import Fonts

FACE_COVERED = 0.12
"""So much of a face may be covered: hair, an ear."""
FOCUS_COVERED = 0.3
TAIL_OVER = 0.4
"""A tail may reach so far into a face, over the face's shorter side."""
WHOLE = 0.85
"""A face of which so much is seen is whole."""
GONE = 0.1
"""A face of which no more is seen was left out on purpose."""
FILLS = 0.6
"""A face that fills so much of its frame is a close-up, and may be cut."""
FOLDED = 0.08
"""So much of a face may lie in a gutter."""
NEAR_FOLD = 3_000
"""What lies so near a spread's gutter, in micrometres, the fold takes with it."""
SOLID = 0x80
"""Alpha from which on a colour covers."""


class _Over(NamedTuple):
    """What lies over a mark."""

    thing: AnyObject
    share: float
    """Of what is shown of the mark; of a tail, how far it reaches into it over the shorter side."""
    tail: bool


def covered_faces(
    unit: Unit, there: Sequence[Lying], paper: Paper, pictures: Pictures, fonts: Fonts
) -> Iterator[tuple[str, Wrong]]:
    """face.covered: a face under a balloon, a caption, lettering, a tail, or what is drawn over its picture."""
    for over, lying in _worst(unit, there, paper, pictures, fonts, FACE_COVERED):
        what = "its tail runs over" if over.tail else "it covers"
        sound = isinstance(over.thing, Text) and over.thing.style.font == "sound"
        yield (
            over.thing.id,
            Wrong(
                "face.covered",
                "note" if sound else "warning",
                f"{what} {_part(over)}a face marked in {lying.item.id}; move it off the face"
                + (", or point the tail at its edge" if over.tail else ""),
                {"with": lying.item.id, **_facts(lying), "covered": round(over.share, 3), "tail": over.tail},
            ),
        )


def covered_focuses(
    unit: Unit, there: Sequence[Lying], paper: Paper, pictures: Pictures, fonts: Fonts
) -> Iterator[tuple[str, Wrong]]:
    """focus.covered: what the eye is to find, under something."""
    for over, lying in _worst(unit, there, paper, pictures, fonts, FOCUS_COVERED):
        if not over.tail:
            yield (
                over.thing.id,
                Wrong(
                    "focus.covered",
                    "note",
                    f"it covers {_part(over)}what is marked as the focus of {lying.item.id}; move it, or mark another "
                    "focus",
                    {"with": lying.item.id, **_facts(lying), "covered": round(over.share, 3)},
                ),
            )


def _worst(
    unit: Unit, there: Sequence[Lying], paper: Paper, pictures: Pictures, fonts: Fonts, most: float
) -> Iterator[tuple[_Over, Lying]]:
    """What covers too much of a mark, with that mark: of one picture's marks the one it covers most of."""
    worst: dict[tuple[str, str], tuple[_Over, Lying]] = {}
    depth = depths(unit) if there else {}
    for lying in there:
        for over in _over(unit, lying, depth, paper, pictures, fonts) if lying.left > GONE else ():
            key = over.thing.id, lying.item.id
            bound = TAIL_OVER if over.tail else most
            if over.share > bound and (key not in worst or over.share > worst[key][0].share):
                worst[key] = over, lying
    yield from worst.values()


def _over(
    unit: Unit, lying: Lying, depth: Mapping[str, Depth], paper: Paper, pictures: Pictures, fonts: Fonts
) -> Iterator[_Over]:
    """Everything that is drawn over a mark."""
    own = depth[lying.item.id]
    if lying.bound:  # the subject is drawn once more, by its foreground
        subjects = (item for item in unit.objects if isinstance(item, Foreground) and item.parent == lying.item.id)
        own = max(own, *(depth[item.id] for item in subjects))
    shapely.prepare(lying.shown)
    for item in unit.objects:
        if depth[item.id] <= own or item is lying.frame:
            continue
        cover = _cover(item, unit, paper, pictures, fonts)
        if cover is not None and shapely.intersects(lying.shown, cover):
            yield _Over(item, float((lying.shown & cover).area / lying.shown.area), tail=False)
        if isinstance(item, Balloon):
            reach = max((_into(item, tail, lying) for tail in item.tails), default=0.0)
            if reach:
                yield _Over(item, reach, tail=True)


def _cover(item: AnyObject, unit: Unit, paper: Paper, pictures: Pictures, fonts: Fonts) -> shapely.Geometry | None:
    """What an object hides of what lies under it; None when that is nothing."""
    if isinstance(item, Balloon | Narration):
        if is_bare(item) or not _solid(item.fill):
            return words_area(item, fonts)
        return polygon(shape_of(item))
    if isinstance(item, Lettering):
        return words_area(item, fonts)
    if isinstance(item, Frame):
        return frame_area(outline(item, unit, paper)) if _solid(item.background) else None
    if isinstance(item, Image | Overlay):
        size = pictures(item.asset)
        see_through = size is None or size.alpha or item.opacity < MILLION // 2
        return None if see_through else picture_area(item, unit, paper, pictures)
    return None


def _solid(colour: str | None) -> bool:
    return colour is not None and (len(colour) < 9 or int(colour[7:], 16) >= SOLID)


def _into(balloon: Balloon, tail: Any, lying: Lying) -> float:
    """How far a tail runs over a mark, over the mark's shorter side."""
    way = spine(form_of(balloon), tail)
    if way is None:
        return 0.0
    line = shapely.LineString([way.at(step / 16) for step in range(17)])
    left, top, right, bottom = shapely.bounds(lying.area).tolist()
    return float((line & lying.shown).length / min(right - left, bottom - top))


def cut_faces(unit: Unit, there: Sequence[Lying], direction: Direction) -> Iterator[tuple[str, Wrong]]:
    """face.cut: a face that its frame, its picture's crop or the trim cuts, and that is no close-up."""
    for lying, left, by in _cuts(unit, there, direction, GONE):
        if lying.frame is None or (lying.shown.area < FILLS * frame_area(lying.frame.shape).area):
            yield (
                lying.item.id,
                Wrong(
                    "face.cut",
                    "note",
                    f"the {_BY[by]} leaves {round(100 * left)}% of a face that is marked in it; move or shrink the "
                    "picture, unless it is meant",
                    {**_facts(lying), "left": round(left, 3), "by": by},
                ),
            )


def cut_focuses(unit: Unit, there: Sequence[Lying], direction: Direction) -> Iterator[tuple[str, Wrong]]:
    """focus.cut: what the eye is to find, cut or left out by the frame, the crop or the trim."""
    for lying, left, by in _cuts(unit, there, direction, -1.0):
        yield (
            lying.item.id,
            Wrong(
                "focus.cut",
                "note",
                f"the {_BY[by]} leaves {round(100 * left)}% of what is marked as its focus; move or shrink the "
                "picture, or mark another focus",
                {**_facts(lying), "left": round(left, 3), "by": by},
            ),
        )


_BY = {"frame": "frame's outline", "crop": "crop", "trim": "trim"}


def _cuts(unit: Unit, there: Sequence[Lying], direction: Direction, gone: float) -> Iterator[tuple[Lying, float, str]]:
    """Marks that are cut, with the share that is left and what cuts them; of one picture the one that is cut most."""
    worst: dict[str, tuple[Lying, float, str]] = {}
    page = shapely.box(0, 0, unit.width, unit.height)
    for lying in there:
        left, by = lying.left, "frame" if lying.used.area >= WHOLE * lying.area.area else "crop"
        if left >= WHOLE and direction is not Direction.TTB:
            left, by = float((lying.shown & page).area / lying.area.area), "trim"
        if gone < left < WHOLE and left < worst.get(lying.item.id, (lying, 1.0, ""))[1]:
            worst[lying.item.id] = lying, left, by
    yield from worst.values()


def folded_faces(unit: Unit, there: Sequence[Lying]) -> Iterator[tuple[str, Wrong]]:
    """face.gutter: a face in a spread's gutter."""
    for lying, share in _folded(unit, there):
        yield (
            lying.item.id,
            Wrong(
                "face.gutter",
                "warning",
                f"{round(100 * share)}% of a face that is marked in it lies in the spread's gutter, where the fold "
                "swallows it; move the picture to one side",
                {**_facts(lying), "share": round(share, 3)},
            ),
        )


def folded_focuses(unit: Unit, there: Sequence[Lying]) -> Iterator[tuple[str, Wrong]]:
    """focus.gutter: what the eye is to find, in a spread's gutter."""
    for lying, share in _folded(unit, there):
        if share > FOCUS_COVERED:
            yield (
                lying.item.id,
                Wrong(
                    "focus.gutter",
                    "note",
                    f"{round(100 * share)}% of what is marked as its focus lies in the spread's gutter; move the "
                    "picture to one side, or mark another focus",
                    {**_facts(lying), "share": round(share, 3)},
                ),
            )


def _folded(unit: Unit, there: Sequence[Lying]) -> Iterator[tuple[Lying, float]]:
    fold = fold_of(unit)
    if fold is not None:
        yield from _within(there, (fold[0] - NEAR_FOLD, 0, fold[1] + NEAR_FOLD, unit.height))


def bound_faces(unit: Unit, there: Sequence[Lying], paper: Paper, side: Edge | None) -> Iterator[tuple[str, Wrong]]:
    """face.binding: a face in the margin at which the page is bound."""
    strips = {
        Edge.LEFT: (0, 0, paper.safe, unit.height),
        Edge.RIGHT: (unit.width - paper.safe, 0, unit.width, unit.height),
        Edge.TOP: (0, 0, unit.width, paper.safe),
    }
    if side is None or side not in strips:
        return
    for lying, share in _within(there, strips[side]):
        yield (
            lying.item.id,
            Wrong(
                "face.binding",
                "note",
                f"{round(100 * share)}% of a face that is marked in it lies at the {side}, where the book is bound; "
                "move the picture off the binding",
                {**_facts(lying), "share": round(share, 3), "edge": side.value},
            ),
        )


def _within(there: Sequence[Lying], edges: tuple[int, int, int, int]) -> Iterator[tuple[Lying, float]]:
    """Marks of which too much lies in a strip, with that share; of one picture the one of which most does."""
    strip = shapely.box(*edges)
    worst: dict[str, tuple[Lying, float]] = {}
    for lying in there:
        share = float((lying.shown & strip).area / lying.area.area) if lying.left > GONE else 0.0
        if share > FOLDED and share > worst.get(lying.item.id, (lying, 0.0))[1]:
            worst[lying.item.id] = lying, share
    yield from worst.values()


def _part(over: _Over) -> str:
    return "" if over.tail else f"{round(100 * over.share)}% of "


def _facts(lying: Lying) -> dict[str, Any]:
    """Which mark a finding is about, and where it lies."""
    box = [round(edge / 1_000, 1) for edge in shapely.bounds(lying.area).tolist()]
    return {"mark": lying.number, "area_mm": box} | ({"who": lying.mark.who} if lying.mark.who else {})
