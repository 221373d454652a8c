from __future__ import annotations

import sys
import unicodedata
from hashlib import sha256
from pathlib import Path

import icu
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lantern_kit.novel.count as counting
from lantern_kit.kernel.errors import BadInput
from lantern_kit.novel.count import Counted, count

TABLE = Path(counting.__file__).with_name("count_v1.txt")
GOLDEN = [
    ("", 0, 0),
    ("Hello, world!", 10, 12),
    ("It’s 9 o’clock.", 10, 13),
    ("他说：“走吧。”", 4, 8),
    ("第12章　雨", 5, 5),
    ("——……", 0, 4),
    ("e\u0301", 1, 1),  # é in two
    ("\u00e9", 1, 1),
    ("\u1100\u1161\u11a8", 1, 1),  # a Hangul syllable in three
    ("\uac01", 1, 1),
    ("\u0958", 1, 1),  # taken apart by NFC: a letter and a mark
    ("\ufa0e\uf900", 2, 2),  # Han for compatibility's sake
    ("\U00020000\U0002ebe0", 2, 2),
    ("①Ⅳ½", 3, 3),
    ("ｱｲｳ ＡＢＣ", 6, 6),
    ("🙂 + 1 = €2", 2, 6),
    ("\u200b\u200d\ufeff", 0, 0),
    ("नमस्ते", 4, 4),
    ("ไทย", 3, 3),
    ("שלום, עולם", 8, 9),
    ("a_b-c", 3, 5),
    ("\U00016d63\U00016d67\U00016d67\U00016d67\U00016d67", 2, 2),  # vowels of Kirat Rai, composed since Unicode 16
    ("\ue000\U000f0000\U0010fffd", 0, 0),
]


@pytest.mark.parametrize(("text", "effective", "punctuated"), GOLDEN)
def test_texts_count_as_they_always_will(text: str, effective: int, punctuated: int) -> None:
    assert count(text, policy=1) == Counted(effective, punctuated)


def test_the_table_is_the_one_that_novels_were_counted_by() -> None:
    assert sha256(TABLE.read_bytes()).hexdigest() == "d5a2b6ed8a092e9254aa99f08ee726e4aeacfa956a4883f80bec96317a16e022"


def test_a_policy_that_is_not_known_is_refused() -> None:
    with pytest.raises(BadInput):
        count("a", policy=2)


@pytest.mark.parametrize("plane", range(17))
def test_the_ends_of_each_plane_count_as_unicode_16_has_them(plane: int) -> None:
    letters = {0xFFDC, 0x10000, 0x10001, 0x20000, 0x20001, 0x30000, 0x30001}
    first, last = plane * 0x10000, plane * 0x10000 + 0xFFFF
    for point in (first, first + 1, last - 0x23, last - 1, last):
        assert count(chr(point), policy=1).effective == (point in letters), hex(point)


def test_every_letter_and_number_that_python_knows_counts_and_nothing_else_it_knows_does() -> None:
    known = [(chr(point), unicodedata.category(chr(point))) for point in range(sys.maxunicode + 1)]
    letters = [sign for sign, kind in known if kind[0] in "LN"]
    others = [sign for sign, kind in known if kind[0] not in "LNC"]
    assert count("\n".join(letters), policy=1).effective == len(letters)
    assert count("\n".join(others), policy=1).effective == 0
    marks = [sign for sign, kind in known if kind[0] == "P"]
    assert count("\n".join(marks), policy=1).punctuated == len(marks)


COMPOSED = st.sampled_from("ae\u0301\u1100\u1161\u11a8\U00016d63\U00016d67\U00016d69\U00016d68，。")
TEXTS = st.text(st.characters() | COMPOSED) | st.text(COMPOSED)


@given(TEXTS)
def test_a_text_counts_the_same_in_whichever_form_it_comes(text: str) -> None:
    told = count(text, policy=1)
    assert told == count(unicodedata.normalize("NFC", text), policy=1)
    assert told == count(unicodedata.normalize("NFD", text), policy=1)
    assert 0 <= told.effective <= told.punctuated <= len(text) + text.count("\ufdfa")


@given(TEXTS)
def test_python_s_own_tables_make_no_difference(text: str) -> None:
    if not any("\ud800" <= sign <= "\udfff" for sign in text):
        composed = icu.Normalizer2.getNFCInstance().normalize(text)
        assert count(text, policy=1) == count(composed, policy=1)


@given(TEXTS, TEXTS)
def test_paragraphs_count_what_each_of_them_counts(one: str, other: str) -> None:
    both, first, second = (count(text, policy=1) for text in (f"{one}\n{other}", one, other))
    assert both == Counted(first.effective + second.effective, first.punctuated + second.punctuated)
