"""Outlines against the pixels of what they go round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import (
    BalloonShape,
    Edge,
    EffectType,
    Fit,
    Placement,
    Stroke,
    Tail,
    Transform,
    Unit,
    UnitKind,
)
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.outlines import MOST, outlines
from tests.comic.strategies import books
from tests.render.pages import CHAPTER, NO_BORDER, UNIT, Maker, page, pictures, rect
from tests.render.test_any_unit import some
from tests.render.test_part import OVAL

SCALE = 6.0
make = Maker()


def covered(unit: Unit, without: Unit) -> NDArray[np.bool_]:
    """Where an object shows, bleed included."""
    with_it, bare = (
        render_unit(shown, CHAPTER, pictures, scale=SCALE, bleed=True).pixels.astype(int) for shown in (unit, without)
    )
    found: NDArray[np.bool_] = np.abs(with_it - bare).max(axis=2) > 40
    return found


def inside(outline: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    bleed = CHAPTER.paper.bleed
    drawn = Pillow.new("1", (shape[1], shape[0]))
    points = [((x + bleed) / 1_000 * SCALE - 0.5, (y + bleed) / 1_000 * SCALE - 0.5) for x, y in outline]
    ImageDraw.Draw(drawn).polygon(points, fill=1)
    return np.asarray(drawn)


def agreement(unit: Unit, thing: str, without: Unit) -> float:
    """The share that an outline and the pixels have in common of what either covers."""
    seen = covered(unit, without)
    meant = inside(outlines(unit, CHAPTER, pictures)[thing], seen.shape)
    return float((seen & meant).sum() / (seen | meant).sum())


def tailed(shape: BalloonShape, *tails: Tail) -> Any:
    return make.balloon(20, 20, 50, 30, "", shape=shape, fill="#203040", stroke=NO_BORDER, tails=tails)


BENT = Tail(tip=(80_000, 90_000), width=7_000, bend=250_000)
ALONE = [
    make.frame(10, 10, 60, 50, background="#203040", border=NO_BORDER),
    make.frame(0, 0, 60, 50, background="#203040", border=NO_BORDER, bleed=(Edge.LEFT, Edge.TOP)),
    make.polygon((10, 20), (80, 5), (95, 60), (40, 30), background="#203040", border=NO_BORDER),
    make.frame(1, 1, 1, 1, background="#203040", border=NO_BORDER).model_copy(update={"shape": OVAL}),
    tailed(BalloonShape.ELLIPSE),
    tailed(BalloonShape.ROUNDED, BENT),
    tailed(BalloonShape.BOX, BENT, Tail(tip=(5_000, 80_000))),
    tailed(BalloonShape.ELLIPSE, BENT, Tail(tip=(2_000, 4_000), width=9_000)),
    tailed(BalloonShape.CLOUD, BENT),
    tailed(BalloonShape.BURST, BENT, Tail(tip=(2_000, 4_000))),
    tailed(BalloonShape.THOUGHT),
    tailed(BalloonShape.WHISPER, BENT),
    tailed(BalloonShape.PATH).model_copy(update={"outline": OVAL}),
    make.narration(20, 30, 50, 20, "", fill="#203040", stroke=NO_BORDER),
    make.overlay("as_red00", Placement(box=rect(20, 30, 50, 40), transform=Transform(rotate=25_000))),
    make.overlay("as_red00", Placement(box=rect(20, 30, 50, 40), fit=Fit.CONTAIN, crop=(200_000, 0, 700_000, 900_000))),
    make.effect(UNIT, EffectType.TONE, density=1_000_000, box=rect(10, 20, 30, 40), colour="#203040"),
]


@pytest.mark.parametrize("item", ALONE, ids=lambda item: item.id)
def test_an_outline_follows_what_is_drawn(item: Any) -> None:
    ragged = item.kind == "balloon" and item.shape in {BalloonShape.CLOUD, BalloonShape.BURST}
    assert agreement(page(item), item.id, page()) > (0.95 if ragged else 0.98)  # of few corners


@pytest.mark.parametrize(
    "placement",
    [
        Placement(),
        Placement(fit=Fit.CONTAIN),
        Placement(box=rect(30, 30, 60, 60), transform=Transform(rotate=-20_000)),
        Placement(transform=Transform(dx=30_000, dy=15_000, scale=600_000)),
    ],
)
def test_a_picture_is_cut_to_its_frame_and_a_breakout_is_not(placement: Placement) -> None:
    frame = make.polygon((10, 20), (80, 5), (95, 90), (12, 70), background=None, border=NO_BORDER)
    image = make.image(frame.id, "as_red00", placement)
    assert agreement(page(frame, image), image.id, page(frame)) > 0.98
    free = image.model_copy(update={"clip": False})
    assert agreement(page(frame, free), free.id, page(frame)) > 0.98
    oval = make.frame(1, 1, 1, 1, background=None, border=NO_BORDER).model_copy(update={"shape": OVAL})
    inner = make.image(oval.id, "as_red00")
    assert agreement(page(oval, inner), inner.id, page(oval)) > 0.98


def test_of_joined_balloons_each_is_pointed_at_by_itself() -> None:
    root = tailed(BalloonShape.ELLIPSE)
    other = make.balloon(20, 70, 50, 30, "", joined=root.id, tails=(BENT,))
    found = outlines(page(root, other), CHAPTER, pictures)
    assert found[root.id] == outlines(page(root), CHAPTER, pictures)[root.id]
    assert found[other.id] == outlines(page(other), CHAPTER, pictures)[other.id]


def test_words_without_a_body_are_pointed_at_in_their_box() -> None:
    bare = make.balloon(20, 30, 40, 20, "hm", shape=BalloonShape.NONE, tip=(50, 120))
    (outline,) = outlines(page(bare), CHAPTER, pictures).values()
    assert outline == ((20_000, 30_000), (60_000, 30_000), (60_000, 50_000), (20_000, 50_000))


def test_a_picture_that_is_moved_out_of_its_frame_has_no_corners() -> None:
    frame = make.frame(10, 10, 20, 20)
    image = make.image(frame.id, "as_red00", Placement(transform=Transform(dx=60_000)))
    assert outlines(page(frame, image), CHAPTER, pictures)[image.id] == ()


def test_a_picture_that_is_not_there_has_the_outline_of_its_stand_in() -> None:
    overlay = make.overlay("as_gone0", Placement(box=rect(20, 30, 50, 40)))
    (outline,) = outlines(page(overlay), CHAPTER, pictures).values()
    assert outline == ((20_000, 30_000), (70_000, 30_000), (70_000, 70_000), (20_000, 70_000))


def test_a_turned_text_has_a_turned_box() -> None:
    text = make.text(20, 30, 40, 20, "FWOOM", rotate=90_000)
    (outline,) = outlines(page(text), CHAPTER, pictures).values()
    xs, ys = zip(*outline, strict=True)
    assert (min(xs), max(xs)) == (pytest.approx(30_000), pytest.approx(50_000))
    assert (min(ys), max(ys)) == (pytest.approx(20_000), pytest.approx(60_000))


def test_outlines_stand_in_the_order_of_drawing() -> None:
    frame = make.frame(10, 10, 40, 40, border=Stroke(width=500))
    over = make.image(frame.id, "as_red00", clip=False)
    under = make.image(frame.id, "as_four0")
    balloon = make.balloon(10, 10, 20, 20, "hm")
    unit = page(balloon, frame, over, under, kind=UnitKind.SPREAD)
    assert list(outlines(unit, CHAPTER, pictures)) == [frame.id, under.id, over.id, balloon.id]


@settings(max_examples=60)
@given(books())
def test_any_unit_has_an_outline_of_few_corners_for_each_object(seeded: tuple[Book, Any, Any]) -> None:
    book = seeded[0]
    for unit in book.units():
        found = outlines(unit, book.chapter, some)
        assert found.keys() == unit.index.keys()
        for outline in found.values():
            assert len(outline) == 0 or 3 <= len(outline) <= MOST
