"""Numbers, texts and nesting that JSON readers differ about, over both transports: answered, and nothing written."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.host import LONGEST, Client
from tests.contract.server import Point
from tests.contract.stage import Stage, content
from tests.contract.test_timeouts import Site, served

RAW = {
    "nan": "NaN",
    "infinity": "Infinity",
    "negative infinity": "-Infinity",
    "too large a number": "1e999",
    "a long number": "1" * 5_000,
    "too large a whole number": "1" + "0" * 40,
    "half a character": '"\\ud800"',
    "a null byte": '"a\\u0000b"',
    "an unclosed text": '"a',
    "a hexadecimal number": "0x10",
    "a comment": "/* 1 */ 1",
    "deep lists": "[" * 190 + "]" * 190,
    "deeper lists": "[" * 100_000 + "]" * 100_000,
    "deep objects": '{"a":' * 190 + "1" + "}" * 190,
    "a long text": json.dumps("x" * 3_000_000),
    "many items": json.dumps(list(range(100_000))),
}
EVERY = pytest.mark.parametrize("raw", RAW.values(), ids=RAW)
EDIT = '"draft": "$draft", "expected_revision": "$now", "idempotency_key": "k", "operations": '
CALLS = (
    ("look", '"source": "$draft", "unit": "1", "size": @'),
    ("edit", f"{EDIT}@"),
    ("edit", f'{EDIT}[{{"op": "frame.add", "target": "$one", "args": {{"rect": [1, 1, 20, @]}}}}]'),
    ("manage_draft", '"action": @, "draft": "$draft"'),
    ("library", '"action": "write", "idempotency_key": "k", "kind": "prop", "name": "Lamp", "looks": [{"name": @}]'),
)


def messages(stage: Stage, raw: str) -> list[tuple[str, str]]:
    """Calls with that text somewhere in their arguments, as lines; the tool of each."""
    found = []
    for number, (tool, text) in enumerate(CALLS, 100):
        for name in ("draft", "now", "one"):
            text = text.replace(f"${name}", stage.handles.get(name) or stage.names[name])
        call = f'{{"name": "{tool}", "arguments": {{{text.replace("@", raw)}}}}}'
        found.append((tool, f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {call}}}'))
    return found


def require_refusal(answer: dict[str, object], stage: Stage) -> None:
    told = json.dumps(answer)
    assert "error" in answer or answer["result"]["isError"], told[:300]  # type: ignore[index]
    assert "internal_error" not in told
    assert len(told) < 8_000
    assert str(stage.folder) not in told


@EVERY
def test_over_the_standard_streams_it_is_refused(raw: str, client: Client, stage: Stage, folder: Path) -> None:
    before = content(folder)
    for _, line in messages(stage, raw):
        require_refusal(client.line(line), stage)
    assert client.call("draft.status", {"draft": stage.names["draft"]})["isError"] is False
    assert content(folder) == before


@pytest.fixture(scope="module")
def folder(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stage.copied(tmp_path_factory.mktemp("wire") / "ws")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with Client(folder) as client:
        yield client


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    with served(folder, Point("nowhere")) as site:
        yield site


@EVERY
def test_over_http_it_is_refused(raw: str, site: Site, stage: Stage, folder: Path) -> None:
    before = content(folder)
    for tool, line in messages(stage, raw):
        connection = http.client.HTTPConnection(str(site.address.hostname), site.address.port, timeout=LONGEST)
        headers = {**site.headers(tool), "MCP-Protocol-Version": "2025-11-25"}
        connection.request("POST", site.address.path, line.encode(), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status in {200, 400}, (answer.status, text[:300])
        require_refusal(json.loads(text), stage)
    assert content(folder) == before
