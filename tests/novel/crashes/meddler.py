"""A person's process: it decides about a novel at random, while others do and an author writes.

``python -m tests.novel.crashes.meddler WORKSPACE NOVEL NUMBER TIMES`` tells the ids of all that was received.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from random import Random

from lantern_kit.kernel.errors import LanternError
from lantern_kit.novel.work.novel import NovelWork
from lantern_kit.workspace import open_workspace

DEEDS = [
    *("instruct", "instruct", "instruct", "undead", "clarify", "withdraw", "withdraw", "configure"),
    *("pause", "stop", "resume", "resume", "resume", "approve"),
]


def decide(novel: NovelWork, dice: Random, name: str) -> str | None:
    """Decide something; gives the id of what was received. Raises LanternError where that is none to decide."""
    deed, blocked = dice.choice(DEEDS), [item for item in novel.instructions if item.state == "blocked"]
    match deed:
        case "instruct":
            return novel.instruct(f"heron {name} comes back", message=name).id
        case "undead":
            people = ", ".join(person.name for person in novel.moment.novel.people.values())
            return novel.instruct(f"{people} never died", message=name).id
        case "clarify" if blocked:
            return novel.clarify(blocked[0].id, f"heron {name} comes back", message=name).id
        case "withdraw":
            return novel.withdraw((blocked or dice.sample(list(novel.instructions), 1))[0].id, message=name).id
        case "configure":
            novel.configure(limits={"turns": dice.randint(2_000, 3_000)})
        case "approve":
            novel.approve(novel.moment.novel.head.outline_revision)
        case "pause" | "stop" | "resume":
            getattr(novel, deed)()
    return None


def main(folder: str, name: str, number: str, times: str) -> None:
    """Decide so many times."""
    dice, received = Random(number), []
    with open_workspace(folder) as ws:
        novel = next(item for item in ws.novels if item.id == name)
        print("ready", flush=True)
        for time in range(int(times)):
            with suppress(LanternError):
                received.append(decide(novel, dice, f"{number}-{time}"))
    print(json.dumps([item for item in received if item is not None]))


if __name__ == "__main__":
    main(*sys.argv[1:])
