"""An agent in a process of its own: edits its draft and a shared one, and says on stdout what was acknowledged.

Arguments: workspace, agent, own draft, shared draft ("-" for none), balloon, how many edits. Each line it prints is
``ack <draft> <revision> <text>`` or ``refused <draft> <code>``; the last is ``wait <longest, in seconds>``.
"""

from __future__ import annotations

import sys

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.errors import LanternError
from lantern_kit.workspace import open_workspace


def main() -> None:
    """Edit."""
    folder, agent, own, shared, balloon, count = sys.argv[1:]
    with open_workspace(folder) as ws:
        dispatcher = ws.dispatcher()
        for number in range(int(count)):
            draft = own if shared == "-" or number % 2 else shared
            text = f"{agent} {number}"
            head = ws.drafts.head(draft).id
            arguments = {
                "draft": draft,
                "expected_revision": head,
                "idempotency_key": f"{draft}-{number}",
                "operations": [{"op": "balloon.set", "target": balloon, "args": {"text": text}}],
            }
            try:
                reply = dispatcher.dispatch(
                    "draft.edit", arguments, actor=Actor.agent(agent), scopes=frozenset(Scope), tool="edit"
                )
            except LanternError as error:
                print(f"refused {draft} {error.code}", flush=True)
            else:
                print(f"ack {draft} {reply.data['revision']} {text}", flush=True)
        print(f"wait {ws.journal.longest_wait:.3f}", flush=True)


if __name__ == "__main__":
    main()
