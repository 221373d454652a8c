"""A page as browsers get it, in tiles of 512 pixels, beside skia alone painting the same tiles.

The page: A4 at 600 dpi, six frames with six pictures of twelve million pixels, eight balloons, captions, a sound, focus
lines, a tone. Two more works: a chapter of 500 pages, none of which is read whole for a list; a page of 400 objects.

tile_vs_bare   a tile of the finest level: ours, exact to the last bit of the whole page, over skia playing back its own
               recording of the page on a small canvas, which strays from the whole at every edge that a tile cuts
whole_vs_tile  the whole finest level drawn at once, over one tile of it: what a first look at a place would wait for

``cold`` decodes the pictures; ``prepared`` has them for the level, and paints and encodes; ``kept`` has the bytes. All
figures are processor time, so that whatever else a machine does counts for nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import skia
from PIL import Image

from lantern_kit import datasets
from lantern_kit.comic.render import record_unit
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.encode import encode_jpeg
from lantern_kit.widgets.sheets.lightbox import Lightbox
from lantern_kit.widgets.sheets.pyramid import Level, Pyramid
from lantern_kit.workspace import Workspace, create_workspace, open_workspace

PHOTOS = ("chelsea", "moon", "rocket", "coffee", "hubble_deep_field", "astronaut")
WIDE, TALL = 4_000, 3_000
Spot = tuple[int, int]


def large(photo: str) -> bytes:
    """A photograph of twelve million pixels with a camera's grain."""
    picture = decode(datasets.open_photo(photo))
    grown = Image.fromarray(picture.pixels[..., :3].copy()).resize((WIDE, TALL), Image.Resampling.LANCZOS)
    grain = np.random.default_rng(7).normal(0, 5, (TALL, WIDE, 3))
    return encode_jpeg((np.asarray(grown) + grain).clip(0, 255).astype(np.uint8), 92)


def heavy(ws: Workspace) -> ChapterWork:
    """Two equal pages of six large pictures."""
    assets = [ws.assets.register(large(photo), title=photo) for photo in PHOTOS]
    chapter = ws.comic("Heavy").begin_chapter(1, size="A4")
    with chapter.edit("pages") as edit:
        for _ in range(2):
            page = edit.add_page()
            for place, asset in enumerate(assets):
                left, top = 10 + 97 * (place % 2), 10 + 94 * (place // 2)
                frame = page.add_frame(rect=(left, top, 93, 90))
                frame.place(asset)
                frame.say(
                    f"Panel {place}: a small moon would do.", at=(left + 40, top + 20), tail=(left + 50, top + 60)
                )
                if place == 2:
                    frame.effect("focus", colour="#ffffff", pitch=1.2)
                if place == 3:
                    frame.effect("tone", density=0.25, pitch=0.9, box=(left, top + 60, 93, 30))
            page.narrate("Four hours later.", at=(60, 285), size=(60, 10))
            page.letter("FWOOM", at=(120, 240), size=(80, 30), rotate=-8)
    return chapter


def long(ws: Workspace) -> ChapterWork:
    """Five hundred pages."""
    pixels = np.zeros((60, 80, 3), np.uint8)
    assets = []
    for number in range(100):
        pixels[:] = number * 2
        assets.append(ws.assets.register(encode_jpeg(pixels), title=f"Picture {number}"))
    chapter = ws.comic("Long").begin_chapter(1, size="A5")
    for start in range(0, 500, 25):
        with chapter.edit("pages") as edit:
            for number in range(start, start + 25):
                page = edit.add_page(name="" if number % 9 else f"Part {number // 9}")
                for place in range(6):
                    left, top = 8 + 66 * (place % 2), 8 + 64 * (place // 2)
                    frame = page.add_frame(rect=(left, top, 62, 60))
                    frame.place(assets[(number + place) % 100])
                    frame.say(f"{number}, {place}", at=(left + 20, top + 15))
    return chapter


def crowded(ws: Workspace) -> ChapterWork:
    """Four hundred objects on one page."""
    cat = ws.assets.register(datasets.open_photo("chelsea"), title="Chelsea")
    chapter = ws.comic("Crowded").begin_chapter(1, size="A4")
    with chapter.edit("crowd") as edit:
        page = edit.add_page()
        for number in range(100):
            left, top = 6 + 20 * (number % 10), 6 + 29 * (number // 10)
            frame = page.add_frame(rect=(left, top, 18, 27))
            frame.place(cat)
            frame.say(f"Word {number}", at=(left + 9, top + 8), tail=(left + 9, top + 20))
            page.letter("Pow", at=(left + 9, top + 20), size=(10, 5), rotate=5)
    return chapter


def timed(run: Callable[[], object]) -> float:
    """Milliseconds of one run."""
    started = time.process_time()
    run()
    return (time.process_time() - started) * 1_000


@contextmanager
def opened(folder: Path, comic: str) -> Iterator[tuple[Workspace, Lightbox, Any]]:
    """A workspace as a fresh kernel opens it, with a lightbox and the head of a work."""
    with open_workspace(folder) as ws:
        box = Lightbox(ws)
        yield ws, box, box.sources.seen(ws.comic(comic).chapter(1).id, "head")


def forget_tiles(ws: Workspace) -> None:
    """Forget encoded tiles, and nothing else."""
    for key in [key for key in ws.renderer.cache._items if isinstance(key, tuple) and key[0] == "tile"]:
        ws.renderer.cache.drop(key)


def all_spots(level: Level) -> list[Spot]:
    """All tiles of a level."""
    return [(column, row) for row in range(level.rows) for column in range(level.columns)]


def playback(recorded: Any, area: Any, level: Level, spot: Spot) -> None:
    """What skia alone needs for a tile, from its own recording of the page."""
    left, top, width, height = level.tile(*spot)
    pixels = np.zeros((height, width, 4), np.uint8)
    info = skia.ImageInfo.Make(width, height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    canvas = skia.Surface.MakeRasterDirect(info, pixels).getCanvas()
    canvas.translate(-left, -top)
    canvas.scale(level.scale / 1_000, level.scale / 1_000)
    canvas.translate(-area.x, -area.y)
    canvas.drawPicture(recorded)


def heavy_figures(folder: Path, rounds: int) -> dict[str, float]:
    """The page of large pictures, level by level."""
    found: dict[str, float] = {}
    with opened(folder, "Heavy") as (ws, box, seen):
        unit, chapter = seen.book.unit(seen.book.order[0]), seen.book.chapter
        painter = ws.renderer.painter(unit, chapter)
        pyramid = Pyramid.of(painter.area.w, painter.area.h, chapter.paper.dpi)
        view = pyramid.fitting(1_200, 800)
        finest = len(pyramid.levels) - 1
        for name, number, spots in (
            ("view", view, all_spots(pyramid.level(view))),
            ("finest", finest, [(column, row) for row in (3, 4) for column in (3, 4, 5)]),
        ):
            sent: list[bytes] = []

            def ask(number: int = number, spots: list[Spot] = spots, sent: list[bytes] = sent) -> None:
                sent[:] = box.tiles(seen, unit.id, number, spots)[1]

            found[f"{name}_cold_ms"] = timed(ask)
            found[f"{name}_kept_ms"] = timed(ask)
            prepared = []
            for _ in range(rounds):
                forget_tiles(ws)
                prepared.append(timed(ask))
            found[f"{name}_prepared_ms"] = statistics.median(prepared)
            found[f"{name}_tile_ms"] = statistics.median(prepared) / len(spots)
            found[f"{name}_bytes"] = float(sum(map(len, sent)))
        level = pyramid.level(finest)
        recorded = record_unit(unit, chapter, ws.renderer.pictures, scale=level.scale, cache=ws.renderer.cache)
        places = all_spots(level)[::5]
        ours, bare = [], []
        for spot in places * 2:
            part = level.tile(*spot)
            ours.append(timed(lambda part=part: painter.paint(level.scale, *part)))
            bare.append(timed(lambda spot=spot: playback(recorded, painter.area, level, spot)))
        half = len(places)
        found["tile_vs_bare"] = sum(ours[half:]) / sum(bare[half:])
        whole = [timed(lambda: painter.paint(level.scale, 0, 0, level.width, level.height)) for _ in range(2)]
        found["whole_vs_tile"] = whole[-1] / statistics.mean(ours[half:])
        found["next_page_ms"] = timed(lambda: box.tiles(seen, seen.book.order[1], view, all_spots(pyramid.level(view))))
        found["cache_mb"] = ws.renderer.cache.held / 1e6
    return found


def list_figures(folder: Path) -> dict[str, float]:
    """The chapter of 500 pages, and the page of 400 objects."""
    found: dict[str, float] = {}
    with opened(folder, "Long") as (_, box, seen):
        found["units_500_ms"] = timed(lambda: box.units(seen, "en"))
        found["units_500_again_ms"] = timed(lambda: box.units(seen, "en"))
        found["thumbs_24_ms"] = timed(lambda: box.thumbs(seen, seen.book.order[:24], 200))
        found["thumbs_24_kept_ms"] = timed(lambda: box.thumbs(seen, seen.book.order[:24], 200))
    with opened(folder, "Crowded") as (_, box, seen):
        unit = seen.book.order[0]
        seen.book.unit(unit)
        found["sheet_400_ms"] = timed(lambda: box.sheet(seen, unit, "en"))
        found["sheet_400_again_ms"] = timed(lambda: box.sheet(seen, unit, "zh"))
        things = list(seen.book.unit(unit).index)

        def facts() -> None:
            for thing in things[::9]:
                box.facts(seen, unit, thing, "en")

        found["facts_ms"] = timed(facts) / len(things[::9])
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ws"
        with create_workspace(path, title="Tiles", owner="ann", config=Path(folder) / "config") as ws:
            heavy(ws)
            long(ws)
            crowded(ws)
        figures = {**list_figures(path), **heavy_figures(path, options.rounds)}
    for name, value in figures.items():
        print(f"{name:22} {value:12,.2f}")
    if options.json:
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
