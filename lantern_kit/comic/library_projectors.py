"""The analysis tables of the library: its entries, their versions, and what uses them at lines' heads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lantern_kit.analysis.registry import Appended, Column, Followed, Mirrored, Part, Row
from lantern_kit.comic.unit_projectors import ContentHeads, Place
from lantern_kit.comic.uses import EntryIndex, styles_of
from lantern_kit.kernel.engine import Connection
from lantern_kit.library import Entry
from lantern_kit.library.service import read_entries


def _entry_rows(connection: Connection) -> Iterator[Row]:
    firsts = connection.exec_driver_sql("SELECT entry, actor, at FROM library_versions WHERE number = 1").fetchall()
    begun = {entry: (actor, at) for entry, actor, at in firsts}
    for entry in read_entries(connection).values():
        held, newest = entry.content, entry.version
        yield (
            entry.id,
            entry.kind.value,
            held.name,
            list(held.aliases),
            held.comic or None,
            held.notes,
            list(held.palette),
            [look.name for look in held.looks],
            list(held.assets),
            entry.number,
            entry.archived,
            *begun.get(entry.id, (None, None)),
            newest.actor,
            newest.at,
        )


LIBRARY = Mirrored(
    name="library",
    doc="One row per entry of the library, at its newest version.",
    columns=(
        Column("entry", "VARCHAR", "its id"),
        Column("kind", "VARCHAR", "character, scene, prop, style or layout"),
        Column("name", "VARCHAR", "what it is called"),
        Column("aliases", "VARCHAR[]", "its other names"),
        Column("comic", "VARCHAR", "title of the comic it belongs to; NULL: all of the workspace"),
        Column("notes", "VARCHAR", "what is to be kept to, in Markdown"),
        Column("palette", "VARCHAR[]", "its colours, #rrggbb"),
        Column("looks", "VARCHAR[]", "names of its looks"),
        Column("sheets", "VARCHAR[]", "its reference pictures, by asset"),
        Column("version", "INTEGER", "number of its newest version"),
        Column("archived", "BOOLEAN", "whether a person put it away"),
        Column("kept_by", "VARCHAR", "who kept it first"),
        Column("kept_at", "TIMESTAMP", "when, in UTC"),
        Column("changed_by", "VARCHAR", "who made its newest version"),
        Column("changed_at", "TIMESTAMP", "when, in UTC"),
    ),
    read=_entry_rows,
    depends=("SELECT max(id) FROM library_versions",),
)

LIBRARY_VERSIONS = Appended(
    name="library_versions",
    doc="One row per version of an entry of the library.",
    columns=(
        Column("entry", "VARCHAR", "the entry"),
        Column("version", "INTEGER", "its number, from 1"),
        Column("cause", "VARCHAR", "kept, updated, restored or archived"),
        Column("name", "VARCHAR", "what it was called then"),
        Column("content", "VARCHAR", "all it held, as JSON"),
        Column("actor_kind", "VARCHAR", "person or agent"),
        Column("actor", "VARCHAR", "who made it"),
        Column("message", "VARCHAR", "why, in their words"),
        Column("made_at", "TIMESTAMP", "when, in UTC"),
        Column("chain", "VARCHAR", "digest over it and all before it, in hex"),
    ),
    source="library_versions",
    cells=(
        "t.entry",
        "t.number",
        "t.cause",
        "json_extract(t.content, '$.name')",
        "t.content",
        "t.actor_kind",
        "t.actor",
        "t.message",
        "t.at",
        "lower(hex(t.chain))",
    ),
)


class _UseHeads(ContentHeads):
    """Reads what units use; all of a line again when the library, or the chapter's comic, is another."""

    def __init__(self, shared: dict[str, Any]) -> None:
        super().__init__(shared)
        self._entries: dict[str, Entry] | None = None
        self._meant: dict[str, EntryIndex] = {}
        self._now = EntryIndex("", {})

    def stamps(self, connection: Connection) -> Mapping[str, str]:
        """Every line with its head, and how far the library is."""
        newest = connection.exec_driver_sql("SELECT coalesce(max(id), 0) FROM library_versions").scalar_one()
        return {line: f"{head}/{newest}" for line, head in super().stamps(connection).items()}

    def read(self, connection: Connection, group: str, old: str | None, new: str) -> Part:
        """The uses on units that came, differ or were touched, and those of the chapter itself."""
        head, _, newest = new.partition("/")
        chapter = self.pages.chapter(connection, head)
        self._now = self._of(connection, chapter.comic)
        before, _, known = (old or "").partition("/")
        same = bool(before) and known == newest and self.pages.chapter(connection, before).comic == chapter.comic
        part = super().read(connection, group, before if same else None, head)
        styles = [(group, use.entry, use.how.value, use.unit, use.object, None) for use in styles_of(chapter)]
        return Part(None if part.gone is None else part.gone | {""}, [*styles, *part.rows])

    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        """The uses on one unit."""
        told = self.pages.told(connection, place[1])
        unit = str(told.facts[0])
        return [
            (line, use.entry, use.how.value, unit, use.object, use.detail or None)
            for mention in told.mentions
            for use in self._now.uses(unit, mention)
        ]

    def _of(self, connection: Connection, comic: str) -> EntryIndex:
        if self._entries is None:
            self._entries = read_entries(connection)
        if comic not in self._meant:
            self._meant[comic] = EntryIndex(comic, self._entries)
        return self._meant[comic]


LIBRARY_USES = Followed(
    name="library_uses",
    doc="One row per place where an entry of the library is used, at a line's head.",
    columns=(
        Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
        Column("entry", "VARCHAR", "the entry"),
        Column("how", "VARCHAR", "style, scene, cast, mark, speaker or sheet"),
        Column("unit", "VARCHAR", "the unit it is used on; empty: the chapter keeps to it"),
        Column("object", "VARCHAR", "the frame, picture or balloon; or the chapter"),
        Column("detail", "VARCHAR", "the look, the kind of mark, the speaker as written, the picture; else NULL"),
    ),
    group="line",
    part="unit",
    open=_UseHeads,
)

PROJECTORS = (LIBRARY, LIBRARY_VERSIONS, LIBRARY_USES)
