"""A workspace in which every kind of thing stands, made once and copied: what every capability can be asked of."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from lantern_kit import datasets
from lantern_kit.comic.annotation import OnElement
from lantern_kit.comic.handle import handle_of
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.library.entry import Kind
from lantern_kit.workspace import Workspace, create_workspace, open_workspace

AGENT = Actor.agent("claude-code")
ALL = frozenset(Scope)
UNTOLD = ("activity", "sqlite_")
"""Tables that a refused call may change: what it leaves is an event that says so."""

FIRST: list[dict[str, Any]] = [
    {"op": "unit.add", "as": "one", "args": {"name": "One"}},
    {"op": "unit.add", "as": "two"},
    {"op": "unit.add", "as": "three"},
    {"op": "unit.add", "as": "wide", "args": {"kind": "spread"}},
    {"op": "frame.add", "target": "@one", "as": "f", "args": {"rect": [8, 8, 89, 60]}},
    {"op": "frame.add", "target": "@one", "as": "g", "args": {"rect": [8, 74, 89, 66]}},
    {"op": "image.place", "target": "@f", "as": "i", "args": {"asset": "$cat"}},
    {"op": "foreground.bind", "target": "@i", "as": "cut", "args": {"asset": "$matte"}},
    {"op": "image.place", "target": "@g", "as": "j", "args": {"asset": "$cat"}},
    {"op": "overlay.add", "target": "@one", "as": "o", "args": {"asset": "$matte", "box": [60, 90, 30, 30]}},
    {"op": "balloon.add", "target": "@f", "as": "b", "args": {"text": "Mine?", "at": [30, 20], "tail": [30, 45]}},
    {"op": "balloon.add", "target": "@g", "as": "c", "args": {"text": "No.", "at": [30, 90]}},
    {"op": "narration.add", "target": "@f", "as": "n", "args": {"text": "That night", "rect": [60, 10, 30, 12]}},
    {"op": "text.add", "target": "@one", "as": "t", "args": {"text": "ZAP", "rect": [10, 120, 30, 15]}},
    {"op": "effect.add", "target": "@f", "as": "e", "args": {"effect": "speed"}},
    {"op": "frame.add", "target": "@two", "as": "h", "args": {"rect": [8, 8, 89, 60]}},
    {"op": "frame.add", "target": "@wide", "as": "w", "args": {"rect": [8, 8, 180, 120]}},
]
"""The draft as it was: one of everything."""

SECOND: list[dict[str, Any]] = [
    {"op": "chapter.set", "args": {"title": "Later"}},
    *(
        {"op": "object.rename", "target": f"${name}", "args": {"name": f"{name} later"}}
        for name in ("f", "g", "h", "w", "i", "j", "cut", "o", "b", "c", "n", "t", "e")
    ),
    *({"op": "unit.set", "target": f"${name}", "args": {"name": f"{name} later"}} for name in ("one", "two", "three")),
    {"op": "unit.set", "target": "$wide", "args": {"name": "wide later"}},
    {"op": "object.order", "target": "$o", "args": {"to": "back"}},
    {"op": "unit.duplicate", "target": "$two", "as": "four"},
    {"op": "frame.add", "target": "$two", "args": {"rect": [8, 80, 89, 60]}},
    {"op": "frame.add", "target": "$three", "args": {"rect": [8, 8, 89, 60]}},
    {"op": "frame.add", "target": "$wide", "args": {"rect": [8, 130, 60, 12]}},
]
"""What changed since, so that whoever looked before holds old handles of all of it, and old orders."""


@dataclass(frozen=True)
class Stage:
    """The folder, and what things in it are called."""

    folder: Path
    names: dict[str, str]
    """Ids of things in the draft, and of everything else, by short names."""
    handles: dict[str, str]
    """Current handles of things in the draft."""
    old: dict[str, str]
    """Handles as they were at the revision ``$before``."""
    kinds: dict[str, str]
    """Kinds of things in the draft."""

    def fill(self, value: Any) -> Any:
        """A value in which every ``$name`` is what is called so."""
        if isinstance(value, str) and value.startswith("$"):
            return self.handles.get(value[1:]) or self.names[value[1:]]
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        return [self.fill(item) for item in value] if isinstance(value, list) else value

    def copied(self, folder: Path) -> Path:
        """The same workspace once more."""
        shutil.copytree(self.folder, folder)
        return folder

    @contextmanager
    def opened(self) -> Iterator[Workspace]:
        """The workspace, open."""
        with open_workspace(self.folder, config=self.folder.parent / "config") as ws:
            yield ws


def build(folder: Path) -> Stage:
    """Make it: a chapter, a draft that was changed twice, candidates, a proposal, an annotation, pictures."""
    with create_workspace(folder / "ws", title="Chelsea", owner="mina", config=folder / "config") as ws:
        (ws.path / "inbox").mkdir(exist_ok=True)
        Image.new("RGB", (40, 30), "#336699").save(ws.path / "inbox" / "blue.png")
        chapter = ws.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
        with chapter.edit("a page of the work") as edit:
            edit.add_page().say("Hm.", at=(30, 30), size=(30, 20), speaker="Chelsea")
        cat = ws.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0")
        matte = ws.assets.register(datasets.open_matte("chelsea"), title="Cut out", foreground_of=cat.id)
        unit = next(iter(chapter.book.units()))
        note = ws.annotation_service.create(chapter.id, "Louder?", on=[OnElement(unit.objects[0].id)], actor=ws.owner)
        names = {"chapter": chapter.id, "cat": cat.id, "matte": matte.id, "note": note.id, "work": unit.id}
        names["said"] = unit.objects[0].id
        with ws.journal.write() as connection:
            facts = {"name": "Chelsea", "notes": "A cat.", "palette": ["#cc8844"]}
            entry = ws.comics.library.add(connection, Kind.CHARACTER, facts, actor=ws.owner).id
            ws.comics.library.change(connection, entry, 1, {"notes": "A ginger cat."}, actor=ws.owner)
        names["entry"] = entry
        desk = _Desk(ws)
        made = Stage(ws.path, names, {}, {}, {})

        draft = desk.ask("draft.begin", chapter=chapter.id, title="task")
        names |= {"draft": draft["draft"], "begun": draft["revision"]}
        first = desk.edit(names["draft"], draft["revision"], made.fill(FIRST))
        names |= {key: handle.partition("#")[0] for key, handle in first["objects"].items()}
        names["before"] = first["revision"]
        made.old.update(_handles(ws, names))
        made.handles.update(made.old)
        renamed = [{"op": "object.rename", "target": made.handles["b"], "args": {"name": "other"}}]
        names["passed"] = desk.ask(
            "candidate.propose", draft=names["draft"], expected_revision=names["before"], task="old", operations=renamed
        )["candidate"]
        second = desk.edit(names["draft"], first["revision"], made.fill(SECOND))
        names["now"] = second["revision"]
        names["four"] = second["objects"]["four"].partition("#")[0]
        made.handles.clear()
        made.handles.update(_handles(ws, names))
        at = {"draft": names["draft"], "expected_revision": names["now"]}
        words = [{"op": "balloon.set", "target": made.handles["b"], "args": {"text": "Whose?"}}]
        for called in ("candidate", "other_candidate"):
            names[called] = desk.ask("candidate.propose", **at, task=called, operations=words)["candidate"]

        other = desk.ask("draft.begin", chapter=chapter.id, title="another task")
        names["other_draft"] = other["draft"]
        page = desk.edit(other["draft"], other["revision"], [{"op": "unit.add"}])
        names["other_now"] = page["revision"]
        frozen = desk.ask(
            "proposal.freeze", draft=other["draft"], expected_revision=page["revision"], summary="one page"
        )
        names["proposal"] = frozen["proposal"]
        head = ws.drafts.head(names["draft"]).book
        made.kinds.update({key: _kind(thing) for key, thing in _things(head, names).items()})
        desk.dispatcher.close()
    return made


class _Desk:
    """The agent whose drafts these are."""

    def __init__(self, ws: Workspace) -> None:
        self.dispatcher = ws.dispatcher()
        self._count = 0

    def ask(self, name: str, /, **args: Any) -> dict[str, Any]:
        self._count += 1
        args["idempotency_key"] = f"stage-{self._count}"
        return self.dispatcher.dispatch(name, args, actor=AGENT, scopes=ALL).data

    def edit(self, draft: str, revision: str, operations: list[dict[str, Any]]) -> dict[str, Any]:
        return self.ask("draft.edit", draft=draft, expected_revision=revision, operations=operations)


def _things(book: Any, names: dict[str, str]) -> dict[str, Any]:
    found = {"chapter": book.chapter, **{unit.id: unit for unit in book.units()}}
    for unit in book.units():
        found |= dict(unit.index)
    return {key: found[name] for key, name in names.items() if name in found} | {"chapter": book.chapter}


def _handles(ws: Workspace, names: dict[str, str]) -> dict[str, str]:
    return {key: handle_of(thing) for key, thing in _things(ws.drafts.head(names["draft"]).book, names).items()}


def _kind(thing: Any) -> str:
    return str(getattr(thing.kind, "value", thing.kind))


def content(folder: Path, *, blobs: bool = True) -> str:
    """Digest of all that a workspace holds, but for what is told of calls: every row of every table, every blob.

    A process that is killed may leave a blob that nothing names, which the next one to need it finds.
    """
    found = hashlib.sha256()
    with closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as journal:
        journal.execute("BEGIN")
        for table in tables(journal):
            found.update(table.encode())
            for row in journal.execute(f"SELECT * FROM {table}"):
                found.update(repr(row).encode())
    for path in sorted(path for path in (folder / "blobs").rglob("*") if path.is_file() and blobs):
        found.update(str(path.relative_to(folder)).encode())
    return found.hexdigest()


def counted(folder: Path) -> dict[str, int]:
    """How many rows each of those tables holds."""
    with closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as journal:
        journal.execute("BEGIN")
        return {table: journal.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables(journal)}


def told(folder: Path) -> str:
    """All that activity tells."""
    with closing(sqlite3.connect(folder / "journal.sqlite", isolation_level=None)) as journal:
        names = journal.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'activity%'"
        ).fetchall()
        return "\n".join(repr(row) for (name,) in names for row in journal.execute(f"SELECT * FROM {name}"))


def tables(journal: sqlite3.Connection) -> list[str]:
    """Tables that only a call which is carried out may change."""
    rows = journal.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    return [name for (name,) in rows if not name.startswith(UNTOLD)]
