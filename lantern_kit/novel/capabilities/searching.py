"""``body.search`` and ``memory.search``: committed prose, and what it made true, by words (seed 004, 8.2, 11).

Of prose a hit is a place, to be read on with ``body.read``; of memory it is the whole of what is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import In, Out, Start, cut
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import observes
from lantern_kit.novel.capabilities.services import services
from lantern_kit.novel.capabilities.telling import shortened
from lantern_kit.novel.findable import CANON, Kind
from lantern_kit.novel.search import LONGEST, MOST_HITS, Hit

MEMORY = CANON - {Kind.PROSE}


class SearchIn(In):
    """Words, each of which must be there."""

    words: Annotated[str, Field(min_length=1, max_length=LONGEST, description="each of them, parted by blanks")]
    chapter: Annotated[str, Field(max_length=60, description="only in this one")] = ""
    start: Start = 1


class SearchOut(Out):
    """Hits with their place, the best first."""

    hits: list[dict[str, Any]]
    total: int
    next: int | None = None


@observes("body.search", summary="Find words in committed prose.", input=SearchIn, output=SearchOut)
def body(call: Call) -> Reply:
    """Carry it out."""
    return _found(call, {Kind.PROSE}, Hit.facts)


@observes("memory.search", summary="Find words in events, knowledge and relations.", input=SearchIn, output=SearchOut)
def memory(call: Call) -> Reply:
    """Carry it out."""
    return _found(call, MEMORY, _remembered)


def _remembered(hit: Hit) -> dict[str, Any]:
    facts = hit.facts()
    del facts["snippet"]
    return {**facts, "text": shortened(hit.text)}


def _found(call: Call, kinds: Collection[Kind], facts: Callable[[Hit], dict[str, Any]]) -> Reply:
    args, held = call.args, services(call)
    chapter = held.now.chapter(args.chapter).id if args.chapter else None
    found = held.search.find(held.novel, args.words, kinds=kinds, limit=MOST_HITS, chapter=chapter)
    taken, more = cut([facts(hit) for hit in found], args.start)
    answer = SearchOut(hits=taken, total=len(found), next=more)
    return Reply(answer.facts(), scope=held.novel, target=held.novel, summary=counted(len(found), "hit"))
