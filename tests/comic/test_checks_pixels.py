"""Marks and what covers them, held against the pixels that the renderer draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lantern_kit.comic.checks import check_unit
from lantern_kit.comic.checks.faces import FACE_COVERED
from lantern_kit.comic.checks.marked import Lying, lying_on
from lantern_kit.comic.model import BalloonShape, Fit, Mark, MarkKind, Placement, Transform, Unit
from lantern_kit.comic.render import render_unit
from lantern_kit.imaging.picture import Picture
from tests.comic.faulty_stage import MIDDLE, Panels, face
from tests.render.pages import CHAPTER, Maker, page, plain, rect

SCALE = 4
"""Pixels a millimetre."""
GREEN, ROSE = (40, 200, 60), (200, 60, 60)
HUNDREDTHS = st.integers(0, 79)


def drawn(unit: Unit, pictures: Any) -> NDArray[np.int16]:
    """A page's pixels, bleed left out."""
    return render_unit(unit, CHAPTER, pictures, scale=SCALE).pixels[..., :3].astype(np.int16)


def inside(lying: Lying, shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Pixels whose middle lies in a mark as it is shown."""
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    return shapely.contains_xy(lying.shown, (columns + 0.5) * 1_000 / SCALE, (rows + 0.5) * 1_000 / SCALE)


@st.composite
def placements(draw: st.DrawFn) -> Placement:
    left, top = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    return Placement(
        fit=draw(st.sampled_from(list(Fit))),
        focus=(draw(HUNDREDTHS) * 10_000, draw(HUNDREDTHS) * 10_000),
        crop=(left * 100_000, top * 100_000, draw(st.integers(7, 10)) * 100_000, draw(st.integers(7, 10)) * 100_000),
        box=draw(st.sampled_from((None, rect(20, 20, 50, 50)))),
        transform=Transform(
            scale=draw(st.integers(8, 16)) * 100_000,
            rotate=draw(st.sampled_from((0, 0, 15_000, 90_000, -140_000))),
            flip_x=draw(st.booleans()),
            flip_y=draw(st.booleans()),
            dx=draw(st.integers(-10, 10)) * 1_000,
            dy=draw(st.integers(-10, 10)) * 1_000,
        ),
    )


@given(placements(), HUNDREDTHS, HUNDREDTHS, st.sampled_from(("frame", "page", "overlay")))
@settings(max_examples=40, deadline=None)
def test_a_mark_lies_on_the_page_where_its_pixels_are_drawn(
    placement: Placement, left: int, top: int, home: str
) -> None:
    pixels = np.empty((300, 400, 3), np.uint8)
    pixels[:] = GREEN
    pixels[top * 3 : top * 3 + 60, left * 4 : left * 4 + 80] = ROSE
    pictures = {"as_here0": Picture.of(pixels)}.get
    area = (left * 10_000, top * 10_000, left * 10_000 + 200_000, top * 10_000 + 200_000)
    mark = Mark(kind=MarkKind.FACE, area=area)
    make = Maker()
    frame = make.frame(15, 15, 70, 100, border={"width": 0})
    if home == "frame":
        unit = page(frame, make.image(frame.id, "as_here0", placement, marks=(mark,)))
    else:
        boxed = placement.model_copy(update={"box": rect(20, 20, 50, 50)})
        free = make.image("un_page1", "as_here0", boxed, marks=(mark,))
        unit = page(free if home == "page" else make.overlay("as_here0", boxed, marks=(mark,)))
    (lying,) = lying_on(unit, CHAPTER.paper, pictures)
    seen = drawn(unit, pictures)
    rose = np.abs(seen - ROSE).max(axis=2) < 40
    wanted = inside(lying, rose.shape)
    # Pixels on the edge are mixed: as many as the outline is long may differ.
    edge = 3 * SCALE * shapely.length(lying.shown) / 1_000 + 8
    assert (rose ^ wanted).sum() <= edge


BODIES = st.sampled_from((BalloonShape.ELLIPSE, BalloonShape.BOX, BalloonShape.ROUNDED, BalloonShape.CLOUD))


@given(st.integers(10, 70), st.integers(10, 50), st.integers(8, 40), st.integers(8, 30), BODIES)
@settings(max_examples=40, deadline=None)
def test_what_is_said_to_be_covered_of_a_face_is_what_is_drawn_over_it(
    x: int, y: int, w: int, h: int, shape: BalloonShape
) -> None:
    panels = Panels()
    shown = panels.one(face(MIDDLE))
    balloon = panels.make.balloon(x, y, w, h, "", shape=shape)
    pictures = {"as_fine0": plain(ROSE, 1_400, 1_000)}.get
    unit = page(*shown, balloon)
    (lying,) = lying_on(unit, CHAPTER.paper, pictures)
    over = (drawn(unit, pictures) != drawn(page(*shown), pictures)).any(axis=2)
    under = inside(lying, over.shape)
    share = (over & under).sum() / under.sum()
    told = [item for item in check_unit(unit, CHAPTER, pictures) if item.rule == "face.covered"]
    if told:
        assert told[0].data["covered"] == pytest.approx(share, abs=0.06)
        assert share > FACE_COVERED - 0.06
    else:
        assert share < FACE_COVERED + 0.06
