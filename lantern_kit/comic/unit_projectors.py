"""The analysis tables of what stands at lines' heads: units, their objects, and the gutters between frames."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from lantern_kit.analysis.registry import Column, Followed, Part, Row
from lantern_kit.comic.inventory import gutters, marks, measured, presences
from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.comic.uses import Mention, mentions
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.documents import Documents, Root
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.revision import revision_number

Place = tuple[int, bytes]
"""A unit's place in its chapter, from 1, and the hash of its document."""


class _Told(NamedTuple):
    """What is told of one unit, whatever line it is on and at which place."""

    facts: Row
    objects: list[Row]
    gutters: list[Row]
    presences: list[Row]
    marks: list[Row]
    mentions: list[Mention]


class Pages:
    """What the readers of one run read of units, each unit once."""

    def __init__(self) -> None:
        self._documents = Documents()
        self._places: dict[str, dict[str, Place]] = {}
        self._told: dict[bytes, _Told] = {}

    def places(self, connection: Connection, revision: str) -> dict[str, Place]:
        """Where each unit stands at a revision, and its content."""
        found = self._places.get(revision)
        if found is None:

            def read(name: bytes) -> bytes:
                return self._documents.get(connection, name)

            items = self._documents.items(read, self._root(connection, revision).tree)
            found = self._places[revision] = {unit: (place, name) for place, (unit, name) in enumerate(items, 1)}
        return found

    def chapter(self, connection: Connection, revision: str) -> Chapter:
        """The facts of the chapter at a revision."""
        return Chapter.model_validate_json(dumps(self._root(connection, revision).head))

    def _root(self, connection: Connection, revision: str) -> Root:
        document = connection.exec_driver_sql(
            "SELECT document FROM revisions WHERE id = ?", (revision_number(revision),)
        ).scalar_one()
        return Root.parse(self._documents.get(connection, document))

    def told(self, connection: Connection, name: bytes) -> _Told:
        """What is told of the unit with this content."""
        found = self._told.get(name)
        if found is None:
            unit = Unit.model_validate_json(self._documents.get(connection, name))
            objects, spaces, cast, marked = (list[Row](made(unit)) for made in (measured, gutters, presences, marks))
            told = _Told(_facts(unit), objects, spaces, cast, marked, list(mentions(unit)))
            found = self._told[name] = told
        return found


class Heads(ABC):
    """Reads units at lines' heads, following each line from one head to the next by the units that differ."""

    def __init__(self, shared: dict[str, Any]) -> None:
        self.pages: Pages = shared.setdefault("pages", Pages())

    @abstractmethod
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        """The rows of one unit; ``since`` has the revisions that touched objects last after the head before."""

    @abstractmethod
    def differ(self, before: Place | None, after: Place) -> bool:
        """Whether the rows do."""

    def stamps(self, connection: Connection) -> Mapping[str, str]:
        """Every line of every chapter, with its head."""
        rows = connection.exec_driver_sql("SELECT id, head FROM lines WHERE root IN (SELECT id FROM chapters)")
        return {line: f"r{head}" for line, head in rows}

    def read(self, connection: Connection, group: str, old: str | None, new: str) -> Part:
        """The rows of units that came, differ or were touched between two heads."""
        after = self.pages.places(connection, new)
        if old is None:
            return Part(None, [row for place in after.values() for row in self.rows(connection, group, place, {})])
        before = self.pages.places(connection, old)
        touched = self._touched(connection, group, old, new)
        moved = [unit for unit, place in after.items() if unit in touched or self.differ(before.get(unit), place)]
        gone = frozenset(moved) | (before.keys() - after.keys())
        since: dict[str, int] = {}
        for things in touched.values():
            for thing, number in things.items():  # what went from unit to unit was touched on both
                since[thing] = max(number, since.get(thing, 0))
        return Part(gone, [row for unit in moved for row in self.rows(connection, group, after[unit], since)])

    def _touched(self, connection: Connection, line: str, old: str, new: str) -> dict[str, dict[str, int]]:
        """Units that the revisions between two heads speak of, with what was touched on them, and by which last.

        Content may be as before and yet have been changed.
        """
        rows = connection.exec_driver_sql(
            "SELECT c.unit, c.object, max(r.id) FROM revisions AS r CROSS JOIN changes AS c"
            " ON c.id >= r.changes_from AND c.id < r.changes_from + r.changes_count"
            " WHERE r.line = ? AND r.id > ? AND r.id <= ? GROUP BY 1, 2",
            (line, revision_number(old), revision_number(new)),
        )
        found: dict[str, dict[str, int]] = {}
        for unit, thing, number in rows:
            found.setdefault(unit, {})[thing] = number
        return found


class _UnitHeads(Heads):
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        unit, *facts = self.pages.told(connection, place[1]).facts
        return [(line, unit, place[0], *facts, place[1].hex())]

    def differ(self, before: Place | None, after: Place) -> bool:
        return before != after


class ContentHeads(Heads):
    """Reads of units what does not depend on their place."""

    def differ(self, before: Place | None, after: Place) -> bool:
        """Whether their content does."""
        return before is None or before[1] != after[1]


class _ObjectHeads(ContentHeads):
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        return [(line, *row, since.get(row[1])) for row in self.pages.told(connection, place[1]).objects]


class _GutterHeads(ContentHeads):
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        return [(line, *row) for row in self.pages.told(connection, place[1]).gutters]


class _CastHeads(ContentHeads):
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        return [(line, *row) for row in self.pages.told(connection, place[1]).presences]


class _MarkHeads(ContentHeads):
    def rows(self, connection: Connection, line: str, place: Place, since: Mapping[str, int]) -> Iterable[Row]:
        return [(line, *row) for row in self.pages.told(connection, place[1]).marks]


def _facts(unit: Unit) -> Row:
    return (
        unit.id,
        unit.kind.value,
        unit.name,
        millimetres(unit.width),
        millimetres(unit.height),
        millimetres(unit.gutter),
        len(unit.objects),
    )


UNITS = Followed(
    name="units",
    doc="One row per unit at a line's head: a page, cover, transition or spread.",
    columns=(
        Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
        Column("unit", "VARCHAR", "the unit"),
        Column("position", "INTEGER", "its place in the chapter, from 1"),
        Column("kind", "VARCHAR", "page, cover, transition or spread"),
        Column("name", "VARCHAR", "a label for people"),
        Column("width", "DOUBLE", "trim width, gutter included, in millimetres"),
        Column("height", "DOUBLE", "trim height, in millimetres"),
        Column("gutter", "DOUBLE", "width between the surfaces of a spread, in millimetres"),
        Column("objects", "INTEGER", "how many objects are on it"),
        Column("document", "VARCHAR", "SHA-256 of its content, in hex; equal units have equal hashes"),
    ),
    group="line",
    part="unit",
    open=_UnitHeads,
)

_OBJECT_COLUMNS = (
    Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
    Column("unit", "VARCHAR", "the unit it is on"),
    Column("object", "VARCHAR", "the object"),
    Column("kind", "VARCHAR", "frame, image, foreground, overlay, balloon, narration, text or effect"),
    Column("parent", "VARCHAR", "the unit, frame or image it belongs to"),
    Column("x", "DOUBLE", "left edge, in millimetres from the trim corner; a picture's box as placed, before clipping"),
    Column("y", "DOUBLE", "top edge, in millimetres"),
    Column("w", "DOUBLE", "width, in millimetres"),
    Column("h", "DOUBLE", "height, in millimetres"),
    Column("area", "DOUBLE", "square millimetres inside its outline: a frame's or ellipse's own, else its box's"),
    Column("z", "INTEGER", "place in the order of drawing, from 1 at the bottom"),
    Column("reading_order", "INTEGER", "place in the order of reading, from 1; NULL for what is not read"),
    Column("text", "VARCHAR", "its words as they are read, without marks; NULL for objects without any"),
    Column("characters", "INTEGER", "code points of its words"),
    Column("asset", "VARCHAR", "the picture it shows; NULL for objects without one"),
    Column("description", "VARCHAR", "what a frame is to show; NULL where nothing is said"),
    Column("scene", "VARCHAR", "the scene of the library that a frame is set in"),
    Column("light", "VARCHAR", "the light in a frame, in a word"),
    Column("light_angle", "DOUBLE", "where that light comes from, in degrees clockwise from above"),
)

OBJECTS = Followed(
    name="objects",
    doc="One row per object at a line's head.",
    columns=(
        *_OBJECT_COLUMNS,
        Column(
            "first_revision", "VARCHAR", "the first revision of the line, or of what it was forked from, to change it"
        ),
        Column("last_revision", "VARCHAR", "the last revision to change it"),
    ),
    read_columns=(*_OBJECT_COLUMNS, Column("since", "BIGINT", "the revision that touched it last, of those new here")),
    keeps=("line", "object", "first_revision", "last_revision"),
    group="line",
    part="unit",
    open=_ObjectHeads,
    insert="""
        SELECT
            incoming.* EXCLUDE (since),
            first_revision,
            coalesce('r' || since, last_revision) AS last_revision
        FROM incoming JOIN replaced USING (line, object)
    """,
    insert_rare="""
        WITH RECURSIVE strange AS (SELECT line, object FROM incoming ANTI JOIN replaced USING (line, object)),
        path(line, source, until) AS (
            SELECT DISTINCT line, line, NULL::BIGINT FROM strange
            UNION ALL
            SELECT path.line, base.line, number(base.revision)
            FROM path
            JOIN revisions AS first ON first.line = path.source AND first.seq = 0
            JOIN revisions AS base ON base.revision = first.parent
        ),
        spans AS (
            SELECT path.line, changes.object, min(number(revision)) AS first, max(number(revision)) AS last
            FROM path
            JOIN revisions ON revisions.line = path.source AND (until IS NULL OR number(revision) <= until)
            JOIN changes USING (revision)
            WHERE changes.object IN (SELECT object FROM strange)
            GROUP BY ALL
        )
        SELECT
            incoming.* EXCLUDE (since),
            coalesce(replaced.first_revision, 'r' || first) AS first_revision,
            coalesce('r' || since, replaced.last_revision, 'r' || last) AS last_revision
        FROM incoming LEFT JOIN replaced USING (line, object) LEFT JOIN spans USING (line, object)
    """,
)


GUTTERS = Followed(
    name="gutters",
    doc="One row per gutter at a line's head: the white between two neighbouring frames.",
    columns=(
        Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
        Column("unit", "VARCHAR", "the unit it is on"),
        Column("first", "VARCHAR", "the frame that is read before the other"),
        Column("second", "VARCHAR", "the other frame"),
        Column("direction", "VARCHAR", "across between frames side by side, down between one above and one below"),
        Column("width", "DOUBLE", "least distance between their outlines, in millimetres"),
        Column("length", "DOUBLE", "how far they face each other, in millimetres"),
    ),
    group="line",
    part="unit",
    open=_GutterHeads,
)

CAST = Followed(
    name="frame_cast",
    doc="One row per character or prop that is to be seen in a frame, at a line's head.",
    columns=(
        Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
        Column("unit", "VARCHAR", "the unit the frame is on"),
        Column("frame", "VARCHAR", "the frame"),
        Column("who", "VARCHAR", "the entry of the library"),
        Column("look", "VARCHAR", "which of its looks; NULL for its usual one"),
    ),
    group="line",
    part="unit",
    open=_CastHeads,
)

MARKS = Followed(
    name="marks",
    doc="One row per face or focus that is marked in a picture, at a line's head.",
    columns=(
        Column("line", "VARCHAR", "a chapter's working line, or a draft such as d7"),
        Column("unit", "VARCHAR", "the unit the picture is on"),
        Column("object", "VARCHAR", "the image or overlay"),
        Column("number", "INTEGER", "its place among the picture's marks, from 1"),
        Column("kind", "VARCHAR", "face or focus"),
        Column("who", "VARCHAR", "the entry of the library it shows; NULL where that is not said"),
        Column("left", "DOUBLE", "left edge, as a share of the whole picture's width"),
        Column("top", "DOUBLE", "top edge, as a share of its height"),
        Column("right", "DOUBLE", "right edge"),
        Column("bottom", "DOUBLE", "bottom edge"),
    ),
    group="line",
    part="unit",
    open=_MarkHeads,
)

PROJECTORS = (UNITS, OBJECTS, GUTTERS, CAST, MARKS)
