from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.model import BalloonShape, TextStyle, Writing
from lantern_kit.comic.typeset import set_text
from lantern_kit.comic.typeset.breaking import IN_PHRASE, IN_WORD, NOT_AT_END, NOT_AT_START, opportunities
from tests.typeset.lettered import MAKE, lines, words

japanese = st.text(st.sampled_from("月猫を返してください。、！？（）「」ー…っゃ々〜AB12 ——"), min_size=1, max_size=50)


@given(japanese, st.sampled_from(list(Writing)), st.integers(8, 40), st.integers(8, 40))
def test_no_line_begins_or_ends_with_what_kinsoku_forbids(text: str, writing: Writing, width: int, height: int) -> None:
    found = words(text, width, height, style={"writing": writing, "language": "ja"})
    for before, after in zip(lines(found), lines(found)[1:], strict=False):
        if before and after:
            assert after[0] not in NOT_AT_START
            assert before[-1] not in NOT_AT_END


@given(japanese)
def test_no_line_end_is_offered_that_kinsoku_forbids(text: str) -> None:
    for at, forced, _ in opportunities(text):
        if not forced:
            assert text[at] not in NOT_AT_START
            assert text[at - 1] not in NOT_AT_END


def test_phrases_stay_whole_where_there_is_room() -> None:
    for writing in Writing:
        found = words("彼女は月を返してほしいと言った。", 30, 30, style={"writing": writing, "language": "ja"})
        phrases = ["彼女は", "月を", "返して", "ほしいと", "言った。"]
        for line in lines(found):
            while line:
                phrase = phrases.pop(0)
                assert line.startswith(phrase)
                line = line.removeprefix(phrase)


def test_chinese_words_and_the_particles_after_them_stay_whole() -> None:
    text = "我从来没有要求过整个月亮，你知道的。"
    found = lines(words(text, 30, 20, style={"language": "zh-Hans"}))
    assert "".join(found) == text
    assert all(any(word in line for line in found) for word in ("从来没有", "要求过", "整个", "月亮，", "知道的。"))


def test_a_break_inside_a_phrase_costs_more_than_one_between_phrases() -> None:
    text = "返してほしいと言った"
    costs = {at: cost for at, forced, cost in opportunities(text, "ja") if not forced}
    assert costs[3] < costs[5]


@pytest.mark.parametrize("pair", ["……", "——", "――", "‥‥"])
def test_a_doubled_mark_is_never_split(pair: str) -> None:
    places = {at for at, _, _ in opportunities(f"月{pair}月", "ja")}
    assert 2 not in places


def test_addresses_break_after_slashes_or_anywhere_when_nothing_else_fits() -> None:
    text = "https://example.org/a/verylongpathsegmentwithoutanyend"
    found = words(text, 24, 30)
    assert not found.overflow
    assert "".join(lines(found)) == text
    assert "https://" in lines(found)[0]


def test_digits_in_one_place_of_a_column_are_never_parted() -> None:
    for height in range(8, 30):
        found = words(
            "第12話の12人が12月12日",
            40,
            height,
            shape=BalloonShape.BOX,
            style={"writing": Writing.VERTICAL, "language": "ja"},
        )
        assert sum(line.count("12") for line in lines(found)) == 4


def test_korean_without_spaces_breaks_between_syllables() -> None:
    text = "나는달전체를원한적이없어"
    found = words(text, 14, 24, style={"language": "ko"})
    assert len(found.lines) > 1
    assert "".join(lines(found)) == text


def test_places_count_characters_and_not_units_of_utf_16() -> None:
    text = "😀😀 moon 😀"
    assert [at for at, _, _ in opportunities(text)] == [1, 3, 8, 9]


def test_a_korean_particle_stays_with_the_quotation_before_it() -> None:
    for width in range(14, 40):
        found = lines(words("그런데 “달”은 어디 있지?", width, 24, style={"language": "ko"}))
        assert any("“달”은" in line for line in found)


def test_a_japanese_particle_stays_with_the_quotation_before_it_where_it_can() -> None:
    costs = {at: cost for at, _, cost in opportunities("「超電磁砲」を撃て！", "ja")}
    assert costs[6] > costs[7]


def test_a_number_stays_with_what_it_counts() -> None:
    text = "午前三時だよ、三十八万四千人と三回"
    costs = {found.at: found.cost for found in opportunities(text, "ja") if not found.forced}
    for counted in ("三時", "千人", "三回"):
        assert costs[text.index(counted) + 1] >= IN_WORD
    assert costs[text.index("四千")] < IN_WORD


@pytest.mark.parametrize(
    ("text", "language", "phrases"),
    [
        ("待って！チェルシーがコンピューターを壊した！", "ja", "待って！|チェルシーが|コンピューターを|壊した！"),
        ("さようなら、ミサイル", "ja", "さようなら、|ミサイル"),
        ("その時、男は立ち上がった。", "ja", "その時、|男は|立ち上がった。"),
        ("お前たちには、田中さんが", "ja", "お前たちには、|田中さんが"),
        ("第123話、逃がすな！", "ja", "第123話、|逃がすな！"),
        ("食べなければならない", "ja", "食べなければならない"),
        ("凌晨三点的时候，她说她不想走了。", "zh-Hans", "凌晨三点的|时候，|她说|她|不想|走了。"),
        ("「等一下，小鎮上誰都沒醒", "zh-Hant", "「等一下，|小鎮上|誰都沒醒"),
        ("午前3時、あと1分", "ja", "午前3時、|あと1分"),
        ("我叫李小龙，这件事", "zh-Hans", "我叫李|小龙，|这件事"),
        ("约翰·史密斯先生", "zh-Hans", "约翰·史密斯|先生"),
        ("Wait -- what? AAAA…GH! S-stop", "en", "Wait -- |what? |AAAA…GH! |S-stop"),
        ("Really…though, a well-known one", "en", "Really…|though, |a |well-|known |one"),
    ],
)
def test_phrases_end_where_a_letterer_would_end_a_line(text: str, language: str, phrases: str) -> None:
    found: list[str] = []
    start = 0
    for end in opportunities(text, language):
        if end.cost < IN_PHRASE:
            found.append(text[start : end.at])
            start = end.at
    assert "|".join(found) == phrases


@pytest.mark.parametrize(
    ("text", "width", "height", "size"),
    [("さようなら、", 20, 30, 4_000), ("{逃|に}がすな！", 20, 26, 4_000), ("チェルシー", 16, 22, 4_000)],
)
def test_a_word_that_fits_a_column_at_some_size_is_never_torn(text: str, width: int, height: int, size: int) -> None:
    found = words(text, width, height, style={"writing": Writing.VERTICAL, "language": "ja", "size": size})
    assert len(found.lines) == 1
    assert not found.overflow


@pytest.mark.parametrize("text", ["コンピューター", "ミサイル", "AAAA…GH!"])
def test_a_word_becomes_smaller_before_it_is_torn(text: str) -> None:
    found = words(text, 20, 20, style={"language": "ja", "size": 4_500})
    assert lines(found) == [text]
    assert found.size < 4_500


@pytest.mark.parametrize("arc", [70_000, -180_000])
@pytest.mark.parametrize("text", ["ズキューン", "ゴゴゴゴゴゴゴ", "FWOOM FWOOM"])
def test_words_on_an_arc_stay_on_it_and_become_smaller(text: str, arc: int) -> None:
    sound = MAKE.text(10, 60, 40, 26, text, style=TextStyle(size=14_000, font="sound", language="ja"), arc=arc)
    found = set_text(sound)
    assert lines(found) == [text]
    assert not found.overflow
    ink = found.ink
    assert ink is not None
    assert ink.w <= 40_000 + 2
    assert ink.w > 34_000 or ink.h > 22_000
    assert len(set_text(sound.model_copy(update={"text": f"{text}\n{text}"})).lines) == 2


def test_a_sound_becomes_smaller_before_a_word_of_it_is_torn() -> None:
    sound = MAKE.text(
        10, 60, 20, 40, "ズキューン バリバリッ", style=TextStyle(size=14_000, font="sound", language="ja")
    )
    assert lines(set_text(sound)) == ["ズキューン", "バリバリッ"]
