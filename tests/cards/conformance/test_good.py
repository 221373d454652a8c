"""Files at the edge of what the specifications and the field's programs write, all of which are to be read."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.cards import BookForm, Card, CardForm, Spec, read_any, read_book, read_card
from tests.cards.makers import (
    BOOK,
    ENTRY,
    V1,
    V2,
    V3,
    WORLD,
    charx,
    chunk,
    compressed,
    drawn,
    dumped,
    international,
    packed,
    png,
    text,
)

PNGS: dict[str, tuple[bytes, str, Spec, set[str]]] = {
    "V1 in tEXt": (png(text("chara", V1)), "Ann", Spec.V1, set()),
    "V2 in tEXt": (png(text("chara", V2)), "Ann", Spec.V2, set()),
    "V2 in zTXt": (png(compressed("chara", V2)), "Ann", Spec.V2, set()),
    "V2 in iTXt": (png(international("chara", V2)), "Ann", Spec.V2, set()),
    "V2 in squeezed iTXt": (png(international("chara", V2, squeezed=True)), "Ann", Spec.V2, set()),
    "V3 after the pixels": (png(after=(text("ccv3", V3),)), "Bea", Spec.V3, set()),
    "V3 after the pixels, in zTXt": (png(after=(compressed("ccv3", V3),)), "Bea", Spec.V3, set()),
    "V3 beside V2": (png(text("chara", V2), text("ccv3", V3)), "Bea", Spec.V3, {"older_card"}),
    "V3 behind V2": (png(text("chara", V2), after=(text("ccv3", V3),)), "Bea", Spec.V3, {"older_card"}),
    "keyword in capitals": (png(text("CCv3", V3), text("Chara", V2)), "Bea", Spec.V3, {"older_card"}),
    "the first of two": (png(text("chara", V2), text("chara", V1)), "Ann", Spec.V2, {"duplicate_card"}),
    "the sound one of two": (
        png(text("ccv3", V2, sound=False), text("ccv3", V3)),
        "Bea",
        Spec.V3,
        {"unusable_card"},
    ),
    "V2 where V3 is broken": (png(text("ccv3", b"{"), text("chara", V2)), "Ann", Spec.V2, {"unusable_card"}),
    "V2 where V3 is huge": (
        png(text("ccv3", b" " * 3_000_000), text("chara", V2)),
        "Ann",
        Spec.V2,
        {"unusable_card"},
    ),
    "plain JSON": (png(chunk(b"iTXt", b"chara\0\0\0\0\0" + dumped(V2))), "Ann", Spec.V2, {"not_base64"}),
    "base64 in lines": (
        png(chunk(b"tEXt", b"chara\0" + b"\r\n".join(packed(V2)[at : at + 76] for at in range(0, 2000, 76)))),
        "Ann",
        Spec.V2,
        set(),
    ),
    "base64 without its end": (
        png(chunk(b"tEXt", b"chara\0" + packed(dumped(V1) + b" " * (2 - len(dumped(V1)) % 3)).rstrip(b"="))),
        "Ann",
        Spec.V1,
        {"bad_padding"},
    ),
    "a damaged chunk beside it": (
        png(text("chara", V2), chunk(b"tIME", b"1234567", sound=False)),
        "Ann",
        Spec.V2,
        {"bad_checksum"},
    ),
    "something after the end": (png(text("chara", V2), tail=b"PK"), "Ann", Spec.V2, {"trailing_bytes"}),
}


@pytest.mark.parametrize("case", PNGS)
def test_a_picture_is_read(case: str) -> None:
    data, name, spec, codes = PNGS[case]
    card = read_card(data)
    assert (card.form, card.name, card.spec) == (CardForm.PNG, name, spec)
    assert {notice.code for notice in card.notices} == codes
    assert card.raw == {"Ann": V1 if spec is Spec.V1 else V2, "Bea": V3}[name]


JSONS: dict[str, tuple[Any, set[str]]] = {
    "a byte order mark": (b"\xef\xbb\xbf" + dumped(V2), set()),
    "the default card, without extensions": (
        {**V2, "data": {key: value for key, value in V2["data"].items() if key != "extensions"}},
        {"missing_extensions"},
    ),
    "a book without extensions": (
        {**V2, "data": {**V2["data"], "character_book": {"entries": [{"keys": ["a"], "content": "b"}]}}},
        {"missing_extensions"},
    ),
    "a newer version": ({**V3, "spec_version": "3.1"}, {"newer_version"}),
    "a version as a number": ({**V3, "spec_version": 3.0}, set()),
    "a version longer than usual": ({**V3, "spec_version": "3.00"}, set()),
    "a version that is none": ({**V3, "spec_version": "three"}, {"odd_version"}),
    "an older version": ({**V3, "spec_version": "2.0"}, {"odd_version"}),
    "a newer specification": ({**V3, "spec": "chara_card_v4", "spec_version": "4.0"}, {"newer_version"}),
    "no specification": ({"data": V2["data"]}, {"missing_spec", "odd_version"}),
    "tags in one text": ({**V2, "data": {**V2["data"], "tags": "sea, gulls"}}, {"wrong_type"}),
    "a name twice": (
        dumped(V2).replace(b'"description"', b'"name": "X", "name": "Ann", "description"', 1),
        {"duplicate_key"},
    ),
    "half a character": (dumped(V1).replace(b'"d"', b'"d\\ud83d"'), {"lone_surrogate"}),
    "both halves of a character": (dumped(V1).replace(b'"d"', b'"\\ud83d\\ude00"'), set()),
    "numbers as large as they come": ({**V2, "data": {**V2["data"], "extensions": {"n": 10**300, "f": 1e308}}}, set()),
    "a book that is none": ({**V2, "data": {**V2["data"], "character_book": "x"}}, {"wrong_type"}),
    "a book of SillyTavern's inside": (
        {**V2, "data": {**V2["data"], "character_book": WORLD}},
        {"book_of_another_form"},
    ),
    "null where text should be": ({**V2, "data": {**V2["data"], "personality": None, "tags": None}}, set()),
}


@pytest.mark.parametrize("case", JSONS)
def test_a_card_in_json_is_read_and_what_is_odd_is_told(case: str) -> None:
    value, codes = JSONS[case]
    card = read_any(value if isinstance(value, bytes) else dumped(value))
    assert isinstance(card, Card)
    assert card.called in {"Ann", "Bea"}
    assert {notice.code for notice in card.notices} == codes
    card.digest.encode("ascii")
    f"{card.description}{card.personality}".encode()  # no half of a character is left


def test_a_card_without_a_name_is_called_after_its_file() -> None:
    card = read_card(dumped({**V2, "data": {**V2["data"], "name": ""}}), name="folder/Ann of Rocks.json")
    assert card.name == "Ann of Rocks"
    assert [notice.code for notice in card.notices] == ["missing_name"]


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (charx(V3, ("assets/icon/images/a.png", drawn())), set()),
        (charx(V2), set()),
        (drawn(form="JPEG") + charx(V3), {"prefixed_archive"}),
        (charx(V3, ("inner.zip", charx(V3))), {"nested_archive"}),
    ],
    ids=["with assets", "V2 inside", "behind a JPEG", "with an archive inside"],
)
def test_an_archive_is_read(data: bytes, codes: set[str]) -> None:
    card = read_card(data)
    assert card.form is CardForm.CHARX
    assert {notice.code for notice in card.notices} == codes


def test_the_first_of_two_members_of_one_name_counts() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = charx(V3, ("card.json", dumped(V2)))
    card = read_card(data)
    assert card.name == "Bea"
    assert [notice.code for notice in card.notices] == ["duplicate_member"]


def test_a_lorebook_in_a_picture_of_novelai_is_read() -> None:
    book = {"lorebookVersion": 5, "entries": [{"keys": ["gull"], "text": "A gull.", "enabled": True}]}
    assert read_book(png(text("naidata", book))).form is BookForm.NOVELAI


def test_an_entry_of_the_wrong_kind_is_left_out_and_its_neighbours_kept() -> None:
    book = read_book(dumped({**BOOK, "entries": [ENTRY, 3, {**ENTRY, "keys": "a, b", "insertion_order": "7"}]}))
    assert [entry.keys for entry in book.entries] == [("gull",), ("a", "b")]
    assert book.entries[1].order == 7
    assert {notice.code for notice in book.notices} == {"wrong_type"}
