"""An agent in a process of its own: proposes candidates in a shared draft and adopts them, as far as they stand.

Arguments: workspace, agent, draft, balloon, how many. Each line it prints is ``proposed <candidate>``,
``adopted <candidate> <revision> <text>`` or ``refused <candidate> <code>``.
"""

from __future__ import annotations

import sys
from typing import Any

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.errors import LanternError, StaleCandidate
from lantern_kit.workspace import open_workspace


def main() -> None:
    """Propose and adopt."""
    folder, agent, draft, balloon, count = sys.argv[1:]
    with open_workspace(folder) as ws:
        dispatcher = ws.dispatcher()

        def ask(name: str, **arguments: Any) -> dict[str, Any]:
            given = {"draft": draft, "expected_revision": ws.drafts.head(draft).id, **arguments}
            scopes = frozenset(Scope)
            return dispatcher.dispatch(name, given, actor=Actor.agent(agent), scopes=scopes, tool="manage_draft").data

        for number in range(int(count)):
            text = f"{agent} {number}"
            operation = {"op": "balloon.set", "target": balloon, "args": {"text": text}}
            try:
                made = ask("candidate.propose", task=text, operations=[operation], idempotency_key=f"p{number}")
            except LanternError as error:
                print(f"refused - {error.code}", flush=True)
                continue
            candidate = made["candidate"]
            print(f"proposed {candidate}", flush=True)
            try:
                adopted = ask("candidate.adopt", candidate=candidate, idempotency_key=f"a{number}")
            except StaleCandidate as error:
                print(f"refused {candidate} {error.code}", flush=True)
                ask("candidate.drop", candidate=candidate, idempotency_key=f"d{number}")
            else:
                print(f"adopted {candidate} {adopted['revision']} {text}", flush=True)


if __name__ == "__main__":
    main()
