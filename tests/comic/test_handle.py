from __future__ import annotations

import gc
import random
import re

import pytest

from lantern_kit.comic import handle
from lantern_kit.comic.handle import fingerprint_of, handle_of, order_fingerprint, parse_handle
from lantern_kit.comic.model import Frame, Unit
from lantern_kit.kernel.errors import BadInput
from tests.comic.operations import Desk
from tests.comic.strategies import Ids, random_book


def test_a_handle_is_the_id_and_eight_characters() -> None:
    desk = Desk()
    page = desk.get(desk.one("unit.add"))
    assert re.fullmatch(rf"{page.id}#[0-9a-hjkmnp-tv-z]{{8}}", handle_of(page))
    assert parse_handle(handle_of(page)) == (page.id, fingerprint_of(page))
    assert parse_handle(page.id) == (page.id, None)


@pytest.mark.parametrize(
    "text", ["", "fr_", "fr_7kq2m9x4#", "fr_7kq2m9x4#c2m", "@top", "fr_7kq2m9x4 ", "FR_7kq2m9x4", "#c2mk9q1t"]
)
def test_what_is_no_handle_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        parse_handle(text)


def test_a_fingerprint_covers_own_fields_and_the_parent_but_no_children() -> None:
    desk = Desk()
    page = desk.one("unit.add")
    frame = desk.one("frame.add", page, rect=[10, 10, 50, 50])
    before = {thing: fingerprint_of(desk.get(thing)) for thing in (page, frame)}
    order = order_fingerprint(desk.get(page))
    desk.one("balloon.add", frame, text="Up.", at=[30, 30])
    assert {thing: fingerprint_of(desk.get(thing)) for thing in (page, frame)} == before
    assert order_fingerprint(desk.get(page)) != order
    desk.one("frame.set", frame, border={"width": 1})
    desk.one("unit.set", page, name="Opening")
    assert all(fingerprint_of(desk.get(thing)) != old for thing, old in before.items())
    moved = desk.get(frame).model_copy(update={"parent": "un_another0"})
    assert fingerprint_of(moved) != fingerprint_of(desk.get(frame))


def test_equal_objects_have_equal_fingerprints_wherever_they_came_from() -> None:
    book = random_book(random.Random(4), Ids(), units=3)
    for unit in book.units():
        again = Unit.model_validate_json(unit.model_dump_json())
        assert [handle_of(item) for item in again.objects] == [handle_of(item) for item in unit.objects]
        assert (handle_of(again), order_fingerprint(again)) == (handle_of(unit), order_fingerprint(unit))


def test_a_copy_does_not_inherit_a_remembered_fingerprint_and_memory_is_let_go() -> None:
    gc.collect()
    kept = len(handle._known)
    desk = Desk()
    frame = desk.get(desk.one("frame.add", desk.one("unit.add"), rect=[10, 10, 50, 50]))
    assert isinstance(frame, Frame)
    prints = {fingerprint_of(frame.model_copy(update={"name": str(i)})) for i in range(50)}
    assert len(prints | {fingerprint_of(frame)}) == 51
    del frame, desk
    gc.collect()
    assert len(handle._known) <= kept


def test_the_order_of_units_has_a_fingerprint_of_its_own() -> None:
    desk = Desk()
    first = desk.one("unit.add")
    desk.one("unit.add")
    before = order_fingerprint(desk.book)
    desk.one("unit.set", first, name="Opening")
    assert order_fingerprint(desk.book) == before
    desk.one("unit.move", first, to="last")
    assert order_fingerprint(desk.book) != before
