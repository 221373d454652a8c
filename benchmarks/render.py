"""A page drawn by the kit beside skia playing back the very same page from its own recording.

The page: six frames with six photographs, eight balloons with tails, two captions, a sound, focus lines and a tone.

view_vs_bare        a view of 1,024 pixels: ours over the playback
print_vs_bare       the page at 600 dpi (B5 paper): ours over the playback
encoded_vs_bare     the view with its facts as JPEG: ours over the playback and simplejpeg of the same pixels
encoded_print_vs_bare   the print as PNG: ours over the playback and fpng of the same pixels
edit_redraw_ratio   a view after one balloon was moved, over an uncached view
edit_vs_prepared    the same over a view with everything prepared but no layer: the stricter measure
peak_mb_60mp        peak memory of a process that decodes six pictures of ten megapixels each from their files, and
                    draws a view and a print with its PNG; ``one`` is the same with one picture of sixty megapixels,
                    ``floor`` a process that imports the same and holds sixty megapixels of RGBA

Ours and the playback have the decoded pictures, prepared for the size; ours keeps no finished layer, so it walks the
document, places, sets the words and draws all of it every time. ``uncached`` has the decoded pictures alone: a fresh
cache, which keeps the layers it makes, and no words set yet. ``moved`` has the page as it was before the move, at a new
place every time; the words are the same, and are set anew where the place has to do with it. ``kept`` is a second look
at an unchanged page. Figures are medians over rounds; every round runs each case once, so that a busy moment meets them
all.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import fpng
import numpy as np
import simplejpeg
import skia
from PIL import Image as Pillow

from lantern_kit import datasets
from lantern_kit.comic.geometry import polygon_of
from lantern_kit.comic.model import (
    MILLION,
    Balloon,
    Chapter,
    Effect,
    EffectType,
    Frame,
    Image,
    Narration,
    Paper,
    Rect,
    Stroke,
    Surface,
    Tail,
    Text,
    TextStyle,
    Unit,
    UnitKind,
)
from lantern_kit.comic.render import Plates, RenderCache, make_view, record_unit, render_unit
from lantern_kit.comic.render.plate import Source
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.typeset.setting import forget_layouts
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.encode import encode_jpeg
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.kernel.ids import SeededIds

PAPER = Paper(width=182_000, height=257_000)
CHAPTER = Chapter(id="ch_bench", comic="Bench", paper=PAPER)
PHOTOS = ("chelsea", "moon", "rocket", "coffee", "hubble_deep_field", "astronaut")
LINES = (
    "Is that… mine?",
    "Every night, yes. Read the label.",
    "I never asked for the whole moon, you know. A small one would do.",
    "Then I'm going up to get it!",
    "Nobody ever told a cat that the sky was closed on Sundays.",
    "Coffee first.",
    "WAIT — that's my rocket!",
    "We could always ask the moon what it would like to be.",
)


def page() -> Unit:
    """The page that is drawn."""
    numbers = count(1)

    def name(prefix: str) -> str:
        return f"{prefix}_{next(numbers):04d}"

    objects: list[Any] = []
    for place, photo in enumerate(PHOTOS):
        left, top = 10_000 + 83_000 * (place % 2), 10_000 + 80_000 * (place // 2)
        frame = Frame(id=name("fr"), parent="un_bench", shape=polygon_of(Rect(x=left, y=top, w=79_000, h=76_000)))
        objects += [frame, Image(id=name("im"), parent=frame.id, asset=photo)]
        if place == 2:
            objects.append(
                Effect(id=name("ef"), parent=frame.id, effect=EffectType.FOCUS, colour="#ffffff", pitch=1_200)
            )
        if place == 3:
            tone = Rect(x=left, y=top + 50_000, w=79_000, h=26_000)
            objects.append(
                Effect(
                    id=name("ef"), parent=frame.id, effect=EffectType.TONE, density=MILLION // 4, pitch=900, box=tone
                )
            )
    for place, line in enumerate(LINES):
        left, top = 14_000 + 83_000 * (place % 2), 14_000 + 60_000 * (place // 2)
        tail = Tail(tip=(left + 40_000, top + 40_000), bend=100_000)
        box = Rect(x=left, y=top, w=46_000, h=24_000)
        objects.append(Balloon(id=name("bl"), parent="un_bench", box=box, text=line, tails=(tail,)))
    for place in range(2):
        box = Rect(x=14_000 + 83_000 * place, y=232_000, w=60_000, h=10_000)
        caption = TextStyle(font="narration")
        objects.append(Narration(id=name("na"), parent="un_bench", box=box, text="Four hours later.", style=caption))
    sound = TextStyle(font="sound", size=20_000, colour="#ffd23f", outline=Stroke(width=1_500))
    box = Rect(x=100_000, y=200_000, w=70_000, h=30_000)
    objects.append(Text(id=name("tx"), parent="un_bench", box=box, text="FWOOM", style=sound, rotate=-8_000))
    readable = tuple(item.id for item in objects if item.kind in {"frame", "balloon", "narration", "text"})
    surface = Surface(id="sf_bench", x=0, width=PAPER.width, height=PAPER.height)
    return Unit(kind=UnitKind.PAGE, id="un_bench", surfaces=(surface,), objects=tuple(objects), reading=readable)


def playback(recorded: Any, like: Rendered) -> Pixels:
    """What skia alone needs for the same pixels."""
    pixels = np.zeros((like.height, like.width, 4), np.uint8)
    info = skia.ImageInfo.Make(like.width, like.height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    canvas = skia.Surface.MakeRasterDirect(info, pixels).getCanvas()
    canvas.scale(like.scale, like.scale)
    canvas.drawPicture(recorded)
    return pixels


def timed(run: Callable[[], object]) -> float:
    """Milliseconds of one run."""
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1_000


def medians(cases: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each case; one round before the first counts for nothing."""
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(rounds + 1):
        for name, run in cases.items():
            spent = timed(run)
            if turn:
                taken[name].append(spent)
    return {name: statistics.median(times) for name, times in taken.items()}


def moved(unit: Unit, turn: int) -> Unit:
    """The page after somebody moved one balloon, to another place every time."""
    objects = list(unit.objects)
    place = next(place for place, item in enumerate(objects) if isinstance(item, Balloon))
    balloon = objects[place]
    assert isinstance(balloon, Balloon)
    dx, dy = 150 * (turn % 97), 110 * (turn % 89)
    box = balloon.box.model_copy(update={"x": balloon.box.x + dx, "y": balloon.box.y + dy})
    tails = tuple(tail.model_copy(update={"tip": (tail.tip[0] + dx, tail.tip[1] + dy)}) for tail in balloon.tails)
    objects[place] = balloon.model_copy(update={"box": box, "tails": tails})
    return unit.model_copy(update={"objects": tuple(objects)})


# Memory


def files(folder: Path, width: int, height: int, photos: tuple[str, ...]) -> None:
    """Photographs as JPEG files of that size, with a camera's grain."""
    for photo in photos:
        grown = Pillow.fromarray(decode(datasets.open_photo(photo)).pixels[..., :3].copy()).resize((width, height))
        pixels = np.asarray(grown).copy()
        pixels[::2] ^= np.random.default_rng(7).integers(0, 8, (1, width, 3), dtype=np.uint8)
        (folder / f"{photo}.jpg").write_bytes(encode_jpeg(pixels, 92))


def draw_large(folder: Path) -> None:
    """In a process of its own: a view and a print of the page with those files, and the peak of its memory."""
    found = sorted(folder.glob("*.jpg"))
    size = Pillow.open(found[0]).size

    def find(asset: str) -> Source:
        path = found[PHOTOS.index(asset) % len(found)]
        return Source(path.stem, *size, alpha=False, load=lambda: decode(path.read_bytes()))

    cache = RenderCache()
    plates = Plates(find, cache=cache)
    unit = page()
    make_view(render_unit(unit, CHAPTER, plates, cache=cache), revision="r1", ids=SeededIds(1))
    render_unit(unit, CHAPTER, plates, dpi=600, cache=cache).png()
    print(peak())


def hold_large() -> None:
    """In a process of its own: sixty megapixels, and the peak of its memory."""
    held = np.full((6_000, 10_000, 4), 255, np.uint8)
    print(peak(), file=sys.stdout if held.any() else sys.stderr)


def peak() -> float:
    """Most memory that was resident at once, in MB."""
    said = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    if said is None:
        raise RuntimeError("the system does not say how much memory a process had")
    return int(said[1]) / 1_000


def peaks() -> dict[str, float]:
    """Peak memory with sixty megapixels of art."""

    def run(*words: str) -> float:
        done = subprocess.run([sys.executable, __file__, *words], capture_output=True, text=True, check=True)
        return float(done.stdout)

    with tempfile.TemporaryDirectory() as name:
        six, one = Path(name) / "six", Path(name) / "one"
        six.mkdir()
        one.mkdir()
        files(six, 4_000, 2_500, PHOTOS)
        files(one, 10_000, 6_000, PHOTOS[:1])
        return {
            "six": run("--draw-large", str(six)),
            "one": run("--draw-large", str(one)),
            "floor": run("--hold-large"),
        }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25, help="rounds of the view's cases; the print's are a fifth")
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    parser.add_argument("--draw-large", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--hold-large", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.draw_large:
        draw_large(options.draw_large)
        return
    if options.hold_large:
        hold_large()
        return
    memory = peaks()
    unit, pictures = page(), {name: decode(datasets.open_photo(name)) for name in PHOTOS}
    look: Callable[[str], Picture | None] = pictures.get
    prepared, layered, ids = RenderCache(layers=False), RenderCache(), SeededIds(1)

    def draw(**more: Any) -> Rendered:
        return render_unit(unit, CHAPTER, look, **more)

    def uncached() -> None:
        forget_layouts()
        draw(long_edge=1_024, cache=RenderCache())

    turns = count(1)
    view = draw(long_edge=1_024, cache=prepared)
    view_record = record_unit(unit, CHAPTER, look, scale=view.scale * 1_000, cache=prepared)
    views = medians(
        {
            "bare": lambda: playback(view_record, view),
            "ours": lambda: draw(long_edge=1_024, cache=prepared),
            "bare encoded": lambda: simplejpeg.encode_jpeg(
                playback(view_record, view), quality=85, colorspace="RGBX", colorsubsampling="444"
            ),
            "ours encoded": lambda: make_view(draw(long_edge=1_024, cache=prepared), revision="r1", ids=ids),
            "uncached": uncached,
            "kept": lambda: draw(long_edge=1_024, cache=layered),
            "moved": lambda: render_unit(moved(unit, next(turns)), CHAPTER, look, long_edge=1_024, cache=layered),
        },
        options.rounds,
    )
    sheet = draw(dpi=600, cache=prepared)
    sheet_record = record_unit(unit, CHAPTER, look, scale=sheet.scale * 1_000, cache=prepared)
    prints = medians(
        {
            "bare": lambda: playback(sheet_record, sheet),
            "ours": lambda: draw(dpi=600, cache=prepared),
            "bare encoded": lambda: fpng.from_ndarray(np.ascontiguousarray(playback(sheet_record, sheet)[..., :3])),
            "ours encoded": lambda: draw(dpi=600, cache=prepared).png(),
            "uncached": lambda: draw(dpi=600, cache=RenderCache()),
        },
        max(3, options.rounds // 5),
    )
    figures = {
        "view_vs_bare": round(views["ours"] / views["bare"], 3),
        "print_vs_bare": round(prints["ours"] / prints["bare"], 3),
        "encoded_vs_bare": round(views["ours encoded"] / views["bare encoded"], 3),
        "encoded_print_vs_bare": round(prints["ours encoded"] / prints["bare encoded"], 3),
        "edit_redraw_ratio": round(views["moved"] / views["uncached"], 3),
        "edit_vs_prepared": round(views["moved"] / views["ours"], 3),
        "peak_mb_60mp": round(memory["six"]),
        "peak_mb_60mp_one": round(memory["one"]),
        "peak_mb_floor": round(memory["floor"]),
        "peak_vs_floor": round(max(memory["six"], memory["one"]) / memory["floor"], 3),
        "view_ms": {name: round(spent, 2) for name, spent in views.items()},
        "print_ms": {name: round(spent, 1) for name, spent in prints.items()},
        "view_pixels": [view.width, view.height],
        "print_pixels": [sheet.width, sheet.height],
        "objects": len(unit.objects),
    }
    for what, drawn, spent in (("view", view, views), ("print", sheet, prints)):
        said = (f"{name} {milliseconds:.1f} ms" for name, milliseconds in spent.items())
        print(f"{what:<6}{drawn.width} × {drawn.height}:", ", ".join(said))
    print("memory", ", ".join(f"{name} {megabytes:,.0f} MB" for name, megabytes in memory.items()))
    if options.json:
        print(json.dumps({"benchmark": "render", **figures, "rounds": options.rounds}))


if __name__ == "__main__":
    main()
