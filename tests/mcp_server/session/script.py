"""A session as a script of tool calls: recorded from an agent, played by any client, compared by what it drew.

A line is one call, as JSON: ``tool``, ``arguments``, and ``refused`` with the error's code where it must fail. What an
earlier call answered stands as ``⟦7:objects/top⟧``: the answer of call 7, and the way into it; with ``~`` at its end,
only what stands before the ``#``. ``⟦photos⟧`` at the start of a text is the folder of the kit's photographs. The last
line says what comes of it: ``content``, a hash over the frozen chapter with its ids replaced in order of appearance.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mcp.types import CallToolResult

from lantern_kit import datasets
from lantern_kit.comic.model import Paper
from lantern_kit.demo.agent import text_of
from lantern_kit.kernel.canonical import dumps
from lantern_kit.workspace import Workspace, create_workspace

SCRIPT = Path(__file__).with_name("chelsea.jsonl")
PROPOSAL = "p1"
ANSWERED = re.compile(r"⟦(?P<call>\d+):(?P<way>[^⟧~]+)(?P<bare>~?)⟧")
PHOTOS = "⟦photos⟧"
_NAME = re.compile(r"[a-z]{2}_[0-9a-z]{8}(#[0-9a-z]{8})?|[a-z]{1,2}[0-9]+")
_ID = re.compile(rb"\b[a-z]{2}_[0-9a-z]{8}\b")


def begin(folder: Path) -> Path:
    """A workspace with one empty chapter, closed: where a session starts."""
    with create_workspace(folder, title="Chelsea", owner="mina") as made:
        paper = Paper(width=105_000, height=148_000)
        made.comics.create_chapter(comic="Chelsea Goes Up", number=1, actor=made.owner, paper=paper)
    return folder


def calls() -> list[dict[str, Any]]:
    """The recorded calls."""
    return [line for line in _lines() if "tool" in line]


def agreed() -> str:
    """What is to come of them."""
    return str(_lines()[-1]["content"])


def _lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SCRIPT.read_text(encoding="utf-8").splitlines()]


def content(folder: Path) -> str:
    """A hash over the chapter that was frozen, canonical, every id replaced by the order of its appearance."""
    with Workspace(folder) as opened:
        assert opened.verify().clean
        frozen = opened.proposal_service.get(PROPOSAL).frozen
        book = opened.comics.at(frozen).book
        parts = [book.chapter, *book.units()]
        text = b"\n".join(dumps(part.model_dump(mode="json")) for part in parts)
        pictures = {item.id: item.blob.hex() for item in opened.assets.find()}
    order: dict[bytes, bytes] = {}
    for found in _ID.finditer(text):
        order.setdefault(found[0], pictures.get(found[0].decode(), f"#{len(order)}").encode())
    return hashlib.sha256(_ID.sub(lambda found: order[found[0]], text)).hexdigest()


def answer_of(result: CallToolResult) -> Any:
    """What a call answered: JSON, or the text that is to be read under ``text``."""
    text = text_of(result)
    return json.loads(text) if text.startswith("{") else {"text": text}


class Recorder:
    """Hears a session and writes it down."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._answers: list[dict[str, str]] = []
        """Of each call: ways into its answer, by what stands there."""

    def __call__(self, tool: str, arguments: Mapping[str, Any], result: CallToolResult) -> None:
        """Note one call."""
        answer = answer_of(result)
        line: dict[str, Any] = {"tool": tool, "arguments": self._said(arguments)}
        if result.is_error:
            line["refused"] = answer["code"]
        self.lines.append(line)
        self._answers.append({value: way for way, value in _leaves(answer) if _NAME.fullmatch(value)})

    def write(self, path: Path, outcome: str) -> None:
        """Write the script."""
        lines = [*self.lines, {"calls": len(self.lines), "content": outcome}]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        path.write_text(text, encoding="utf-8")

    def _said(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._said(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._said(item) for item in value]
        if not isinstance(value, str):
            return value
        photos = str(datasets.root())
        if value.startswith(photos):
            return PHOTOS + value.removeprefix(photos)
        return self._named(value) if _NAME.fullmatch(value) else value

    def _named(self, value: str) -> str:
        """Where a name was answered first: by itself, else as the beginning of a handle."""
        for number, answer in enumerate(self._answers, 1):
            if value in answer:
                return f"⟦{number}:{answer[value]}⟧"
        for number, answer in enumerate(self._answers, 1):
            for known, way in answer.items():
                if known.partition("#")[0] == value:
                    return f"⟦{number}:{way}~⟧"
        return value


def filled(value: Any, answers: list[Any]) -> Any:
    """Arguments with what was answered put in. Raises KeyError, IndexError where an answer has no such thing."""
    if isinstance(value, dict):
        return {key: filled(item, answers) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, answers) for item in value]
    if not isinstance(value, str):
        return value
    if value.startswith(PHOTOS):
        return str(datasets.root()) + value.removeprefix(PHOTOS)
    found = ANSWERED.fullmatch(value)
    if found is None:
        return value
    there = answers[int(found["call"]) - 1]
    for step in found["way"].split("/"):
        there = there[int(step)] if isinstance(there, list) else there[step]
    return there.partition("#")[0] if found["bare"] else there


def _leaves(value: Any, way: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """All texts in an answer, with the way to each; what comes first is named last, so that it counts."""
    if isinstance(value, str):
        yield "/".join(way), value
        return
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in reversed(list(rows)):
        yield from _leaves(item, (*way, str(key)))
