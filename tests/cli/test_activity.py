"""What agents did, at the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lantern_kit.kernel.capability import Scope
from lantern_kit.workspace import Workspace
from tests.cli.conftest import AGENT, Run


def act(made: Workspace, name: str, **args: Any) -> dict[str, Any]:
    """A call of the agent's."""
    return made.dispatcher().dispatch(name, args, actor=AGENT, scopes=frozenset(Scope), tool=name).data


def proposed(made: Workspace) -> str:
    """A draft begun, edited and frozen; gives the proposal."""
    chapter = made.comics.chapters()[0].id
    begun = act(made, "draft.begin", chapter=chapter, title="a quiet page", idempotency_key="1")
    at = {"draft": begun["draft"], "expected_revision": begun["revision"], "idempotency_key": "2"}
    edited = act(made, "draft.edit", **at, operations=[{"op": "unit.add"}])
    at = {"draft": begun["draft"], "expected_revision": edited["revision"], "idempotency_key": "3"}
    return str(act(made, "proposal.freeze", **at, summary="a quiet page")["proposal"])


def test_activity_is_a_tree_of_tasks_that_says_what_to_do_next(run: Run, made: Workspace) -> None:
    name = proposed(made)
    said = run("activity", made.path).output
    assert "g1 claude-code · Chelsea Goes Up 1 · d1: awaits a verdict on p1" in said
    assert "1 unit added on page 2" in said
    assert "└ e3" in said
    assert f"lantern show {made.path} {name}" in said
    assert "a quiet page" not in said


def test_activity_pages_back_and_on(run: Run, made: Workspace) -> None:
    proposed(made)
    last = run("activity", made.path, "1", "--limit", "1").output
    assert "e3" in last and "e2 " not in last
    assert "earlier: --before e3" in last
    rest = json.loads(run("activity", made.path, "--before", "e3", "--json").output)
    assert [item["event"] for group in rest["groups"] for item in group["events"]] == ["e1", "e2"]
    assert (rest["later"], rest["earlier"], rest["newest"]) == (True, False, "e2")
    assert "later: --after e1" in run("activity", made.path, "--after", "e0", "--limit", "1").output


def test_activity_of_nobody_says_so(run: Run, made: Workspace) -> None:
    assert "No agent did anything there." in run("activity", made.path).output
    assert "not an event" in run("activity", made.path, "--after", "120", code=1).output
    proposed(made)
    assert "No agent did anything there." in run("activity", made.path, "--agent", "codex").output


def test_activity_speaks_chinese(run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    name = proposed(made)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert f"待确认 {name}" in run("activity", made.path).output
