"""Frames that keep their size or the ratio of their sides."""

from __future__ import annotations

from lantern_kit.comic.geometry import extent
from lantern_kit.comic.model import Frame, Keep, Shape
from lantern_kit.kernel.errors import BadInput


def size_of(shape: Shape) -> tuple[int, int]:
    """Width and height of a shape."""
    left, top, right, bottom = extent(shape)
    return right - left, bottom - top


def kept(frame: Frame, shape: Shape) -> bool:
    """Whether a new outline leaves what the frame keeps as it is; rounding to whole micrometres aside."""
    (was_w, was_h), (w, h) = size_of(frame.shape), size_of(shape)
    match frame.keep:
        case None:
            return True
        case Keep.SIZE:
            return (w, h) == (was_w, was_h)
        case Keep.RATIO:
            return abs(w * was_h - h * was_w) <= max(was_w, was_h)


def hold(frame: Frame, shape: Shape) -> None:
    """Refuse an outline that changes what the frame keeps. Raises BadInput."""
    if not kept(frame, shape):
        raise BadInput(
            f"{frame.id} keeps its {frame.keep}, and this would change it",
            expected="an outline of the same " + ("size" if frame.keep is Keep.SIZE else "ratio of width to height"),
            ids=[frame.id],
            recovery='frame.set {"keep": null} lets it change.',
        )
