"""Records the session: ``python -m tests.mcp_server.session.record`` writes the script anew, with what comes of it.

The demo's agent draws its three units; then it does what a session is made of besides: it finds things by words, keeps
candidates, looks at one and adopts it, is refused, goes back, checks what is left, and freezes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import anyio

from lantern_kit import datasets
from lantern_kit.demo.agent import Agent, sitting
from lantern_kit.demo.drafting import Drafting
from lantern_kit.demo.run import OPERATIONS
from lantern_kit.demo.story import PARTS, PICTURES, PROPOSED
from lantern_kit.kernel.errors import LanternError
from tests.mcp_server.session.script import SCRIPT, Recorder, begin, content


class Improvising:
    """What follows the demo's own edits, in the same draft."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._keys = 0
        self._at: dict[str, str] = {}

    async def go_on(self) -> None:
        """Find, propose, look, adopt, be refused, go back, and freeze."""
        chapters = (await self._ask("outline"))["chapters"]
        draft = chapters[0]["drafts"][0]
        status = await self._ask("manage_draft", action="status", draft=draft)
        self._at = {"draft": draft, "expected_revision": status["revision"]}
        balloon = (await self._ask("find", source=draft, text="page 4, first balloon"))["found"][0]["handle"]
        word = {"op": "balloon.set", "target": balloon, "args": {"text": "Somebody licked it."}}
        kept = await self._write("manage_draft", action="propose", task="another line", operations=[word])
        other = {"op": "balloon.set", "target": balloon, "args": {"text": "Dry as dust."}}
        dropped = await self._write("manage_draft", action="propose", task="or this", operations=[other])
        await self._ask("look", source=kept["candidate"], unit="3")
        await self._ask("compare", source=kept["candidate"], show="difference", unit="3")
        await self._write("manage_draft", action="drop", candidate=dropped["candidate"])
        adopted = await self._write("manage_draft", action="adopt", candidate=kept["candidate"])
        self._at["expected_revision"] = adopted["revision"]
        await self._refused("edit", **self._at, operations=[word])  # the handle is the old one
        await self._refused("edit", **self._at, operations=[{**word, "op": "balloon.sett"}])
        frame = (await self._ask("find", source=draft, text="第1页最后一格"))["found"][0]["handle"]
        gone = await self._write("edit", operations=[{"op": "object.remove", "target": frame, "args": {}}])
        self._at["expected_revision"] = gone["revision"]
        undone = await self._write("manage_draft", action="undo", to=adopted["revision"])
        self._at["expected_revision"] = undone["revision"]
        await self._ask("check", source=draft)
        await self._write("freeze", summary=PROPOSED)

    async def _ask(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        return (await self._agent.call(tool, **arguments)).data

    async def _write(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        return await self._ask(tool, **self._at, idempotency_key=self._key(), **arguments)

    async def _refused(self, tool: str, /, **arguments: Any) -> None:
        try:
            await self._agent.call(tool, idempotency_key=self._key(), **arguments)
        except LanternError:
            return
        raise AssertionError(f"{tool} was to be refused")

    def _key(self) -> str:
        self._keys += 1
        return f"improvised-{self._keys}"


async def play(agent: Agent, album: Path) -> None:
    """The whole session."""
    drafting = Drafting(agent, lambda _: None, album, sitting="recorded")
    await drafting.outline()
    await drafting.learn(OPERATIONS)
    await drafting.register(PICTURES)
    await drafting.begin("Draw chapter 1")
    for place, part in enumerate(PARTS, 1):
        await drafting.draw(part, place)
    await Improvising(agent).go_on()


def main() -> None:
    """Record."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, recorder = begin(Path(temporary) / "ws"), Recorder()

        async def session() -> None:
            await sitting(folder, [datasets.root()], lambda agent: play(agent, folder / "exports"), heard=recorder)

        anyio.run(session)
        recorder.write(SCRIPT, content(folder))
    print(f"{SCRIPT}: {len(recorder.lines)} calls")


if __name__ == "__main__":
    main()
