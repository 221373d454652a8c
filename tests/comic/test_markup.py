from __future__ import annotations

import pytest

from lantern_kit.comic.markup import Ruby, parse, plain, suspects


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
        "[x]{font=" + "x" * 11_000 + "}",
    ],
)
def test_what_is_no_mark_is_taken_as_written_however_long_and_deep(words: str) -> None:
    assert plain(words) == words


def test_a_bracket_that_is_never_closed_hides_no_reading() -> None:
    assert parse("{字[|じ}").rubies == (Ruby(0, 2, ("じ",)),)


def test_the_full_width_bar_is_a_bar() -> None:
    assert parse("{漢字｜かん｜じ}") == parse("{漢字|かん|じ}")
    assert plain("a｜b") == "a｜b"
    assert plain(r"{漢字｜か\｜じ}") == "漢字"


@pytest.mark.parametrize(
    ("words", "written", "meant"),
    [
        ("また[来世|らいせ]で", "[来世|らいせ]", "{来世|らいせ}"),
        ("また[来世｜らいせ]で", "[来世｜らいせ]", "{来世|らいせ}"),
        ("｜漢字《かんじ》です", "｜漢字《かんじ》", "{漢字|かんじ}"),
        ("｛漢字｜かんじ｝", "｛漢字｜かんじ｝", "{漢字|かんじ}"),
        ("あの{漢字|かんじ", "{漢字|かんじ", "{漢字|かんじ}"),
        ("[強い]{.bol}ぞ", "[強い]{.bol}", "[強い]{.bold}"),
        ("[強い]{bold}ぞ", "[強い]{bold}", "[強い]{.bold}"),
        ("[red]{color=red}", "[red]{color=red}", ""),
        ("強い{.bold}", "{.bold}", ""),
        ("{漢字|}", "{漢字|}", ""),
        ("[so]{.bold} and [so]{.xyzzy}", "[so]{.xyzzy}", ""),
    ],
)
def test_what_looks_like_a_mark_and_is_none_is_found_with_what_is_meant(words: str, written: str, meant: str) -> None:
    (found,) = suspects(words)
    assert (found.written, found.meant) == (written, meant)
    assert words[found.start :].startswith(written)
    assert not meant or not suspects(meant)
    assert not meant or meant not in plain(meant)


@pytest.mark.parametrize(
    "words",
    [
        "Hello [sic] {a} | b", "{漢字|かんじ}と[上]{.bold}", "{漢字｜かん｜じ}", r"\[来世|らいせ]",
        r"\｜漢字《かんじ》", r"\{漢字|かんじ", r"\[強い]{.bol}", "《本》を読む", "a|b", "(^_^){", "[[x]]", "",
    ],
)  # fmt: skip
def test_marks_and_what_is_meant_as_it_stands_are_no_suspects(words: str) -> None:
    assert suspects(words) == ()


@pytest.mark.parametrize("part", ["{", "[", "｜", "{[", "[x|", "{x|", "[x]{.", "｜x《", "{|"])
def test_words_of_any_length_are_looked_through(part: str) -> None:
    assert len(suspects(part * 3_000)) <= 3_000
