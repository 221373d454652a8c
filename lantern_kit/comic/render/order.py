"""The order of drawing: bands from the bottom up, inside a band the order in which the unit holds its objects.

A frame is drawn as one thing: its background, then its pictures and effects from the bottom up, cut to its outline,
then its border, and over the border those of its pictures that are not cut (``clip`` off: an ordinary breakout).
A picture or effect that names a band other than its frame's leaves the frame and is drawn in that band, still cut to
the frame unless it is a picture with ``clip`` off. A foreground is never cut.
"""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.comic.model import BANDS, AnyObject, Band, Effect, Frame, Image, Unit

Filling = Image | Effect


@dataclass(frozen=True, slots=True)
class Step:
    """One object to draw, with what is drawn as part of it."""

    band: Band
    item: AnyObject
    frame: Frame | None = None
    """The frame whose bounds and outline hold for ``item``, when it has left that frame's own step."""
    inside: tuple[Filling, ...] = ()
    """A frame's pictures and effects under its border, bottom first."""
    above: tuple[Image, ...] = ()
    """A frame's uncut pictures over its border, bottom first."""


def paint_order(unit: Unit) -> tuple[Step, ...]:
    """Everything on a unit in the order it is drawn, bottom first."""
    frames = {item.id: item for item in unit.objects if isinstance(item, Frame)}
    inside: dict[str, list[Filling]] = {}
    above: dict[str, list[Image]] = {}
    steps: list[Step] = []
    frame_places: list[int] = []
    for item in unit.objects:
        if isinstance(item, Frame):
            frame_places.append(len(steps))
            steps.append(Step(item.layer, item))
        elif isinstance(item, Image | Effect) and item.parent in frames:
            frame = frames[item.parent]
            if item.band is not None and item.band is not frame.layer:
                steps.append(Step(item.band, item, frame=frame))
            elif isinstance(item, Image) and not item.clip:
                above.setdefault(frame.id, []).append(item)
            else:
                inside.setdefault(frame.id, []).append(item)
        else:
            steps.append(Step(item.layer, item))
    for place in frame_places:
        step = steps[place]
        own = step.item.id
        if own in inside or own in above:
            steps[place] = Step(step.band, step.item, None, tuple(inside.get(own, ())), tuple(above.get(own, ())))
    level = {band: place for place, band in enumerate(BANDS)}
    return tuple(sorted(steps, key=lambda step: level[step.band]))
