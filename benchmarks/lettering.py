"""The same script lettered by the kit, by Chromium (CSS) and by jtypeset, in the same balloons.

The script: twenty lines in English and in Japanese, the latter in columns; forty balloons of six shapes. Each letterer
gets the same faces, and makes the words as large as they go, up to 4.5 mm. The kit knows outlines. Chromium knows
boxes: it is given the balloon's own box less the padding, and again the largest box of its proportions inside the
outline. jtypeset is given the length of every line, for every number of lines.

fit_*                    share of balloons whose ink stays inside the outline with its padding (measured in pixels)
mean_size_vs_chromium    our size over Chromium's in the inscribed box, where both stay inside (geometric mean)
mean_size_vs_box         the same against the balloon's own box
mean_size_vs_jtypeset    the same against jtypeset
time_vs_*                our time for a balloon never seen before, over theirs (medians)
largest_*                share of balloons in which nobody else's words that stay inside are larger by more than 2 %
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from lantern_kit.comic.model import Align, Balloon, BalloonShape, TextStyle  # noqa: E402
from tests.browser import CHROMIUM, FLAGS  # noqa: E402
from tests.specimens.chromium import Chromium  # noqa: E402
from tests.specimens.japanese import Japanese  # noqa: E402
from tests.specimens.letterers import (  # noqa: E402
    EDGE,
    SCALE,
    Ink,
    Lettered,
    by_chromium,
    by_jtypeset,
    by_the_kit,
    outside,
    shown,
)
from tests.specimens.scene import balloons  # noqa: E402
from tests.specimens.sheet import rect  # noqa: E402

SHOWN = ("bl_en01", "bl_ja01", "bl_en04", "bl_ja04", "bl_en09", "bl_ja10", "bl_en16", "bl_ja16")
"""Balloons of the picture."""
NAMES = {
    "ours": "Lantern Kit",
    "chromium": "Chromium, in the box",
    "inscribed": "Chromium, box inside",
    "jtypeset": "jtypeset",
}
INSIDE = 0.002
"""Share of the ink that may be a pixel's rounding past the padding."""


def lettered(script: tuple[Balloon, ...], rounds: int) -> dict[str, list[Lettered]]:
    """Everything by everybody; the time is the median of the rounds."""
    found: dict[str, list[Lettered]] = {name: [] for name in NAMES}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        context = browser.new_context(viewport={"width": 1_200, "height": 900}, device_scale_factor=4)
        chromium, japanese = Chromium(context.new_page()), Japanese()
        letterers: dict[str, Callable[[Balloon], Lettered]] = {
            "ours": by_the_kit,
            "chromium": lambda balloon: by_chromium(chromium, balloon, inscribed=False),
            "inscribed": lambda balloon: by_chromium(chromium, balloon, inscribed=True),
            "jtypeset": lambda balloon: by_jtypeset(japanese, balloon),
        }
        for letterer in letterers.values():
            letterer(script[1])  # fonts are read once
        for balloon in script:
            for name, letterer in letterers.items():
                runs = [letterer(balloon) for _ in range(rounds)]
                found[name].append(runs[0]._replace(seconds=statistics.median(run.seconds for run in runs)))
        browser.close()
    return found


def figures(script: tuple[Balloon, ...], found: dict[str, list[Lettered]]) -> dict[str, float]:
    """The figures that are printed."""
    stays = {
        name: [
            made.size > 0 and outside(balloon, made.ink) <= INSIDE for balloon, made in zip(script, row, strict=True)
        ]
        for name, row in found.items()
    }

    def size_against(name: str) -> float:
        pairs = [
            math.log(mine.size / theirs.size)
            for mine, theirs, kept, held in zip(found["ours"], found[name], stays["ours"], stays[name], strict=True)
            if kept and held
        ]
        return math.exp(statistics.mean(pairs)) if pairs else math.nan

    def leads(name: str) -> float:
        won = 0
        for place in range(len(script)):
            most = max(found[other][place].size for other in found if stays[other][place] or other == name)
            won += stays[name][place] and found[name][place].size >= 0.98 * most
        return won / len(script)

    times = {name: statistics.median(made.seconds for made in row) for name, row in found.items()}
    return {
        "balloons": len(script),
        "fit_ours": statistics.mean(stays["ours"]),
        "fit_chromium": statistics.mean(stays["chromium"]),
        "fit_chromium_inscribed": statistics.mean(stays["inscribed"]),
        "fit_jtypeset": statistics.mean(stays["jtypeset"]),
        "largest_ours": leads("ours"),
        "largest_chromium_inscribed": leads("inscribed"),
        "largest_jtypeset": leads("jtypeset"),
        "mean_size_vs_chromium": size_against("inscribed"),
        "mean_size_vs_box": size_against("chromium"),
        "mean_size_vs_jtypeset": size_against("jtypeset"),
        "ours_ms": times["ours"] * 1_000,
        "time_vs_chromium": times["ours"] / times["inscribed"],
        "time_vs_jtypeset": times["ours"] / times["jtypeset"],
    }


def picture(script: tuple[Balloon, ...], found: dict[str, list[Lettered]]) -> Image.Image:
    """Some balloons as each letterer set them: a row for each letterer."""
    chosen = [place for place, balloon in enumerate(script) if balloon.id in SHOWN]
    empty = {place: shown(script[place].model_copy(update={"text": ""})) for place in chosen}
    rows = []
    for name, title in NAMES.items():
        cells = [np.minimum(empty[place], 255 - found[name][place].ink) for place in chosen]
        tall, wide = max(cell.shape[0] for cell in cells), sum(cell.shape[1] for cell in cells)
        row, left = np.full((tall, wide), 255, np.uint8), 0
        for cell in cells:
            top = (tall - cell.shape[0]) // 2
            row[top : top + cell.shape[0], left : left + cell.shape[1]] = cell
            left += cell.shape[1]
        rows += [_title(title, wide), row[EDGE * round(SCALE) // 2 : -EDGE * round(SCALE) // 2]]
    sheet = np.concatenate(rows)
    drawn = Image.fromarray(sheet).resize((sheet.shape[1] // 4, sheet.shape[0] // 4), Image.Resampling.LANCZOS)
    return drawn.quantize(24)


def _title(words: str, wide: int) -> Ink:
    """A letterer's name over its row."""
    box = rect(0, 0, wide / SCALE - 2 * EDGE, 6)
    look = TextStyle(font="sans", size=5_500, bold=True, align=Align.LEFT)
    return shown(Balloon(id="bl_title", parent="un_scene", box=box, text=words, style=look, shape=BalloonShape.NONE))[
        EDGE * round(SCALE) // 2 : -EDGE * round(SCALE), :wide
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="times that each balloon is lettered")
    parser.add_argument(
        "--picture", type=Path, help="also draw some balloons as each letterer set them, into this file"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options = parser.parse_args()
    if CHROMIUM is None:
        print("nothing was measured: there is no Chromium; install the system package chromium")
        return
    script = balloons()
    found = lettered(script, options.rounds)
    measured = figures(script, found)
    for name, value in measured.items():
        print(f"{name:<28}{value:.3f}".rstrip("0").rstrip("."))
    for name in ("chromium", "inscribed", "jtypeset"):
        pairs = zip(script, found["ours"], found[name], strict=True)
        larger = [balloon.id for balloon, mine, theirs in pairs if mine.size < 0.98 * theirs.size]
        print(f"larger than ours by {NAMES[name]}: {', '.join(larger) or 'none'}")
    if options.picture:
        picture(script, found).save(options.picture, optimize=True)
    if options.json:
        rounded = {name: round(value, 3) for name, value in measured.items()}
        print(json.dumps({"benchmark": "lettering", **rounded, "rounds": options.rounds}))


if __name__ == "__main__":
    main()
