from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import uharfbuzz as hb

from lantern_kit.comic.model import Align, BalloonShape, TextStyle, Writing
from lantern_kit.comic.typeset import Fonts, SetText, packaged_fonts, set_text
from tests.typeset.lettered import MAKE, columns, line, lines, one, shown

EM = 2_800


def cell(found: SetText, at: int, before: int = 0) -> tuple[float, float]:
    """The middle of the column and the top of the place of the character at ``at``, when all before it are full."""
    column = next(line for line in found.lines if line.start <= at < line.end)
    return column.baseline, column.box[1] + (at - column.start - before) * EM


def test_columns_go_from_right_to_left_and_characters_down() -> None:
    found = columns("月が出た。\n星も出た。")
    first, second = found.lines
    assert first.baseline > second.baseline
    ys = [s.top for s in shown(found) if s.at < first.end]
    assert ys == sorted(ys)
    assert first.baseline - second.baseline == pytest.approx(1.3 * EM, abs=1)


def test_columns_hang_from_one_height_and_their_block_stands_in_the_middle() -> None:
    found = columns("月が出た\n星も", 30, 40)
    first, second = found.lines
    assert first.box[1] == pytest.approx(second.box[1], abs=1)
    assert (first.baseline + second.baseline) / 2 == pytest.approx(35_000, abs=60)
    top, bottom = first.box[1], first.box[3]
    assert top < 40_000 < bottom
    assert abs((top + bottom) / 2 - 40_000) < EM


@pytest.mark.parametrize(("align", "edge"), [(Align.LEFT, 1), (Align.RIGHT, 3)])
def test_columns_can_stand_at_the_head_or_the_foot(align: Align, edge: int) -> None:
    found = columns("月が出た\n星も", align=align)
    wanted = {1: 20_000 + 1_200 + 175, 3: 80_000 - 1_200 - 175}[edge]
    assert [line.box[edge] for line in found.lines] == pytest.approx([wanted, wanted], abs=2)


@pytest.mark.parametrize("language", ["ja", "zh-Hans", "zh-CN", "zh"])
@pytest.mark.parametrize("mark", "。，、")
def test_stops_stand_at_the_top_right_in_japanese_and_simplified_chinese(language: str, mark: str) -> None:
    found = columns("月" + mark + "月", language=language)
    middle, top = cell(found, 1)
    ink = one(found, 1)
    assert ink.left > middle
    assert ink.bottom < top + EM / 2


@pytest.mark.parametrize("language", ["zh-Hant", "zh-TW", "zh-HK"])
@pytest.mark.parametrize("mark", "。，、")
def test_stops_stand_in_the_middle_in_traditional_chinese(language: str, mark: str) -> None:
    found = columns("月" + mark + "月", language=language)
    middle, top = cell(found, 1)
    ink = one(found, 1)
    assert ink.middle == pytest.approx((middle, top + EM / 2), abs=0.09 * EM)


@pytest.mark.parametrize("mark", ["ー", "〜", "（", "「", "…", "―", "—", "ッ", "。"])
def test_marks_with_a_form_for_columns_have_it(mark: str) -> None:
    assert one(columns("ム" + mark + "ム"), 1).item.glyph != one(line("ム" + mark + "ム"), 1).item.glyph


@pytest.mark.parametrize("mark", ["ー", "〜", "…", "—", "――", "——"])
def test_what_lies_in_a_line_runs_down_the_middle_of_a_column(mark: str) -> None:
    found = columns("ム" + mark + "ム")
    middle, _ = cell(found, 1)
    ink = one(found, 1)
    assert ink.bottom - ink.top > 2 * (ink.right - ink.left)
    assert ink.middle[0] == pytest.approx(middle, abs=0.06 * EM)


@pytest.mark.parametrize("mark", ["—", "―"])
def test_two_dashes_are_one(mark: str) -> None:
    for found, side in ((columns("月" + 2 * mark + "月"), "height"), (line("月" + 2 * mark + "月"), "width")):
        ink = one(found, 1)
        long = ink.bottom - ink.top if side == "height" else ink.right - ink.left
        assert long > 1.8 * EM
        assert not [s for s in shown(found) if s.at == 2]


def test_in_korean_a_dash_without_a_form_of_its_own_is_turned() -> None:
    ink = one(columns("달—달", language="ko"), 1)
    assert ink.item.turn == 90 or ink.bottom - ink.top > ink.right - ink.left


def test_ideographs_and_kana_stand_upright_in_the_middle() -> None:
    found = columns("国の口")
    for at in range(3):
        ink = one(found, at)
        assert ink.item.turn == 0
        middle, top = cell(found, at)
        assert ink.middle == pytest.approx((middle, top + EM / 2), abs=0.12 * EM)


def test_words_of_letters_are_turned_and_stand_about_the_middle() -> None:
    found = columns("月NASA月")
    letters = [s for s in shown(found) if 1 <= s.at <= 4]
    assert {s.item.turn for s in letters} == {90}
    tops = [s.top for s in letters]
    assert tops == sorted(tops)
    for s in letters:
        assert s.middle[0] == pytest.approx(found.lines[0].baseline, abs=0.1 * EM)
        assert s.bottom - s.top < s.right - s.left + EM


@pytest.mark.parametrize("text", ["Aさん", "第1話", "彼はX、"])
def test_a_letter_or_digit_alone_stands_upright(text: str) -> None:
    found = columns(text)
    at = next(at for at, c in enumerate(text) if c.isascii())
    ink = one(found, at)
    assert ink.item.turn == 0
    assert ink.middle[0] == pytest.approx(found.lines[0].baseline, abs=0.06 * EM)


@pytest.mark.parametrize(
    ("text", "first", "count"), [("第12話", 1, 2), ("何!?何", 1, 2), ("何！？何", 1, 2), ("え!!", 1, 2)]
)
def test_two_digits_or_marks_share_one_place(text: str, first: int, count: int) -> None:
    found = columns(text)
    middle, top = cell(found, first)
    inks = [s for s in shown(found) if first <= s.at < first + count]
    assert len(inks) == count
    assert {s.item.turn for s in inks} == {0}
    assert min(s.left for s in inks) >= middle - EM / 2
    assert max(s.right for s in inks) <= middle + EM / 2
    assert min(s.top for s in inks) >= top
    assert max(s.bottom for s in inks) <= top + EM
    assert inks[0].middle[0] < inks[1].middle[0]
    assert (inks[0].left + inks[-1].right) / 2 == pytest.approx(middle, abs=0.08 * EM)
    if len(text) > first + count:
        assert one(found, first + count).top >= top + EM


@pytest.mark.parametrize(
    ("text", "places"), [("え！！！", 4), ("え!!!", 4), ("え！！！！", 3), ("え!?!?", 3), ("え！", 2)]
)
def test_marks_in_odd_number_stand_one_below_the_other_and_in_even_number_by_pairs(text: str, places: int) -> None:
    found = columns(text)
    assert found.lines[0].box[3] - found.lines[0].box[1] == pytest.approx(places * EM, abs=0.05 * EM)


def test_how_many_digits_share_a_place_is_the_style_s_choice() -> None:
    assert {s.item.turn for s in shown(columns("第123話")) if s.at in (1, 2, 3)} == {90}
    squeezed = [s for s in shown(columns("第123話", combine=3)) if s.at in (1, 2, 3)]
    assert {s.item.turn for s in squeezed} == {0}
    assert squeezed[-1].right - squeezed[0].left <= EM
    assert squeezed[0].run.stretch < 1
    assert {s.item.turn for s in shown(columns("第12話", combine=0)) if s.at in (1, 2)} == {90}


@pytest.mark.parametrize("text", ["2024年", "12A号", "円3.14円", "12:30に"])
def test_digits_of_a_longer_number_or_word_are_turned(text: str) -> None:
    found = columns(text)
    assert {s.item.turn for s in shown(found) if text[s.at].isascii()} == {90}


def test_digits_inside_a_sentence_of_letters_are_turned_with_it() -> None:
    found = columns("Chapter 12 begins")
    assert {s.item.turn for s in shown(found)} == {90}


def test_a_mark_asks_for_one_place_or_for_upright_characters() -> None:
    shared = columns("第[123]{.tcy}話")
    assert {s.item.turn for s in shown(shared)} == {0}
    inks = [s for s in shown(shared) if s.at in (1, 2, 3)]
    assert inks[-1].right - inks[0].left <= EM
    upright = [s for s in shown(columns("月[NASA]{.upright}月")) if 1 <= s.at <= 4]
    assert {s.item.turn for s in upright} == {0}
    pitch = [b.middle[1] - a.middle[1] for a, b in pairwise(upright)]
    assert pitch == pytest.approx([EM] * 3, rel=0.1)


@pytest.mark.parametrize(
    ("language", "forms"), [("ja", "〝〟"), ("zh-Hans", "『』"), ("zh-Hant", "「」"), ("ko", "『』")]
)
def test_curly_quotes_have_the_forms_of_columns(language: str, forms: str) -> None:
    word = "달" if language == "ko" else "月"
    curly, proper = columns(f"“{word}”", language=language), columns(f"{forms[0]}{word}{forms[1]}", language=language)
    assert [s.item.glyph for s in shown(curly)] == [s.item.glyph for s in shown(proper)]
    assert not curly.missing


def test_an_apostrophe_stays_in_its_word() -> None:
    found = columns("彼はIt’s OKと言った", 30, 60)
    word = [s for s in shown(found) if 2 <= s.at <= 5]
    assert len({s.run.face for s in word}) == 1
    assert {s.item.turn for s in word} == {90}
    assert all(s.item.glyph for s in word)


def test_stops_of_alphabets_after_hangul_stand_like_those_of_columns() -> None:
    found = columns("알잖아. 작은", 10, 60, language="ko")
    ink = one(found, 3)
    assert ink.left > found.lines[0].baseline
    assert len(lines(found)) == 1


def test_three_full_stops_after_hangul_run_down_the_middle() -> None:
    found = columns("그런데...", language="ko")
    ink = one(found, 3)
    assert ink.bottom - ink.top > 3 * (ink.right - ink.left)
    assert ink.middle[0] == pytest.approx(found.lines[0].baseline, abs=0.05 * EM)


def test_hangul_stands_upright_and_its_words_stay_whole() -> None:
    found = columns("나는 달 전체를 원한 적이 없어, 알잖아.", 30, 20, language="ko")
    assert {s.item.turn for s in shown(found)} == {0}
    assert all(column in "나는 달 전체를 원한 적이 없어, 알잖아." for column in lines(found))
    assert sum(len(column.split()) for column in lines(found)) == 7


def test_an_arabic_word_in_a_column_is_turned_and_joined() -> None:
    found = columns("月قمر月")
    letters = [s for s in shown(found) if 1 <= s.at <= 3]
    assert {s.item.turn for s in letters} == {90}
    assert [s.at for s in sorted(letters, key=lambda s: s.top)] == [3, 2, 1]


def test_a_font_that_knows_nothing_of_columns_still_stands_in_them(tmp_path: Path) -> None:
    wanted = hb.SubsetInput()
    wanted.sets(hb.SubsetInputSets.UNICODE).update(map(ord, "国。ーっ"))
    wanted.sets(hb.SubsetInputSets.DROP_TABLE_TAG).update(
        int.from_bytes(tag, "big") for tag in (b"vmtx", b"vhea", b"VORG", b"GSUB", b"GPOS")
    )
    source = hb.Face(hb.Blob.from_file_path(str(packaged_fonts().face("Noto Sans CJK JP").path)))
    plain = hb.subset(source, wanted)
    assert plain is not None
    (tmp_path / "plain.otf").write_bytes(plain.blob.data)
    style = TextStyle(font="Noto Sans CJK JP", writing=Writing.VERTICAL, language="ja")
    balloon = MAKE.balloon(20, 20, 30, 60, "国。ー国", shape=BalloonShape.BOX, style=style)
    found = set_text(balloon, fonts=Fonts([tmp_path]))
    assert {run.face.path.name for run in found.lines[0].runs} == {"plain.otf"}
    middle, top = cell(found, 0)
    assert one(found, 0).middle == pytest.approx((middle, top + EM / 2), abs=0.06 * EM)
    stop = one(found, 1)
    assert stop.left > middle
    assert stop.bottom < top + 1.5 * EM
    bar = one(found, 2)
    assert bar.bottom - bar.top > 2 * (bar.right - bar.left)
    assert bar.middle[0] == pytest.approx(middle, abs=0.06 * EM)
    last = one(found, 3)
    assert last.middle == pytest.approx((middle, top + 3.5 * EM), abs=0.06 * EM)


@pytest.mark.parametrize("text", ["と、‘IT’s’……", "月、IT……", "……IT、月", "ITは——……"])
def test_dots_and_dashes_beside_letters_are_those_of_ideographs_in_their_languages(text: str) -> None:
    found = columns(text)
    marks = [s for s in shown(found) if text[s.at] in "…—"]
    assert {s.run.face.family for s in marks} == {"Noto Sans CJK JP"}
    assert {s.item.turn for s in marks} == {0}
    for mark in marks:
        column = next(one for one in found.lines if one.start <= mark.at < one.end)
        assert mark.middle[0] == pytest.approx(column.baseline, abs=0.06 * EM)


def test_dots_in_a_text_of_letters_alone_are_those_of_its_font() -> None:
    assert {s.run.face.family for s in shown(columns("Wait…", language="en"))} == {"Delius"}
