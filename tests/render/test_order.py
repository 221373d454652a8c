from __future__ import annotations

from lantern_kit.comic.model import Band, EffectType, Placement
from lantern_kit.comic.render.order import paint_order
from tests.render.pages import Maker, page, rect


def test_bands_come_before_the_order_on_the_unit() -> None:
    make = Maker()
    balloon = make.balloon(10, 10, 20, 10, "hm")
    text = make.text(10, 30, 20, 10, "BANG")
    overlay = make.overlay("as_red00", Placement(box=rect(0, 0, 10, 10)))
    frame = make.frame(5, 5, 50, 50)
    backdrop = make.image("un_page1", "as_red00", Placement(box=rect(0, 0, 100, 140)))
    steps = paint_order(page(text, balloon, overlay, frame, backdrop))
    assert [step.item.kind for step in steps] == ["image", "frame", "overlay", "balloon", "text"]


def test_inside_a_band_the_unit_s_own_order_holds() -> None:
    make = Maker()
    frames = [make.frame(5 * n, 5, 20, 20) for n in range(4)]
    steps = paint_order(page(*frames))
    assert [step.item.id for step in steps] == [frame.id for frame in frames]


def test_a_frame_takes_its_pictures_and_effects_along_in_their_order() -> None:
    make = Maker()
    frame = make.frame(5, 5, 50, 50)
    first = make.image(frame.id, "as_red00")
    lines = make.effect(frame.id, EffectType.FOCUS)
    second = make.image(frame.id, "as_green")
    (step,) = paint_order(page(first, frame, lines, second))
    assert [item.id for item in step.inside] == [first.id, lines.id, second.id]


def test_an_uncut_picture_stands_over_its_frame_s_border() -> None:
    make = Maker()
    frame = make.frame(5, 5, 50, 50)
    cut, uncut = make.image(frame.id, "as_red00"), make.image(frame.id, "as_green", clip=False)
    (step,) = paint_order(page(frame, uncut, cut))
    assert [item.id for item in step.inside] == [cut.id]
    assert [item.id for item in step.above] == [uncut.id]


def test_a_picture_that_names_a_band_leaves_its_frame_s_step() -> None:
    make = Maker()
    frame = make.frame(5, 5, 50, 50)
    lifted = make.image(frame.id, "as_red00", band=Band.BALLOONS)
    balloon = make.balloon(10, 10, 20, 10, "hm")
    steps = paint_order(page(frame, balloon, lifted))
    assert [step.item.id for step in steps] == [frame.id, balloon.id, lifted.id]
    assert steps[-1].frame == frame


def test_a_balloon_may_go_behind_the_art_and_a_foreground_before_the_words() -> None:
    make = Maker()
    frame = make.frame(5, 5, 50, 50)
    image = make.image(frame.id, "as_red00")
    balloon = make.balloon(10, 10, 20, 10, "hm", band=Band.PAPER)
    hero = make.foreground(image, "as_disc0", band=Band.TEXT)
    sound = make.text(10, 30, 20, 10, "BANG")
    steps = paint_order(page(frame, image, sound, balloon, hero))
    assert [step.item.id for step in steps] == [balloon.id, frame.id, sound.id, hero.id]


def test_joined_balloons_are_drawn_as_one_in_the_place_of_the_lowest() -> None:
    make = Maker()
    root = make.balloon(10, 10, 20, 10, "I")
    last = make.balloon(10, 40, 20, 10, "say!", joined=root.id)
    between = make.balloon(10, 22, 20, 10, "no")
    sound = make.text(10, 30, 20, 10, "BANG")
    low, middle, high = paint_order(page(last, sound, between, root))
    assert (low.item, low.joined) == (root, (last,))
    assert low.objects == (root, last)
    assert low.group is not None
    assert [middle.item.id, high.item.id] == [between.id, sound.id]
    assert middle.group is None


def test_joined_balloons_of_different_bands_lie_in_the_lowest_of_them() -> None:
    make = Maker()
    frame = make.frame(5, 5, 50, 50)
    root = make.balloon(10, 10, 20, 10, "I", band=Band.TEXT)
    below = make.balloon(10, 40, 20, 10, "say!", joined=root.id, band=Band.PAPER)
    first, second = paint_order(page(root, frame, below))
    assert (first.item.id, first.band, second.item.id) == (root.id, Band.PAPER, frame.id)


def test_a_balloon_that_is_joined_to_nothing_is_drawn_in_its_own_place() -> None:
    make = Maker()
    lost = make.balloon(10, 10, 20, 10, "I", joined="bl_9999")
    other = make.balloon(10, 40, 20, 10, "say!")
    steps = paint_order(page(lost, other))
    assert [(step.item, step.joined) for step in steps] == [(lost, ()), (other, ())]
