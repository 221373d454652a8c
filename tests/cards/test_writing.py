"""Cards and books written back: the same bytes in their own form, everything lost told in another."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from PIL import Image

from lantern_kit.cards import BookForm, CardForm, Spec, assets, read_book, read_card, write_book, write_card
from lantern_kit.cards.errors import CardUnwritable
from tests.cards.makers import BOOK, ENTRY, V1, V2, V3, WORLD, charx, chunk, drawn, dumped, international, png, text

PICTURE = png(chunk(b"tEXt", b"Software\0an editor"), after=(chunk(b"tIME", b"\x07\xea\x01\x01\0\0\0"),), tail=b"!")


def pixels(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB").tobytes()


@pytest.mark.parametrize(
    "data",
    [dumped(V1), dumped(V2) + b"\n", png(international("CHARA", V2), tail=b"x"), charx(V3, ("a/b.png", drawn()))],
    ids=["V1", "V2", "PNG", "CHARX"],
)
def test_a_card_in_its_own_form_is_the_file_that_was_read(data: bytes) -> None:
    card = read_card(data)
    made = write_card(card, card.form)
    assert (made.data, made.losses) == (data, ())


@pytest.mark.parametrize("value", [V1, V2, V3])
def test_a_card_goes_into_a_picture_and_out_again_byte_for_byte(value: dict[str, Any]) -> None:
    source = dumped(value) + b"\n "
    made = write_card(read_card(source), "png", picture=PICTURE)
    again = read_card(made.data)
    assert (again.source, again.digest, again.notices[1:]) == (source, read_card(source).digest, ())
    assert pixels(made.data) == pixels(PICTURE)
    assert made.losses == ()
    keyword = b"ccv3" if value is V3 else b"chara"
    start = made.data.index(b"tEXt" + keyword) - 4
    end = start + 12 + int.from_bytes(made.data[start : start + 4], "big")
    assert made.data[:start] + made.data[end:] == PICTURE  # every other chunk is where it was
    back = write_card(again, "json")
    assert back.data == source
    assert [loss.code for loss in back.losses] == ["lost_picture"]


def test_a_card_that_was_in_the_picture_gives_way_to_the_new_one() -> None:
    old = png(text("chara", V1), after=(text("ccv3", V3),))
    made = write_card(read_card(dumped(V2)), CardForm.PNG, picture=old)
    assert read_card(made.data).raw == V2
    assert b"ccv3" not in made.data


def test_a_picture_of_another_kind_becomes_a_png_and_one_that_is_none_is_refused() -> None:
    card = read_card(dumped(V2))
    made = write_card(card, "png", picture=drawn(form="JPEG"))
    assert read_card(made.data).raw == V2
    for picture in (None, b"no picture", drawn()[:60]):
        with pytest.raises(CardUnwritable):
            write_card(card, "png", picture=picture)
    with pytest.raises(CardUnwritable):
        write_card(card, "pdf")


def test_an_archive_keeps_the_card_byte_for_byte_and_the_picture_beside_it() -> None:
    card = read_card(png(text("ccv3", V3)))
    made = write_card(card, "charx")
    again = read_card(made.data)
    assert again.source == dumped(V3)
    assert [loss.code for loss in made.losses] == ["unnamed_asset"]
    assert [one.name for one in assets(again)] == ["assets/icon/images/main.png"]
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:  # another reader agrees
        assert archive.testzip() is None
        assert archive.read("card.json") == dumped(V3)
        assert archive.read("assets/icon/images/main.png") == png()
    assert write_card(card, "charx").data == made.data
    back = write_card(again, "png")
    assert (read_card(back.data).source, pixels(back.data), back.losses) == (dumped(V3), pixels(drawn()), ())


def test_an_older_card_becomes_v3_in_an_archive_and_keeps_every_field() -> None:
    older = {**V2, "more": 1, "data": {**V2["data"], "odd": [1]}}
    made = write_card(read_card(dumped(older)), "charx")
    again = read_card(made.data)
    assert again.spec is Spec.V3
    assert again.notices == ()
    assert [loss.code for loss in made.losses] == ["converted"]
    data = again.raw["data"]
    assert {key: data[key] for key in older["data"] if key != "character_book"} == {
        key: value for key, value in older["data"].items() if key != "character_book"
    }
    assert data["character_book"]["entries"] == [{**ENTRY, "use_regex": False}]
    assert again.raw["more"] == 1


def test_what_lies_beside_a_card_in_an_archive_is_told_when_it_is_left_out() -> None:
    card = read_card(charx(V3, ("assets/a.png", drawn()), ("x_own.json", b"{}")))
    made = write_card(card, "json")
    assert made.data == dumped(V3)
    assert [loss.where for loss in made.losses] == ["assets/a.png", "x_own.json"]


def test_the_icon_that_a_card_names_is_its_picture() -> None:
    named = [{"type": "icon", "uri": "embeded://assets/face.webp", "name": "main", "ext": "webp"}]
    card = read_card(charx({**V3, "data": {**V3["data"], "assets": named}}, ("assets/face.webp", drawn(form="WEBP"))))
    made = write_card(card, "png")
    assert made.losses == ()
    assert read_card(made.data).source == card.source


BOOKS: dict[BookForm, dict[str, Any]] = {
    BookForm.V2: BOOK,
    BookForm.V3: {"spec": "lorebook_v3", "data": BOOK},
    BookForm.SILLYTAVERN: WORLD,
    BookForm.NOVELAI: {
        "lorebookVersion": 5,
        "entries": [
            {"keys": ["gull"], "text": "A gull.", "enabled": True, "contextConfig": {"budgetPriority": 5, "x": 1}}
        ],
    },
    BookForm.RISU: {"type": "risu", "ver": 1, "data": [{"key": "gull", "content": "A gull.", "insertorder": 5}]},
    BookForm.AGNAI: {
        "kind": "memory",
        "entries": [{"keywords": ["gull"], "entry": "A gull.", "weight": 5, "enabled": True}],
    },
}


@pytest.mark.parametrize("target", BookForm)
@pytest.mark.parametrize("form", BookForm)
def test_a_book_of_any_shape_is_written_in_any_other(form: BookForm, target: BookForm) -> None:
    source = dumped(BOOKS[form]) + b"\n"
    book = read_book(source)
    made = write_book(book, target)
    again = read_book(made.data)
    assert again.form is target
    (entry,) = again.entries
    assert (entry.keys, entry.content, entry.order, entry.enabled) == (("gull",), "A gull.", 5, True)
    if form is target:
        assert (made.data, made.losses) == (source, ())


def test_what_another_shape_cannot_hold_is_told_field_by_field() -> None:
    entry = {
        **ENTRY,
        "secondary_keys": ["rock"],
        "selective": True,
        "constant": True,
        "content": "@@depth 4\nA gull.",
        "mood": "grey",
    }
    book = read_book(dumped({**BOOK, "token_budget": 90, "entries": [entry]}))
    made = write_book(book, "agnai")
    assert read_book(made.data).entries[0].decorators == book.entries[0].decorators
    told = {loss.where for loss in made.losses}
    assert told >= {"token_budget", "entry 0: secondary_keys", "entry 0: constant", "entry 0: mood"}
    assert "entry 0: content" not in told
    kin = write_book(book, "v3")
    assert kin.losses == ()
    assert read_book(kin.data).raw["data"]["entries"][0] == {"use_regex": False, **entry}


def test_a_pattern_keeps_its_meaning_where_only_slashes_say_that_it_is_one() -> None:
    book = read_book(dumped({**BOOK, "entries": [{**ENTRY, "keys": ["a/b+"], "use_regex": True}]}))
    assert read_book(write_book(book, "sillytavern").data).entries[0].keys == (r"/a\/b+/i",)
