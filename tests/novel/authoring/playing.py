"""A model that writes the stage's small novel, deciding by what tools answered; and ones that do not."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.agents.chat import Hear, Message, Role, Said, ToolCall, ToolSpec, Usage
from lantern_kit.agents.faults import ModelBusy
from tests.novel.stage import outline, text

Script = Generator[tuple[str, dict[str, Any]], dict[str, Any], None]


@dataclass
class Playing:
    """Writes; each turn it asks for the status first, as a model would read its brief.

    Args:
        deduces: act each scene out before it is written.
    """

    model: str = "playing"
    stand_in: bool = False
    deduces: bool = False
    counted: bool = True
    silent: frozenset[str] = frozenset()
    """Names of people who give no answer."""
    busy: int = 0
    """How many of the next requests fail."""
    requests: int = 0
    acted: list[str] = field(default_factory=list)
    """What people of deductions were told."""
    offered: list[set[str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    """What began each turn."""
    written: int = 0
    refusals: list[str] = field(default_factory=list)
    _script: Script | None = None

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        most: int = 1_024,
        hear: Hear | None = None,
    ) -> Said:
        self.requests += 1
        if self.busy:
            self.busy -= 1
            raise ModelBusy("the model is busy", details={"status": 503})
        if hear is not None:
            hear("…")
        if not tools:
            told = messages[-1].text
            self.acted.append(told)
            quiet = any(f"You are {name}." in told for name in self.silent)
            return self.says("" if quiet else "I light the lamp.")
        last = messages[-1]
        if last.role is not Role.TOOL:
            self.offered.append({tool.name for tool in tools})
            self.told.append(last.text)
            self._script = self.play()
            return self.asks(next(self._script))
        assert self._script is not None
        answer = json.loads(last.text)
        if "code" in answer:
            self.refusals.append(answer["code"])
            return self.says("It was refused.")
        try:
            return self.asks(self._script.send(answer))
        except StopIteration:
            return self.says("Done.")

    def says(self, words: str) -> Said:
        """Words and no call."""
        return Said(words, (), "stop", Usage(100, 10) if self.counted else None, self.model)

    def asks(self, call: tuple[str, dict[str, Any]]) -> Said:
        """One call."""
        name, arguments = call
        usage = Usage(100, 10) if self.counted else None
        return Said("", (ToolCall("c", name, arguments),), "tool_calls", usage, self.model)

    def play(self) -> Script:
        """One turn."""
        status = yield "status_read", {}
        work, versions = status["work"], status["versions"]
        waiting = yield "requirements_read", {"open_only": True}
        outcomes = [
            {"instruction": item["id"], "result": "applied", "note": "as asked"} for item in waiting["instructions"]
        ]
        match work["kind"]:
            case "outline-create":
                plan = outline().model_dump(mode="json", by_alias=True, exclude_none=True)
                yield "outline_create", {"plan": plan, "outcomes": outcomes, "reason": "it begins"}
            case "outline-revise":
                yield (
                    "outline_revise",
                    {"plan": {}, "outcomes": outcomes, "reason": "as asked", "expected_outline": versions["outline"]},
                )
            case "write-unit":
                yield from self.unit(work, versions)
            case "chapter-complete":
                yield (
                    "chapter_complete",
                    {
                        "chapter": work["chapter"],
                        "expected_content": versions["content"],
                        "evidence": "all is told",
                        "open_ends": [],
                    },
                )
            case "finish":
                prose = yield "body_read", {}
                yield (
                    "finish",
                    {
                        "expected_content": versions["content"],
                        "expected_outline": versions["outline"],
                        "ending": prose["units"][-1]["commit"],
                        "evidence": "the lamp burns",
                    },
                )

    def unit(self, work: dict[str, Any], versions: dict[str, int]) -> Script:
        """One unit."""
        found = yield "outline_read", {"part": "foreshadows"}
        chapters = yield "outline_read", {"part": "contents"}
        if self.deduces:
            people = yield "outline_read", {"part": "people"}
            yield (
                "deduce",
                {
                    "people": [item["id"] for item in people["rows"]],
                    "situation": "The lamp is out.",
                    "question": "What do you do?",
                    "rounds": 2,
                },
            )
        claimed = yield (
            "unit_claim",
            {
                "intent": work["intent"],
                "unit": work["unit"],
                "expected_outline": versions["outline"],
                "expected_watermark": versions["watermark"],
            },
        )
        self.written += 1
        key, facts = found["rows"][0], {}
        if key["state"] == "planned" or (key["state"] == "planted" and work["chapter"] == chapters["rows"][-1]["id"]):
            move = "planted" if key["state"] == "planned" else "resolved"
            facts = {"foreshadows": [{"foreshadow": key["id"], "move": move, "at": 0}]}
        yield (
            "body_commit",
            {
                "unit": work["unit"],
                "token": claimed["token"],
                "paragraphs": text(self.written),
                "scene": {"done": True, "evidence": "it is"},
                "facts": facts,
            },
        )


@dataclass
class Rambling(Playing):
    """Talks of the novel, and writes none of it."""

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSpec] = (), **options: Any) -> Said:
        self.requests += 1
        return self.says("Chapter One. It was a dark night, and the lamp went out. The end.")
