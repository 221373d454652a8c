"""Which numbers of the document are lengths, angles and shares, and how people read them.

The document keeps whole numbers: micrometres, thousandths of a degree, millionths of one.
"""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.measure import degrees, millimetres, share

MILLIMETRES = frozenset(
    {
        "x", "y", "w", "h", "width", "height", "bleed", "safe", "dx", "dy", "size", "smallest", "padding", "pitch",
        "tip", "dash", "gutter", "points", "start", "segments",
    }
)  # fmt: skip
DEGREES = frozenset({"rotate", "angle", "arc", "skew", "ramp"})
SHARES = frozenset(
    {
        "scale", "opacity", "focus", "crop", "centre", "clear", "density", "density_to", "leading", "tracking", "bend",
        "area",
    }
)  # fmt: skip


def _short(value: float) -> float | int:
    return int(value) if value == int(value) else value


def in_peoples_units(name: str, value: Any) -> Any:
    """A stored value as plain data in millimetres, degrees and shares of one, by the name of its field."""
    if isinstance(value, dict):
        return {key: in_peoples_units(key, part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [in_peoples_units(name, part) for part in value]
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    if name in MILLIMETRES:
        return _short(millimetres(value))
    if name in DEGREES:
        return _short(degrees(value))
    return _short(share(value)) if name in SHARES else value
