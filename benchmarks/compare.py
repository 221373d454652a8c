"""Two states of a page compared, beside drawing both.

The page of ``benchmarks/render.py``: 25 objects, of which an agent moved a balloon, reworded another, took a caption
away and seeded the focus lines anew.

compare_vs_draw  the comparison (both drawn, regions, the distance of each object) over drawing both, at 1,024 pixels
words_vs_draw    the same where only one balloon's words changed
picture_ms       the difference in colour, made of a comparison

Figures are medians over rounds; every round runs each case once, so that a busy moment meets them all.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from render import CHAPTER, PHOTOS, medians, page

from lantern_kit import datasets
from lantern_kit.comic.model import Unit
from lantern_kit.comic.render import Comparison, RenderCache, compare_units, render_unit
from lantern_kit.imaging.decode import decode


def changed(unit: Unit, edits: dict[str, dict[str, Any]], *, gone: str = "") -> Unit:
    """The unit with other fields of some objects, and without one."""
    objects = tuple(item.model_copy(update=edits.get(item.id, {})) for item in unit.objects if item.id != gone)
    return unit.model_copy(update={"objects": objects, "reading": tuple(name for name in unit.reading if name != gone)})


def named(unit: Unit, kind: str) -> list[str]:
    """Ids of the objects of a kind."""
    return [item.id for item in unit.objects if item.kind == kind]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options = parser.parse_args()
    unit, pictures = page(), {name: decode(datasets.open_photo(name)) for name in PHOTOS}
    balloons, effects = named(unit, "balloon"), named(unit, "effect")
    box = unit.index[balloons[0]].box
    edited = changed(
        unit,
        {
            balloons[0]: {"box": box.model_copy(update={"x": box.x + 12_000, "y": box.y + 9_000})},
            balloons[3]: {"text": "Completely other words."},
            effects[0]: {"seed": 4},
        },
        gone=named(unit, "narration")[0],
    )
    worded = changed(unit, {balloons[0]: {"text": "Is that yours?"}})
    prepared = RenderCache(layers=False)

    def draw(*units: Unit) -> None:
        for each in units:
            render_unit(each, CHAPTER, pictures.get, long_edge=1_024, cache=prepared)

    def compare(other: Unit) -> Comparison:
        return compare_units(unit, other, CHAPTER, CHAPTER, pictures.get, long_edge=1_024, cache=prepared)

    found = compare(edited)
    taken = medians(
        {
            "draw": lambda: draw(unit, edited),
            "compare": lambda: compare(edited),
            "words": lambda: compare(worded),
            "alike": lambda: compare(unit),
            "picture": found.picture,
            "beside": found.beside,
        },
        options.rounds,
    )
    figures = {
        "compare_vs_draw": round(taken["compare"] / taken["draw"], 3),
        "words_vs_draw": round(taken["words"] / taken["draw"], 3),
        "alike_vs_draw": round(taken["alike"] / taken["draw"], 3),
        "picture_ms": round(taken["picture"], 2),
        "ms": {name: round(spent, 2) for name, spent in taken.items()},
        "regions": len(found.regions),
        "objects": len(found.objects),
    }
    said = ", ".join(f"{name} {spent:.1f} ms" for name, spent in taken.items())
    print(f"{found.shown.width} × {found.shown.height}, {len(found.regions)} regions: {said}")
    print(", ".join(f"{name} {figures[name]}" for name in ("compare_vs_draw", "words_vs_draw", "alike_vs_draw")))
    if options.json:
        print(json.dumps({"benchmark": "compare", **figures, "rounds": options.rounds}))


if __name__ == "__main__":
    main()
