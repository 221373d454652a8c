"""Panels: a widget's Python half. The browser asks, a worker thread answers, the kernel stays free."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

import anywidget
import traitlets as t

from lantern_kit.comic.phrases import LANGUAGES, Language
from lantern_kit.kernel.errors import BadInput
from lantern_kit.widgets.asks import LARGEST, Answer, Handler, answer, answers, desk, handlers, refusal
from lantern_kit.widgets.bundle import bundle
from lantern_kit.widgets.turning import all_unturned, unturned
from lantern_kit.widgets.watch import watcher

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

ROUTE = "_reply_subshell_for"
"""Where ipykernel looks up which of a kernel's shells hears a comm. Its own choice is the one that spoke last: that of
the cell that made the widget, which hears nothing while a cell runs; the front end names one that is free."""
STILL_NOTE = (
    "A still picture: run the cell to have it live.",
    "这是静态画面，运行此单元格即可交互。",
)
_sending = threading.Lock()  # the front end's socket takes one message at a time


class Window(anywidget.AnyWidget):
    """A view of something that the kernel holds.

    State that is synced, and so saved with a notebook, is small: ids and where one looks. Pictures, words and lists are
    asked for.

    Args:
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.
    """

    kind: ClassVar[str] = ""
    """Which component of the bundle shows it."""

    _esm = t.Unicode().tag(sync=True)
    view = t.Unicode().tag(sync=True)
    build = t.Unicode().tag(sync=True)
    still = t.Unicode().tag(sync=True)
    language = t.Unicode().tag(sync=True)
    state = t.Dict().tag(sync=True, echo_update=False)
    """Where one looks: small, plain, and the browser's to write."""

    _known: ClassVar[dict[str, Handler]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._known = handlers(cls)

    def __init__(self, *, language: str = "", state: Mapping[str, Any] | None = None) -> None:
        if language not in ("", *LANGUAGES):
            raise BadInput("the kit does not speak that language", expected=list(LANGUAGES), found=language[:20])
        code = bundle()
        self._waiting: dict[int, Future[None]] = {}
        self._lock = threading.Lock()
        super().__init__(
            _esm=code.loader,
            view=self.kind,
            build=code.digest,
            still=uuid4().hex,
            language=language,
            state=dict(state or {}),
        )
        if hasattr(self.comm, ROUTE):
            setattr(self.comm, ROUTE, lambda _, named: named)
        self.on_msg(self._heard)

    @property
    def tongue(self) -> Language:
        """The language of what is told without a browser; English where the notebook's page chooses."""
        return "zh" if self.language == "zh" else "en"

    # what subclasses say

    def text(self) -> str:
        """What it shows, in plain text."""
        raise NotImplementedError

    def picture(self) -> str:
        """What it shows, as HTML that needs neither script nor connection, its pictures in it."""
        raise NotImplementedError

    # the line to the browser

    def tell(self, event: str, data: Mapping[str, Any] | None = None) -> None:
        """Tell the browser that something happened."""
        self._say({"event": event, "data": dict(data or {})})

    @answers("ping")
    def _ping(self, _: Any) -> dict[str, Any]:
        return {}

    @answers("code")
    def _code(self, _: Any) -> Answer:
        return Answer({"digest": self.build}, (bundle().code,))

    def _heard(self, _: Any, message: Any, buffers: Any) -> None:
        if not isinstance(message, dict):
            return
        if "cancel" in message:
            with self._lock:
                waiting = self._waiting.pop(message["cancel"], None)
            if waiting is not None:
                waiting.cancel()
            return
        number = message.get("id")
        if not isinstance(number, int):
            return
        if message.get("ask") == "ping":  # answered at once, whatever the threads are busy with
            self._say({"id": number, "ok": {}})
            return
        handler = self._known.get(str(message.get("ask", "")))
        aside = handler is not None and handler.aside
        with self._lock:
            self._waiting[number] = desk().take(lambda: self._answer(number, message, buffers or ()), aside=aside)

    def _answer(self, number: int, message: Mapping[str, Any], buffers: Sequence[Any]) -> None:
        def report(done: int, total: int, words: str) -> None:
            self._say({"id": number, "progress": {"done": done, "total": total, "words": words}})

        try:
            made = answer(self, self._known, message, report, [bytes(part) for part in buffers])
            size = sum(len(part) for part in made.buffers)
            if size > LARGEST:
                raise BadInput(
                    "that is too much for one answer", expected=f"{LARGEST:,} bytes", found=f"{size:,} bytes"
                )
            self._say({"id": number, "ok": dict(made.data)}, made.buffers)
        except Exception as error:  # noqa: BLE001  whatever it is, the browser that waits is told
            self._say({"id": number, "error": refusal(error)})
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    def _say(self, content: Mapping[str, Any], buffers: Sequence[bytes] = ()) -> None:
        with _sending:
            if self.comm is not None:
                self.send(all_unturned(content), [memoryview(part) for part in buffers])

    # showing

    def _ipython_display_(self, **_: Any) -> None:
        """The static form, for where nothing runs; then the widget, which hides it while it lives."""
        from IPython.display import display

        display({"text/plain": unturned(self.text()), "text/html": self._framed()}, raw=True)  # type: ignore[no-untyped-call]
        display(self._repr_mimebundle_()[0], raw=True)  # type: ignore[no-untyped-call, index]

    def _framed(self, note: str = " ".join(STILL_NOTE)) -> str:
        return (
            f'<div data-lantern-still="{escape(self.still)}">{unturned(self.picture())}'
            f'<p style="opacity:.7"><small>{note}</small></p></div>'
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: run the cell to see it live>"

    def close(self) -> None:
        """Take it off the page and free what it holds."""
        if not hasattr(self, "_waiting"):  # making it was refused
            return
        for waiting in list(self._waiting.values()):
            waiting.cancel()
        super().close()


class Panel(Window):
    """A view of something in a workspace.

    Args:
        host: the workspace.
        language, state: see ``Window``.
    """

    def __init__(self, host: Workspace, *, language: str = "", state: Mapping[str, Any] | None = None) -> None:
        self.host = host
        super().__init__(language=language, state=state)
        watcher(host.journal).add(self)

    def moved(self) -> None:
        """Something was committed to the workspace, by whatever process; called on a thread of its own."""
        self.tell("moved")

    def close(self) -> None:
        """Take it off the page and free what it holds."""
        if hasattr(self, "host"):
            watcher(self.host.journal).remove(self)
        super().close()
