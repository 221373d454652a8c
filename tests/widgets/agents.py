"""What agents do, made by hand for tests."""

from __future__ import annotations

import pytest

from lantern_kit import Workspace
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.errors import LanternError

AGENT = Actor.agent("claude-code")
OTHER = Actor.agent("codex")
READ = frozenset({Scope.READ})
DRAFT = frozenset(Scope)


def looks(ws: Workspace, agent: Actor = AGENT, times: int = 1) -> None:
    """An agent looks at the chapter, and what it did is kept."""
    dispatcher = ws.dispatcher()
    source = ws.works()[0].chapter(1).id
    for _ in range(times):
        dispatcher.dispatch(
            "work.outline", {"source": source}, actor=agent, scopes=READ, tool="outline", action="outline"
        )
    dispatcher.close()


def fails(ws: Workspace, agent: Actor = AGENT) -> None:
    """An agent looks at something that is not there."""
    dispatcher = ws.dispatcher()
    with pytest.raises(LanternError):
        dispatcher.dispatch(
            "work.outline", {"source": "ch_nothere"}, actor=agent, scopes=READ, tool="outline", action="outline"
        )
    dispatcher.close()
