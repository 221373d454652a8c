"""A process of its own that keeps entries and updates a shared one: says what was acknowledged and what refused.

Arguments: workspace, agent, shared entry, how many. Each line is ``kept <entry>``, ``updated <version>`` or
``refused <code>``.
"""

from __future__ import annotations

import sys

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import LanternError
from lantern_kit.workspace import open_workspace


def main() -> None:
    """Keep and update."""
    folder, agent, shared, count = sys.argv[1:]
    with open_workspace(folder) as ws:
        for number in range(int(count)):
            made = ws.library.keep("prop", f"{agent} {number}", actor=Actor.agent(agent))
            print("kept", made.id, flush=True)
            seen = ws.library.get(shared).number
            try:
                new = ws.library.update(shared, seen, notes=f"{agent} {number}", actor=Actor.agent(agent))
            except LanternError as error:
                print("refused", error.code, flush=True)
            else:
                print("updated", new.number, flush=True)


if __name__ == "__main__":
    main()
