"""A visitor of a server on this machine, who keeps cookies as a browser does."""

from __future__ import annotations

import html
import http.client
import json
import re
import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from websockets.sync.client import ClientConnection, connect


@dataclass(frozen=True)
class Answer:
    """What a server said."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def words(self) -> str:
        """What it said, with the characters of HTML and of JSON in it as people read them."""
        plain = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found.group(1), 16)), self.text)
        return html.unescape(plain)

    @property
    def location(self) -> str:
        return self.headers.get("Location", "")


@dataclass
class Visitor:
    """Somebody at a server."""

    port: int
    token: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        """One request; cookies are sent, and kept."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, path, skip_host="Host" in given)
        if self.cookies:
            connection.putheader("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        for name, value in {"Content-Length": str(len(body.encode())), **given}.items():
            connection.putheader(name, value)
        connection.endheaders(body.encode())
        answer = connection.getresponse()
        text = answer.read().decode()
        for line in answer.headers.get_all("Set-Cookie", []):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return Answer(answer.status, text, dict(answer.headers.items()))

    def get(self, path: str, **headers: str) -> Answer:
        """Look at a page."""
        return self.ask("GET", path, **headers)

    def send(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        """Send a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self.ask("POST", path, urlencode(fields), **kind)

    def come_in(self) -> None:
        """Follow the link with the token."""
        answer = self.get(f"/?token={self.token}")
        assert (answer.status, answer.location) == (302, "/")

    def socket(self, kernel: str, *, origin: str | None = None) -> ClientConnection:
        """The channels of a kernel."""
        cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if self.token and not self.cookies:
            cookie = {"Authorization": f"token {self.token}"}
        address = f"ws://127.0.0.1:{self.port}/api/kernels/{kernel}/channels"
        return connect(address, origin=origin, additional_headers=cookie, max_size=None, proxy=None)  # type: ignore[arg-type]


def kernel_of(page: str) -> str:
    """The kernel behind a page."""
    found = re.search(r'"kernelId": "([0-9a-f-]{36})"', page)
    assert found is not None
    return found.group(1)


def message(kind: str, content: dict[str, Any], **extra: Any) -> str:
    """A message as a browser sends it to a kernel."""
    name = uuid.uuid4().hex
    header = {"msg_id": name, "msg_type": kind, "username": "", "session": name, "version": "5.3", "date": ""}
    return json.dumps(
        {
            "header": header,
            "parent_header": {},
            "metadata": extra,
            "content": content,
            "channel": "shell",
            "buffers": [],
        }
    )


def reply(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """The first message of a kind that comes back."""
    while True:
        told = json.loads(socket.recv(timeout=60))
        if told["header"]["msg_type"] == kind:
            content: dict[str, Any] = told["content"]
            return content
