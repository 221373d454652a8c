from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.ids import ALPHABET, RandomIds, SeededIds, encode, numbered

SHAPE = re.compile(r"fr_[0-9a-hjkmnp-tv-z]{8}")


def test_ids_have_a_prefix_and_eight_characters_that_survive_being_read_aloud() -> None:
    made = [RandomIds().new("fr") for _ in range(2_000)]
    assert all(SHAPE.fullmatch(name) for name in made)
    assert len(set(made)) == len(made)


def test_the_same_seed_gives_the_same_ids_and_another_seed_others() -> None:
    def first(seed: int) -> list[str]:
        ids = SeededIds(seed)
        return [ids.new("fr") for _ in range(50)]

    assert first(7) == first(7)
    assert not set(first(7)) & set(first(8))


@given(st.integers(0, 32**8 - 1), st.integers(0, 32**8 - 1))
def test_base_32_keeps_every_bit_and_the_order_of_numbers(one: int, two: int) -> None:
    back = 0
    for letter in encode(one, 8):
        back = back * 32 + ALPHABET.index(letter)
    assert back == one
    assert (encode(one, 8) < encode(two, 8)) == (one < two)


@pytest.mark.parametrize("text", ["p12", "P12", " 12 ", "12", "p0012"])
def test_people_may_type_a_short_name_as_they_like(text: str) -> None:
    assert numbered(text, "p12", "a proposal", typed=True) == 12


@pytest.mark.parametrize("text", ["P12", "12", " p12", "p", "", "pp12", "p１２", "p1" + "0" * 16])
def test_a_short_name_is_its_letter_and_a_number(text: str) -> None:
    with pytest.raises(BadInput, match="that is not a proposal") as caught:
        numbered(text, "p12", "a proposal")
    assert caught.value.found == text
