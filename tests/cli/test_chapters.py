"""Looking into a workspace, and files out of it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, propose, reword


def test_outline_lists_pages_drafts_and_what_waits(run: Run, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    said = run("outline", made.path).output
    assert "Chelsea Goes Up · chapter 1" in said
    assert "1 frame, 1 image, 1 balloon" in said
    assert "open draft d1 by claude-code" in said
    assert f"lantern show {made.path} {name}" in said


def test_outline_counts_in_the_plural(run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    with made.comic("Chelsea Goes Up").chapter(1).edit("two frames") as edit:
        edit.add_page().add_frame(rect=(6, 6, 93, 60)).cut(line=((52, 6), (50, 66)), gutter=3)
    assert ": 2 frames\n" in run("outline", made.path).output
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert ": 2 格\n" in run("outline", made.path).output


def test_history_lists_revisions_and_saved_versions(run: Run, made: Workspace) -> None:
    reword(made, "Mine?")
    made.comic("Chelsea Goes Up").chapter(1).save("first words")
    for words in ((made.path, "1"), (made.path,), (made.path, made.comics.chapters()[0].id)):
        said = run("history", *words).output
        assert said.index("my own words") < said.index("one page")
        assert "s1 first words" in said
    short = run("history", made.path, "--limit", "1").output
    assert "1 of 3 revisions" in short
    assert "one page" not in short


def test_check_lists_what_is_to_be_mended(run: Run, made: Workspace, tmp_path: Path) -> None:
    said = run("check", made.path, "1").output
    assert "Page 1" in said
    assert "picture.dpi" in said
    reword(made, "Is that…  mine?")
    assert "lettering.spaces" not in run("check", made.path, "1").output
    assert "lettering.spaces" in run("check", made.path, "1", "--notes").output
    run("init", tmp_path / "empty", "--no-key")
    assert "Nothing to mend." in run("check", tmp_path / "empty").output


def test_outline_tells_of_one_chapter_and_of_one_page(run: Run, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = run("outline", path, "1").output
    assert "Chelsea Goes Up · chapter 1" in chapter and "un_" in chapter
    page = run("outline", path, "1", "1").output
    assert "balloon 1" in page and "bl_" in page and "un_" not in page
    monkeypatch.chdir(path)
    assert run("outline", "1", "1").output == page
    assert "a number from 1 to" in run("outline", "1", "99", code=1).output
    assert "no such chapter" in run("outline", "77", code=1).output
    assert "[WORKSPACE] [CHAPTER] [PAGE], got 4 words" in run("outline", path, "1", "1", "1", code=2).output


def test_too_many_words_are_told_by_what_is_taken(run: Run, path: Path) -> None:
    assert "expected [WORKSPACE] [CHAPTER], got 3 words" in run("check", path, "1", "3", code=2).output


def test_export_as_a_book(run: Run, path: Path) -> None:
    said = run("export", path, "1", "--dpi", "100").output
    book = path / "exports" / "chelsea-goes-up-01.cbz"
    assert str(book) in said
    assert "cannot hold" in said
    assert zipfile.ZipFile(book).namelist() == ["ComicInfo.xml", "001.jpg"]


def test_export_as_pictures_of_the_paper_s_size(run: Run, path: Path, tmp_path: Path) -> None:
    run("export", path, "1", "--to", "png", "--dpi", "127", "--out", tmp_path / "out")
    (picture,) = (tmp_path / "out").iterdir()
    with Image.open(picture) as page:
        assert page.size == (525, 740)  # 105 × 148 mm at 5 pixels a millimetre


def test_export_as_a_book_for_a_printer(run: Run, path: Path, tmp_path: Path) -> None:
    said = run("export", path, "1", "--to", "pdf", "--author", "Ann", "--no-marks", "--out", tmp_path / "out").output
    book = tmp_path / "out" / "chelsea-goes-up-01.pdf"
    assert str(book) in said
    assert "cannot hold" not in said
    with pikepdf.open(book) as pdf:
        assert pdf.docinfo.Author == "Ann"
        (page,) = pdf.pages
        assert float(page.TrimBox[2] - page.TrimBox[0]) == pytest.approx(105 * 72 / 25.4, abs=1e-3)
        assert page.MediaBox == page.BleedBox


def test_export_in_black_and_white_for_print(run: Run, path: Path, tmp_path: Path) -> None:
    words = ("--to", "tiff", "--dpi", "300", "--colour", "bitonal", "--bleed", "--out", tmp_path / "out")
    assert "nor text selected" in run("export", path, "1", *words).output
    (picture,) = (tmp_path / "out").iterdir()
    with Image.open(picture) as page:
        assert (page.mode, page.size) == ("1", (round(111 * 300 / 25.4), round(154 * 300 / 25.4)))


def test_what_a_file_cannot_hold_is_said_in_chinese_too(run: Run, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "每页都是图片" in run("export", path, "1", "--to", "webp", "--dpi", "72").output


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("2",), 1, "no such chapter"),
        (("one",), 1, "a number such as 1"),
        (("ch_00000000",), 1, "not a chapter of this workspace"),
        (("1", "--to", "doc"), 2, "cbz"),
        (("1", "--bleed"), 1, "cbz takes no bleed"),
        (("1", "--to", "png", "--author", "Ann", "--no-marks"), 1, "takes no author and no marks"),
        (("1", "--to", "pdf", "--intent", "none.icc"), 1, "none.icc cannot be read"),
        (("1", "--dpi", "5"), 2, "72"),
        (("1", "--comic", "Another"), 1, "1 --comic 'Chelsea Goes Up' --to cbz"),
        ((), 1, "1 --comic 'Chelsea Goes Up' --to cbz"),
        (("--to", "png", "--dpi", "100"), 1, "1 --comic 'Chelsea Goes Up' --to png --dpi 100"),
    ],
)
def test_what_cannot_be_exported_is_refused(run: Run, path: Path, words: tuple[str, ...], code: int, said: str) -> None:
    assert said in run("export", path, *words, code=code).output
    assert list((path / "exports").iterdir()) == []


def test_an_empty_chapter_is_not_exported(run: Run, tmp_path: Path) -> None:
    run("init", tmp_path / "a", "--no-key")
    assert "no units yet" in run("export", tmp_path / "a", "1", code=1).output


def test_a_chapter_of_several_comics_is_named_by_its_comic(run: Run, made: Workspace) -> None:
    made.comic("Another").begin_chapter(1)
    said = run("history", made.path, "1", code=1).output
    assert "several chapters are meant" in said
    assert f"lantern history {made.path} 1 --comic Another\n" in said
    assert f"lantern history {made.path} 1 --comic 'Chelsea Goes Up'\n" in said
    for command in ("check", "export"):
        assert f"lantern {command} {made.path} 1 --comic Another" in run(command, made.path, "1", code=1).output
    assert "Another, chapter 1" in run("history", made.path, "1", "--comic", "Another").output


def test_an_export_into_a_place_that_takes_no_files_is_refused(run: Run, path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    assert "Error:" in run("export", path, "1", "--dpi", "72", "--out", tmp_path / "file", code=1).output
    assert (tmp_path / "file").read_text() == "mine"
