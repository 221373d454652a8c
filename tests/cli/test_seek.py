"""Finding at the shell."""

from __future__ import annotations

import pytest

from lantern_kit.cli import person
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, balloon, reword


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


def test_blame_lock_unlock_and_pick_take_what_find_takes(
    run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(person, "agrees", lambda question: True)
    words = balloon(made)
    chapter = made.comic("Chelsea Goes Up").chapter(1)
    before = chapter.moment.id
    assert words.id in run("blame", made.path, "page 1, balloon 1").output
    run("lock", made.path, "Is that… mine?")
    assert [item.object for item in chapter.locks()] == [words.id]
    run("unlock", made.path, "page 1, last balloon")
    assert not len(chapter.locks())
    reword(made, "Whose moon?")
    run("pick", made.path, before, "Is that… mine?")
    assert balloon(made).text == "Is that… mine?"


def test_what_may_mean_several_things_is_refused_with_all_of_them(run: Run, made: Workspace) -> None:
    chapter = made.comic("Chelsea Goes Up").chapter(1)
    with chapter.edit("two frames") as edit:
        edit.add_page().add_frame(rect=(6, 6, 93, 60)).cut(line=((52, 6), (50, 66)), gutter=3)
    said = run("lock", made.path, "page 2, panel", code=1).output
    assert "may mean 2 things" in said
    assert all(f"{item.id}: Page 2" in said for item in chapter.find("page 2, panel"))
    assert not len(chapter.locks())
    assert "nothing answers" in run("blame", made.path, "page 9", code=1).output


def test_what_was_found_is_edited(made: Workspace) -> None:
    chapter = made.comic("Chelsea Goes Up").chapter(1)
    with chapter.edit("by name") as edit:
        edit[chapter.find("page 1, balloon 1").one()].set(text="Mine!")
        edit[chapter.find("page 1").one()].add_frame(rect=(6, 6, 20, 20))
    assert balloon(made).text == "Mine!"
    assert len(chapter.find("page 1, panel")) == 2
