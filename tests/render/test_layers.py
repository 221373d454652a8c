"""Pages that are painted again after an edit, against the same pages painted anew: equal to the last bit."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import (
    Balloon,
    BalloonShape,
    Band,
    Curve,
    Effect,
    EffectType,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Rect,
    Screen,
    Stroke,
    Tail,
    TailStyle,
    Text,
    TextStyle,
    Unit,
    Writing,
)
from lantern_kit.comic.render import RenderCache, render_unit
from lantern_kit.comic.render.area import Area, apart, closed, meet
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.painting import draw_step
from lantern_kit.imaging.picture import Picture
from tests.comic.strategies import books, stepped
from tests.render.pages import BLUE, CHAPTER, RED, Maker, near, page, pictures, plain, rect
from tests.render.test_any_unit import some
from tests.render.test_part import rich

WORDS = (
    "Is that… mine?",
    "{月|つき}だ！ [三二一]{.dots}、12時",
    "Up.",
    "",
    "A longer [line]{.bold colour=#c02040 size=1.4} that has to be broken somewhere, somehow.",
)
HEART = Curve(
    start=(500, 1_000),
    segments=(((0, 600), (0, 0), (500, 300)), ((1_000, 0), (1_000, 600), (500, 1_000))),
)


def edited(unit: Unit, rng: random.Random) -> Unit:
    """The unit after one edit of the kind that people make."""
    objects: list[Any] = list(unit.objects)
    place = rng.randrange(len(objects))
    item = objects[place]
    match rng.randrange(7):
        case 0:
            rng.shuffle(objects)
        case 1 if not any(item.id in (other.parent, getattr(other, "joined", None)) for other in objects):
            del objects[place]
        case 2:
            copy = moved(item.model_copy(update={"id": f"{item.id[:3]}{rng.randrange(10**6):06d}x"}), rng)
            objects.insert(rng.randint(0, len(objects)), copy)
        case 3:
            joined(objects, rng)
        case 4 | 5:
            objects[place] = restyled(item, rng)
        case _:
            objects[place] = moved(item, rng)
    return unit.model_copy(update={"objects": tuple(objects), "reading": ()})


def joined(objects: list[Any], rng: random.Random) -> None:
    """Two balloons made one, or taken apart again."""
    balloons = [place for place, item in enumerate(objects) if isinstance(item, Balloon)]
    if len(balloons) > 1:
        one, other = rng.sample(balloons, 2)
        free = objects[other].joined is None and all(
            item.joined != objects[one].id for item in (objects[p] for p in balloons)
        )
        partner = objects[other].id if objects[one].joined is None and free else None
        objects[one] = objects[one].model_copy(update={"joined": partner})


def moved(item: Node, rng: random.Random) -> Node:
    """The object at another place."""
    dx, dy = rng.randint(-30_000, 30_000), rng.randint(-30_000, 30_000)
    if isinstance(item, Lettering):
        new = item.model_copy(update={"box": shifted(item.box, dx, dy)})
        if isinstance(item, Balloon) and rng.random() < 0.7:
            tails = tuple(tail.model_copy(update={"tip": (tail.tip[0] + dx, tail.tip[1] + dy)}) for tail in item.tails)
            return new.model_copy(update={"tails": tails})
        return new
    if isinstance(item, Image | Overlay):
        transform = item.placement.transform.model_copy(
            update={"dx": dx, "dy": dy, "rotate": rng.randint(-20, 20) * 500}
        )
        return item.model_copy(update={"placement": item.placement.model_copy(update={"transform": transform})})
    if isinstance(item, Effect) and item.box is not None:
        return item.model_copy(update={"box": shifted(item.box, dx, dy)})
    if isinstance(item, Frame):
        return (
            Maker()
            .frame(rng.randint(0, 60), rng.randint(0, 90), 35, 40)
            .model_copy(update={"id": item.id, "bleed": item.bleed, "border": item.border})
        )
    return item


def restyled(item: Node, rng: random.Random) -> Node:
    """The object with another look."""
    if isinstance(item, Lettering):
        style = TextStyle(
            size=rng.randint(15, 80) * 100,
            bold=rng.random() < 0.3,
            italic=rng.random() < 0.3,
            colour=rng.choice(("#000000", "#c02040", "#20204080")),
            outline=rng.choice((None, Stroke(width=rng.randint(200, 3_000), colour="#ffffff"))),
            font=rng.choice(("dialogue", "sound", "sans")),
            writing=rng.choice(list(Writing)),
        )
        new = item.model_copy(update={"style": style, "text": rng.choice(WORDS)})
        if isinstance(item, Text):
            bent = {"arc": rng.randint(-6, 6) * 20_000, "skew": rng.randint(-2, 2) * 15_000}
            return new.model_copy(update={**bent, "rotate": rng.randint(-9, 9) * 5_000})
        if isinstance(item, Balloon):
            tails = tuple(
                Tail(
                    tip=(rng.randint(0, 100_000), rng.randint(0, 140_000)),
                    bend=rng.randint(-9, 9) * 100_000,
                    style=rng.choice((None, *TailStyle)),
                )
                for _ in range(rng.randrange(3))
            )
            shape = rng.choice(list(BalloonShape))
            return new.model_copy(
                update={
                    "tails": tails,
                    "shape": shape,
                    "outline": HEART if shape is BalloonShape.PATH else None,
                    "stroke": Stroke(width=rng.randint(0, 2_000)),
                    "seed": rng.randint(1, 99),
                }
            )
        return new
    if isinstance(item, Frame):
        border = Stroke(width=rng.randint(0, 4_000), colour=rng.choice(("#000000", "#ffffff", "#30609080")))
        return item.model_copy(update={"border": border, "background": rng.choice((None, "#ffee99"))})
    if isinstance(item, Image | Overlay):
        return item.model_copy(
            update={
                "opacity": rng.choice((1_000_000, 500_000)),
                "asset": rng.choice(("as_red00", "as_green", "as_four0", "as_disc0", "as_gone0")),
                **({"clip": rng.random() < 0.7} if isinstance(item, Image) else {}),
            }
        )
    if isinstance(item, Effect):
        return item.model_copy(
            update={
                "effect": rng.choice(list(EffectType)),
                "density": rng.randint(0, 10) * 100_000,
                "opacity": rng.choice((1_000_000, 400_000)),
                "angle": rng.randint(0, 360) * 1_000,
                "pitch": rng.randint(2, 30) * 100,
                "screen": rng.choice(list(Screen)),
                "density_to": rng.choice((None, 100_000, 900_000)),
                "band": rng.choice((None, *Band)),
            }
        )
    return item


def shifted(box: Rect, dx: int, dy: int) -> Rect:
    return box.model_copy(update={"x": box.x + dx, "y": box.y + dy})


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from(["#ffffff", "#c0804060", "#00000000"]),
    st.sampled_from([None, rect(11.3, 7.9, 61, 88)]),
    st.integers(120, 420),
)
def test_a_page_painted_again_after_any_edits_is_the_page_painted_anew(
    seed: int, background: str, part: Rect | None, edge: int
) -> None:
    rng = random.Random(seed)
    unit, cache = rich(background=background), RenderCache()
    for _ in range(6):
        again = render_unit(unit, CHAPTER, pictures, long_edge=edge, rect=part, cache=cache)
        anew = render_unit(unit, CHAPTER, pictures, long_edge=edge, rect=part)
        assert np.array_equal(again.pixels, anew.pixels)
        assert (again.objects, again.missing) == (anew.objects, anew.missing)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            unit = edited(unit, rng)


@settings(max_examples=40, deadline=None)
@given(books(), st.integers(100, 300))
def test_units_of_any_chapter_are_painted_again_as_they_are_painted_anew(
    seeded: tuple[Book, random.Random, Any], edge: int
) -> None:
    book, rng, ids = seeded
    cache = RenderCache()
    for _ in range(4):
        for unit in book.units():
            again = render_unit(unit, book.chapter, some, long_edge=edge, cache=cache)
            assert np.array_equal(again.pixels, render_unit(unit, book.chapter, some, long_edge=edge).pixels)
        book = stepped(book, rng, ids, steps=2)


def drawn_steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The objects whose steps are drawn from now on."""
    seen: list[str] = []

    def watched(canvas: Any, stage: Any, step: Step) -> None:
        seen.append(step.item.id)
        draw_step(canvas, stage, step)

    monkeypatch.setattr("lantern_kit.comic.render.layers.draw_step", watched)
    return seen


def crowded() -> Unit:
    """Four frames with pictures and a balloon over each."""
    make = Maker()
    objects: list[Any] = []
    for x in (4, 52):
        for y in (4, 72):
            frame = make.frame(x, y, 42, 62)
            objects += [frame, make.image(frame.id, "as_four0"), make.balloon(x + 5, y + 5, 24, 14, "hm")]
    return page(*objects)


def changed(unit: Unit, place: int, **fields: Any) -> Unit:
    objects: list[Any] = list(unit.objects)
    objects[place] = objects[place].model_copy(update=fields)
    return unit.model_copy(update={"objects": tuple(objects)})


def test_after_an_edit_nothing_is_drawn_but_what_it_touches(monkeypatch: pytest.MonkeyPatch) -> None:
    unit, cache = crowded(), RenderCache()
    frame, _, balloon = (item.id for item in unit.objects[:3])
    render_unit(unit, CHAPTER, pictures, cache=cache)
    seen = drawn_steps(monkeypatch)
    unit = changed(unit, 2, box=rect(12, 30, 24, 14))
    render_unit(unit, CHAPTER, pictures, cache=cache)
    assert seen == [balloon], "the art under a balloon is kept"
    seen.clear()
    unit = changed(unit, 1, opacity=500_000)
    render_unit(unit, CHAPTER, pictures, cache=cache)
    assert seen == [frame, balloon], "a picture is drawn with its frame, and with what lies over that"
    seen.clear()
    render_unit(changed(unit, 2, name="Another name"), CHAPTER, pictures, cache=cache)
    assert len(seen) <= 1
    seen.clear()
    render_unit(unit, CHAPTER, pictures, cache=cache)
    render_unit(unit, CHAPTER, pictures, cache=cache)
    assert len(seen) <= 1, "what did not change is not drawn at all"


def test_a_balloon_over_a_second_one_is_drawn_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Maker()
    under, over = make.balloon(10, 10, 40, 20, "one"), make.balloon(30, 20, 40, 20, "two")
    apart_ = make.balloon(10, 90, 40, 20, "three")
    unit, cache = page(under, over, apart_), RenderCache()
    render_unit(unit, CHAPTER, pictures, cache=cache)
    seen = drawn_steps(monkeypatch)
    render_unit(changed(unit, 0, text="uno"), CHAPTER, pictures, cache=cache)
    assert seen == [under.id, over.id]
    seen.clear()
    render_unit(page(over, under, apart_), CHAPTER, pictures, cache=cache)
    assert apart_.id not in seen


def test_a_part_of_a_page_needs_only_the_pictures_that_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = crowded()
    seen = drawn_steps(monkeypatch)
    drawn = render_unit(unit, CHAPTER, pictures, rect=rect(6, 6, 30, 40))
    assert seen == [unit.objects[0].id, unit.objects[2].id]
    assert drawn.missing == ()


def test_a_picture_that_was_exchanged_is_seen_in_a_page_painted_again() -> None:
    shelf: dict[str, Picture] = {"as_own00": plain(RED)}
    make = Maker()
    frame = make.frame(10, 10, 40, 40)
    cache = RenderCache()
    unit = page(frame, make.image(frame.id, "as_own00"))
    assert near(render_unit(unit, CHAPTER, shelf.get, scale=3, cache=cache).pixels[90, 90], RED)
    shelf["as_own00"] = plain(BLUE)
    assert near(render_unit(unit, CHAPTER, shelf.get, scale=3, cache=cache).pixels[90, 90], BLUE)


def test_what_a_caller_holds_of_a_page_is_not_painted_over() -> None:
    unit, cache = crowded(), RenderCache()
    first = render_unit(unit, CHAPTER, pictures, scale=3, cache=cache)
    before = first.pixels.copy()
    render_unit(changed(unit, 2, text="Something else"), CHAPTER, pictures, scale=3, cache=cache)
    assert np.array_equal(first.pixels, before)
    with pytest.raises(ValueError, match="read-only"):
        first.pixels[0, 0] = 0


def test_a_page_that_would_push_everything_out_is_not_kept() -> None:
    cache = RenderCache(limit=1_000_000)
    render_unit(page(Maker().balloon(10, 10, 40, 20, "hm")), CHAPTER, pictures, scale=4, cache=cache)
    assert cache.held == 0
    render_unit(page(Maker().balloon(10, 10, 40, 20, "hm")), CHAPTER, pictures, scale=1, cache=cache)
    assert cache.held > 0


areas = st.tuples(*[st.integers(0, 60)] * 2, *[st.integers(1, 25)] * 2).map(
    lambda a: (a[0], a[1], a[0] + a[2], a[1] + a[3])
)


@given(st.lists(areas, max_size=8), st.lists(areas, max_size=8))
def test_regions_stay_apart_and_cut_nothing_in_two(spoilt: list[Area], things: list[Area]) -> None:
    found = closed(spoilt, things)
    assert all(not meet(one, other) for place, one in enumerate(found) for other in found[:place])
    for area in spoilt:
        assert any(holds(one, area) for one in found)
    for thing in things:
        touched = [one for one in found if meet(one, thing)]
        assert not touched or (len(touched) == 1 and holds(touched[0], thing))
    assert sorted(apart(found)) == sorted(found)


def holds(outer: Area, inner: Area) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def test_threads_that_paint_edits_of_one_page_get_their_own() -> None:
    rng, unit, cache = random.Random(8), rich(), RenderCache()
    states = [unit] + [unit := edited(unit, rng) for _ in range(7)]
    wanted = [render_unit(state, CHAPTER, pictures, long_edge=300).pixels for state in states]

    def paint(turn: int) -> bool:
        place = turn * 5 % len(states)
        drawn = render_unit(states[place], CHAPTER, pictures, long_edge=300, cache=cache)
        return np.array_equal(drawn.pixels, wanted[place])

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(paint, range(60)))
