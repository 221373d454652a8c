"""The analysis tables of annotations; each reference against the work as it stands when the tables are brought up."""

from __future__ import annotations

from collections.abc import Iterator

from lantern_kit.analysis.registry import Column, Mirrored, Row
from lantern_kit.comic import annotation_rows
from lantern_kit.comic.annotation import resolve
from lantern_kit.comic.book import Book, Source
from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.documents import Documents, Root
from lantern_kit.kernel.engine import Connection

HEADS = "SELECT id, head FROM lines WHERE id IN (SELECT id FROM chapters) ORDER BY id"
"""Where chapters' working lines stand, in SQL."""


def _annotation_rows(connection: Connection) -> Iterator[Row]:
    for item in annotation_rows.every(connection):
        yield (
            item.id,
            item.state.value,
            item.body,
            item.created_at,
            None if item.draft is None else f"d{item.draft}",
            None if item.proposal is None else f"p{item.proposal}",
            item.chapter,
            item.actor,
            item.changed_at,
            list(item.attachments),
            len(item.messages),
        )


ANNOTATIONS = Mirrored(
    name="annotations",
    doc="One row per annotation: what a person wrote about the work.",
    columns=(
        Column("annotation", "VARCHAR", "the annotation"),
        Column("state", "VARCHAR", "open, claimed, awaiting, resolved or shelved"),
        Column("body", "VARCHAR", "the person's own words"),
        Column("created_at", "TIMESTAMP", "when it was written, in UTC"),
        Column("draft", "VARCHAR", "the draft in which an agent deals with it; NULL when none does"),
        Column("proposal", "VARCHAR", "the proposal that awaits the person's word; NULL when there is none"),
        Column("chapter", "VARCHAR", "the chapter it is about"),
        Column("actor", "VARCHAR", "who wrote it"),
        Column("changed_at", "TIMESTAMP", "when its words, references or state last changed, in UTC"),
        Column("attachments", "VARCHAR[]", "pictures that go with it, in order"),
        Column("messages", "INTEGER", "how much was said about it since"),
    ),
    read=_annotation_rows,
)


def _reference_rows(connection: Connection) -> Iterator[Row]:
    heads: dict[str, tuple[str, Book]] = {}

    def home(thing: str) -> str | None:
        rows = connection.exec_driver_sql("SELECT DISTINCT unit FROM changes WHERE object = ?", (thing,)).fetchall()
        return next((unit for (unit,) in rows if unit in book and thing in book.unit(unit).index), None)

    for item in annotation_rows.every(connection):
        if item.references and item.chapter not in heads:
            heads[item.chapter] = _head(connection, item.chapter)
        for position, made in enumerate(item.references, 1):
            revision, book = heads[item.chapter]
            found = resolve(made, book, home)
            x, y = (None, None) if found.point is None else map(millimetres, found.point)
            unit = None if found.unit is None else found.unit.id
            yield (
                item.id,
                position,
                made.kind.value,
                made.target,
                x,
                y,
                found.resolution.value,
                made.target_kind,
                unit,
                revision,
            )


def _head(connection: Connection, chapter: str) -> tuple[str, Book]:
    """The working line's revision and its content, units read when they are asked for."""
    documents = Documents()

    def read(name: bytes) -> bytes:
        return documents.get(connection, name)

    number, document = connection.exec_driver_sql(
        "SELECT r.id, r.document FROM lines AS l JOIN revisions AS r ON r.id = l.head WHERE l.id = ?", (chapter,)
    ).one()
    root = Root.parse(read(document))
    hashes = dict(documents.items(read, root.tree))
    facts = Chapter.model_validate_json(dumps(root.head))
    source = Source(lambda unit: Unit.model_validate_json(read(hashes[unit])), hashes)
    return f"r{number}", Book(facts, tuple(hashes), source)


ANNOTATION_REFERENCES = Mirrored(
    name="annotation_references",
    doc="One row per reference of an annotation, against the work as it stood when the tables were brought up to date.",
    columns=(
        Column("annotation", "VARCHAR", "the annotation"),
        Column("position", "INTEGER", "its place among the references, from 1"),
        Column("kind", "VARCHAR", "element or point"),
        Column("target", "VARCHAR", "the object, surface or unit it was made to"),
        Column(
            "x", "DOUBLE", "where it points now, in millimetres; of a missing target where it was; NULL without page"
        ),
        Column("y", "DOUBLE", "the same, downwards"),
        Column("resolution", "VARCHAR", "unchanged, changed or missing, by the target's fingerprint"),
        Column("target_kind", "VARCHAR", "frame, balloon …, surface or unit"),
        Column("unit", "VARCHAR", "the unit it lies on now; NULL when target and unit are gone"),
        Column("revision", "VARCHAR", "the working revision it was resolved against"),
    ),
    read=_reference_rows,
    depends=(
        "SELECT * FROM annotation_references ORDER BY id",
        "SELECT id, chapter FROM annotations ORDER BY created_at, id",
        HEADS,
    ),
)

PROJECTORS = (ANNOTATIONS, ANNOTATION_REFERENCES)
