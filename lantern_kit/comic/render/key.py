"""Keys of drawings: of two that are equal, one drawing may stand for the other."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from lantern_kit.comic.model import Effect, Foreground, Image, Overlay
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.stage import Stage


def step_key(stage: Stage, step: Step) -> Hashable:
    """A step with all that it is drawn from, its pictures by identity; the paper and the fonts are the same for all."""
    bound, pictures = [], []
    for item in step.objects:
        if isinstance(item, Image | Overlay | Foreground):
            pictures.append(stage.picture(item.asset))
        if isinstance(item, Foreground):
            image = stage.image_of(item)
            bound += [image, stage.frame_of(image)]
            pictures.append(stage.picture(image.asset))
        elif item is step.item and isinstance(item, Image | Effect):
            bound.append(stage.frame_of(item))
    return _drawn(step), tuple(item and item.drawn for item in bound), tuple(pictures)


def _drawn(step: Step) -> Step:
    """A step with only what is drawn of its objects; itself where that is all."""
    if all(item.drawn is item for item in (step.frame, *step.objects) if item is not None):
        return step
    inside, above = tuple(item.drawn for item in step.inside), tuple(item.drawn for item in step.above)
    return replace(step, item=step.item.drawn, frame=step.frame and step.frame.drawn, inside=inside, above=above)


class Key:
    """Several keys as one that is cheap to look up again."""

    __slots__ = ("_all", "_hash")

    def __init__(self, *several: Hashable) -> None:
        self._all = several
        self._hash = hash(several)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Key) and self._hash == other._hash and self._all == other._all)
