"""What cards and books are told by, whoever made them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lantern_kit.cards import Book, BookForm, Card, Logic, Spec, read_any, read_book, read_card
from lantern_kit.cards.errors import CardUnknownShape


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


V1 = {"name": "Ann", "description": "d", "personality": "p", "scenario": "s", "first_mes": "f", "mes_example": "m"}
ENTRY = {"keys": ["gull"], "content": "A gull.", "extensions": {}, "enabled": True, "insertion_order": 5}
BOOK = {"name": "World", "extensions": {}, "entries": [ENTRY]}
V2 = {"spec": "chara_card_v2", "spec_version": "2.0", "data": V1 | {"extensions": {}, "character_book": BOOK}}
V3 = {"spec": "chara_card_v3", "spec_version": "3.0", "data": V1 | {"extensions": {}, "nickname": "Nan"}}
WORLD = {"entries": {"7": {"uid": 7, "key": ["gull"], "content": "A gull.", "order": 5, "selectiveLogic": 3}}}


@pytest.mark.parametrize(("value", "spec"), [(V1, Spec.V1), (V2, Spec.V2), (V3, Spec.V3)])
def test_a_card_of_each_specification_is_read_without_a_notice(value: dict[str, Any], spec: Spec) -> None:
    card = read_any(dumped(value))
    assert isinstance(card, Card)
    assert (card.spec, card.name, card.mes_example, card.notices) == (spec, "Ann", "m", ())
    assert card.called == ("Nan" if spec is Spec.V3 else "Ann")
    assert card.raw == value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (BOOK, BookForm.V2),
        ({"spec": "lorebook_v3", "data": BOOK}, BookForm.V3),
        (WORLD, BookForm.SILLYTAVERN),
        (
            {
                "lorebookVersion": 5,
                "entries": [
                    {"keys": ["gull"], "text": "A gull.", "enabled": True, "contextConfig": {"budgetPriority": 5}}
                ],
            },
            BookForm.NOVELAI,
        ),
        (
            {
                "type": "risu",
                "ver": 1,
                "data": [{"key": "gull", "secondkey": "", "content": "A gull.", "insertorder": 5}],
            },
            BookForm.RISU,
        ),
        (
            {"kind": "memory", "entries": [{"keywords": ["gull"], "entry": "A gull.", "weight": 5, "enabled": True}]},
            BookForm.AGNAI,
        ),
    ],
)
def test_a_book_of_each_shape_says_the_same(value: dict[str, Any], form: BookForm) -> None:
    book = read_any(dumped(value))
    assert isinstance(book, Book)
    assert (book.form, book.notices) == (form, ())
    (entry,) = book.entries
    assert (entry.keys, entry.content, entry.order, entry.enabled) == (("gull",), "A gull.", 5, True)


def test_the_book_inside_a_card_is_read_with_it() -> None:
    card = read_card(dumped(V2))
    assert card.book is not None
    assert [entry.content for entry in card.book.entries] == ["A gull."]
    assert card.characters == len("dpsfm") + len("A gull.")


def test_an_entry_is_called_by_its_own_id_else_by_its_place_and_never_as_another() -> None:
    rows = [ENTRY | {"id": 1}, ENTRY, ENTRY | {"id": 1}, ENTRY | {"id": "x"}]
    book = read_book(dumped(BOOK | {"entries": rows}))
    assert [entry.id for entry in book.entries] == ["1", "1-2", "2", "x"]
    assert [notice.code for notice in book.notices] == ["duplicate_id"]
    assert [entry.id for entry in read_book(dumped(WORLD)).entries] == ["7"]


def test_secondary_logic_is_read_where_sillytavern_keeps_it() -> None:
    inside = BOOK | {"entries": [ENTRY | {"extensions": {"selectiveLogic": 2}}]}
    assert read_book(dumped(WORLD)).entries[0].logic is Logic.AND_ALL
    assert read_book(dumped(inside)).entries[0].logic is Logic.NOT_ANY


@pytest.mark.parametrize("value", [{}, {"name": "x"}, {"spec": "other", "data": {}}, {"entries": 3}])
def test_json_that_is_neither_card_nor_book_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(CardUnknownShape):
        read_any(dumped(value))


def test_a_card_is_no_book_and_a_book_no_card() -> None:
    with pytest.raises(CardUnknownShape, match="not a card"):
        read_card(dumped(BOOK))
    with pytest.raises(CardUnknownShape, match="there is one in it"):
        read_book(dumped(V2))
