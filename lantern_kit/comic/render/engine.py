"""The drawing library, loaded in one place, so that a missing system library is said in words."""

from __future__ import annotations

from typing import Any

from lantern_kit.imaging.picture import Pixels
from lantern_kit.kernel.errors import MissingDependency

try:
    import skia
except ImportError as problem:
    raise MissingDependency(
        "the drawing library skia cannot be loaded",
        found=str(problem),
        recovery="Run lantern doctor: it names the system packages that are missing (libEGL, libGL, fontconfig).",
    ) from problem

__all__ = ["canvas_on", "skia"]


def canvas_on(pixels: Pixels) -> Any:
    """A canvas that draws on pixels where they are: (height, width, 4) uint8, premultiplied."""
    height, width, _ = pixels.shape
    info = skia.ImageInfo.Make(width, height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    return skia.Surface.MakeRasterDirect(info, pixels).getCanvas()
