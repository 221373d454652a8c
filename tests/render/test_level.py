from __future__ import annotations

import gc
import random
from typing import Any

import numpy as np
import pytest
import skia
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.model import Placement
from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render import RenderCache, record_unit, render_unit
from lantern_kit.comic.render.level import FACTORS, PARENTS, level
from lantern_kit.comic.render.picture import reduction
from lantern_kit.comic.render.plate import Plate, Plates, Source
from lantern_kit.imaging.alpha import premultiplied
from lantern_kit.imaging.picture import Picture, Pixels
from tests.render.pages import CHAPTER, Maker, page, rect

MANY = {f"as_{number:06d}": number for number in range(6)}
SIDE = 400


def noise(seed: int, width: int = SIDE, height: int = SIDE, *, alpha: bool = False) -> Picture:
    rng = np.random.default_rng(seed)
    pixels = rng.integers(0, 256, (height, width, 4 if alpha else 3), dtype=np.uint8)
    return Picture.of(pixels)


def shelf(cache: RenderCache | None, loads: list[str]) -> Plates:
    """Six pictures of noise that are decoded when they are drawn."""

    def load(asset: str) -> Picture:
        loads.append(asset)
        return noise(MANY[asset])

    return Plates(lambda asset: Source(asset, SIDE, SIDE, False, lambda: load(asset)), cache=cache)


def plate_of(picture: Picture, cache: RenderCache | None) -> Plate:
    return Plate(Source("digest", picture.width, picture.height, True, lambda: picture), cache, spare=False)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 150),
    st.integers(1, 150),
    st.booleans(),
    st.lists(st.sampled_from(FACTORS), min_size=1, max_size=6),
    st.sampled_from([0, 5_000, 60_000, 10**7]),
    st.booleans(),
)
def test_a_level_has_the_same_pixels_whatever_was_made_before_it(
    width: int, height: int, alpha: bool, asked: list[int], limit: int, plated: bool
) -> None:
    picture = noise(width * 151 + height, width, height, alpha=alpha)
    cache = RenderCache(limit=limit)
    shown = plate_of(picture, cache) if plated else picture
    for factor in asked:
        alone, found = level(picture, factor, None), level(shown, factor, cache)
        assert np.array_equal(alone.pixels, found.pixels)
        assert alone.pixels.shape == (-(-height // factor), -(-width // factor), 4)
        assert cache.held <= limit


@pytest.mark.parametrize("alpha", [False, True])
@pytest.mark.parametrize("factor", FACTORS)
def test_a_level_holds_the_means_of_its_blocks(factor: int, alpha: bool) -> None:
    picture = noise(factor, 192, 192, alpha=alpha)
    made = level(picture, factor, None).pixels.astype(float)
    straight = picture.pixels.astype(float)
    whole = straight.copy()
    whole[..., :3] *= straight[..., 3:] / 255
    means = whole.reshape(192 // factor, factor, 192 // factor, factor, 4).mean(axis=(1, 3))
    steps = 1
    while (parent := PARENTS[factor]) > 1:
        factor, steps = parent, steps + 1
    assert np.abs(made - means).max() <= 0.5 * steps + 0.51


def test_premultiplying_rounds_to_the_nearest_for_every_level_and_alpha() -> None:
    levels, alphas = np.meshgrid(np.arange(256), np.arange(256))
    pixels = np.stack([levels, levels, levels, alphas], axis=-1).astype(np.uint8)
    assert np.array_equal(premultiplied(pixels)[..., 0], np.floor(levels * alphas / 255 + 0.5).astype(np.uint8))


def test_levels_lie_close_enough_that_none_is_sampled_far_from_its_size() -> None:
    for shrink in np.geomspace(1 / 64, 2, 400):
        left = shrink * reduction(Affine(shrink, 0, 0, shrink, 0, 0), 1.0)
        assert left >= 0.62 or shrink < 0.62 / 64
        assert left <= 0.93 + 1e-9 or shrink > 0.31


def test_sizes_of_large_pictures_are_drawn_from_one_decoding_but_for_the_finest() -> None:
    loads: list[str] = []
    cache = RenderCache(limit=5 * 4 * SIDE * SIDE, layers=False)  # not even all of them would fit at their own size
    plates = shelf(cache, loads)
    make = Maker()
    objects: list[Any] = []
    for place, asset in enumerate(MANY):
        frame = make.frame(3 + 32 * (place % 3), 5 + 65 * (place // 3), 30, 60)
        objects += [frame, make.image(frame.id, asset)]
    unit = page(*objects)
    for scale in (0.6, 1.2, 3, 0.8, 0.4, 1.2):  # levels 8, 4, 2, 6, 12, 4
        render_unit(unit, CHAPTER, plates, scale=scale, cache=cache)
    assert sorted(loads) == sorted(MANY)
    for times, scale in enumerate((1.7, 5, 0.6), 2):  # levels 3 and 1, which need every pixel, and 8
        render_unit(unit, CHAPTER, plates, scale=scale, cache=cache)
        assert len(loads) == min(times, 3) * len(MANY)


def test_large_things_go_before_small_ones_while_they_take_more_than_three_quarters() -> None:
    cache = RenderCache(limit=800)
    for number in range(3):
        cache.put(("small", number), number, 60)
    for number in range(6):
        cache.put(("large", number), number, 200)
        assert cache.held <= 800
    assert [cache.get(("small", number)) for number in range(3)] == [0, 1, 2]
    assert [cache.get(("large", number)) for number in range(6)] == [None, None, None, 3, 4, 5]
    for number in range(3, 6):
        cache.put(("small", number), number, 60)
    assert [cache.get(("large", number)) for number in range(3, 6)] == [3, 4, 5], "three quarters are theirs"
    assert [cache.get(("small", number)) for number in range(6)] == [None, None, None, 3, 4, 5]
    cache.clear()
    cache.put("small", 1, 60)
    cache.put("large", 2, 760)
    assert (cache.get("small"), cache.get("large")) == (None, 2), "what was made last is wanted now"


def test_a_picture_too_large_for_the_cache_is_drawn_from_the_level_that_is_kept() -> None:
    loads: list[str] = []
    cache = RenderCache(limit=4 * SIDE * SIDE // 3)
    plates = shelf(cache, loads)
    make = Maker()
    unit = page(make.overlay("as_000000", Placement(box=rect(0, 0, 90, 90))))
    first = render_unit(unit, CHAPTER, plates, scale=0.5, cache=cache)
    moved = page(make.overlay("as_000000", Placement(box=rect(5, 5, 90, 90))))
    render_unit(moved, CHAPTER, plates, scale=0.5, cache=cache)
    assert loads == ["as_000000"]
    assert cache.held <= cache.limit
    assert np.array_equal(first.pixels, render_unit(unit, CHAPTER, shelf(None, []), scale=0.5).pixels)


def test_a_picture_at_its_own_size_is_not_copied_and_a_recording_owns_what_it_shows() -> None:
    picture = noise(3, 60, 40)
    made = level(picture, 1, RenderCache())
    assert made.pixels is picture.pixels
    assert made.borrowed
    unit = page(Maker().overlay("as_own000", Placement(box=rect(0, 0, 60, 40))))
    drawn = render_unit(unit, CHAPTER, {"as_own000": picture}.get, scale=1)
    shown = {"as_own000": noise(3, 60, 40)}
    recorded = record_unit(unit, CHAPTER, shown.get, scale=1)
    shown.clear()
    gc.collect()
    random.Random(1).randbytes(60 * 40 * 4)  # whatever was let go may be used again
    pixels: Pixels = np.zeros((drawn.height, drawn.width, 4), np.uint8)
    info = skia.ImageInfo.Make(drawn.width, drawn.height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    canvas = skia.Surface.MakeRasterDirect(info, pixels).getCanvas()
    canvas.scale(drawn.scale, drawn.scale)
    canvas.drawPicture(recorded)
    assert np.abs(pixels.astype(int) - drawn.pixels).max() <= 1
