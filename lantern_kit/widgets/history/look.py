"""What a person wants to see of a history: the filters, and which revisions go through them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.widgets.history.step import Step, Tale

Word = Annotated[str, Field(max_length=120)]
MOST = 2_000
"""Runs that are open at once."""


class Look(BaseModel):
    """Filters; each that is given must hold. The default shows everything, with long runs folded."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    since: int | None = None
    """Milliseconds since 1970: from this moment on."""
    until: int | None = None
    """Before this moment."""
    actors: tuple[Word, ...] = Field((), max_length=200)
    """Any of these, as ``person:mina``."""
    causes: tuple[Word, ...] = Field((), max_length=50)
    """Any of these."""
    lines: Literal["all", "work", "drafts"] = "all"
    text: str = Field("", max_length=200)
    """In a message, a title or a summary; capitals do not matter."""
    touches: Word = ""
    """The id of an object or a unit that was changed."""
    fold: bool = True
    """Show a long run of one agent's edits in a draft as one row."""
    opened: tuple[int, ...] = Field((), max_length=MOST)
    """Runs shown in full all the same, each by its oldest revision."""


def sift(tale: Tale, look: Look, touching: Collection[int] | None = None) -> list[Step]:
    """The revisions that a look shows, oldest first; ``touching`` are those that touch what it names."""
    tests: list[Callable[[Step], bool]] = []
    if look.lines != "all":
        drafts = look.lines == "drafts"
        tests.append(lambda step: (step.branch != 0) == drafts)
    if look.since is not None:
        since = look.since
        tests.append(lambda step: step.at >= since)
    if look.until is not None:
        until = look.until
        tests.append(lambda step: step.at < until)
    if look.actors:
        actors = set(look.actors)
        tests.append(lambda step: f"{step.kind}:{step.actor}" in actors)
    if look.causes:
        causes = set(look.causes)
        tests.append(lambda step: step.cause in causes)
    if look.text.strip():
        wanted = look.text.strip().casefold()
        tests.append(lambda step: _says(tale, step, wanted))
    if touching is not None:
        tests.append(lambda step: step.number in touching)
    return [step for step in tale.steps if all(test(step) for test in tests)]


def _says(tale: Tale, step: Step, wanted: str) -> bool:
    if wanted in step.message.casefold() or wanted == step.id:
        return True
    return any(wanted in str(mark.get("words", "")).casefold() for mark in tale.marks.get(step.number, ()))


class Touched:
    """Which revisions changed a thing, looked up once."""

    KEPT = 8

    def __init__(self, journal: Journal, chapter: str) -> None:
        self._journal = journal
        self._chapter = chapter
        self._found: dict[tuple[str, str], frozenset[int]] = {}

    def by(self, thing: str, stamp: str) -> frozenset[int]:
        """The revisions that changed an object, or a unit with all that lies on it, by its bare id."""
        key = (thing, stamp)
        found = self._found.get(key)
        if found is None:
            with self._journal.read() as connection:
                found = frozenset(_touching(connection, self._chapter, thing))
            while len(self._found) >= self.KEPT:
                self._found.pop(next(iter(self._found)))
            self._found[key] = found
        return found


def _touching(connection: Connection, chapter: str, thing: str) -> list[int]:
    column = "unit" if thing.startswith("un_") else "object"
    rows = connection.exec_driver_sql(
        f"SELECT DISTINCT c.revision FROM changes AS c JOIN revisions AS r ON r.id = c.revision WHERE c.{column} = ?"  # noqa: S608
        " AND r.line IN (SELECT id FROM lines WHERE root = ?)",
        (thing, chapter),
    )
    return [row[0] for row in rows]
