"""Locks, conflicts and picks at the shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern_kit.cli import person
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import Locked
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, balloon, propose, reword


@pytest.fixture
def work(made: Workspace) -> ChapterWork:
    return ChapterWork(made, made.comics.chapters()[0].id)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal who says yes; what was asked."""
    asked: list[str] = []

    def agrees(question: str) -> bool:
        asked.append(question)
        return True

    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(person, "agrees", agrees)
    return asked


@pytest.fixture
def conflict(made: Workspace, work: ChapterWork) -> str:
    """A conflict of two texts for the balloon."""
    made.enrol("demo", None, demo=True)
    held = made.proposals[propose(made, "It is mine.")]
    reword(made, "MINE!")
    held.look()
    with made.reviewer("demo") as me:
        held.apply(me, mode="merge")
    return work.conflicts()[0].id


def test_a_lock_keeps_agents_away_until_it_is_taken_off(run: Run, made: Workspace, here: list[str]) -> None:
    thing = balloon(made).id
    said = run("lock", made.path, thing, "--reason", "my joke").output
    assert f"lantern unlock {made.path} {thing}" in said
    with pytest.raises(Locked, match="my joke"):
        propose(made, "x")
    listed = run("locks", made.path).output
    assert thing in listed
    assert "my joke" in listed
    run("unlock", made.path, thing)
    assert thing in here[0]
    assert "Nothing is locked" in run("locks", made.path).output
    propose(made, "x")


def test_a_lock_of_something_gone_can_still_be_taken_off(
    run: Run, made: Workspace, work: ChapterWork, here: list[str]
) -> None:
    thing = balloon(made).id
    work.lock(thing)
    with work.edit("no words") as block:
        block.run("object.remove", thing)
    run("unlock", made.path, thing)
    assert len(work.locks()) == 0
    assert here


@pytest.mark.parametrize(
    "words", [("lock", "bl_0000none"), ("unlock", "bl_0000none"), ("resolve", "c9", "--ours"), ("pick", "r1", "x")]
)
@pytest.mark.usefixtures("here")
def test_what_is_not_there_is_named(run: Run, made: Workspace, words: tuple[str, ...]) -> None:
    said = run(words[0], made.path, *words[1:], code=1).output
    assert "[not_found]" in said or "[bad_input]" in said


@pytest.mark.parametrize(
    "words", [("unlock", "{thing}"), ("resolve", "c1", "--theirs"), ("pick", "r2", "{thing}"), ("restore", "r2")]
)
def test_what_asks_for_a_yes_is_not_done_from_a_pipe(
    run: Run, made: Workspace, conflict: str, words: tuple[str, ...]
) -> None:
    given = [word.format(thing=balloon(made).id) for word in words[1:]]
    assert "needs a person at a terminal" in run(words[0], made.path, *given, code=1).output
    assert conflict == "c1"


def test_a_conflict_is_listed_drawn_and_settled(run: Run, made: Workspace, conflict: str, here: list[str]) -> None:
    listed = run("conflicts", made.path).output
    assert all(words in listed for words in (conflict, "“MINE!”", "“It is mine.”", "as the merge left it"))
    assert f"lantern resolve {made.path} {conflict} --theirs" in listed
    said = run("resolve", made.path, conflict, "--theirs").output
    folder = made.path / "exports" / "review" / conflict
    assert sorted(path.name for path in folder.iterdir()) == ["ours.png", "theirs.png"]
    assert "Settled c1" in said
    assert balloon(made).text == "It is mine."
    assert here == ["Take theirs for c1?"]
    assert "No conflict waits" in run("conflicts", made.path).output
    assert "theirs" in run("conflicts", made.path, "--all").output
    assert made.verify().clean


def test_a_conflict_is_settled_as_ours_without_a_revision(
    run: Run, made: Workspace, work: ChapterWork, conflict: str, here: list[str]
) -> None:
    before = work.moment.id
    assert "as it was" in run("resolve", made.path, conflict, "--ours").output
    assert work.moment.id == before
    assert here == ["Keep ours for c1?"]


def test_a_no_changes_nothing(
    run: Run, made: Workspace, conflict: str, monkeypatch: pytest.MonkeyPatch, here: list[str]
) -> None:
    monkeypatch.setattr(person, "agrees", lambda question: False)
    run("resolve", made.path, conflict, "--theirs", code=1)
    assert balloon(made).text == "MINE!"
    assert here == []


@pytest.mark.parametrize("choice", [(), ("--ours", "--theirs")])
def test_a_choice_is_one_of_two(run: Run, path: Path, choice: tuple[str, ...]) -> None:
    assert "choose one" in run("resolve", path, "c1", *choice, code=2).output


def test_a_thing_is_picked_out_of_an_earlier_revision(
    run: Run, made: Workspace, work: ChapterWork, here: list[str]
) -> None:
    then, thing = work.moment.id, balloon(made).id
    reword(made, "Worse.")
    said = run("pick", made.path, then, thing, "--reason", "it was better").output
    assert balloon(made).text == "Is that… mine?"
    assert f"is at {work.moment.id}" in said
    assert work.history().revisions[0].message == f"it was better · from {then}"
    assert thing in here[0]


@pytest.mark.parametrize("words", [(), ("r1",), ("here", "there", "r1", "bl_0000none")])
def test_a_pick_needs_a_revision_and_things(run: Run, words: tuple[str, ...]) -> None:
    run("pick", *words, code=2)


def test_a_chapter_is_brought_back_and_that_is_taken_back(
    run: Run, made: Workspace, work: ChapterWork, here: list[str]
) -> None:
    before = work.moment.id
    reword(made, "Mine!")
    worse = work.moment.id
    said = run("restore", made.path, "1", before, "-m", "the first was better").output
    assert balloon(made).text == "Is that… mine?"
    assert here == [f"Bring back {work.title} as at {before}?"]
    assert f"lantern restore {made.path} 1 {worse}" in said
    assert "the first was better" in run("history", made.path, "--limit", "1").output
    run("restore", made.path, worse)
    assert balloon(made).text == "Mine!"
    work.save("The end")
    run("restore", made.path, before)
    run("restore", made.path, "1", "The end")
    assert balloon(made).text == "Mine!"


@pytest.mark.usefixtures("here")
def test_a_chapter_is_not_brought_back_to_what_it_never_was(run: Run, made: Workspace, work: ChapterWork) -> None:
    before = work.moment.id
    assert "[bad_input]" in run("restore", made.path, "1", "the end", code=1).output
    assert "[not_found]" in run("restore", made.path, "1", "r99", code=1).output
    assert work.moment.id == before


def test_a_lock_is_set_by_a_script(run: Run, made: Workspace, work: ChapterWork) -> None:
    run("lock", made.path, balloon(made).id)
    assert len(work.locks()) == 1
