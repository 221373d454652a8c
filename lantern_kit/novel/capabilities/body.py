"""``body.read``: committed prose by chapter, unit and paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import BUDGET, In, Out, Start, cut
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import observes
from lantern_kit.novel.capabilities.services import NovelServices, services
from lantern_kit.novel.capabilities.telling import shortened
from lantern_kit.novel.model import Unit
from lantern_kit.novel.whole import Novel, committed


class BodyIn(In):
    """Which prose; without any of them all, in the order of reading."""

    chapter: Annotated[str, Field(max_length=60, description="id of a chapter")] = ""
    unit: Annotated[str, Field(max_length=60, description="nu_… or its cm_…")] = ""
    first: Annotated[int, Field(ge=0, description="of each unit, from this paragraph")] = 0
    last: Annotated[int, Field(ge=0, description="to this one")] = 10_000
    most: Annotated[int, Field(ge=100, le=BUDGET, description="tokens at most")] = BUDGET
    start: Start = 1


class BodyOut(Out):
    """Paragraphs, under the commits they stand in."""

    content: int
    units: list[dict[str, Any]]
    next: int | None = None


@observes("body.read", summary="Committed prose by chapter, unit and paragraph.", input=BodyIn, output=BodyOut)
def read(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    novel = held.now
    if args.first > args.last:
        raise BadInput("first is not after last", expected=f"at most {args.last}", found=args.first)
    taken, more = cut(
        _paragraphs(held, novel, _chosen(novel, args), args.first, args.last),
        args.start,
        budget=args.most,
        text=lambda row: str(row[2]),
    )
    units: list[dict[str, Any]] = []
    for unit, number, text in taken:
        made = committed(unit)
        if not units or units[-1]["commit"] != made.id:
            units.append(
                {
                    "chapter": unit.chapter,
                    "unit": unit.id,
                    "scene": unit.scene,
                    "commit": made.id,
                    "first": number,
                    "paragraphs": [],
                }
            )
        units[-1]["paragraphs"].append(text)
    answer = BodyOut(content=novel.head.content_revision, units=units, next=more)
    return Reply(
        answer.facts(),
        scope=novel.head.id,
        target=novel.head.id,
        summary=f"{counted(len(taken), 'paragraph')} of prose",
    )


def _chosen(novel: Novel, args: Any) -> list[Unit]:
    if args.unit:
        found = novel.commits.get(args.unit) or novel.unit(args.unit)
        if found.commit is None:
            raise NotFound(f"{args.unit[:40]} has no prose yet", ids=[found.id], recovery="Read one that is committed.")
        return [found]
    if args.chapter:
        return novel.units_of(novel.chapter(args.chapter).id)
    return [unit for _, unit in novel.reading()]


def _paragraphs(
    held: NovelServices, novel: Novel, units: list[Unit], first: int, last: int
) -> Iterator[tuple[Unit, int, str]]:
    for unit in units:
        texts = held.service.paragraphs(novel, committed(unit).id)
        for number in range(first, min(last + 1, len(texts))):
            yield unit, number, shortened(texts[number])
