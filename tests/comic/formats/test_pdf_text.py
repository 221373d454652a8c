"""The words of a PDF, as other people's readers copy them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.formats.pdf import PdfOptions, write_pdf
from lantern_kit.comic.formats.pdf_fonts import PdfFont, PdfFonts
from lantern_kit.comic.formats.pdf_text import as_seen, copied, said
from lantern_kit.comic.formats.sheets import Spreads
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import Chapter, Lettering, Paper, TextStyle, Unit, UnitKind
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.comic.words import object_name
from tests.comic.formats import book
from tests.comic.formats.judges import mutool_lines, needs_judges, poppler_lines, pymupdf_lines, run, shares
from tests.render.pages import Maker
from tests.render.pages import page as paper_page

pytestmark = needs_judges
READERS: dict[str, Callable[[Path], list[list[str]]]] = {
    "poppler": poppler_lines,
    "mutool": mutool_lines,
    "PyMuPDF": pymupdf_lines,
}
SHORT = Chapter(id="ch_test1", comic="Test", paper=Paper(width=100_000, height=140_000))


def printed(path: Path, unit: Unit, fonts: Fonts | None = None) -> Path:
    write_pdf(path, [unit], SHORT, book.Art.of(), PdfOptions(), titles=lambda item: item.id, fonts=fonts)
    return path


def dialogues(spreads: Spreads) -> list[list[str]]:
    """What the book says, page by page, by the document alone."""
    pages: list[list[str]] = []
    for unit in book.units():
        words = {item.id: item for item in unit.objects if isinstance(item, Lettering)}
        spoken = [(name, copied(plain(words[name].text))) for name in unit.reading if name in words]
        if spreads == "split" and len(unit.surfaces) == 2:
            fold = unit.surfaces[1].x
            pages.append([text for name, text in spoken if words[name].box.x >= fold])
            pages.append([text for name, text in spoken if words[name].box.x < fold])
        else:
            pages.append([text for _, text in spoken])
    return pages


@pytest.fixture(scope="module", params=["whole", "split"])
def printed_book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Spreads, Path]:
    """The twenty pages, spreads whole and split."""
    spreads: Spreads = request.param
    path = tmp_path_factory.mktemp("book") / "book.pdf"
    options = PdfOptions(spreads=spreads)
    write_pdf(path, book.units(), book.CHAPTER, book.Art.of(), options, titles=lambda unit: unit.id)
    return spreads, path


@pytest.mark.parametrize("reader", READERS)
def test_every_dialogue_is_copied_to_the_letter_and_in_reading_order(
    printed_book: tuple[Spreads, Path], reader: str
) -> None:
    spreads, path = printed_book
    wanted = dialogues(spreads)
    assert len(wanted) == (18 if spreads == "whole" else 20)
    exact, neighbours = shares(READERS[reader](path), wanted)
    count = sum(map(len, wanted))
    print(f"{reader}, spreads {spreads}: {exact:.3f} of {count} dialogues exact, {neighbours:.3f} neighbours in order")
    assert (exact, neighbours) == (1.0, 1.0)


def test_all_fonts_are_embedded_subsets_with_a_way_to_unicode(printed_book: tuple[Spreads, Path]) -> None:
    rows = run("pdffonts", printed_book[1]).splitlines()[2:]
    assert len(rows) >= 3
    for row in rows:
        name, embedded, subset, unicode = row.split()[0], *row.split()[-5:-2]
        assert name[6] == "+"
        assert (embedded, subset, unicode) == ("yes", "yes", "yes")


@pytest.mark.parametrize("reader", READERS)
def test_all_kinds_of_words_are_copied_as_they_are_written(tmp_path: Path, reader: str) -> None:
    make = Maker()
    texts = [
        "Hello, world! Let’s go—now…",
        "喵 😀 meow 👨‍👩‍👧 ok",
        "日本語と{漢字|かんじ}と[English]{.bold}",
        "e\u0301te\u0301 naïve",
        "行一\n行二\nand three\nfour",
        "no glyph: \U00012000 here",
        "한국어 문장 입니다.\n다음 줄",
        " ".join(f"word{number} sail" for number in range(900)),
        "next\nto it",
    ]
    balloons = [make.balloon(5 + (n % 2) * 48, 5 + (n // 2) * 26, 45, 25, text) for n, text in enumerate(texts)]
    over_the_edge = make.text(80, 110, 60, 20, "OFF THE PAGE", rotate=30_000, style=TextStyle(font="sound", size=8_000))
    path = printed(tmp_path / "words.pdf", paper_page(*balloons, over_the_edge))
    wanted = [copied(plain(item.text)) for item in (*balloons, over_the_edge)]
    assert READERS[reader](path) == [wanted]


@pytest.mark.parametrize("gutter", [0, 6_000])
@pytest.mark.parametrize("reader", READERS)
def test_a_dialogue_across_the_fold_is_on_exactly_the_half_with_most_of_it(
    tmp_path: Path, reader: str, gutter: int
) -> None:
    make, large = Maker(), TextStyle(size=5_000, smallest=4_000)
    middle = 100 + gutter / 2_000
    over_right = make.narration(middle - 20, 10, 60, 14, "mostly on the right page", style=large)
    in_the_fold = make.narration(middle - 10, 40, 20, 14, "in the fold", style=large)
    over_left = make.narration(middle - 45, 70, 60, 14, "mostly on the left page", style=large)
    alone = make.narration(10, 100, 60, 14, "left alone")
    sunk = make.text(middle - 1.5, 120, 3, 3, "x", style=TextStyle(size=3_000, smallest=500))
    words = [over_right, in_the_fold, over_left, alone, sunk]
    unit = paper_page(*words, kind=UnitKind.SPREAD, gutter=gutter)
    path = tmp_path / "split.pdf"
    report = write_pdf(path, [unit], SHORT, book.Art.of(), PdfOptions(spreads="split"), titles=lambda _: "Page 2")
    left, right = READERS[reader](path)
    assert sorted([*left, *right]) == sorted(item.text for item in words)
    assert "mostly on the right page" in right
    assert {"mostly on the left page", "left alone"} <= {*left}
    (cut,) = (loss for loss in report.losses if loss.code == "straddling")
    assert cut.where == tuple(f"Page 2, {object_name(unit, item.id)}" for item in words if item is not alone)


def test_dialogues_side_by_side_on_one_height_stay_two(tmp_path: Path) -> None:
    make = Maker()
    texts = ["one", "two", "三", "四", "five", "six"]
    plates = [make.narration(2 + n * 16, 40, 15.9, 8, text) for n, text in enumerate(texts)]
    path = printed(tmp_path / "row.pdf", paper_page(*plates))
    for lines in READERS.values():
        assert lines(path) == [texts]


def test_words_from_the_right_are_given_as_they_stand_and_read_by_those_who_turn_them(tmp_path: Path) -> None:
    make = Maker()
    arabic, hebrew = "مرحبا بالعالم", "שלום עולם"
    path = printed(
        tmp_path / "right.pdf", paper_page(make.balloon(5, 5, 60, 30, arabic), make.balloon(30, 80, 60, 30, hebrew))
    )
    marks = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u200e\u200f"))
    assert [[line.translate(marks) for line in page] for page in poppler_lines(path)] == [[arabic, hebrew]]
    assert pymupdf_lines(path) == [[arabic, hebrew]]


def test_line_ends_vanish_between_characters_without_spaces_and_are_spaces_elsewhere() -> None:
    assert copied("我们走吧，\n快一点！") == "我们走吧，快一点！"
    assert copied("Nobody comes\nup here \n at noon.") == "Nobody comes up here at noon."
    assert copied("한국어\n문장") == "한국어 문장"
    assert copied("go\n走") == "go 走"
    assert copied("\nlast\n") == "last"


@given(st.text(alphabet="ab 猫\n，가", max_size=30))
def test_copied_words_hold_all_that_is_written(text: str) -> None:
    found = copied(text)
    assert "\n" not in found
    assert "".join(found.split()) == "".join(text.split())


def test_speakers_and_ruby_are_no_part_of_what_is_said() -> None:
    (unit, *_) = book.units()
    words = [item.text for item in said(unit, packaged_fonts())]
    assert words[0] == "灯台の猫は、もう知っている。"
    assert "Cat" not in words


def test_a_code_means_one_character_and_a_character_has_one_code() -> None:
    face = packaged_fonts().face("Noto Sans CJK JP")
    font = PdfFont(face, "W1")
    characters = "AΑあ\u3000漢\u00a0 -\u2010\U0002f800"
    codes = [font.code(character) for character in characters]
    assert len({*codes}) == len(characters)
    assert [font.code(character) for character in characters] == codes


def test_a_font_that_forbids_embedding_is_not_embedded(tmp_path: Path) -> None:
    data = bytearray(packaged_fonts().face("Delius").path.read_bytes())
    for entry in range(12, 12 + 16 * struct.unpack_from(">H", data, 4)[0], 16):
        tag, _, start, _ = struct.unpack_from(">4sIII", data, entry)
        if tag == b"OS/2":
            struct.pack_into(">H", data, start + 8, 0x0002)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "Delius.ttf").write_bytes(data)
    text = Maker().text(5, 5, 90, 40, "mine alone", style=TextStyle(font="Delius"))
    for fonts, embedded in ((packaged_fonts(), True), (Fonts([tmp_path / "mine"]), False)):
        path = printed(tmp_path / "locked.pdf", paper_page(text), fonts)
        assert ("Delius" in run("pdffonts", path)) is embedded
        assert poppler_lines(path) == [["mine alone"]]


def test_as_seen_puts_words_from_the_right_in_the_order_of_the_eye() -> None:
    assert as_seen("abc") == "abc"
    assert as_seen("שלום") == "םולש"


def test_fonts_are_named_in_the_order_they_are_needed() -> None:
    fonts, faces = PdfFonts(), packaged_fonts().choice(TextStyle()).faces
    first = fonts.font_for("a", faces, before=None)
    second = fonts.font_for("猫", faces, before=first)
    assert (first.key, second.key) == ("W1", "W2")
    assert fonts.font_for("\U00012000", faces, before=second) is second
