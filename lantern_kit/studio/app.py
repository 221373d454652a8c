"""The review notebook as an app: its code hidden, its widgets alive, behind a token.

Voilà gives each visit a kernel of its own and lets the browser send it messages of widgets only, never code. None is
kept warm: Voilà would tell a warm kernel what was asked for over a socket that asks for no token.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import zmq
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import HTTPError, authenticated
from traitlets.config import Config
from voila.app import Voila
from voila.static_file_handler import TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler

from lantern_kit.studio.door import Doorkeeper
from lantern_kit.studio.listening import HERE, listen, stopping
from lantern_kit.studio.request import language_of

USUAL_PORT = 8866
MESSAGE = 64 * 1024 * 1024
"""Bytes of the largest message that a browser may send to a kernel; larger ones are dropped without a word."""
IDLE = 1800
"""Seconds after which a kernel ends that no page is connected to any more."""
TEMPLATE = Path(__file__).parent / "template"
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' {sockets} data: blob:; worker-src blob:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
"""What the page may load: its own parts and nothing from any other host. Widgets come to life through ``blob:``."""
EXTENSIONS = ["@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8", "anywidget"]
"""Of all that is installed for JupyterLab, what brings widgets to life."""
Announce = Callable[[str, str], object]


def serve_review(
    notebook: Path,
    folder: Path,
    *,
    title: str,
    announce: Announce,
    port: int | None = None,
    theme: str = "auto",
) -> None:
    """Serve a notebook as the review of a workspace until the process is told to stop.

    Args:
        notebook: which.
        folder: where its kernels run.
        title: of the page.
        announce: told the address and the token once the server can be reached.
        port: None takes the usual one, or a free one where that is taken.
        theme: ``light``, ``dark``, or ``auto`` as the browser prefers.

    Raises:
        BadInput: the port is taken.
    """
    with listen(port, usual=USUAL_PORT) as listener:
        at = f"{HERE}:{listener.getsockname()[1]}"
        app = ReviewApp.instance(
            config=_config(folder, theme, title),
            notebook_path=str(notebook),
            root_dir=str(notebook.parent),
            token=secrets.token_urlsafe(32),
            tornado_settings={
                "websocket_max_message_size": MESSAGE,
                "log_function": _log_request,
                "allow_remote_access": False,
                "local_hostnames": ["localhost"],
                "headers": {
                    "Content-Security-Policy": POLICY.format(sockets=f"ws://{at} ws://localhost:{at.split(':')[1]}"),
                    "Referrer-Policy": "same-origin",
                },
            },
        )
        logging.getLogger("tornado.general").setLevel(logging.ERROR)  # it warns of Jupyter's own timing
        app.listener = listener
        app.told = lambda: announce(f"http://{at}/", str(app.token))
        app.initialize([])
        app.start()


def _config(folder: Path, theme: str, title: str) -> Config:
    return Config(
        {
            "Voila": {"log_level": logging.CRITICAL, "open_browser": False, "identity_provider_class": Doorkeeper},
            "VoilaConfiguration": {
                "theme": theme,
                "allow_template_override": "NO",
                "file_allowlist": [],  # else pictures beside the notebook are served to anybody
                "show_tracebacks": True,  # an error of the kit is words and a way out; without this they are swallowed
                "http_header_envs": ["Accept-Language"],
                "extension_allowlist": EXTENSIONS,
                "prelaunch_hook": _Prepare(title),
            },
            "KernelManager": {"transport_encryption": "auto" if zmq.has("curve") else "disabled"},
            "Doorkeeper": {"cookie_options": {"samesite": "Lax"}},
            "MappingKernelManager": {"root_dir": str(folder), "cull_idle_timeout": IDLE, "cull_interval": 60},
        }
    )


class ReviewApp(Voila):  # type: ignore[misc]  # Voilà has no types
    """One notebook, one door, one port; nothing of it is configured from files that lie about."""

    listener: Any = None
    told: Callable[[], object]

    def migrate_config(self) -> None:
        """Nothing of this app was ever configured elsewhere."""

    def load_config_file(self, *_: Any, **__: Any) -> None:
        """Read none: Voilà would run a ``voila.py`` of the current folder."""

    def setup_template_dirs(self) -> None:
        """Put our page before the one that it extends."""
        super().setup_template_dirs()
        self.template_paths.insert(0, str(TEMPLATE))

    def init_handlers(self) -> list[Any]:
        """Voilà's own, with ours in the place of some."""
        ours = {TornadoVoilaHandler: ReviewPage, TemplateStaticFileHandler: PageParts}
        handlers: list[Any] = super().init_handlers()
        return [(item[0], ours.get(item[1], item[1]), *item[2:]) for item in handlers]

    def listen(self) -> None:
        """Serve on the socket that was given, until told to stop."""
        server = HTTPServer(self.app)
        server.add_socket(self.listener)
        self.ioloop = loop = IOLoop.current()
        try:
            with stopping(lambda: loop.add_callback_from_signal(loop.stop)):
                self.told()
                loop.start()
        finally:
            server.stop()
            self.stop()


class ReviewPage(TornadoVoilaHandler):  # type: ignore[misc]  # the same
    """The page, at an address without its token: what was typed goes to the kernel, into history and into logs."""

    @authenticated
    async def get(self, path: str = "") -> None:
        """Show the review."""
        if path:
            raise HTTPError(404)
        query = parse_qsl(self.request.query, keep_blank_values=True)
        kept = [(name, value) for name, value in query if name != "token"]
        if kept != query:
            self.redirect(self.request.path + ("?" + urlencode(kept) if kept else ""))
            return
        self.xsrf_token  # noqa: B018  asking sets the cookie that lets the page end its kernel when it is left
        await super().get(path)


class PageParts(TemplateStaticFileHandler):  # type: ignore[misc]  # the same
    """What belongs to the page; an address that names no part of it is not there, and no failure."""

    def parse_url_path(self, path: str) -> str:
        """The part that is asked for. Raises HTTPError."""
        with _absent():
            return str(super().parse_url_path(path))

    @classmethod
    def get_absolute_path(cls, root: str, path: str) -> str:
        """Where it lies. Raises HTTPError."""
        with _absent():
            return str(super().get_absolute_path(root, path))


@contextmanager
def _absent() -> Iterator[None]:
    """Voilà expects addresses of one shape and fails at others: whoever asks could fill a person's terminal."""
    try:
        yield
    except (ValueError, AssertionError, OSError):
        raise HTTPError(404) from None


class _Prepare:
    """Makes a notebook an app: its title, its prose in the language of whoever asks, and no cells for notebooks only.

    Cells say so themselves, under ``lantern`` in their metadata: ``{"zh": "…"}``, ``{"only": "notebook"}``.
    """

    def __init__(self, title: str) -> None:
        self._title = title

    def __call__(self, handler: Any, notebook: Any, cwd: str) -> None:
        language = language_of(handler.request.query, handler.request.headers.get("Accept-Language", ""))
        notebook.metadata["title"] = self._title
        notebook.metadata["lantern"] = {"language": language}
        told = [(cell, cell.metadata.get("lantern", {})) for cell in notebook.cells]
        notebook.cells = [cell for cell, facts in told if facts.get("only") != "notebook"]
        for cell, facts in told:
            cell.source = facts.get(language, cell.source)


def _log_request(handler: Any) -> None:
    """Say which requests failed here, without what was asked."""
    if handler.get_status() >= 500:
        request = handler.request
        logging.getLogger("lantern").error("%s %s: %s", request.method, request.path, handler.get_status())
