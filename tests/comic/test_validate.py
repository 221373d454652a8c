from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import (
    MOST_LETTERS,
    MOST_OBJECTS,
    MOST_WORDS,
    Balloon,
    BalloonShape,
    Edge,
    Effect,
    EffectType,
    Foreground,
    Frame,
    Image,
    Overlay,
    Placement,
    Polygon,
    Rect,
    Surface,
    Tail,
    Text,
    TextStyle,
    Unit,
    UnitKind,
)
from lantern_kit.comic.validate import PARENTS, validate_book, validate_unit
from tests.comic.operations import CAT, CUT, empty

CHAPTER = empty().chapter
SURFACE = Surface(id="sf_0001", x=0, width=105_000, height=148_000)
RIGHT = Surface(id="sf_0002", x=109_000, width=105_000, height=148_000)
BOX = Rect(x=10_000, y=10_000, w=30_000, h=20_000)
SQUARE = Polygon(points=((10_000, 10_000), (40_000, 10_000), (40_000, 40_000), (10_000, 40_000)))
PAGE = "un_0001"


def frame(ident: str = "fr_0001", **facts: Any) -> Frame:
    return Frame(**{"id": ident, "parent": PAGE, "shape": SQUARE, **facts})


def balloon(ident: str = "bl_0001", **facts: Any) -> Balloon:
    return Balloon(**{"id": ident, "parent": PAGE, "box": BOX, "text": "Up.", **facts})


def image(ident: str = "im_0001", **facts: Any) -> Image:
    return Image(**{"id": ident, "parent": "fr_0001", "asset": CAT, **facts})


def page(*objects: Any, **facts: Any) -> Unit:
    reading = tuple(
        dict.fromkeys(item.id for item in objects if item.kind in ("frame", "balloon", "narration", "text"))
    )
    return Unit(
        **{"kind": UnitKind.PAGE, "id": PAGE, "surfaces": (SURFACE,), "objects": objects, "reading": reading, **facts}
    )


def rules(unit: Unit) -> list[tuple[str, str]]:
    return [(found.rule, found.object) for found in validate_unit(unit, CHAPTER)]


def crossed(*points: tuple[int, int]) -> Polygon:
    return Polygon(points=points)


SPREAD = {"kind": UnitKind.SPREAD, "gutter": 4_000, "surfaces": (SURFACE, RIGHT)}


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (page(frame(), balloon(parent="fr_0001"), image()), []),
        (page(**SPREAD), []),
        (page(frame(), frame()), [("id.twice", "fr_0001")]),
        (page(frame(parent="fr_0002")), [("parent.missing", "fr_0001")]),
        (page(frame(), frame("fr_0002", parent="fr_0001")), [("parent.kind", "fr_0002")]),
        (page(frame(), image(), image("im_0002", parent="im_0001")), [("parent.kind", "im_0002")]),
        (page(Foreground(id="fg_0001", parent=PAGE, asset=CUT)), [("parent.kind", "fg_0001")]),
        (page(balloon(), balloon("bl_0002", parent="bl_0001")), [("parent.kind", "bl_0002")]),
        (
            page(frame(), Overlay(id="ov_0001", parent="fr_0001", asset=CAT, placement=Placement(box=BOX))),
            [("parent.kind", "ov_0001")],
        ),
        (
            page(
                frame(),
                image(),
                Foreground(id="fg_0001", parent="im_0001", asset=CUT),
                Foreground(id="fg_0002", parent="im_0001", asset=CUT),
            ),
            [("foreground.second", "fg_0002")],
        ),
        (page(frame(), reading=()), [("reading.missing", "fr_0001")]),
        (page(frame(), reading=("fr_0001", "fr_0001")), [("reading.twice", "fr_0001")]),
        (page(frame(), reading=("fr_0001", "fr_0002")), [("reading.unknown", "fr_0002")]),
        (page(frame(), image(), reading=("fr_0001", "im_0001")), [("reading.unknown", "im_0001")]),
        (page(frame(shape=crossed((0, 0), (9, 9), (9, 0), (0, 9)))), [("shape.crosses_itself", "fr_0001")]),
        (page(frame(shape=crossed((0, 0), (9, 9), (9, 0), (0, 8)))), [("shape.crosses_itself", "fr_0001")]),
        (page(frame(shape=crossed((0, 0), (9, 9), (4, 4)))), [("shape.empty", "fr_0001")]),
        (page(frame(shape=crossed((0, 0), (9, 0), (9, 0), (0, 9)))), [("shape.repeats", "fr_0001")]),
        (page(frame(bleed=(Edge.TOP, Edge.LEFT))), [("frame.bleed", "fr_0001")]),
        (page(frame(bleed=(Edge.TOP, Edge.TOP))), [("frame.bleed", "fr_0001")]),
        (page(surfaces=(SURFACE, RIGHT)), [("unit.surfaces", PAGE)]),
        (page(kind=UnitKind.SPREAD), [("unit.surfaces", PAGE)]),
        (page(gutter=4_000), [("unit.gutter", PAGE)]),
        (page(surfaces=(SURFACE.model_copy(update={"x": 1}),)), [("unit.surface_place", PAGE)]),
        (page(**{**SPREAD, "gutter": 5_000}), [("unit.surface_place", PAGE)]),
        (
            page(**{**SPREAD, "surfaces": (SURFACE, RIGHT.model_copy(update={"height": 1_000_000}))}),
            [("unit.surface_height", PAGE)],
        ),
        (page(**{**SPREAD, "surfaces": (SURFACE, RIGHT.model_copy(update={"id": "sf_0001"}))}), [("id.twice", PAGE)]),
        (page(surfaces=(SURFACE.model_copy(update={"width": 9_000}),)), [("paper.safe", PAGE)]),
        (page(surfaces=(SURFACE.model_copy(update={"height": 9_995_000}),)), [("unit.size", PAGE)]),
        (page(image(parent=PAGE)), [("box.missing", "im_0001")]),
        (page(Overlay(id="ov_0001", parent=PAGE, asset=CAT, placement=Placement())), [("box.missing", "ov_0001")]),
        (page(Effect(id="ef_0001", parent=PAGE, effect=EffectType.TONE)), [("box.missing", "ef_0001")]),
        (page(frame(), image(placement=Placement(crop=(500, 0, 500, 9)))), [("placement.crop", "im_0001")]),
        (page(balloon(style=TextStyle(size=2_000, smallest=2_001))), [("style.smallest", "bl_0001")]),
        (page(balloon(box=Rect(x=215_000, y=0, w=9, h=9))), [("place.far", "bl_0001")]),
        (page(balloon(tails=(Tail(tip=(0, 300_000)),))), [("place.far", "bl_0001")]),
        (page(balloon(box=Rect(x=205_000, y=0, w=9, h=9))), []),
        (page(balloon(text="a\x07b")), [("text.control", "bl_0001")]),
        (page(balloon(text="a\tb")), [("text.control", "bl_0001")]),
        (page(balloon(text="two\nlines 三二一 🎈")), []),
        (page(balloon(speaker="Chel\x00sea")), [("text.control", "bl_0001")]),
        (page(frame(name="\x85")), [("text.control", "fr_0001")]),
        (page(name="a\x1b"), [("text.control", PAGE)]),
        (page(balloon(tails=(Tail(tip=BOX.centre),))), [("balloon.tail", "bl_0001")]),
        (page(balloon(shape=BalloonShape.PATH)), [("balloon.outline", "bl_0001")]),
        (page(balloon(shape=BalloonShape.PATH, outline=crossed((0, 0), (9, 0), (0, 9)))), []),
        (
            page(balloon(shape=BalloonShape.PATH, outline=crossed((0, 0), (9, 9), (9, 0), (0, 9)))),
            [("shape.crosses_itself", "bl_0001")],
        ),
        (page(balloon(), balloon("bl_0002", joined="bl_0001"), balloon("bl_0003", joined="bl_0001")), []),
        (page(balloon(joined="bl_0001")), [("balloon.joined", "bl_0001")]),
        (page(balloon(joined="bl_0002")), [("balloon.joined", "bl_0001")]),
        (page(frame(), balloon(joined="fr_0001")), [("balloon.joined", "bl_0001")]),
        (
            page(
                balloon(joined="bl_0002"),
                balloon("bl_0002", joined="bl_0003"),
                balloon("bl_0003", joined="bl_0001"),
                balloon("bl_0004", joined="bl_0001"),
            ),
            [("balloon.joined", "bl_0001"), ("balloon.joined", "bl_0002"), ("balloon.joined", "bl_0003")],
        ),
    ],
)  # fmt: skip
def test_each_fault_is_found_with_its_rule_and_object(unit: Unit, expected: list[tuple[str, str]]) -> None:
    assert rules(unit) == expected
    for found in validate_unit(unit, CHAPTER):
        assert found.severity == "error"
        assert found.unit == PAGE
        assert found.message


def test_a_lone_half_of_a_surrogate_pair_is_found() -> None:
    broken = balloon().model_copy(update={"text": "\ud83d"})  # what pydantic itself refuses can still be copied in
    assert rules(page(broken)) == [("text.control", "bl_0001")]


def test_everything_is_found_not_only_the_first() -> None:
    unit = page(
        frame(shape=crossed((0, 0), (9, 9), (9, 0), (0, 8)), bleed=(Edge.TOP, Edge.LEFT), name="\x07"),
        balloon(parent="fr_0009"),
        gutter=1_000,
        reading=(),
    )
    assert {rule for rule, _ in rules(unit)} == {
        "unit.gutter", "text.control", "shape.crosses_itself", "frame.bleed", "parent.missing", "reading.missing",
    }  # fmt: skip


def test_every_kind_of_object_has_its_parents() -> None:
    assert set(PARENTS) == {"frame", "image", "foreground", "overlay", "balloon", "narration", "text", "effect"}
    text = Text(id="tx_0001", parent="fr_0001", box=BOX, text="BANG")
    assert rules(page(frame(), text)) == []


def test_ids_shared_between_units_are_found_in_the_whole_book() -> None:
    other = page(frame(parent="un_0002"), id="un_0002")
    book = Book.of(CHAPTER, [page(frame()), other])
    found = validate_book(book)
    assert [(item.rule, item.unit, item.object) for item in found] == [
        ("id.twice", "un_0002", "sf_0001"),
        ("id.twice", "un_0002", "fr_0001"),
    ]
    assert found[1].data["units"] == [PAGE, "un_0002"]
    assert validate_book(book, [PAGE]) == ()


def test_the_chapters_own_faults_are_found() -> None:
    paper = CHAPTER.paper.model_copy(update={"safe": 60_000})
    chapter = CHAPTER.model_copy(update={"comic": "a\x00", "title": "b\x7f", "paper": paper})
    found = validate_book(Book.of(chapter, [page()]))
    assert [item.rule for item in found] == ["text.control", "text.control", "paper.safe", "paper.safe"]
    assert {item.object for item in found} == {chapter.id, PAGE}


def test_findings_are_remembered_by_object_not_by_value() -> None:
    good, bad = frame(), frame(shape=crossed((0, 0), (9, 9), (9, 0), (0, 8)))
    for _ in range(3):
        assert rules(page(good)) == []
        assert rules(page(bad)) == [("shape.crosses_itself", "fr_0001")]
        assert rules(page(good.model_copy(update={"shape": bad.shape}))) == [("shape.crosses_itself", "fr_0001")]


TAIL = Tail(tip=(50_000, 50_000))


@pytest.mark.parametrize(
    ("item", "field"),
    [
        (balloon().model_copy(update={"tails": (TAIL,) * 9}), "tails"),
        (balloon().model_copy(update={"box": BOX.model_copy(update={"x": 10_000_001})}), "box.x"),
        (balloon().model_copy(update={"name": "n" * 121}), "name"),
        (frame().model_copy(update={"background": "red"}), "background"),
        (
            image(parent=PAGE, placement=Placement(box=BOX).model_copy(update={"focus": (0, -1)})),
            "placement.focus.2",
        ),
    ],
)
def test_a_copy_past_the_limits_of_the_model_is_broken(item: Any, field: str) -> None:
    found = validate_unit(page().model_copy(update={"objects": (item,)}), CHAPTER)
    assert field in [finding.data.get("field") for finding in found if finding.rule == "model.limit"]


def test_a_unit_and_a_chapter_past_the_limits_of_the_model_are_broken() -> None:
    assert ("model.limit", PAGE) in rules(page().model_copy(update={"gutter": 200_001}))
    chapter = CHAPTER.model_copy(update={"title": "t" * 201})
    assert [found.rule for found in validate_book(Book.of(chapter))] == ["model.limit"]


def test_a_unit_holds_so_many_objects_and_no_more() -> None:
    full = page(*(balloon(f"bl_{number:05}") for number in range(MOST_OBJECTS)))
    assert rules(full) == []
    one = balloon("bl_onemore")
    more = full.model_copy(update={"objects": (*full.objects, one), "reading": (*full.reading, one.id)})
    assert rules(more) == [("unit.objects", PAGE)]


def test_all_words_of_a_unit_have_so_many_characters_and_no_more() -> None:
    count, rest = divmod(MOST_LETTERS, MOST_WORDS)
    full = [balloon(f"bl_{number:05}", text="x" * MOST_WORDS) for number in range(count)]
    full.append(balloon("bl_therest", text="x" * rest))
    assert rules(page(*full)) == []
    assert rules(page(*full, balloon("bl_onemore", text="x"))) == [("unit.words", PAGE)]
