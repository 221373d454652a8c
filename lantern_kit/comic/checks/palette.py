"""Whether pictures keep to the colours that were kept of their scene, style and characters: by pixels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import shapely

from lantern_kit.comic.checks.balance import SMALLEST
from lantern_kit.comic.checks.frames import panels_of
from lantern_kit.comic.checks.kept import Kept, named
from lantern_kit.comic.checks.marked import Lying
from lantern_kit.comic.checks.seen import Wrong
from lantern_kit.comic.model import Image, Unit
from lantern_kit.imaging.perception import Lab, oklab
from lantern_kit.imaging.picture import Pixels

FAR = 9.0
"""A picture whose pixels lie so far, on average, from the nearest of some colours is of other colours; of the hundred
from black to white. A photograph lies up to 5 from six colours of its own (median cut), also when it is darker by a
third, and mostly 5 to 16 from another's."""
STRANGE = 10.0
"""Most of a marked place lies so far from all colours of whom it shows."""
LIGHTNESS = 0.4
"""How much a difference of lightness counts beside one of hue: light and shade are no other colours."""
FEWEST = 2
"""So many colours make a palette."""


def apart(lab: Lab, colours: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """How far each pixel lies from the nearest of some colours, of the hundred from black to white.

    Args:
        lab: OKLab pixels, (…, 3).
        colours: ``#rrggbb``.
    """
    rgb = np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in colours], np.uint8)
    weight = np.array([LIGHTNESS, 1.0, 1.0], np.float32)
    steps = (lab.reshape(-1, 1, 3) - oklab(rgb)[None]) * weight
    found: np.ndarray[tuple[int], np.dtype[np.float32]] = 100 * np.sqrt((steps**2).sum(axis=2)).min(axis=1)
    return found


def strayed(unit: Unit, pixels: Pixels, kept: Mapping[str, Kept], styles: Sequence[str]) -> Iterator[tuple[str, Wrong]]:
    """continuity.kept: a frame whose pictures are far from the colours of its scene, or else of the chapter's styles.

    Args:
        pixels: the unit after trimming, drawn small and without its words: rows, columns, RGBA.
        styles: entries that the chapter keeps to.
    """
    pictured = {item.parent for item in unit.objects if isinstance(item, Image)}
    style = next((kept[name] for name in styles if name in kept and len(kept[name].palette) >= FEWEST), None)
    for panel in panels_of(unit):
        scene = kept.get(panel.frame.scene or "")
        entry = scene if scene is not None and len(scene.palette) >= FEWEST else style
        if entry is None or panel.frame.id not in pictured:
            continue
        part = _part(unit, pixels, panel.edges)
        far = float(apart(oklab(part), entry.palette).mean()) if part.size else 0.0
        if far > FAR:
            yield (
                panel.frame.id,
                Wrong(
                    "continuity.kept",
                    "note",
                    f"its colours lie {far:.0f} of 100 from those kept of the {entry.kind} {entry.name}; grade its "
                    "picture towards them, or keep its colours there too",
                    {"entry": entry.id, "kind": entry.kind, "name": entry.name, "apart": round(far, 1)},
                ),
            )


def miscoloured(
    unit: Unit, pixels: Pixels, there: Sequence[Lying], kept: Mapping[str, Kept]
) -> Iterator[tuple[str, Wrong]]:
    """continuity.character: a place marked as somebody's, with hardly anything of their colours."""
    for lying in there:
        entry = kept.get(lying.mark.who or "")
        if entry is None or len(entry.palette) < FEWEST or lying.shown.is_empty:
            continue
        left, top, right, bottom = (round(edge) for edge in shapely.bounds(lying.shown).tolist())
        part = _part(unit, pixels, (left, top, right, bottom))
        far = float(np.median(apart(oklab(part), entry.palette))) if part.size else 0.0
        if far > STRANGE:
            yield (
                lying.item.id,
                Wrong(
                    "continuity.character",
                    "note",
                    f"where {named(kept, entry.id)} is marked, most of it lies {far:.0f} of 100 from all of their "
                    "colours; grade the picture, or mark the right place",
                    {"who": entry.id, "name": entry.name, "mark": lying.number, "apart": round(far, 1)},
                ),
            )


def _part(unit: Unit, pixels: Pixels, edges: tuple[int, int, int, int]) -> Pixels:
    """The pixels of a part of the page; none where it is too small to tell."""
    rows, columns = pixels.shape[:2]
    left, top, right, bottom = edges
    x0, x1 = (min(max(round(x * columns / unit.width), 0), columns) for x in (left, right))
    y0, y1 = (min(max(round(y * rows / unit.height), 0), rows) for y in (top, bottom))
    return pixels[y0:y1, x0:x1] if min(x1 - x0, y1 - y0) >= SMALLEST else pixels[:0, :0]
