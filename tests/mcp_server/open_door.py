"""A server over HTTP that lets in programs that cannot show a token, such as suites of tests; it says its port."""

import sys
from pathlib import Path

import anyio
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from lantern_kit.mcp_server.http import PATH, guarded, listening
from lantern_kit.mcp_server.limits import Limits
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import Face
from lantern_kit.mcp_server.tokens import Tokens
from lantern_kit.workspace import open_workspace

TOKENS = Tokens("r" * 43, "d" * 43)


def let_in(app: ASGIApp) -> ASGIApp:
    """The same, with the token put into every request."""

    async def opened(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope["headers"] = [*scope["headers"], (b"authorization", b"Bearer " + TOKENS.draft.encode())]
        await app(scope, receive, send)

    return opened


with open_workspace(Path(sys.argv[1])) as workspace, listening("127.0.0.1", 0) as listener:
    port = listener.getsockname()[1]
    face = Face(workspace.dispatcher(), COMIC, folder=workspace.path.name, limits=Limits(0))
    server = uvicorn.Server(uvicorn.Config(let_in(guarded(face, TOKENS, port)), log_config=None, access_log=False))
    print(f"http://127.0.0.1:{port}{PATH}", flush=True)
    anyio.run(server.serve, [listener])
