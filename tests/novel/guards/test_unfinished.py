from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.novel.guards.unfinished import breaks_off, number_of, pairs, several, stands_for

LEFT_OUT = (
    *(
        "...",
        "……",
        "—",
        "TODO",
        "TBD.",
        "(to be continued)",
        "etc.",
        "As above",
        "（略）",
        "待续",
        "同上。",
        "以此类推",
    ),
    *("They fight (omitted)", "主角逃走（略）", "他们相遇（此处省略三段）", "TODO: the fight", "[insert a fight here]"),
    *("Then it goes on <rest of the outline>", "And so on...", "Lorem ipsum dolor sit amet"),
)
WRITTEN = (
    *(
        "They fight.",
        "She says: no more…",
        "他没有把话说完……",
        "It is omitted from the record, and she knows it.",
        "Todo cambia.",
    ),
    *("略施小计，救出师父。", "待续的信被找到了。", "The rest of the town sleeps.", "To be, or not", "n", "第一次见面"),
)


@pytest.mark.parametrize("text", LEFT_OUT)
def test_words_that_stand_for_what_was_left_out_are_known(text: str) -> None:
    assert stands_for(text)


@pytest.mark.parametrize("text", WRITTEN)
def test_what_is_written_out_stands_for_itself(text: str) -> None:
    assert not stands_for(text)
    assert not breaks_off(text)


@pytest.mark.parametrize(
    "text", ["He goes to the", "Mira and", "他推开门，", "三件事：", "The key, the lamp,", "她说“"]
)
def test_a_sentence_that_stops_in_its_middle_breaks_off(text: str) -> None:
    assert breaks_off(text)


@pytest.mark.parametrize("title", ["Chapters 4-12: the war", "Chapter 4 to 9", "第四章至第十二章", "第4-12章 大战"])
def test_a_title_may_name_several_chapters(title: str) -> None:
    assert several(title)


@pytest.mark.parametrize(
    "title", ["Chapter 4: 1914-1918", "第四章 三至五人", "第十二章", "The year 4 to 9", "Chapter 4"]
)
def test_a_title_that_names_one_chapter_names_one(title: str) -> None:
    assert not several(title)


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Chapter 7", 7),
        ("chapter 12: Rain", 12),
        ("第七章 雨", 7),
        ("第十章", 10),
        ("第二十三回", 23),
        ("第一百零五章", 105),
        ("第12章", 12),
        ("第一次见面", None),
        ("Rain", None),
        ("7 days", None),
    ],
)
def test_numbers_are_read_from_titles(title: str, number: int | None) -> None:
    assert number_of(title) == number


@given(st.text(max_size=60))
def test_any_text_is_looked_at(text: str) -> None:
    number = number_of(text)
    assert number is None or number >= 0
    assert isinstance(stands_for(text) or breaks_off(text) or several(text), bool)
    assert pairs(text) >= pairs(text[:0])
