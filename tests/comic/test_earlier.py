"""What was written before the model had its later fields: earlier.json is a unit, its handles and its change rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.diff import apply, diff, reverse, squash
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import OBJECT_TYPES, Balloon, Chapter, Paper, Text, Unit, Writing
from lantern_kit.comic.store import change_rows, unit_body
from lantern_kit.comic.words import describe
from lantern_kit.kernel.canonical import dumps
from tests.comic.operations import Desk

CHAPTER = Chapter(id="ch_00000000", comic="Chelsea Goes Up", paper=Paper(width=105_000, height=148_000))


@pytest.fixture
def earlier() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "earlier.json").read_text(encoding="utf-8"))
    return found


def unit_of(earlier: dict[str, Any]) -> Unit:
    return Unit.model_validate_json(json.dumps(earlier["unit"]))


def rows_of(earlier: dict[str, Any]) -> list[Change]:
    return [
        Change(unit, thing, kind, change, name, *(None if text is None else json.loads(text) for text in values))
        for unit, thing, kind, change, name, *values in earlier["rows"]
    ]


def test_it_is_read_and_written_again_byte_by_byte(earlier: dict[str, Any]) -> None:
    unit = unit_of(earlier)
    assert unit_body(unit) == dumps(earlier["unit"])
    assert {item.kind for item in unit.objects} == {*OBJECT_TYPES} - {"overlay"}
    assert all(item.style.leading == 1_150_000 for item in unit.objects if isinstance(item, Balloon | Text))


def test_handles_that_were_given_out_still_fit(earlier: dict[str, Any]) -> None:
    unit = unit_of(earlier)
    assert [handle_of(thing) for thing in (unit, *unit.objects)] == earlier["handles"]


def test_its_change_rows_lead_to_it_and_are_those_that_are_worked_out_today(earlier: dict[str, Any]) -> None:
    rows = rows_of(earlier)
    empty = Book.of(CHAPTER, [])
    last = next(i for i, row in enumerate(rows) if row.change == "changed" and row.property == "text")
    order = Change(CHAPTER.id, CHAPTER.id, "chapter", "changed", "units", [], [earlier["unit"]["id"]])
    first = apply(empty, rows[:last])
    second = apply(first, rows[last:])
    assert second.unit(earlier["unit"]["id"]) == unit_of(earlier)
    worked_out = [*change_rows(diff(empty, first)), *change_rows(diff(first, second))]
    assert worked_out == change_rows(rows)
    assert apply(second, reverse([*squash(rows[:last], rows[last:]), order])) == empty


def test_nothing_of_it_seems_changed_and_a_change_of_one_thing_is_only_that(earlier: dict[str, Any]) -> None:
    book = Book.of(CHAPTER, [unit_of(earlier)])
    again = Book.of(CHAPTER, [unit_of(earlier)])
    assert diff(book, again) == ()
    desk = Desk(book)
    balloon = next(item for item in unit_of(earlier).objects if isinstance(item, Balloon))
    desk.one("balloon.set", balloon.id, style={"writing": "vertical"}, seed=4)
    rows = diff(book, desk.book)
    assert [(row.object, row.property) for row in rows] == [(balloon.id, "style"), (balloon.id, "seed")]
    assert describe(rows, book, desk.book)[0].sentences == ("balloon 1: set in columns, seed changed",)
    assert desk.get(balloon.id).style == balloon.style.model_copy(update={"writing": Writing.VERTICAL})
    assert apply(desk.book, reverse(rows)) == book


def test_steps_that_only_together_add_an_object_tell_later_fields_as_usual(earlier: dict[str, Any]) -> None:
    unit = unit_of(earlier)
    balloon = next(item for item in unit.objects if isinstance(item, Balloon))
    before = Book.of(CHAPTER, [unit])
    without = before.replace(
        unit.model_copy(
            update={
                "objects": tuple(item for item in unit.objects if item.id != balloon.id),
                "reading": tuple(name for name in unit.reading if name != balloon.id),
            }
        )
    )
    other = balloon.model_copy(update={"seed": 9})
    after = before.replace(
        unit.model_copy(update={"objects": tuple(other if item.id == other.id else item for item in unit.objects)})
    )
    rows = squash(diff(before, without), diff(without, after))
    assert [(row.property, row.before, row.after) for row in rows] == [("seed", 1, 9)]
    assert apply(after, reverse(rows)) == before
