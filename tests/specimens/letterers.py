"""Three letterers with one task: words into a balloon, as large as they go. Each gives back its ink.

The kit knows the outline. Chromium sets a box: the balloon's own less the padding, or the largest upright rectangle of
its proportions inside the outline. jtypeset is told the length of every line, which are chords of the same outline.
"""

from __future__ import annotations

import io
import math
import time
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image

from lantern_kit.comic.balloons.body import form_of, polygon
from lantern_kit.comic.model import Balloon, Chapter, Paper, Stroke, Surface, Unit, UnitKind, Writing
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.typeset.setting import forget_layouts, set_text
from tests.specimens.chromium import Chromium
from tests.specimens.japanese import Japanese
from tests.specimens.scene import LARGEST, SMALLEST

SCALE = 16.0
"""Pixels a millimetre in which ink is measured."""
EDGE = 8
"""Millimetres around the balloon that are looked at too."""
LEADING = {Writing.HORIZONTAL: 1.2, Writing.VERTICAL: 1.3}
"""Line pitch of both peers, over the em."""

Ink = NDArray[np.uint8]


class Lettered(NamedTuple):
    """What a letterer made of one balloon."""

    size: float
    """Em size, in micrometres; 0 when it gave up."""
    ink: Ink
    """Darkness (0 to 255) on the balloon's box and ``EDGE`` around it."""
    seconds: float


def canvas(balloon: Balloon) -> tuple[int, int]:
    """Columns and rows of the pictures of ink."""
    box = balloon.box
    return round((box.w / 1_000 + 2 * EDGE) * SCALE), round((box.h / 1_000 + 2 * EDGE) * SCALE)


def inner(balloon: Balloon, padding: float = 1.0) -> Any:
    """The outline less a share of its padding, about the balloon's box, in micrometres."""
    away = (balloon.padding + balloon.stroke.width / 2) * padding
    return polygon(form_of(balloon)).buffer(-away, join_style="mitre")


def outside(balloon: Balloon, ink: Ink, padding: float = 1.0) -> float:
    """Share of the ink that is nearer to the outline than the padding, or past it."""
    area = inner(balloon, padding).buffer(1_000 / SCALE)  # a pixel's breadth of grey belongs to the edge of any ink
    rows, columns = np.nonzero(ink > 64)
    if not rows.size:
        return 0.0
    points = shapely.points((columns + 0.5) / SCALE * 1_000 - EDGE * 1_000, (rows + 0.5) / SCALE * 1_000 - EDGE * 1_000)
    return float(1 - shapely.contains(area, points).mean())


def by_the_kit(balloon: Balloon) -> Lettered:
    """Set, and drawn without the balloon."""
    forget_layouts()
    started = time.perf_counter()
    words = set_text(balloon)
    seconds = time.perf_counter() - started
    return Lettered(0.0 if words.overflow else words.size, _drawn(balloon), seconds)


def _drawn(balloon: Balloon) -> Ink:
    """Only the words, on the canvas."""
    none = Stroke(width=balloon.stroke.width, colour="#ffffff00")
    return 255 - shown(balloon.model_copy(update={"fill": "#ffffff00", "stroke": none}))


def shown(balloon: Balloon) -> Ink:
    """The balloon as the kit draws it, in grey, on the canvas."""
    margin = EDGE * 1_000
    box = balloon.box.model_copy(update={"x": balloon.box.x + margin, "y": balloon.box.y + margin})
    size = Surface(id="sf_scene", x=0, width=balloon.box.w + 2 * margin, height=balloon.box.h + 2 * margin)
    moved = balloon.model_copy(update={"box": box, "parent": "un_scene"})
    unit = Unit(kind=UnitKind.PAGE, id="un_scene", surfaces=(size,), objects=(moved,), reading=(moved.id,))
    chapter = Chapter(id="ch_scene", comic="Scene", paper=Paper(width=size.width, height=size.height))
    drawn = render_unit(unit, chapter, lambda asset: None, scale=SCALE).pixels[..., 0]
    return 255 - _fitted(255 - drawn, balloon)


LARGEST_THAT_FITS = """([width, height, least, most]) => {
  const words = document.getElementById('words'), box = words.parentElement;
  const fits = (size) => {
    words.style.fontSize = size + 'px';
    const area = words.getBoundingClientRect();
    return words.scrollWidth <= words.clientWidth + 1 && words.scrollHeight <= words.clientHeight + 1
      && area.width <= width + .1 && area.height <= height + .1;
  };
  for (let size = most; size >= least; size *= .99) if (fits(size)) return size;
  return 0;
}"""


def by_chromium(chromium: Chromium, balloon: Balloon, *, inscribed: bool) -> Lettered:
    """CSS: centred, balanced, the size made smaller by hundredths until the words fit a box."""
    box, style = balloon.box, balloon.style
    away = balloon.padding + balloon.stroke.width // 2
    width, height = (box.w - 2 * away) / 1_000, (box.h - 2 * away) / 1_000
    if inscribed:
        width, height = _inscribed(balloon)
    vertical = style.writing is Writing.VERTICAL
    css = (
        f"line-height: {LEADING[style.writing]}; text-align: center; text-wrap: balance; white-space: normal; "
        f"{'max-height' if vertical else 'max-width'}: {height if vertical else width}mm;"
    )
    chromium.show(balloon.text, style, size=20, length="auto", css=css)
    chromium.page.evaluate(
        "(css) => { document.getElementById('box').style.cssText = css }",
        f"position: absolute; left: {EDGE}mm; top: {EDGE}mm; width: {box.w / 1_000}mm; height: {box.h / 1_000}mm; "
        "display: flex; align-items: center; justify-content: center",
    )
    pixel = 96 / 25.4
    started = time.perf_counter()
    size = chromium.page.evaluate(
        LARGEST_THAT_FITS, [width * pixel, height * pixel, SMALLEST / 1_000 * pixel, LARGEST / 1_000 * pixel]
    )
    seconds = time.perf_counter() - started
    across, down = canvas(balloon)
    clip = {"x": 0, "y": 0, "width": math.ceil(across / SCALE * pixel), "height": math.ceil(down / SCALE * pixel)}
    shot = chromium.page.screenshot(clip=clip)
    with Image.open(io.BytesIO(shot)) as opened:
        ratio = SCALE / (pixel * chromium.density)
        grey = opened.convert("L").resize(
            (round(opened.width * ratio), round(opened.height * ratio)), Image.Resampling.LANCZOS
        )
    return Lettered(size / pixel * 1_000, _fitted(255 - np.asarray(grey), balloon), seconds)


def _inscribed(balloon: Balloon) -> tuple[float, float]:
    """Sides of the largest rectangle of the box's proportions about its middle in the padded outline; millimetres."""
    area, box = inner(balloon), balloon.box
    x, y = box.x + box.w / 2, box.y + box.h / 2
    least, most = 0.0, 1.0
    for _ in range(20):
        middle = (least + most) / 2
        half = (box.w / 2 * middle, box.h / 2 * middle)
        if area.contains(shapely.box(x - half[0], y - half[1], x + half[0], y + half[1])):
            least = middle
        else:
            most = middle
    return box.w / 1_000 * least, box.h / 1_000 * least


def by_jtypeset(peer: Japanese, balloon: Balloon) -> Lettered:
    """``fit_paragraph`` for each number of lines, the lengths of whose lines are chords of the outline."""
    vertical = balloon.style.writing is Writing.VERTICAL
    area, lib = inner(balloon), peer.lib
    started = time.perf_counter()
    best: tuple[float, list[tuple[int, int]]] = (0.0, [])
    left, top, right, bottom = area.bounds
    depth = (right - left) if vertical else (bottom - top)
    for lines in range(1, 13):
        size = min(float(LARGEST), depth / ((lines - 1) * LEADING[balloon.style.writing] + 1))
        if size <= max(best[0], SMALLEST):
            break
        pitch = size * LEADING[balloon.style.writing]
        middles = [(number - (lines - 1) / 2) * pitch for number in range(lines)]
        chords = [_chord(area, middle, size, vertical=vertical) for middle in middles]
        if min(chords) <= 0:
            continue
        fonts, words, mode = peer.paragraph(balloon.text, balloon.style, size)
        while size > max(best[0], SMALLEST):
            found = lib.fit_paragraph(fonts, words, mode, lines, chords, chords[-1], SMALLEST / size, 0.01)
            used = list(zip(found.lines, chords, strict=False))
            over = max((line.natural_length / chord for line, chord in used), default=1.0)
            if not found.fits or over <= 1.001:
                break
            # ``fits`` counts lines; a word longer than its line stands over, and asks for a smaller size.
            size = size * found.scale / over
            fonts, words, mode = peer.paragraph(balloon.text, balloon.style, size)
        if found.fits and over <= 1.001 and size * found.scale > best[0]:
            spans = [(line.char_start, line.char_end) for line in found.lines]
            best = size * found.scale, spans
    seconds = time.perf_counter() - started
    across, down = canvas(balloon)
    ink = np.zeros((down, across), np.uint8)
    size, spans = best
    for number, (start, end) in enumerate(spans):
        offset = (number - (len(spans) - 1) / 2) * size * LEADING[balloon.style.writing]
        _stamp(peer, balloon, balloon.text[start:end], size, offset, ink)
    return Lettered(size, ink, seconds)


def _chord(area: Any, middle: float, size: float, *, vertical: bool) -> float:
    """How long a line may be that stands so far from the middle; micrometres, shared evenly to both sides."""
    left, top, right, bottom = area.bounds
    x, y = (left + right) / 2, (top + bottom) / 2
    reach = math.inf
    for side in (middle - size / 2, middle + size / 2):
        if vertical:
            line = shapely.LineString([(x - side, top - 1), (x - side, bottom + 1)])
        else:
            line = shapely.LineString([(left - 1, y + side), (right + 1, y + side)])
        cut = area.intersection(line)
        if cut.is_empty:
            return 0.0
        _, low, _, high = cut.bounds if vertical else (0, cut.bounds[0], 0, cut.bounds[2])
        at = y if vertical else x
        reach = min(reach, at - low, high - at)
    return max(0.0, 2 * reach)


def _stamp(peer: Japanese, balloon: Balloon, words: str, size: float, offset: float, ink: Ink) -> None:
    """Draw one line by jtypeset itself, centred across the balloon."""
    lib, vertical = peer.lib, balloon.style.writing is Writing.VERTICAL
    points = 72 / 25_400
    fonts, paragraph, mode = peer.paragraph(words.strip(), balloon.style, size * points)
    found = lib.layout_paragraph(fonts, paragraph, mode, [], 10_000.0)
    length = found.lines[0].natural_length
    down, across = ink.shape
    width, height = across / SCALE / 25.4 * 72, down / SCALE / 25.4 * 72
    if vertical:
        box = lib.Rect(0, (height - length) / 2, width - 2 * offset * points, length)
    else:
        box = lib.Rect((width - length) / 2, 0, length, height + 2 * offset * points)
    origin = found.origin_in_box(box, lib.BlockAlign.CENTER, lib.Align.START)
    wide, tall, data = found.render(lib.Size(width, height), origin, SCALE * 25.4, lib.Color(255, 255, 255))
    drawn = 255 - np.frombuffer(data, np.uint8).reshape(tall, wide, 4)[..., 1]
    ink[:] = np.maximum(ink, _fitted(drawn, balloon))


def _fitted(ink: Ink, balloon: Balloon) -> Ink:
    """Cut or filled up to the balloon's canvas."""
    across, down = canvas(balloon)
    found = np.zeros((down, across), np.uint8)
    rows, columns = min(down, ink.shape[0]), min(across, ink.shape[1])
    found[:rows, :columns] = ink[:rows, :columns]
    return found
