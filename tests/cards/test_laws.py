"""What holds for every card and book, whatever is in it."""

from __future__ import annotations

import json
from typing import Any

import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.cards import Book, Card, read_any, read_book, read_card, write_book, write_card
from lantern_kit.cards.decorators import divided
from lantern_kit.cards.errors import BadCard
from lantern_kit.cards.text import canonical
from tests.cards.makers import V2, charx, compressed, dumped, international, png, text

FEW = settings(max_examples=25, deadline=None)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
EXTRA = st.dictionaries(WORDS, VALUES, max_size=4)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {"keys": st.lists(WORDS, max_size=3), "content": WORDS, "insertion_order": st.integers(-9, 9)},
        optional={"id": st.integers(0, 3), "enabled": st.booleans(), "extensions": EXTRA, "constant": st.booleans()},
    ),
    max_size=4,
)


def outcome(data: bytes) -> Card | Book | BadCard:
    try:
        return read_any(data)
    except BadCard as error:
        return error


@FEW
@given(VALUES)
def test_the_canonical_form_is_that_of_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@FEW
@given(EXTRA, EXTRA, ENTRIES, st.integers(0, 3))
def test_a_card_has_one_digest_and_its_bytes_in_whatever_file_it_lies(
    outer: dict[str, Any], inner: dict[str, Any], entries: list[Any], indent: int
) -> None:
    data = {**inner, **V2["data"], "character_book": {"name": "W", "entries": entries}}
    source = json.dumps({**outer, **V2, "data": data}, ensure_ascii=bool(indent), indent=indent or None).encode()
    plain = read_card(source)
    others = [png(text("chara", source)), png(compressed("Chara", source)), charx(source)]
    others.append(png(after=(international("CHARA", source, squeezed=True),)))
    for other in map(read_card, others):
        assert (other.digest, other.source, other.raw, other.book) == (plain.digest, source, plain.raw, plain.book)
        assert write_card(other, "json").data == source
    assert list(plain.raw) == list(json.loads(source))
    assert plain.book is not None
    assert len({entry.id for entry in plain.book.entries}) == len(entries)


@FEW
@given(ENTRIES, EXTRA)
def test_books_of_two_kin_turn_into_each_other_without_a_loss(entries: list[Any], extra: dict[str, Any]) -> None:
    book = read_book(dumped({**extra, "entries": entries, "extensions": {}, "spec": "", "data": 0}))
    made = write_book(book, "v3")
    assert made.losses == ()
    again = write_book(read_book(made.data), "v2")
    assert again.losses == ()
    held = json.loads(again.data)
    assert [{**entry, "use_regex": 0} for entry in held["entries"]] == [
        {"extensions": {}, **entry, "use_regex": 0} for entry in entries
    ]
    assert {key: held[key] for key in extra} == {**extra, **{key: held[key] for key in extra if key in book.raw}}


@FEW
@given(st.binary(max_size=300), st.integers(0, 2))
def test_no_bytes_make_the_reader_fail_in_a_way_that_is_not_its_own(noise: bytes, wrapped: int) -> None:
    data = (noise, png(text("chara", noise)), charx(noise))[wrapped]
    found = outcome(data)
    assert found.code if isinstance(found, BadCard) else found.digest


@FEW
@given(st.data())
def test_a_file_with_bytes_changed_is_read_or_refused_and_never_otherwise(data: st.DataObject) -> None:
    whole = bytearray(data.draw(st.sampled_from([png(text("chara", V2)), charx(V2), dumped(V2)])))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    assert isinstance(outcome(bytes(whole)), Card | BadCard)


@FEW
@given(WORDS, st.lists(st.sampled_from(["@@depth 4", "@@x", "@@@role user", "", "\r"]), max_size=6))
def test_decorators_are_parted_from_a_content_and_no_word_of_it_is_lost(content: str, lines: list[str]) -> None:
    content = content.lstrip("@\r\n \t") or "\x1f"
    marks, rest = divided("\n".join([*lines, content]))
    firsts = [line for line in lines if line.strip()]
    if firsts and firsts[0].startswith("@@@"):
        assert not marks
    elif firsts:
        assert rest == content
        assert sum(1 + len(mark.fallbacks) for mark in marks) == len(firsts)
