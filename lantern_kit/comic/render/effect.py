"""Effects as vectors: the same seed always draws the same marks, at every resolution."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.model import Effect, EffectType, Rect
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.flash import flash
from lantern_kit.comic.render.ink import fill
from lantern_kit.comic.render.lines import focus_lines, speed_lines
from lantern_kit.comic.render.shade import gradient, vignette
from lantern_kit.comic.render.tone import draw_tone


def draw_effect(canvas: Any, effect: Effect, box: Rect, scale: float, *, seen: Rect | None = None) -> None:
    """Draw an effect, cut off by its box, on a canvas in page micrometres.

    Args:
        canvas: where to; one without pixels (a PDF's) gets every dot of a tone, whatever the scale.
        effect: what to draw.
        box: what it fills, in page micrometres.
        scale: pixels a micrometre.
        seen: all that will be looked at, in page micrometres, where that is less than the canvas.
    """
    area = skia.Rect.MakeXYWH(box.x, box.y, box.w, box.h)
    canvas.save()
    canvas.clipRect(area, skia.ClipOp.kIntersect, True)
    match effect.effect:
        case EffectType.FOCUS:
            canvas.drawPath(focus_lines(effect, box), fill(effect.colour, effect.opacity))
        case EffectType.SPEED:
            canvas.drawPath(speed_lines(effect, box), fill(effect.colour, effect.opacity))
        case EffectType.FLASH:
            canvas.drawPath(flash(effect, box), fill(effect.colour, effect.opacity))
        case EffectType.TONE:
            draw_tone(canvas, effect, box, scale, seen)
        case EffectType.GRADIENT:
            canvas.drawRect(area, gradient(effect, box))
        case EffectType.VIGNETTE:
            canvas.drawRect(area, vignette(effect, box))
    canvas.restore()
