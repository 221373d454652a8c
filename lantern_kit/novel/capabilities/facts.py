"""``facts.read``: what is true, as commits made it so, each with the paragraph it stands in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from lantern_kit.kernel.answer import In, Out, Start, cut
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.canon import canon
from lantern_kit.novel.capabilities.registry import observes
from lantern_kit.novel.capabilities.services import services
from lantern_kit.novel.capabilities.telling import told
from lantern_kit.novel.model import READER
from lantern_kit.novel.whole import Novel

KINDS = ("states", "relations", "variables", "knowledge", "foreshadows", "events")
Of = Literal["states", "relations", "variables", "knowledge", "foreshadows", "events"]


class FactsIn(In):
    """Which facts."""

    kinds: Annotated[list[Of], Field(max_length=6, description="none: all; of events the last ones first")] = Field(
        default_factory=list
    )
    person: Annotated[str, Field(max_length=60, description="only of this person, or reader")] = ""
    start: Start = 1


class FactsOut(Out):
    """Facts, each with its source."""

    content: int
    rows: list[dict[str, Any]]
    next: int | None = None


@observes("facts.read", summary="What commits made true, with sources.", input=FactsIn, output=FactsOut)
def read(call: Call) -> Reply:
    """Carry it out."""
    args, novel = call.args, services(call).now
    if args.person and args.person != READER:
        novel.person(args.person)
    taken, more = cut(_rows(novel, args.kinds or list(KINDS), args.person), args.start)
    answer = FactsOut(content=novel.head.content_revision, rows=taken, next=more)
    return Reply(answer.facts(), scope=novel.head.id, target=novel.head.id, summary=counted(len(taken), "fact"))


def _rows(novel: Novel, kinds: list[str], person: str) -> Iterable[dict[str, Any]]:
    true = canon(novel)
    held: dict[str, Iterable[Any]] = {
        "states": true.states.values(),
        "relations": true.relations.values(),
        "variables": true.variables.values(),
        "knowledge": true.knowledge,
        "foreshadows": novel.foreshadows.values(),
        "events": reversed(true.events),
    }
    for kind in dict.fromkeys(kinds):
        for item in held[kind]:
            if not person or person in _concerned(item):
                yield {"fact": kind, **told(item)}


def _concerned(item: Any) -> set[str]:
    single = {getattr(item, name, None) for name in ("person", "to", "who")}
    return {name for name in {*single, *getattr(item, "people", ())} if name}
