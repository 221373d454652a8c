from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lantern_kit.comic.balloons.body import form_of, room
from lantern_kit.comic.model import Align, Balloon, Stroke, TextStyle, Writing
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.typeset import Fonts, SetText, set_text
from lantern_kit.comic.typeset.breaking import opportunities
from lantern_kit.comic.typeset.fonts import ROLES, packaged_fonts
from lantern_kit.kernel.errors import NotFound
from tests.render.pages import CHAPTER, Maker, near, page, pictures

MAKE = Maker()


def words(text: str, width: float = 40, height: float = 24, **more: object) -> SetText:
    style = TextStyle(**more.pop("style", {}))  # type: ignore[arg-type]
    return set_text(MAKE.balloon(20, 20, width, height, text, style=style, **more))


def lines(text: str, width: float = 40, height: float = 24, **more: object) -> list[str]:
    found = words(text, width, height, **more)
    return [found.words_of(line) for line in found.lines]


SPEECH = "I never asked for the whole moon, you know. A small one would do."
texts = st.text(
    st.sampled_from("abcdefghij klmno pqrst uvwxyz ABC EGH,.!?-…—' \n") | st.sampled_from("月を返して。猫「だ」ー！"),
    min_size=1,
    max_size=90,
)


strange = st.text(
    st.characters(exclude_categories=["Cs", "Cc"])
    | st.sampled_from("\n\ufffe\uffff\ue000\u200b\u200d\u202e\u0301\u2028"),
    max_size=40,
)


@example("\ue000", "dialogue", True, Writing.HORIZONTAL)
@example("\ufffe\uffff", "sound", False, Writing.VERTICAL)
@given(strange, st.sampled_from([*ROLES, "of no name"]), st.booleans(), st.sampled_from(list(Writing)))
def test_any_text_is_set_and_drawn_and_what_has_no_glyph_is_said(
    text: str, font: str, fit: bool, writing: Writing
) -> None:
    balloon = MAKE.balloon(20, 20, 40, 24, text, style=TextStyle(font=font, fit=fit, writing=writing))
    found = set_text(balloon)
    assert found.size > 0
    render_unit(page(balloon), CHAPTER, pictures, long_edge=64)
    assert all(ord(character) > 127 for character in found.missing)


@given(texts)
def test_no_character_is_lost_between_the_lines(text: str) -> None:
    found = words(text)
    assert "".join("".join(found.words_of(line).split()) for line in found.lines) == "".join(text.split())
    shown = [(item.at, line) for line in found.lines for run in line.runs for item in run.glyphs]
    assert all(line.start <= at < line.end for at, line in shown)


def test_the_ink_that_is_drawn_stays_inside_the_outline() -> None:
    make = Maker()
    balloon = make.balloon(
        20, 20, 36, 24, SPEECH + " Really.", stroke=Stroke(width=400), style=TextStyle(colour="#c00000")
    )
    assert not set_text(balloon).overflow
    drawn = render_unit(page(balloon, background="#808080"), CHAPTER, pictures, scale=16)
    dyed = (drawn.pixels[..., 0].astype(int) - drawn.pixels[..., 1]) > 40
    ys, xs = np.nonzero(dyed)
    assert len(xs) > 2_000
    free = room(form_of(balloon), balloon.padding)
    for x, y in zip(xs[::7] / 16 * 1_000 - 38_000, ys[::7] / 16 * 1_000 - 32_000, strict=True):
        left, right = free.span(y, y) or (0, 0)
        assert left - 80 <= x <= right + 80
    found = set_text(balloon).ink
    assert found is not None
    seen = (xs.min() / 16, ys.min() / 16, (xs.max() + 1) / 16, (ys.max() + 1) / 16)
    told = (found.x / 1_000, found.y / 1_000, found.right / 1_000, found.bottom / 1_000)
    assert seen == pytest.approx(told, abs=0.15)


def test_words_that_fit_are_set_at_the_size_the_style_asks_for() -> None:
    found = words("Hm.", 40, 24)
    assert found.size == 2_800
    assert not found.overflow


def test_a_small_balloon_makes_smaller_lettering_and_a_tiny_one_overflows() -> None:
    roomy, tight, tiny = words(SPEECH, 44, 28), words(SPEECH, 26, 16), words(SPEECH, 16, 9)
    assert roomy.size == 2_800
    assert 1_700 <= tight.size < 2_800
    assert not tight.overflow
    assert tiny.overflow
    assert tiny.size == 1_700


def test_the_size_found_is_the_largest_that_fits() -> None:
    tight = words(SPEECH, 26, 16)
    again = words(SPEECH, 26, 16, style={"fit": False, "size": tight.size})
    larger = words(SPEECH, 26, 16, style={"fit": False, "size": tight.size + 40})
    assert not again.overflow
    assert larger.overflow


def test_without_fitting_the_size_is_kept_and_overflow_said() -> None:
    found = words(SPEECH, 20, 12, style={"fit": False, "size": 3_000})
    assert found.size == 3_000
    assert found.overflow


def test_a_word_wider_than_any_line_breaks_between_characters_rather_than_standing_over() -> None:
    text = "Donaudampfschifffahrtsgesellschaftskapitän"
    found = words(text, 20, 30)
    assert not found.overflow
    assert "".join(found.words_of(line) for line in found.lines) == text
    assert words(text, 12, 8).overflow


def test_lines_are_balanced_and_no_word_is_left_alone() -> None:
    for text, width, height in (
        ("Then I'm going up to get it!", 32, 13),
        ("Every night, yes. Read the label.", 36, 15),
        (SPEECH, 38, 24),
        ("We could always ask the moon what it wants to be", 40, 24),
    ):
        found = lines(text, width, height)
        assert len(found) > 1
        assert " " in found[-1], f"{found[-1]} is left alone"


def test_a_sentence_s_end_is_a_good_place_to_end_a_line() -> None:
    assert lines("Every night, yes. Read the label.", 36, 15) == ["Every night, yes.", "Read the label."]


def test_lines_end_where_the_text_says() -> None:
    assert lines("I can't\nbelieve\nit!") == ["I can't", "believe", "it!"]
    assert lines("One\n\nTwo") == ["One", "", "Two"]


def test_words_break_at_hyphens_and_dashes_only_where_letters_follow() -> None:
    text = "rocket-powered — yes-no, -5 x"
    places = {at for at, forced, _ in opportunities(text) if not forced}
    assert {text.index("powered"), text.index("no,")} <= places
    assert text.index("5") not in places
    assert text.index("—") not in places
    assert text.index("—") + 2 in places


def test_japanese_is_set_without_spaces_and_in_a_face_that_has_it() -> None:
    found = words("これは猫の月です。誰も返してくれません！", 36, 18, style={"language": "ja"})
    assert not found.missing
    assert not found.overflow
    assert len(found.lines) > 1
    assert {run.face.family for line in found.lines for run in line.runs} == {"Noto Sans CJK JP"}


def test_a_mark_is_full_width_in_an_ideographic_language_only() -> None:
    def face(language: str) -> str:
        return words("…", style={"language": language}).lines[0].runs[0].face.family

    assert face("en") == "Delius"
    assert face("zh-Hans") == "Noto Sans CJK JP"


def test_the_language_picks_the_form_of_an_ideograph() -> None:
    def glyph(language: str) -> int:
        return words("直", style={"language": language}).lines[0].runs[0].glyphs[0].glyph

    assert glyph("ja") != glyph("zh-Hans")


def test_a_mixed_text_is_set_from_several_faces_on_one_baseline() -> None:
    (line,) = words("moon 月 moon", 60, 9).lines
    assert [run.face.family for run in line.runs] == ["Delius", "Noto Sans CJK JP", "Delius"]
    assert len({item.y for run in line.runs for item in run.glyphs}) == 1


def test_characters_that_no_font_has_are_named_once() -> None:
    assert words("a \U00012000 b \U00012000").missing == ("\U00012000",)
    assert words("perfectly fine — “yes” é 月").missing == ()


def test_an_unknown_family_is_set_as_dialogue_and_said() -> None:
    found = words("hello", style={"font": "Wildwords"})
    assert found.unknown_font == "Wildwords"
    assert found.lines[0].runs[0].face.family == "Delius"
    with pytest.raises(NotFound, match="Wildwords"):
        packaged_fonts().face("Wildwords")


def test_a_near_miss_names_the_family_that_is_there() -> None:
    with pytest.raises(NotFound) as caught:
        packaged_fonts().face("Lucky Guy")
    assert "Luckiest Guy" in caught.value.recovery


@pytest.mark.parametrize("role", sorted(ROLES))
@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("italic", [False, True])
def test_every_role_is_set_in_every_cut(role: str, bold: bool, italic: bool) -> None:
    found = words("Oh my 月!", style={"font": role, "bold": bold, "italic": italic})
    assert not found.missing
    assert not found.unknown_font
    plain = words("Oh my 月!", style={"font": role})
    if bold:
        assert found.lines[0].runs[0].weight > plain.lines[0].runs[0].weight or found.lines[0].runs[0].face.bold, (
            "bold must be heavier"
        )
    if italic:
        assert found.lines[0].runs[0].lean > 0


def test_a_person_s_own_font_is_found_by_its_family(tmp_path: Path) -> None:
    source = packaged_fonts().face("Permanent Marker").path
    (tmp_path / "deep").mkdir()
    shutil.copy(source, tmp_path / "deep" / "mine.ttf")
    (tmp_path / "broken.ttf").write_bytes(b"not a font")
    fonts = Fonts([tmp_path])
    assert fonts.face("permanent marker").path == tmp_path / "deep" / "mine.ttf"
    assert len(fonts.problems) == 1
    assert "broken.ttf" in fonts.problems[0]
    balloon = MAKE.balloon(0, 0, 40, 20, "mine", style=TextStyle(font="Permanent Marker"))
    assert set_text(balloon, fonts=fonts).lines[0].runs[0].face.path.name == "mine.ttf"


@pytest.mark.parametrize(("align", "side"), [(Align.LEFT, 0), (Align.RIGHT, 1)])
def test_a_caption_is_flush_with_its_padding(align: Align, side: int) -> None:
    caption = MAKE.narration(10, 10, 50, 16, "Nobody ever told a cat\nthat", style=TextStyle(align=align))
    found = set_text(caption)
    edges = [(line.box[0], line.box[2]) for line in found.lines]
    inset = caption.padding + caption.stroke.width / 2
    wanted = (10_000 + inset, 60_000 - inset)[side]
    assert [edge[side] for edge in edges] == pytest.approx([wanted, wanted], abs=2)


def test_the_block_stands_in_the_middle_by_eye() -> None:
    found = words("EVEN", 40, 20, style={"font": "sans"})
    ink = found.ink
    assert ink is not None
    assert (ink.y + ink.bottom) / 2 == pytest.approx(30_000, abs=120)
    assert (ink.x + ink.right) / 2 == pytest.approx(40_000, abs=40)


def test_turned_text_tells_where_its_ink_really_is() -> None:
    make = Maker()
    upright = make.text(20, 50, 60, 10, "FWOOM", style=TextStyle(font="sound", size=8_000))
    turned = upright.model_copy(update={"rotate": 90_000})
    one, two = set_text(upright).ink, set_text(turned).ink
    assert one is not None
    assert two is not None
    assert (one.w, one.h) == pytest.approx((two.h, two.w), abs=4)
    drawn = render_unit(page(turned), CHAPTER, pictures, scale=8)
    ys, xs = np.nonzero(drawn.pixels[..., 0] < 128)
    assert (xs.min() / 8, (xs.max() + 1) / 8) == pytest.approx((two.x / 1_000, two.right / 1_000), abs=0.2)
    assert (ys.min() / 8, (ys.max() + 1) / 8) == pytest.approx((two.y / 1_000, two.bottom / 1_000), abs=0.2)


def test_an_outline_is_drawn_behind_and_closes_the_eyes_of_letters() -> None:
    make = Maker()
    style = TextStyle(
        font="sound", size=20_000, smallest=20_000, colour="#ffd23f", outline=Stroke(width=1_500, colour="#202040")
    )
    drawn = render_unit(
        page(make.text(5, 40, 90, 40, "OO", style=style), background="#ffffff"), CHAPTER, pictures, scale=8
    )
    yellow, dark = near(drawn.pixels, (0xFF, 0xD2, 0x3F)), near(drawn.pixels, (0x20, 0x20, 0x40))
    assert yellow.sum() > 3_000
    assert dark.sum() > 3_000
    ys, xs = np.nonzero(yellow)
    box = drawn.pixels[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    middle = box[box.shape[0] // 2]
    assert not near(middle[None], (255, 255, 255)).any(), "paper shows through an eye"


def test_the_same_words_in_the_same_box_are_set_once() -> None:
    one, two = words(SPEECH), words(SPEECH)
    assert one.layout is two.layout
    assert words(SPEECH, 41).layout is not one.layout


def test_a_long_text_is_set_in_reasonable_lines() -> None:
    text = " ".join(["moon"] * 300)
    found = set_text(MAKE.narration(5, 5, 90, 130, text))
    assert not found.overflow
    assert sum(len(found.words_of(line).split()) for line in found.lines) == 300


def test_nothing_to_say_is_not_an_overflow() -> None:
    found = words("")
    assert found.ink is None
    assert not found.overflow
    assert isinstance(MAKE.balloon(0, 0, 1, 1, ""), Balloon)
