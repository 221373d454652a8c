"""Whether revisions are what was written: their facts, their change rows, and all that their content is made of."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from lantern_kit.kernel.documents import Leaf, Root, load, parse_node
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import Corrupt, LanternError
from lantern_kit.kernel.history import History
from lantern_kit.kernel.revision import GENESIS, Revision, changes_digest, opening

ROWS = 5_000
"""Change rows of one revision that are checked while somebody scrolls past; ``lantern verify`` checks all."""


class Soundness:
    """Checks revisions when somebody looks at them. What was found sound is not looked at again."""

    def __init__(self, journal: Journal, history: History) -> None:
        self._journal = journal
        self._history = history
        self._lock = threading.Lock()
        self._known: dict[int, list[dict[str, Any]]] = {}
        self._sound: set[bytes] = set()

    def faults(self, numbers: Iterable[int]) -> dict[str, list[dict[str, Any]]]:
        """What is wrong with some revisions, by their names; nothing of those that are sound.

        Kinds: ``facts`` were changed after it was written, ``changes`` are not its rows, ``content`` cannot be read,
        the pages concerned beside it.
        """
        with self._lock, self._journal.read() as connection, connection.lenient():
            found = {number: self._faults(connection, number) for number in numbers}
        return {f"r{number}": faults for number, faults in found.items() if faults}

    def _faults(self, connection: Connection, number: int) -> list[dict[str, Any]]:
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = list(self._look(connection, number))
        return known

    def _look(self, connection: Connection, number: int) -> Iterable[dict[str, Any]]:
        try:
            item = self._history.revision(connection, number)
            if not self._linked(connection, item):
                yield {"kind": "facts"}
            rows = [] if item.changes_count > ROWS else self._history.changes(connection, item)
            if item.changes_count <= ROWS and changes_digest(rows) != item.changes_digest:
                yield {"kind": "changes"}
        except (LanternError, ValueError, TypeError):
            yield {"kind": "facts"}
            return
        try:
            root = Root.parse(self._body(connection, item.document))
            units = sorted(self._lacking(connection, root.tree, ""))
        except Corrupt:
            yield {"kind": "content", "units": []}
            return
        if units:
            yield {"kind": "content", "units": [unit for unit in units if unit]}

    # facts

    def _linked(self, connection: Connection, item: Revision) -> bool:
        """Whether it is chained to its parent.

        An edited chain hash is the fault of its own revision only, and nobody is to blame for a parent that is gone.
        """
        before = self._before(connection, item)
        if not before or item.link(before) == item.chain:
            return True
        if item.parent is None or not item.seq:
            return False
        try:
            parent = self._history.revision(connection, item.parent)
        except LanternError:
            return False
        told = self._before(connection, parent)
        return bool(told) and item.link(parent.link(told)) == item.chain

    def _before(self, connection: Connection, item: Revision) -> bytes:
        """The chain hash that it must follow; nothing where that is not there any more."""
        chain = GENESIS
        if item.parent is not None:
            row = connection.exec_driver_sql("SELECT chain FROM revisions WHERE id = ?", (item.parent,)).fetchone()
            chain = row[0] if row is not None and isinstance(row[0], bytes) else b""
        if item.seq or not chain:
            return chain
        line = connection.exec_driver_sql("SELECT id, kind, mode, root FROM lines WHERE id = ?", (item.line,)).one()
        return opening(line, chain)

    # content

    def _body(self, connection: Connection, name: bytes) -> bytes:
        body = load(connection, name)
        self._sound.add(name)
        return body

    def _lacking(self, connection: Connection, name: bytes | None, unit: str) -> set[str]:
        """Units under a chunk that cannot be read; "" stands for those whose names cannot be told."""
        if name is None or name in self._sound:
            return set()
        try:
            body = load(connection, name)
            if unit:
                self._sound.add(name)
                return set()
            node = parse_node(body)
        except Corrupt:
            return {unit}
        found: set[str] = set()
        if isinstance(node, Leaf):
            for child, held in zip(node.hashes, node.ids, strict=True):
                found |= self._lacking(connection, child, held)
        else:
            for child in node:
                found |= self._lacking(connection, child, "")
        if not found:
            self._sound.add(name)
        return found
