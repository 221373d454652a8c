"""What can be found in a novel: its paragraphs and facts under names that stay, and its books' entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.novel.lore import content
from lantern_kit.novel.model import (
    READER,
    Asset,
    AssetKind,
    Event,
    Fact,
    ForeshadowMove,
    Knowledge,
    PersonState,
    Relation,
    Unit,
    Variable,
)
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel, committed


class Kind(StrEnum):
    """What can be found."""

    PROSE = "prose"
    EVENT = "event"
    STATE = "state"
    RELATION = "relation"
    KNOWLEDGE = "knowledge"
    VARIABLE = "variable"
    FORESHADOW = "foreshadow"
    LORE = "lore"
    """Entries of the books the novel was begun with: no part of what is true in it, and found only when asked for."""


CANON = frozenset(Kind) - {Kind.LORE}


@dataclass(frozen=True)
class Findable:
    """One thing that can be found."""

    id: str
    kind: Kind
    commit: str
    """The commit that says it; empty for lore."""
    place: str
    """Where it stands: a source; of lore, the book and the entry."""
    text: str


def names(novel: Novel) -> str:
    """What the wording of facts depends on, besides their commits."""
    people = [[person.id, person.name] for person in novel.people.values()]
    return digest(dumps([people, [[item.id, item.what] for item in novel.foreshadows.values()]])).hex()


def everything(novel: Novel, service: NovelService) -> Iterator[Findable]:
    """All there is. Raises NotFound, NovelStorageCorruption."""
    yield from lore_entries(novel, service)
    for commit, unit in novel.commits.items():
        yield from prose_entries(commit, service.paragraphs(novel, commit))
        yield from fact_entries(novel, unit)


def prose_entries(commit: str, paragraphs: Sequence[str]) -> Iterator[Findable]:
    """The paragraphs of a commit."""
    for number, text in enumerate(paragraphs):
        yield Findable(f"{commit}:{number}", Kind.PROSE, commit, f"{commit}:{number}", text)


def worded(novel: Novel, fact: Fact) -> tuple[Kind, str]:
    """What a commit made true, in words, with the names people have now."""

    def name(person: str) -> str:
        return person if person == READER or person not in novel.people else novel.people[person].name

    match fact:
        case Event():
            who = ", ".join(name(person) for person in fact.people)
            return Kind.EVENT, f"{fact.what} ({who})" if who else fact.what
        case PersonState():
            return Kind.STATE, f"{name(fact.person)}, {fact.aspect}: {fact.value}"
        case Relation():
            return Kind.RELATION, f"{name(fact.person)} → {name(fact.to)}: {fact.what}"
        case Knowledge():
            return Kind.KNOWLEDGE, f"{name(fact.who)}: {fact.what}"
        case Variable():
            return Kind.VARIABLE, f"{fact.name} = {fact.value}"
        case ForeshadowMove():
            held = novel.foreshadows.get(fact.foreshadow)
            return Kind.FORESHADOW, f"{fact.foreshadow if held is None else held.what} ({fact.move.value})"


def fact_entries(novel: Novel, unit: Unit) -> Iterator[Findable]:
    """The facts of a commit: each named by its place among them, whichever paragraph it stands in."""
    commit = committed(unit).id
    for number, fact in enumerate(committed(unit).delta.facts()):
        kind, text = worded(novel, fact)
        yield Findable(f"{commit}/{number}", kind, commit, str(fact.source), text)


def lore_entries(novel: Novel, service: NovelService) -> Iterator[Findable]:
    """The entries of all books. Raises NovelStorageCorruption."""
    for asset in novel.assets.values():
        if asset.kind is AssetKind.BOOK:
            yield from _entries(asset, service)


def _entries(asset: Asset, service: NovelService) -> Iterator[Findable]:
    for number, entry in enumerate(content(asset, service.blobs)["entries"]):
        text = "\n".join(part for part in (entry["title"], ", ".join(entry["keys"]), entry["content"]) if part)
        if entry["enabled"] and text:
            yield Findable(f"{asset.id}/{number}", Kind.LORE, "", f"{asset.id}:{entry['id']}", text)
