"""Set text drawn as outlines: a stroke of its own behind, ink in front, every glyph where typesetting put it.

Outlines instead of skia's glyph masks: those are thinned for screens and differ from size to size, so that the same
words would be lighter in a view than in print.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from lantern_kit.comic.model import TextStyle
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import GRAIN, fill, scaling
from lantern_kit.comic.typeset.fonts import Face
from lantern_kit.comic.typeset.setting import GlyphRun, Layout, Placed, SetText
from lantern_kit.kernel.errors import NotFound

EM = 1_000.0
"""Glyphs are outlined once at this size and enlarged or reduced from there."""
SMALLEST_HOLE = 1.6
"""Holes of an outline narrower than this, over its width, are closed: the eye of a letter would be left as a speck."""
TOGETHER, MOST_JOINED = 32, 256
"""Glyphs that are joined into one shape, for the time it takes grows far faster than their number; and of longer texts
none are, for hundreds of ideographs that lie on each other take minutes however few are joined at a time."""


def draw_text(canvas: Any, text: SetText, style: TextStyle) -> None:
    """Draw a lettering object's words."""
    canvas.save()
    canvas.translate(text.x, text.y)
    if text.rotate:
        canvas.rotate(text.rotate / 1_000)
    if text.skew:
        canvas.skew(-math.tan(math.radians(text.skew / 1_000)), 0.0)
    if style.outline is not None and style.outline.width:
        canvas.drawPath(_silhouette(text.layout, style.outline.width), fill(style.outline.colour))
    for colour, outline in text_paths(text.layout).items():
        canvas.drawPath(outline, fill(colour or style.colour))
    canvas.restore()


def text_paths(layout: Layout) -> dict[str, Any]:
    """All the words as one outline a colour (empty: the style's) about the layout's origin, in micrometres."""
    made: dict[str, Any] | None = layout.drawing.get("paths")
    if made is None:
        made = {}
        for run, glyph in _placed_glyphs(layout):
            made.setdefault(run.colour, skia.Path()).addPath(glyph)
        for outline in made.values():
            outline.setIsVolatile(False)
        layout.drawing["paths"] = made
    return made


def _placed_glyphs(layout: Layout) -> Iterator[tuple[GlyphRun, Any]]:
    """Every glyph's outline where it stands."""
    for line in layout.lines:
        for run in line.runs:
            for item in run.glyphs:
                outline = skia.Path()
                glyph_path(run.face, item.glyph, run.weight, run.lean).transform(glyph_matrix(run, item), outline)
                yield run, outline


def glyph_matrix(run: GlyphRun, item: Placed) -> Any:
    """From a glyph's outline at ``EM`` to where it stands, in micrometres."""
    factor = run.size / EM
    turn = math.radians(item.turn)
    cos, sin = math.cos(turn) * factor, math.sin(turn) * factor
    return skia.Matrix.MakeAll(cos * run.stretch, -sin, item.x, sin * run.stretch, cos, item.y, 0, 0, 1)


@lru_cache(maxsize=1)
def _manager() -> Any:
    """A font manager that knows no installed font and never asks fontconfig."""
    return skia.FontMgr.New_Custom_Empty()


@lru_cache(maxsize=256)
def typeface(face: Face) -> Any:
    """A face as skia draws it. Raises NotFound when it cannot."""
    found = _manager().makeFromFile(str(face.path))
    if found is None:
        raise NotFound(f"the font file of {face.family} cannot be drawn", ids=[face.family])
    return found


@lru_cache(maxsize=8192)
def glyph_path(face: Face, glyph: int, weight: float, lean: float) -> Any:
    """A glyph's outline at a size of 1,000 about its origin, y down, with added weight and lean."""
    font = skia.Font(typeface(face), EM)
    font.setHinting(skia.FontHinting.kNone)
    font.setLinearMetrics(True)
    font.setSkewX(-lean)
    outline = font.getPath(glyph) or skia.Path()
    return _grown(outline, weight * EM) if weight and not outline.isEmpty() else outline


def _grown(outline: Any, added: float) -> Any:
    """An outline with ink added all round, ``added`` in all."""
    pen = skia.Paint(Style=skia.Paint.kStrokeAndFill_Style, StrokeWidth=added, StrokeJoin=skia.Paint.kRound_Join)
    grown = skia.Path()
    pen.getFillPath(outline, grown)
    return skia.AsWinding(skia.Simplify(grown))


def _silhouette(layout: Layout, width: int) -> Any:
    """All the words as one shape, ``width`` larger all round, without the specks that small counters would leave."""
    made = layout.drawing.get("silhouette")
    if made is None:
        grown: list[Any] = []
        for _, glyph in _placed_glyphs(layout):
            glyph.transform(scaling(1 / GRAIN))
            pen = skia.Paint(Style=skia.Paint.kStrokeAndFill_Style, StrokeJoin=skia.Paint.kRound_Join)
            pen.setStrokeWidth(2 * width / GRAIN)
            grown.append(skia.Path())
            pen.getFillPath(glyph, grown[-1], None, 8.0)
        if len(grown) > MOST_JOINED:
            made = _heaped(grown)
        else:
            parts = [grown[first : first + TOGETHER] for first in range(0, len(grown), TOGETHER)]
            joined = [_joined(part, SMALLEST_HOLE * width / GRAIN) for part in parts]
            made = joined[0] if len(joined) == 1 else _heaped([_one_way(shape) for shape in joined])
        made.transform(scaling(GRAIN))
        layout.drawing["silhouette"] = made
    return made


def _joined(shapes: Sequence[Any], smallest: float) -> Any:
    """Shapes as one without specks; as they lie on each other where skia cannot say where they cross."""
    builder = skia.OpBuilder()
    for shape in shapes:
        builder.add(shape, skia.PathOp.kUnion_PathOp)
    try:
        return _without_specks(builder.resolve(), smallest)
    except RuntimeError:
        return _heaped(shapes)


def _heaped(shapes: Sequence[Any]) -> Any:
    """Shapes lying on each other, to be filled as one: their outer edges run one way, as skia's pens draw them."""
    made = skia.Path()
    for shape in shapes:
        made.addPath(shape)
    return made


def _one_way(shape: Any) -> Any:
    """A shape of edges that do not cross, the outer ones clockwise and those of holes against it."""
    contours = _contours(shape)
    made = skia.Path()
    for number, contour in enumerate(contours):
        if (_doubled_area(contour) > 0) == (_depth(contours, number) % 2 == 0):
            made.addPath(contour)
        else:
            made.reverseAddPath(contour)
    return made


def _doubled_area(contour: Any) -> float:
    points = [contour.getPoint(number) for number in range(contour.countPoints())]
    return float(sum(a.x() * b.y() - b.x() * a.y() for a, b in zip(points, [*points[1:], points[0]], strict=True)))


def _depth(contours: Sequence[Any], number: int) -> int:
    """How many others a contour lies in."""
    start = contours[number].getPoint(0)
    return sum(other.contains(start.x(), start.y()) for n, other in enumerate(contours) if n != number)


def _without_specks(shape: Any, smallest: float) -> Any:
    contours = _contours(shape)
    kept = skia.Path()
    kept.setFillType(skia.PathFillType.kEvenOdd)
    for number, contour in enumerate(contours):
        edge = contour.getBounds()
        if min(edge.width(), edge.height()) < smallest and _depth(contours, number) % 2:
            continue
        kept.addPath(contour)
    return kept


def _contours(shape: Any) -> list[Any]:
    contours: list[Any] = []
    walk = skia.Path.Iter(shape, True)
    verb, points = walk.next()
    while verb != skia.Path.kDone_Verb:
        if verb == skia.Path.kMove_Verb:
            contours.append(skia.Path())
            contours[-1].moveTo(points[0])
        elif verb == skia.Path.kLine_Verb:
            contours[-1].lineTo(points[1])
        elif verb == skia.Path.kQuad_Verb:
            contours[-1].quadTo(points[1], points[2])
        elif verb == skia.Path.kConic_Verb:
            contours[-1].conicTo(points[1], points[2], walk.conicWeight())
        elif verb == skia.Path.kCubic_Verb:
            contours[-1].cubicTo(points[1], points[2], points[3])
        elif verb == skia.Path.kClose_Verb:
            contours[-1].close()
        verb, points = walk.next()
    return contours
