"""Documents: canonical bytes named by their SHA-256, and big ones as chunked hash trees.

A document is a root (canonical JSON: kind, head facts, tree, count) over a tree of items in order. Leaves hold item ids
and hashes, inner nodes hold hashes of nodes. Where a chunk ends depends only on the ids in it, so equal content has one
tree whatever its history, and an edit to one item writes that item and the few chunks above it.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

from lantern_kit.kernel.canonical import digest, dumps, loads
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.squeeze import squeeze, unsqueeze

FAN_BITS = 5  # a chunk ends at 1 id in 32
CHUNK_CAP = 64
WORTH_SQUEEZING = 400  # bytes
WAYS_KEPT = 256
_LEAF, _INNER = b"L", b"I"
_CHUNKS = {_LEAF, _INNER}
_SETTLED = ""
"""Stands for the last id under a chunk after which its level is known not to be cut."""
_RAW, _ZSTD = 0, 1
_SELECT = "SELECT codec, crc, body FROM documents WHERE hash = ?"
_INSERT = "INSERT OR IGNORE INTO documents (hash, codec, crc, body) VALUES (?, ?, ?, ?)"
Read = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Leaf:
    """A bottom chunk: items in order."""

    ids: tuple[str, ...]
    hashes: tuple[bytes, ...]


@dataclass(frozen=True)
class Root:
    """A document's first node."""

    kind: str
    head: dict[str, Any]
    """Facts of the document itself."""
    tree: bytes | None
    """Hash of the top chunk; None for a document without items."""
    count: int

    def body(self) -> bytes:
        """Canonical bytes."""
        tree = None if self.tree is None else self.tree.hex()
        return dumps({"count": self.count, "head": self.head, "kind": self.kind, "tree": tree})

    @classmethod
    def parse(cls, body: bytes) -> Root:
        """The root from its bytes. Raises Corrupt."""
        try:
            data = loads(body)
            tree = None if data["tree"] is None else bytes.fromhex(data["tree"])
            return cls(data["kind"], data["head"], tree, data["count"])
        except (KeyError, TypeError, ValueError) as error:
            raise Corrupt("a document's root cannot be read") from error


@dataclass
class Pending:
    """Bodies that a new document needs, by hash, waiting for a transaction."""

    bodies: dict[bytes, bytes] = field(default_factory=dict)

    def add(self, body: bytes) -> bytes:
        """Note a body and give its hash."""
        name = digest(body)
        self.bodies[name] = body
        return name


class Documents:
    """Reads and writes documents of one journal. Parsed chunks and bodies are cached: they never change.

    Several threads may read at once.

    Args:
        cache: how many chunks to keep.
        cache_bytes: how many bytes of bodies to keep.
    """

    def __init__(self, cache: int = 8_192, cache_bytes: int = 32_000_000) -> None:
        self._cache = cache
        self._cache_bytes = cache_bytes
        self._held = 0
        self._lock = threading.Lock()
        self._bodies: OrderedDict[bytes, bytes] = OrderedDict()
        self._nodes: OrderedDict[bytes, Leaf | tuple[bytes, ...]] = OrderedDict()
        self._ways: OrderedDict[bytes, dict[str, int]] = OrderedDict()
        """For an inner chunk, which child each item lies under; replacing items does not change it."""

    # bodies

    def get(self, connection: Connection, name: bytes) -> bytes:
        """The bytes named ``name``. Raises Corrupt when absent or not what the name says."""
        found = self._bodies.get(name)
        if found is None:
            found = load(connection, name)
            with self._lock:
                if name not in self._bodies:
                    self._bodies[name] = found
                    self._held += len(found)
                while self._held > self._cache_bytes and self._bodies:
                    self._held -= len(self._bodies.popitem(last=False)[1])
        return found

    def put(self, connection: Connection, pending: Pending) -> None:
        """Write the bodies that are not there yet."""
        rows = [(name, *pack(body)) for name, body in pending.bodies.items()]
        if rows:
            connection.exec_driver_sql(_INSERT, rows if len(rows) > 1 else rows[0])

    # trees

    def node(self, read: Read, name: bytes) -> Leaf | tuple[bytes, ...]:
        """A chunk of a tree, parsed."""
        found = self._nodes.get(name)
        if found is None:
            found = self._keep(name, parse_node(read(name)))
        return found

    def items(self, read: Read, tree: bytes | None) -> list[tuple[str, bytes]]:
        """All items of a tree in order."""
        if tree is None:
            return []
        node = self.node(read, tree)
        if isinstance(node, Leaf):
            return list(zip(node.ids, node.hashes, strict=True))
        return [item for child in node for item in self.items(read, child)]

    def replace(self, read: Read, tree: bytes, new: Mapping[str, bytes], pending: Pending) -> bytes:
        """The tree with some items' hashes replaced; only the paths to them are rewritten."""
        node = self.node(read, tree)
        if isinstance(node, Leaf):
            if new.keys().isdisjoint(node.ids):
                return tree
            hashes = tuple(new.get(item, old) for item, old in zip(node.ids, node.hashes, strict=True))
            name = pending.add(leaf_body(node.ids, hashes))
            self._keep(name, Leaf(node.ids, hashes))  # spares the next edit the reading of what this one wrote
            return name
        way = self._ways.get(tree)
        if way is None:
            way = {item: place for place, child in enumerate(node) for item, _ in self.items(read, child)}
        children = list(node)
        for place in {way[item] for item in new if item in way}:
            children[place] = self.replace(read, children[place], new, pending)
        made = tuple(children)
        name = tree if made == node else pending.add(inner_body(made))
        self._keep(name, made)
        self._ways[name] = way
        if len(self._ways) > WAYS_KEPT:
            self._ways.popitem(last=False)
        return name

    def append(self, read: Read, tree: bytes, items: Sequence[tuple[str, bytes]], pending: Pending) -> bytes:
        """The tree with items added at its end: what ``build`` gives of all, while only its last path is rewritten."""
        path: list[tuple[bytes, ...]] = []
        node = self.node(read, tree)
        while not isinstance(node, Leaf):
            path.append(node)
            node = self.node(read, node[-1])
        level = _leaves([*zip(node.ids, node.hashes, strict=True), *items], pending)
        depth = 1
        while path or len(level) > 1:
            held = [(_SETTLED, name) for name in path.pop()[:-1]] if path else []
            level = _inner([*held, *level], depth, pending)
            depth += 1
        return level[0][1]

    def _keep(self, name: bytes, node: Leaf | tuple[bytes, ...]) -> Leaf | tuple[bytes, ...]:
        self._nodes[name] = node
        if len(self._nodes) > self._cache:
            self._nodes.popitem(last=False)
        return node


def pack(body: bytes) -> tuple[int, int, bytes]:
    """A body as stored: codec, checksum of the stored bytes, stored bytes."""
    codec, stored = _RAW, body
    if len(body) >= WORTH_SQUEEZING and body[:1] not in _CHUNKS:  # a chunk's hashes are as short as they can be
        squeezed = squeeze(body)
        if len(squeezed) < len(body):
            codec, stored = _ZSTD, squeezed
    return codec, zlib.crc32(stored), stored


def unpack(name: bytes, codec: object, crc: object, stored: object) -> bytes:
    """A body from what is stored. Raises Corrupt."""
    # The checksum first: it keeps damaged bytes away from the decompressor.
    if isinstance(stored, bytes) and zlib.crc32(stored) == crc and codec in {_RAW, _ZSTD}:
        body = unsqueeze(stored) if codec == _ZSTD else stored
        if digest(body) == name:
            return body
    raise Corrupt("a stored document does not match its hash", ids=[_named(name)])


def _named(name: object) -> str:
    return name.hex() if isinstance(name, bytes) else repr(name)[:80]


def load(connection: Connection, name: bytes) -> bytes:
    """A body straight from the journal. Raises Corrupt."""
    row = connection.exec_driver_sql(_SELECT, (name,)).fetchone()
    if row is None:
        raise Corrupt("a document is missing from the journal", ids=[name.hex()])
    return unpack(name, row[0], row[1], row[2])


def leaf_body(ids: Sequence[str], hashes: Sequence[bytes]) -> bytes:
    """A leaf's bytes: for each item the length of its id, the id, its hash."""
    parts = [_LEAF, *chain.from_iterable(zip(_framed(tuple(ids)), hashes, strict=True))]
    return b"".join(parts)


@lru_cache(maxsize=1_024)
def _framed(ids: tuple[str, ...]) -> tuple[bytes, ...]:
    """Ids with their lengths; a leaf keeps its ids from edit to edit."""
    words = [item.encode("ascii") for item in ids]
    return tuple(bytes([len(word)]) + word for word in words)


def inner_body(children: Iterable[bytes]) -> bytes:
    """An inner node's bytes: its children's hashes."""
    return _INNER + b"".join(children)


def parse_node(body: bytes) -> Leaf | tuple[bytes, ...]:
    """A chunk from its bytes. Raises Corrupt."""
    if body[:1] == _INNER and len(body) % 32 == 1:
        return tuple(body[at : at + 32] for at in range(1, len(body), 32))
    if body[:1] != _LEAF:
        raise Corrupt("a chunk of a document cannot be read")
    ids: list[str] = []
    hashes: list[bytes] = []
    at = 1
    while at < len(body):
        end = at + 1 + body[at]
        ids.append(body[at + 1 : end].decode("ascii", "replace"))
        hashes.append(body[end : end + 32])
        at = end + 32
    if at != len(body):
        raise Corrupt("a chunk of a document ends too early")
    return Leaf(tuple(ids), tuple(hashes))


def build(items: Sequence[tuple[str, bytes]], pending: Pending) -> bytes | None:
    """A tree over items in order; the same items give the same hash. None when there are none."""
    if not items:
        return None
    level = _leaves(items, pending)
    depth = 1
    while len(level) > 1:
        level = _inner(level, depth, pending)
        depth += 1
    return level[0][1]


def _leaves(items: Sequence[tuple[str, bytes]], pending: Pending) -> list[tuple[str, bytes]]:
    """The bottom chunks of items, each with the id of its last item."""
    return [
        (chunk[-1][0], pending.add(leaf_body([item for item, _ in chunk], [name for _, name in chunk])))
        for chunk in _chunks(items, 0)
    ]


def _inner(level: Sequence[tuple[str, bytes]], depth: int, pending: Pending) -> list[tuple[str, bytes]]:
    """The chunks over those of one level, likewise."""
    return [(chunk[-1][0], pending.add(inner_body(name for _, name in chunk))) for chunk in _chunks(level, depth)]


def _chunks(items: Sequence[tuple[str, bytes]], depth: int) -> list[Sequence[tuple[str, bytes]]]:
    """Cut where the low bits of an id's hash are zero, or at the cap; at least two items a chunk above the leaves."""
    mask = (1 << (FAN_BITS * (depth + 1))) - 1
    least = 2 if depth else 1
    found = []
    start = 0
    for place, (item, _) in enumerate(items, 1):
        ends = item != _SETTLED and int.from_bytes(digest(item.encode())[-8:], "big") & mask == 0
        if (ends and place - start >= least) or place - start == CHUNK_CAP:
            found.append(items[start:place])
            start = place
    if start < len(items):
        found.append(items[start:])
    return found
