from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel.canonical import EXACT, dumps, fingerprint, loads
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.ids import ALPHABET

KEYS = st.text(st.characters(max_codepoint=127), max_size=12)
LEAVES = st.none() | st.booleans() | st.integers(1 - EXACT, EXACT - 1) | st.text(max_size=40)
PLAIN = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=40
)
KEPT_OUT = [1.0, float("nan"), float("inf"), EXACT, -EXACT, b"bytes", {1, 2}, {"é": 1}, {1: "a"}, {None: 1}, ...]


@given(PLAIN)
def test_canonical_bytes_are_those_of_rfc_8785(value: Any) -> None:
    assert dumps(value) == rfc8785.dumps(value)


@given(PLAIN)
def test_canonical_bytes_read_back_as_the_same_data(value: Any) -> None:
    assert loads(dumps(value)) == value


@given(PLAIN)
def test_the_order_in_which_keys_were_set_does_not_show(value: Any) -> None:
    def turned(item: Any) -> Any:
        if isinstance(item, dict):
            return {key: turned(item[key]) for key in reversed(item)}
        return [turned(part) for part in item] if isinstance(item, list) else item

    assert dumps(turned(value)) == dumps(value)


@pytest.mark.parametrize("stranger", KEPT_OUT, ids=repr)
def test_what_json_could_say_in_two_ways_is_refused_at_any_depth(stranger: Any) -> None:
    for value in (stranger, [1, [stranger]], {"a": {"b": stranger}}):
        with pytest.raises(TypeError):
            dumps(value)


def test_words_of_a_closed_set_are_written_as_strings() -> None:
    class Side(StrEnum):
        LEFT = "left"

    assert dumps({"side": Side.LEFT}) == b'{"side":"left"}'


@pytest.mark.parametrize("damaged", [b"", b"{", b'{"a":1,}', b"\xff", b"nul"])
def test_json_that_cannot_be_read_is_corrupt(damaged: bytes) -> None:
    with pytest.raises(Corrupt):
        loads(damaged)


@given(PLAIN, PLAIN)
def test_fingerprints_are_eight_readable_characters_and_differ_with_the_data(one: Any, two: Any) -> None:
    assert len(fingerprint(one)) == 8
    assert set(fingerprint(one)) <= set(ALPHABET)
    assert (fingerprint(one) == fingerprint(two)) == (dumps(one) == dumps(two))
