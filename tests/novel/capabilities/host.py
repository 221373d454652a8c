"""A host that writes a small novel by tools alone, whoever carries them out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from tests.novel.stage import outline, text

Call = Callable[..., dict[str, Any]]
"""Calls a tool by name with arguments, and gives its data; a refusal raises."""


class Scripted:
    """Writes as ``tests.novel.stage`` does: two chapters of two scenes, one foreshadow.

    Args:
        call: carries a tool out.
        mark: tells its keys from another one's.
    """

    def __init__(self, call: Call, mark: str = "k") -> None:
        self.call = call
        self._keys: Iterator[str] = (f"{mark}{number}" for number in itertools.count(1))
        self.written = 0

    def key(self) -> str:
        """A new key."""
        return next(self._keys)

    def next(self) -> dict[str, Any]:
        """The next work."""
        return self.call("next_work", idempotency_key=self.key())

    def all(self, most: int = 40) -> list[str]:
        """Work until there is none; gives the kinds."""
        done = []
        for _ in range(most):
            work = self.next()
            if "halt" in work:
                return [*done, work["reason"]]
            self.do(work)
            done.append(work["kind"])
        raise AssertionError("it does not end")

    def do(self, work: dict[str, Any]) -> dict[str, Any]:
        """Do one work."""
        return getattr(self, "_" + work["kind"].replace("-", "_"))(work)  # type: ignore[no-any-return]

    def claim(self, work: dict[str, Any]) -> dict[str, Any]:
        """Claim the unit of a work."""
        return self.call(
            "unit_claim",
            intent=work["intent"],
            unit=work["unit"],
            expected_outline=work["outline"],
            expected_watermark=work["watermark"],
            idempotency_key=self.key(),
        )

    def _outcomes(self) -> list[dict[str, Any]]:
        told = self.call("requirements_read", open_only=True)
        return [{"instruction": item["id"], "result": "applied", "note": "as asked"} for item in told["instructions"]]

    def _outline_create(self, work: dict[str, Any]) -> dict[str, Any]:
        plan = outline().model_dump(mode="json", by_alias=True, exclude_none=True)
        return self.call(
            "outline_create", plan=plan, outcomes=self._outcomes(), reason="it begins", idempotency_key=self.key()
        )

    def _outline_revise(self, work: dict[str, Any]) -> dict[str, Any]:
        return self.call(
            "outline_revise",
            plan={},
            outcomes=self._outcomes(),
            reason="as asked",
            expected_outline=work["outline"],
            idempotency_key=self.key(),
        )

    def _write_unit(self, work: dict[str, Any]) -> dict[str, Any]:
        claimed = self.claim(work)
        self.written += 1
        key = self.call("outline_read", part="foreshadows")["rows"][0]
        chapters = self.call("outline_read", part="contents")["rows"]
        moves = {"planned": "planted", "planted": "resolved"}
        facts: dict[str, Any] = {}
        if key["state"] in moves and (key["state"] == "planned" or work["chapter"] == chapters[-1]["id"]):
            facts = {"foreshadows": [{"foreshadow": key["id"], "move": moves[key["state"]], "at": 0}]}
        return self.call(
            "body_commit",
            unit=work["unit"],
            token=claimed["token"],
            paragraphs=text(self.written),
            scene={"done": True, "evidence": "it is"},
            facts=facts,
            idempotency_key=self.key(),
        )

    def _chapter_complete(self, work: dict[str, Any]) -> dict[str, Any]:
        return self.call(
            "chapter_complete",
            chapter=work["chapter"],
            expected_content=work["content"],
            evidence="all is told",
            open_ends=[],
            idempotency_key=self.key(),
        )

    def _finish(self, work: dict[str, Any]) -> dict[str, Any]:
        last = self.call("body_read", start=1)["units"][-1]["commit"]
        return self.call(
            "finish",
            expected_content=work["content"],
            expected_outline=work["outline"],
            ending=last,
            evidence="the lamp burns",
            idempotency_key=self.key(),
        )
