from __future__ import annotations

import numpy as np

from lantern_kit.comic.model import Edge, Fit, Placement, Stroke, Transform
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.rendered import Rendered
from tests.render.pages import BLUE, CHAPTER, GREEN, NO_BORDER, RED, Maker, near, page, pictures, rect


def colour_at(rendered: Rendered, x: float, y: float) -> tuple[int, ...]:
    px, py = rendered.page_to_pixel.map(x * 1_000, y * 1_000)
    return tuple(int(value) for value in rendered.pixels[int(py), int(px), :3])


def test_a_picture_is_cut_to_its_frame_s_outline() -> None:
    make = Maker()
    frame = make.polygon((20, 20), (80, 20), (50, 80), border=NO_BORDER, background=None)
    image = make.image(frame.id, "as_red00", Placement(transform=Transform(scale=3_000_000)))
    drawn = render_unit(page(frame, image), CHAPTER, pictures, scale=4)
    y, x = np.mgrid[: drawn.height, : drawn.width] / 4
    # Signed distance in pixels from the triangle's sides: red well inside, paper well outside, nothing in between.
    left, right = (x - 20) * 2 - (y - 20), (80 - x) * 2 - (y - 20)
    inside = (y > 20.5) & (left > 1.2) & (right > 1.2)
    outside = (y < 19.5) | (left < -1.2) | (right < -1.2)
    red = near(drawn.pixels, RED)
    assert red[inside].all()
    assert inside.sum() > 20_000
    assert near(drawn.pixels, (255, 255, 255))[outside].all()


def test_an_uncut_picture_runs_over_the_border() -> None:
    make = Maker()
    frame = make.frame(30, 30, 40, 40, border=Stroke(width=2_000))
    image = make.image(frame.id, "as_red00", Placement(box=rect(20, 40, 60, 20), fit=Fit.STRETCH), clip=False)
    drawn = render_unit(page(frame, image), CHAPTER, pictures, scale=4)
    assert colour_at(drawn, 22, 50) == RED
    assert colour_at(drawn, 30, 50) == RED
    assert colour_at(drawn, 30, 35) == (0, 0, 0)


def test_the_border_covers_the_picture_s_edge() -> None:
    make = Maker()
    frame = make.frame(30, 30, 40, 40, border=Stroke(width=2_000, colour="#1030a0"))
    drawn = render_unit(page(frame, make.image(frame.id, "as_red00")), CHAPTER, pictures, scale=4)
    for inward in (-0.7, 0.7):
        assert colour_at(drawn, 30 + inward, 50) == (0x10, 0x30, 0xA0)
    assert colour_at(drawn, 31.5, 50) == RED
    assert colour_at(drawn, 28.5, 50) == (255, 255, 255)


def test_a_frame_without_a_picture_shows_its_background_and_one_without_background_the_paper() -> None:
    make = Maker()
    filled = make.frame(10, 10, 30, 30, background="#1ea03c")
    empty = make.frame(50, 10, 30, 30, background=None)
    drawn = render_unit(page(filled, empty, background="#ffeedd"), CHAPTER, pictures, scale=4)
    assert colour_at(drawn, 25, 25) == GREEN
    assert colour_at(drawn, 65, 25) == (0xFF, 0xEE, 0xDD)


def test_a_bleeding_frame_fills_the_bleed_and_draws_no_border_there() -> None:
    make = Maker()
    frame = make.frame(0, 0, 50, 50, bleed=(Edge.LEFT, Edge.TOP), border=Stroke(width=1_000))
    unit = page(frame, make.image(frame.id, "as_red00"))
    drawn = render_unit(unit, CHAPTER, pictures, scale=4, bleed=True)
    assert colour_at(drawn, -2.9, -2.9) == RED
    assert colour_at(drawn, -2.9, 25) == RED
    assert colour_at(drawn, 50, 25) == (0, 0, 0)
    assert drawn.width == ((100 + 6) * 4)


def test_a_fully_covered_frame_lets_no_background_through_its_edge() -> None:
    make = Maker()
    frame = make.polygon((20, 20), (80, 30), (70, 80), (25, 70), border=NO_BORDER, background="#00ff00")
    drawn = render_unit(page(frame, make.image(frame.id, "as_red00")), CHAPTER, pictures, scale=3)
    red, green = drawn.pixels[..., 0].astype(int), drawn.pixels[..., 1].astype(int)
    assert (green <= red + 1).all()


def test_a_free_picture_is_cut_to_its_box_before_it_is_turned() -> None:
    make = Maker()
    placement = Placement(box=rect(40, 20, 20, 60), transform=Transform(rotate=90_000))
    drawn = render_unit(page(make.overlay("as_red00", placement)), CHAPTER, pictures, scale=4)
    red = near(drawn.pixels, RED)
    ys, xs = np.nonzero(red)
    # The box is 20 × 60 about (50, 50); turned it is 60 × 20.
    assert abs(xs.min() - 80) <= 1
    assert abs(xs.max() - 319) <= 1
    assert abs(ys.min() - 160) <= 1
    assert abs(ys.max() - 239) <= 1


def test_opacity_mixes_with_what_is_under_it() -> None:
    make = Maker()
    overlay = make.overlay("as_red00", Placement(box=rect(10, 10, 30, 20)), opacity=500_000)
    drawn = render_unit(page(overlay), CHAPTER, pictures, scale=4)
    middle = colour_at(drawn, 25, 20)
    assert all(abs(value - (255 + wanted) / 2) <= 2 for value, wanted in zip(middle, RED, strict=True))


def test_focus_crop_and_flip_bring_the_right_part_into_view() -> None:
    make = Maker()
    frame = make.frame(20, 20, 20, 20, border=NO_BORDER)

    def middle(placement: Placement) -> tuple[int, ...]:
        return colour_at(
            render_unit(page(frame, make.image(frame.id, "as_four0", placement)), CHAPTER, pictures, scale=4), 30, 30
        )

    assert middle(Placement(crop=(0, 0, 500_000, 500_000))) == RED
    assert middle(Placement(crop=(500_000, 0, 1_000_000, 500_000))) == GREEN
    assert middle(Placement(crop=(0, 500_000, 500_000, 1_000_000))) == BLUE
    flipped = Placement(transform=Transform(flip_x=True, flip_y=True))
    drawn = render_unit(page(frame, make.image(frame.id, "as_four0", flipped)), CHAPTER, pictures, scale=4)
    assert colour_at(drawn, 36, 36) == RED
    assert colour_at(drawn, 24, 36) == GREEN


def test_pictures_are_drawn_smoothly_when_much_reduced() -> None:
    board = np.indices((600, 600)).sum(axis=0) % 2 * 255
    from lantern_kit.imaging.picture import Picture

    fine = Picture.of(np.repeat(board[..., None], 3, axis=2).astype(np.uint8))
    make = Maker()
    frame = make.frame(20, 20, 20, 20, border=NO_BORDER)
    drawn = render_unit(page(frame, make.image(frame.id, "as_board")), CHAPTER, {"as_board": fine}.get, scale=4)
    inner = drawn.pixels[90:150, 90:150, 0].astype(int)
    assert abs(inner.mean() - 127) < 3
    assert inner.std() < 6
