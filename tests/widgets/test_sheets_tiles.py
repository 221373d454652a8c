"""Tiles as they are sent, held against the page that the renderer draws as a whole."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from lantern_kit.comic.model import Narration, Unit
from lantern_kit.comic.render import RenderCache, render_unit
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.renderer import Renderer
from lantern_kit.imaging.encode import encode_jpeg
from lantern_kit.imaging.picture import Pixels
from lantern_kit.kernel.errors import NotFound
from lantern_kit.widgets.sheets.lightbox import Lightbox
from lantern_kit.widgets.sheets.pyramid import Level, Pyramid
from lantern_kit.widgets.sheets.tiles import QUALITY, Tiles
from lantern_kit.workspace import Workspace, create_workspace
from tests.render.pages import CHAPTER
from tests.render.test_part import rich


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Work", owner="mina") as made:
        yield made


def level_of(number: int) -> Level:
    return Pyramid.of(106_000, 146_000, CHAPTER.paper.dpi).level(number)


def spots(level: Level) -> list[tuple[int, int]]:
    return [(column, row) for row in range(level.rows) for column in range(level.columns)]


def opened(data: bytes) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(data)))


def laid(level: Level, tiles: Sequence[bytes]) -> NDArray[np.uint8]:
    """Tiles laid together as a browser does."""
    shown = list(map(opened, tiles))
    whole = np.zeros((level.height, level.width, shown[0].shape[2]), np.uint8)
    for spot, tile in zip(spots(level), shown, strict=True):
        left, top, width, height = level.tile(*spot)
        assert tile.shape[:2] == (height, width)
        whole[top : top + height, left : left + width] = tile
    return whole


def drawn(ws: Workspace, unit: Unit, level: Level) -> NDArray[np.uint8]:
    return render_unit(unit, CHAPTER, ws.renderer.pictures, scale=level.scale, bleed=True).pixels


@pytest.mark.parametrize("number", [0, 1, 2])
def test_lossless_tiles_laid_together_are_the_page_that_is_drawn(ws: Workspace, number: int) -> None:
    unit, level = rich(background="#30a04080"), level_of(number)
    tiles = Tiles(ws.renderer).tiles("k", unit, CHAPTER, number, spots(level))
    assert all(tile.startswith(b"\x89PNG") for tile in tiles)
    assert np.array_equal(laid(level, tiles), drawn(ws, unit, level))


@pytest.mark.parametrize("number", [0, 1, 2])
def test_jpeg_tiles_laid_together_are_the_page_encoded_as_a_whole(ws: Workspace, number: int) -> None:
    unit, level = rich(), level_of(number)
    tiles = Tiles(ws.renderer).tiles("k", unit, CHAPTER, number, spots(level))
    assert np.array_equal(laid(level, tiles), opened(encode_jpeg(drawn(ws, unit, level), QUALITY)))


def test_a_level_that_fits_a_window_takes_few_bytes(ws: Workspace) -> None:
    number = Pyramid.of(106_000, 146_000, CHAPTER.paper.dpi).fitting(1_200, 800)
    tiles = Tiles(ws.renderer).tiles("k", rich(), CHAPTER, number, spots(level_of(number)))
    assert sum(map(len, tiles)) < 1_000_000


def test_tiles_are_painted_once_for_all_who_look(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = rich()
    first = Tiles(ws.renderer).tiles("k", unit, CHAPTER, 1, [(0, 0), (1, 0)])
    monkeypatch.setattr("lantern_kit.comic.render.part.PartPainter.paint", None)
    assert Tiles(ws.renderer).tiles("k", unit, CHAPTER, 1, [(1, 0), (0, 0)]) == first[::-1]


def test_memory_stays_bounded_and_what_was_forgotten_is_painted_the_same_again(ws: Workspace) -> None:
    unit, level = rich(), level_of(3)
    renderer = Renderer(ws.assets, RenderCache(limit=400_000))
    some = spots(level)[::3]
    first = Tiles(renderer).tiles("k", unit, CHAPTER, 3, some)
    assert renderer.cache.held <= 400_000
    assert Tiles(renderer).tiles("k", unit, CHAPTER, 3, some) == first
    assert renderer.cache.held <= 400_000


def test_threads_that_ask_at_once_get_what_one_gets(ws: Workspace) -> None:
    unit = rich()
    expected = Tiles(Renderer(ws.assets)).tiles("k", unit, CHAPTER, 2, spots(level_of(2)))
    shared = Tiles(ws.renderer)
    got: dict[int, list[bytes]] = {}

    def ask(number: int) -> None:
        got[number] = shared.tiles("k", unit, CHAPTER, 2, spots(level_of(2)))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == dict.fromkeys(range(3), expected)


def test_no_tile_is_painted_when_one_of_those_asked_is_not_there(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lantern_kit.comic.render.part.PartPainter.paint", None)
    with pytest.raises(NotFound, match="no such tile"):
        Tiles(ws.renderer).tiles("k", rich(), CHAPTER, 0, [(0, 0), (99, 0)])


def test_a_thumb_shows_the_page_after_trimming(ws: Workspace) -> None:
    chapter = ws.comic("A").begin_chapter(1, size="A6")
    with chapter.edit("a page that is all one colour") as edit:
        edit.add_page(background="#204060")
        edit.add_page(background="#20406080")
    box = Lightbox(ws)
    seen = box.sources.seen(chapter.id, "head")
    facts, (solid, clear) = box.thumbs(seen, seen.book.order, 148)
    assert [item["unit"] for item in facts] == list(seen.book.order)
    assert opened(solid).shape == (148, 105, 3)
    assert np.abs(opened(solid).astype(int) - (0x20, 0x40, 0x60)).max() <= 3
    assert clear.startswith(b"\x89PNG")
    assert (opened(clear) == (0x20, 0x40, 0x60, 0x80)).all()


def test_after_an_edit_only_the_tiles_that_show_it_are_painted(ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    unit, level = rich(), level_of(2)
    objects = list(unit.objects)
    place = next(place for place, item in enumerate(objects) if isinstance(item, Narration))
    objects[place] = objects[place].model_copy(update={"text": "Another word."})
    edited = unit.model_copy(update={"objects": tuple(objects)})
    Tiles(ws.renderer).tiles("before", unit, CHAPTER, 2, spots(level))
    painted: list[int] = []
    real = PartPainter.paint

    def watched(painter: PartPainter, scale: float, *part: int) -> Pixels:
        painted.append(1)
        return real(painter, scale, *part)

    monkeypatch.setattr(PartPainter, "paint", watched)
    after = Tiles(ws.renderer).tiles("after", edited, CHAPTER, 2, spots(level))
    assert 0 < len(painted) < len(after)
    assert after == Tiles(Renderer(ws.assets)).tiles("after", edited, CHAPTER, 2, spots(level))
