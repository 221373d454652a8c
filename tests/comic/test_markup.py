from __future__ import annotations

import pytest

from lantern_kit.comic.markup import Ruby, parse, plain


def test_readings_inside_readings_are_read_as_far_as_marks_go_inside_each_other() -> None:
    found = parse("{字|{時|じ}}")
    assert found.text == "字"
    assert found.rubies == (Ruby(0, 1, ("時",)),)
    deep = "{a|" * 3_000 + "b" + "}" * 3_000
    assert plain(deep) == "a"


@pytest.mark.parametrize(
    "words",
    [
        "[x]{" + "a=aa" * 2_900 + " {",
        "[x]{" + ".a" * 5_900 + ".{",
        "{[" * 3_000 + "}]" * 3_000,
        "[{" * 4_000 + "}" * 4_000,
        "{" + "|" * 11_000 + "}",
    ],
)
def test_what_is_no_mark_is_taken_as_written_however_long_and_deep(words: str) -> None:
    assert plain(words) == words


def test_a_bracket_that_is_never_closed_hides_no_reading() -> None:
    assert parse("{字[|じ}").rubies == (Ruby(0, 2, ("じ",)),)
