"""``draft.pick``: things as they were at some revision, brought into a draft without the rest of it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.comic.capabilities.answer import LONGEST_NAME, DraftRef, Expected, In, Key, Out
from lantern_kit.comic.capabilities.noted import pictures
from lantern_kit.comic.capabilities.registry import changes_draft
from lantern_kit.comic.capabilities.services import services
from lantern_kit.comic.capabilities.told import summary
from lantern_kit.comic.diff import diff
from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.measure import counted
from lantern_kit.kernel.capability import (
    Call,
    Reply,
)
from lantern_kit.kernel.revision import revision_number

Name = Annotated[str, Field(min_length=4, max_length=LONGEST_NAME)]


class PickIn(In):
    """What to bring in, and from where."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key
    source: Annotated[str, Field(min_length=2, max_length=20, description="pick: revision they are taken from, r30")]
    things: Annotated[
        list[Name], Field(min_length=1, max_length=25, description="pick: ids of objects and units there")
    ]


class PickOut(Out):
    """Where the draft stands now, and what the pick changed."""

    draft: str
    revision: str
    words: list[dict[str, Any]]


@changes_draft(
    "draft.pick",
    summary="Bring objects and units into a draft as they were at any revision, with what they cannot stand without.",
    input=PickIn,
    output=PickOut,
    applies_to=("draft",),
)
def pick(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    expected, number = revision_number(args.expected_revision), revision_number(args.source)
    things = [parse_handle(name)[0] for name in args.things]
    before = held.comics.at(expected, call.transaction).book
    moment = held.drafts.pick(call.transaction, args.draft, expected, number, things, actor=call.actor)
    changes = diff(before, moment.book)
    words = summary(held, changes, before, moment.book)
    answer = PickOut(draft=args.draft, revision=moment.id, words=words)
    return Reply(
        answer.facts(),
        scope=moment.book.chapter.id,
        draft=args.draft,
        target=",".join(things[:5]),
        summary=f"{counted(len(things), 'thing')} as they were at r{number}",
        revision=moment.revision.number,
        assets=pictures(changes),
    )
