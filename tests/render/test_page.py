from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import skia

from lantern_kit.comic.model import (
    Balloon,
    Band,
    EffectType,
    Placement,
    Rect,
    Stroke,
    TextStyle,
    Transform,
    Unit,
    UnitKind,
)
from lantern_kit.comic.render import RenderCache, record_unit, render_unit
from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.errors import BadInput
from tests.render.pages import BLUE, CHAPTER, PICTURES, RED, Maker, near, page, pictures, plain, rect


def busy(kind: UnitKind = UnitKind.PAGE, gutter: int = 0) -> Unit:
    """A unit with one of everything."""
    make = Maker()
    top = make.frame(8, 8, 84, 50)
    back = make.image(top.id, "as_four0", Placement(transform=Transform(rotate=7_000, scale=1_300_000)))
    low = make.polygon((8, 64), (60, 64), (50, 130), (8, 130))
    hero = make.image(low.id, "as_red00")
    return page(
        make.image("un_page1", "as_green", Placement(box=rect(60, 66, 36, 60)), opacity=400_000),
        top,
        back,
        make.effect(top.id, EffectType.FOCUS, colour="#ffffff"),
        low,
        hero,
        make.effect(low.id, EffectType.TONE, density=200_000, box=rect(8, 100, 60, 30)),
        make.foreground(hero, "as_disc0"),
        make.overlay("as_disc0", Placement(box=rect(70, 80, 20, 20), transform=Transform(rotate=30_000))),
        make.balloon(20, 14, 40, 22, "Is that… mine? 月だ！", tip=(70, 50)),
        make.narration(10, 116, 40, 10, "Four hours later", style=TextStyle(font="narration")),
        make.text(
            55,
            100,
            40,
            20,
            "FWOOM",
            rotate=-9_000,
            style=TextStyle(font="sound", size=9_000, outline=Stroke(width=700)),
        ),
        kind=kind,
        gutter=gutter,
    )


def test_the_same_unit_gives_the_same_bytes_twice_and_in_another_process() -> None:
    here = render_unit(busy(), CHAPTER, pictures, long_edge=600)
    again = render_unit(
        Unit.model_validate_json(busy().model_dump_json(), strict=False), CHAPTER, pictures, long_edge=600
    )
    assert here.pixels.tobytes() == again.pixels.tobytes()
    script = (
        "from tests.render.test_page import *\n"
        "drawn = render_unit(busy(), CHAPTER, pictures, long_edge=600)\n"
        "import hashlib; print(drawn.sha256, hashlib.sha256(drawn.png() + drawn.jpeg()).hexdigest())"
    )
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    import hashlib

    assert other == [here.sha256, hashlib.sha256(here.png() + here.jpeg()).hexdigest()]


@pytest.mark.parametrize("kind", list(UnitKind))
def test_every_kind_of_unit_is_drawn_on_its_own_paper(kind: UnitKind) -> None:
    gutter = 6_000 if kind is UnitKind.SPREAD else 0
    drawn = render_unit(busy(kind, gutter), CHAPTER, pictures, scale=3)
    wide = 206 if kind is UnitKind.SPREAD else 100
    assert (drawn.width, drawn.height) == (wide * 3, 140 * 3)
    assert drawn.opaque
    assert drawn.missing == ()
    assert {item.kind for item in drawn.objects} == {
        "image", "frame", "effect", "foreground", "overlay", "balloon", "narration", "text",
    }  # fmt: skip


def test_a_spread_is_one_space_across_its_gutter() -> None:
    make = Maker()
    frame = make.frame(60, 20, 86, 60)
    drawn = render_unit(
        page(frame, make.image(frame.id, "as_red00"), kind=UnitKind.SPREAD, gutter=6_000), CHAPTER, pictures, scale=3
    )
    assert near(drawn.pixels[100, 61 * 3 : 145 * 3], RED).all()


def test_matrices_lead_from_the_page_to_its_pixels_and_back() -> None:
    drawn = render_unit(busy(), CHAPTER, pictures, rect=rect(5, 10, 60, 40), dpi=200)
    for x, y in ((5_000, 10_000), (31_234, 27_891), (65_000, 50_000)):
        pixel = drawn.page_to_pixel.map(x, y)
        assert drawn.pixel_to_page.map(*pixel) == pytest.approx((x, y), abs=0.01)
    assert drawn.page_to_pixel.map(5_000, 10_000) == pytest.approx((0, 0))
    assert drawn.page_to_pixel.map(5_000 + 25_400, 10_000) == pytest.approx((200, 0))
    assert drawn.visible[:2] == (5_000, 10_000)
    assert drawn.visible[2] * drawn.scale == pytest.approx(drawn.width)


def test_an_object_is_where_its_pixel_box_says() -> None:
    make = Maker()
    unit = page(make.overlay("as_red00", Placement(box=rect(20, 30, 30, 20))), background="#ffffff")
    drawn = render_unit(unit, CHAPTER, pictures, scale=5)
    (item,) = drawn.objects
    ys, xs = np.nonzero(near(drawn.pixels, RED))
    assert item.pixels == (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)
    assert item.bounds == rect(20, 30, 30, 20)


def test_a_balloon_s_box_reaches_to_the_tip_of_its_tail() -> None:
    make = Maker()
    drawn = render_unit(page(make.balloon(20, 20, 40, 20, "hm", tip=(30, 80))), CHAPTER, pictures, scale=4)
    assert drawn.objects[0].bounds.bottom == pytest.approx(80_000, abs=400)


def test_a_part_of_a_page_is_that_part_of_the_whole() -> None:
    whole = render_unit(busy(), CHAPTER, pictures, scale=10)
    part = render_unit(busy(), CHAPTER, pictures, scale=10, rect=rect(10, 20, 50, 60))
    cut = whole.pixels[200:800, 100:600].astype(int)
    assert part.pixels.shape == cut.shape
    # Thin lines that cross the part's edge are cut there first, which moves their edges by a fraction of a pixel.
    assert np.abs(part.pixels - cut).mean() < 0.5
    assert {item.id for item in part.objects} < {item.id for item in whole.objects}


def test_a_foreground_follows_its_image_when_that_is_adjusted() -> None:
    def blue(placement: Placement) -> np.ndarray[Any, Any]:
        make = Maker()
        frame = make.frame(20, 20, 60, 40)
        image = make.image(frame.id, "as_red00", placement)
        drawn = render_unit(page(frame, image, make.foreground(image, "as_disc0")), CHAPTER, pictures, scale=5)
        return np.argwhere(near(drawn.pixels, BLUE)).astype(float)

    still, moved = blue(Placement()), blue(Placement(transform=Transform(dx=10_000, dy=30_000)))
    assert still.mean(axis=0) == pytest.approx((40 * 5, 50 * 5), abs=1)
    assert moved.mean(axis=0) - still.mean(axis=0) == pytest.approx((30 * 5, 10 * 5), abs=0.5)
    assert len(moved) == pytest.approx(len(still), rel=0.01)
    larger = blue(Placement(transform=Transform(scale=1_500_000)))
    assert len(larger) == pytest.approx(len(still) * 2.25, rel=0.02)


def test_a_foreground_is_drawn_past_its_frame_and_over_the_border() -> None:
    make = Maker()
    frame = make.frame(20, 20, 60, 40, border=Stroke(width=2_000))
    image = make.image(frame.id, "as_red00", Placement(transform=Transform(dy=20_000)))
    drawn = render_unit(page(frame, image, make.foreground(image, "as_disc0")), CHAPTER, pictures, scale=5)
    assert near(drawn.pixels[70 * 5, 50 * 5], BLUE)
    assert near(drawn.pixels[60 * 5, 50 * 5], BLUE)
    assert near(drawn.pixels[60 * 5, 30 * 5], (0, 0, 0))


def test_a_missing_picture_leaves_a_stand_in_and_is_listed() -> None:
    make = Maker()
    frame = make.frame(10, 10, 80, 60)
    gone = make.image(frame.id, "as_gone0")
    drawn = render_unit(
        page(
            frame,
            gone,
            make.foreground(gone, "as_away0"),
            make.overlay("as_gone0", Placement(box=rect(20, 90, 40, 30))),
        ),
        CHAPTER,
        pictures,
        scale=6,
    )
    assert drawn.missing == ("as_gone0", "as_away0")
    inside = drawn.pixels[12 * 6 : 68 * 6, 12 * 6 : 88 * 6, :3]
    assert len(np.unique(inside.reshape(-1, 3), axis=0)) > 10
    assert not near(inside, (255, 255, 255), by=0).all(axis=1).any()


def test_an_unknown_font_is_listed() -> None:
    make = Maker()
    unit = page(make.balloon(10, 10, 40, 20, "hm", style=TextStyle(font="Wildwords")))
    assert render_unit(unit, CHAPTER, pictures).unknown_fonts == ("Wildwords",)


def test_a_cache_changes_no_byte_and_draws_an_edited_balloon_over_kept_art() -> None:
    cache = RenderCache()
    first = render_unit(busy(), CHAPTER, pictures, long_edge=700, cache=cache)
    assert first.pixels.tobytes() == render_unit(busy(), CHAPTER, pictures, long_edge=700).pixels.tobytes()
    again = render_unit(busy(), CHAPTER, pictures, long_edge=700, cache=cache)
    assert again.pixels is first.pixels

    unit = busy()
    other = tuple(
        item.model_copy(update={"text": "No."}) if isinstance(item, Balloon) else item for item in unit.objects
    )
    edited = unit.model_copy(update={"objects": other})
    hits = cache.hits
    cached = render_unit(edited, CHAPTER, pictures, long_edge=700, cache=cache)
    assert cache.hits > hits
    assert cached.pixels.tobytes() == render_unit(edited, CHAPTER, pictures, long_edge=700).pixels.tobytes()
    assert cached.pixels.tobytes() != first.pixels.tobytes()


def test_a_cache_never_shows_another_picture_under_the_same_id() -> None:
    make = Maker()
    frame = make.frame(10, 10, 80, 60)
    unit = page(frame, make.image(frame.id, "as_red00"), make.balloon(20, 90, 40, 20, "hm"))
    cache = RenderCache()
    for picture in (PICTURES["as_red00"], plain(BLUE), PICTURES["as_red00"]):
        shelf: dict[str, Picture] = {"as_red00": picture}
        drawn = render_unit(unit, CHAPTER, shelf.get, scale=3, cache=cache)
        assert tuple(drawn.pixels[100, 150, :3]) == tuple(picture.pixels[0, 0, :3])


def test_a_cache_stays_under_its_bound() -> None:
    cache = RenderCache(limit=2_000_000)
    for edge in range(200, 700, 50):
        render_unit(busy(), CHAPTER, pictures, long_edge=edge, cache=cache)
        assert cache.held <= 2_000_000
    cache.clear()
    assert cache.held == 0


def test_transparent_paper_stays_transparent_with_straight_alpha() -> None:
    make = Maker()
    overlay = make.overlay("as_red00", Placement(box=rect(20, 20, 30, 20)), opacity=500_000)
    drawn = render_unit(page(overlay, background="#00000000"), CHAPTER, pictures, scale=4)
    assert not drawn.opaque
    assert tuple(drawn.pixels[0, 0]) == (0, 0, 0, 0)
    middle = drawn.pixels[30 * 4, 35 * 4].astype(int)
    assert abs(middle[3] - 128) <= 1
    assert np.abs(middle[:3] - np.array(RED)).max() <= 2
    with pytest.raises(BadInput):
        drawn.jpeg()


def test_the_bleed_is_shown_when_asked_for() -> None:
    make = Maker()
    unit = page(make.overlay("as_red00", Placement(box=rect(-3, -3, 106, 146))), background="#0000ff")
    drawn = render_unit(unit, CHAPTER, pictures, scale=4, bleed=True)
    assert (drawn.width, drawn.height) == (106 * 4, 146 * 4)
    assert near(drawn.pixels, RED).all()


def test_a_recorded_unit_played_back_looks_like_the_rendered_one() -> None:
    drawn = render_unit(busy(), CHAPTER, pictures, scale=5)
    recorded = record_unit(busy(), CHAPTER, pictures, scale=5)
    pixels = np.zeros((drawn.height, drawn.width, 4), np.uint8)
    info = skia.ImageInfo.Make(drawn.width, drawn.height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    canvas = skia.Surface.MakeRasterDirect(info, pixels).getCanvas()
    canvas.scale(drawn.scale, drawn.scale)
    canvas.drawPicture(recorded)
    off = pixels.astype(int) - drawn.pixels
    tone = slice(100 * 5, 130 * 5), slice(8 * 5, 60 * 5)  # its dots are strokes, where pixels are drawn as polygons
    assert abs(off[tone].mean()) < 5
    assert np.abs(off[tone]).max() < 110
    off[tone] = 0
    assert np.abs(off).max() <= 2


@pytest.mark.parametrize(
    "size",
    [{"long_edge": 0}, {"dpi": -1}, {"scale": float("nan")}, {"long_edge": 500, "dpi": 72}, {"dpi": 20_000}],
)
def test_impossible_sizes_are_refused(size: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        render_unit(busy(), CHAPTER, pictures, **size)  # type: ignore[arg-type]


def test_lettering_may_go_behind_the_art() -> None:
    make = Maker()
    frame = make.frame(10, 10, 80, 60)
    behind = make.balloon(20, 20, 40, 30, "hidden", band=Band.PAPER)
    drawn = render_unit(page(frame, make.image(frame.id, "as_red00"), behind), CHAPTER, pictures, scale=4)
    assert near(drawn.pixels[12 * 4 : 68 * 4, 12 * 4 : 88 * 4], RED).all()


def test_a_picture_enlarged_past_all_paper_is_still_drawn() -> None:
    make = Maker()
    huge = Placement(box=rect(0, 0, 90, 90), transform=Transform(scale=100_000_000, rotate=45_000))
    drawn = render_unit(page(make.overlay("as_red00", huge)), CHAPTER, pictures, scale=2)
    assert near(drawn.pixels, RED).all()
    assert isinstance(drawn.objects[0].bounds, Rect)
