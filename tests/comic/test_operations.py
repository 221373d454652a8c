from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.comic.geometry import bounds, gap, rect_of
from lantern_kit.comic.model import (
    Band,
    Binding,
    Curve,
    Direction,
    Edge,
    EffectType,
    Fit,
    Rect,
    Stroke,
    Surface,
    UnitKind,
)
from lantern_kit.kernel.errors import BadInput, InvalidDocument, NotFound, WrongTarget
from tests.comic.operations import CAT, CUT, JPEG, MOON, Desk, empty

RECT = [10, 10, 80, 60]


def page(direction: str = "ltr") -> tuple[Desk, str]:
    desk = Desk(empty(direction=direction))
    return desk, desk.one("unit.add")


def framed(direction: str = "ltr") -> tuple[Desk, str, str]:
    desk, unit = page(direction)
    return desk, unit, desk.one("frame.add", unit, rect=RECT)


def spread(direction: str = "ltr", gutter: float = 4) -> tuple[Desk, str]:
    desk = Desk(empty(direction=direction))
    return desk, desk.one("unit.add", kind="spread", gutter=gutter)


def mm(x: float, y: float, w: float, h: float) -> Rect:
    return Rect(x=round(x * 1000), y=round(y * 1000), w=round(w * 1000), h=round(h * 1000))


def refused(desk: Desk, op: str, target: str, kind: type[Exception] = BadInput, /, **args: Any) -> str:
    with pytest.raises(kind) as caught:
        desk.one(op, target, **args)
    return str(caught.value)


# The chapter


def test_chapter_facts_change_one_by_one() -> None:
    desk = Desk()
    desk.one("chapter.set", title="Up", number=3, direction="rtl", language="ja")
    desk.one("chapter.set", desk.book.chapter.id, comic="Chelsea")
    chapter = desk.book.chapter
    assert (chapter.title, chapter.number, chapter.direction, chapter.language) == ("Up", 3, Direction.RTL, "ja")
    assert chapter.comic == "Chelsea"


def test_new_paper_resizes_the_units_of_the_old_size() -> None:
    desk, unit = page()
    wide = desk.one("unit.add", kind="spread", gutter=4)
    desk.one("paper.set", width=148, height=210, bleed=3.175, dpi=300, binding="right")
    paper = desk.book.chapter.paper
    assert (paper.width, paper.height, paper.bleed, paper.dpi) == (148_000, 210_000, 3_175, 300)
    assert paper.binding is Binding.RIGHT
    assert (desk.get(unit).width, desk.get(wide).width, desk.get(wide).height) == (148_000, 300_000, 210_000)
    assert desk.notes
    desk.one("paper.set", width=100, resize=False)
    assert desk.get(unit).width == 148_000


# Units


def test_units_are_added_where_they_are_wanted() -> None:
    desk, first = page()
    last = desk.one("unit.add", kind="transition", name="Night", background="#101010")
    middle = desk.one("unit.add", after=first)
    front = desk.one("unit.add", kind="cover", before=first)
    assert desk.book.order == (front, first, middle, last)
    night = desk.get(last)
    assert (night.kind, night.name, night.background) == (UnitKind.TRANSITION, "Night", "#101010")
    assert refused(desk, "unit.add", desk.book.chapter.id, after=first, before=last)
    assert "no gutter" in refused(desk, "unit.add", desk.book.chapter.id, gutter=4)


def test_a_new_spread_has_two_surfaces_and_its_gutter() -> None:
    desk, unit = spread(gutter=4)
    left, right = desk.get(unit).surfaces
    assert (left.x, left.width, right.x, right.width) == (0, 105_000, 109_000, 105_000)
    assert desk.get(unit).gutter == 4_000


def test_a_unit_goes_with_everything_on_it_and_says_so() -> None:
    desk, unit, _ = framed()
    desk.one("unit.remove", unit)
    assert len(desk.book) == 0
    assert "1 object " in desk.notes[0]


def test_units_move() -> None:
    desk, a = page()
    b, c = desk.one("unit.add"), desk.one("unit.add")
    for args, order in (
        ({"to": "last"}, (b, c, a)),
        ({"to": "first"}, (a, b, c)),
        ({"after": b}, (b, a, c)),
        ({"before": b}, (a, b, c)),
    ):
        desk.one("unit.move", a, **args)
        assert desk.book.order == order
    refused(desk, "unit.move", a, after=a)
    refused(desk, "unit.move", a)


def test_a_copied_unit_has_fresh_ids_throughout() -> None:
    desk, unit, frame = framed()
    image = desk.one("image.place", frame, asset=CAT)
    desk.one("foreground.bind", image, asset=CUT)
    desk.one("balloon.add", frame, text="Up.", at=[30, 30])
    copy = desk.one("unit.duplicate", unit, name="Again")
    old, new = desk.get(unit), desk.get(copy)
    assert desk.book.order == (unit, copy)
    assert new.name == "Again"
    assert not {*old.index, old.id, *(s.id for s in old.surfaces)} & {*new.index, new.id, *(s.id for s in new.surfaces)}
    assert [item.kind for item in new.objects] == [item.kind for item in old.objects]
    assert [new.index[name].kind for name in new.reading] == [old.index[name].kind for name in old.reading]
    foreground = next(item for item in new.objects if item.kind == "foreground")
    assert new.index[foreground.parent].kind == "image"


def test_unit_facts_change() -> None:
    desk, unit = page()
    desk.one("unit.set", unit, name="Opening", background="#ABCDEF", kind="cover")
    found = desk.get(unit)
    assert (found.name, found.background, found.kind) == ("Opening", "#abcdef", UnitKind.COVER)
    refused(desk, "unit.set", unit, WrongTarget, gutter=4)
    desk, unit = spread()
    refused(desk, "unit.set", unit, WrongTarget, kind="page")


def test_a_wider_gutter_moves_the_right_page_and_stretches_what_crosses() -> None:
    desk, unit = spread(gutter=4)
    left = desk.one("frame.add", unit, rect=[10, 10, 50, 50])
    across = desk.one("frame.add", unit, rect=[10, 70, 190, 50])
    right = desk.one("balloon.add", unit, text="Up.", rect=[120, 20, 30, 20], tail=[130, 60])
    desk.one("unit.set", unit, gutter=10)
    assert rect_of(desk.get(left).shape) == mm(10, 10, 50, 50)
    assert rect_of(desk.get(across).shape) == mm(10, 70, 196, 50)
    assert desk.get(right).box == mm(126, 20, 30, 20)
    assert desk.get(right).tails[0].tip == (136_000, 60_000)
    assert desk.get(unit).surfaces[1].x == 115_000


def test_what_starts_at_the_fold_goes_with_the_right_page_when_a_gutter_opens() -> None:
    desk, unit = spread(gutter=0)
    left = desk.one("frame.add", unit, rect=[55, 10, 50, 50])
    right = desk.one("frame.add", unit, rect=[105, 10, 50, 50])
    desk.one("unit.set", unit, gutter=6)
    assert rect_of(desk.get(left).shape) == mm(55, 10, 50, 50)
    assert rect_of(desk.get(right).shape) == mm(111, 10, 50, 50)
    desk.one("unit.set", unit, gutter=0)
    assert rect_of(desk.get(right).shape) == mm(105, 10, 50, 50)


# Spreads


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_spread_splits_into_its_pages_in_reading_order(direction: str) -> None:
    desk, unit = spread(direction)
    left = desk.one("frame.add", unit, rect=[10, 10, 50, 50])
    right = desk.one("frame.add", unit, rect=[120, 10, 50, 50])
    words = desk.one("balloon.add", right, text="Up.", at=[140, 30], tail=[150, 50])
    picture = desk.one("image.place", right, asset=CAT)
    across = desk.one("overlay.add", unit, asset=MOON, box=[90, 80, 40, 40])
    surfaces = desk.get(unit).surfaces
    made = desk.do({"op": "spread.split", "target": unit, "as": "p"})
    assert made["p.1"] == unit
    assert desk.book.order == (made["p.1"], made["p.2"])
    left_page, right_page = (made["p.1"], made["p.2"]) if direction == "ltr" else (made["p.2"], made["p.1"])
    assert desk.home(left).id == left_page
    assert {desk.home(item).id for item in (right, words, picture, across)} == {right_page}
    assert rect_of(desk.get(right).shape) == mm(11, 10, 50, 50)
    assert desk.get(words).tails[0].tip == (41_000, 50_000)
    assert desk.get(right).parent == right_page
    assert desk.get(words).parent == right
    assert desk.get(right_page).reading == (right, words)
    assert [
        desk.get(left_page).surfaces[0],
        desk.get(right_page).surfaces[0].model_copy(update={"x": 109_000}),
    ] == list(surfaces)
    assert desk.get(left_page).kind is desk.get(right_page).kind is UnitKind.PAGE
    assert across in desk.notes[0]


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_two_pages_join_into_a_spread_and_split_again_as_they_were(direction: str) -> None:
    desk, first, one = framed(direction)
    second = desk.one("unit.add")
    two = desk.one("frame.add", second, rect=[5, 5, 50, 50])
    words = desk.one("narration.add", two, text="Later", at=[20, 20])
    pages = [desk.get(first), desk.get(second)]
    desk.one("spread.join", first, gutter=6, **{"with": second})
    joined = desk.get(first)
    assert desk.book.order == (first,)
    assert (joined.kind, joined.gutter, joined.width) == (UnitKind.SPREAD, 6_000, 216_000)
    assert joined.reading == (one, two, words)
    moved, stays = (two, one) if direction == "ltr" else (one, two)
    assert bounds(desk.get(moved).shape).x > 105_000 > bounds(desk.get(stays).shape).x
    made = desk.do({"op": "spread.split", "target": first})
    again = [desk.get(made["1.1"]), desk.get(made["1.2"])]
    assert [unit.model_copy(update={"id": "", "objects": ()}) for unit in again] == [
        unit.model_copy(update={"id": "", "objects": ()}) for unit in pages
    ]
    assert [rect_of(desk.get(item).shape) for item in (one, two)] == [mm(10, 10, 80, 60), mm(5, 5, 50, 50)]


def test_pages_that_cannot_be_a_spread_do_not_join() -> None:
    desk, first = page()
    second, third = desk.one("unit.add"), desk.one("unit.add", kind="spread")
    fourth = desk.one("unit.add")
    assert "follow each other" in refused(desk, "spread.join", first, **{"with": fourth})
    assert "follow each other" in refused(desk, "spread.join", first, **{"with": first})
    refused(desk, "spread.join", second, WrongTarget, **{"with": third})
    refused(desk, "spread.join", first, NotFound, **{"with": "un_0000none"})
    low = desk.get(second).surfaces[0].model_copy(update={"height": 100_000})
    desk.book = desk.book.replace(desk.get(second).model_copy(update={"surfaces": (low,)}))
    assert "100" in refused(desk, "spread.join", first, **{"with": second})


# Frames


def test_frames_take_any_outline() -> None:
    desk, unit = page()
    box = desk.one("frame.add", unit, rect=[10.0005, 10, 20, 30], border={"width": 0.8}, background=None)
    assert rect_of(desk.get(box).shape) == Rect(x=10_001, y=10_000, w=20_000, h=30_000)
    assert (desk.get(box).border, desk.get(box).background) == (Stroke(width=800), None)
    slant = desk.one("frame.add", unit, polygon=[[0, 0], [50, 0], [40, 30]], bleed=["top", "left"], name="hero")
    assert desk.get(slant).shape.points == ((0, 0), (50_000, 0), (40_000, 30_000))
    assert desk.get(slant).bleed == (Edge.LEFT, Edge.TOP)
    segments = [[[30, 40], [60, 40], [60, 60]], [[60, 80], [30, 80], [30, 60]]]
    round_one = desk.one("frame.add", unit, curve={"start": [30, 60], "segments": segments}, after=box)
    assert isinstance(desk.get(round_one).shape, Curve)
    assert desk.get(unit).reading == (box, round_one, slant)
    refused(desk, "frame.add", unit, rect=RECT, bleed=["top", "top"])
    refused(desk, "frame.add", unit, rect=RECT, border={"width": 1, "dash": [0]})


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_cut_frame_gives_each_part_what_lies_in_it(direction: str) -> None:
    desk, unit, frame = framed(direction)
    desk.one("frame.set", frame, border={"width": 1}, bleed=["left"])
    fitted = desk.one("image.place", frame, asset=CAT)
    boxed = desk.one("image.place", frame, asset=MOON, box=[60, 20, 20, 20])
    left = desk.one("balloon.add", frame, text="Up.", at=[25, 30])
    right = desk.one("balloon.add", frame, text="Down.", at=[75, 30])
    after = desk.one("narration.add", unit, text="End", at=[50, 120])
    made = desk.do({"op": "frame.cut", "target": frame, "as": "row", "args": {"line": [[50, 0], [50, 1]], "gutter": 3}})
    first, second = made["row.1"], made["row.2"]
    assert first == frame
    rects = {name: rect_of(desk.get(name).shape) for name in (first, second)}
    on_left, on_right = (first, second) if direction == "ltr" else (second, first)
    assert rects == {on_left: mm(10, 10, 38.5, 60), on_right: mm(51.5, 10, 38.5, 60)}
    assert gap(desk.get(first).shape, desk.get(second).shape) == 3_000
    assert desk.get(fitted).parent == first
    assert desk.get(boxed).parent == desk.get(right).parent == on_right
    assert desk.get(left).parent == on_left
    words = {on_left: left, on_right: right}
    assert desk.get(unit).reading == (first, words[first], second, words[second], after)
    assert desk.get(second).border == Stroke(width=1_000)
    assert desk.get(second).id in [item.id for item in desk.get(unit).objects][:2]


def test_a_cut_keeps_the_bleed_of_the_edges_a_part_still_reaches() -> None:
    desk, unit = page()
    frame = desk.one("frame.add", unit, rect=[0, 0, 105, 60], bleed=["left", "right", "top"])
    made = desk.do({"op": "frame.cut", "target": frame, "args": {"line": [[50, 0], [50, 1]]}})
    assert desk.get(made["1.1"]).bleed == (Edge.LEFT, Edge.TOP)
    assert desk.get(made["1.2"]).bleed == (Edge.RIGHT, Edge.TOP)
    assert gap(desk.get(made["1.1"]).shape, desk.get(made["1.2"]).shape) == 4_000


def test_a_reshaped_frame_keeps_what_is_in_it() -> None:
    desk, _, frame = framed()
    words = desk.one("balloon.add", frame, text="Up.", rect=[20, 20, 20, 20])
    desk.one("frame.reshape", frame, rect=[10, 10, 40, 30])
    assert rect_of(desk.get(frame).shape) == mm(10, 10, 40, 30)
    assert desk.get(words).box == mm(20, 20, 20, 20)
    refused(desk, "frame.reshape", frame, InvalidDocument, rect=[900, 10, 40, 30])


def test_frame_looks_change_one_by_one_and_null_clears_the_background() -> None:
    desk, _, frame = framed()
    desk.one("frame.set", frame, border={"colour": "#FF0000", "dash": [1, 0.5]}, name="hero", band="overlays")
    found = desk.get(frame)
    assert found.border == Stroke(width=500, colour="#ff0000", dash=(1_000, 500))
    assert (found.name, found.band, found.background) == ("hero", Band.OVERLAYS, "#ffffff")
    desk.one("frame.set", frame, background=None)
    assert desk.get(frame).background is None
    desk.one("frame.set", frame, background="#00000080", bleed=["right", "left"])
    assert (desk.get(frame).background, desk.get(frame).bleed) == ("#00000080", (Edge.LEFT, Edge.RIGHT))


def test_a_removed_frame_takes_its_content_and_says_so() -> None:
    desk, unit, frame = framed()
    image = desk.one("image.place", frame, asset=CAT)
    desk.one("foreground.bind", image, asset=CUT)
    desk.one("balloon.add", frame, text="Up.", at=[30, 30])
    other = desk.one("narration.add", unit, text="Stays", at=[30, 120])
    desk.one("frame.remove", frame)
    assert [item.id for item in desk.get(unit).objects] == [other]
    assert desk.get(unit).reading == (other,)
    assert "3 objects" in desk.notes[0]


# Order


def test_objects_are_drawn_in_front_and_behind_each_other() -> None:
    desk, unit = page()
    a, b, c = (desk.one("frame.add", unit, rect=[10 + 5 * i, 10, 30, 30]) for i in range(3))
    for args, order in (
        ({"to": "front"}, [b, c, a]),
        ({"to": "back"}, [a, b, c]),
        ({"above": b}, [b, a, c]),
        ({"below": b}, [a, b, c]),
    ):
        desk.one("object.order", a, **args)
        assert [item.id for item in desk.get(unit).objects] == order
    words = desk.one("balloon.add", unit, text="Up.", at=[30, 30])
    assert "band" in refused(desk, "object.order", words, above=a)
    refused(desk, "object.order", a, above=a)
    inside = desk.one("effect.add", a, effect="tone")
    assert "parent" in refused(desk, "object.order", inside, above=b)


def test_a_figure_may_stand_before_a_balloon() -> None:
    desk, unit = page()
    figure = desk.one("overlay.add", unit, asset=CUT, box=[10, 10, 40, 40])
    desk.one("object.band", figure, band="balloons")
    assert desk.get(figure).layer is Band.BALLOONS
    desk.one("object.band", figure, band=None)
    assert desk.get(figure).layer is Band.OVERLAYS


def test_the_reading_order_is_set_whole_or_moved_in_part() -> None:
    desk, unit, one = framed()
    two = desk.one("frame.add", unit, rect=[10, 80, 80, 50])
    word_one = desk.one("balloon.add", one, text="One", at=[30, 30])
    word_two = desk.one("balloon.add", two, text="Two", at=[30, 100])
    assert desk.get(unit).reading == (one, word_one, two, word_two)
    desk.one("reading.move", two, after=None)
    assert desk.get(unit).reading == (two, word_two, one, word_one)
    desk.one("reading.move", two, after=one)
    assert desk.get(unit).reading == (one, word_one, two, word_two)
    desk.one("reading.move", word_two, after=two)
    desk.one("reading.move", word_two, after=word_one)
    assert desk.get(unit).reading == (one, word_one, word_two, two)
    refused(desk, "reading.move", one, after=word_one)
    refused(desk, "reading.move", one, after=one)
    desk.one("reading.set", unit, order=[two, word_two, word_one, one])
    assert desk.get(unit).reading == (two, word_two, word_one, one)
    assert "misses" in refused(desk, "reading.set", unit, order=[two, word_two, word_one])
    assert "twice" in refused(desk, "reading.set", unit, order=[two, two, word_two, word_one, one])
    image = desk.one("image.place", one, asset=CAT)
    assert "not read" in refused(desk, "reading.set", unit, order=[image, two, word_two, word_one, one])
    refused(desk, "reading.move", two, after=image)


# Any object


def test_a_moved_frame_takes_everything_along() -> None:
    desk, _, frame = framed()
    fitted = desk.one("image.place", frame, asset=CAT, dx=1)
    words = desk.one("balloon.add", frame, text="Up.", rect=[20, 20, 20, 20], tail=[30, 60])
    desk.one("object.move", frame, by=[5, -2.5])
    assert rect_of(desk.get(frame).shape) == mm(15, 7.5, 80, 60)
    assert desk.get(words).box == mm(25, 17.5, 20, 20)
    assert desk.get(words).tails[0].tip == (35_000, 57_500)
    assert desk.get(fitted).placement.transform.dx == 1_000
    desk.one("object.move", frame, to=[10, 10])
    assert rect_of(desk.get(frame).shape) == mm(10, 10, 80, 60)


def test_a_moved_balloon_keeps_pointing_at_its_speaker_unless_told_otherwise() -> None:
    desk, _, frame = framed()
    words = desk.one("balloon.add", frame, text="Up.", rect=[20, 20, 20, 20], tail=[30, 60])
    desk.one("object.move", words, by=[5, 0])
    assert (desk.get(words).box, desk.get(words).tails[0].tip) == (mm(25, 20, 20, 20), (30_000, 60_000))
    desk.one("object.move", words, centre=[40, 40], tail="move")
    assert (desk.get(words).box, desk.get(words).tails[0].tip) == (mm(30, 30, 20, 20), (35_000, 70_000))
    desk.one("object.move", words, to=[10, 10])
    assert desk.get(words).box == mm(10, 10, 20, 20)
    refused(desk, "object.move", words, to=[1, 1], by=[1, 1])


def test_a_picture_that_fills_its_frame_shifts_in_it() -> None:
    desk, _, frame = framed()
    image = desk.one("image.place", frame, asset=CAT)
    desk.one("object.move", image, by=[2, 1])
    desk.one("object.move", image, by=[2, 1])
    turn = desk.get(image).placement.transform
    assert (turn.dx, turn.dy) == (4_000, 2_000)
    assert "no place of its own" in refused(desk, "object.move", image, to=[1, 1])
    tone = desk.one("effect.add", frame, effect="tone")
    refused(desk, "object.move", tone, WrongTarget, by=[1, 1])
    free = desk.one("overlay.add", desk.home(frame).id, asset=MOON, box=[10, 10, 20, 20])
    desk.one("object.move", free, by=[1, 2])
    assert desk.get(free).placement.box == mm(11, 12, 20, 20)


def test_objects_are_renamed_removed_and_copied() -> None:
    desk, unit, frame = framed()
    words = desk.one("balloon.add", frame, text="Up.", rect=[20, 20, 20, 20], tail=[30, 60])
    desk.one("object.rename", words, name="joke")
    copy = desk.one("object.duplicate", words, by=[1, 2], name="again")
    assert (desk.get(copy).text, desk.get(copy).name, desk.get(copy).box) == ("Up.", "again", mm(21, 22, 20, 20))
    assert desk.get(copy).tails[0].tip == (31_000, 62_000)
    assert desk.get(unit).reading == (frame, words, copy)
    whole = desk.one("object.duplicate", frame)
    assert rect_of(desk.get(whole).shape) == mm(15, 15, 80, 60)
    kinds = [desk.get(unit).index[name].kind for name in desk.get(unit).reading]
    assert kinds == ["frame", "balloon", "balloon"] * 2
    assert len(desk.get(unit).children(whole)) == 2
    desk.one("object.remove", words)
    assert words not in desk.get(unit).index
    assert words not in desk.get(unit).reading
    assert desk.notes == ()


# Pictures


def test_a_picture_is_placed_in_a_frame_as_told() -> None:
    desk, _, frame = framed()
    image = desk.one(
        "image.place", frame, asset=CAT, fit="contain", focus=[0.5, 0.3], crop=[0, 0, 0.5, 1], scale=1.25, rotate=-12.5,
        flip_x=True, dx=1.5, dy=-2, clip=False, opacity=0.5, name="Chelsea", band="overlays",
    )  # fmt: skip
    found = desk.get(image)
    place, turn = found.placement, found.placement.transform
    assert (found.parent, found.asset, found.clip, found.opacity, found.name) == (frame, CAT, False, 500_000, "Chelsea")
    assert (place.fit, place.focus, place.crop) == (Fit.CONTAIN, (500_000, 300_000), (0, 0, 500_000, 1_000_000))
    assert (turn.scale, turn.rotate, turn.flip_x, turn.flip_y, turn.dx, turn.dy) == (
        1_250_000, -12_500, True, False, 1_500, -2_000,
    )  # fmt: skip
    assert found.band is Band.OVERLAYS


def test_a_picture_on_the_paper_needs_a_box() -> None:
    desk, unit = page()
    assert "args.box" in refused(desk, "image.place", unit, asset=CAT)
    image = desk.one("image.place", unit, asset=CAT, box=[0, 0, 105, 148])
    assert desk.get(image).placement.box == mm(0, 0, 105, 148)
    refused(desk, "image.adjust", image, InvalidDocument, box=None)
    refused(desk, "image.adjust", image, InvalidDocument, crop=[0.5, 0, 0.5, 1])


def test_a_picture_is_adjusted_key_by_key() -> None:
    desk, _, frame = framed()
    image = desk.one("image.place", frame, asset=CAT, fit="contain", dx=3, box=[20, 20, 20, 20])
    desk.one("image.adjust", image, scale=2, opacity=0.25, clip=False)
    found = desk.get(image)
    assert (found.placement.fit, found.placement.transform.dx, found.placement.transform.scale) == (
        Fit.CONTAIN, 3_000, 2_000_000,
    )  # fmt: skip
    assert (found.opacity, found.clip, found.placement.box) == (250_000, False, mm(20, 20, 20, 20))
    desk.one("image.adjust", image, box=None, name="cat", band="text")
    assert (desk.get(image).placement.box, desk.get(image).name, desk.get(image).band) == (None, "cat", Band.TEXT)


def test_a_picture_is_replaced_in_its_place() -> None:
    desk, _, frame = framed()
    image = desk.one("image.place", frame, asset=CAT, scale=2)
    desk.one("image.replace", image, asset=MOON)
    assert (desk.get(image).asset, desk.get(image).placement.transform.scale) == (MOON, 2_000_000)


def test_a_foreground_is_bound_to_its_own_picture_only() -> None:
    desk, unit, frame = framed()
    image = desk.one("image.place", frame, asset=CAT)
    assert "size" in refused(desk, "foreground.bind", image, asset="as_00small0")
    assert "transparency" in refused(desk, "foreground.bind", image, asset=JPEG)
    assert "not registered as a foreground" in refused(desk, "foreground.bind", image, asset="as_00other0")
    foreground = desk.one("foreground.bind", image, asset=CUT, name="leap")
    found = desk.get(foreground)
    assert (found.parent, found.asset, found.name, found.layer) == (image, CUT, "leap", Band.FOREGROUNDS)
    assert foreground in refused(desk, "foreground.bind", image, asset=CUT)
    assert foreground in refused(desk, "image.replace", image, asset=MOON)
    desk.one("foreground.unbind", image)
    assert foreground not in desk.get(unit).index
    refused(desk, "foreground.unbind", image)
    again = desk.one("foreground.bind", image, asset=CUT)
    desk.one("foreground.unbind", again)
    assert again not in desk.get(unit).index


# Lettering


def test_a_balloon_gets_a_size_from_its_words() -> None:
    desk, _, frame = framed()
    words = desk.one("balloon.add", frame, text="Is that… mine?", speaker="Chelsea", at=[40, 30], tail=[30, 60])
    found = desk.get(words)
    assert found.box.centre == (40_000, 30_000)
    assert 1.0 < found.box.w / found.box.h < 2.0
    assert (found.speaker, found.tails[0].tip, found.parent) == ("Chelsea", (30_000, 60_000), frame)
    assert (found.style.font, found.style.language) == ("dialogue", "en")
    assert "args.at" in refused(desk, "balloon.add", frame, text="Up.")


def test_a_balloon_is_written_as_told() -> None:
    desk, unit, frame = framed()
    words = desk.one(
        "balloon.add", frame, text="Up.", at=[40, 30], size=[30, 20], shape="rounded", padding=2, fill="#FFFF00",
        stroke={"width": 0.5, "colour": "#222222"}, tails=[{"tip": [1, 2], "width": 3, "bend": -0.25}, {"tip": [4, 5]}],
        style={"font": "sans", "size": 1.2, "bold": True, "align": "left", "leading": 1.3, "outline": {"width": 0.2}},
        gutter_safe=False, after=frame,
    )  # fmt: skip
    found = desk.get(words)
    assert found.box == mm(25, 20, 30, 20)
    assert (found.padding, found.fill, found.stroke) == (2_000, "#ffff00", Stroke(width=500, colour="#222222"))
    assert [(tail.tip, tail.width, tail.bend) for tail in found.tails] == [
        ((1_000, 2_000), 3_000, -250_000), ((4_000, 5_000), 4_000, 0),
    ]  # fmt: skip
    style = found.style
    assert (style.size, style.smallest, style.bold, style.leading) == (1_200, 1_200, True, 1_300_000)
    assert style.outline == Stroke(width=200)
    assert not found.gutter_safe
    assert desk.get(unit).reading == (frame, words)
    refused(desk, "balloon.add", frame, text="a", at=[1, 1], tail=[1, 1], tails=[])
    refused(desk, "balloon.add", frame, text="a", at=[1, 1], rect=RECT)
    refused(desk, "balloon.add", frame, text="a", at=[1, 1], style={"outline": {"colour": "#000000"}})
    refused(desk, "balloon.add", frame, InvalidDocument, text="a", at=[20, 20], style={"size": 2, "smallest": 3})


def test_a_balloon_changes_key_by_key() -> None:
    desk, _, frame = framed()
    words = desk.one(
        "balloon.add", frame, text="Up.", rect=[20, 20, 20, 20], tail=[30, 60], style={"outline": {"width": 1}}
    )
    before = desk.get(words)
    desk.one("balloon.set", words, text="Down.", speaker="Moon", style={"italic": True, "outline": None})
    found = desk.get(words)
    assert (found.text, found.speaker, found.style.italic, found.style.outline) == ("Down.", "Moon", True, None)
    assert (found.box, found.tails, found.style.size) == (before.box, before.tails, before.style.size)
    desk.one("balloon.set", words, size=[30, 10])
    assert desk.get(words).box == mm(15, 25, 30, 10)
    desk.one("balloon.set", words, at=[50, 50])
    assert desk.get(words).box == mm(35, 45, 30, 10)
    desk.one("balloon.set", words, rect=[1, 2, 3, 4], shape="box", stroke={"width": 0}, gutter_safe=False)
    assert (desk.get(words).box, desk.get(words).stroke) == (mm(1, 2, 3, 4), Stroke(width=0))


def test_tails_are_pointed_added_and_removed_one_by_one() -> None:
    desk, _, frame = framed()
    words = desk.one("balloon.add", frame, text="Up.", rect=[20, 20, 20, 20])
    assert "args.tip" in refused(desk, "balloon.tail", words, width=3)
    desk.one("balloon.tail", words, tip=[30, 60])
    desk.one("balloon.tail", words, tip=[35, 60], bend=0.5)
    assert [(tail.tip, tail.bend) for tail in desk.get(words).tails] == [((35_000, 60_000), 500_000)]
    desk.one("balloon.tail", words, index=2, tip=[5, 5])
    assert "2 tails" in refused(desk, "balloon.tail", words, tip=[1, 1])
    desk.one("balloon.tail", words, index=2, width=2)
    assert (desk.get(words).tails[1].tip, desk.get(words).tails[1].width) == ((5_000, 5_000), 2_000)
    refused(desk, "balloon.tail", words, index=4, tip=[1, 1])
    refused(desk, "balloon.tail", words, index=3, remove=True)
    refused(desk, "balloon.tail", words, index=1, remove=True, tip=[1, 1])
    desk.one("balloon.tail", words, index=1, remove=True)
    assert [tail.tip for tail in desk.get(words).tails] == [(5_000, 5_000)]


def test_captions_are_written_and_changed() -> None:
    desk, unit, frame = framed()
    words = desk.one("narration.add", frame, text="Once upon a time", at=[40, 15])
    found = desk.get(words)
    assert found.box.w > found.box.h
    assert (found.style.font, found.layer) == ("narration", Band.BALLOONS)
    desk.one("narration.set", words, text="Long ago", fill=None, padding=0.5, rect=[10, 10, 30, 8])
    found = desk.get(words)
    assert (found.text, found.fill, found.padding, found.box) == ("Long ago", None, 500, mm(10, 10, 30, 8))
    desk.one("narration.set", words, fill="#EEEEEE", stroke={"width": 1})
    assert (desk.get(words).fill, desk.get(words).stroke.width) == ("#eeeeee", 1_000)
    bare = desk.one("narration.add", unit, text="Bare", at=[40, 120], fill=None, stroke={"colour": "#ff0000"})
    assert (desk.get(bare).fill, desk.get(bare).stroke) == (None, Stroke(width=300, colour="#ff0000"))


def test_paper_lettering_is_written_turned_and_changed() -> None:
    desk, unit = page()
    words = desk.one(
        "text.add", unit, text="BANG", at=[40, 40], rotate=-15, style={"size": 12, "outline": {"width": 1}}
    )
    found = desk.get(words)
    assert (found.rotate, found.style.font, found.layer) == (-15_000, "sound", Band.TEXT)
    assert found.box.w > 3 * found.box.h / 2
    desk.one("text.set", words, text="BOOM", rotate=10)
    assert (desk.get(words).text, desk.get(words).rotate, desk.get(words).style.size) == ("BOOM", 10_000, 12_000)
    refused(desk, "text.add", unit, text="", at=[1, 1])
    refused(desk, "text.set", words, text="")


def test_lettering_speaks_the_chapters_language_unless_told_otherwise() -> None:
    desk = Desk(empty(language="zh-Hans"))
    unit = desk.one("unit.add")
    words = desk.one("balloon.add", unit, text="三毛猫", at=[40, 40])
    other = desk.one("text.add", unit, text="ドン", at=[40, 80], style={"language": "ja"})
    assert (desk.get(words).style.language, desk.get(other).style.language) == ("zh-Hans", "ja")


def test_new_lettering_is_read_last_in_its_frame_or_after_what_is_named() -> None:
    desk, unit, one = framed()
    two = desk.one("frame.add", unit, rect=[10, 80, 80, 50])
    a = desk.one("balloon.add", one, text="A", at=[30, 30])
    b = desk.one("narration.add", one, text="B", at=[60, 30])
    c = desk.one("balloon.add", one, text="C", at=[60, 50], after=one)
    d = desk.one("text.add", unit, text="D", at=[60, 140])
    e = desk.one("balloon.add", unit, text="E", at=[60, 140], after=one)
    assert desk.get(unit).reading == (one, c, a, b, e, two, d)
    refused(desk, "balloon.add", one, text="F", at=[1, 1], after=unit)


# Overlays and effects


def test_overlays_are_added_and_changed() -> None:
    desk, unit = spread()
    refused(desk, "overlay.add", unit, asset=CAT)
    across = desk.one("overlay.add", unit, asset=CAT, box=[80, 40, 60, 40], fit="contain", name="leap", opacity=0.5)
    found = desk.get(across)
    assert (found.placement.box, found.placement.fit, found.name) == (mm(80, 40, 60, 40), Fit.CONTAIN, "leap")
    desk.one("overlay.set", across, asset=MOON, rotate=30, box=[70, 40, 60, 40], band="text")
    found = desk.get(across)
    assert (found.asset, found.placement.transform.rotate, found.opacity) == (MOON, 30_000, 500_000)
    assert (found.placement.box, found.band) == (mm(70, 40, 60, 40), Band.TEXT)
    refused(desk, "overlay.set", across, InvalidDocument, box=None)


def test_effects_are_added_and_changed() -> None:
    desk, unit, frame = framed()
    assert "args.box" in refused(desk, "effect.add", unit, effect="speed")
    lines = desk.one(
        "effect.add", frame, effect="focus", centre=[0.25, 0.75], clear=0.4, density=0.9, pitch=0.8, seed=7
    )
    found = desk.get(lines)
    assert (found.effect, found.box, found.centre, found.clear) == (EffectType.FOCUS, None, (250_000, 750_000), 400_000)
    assert (found.density, found.pitch, found.seed) == (900_000, 800, 7)
    desk.one("effect.set", lines, effect="tone", angle=30, box=[20, 20, 20, 20], colour="#333333", opacity=0.5)
    found = desk.get(lines)
    assert (found.effect, found.angle, found.box) == (EffectType.TONE, 30_000, mm(20, 20, 20, 20))
    assert (found.colour, found.opacity, found.seed) == ("#333333", 500_000, 7)
    desk.one("effect.set", lines, box=None)
    assert desk.get(lines).box is None
    free = desk.one("effect.add", unit, effect="gradient", box=[0, 0, 105, 50])
    refused(desk, "effect.set", free, InvalidDocument, box=None)


def test_surfaces_keep_their_ids_through_edits() -> None:
    desk, unit = spread()
    before: tuple[Surface, ...] = desk.get(unit).surfaces
    desk.one("unit.set", unit, gutter=9)
    desk.one("paper.set", width=110)
    assert [item.id for item in desk.get(unit).surfaces] == [item.id for item in before]
    assert [item.x for item in desk.get(unit).surfaces] == [0, 119_000]
