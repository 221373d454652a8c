"""Novels between memory and the journal, and what one revision changed of the one before."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress
from operator import is_not
from typing import Any

from pydantic import ValidationError

from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.documents import Documents, Pending, Root, build
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.revision import ChangeRow
from lantern_kit.novel.errors import NovelStorageCorruption
from lantern_kit.novel.model import (
    Asset,
    Chapter,
    Config,
    Foreshadow,
    Instruction,
    Person,
    PlanRevision,
    Record,
    Story,
    Unit,
)
from lantern_kit.novel.whole import Head, Novel

KIND = "novel"
NOVELS_KEPT, ITEMS_KEPT = 32, 8_192
SHELVES: Mapping[str, tuple[str, type[Record]]] = {
    "ns": ("assets", Asset),
    "pr": ("plans", PlanRevision),
    "pn": ("people", Person),
    "fs": ("foreshadows", Foreshadow),
    "cp": ("chapters", Chapter),
    "in": ("instructions", Instruction),
    "nu": ("units", Unit),
}
"""By the first letters of ids: the mapping of a novel, and what lies in it, in the document's order.

Units come last: they are what is added most often, and a tree grows best at its end.
"""
_ALONE: Mapping[str, type[Record]] = {"config": Config, "story": Story}


@dataclass(frozen=True)
class Stored:
    """A novel together with the document it was read from or written as."""

    novel: Novel
    document: bytes
    root: Root
    hashes: Mapping[str, bytes]
    """Hash of each item, in the document's order."""


class NovelStore:
    """Reads and writes novels' documents. What is read is shared, for it never changes; threads may read at once."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._novels: OrderedDict[bytes, Stored] = OrderedDict()
        self._items: OrderedDict[bytes, Record] = OrderedDict()
        self._lock = threading.Lock()

    def load(self, connection: Connection, document: bytes) -> Stored:
        """The novel a document holds. Raises NovelStorageCorruption."""
        with self._lock:
            found = self._novels.get(document)
            if found is not None:
                self._novels.move_to_end(document)
                return found
        try:
            return self._keep(self._read(connection, document))
        except NovelStorageCorruption:
            raise
        except Corrupt as error:
            raise NovelStorageCorruption(error.message, ids=error.ids) from error

    def write(self, connection: Connection, base: Stored | None, novel: Novel) -> Stored:
        """Put what a novel adds to its base into the journal, in a write transaction, and give its document."""
        pending = Pending()
        old = {} if base is None else base.hashes
        fresh: dict[str, bytes] = {}
        for name, record in _differing(None if base is None else base.novel, novel):
            fresh[name] = pending.add(dumps(record.model_dump(mode="json")))
            self._remember(fresh[name], record)
        tree = None if base is None else base.root.tree
        if base is not None and tree is not None and _continues(base.novel, novel):
            hashes = {**old, **fresh}
            there = {name: value for name, value in fresh.items() if name in old}
            added = [(name, value) for name, value in fresh.items() if name not in old]

            def read(name: bytes) -> bytes:
                return pending.bodies.get(name) or self._documents.get(connection, name)

            tree = self._documents.replace(read, tree, there, pending) if there else tree
            tree = self._documents.append(read, tree, added, pending) if added else tree
        else:
            hashes = {name: fresh.get(name) or old[name] for name, _ in _items(novel)}
            tree = build(list(hashes.items()), pending)
        root = Root(KIND, novel.head.model_dump(mode="json"), tree, len(hashes))
        document = pending.add(root.body())
        self._documents.put(connection, pending)
        # Content has one name, so remembering it before the transaction ends can never be wrong.
        return self._keep(Stored(novel, document, root, hashes))

    # parts

    def _read(self, connection: Connection, document: bytes) -> Stored:
        def read(name: bytes) -> bytes:
            return self._documents.get(connection, name)

        root = Root.parse(read(document))
        hashes = dict(self._documents.items(read, root.tree))
        alone: dict[str, Any] = {"config": None, "story": None}
        shelves: dict[str, dict[str, Any]] = {shelf: {} for shelf, _ in SHELVES.values()}
        try:
            head = Head.model_validate_json(dumps(root.head))
            for name, value in hashes.items():
                if name in _ALONE:
                    alone[name] = self._item(read, value, _ALONE[name])
                else:
                    shelf, kind = SHELVES[name.partition("_")[0]]
                    shelves[shelf][name] = self._item(read, value, kind)
            if root.kind != KIND or alone["config"] is None:
                raise ValueError("no novel")
        except (ValidationError, ValueError, KeyError, TypeError) as error:
            raise NovelStorageCorruption("a novel's document cannot be read", ids=[document.hex()[:16]]) from error
        novel = Novel(head=head, config=alone["config"], story=alone["story"], **shelves)
        return Stored(novel, document, root, hashes)

    def _item(self, read: Any, name: bytes, kind: type[Record]) -> Record:
        found = self._items.get(name)
        if found is None or type(found) is not kind:
            found = kind.model_validate_json(read(name))
            self._remember(name, found)
        return found

    def _remember(self, name: bytes, record: Record) -> None:
        with self._lock:
            self._items[name] = record
            if len(self._items) > ITEMS_KEPT:
                self._items.popitem(last=False)

    def _keep(self, stored: Stored) -> Stored:
        with self._lock:
            self._novels[stored.document] = stored
            if len(self._novels) > NOVELS_KEPT:
                self._novels.popitem(last=False)
        return stored


def _items(novel: Novel) -> Iterator[tuple[str, Record]]:
    """All that lies in a novel, in the document's order."""
    yield "config", novel.config
    if novel.story is not None:
        yield "story", novel.story
    for shelf, _ in SHELVES.values():
        yield from getattr(novel, shelf).items()


def _differing(base: Novel | None, novel: Novel) -> Iterator[tuple[str, Record]]:
    """What a novel has that its base has not, or otherwise."""
    if base is None:
        yield from _items(novel)
        return
    if novel.config is not base.config:
        yield "config", novel.config
    if novel.story is not None and novel.story is not base.story:
        yield "story", novel.story
    for shelf, _ in SHELVES.values():
        held, before = getattr(novel, shelf), getattr(base, shelf)
        if held is not before:
            yield from ((name, held[name]) for name in _changed(before, held))


def _changed(before: Mapping[str, Any], held: Mapping[str, Any]) -> list[str]:
    """Names of what is new or another in a mapping, in its order; a long one that only grew is gone through at once."""
    names, known = list(held), list(before)
    if names[: len(known)] != known:
        return [name for name, item in held.items() if before.get(name) is not item]
    return [*compress(names, map(is_not, held.values(), before.values())), *names[len(known) :]]


def _continues(base: Novel, novel: Novel) -> bool:
    """Whether a novel's document has all that its base's has, in that order, and whatever is new at its end."""
    if (base.story is None) != (novel.story is None):
        return False
    grew = False
    for shelf, _ in SHELVES.values():
        held, before = getattr(novel, shelf), getattr(base, shelf)
        known = list(before)
        if (grew and known) or (held is not before and list(held)[: len(known)] != known):
            return False
        grew = grew or len(held) > len(known)
    return True


# what changed

_KINDS = {
    "assets": "asset",
    "plans": "outline",
    "people": "person",
    "foreshadows": "foreshadow",
    "chapters": "chapter",
    "instructions": "instruction",
    "units": "unit",
}
_QUIET = frozenset({"spent", "id", "layout"})
"""Facts of the head that are told by others, or never change."""


def change_rows(base: Novel | None, novel: Novel) -> list[ChangeRow]:
    """What one novel changed of the one before, property by property; prose and its facts are told by their sizes."""
    rows: list[ChangeRow] = []
    own = novel.head.id
    rows += _record_rows("", own, "novel", None if base is None else base.head, novel.head, _QUIET)
    rows += _record_rows("", own, "config", None if base is None else base.config, novel.config)
    if novel.story is not None:
        rows += _record_rows("", own, "story", None if base is None else base.story, novel.story)
    for shelf, kind in _KINDS.items():
        held: Mapping[str, Any] = getattr(novel, shelf)
        before: Mapping[str, Any] = {} if base is None else getattr(base, shelf)
        if held is before:
            continue
        gone = [name for name in before if name not in held]
        rows += [ChangeRow(_unit(before[name]), name, kind, "remove", None, None, None) for name in gone]
        for name in _changed(before, held):
            rows += _item_rows(kind, before.get(name), held[name])
    return rows


def _item_rows(kind: str, old: Any, new: Any) -> list[ChangeRow]:
    if kind != "chapter":
        return _record_rows(_unit(new), new.id, kind, old, new)
    rows = _record_rows(new.id, new.id, kind, old, new, frozenset({"scenes"}))
    before = {scene.id: scene for scene in (() if old is None else old.scenes)}
    now = {scene.id for scene in new.scenes}
    rows += [ChangeRow(new.id, name, "scene", "remove", None, None, None) for name in before if name not in now]
    for scene in new.scenes:
        rows += _record_rows(new.id, scene.id, "scene", before.get(scene.id), scene)
    return rows


def _record_rows(
    unit: str, name: str, kind: str, old: Record | None, new: Record, without: frozenset[str] = frozenset()
) -> list[ChangeRow]:
    if old is new:
        return []
    rows = [] if old is not None else [ChangeRow(unit, name, kind, "add", None, None, None)]
    for field in type(new).model_fields:
        value, before = getattr(new, field), None if old is None else getattr(old, field)
        if field not in without and field != "id" and value != before:
            rows.append(ChangeRow(unit, name, kind, "set", field, _text(before), _text(value)))
    return rows


def _text(value: Any) -> str | None:
    return None if value is None else dumps(_plain(value)).decode()


def _plain(value: Any) -> Any:
    if isinstance(value, Record):
        held = value.model_dump(mode="json")
        held.pop("token", None)
        delta = held.pop("delta", None)
        return held if delta is None else {**held, "facts": sum(len(part) for part in delta.values())}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _unit(item: Any) -> str:
    """The chapter that something belongs to; empty for what belongs to the whole."""
    return str(getattr(item, "chapter", ""))


def missing_blobs(novel: Novel, has: Any) -> Iterable[str]:
    """Hashes, in hex, of the prose and assets that a novel names and that are not there."""
    for unit in novel.units.values():
        if unit.commit is not None and not has(bytes.fromhex(unit.commit.body)):
            yield unit.commit.body
    for asset in novel.assets.values():
        for name in (asset.original, asset.content):
            if not has(bytes.fromhex(name)):
                yield name
