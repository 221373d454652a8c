"""What authors commit beside prose: how far the scene is, and what became true, with paragraphs (seed 004, 10.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from lantern_kit.kernel.canonical import EXACT, digest, dumps
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.novel.model import (
    READER,
    Delta,
    Event,
    ForeshadowMove,
    Knowledge,
    Move,
    PersonState,
    Relation,
    Source,
    Unit,
    Variable,
)
from lantern_kit.novel.model.values import Line, Text
from lantern_kit.novel.plan import FindingOverrideIn, In
from lantern_kit.novel.prose import Prose, paragraph_of
from lantern_kit.novel.whole import Novel, committed


def _at(given: int | str) -> int | str:
    """A place as it is always written, so that the same content is known again."""
    commit, _, number = str(given).rpartition(":")
    place = paragraph_of(number)
    if place is None:
        return given
    return f"{commit}:{place}" if commit else place


At = Annotated[
    Annotated[int, Field(strict=True, ge=0, lt=EXACT)] | Annotated[str, Field(max_length=60)],
    AfterValidator(_at),
    Field(description="the paragraph it stands in, from 0; or cm_…:2, a paragraph of earlier prose"),
]
_MOST = 200


class EventIn(In):
    """Something that happened."""

    what: Annotated[Text, Field(min_length=1)]
    people: Annotated[tuple[str, ...], Field(max_length=40)] = ()
    at: At


class StateIn(In):
    """How somebody is from now on."""

    person: str
    aspect: Annotated[Line, Field(min_length=1, max_length=60, description="life (alive, dead, missing), place, …")]
    value: Annotated[Line, Field(min_length=1)]
    at: At


class RelationIn(In):
    """How somebody stands to another from now on."""

    person: str
    to: str
    what: Annotated[Text, Field(min_length=1)]
    at: At


class KnowledgeIn(In):
    """What somebody came to know."""

    who: Annotated[str, Field(description="a person, or reader")]
    what: Annotated[Text, Field(min_length=1)]
    at: At


class VariableIn(In):
    """An exact value from now on."""

    name: Annotated[Line, Field(min_length=1, max_length=120)]
    value: StrictBool | Annotated[StrictInt, Field(gt=-EXACT, lt=EXACT)] | Line
    at: At


class ForeshadowMoveIn(In):
    """A foreshadow planted or taken up."""

    foreshadow: str
    move: Literal["planted", "resolved"]
    at: At


class Facts(In):
    """What the prose makes true; nothing that did not happen in it."""

    events: Annotated[tuple[EventIn, ...], Field(max_length=_MOST)] = ()
    states: Annotated[tuple[StateIn, ...], Field(max_length=_MOST)] = ()
    relations: Annotated[tuple[RelationIn, ...], Field(max_length=_MOST)] = ()
    knowledge: Annotated[tuple[KnowledgeIn, ...], Field(max_length=_MOST)] = ()
    variables: Annotated[tuple[VariableIn, ...], Field(max_length=_MOST)] = ()
    foreshadows: Annotated[tuple[ForeshadowMoveIn, ...], Field(max_length=_MOST)] = ()


class ProgressIn(In):
    """How far the scene is with this piece."""

    done: bool
    evidence: Annotated[Text, Field(description="done: why its goal is reached")] = ""
    remaining: Annotated[Text, Field(description="not done: what of its goal is left")] = ""
    anchor: Annotated[Text, Field(description="not done: where the next piece takes it up")] = ""


class Content(In):
    """All that a commit says, without the prose."""

    scene: ProgressIn
    facts: Facts = Facts()
    overrides: Annotated[tuple[FindingOverrideIn, ...], Field(max_length=20)] = ()


def business_digest(unit: Unit, written: Prose, content: Content) -> str:
    """What makes two commits the same: prose, chapter, scene and facts; no attempt, token, time, key or excuse."""
    facts: Any = content.model_dump(mode="json", exclude={"overrides"})
    return digest(dumps([unit.id, unit.chapter, written.name, facts])).hex()


def require_whole(content: Content) -> None:
    """Refuse a commit that does not say how far its scene is. Raises BadInput."""
    scene = content.scene
    if scene.done and not scene.evidence.strip():
        raise BadInput("scene.evidence: say why the scene's goal is reached")
    if not scene.done and not (scene.remaining.strip() and scene.anchor.strip()):
        raise BadInput("scene: of one that is not done, say what remains and where the next piece takes it up")


def delta(novel: Novel, commit: str, written: Prose, facts: Facts) -> Delta:
    """What a commit makes true, each fact with its full source. Raises BadInput, NotFound."""
    read = _Reader(novel, commit, len(written.paragraphs))
    return Delta(
        events=tuple(
            Event(what=item.what, people=read.people(item.people), source=read.source(item.at)) for item in facts.events
        ),
        states=tuple(
            PersonState(
                person=read.person(item.person), aspect=item.aspect, value=item.value, source=read.source(item.at)
            )
            for item in facts.states
        ),
        relations=tuple(
            Relation(
                person=read.person(item.person), to=read.person(item.to), what=item.what, source=read.source(item.at)
            )
            for item in facts.relations
        ),
        knowledge=tuple(
            Knowledge(
                who=READER if item.who == READER else read.person(item.who),
                what=item.what,
                source=read.source(item.at),
            )
            for item in facts.knowledge
        ),
        variables=tuple(
            Variable(name=item.name, value=item.value, source=read.source(item.at)) for item in facts.variables
        ),
        foreshadows=tuple(
            ForeshadowMove(
                foreshadow=read.foreshadow(item.foreshadow), move=Move(item.move), source=read.source(item.at)
            )
            for item in facts.foreshadows
        ),
    )


class _Reader:
    """Resolves what facts refer to."""

    def __init__(self, novel: Novel, commit: str, paragraphs: int) -> None:
        self._novel = novel
        self._commit = commit
        self._paragraphs = paragraphs

    def person(self, name: str) -> str:
        return self._novel.person(name).id

    def people(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(self.person(name) for name in names)

    def foreshadow(self, name: str) -> str:
        if name not in self._novel.foreshadows:
            raise NotFound(
                f"{name[:40]} is no foreshadow of this novel",
                ids=[name[:40]],
                expected=list(self._novel.foreshadows)[:20],
                recovery="Read the outline; foreshadows are planned there.",
            )
        return name

    def source(self, at: int | str) -> Source:
        commit, _, number = str(at).rpartition(":")
        most = self._paragraphs
        if commit:
            unit = self._novel.commits.get(commit)
            most = 0 if unit is None else committed(unit).paragraphs
        place = paragraph_of(number)
        if place is None or place >= most:
            raise BadInput(
                "a fact's source is a paragraph of this prose or of earlier prose",
                expected=f"0 to {most - 1}" if most else "a commit of this novel",
                found=str(at)[:60],
            )
        return Source(commit=commit or self._commit, paragraph=place)
