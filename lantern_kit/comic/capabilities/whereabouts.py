"""What an id is that is not where somebody looked for it: of another chapter or draft, removed, or of another kind."""

from __future__ import annotations

from lantern_kit.comic.capabilities.services import ComicServices
from lantern_kit.comic.measure import a
from lantern_kit.kernel.errors import LanternError, NotFound

NOTHING = "is nothing in this chapter"
_NEWEST = (
    "SELECT c.object_kind, c.unit, c.change, r.id, r.line, l.root FROM changes AS c JOIN revisions AS r"
    " ON r.id = c.revision JOIN lines AS l ON l.id = r.line WHERE c.object = ? ORDER BY c.id DESC LIMIT 1"
)


def whereabouts(held: ComicServices, name: str, *, chapter: str = "") -> NotFound | None:
    """An error that says what an id is, where that is known.

    Args:
        held: the services.
        name: a bare id.
        chapter: where it was looked for.
    """
    if name.startswith("as_"):
        return _asset(held, name)
    known = {record.id: f"{record.comic} {record.number}" for record in held.comics.chapters()}
    if name in known:
        return NotFound(
            f"{name} is a chapter, {known[name]}",
            ids=[name],
            recovery=f"Use it as source, or name a unit or object of {chapter or 'it'}.",
        )
    with held.comics.journal.read() as connection:
        row = connection.exec_driver_sql(_NEWEST, (name,)).fetchone()
    if row is None:
        return None
    kind, unit, change, revision, line, root = row
    what = a(kind)
    place = "" if unit == name else f" on {unit}"
    if root != chapter:
        return NotFound(
            f"{name} is {what}{place} of another chapter, {known.get(root, '')} ({root})",
            ids=[name, root],
            recovery=f"Say source {root} if that is meant.",
        )
    if change == "removed":
        return NotFound(
            f"{name} was {what}{place}, removed in r{revision} of {line}",
            ids=[name],
            recovery="manage_draft pick brings it back from an earlier revision.",
        )
    return NotFound(
        f"{name} is {what}{place}, and not in this state of the chapter: {line} has it as of r{revision}",
        ids=[name, line],
        recovery=f"Say source {line} if that is meant.",
    )


def _asset(held: ComicServices, name: str) -> NotFound | None:
    try:
        held.assets.get(name)
    except LanternError:
        return None
    return NotFound(f"{name} is a picture, not an object on a page", ids=[name], recovery="read_asset shows it.")


def explained(held: ComicServices, error: NotFound, chapter: str) -> NotFound:
    """An error about an id that is nothing in a chapter, with what it is instead where that is known."""
    where, nothing, _ = error.message.partition(f"{error.ids[0]} {NOTHING}" if error.ids else NOTHING)
    known = whereabouts(held, error.ids[0], chapter=chapter) if nothing and error.ids else None
    if known is not None:
        error.message, error.ids, error.recovery = f"{where}{known.message}", known.ids, known.recovery
    return error
