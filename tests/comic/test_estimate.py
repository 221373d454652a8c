from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.edit.estimate import advance, balloon_size, caption_size, words_size
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import Balloon, BalloonShape, Lettering, Narration, Rect, Text, TextStyle, Writing
from lantern_kit.comic.typeset import set_text
from tests.comic.operations import Desk

SAMPLES = (
    ("Up.", "en"),
    ("WAIT!", "en"),
    ("…", "en"),
    ("Is that… mine?", "en"),
    ("What on earth are you doing up there, Chelsea?", "en"),
    ("I have never seen the moon from this close before. It looks like cheese.", "en"),
    ("Supercalifragilistic!", "en"),
    ("Line one\nline two is longer\nthree", "en"),
    ("三毛猫。", "zh-Hans"),
    ("月亮看起来像一块很大很大的奶酪，我想吃掉它。", "zh-Hans"),
    ("これは何ですか？宇宙飛行士はどこへ行きましたか、教えてください。", "ja"),
    ("Hello 世界, mixed 文字 text", "ja"),
)
WORDS = st.lists(st.text("abcdefghijklmnoprstuvwy", min_size=1, max_size=11), min_size=1, max_size=30)


def setting(lettering: type[Lettering], size: tuple[int, int], text: str, style: TextStyle, **facts: object) -> float:
    """How large the renderer sets the words in such a box, over the size that was asked for."""
    box = Rect(x=0, y=0, w=size[0], h=size[1])
    prefix = lettering.prefix
    item = lettering.model_validate(
        {"id": f"{prefix}_0000", "parent": "un_0000", "box": box, "text": text, "style": style, **facts}, strict=False
    )
    set_ = set_text(item)
    assert not set_.overflow
    return set_.size / style.size


@pytest.mark.parametrize("shape", list(BalloonShape))
@pytest.mark.parametrize(("text", "language"), SAMPLES)
def test_words_fit_their_estimated_balloon_near_full_size(text: str, language: str, shape: BalloonShape) -> None:
    style = TextStyle(language=language)
    width, height = balloon_size(text, style, shape, 1_200)
    assert setting(Balloon, (width, height), text, style, shape=shape) >= 0.8
    assert 1.0 <= width / height <= 4.0


@pytest.mark.parametrize(("text", "language"), SAMPLES)
def test_captions_and_paper_lettering_fit_too(text: str, language: str) -> None:
    style = TextStyle(font="narration", language=language)
    size = caption_size(text, style, 1_200)
    assert size[0] > size[1]
    assert setting(Narration, size, text, style) >= 0.8
    loud = TextStyle(font="sound", size=12_000, language=language)
    assert setting(Text, words_size(text, loud), text, loud) >= 0.8


@given(WORDS, st.sampled_from(list(BalloonShape)), st.integers(1_800, 6_000))
@settings(max_examples=60, deadline=None)
def test_any_words_fit_without_becoming_much_smaller(words: list[str], shape: BalloonShape, size: int) -> None:
    text = " ".join(words)
    style = TextStyle(size=size, smallest=1_000)
    guess = balloon_size(text, style, shape, 1_000)
    assert guess == balloon_size(text, style, shape, 1_000)
    assert setting(Balloon, guess, text, style, shape=shape, padding=1_000) >= 0.7


def test_more_words_never_make_a_smaller_balloon_and_wide_characters_count_double() -> None:
    style = TextStyle()
    areas = []
    for count in range(1, 40):
        width, height = balloon_size("cat " * count, style, BalloonShape.ELLIPSE, 1_200)
        areas.append(width * height)
    assert areas[0] < areas[10] < areas[20] < areas[-1]
    assert advance("猫猫") == 2.0
    assert advance("cat") < advance("CAT")
    assert advance("e\u0301") == advance("e")


def test_a_balloon_never_outgrows_its_frame_or_the_safe_area() -> None:
    desk = Desk()
    unit = desk.one("unit.add")
    frame = desk.one("frame.add", unit, rect=[10, 10, 30, 40])
    text = "A very long speech that would need far more room than there is in this narrow frame, over and over again."
    small = desk.get(desk.one("balloon.add", frame, text=text, at=[25, 30]))
    assert small.box.w <= 27_000
    assert small.box.h <= 36_000
    large = desk.get(desk.one("balloon.add", unit, text=text * 20, at=[50, 70]))
    assert large.box.w <= 95_000
    assert large.box.h <= 138_000
    spread = desk.one("unit.add", kind="spread", gutter=5)
    half = desk.get(desk.one("balloon.add", spread, text=text * 20, at=[160, 70]))
    assert half.box.w <= 95_000


@pytest.mark.parametrize("writing", list(Writing))
@pytest.mark.parametrize(
    "text",
    [
        "チェルシー",
        "さようなら、",
        "ミサイル",
        "コンピューター",
        "{逃|に}がすな！",
        "{流星|シューティングスター}",
        "{志|こころざし}",
    ],
)
def test_a_word_of_japanese_has_a_balloon_that_holds_it_on_one_line(text: str, writing: Writing) -> None:
    style = TextStyle(language="ja", writing=writing, size=3_500)
    width, height = balloon_size(text, style, BalloonShape.ELLIPSE, 1_800)
    assert (width < height) == (writing is Writing.VERTICAL)
    box = Rect(x=0, y=0, w=width, h=height)
    found = set_text(Balloon(id="bl_0000", parent="un_0000", box=box, text=text, style=style, padding=1_800))
    assert not found.overflow
    assert found.size >= 0.85 * style.size
    assert [found.words_of(line) for line in found.lines] == [plain(text)]
