"""What drawing a unit needs to know: where its frames lie, what its pictures are, and what turned out to be missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.model import Chapter, Effect, Foreground, Frame, Image, Overlay, Placement, Rect, Shape, Unit
from lantern_kit.comic.placement import Affine, box_of, crop_window, fit_matrix, own_transform, placement_matrix
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.plate import Plate
from lantern_kit.comic.render.proxy import Proxy
from lantern_kit.comic.typeset.fonts import Fonts
from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.errors import NotFound

Drawable = Picture | Plate | Proxy
Pictures = Callable[[str], Drawable | None]
Window = tuple[float, float, float, float]


@dataclass(eq=False)
class Stage:
    """One unit about to be drawn."""

    unit: Unit
    chapter: Chapter
    pictures: Pictures
    fonts: Fonts
    cache: RenderCache | None
    scale: float
    """Pixels a micrometre."""
    recording: bool = False
    """What is drawn is played back later, and owns all it shows."""
    seen: Rect | None = None
    """All of the page that is looked at, where that is less than what is drawn on."""
    missing: list[str] = field(default_factory=list)
    """Assets whose picture is not there, in the order they were wanted, each once."""
    _seen: dict[str, Drawable | None] = field(default_factory=dict)
    _outlines: dict[str, Shape] = field(default_factory=dict)

    def picture(self, asset: str) -> Drawable | None:
        """The picture of an asset; one that is not there is noted in ``missing``."""
        if asset not in self._seen:
            self._seen[asset] = self.pictures(asset)
        found = self._seen[asset]
        if found is None and asset not in self.missing:
            self.missing.append(asset)
        return found

    def frame_of(self, item: Image | Effect) -> Frame | None:
        """The frame an object lies in; None when it lies on the unit. Raises NotFound when it is not there."""
        if item.parent == self.unit.id:
            return None
        parent = self.unit.index.get(item.parent)
        if not isinstance(parent, Frame):
            raise NotFound(
                f"{item.id} lies on {item.parent}, which is no frame of this unit", ids=[item.id, item.parent]
            )
        return parent

    def outline(self, frame: Frame) -> Shape:
        """What a frame encloses, bleed included."""
        found = self._outlines.get(frame.id)
        if found is None:
            found = self._outlines[frame.id] = outline(frame, self.unit, self.chapter.paper)
        return found

    def bounds(self, item: Image | Effect | Overlay) -> Rect:
        """The bounds that a placement or an effect without a box fills: its frame's, or all of the paper."""
        frame = None if isinstance(item, Overlay) else self.frame_of(item)
        if frame is None:
            return bleed_rect(self.unit, self.chapter.paper)
        return bounds(self.outline(frame))

    def filled(self, effect: Effect) -> Rect:
        """What an effect fills, as far as its frame does not cut it."""
        return effect.box or self.bounds(effect)

    def placed(self, item: Image | Overlay | Foreground) -> tuple[Affine, Window] | None:
        """How a picture lies (see ``placed_quad``), a foreground as its image does; None when nothing is left of it."""
        image = self.image_of(item) if isinstance(item, Foreground) else item
        free = isinstance(item, Overlay) or (isinstance(item, Image) and self.frame_of(item) is None)
        return placed_quad(image.placement, self.bounds(image), self.picture(image.asset), boxed=free)

    def image_of(self, foreground: Foreground) -> Image:
        """The image a foreground is bound to. Raises NotFound when it is not there."""
        image = self.unit.index.get(foreground.parent)
        if not isinstance(image, Image):
            raise NotFound(
                f"the foreground {foreground.id} is bound to {foreground.parent}, which is no image of this unit",
                ids=[foreground.id, foreground.parent],
            )
        return image


def _seen_window(placement: Placement, bounds: Rect, width: int, height: int, *, boxed: bool) -> Window | None:
    """The part of a picture that is drawn, in its pixels: its crop, and inside its box when that is what cuts it off.

    Args:
        placement: how it lies.
        bounds: bounds of its frame.
        width: width in pixels.
        height: height in pixels.
        boxed: the box cuts the picture off (one that lies free on the paper); in a frame the outline does that.

    Returns:
        None when nothing is left of it.
    """
    left, top, right, bottom = crop_window(placement, width, height)
    if boxed:
        box = box_of(placement, bounds)
        back = fit_matrix(placement, bounds, width, height).inverse()
        (x0, y0), (x1, y1) = back.map(box.x, box.y), back.map(box.right, box.bottom)
        left, top, right, bottom = max(left, x0), max(top, y0), min(right, x1), min(bottom, y1)
    return (left, top, right, bottom) if left < right and top < bottom else None


def placed_quad(
    placement: Placement, bounds: Rect, picture: Drawable | None, *, boxed: bool
) -> tuple[Affine, Window] | None:
    """Picture pixels → page, and the window that is drawn; for a picture that is not there its box stands in."""
    if picture is None:
        box = box_of(placement, bounds)
        return own_transform(placement, bounds), (box.x, box.y, box.right, box.bottom)
    window = _seen_window(placement, bounds, picture.width, picture.height, boxed=boxed)
    if window is None:
        return None
    return placement_matrix(placement, bounds, picture.width, picture.height), window
