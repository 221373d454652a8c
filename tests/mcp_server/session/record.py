"""Records the session: ``python -m tests.mcp_server.session.record`` writes the script anew, with what comes of it.

The demo's agent draws its three units; then it does what a session is made of besides: it keeps a character, says what
panels show and where a face is, writes a page from a script, finds things by words, keeps candidates, looks at one and
adopts it, is refused, goes back, checks what is left, and freezes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import anyio

from lantern_kit import datasets
from lantern_kit.demo.agent import Agent, sitting
from lantern_kit.demo.drafting import Drafting
from lantern_kit.demo.run import draw_chapter
from lantern_kit.demo.story import PROPOSED
from lantern_kit.kernel.errors import LanternError
from tests.mcp_server.session.script import DRAWN, SCRIPT, Recorder, begin, content


class Improvising:
    """What follows the demo's own edits, in the same draft."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._keys = 0
        self._at: dict[str, str] = {}

    async def go_on(self) -> None:
        """Keep, mark, write, find, propose, look, adopt, be refused, go back, and freeze."""
        chapters = (await self._ask("outline"))["chapters"]
        draft = chapters[0]["drafts"][0]
        status = await self._ask("manage_draft", action="status", draft=draft)
        self._at = {"draft": draft, "expected_revision": status["revision"]}
        await self._stage(draft)
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

    async def _stage(self, draft: str) -> None:
        """Keep who and what comes back, say it of a panel, mark a face, and write a last page from its script."""
        cat = (await self._ask("find", source=draft, text="page 1, last panel, picture"))["found"][0]["handle"]
        asset = next(item["asset"] for item in await self._objects(draft) if item["handle"] == cat)
        kept = await self._keep("character", "Chelsea", notes="A tabby; green eyes.", sheets=[{"asset": asset}])
        home = await self._keep("scene", "Home", notes="Morning, from the left.")
        style = await self._keep("style", "Cut paper", palette=["#14162b", "#f6b93b"])
        await self._ask("library", action="list", chapter=draft)
        await self._ask("read_asset", asset=kept)
        chapter = (await self._ask("outline", source=draft))["chapter"]["chapter"]
        eyes = (await self._ask("find", source=draft, text="page 1, last panel"))["found"][0]["handle"]
        shown = {"description": "Her eyes, very near.", "scene": home, "cast": [{"who": kept}], "light": {"angle": 90}}
        face = {"kind": "face", "area": [0.2, 0.1, 0.8, 0.9], "who": kept}
        words = "## Page\n\n### Panel 1\n\nHome, evening.\n\nCAPTION: At home.\nCHELSEA: Still empty.\n"
        operations = [
            {"op": "chapter.set", "target": chapter, "args": {"styles": [style]}},
            {"op": "frame.set", "target": eyes, "args": shown},
            {"op": "image.mark", "target": cat, "args": {"marks": [face]}},
            {"op": "script.write", "args": {"text": words}},
        ]
        made = await self._write("edit", message="What panels show, and a last page", operations=operations)
        self._at["expected_revision"] = made["revision"]
        await self._ask("outline", source=draft, form="script")

    async def _objects(self, draft: str) -> list[dict[str, Any]]:
        return list((await self._ask("read_unit", source=draft, unit="1", form="full"))["objects"])

    async def _keep(self, kind: str, name: str, **content: Any) -> str:
        made = await self._ask("library", action="write", kind=kind, name=name, idempotency_key=self._key(), **content)
        return str(made["entry"])

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
    await draw_chapter(drafting, lambda _: None)
    await Improvising(agent).go_on()


def main() -> None:
    """Record."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, recorder = begin(Path(temporary) / "ws"), Recorder()

        async def session() -> None:
            await sitting(folder, [datasets.root()], lambda agent: play(agent, folder / "exports"), heard=recorder)

        anyio.run(session)
        recorder.write(SCRIPT, content(folder, DRAWN))
    print(f"{SCRIPT}: {len(recorder.lines)} calls")


if __name__ == "__main__":
    main()
