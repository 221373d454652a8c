from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lantern_kit.comic.model import Rect, Stroke, Text, TextStyle, Writing
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.extent import object_bounds
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.render.stage import Stage
from lantern_kit.comic.typeset import set_text
from lantern_kit.comic.typeset.fonts import packaged_fonts
from lantern_kit.comic.typeset.setting import Part
from tests.render.pages import CHAPTER, Maker, page, pictures
from tests.render.test_part import stitched

SCALE = 20
PLAIN = TextStyle(font="sound", size=8_000, smallest=1_000, fit=False)


def sound(words: str, *, style: TextStyle = PLAIN, **more: Any) -> Text:
    return Maker().text(10, 45, 80, 50, words, style=style, **more)


def drawn(text: Text) -> NDArray[np.bool_]:
    shown = render_unit(page(text), CHAPTER, pictures, scale=SCALE)
    found: NDArray[np.bool_] = shown.pixels[..., :3].min(axis=2) < 250
    return found


def covered(text: Text) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of what is drawn, in micrometres."""
    dark = drawn(text)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    edges = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
    return tuple(float(edge) * 1_000 / SCALE for edge in edges)  # type: ignore[return-value]


def holds(outer: Rect | None, inner: tuple[float, float, float, float], *, spare: float) -> bool:
    assert outer is not None
    pixel = 1_000 / SCALE
    return (
        outer.x - pixel <= inner[0] <= outer.x + spare + pixel
        and outer.y - pixel <= inner[1] <= outer.y + spare + pixel
        and outer.right + pixel >= inner[2] >= outer.right - spare - pixel
        and outer.bottom + pixel >= inner[3] >= outer.bottom - spare - pixel
    )


def turns(text: Text) -> list[float]:
    return [glyph.turn for line in set_text(text).lines for run in line.runs for glyph in run.glyphs]


def test_an_arc_turns_each_character_with_the_line_and_by_the_angle_in_all() -> None:
    up, down = turns(sound("HHHHHHHHHH", arc=90_000)), turns(sound("HHHHHHHHHH", arc=-90_000))
    steps = [two - one for one, two in pairwise(up)]
    assert min(steps) > 0
    assert max(steps) - min(steps) < 0.5
    assert up[0] == pytest.approx(-up[-1], abs=1)
    assert up[-1] - up[0] == pytest.approx(81, abs=1)  # from middle to middle of ten: nine tenths of it
    assert down == pytest.approx([-turn for turn in up], abs=1e-6)


@pytest.mark.parametrize("arc", [40_000, 160_000, -120_000, 350_000])
def test_the_baseline_of_an_arc_is_a_circle(arc: int) -> None:
    straight, bent = set_text(sound("HOHOHOHOHO")), set_text(sound("HOHOHOHOHO", arc=arc))
    (run,), (turned,) = straight.lines[0].runs, bent.lines[0].runs
    dots = []
    for glyph, now in zip(run.glyphs, turned.glyphs, strict=True):
        advance = run.face.shaper.get_glyph_h_advance(glyph.glyph) / run.face.upem * run.size
        angle = np.radians(now.turn)
        dots.append((now.x + np.cos(angle) * advance / 2, now.y + np.sin(angle) * advance / 2))
    x, y = np.array(dots).T
    system = np.stack([x, y, np.ones_like(x)], axis=1)
    (a, b, c), *_ = np.linalg.lstsq(system, x**2 + y**2, rcond=None)
    radius = np.sqrt(c + a * a / 4 + b * b / 4)
    assert np.abs(np.hypot(x - a / 2, y - b / 2) - radius).max() < 1
    assert (b / 2 > y.mean()) == (arc > 0) or abs(arc) > 300_000  # arched up, the centre is below


def test_an_arched_word_is_highest_in_the_middle_and_stays_centred_in_its_box() -> None:
    text = sound("BOOOOOOM", arc=100_000)
    dark = drawn(text)
    tops = [int(np.flatnonzero(part.any(axis=1))[0]) for part in np.array_split(dark[:, 500:1_500], 5, axis=1)]
    assert min(tops) == tops[2]
    left, top, right, bottom = covered(text)
    flat = covered(sound("BOOOOOOM"))
    assert (left + right) / 2 == pytest.approx(50_000, abs=700)
    assert (top + bottom) / 2 == pytest.approx((flat[1] + flat[3]) / 2, abs=400)


def test_several_lines_bend_about_one_centre_and_none_by_more_than_the_arc() -> None:
    text = sound("OOOOOOO\nOOOOOOO\nOOOOOOO", style=PLAIN.model_copy(update={"size": 5_000}), arc=150_000)
    lines = set_text(text).lines
    spans = [max(g.turn for r in line.runs for g in r.glyphs) * 2 for line in lines]
    assert spans == sorted(spans)  # arched up, the last line is innermost and bends most
    assert spans[-1] < 150
    assert spans[0] < 0.8 * spans[-1]


@pytest.mark.parametrize("words", ["FWOOM!", "ドカン", "jagged\nwords", "Å é"])
@pytest.mark.parametrize(
    "more",
    [
        {"arc": 70_000},
        {"arc": -110_000},
        {"skew": 25_000},
        {"skew": -40_000},
        {"skew": 20_000, "arc": 60_000},
    ],
)
def test_the_ink_that_is_counted_is_the_ink_that_is_drawn(words: str, more: dict[str, Any]) -> None:
    text = sound(words, **more)
    # Not less than is drawn; more only by what the corners of turned and slanted boxes are empty of.
    assert holds(set_text(text).ink, covered(text), spare=0.45 * 8_000)


@pytest.mark.parametrize("more", [{"arc": 80_000}, {"skew": 30_000}])
def test_the_ink_of_an_arc_or_a_slant_is_close_at_top_and_bottom(more: dict[str, Any]) -> None:
    text = sound("HIHIHI", **more)
    ink, (_, top, _, bottom) = set_text(text).ink, covered(text)
    assert ink is not None
    assert top - ink.y < 200
    assert ink.bottom - bottom < 200


@pytest.mark.parametrize("rotate", [0, 17_000, -90_000, 200_000])
def test_rotation_slant_and_arc_together_are_counted_with_the_outline(rotate: int) -> None:
    style = PLAIN.model_copy(update={"outline": Stroke(width=1_200, colour="#c02010")})
    text = sound("KRAK!", style=style, rotate=rotate, skew=18_000, arc=-75_000)
    unit = page(text)
    stage = Stage(unit, CHAPTER, pictures, packaged_fonts(), None, SCALE / 1_000)
    assert holds(object_bounds(stage, text), covered(text), spare=12_000)
    flat = sound("KRAK!", style=style)
    bare = object_bounds(stage, flat)
    assert holds(bare, covered(flat), spare=400)


def test_tiles_of_bent_and_slanted_lettering_are_the_page() -> None:
    style = PLAIN.model_copy(update={"outline": Stroke(width=1_200, colour="#c02010"), "colour": "#ffd23f"})
    make = Maker()
    unit = page(
        make.text(5, 5, 90, 40, "KABOOM!", style=style, arc=90_000, rotate=-8_000),
        make.text(5, 50, 90, 40, "WHOOSH", style=style, arc=-70_000, skew=15_000),
        make.text(5, 95, 90, 40, "ゴゴゴゴ", style=style, arc=50_000, rotate=30_000, skew=-20_000),
    )
    for scale, tile in ((3.7, 100), (11.3, 256)):
        whole = render_unit(unit, CHAPTER, pictures, scale=scale, bleed=True).pixels
        assert np.array_equal(stitched(PartPainter(unit, CHAPTER, pictures), scale, tile), whole)


@pytest.mark.parametrize("arc", [40_000, -90_000, 170_000, -300_000])
@pytest.mark.parametrize("words", ["KABOOM", "The whole long sentence bends", "ドドドド"])
def test_bent_words_that_are_fitted_stay_as_large_as_their_box_allows(arc: int, words: str) -> None:
    style = TextStyle(font="sound", size=60_000, smallest=800, outline=Stroke(width=900, colour="#c02010"))
    text = sound(words, style=style, arc=arc)
    found = set_text(text)
    assert not found.overflow
    left, top, right, bottom = covered(text)
    width, height = right - left, bottom - top
    assert width <= text.box.w + 100
    assert height <= text.box.h + 100
    assert max(width / text.box.w, height / text.box.h) > 0.65


def test_bent_words_that_do_not_fit_at_the_smallest_size_are_an_overflow() -> None:
    style = TextStyle(font="sound", size=30_000, smallest=20_000)
    assert not set_text(Maker().text(10, 45, 80, 25, "HO", style=style)).overflow
    assert set_text(Maker().text(10, 45, 80, 25, "HOHO", style=style, arc=170_000)).overflow


def test_text_without_an_arc_is_left_as_it_was_set() -> None:
    one, other = set_text(sound("BANG")), set_text(sound("BANG", arc=0))
    assert one.layout is other.layout


def test_bending_empty_and_single_characters_is_harmless() -> None:
    assert set_text(sound("", arc=90_000)).ink is None
    assert turns(sound("!", arc=360_000)) == [pytest.approx(0, abs=3)]
    assert len(turns(sound("A\n\nB", arc=-360_000))) == 2


def test_ruby_bends_with_what_it_stands_beside() -> None:
    style = TextStyle(font="sans", size=8_000, smallest=1_000, fit=False)
    text = Maker().text(5, 40, 90, 50, "{稲妻|いなずま}の音", style=style, arc=80_000)
    runs = [run for line in set_text(text).lines for run in line.runs]
    ruby = [glyph.turn for run in runs if run.part is Part.RUBY for glyph in run.glyphs]
    base = [glyph.turn for run in runs if run.part is Part.TEXT for glyph in run.glyphs if glyph.at < 2]
    assert len(ruby) == 4
    assert len(base) == 2
    assert np.mean(ruby) == pytest.approx(np.mean(base), abs=1)
    assert max(ruby) - min(ruby) > 20


def test_an_accent_turns_with_its_letter() -> None:
    # No letter of its own is encoded for this one, so the accent is a glyph that takes no room.
    turned = turns(
        sound("q\u0301qqqqqq", style=TextStyle(font="sans", size=6_000, smallest=1_000, fit=False), arc=90_000)
    )
    plain = turns(sound("qqqqqqq", style=TextStyle(font="sans", size=6_000, smallest=1_000, fit=False), arc=90_000))
    assert len(turned) == len(plain) + 1
    assert turned[0] == pytest.approx(turned[1])


def test_bent_columns_bulge_sideways() -> None:
    style = PLAIN.model_copy(update={"writing": Writing.VERTICAL, "size": 7_000})
    right = Maker().text(30, 20, 40, 100, "ドドドドドド", style=style, arc=80_000)
    dark = drawn(right)
    rows = np.flatnonzero(dark.any(axis=1))
    parts = np.array_split(dark[rows[0] : rows[-1] + 1], 5)
    outer = [int(np.flatnonzero(part.any(axis=0))[-1]) for part in parts]
    assert outer[2] > outer[0] + 20
    assert outer[2] > outer[4] + 20
    assert turns(right)[0] < 0 < turns(right)[-1]
    assert holds(set_text(right).ink, covered(right), spare=2_500)
