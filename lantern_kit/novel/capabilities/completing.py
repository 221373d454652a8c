"""``chapter.complete`` and ``novel.finish``: looked at by the kit, never taken on trust."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lantern_kit.kernel.answer import In, Key, Out
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import authors
from lantern_kit.novel.capabilities.services import desk

Content = Annotated[int, Field(ge=0, description="content revision you went by")]


class ChapterIn(In):
    """Which chapter, and why it is complete."""

    chapter: Annotated[str, Field(max_length=60, description="id of the chapter")]
    expected_content: Content
    evidence: Annotated[str, Field(max_length=4_000, description="how it reaches its purpose")]
    open_ends: Annotated[
        list[Annotated[str, Field(max_length=4_000)]], Field(max_length=100, description="what stays open")
    ]
    idempotency_key: Key


class ChapterOut(Out):
    """The chapter."""

    completed: str
    title: str
    characters: int
    revision: str
    """From which on that is kept."""


@authors(
    "chapter.complete",
    summary="Complete the chapter that is asked for, if all its scenes are done.",
    input=ChapterIn,
    output=ChapterOut,
)
def complete(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    moment, made = desk(call).complete_chapter(
        args.chapter, args.expected_content, args.evidence, args.open_ends, call.transaction
    )
    novel = moment.novel
    written = sum(unit.commit.characters for unit in novel.units_of(made.id) if unit.commit is not None)
    return Reply(
        ChapterOut(completed=made.id, title=made.title, characters=written, revision=moment.id).facts(),
        scope=novel.head.id,
        target=made.id,
        summary="completed a chapter",
        revision=moment.revision.number,
    )


class FinishIn(In):
    """Where the ending is, and why the story is whole."""

    expected_content: Content
    expected_outline: Annotated[int, Field(ge=0, description="outline revision you went by")]
    ending: Annotated[str, Field(max_length=60, description="cm_… with the ending")]
    evidence: Annotated[str, Field(max_length=4_000, description="how story and main conflict end")]
    idempotency_key: Key


class FinishOut(Out):
    """The novel, completed."""

    finished: str
    status: str
    characters: int
    revision: str
    """To export it as it is now."""


@authors(
    "novel.finish",
    summary="Complete the novel, if chapters, foreshadows, instructions, ending and length all agree.",
    input=FinishIn,
    output=FinishOut,
)
def finish(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    moment, novel = desk(call).finish(
        args.expected_content, args.expected_outline, args.ending, args.evidence, call.transaction
    )
    head = novel.head
    answer = FinishOut(finished=head.id, status=head.run.status.value, characters=head.characters, revision=moment.id)
    return Reply(
        answer.facts(),
        scope=head.id,
        target=head.id,
        summary=f"completed the novel of {counted(head.characters, 'character')}",
        revision=moment.revision.number,
    )
