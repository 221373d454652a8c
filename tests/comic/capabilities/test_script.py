"""Agents write scripts: in drafts, as candidates, beside people and their locks."""

from __future__ import annotations

import pytest

from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, Locked, OutOfScope, StaleHandle
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import Desk, op

TEXT = "## Page 1\n\n### Panel 1\n\nA roof.\n\nMIRA: Is it you?\nFOX: Who else.\n"


@pytest.fixture
def work(ws: Workspace, chapter: str) -> ChapterWork:
    """The chapter as its people hold it."""
    return ChapterWork(ws, chapter)


def script(desk: Desk, source: str) -> str:
    return str(desk.ask("work.outline", source=source, form="script")["script"])


def written(desk: Desk, draft: str, text: str = TEXT) -> str:
    desk.edit(draft, op("script.write", text=text))
    return script(desk, draft)


def ident(text: str, words: str) -> str:
    return next(line for line in text.splitlines() if words in line).split("{#")[1].rstrip("}")


def test_what_a_script_makes_can_be_named_in_the_same_change_set(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft, op("script.write", None, "s", text=TEXT), op("frame.set", "@s.1.1", light={"kind": "night"})
    )
    assert [name for name in made["objects"] if name.startswith("s.")] == ["s.1", "s.1.1"]
    assert made["new_findings"] == []
    assert made["notes"] == ["1 unit added with 1 panel and 2 lines"]


def test_a_script_may_wait_as_a_candidate(desk: Desk) -> None:
    draft = desk.begin()
    text = written(desk, draft)
    proposed = desk.ask(
        "candidate.propose",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        task="another page",
        operations=[op("script.write", text=text + TEXT)],
    )
    assert script(desk, draft) == text
    there = script(desk, proposed["candidate"])
    adopted = desk.ask(
        "candidate.adopt",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        candidate=proposed["candidate"],
    )
    assert script(desk, adopted["revision"]) == there != text


def test_a_long_title_comes_back_whole(desk: Desk, work: ChapterWork) -> None:
    with work.edit("a title and a page") as edit:
        edit.run("chapter.set", None, title="Up " * 66)
        edit.add_page()
    draft = desk.begin()
    text = script(desk, draft)
    assert text.startswith(f"# {('Up ' * 66).strip()}\n")
    with pytest.raises(BadInput, match="nothing"):
        written(desk, draft, text)


def test_the_same_script_again_is_refused_as_no_change(desk: Desk) -> None:
    draft = desk.begin()
    text = written(desk, draft)
    assert "change nothing" in str(desk.cannot(draft, op("script.write", text=text)))


def test_a_script_read_before_others_changed_its_words_is_refused(desk: Desk) -> None:
    draft = desk.begin()
    text = written(desk, draft)
    seen = desk.revisions[draft]
    desk.edit(draft, op("balloon.set", ident(text, "Who else."), text="Me, of course."))
    error = desk.cannot(draft, op("script.write", text=text.replace("Is it you?", "Who is it?")), expected=seen)
    assert isinstance(error, StaleHandle)
    desk.edit(draft, op("unit.add"))
    again = script(desk, draft)
    seen = desk.revisions[draft]
    desk.edit(draft, op("balloon.add", ident(again, "## Page 2"), text="Up!", at=[30, 30]))
    desk.ask(
        "draft.edit",
        draft=draft,
        expected_revision=seen,
        idempotency_key=desk.key(),
        operations=[op("script.write", text=again.split("## Page 2")[0].replace("Is it you?", "Who?"))],
    )
    assert "MIRA: Who? {#" in script(desk, draft)


def test_locked_words_stay_and_unlocked_ones_change(desk: Desk, work: ChapterWork) -> None:
    with work.edit("the page") as edit:
        edit.write_script(TEXT)
    text = script(desk, desk.chapter)
    work.lock(ident(text, "Who else."), "my joke")
    draft = desk.begin()
    error = desk.cannot(draft, op("script.write", text=text.replace("Who else.", "Nobody.")))
    assert isinstance(error, Locked)
    assert isinstance(desk.cannot(draft, op("script.write", text=text.replace("FOX: Who", "\\FOX: Who"))), BadInput)
    gone = "\n".join(line for line in text.splitlines() if "Who else." not in line)
    assert isinstance(desk.cannot(draft, op("script.write", text=gone)), Locked)
    desk.edit(draft, op("script.write", text=text.replace("Is it you?", "Who is there?")))


def test_a_draft_for_one_page_cannot_write_another(desk: Desk, work: ChapterWork) -> None:
    with work.edit("two pages") as edit:
        edit.write_script(TEXT + TEXT)
    first, second = work.book.order
    made = desk.ask("draft.begin", chapter=desk.chapter, units=[first], idempotency_key=desk.key())
    draft = made["draft"]
    desk.revisions[draft] = made["revision"]
    text = script(desk, draft)
    error = desk.cannot(draft, op("script.write", text=text.replace("Is it you?", "Who?")))
    assert isinstance(error, OutOfScope)
    assert second in error.message or second in str(error.details) or second in error.ids
    desk.edit(draft, op("script.write", text=text.replace("Is it you?", "Who?", 1)))
