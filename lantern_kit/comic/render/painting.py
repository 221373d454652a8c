"""Painting the steps of a unit, one by one."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.model import Balloon, Effect, Foreground, Frame, Image, Narration, Overlay
from lantern_kit.comic.render.balloon import draw_balloon, draw_caption
from lantern_kit.comic.render.frame import draw_frame, draw_lone_effect
from lantern_kit.comic.render.lettering import draw_text
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.placed import draw_foreground, draw_image, draw_overlay
from lantern_kit.comic.render.stage import Stage
from lantern_kit.comic.typeset.setting import set_text


def draw_step(canvas: Any, stage: Stage, step: Step) -> None:
    """Draw one step of the painting order on a canvas in page micrometres."""
    item = step.item
    if isinstance(item, Frame):
        draw_frame(canvas, stage, step)
    elif isinstance(item, Image):
        draw_image(canvas, stage, item, clipped=False)
    elif isinstance(item, Overlay):
        draw_overlay(canvas, stage, item)
    elif isinstance(item, Foreground):
        draw_foreground(canvas, stage, item)
    elif isinstance(item, Effect):
        draw_lone_effect(canvas, stage, item)
    else:
        if isinstance(item, Balloon):
            draw_balloon(canvas, item, step.joined)
        elif isinstance(item, Narration):
            draw_caption(canvas, item)
        for words in (item, *step.joined):
            draw_text(canvas, set_text(words, fonts=stage.fonts), words.style)
