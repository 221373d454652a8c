"""A printed page is the page on the screen: drawn by poppler and MuPDF, and by the kit itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lantern_kit.comic.formats.pdf import PdfOptions, write_pdf
from lantern_kit.comic.model import (
    Balloon,
    BalloonShape,
    Direction,
    EffectType,
    Placement,
    Screen,
    Stroke,
    TextStyle,
    Transform,
    Unit,
    UnitKind,
)
from lantern_kit.comic.render.page import render_unit
from tests.comic.formats import book
from tests.comic.formats.judges import mutool_pixels, needs_judges, poppler_pixels
from tests.render.pages import CHAPTER, Maker
from tests.render.pages import page as paper_page

pytestmark = needs_judges
Draw = Callable[[Path, int, int, Path], NDArray[np.uint8]]
READERS: dict[str, Draw] = {"poppler": poppler_pixels, "mutool": mutool_pixels}
DPI = 127
"""Five pixels a millimetre: all boxes lie on whole ones."""
SLUG = 7_000


def busy() -> Unit:
    """Something of everything, one above the other."""
    make = Maker()
    top, middle, low = (
        make.frame(8, 8, 84, 50),
        make.polygon((8, 62), (92, 66), (92, 100), (8, 96)),
        make.frame(-3, 104, 106, 39),
    )
    style = TextStyle(
        font="sound", size=12_000, bold=True, outline=Stroke(width=600, colour="#ffffff"), colour="#c00000"
    )
    return paper_page(
        top,
        make.image(top.id, "as_photo"),
        make.effect(top.id, EffectType.FOCUS, density=300_000),
        middle,
        make.image(
            middle.id,
            "as_line",
            Placement(transform=Transform(rotate=12_000), crop=(100_000, 200_000, 700_000, 600_000)),
            opacity=700_000,
        ),
        make.effect(middle.id, EffectType.GRADIENT, angle=90_000),
        low,
        make.image(low.id, "as_photo", Placement(transform=Transform(flip_x=True))),
        make.effect(low.id, EffectType.VIGNETTE),
        make.overlay("as_disc", Placement(box=make.text(60, 78, 32, 30, "").box)),
        make.balloon(12, 12, 40, 25, "Nobody comes up [here]{.bold} at noon.", tip=(40, 50)),
        make.balloon(50, 68, 38, 24, "今日はとても良い天気ですね。", shape=BalloonShape.CLOUD),
        make.narration(10, 108, 40, 12, "Later, on the moon…", style=TextStyle(bold=True)),
        make.text(55, 112, 40, 20, "BOOM", rotate=-12_000, style=style),
    )


@pytest.mark.parametrize("reader", READERS)
def test_a_page_with_everything_looks_as_on_the_screen(tmp_path: Path, reader: str) -> None:
    unit, art = busy(), book.Art.of()
    path = tmp_path / "page.pdf"
    write_pdf(path, [unit], CHAPTER, art, PdfOptions(dpi=1_200), titles=lambda item: item.id)
    wanted = render_unit(unit, CHAPTER, art.pictures, dpi=DPI, bleed=True).pixels[..., :3].astype(int)
    drawn = READERS[reader](path, 1, DPI, tmp_path)
    _assert_alike(drawn, wanted)


@pytest.mark.parametrize("reader", READERS)
def test_both_halves_of_a_spread_look_as_on_the_screen(tmp_path: Path, reader: str) -> None:
    spread = next(unit for unit in book.units() if unit.kind is UnitKind.SPREAD)
    art = book.Art.of()
    path = tmp_path / "spread.pdf"
    write_pdf(path, [spread], book.CHAPTER, art, PdfOptions(dpi=1_200, spreads="split"), titles=lambda item: item.id)
    assert book.CHAPTER.direction is Direction.RTL
    whole = render_unit(spread, book.CHAPTER, art.pictures, dpi=DPI, bleed=True).pixels[..., :3].astype(int)
    fold = round((book.PAPER.bleed + book.PAPER.width) * DPI / 25_400)
    _assert_alike(READERS[reader](path, 1, DPI, tmp_path), whole[:, fold:])
    _assert_alike(READERS[reader](path, 2, DPI, tmp_path), whole[:, :fold])


@pytest.mark.parametrize("reader", READERS)
def test_every_effect_is_printed_as_it_is_seen(tmp_path: Path, reader: str) -> None:
    make = Maker()
    effects: list[dict[str, Any]] = [
        {"kind": EffectType.FLASH},
        {"kind": EffectType.VIGNETTE},
        {"kind": EffectType.TONE, "density": 300_000, "density_to": 900_000},
        {"kind": EffectType.TONE, "screen": Screen.LINES, "density": 400_000},
        {"kind": EffectType.TONE, "screen": Screen.GRAIN, "density": 400_000},
        {"kind": EffectType.TONE, "density": 500_000, "opacity": 500_000, "colour": "#3050a0"},
        {"kind": EffectType.SPEED},
        {"kind": EffectType.FOCUS},
    ]
    frames = [make.frame(5 + (n % 2) * 46, 5 + (n // 2) * 33, 44, 31) for n in range(len(effects))]
    made = [make.effect(frame.id, **some) for frame, some in zip(frames, effects, strict=True)]
    unit, art, path = paper_page(*frames, *made), book.Art.of(), tmp_path / "effects.pdf"
    write_pdf(path, [unit], CHAPTER, art, PdfOptions(), titles=lambda item: item.id)
    dpi = 4 * DPI  # finer, so that readers draw every dot, and then reduced
    wanted = _reduced(render_unit(unit, CHAPTER, art.pictures, dpi=dpi, bleed=True).pixels[..., :3])
    seen = _reduced(READERS[reader](path, 1, dpi, tmp_path))
    _assert_alike(seen, wanted)


def _reduced(pixels: NDArray[np.uint8]) -> NDArray[np.int64]:
    height, width = pixels.shape[0] // 4 * 4, pixels.shape[1] // 4 * 4
    means: NDArray[np.int64] = (
        pixels[:height, :width].reshape(height // 4, 4, width // 4, 4, 3).mean((1, 3)).astype(int)
    )
    return means


def _assert_alike(drawn: NDArray[Any], wanted: NDArray[np.int64]) -> None:
    """Alike but for how edges are smoothed and pictures enlarged; nothing is lighter, darker, shifted or missing."""
    at = round(SLUG * DPI / 25_400)
    height, width = wanted.shape[0] - 2, wanted.shape[1] - 2
    seen = drawn[at : at + height, at : at + width].astype(int)
    wanted = wanted[:height, :width]
    assert seen.shape == wanted.shape
    difference = np.abs(seen - wanted)
    print(f"mean difference {difference.mean():.2f} of 255")
    assert difference.mean() < 4.5
    side = 12
    rows, columns = height // side * side, width // side * side

    def blocks(pixels: NDArray[np.int64]) -> NDArray[np.float64]:
        cut = pixels[:rows, :columns].reshape(rows // side, side, columns // side, side, 3)
        means: NDArray[np.float64] = cut.mean(axis=(1, 3))
        return means

    # Over squares of 2.4 mm edges hardly count: only what is really different does.
    assert np.abs(blocks(seen) - blocks(wanted)).mean() < 3.0
    assert np.quantile(np.abs(blocks(seen) - blocks(wanted)), 0.995) < 30.0


@pytest.mark.parametrize("shape", [BalloonShape.BURST, BalloonShape.THOUGHT, BalloonShape.WHISPER])
def test_every_outline_is_drawn_by_both_readers(tmp_path: Path, shape: BalloonShape) -> None:
    make = Maker()
    balloon: Balloon = make.balloon(20, 20, 60, 50, "…", shape=shape, tip=(60, 100))
    unit, art = paper_page(balloon), book.Art.of()
    path = tmp_path / "balloon.pdf"
    write_pdf(path, [unit], CHAPTER, art, PdfOptions(), titles=lambda item: item.id)
    wanted = render_unit(unit, CHAPTER, art.pictures, dpi=DPI, bleed=True).pixels[..., :3].astype(int)
    for draw in READERS.values():
        _assert_alike(draw(path, 1, DPI, tmp_path), wanted)
