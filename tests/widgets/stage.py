"""Widgets in a bare page: both halves, real Python and real browser, and no Jupyter between them."""

from __future__ import annotations

import base64
import json
import queue
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import comm

PAGE = Path(__file__).parent / "bare_page.html"


class Wire(comm.base_comm.BaseComm):
    """A comm whose messages are kept, and passed on to whoever listens."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.state: dict[str, Any] = dict((options.get("data") or {}).get("state", {}))
        self.sent: queue.SimpleQueue[tuple[dict[str, Any], list[bytes]]] = queue.SimpleQueue()
        super().__init__(*args, **options)

    def publish_msg(self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any) -> None:
        data = data or {}
        if msg_type == "comm_msg" and data.get("method") in ("update", "echo_update"):
            self.state.update(data["state"])
        if msg_type == "comm_close":
            data = {"method": "closed"}
        self.sent.put((data, [bytes(part) for part in buffers or ()]))

    def receive(self, content: dict[str, Any], buffers: Sequence[bytes] = ()) -> None:
        """What a browser sends."""
        self.handle_msg({"content": {"data": content}, "buffers": [memoryview(part) for part in buffers]})


@dataclass
class Stage:
    """A browser in which widgets are shown.

    ``language``, ``dark`` and ``size`` are those of the pages shown from then on.
    """

    browser: Any
    language: str = "en"
    dark: bool = False
    size: tuple[int, int] = (1200, 800)
    _shown: list[tuple[Any, Any]] = field(default_factory=list)

    def show(self, *widgets: Any, script: str = "") -> Any:
        """A page with these widgets, one below the other; what the kernel says is passed on while the page is used.

        ``script`` runs in the page before anything else.
        """
        shown = list(widgets)
        context = self.browser.new_context(
            viewport={"width": self.size[0], "height": self.size[1]},
            locale="zh-CN" if self.language == "zh" else "en-US",
        )
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda line: page.errors.append(line.text) if line.type == "error" else None)
        page.expose_binding("lanternSend", lambda _, which, *sent: _told(shown[which], *sent))
        page.expose_binding("lanternPoll", lambda _, which: _waiting(shown[which]))
        if script:
            page.add_init_script(script)
        page.goto(PAGE.as_uri())
        page.evaluate(
            "([language, dark, models]) => start(language, dark, models)",
            [self.language, self.dark, [state_of(widget) for widget in widgets]],
        )
        page.widgets = shown
        self._shown.append((context, shown))
        return page

    def put(self, page: Any, widget: Any) -> None:
        """Show one more widget below the others."""
        page.widgets.append(widget)
        page.evaluate("([which, state]) => put(which, state)", [len(page.widgets) - 1, state_of(widget)])

    def take(self, page: Any, widget: Any) -> None:
        """Take a widget off the page and close it."""
        page.evaluate("(which) => take(which)", page.widgets.index(widget))
        widget.close()

    def cut(self, page: Any) -> None:
        """The kernel ends: nothing answers any more, and the front end knows."""
        page.evaluate("() => cut(true)")

    def silence(self, page: Any) -> None:
        """The kernel is busy: nothing answers, and the front end does not know why."""
        page.evaluate("() => cut(false)")

    def resume(self, page: Any) -> None:
        """The kernel answers again, also what was asked meanwhile."""
        page.evaluate("() => resume()")

    def close(self) -> None:
        """Close all pages and widgets."""
        for context, widgets in self._shown:
            context.close()
            for widget in widgets:
                widget.close()


def _wire(widget: Any) -> Wire:
    found = widget.comm
    assert isinstance(found, Wire)
    return found


def state_of(widget: Any) -> dict[str, Any]:
    """What a front end is given of a widget."""
    return {key: value for key, value in widget.get_state().items() if key != "layout"}


def _told(widget: Any, content: str, buffers: Sequence[str] = ()) -> None:
    _wire(widget).receive(json.loads(content), [base64.b64decode(part) for part in buffers])


def _waiting(widget: Any) -> list[Any]:
    """What the kernel said since the last time; waits a moment for something."""
    if widget.comm is None:
        return []
    sent, found = _wire(widget).sent, []
    try:
        found.append(sent.get(timeout=0.02))
        while True:
            found.append(sent.get_nowait())
    except queue.Empty:
        pass
    return [[json.dumps(data), [base64.b64encode(part).decode() for part in buffers]] for data, buffers in found]
