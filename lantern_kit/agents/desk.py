"""What turns say and make, in a file of its own: texts by reference, so that a turn's state holds none.

The file is the agents' (``agents.sqlite`` in a workspace): what people asked and models said stays out of the journal.
It outlives a killed process whole; a power cut may take the last moments, and a turn then goes on from a step earlier,
with the keys under which its writes were carried out.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.errors import NotFound

_SCHEMA = """
CREATE TABLE IF NOT EXISTS texts (ref TEXT PRIMARY KEY, turn TEXT NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS texts_turn ON texts (turn);
CREATE TABLE IF NOT EXISTS turns (
  turn TEXT PRIMARY KEY, thread TEXT NOT NULL, begun INTEGER NOT NULL, ended INTEGER, asked TEXT NOT NULL,
  outcome TEXT NOT NULL DEFAULT '', answer TEXT NOT NULL DEFAULT '', made TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX IF NOT EXISTS turns_thread ON turns (thread, begun);
CREATE VIRTUAL TABLE IF NOT EXISTS remembered USING fts5 (turn UNINDEXED, thread UNINDEXED, words, tokenize='trigram');
"""
FAR = -0.3
"""BM25 of turns that have only words in common which most turns have."""
SHORT = 3
"""Characters below which a word cannot be looked for by its parts."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A turn as it is kept."""

    turn: str
    thread: str
    begun: int
    ended: int | None
    asked: str
    outcome: str
    answer: str
    made: Mapping[str, str] = field(default_factory=dict)


class Desk:
    """The agents' file.

    Args:
        path: where it lies; made when it is not there.
    """

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self._clock = clock
        self._lock = threading.RLock()
        self.connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
        path.chmod(0o600)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=NORMAL")
        with self._write() as cursor:
            for statement in filter(str.strip, _SCHEMA.split(";")):
                cursor.execute(statement)

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def begin(self, turn: str, thread: str, asked: str) -> None:
        """Keep what a turn was asked; of a turn that is there already nothing changes."""
        with self._write() as cursor:
            cursor.execute(
                "INSERT INTO turns (turn, thread, begun, asked) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (turn, thread, self._clock.now(), asked),
            )

    def end(self, turn: str, outcome: str, answer: str, made: Mapping[str, str]) -> None:
        """Keep what came of a turn, and remember it."""
        with self._write() as cursor:
            row = cursor.execute("SELECT thread, asked FROM turns WHERE turn = ?", (turn,)).fetchone()
            if row is None:
                raise _unknown(turn)
            cursor.execute(
                "UPDATE turns SET ended = ?, outcome = ?, answer = ?, made = ? WHERE turn = ?",
                (self._clock.now(), outcome, answer, json.dumps(dict(made)), turn),
            )
            cursor.execute("DELETE FROM remembered WHERE turn = ?", (turn,))
            cursor.execute("INSERT INTO remembered VALUES (?, ?, ?)", (turn, row[0], f"{row[1]}\n{answer}"))

    def get(self, turn: str) -> Kept:
        """A turn. Raises NotFound."""
        with self._lock:
            row = self.connection.execute(f"{_TURN} WHERE turn = ?", (turn,)).fetchone()
        if row is None:
            raise _unknown(turn)
        return _kept(row)

    def last(self, thread: str, most: int, before: str = "") -> Sequence[Kept]:
        """The last ended turns of a thread, oldest first, without one."""
        with self._lock:
            rows = self.connection.execute(
                f"{_TURN} WHERE thread = ? AND turn != ? AND ended IS NOT NULL ORDER BY begun DESC, rowid DESC LIMIT ?",
                (thread, before, most),
            ).fetchall()
        return [_kept(row) for row in reversed(rows)]

    def newest(self, most: int) -> Sequence[Kept]:
        """The turns begun last, newest first."""
        with self._lock:
            rows = self.connection.execute(f"{_TURN} ORDER BY begun DESC, rowid DESC LIMIT ?", (most,)).fetchall()
        return [_kept(row) for row in rows]

    def ended(self, turns: Sequence[str]) -> Sequence[str]:
        """Those of some turns that ended, the last one first."""
        with self._lock:
            rows = self.connection.execute(
                "SELECT turn FROM turns WHERE ended IS NOT NULL AND turn IN (SELECT value FROM json_each(?))"
                " ORDER BY ended DESC, rowid DESC",
                (json.dumps(list(turns)),),
            ).fetchall()
        return [row[0] for row in rows]

    def recall(self, thread: str, words: Sequence[str], most: int, without: Sequence[str] = ()) -> Sequence[str]:
        """Turns of a thread that words lead to, the nearest first (BM25)."""
        wanted = " OR ".join('"' + word.replace('"', '""') + '"' for word in words if len(word) >= SHORT)
        if not wanted:
            return ()
        with self._lock:
            rows = self.connection.execute(
                "SELECT turn FROM remembered WHERE remembered MATCH ? AND thread = ? AND rank < ?"
                " ORDER BY rank LIMIT ?",
                (f"words : ({wanted})", thread, FAR, most + len(without)),
            ).fetchall()
        return [row[0] for row in rows if row[0] not in without][:most]

    def put(self, turn: str, name: str, text: str) -> str:
        """Keep a text of a turn under a name; gives the reference. The same name again replaces it."""
        ref = f"{turn}/{name}"
        with self._write() as cursor:
            cursor.execute("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", (ref, turn, text))
        return ref

    def read(self, ref: str) -> str:
        """A text. Raises NotFound."""
        with self._lock:
            row = self.connection.execute("SELECT text FROM texts WHERE ref = ?", (ref,)).fetchone()
        if row is None:
            raise NotFound("a text of this turn is gone", ids=[ref[:80]], recovery="Ask again in a new turn.")
        return str(row[0])

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Cursor]:
        with self._lock, self.connection:
            cursor = self.connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor


_TURN = "SELECT turn, thread, begun, ended, asked, outcome, answer, made FROM turns"


def _kept(row: Any) -> Kept:
    turn, thread, begun, ended, asked, outcome, answer, made = row
    return Kept(turn, thread, begun, ended, asked, outcome, answer, json.loads(made))


def _unknown(turn: str) -> NotFound:
    return NotFound(f"{turn[:40]} is no turn that is kept here", ids=[turn[:40]])
