"""The order of drawing: bands from the bottom up, inside a band the order in which the unit holds its objects.

A frame is drawn as one thing: its background, then its pictures and effects from the bottom up, cut to its outline,
then its border, and over the border those of its pictures that are not cut (``clip`` off: an ordinary breakout).
A picture or effect that names a band other than its frame's leaves the frame and is drawn in that band, still cut to
the frame unless it is a picture with ``clip`` off. A foreground is never cut.

Balloons that are joined are drawn as one thing, in the place of the lowest of them, so that nothing lies between them.
"""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.comic.balloons.groups import Group, groups
from lantern_kit.comic.model import BANDS, AnyObject, Balloon, Band, Effect, Frame, Image, Unit

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
    joined: tuple[Balloon, ...] = ()
    """Balloons that make one outline with ``item``, whose fill and stroke they take; bottom first."""

    @property
    def objects(self) -> tuple[AnyObject, ...]:
        """All that is drawn by this step, in order."""
        return (self.item, *self.inside, *self.above, *self.joined)

    @property
    def group(self) -> Group | None:
        """The balloons whose one outline this step draws; None when it is not one of several."""
        return Group(self.item, (self.item, *self.joined)) if self.joined and isinstance(self.item, Balloon) else None


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
    return _with_joined(sorted(steps, key=lambda step: level[step.band]))


def _with_joined(steps: list[Step]) -> tuple[Step, ...]:
    balloons = [step.item for step in steps if isinstance(step.item, Balloon)]
    if all(balloon.joined is None for balloon in balloons):
        return tuple(steps)
    member_of = {member.id: group for group in groups(balloons) for member in group.members}
    found: list[Step] = []
    for step in steps:
        group = member_of.get(step.item.id)
        if group is None:
            found.append(step)
        elif group.members[0].id == step.item.id:
            others = tuple(member for member in group.members if member is not group.root)
            found.append(Step(step.band, group.root, joined=others))
    return tuple(found)
