"""Words that are kept: text, bounded, and nothing that cannot be shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.wording import counted, one_line, said


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=50))
def test_plain_text_is_kept_as_it_is(text: str) -> None:
    assert said(text, "a reason", longest=50) == text


@pytest.mark.parametrize("text", [None, 7, b"x", "\ud800", "a\x00b", "x" * 51])
def test_what_could_not_be_signed_or_shown_is_refused(text: object) -> None:
    with pytest.raises(BadInput, match="a reason"):
        said(text, "a reason", longest=50)


def test_nothing_is_refused_where_words_are_needed() -> None:
    assert said("", "a reason", longest=50) == ""
    with pytest.raises(BadInput):
        said("  ", "a note", longest=50, empty=False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("灯　塔", r"U\+3000 \(ideographic space\)"),
        ("a\u200db", r"U\+200D \(zero width joiner\)"),
        ("a\u202eb", r"U\+202E \(right-to-left override\)"),
        ("a\nb", r"it holds U\+000A$"),
        (" a", "without blanks at its ends"),
    ],
)
def test_a_line_that_holds_what_is_not_seen_is_refused_by_its_name(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        one_line(text)
    assert one_line("灯塔 of light") == "灯塔 of light"


def test_one_thing_is_one_and_several_are_several() -> None:
    assert [counted(number, "chapter") for number in (0, 1, 1_200)] == ["0 chapters", "1 chapter", "1,200 chapters"]
    assert [counted(number, "entry", "entries") for number in (1, 2)] == ["1 entry", "2 entries"]
