from __future__ import annotations

import hashlib
import io

import numpy as np
import pytest
from PIL import Image

from lantern_kit.comic.model import Placement
from lantern_kit.comic.render import Rendered, make_view, render_unit
from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.ids import SeededIds
from tests.render.pages import CHAPTER, Maker, page, pictures, rect
from tests.render.test_page import busy


def noise(**size: float) -> Rendered:
    pixels = np.random.default_rng(1).integers(0, 255, (900, 700, 3), dtype=np.uint8)
    make = Maker()
    unit = page(make.overlay("as_noise", Placement(box=rect(0, 0, 100, 140))))
    return render_unit(unit, CHAPTER, {"as_noise": Picture.of(pixels)}.get, **size)  # type: ignore[arg-type]


def test_a_view_says_what_it_shows_and_where() -> None:
    rendered = render_unit(busy(), CHAPTER, pictures)
    view = make_view(rendered, revision="r41", ids=SeededIds(1))
    facts = view.facts
    assert facts.view.startswith("vw_")
    assert facts.revision == "r41"
    assert facts.unit == "un_page1"
    assert facts.media == "image/jpeg"
    assert not facts.reduced
    assert facts.missing == ()
    with Image.open(io.BytesIO(view.data)) as opened:
        assert opened.size == (facts.width, facts.height)
    assert max(facts.width, facts.height) == 1_024
    assert facts.sha256 == hashlib.sha256(view.data).hexdigest()
    assert facts.bytes == len(view.data)
    assert list(facts.objects) == [item.id for item in rendered.objects]
    assert facts.visible == pytest.approx((0, 0, 100, 140), abs=0.2)
    a, _, _, d, e, f = facts.page_to_pixel
    assert (a * 100 + e, d * 140 + f) == pytest.approx((facts.width, facts.height), abs=1)
    back = facts.pixel_to_page
    assert (back[0] * a, back[3] * d) == pytest.approx((1, 1))


def test_an_exact_view_keeps_every_pixel() -> None:
    rendered = render_unit(busy(), CHAPTER, pictures, long_edge=400)
    view = make_view(rendered, revision="r1", ids=SeededIds(1), exact=True)
    assert view.facts.media == "image/png"
    with Image.open(io.BytesIO(view.data)) as opened:
        assert (np.asarray(opened.convert("RGBA")) == rendered.pixels).all()


def test_transparency_makes_a_png() -> None:
    unit = page(Maker().overlay("as_disc0", Placement(box=rect(20, 20, 30, 20))), background="#ffffff00")
    view = make_view(render_unit(unit, CHAPTER, pictures, long_edge=300), revision="r1", ids=SeededIds(1))
    assert view.facts.media == "image/png"


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("limit", [20_000, 90_000, 700_000])
def test_a_view_stays_under_its_bytes_and_says_that_it_was_reduced(exact: bool, limit: int) -> None:
    view = make_view(noise(long_edge=1_200), revision="r1", ids=SeededIds(1), max_bytes=limit, exact=exact)
    assert len(view.data) <= limit
    assert view.facts.reduced


def test_a_reduced_view_s_matrix_still_finds_its_objects() -> None:
    rendered = render_unit(busy(), CHAPTER, pictures, long_edge=2_400)
    view = make_view(rendered, revision="r1", ids=SeededIds(1))
    facts = view.facts
    assert max(facts.width, facts.height) == 1_568
    assert facts.reduced
    item = next(item for item in rendered.objects if item.kind == "overlay")
    a, _, _, d, e, f = facts.page_to_pixel
    left, top = a * item.bounds.x / 1_000 + e, d * item.bounds.y / 1_000 + f
    assert facts.objects[item.id][:2] == (pytest.approx(left, abs=1.5), pytest.approx(top, abs=1.5))


def test_no_view_is_made_when_nothing_fits() -> None:
    with pytest.raises(BadInput):
        make_view(noise(long_edge=500), revision="r1", ids=SeededIds(1), max_bytes=300)


def test_a_view_says_which_pictures_are_not_there() -> None:
    unit = page(Maker().overlay("as_gone0", Placement(box=rect(20, 30, 30, 20))))
    view = make_view(render_unit(unit, CHAPTER, pictures), revision="r1", ids=SeededIds(1))
    assert view.facts.missing == ("as_gone0",)
