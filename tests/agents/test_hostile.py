"""What a model that means harm, or has lost its way, may say: no turn hangs, breaks or keeps what is not its."""

from __future__ import annotations

import pytest

from lantern_kit.agents.chat import read_arguments
from lantern_kit.agents.counting import tokens


@pytest.mark.parametrize("text", ["a" * 2_000_000, " " * 2_000_000, "雾" * 2_000_000, "fog \ud800" * 300_000])
def test_tokens_of_any_two_million_characters_are_counted_in_bounded_work(text: str) -> None:
    assert 0 < tokens(text) <= 3 * len(text)


def test_a_text_without_long_words_is_counted_exactly() -> None:
    assert tokens("Mira says “Who is there?” 雾里有人。\n" * 50) == 50 * tokens(
        "Mira says “Who is there?” 雾里有人。\n"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a":' * 900 + "1" + "}" * 900, "not flat enough"),
        ('{"a":' + "[" * 40 + "]" * 40 + "}", "not flat enough"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"\\udfff": 1}', "half a character"),
        ('{"a": 1e999}', "not valid JSON"),
        ('{"a": -1e999}', "not valid JSON"),
        ('{"a": ' + "9" * 5_000 + "}", "not valid JSON"),
    ],
)
def test_arguments_that_could_not_be_kept_are_a_fault_of_the_call(text: str, fault: str) -> None:
    found, told = read_arguments(text)
    assert found == {}
    assert fault in told
