"""The drawing library, loaded in one place, so that a missing system library is said in words."""

from __future__ import annotations

from lantern_kit.kernel.errors import MissingDependency

try:
    import skia
except ImportError as problem:
    raise MissingDependency(
        "the drawing library skia cannot be loaded",
        found=str(problem),
        recovery="Run lantern doctor: it names the system packages that are missing (libEGL, libGL, fontconfig).",
    ) from problem

__all__ = ["skia"]
