"""A page drawn by the kit beside skia playing back the very same page from its own recording.

The page: six frames with six photographs, eight balloons with tails, two captions, a sound, focus lines and a tone.

view_vs_bare    a view of 1,024 pixels: ours over the playback
print_vs_bare   the page at 600 dpi (B5 paper): ours over the playback

Both have the decoded pictures, prepared for the size; ours keeps no finished layer, so it walks the document, places,
sets the words and draws all of it every time. ``cold`` keeps nothing at all: pictures are prepared and words shaped and
fitted anew. ``kept`` is a second look at an unchanged page with layers kept; ``edited`` one after a balloon changed.
Figures are medians over rounds; every round runs each case once, so that a busy moment meets them all.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import skia

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
from lantern_kit.comic.render import RenderCache, record_unit, render_unit
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.typeset.setting import forget_layouts
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.picture import Picture

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


def playback(recorded: Any, like: Rendered) -> None:
    """What skia alone needs for the same pixels."""
    pixels = np.zeros((like.height, like.width, 4), np.uint8)
    info = skia.ImageInfo.Make(like.width, like.height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    canvas = skia.Surface.MakeRasterDirect(info, pixels).getCanvas()
    canvas.scale(like.scale, like.scale)
    canvas.drawPicture(recorded)


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


def edited(unit: Unit, turn: int) -> Unit:
    """The page after somebody changed what one balloon says."""
    objects = list(unit.objects)
    place = next(place for place, item in enumerate(objects) if isinstance(item, Balloon))
    objects[place] = objects[place].model_copy(update={"text": f"Is that number {turn}?"})
    return unit.model_copy(update={"objects": tuple(objects)})


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25, help="rounds of the view's cases; the print's are a fifth")
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options = parser.parse_args()
    unit, pictures = page(), {name: decode(datasets.open_photo(name)) for name in PHOTOS}
    look: Callable[[str], Picture | None] = pictures.get
    prepared, layered = RenderCache(layers=False), RenderCache()

    def draw(**more: Any) -> Rendered:
        return render_unit(unit, CHAPTER, look, **more)

    def cold() -> None:
        forget_layouts()
        draw(long_edge=1_024)

    turns = count()
    view = draw(long_edge=1_024, cache=prepared)
    view_record = record_unit(unit, CHAPTER, look, scale=view.scale * 1_000, cache=prepared)
    views = medians(
        {
            "bare": lambda: playback(view_record, view),
            "ours": lambda: draw(long_edge=1_024, cache=prepared),
            "cold": cold,
            "kept": lambda: draw(long_edge=1_024, cache=layered),
            "edited": lambda: render_unit(edited(unit, next(turns)), CHAPTER, look, long_edge=1_024, cache=layered),
        },
        options.rounds,
    )
    sheet = draw(dpi=600, cache=prepared)
    sheet_record = record_unit(unit, CHAPTER, look, scale=sheet.scale * 1_000, cache=prepared)
    prints = medians(
        {
            "bare": lambda: playback(sheet_record, sheet),
            "ours": lambda: draw(dpi=600, cache=prepared),
            "cold": lambda: draw(dpi=600),
        },
        max(3, options.rounds // 5),
    )
    figures = {
        "view_vs_bare": round(views["ours"] / views["bare"], 3),
        "print_vs_bare": round(prints["ours"] / prints["bare"], 3),
        "view_cold_vs_bare": round(views["cold"] / views["bare"], 3),
        "print_cold_vs_bare": round(prints["cold"] / prints["bare"], 3),
        "view_ms": {name: round(spent, 2) for name, spent in views.items()},
        "print_ms": {name: round(spent, 1) for name, spent in prints.items()},
        "view_pixels": [view.width, view.height],
        "print_pixels": [sheet.width, sheet.height],
        "objects": len(unit.objects),
    }
    for what, drawn, spent in (("view", view, views), ("print", sheet, prints)):
        said = (f"{name} {milliseconds:.1f} ms" for name, milliseconds in spent.items())
        print(f"{what:<6}{drawn.width} × {drawn.height}:", ", ".join(said))
    if options.json:
        print(json.dumps({"benchmark": "render", **figures, "rounds": options.rounds}))


if __name__ == "__main__":
    main()
