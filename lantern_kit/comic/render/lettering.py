"""Set text drawn: outline strokes behind, ink in front, every glyph where typesetting put it."""

from __future__ import annotations

from typing import Any

import skia

from lantern_kit.comic.model import TextStyle
from lantern_kit.comic.render.ink import GRAIN, fill, scaling
from lantern_kit.comic.render.typesetting import GlyphRun, Layout, SetText

SMALLEST_HOLE = 1.6
"""Holes of an outline narrower than this, over its width, are closed: the eye of a letter would be left as a speck."""


def draw_text(canvas: Any, text: SetText, style: TextStyle) -> None:
    """Draw a lettering object's words."""
    canvas.save()
    canvas.translate(text.x, text.y)
    if text.rotate:
        canvas.rotate(text.rotate / 1_000)
    if style.outline is not None and style.outline.width:
        canvas.drawPath(_silhouette(text.layout, style.outline.width), fill(style.outline.colour))
    for blob, weight in _blobs(text.layout):
        canvas.drawTextBlob(blob, 0, 0, _ink(style.colour, weight * text.size))
    canvas.restore()


def _ink(value: str, added: float) -> Any:
    paint = fill(value)
    if added:
        paint.setStyle(skia.Paint.kStrokeAndFill_Style)
        paint.setStrokeWidth(added)
        paint.setStrokeJoin(skia.Paint.kRound_Join)
    return paint


def _blobs(layout: Layout) -> list[tuple[Any, float]]:
    """The layout as skia's glyph runs with their added weight, prepared once."""
    made: list[tuple[Any, float]] | None = layout.drawing.get("blobs")
    if made is None:
        made = [(_blob(run, layout), run.weight) for line in layout.lines for run in line.runs]
        layout.drawing["blobs"] = made
    return made


def _blob(run: GlyphRun, layout: Layout) -> Any:
    builder = skia.TextBlobBuilder()
    builder.allocRunPos(glyph_font(run, layout), run.glyphs, [skia.Point(x, y) for x, y in run.points])
    return builder.make()


def glyph_font(run: GlyphRun, layout: Layout) -> Any:
    """The skia font of a run: unhinted and placed to fractions, so that a page looks the same at every size."""
    font = skia.Font(run.face.typeface, layout.size)
    font.setEdging(skia.Font.Edging.kAntiAlias)
    font.setHinting(skia.FontHinting.kNone)
    font.setSubpixel(True)
    font.setLinearMetrics(True)
    font.setBaselineSnap(False)
    font.setEmbeddedBitmaps(False)
    font.setSkewX(-layout.lean)
    return font


def glyph_outlines(layout: Layout) -> list[tuple[Any, float]]:
    """Every glyph as an outline about the layout's origin, with its run's added weight."""
    found = []
    for line in layout.lines:
        for run in line.runs:
            font = glyph_font(run, layout)
            for glyph, (x, y) in zip(run.glyphs, run.points, strict=True):
                outline = font.getPath(glyph)
                if outline is not None and not outline.isEmpty():
                    outline.offset(x, y)
                    found.append((outline, run.weight))
    return found


def _silhouette(layout: Layout, width: int) -> Any:
    """All the words as one shape, ``width`` larger all round, without the specks that small counters would leave."""
    made = layout.drawing.get("silhouette")
    if made is None:
        builder = skia.OpBuilder()
        for outline, weight in glyph_outlines(layout):
            outline.transform(scaling(1 / GRAIN))
            pen = skia.Paint(Style=skia.Paint.kStrokeAndFill_Style, StrokeJoin=skia.Paint.kRound_Join)
            pen.setStrokeWidth((2 * width + weight * layout.size) / GRAIN)
            grown = skia.Path()
            pen.getFillPath(outline, grown)
            builder.add(grown, skia.PathOp.kUnion_PathOp)
        made = _without_specks(builder.resolve(), SMALLEST_HOLE * width / GRAIN)
        made.transform(scaling(GRAIN))
        layout.drawing["silhouette"] = made
    return made


def _without_specks(shape: Any, smallest: float) -> Any:
    contours = _contours(shape)
    kept = skia.Path()
    kept.setFillType(skia.PathFillType.kEvenOdd)
    for number, contour in enumerate(contours):
        edge = contour.getBounds()
        if min(edge.width(), edge.height()) < smallest:
            start = contour.getPoint(0)
            around = sum(other.contains(start.x(), start.y()) for n, other in enumerate(contours) if n != number)
            if around % 2:
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
