"""Serving over streamable HTTP, to programs on this machine that show a token.

Every request needs a bearer token, a Host that is this server's own, and no Origin but this server's own, so that no
web page reaches it by a name of its own. Requests stand by themselves: nothing is remembered between them.

A tool that is called by a client of the protocol without a handshake is answered with plain JSON, or with events once
there is progress to tell; closing the answer cancels the call. All else is plain JSON: clients read no event of over a
megabyte, which an original or a page at full resolution is.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lantern_kit.kernel.errors import BadInput, LanternError, NotAllowed
from lantern_kit.mcp_server.bound import dispatcher_for
from lantern_kit.mcp_server.limits import PER_MINUTE, Limits
from lantern_kit.mcp_server.profiles import PROFILES
from lantern_kit.mcp_server.server import GRANTED, Face, scopes_for
from lantern_kit.mcp_server.tokens import Tokens, held_tokens
from lantern_kit.workspace import open_workspace

PATH = "/mcp"
LARGEST_BODY = 96 * 1024 * 1024
TOO_LONG = 413
VERSION = "mcp-protocol-version"
METHOD = "mcp-method"
LOOPBACK = {"127.0.0.1": socket.AF_INET, "localhost": socket.AF_INET, "::1": socket.AF_INET6}
Announce = Callable[[str, Path], object]


def run_http(
    workspace: Path,
    address: str,
    *,
    profile: str = "comic",
    novel: str = "",
    roots: Sequence[Path] = (),
    read_only: bool = False,
    rate: int = PER_MINUTE,
    announce: Announce | None = None,
    config: Path | None = None,
    until: Callable[[], object] | None = None,
) -> None:
    """Serve a workspace until the process is stopped.

    Args:
        workspace: the folder.
        address: ``127.0.0.1:PORT``; port 0 takes a free one.
        profile: which tools to offer.
        novel: which one, for the profile of novels; empty: the only one.
        roots: folders, besides the workspace's inbox, from which agents may read pictures.
        read_only: let agents read, and nothing else, whichever token they show.
        rate: writes a minute that may be made with one token; 0 is no limit.
        announce: told the URL and the file of the tokens once the server can be reached.
        config: the person's own folder; None is the usual one.
        until: waited for in a thread of its own; the server ends when it returns.

    Raises:
        BadInput: an address that is not this machine's own, or that is taken.
        NotAllowed: the token file can be read by others.
    """
    host, port = parse_address(address)
    limits = Limits(rate)
    with open_workspace(workspace, roots=tuple(roots), config=config) as opened, listening(host, port) as listener:
        path = opened.config / "mcp" / f"{opened.id}.json"
        tokens = held_tokens(path)
        port = listener.getsockname()[1]
        face = Face(
            dispatcher_for(opened, profile, novel),
            PROFILES[profile],
            scopes=scopes_for(read_only=read_only),
            limits=limits,
            folder=opened.path.name,
            site=opened.review_site,
        )
        app = guarded(face, tokens, port)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, server_header=False))
        if announce is not None:
            shown = f"[{host}]" if ":" in host else host
            announce(f"http://{shown}:{port}{PATH}", path)
        if until is not None:
            Thread(target=_end, args=(server, until), daemon=True).start()
        anyio.run(server.serve, [listener])


def _end(server: uvicorn.Server, until: Callable[[], object]) -> None:
    until()
    server.should_exit = True


def parse_address(address: str) -> tuple[str, int]:
    """Host and port of ``127.0.0.1:8377``. Raises BadInput."""
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if host not in LOOPBACK or not (port.isascii() and port.isdigit() and int(port) < 65_536):
        raise BadInput(
            "the server listens on this machine only",
            expected="127.0.0.1:PORT",
            recovery="Choose a port of this machine; reach it from elsewhere through a tunnel such as ssh -L.",
        )
    return host, int(port)


def guarded(face: Face, tokens: Tokens, port: int, *, largest: int = LARGEST_BODY) -> ASGIApp:
    """The web application: the protocol behind a look at the token, the host, the origin and the length."""
    names = [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]
    security = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    server = face.server()
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=largest,
        transport_security=security,
    )
    telling = StreamableHTTPSessionManager(
        server, stateless=True, security_settings=security, max_request_body_size=largest
    )
    return _Gate(app, telling, tokens, largest)


class _Gate:
    """Refuses requests without a token, or too long to be read, with the payload that tools give too."""

    def __init__(self, app: ASGIApp, telling: StreamableHTTPSessionManager, tokens: Tokens, largest: int) -> None:
        self._app = app
        self._telling = telling
        self._tokens = tokens
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            async with self._telling.run():
                await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        kind, _, token = headers.get("authorization", "").partition(" ")
        granted = self._tokens.scopes(token.strip()) if kind.lower() == "bearer" else frozenset()
        if not granted:
            refused = NotAllowed(
                "a bearer token is needed",
                recovery="Send Authorization: Bearer with a token of the server's token file.",
            )
            await _refuse(refused, 401, {"WWW-Authenticate": "Bearer"})(scope, receive, send)
            return
        scope[GRANTED] = granted
        version = headers.get(VERSION, "")
        modern = version and version not in HANDSHAKE_PROTOCOL_VERSIONS
        told = modern and scope["path"] == PATH and headers.get(METHOD) == "tools/call"
        app = self._telling.handle_request if told else self._app
        await app(scope, receive, self._readable(scope, receive, send))

    def _readable(self, scope: Scope, receive: Receive, send: Send) -> Send:
        """Send what the protocol sends, but tell of a body that is too long what can be done about it."""
        refused = False

        async def tell(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == TOO_LONG:
                refused = True
                error = BadInput(
                    "the request is too long",
                    expected=f"at most {self._largest / 1024**2:g} MiB",
                    recovery="Send a picture in parts, or put it into the workspace's inbox/ folder and give its path.",
                )
                await _refuse(error, TOO_LONG, {})(scope, receive, send)
            elif not refused:
                await send(message)

        return tell


def _refuse(error: LanternError, status: int, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse(error.payload(), status_code=status, headers=headers)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens on this machine; port 0 takes a free one. Raises BadInput."""
    # The protocol is named: asyncio sends answers at once only on sockets that say they are TCP, else after 40 ms.
    listener = socket.socket(LOOPBACK[host], socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise BadInput(
            f"port {port} cannot be listened on: {error.strerror}", recovery="Choose another port, or 0 for a free one."
        ) from None
    return listener
