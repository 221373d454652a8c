"""Looking through the canon: prose and facts by their words, in an index that can be made again (seed 004, 8.2).

The index lies beside the reading projection. It names each paragraph and each fact by its commit, so that bringing it
up twice adds nothing; what authors planned or were told is not in it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from lantern_kit.kernel.errors import BadInput, PathRefused
from lantern_kit.kernel.files import is_own, require_unlinked
from lantern_kit.novel.deviation import Deviation, Fault
from lantern_kit.novel.errors import ProjectionFailed
from lantern_kit.novel.findable import (
    CANON,
    Findable,
    Kind,
    everything,
    fact_entries,
    lore_entries,
    names,
    prose_entries,
)
from lantern_kit.novel.model import Source
from lantern_kit.novel.prose import paragraph_of
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel, committed
from lantern_kit.novel.words import folded, query, tokens

FILE, FORMAT = "search.sqlite", "1"
LONGEST, MOST_PHRASES, MOST_HITS = 500, 40, 200
SNIPPET = 80
"""Characters of a snippet at most, without its ends."""
_BUSY_SECONDS = 30.0
T = TypeVar("T")


@dataclass(frozen=True)
class Hit:
    """Something that was found."""

    kind: Kind
    source: Source | None
    """The paragraph it stands in; None for lore."""
    chapter: str | None
    unit: str | None
    entry: str | None
    """Of lore: ``ns_7kq2m9x4:3``, the book and the entry."""
    text: str
    """The paragraph, fact or entry."""
    snippet: str
    """The part of it round the first words that were looked for."""

    def facts(self) -> dict[str, Any]:
        """It as plain data, without what it has none of."""
        told = {
            "kind": self.kind.value,
            "source": None if self.source is None else str(self.source),
            "chapter": self.chapter,
            "unit": self.unit,
            "entry": self.entry,
            "snippet": self.snippet,
        }
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True)
class Indexed:
    """What an index came to."""

    content_revision: int
    added: int
    removed: int


class Search:
    """Looks through novels.

    Args:
        folder: where their projections lie: ``<workspace>/projections/novels``.
        service: the canon.
    """

    def __init__(self, folder: Path, service: NovelService) -> None:
        self.folder = folder
        self._service = service

    def find(
        self,
        novel: str,
        words: str,
        *,
        kinds: Collection[Kind | str] = CANON,
        limit: int = 20,
        chapter: str | None = None,
    ) -> list[Hit]:
        """What holds all of some words, best first; the index is brought up before.

        Text between blanks is found as it stands, its last word also as the beginning of one; signs count for nothing.

        Raises BadInput for more words than can be meant; ProjectionFailed, NotFound, NovelStorageCorruption.
        """
        phrases = query(words[: LONGEST + 1])
        if len(words) > LONGEST or len(phrases) > MOST_PHRASES:
            raise BadInput(
                "that is too much to look for at once",
                expected=f"at most {LONGEST} characters and {MOST_PHRASES} words",
                found=len(words),
            )
        wanted = _kinds(kinds)
        self._service.head(novel)
        if not phrases or not wanted or limit < 1:
            return []

        def look(connection: sqlite3.Connection) -> list[Hit]:
            held = self._service.head(novel).novel
            _bring_up(connection, held, self._service)
            rows = connection.execute(_FIND, (" AND ".join(phrases), json.dumps(wanted)))
            places = ((row, _place(held, row)) for row in rows)
            fitting = ((row, place) for row, place in places if chapter is None or place[1] == chapter)
            return [_hit(row, place, words) for row, place in islice(fitting, min(limit, MOST_HITS))]

        return self._on(novel, look)

    def bring_up(self, novel: str, *, anew: bool = False) -> Indexed:
        """Add to the index what it lacks; make it anew when it is damaged, of another history, or asked to.

        Raises ProjectionFailed, NotFound, NovelStorageCorruption.
        """
        self._service.head(novel)
        if anew:
            _discard(self.folder / novel / FILE)
        return self._on(novel, lambda connection: _bring_up(connection, self._service.head(novel).novel, self._service))

    def verify(self, novel: str) -> list[Deviation]:
        """The index, if it is not what the canon gives now; nothing where it is. Raises as ``bring_up``."""
        self._service.head(novel)
        path = self.folder / novel / FILE
        if not is_own(path):
            return [Deviation(FILE, Fault.MISSING)]
        try:
            with _opened(path) as connection:
                held = self._service.head(novel).novel
                current = _noted(connection, "content"), _noted(connection, "names")
                connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
                there = {
                    row[0]: row for row in connection.execute("SELECT id, kind, commit_id, place, text FROM entries")
                }
        except (sqlite3.DatabaseError, _Foreign):
            return [Deviation(FILE, Fault.DAMAGED)]
        if current != (str(held.head.content_revision), names(held)):
            return [Deviation(FILE, Fault.STALE)]
        as_it_is = {
            entry.id: (entry.id, entry.kind.value, entry.commit, entry.place, entry.text)
            for entry in everything(held, self._service)
        }
        return [] if there == as_it_is else [Deviation(FILE, Fault.DAMAGED)]

    def _on(self, novel: str, act: Callable[[sqlite3.Connection], T]) -> T:
        """Something done with the index of a novel; with a new one if the one that is there is damaged."""
        path = self.folder / novel / FILE
        try:
            try:
                with _opened(path) as connection:
                    return act(connection)
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in _SYSTEM:
                    raise
                _discard(path)
            except (sqlite3.DatabaseError, _Foreign):
                _discard(path)
            with _opened(path) as connection:
                return act(connection)
        except (sqlite3.Error, OSError, PathRefused, _Foreign) as error:
            why = error.strerror if isinstance(error, OSError) else getattr(error, "message", error)
            raise ProjectionFailed(f"the search index cannot be used: {why}", ids=[novel]) from error


_SYSTEM = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_IOERR,
    }
)
"""Complaints for which the file is not to blame."""


class _Foreign(Exception):
    """The file was made by another version or of another history, or somebody else's hand was in it."""

    def __str__(self) -> str:
        return "it holds what the novel does not"


_FIND = (
    "SELECT e.kind, e.place, e.text FROM words JOIN entries AS e ON e.number = words.rowid"
    " WHERE words MATCH ? AND e.kind IN (SELECT value FROM json_each(?)) ORDER BY bm25(words), e.number"
)
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE entries (number INTEGER PRIMARY KEY, id UNIQUE, kind, commit_id, place, text)",
    "CREATE INDEX entries_commit ON entries (commit_id)",
    "CREATE VIRTUAL TABLE words USING fts5(tokens, content='', tokenize='ascii')",
)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The index in a file, in one transaction."""
    home = path.parent
    require_unlinked(home.parent.parent, home.parent, home)
    home.mkdir(parents=True, exist_ok=True)
    if any(os.path.lexists(item) and not is_own(item) for item in _parts(path)):
        _discard(path)
    with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in _TABLES:
                    connection.execute(statement)
                _note(connection, "format", FORMAT)
            if _noted(connection, "format") != FORMAT:
                raise _Foreign
            yield connection
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _kinds(kinds: Collection[Kind | str]) -> list[str]:
    known = [kind.value for kind in Kind]
    wrong = [str(kind)[:40] for kind in kinds if kind not in known]
    if wrong:
        raise BadInput("that is nothing to look for", expected=known, found=wrong)
    return sorted(kinds)


def _discard(path: Path) -> None:
    for item in _parts(path):
        item.unlink(missing_ok=True)


def _parts(path: Path) -> list[Path]:
    """An index's file, and those that SQLite lays beside it."""
    return [path.with_name(path.name + ending) for ending in ("", "-journal", "-wal", "-shm")]


def _bring_up(connection: sqlite3.Connection, novel: Novel, service: NovelService) -> Indexed:
    revision, wording = str(novel.head.content_revision), names(novel)
    if (_noted(connection, "content"), _noted(connection, "names")) == (revision, wording):
        return Indexed(novel.head.content_revision, 0, 0)
    known = {name for (name,) in connection.execute("SELECT DISTINCT commit_id FROM entries WHERE commit_id <> ''")}
    if not known <= set(novel.commits):
        raise _Foreign
    added = removed = 0
    if _noted(connection, "lore") is None:
        added += _add(connection, lore_entries(novel, service))
        _note(connection, "lore", "1")
    for commit, unit in novel.commits.items():
        if commit not in known:
            added += _add(connection, prose_entries(commit, service.paragraphs(novel, commit)))
            added += _add(connection, fact_entries(novel, unit))
    if known and _noted(connection, "names") != wording:
        for commit in known:
            more, less = _renamed(connection, list(fact_entries(novel, novel.commits[commit])))
            added, removed = added + more, removed + less
    _note(connection, "content", revision)
    _note(connection, "names", wording)
    return Indexed(novel.head.content_revision, added, removed)


def _add(connection: sqlite3.Connection, entries: Iterator[Findable] | Sequence[Findable]) -> int:
    count = 0
    for entry in entries:
        row = connection.execute(
            "INSERT INTO entries (id, kind, commit_id, place, text) VALUES (?,?,?,?,?)",
            (entry.id, entry.kind.value, entry.commit, entry.place, entry.text),
        ).lastrowid
        connection.execute("INSERT INTO words (rowid, tokens) VALUES (?,?)", (row, " ".join(tokens(entry.text))))
        count += 1
    return count


def _renamed(connection: sqlite3.Connection, entries: Sequence[Findable]) -> tuple[int, int]:
    """Facts of a commit put in place of those that are worded otherwise by now."""
    stale = []
    for entry in entries:
        row = connection.execute("SELECT number, text FROM entries WHERE id = ?", (entry.id,)).fetchone()
        if row is not None and not isinstance(row[1], str):
            raise _Foreign
        if row is not None and row[1] != entry.text:
            old = " ".join(tokens(row[1]))
            connection.execute("INSERT INTO words (words, rowid, tokens) VALUES ('delete',?,?)", (row[0], old))
            connection.execute("DELETE FROM entries WHERE number = ?", (row[0],))
            stale.append(entry)
    return _add(connection, stale), len(stale)


def _noted(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def _note(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))


# what is shown


def _place(novel: Novel, row: Any) -> tuple[Source | None, str | None, str | None]:
    """The source, chapter and unit of something that was found. Raises _Foreign for a row that is no entry."""
    kind, place, text = row
    if not (isinstance(place, str) and isinstance(text, str)):
        raise _Foreign
    if kind == Kind.LORE.value:
        return None, None, None
    commit, _, number = place.partition(":")
    unit, paragraph = novel.commits.get(commit), paragraph_of(number)
    if unit is None or paragraph is None or paragraph >= committed(unit).paragraphs:
        raise _Foreign
    return Source(commit=commit, paragraph=paragraph), unit.chapter, unit.id


def _hit(row: Any, place: tuple[Source | None, str | None, str | None], words: str) -> Hit:
    kind, stands, text = row
    return Hit(Kind(kind), *place, stands if kind == Kind.LORE.value else None, text, snippet(text, words))


def snippet(text: str, words: str) -> str:
    """The part of a text round the first of some words that is in it, on one line."""
    if len(text) <= SNIPPET:
        return " ".join(text.split())
    plain, origins = [], []
    for at, character in enumerate(text):
        for piece in folded(character):
            plain.append(piece)
            origins.append(at)
    line = "".join(plain)
    found = [at for at in map(line.find, folded(words).split()) if at >= 0]
    middle = origins[min(found)] if found else 0
    start = max(0, min(middle - SNIPPET // 3, len(text) - SNIPPET))
    end = start + SNIPPET
    shown = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
