"""Annotations as the journal keeps them: reading, writing and checking their rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from lantern_kit.comic.annotation import Annotation, Kind, Message, Reference, State
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.verify import Report

_COLUMNS = "id, chapter, body, state, actor, created_at, changed_at, draft, proposal"
_REFERENCE = "kind, target, target_kind, unit, surface, x, y, fallback_x, fallback_y, fingerprint"
_CHILDREN = ("annotation_references", "annotation_attachments", "annotation_messages")
_MARK = re.compile(r"[0-9a-z]{8}")


def find(connection: Connection, annotation: str) -> Annotation | None:
    """An annotation by id, or None."""
    found = _read(connection, "id = ?", (annotation,))
    return found[0] if found else None


def of_chapter(connection: Connection, chapter: str) -> list[Annotation]:
    """All annotations of a chapter, oldest first."""
    return _read(connection, "chapter = ?", (chapter,))


def of_proposal(connection: Connection, proposal: int) -> list[Annotation]:
    """All annotations that a proposal answers, oldest first."""
    return _read(connection, "proposal = ?", (proposal,))


def every(connection: Connection) -> list[Annotation]:
    """All annotations of a workspace, oldest first."""
    return _read(connection, "1", ())


def insert(connection: Connection, made: Annotation) -> None:
    """Write a new annotation."""
    connection.exec_driver_sql(
        f"INSERT INTO annotations ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)",  # noqa: S608
        (
            made.id,
            made.chapter,
            made.body,
            made.state.value,
            made.actor,
            made.created_at,
            made.changed_at,
            made.draft,
            made.proposal,
        ),
    )
    refer(connection, made.id, made.references)
    attach(connection, made.id, made.attachments)


def refer(connection: Connection, annotation: str, references: Sequence[Reference]) -> None:
    """Put references in the place of those there are."""
    connection.exec_driver_sql("DELETE FROM annotation_references WHERE annotation = ?", (annotation,))
    rows: list[Sequence[Any]] = [
        (
            annotation,
            place,
            item.kind.value,
            item.target,
            item.target_kind,
            item.unit,
            item.surface,
            *item.at,
            *item.fallback,
            item.fingerprint,
        )
        for place, item in enumerate(references, 1)
    ]
    connection.exec_driver_sql(
        f"INSERT INTO annotation_references (annotation, position, {_REFERENCE})"  # noqa: S608
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        rows,
    )


def attach(connection: Connection, annotation: str, assets: Sequence[str]) -> None:
    """Put attachments in the place of those there are."""
    connection.exec_driver_sql("DELETE FROM annotation_attachments WHERE annotation = ?", (annotation,))
    rows: list[Sequence[Any]] = [(annotation, place, asset) for place, asset in enumerate(assets, 1)]
    connection.exec_driver_sql("INSERT INTO annotation_attachments (annotation, position, asset) VALUES (?,?,?)", rows)


def say(connection: Connection, annotation: str, message: Message) -> None:
    """Add a message."""
    connection.exec_driver_sql(
        "INSERT INTO annotation_messages (annotation, actor_kind, actor, body, at) VALUES (?,?,?,?,?)",
        (annotation, message.actor_kind, message.actor, message.body, message.at),
    )


def reword(connection: Connection, annotation: str, body: str, at: int) -> None:
    """Give an annotation another body."""
    connection.exec_driver_sql("UPDATE annotations SET body = ?, changed_at = ? WHERE id = ?", (body, at, annotation))


def move(
    connection: Connection, annotation: str, state: State, at: int, *, draft: int | None, proposal: int | None
) -> None:
    """Bring an annotation into a state, with what it is linked to then."""
    connection.exec_driver_sql(
        "UPDATE annotations SET state = ?, draft = ?, proposal = ?, changed_at = ? WHERE id = ?",
        (state.value, draft, proposal, at, annotation),
    )


def delete(connection: Connection, annotation: str) -> None:
    """Take an annotation out for good, with everything that hangs on it."""
    for table in _CHILDREN:
        connection.exec_driver_sql(f"DELETE FROM {table} WHERE annotation = ?", (annotation,))  # noqa: S608
    connection.exec_driver_sql("DELETE FROM annotations WHERE id = ?", (annotation,))


def of_draft(connection: Connection, draft: int, states: Iterable[State]) -> list[str]:
    """Ids of the annotations that a draft holds in some states."""
    wanted = {state.value for state in states}
    rows = connection.exec_driver_sql(
        "SELECT id, state FROM annotations WHERE draft = ? ORDER BY created_at, rowid", (draft,)
    )
    return [annotation for annotation, state in rows if state in wanted]


def verify_annotations(connection: Connection, report: Report, tell: Progress = quiet) -> None:
    """Check that annotations are whole: states, links, and references in order to things of their chapter."""
    chapters = {row[0] for row in connection.exec_driver_sql("SELECT id FROM chapters")}
    assets = {row[0] for row in connection.exec_driver_sql("SELECT id FROM assets")}
    drafts = {row[0]: row[1:] for row in connection.exec_driver_sql("SELECT id, chapter, state FROM drafts")}
    proposals = {row[0]: row[1] for row in connection.exec_driver_sql("SELECT id, draft FROM proposals")}
    rows = connection.exec_driver_sql(f"SELECT {_COLUMNS} FROM annotations ORDER BY rowid").fetchall()  # noqa: S608
    known = {row[0] for row in rows}
    for annotation, chapter, _, state, _, _, _, draft, proposal in steps(rows, tell, "annotations"):
        held, stands = drafts.get(draft, ("", ""))
        faults = {
            "it belongs to no chapter of this workspace": chapter not in chapters,
            "its state is none that there is": state not in set(State),
            "it is linked to a draft that is not one of its chapter": draft is not None and held != chapter,
            "it is linked to a proposal that is not of its draft": proposal is not None
            and proposals.get(proposal) != draft,
            "it is claimed, and the draft that holds it is not open": state == State.CLAIMED and stands != "open",
            "it is open, and linked to a draft or proposal": state == State.OPEN and (draft, proposal) != (None, None),
            "it awaits a person's word on a proposal that it does not name": state == State.AWAITING
            and proposal is None,
        }
        for message, wrong in faults.items():
            if wrong:
                report.add(
                    "annotation",
                    str(annotation),
                    message,
                    chapters=str(chapter),
                    drafts=[] if draft is None else [f"d{draft}"],
                    proposals=[] if proposal is None else [f"p{proposal}"],
                )
        _verify_parts(connection, str(annotation), chapter, assets, report)
    for table in _CHILDREN:
        for (annotation,) in connection.exec_driver_sql(f"SELECT DISTINCT annotation FROM {table}").fetchall():  # noqa: S608
            if annotation not in known:
                report.add("annotation", str(annotation), f"{table} hold rows of it, and it is not there")
    report.count("annotations", len(rows))


def _verify_parts(connection: Connection, annotation: str, chapter: str, assets: set[str], report: Report) -> None:
    references = connection.exec_driver_sql(
        f"SELECT position, {_REFERENCE} FROM annotation_references WHERE annotation = ? ORDER BY position",  # noqa: S608
        (annotation,),
    ).fetchall()
    attached = connection.exec_driver_sql(
        "SELECT position, asset FROM annotation_attachments WHERE annotation = ? ORDER BY position", (annotation,)
    ).fetchall()
    for what, found in (("references", references), ("attachments", attached)):
        numbers, wanted = [row[0] for row in found], list(range(1, len(found) + 1))
        if numbers != wanted:
            message = f"its {what} are not numbered from 1 without a gap"
            report.add("annotation", annotation, message, expected=wanted, found=numbers, chapters=str(chapter))
    for position, asset in attached:
        if asset not in assets:
            message = f"attachment {position} is no asset of this workspace"
            report.add("annotation", annotation, message, assets=str(asset), chapters=str(chapter))
    for position, kind, target, _, unit, _, *shares, mark in references:
        where = {"objects": str(target), "units": str(unit), "chapters": str(chapter)}
        whole = kind in set(Kind) and (kind != Kind.POINT or target == unit) and all(type(n) is int for n in shares)
        if not whole or not _MARK.fullmatch(str(mark)):
            report.add("annotation", annotation, f"reference {position} cannot be read", **where)
        elif not _was_there(connection, chapter, unit):
            report.add("annotation", annotation, f"reference {position} is to nothing its chapter ever held", **where)


def _was_there(connection: Connection, chapter: str, unit: str) -> bool:
    """Whether a unit was ever on a line of a chapter."""
    return (
        connection.exec_driver_sql(
            "SELECT 1 FROM changes AS c JOIN revisions AS r ON r.id = c.revision JOIN lines AS l ON l.id = r.line"
            " WHERE c.object = ? AND l.root = ? LIMIT 1",
            (unit, chapter),
        ).fetchone()
        is not None
    )


def _read(connection: Connection, where: str, values: tuple[str | int, ...]) -> list[Annotation]:
    rows = connection.exec_driver_sql(
        f"SELECT {_COLUMNS} FROM annotations WHERE {where} ORDER BY created_at, rowid",  # noqa: S608
        values,
    ).fetchall()
    try:
        return [_annotation(connection, *row) for row in rows]
    except ValueError as error:
        raise Corrupt(f"a row of the annotations cannot be read: {error}") from error


def _annotation(
    connection: Connection,
    annotation: str,
    chapter: str,
    body: str,
    state: str,
    actor: str,
    created_at: int,
    changed_at: int,
    draft: int | None,
    proposal: int | None,
) -> Annotation:
    return Annotation(
        id=annotation,
        chapter=chapter,
        body=body,
        state=State(state),
        actor=actor,
        created_at=created_at,
        changed_at=changed_at,
        draft=draft,
        proposal=proposal,
        references=_references(connection, annotation),
        attachments=_attachments(connection, annotation),
        messages=_messages(connection, annotation),
    )


def _references(connection: Connection, annotation: str) -> tuple[Reference, ...]:
    rows = connection.exec_driver_sql(
        f"SELECT {_REFERENCE} FROM annotation_references WHERE annotation = ? ORDER BY position",  # noqa: S608
        (annotation,),
    )
    return tuple(
        Reference(Kind(kind), target, target_kind, unit, surface, (x, y), (fallback_x, fallback_y), mark)
        for kind, target, target_kind, unit, surface, x, y, fallback_x, fallback_y, mark in rows
    )


def _attachments(connection: Connection, annotation: str) -> tuple[str, ...]:
    rows = connection.exec_driver_sql(
        "SELECT asset FROM annotation_attachments WHERE annotation = ? ORDER BY position", (annotation,)
    )
    return tuple(row[0] for row in rows)


def _messages(connection: Connection, annotation: str) -> tuple[Message, ...]:
    rows = connection.exec_driver_sql(
        "SELECT actor_kind, actor, body, at FROM annotation_messages WHERE annotation = ? ORDER BY id", (annotation,)
    )
    return tuple(Message(*row) for row in rows)
