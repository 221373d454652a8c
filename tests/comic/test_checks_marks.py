"""Marks on the page, by property; kept colours, on photographs; where pages are bound; when the library is asked."""

from __future__ import annotations

import random
from collections.abc import Mapping
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pillow

from lantern_kit.comic.book import Book
from lantern_kit.comic.checks import check_unit, study_units
from lantern_kit.comic.checks.balance import EDGE
from lantern_kit.comic.checks.kept import Kept, speakers
from lantern_kit.comic.checks.marked import depths, lying_on
from lantern_kit.comic.checks.palette import FAR, apart
from lantern_kit.comic.geometry import bounds
from lantern_kit.comic.model import Binding, Chapter, Direction, Edge, Frame, Surface, Unit, UnitKind
from lantern_kit.comic.pages import bound_at
from lantern_kit.comic.placement import placement_matrix
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.order import paint_order
from lantern_kit.datasets import photos
from lantern_kit.imaging.perception import oklab
from lantern_kit.imaging.picture import Picture, Pixels
from tests.comic.faulty_stage import ATTIC, KEPT, MIRA, Panels, face
from tests.comic.operations import assets
from tests.comic.strategies import Ids, books
from tests.render.pages import CHAPTER, page, plain

Seeded = tuple[Book, random.Random, Ids]


def view(pictures: Mapping[str, Picture], unit: Unit, chapter: Chapter) -> Pixels:
    return np.ascontiguousarray(render_unit(unit, chapter, pictures.get, long_edge=EDGE).pixels)


@given(books())
@settings(max_examples=60)
def test_marks_lie_where_their_pictures_lie_and_no_more_is_seen_than_there_is(seeded: Seeded) -> None:
    book = seeded[0]
    for unit in book.units():
        for lying in lying_on(unit, book.chapter.paper, assets):
            size, item = assets(lying.item.asset), lying.item
            assert lying.mark is item.marks[lying.number - 1]
            assert -1e-6 <= lying.left <= 1 + 1e-6
            assert lying.shown.area <= lying.used.area + 1 <= lying.area.area + 2
            if item.placement.box is not None:
                matrix = placement_matrix(item.placement, item.placement.box, size.width, size.height)
                left, top = lying.mark.area[0] * size.width / 1e6, lying.mark.area[1] * size.height / 1e6
                assert lying.area.exterior.coords[0] == pytest.approx(matrix.map(left, top), abs=1e-3)


@given(books())
@settings(max_examples=60)
def test_what_is_drawn_later_is_deeper_in_the_order_of_drawing(seeded: Seeded) -> None:
    for unit in seeded[0].units():
        depth = depths(unit)
        plainly = [step.item.id for step in paint_order(unit) if not step.joined]
        assert [depth[name] for name in plainly] == sorted(depth[name] for name in plainly)


@pytest.mark.parametrize("photo", [photo.name for photo in photos()])
def test_a_photograph_keeps_to_its_own_colours_also_when_it_is_darker(photo: str) -> None:
    pixels = _photograph(photo)
    kept = {ATTIC: Kept(ATTIC, "scene", ("Attic",), _palette(pixels))}
    for shade in (1.0, 0.7):
        drawn = Picture.of((pixels * shade).astype(np.uint8))
        unit = page(*Panels().one(asset="as_photo", scene=ATTIC))
        found = study_units(
            [unit], CHAPTER, {"as_photo": drawn}.get, kept=kept.copy, view=_viewing({"as_photo": drawn})
        )
        assert "continuity.kept" not in {item.rule for item in found}


@pytest.mark.parametrize(("photo", "other"), [("chelsea", "retina"), ("moon", "coffee"), ("retina", "rocket")])
def test_a_photograph_of_other_colours_is_told_with_how_far_they_lie(photo: str, other: str) -> None:
    drawn = {"as_photo": Picture.of(_photograph(other))}
    kept = {ATTIC: Kept(ATTIC, "scene", ("Attic",), _palette(_photograph(photo)))}
    unit = page(*Panels().one(asset="as_photo", scene=ATTIC))
    found = study_units([unit], CHAPTER, drawn.get, kept=kept.copy, view=_viewing(drawn))
    (told,) = (item for item in found if item.rule == "continuity.kept")
    assert told.data["apart"] > FAR
    assert (told.data["entry"], told.data["name"]) == (ATTIC, "Attic")
    assert "the scene Attic" in told.message


def _photograph(name: str) -> Pixels:
    data = next(photo for photo in photos() if photo.name == name).read()
    picture = Pillow.open(BytesIO(data)).convert("RGB")
    picture.thumbnail((400, 400))
    return np.array(picture)


def _palette(pixels: Pixels) -> tuple[str, ...]:
    """Six colours of a picture, as a painter might note them."""
    colours = Pillow.fromarray(pixels).quantize(6, method=Pillow.Quantize.MEDIANCUT).getpalette() or []
    return tuple("#" + bytes(colours[at : at + 3]).hex() for at in range(0, 18, 3) if colours[at : at + 3])


def _viewing(pictures: Mapping[str, Picture]):
    return lambda unit, chapter: view(pictures, unit, chapter)


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=6))
def test_a_colour_of_a_palette_is_no_distance_from_it(colours: list[tuple[int, int, int]]) -> None:
    names = [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in colours]
    assert float(apart(oklab(np.array(colours, np.uint8)), names).max()) < 1e-3


@pytest.mark.parametrize(
    ("binding", "direction", "edges"),
    [
        (Binding.LEFT, Direction.LTR, [None, Edge.LEFT, Edge.RIGHT, None, Edge.LEFT]),
        (Binding.RIGHT, Direction.RTL, [None, Edge.RIGHT, Edge.LEFT, None, Edge.RIGHT]),
        (Binding.TOP, Direction.LTR, [None, Edge.TOP, Edge.TOP, None, Edge.TOP]),
        (Binding.LEFT, Direction.TTB, [None] * 5),
    ],
)
def test_pages_are_bound_at_alternate_sides(binding: Binding, direction: Direction, edges: list[Edge | None]) -> None:
    kinds = (UnitKind.COVER, UnitKind.PAGE, UnitKind.PAGE, UnitKind.SPREAD, UnitKind.PAGE)
    units = []
    for place, kind in enumerate(kinds):
        sides = [Surface(id=f"sf_{place}aaaa{at}", x=at * 100_000, width=100_000, height=140_000)
                 for at in range(1 + (kind is UnitKind.SPREAD))]  # fmt: skip
        units.append(Unit(kind=kind, id=f"un_page{place}", surfaces=tuple(sides)))
    paper = CHAPTER.paper.model_copy(update={"binding": binding})
    book = Book.of(CHAPTER.model_copy(update={"paper": paper, "direction": direction}), units)
    bound = bound_at(book)
    # The last one is page 5, after a spread of 3 and 4.
    assert [bound(unit) for unit in units] == edges


def test_the_library_is_not_asked_where_a_page_names_nobody() -> None:
    def fail() -> Mapping[str, Kept]:
        raise AssertionError("asked")

    pictures = {"as_fine0": plain((1, 2, 3), 840, 500)}
    assert check_unit(page(*Panels().one(face())), CHAPTER, pictures.get, kept=fail) == ()
    with pytest.raises(AssertionError, match="asked"):
        check_unit(page(*Panels().one(face(who=MIRA))), CHAPTER, pictures.get, kept=fail)


def test_without_a_library_nothing_is_held_against_it() -> None:
    pictures = {"as_fine0": plain((1, 2, 3), 840, 500)}
    unit = page(*Panels().one(face(who="li_nobody")))
    assert check_unit(unit, CHAPTER, pictures.get) == ()
    assert [item.rule for item in check_unit(unit, CHAPTER, pictures.get, kept=KEPT.copy)] == ["library.missing"]


def test_a_name_means_the_comics_own_entry_first_and_of_two_neither() -> None:
    kept = {
        "li_00one0": Kept("li_00one0", "character", ("Ann", "Annie")),
        "li_00two0": Kept("li_00two0", "character", ("ANN",)),
        "li_other0": Kept("li_other0", "character", ("Annie",), comic="Another"),
        "li_all000": Kept("li_all000", "prop", ("The  Parrot",)),
        "li_own000": Kept("li_own000", "prop", ("the parrot",), comic="Test"),
        "li_away00": Kept("li_away00", "character", ("Zoe",), archived=True),
        "li_place0": Kept("li_place0", "scene", ("Attic",)),
    }
    assert speakers(kept, "Test") == {"annie": "li_00one0", "the parrot": "li_own000"}


def test_a_face_is_judged_by_what_its_frame_shows_of_it() -> None:
    frame, image = Panels().one(face())
    (lying,) = lying_on(page(frame, image), CHAPTER.paper, {"as_fine0": plain((1, 2, 3), 1_400, 1_000)}.get)
    assert isinstance(lying.frame, Frame)
    box = bounds(frame.shape)
    assert [round(edge) for edge in lying.area.bounds] == [
        box.x + box.w * 4 // 10, box.y + box.h * 3 // 10, box.x + box.w * 6 // 10, box.y + box.h * 6 // 10,
    ]  # fmt: skip
