"""How the agent works at its draft: register, edit, look, check, mend, freeze. It knows only what tools answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lantern_kit import datasets
from lantern_kit.comic.edit.changeset import MOST
from lantern_kit.demo.agent import Agent, Answer
from lantern_kit.demo.mend import remedies
from lantern_kit.demo.script import Part, Source, Step
from lantern_kit.kernel.errors import LanternError, NotFound

ROUNDS = 3
"""How often a unit is mended and checked again before what is left is given up."""

Say = Callable[[str], None]


class Drafting:
    """One agent with one draft at a time.

    Args:
        agent: who calls.
        say: told each step, a line at a time.
        album: where the pictures that the agent is shown are kept.
        sitting: begins every idempotency key.
        most: operations that one edit carries.
    """

    def __init__(self, agent: Agent, say: Say, album: Path, *, sitting: str, most: int = MOST) -> None:
        self._agent = agent
        self._sitting = sitting
        self._say = say
        self._album = album
        self._most = most
        self._draft = ""
        self._revision = ""
        self._known: dict[str, str] = {}
        """Handles by the names that the story gives."""
        self._assets: dict[str, str] = {}
        self._keys = 0
        self.edits = 0
        self.mended: list[str] = []
        """Rules of the findings that were mended, in order."""

    async def outline(self) -> dict[str, Any]:
        """Find the only chapter, and read what there is of it."""
        chapters = (await self._agent.call("outline")).data["chapters"]
        answer = (await self._agent.call("outline", source=_bare(chapters[0]["chapter"]))).data
        self._known["chapter"] = answer["chapter"]["chapter"]
        return answer

    async def register(self, pictures: Iterable[Source]) -> None:
        """Register pictures with what is known of their origin; a matte as the foreground of its photograph."""
        for picture in pictures:
            photo = datasets.photo(picture.photo)
            arguments: dict[str, Any] = {"path": str(photo.path), "title": photo.title, "source_type": "photograph"}
            if picture.cut:
                arguments["path"] = str(photo.matte)
                arguments["title"] = f"{photo.title}, cut out"
                arguments["source_type"] = "edited"
                arguments["foreground_of"] = self._assets[picture.photo]
            answer = await self._agent.call(
                "register_asset",
                licence=photo.licence,
                source=f"{photo.author}: {photo.source}",
                idempotency_key=self._key(),
                **arguments,
            )
            self._assets[picture.name] = answer.data["asset"]["asset"]

    async def learn(self, operations: Iterable[str]) -> None:
        """Ask for the exact arguments of operations before using them."""
        await self._agent.call("describe", operations=list(operations))

    async def begin(self, title: str) -> str:
        """Begin a draft; gives its id."""
        chapter = _bare(self._known["chapter"])
        answer = await self._agent.call("begin_draft", chapter=chapter, title=title, idempotency_key=self._key())
        self._draft, self._revision = answer.data["draft"], answer.data["revision"]
        return self._draft

    async def edit(self, step: Step) -> None:
        """Send one change set, or as many as it takes."""
        await self._edit(step.message, [dict(item) for item in step.operations])

    async def draw(self, part: Part, place: int) -> None:
        """Make a unit: edit by edit, look at it, check it, mend it, look again."""
        for step in part.steps:
            await self.edit(step)
        await self._look(place, f"{place}-{part.unit}")
        if await self._mend(place):
            await self._look(place, f"{place}-{part.unit}-mended")

    async def find(self, **wanted: str) -> None:
        """Find things by their words or names, each the only one, and call them as the keywords do."""
        for name, text in wanted.items():
            found = (await self._agent.call("find", source=self._draft, text=text)).data["found"]
            if len(found) != 1:
                raise NotFound(f"{text!r} was to be found once", expected=1, found=len(found))
            self._known[name] = found[0]["handle"]

    async def revise(self, step: Step, place: int) -> None:
        """Change a unit that is there, then check it and look at it."""
        await self.edit(step)
        await self._mend(place)
        await self._look(place, f"{place}-again")

    async def freeze(self, summary: str) -> str:
        """Freeze the draft; gives the proposal's id. Raises LanternError while a finding is left."""
        left = (await self._check([])).data["findings"]
        if left:
            raise LanternError(
                "the draft still has faults that could not be mended",
                found="; ".join(str(item["message"]) for item in left[:3]),
            )
        answer = await self._agent.call(
            "freeze",
            draft=self._draft,
            expected_revision=self._revision,
            summary=summary,
            idempotency_key=self._key(),
        )
        return str(answer.data["proposal"])

    async def outcome(self, proposal: str) -> str:
        """What a person decided on a proposal."""
        answer = await self._agent.call("proposals", proposal=proposal)
        return str(answer.data["proposals"][0]["state"])

    # parts

    async def _edit(self, message: str, operations: list[dict[str, Any]]) -> None:
        for start in range(0, len(operations), self._most):
            await self._send(message, operations[start : start + self._most])

    async def _send(self, message: str, operations: list[dict[str, Any]]) -> None:
        own: set[str] = set()
        for item in operations:
            item["target"] = self._resolved(item["target"], own)
            item["args"] = self._resolved(item["args"], own)
            if "as" in item:
                own.add(item["as"])
        answer = await self._agent.call(
            "edit",
            draft=self._draft,
            expected_revision=self._revision,
            idempotency_key=self._key(),
            message=message,
            operations=operations,
        )
        self._revision = answer.data["revision"]
        now = {_bare(handle): handle for handle in answer.data.get("changed", [])}
        self._known = {name: now.get(_bare(handle), handle) for name, handle in self._known.items()}
        self._known.update({name: handle for name, handle in answer.data["objects"].items() if not name[0].isdigit()})
        self.edits += 1
        faults = len(answer.data["new_findings"])
        count = f"{len(operations)} operation{'s' if len(operations) != 1 else ''}"
        self._say(f"    edit   {message}: {count} → {self._revision}" + (f", {faults} to mend" if faults else ""))

    def _resolved(self, value: Any, own: set[str]) -> Any:
        """A value with the story's names replaced: pictures, and things made in earlier change sets."""
        if isinstance(value, str):
            if value.startswith("$"):
                return self._assets[value[1:]]
            if value.startswith("@") and value[1:].partition(".")[0] not in own:
                return self._known[value[1:]]
            return value
        if isinstance(value, Mapping):
            return {key: self._resolved(item, own) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._resolved(item, own) for item in value]
        return value

    async def _look(self, place: int, name: str) -> None:
        answer = await self._agent.call("look", source=self._draft, unit=str(place))
        kind = "png" if answer.data["media"] == "image/png" else "jpg"
        path = self._album / f"{name}.{kind}"
        path.write_bytes(answer.pictures[0])
        width, height = answer.data["size"]
        self._say(f"    look   {width}×{height}, {len(answer.pictures[0]) // 1000} kB → {path.name}")

    async def _check(self, units: list[str]) -> Answer:
        return await self._agent.call("check", source=self._draft, **({"units": units} if units else {}))

    async def _mend(self, place: int) -> bool:
        """Mend what the check finds on a unit, by the findings' own figures; gives whether anything was mended."""
        mended = False
        for _ in range(ROUNDS):
            findings = (await self._check([str(place)])).data["findings"]
            if not findings:
                break
            for finding in findings:
                self._say(f"    check  {finding['rule']}: {finding['message']}")
            operations = remedies(findings, await self._objects(place))
            if not operations:
                break
            await self._edit("mend what the check found", operations)
            self.mended += [str(finding["rule"]) for finding in findings]
            mended = True
        return mended

    async def _objects(self, place: int) -> dict[str, dict[str, Any]]:
        """Everything on a unit, by handle."""
        found: dict[str, dict[str, Any]] = {}
        start: int | None = 1
        while start is not None:
            answer = await self._agent.call("read_unit", source=self._draft, unit=str(place), form="full", start=start)
            found.update({item["handle"]: item for item in answer.data["objects"]})
            start = answer.data.get("next")
        return found

    def _key(self) -> str:
        self._keys += 1
        return f"{self._sitting}-{self._keys}"


def _bare(handle: str) -> str:
    return handle.partition("#")[0]
