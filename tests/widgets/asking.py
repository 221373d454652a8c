"""The way a browser asks a panel, without a browser."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from lantern_kit.widgets.panel import Panel

_numbers = itertools.count(10_000)


def heard(
    panel: Panel, ask: str, args: dict[str, Any], language: str = "en", buffers: Sequence[bytes] = ()
) -> tuple[dict[str, Any], list[bytes]]:
    """The kernel's last word on an ask, and the bytes beside it."""
    wire: Any = panel.comm
    number = next(_numbers)
    content = {"ask": ask, "id": number, "args": args, "language": language}
    wire.receive({"method": "custom", "content": content}, buffers)
    while True:
        data, beside = wire.sent.get(timeout=30)
        said = data.get("content", {})
        if data.get("method") == "custom" and said.get("id") == number and "progress" not in said:
            return said, beside


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
