"""Candidates at the shell."""

from __future__ import annotations

import pytest
from PIL import Image

from lantern_kit.cli import person
from lantern_kit.workspace import Workspace
from tests.cli.conftest import AGENT, Run, balloon


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal; what they answer to the next questions."""
    answers = ["no", "yes", "yes"]
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(person, "agrees", lambda question: answers.pop(0) == "yes")
    return answers


def offer(made: Workspace, *texts: str) -> str:
    """Have an agent keep other words for the balloon beside a new draft; gives the draft."""
    with made.journal.write() as connection:
        draft, moment = made.drafts.begin(connection, made.comics.chapters()[0].id, title="words", actor=AGENT)
    for text in texts:
        operations = [{"op": "balloon.set", "target": balloon(made).id, "args": {"text": text}}]
        with made.journal.write() as connection:
            made.candidates.propose(
                connection, draft.id, moment.revision.number, operations, task=f"say {text}", actor=AGENT
            )
    return draft.id


@pytest.mark.usefixtures("here")
def test_candidates_are_listed_shown_adopted_and_dropped(run: Run, made: Workspace) -> None:
    assert "No candidate waits." in run("candidates", made.path).output
    draft = offer(made, "Mine.", "Ours.")
    listed = run("candidates", made.path).output
    assert f"cd1  waiting  claude-code · {draft} · Chelsea Goes Up · chapter 1" in listed
    assert f"lantern candidates show {made.path} cd1" in listed
    shown = run("candidates", "show", made.path, "cd1").output
    assert "balloon 1: “Is that… mine?” → “Mine.”" in shown
    for side in ("before", "after"):
        with Image.open(made.path / "exports" / "review" / "cd1" / f"01-{side}.png") as drawn:
            assert max(drawn.size) == 1_400
    head = made.comics.head(made.comics.chapters()[0].id).id
    run("candidates", "adopt", made.path, "cd1", code=1)
    assert made.candidates.get("cd1").waits
    run("candidates", "adopt", made.path, "cd1")
    assert made.comics.head(made.comics.chapters()[0].id).id == head
    assert f"cd2  stale: {balloon(made).id} changed" in run("candidates", made.path).output
    run("candidates", "drop", made.path, "cd2")
    assert "No candidate waits." in run("candidates", made.path).output
    everything = run("candidates", "list", made.path, "--all").output
    assert f"cd1  adopted as {made.drafts.head(draft).id}" in everything
    assert "cd2  dropped" in everything


def test_a_pipe_adopts_and_drops_nothing(run: Run, made: Workspace) -> None:
    offer(made, "Mine.")
    for deed in ("adopt", "drop"):
        assert "[not_allowed]" in run("candidates", deed, made.path, "cd1", code=1).output
    assert made.candidates.get("cd1").waits


def test_a_candidate_that_is_none_is_refused(run: Run, made: Workspace) -> None:
    assert "[not_found]" in run("candidates", "show", made.path, "cd9", code=1).output


def test_candidates_are_told_in_chinese(run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(made, "Mine.", "Ours.")
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "cd1  等待中" in run("candidates", made.path).output
