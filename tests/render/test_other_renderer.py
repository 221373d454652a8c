"""The same page written down as SVG and drawn by resvg, a renderer that shares no code with skia."""

from __future__ import annotations

import base64
import io
import math

import numpy as np
import pytest
from PIL import Image as Pillow

from lantern_kit.comic.balloons.outline import Outline, balloon_outline
from lantern_kit.comic.model import (
    Align,
    Balloon,
    BalloonShape,
    Frame,
    Image,
    Narration,
    Polygon,
    Stroke,
    Text,
    TextStyle,
    Unit,
)
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.typeset import set_text
from lantern_kit.comic.typeset.fonts import ROLES, packaged_fonts
from lantern_kit.imaging.encode import encode_png
from lantern_kit.imaging.picture import Picture
from tests.render.pages import CHAPTER, Maker, page

resvg = pytest.importorskip("resvg_py", reason="the other renderer (resvg-py) is not installed")

Dot = tuple[float, float]
JOIN = ('stroke-linejoin="round"', 'stroke-linejoin="miter" stroke-miterlimit="5"')


def photo() -> Picture:
    """Soft colours, finer than the page shows them."""
    y, x = np.mgrid[:300, :420]
    red = 128 + 100 * np.sin(x / 37) * np.cos(y / 29)
    green = 128 + 90 * np.sin((x + y) / 51)
    blue = 40 + 180 * x / 420
    return Picture.of(np.stack([red, green, blue], axis=2).astype(np.uint8))


PHOTO = photo()


def the_page() -> Unit:
    make = Maker()
    wide, slanted = make.frame(8, 8, 84, 50), make.polygon((8, 64), (60, 64), (50, 130), (8, 130))
    caption = TextStyle(font="sans", align=Align.LEFT)
    return page(
        wide,
        make.image(wide.id, "as_photo"),
        slanted,
        make.image(slanted.id, "as_photo"),
        make.balloon(20, 14, 44, 24, "I never asked for the whole moon, you know.", tip=(76, 52)),
        make.balloon(62, 84, 32, 20, "Is that mine?", tip=(40, 110)),
        make.balloon(62, 60, 34, 20, "Hmm.", shape=BalloonShape.THOUGHT, tip=(58, 90)),
        make.balloon(12, 66, 30, 20, "Mine!", shape=BalloonShape.BURST, tip=(20, 104), stroke=Stroke(width=500)),
        make.balloon(12, 92, 26, 14, "Oh…", shape=BalloonShape.CLOUD, tip=(44, 108), seed=5),
        make.narration(10, 112, 34, 12, "Four hours and a coffee later", style=caption),
        make.text(56, 112, 40, 16, "FWOOM!", style=TextStyle(font="sound", size=12_000, colour="#c02010")),
    )


def outlined(whole: Outline) -> str:
    """A balloon's outline as SVG path data, its curves as they are."""
    parts = []
    for contour in (*whole.contours, *whole.bubbles):
        parts.append(f"M{contour.start[0]},{contour.start[1]}")
        parts += [f"C{a[0]},{a[1]} {b[0]},{b[1]} {c[0]},{c[1]}" for a, b, c in contour.segments]
        parts.append("Z")
    return "".join(parts)


def points(dots: list[Dot]) -> str:
    return " ".join(f"{x},{y}" for x, y in dots)


def words(item: Balloon | Narration | Text) -> str:
    """Every line as SVG text: resvg shapes it by itself."""
    found, style = set_text(item), item.style
    parts = []
    for line in found.lines:
        (run,) = line.runs
        x = run.glyphs[0].x
        weight = ROLES[style.font].weight * found.size
        parts.append(
            f'<text x="{x}" y="{line.baseline}" font-family="{run.face.family}" font-size="{found.size}" '
            f'fill="{style.colour}" stroke="{style.colour}" stroke-width="{weight}">{found.words_of(line)}</text>'
        )
    return "".join(parts)


def as_svg(unit: Unit) -> str:
    embedded = base64.b64encode(encode_png(PHOTO.pixels)).decode()
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {unit.width} {unit.height}">']
    parts.append(f'<rect width="{unit.width}" height="{unit.height}" fill="{unit.background}"/>')
    for item in unit.objects:
        if isinstance(item, Frame):
            assert isinstance(item.shape, Polygon)
            corners = [(float(x), float(y)) for x, y in item.shape.points]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            left, top, width, height = min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
            parts.append(f'<clipPath id="{item.id}"><polygon points="{points(corners)}"/></clipPath>')
            parts.extend(
                f'<image clip-path="url(#{item.id})" x="{left}" y="{top}" width="{width}" height="{height}" '
                f'preserveAspectRatio="xMidYMid slice" href="data:image/png;base64,{embedded}"/>'
                for image in unit.children(item.id)
                if isinstance(image, Image)
            )
            parts.append(
                f'<polygon points="{points(corners)}" fill="none" stroke="#000" stroke-width="{item.border.width}"/>'
            )
        elif isinstance(item, Balloon):
            parts.append(
                f'<path d="{outlined(balloon_outline(item))}" fill="{item.fill}" stroke="{item.stroke.colour}" '
                f'stroke-width="{item.stroke.width}" {JOIN[item.shape is BalloonShape.BURST]}/>'
            )
        elif isinstance(item, Narration):
            box = item.box
            parts.append(
                f'<rect x="{box.x}" y="{box.y}" width="{box.w}" height="{box.h}" fill="{item.fill}" '
                f'stroke="{item.stroke.colour}" stroke-width="{item.stroke.width}"/>'
            )
        if isinstance(item, Balloon | Narration | Text):
            parts.append(words(item))
    return "".join([*parts, "</svg>"])


def test_another_renderer_draws_the_same_page() -> None:
    unit = the_page()
    ours = render_unit(unit, CHAPTER, {"as_photo": PHOTO}.get, scale=8)
    fonts = packaged_fonts()
    files = [str(fonts.face(family).path) for family in ("Delius", "Luckiest Guy", "Noto Sans CJK JP")]
    drawn = resvg.svg_to_bytes(
        svg_string=as_svg(unit), width=ours.width, height=ours.height, skip_system_fonts=True, font_files=files
    )
    with Pillow.open(io.BytesIO(bytes(drawn))) as opened:
        theirs = np.asarray(opened.convert("RGB")).astype(int)
    apart = np.abs(theirs - ours.pixels[..., :3]).max(axis=2)
    assert apart.mean() < 1.0
    assert (apart > 48).mean() < 0.004
    # Where anything is put in another place, whole regions differ; what is left is the grey of single edges.
    blocks = apart[: ours.height // 8 * 8, : ours.width // 8 * 8].reshape(ours.height // 8, 8, -1, 8).mean(axis=(1, 3))
    assert blocks.max() < 40
    assert math.isclose(ours.scale, 0.008)
