"""What each object of a drawn unit covers by itself, and how much of that is still seen under what lies above it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from lantern_kit.comic.model import AnyObject, Balloon, Frame, Image, Overlay, Stroke
from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render.area import Area, covered, meet, within
from lantern_kit.comic.render.engine import canvas_on, skia
from lantern_kit.comic.render.extent import SPARE, object_reach
from lantern_kit.comic.render.ink import fill, path
from lantern_kit.comic.render.order import Step, paint_order
from lantern_kit.comic.render.painting import draw_step
from lantern_kit.comic.render.regions import Mask
from lantern_kit.comic.render.stage import Stage
from lantern_kit.imaging.picture import Pixels

LEAST = 16
"""Of 255: an object is seen at a pixel when at least so much of what is seen there is its own."""


@dataclass(frozen=True, eq=False)
class Cover:
    """One object in a picture of its unit."""

    item: AnyObject
    depth: int
    """Its place in the order of drawing, from the bottom; of a frame that of its background."""
    box: Area
    """The part of the picture that the arrays are about."""
    own: Mask
    """Where it would be seen if nothing lay above it."""
    seen: Mask
    """Where it is seen, if only a little: at its softened edge, or through others."""
    solid: Mask
    """Where at least half of its greatest opacity is seen: what is its own area, and no neighbour's."""
    ink: Pixels | None
    """It alone, premultiplied RGBA; of a frame its border, and its background below. Only where it was asked for."""


class _Layer(NamedTuple):
    """An object as it is drawn by itself; a frame is two of them, one below and one above what it holds.

    Of joined balloons, which are drawn as one, each is taken by itself, in the colours of all.
    """

    item: AnyObject
    step: Step
    upper: bool = True


class Covering:
    """The objects of one unit in a picture of it.

    Args:
        stage: the unit, at the picture's scale.
        view: page micrometres → pixels.
        width: of the picture in pixels.
        height: of the picture in pixels.
    """

    def __init__(self, stage: Stage, view: Affine, width: int, height: int) -> None:
        self.stage = stage
        self._view = view
        self._size = (height, width)
        self._layers = tuple(_layers(stage))
        self.boxes: dict[str, Area] = {}
        """What each object may cover, in the order of drawing; those outside the picture are left out."""
        for layer in self._layers:
            item = layer.item
            box = None if item.id in self.boxes else _box(stage, layer, view, width, height)
            if box is not None:
                self.boxes[item.id] = box

    def covers(
        self, wanted: Collection[str], *, inked: Collection[str], alike: Mapping[str, dict[bool, Pixels]]
    ) -> dict[str, Cover]:
        """What the wanted objects cover, as far as they are in the picture, in the order of drawing.

        Args:
            wanted: their ids.
            inked: ids of those whose own drawing is kept.
            alike: objects that are drawn alike in another picture too, and what is known of their coverage; it is
                filled as they are drawn.
        """
        through = np.full(self._size, 255, np.uint8)  # what is let through by all that lies above
        names = {*wanted} & {*self.boxes}
        below = [
            (place, self.boxes[layer.item.id]) for place, layer in enumerate(self._layers) if layer.item.id in names
        ]
        found: dict[str, Cover] = {}
        for place in range(len(self._layers) - 1, -1, -1):
            layer = self._layers[place]
            name, box = layer.item.id, self.boxes.get(layer.item.id)
            if box is None or not (name in names or any(low < place and meet(box, other) for low, other in below)):
                continue  # it hides nothing that is asked about
            ink = self._ink(layer.step, box) if name in inked else None
            alpha = self._alpha(layer, box, alike.get(name)) if ink is None else ink[..., 3]
            under = through[box[1] : box[3], box[0] : box[2]]
            share = ((alpha.astype(np.uint16) * under + 127) // 255).astype(np.uint8)
            under -= share
            if name not in names:
                continue
            half = max(LEAST, (int(alpha.max()) + 1) // 2)
            made = Cover(layer.item, place, box, alpha >= LEAST, share >= LEAST, share >= half, ink)
            found[name] = made if name not in found else _joined(found[name], made)
        return {name: found[name] for name in sorted(found, key=lambda name: found[name].depth)}

    def _alpha(self, layer: _Layer, box: Area, known: dict[bool, Pixels] | None) -> Pixels:
        if known is not None and layer.upper in known:
            return known[layer.upper]
        made = self._ink(layer.step, box, shape=True)[..., 3]
        if known is not None:
            known[layer.upper] = made
        return made

    def _ink(self, step: Step, box: Area, *, shape: bool = False) -> Pixels:
        """A step by itself on nothing, premultiplied; only its ``shape`` is drawn quicker where that is the same."""
        left, top, right, bottom = box
        pixels = np.zeros((bottom - top, right - left, 4), np.uint8)
        canvas = canvas_on(pixels)
        canvas.translate(self._view.e - left, self._view.f - top)
        canvas.scale(self._view.a, self._view.d)
        if not (shape and _outlined(canvas, self.stage, step.item)):
            draw_step(canvas, self.stage, step)
        return pixels


def _joined(upper: Cover, lower: Cover) -> Cover:
    """Both halves of a frame as one."""
    ink = None if upper.ink is None or lower.ink is None else np.concatenate([upper.ink, lower.ink])
    return replace(
        lower, own=upper.own | lower.own, seen=upper.seen | lower.seen, solid=upper.solid | lower.solid, ink=ink
    )


def _outlined(canvas: Any, stage: Stage, item: AnyObject) -> bool:
    """Fill the outline of a placed picture that has no transparency; gives whether it was one."""
    picture = stage.picture(item.asset) if isinstance(item, Image | Overlay) else None
    if picture is None or not picture.opaque or not isinstance(item, Image | Overlay):
        return False
    placed = stage.placed(item)
    if placed is None:
        return True
    frame = stage.frame_of(item) if isinstance(item, Image) and item.clip else None
    if frame is not None:
        canvas.clipPath(path(stage.outline(frame)), skia.ClipOp.kIntersect, True)
    corners = [skia.Point(x, y) for x, y in placed[0].quad(*placed[1])]
    canvas.drawPath(skia.Path.Polygon(corners, isClosed=True), fill("#000000", item.opacity))
    return True


def _layers(stage: Stage) -> Iterator[_Layer]:
    """Bottom first."""
    for step in paint_order(stage.unit):
        item = step.item
        if isinstance(item, Balloon) and step.joined:
            like = {"fill": item.fill, "stroke": item.stroke, "joined": None}
            for balloon in (item, *step.joined):
                yield _Layer(balloon, Step(step.band, balloon.model_copy(update=like)))
            continue
        if not isinstance(item, Frame):
            yield _Layer(item, step)
            continue
        if item.background is not None:
            yield _Layer(item, Step(step.band, item.model_copy(update={"border": Stroke(width=0)})), upper=False)
        for inner in step.inside:
            yield _Layer(inner, Step(step.band, inner, frame=item))
        if item.border.width:
            yield _Layer(item, Step(step.band, item.model_copy(update={"background": None})))
        for inner in step.above:
            yield _Layer(inner, Step(step.band, inner, frame=item))


def _box(stage: Stage, layer: _Layer, view: Affine, width: int, height: int) -> Area | None:
    item = layer.item
    edges = object_reach(stage, layer.step.item if isinstance(item, Balloon) else item)
    return None if edges is None else within(covered(view.around(*edges), SPARE + 1), width, height)
