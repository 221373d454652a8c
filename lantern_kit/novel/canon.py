"""What is true: the facts of all commits, the later ones over the earlier (seed 004, 8.2). Plans are no part of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lantern_kit.novel.model import Event, Knowledge, PersonState, Relation, Unit, Variable
from lantern_kit.novel.whole import Novel, committed

LIFE = "life"
"""The aspect that says whether somebody is alive, dead or missing."""


@dataclass(frozen=True)
class Canon:
    """What is true after some commits."""

    states: Mapping[tuple[str, str], PersonState]
    """By person and aspect, the newest."""
    relations: Mapping[tuple[str, str], Relation]
    """By person and the other, the newest."""
    variables: Mapping[str, Variable]
    """By name, the newest."""
    knowledge: tuple[Knowledge, ...]
    """All that anybody came to know, in order."""
    events: tuple[Event, ...]
    """All that happened, in order."""

    def state(self, person: str, aspect: str) -> str:
        """How somebody is; empty where nothing was told."""
        found = self.states.get((person, aspect))
        return "" if found is None else found.value

    def known_to(self, who: str) -> list[Knowledge]:
        """What a person, or the reader, came to know."""
        return [item for item in self.knowledge if item.who == who]


def canon(novel: Novel, *, before: str | None = None) -> Canon:
    """What is true in a novel, or was before one commit."""
    return fold(_until(novel, before))


def _until(novel: Novel, before: str | None) -> Iterable[Unit]:
    for name, unit in novel.commits.items():
        if name == before:
            return
        yield unit


def fold(units: Iterable[Unit]) -> Canon:
    """What the commits of some units make true, in their order."""
    states: dict[tuple[str, str], PersonState] = {}
    relations: dict[tuple[str, str], Relation] = {}
    variables: dict[str, Variable] = {}
    knowledge: list[Knowledge] = []
    events: list[Event] = []
    for unit in units:
        facts = committed(unit).delta
        states.update(((item.person, item.aspect), item) for item in facts.states)
        relations.update(((item.person, item.to), item) for item in facts.relations)
        variables.update((item.name, item) for item in facts.variables)
        knowledge += facts.knowledge
        events += facts.events
    return Canon(states, relations, variables, tuple(knowledge), tuple(events))
