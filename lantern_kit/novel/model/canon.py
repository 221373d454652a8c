"""What a commit makes true: facts with the paragraphs they stand in (seed 004, 8.2)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field

from lantern_kit.novel.model.values import Id, Line, Record, Source, Text

READER: Final = "reader"
"""Who knows what the text told, beside the people of the story."""
_MOST = 200


class Event(Record):
    """Something that happened."""

    what: Text
    people: Annotated[tuple[Id, ...], Field(max_length=40)]
    source: Source


class PersonState(Record):
    """How somebody is from there on."""

    person: Id
    aspect: Annotated[Line, Field(min_length=1, max_length=60)]
    """``life`` (alive, dead, missing), ``place``, or any other that the novel keeps to."""
    value: Line
    source: Source


class Relation(Record):
    """How somebody stands to another from there on."""

    person: Id
    to: Id
    what: Text
    source: Source


class Knowledge(Record):
    """What somebody came to know: a person of the story, or the reader."""

    who: Id | Literal["reader"]
    what: Text
    source: Source


class Variable(Record):
    """An exact value from there on."""

    name: Annotated[Line, Field(min_length=1, max_length=120)]
    value: Line | int | bool
    source: Source


class Move(StrEnum):
    """What happens to a foreshadow."""

    PLANTED = "planted"
    RESOLVED = "resolved"


class ForeshadowMove(Record):
    """A foreshadow planted or taken up."""

    foreshadow: Id
    move: Move
    source: Source


Fact = Event | PersonState | Relation | Knowledge | Variable | ForeshadowMove
"""Anything that a commit makes true."""


class Delta(Record):
    """All that a commit changes in what is true."""

    events: Annotated[tuple[Event, ...], Field(max_length=_MOST)]
    states: Annotated[tuple[PersonState, ...], Field(max_length=_MOST)]
    relations: Annotated[tuple[Relation, ...], Field(max_length=_MOST)]
    knowledge: Annotated[tuple[Knowledge, ...], Field(max_length=_MOST)]
    variables: Annotated[tuple[Variable, ...], Field(max_length=_MOST)]
    foreshadows: Annotated[tuple[ForeshadowMove, ...], Field(max_length=_MOST)]

    def facts(self) -> Iterator[Fact]:
        """Every fact, in the one order by which facts of a commit are numbered."""
        yield from self.events
        yield from self.states
        yield from self.relations
        yield from self.knowledge
        yield from self.variables
        yield from self.foreshadows


NOTHING = Delta(events=(), states=(), relations=(), knowledge=(), variables=(), foreshadows=())
