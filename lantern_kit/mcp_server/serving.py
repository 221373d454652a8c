"""The MCP server from a notebook: in a process of its own, over HTTP, for as long as the notebook wants it."""

from __future__ import annotations

import atexit
import http.client
import json
import select
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from lantern_kit.home import own_language
from lantern_kit.kernel.errors import BadInput, LanternError
from lantern_kit.mcp_server.attached import refused
from lantern_kit.mcp_server.connect import TOKEN, commands, reaching
from lantern_kit.mcp_server.tokens import held_tokens

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

PATIENCE = 60.0
"""Seconds to wait for a server to begin, or for an answer of it."""
GRACE = 10.0
"""Seconds that a server has to end in before it is made to."""
SAID = 400
"""Characters of a server's own log that an error repeats."""
WORDS = {
    "en": {
        "running": "running",
        "stopped": "stopped",
        "ended": "ended by itself (exit code {code})",
        "title": "MCP server of {title}",
        "while": "it ends with this notebook, or with <code>server.stop()</code>",
        "again": "<code>server.start()</code> starts it again",
        "address": "Address",
        "tokens": "Tokens",
        "two": "{file}: <code>draft</code> lets an agent read and draft, <code>read</code> only read; "
        "neither lets anybody decide",
        "how": "How a host connects",
        "first": "First, in the terminal in which the host is started:",
        "other": "Any other host:",
        "lasting": "For a connection that lasts beyond this notebook: {command}",
    },
    "zh": {
        "running": "运行中",
        "stopped": "已停止",
        "ended": "自行结束（退出码 {code}）",
        "title": "{title} 的 MCP 服务器",
        "while": "随此笔记本结束，或用 <code>server.stop()</code> 停止",
        "again": "<code>server.start()</code> 可重新启动",
        "address": "地址",
        "tokens": "令牌",
        "two": "{file}：<code>draft</code> 可读可起草，<code>read</code> 只读；两者都不能裁决",
        "how": "宿主程序如何连接",
        "first": "先在启动宿主程序的终端里运行：",
        "other": "其他宿主程序：",
        "lasting": "需要在此笔记本之外长期连接：{command}",
    },
}
_running: dict[str, Serving] = {}
"""The server of each workspace that this process started."""


class Headers(dict[str, str]):
    """The headers that let a client in. They show themselves without the token."""

    def __repr__(self) -> str:
        return repr(dict.fromkeys(self, "Bearer …"))


class Serving:
    """A server of a workspace. Made by ``serve``.

    It ends with ``stop``, with a ``with`` block, and with this process, however that ends.
    """

    def __init__(self, workspace: Workspace, port: int, profile: str, roots: Sequence[Path], novel: str = "") -> None:
        self.url = ""
        """Where it is reached; empty while it is not."""
        self._id, self._title, self._config = workspace.id, workspace.title, workspace.config
        self._folder = workspace.path
        self._port, self._profile, self._novel = port, profile, novel
        self._roots = [*workspace.assets.roots[1:], *roots]
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self.tokens: Path = workspace.config / "mcp" / f"{workspace.id}.json"
        """The file of its tokens."""

    @property
    def state(self) -> str:
        """``running``, ``stopped``, or ``ended`` when it ended by itself."""
        if self._process is None:
            return "stopped"
        return "running" if self._process.poll() is None else "ended"

    def headers(self, scope: str = "draft") -> Headers:
        """What a client sends with each request; ``draft`` lets it read and draft, ``read`` only read."""
        tokens = held_tokens(self.tokens)
        match scope:
            case "draft":
                token = tokens.draft
            case "read":
                token = tokens.read
            case _:
                raise BadInput(f"{scope[:40]!r} is nothing that a token lets do", expected=["draft", "read"])
        return Headers(Authorization=f"Bearer {token}")

    def start(self) -> Serving:
        """Start it, again if need be, and wait until it answers. If it runs already, it is left as it is.

        Another one that this process started for the workspace is ended first.

        Raises:
            BadInput: the port is taken.
            NotAllowed: the token file can be read by others.
            LanternError: it ended before it could be reached.
        """
        if self.state == "running":
            return self
        self.stop()
        if self._id in _running:
            _running[self._id].stop()
        command = [sys.executable, "-P", "-m", "lantern_kit.mcp_server", str(self._folder), "--attached"]
        command += ["--http", f"127.0.0.1:{self._port}", "--profile", self._profile, "--config", str(self._config)]
        command += ["--novel", self._novel] if self._novel else []
        for root in self._roots:
            command += ["--root", str(root)]
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as the server
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,  # an interrupted cell must not interrupt the server
        )
        _running[self._id] = self
        try:
            self.url = self._first_word(self._process)
            self._answers()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """End it; what it was doing is finished first. A server that does not run is left as it is."""
        process, self._process, self.url = self._process, None, ""
        if _running.get(self._id) is self:
            del _running[self._id]
        if process is not None:
            _end(process)
        if self._log is not None:
            self._log.close()
            self._log = None

    def __enter__(self) -> Serving:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # how it begins

    def _first_word(self, process: subprocess.Popen[bytes]) -> str:
        """Where a server that was just started is reached. Raises LanternError."""
        assert process.stdout is not None  # noqa: S101  it was asked for
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline() if ready else b""
        try:
            facts = json.loads(line)
        except ValueError:
            raise self._lost("the server ended before it could be reached" if ready else "it did not begin") from None
        if "error" in facts:
            raise refused(facts["error"])
        return str(facts["url"])

    def _answers(self) -> None:
        """Wait until it answers: without a token, that it wants one. Raises LanternError."""
        at = urlsplit(self.url)
        connection = http.client.HTTPConnection(str(at.hostname), at.port, timeout=PATIENCE)
        try:
            connection.request("GET", at.path)
            connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            raise self._lost("the server does not answer") from None
        finally:
            connection.close()

    def _lost(self, message: str) -> LanternError:
        said = ""
        if self._log is not None:
            self._log.seek(0)
            lines = self._log.read().decode(errors="replace").strip().splitlines()
            said = lines[-1][:SAID] if lines else ""
        return LanternError(message, found=said or None, recovery="Run lantern doctor; then start it again.")

    # showing

    def __repr__(self) -> str:
        words = WORDS[own_language()]
        title = words["title"].format(title=self._title)
        return f"{title}: {self._told(words)}" + (f", {self.url}" if self.url else "")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.html()}

    def html(self) -> str:
        """Its state, its address, and how a host connects; the tokens by the name of their file alone."""
        words, state = WORDS[own_language()], self.state
        colour = {"running": "#15803d", "ended": "#b91c1c"}.get(state, "#6b7280")
        head = (
            f'<p style="margin:0 0 6px"><span style="color:{colour}" aria-hidden="true">●</span> '
            f"<strong>{escape(words['title'].format(title=self._title))}</strong> · {escape(self._told(words))} · "
            f"<small>{words['while' if state == 'running' else 'again']}</small></p>"
        )
        if state != "running":
            return f'<div data-testid="mcp-server">{head}</div>'
        file = escape(shown(self.tokens))
        rows = (
            (words["address"], f"<code>{escape(self.url)}</code>"),
            (words["tokens"], words["two"].format(file=f"<code>{file}</code>")),
        )
        table = "".join(
            f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{value}</td></tr>'
            for name, value in rows
        )
        told = "".join(f"<p><strong>{escape(host)}</strong></p>{_code(text)}" for host, text in commands(self.url))
        command = f"lantern connect claude-code {shlex.quote(self._folder.name)}"
        lasting = words["lasting"].format(command=f"<code>{escape(command)}</code>")
        how = (
            f"<details><summary>{words['how']}</summary><p>{words['first']}</p>{_code(read_token(self.tokens))}"
            f"{told}<p><strong>{words['other']}</strong></p>{_code(reaching(self.url))}<p>{lasting}</p></details>"
        )
        return f'<div data-testid="mcp-server">{head}<table>{table}</table>{how}</div>'

    def _told(self, words: dict[str, str]) -> str:
        state = self.state
        code = "" if self._process is None else self._process.returncode
        return words[state].format(code=code)


def serve(
    workspace: Workspace,
    *,
    port: int | None = None,
    profile: str = "comic",
    novel: str = "",
    roots: Sequence[str | Path] = (),
) -> Serving:
    """Start the MCP server of a workspace in a process of its own, over HTTP, and wait until it answers.

    One that this process started for the workspace before is ended first, so that a cell can be run again.

    Args:
        workspace: which.
        port: of this machine; None takes a free one.
        profile: which tools to offer.
        novel: which one, for the profile of novels; empty: the only one.
        roots: folders, besides those that the workspace was opened with, from which agents may read pictures.

    Raises:
        BadInput: the port is taken, or is none.
        NotAllowed: the token file can be read by others.
        NotFound: the workspace's folder is gone.
        LanternError: the server ended before it could be reached.
    """
    if port is not None and not 0 < port < 65_536:
        raise BadInput("that is no port", expected="1 to 65535", found=port)
    folders = [Path(root).expanduser().resolve() for root in roots]
    return Serving(workspace, port or 0, profile, folders, novel).start()


def shown(path: Path) -> str:
    """A path as a person writes it: from their own folder on."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except ValueError:
        return str(path)


def read_token(path: Path) -> str:
    """The line of a terminal that puts the token into the environment, without showing it."""
    code = f'import json, os; print(json.load(open(os.path.expanduser({json.dumps(shown(path))})))["draft"])'
    return f'export {TOKEN}="$(python3 -c {shlex.quote(code)})"'


def _code(text: str) -> str:
    return f'<pre style="white-space:pre-wrap;user-select:all">{escape(text)}</pre>'


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a server: let go of it, then tell it, then make it."""
    assert process.stdin is not None  # noqa: S101  it was asked for
    assert process.stdout is not None  # noqa: S101  the same
    process.stdin.close()
    for more in (process.terminate, process.kill):
        try:
            process.wait(GRACE)
            break
        except subprocess.TimeoutExpired:
            more()
    process.wait()
    process.stdout.close()


@atexit.register
def _end_all() -> None:
    for server in list(_running.values()):
        server.stop()
