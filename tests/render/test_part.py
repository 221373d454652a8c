"""Parts of a page against the page as a whole: equal, but for a last bit that skia rarely rounds otherwise."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import (
    BalloonShape,
    Chapter,
    Curve,
    Edge,
    EffectType,
    Paper,
    Placement,
    Screen,
    Stroke,
    Tail,
    TailStyle,
    TextStyle,
    Transform,
    Unit,
    UnitKind,
)
from lantern_kit.comic.render import RenderCache, render_unit
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.render.stage import Pictures
from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.errors import BadInput
from tests.comic.strategies import books
from tests.render.pages import CHAPTER, UNIT, Maker, page, pictures, rect
from tests.render.test_any_unit import some

OVAL = Curve(
    start=(10_000, 100_000),
    segments=(
        ((10_000, 85_000), (48_000, 85_000), (48_000, 100_000)),
        ((48_000, 120_000), (10_000, 120_000), (10_000, 100_000)),
    ),
)


def rich(kind: UnitKind = UnitKind.PAGE, background: str = "#ffffff") -> Unit:
    """Every kind of object, straight, slanted and curved frames, bleed, a picture that is not there."""
    make = Maker()
    straight = make.frame(5, 5, 43, 36, bleed=(Edge.LEFT, Edge.TOP))
    slanted = make.polygon((54, 4), (96, 9), (91, 44), (51, 40), border=Stroke(width=900))
    oval = make.frame(0, 0, 1, 1).model_copy(update={"shape": OVAL})
    turned = Placement(box=rect(52, 48, 40, 30), transform=Transform(rotate=12_000))
    image = make.image(straight.id, "as_four0")
    sound = TextStyle(font="sound", size=16_000, colour="#ffd23f", outline=Stroke(width=1_200))
    return page(
        straight,
        image,
        make.effect(straight.id, EffectType.FOCUS, colour="#101010", pitch=700),
        slanted,
        make.image(slanted.id, "as_gone0"),
        make.effect(slanted.id, EffectType.SPEED, box=rect(50, 20, 44, 16)),
        oval,
        make.image(oval.id, "as_green"),
        make.effect(oval.id, EffectType.TONE, box=rect(12, 92, 20, 20), pitch=900, opacity=600_000),
        make.foreground(image, "as_disc0"),
        make.overlay("as_four0", turned),
        make.overlay("as_gone1", turned.model_copy(update={"box": rect(60, 90, 30, 20)})),
        make.effect(UNIT, EffectType.GRADIENT, box=rect(0, 120, 100, 25)),
        make.balloon(20, 30, 44, 22, "A word that lies over several tiles.", tip=(70, 70)),
        make.narration(40, 110, 50, 14, "Later, where the tiles meet."),
        make.text(15, 60, 70, 34, "FWOOM", style=sound, rotate=-9_000),
        kind=kind,
        gutter=4_000 if kind is UnitKind.SPREAD else 0,
        background=background,
    )


def many_balloons(fill: str) -> Unit:
    """Every shape with pointed tails and bubbles that lie over several tiles, and balloons that are joined."""
    make = Maker()
    found: list[Any] = []
    for number, shape in enumerate(BalloonShape):
        x, y = 3 + 33 * (number % 3), 4 + 32 * (number // 3)
        tips = (((x + 24) * 1_000, (y + 30) * 1_000), ((x - 5) * 1_000, (y + 26) * 1_000))
        several = tuple(Tail(tip=tip, bend=150_000, style=style) for tip, style in zip(tips, TailStyle, strict=True))
        free = OVAL if shape is BalloonShape.PATH else None
        look: dict[str, Any] = {
            "fill": fill,
            "stroke": Stroke(width=200 + 90 * number),
            "seed": number,
            "outline": free,
        }
        found.append(make.balloon(x, y, 27, 18, "Over tiles.", shape=shape, tails=several, **look))
    root = make.balloon(4, 104, 30, 14, "Joined", shape=BalloonShape.BURST)
    tail = Tail(tip=(95_000, 138_000), style=TailStyle.BUBBLES)
    second = make.balloon(52, 112, 34, 14, "by a neck", shape=BalloonShape.CLOUD, joined=root.id, tails=(tail,))
    third = make.balloon(20, 124, 30, 14, "and over it", joined=second.id, shape=BalloonShape.BOX)
    return page(*found, third, root, second, background="#d0e0f0")


def stitched(painter: PartPainter, scale: float, tile: int) -> NDArray[np.uint8]:
    width, height = painter.size(scale)
    whole = np.zeros((height, width, 4), np.uint8)
    for y in range(0, height, tile):
        for x in range(0, width, tile):
            w, h = min(tile, width - x), min(tile, height - y)
            whole[y : y + h, x : x + w] = painter.paint(scale, x, y, w, h)
    return whole


def whole(unit: Unit, chapter: Chapter, shelf: Pictures, scale: float) -> NDArray[np.uint8]:
    return render_unit(unit, chapter, shelf, scale=scale, bleed=True).pixels


@pytest.mark.parametrize(
    ("scale", "tile"), [(2.0, 512), (3.7, 96), (6.1, 128), (11.3, 512), (pytest.param(23.6, 512, id="600 dpi"))]
)
def test_parts_laid_together_are_the_page_to_the_last_bit(scale: float, tile: int) -> None:
    unit = rich()
    assert np.array_equal(
        stitched(PartPainter(unit, CHAPTER, pictures), scale, tile), whole(unit, CHAPTER, pictures, scale)
    )


def effects() -> Unit:
    """Every effect and every screen, even and graded, solid and translucent."""
    make = Maker()
    slanted = make.polygon((36, 8), (96, 4), (91, 44), (40, 40))
    dark = {"density": 850_000, "pitch": 900, "opacity": 600_000}
    return page(
        make.effect(UNIT, EffectType.GRADIENT, box=rect(0, 0, 100, 140), angle=70_000, density=400_000),
        make.effect(UNIT, EffectType.FLASH, box=rect(4, 4, 30, 40), clear=400_000, pitch=500, colour="#102040"),
        slanted,
        make.effect(slanted.id, EffectType.TONE, density=50_000, density_to=800_000, ramp=20_000, pitch=700),
        make.effect(UNIT, EffectType.TONE, box=rect(4, 48, 30, 40), **dark),
        make.effect(UNIT, EffectType.TONE, box=rect(35, 48, 30, 40), screen=Screen.LINES, angle=33_000, **dark),
        make.effect(UNIT, EffectType.TONE, box=rect(66, 48, 30, 40), screen=Screen.GRAIN, **dark),
        make.effect(
            UNIT, EffectType.TONE, box=rect(4, 92, 44, 20), screen=Screen.LINES, density=90_000, density_to=700_000
        ),
        make.effect(UNIT, EffectType.TONE, box=rect(50, 92, 46, 20), screen=Screen.GRAIN, density_to=0, pitch=400),
        make.effect(UNIT, EffectType.FOCUS, box=rect(4, 114, 44, 22), opacity=700_000),
        make.effect(UNIT, EffectType.SPEED, box=rect(50, 114, 46, 22), angle=-20_000, clear=100_000),
        make.effect(UNIT, EffectType.VIGNETTE, box=rect(2, 2, 96, 136), colour="#400000", clear=300_000),
    )


@pytest.mark.parametrize(
    ("scale", "tile"), [(2.0, 128), (5.9, 200), (11.3, 512), (pytest.param(23.6, 700, id="600 dpi"))]
)
def test_parts_of_every_effect_laid_together_are_those_of_the_whole(scale: float, tile: int) -> None:
    unit = effects()
    apart = stitched(PartPainter(unit, CHAPTER, pictures), scale, tile).astype(np.int16)
    off = np.abs(apart - whole(unit, CHAPTER, pictures, scale)).max(axis=2)
    # Dots that overlap and are translucent are drawn on a layer of their own, where skia rounds a few of a million.
    assert (off > 0).mean() < 1 / 500_000
    assert off.max() <= 4


@pytest.mark.parametrize("fill", ["#fffbe8", "#ffffffc0"])
@pytest.mark.parametrize(("scale", "tile"), [(2.0, 64), (5.3, 100), (11.3, 256)])
def test_parts_of_any_balloon_are_those_of_the_whole_but_for_a_rare_last_bit(
    scale: float, tile: int, fill: str
) -> None:
    unit = many_balloons(fill)
    off = np.abs(
        stitched(PartPainter(unit, CHAPTER, pictures), scale, tile).astype(np.int16)
        - whole(unit, CHAPTER, pictures, scale)
    )
    assert off.max() <= 1
    assert (off > 0).mean() < 1e-3


@pytest.mark.parametrize("background", ["#ffffff", "#c0804060", "#00000000"])
def test_parts_of_a_spread_on_any_paper_are_those_of_the_whole(background: str) -> None:
    unit = rich(UnitKind.SPREAD, background)
    painter = PartPainter(unit, CHAPTER, pictures)
    assert painter.opaque == (background == "#ffffff")
    assert np.array_equal(stitched(painter, 5.3, 200), whole(unit, CHAPTER, pictures, 5.3))


@settings(max_examples=40)
@given(books(), st.sampled_from([50, 64, 110, 512]), st.integers(150, 700))
def test_parts_of_any_unit_stray_from_the_whole_by_a_last_bit_at_most_where_at_all(
    seeded: tuple[Book, Any, Any], tile: int, edge: int
) -> None:
    # Measured over 2,400 random units: 2 pages in 100 differ at all, in one pixel of a million, nearly all by 1 of 255.
    book = seeded[0]
    for unit in book.units():
        scale = edge / max(unit.width, unit.height) * 1_000
        drawn = whole(unit, book.chapter, some, scale)
        made = stitched(PartPainter(unit, book.chapter, some), scale, tile)
        off = np.abs(made.astype(np.int16) - drawn).max(axis=2)
        assert (off > 0).mean() <= 1 / 200
        assert (off > 1).mean() <= 1 / 400


def test_a_part_needs_only_the_pictures_that_it_shows() -> None:
    make = Maker()
    left, right = make.frame(5, 5, 40, 130), make.frame(55, 5, 40, 130)
    unit = page(left, make.image(left.id, "as_red00"), right, make.image(right.id, "as_four0"))
    asked = []

    class Watched:
        """A picture that notes when its pixels are wanted."""

        def __init__(self, asset: str, picture: Picture) -> None:
            self.asset, self.picture = asset, picture
            self.width, self.height, self.opaque = picture.width, picture.height, picture.opaque

        @property
        def pixels(self) -> NDArray[np.uint8]:
            asked.append(self.asset)
            return self.picture.pixels

    def shelf(asset: str) -> Any:
        found = pictures(asset)
        return None if found is None else Watched(asset, found)

    PartPainter(unit, CHAPTER, shelf).paint(4, 0, 0, 100, 100)
    assert set(asked) == {"as_red00"}


def test_a_page_too_large_to_be_one_picture_is_painted_in_windows_without_a_seam() -> None:
    chapter = CHAPTER.model_copy(update={"paper": Paper(width=100_000, height=140_000, dpi=2_400)})
    unit = rich()
    painter = PartPainter(unit, chapter, pictures)
    scale = 120.0
    width, height = painter.size(scale)
    assert width * height > 120_000_000
    across = painter.paint(scale, 8_192 - 40, 3_000, 80, 60)  # over the windows' border
    left, right = painter.paint(scale, 8_192 - 40, 3_000, 40, 60), painter.paint(scale, 8_192, 3_000, 40, 60)
    off = np.abs(across.astype(np.int16) - np.concatenate([left, right], axis=1))
    assert off.mean() < 1
    last = painter.paint(scale, width - 7, height - 5, 7, 5)
    assert last.shape == (5, 7, 4)


@pytest.mark.parametrize("part", [(0, 0, 0, 5), (-1, 0, 5, 5), (0, 0, 5, 10_000), (212, 0, 1, 1)])
def test_a_part_outside_the_page_is_refused(part: tuple[int, int, int, int]) -> None:
    with pytest.raises(BadInput, match="no such part"):
        PartPainter(rich(), CHAPTER, pictures).paint(2, *part)


def test_two_threads_paint_the_same_pixels_as_one() -> None:
    unit = rich()
    painter = PartPainter(unit, CHAPTER, pictures, cache=RenderCache())
    made: dict[int, NDArray[np.uint8]] = {}

    def paint(number: int) -> None:
        made[number] = stitched(painter, 4.0 + number % 2, 128)

    threads = [threading.Thread(target=paint, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, pixels in made.items():
        assert np.array_equal(pixels, whole(unit, CHAPTER, pictures, 4.0 + number % 2))
    assert len(made) == 4


def test_a_part_that_shows_nothing_of_an_edit_says_that_it_looks_the_same() -> None:
    before = rich()
    objects = list(before.objects)
    place = next(place for place, item in enumerate(objects) if item.kind == "narration")
    objects[place] = objects[place].model_copy(update={"text": "Another word."})
    after = before.model_copy(update={"objects": tuple(objects)})
    one, two = PartPainter(before, CHAPTER, pictures), PartPainter(after, CHAPTER, pictures)
    scale, tile = 4.0, 64
    width, height = one.size(scale)
    same = 0
    for y in range(0, height - tile, tile):
        for x in range(0, width - tile, tile):
            part = (x, y, tile, tile)
            equal = one.shows(scale, *part) == two.shows(scale, *part)
            if equal:
                assert hash(one.shows(scale, *part)) == hash(two.shows(scale, *part))
                assert np.array_equal(one.paint(scale, *part), two.paint(scale, *part))
            same += equal
    tiles = ((width - 1) // tile) * ((height - 1) // tile)
    assert tiles * 2 // 3 < same < tiles
    assert one.shows(scale, 0, 0, tile, tile) != one.shows(scale, 64, 0, tile, tile)
    assert one.shows(scale, 0, 0, tile, tile) != one.shows(2 * scale, 0, 0, tile, tile)
    with pytest.raises(BadInput, match="no such part"):
        one.shows(scale, width, 0, 1, 1)
