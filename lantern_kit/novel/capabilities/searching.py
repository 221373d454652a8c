"""``body.search`` and ``memory.search``: committed prose, and what it made true, by words (seed 004, 8.2, 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import In, Out, Start, cut
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.novel.capabilities.registry import observes
from lantern_kit.novel.capabilities.services import NovelServices, services
from lantern_kit.novel.model import Delta, Source
from lantern_kit.novel.whole import Novel, committed

MOST = 500
"""Hits of one search at most."""
AROUND = 120
"""Characters of a paragraph that a hit shows before and after the first word."""


class SearchIn(In):
    """Words, each of which must be there."""

    words: Annotated[str, Field(min_length=1, max_length=200, description="each of them, parted by blanks")]
    chapter: Annotated[str, Field(max_length=60, description="only in this one")] = ""
    start: Start = 1


class SearchOut(Out):
    """Hits, with their place."""

    hits: list[dict[str, Any]]
    total: int
    next: int | None = None


@observes("body.search", summary="Find words in committed prose.", input=SearchIn, output=SearchOut)
def body(call: Call) -> Reply:
    """Carry it out."""
    return _found(call, _prose)


@observes("memory.search", summary="Find words in events, knowledge and relations.", input=SearchIn, output=SearchOut)
def memory(call: Call) -> Reply:
    """Carry it out."""
    return _found(call, _memory)


def _found(call: Call, rows: Any) -> Reply:
    args, held = call.args, services(call)
    novel = held.now
    chapter = novel.chapter(args.chapter).id if args.chapter else ""
    words = [word.casefold() for word in args.words.split()]
    hits = []
    for row, text in rows(held, novel, chapter):
        folded = text.casefold()
        if words and all(word in folded for word in words):
            at = max(0, folded.find(words[0]) - AROUND)
            hits.append({**row, "text": text[at : at + 2 * AROUND]})
            if len(hits) == MOST:
                break
    taken, more = cut(hits, args.start)
    answer = SearchOut(hits=taken, total=len(hits), next=more)
    return Reply(answer.facts(), scope=held.novel, target=held.novel, summary=f"{len(hits)} hits")


def _prose(held: NovelServices, novel: Novel, chapter: str) -> Iterator[tuple[dict[str, Any], str]]:
    for own, unit in novel.reading():
        if chapter in {"", own.id}:
            made = committed(unit)
            for number, text in enumerate(held.service.paragraphs(novel, made.id)):
                yield {"at": str(Source(commit=made.id, paragraph=number)), "chapter": own.id, "unit": unit.id}, text


def _memory(held: NovelServices, novel: Novel, chapter: str) -> Iterator[tuple[dict[str, Any], str]]:
    names = {item.id: item.name for item in novel.people.values()}
    for unit in novel.commits.values():
        if chapter in {"", unit.chapter}:
            for kind, text, source in _remembered(committed(unit).delta, names):
                yield {"fact": kind, "at": str(source), "chapter": unit.chapter}, text
    for item in novel.foreshadows.values():
        if not chapter or chapter in {item.plant, item.resolve}:
            yield {"fact": "foreshadow", "id": item.id, "state": item.state.value}, item.what


def _remembered(delta: Delta, names: dict[str, str]) -> Iterator[tuple[str, str, Source]]:
    def name(who: str) -> str:
        return names.get(who, who)

    yield from (("event", item.what, item.source) for item in delta.events)
    yield from (("knowledge", f"{name(item.who)}: {item.what}", item.source) for item in delta.knowledge)
    yield from (
        ("relation", f"{name(item.person)} → {name(item.to)}: {item.what}", item.source) for item in delta.relations
    )
    yield from (("state", f"{name(item.person)} {item.aspect}: {item.value}", item.source) for item in delta.states)
    yield from (("variable", f"{item.name}: {item.value}", item.source) for item in delta.variables)
