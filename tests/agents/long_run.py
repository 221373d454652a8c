"""Many turns, one after the other, in a process that is killed at a point that its caller names.

``long_run.py WORKSPACE TURNS POINT``: points are the nodes' beginnings, each tool's call before and after, and every
statement that the agents' file is given. A turn writes twice: a page, and a frame on it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from lantern_kit.agents.chat import Said
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.offline import OfflineAssistant
from lantern_kit.agents.playbooks.talk import Talk, bare
from lantern_kit.agents.tools import Result, Tool
from lantern_kit.agents.turn import Request
from lantern_kit.assistant import open_desk, seat, tools_here
from lantern_kit.workspace import Workspace


class Points:
    """Counts points, and kills the process at one."""

    def __init__(self, last: int) -> None:
        self._left = count(1)
        self._last = last

    def __call__(self, *_: object) -> None:
        if next(self._left) == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    """Tools with a point before and after each call."""

    notice = ""

    def __init__(self, ws: Workspace, point: Points) -> None:
        self._tools = tools_here(ws)
        self._point = point

    def offered(self) -> Sequence[Tool]:
        return self._tools.offered()

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        self._point()
        result = self._tools.call(name, arguments, key=key)
        self._point()
        return result


def add(talk: Talk) -> Said:
    """Add a page that is called as the request ends, and a frame on it; begin the draft where there is none."""
    name = talk.request.rpartition(" ")[2]
    outline = talk.given("outline")
    if outline is None:
        return talk.calls("outline", source=talk.chapter)
    drafts = outline.data["drafts"]
    begun = talk.given("begin_draft")
    if not drafts and begun is None:
        return talk.calls("begin_draft", chapter=talk.chapter)
    at = drafts[0] if begun is None else begun.data
    page = talk.given("edit", message="page")
    if page is None:
        operations = [{"op": "unit.add", "target": talk.chapter, "as": "page", "args": {"name": name}}]
        given = {"draft": at["draft"], "expected_revision": at["revision"], "message": "page"}
        return talk.calls("edit", **given, operations=operations)
    if talk.given("edit", message="frame") is None:
        box = {"rect": [10, 10, 40, 40]}
        operations = [{"op": "frame.add", "target": bare(page.data["objects"]["page"]), "args": box}]
        given = {"draft": at["draft"], "expected_revision": page.data["revision"], "message": "frame"}
        return talk.calls("edit", **given, operations=operations)
    return Said(f"{name} is there.")


def run(folder: Path, turns: int, last: int) -> None:
    """All turns, from wherever the last process came to."""
    point = Points(last)
    with Workspace(folder) as ws, closing(open_desk(ws)) as desk, closing(GraphRunner(desk.path)) as graph:
        desk.connection.set_trace_callback(point)
        graph._saver.conn.set_trace_callback(point)
        chapter = ws.comics.chapters()[0].id
        ended = set(desk.ended([f"t{number:02}" for number in range(turns)]))
        for number in range(turns):
            if f"t{number:02}" in ended:
                continue
            place = seat(
                ws,
                OfflineAssistant(playbooks=[add]),
                desk=desk,
                tools=Deadly(ws, point),
                chapter=chapter,
                alive=point,
            )
            words = f"Make a page called page-{number:02}"
            graph.run(Request(f"t{number:02}", "long", words, promise="revision"), place)


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
