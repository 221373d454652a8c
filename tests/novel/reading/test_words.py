from __future__ import annotations

import sqlite3
import unicodedata
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lantern_kit.novel.words import folded, query, tokens

PIECES = st.sampled_from(
    ["灯", "塔", "看守", "夜", "가", "나다", "カ", "ー", "lamp", "Tom", "x2", "é", "，", ".", " ", "“", "🙂"]
)
LETTERS = st.characters(categories=("L", "N", "P", "S", "Zs"))
TEXT = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(LETTERS, max_size=24))


def found(text: str, words: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(tokens, content='', tokenize='ascii')")
        connection.execute("INSERT INTO words (rowid, tokens) VALUES (1, ?)", (" ".join(tokens(text)),))
        phrases = query(words)
        if not phrases:
            return True
        rows = connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (" AND ".join(phrases),))
        return bool(rows.fetchone()[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("守夜人点亮了灯塔。", "灯塔"),
        ("守夜人点亮了灯塔。", "塔"),
        ("守夜人点亮了灯塔。", "守"),
        ("守夜人点亮了灯塔。", "灯塔 守夜人"),
        ("他读到第3章里的信。", "第3章"),
        ("𠮷野家与𠮷田", "𠮷田"),
        ("등대지기가 불을 켰다", "등대"),
        ("灯台守は静かに立っていた。", "灯台守は"),
        ("The keeper's lamps", "LAMP"),
        ("The keeper's lamps", "keeper's"),
        ("Ｔｈｅ　ｌａｍｐ", "the lamp"),
        ("Straße", "STRASSE"),
        ("a 🙂 b", "🙂"),
        ("ประภาคารริมทะเล", "คาร"),
    ],
)
def test_words_that_stand_in_a_text_are_found(text: str, words: str) -> None:
    assert found(text, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [("灯火与高塔", "灯塔"), ("The lamp", "amp"), ("塔灯", "灯塔"), ("第三章", "第3章"), ("to the sea", "tot")],
)
def test_words_that_do_not_stand_in_it_are_not(text: str, words: str) -> None:
    assert not found(text, words)


@given(TEXT)
@example("")
@example("ﬁ灯ſ")
def test_every_text_is_found_by_itself_and_by_each_of_its_words(text: str) -> None:
    assert found(text, text)
    for word in text.split():
        assert found(f"于是 {text}", word)


@given(TEXT, st.text("灯塔看守夜人", min_size=1, max_size=8), TEXT)
def test_every_run_of_han_characters_is_found_wherever_it_stands(before: str, words: str, after: str) -> None:
    assert found(before + words + after, words)


@settings(max_examples=200)
@given(st.text(max_size=60))
@example('" OR "x')
@example("NEAR(a b) NOT c")
@example("tokens:a* ^b + c")
@example("\x00'; DROP TABLE words; --")
def test_no_query_is_more_than_text(words: str) -> None:
    found("灯塔 lamp", words)
    for phrase in query(words):
        assert set(phrase) <= set('x0123456789abcdef" *')


@given(st.text(max_size=40))
def test_folding_twice_folds_no_further(text: str) -> None:
    once = folded(text)
    assert unicodedata.is_normalized("NFKC", once)
    assert tokens(once) == tokens(folded(once))
