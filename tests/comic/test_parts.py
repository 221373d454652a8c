"""Parts of a proposal: what depends on what, and the chapter that a choice makes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import diff
from lantern_kit.comic.edit import apply_changeset
from lantern_kit.comic.parts import Part, chosen, closed, named, parts
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import LanternError, NotFound, WrongState
from tests.comic.operations import CAT, CUT, MOON, Desk, random_operation, world
from tests.comic.strategies import Ids, books, stepped

Seeded = tuple[Book, random.Random, Ids]


def walked(book: Book, rng: random.Random, ids: Ids) -> Book:
    """The book after operations and other steps, in turn."""
    for _ in range(rng.randint(1, 8)):
        if rng.random() < 0.3:
            book = stepped(book, rng, ids, 1)
            continue
        try:
            book = apply_changeset(book, [random_operation(book, rng)], world(ids)).book
        except LanternError:
            continue
    return book


def split(base: Book, frozen: Book) -> tuple[Part, ...]:
    return parts(diff(base, frozen), base, frozen)


def ids_of(found: Sequence[Part]) -> set[str]:
    return {part.id for part in found}


def part(found: Sequence[Part], name: str) -> Part:
    return next(item for item in found if item.id == name)


@given(books())
@settings(max_examples=150)
def test_all_parts_make_the_frozen_state_and_none_the_base(seeded: Seeded) -> None:
    base, rng, ids = seeded
    frozen = walked(base, rng, ids)
    found = split(base, frozen)
    assert len(ids_of(found)) == len(found)
    assert chosen(base, frozen, found, ids_of(found)) == frozen
    assert chosen(base, frozen, found, ()) == base


@given(books())
@settings(max_examples=300)
def test_every_closed_choice_is_sound_and_holds_what_was_accepted_and_nothing_else(seeded: Seeded) -> None:
    base, rng, ids = seeded
    frozen = walked(base, rng, ids)
    found = split(base, frozen)
    rejected = [item.id for item in found if rng.random() < rng.choice((0.1, 0.5, 0.9))]
    choice = closed(found, rejected)
    book = chosen(base, frozen, found, choice.accepted)
    assert validate_book(book) == ()
    # What leads from the base to the outcome are the accepted parts, what is missing are the rejected ones.
    assert ids_of(split(base, book)) == {*choice.accepted}
    assert ids_of(split(book, frozen)) == {*choice.rejected}
    for item in found:
        if item.change == "changed" and item.object_kind not in {"unit", "chapter"}:
            side = frozen if item.id in choice.accepted else base
            assert value(book, item) == value(side, item)


def value(book: Book, item: Part) -> list[object]:
    thing = book.unit(item.unit).index[item.object]
    return [getattr(thing, name) for name in item.properties]


@given(books())
@settings(max_examples=100)
def test_closing_is_idempotent_and_monotone(seeded: Seeded) -> None:
    base, rng, ids = seeded
    frozen = walked(base, rng, ids)
    found = split(base, frozen)
    few = [item.id for item in found if rng.random() < 0.3]
    more = [*few, *(item.id for item in found if item.id not in few and rng.random() < 0.3)]
    first, second = closed(found, few), closed(found, more)
    assert closed(found, first.rejected).rejected == first.rejected
    assert {*first.rejected} <= {*second.rejected}
    assert {*few} | {*first.because} == {*first.rejected}
    assert not {*first.accepted} & {*first.rejected}
    assert {*first.accepted} | {*first.rejected} == ids_of(found)


def desk() -> tuple[Desk, str]:
    """A chapter with one page."""
    made = Desk()
    return made, made.one("unit.add", made.book.chapter.id, kind="page")


def asked(base: Book, frozen: Book, *rejected: str) -> Book:
    found = split(base, frozen)
    return chosen(base, frozen, found, closed(found, rejected).accepted)


def test_properties_of_one_object_are_parts_of_their_own() -> None:
    made, page = desk()
    balloon = made.one("balloon.add", page, text="Is that… mine?", at=[50, 30])
    base = made.book
    made.do({"op": "balloon.set", "target": balloon, "args": {"text": "It is.", "speaker": "Chelsea"}})
    found = split(base, made.book)
    assert {f"{balloon}.text", f"{balloon}.speaker"} <= ids_of(found)
    assert part(found, f"{balloon}.text").needs == ()
    book = asked(base, made.book, f"{balloon}.text")
    item = book.unit(page).index[balloon]
    assert (item.text, item.speaker) == ("Is that… mine?", "Chelsea")


def test_a_balloon_cannot_come_without_its_frame_but_the_frame_without_it() -> None:
    made, page = desk()
    base = made.book
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    balloon = made.one("balloon.add", frame, text="Up.", at=[50, 30])
    found = split(base, made.book)
    assert part(found, balloon).needs == (frame,)
    assert part(found, frame).needs == ()
    assert closed(found, [frame]).because == {balloon: frame}
    assert asked(base, made.book, frame) == base
    kept = asked(base, made.book, balloon)
    assert [item.id for item in kept.unit(page).objects] == [frame]
    assert kept.unit(page).reading == (frame,)


def test_everything_on_a_new_page_needs_the_page() -> None:
    made, page = desk()
    base = made.book
    new = made.one("unit.add", base.chapter.id, kind="page")
    frame = made.one("frame.add", new, rect=[10, 10, 80, 60])
    balloon = made.one("balloon.add", frame, text="Up.", at=[50, 30])
    found = split(base, made.book)
    assert {item.id: item.needs for item in found} == {new: (), frame: (new,), balloon: (frame,)}
    assert asked(base, made.book, new) == base
    assert [item.id for item in asked(base, made.book, frame).unit(new).objects] == []
    assert asked(base, made.book, balloon).order == (page, new)


def test_what_is_removed_with_its_frame_comes_back_with_it() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    balloon = made.one("balloon.add", frame, text="Up.", at=[50, 30])
    other = made.one("frame.add", page, rect=[10, 80, 80, 60])
    base = made.book
    made.do({"op": "frame.remove", "target": frame, "args": {}}, {"op": "frame.remove", "target": other, "args": {}})
    for thing in (frame, balloon):
        kept = asked(base, made.book, thing)
        assert {item.id for item in kept.unit(page).objects} == {frame, balloon}
    assert {item.id for item in asked(base, made.book, other).unit(page).objects} == {other}


def test_a_removed_page_is_one_decision_with_what_lay_on_it() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    base = made.book
    made.do({"op": "unit.remove", "target": page, "args": {}})
    assert asked(base, made.book, page) == base
    assert asked(base, made.book, frame) == base


def test_a_new_cut_out_needs_the_new_picture_it_was_cut_from() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    image = made.one("image.place", frame, asset=MOON)
    base = made.book
    made.do({"op": "image.replace", "target": image, "args": {"asset": CAT}})
    foreground = made.one("foreground.bind", image, asset=CUT)
    found = split(base, made.book)
    assert part(found, foreground).needs == (f"{image}.asset",)
    assert asked(base, made.book, f"{image}.asset") == base
    assert asked(base, made.book, foreground).unit(page).index[image].asset == CAT


def test_a_new_picture_needs_the_old_one_s_cut_out_gone() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    image = made.one("image.place", frame, asset=CAT)
    foreground = made.one("foreground.bind", image, asset=CUT)
    base = made.book
    made.do(
        {"op": "foreground.unbind", "target": foreground, "args": {}},
        {"op": "image.replace", "target": image, "args": {"asset": MOON}},
    )
    found = split(base, made.book)
    assert part(found, f"{image}.asset").needs == (foreground,)
    assert part(found, foreground).needs == ()
    assert asked(base, made.book, foreground) == base


def test_another_picture_and_its_marks_come_together_and_marks_alone_come_alone() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    image = made.one("image.place", frame, asset=CAT)
    face = {"kind": "face", "area": [0.1, 0.1, 0.4, 0.5]}
    made.one("image.mark", image, marks=[face])
    base = made.book
    made.one("image.replace", image, asset=MOON)
    made.one("image.adjust", image, opacity=0.5)
    found = split(base, made.book)
    assert part(found, f"{image}.asset").needs == (f"{image}.marks",)
    assert part(found, f"{image}.marks").needs == (f"{image}.asset",)
    kept = asked(base, made.book, f"{image}.marks").unit(page).index[image]
    assert (kept.asset, len(kept.marks), kept.opacity) == (CAT, 1, 500_000)
    again = Desk(base)
    again.one("image.mark", image, marks=[])
    again.one("image.adjust", image, opacity=0.5)
    assert part(split(base, again.book), f"{image}.marks").needs == ()


def test_a_cut_out_bound_anew_needs_the_earlier_one_gone() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    image = made.one("image.place", frame, asset=CAT)
    first = made.one("foreground.bind", image, asset=CUT)
    base = made.book
    made.do({"op": "foreground.unbind", "target": first, "args": {}})
    second = made.one("foreground.bind", image, asset=CUT)
    assert part(split(base, made.book), second).needs == (first,)


def test_a_picture_and_its_crop_are_one_part_where_the_picture_changed() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    image = made.one("image.place", frame, asset=CAT)
    base = made.book
    made.do({"op": "image.adjust", "target": image, "args": {"focus": [0.1, 0.1]}})
    assert ids_of(split(base, made.book)) == {f"{image}.placement"}
    made.do({"op": "image.replace", "target": image, "args": {"asset": MOON}})
    (only,) = split(base, made.book)
    assert (only.id, only.properties) == (f"{image}.asset", ("asset", "placement"))
    assert named([only], f"{image}.placement") == (only,)


def test_the_half_that_was_cut_off_needs_the_cut_frame_s_new_outline() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    balloon = made.one("balloon.add", frame, text="Up.", at=[70, 30])
    base = made.book
    halves = made.do(
        {"op": "frame.cut", "target": frame, "as": "row", "args": {"line": [[50, 10], [50, 70]], "gutter": 4}}
    )
    fresh = next(name for name in halves.values() if name != frame)
    found = split(base, made.book)
    assert part(found, fresh).needs == (f"{frame}.shape",)
    assert part(found, f"{balloon}.parent").needs == (fresh,), "it hangs on the half it lies in"
    assert closed(found, [f"{frame}.shape"]).accepted == ()


def test_a_split_spread_is_one_decision() -> None:
    made = Desk()
    spread = made.one("unit.add", made.book.chapter.id, kind="spread")
    left = made.one("frame.add", spread, rect=[10, 10, 60, 60])
    right = made.one("frame.add", spread, rect=[125, 10, 60, 60])
    base = made.book
    made.do({"op": "spread.split", "target": spread, "args": {}})
    found = split(base, made.book)
    assert part(found, right).change == "moved"
    for item in found:
        if item.object != left:
            assert asked(base, made.book, item.id) == base, item.id


def test_a_tail_that_would_point_at_its_own_balloon_comes_with_the_balloon_s_place() -> None:
    made, page = desk()
    balloon = made.one("balloon.add", page, text="Up.", at=[30, 25], size=[20, 10], tail=[70, 65])
    base = made.book
    made.do(
        {"op": "balloon.tail", "target": balloon, "args": {"tip": [30, 90]}},
        {"op": "object.move", "target": balloon, "args": {"centre": [70, 65]}},
    )
    found = split(base, made.book)
    assert part(found, f"{balloon}.box").needs == (f"{balloon}.tails",)
    assert part(found, f"{balloon}.tails").needs == ()


def test_a_wider_safe_inset_needs_the_larger_sheet_that_has_room_for_it() -> None:
    made, page = desk()
    base = made.book
    paper = base.chapter.paper.model_copy(update={"width": 210_000, "height": 297_000, "safe": 60_000})
    unit = base.unit(page)
    sheet = unit.surfaces[0].model_copy(update={"width": 210_000, "height": 297_000})
    frozen = base.with_chapter(base.chapter.model_copy(update={"paper": paper}))
    frozen = frozen.replace(unit.model_copy(update={"surfaces": (sheet,)}))
    assert validate_book(frozen) == ()
    found = split(base, frozen)
    assert part(found, f"{base.chapter.id}.paper").needs == (f"{page}.surfaces",)
    assert part(found, f"{page}.surfaces").needs == ()
    assert asked(base, frozen, f"{page}.surfaces") == base


def test_what_lies_far_out_on_a_larger_sheet_needs_that_sheet() -> None:
    made, page = desk()
    text = made.one("text.add", page, text="Bang!", at=[30, 20], size=[40, 20])
    base = made.book
    unit = base.unit(page)
    sheet = unit.surfaces[0].model_copy(update={"width": 420_000})
    item = unit.index[text]
    moved = item.model_copy(update={"box": item.box.model_copy(update={"x": 380_000})})
    frozen = base.replace(unit.model_copy(update={"surfaces": (sheet,), "objects": (moved,)}))
    found = split(base, frozen)
    assert part(found, f"{text}.box").needs == (f"{page}.surfaces",)
    back = split(frozen, base)
    assert part(back, f"{page}.surfaces").needs == (f"{text}.box",)


def test_a_turned_order_is_a_part_and_one_that_follows_from_additions_is_none() -> None:
    made, page = desk()
    first = made.one("frame.add", page, rect=[10, 10, 30, 30])
    second = made.one("frame.add", page, rect=[50, 10, 30, 30])
    base = made.book
    third = made.one("frame.add", page, rect=[10, 60, 30, 30], after=first)
    assert ids_of(split(base, made.book)) == {third}
    made.do({"op": "object.order", "target": first, "args": {"to": "front"}})
    found = split(base, made.book)
    assert ids_of(found) == {third, f"{page}.objects"}
    kept = asked(base, made.book, f"{page}.objects").unit(page)
    assert [item.id for item in kept.objects if item.id != third] == [first, second]
    turned = asked(base, made.book, third).unit(page)
    assert [item.id for item in turned.objects] == [second, first]
    assert turned.reading == (first, second)


def test_a_name_means_a_part_a_thing_or_all_on_a_page() -> None:
    made, page = desk()
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    balloon = made.one("balloon.add", frame, text="Up.", at=[50, 30])
    base = made.book
    made.do(
        {"op": "balloon.set", "target": balloon, "args": {"text": "Down.", "speaker": "Moon"}},
        {"op": "frame.set", "target": frame, "args": {"name": "top"}},
    )
    found = split(base, made.book)
    assert ids_of(named(found, f"{balloon}.text")) == {f"{balloon}.text"}
    assert f"{balloon}.speaker" in ids_of(named(found, balloon))
    assert named(found, page) == found
    with pytest.raises(NotFound, match="not a part") as caught:
        named(found, f"{balloon}.txt")
    assert f"{balloon}.text" in caught.value.recovery
    with pytest.raises(NotFound):
        closed(found, [balloon])


def test_a_part_is_not_taken_without_what_it_needs() -> None:
    made, page = desk()
    base = made.book
    frame = made.one("frame.add", page, rect=[10, 10, 80, 60])
    balloon = made.one("balloon.add", frame, text="Up.", at=[50, 30])
    found = split(base, made.book)
    with pytest.raises(WrongState, match="cannot be taken without"):
        chosen(base, made.book, found, [balloon])
