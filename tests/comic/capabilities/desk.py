"""An agent at work: calls capabilities through the dispatcher, and holds every answer to its declared model."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Dispatcher, Reply, Scope
from lantern_kit.kernel.errors import LanternError
from lantern_kit.workspace import Workspace

BOTH = frozenset({Scope.READ, Scope.DRAFT})


class Desk:
    """One agent over one workspace."""

    def __init__(self, ws: Workspace, chapter: str, *, name: str = "claude-code") -> None:
        self.ws = ws
        self.chapter = chapter
        self.actor = Actor.agent(name)
        self.dispatcher: Dispatcher = ws.dispatcher()
        self.revisions: dict[str, str] = {}
        self._keys = itertools.count(1)

    def reply(self, name: str, /, **args: Any) -> Reply:
        """The reply to a call, its data held to the output model."""
        reply = self.dispatcher.dispatch(name, args, actor=self.actor, scopes=BOTH)
        self.dispatcher.capabilities.get(name).output.model_validate(reply.data)
        return reply

    def ask(self, name: str, /, **args: Any) -> dict[str, Any]:
        """The data of a reply."""
        return self.reply(name, **args).data

    def refused(self, name: str, /, **args: Any) -> LanternError:
        """The error of a call that must fail."""
        with pytest.raises(LanternError) as caught:
            self.dispatcher.dispatch(name, args, actor=self.actor, scopes=BOTH)
        return caught.value

    def key(self) -> str:
        """A fresh idempotency key."""
        return f"{self.actor.name}-{next(self._keys)}"

    def begin(self, title: str = "task") -> str:
        """A new draft."""
        made = self.ask("draft.begin", chapter=self.chapter, title=title, idempotency_key=self.key())
        self.revisions[made["draft"]] = made["revision"]
        return str(made["draft"])

    def edit(self, draft: str, *operations: dict[str, Any], message: str = "") -> dict[str, Any]:
        """A change set on the draft as this agent last saw it."""
        made = self.ask(
            "draft.edit",
            draft=draft,
            expected_revision=self.revisions[draft],
            idempotency_key=self.key(),
            message=message,
            operations=list(operations),
        )
        self.revisions[draft] = made["revision"]
        return made

    def cannot(self, draft: str, *operations: dict[str, Any], expected: str = "") -> LanternError:
        """The error of a change set that must fail."""
        return self.refused(
            "draft.edit",
            draft=draft,
            expected_revision=expected or self.revisions[draft],
            idempotency_key=self.key(),
            operations=list(operations),
        )

    def events(self) -> list[tuple[str, str, str]]:
        """Activity as it is kept: capability, outcome, code."""
        self.dispatcher.flush()
        with self.ws.journal.read() as connection:
            rows = connection.exec_driver_sql("SELECT capability, outcome, code FROM activity ORDER BY id").fetchall()
        return [(row[0], row[1], row[2]) for row in rows]


def op(name: str, target: str | None = None, called: str | None = None, /, **args: Any) -> dict[str, Any]:
    """One operation as agents write it."""
    made: dict[str, Any] = {"op": name}
    if target is not None:
        made["target"] = target
    if called is not None:
        made["as"] = called
    return {**made, "args": args} if args else made


PAGE = (
    op("unit.add", None, "page"),
    op("frame.add", "@page", "top", rect=[8, 8, 89, 60]),
    op("frame.cut", "@top", "row", line=[[50, 8], [54, 68]], gutter=4),
    op("balloon.add", "@row.2", "words", text="Is that… mine?", speaker="Chelsea", at=[75, 20], tail=[68, 40]),
)
"""A page with a frame cut in two and a balloon in the second part."""
