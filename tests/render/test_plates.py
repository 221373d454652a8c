from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from lantern_kit.comic.model import Placement
from lantern_kit.comic.render import RenderCache, render_unit
from lantern_kit.comic.render.plate import Plate, Plates, Source
from lantern_kit.imaging.picture import Picture
from tests.render.pages import CHAPTER, PICTURES, Maker, disc, page, pictures, plain, quarters, rect


def shelf(cache: RenderCache | None, load: Callable[[str], Picture] = PICTURES.__getitem__) -> Plates:
    """Plates of the tests' pictures."""

    def find(asset: str) -> Source | None:
        held = PICTURES.get(asset)
        if held is None:
            return None
        return Source(asset, held.width, held.height, not held.opaque, lambda: load(asset))

    return Plates(find, cache=cache)


def busy() -> Any:
    make = Maker()
    frame = make.frame(5, 5, 60, 60)
    image = make.image(frame.id, "as_four0")
    return page(frame, image, make.foreground(image, "as_disc0"), make.balloon(20, 70, 40, 20, "hm"))


@pytest.mark.parametrize("cache", [None, RenderCache(), RenderCache(limit=30_000)])
def test_a_plate_is_drawn_as_its_picture_is(cache: RenderCache | None) -> None:
    for _ in range(2):
        drawn = render_unit(busy(), CHAPTER, shelf(cache), scale=5, cache=cache)
        assert drawn.pixels.tobytes() == render_unit(busy(), CHAPTER, pictures, scale=5).pixels.tobytes()
        assert drawn.missing == ()


def test_a_picture_that_is_not_there_has_no_plate() -> None:
    assert shelf(None)("as_gone0") is None


def test_finished_pages_pin_no_pixels_of_their_pictures() -> None:
    cache = RenderCache(limit=500_000)
    made: list[weakref.ref[Any]] = []

    def load(asset: str) -> Picture:
        picture = plain((1, 2, 3), PICTURES[asset].width, PICTURES[asset].height)
        made.append(weakref.ref(picture.pixels))
        return picture

    make = Maker()
    frame = make.frame(5, 5, 60, 60)
    unit = page(frame, make.image(frame.id, "as_red00"))
    plates = shelf(cache, load)
    first = render_unit(unit, CHAPTER, plates, scale=1, cache=cache)
    for number in range(40):  # other things come, until nothing of the picture's own is remembered
        cache.put(number, None, 11_000)
    gc.collect()
    assert render_unit(unit, CHAPTER, plates, scale=1, cache=cache).pixels.tobytes() == first.pixels.tobytes()
    assert made
    assert made[0]() is None


def test_a_plate_tells_its_size_unread_and_its_opacity_when_it_must() -> None:
    loads: list[str] = []

    def load(asset: str) -> Picture:
        loads.append(asset)
        return PICTURES[asset]

    plates = shelf(RenderCache(), load)
    opaque, cut_out = plates("as_red00"), plates("as_disc0")
    assert isinstance(opaque, Plate)
    assert isinstance(cut_out, Plate)
    assert (opaque.width, opaque.height, opaque.opaque, loads) == (60, 40, True, [])
    assert cut_out.opaque is False
    assert loads == ["as_disc0"]
    assert plates("as_red00") is opaque


def test_threads_that_want_one_picture_decode_it_once() -> None:
    started, go = threading.Event(), threading.Event()
    loads: list[str] = []

    def load(asset: str) -> Picture:
        loads.append(asset)
        started.set()
        assert go.wait(10)
        return disc((1, 2, 3))

    cache = RenderCache()
    plates = shelf(cache, load)
    make = Maker()
    unit = page(make.overlay("as_disc0", Placement(box=rect(0, 0, 50, 50))))
    threads = [
        threading.Thread(target=render_unit, args=(unit, CHAPTER, plates), kwargs={"scale": 2, "cache": cache})
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    assert started.wait(10)
    go.set()
    for thread in threads:
        thread.join()
    assert loads == ["as_disc0"]


def test_a_picture_that_is_drawn_at_its_own_size_is_held_once() -> None:
    cache = RenderCache()
    make = Maker()
    frame = make.frame(5, 5, 60, 40)
    render_unit(page(frame, make.image(frame.id, "as_four0")), CHAPTER, shelf(cache), scale=20, cache=cache)
    held = [key for key in cache._items if isinstance(key, tuple) and key[0] in ("picture", "level")]
    assert held == [("level", "as_four0", 1)]


def test_what_is_dropped_takes_no_room() -> None:
    cache = RenderCache()
    cache.put("a", object(), 10)
    cache.put("b", object(), 20)
    cache.drop("a")
    cache.drop("nothing")
    assert cache.get("a") is None
    assert cache.held == 20


def test_two_assets_of_the_same_bytes_are_decoded_once() -> None:
    loads: list[str] = []

    def find(asset: str) -> Source:
        return Source("digest", 80, 60, False, lambda: (loads.append(asset), PICTURES["as_four0"])[1])

    plates = Plates(find, cache=RenderCache())
    one, two = plates("as_one00"), plates("as_two00")
    assert one is not None
    assert two is not None
    assert one.picture() is two.picture()
    assert loads == ["as_one00"]


def test_what_is_spare_goes_first_and_makes_nobody_else_go() -> None:
    cache = RenderCache(limit=100)
    cache.put("kept", 1, 60)
    cache.put("spare", 2, 30, spare=True)
    assert cache.get("spare") == 2, "there was room"
    cache.put("more", 3, 50, spare=True)
    assert (cache.get("kept"), cache.get("spare"), cache.get("more")) == (1, 2, None)
    cache.put("other spare", 4, 5, spare=True)
    cache.put("own", 5, 10)
    assert cache.get("other spare") is None
    assert (cache.get("kept"), cache.get("own"), cache.held) == (1, 5, 100)


def test_pages_that_are_passed_by_leave_the_page_that_is_looked_at_its_pictures() -> None:
    size = PICTURES["as_four0"].pixels.nbytes
    cache = RenderCache(limit=24 * size)

    def find(asset: str) -> Source:
        return Source(asset, 80, 60, False, quarters)

    looking, passing = Plates(find, cache=cache), Plates(find, cache=cache, spare=True)
    held = looking("as_looked")
    assert held is not None
    first = held.picture()
    for number in range(60):
        passed = passing(f"as_{number:06d}")
        assert passed is not None
        passed.picture()
    assert held.picture() is first
