"""The specimen book: every page is drawn and held against its expected picture by a judge of perception."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern_kit.comic.checks import check_unit
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import Balloon, BalloonShape, EffectType, Lettering, Screen, TailStyle, Unit, Writing
from lantern_kit.comic.typeset import set_text
from lantern_kit.comic.typeset.setting import Part
from lantern_kit.imaging.decode import decode
from tests.specimens.book import book, draw, told
from tests.specimens.ours import EM, ink_of
from tests.specimens.perception import TOLERANCE, worst
from tests.specimens.sheet import Specimen, picture

NAMES = tuple(book())
FAULTS = {
    "lettering.font",
    "lettering.glyph",
    "lettering.gutter",
    "lettering.overflow",
    "lettering.safe",
    "picture.missing",
}
"""What no page of the book may have; what else the checks find is a matter of taste, and a specimen shows extremes."""


def expected(root: Path, name: str) -> Path:
    return root / "docs" / "specimens" / f"{name}.png"


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_the_book_looks_as_expected(name: str, root: Path) -> None:
    stored = decode(expected(root, name).read_bytes()).pixels
    assert worst(stored, draw(book()[name])) < TOLERANCE


@pytest.mark.parametrize("name", NAMES)
def test_a_page_of_the_book_has_every_glyph_and_room_for_every_word(name: str) -> None:
    specimen = book()[name]
    found = check_unit(specimen.unit, specimen.chapter, picture)
    assert [finding for finding in found if finding.rule in FAULTS] == []


def test_the_folder_holds_the_pages_and_their_captions_and_nothing_else(root: Path) -> None:
    folder = root / "docs" / "specimens"
    pages = {f"{name}.png" for name in NAMES}
    assert {path.name for path in folder.iterdir()} == pages | {"README.md", "lettering.md", "lettering.png"}
    assert (folder / "README.md").read_text() == told()
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 2_600_000


def test_the_book_has_every_shape_tail_effect_and_screen() -> None:
    objects = [item for specimen in book().values() for item in specimen.unit.objects]
    balloons = [item for item in objects if item.kind == "balloon"]
    effects = [item for item in objects if item.kind == "effect"]
    assert {item.shape for item in balloons} == set(BalloonShape)
    assert {tail.style for item in balloons for tail in item.tails} == {None, *TailStyle}
    assert {item.effect for item in effects} == set(EffectType)
    assert {item.screen for item in effects if item.effect is EffectType.TONE} == set(Screen)
    assert any(item.joined for item in balloons)
    assert {item.style.language for item in objects if isinstance(item, Lettering)} >= {
        "ja",
        "zh-Hans",
        "zh-Hant",
        "ko",
        "en",
        "ar",
        "he",
    }


def changed(specimen: Specimen, words: str, **update: object) -> Specimen:
    """The page with the object that says ``words`` changed."""
    objects = tuple(
        item.model_copy(update=update) if getattr(item, "text", "") == words else item for item in specimen.unit.objects
    )
    assert objects != specimen.unit.objects
    return specimen._replace(unit=Unit.model_copy(specimen.unit, update={"objects": objects}))


def only(specimen: Specimen, kind: str) -> Lettering:
    return next(item for item in specimen.unit.objects if item.kind == kind and item.name != "title")


@pytest.mark.parametrize("name", ["japanese-columns", "latin", "balloon-shapes", "right-to-left"])
def test_the_judge_sees_words_that_moved_by_a_quarter_of_a_millimetre(name: str) -> None:
    specimen = book()[name]
    balloon = only(specimen, "balloon")
    box = balloon.box.model_copy(update={"x": balloon.box.x + 250})
    assert worst(draw(specimen), draw(changed(specimen, balloon.text, box=box))) > TOLERANCE


@pytest.mark.parametrize(
    ("name", "old", "new"), [("japanese-columns", "、", "。"), ("latin", "-", "_"), ("korean", ",", ".")]
)
def test_the_judge_sees_one_other_glyph(name: str, old: str, new: str) -> None:
    specimen = book()[name]
    words = only(specimen, "balloon").text
    assert old in words
    assert worst(draw(specimen), draw(changed(specimen, words, text=words.replace(old, new, 1)))) > TOLERANCE


def test_the_judge_sees_a_stroke_that_is_a_third_wider() -> None:
    specimen = book()["tails"]
    balloon = only(specimen, "balloon")
    stroke = balloon.stroke.model_copy(update={"width": balloon.stroke.width * 4 // 3})
    assert worst(draw(specimen), draw(changed(specimen, balloon.text, stroke=stroke))) > TOLERANCE


def test_the_judge_takes_no_offence_at_a_picture_that_is_the_same() -> None:
    specimen = book()["tails"]
    assert worst(draw(specimen), draw(specimen)) == 0


def turns(name: str, character: str) -> set[float]:
    """How far the glyphs of a character are turned in the columns of a page."""
    found = set()
    for item in book()[name].unit.objects:
        if isinstance(item, Lettering) and item.style.writing is Writing.VERTICAL:
            words = set_text(item)
            glyphs = (glyph for line in words.lines for run in line.runs for glyph in run.glyphs)
            found |= {glyph.turn for glyph in glyphs if words.text[glyph.at] == character}
    return found


def lines_of(name: str, start: str) -> list[str]:
    """The lines of the first words on a page that begin so."""
    item = next(
        item for item in book()[name].unit.objects if isinstance(item, Lettering) and plain(item.text).startswith(start)
    )
    words = set_text(item)
    return [words.words_of(line).strip() for line in words.lines]


def test_what_the_book_says_of_japanese_is_so() -> None:
    assert turns("japanese-columns", "N") == {90} and turns("japanese-columns", "O") == {0}
    assert turns("japanese-columns", "月") == {0} == turns("japanese-columns", "1")
    for name in ("japanese-columns", "japanese-lines", "ruby"):
        for item in book()[name].unit.objects:
            if isinstance(item, Balloon):
                words = set_text(item)
                lines = [words.words_of(line) for line in words.lines]
                assert not any(line[0] in "、。ーっょ」』）…" or line[-1] in "「『（〝" for line in lines)
    ruby = [
        run
        for item in book()["ruby"].unit.objects
        if isinstance(item, Balloon)
        for line in set_text(item).lines
        for run in line.runs
    ]
    assert {run.part for run in ruby} == set(Part)


def test_what_the_book_says_of_other_scripts_is_so() -> None:
    assert lines_of("korean", "잠깐만")[0].endswith("그건") or lines_of("korean", "잠깐만")[0].endswith("잠깐만,")
    assert all("rock-’n’-roll" in line or "rock-" not in line for line in lines_of("latin", "“WAIT"))
    arabic = next(item for item in book()["right-to-left"].unit.objects if item.kind == "balloon")
    first = set_text(arabic).lines[0]
    xs = [glyph.x for run in first.runs for glyph in sorted(run.glyphs, key=lambda glyph: glyph.at)]
    assert xs == sorted(xs, reverse=True)


def test_the_spread_has_words_clear_of_its_gutter_and_a_picture_across_it() -> None:
    unit = book()["spread"].unit
    left, right = unit.surfaces
    gutter = (left.x + left.width, right.x)
    for item in unit.objects:
        if isinstance(item, Balloon):
            assert item.box.right < gutter[0] or item.box.x > gutter[1]
    drawn = draw(book()["spread"])
    scale = drawn.shape[1] / unit.width
    middle = drawn[:, round((gutter[0] + gutter[1]) / 2 * scale), :3]
    assert (middle.min(axis=1) < 250).mean() > 0.5


def test_the_judge_sees_one_glyph_that_slipped_by_a_fifth_of_a_millimetre() -> None:
    specimen = book()["japanese-columns"]
    pixels = draw(specimen)
    words = set_text(only(specimen, "balloon"))
    run = next(run for run in words.lines[0].runs if run.part is Part.TEXT)
    left, top, right, bottom = (round(side * EM / 25_400 * specimen.dpi) for side in ink_of(run, run.glyphs[0]) or ())
    slipped = pixels.copy()
    slipped[top:bottom, left:right] = 255
    by = round(200 / 25_400 * specimen.dpi)
    slipped[top:bottom, left + by : right + by] = pixels[top:bottom, left:right]
    assert by == 1
    assert worst(pixels, slipped) > TOLERANCE
