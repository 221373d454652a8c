"""Documents: canonical bytes named by their SHA-256, and big ones as chunked hash trees.

A document is a root (canonical JSON: kind, head facts, tree, count) over a tree of items in order. Leaves hold item ids
and hashes, inner nodes hold hashes of nodes. Where a chunk ends depends only on the ids in it, so equal content has one
tree whatever its history, and an edit to one item writes that item and the few chunks above it.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import zstandard

from lantern_kit.kernel.canonical import digest, dumps, loads
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt

FAN_BITS = 5  # a chunk ends at 1 id in 32
CHUNK_CAP = 64
_LEAF, _INNER = b"L", b"I"
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
class Draft:
    """Bodies that a new document needs, by hash, waiting for a transaction."""

    bodies: dict[bytes, bytes] = field(default_factory=dict)

    def add(self, body: bytes) -> bytes:
        """Note a body and give its hash."""
        name = digest(body)
        self.bodies[name] = body
        return name


class Documents:
    """Reads and writes documents of one journal. Parsed chunks and bodies are cached: they never change."""

    def __init__(self, cache: int = 8_192) -> None:
        self._cache = cache
        self._bodies: OrderedDict[bytes, bytes] = OrderedDict()
        self._nodes: OrderedDict[bytes, Leaf | tuple[bytes, ...]] = OrderedDict()

    # bodies

    def get(self, connection: Connection, name: bytes) -> bytes:
        """The bytes named ``name``. Raises Corrupt when absent or not what the name says."""
        found = self._bodies.get(name)
        if found is None:
            found = load(connection, name)
            _keep(self._bodies, name, found, self._cache)
        return found

    def put(self, connection: Connection, draft: Draft) -> None:
        """Write the bodies that are not there yet."""
        rows = [(name, *pack(body)) for name, body in draft.bodies.items()]
        if rows:
            connection.exec_driver_sql(_INSERT, rows if len(rows) > 1 else rows[0])

    # trees

    def node(self, read: Read, name: bytes) -> Leaf | tuple[bytes, ...]:
        """A chunk of a tree, parsed."""
        found = self._nodes.get(name)
        if found is None:
            found = parse_node(read(name))
            _keep(self._nodes, name, found, self._cache)
        return found

    def items(self, read: Read, tree: bytes | None) -> list[tuple[str, bytes]]:
        """All items of a tree in order."""
        if tree is None:
            return []
        node = self.node(read, tree)
        if isinstance(node, Leaf):
            return list(zip(node.ids, node.hashes, strict=True))
        return [item for child in node for item in self.items(read, child)]

    def replace(self, read: Read, tree: bytes, new: Mapping[str, bytes], draft: Draft) -> bytes:
        """The tree with some items' hashes replaced; only the paths to them are rewritten."""
        node = self.node(read, tree)
        if isinstance(node, Leaf):
            if new.keys().isdisjoint(node.ids):
                return tree
            hashes = tuple(new.get(item, old) for item, old in zip(node.ids, node.hashes, strict=True))
            return draft.add(leaf_body(node.ids, hashes))
        children = tuple(self.replace(read, child, new, draft) for child in node)
        return tree if children == node else draft.add(inner_body(children))


def _keep(cache: OrderedDict[bytes, Any], name: bytes, value: Any, bound: int) -> None:
    cache[name] = value
    if len(cache) > bound:
        cache.popitem(last=False)


def pack(body: bytes) -> tuple[int, int, bytes]:
    """A body as stored: codec, checksum of the stored bytes, stored bytes."""
    squeezed = zstandard.ZstdCompressor(level=3).compress(body)
    codec, stored = (_ZSTD, squeezed) if len(squeezed) < len(body) else (_RAW, body)
    return codec, zlib.crc32(stored), stored


def unpack(name: bytes, codec: int, crc: int, stored: bytes) -> bytes:
    """A body from what is stored. Raises Corrupt."""
    body = b""
    if zlib.crc32(stored) == crc and codec in {_RAW, _ZSTD}:
        try:
            body = zstandard.ZstdDecompressor().decompress(stored) if codec == _ZSTD else stored
        except zstandard.ZstdError:
            body = b""
    if digest(body) != name:
        raise Corrupt("a stored document does not match its hash", ids=[name.hex()])
    return body


def load(connection: Connection, name: bytes) -> bytes:
    """A body straight from the journal. Raises Corrupt."""
    row = connection.exec_driver_sql(_SELECT, (name,)).fetchone()
    if row is None:
        raise Corrupt("a document is missing from the journal", ids=[name.hex()])
    return unpack(name, row[0], row[1], row[2])


def leaf_body(ids: Sequence[str], hashes: Sequence[bytes]) -> bytes:
    """A leaf's bytes: for each item the length of its id, the id, its hash."""
    parts = [_LEAF]
    for item, name in zip(ids, hashes, strict=True):
        word = item.encode("ascii")
        parts += [bytes([len(word)]), word, name]
    return b"".join(parts)


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
        ids.append(body[at + 1 : end].decode("ascii"))
        hashes.append(body[end : end + 32])
        at = end + 32
    return Leaf(tuple(ids), tuple(hashes))


def build(items: Sequence[tuple[str, bytes]], draft: Draft) -> bytes | None:
    """A tree over items in order; the same items give the same hash. None when there are none."""
    if not items:
        return None
    level = [
        (chunk[-1][0], draft.add(leaf_body([item for item, _ in chunk], [name for _, name in chunk])))
        for chunk in _chunks(items, 0)
    ]
    depth = 1
    while len(level) > 1:
        level = [(chunk[-1][0], draft.add(inner_body(name for _, name in chunk))) for chunk in _chunks(level, depth)]
        depth += 1
    return level[0][1]


def _chunks(items: Sequence[tuple[str, bytes]], depth: int) -> list[Sequence[tuple[str, bytes]]]:
    """Cut where the low bits of an id's hash are zero, or at the cap; at least two items a chunk above the leaves."""
    mask = (1 << (FAN_BITS * (depth + 1))) - 1
    least = 2 if depth else 1
    found = []
    start = 0
    for place, (item, _) in enumerate(items, 1):
        ends = int.from_bytes(digest(item.encode())[-8:], "big") & mask == 0
        if (ends and place - start >= least) or place - start == CHUNK_CAP:
            found.append(items[start:place])
            start = place
    if start < len(items):
        found.append(items[start:])
    return found
