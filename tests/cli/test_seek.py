"""Finding at the shell."""

from __future__ import annotations

import pytest

from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, balloon


def test_what_is_found_is_said_with_its_handle(run: Run, made: Workspace) -> None:
    said = run("find", made.path, "page 1, last balloon").output
    assert f"{balloon(made).id}#" in said
    assert "Chelsea: Is that… mine?" in said


def test_all_chapters_are_searched_unless_one_is_named(run: Run, made: Workspace) -> None:
    with made.comic("Chelsea Goes Up").begin_chapter(2).edit("another page") as edit:
        edit.add_page().add_frame(rect=(10, 10, 80, 80)).say("Is it yours?", at=(40, 30))
    said = run("find", made.path, "Is").output
    assert "chapter 1" in said
    assert "chapter 2" in said
    only = run("find", made.path, "Is", "--chapter", "2").output
    assert "yours" in only
    assert "mine" not in only
    assert balloon(made).id in run("find", made.path, balloon(made).id).output


def test_several_are_told_apart(run: Run, made: Workspace) -> None:
    record = made.comics.chapters()[0]
    with made.comic(record.comic).chapter(1).edit("two frames") as edit:
        edit.add_page().add_frame(rect=(6, 6, 93, 60)).cut(line=((52, 6), (50, 66)), gutter=3)
    said = run("find", made.path, "page 2, panel").output
    assert "left" in said
    assert "right" in said
    assert "2 things may be meant" in said


def test_nothing_found_is_refused_with_the_reason(run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    said = run("find", made.path, "page 9", code=1).output
    assert "[not_found]" in said
    assert "pages are 1–1" in said
    assert "[not_found]" in run("find", made.path, "bl_0000none", code=1).output
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "没有什么与“第9页”相符" in run("find", made.path, "第9页", code=1).output


def test_a_workspace_without_words_is_told_that_words_are_wanting(run: Run, made: Workspace) -> None:
    said = " ".join(run("find", made.path, code=2).output.split())
    assert "say what to find too" in said
