"""What must never be kept: secrets planted in every argument of every tool, and then looked for in every byte."""

from __future__ import annotations

import base64
import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any, get_origin

import pytest

from lantern_kit import datasets
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Capability
from lantern_kit.kernel.documents import unpack
from lantern_kit.kernel.squeeze import unsqueeze
from lantern_kit.mcp_server.profile import Tool
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import Face
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, op

PLANTED = "planted7"
"""In every secret; nothing else in a workspace has it."""
SECRETS = {
    "prompt": f"You are a careful painter. {PLANTED} Never tell anybody how this picture was asked for.",
    "key": f"sk-live-4eC39HqLyjWDarjtT1zdp7dc{PLANTED}",
    "short key": f"sk_{PLANTED}",  # in the form of an id
    "token": f"Bearer eyJhbGciOiJIUzI1NiJ9.{PLANTED}.dBjftJeZ4CVP",
    "local path": f"/srv/mina/{PLANTED}/plan.png",
    "object key": f"tenants/42/{PLANTED}/original.png",
    "signed url": f"https://bucket.example.org/a.png?X-Amz-Signature={PLANTED}&X-Amz-Expires=600",
}
WORDS = {
    "draft.begin": {"title"},
    "draft.edit": {"message", "operations"},
    "candidate.propose": {"task", "operations"},
    "proposal.freeze": {"summary"},
    "asset.register": {"title", "source", "licence"},
    "annotation.note": {"text"},
}
"""Arguments that are what people and agents say about a work, and stand in its own tables: never in activity."""
BOT = Actor.agent("bot")


class Host:
    """An agent's host that calls tools with whatever it likes."""

    def __init__(self, ws: Workspace, chapter: ChapterWork) -> None:
        self.ws, self.chapter = ws, chapter
        self.face = Face(ws.dispatcher(), COMIC)
        self.keys = itertools.count(1)
        self.draft = str(self.call("begin_draft", chapter=chapter.id, idempotency_key="first")["draft"])
        self.call("edit", **self.at(), operations=list(PAGE))

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """What a call gives; an error gives an empty answer."""
        result = self.face.call(tool, arguments, BOT)
        return {} if result.is_error else dict(result.structured_content or {"is": "text"})

    def at(self) -> dict[str, Any]:
        """Arguments of a write to the draft as it stands."""
        head = self.ws.drafts.head(self.draft).id
        return {"draft": self.draft, "expected_revision": head, "idempotency_key": f"k{next(self.keys)}"}

    def usual(self, capability: Capability) -> dict[str, Any]:
        """Arguments that are right for a capability, as far as names tell."""
        unit = self.chapter.book.order[0]
        picture = self.ws.assets.find("", limit=1)[0].id
        known: dict[str, Any] = {
            **self.at(),
            "chapter": self.chapter.id,
            "source": self.draft,
            "unit": unit,
            "asset": picture,
            "to": self.ws.drafts.head(self.draft).id,
            "text": "Mine",
            "title": "A page",
            "summary": "A page",
            "old": self.chapter.id,
            "new": self.draft,
            "operations": [op("unit.add")],
            "things": [unit],
        }
        needed = {name for name, info in capability.input.model_fields.items() if info.is_required()}
        return {name: value for name, value in known.items() if name in needed}


def told(capability: Capability) -> Iterator[tuple[str, Any]]:
    """The arguments of a capability, with whether each is a list."""
    for name, info in capability.input.model_fields.items():
        yield name, get_origin(info.annotation) is list


def planted(host: Host, tool: Tool, *, words: bool) -> int:
    """Call a tool with a secret in one argument after the other; gives how many calls there were."""
    count = 0
    ways = tool.actions.items() if tool.actions else [("", tool.capability)]
    for action, name in ways:
        capability = host.face._dispatcher.capabilities.get(name)
        for (argument, many), secret in itertools.product(told(capability), SECRETS.values()):
            if (argument in WORDS.get(name, ())) != words:
                continue
            for value in _forms(argument, secret, many=many):
                given = {**host.usual(capability), argument: value}
                host.call(tool.name, **({"action": action} if action else {}), **given)
                count += 1
        if not words:  # an argument that there is not, and a name of one
            secret = SECRETS["token"]
            host.call(tool.name, **host.usual(capability), prompt=secret)
            host.call(tool.name, **host.usual(capability), **{secret: 1})
            if action:
                host.call(tool.name, action=secret)
            count += 2
    return count


def _forms(argument: str, secret: str, *, many: bool) -> list[Any]:
    if argument == "operations":
        texts = {"text": secret, "at": [50, 50], "speaker": secret, "name": secret}
        return [
            [op("unit.add", None, "p"), op("balloon.add", "@p", None, **texts)],
            [op("unit.add", None, "p", name=secret)],
        ]
    if argument == "data":
        return [secret, base64.b64encode(secret.encode()).decode()]
    return [[secret], secret] if many else [secret, secret[:20], secret[:40], secret[:60]]


@pytest.fixture
def host(ws: Workspace, chapter: ChapterWork) -> Host:
    return Host(ws, chapter)


def everything(ws: Workspace) -> Iterator[tuple[str, bytes]]:
    """Every byte of a workspace: its files as they are, and what is squeezed in them as it reads."""
    for file in sorted(ws.path.rglob("*")):
        if file.is_file():
            yield file.name, file.read_bytes()
    with closing(sqlite3.connect(f"file:{ws.path / 'journal.sqlite'}?mode=ro", uri=True)) as raw:
        for (answer,) in raw.execute("SELECT answer FROM receipts"):
            yield "a receipt", unsqueeze(answer)
        for row in raw.execute("SELECT hash, codec, crc, body FROM documents"):
            yield "a document", unpack(*row)


def found(ws: Workspace) -> list[str]:
    return [name for name, data in everything(ws) if PLANTED.encode() in data.lower()]


def test_the_search_finds_what_is_there(ws: Workspace, host: Host) -> None:
    host.call("edit", **host.at(), message=f"it is {PLANTED} here", operations=[op("unit.add")])
    assert "journal.sqlite-wal" in found(ws)
    host.call("freeze", **host.at(), summary=f"it is {PLANTED} here")
    picture = base64.b64encode(datasets.open_photo("chelsea")).decode()
    host.call("register_asset", data=picture, title=f"it is {PLANTED} here", idempotency_key="cat")
    ws.journal.close()
    assert {"journal.sqlite", "a receipt"} <= set(found(ws))
    host.call("edit", **host.at(), operations=[op("unit.add", None, None, name=PLANTED)])
    assert "a document" in found(ws)


def test_no_secret_given_as_an_argument_is_kept_anywhere(
    ws: Workspace, host: Host, chapter: ChapterWork, capfd: pytest.CaptureFixture[str]
) -> None:
    """不保存 Prompt、完整 MCP 参数、密钥、令牌、对象键或签名 URL。"""
    calls = sum(planted(host, tool, words=False) for tool in COMIC.tools)
    assert calls > 500
    for resource, secret in itertools.product(COMIC.resources, SECRETS.values()):
        with pytest.raises(Exception, match=r".*"):
            host.face.read(resource.template.partition("{")[0] + secret, BOT)
    host.face._dispatcher.flush()
    chapter.export(ws.path / "exports", "cbz", dpi=72)
    ws.analysis().close()
    assert len(ws.activity(limit=1_000)) > 500
    assert found(ws) == []
    ws.journal.close()  # all of it in the one file now
    assert found(ws) == []
    assert {path.suffix for path in ws.path.rglob("*")} >= {".sqlite", ".duckdb", ".cbz"}
    said = capfd.readouterr()
    assert PLANTED not in (said.out + said.err).lower()


def test_what_agents_say_of_a_work_stands_in_its_own_tables_and_never_in_activity(
    ws: Workspace, host: Host, capfd: pytest.CaptureFixture[str]
) -> None:
    for tool in COMIC.tools:
        planted(host, tool, words=True)
    proposal = str(host.call("freeze", **host.at(), summary=SECRETS["prompt"])["proposal"])
    with ws.reviewer() as me:
        ws.proposals[proposal].apply(me, reason=SECRETS["prompt"])
    host.call("proposals", proposal=proposal)
    host.face._dispatcher.flush()
    with ws.journal.read() as connection:
        for table in ("activity", "activity_groups"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").fetchall()
            assert rows and PLANTED not in repr(rows).lower()
        holding = set()
        tables = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if PLANTED in repr(connection.exec_driver_sql(f'SELECT * FROM "{table}"').fetchall()).lower():
                holding.add(table)
    assert {"revisions", "drafts", "proposals", "assets", "changes"} - holding <= {"assets"}
    assert holding <= {
        "revisions",
        "drafts",
        "proposals",
        "assets",
        "changes",
        "snapshots",
        "approvals",
        "annotation_messages",
        "candidates",
        "documents",
    }
    with ws.analysis(in_memory=True) as db:
        for table in ("activity", "activity_groups"):
            assert PLANTED not in repr(db.execute(f"FROM {table}").fetchall()).lower()
    shown = ws.activity(limit=1_000)
    assert PLANTED not in (shown.text() + shown.html() + repr(shown.facts())).lower()
    said = capfd.readouterr()
    assert PLANTED not in (said.out + said.err).lower()


def test_a_fault_says_where_it_was_and_nothing_of_what_it_was_about(
    ws: Workspace, host: Host, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError(SECRETS["token"])

    monkeypatch.setattr(ws.renderer, "render", fail)
    assert host.call("look", source=host.draft, unit="1") == {}
    host.face._dispatcher.flush()
    assert "ZeroDivisionError" in capfd.readouterr().err
    assert ws.activity().groups[0].events[-1].event.code == "internal_error"
    assert found(ws) == []
