from __future__ import annotations

from itertools import pairwise

import pytest

from lantern_kit.comic.model import Align, BalloonShape, Writing
from lantern_kit.comic.typeset.shaping import Part
from tests.typeset.lettered import columns, line, lines, shown, words

EM = 2_800


def test_a_reading_stands_above_the_middle_of_its_base_at_half_the_size() -> None:
    found = line("{漢字|かんじ}だ")
    base = [s for s in shown(found) if s.at in (0, 1)]
    ruby = shown(found, Part.RUBY)
    assert len(ruby) == 3
    assert {s.run.size for s in ruby} == {EM / 2}
    assert {s.item.at for s in ruby} == {0}
    assert max(s.bottom for s in ruby) <= min(s.top for s in base) + 0.03 * EM
    middle = (base[0].left + base[-1].right) / 2
    assert (ruby[0].left + ruby[-1].right) / 2 == pytest.approx(middle, abs=0.08 * EM)


def test_a_reading_stands_at_the_right_of_a_column() -> None:
    found = columns("{漢字|かんじ}だ")
    base, ruby = [s for s in shown(found) if s.at in (0, 1)], shown(found, Part.RUBY)
    assert min(s.left for s in ruby) >= max(s.right for s in base) - 0.05 * EM
    tops = [s.top for s in ruby]
    assert tops == sorted(tops)
    middle = (base[0].top + base[-1].bottom) / 2
    assert (ruby[0].top + ruby[-1].bottom) / 2 == pytest.approx(middle, abs=0.12 * EM)


def test_a_short_reading_is_spread_one_part_at_the_ends_and_two_between() -> None:
    found = line("{東京都|とけ}")
    first, second = shown(found, Part.RUBY)
    cell = found.lines[0].box
    pitch = second.item.x - first.item.x
    assert pitch == pytest.approx(1.5 * EM, abs=0.01 * EM)
    assert first.item.x - cell[0] == pytest.approx(0.5 * EM, abs=0.01 * EM)


def test_characters_with_readings_of_their_own_have_them_each() -> None:
    found = line("{漢字|かん|じ}")
    ruby = shown(found, Part.RUBY)
    assert [s.item.at for s in ruby] == [0, 0, 1]
    last_base = next(s for s in shown(found) if s.at == 1)
    assert ruby[2].middle[0] == pytest.approx(last_base.middle[0], abs=0.1 * EM)


def test_a_long_reading_spreads_its_base_between_ideographs() -> None:
    plain, found = line("山心山"), line("山{心|こころい}山")
    gap = [b.item.x - a.item.x for a, b in pairwise(shown(found))]
    assert gap == pytest.approx([1.5 * EM, 1.5 * EM], abs=0.01 * EM)
    assert found.lines[0].box[2] - found.lines[0].box[0] == pytest.approx(4 * EM, abs=2)
    assert plain.lines[0].box[2] - plain.lines[0].box[0] == pytest.approx(3 * EM, abs=2)


def test_a_long_reading_reaches_over_kana_by_half_its_own_em_at_most_and_never_over_ideographs() -> None:
    found = line("の{心|こころ}の")
    gap = [b.item.x - a.item.x for a, b in pairwise(shown(found))]
    assert gap == pytest.approx([EM, EM], abs=0.01 * EM)
    ruby = shown(found, Part.RUBY)
    cell = shown(found)[1].item.x
    assert cell - ruby[0].item.x == pytest.approx(0.25 * EM, abs=0.01 * EM)
    between = line("山{心|こころ}山")
    ruby, base = shown(between, Part.RUBY), shown(between)
    assert ruby[0].item.x >= base[0].item.x + EM - 1
    assert ruby[-1].item.x + EM / 2 <= base[2].item.x + 1
    longer = line("の{心|こころいき}の")
    assert shown(longer)[1].item.x - shown(longer)[0].item.x == pytest.approx(1.5 * EM - 0.25 * EM + 0.25 * EM, rel=0.2)


def test_readings_stay_with_their_base_and_bases_of_one_reading_are_not_split() -> None:
    found = words("私は{承認欲求|しょうにんよっきゅう}が好き", 14, 40, shape=BalloonShape.BOX, style={"language": "ja"})
    assert any("承認欲求" in text for text in lines(found))
    one = next(line for line in found.lines if "承" in found.words_of(line))
    assert any(run.part is Part.RUBY for run in one.runs)


@pytest.mark.parametrize("writing", list(Writing))
def test_lines_with_readings_keep_clear_of_the_lines_before_them(writing: Writing) -> None:
    text = "{月|つき}の{光|ひかり}\n{星|ほし}の{声|こえ}"
    found = words(text, 60, 60, shape=BalloonShape.BOX, style={"language": "ja", "writing": writing})
    tight = words(
        text, 60, 60, shape=BalloonShape.BOX, style={"language": "ja", "writing": writing, "leading": 1_000_000}
    )
    for one in (found, tight):
        first, second = one.lines
        marks = [s for s in shown(one, Part.RUBY) if s.at >= second.start]
        base = [s for s in shown(one) if s.at < first.end]
        if writing is Writing.VERTICAL:
            assert max(s.right for s in marks) <= min(s.left for s in base)
        else:
            assert min(s.top for s in marks) >= max(s.bottom for s in base)


def test_readings_are_part_of_the_ink_and_must_fit_the_balloon() -> None:
    found = words("{月|つき}", 30, 20, style={"language": "ja"})
    ink = found.ink
    assert ink is not None
    top = min(s.top for s in shown(found, Part.RUBY))
    assert ink.y <= top <= ink.y + 2
    plain = words("月", 6, 5, style={"language": "ja"}, padding=500)
    marked = words("{月|つき}", 6, 5, style={"language": "ja"}, padding=500)
    assert marked.size < plain.size


@pytest.mark.parametrize("writing", list(Writing))
@pytest.mark.parametrize("marks", ["dots", "sesame"])
def test_emphasis_marks_stand_beside_every_letter_and_no_other(marks: str, writing: Writing) -> None:
    text = f"それは[絶対、 ダメ！]{{.{marks}}}だ"
    found = words(text, 60, 60, shape=BalloonShape.BOX, style={"language": "ja", "writing": writing})
    dots = shown(found, Part.DOTS)
    assert [found.text[s.at] for s in dots] == list("絶対ダメ")
    for dot in dots:
        base = next(s for s in shown(found) if s.at == dot.at)
        if writing is Writing.VERTICAL:
            assert dot.left > base.right
            assert dot.middle[1] == pytest.approx(base.middle[1], abs=0.2 * EM)
        else:
            assert dot.bottom < base.top
            assert dot.middle[0] == pytest.approx(base.middle[0], abs=0.2 * EM)


def test_chinese_has_emphasis_marks_below_the_line() -> None:
    found = line("[月亮]{.dots}", language="zh-Hans")
    assert all(dot.top > max(s.bottom for s in shown(found)) for dot in shown(found, Part.DOTS))


def test_sizes_and_colours_of_stretches_are_those_of_their_runs() -> None:
    found = line("so [big]{size=2} and [red]{colour=#c00000}", language="en")
    sizes = {found.text[s.at]: s.run.size for s in shown(found)}
    assert sizes["b"] == 2 * EM
    assert sizes["s"] == EM
    assert {s.run.colour for s in shown(found) if found.text[s.at : s.at + 3] == "red"} == {"#c00000"}
    assert len({s.item.y for s in shown(found)}) == 1


def test_bold_and_italic_stretches_are_set_so() -> None:
    found = line("one [two]{.bold} [three]{.italic} 月[月]{.bold}", language="en")

    def run(at: int) -> tuple[float, float, bool]:
        s = next(s for s in shown(found) if s.at == at)
        return s.run.weight, s.run.lean, s.run.face.bold

    plain, bold, italic = run(0), run(4), run(8)
    assert bold[0] > plain[0]
    assert italic[1] > plain[1]
    assert not run(14)[2]
    assert run(15)[2]


def test_the_pitch_of_a_line_goes_by_the_largest_on_it() -> None:
    small = line("one\ntwo\nthree", height=60, language="en")
    large = line("one\n[two]{size=2}\nthree", height=60, language="en")
    first, second, third = (line.baseline for line in small.lines)
    one, two, three = (line.baseline for line in large.lines)
    assert second - first == pytest.approx(third - second)
    assert two - one > 1.5 * (second - first)
    assert three - two > second - first


def test_what_larger_words_need_is_counted_when_they_are_fitted() -> None:
    found = words("This is [VERY BIG]{size=2} and that is small", 26, 15)
    assert not found.overflow
    assert found.size < 2_800


def test_a_stretch_in_a_font_that_is_not_there_is_said_and_set_as_the_rest() -> None:
    found = line("one [two]{font=Wildwords}", language="en")
    assert found.unknown_font == "Wildwords"
    assert len({s.run.face for s in shown(found)}) == 1


@pytest.mark.parametrize("writing", list(Writing))
def test_readings_of_neighbours_never_meet(writing: Writing) -> None:
    text = "{心|こころ}{の|ノヲ}{心|こころ}の{闇|やみやみ}"
    down = writing is Writing.VERTICAL
    found = (columns if down else line)(text, align=Align.LEFT)
    assert len(found.lines) == 1
    for a, b in pairwise(shown(found, Part.RUBY)):
        assert (b.top - a.bottom if down else b.left - a.right) > -0.02 * EM


def test_characters_that_no_font_has_are_found_in_readings_too() -> None:
    assert line("{月|\U00012000}").missing == ("\U00012000",)


def test_a_reading_over_words_from_right_to_left_stands_over_all_of_them() -> None:
    found = line("يا {عالم|عالم}", language="ar")
    base = [s for s in shown(found) if s.at >= 3]
    ruby = shown(found, Part.RUBY)
    middle = (min(s.left for s in base) + max(s.right for s in base)) / 2
    assert (min(s.left for s in ruby) + max(s.right for s in ruby)) / 2 == pytest.approx(middle, abs=0.1 * EM)
    assert max(s.bottom for s in ruby) < min(s.top for s in base) + 0.1 * EM
    assert len({s.item.glyph for s in ruby} & {s.item.glyph for s in base}) == len({s.item.glyph for s in base})


@pytest.mark.parametrize("text", ["[{絶対|ぜったい}]{.dots}に", "[{絶対|ぜったい}に]{.dots}行く"])
def test_emphasis_marks_stand_in_one_line_outside_the_readings(text: str) -> None:
    found, flat = columns(text), line(text)
    ruby, dots = shown(found, Part.RUBY), shown(found, Part.DOTS)
    assert len(dots) == 2 + text.count("に]")
    assert max(s.middle[0] for s in dots) - min(s.middle[0] for s in dots) < 1
    assert min(s.left for s in dots) > max(s.right for s in ruby)
    ruby, dots = shown(flat, Part.RUBY), shown(flat, Part.DOTS)
    assert max(s.middle[1] for s in dots) - min(s.middle[1] for s in dots) < 1
    assert max(s.bottom for s in dots) < min(s.top for s in ruby)


def test_a_reading_keeps_clear_of_the_next_column() -> None:
    found = columns("月が\n{流星|シューティングスター}だ")
    reading = found.lines[1].box[2] + EM / 2
    assert max(s.right for s in shown(found, Part.RUBY)) <= reading
    assert found.lines[0].box[0] - reading >= 0.09 * EM
