from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.model import Writing
from lantern_kit.comic.typeset.bidi import levels, visual_order
from lantern_kit.comic.typeset.breaking import graphemes
from lantern_kit.comic.typeset.fonts import OBLIQUE
from tests.typeset.lettered import columns, line, lines, shown, words

EM = 2_800


def test_arabic_is_read_from_right_to_left_and_joined() -> None:
    found = line("قمر صغير", language="ar")
    order = [s.at for s in sorted(shown(found), key=lambda s: -s.item.x)]
    assert order == sorted(order)
    alone = {line(c, language="ar").lines[0].runs[0].glyphs[0].glyph for c in "قمر"}
    word = {s.item.glyph for s in shown(line("قمر", language="ar"))}
    assert not alone & word or len(alone & word) < 3
    assert {s.run.face.family for s in shown(found)} == {"Almarai"}


def test_a_joined_word_stays_joined_where_its_look_changes() -> None:
    plain, marked = line("قمر", language="ar"), line("ق[مر]{colour=#c00000}", language="ar")
    assert [s.item.glyph for s in shown(plain)] == [s.item.glyph for s in shown(marked)]


def test_hebrew_has_its_brackets_mirrored_and_its_numbers_from_left_to_right() -> None:
    text = "ירח (12)!"
    found = line(text, language="he")
    by_place = {s.at: s for s in shown(found)}
    assert by_place[text.index("!")].right < by_place[text.index(")")].left
    assert by_place[text.index("1")].left < by_place[text.index("2")].left
    assert by_place[text.index("(")].left > by_place[text.index("1")].left
    opening = line("a (b", language="en")
    assert by_place[text.index("(")].item.glyph != next(s for s in shown(opening) if s.at == 2).item.glyph


def test_a_right_to_left_word_in_a_left_to_right_line_stands_in_its_place() -> None:
    text = "moon שלום sun"
    found = line(text, language="en")
    left = {s.at: s.left for s in shown(found)}
    assert left[0] < left[8] < left[5] < left[10]


def test_lines_of_right_to_left_text_are_in_order_and_each_begins_at_the_right() -> None:
    found = words("לא ביקשתי את כל הירח אתה יודע", 26, 24, style={"language": "he"})
    assert len(found.lines) > 1
    assert " ".join(lines(found)) == found.text
    for one in found.lines:
        glyphs = [s for s in shown(found) if one.start <= s.at < one.end]
        assert max(glyphs, key=lambda s: s.right).at == one.start


@given(st.text(st.sampled_from("abc 12,.()אבגدهو\n😀"), max_size=30))
def test_every_character_has_a_level_and_every_line_an_order(text: str) -> None:
    found = levels(text, "he")
    if found is None:
        return
    assert len(found) == len(text)
    order = visual_order(found)
    assert sorted(order) == list(range(len(text)))


def test_the_order_of_a_line_follows_its_levels() -> None:
    assert visual_order([0, 0, 1, 1, 1, 0]) == [0, 1, 4, 3, 2, 5]
    assert visual_order([1, 1, 2, 2, 1]) == [4, 2, 3, 1, 0]
    assert visual_order([]) == []


EMOJI = ("👨‍👩‍👧‍👦", "👍🏽", "🇯🇵", "1️⃣", "❤️", "😀", "🏳️‍🌈")


@pytest.mark.parametrize("picture", EMOJI)
@pytest.mark.parametrize("writing", list(Writing))
def test_a_picture_is_one_glyph_in_one_place(picture: str, writing: Writing) -> None:
    found = (columns if writing is Writing.VERTICAL else line)(f"月{picture}月")
    assert not found.missing
    inks = [s for s in shown(found) if 1 <= s.at <= len(picture)]
    assert len(inks) == 1
    assert inks[0].item.glyph != 0
    assert {s.run.face.family for s in inks} == {"Noto Emoji"}
    assert inks[0].right - inks[0].left <= EM
    assert inks[0].bottom - inks[0].top <= EM
    assert inks[0].item.turn == 0
    first, _, last = shown(found)
    along = last.item.y - first.item.y if writing is Writing.VERTICAL else last.item.x - first.item.x
    assert along == pytest.approx(2 * EM, abs=0.02 * EM)


@pytest.mark.parametrize("text", ["e\u0301", "n\u0303", "か\u3099", "\u1112\u1161\u11ab", "a\u0323\u0302"])
def test_marks_stay_over_their_letters(text: str) -> None:
    found = line(text)
    assert not found.missing
    assert len({s.run.face for s in shown(found)}) == 1
    composed = line(unicodedata.normalize("NFC", text))
    assert found.lines[0].box[2] - found.lines[0].box[0] == pytest.approx(
        composed.lines[0].box[2] - composed.lines[0].box[0], abs=1
    )


mixed = st.lists(
    st.sampled_from([*EMOJI, "e\u0301", "か\u3099", *"月a ！한ب١\n", "——", "……", "12", "😀\u200d😀"]),
    min_size=1,
    max_size=24,
).map("".join)


@given(
    mixed, st.sampled_from(list(Writing)), st.integers(8, 40), st.integers(8, 40), st.sampled_from(["ja", "ar", "en"])
)
def test_no_line_ends_inside_a_grapheme_a_dash_or_an_ellipsis(
    text: str, writing: Writing, width: int, height: int, language: str
) -> None:
    found = words(text, width, height, style={"writing": writing, "language": language})
    ends = {0, *graphemes(found.text)}
    for one in found.lines:
        assert one.start in ends
        assert one.end in ends
        for pair in ("——", "……"):
            assert found.text[one.start - 1 : one.start + 1] != pair or one.start == 0


@pytest.mark.parametrize("text", ["it’s", "“yes”", "‘no’", "rock ’n’ roll", '"straight"', "don't"])
@pytest.mark.parametrize("language", ["en", "ja", "zh-Hans", "zh-Hant", "ko"])
@pytest.mark.parametrize("writing", list(Writing))
def test_quotes_and_apostrophes_are_never_boxes(text: str, language: str, writing: Writing) -> None:
    found = words(text, 60, 60, style={"writing": writing, "language": language})
    assert not found.missing
    assert all(item.glyph for one in found.lines for run in one.runs for item in run.glyphs)
    assert len(shown(found)) == len(text.replace(" ", ""))


def test_an_apostrophe_in_an_ideographic_language_is_of_its_word_s_face() -> None:
    found = line("It’s 月", language="ja")
    assert len({s.run.face for s in shown(found) if s.at < 4}) == 1


def test_quotes_around_a_word_of_letters_are_full_width_among_ideographs_as_a_pair() -> None:
    found = line("他说“OK”吧", language="zh-Hans")
    inks = {found.text[s.at]: s for s in shown(found)}
    assert inks["“"].run.face is inks["”"].run.face is inks["他"].run.face


def test_korean_breaks_at_its_spaces() -> None:
    text = "나는 달 전체를 원한 적이 없어"
    found = words(text, 22, 24, style={"language": "ko"})
    assert len(found.lines) > 1
    assert " ".join(lines(found)) == text


@pytest.mark.parametrize(
    ("language", "other"), [("zh-Hans", "zh-Hant"), ("zh-CN", "zh-TW"), ("ja", "zh-HK"), ("zh-HK", "zh")]
)
def test_ideographs_have_the_forms_of_their_language(language: str, other: str) -> None:
    def glyphs(language: str) -> list[int]:
        return [s.item.glyph for s in shown(line("骨直今", language=language))]

    assert glyphs(language) != glyphs(other)


@pytest.mark.parametrize("writing", list(Writing))
@pytest.mark.parametrize(
    ("text", "language"), [("第123話、A組のB!?", "ja"), ("OK，三点 (3 pm)。", "zh-Hans"), ("OK, 달 2개.", "ko")]
)
def test_letters_and_digits_among_ideographs_are_of_their_face(text: str, language: str, writing: Writing) -> None:
    for font in ("dialogue", "narration"):
        found = words(text, 60, 60, style={"language": language, "writing": writing, "font": font})
        assert {s.run.face.family for s in shown(found)} == {"Noto Sans CJK JP"}
    named = words(text, 60, 60, style={"language": language, "font": "Delius"})
    assert {s.run.face.family for s in shown(named)} == {"Noto Sans CJK JP", "Delius"}


def test_a_sound_has_letters_of_the_face_that_most_of_it_is_of() -> None:
    assert {s.run.face.family for s in shown(line("ドーンA", font="sound"))} == {"Noto Sans CJK JP"}
    assert {s.run.face.family for s in shown(line("FWOOM", font="sound"))} == {"Luckiest Guy"}


def test_the_lean_of_a_role_is_that_of_its_letters_alone() -> None:
    found = line("The moon 月が 달 قمر 👍", language="en", font="narration")
    assert {(s.run.face.family == "Delius", s.run.lean > 0) for s in shown(found)} == {(True, True), (False, False)}
    assert {s.run.lean for s in shown(line("その夜、月は消えた——", font="narration"))} == {0.0}
    asked = shown(line("その夜、月は消えた", font="narration", italic=True))
    assert {s.run.lean for s in asked} == {OBLIQUE}


def test_in_a_column_of_italics_dashes_stand_on_its_axis() -> None:
    text = "月ー消えた——"
    leans = {text[s.at]: s.run.lean for s in shown(columns(text, italic=True))}
    assert leans["月"] == OBLIQUE
    assert leans["ー"] == leans["—"] == 0.0
