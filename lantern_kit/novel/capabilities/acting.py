"""``deduction.*``: a scene acted out by its people, by the kit's sub-agents or by the host's own (seed 004, 8.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import In, Key, Out
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import authors
from lantern_kit.novel.capabilities.services import NovelServices, desk, services
from lantern_kit.novel.deduction import CANDIDATE, Answer, Deduction
from lantern_kit.novel.edit.deduce import require_round
from lantern_kit.novel.errors import NovelCapability, NovelDeductionFailed
from lantern_kit.novel.model import Person

People = Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=40, description="pn_… who act")]
Situation = Annotated[str, Field(max_length=6_000, description="what all of them see and hear")]
Question = Annotated[str, Field(max_length=1_000, description="what each is asked")]


class ActIn(In):
    """Who acts, and in what."""

    people: People
    situation: Situation
    question: Question = ""
    rounds: Annotated[int, Field(ge=1, le=12, description="each sees what the others did before")] = 1
    idempotency_key: Key


class ActOut(Out):
    """What they did: candidates."""

    deduction: str
    candidate: bool
    note: str
    rounds: list[dict[str, Any]]


def _act(call: Call) -> Deduction:
    """Have it acted, before the lock; each failure is asked again within the limit of retries."""
    args, held, own = call.args, services(call), desk(call)
    cast = held.cast
    if cast is None:
        raise NovelCapability(
            "this host has nobody of the kit's to act", ids=[held.novel], recovery="Use brief and record instead."
        )
    moment, people = own.deduce(args.people, args.rounds)
    made = held.deductions.begin(_new(held, people, args.situation, args.question))
    novel, attempts = moment.novel, moment.novel.config.limits.retries.attempts
    for _ in range(args.rounds):
        briefs = made.briefs(novel, held.reader)
        answers: dict[str, Answer] = {}
        for _attempt in range(attempts):
            waiting = {who: brief for who, brief in briefs.items() if who not in answers or not answers[who].ok}
            if not waiting:
                break
            answers |= {item.person: item for item in cast.play(made.id, waiting)}
        try:
            made.take(list(answers.values()))
        except NovelDeductionFailed as error:
            own.give_up_deduction(error.ids)
            raise
    return made


@authors(
    "deduction.act",
    summary="Have people of the story say what they would do, each by what they know alone.",
    input=ActIn,
    output=ActOut,
    prepare=_act,
)
def act(call: Call) -> Reply:
    """Carry it out."""
    return _told(call, call.prepared)


class BriefIn(In):
    """Who acts, and in what; or a further round of a deduction that is on."""

    deduction: Annotated[str, Field(max_length=60, description="brief: dd_… for its next round; record: which")] = ""
    people: People = Field(default_factory=list)
    situation: Situation = ""
    question: Question = ""
    idempotency_key: Key


class BriefOut(Out):
    """What each is told: hand each to a sub-agent of its own, without tools."""

    deduction: str
    round: int
    briefs: list[dict[str, str]]


@authors(
    "deduction.brief",
    summary="The briefs of people who are to act a scene out: each only what that one knows.",
    input=BriefIn,
    output=BriefOut,
)
def briefs(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    own = desk(call)
    if args.deduction and (args.people or args.situation):
        raise BadInput("a further round has the people and the situation it began with", expected="deduction alone")
    if args.deduction:
        made = held.deductions.get(args.deduction)
        novel = held.now
        require_round(novel, len(made.rounds) + 1)
    else:
        moment, people = own.deduce(args.people, 1, call.transaction)
        novel = moment.novel
        made = held.deductions.begin(_new(held, people, args.situation, args.question))
    names = {person.id: person.name for person in made.people}
    rows = [{"person": who, "name": names[who], "brief": text} for who, text in made.briefs(novel, held.reader).items()]
    answer = BriefOut(deduction=made.id, round=len(made.rounds) + 1, briefs=rows)
    return Reply(
        answer.facts(), scope=held.novel, target=made.id, summary=f"briefs for {counted(len(rows), 'person', 'people')}"
    )


class RecordIn(In):
    """What they answered, and who failed."""

    deduction: Annotated[str, Field(max_length=60, description="dd_… of brief")]
    answers: Annotated[list[dict[str, Any]], Field(max_length=40, description="record: {person, answer} of each")] = (
        Field(default_factory=list)
    )
    failures: Annotated[
        list[dict[str, Any]], Field(max_length=40, description="record: {person, why} of each who failed")
    ] = Field(default_factory=list)
    idempotency_key: Key


def _record(call: Call) -> Deduction:
    """Take a round, before the lock: a failure is kept even though the call is refused."""
    args, held, own = call.args, services(call), desk(call)
    made = held.deductions.get(args.deduction)
    answers = [Answer(_text(item, "person"), _text(item, "answer")) for item in args.answers]
    answers += [Answer(_text(item, "person"), _text(item, "why"), ok=False, code="host") for item in args.failures]
    odd = [item.person for item in answers if item.person not in {person.id for person in made.people}]
    if odd:
        raise BadInput("only those who act answer", expected=[person.id for person in made.people], found=odd[0][:60])
    require_round(held.now, len(made.rounds) + 1)
    try:
        made.take(answers)
    except NovelDeductionFailed as error:
        if made.failed >= held.now.config.limits.retries.attempts:
            own.give_up_deduction(error.ids)
        raise
    return made


@authors(
    "deduction.record",
    summary="Hand in what the host's own sub-agents answered, with failures; a round is whole or none.",
    input=RecordIn,
    output=ActOut,
    prepare=_record,
)
def record(call: Call) -> Reply:
    """Carry it out."""
    return _told(call, call.prepared)


def _new(held: NovelServices, people: Sequence[Person], situation: str, question: str) -> Deduction:
    return Deduction(held.service.ids.new("dd"), tuple(people), situation, question)


def _told(call: Call, made: Deduction) -> Reply:
    answer = ActOut(deduction=made.id, candidate=True, note=CANDIDATE, rounds=made.told())
    return Reply(
        answer.facts(),
        scope=services(call).novel,
        target=made.id,
        summary=f"a deduction by {counted(len(made.people), 'person', 'people')}",
    )


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    if not isinstance(value, str) or not set(item) <= {"person", "answer", "why"}:
        raise BadInput(f"an item says {name} as text", expected="person and answer, or person and why")
    return value
