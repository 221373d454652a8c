"""The notebook of the kit's own agent: run from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

from lantern_kit.workspace import open_workspace
from tests.studio.test_notebooks import run, shown, workspace

__all__ = ["workspace"]

AGENTS = "05-agents.ipynb"


def test_the_agent_makes_answers_stops_goes_on_and_says_when_nothing_came_out(workspace: Path) -> None:
    agent, turn, proposal, answer, paused, gone_on, again, nothing, picture, rows, loop = run(workspace, AGENTS)
    assert "offline-assistant, which stands in for a model" in shown(agent, "text/plain")
    made = shown(turn)
    assert re.search(r"route.*recall.*plan.*invoke.*assert.*reflect.*respond", made)
    assert "it stands in for one, offline" in made
    assert "proposal p1" in made
    assert "Who lit the lantern?" in shown(proposal)
    assert "p1" in shown(answer)
    assert "paused at invoke" in shown(paused, "text/plain")
    assert "proposal p2" in shown(gone_on)
    assert "proposal p2" in shown(again)
    assert "Nothing came out this time." in shown(nothing)
    assert len(shown(picture, "image/png")) > 20_000
    assert "invoke" in shown(rows)
    assert "proposal p3" in shown(loop)
    with open_workspace(workspace) as ws:
        assert [item.facts.actor for item in ws.proposals.all()] == ["lantern-agent"] * 3
        assert [item.facts.state for item in ws.proposals.all()] == ["pending"] * 3
        assert ws.verify().clean
