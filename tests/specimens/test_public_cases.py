"""Faults that people report of lettering tools and of vertical text, made small: what they report, in our own words."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from lantern_kit import create_workspace
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import MOST_WORDS, Balloon, BalloonShape, TextStyle, Writing
from lantern_kit.comic.typeset import set_text
from lantern_kit.comic.typeset.fonts import ROLES
from lantern_kit.comic.work.chapter import ChapterWork
from tests.specimens.book import draw
from tests.specimens.corpus import Sentence
from tests.specimens.ours import EM, Ours, ours
from tests.specimens.perception import TOLERANCE, worst
from tests.specimens.sheet import Sheet, Specimen, columns, rect, tail

WORDS = "Nobody ever told a cat that the sky was closed on Sundays, and so the cat went up."


def column(words: str, language: str = "ja") -> Ours:
    return ours(Sentence(language, words, vertical=True))


def axis(found: Ours) -> float:
    (line,) = found.words.lines
    return line.baseline / EM


# Vertical text of translators and readers of comics: commas in the middle or at the lower left
# (BallonsTranslator 1334, Rotated-Japanese-Fonts 4).
@pytest.mark.parametrize("mark", "、。，．")
def test_a_comma_and_a_full_stop_stand_in_the_upper_right_of_their_place(mark: str) -> None:
    found = column(f"月{mark}月")
    left, top, right, bottom = found.ink[1]
    assert left > axis(found)
    gap_before, gap_after = top - found.ink[0][3], found.ink[2][1] - bottom
    assert gap_before < gap_after
    assert right - axis(found) <= 0.5


@pytest.mark.parametrize("mark", "、。")
def test_in_taiwan_they_stand_in_the_middle(mark: str) -> None:
    found = column(f"月{mark}月", "zh-Hant")
    left, top, right, bottom = found.ink[1]
    assert (left + right) / 2 == pytest.approx(axis(found), abs=0.05)
    assert top - found.ink[0][3] == pytest.approx(found.ink[2][1] - bottom, abs=0.1)


@pytest.mark.parametrize(("small", "large"), ["っつ", "ょよ", "ァア"])
def test_small_kana_stand_towards_the_right_of_a_column(small: str, large: str) -> None:
    found = column(small + large)
    assert found.ink[0][2] - found.ink[0][0] < found.ink[1][2] - found.ink[1][0]
    assert (found.ink[0][0] + found.ink[0][2]) / 2 > axis(found) + 0.03


# Long vowels and waves left lying in a column (manga-translator-ui 149, maplibre-gl-js 5259, kose-font 3).
@pytest.mark.parametrize("mark", "ー〜～―—…‥＝")
def test_long_vowels_waves_and_dashes_stand_along_a_column(mark: str) -> None:
    lying, standing = ours(Sentence("ja", f"あ{mark}あ")).ink[1], column(f"あ{mark}あ").ink[1]
    assert lying[2] - lying[0] > lying[3] - lying[1]
    assert standing[3] - standing[1] > standing[2] - standing[0]


# … and turned by turning the horizontal glyph, so that its stroke is the wrong way round (office-open-xml-viewer 1017).
def test_a_long_vowel_is_the_fonts_own_vertical_glyph_and_no_turned_one() -> None:
    found = column("あーあ")
    (run,) = {glyph for line in found.words.lines for run in line.runs for glyph in run.glyphs if glyph.at == 1}
    (flat,) = {
        glyph.glyph
        for line in ours(Sentence("ja", "あーあ")).words.lines
        for run in line.runs
        for glyph in run.glyphs
        if glyph.at == 1
    }
    assert run.turn == 0 and run.glyph != flat


# One of the pair 〝 〟 turned and the other not (BallonsTranslator 1334).
def test_double_primes_are_a_pair() -> None:
    found = column("〝月〟")
    opens, closes = found.ink[0], found.ink[2]
    assert opens[0] > axis(found) and closes[2] < axis(found)
    assert opens[2] - axis(found) == pytest.approx(axis(found) - closes[0], abs=0.1)
    assert found.turns[0] == found.turns[2]


@pytest.mark.parametrize("pair", ["「」", "『』", "（）", "《》", "【】", "“”"])
def test_brackets_open_downwards_and_close_upwards(pair: str) -> None:
    found = column(f"月{pair[0]}月{pair[1]}月", "zh-Hans" if pair == "“”" else "ja")
    opens, closes = found.ink[1], found.ink[3]
    # The opening one stands near what it opens, the closing one near what it closes.
    assert found.ink[2][1] - opens[3] < opens[1] - found.ink[0][3]
    assert closes[1] - found.ink[2][3] < found.ink[4][1] - closes[3]


# Apostrophes, quotation marks and emoji as boxes (comicneue 3, threadbare 220, penpot 4084).
@pytest.mark.parametrize("font", [*ROLES, "Almarai", "Varela Round"])
@pytest.mark.parametrize("bold", [False, True], ids=["plain", "bold"])
def test_no_apostrophe_quotation_mark_dash_or_emoji_is_a_box(font: str, bold: bool) -> None:
    marks = "don't don’t ‘90s ʼn `a´ “so” „so“ «so» ‹so› – — … ‐ • ½ ™ ☕ 🌙 ♪ ♥ ★ →"
    style = TextStyle(font=font, bold=bold)
    found = set_text(Balloon(id="bl_marks", parent="un_cases", box=rect(0, 0, 80, 60), text=marks, style=style))
    assert not found.missing
    assert all(glyph.glyph for line in found.lines for run in line.runs for glyph in run.glyphs)


def balloon(words: str, width: float, height: float, **more: object) -> Balloon:
    facts = {"id": "bl_case", "parent": "un_cases", "box": rect(0, 0, width, height), "text": words} | more
    return Balloon(**facts)


def shown(item: Balloon) -> str:
    """The characters that have a glyph on the page, in order."""
    found = set_text(item)
    at = sorted({glyph.at for line in found.lines for run in line.runs for glyph in run.glyphs})
    return "".join(found.text[place] for place in at if not found.text[place].isspace())


def solid(words: str) -> str:
    return "".join(words.split())


# Narrow, tall balloons, made for columns, stay empty when they are lettered in English (MangaTranslator 68).
@pytest.mark.parametrize("shape", [shape for shape in BalloonShape if shape is not BalloonShape.PATH])
@pytest.mark.parametrize(("width", "height"), [(13, 60), (6, 70), (3, 40)])
def test_a_narrow_tall_balloon_keeps_its_text(shape: BalloonShape, width: float, height: float) -> None:
    item = balloon(WORDS, width, height, shape=shape)
    assert shown(item) == solid(WORDS)
    found = set_text(item)
    assert found.overflow or found.size >= item.style.smallest


def test_a_narrow_tall_balloon_of_a_usual_size_has_room() -> None:
    found = set_text(balloon(WORDS, 17, 60))
    assert not found.overflow
    japanese = set_text(balloon("だれも猫に、日曜の空は休みだとは教えなかった。", 9, 50, style=columns("ja", 4)))
    assert not japanese.overflow and japanese.size >= 2_000


# Words torn apart that would have fitted a size smaller (manga-image-translator 829, MangaTranslator 56), texts that
# shrink to nothing because of one long word (koharu 117), errors on words past a hundred letters
# (manga-image-translator 500).
def test_a_long_word_is_not_torn_while_a_smaller_size_holds_it() -> None:
    item = balloon("The Dieselstromgeneratorpumpe broke.", 36, 22)
    found = set_text(item)
    assert not found.overflow
    assert any("Dieselstromgeneratorpumpe" in found.words_of(line) for line in found.lines)


@pytest.mark.parametrize("length", [40, 150, 900])
@pytest.mark.parametrize("vertical", [False, True], ids=["lines", "columns"])
def test_a_word_without_any_place_to_break_is_shown_whole(length: int, vertical: bool) -> None:
    word = ("counterrevolutionaries" * 50)[:length]
    style = TextStyle(writing=Writing.VERTICAL if vertical else Writing.HORIZONTAL)
    assert shown(balloon(f"a {word} b", 40, 40, style=style)) == f"a{word}b"


# Editors that slow down or give up on a pasted chapter (canvas-editor 1192, appinventor-sources 841).
@pytest.mark.parametrize("writing", Writing)
def test_ten_thousand_characters_in_one_balloon_are_all_there_and_said_not_to_fit(writing: Writing) -> None:
    words = (WORDS + " ") * 130 if writing is Writing.HORIZONTAL else "だれも猫に、空は休みだとは教えなかった。" * 500
    words = words[:10_000].strip()
    assert len(words) <= MOST_WORDS
    item = balloon(words, 60, 40, style=TextStyle(writing=writing, language="ja"))
    assert shown(item) == solid(words)
    assert set_text(item).overflow


def test_ten_thousand_characters_fit_a_balloon_that_is_large_enough() -> None:
    words = ((WORDS + " ") * 130)[:10_000].strip()
    found = set_text(balloon(words, 560, 480))
    assert not found.overflow and shown(balloon(words, 560, 480)) == solid(words)


def case(*words: str, **more: object) -> Specimen:
    """A page with a balloon for each."""
    sheet = Sheet("case", "Case", height=40 * len(words) + 12)
    for place, said in enumerate(words):
        sheet.balloon(6, 12 + 40 * place, 70, 32, said, tail(88, 14 + 40 * place, bend=0.2), **more)
    return sheet.specimen((), ())


def ink(specimen: Specimen) -> float:
    return float(255 - draw(specimen)[..., :3].mean())


# Bold that is lost in the exported file (comic-translate 174, drawio-desktop 2347).
@pytest.mark.parametrize("font", [*ROLES, "Almarai", "Varela Round"])
def test_bold_is_heavier_in_every_face_also_where_it_has_no_bold_of_its_own(font: str) -> None:
    plain, marked = case("The moon is mine."), case("The [moon]{.bold} is mine.")
    plain, marked = (_in(page, TextStyle(font=font, fit=False, size=6_000)) for page in (plain, marked))
    whole = _in(case("The moon is mine."), TextStyle(font=font, fit=False, size=6_000, bold=True))
    assert ink(plain) < ink(marked) < ink(whole)


def _in(specimen: Specimen, style: TextStyle) -> Specimen:
    objects = tuple(
        item.model_copy(update={"style": style}) if item.kind == "balloon" else item for item in specimen.unit.objects
    )
    return specimen._replace(unit=specimen.unit.model_copy(update={"objects": objects}))


DPI, BLEED = 635, 75
"""25 pixels a millimetre, so that the trimmed page lies on whole ones."""
FINE = 5
"""Pixels to a side that are looked at as one: how two programs draw an edge is not the question."""
SAID = (
    ("[Never]{.bold} mine. It's the [cat's]{.bold .italic} moon…", {"language": "en"}),
    ("{月|つき}は[ぜったい]{.sesame}、12月31日まで〝ぼく〟のだ——！", {"language": "ja", "writing": "vertical"}),
    ("“等一下！”她说。", {"language": "zh-Hans", "bold": True}),
    ("انتظر! هذا صاروخي 42.", {"language": "ar"}),
)


@pytest.fixture
def lettered(tmp_path: Path) -> Iterator[ChapterWork]:
    """A chapter whose one page says all of that, as a person writes it."""
    with create_workspace(tmp_path / "ws", title="Cases", owner="ann", config=tmp_path / "config") as workspace:
        chapter = workspace.comic("Cases").begin_chapter(1, size="A6")
        with chapter.edit("words") as edit:
            page = edit.add_page()
            for place, (words, style) in enumerate(SAID):
                x, y = 5 + 48 * (place % 2), 6 + 70 * (place // 2)
                page.say(words, rect=(x, y, 44, 50), tail=(x + 24, y + 60), style=style)
        yield chapter


def on_screen(chapter: ChapterWork, dpi: int) -> NDArray[np.uint8]:
    return chapter[0].render(dpi=dpi).rendered.pixels


def coarser(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    rows, columns = (side // FINE for side in pixels.shape[:2])
    tiles = pixels[: rows * FINE, : columns * FINE, :3].reshape(rows, FINE, columns, FINE, 3)
    return tiles.mean(axis=(1, 3)).astype(np.uint8)


# What is exported is not what the editor showed: other sizes, other places (manga-translator-ui 82, Method-Draw 29).
def test_the_exported_picture_is_the_one_on_the_screen_to_the_last_bit(lettered: ChapterWork, tmp_path: Path) -> None:
    (report,) = lettered.export(tmp_path / "out", "png", dpi=200)
    with Image.open(report.path) as opened:
        assert np.array_equal(np.asarray(opened.convert("RGBA")), on_screen(lettered, 200))


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="NO POPPLER: the PDF was not drawn by another program")
def test_the_exported_pdf_drawn_by_poppler_looks_like_the_screen_with_its_bold(
    lettered: ChapterWork, tmp_path: Path
) -> None:
    (report,) = lettered.export(tmp_path / "out", "pdf", marks=False)
    drawn = subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-png", str(report.path)], capture_output=True, check=True
    ).stdout
    screen = on_screen(lettered, DPI)
    with Image.open(io.BytesIO(drawn)) as opened:
        printed = np.asarray(opened.convert("RGB"))[BLEED : BLEED + len(screen), BLEED : BLEED + len(screen[0])]
    assert worst(coarser(screen), coarser(printed)) < TOLERANCE
    # The same words without their marks are seen to be others.
    with lettered.edit("plain") as edit:
        for item in lettered[0].model.objects:
            edit[item.id].set(text=plain(item.text), style={"bold": False})
    assert worst(coarser(on_screen(lettered, DPI)), coarser(printed)) > TOLERANCE
