"""A small comic, and an agent that carries the examples of a text out in it, in the order of the text."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lantern_kit import datasets
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Paper, Unit
from lantern_kit.workspace import Workspace, create_workspace
from tests.mcp_server.host import Host, text_of
from tests.skills.taught import Example

KEYED = {"begin_draft", "edit", "freeze", "register_asset"}
STANDS_FOR = re.compile(r"(ch|un|fr|im|bl|an|as|li)_…(#…)?")
"""What an example says instead of an id or a handle: the agent puts in what the comic has."""
ALIAS = re.compile(r"^@(\w+(?:\.\d)?)$")


def stage(folder: Path) -> None:
    """A comic of two pages: three frames, a picture, words, and what a person wrote about them."""
    with create_workspace(folder, title="Saucers", owner="ann") as ws:
        paper = Paper(width=105_000, height=148_000)
        ws.comics.create_chapter(comic="Saucers", number=1, actor=ws.owner, paper=paper)
        chapter = ws.works()[0].chapter(1)
        coffee = ws.assets.register(datasets.open_photo("coffee"), title="Coffee")
        cat = next(photo for photo in datasets.photos() if photo.name == "chelsea")
        ws.assets.register(cat.read(), title="Chelsea")
        (folder / "inbox" / "cat-cut.png").write_bytes(cat.read_matte())
        (folder / "inbox" / "moon.png").write_bytes(datasets.open_photo("moon"))
        with chapter.edit("two pages") as edit:
            page = edit.add_page(name="The saucer")
            upper, lower = page.add_frame(rect=(5, 5, 95, 138)).cut(line=((0, 70), (105, 70)), gutter=5)
            lower.cut(line=((52, 0), (52, 148)), gutter=4)
            upper.place(coffee)
            said = upper.say("Mine?", speaker="Ann", at=(40, 20), tail=(50, 40))
            gone = edit.add_page(name="After it").add_frame(rect=(5, 5, 95, 138))
        chapter.annotate("Softer, please.", on=said.id)
        chapter.annotate("Too tall.", on=gone.id)
        with chapter.edit("an empty page") as edit:
            edit[gone.id].remove()


class Session:
    """An agent at the tools, who reads handles anew before each call."""

    def __init__(self, ws: Workspace) -> None:
        self.host = Host(ws, ws.comics.chapters()[0].id)
        self.heard: set[str] = set()
        """Every key of every answer so far."""
        self._numbers = itertools.count(1)
        self._named: dict[str, str] = {}
        (cat,), (coffee,) = ws.assets.find("Chelsea"), ws.assets.find("Coffee")
        self._known = {"image.place": cat.id, "image.replace": coffee.id, "foreground_of": cat.id}
        """Which picture an operation or an argument means, where it is not any."""
        self._pictures = itertools.cycle(asset.id for asset in ws.assets.find())
        self._draft = self._revision = self._candidate = ""

    def carry_out(self, example: Example) -> dict[str, Any]:
        """Make one call. Raises AssertionError with the refusal."""
        if not self._draft and (
            example.tool in {"edit", "manage_draft", "freeze"} or '"d7"' in json.dumps(example.arguments)
        ):
            self.carry_out(Example("begin_draft", {"chapter": "ch_…", "idempotency_key": "begin"}))
        given = self._filled(example)
        result = self.host.result(example.tool, **given)
        said = text_of(result)
        assert not result.is_error, f"{example.tool} {given}: {said}"
        answer: dict[str, Any] = json.loads(said) if said.startswith("{") else {"text": said}
        self.heard |= set(keys_of(answer))
        self._follow(example.tool, answer)
        return answer

    def _filled(self, example: Example) -> dict[str, Any]:
        given: dict[str, Any] = json.loads(json.dumps(example.arguments))
        for operation in given.get("operations", []):
            if operation["op"] in self._known:
                operation["args"]["asset"] = self._known[operation["op"]]
        if "foreground_of" in given:
            given["foreground_of"] = self._known["foreground_of"]
        given = self._put_in(given)
        if example.tool == "edit":
            given = {"draft": self._draft, "expected_revision": self._revision, **given}
        if example.tool in KEYED or "idempotency_key" in given:
            given["idempotency_key"] = f"{given.get('idempotency_key', 'key')}-{next(self._numbers)}"
        own = {name for operation in given.get("operations", []) if (name := operation.get("as"))}
        for operation in given.get("operations", []):
            self._aim(operation, own)
        return given

    def _aim(self, operation: dict[str, Any], own: set[str]) -> None:
        """Names given in an earlier example stand for what they made there."""
        for holder in (operation, operation.get("args", {})):
            for key, value in holder.items():
                found = ALIAS.match(value) if isinstance(value, str) else None
                if found and found.group(1).split(".")[0] not in own:
                    holder[key] = self._fresh(self._named[found.group(1)])

    def _put_in(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._put_in(item) for item in value]
        if isinstance(value, dict):
            return {key: self._put_in(item) for key, item in value.items()}
        if not isinstance(value, str):
            return value
        known = {"d7": self._draft, "r41": self._revision, "cd4": self._candidate}
        return known.get(value) or STANDS_FOR.sub(lambda found: self._means(found.group(1)), value)

    def _means(self, kind: str) -> str:
        if kind == "ch":
            return self.host.chapter
        if kind == "as":
            return next(self._pictures)
        if kind == "an":
            states = ["open", "claimed", "awaiting"]
            listed = self.host.data("annotations", action="list", chapter=self.host.chapter, states=states)
            return str(listed["annotations"][0]["annotation"])
        if kind == "li":
            return str(self.host.data("library", action="list")["entries"][0]["entry"])
        unit = self._unit()
        return handle_of(unit if kind == "un" else next(item for item in unit.objects if item.id.startswith(kind)))

    def _unit(self) -> Unit:
        ws = self.host.ws
        book = (ws.drafts.head(self._draft) if self._draft else ws.comics.head(self.host.chapter)).book
        return next(iter(book.units()))

    def _fresh(self, handle: str) -> str:
        """The handle that a thing has now."""
        name = handle.partition("#")[0]
        book = self.host.ws.drafts.head(self._draft).book
        things = (thing for unit in book.units() for thing in (unit, *unit.objects))
        return next(handle_of(thing) for thing in things if thing.id == name)

    def _follow(self, tool: str, answer: dict[str, Any]) -> None:
        self._draft = answer.get("draft", self._draft) if tool in {"begin_draft", "edit"} else self._draft
        self._candidate = str(answer.get("candidate", self._candidate))
        if tool == "register_asset":
            self._known["foreground.bind"] = str(answer["asset"]["asset"])
        self._named |= answer.get("objects", {}) if tool == "edit" else {}
        if tool in {"begin_draft", "edit", "manage_draft"}:
            self._revision = str(answer.get("revision", self._revision))


def keys_of(value: Any) -> Iterable[str]:
    """Every key of plain data, at any depth."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from keys_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys_of(item)
