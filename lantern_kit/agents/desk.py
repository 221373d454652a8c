"""What turns say and make, in a file of its own: texts by reference, so that a turn's state holds none.

The file is the agents' (``agents.sqlite`` in a workspace): what people asked and models said stays out of the journal.
It outlives a killed process whole; a power cut may take the last moments, and a turn then goes on from a step earlier,
with the keys under which its writes were carried out.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lantern_kit.agents.chat import plain
from lantern_kit.agents.choosing import pairs_of
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.errors import Busy, Corrupt, NotFound, WorkspaceProblem

if sys.platform != "win32":
    import fcntl

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
_PAIR = "·"
"""Behind each pair of characters of a script without spaces: with it, it can be looked for."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


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
        with understood(), _reached():
            self.connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
            try:
                path.chmod(0o600)
                self.connection.execute("PRAGMA journal_mode=WAL")
                self.connection.execute("PRAGMA synchronous=NORMAL")
                with self._write() as cursor:
                    for statement in filter(str.strip, _SCHEMA.split(";")):
                        cursor.execute(statement)
                    cursor.execute(f"{_TURN} LIMIT 1")
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    @contextmanager
    def held(self, turn: str) -> Iterator[None]:
        """Keep a turn to oneself for a block; whoever dies lets go of it. Raises Busy."""
        name = hashlib.sha256(turn.encode(errors="surrogatepass")).hexdigest()[:16]
        path = self.path.with_name(f"{self.path.name}.{name}")
        with _reached():
            handle = _locked(path)
        if handle is None:
            raise Busy(
                f"turn {turn[:40]} is being carried out already",
                ids=[turn[:40]],
                recovery="Wait for it, or stop it where it runs.",
            )
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
            os.close(handle)

    def begin(self, turn: str, thread: str, asked: str) -> None:
        """Keep what a turn was asked; of a turn that is there already nothing changes."""
        with self._write() as cursor:
            cursor.execute(
                "INSERT INTO turns (turn, thread, begun, asked) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (turn, plain(thread), self._clock.now(), plain(asked)),
            )

    def end(self, turn: str, outcome: str, answer: str, made: Mapping[str, str]) -> None:
        """Keep what came of a turn, and remember it."""
        with self._write() as cursor:
            row = cursor.execute("SELECT thread, asked FROM turns WHERE turn = ?", (turn,)).fetchone()
            if row is None:
                raise _unknown(turn)
            cursor.execute(
                "UPDATE turns SET ended = ?, outcome = ?, answer = ?, made = ? WHERE turn = ?",
                (self._clock.now(), outcome, plain(answer), json.dumps(dict(made)), turn),
            )
            cursor.execute("DELETE FROM remembered WHERE turn = ?", (turn,))
            words = plain(f"{row[1]}\n{answer}")
            words += "".join(f"\n{pair}{_PAIR}" for pair in pairs_of(words))
            cursor.execute("INSERT INTO remembered VALUES (?, ?, ?)", (turn, row[0], words))

    def get(self, turn: str) -> Kept:
        """A turn. Raises NotFound."""
        with understood(), self._lock:
            row = self.connection.execute(f"{_TURN} WHERE turn = ?", (turn,)).fetchone()
        if row is None:
            raise _unknown(turn)
        return _kept(row)

    def last(self, thread: str, most: int, before: str = "") -> Sequence[Kept]:
        """The last ended turns of a thread, oldest first, without one."""
        with understood(), self._lock:
            rows = self.connection.execute(
                f"{_TURN} WHERE thread = ? AND turn != ? AND ended IS NOT NULL ORDER BY begun DESC, rowid DESC LIMIT ?",
                (thread, before, most),
            ).fetchall()
        return [_kept(row) for row in reversed(rows)]

    def newest(self, most: int) -> Sequence[Kept]:
        """The turns begun last, newest first."""
        with understood(), self._lock:
            rows = self.connection.execute(f"{_TURN} ORDER BY begun DESC, rowid DESC LIMIT ?", (most,)).fetchall()
        return [_kept(row) for row in rows]

    def ended(self, turns: Sequence[str]) -> Sequence[str]:
        """Those of some turns that ended, the last one first."""
        with understood(), self._lock:
            rows = self.connection.execute(
                "SELECT turn FROM turns WHERE ended IS NOT NULL AND turn IN (SELECT value FROM json_each(?))"
                " ORDER BY ended DESC, rowid DESC",
                (json.dumps(list(turns)),),
            ).fetchall()
        return [row[0] for row in rows]

    def recall(self, thread: str, words: Sequence[str], most: int, without: Sequence[str] = ()) -> Sequence[str]:
        """Turns of a thread that words lead to, the nearest first (BM25)."""
        known = [word if len(word) >= SHORT else f"{word}{_PAIR}" for word in words if len(word) >= SHORT - 1]
        wanted = " OR ".join('"' + plain(word).replace('"', '""') + '"' for word in known)
        if not wanted:
            return ()
        with understood(), self._lock:
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
            cursor.execute("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", (ref, turn, plain(text)))
        return ref

    def read(self, ref: str) -> str:
        """A text. Raises NotFound."""
        with understood(), self._lock:
            row = self.connection.execute("SELECT text FROM texts WHERE ref = ?", (ref,)).fetchone()
        if row is None:
            raise NotFound("a text of this turn is gone", ids=[ref[:80]], recovery="Ask again in a new turn.")
        return str(row[0])

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Cursor]:
        with understood(), self._lock, self.connection:
            cursor = self.connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            yield cursor


@contextmanager
def understood() -> Iterator[None]:
    """Faults of the agents' file as the kit's errors. Raises Busy, Corrupt, WorkspaceProblem."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", None)
        if code is not None and code & 0xFF in _BUSY:
            raise Busy("the agents' file stayed locked", recovery="Go on with the turn a little later.") from error
        if code is not None and code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}:
            raise Corrupt(
                f"the agents' file is damaged: {error}",
                recovery="Move agents.sqlite away: it holds what agents were asked and answered, and no work of yours.",
            ) from error
        raise _unusable(str(error)) from error


@contextmanager
def _reached() -> Iterator[None]:
    """What the file system refuses, as one of the kit's errors."""
    try:
        yield
    except OSError as error:
        raise _unusable(error.strerror or "") from error


def _unusable(why: str) -> WorkspaceProblem:
    return WorkspaceProblem(
        f"the agents' file cannot be used: {why}",
        recovery="Check the disk and the folder's permissions, then try again.",
    )


def _locked(path: Path) -> int | None:
    """An open file that nobody else holds; None where somebody does. On Windows nobody is kept out."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if sys.platform == "win32":
            return handle
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        with suppress(OSError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        os.close(handle)  # whoever held it took it away in between


_TURN = "SELECT turn, thread, begun, ended, asked, outcome, answer, made FROM turns"


def _kept(row: Any) -> Kept:
    turn, thread, begun, ended, asked, outcome, answer, made = row
    return Kept(turn, thread, begun, ended, asked, outcome, answer, json.loads(made))


def _unknown(turn: str) -> NotFound:
    return NotFound(f"{turn[:40]} is no turn that is kept here", ids=[turn[:40]])
