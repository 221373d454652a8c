"""What says how something is drawn: of two that are equal, one drawing may stand for the other."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.model import Effect, Foreground, Image, Overlay
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.stage import Stage


def means(stage: Stage, step: Step) -> tuple[Any, ...]:
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
    return step, tuple(bound), tuple(pictures)


class Means:
    """All that says how something is drawn, as a key that is cheap to look up again."""

    __slots__ = ("_all", "_hash")

    def __init__(self, *everything: object) -> None:
        self._all = everything
        self._hash = hash(everything)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Means) and self._hash == other._hash and self._all == other._all)
