"""Pages laid out, and the way a browser asks for them."""

from __future__ import annotations

import itertools
from typing import Any

from lantern_kit.widgets.panel import Panel
from lantern_kit.widgets.sheets import Sheets
from lantern_kit.workspace import Workspace

_numbers = itertools.count(10_000)


class Laid(Sheets, Panel):
    """A panel that shows pages, and nothing more."""

    kind = "laid"

    def __init__(self, host: Workspace, chapter: str) -> None:
        super().__init__(host)
        self.chapter_id = chapter

    def text(self) -> str:
        return "pages"

    def picture(self) -> str:
        return "<p>pages</p>"


def heard(panel: Panel, ask: str, args: dict[str, Any], language: str = "en") -> tuple[dict[str, Any], list[bytes]]:
    """All that the kernel says to an ask, and the bytes beside it."""
    wire: Any = panel.comm
    number = next(_numbers)
    wire.receive({"method": "custom", "content": {"ask": ask, "id": number, "args": args, "language": language}})
    while True:
        data, buffers = wire.sent.get(timeout=30)
        content = data.get("content", {})
        if data.get("method") == "custom" and content.get("id") == number and "progress" not in content:
            return content, buffers


def told(panel: Panel, ask: str, language: str = "en", **args: Any) -> dict[str, Any]:
    """What the kernel answers."""
    content, _ = heard(panel, ask, args, language)
    assert "ok" in content, content
    found: dict[str, Any] = content["ok"]
    return found


def sent(panel: Panel, ask: str, **args: Any) -> tuple[dict[str, Any], list[bytes]]:
    """What the kernel answers, with bytes."""
    content, buffers = heard(panel, ask, args)
    assert "ok" in content, content
    return content["ok"], buffers


def refused(panel: Panel, ask: str, **args: Any) -> dict[str, Any]:
    """The error that the kernel answers with."""
    content, buffers = heard(panel, ask, args)
    assert buffers == []
    error: dict[str, Any] = content["error"]
    return error
