"""A chapter's words as one text, at the shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from lantern_kit.cli import person
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run

NEW = "## Page 2\n\n### Panel 1\n\nA roof.\n\nMIRA (whisper): Is it you?\n"


def test_a_script_is_shown_or_written_to_a_file(
    lantern: Callable[..., CompletedProcess[str]], run: Run, path: Path, tmp_path: Path
) -> None:
    shown = run("script", path, "1").stdout
    assert shown.startswith("## Page 1 {#un_")
    assert "CHELSEA: Is that… mine? {#bl_" in shown
    target = tmp_path / "chelsea.md"
    assert str(target) in run("script", path, "1", "--out", target).output
    assert target.read_text("utf-8") == shown
    assert "replaced" in run("script", path, "1", "--out", target).output
    fountain = tmp_path / "chelsea.fountain"
    run("script", path, "--out", fountain)
    assert fountain.read_text("utf-8").startswith(".PAGE 1 [[un_")
    assert lantern("script", path, "--form", "fountain").stdout == fountain.read_text("utf-8")


@pytest.mark.parametrize("name", ["chelsea.md", "chelsea.fountain"])
def test_a_changed_script_is_a_person_s_edit(run: Run, made: Workspace, tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    chapter = made.comic("Chelsea Goes Up").chapter(1)
    run("script", made.path, "1", "--out", target)
    assert "nothing was changed" in run("script", made.path, "1", "--from", target).output
    before = chapter.moment.id
    target.write_text(target.read_text("utf-8").replace("Is that… mine?", "Whose moon?"), encoding="utf-8")
    planned = run("script", made.path, "1", "--from", target, "--dry-run").output
    assert "1 line changed" in planned and "Nothing was changed." in planned
    assert chapter.moment.id == before
    said = run("script", made.path, "1", "--from", target, "-m", "a better question").output
    assert "1 line changed" in said and chapter.moment.id in said
    assert "Whose moon?" in chapter.script()
    last = run("history", made.path, "--limit", "1").output
    assert "a better question" in last and made.owner.name in last


def test_pages_are_made_of_a_script_alone(run: Run, made: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "new.txt"
    target.write_text(f"\ufeff{NEW}", encoding="utf-8")
    assert "1 unit added with 1 panel and 1 line" in run("script", made.path, "--from", target).output
    chapter = made.comic("Chelsea Goes Up").chapter(1)
    assert len(chapter) == 2
    assert not chapter[1].check()


def test_what_is_wrong_is_told_with_its_line(run: Run, path: Path, tmp_path: Path) -> None:
    target = tmp_path / "wrong.md"
    target.write_text("## Page 1\n\n### Act 2\n", encoding="utf-8")
    said = run("script", path, "1", "--from", target, code=1).output
    assert "line 3" in said and "### Act 2" in said and "### Panel 2" in said
    assert "no such file" in run("script", path, "1", "--from", tmp_path / "none.md", code=1).output
    target.write_bytes(b"## Page 1\n\n\xff\n")
    assert "line 3: this is no UTF-8 text" in run("script", path, "1", "--from", target, code=1).output
    assert "not both" in run("script", path, "--from", target, "--out", target, code=2).output
    assert "--dry-run goes with --from" in run("script", path, "--dry-run", code=2).output


def test_a_file_that_is_no_script_of_the_chapter_is_not_replaced_unless_it_is_said(
    run: Run, path: Path, tmp_path: Path
) -> None:
    target = tmp_path / "mine.md"
    for mine in (b"## Page 1\n\nmy own words\n", b"", b"\xff", b"<!-- ch_00000000 at r2 -->\n"):
        target.write_bytes(mine)
        said = run("script", path, "1", "--out", target, code=1).output
        assert "mine.md is there already" in said and "--force" in said
        assert target.read_bytes() == mine
    assert "replaced" in run("script", path, "1", "--out", target, "--force").output
    target.write_text(target.read_text("utf-8").replace("\n", "\r\n").rstrip(), encoding="utf-8", newline="")
    assert "replaced" in run("script", path, "1", "--out", target).output
    assert "--force goes with --out" in run("script", path, "--force", code=2).output


def test_a_script_without_ids_is_written_once_however_often(run: Run, made: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "new.md"
    target.write_text(NEW, encoding="utf-8")
    run("script", made.path, "1", "--from", target)
    said = run("script", made.path, "1", "--from", target).output
    assert "nothing was changed" in said
    assert "1 unit without an id taken for what says the same: page 2" in said
    assert len(made.comic("Chelsea Goes Up").chapter(1)) == 2


def test_a_script_comes_from_another_program(lantern: Callable[..., CompletedProcess[str]], made: Workspace) -> None:
    said = lantern("script", made.path, "1", "--from", "-", "--dry-run", input=NEW).stdout
    assert "1 unit added with 1 panel and 1 line" in said
    wrong = lantern("script", made.path, "1", "--from", "-", input="## Page 1\n\n### Act 2\n")
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("Error: line 3: this heading")


def test_pages_and_panels_are_told_as_people_count_them(run: Run, made: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "chelsea.md"
    chapter = made.comic("Chelsea Goes Up").chapter(1)
    run("script", made.path, "1", "--out", target)
    target.write_text(target.read_text("utf-8").replace("Is that… mine?", "Whose moon?"), encoding="utf-8")
    planned = run("script", made.path, "1", "--from", target, "--dry-run").output
    assert "· page 1: 1 line changed" in planned and "un_" not in planned
    balloon = next(item for item in chapter[0].model.objects if getattr(item, "text", "") == "Is that… mine?")
    with chapter.edit("meanwhile") as edit:
        edit[balloon.id].set(text="Mine?")
    said = run("script", made.path, "1", "--from", target, code=1).output
    assert "· page 1, panel " in said and "“Mine?”: text" in said
    assert balloon.id not in said


def test_a_chinese_terminal_is_told_in_chinese(
    run: Run, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    target = tmp_path / "new.md"
    target.write_text(NEW, encoding="utf-8")
    assert "将有这些改动" in run("script", path, "--from", target, "--dry-run").output
    assert "已使" in run("script", path, "--from", target).output
    said = run("script", path, "--out", target, code=1).output
    assert "已经存在" in said and "--force 替换" in said


def test_a_script_s_change_is_taken_back_by_the_command_that_it_names(
    run: Run, made: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "new.md"
    target.write_text(NEW, encoding="utf-8")
    said = run("script", made.path, "1", "--from", target).output
    chapter = made.comic("Chelsea Goes Up").chapter(1)
    (line,) = [line for line in said.splitlines() if "lantern restore" in line]
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(person, "agrees", lambda question: True)
    run(*line.split("lantern ")[1].split("   ")[0].split())
    assert len(chapter) == 1


def test_a_chapter_that_is_not_there_is_begun_by_the_command_that_is_named(
    run: Run, made: Workspace, tmp_path: Path
) -> None:
    target = tmp_path / "new.md"
    target.write_text(NEW.replace("Page 2", "Page 1"), encoding="utf-8")
    refused = run("script", made.path, "2", "--from", target, code=1).output
    assert f"lantern begin {made.path} 'Chelsea Goes Up' 2" in refused
    said = run("begin", made.path, "Chelsea Goes Up", "2", "--title", "The Roof", "--direction", "rtl").output
    assert "a new comic" not in said
    run("script", made.path, "2", "--from", target)
    first, second = (made.comic("Chelsea Goes Up").chapter(number).book.chapter for number in (1, 2))
    assert (second.title, second.direction.value, second.paper.binding.value) == ("The Roof", "rtl", "right")
    assert (second.paper.width, second.language) == (first.paper.width, first.language)
    assert "a new comic" in run("begin", made.path, "Cat Upstairs", "1", "--size", "B5").output
    assert made.comic("Cat Upstairs").chapter(1).book.chapter.paper.width == 182_000
    assert "Chelsea Goes Up" in run("begin", made.path, "Chelsea Goes Up", "2", code=1).output
    assert "[bad_input]" in run("begin", made.path, "Chelsea Goes Up", "two", code=1).output
