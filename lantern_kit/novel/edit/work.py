"""Work: prepared by the kit, asked of an author, and ended with its turn (seed 004, 12.1, 13)."""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.kernel.errors import WrongState
from lantern_kit.novel.edit.stamp import Stamp, require_work
from lantern_kit.novel.errors import NovelStaleUnit
from lantern_kit.novel.length import unit_room
from lantern_kit.novel.model import (
    ATTEMPTS_KEPT,
    PLANNING,
    Attempt,
    AttemptEnd,
    Intent,
    IntentState,
    Pause,
    Phase,
    SceneState,
    Status,
    Unit,
    UnitState,
    WorkKind,
)
from lantern_kit.novel.model.values import LONGEST_TEXT, as_line
from lantern_kit.novel.schedule import Halt, Work, next_work
from lantern_kit.novel.whole import Novel, changed

_PHASES = {
    WorkKind.OUTLINE_CREATE: Phase.OUTLINING,
    WorkKind.OUTLINE_REVISE: Phase.REVISING,
    WorkKind.WRITE_UNIT: Phase.WRITING,
    WorkKind.CHAPTER_COMPLETE: Phase.WRITING,
    WorkKind.FINISH: Phase.FINISHING,
}


@dataclass(frozen=True)
class Usage:
    """What a turn took, as far as its host tells."""

    milliseconds: int
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


def prepare(novel: Novel, stamp: Stamp) -> tuple[Novel, Intent | Halt]:
    """The next work, kept in the novel before anybody is asked for it; a halt with a reason pauses the novel.

    Work that is under way stays what it is, and its turn may end, whatever limit is reached by it.
    """
    run = novel.head.run
    work = next_work(novel)
    if isinstance(work, Halt):
        under_way = novel.head.claimed is not None or (run.intent is not None and run.intent.turn != "")
        if work.reason is None or run.status is not Status.ACTIVE or under_way:
            return novel, work
        return paused(novel, work, stamp), work
    if run.intent is not None and (novel.head.claimed is not None or _same(novel, run.intent, work)):
        return novel, run.intent
    unit: Unit | None = None
    if work.kind is WorkKind.WRITE_UNIT:
        novel, unit = _unit(novel, work, stamp)
    intent = Intent(
        id=stamp.ids.new("wi"),
        kind=work.kind,
        why=work.why,
        unit=None if unit is None else unit.id,
        chapter=work.chapter,
        outline_revision=novel.head.outline_revision,
        watermark=novel.head.watermark,
        generation=novel.head.generation,
        content_revision=novel.head.content_revision,
        state=IntentState.PREPARED,
        sent=0,
        turn="",
        at=stamp.at,
    )
    return novel.with_run(intent=intent, phase=_PHASES[work.kind]), intent


def _same(novel: Novel, intent: Intent, work: Work) -> bool:
    """Whether the work that is asked for already is what is to be done."""
    same = (intent.kind, intent.why, intent.chapter) == (work.kind, work.why, work.chapter)
    current = (intent.outline_revision, intent.generation) == (novel.head.outline_revision, novel.head.generation)
    return same and current and (intent.unit is None or novel.unit(intent.unit).state is UnitState.PREPARED)


def _unit(novel: Novel, work: Work, stamp: Stamp) -> tuple[Novel, Unit]:
    """The unit that is to be written: the one that is prepared if it is still right, else a new one."""
    chapter = novel.chapter(work.chapter or "")
    held = novel.prepared
    if held is not None:
        if (held.scene, held.outline_revision) == (work.scene, novel.head.outline_revision):
            return novel, held
        novel = novel.put("units", changed(held, state=UnitState.SUPERSEDED))
    room = unit_room(novel, chapter)
    part = 1 + sum(1 for unit in novel.units_of(chapter.id) if unit.scene == work.scene)
    unit = Unit(
        id=stamp.ids.new("nu"),
        number=novel.head.units + 1,
        chapter=chapter.id,
        scene=work.scene or "",
        part=part,
        state=UnitState.PREPARED,
        outline_revision=novel.head.outline_revision,
        watermark=novel.head.watermark,
        low=room.low,
        high=room.high,
        corrections=0,
        attempts=(),
        commit=None,
    )
    return novel.put("units", unit).with_head(units=unit.number), unit


def send(novel: Novel, intent: str, stamp: Stamp) -> tuple[Novel, Intent]:
    """Note that an author is asked for the work, in the turn of the stamp; it counts as one turn.

    Raises WrongState when other work is asked for by now, or another turn writes the unit already.
    """
    held = novel.head.run.intent
    if held is None or held.id != intent or novel.head.run.status is not Status.ACTIVE:
        raise WrongState(
            f"{intent} is not the work that is to be done now",
            expected=None if held is None else held.id,
            ids=[intent],
            recovery="Look at what is next again.",
        )
    if held.turn == stamp.turn and held.state is IntentState.SENT:
        return novel, held
    if novel.head.claimed is not None:
        raise WrongState(
            "another turn is writing the unit",
            found=held.turn,
            ids=[intent, novel.head.claimed],
            recovery="Let that turn end first.",
        )
    sent = changed(held, state=IntentState.SENT, sent=held.sent + 1, turn=stamp.turn)
    spent = novel.head.spent
    planning = spent.planning_turns + (held.kind in PLANNING)
    novel = novel.with_head(spent=changed(spent, turns=spent.turns + 1, planning_turns=planning))
    return novel.with_run(intent=sent), sent


def deduced(novel: Novel, stamp: Stamp) -> Novel:
    """Count a deduction, before its characters are asked. Raises NovelPaused, NovelStaleUnit, WrongState (no more)."""
    require_work(novel, stamp, *WorkKind)
    spent, most = novel.head.spent, novel.config.limits.deductions.total
    if spent.deductions >= most:
        raise WrongState(
            f"all {most:,} deductions of this novel are used up",
            found=spent.deductions,
            ids=[novel.head.id],
            recovery="Write the scene without one; only a person can raise the limit.",
        )
    return novel.with_head(spent=changed(spent, deductions=spent.deductions + 1))


def ended(novel: Novel, before: Novel, usage: Usage, *, failed: str, stamp: Stamp, excused: str = "") -> Novel:
    """Account for a turn that ended, however it ended.

    Progress is a first outline, a watermark that rose, a unit committed, a chapter or the novel completed; nothing else
    is. Refining a plan counts neither as progress nor as a turn without any. A unit that this turn claimed and did not
    commit is given back, its token is worth nothing, and the turn can do nothing more.

    Args:
        before: the novel when the turn began.
        failed: why the host could not carry it through; empty: it did.
        excused: why it was ended from outside, by a person or an instruction; it then counts against nothing.
    """
    asked = before.head.run.intent
    turn = "" if asked is None else asked.turn
    claimed = None if novel.head.claimed is None else novel.unit(novel.head.claimed)
    if claimed is not None and turn in {"", claimed.attempts[-1].turn}:
        novel = given_back(novel, AttemptEnd.FAILED, failed or excused or "The turn ended without a commit.", stamp)
    held = novel.head.run.intent
    if held is not None and held.turn == turn and novel.head.claimed is None:
        novel = novel.with_run(intent=changed(held, state=IntentState.PREPARED, turn=""))
    spent, progressed = novel.head.spent, progress(before, novel)
    refined = novel.head.outline_revision > before.head.outline_revision
    return novel.with_head(
        spent=changed(
            spent,
            milliseconds=spent.milliseconds + usage.milliseconds,
            requests=spent.requests + usage.requests,
            input_tokens=spent.input_tokens + usage.input_tokens,
            output_tokens=spent.output_tokens + usage.output_tokens,
            failures=0 if progressed or not (failed or excused) else spent.failures + (0 if excused else 1),
            stalled=0 if progressed else spent.stalled + (0 if failed or excused or refined else 1),
        )
    )


def progress(before: Novel, after: Novel) -> bool:
    """Whether a turn brought the novel forward (seed 004, 13)."""
    old, new = before.head, after.head
    moved = (old.outline_revision == 0 < new.outline_revision, new.watermark > old.watermark, new.commits > old.commits)
    completed = sum(1 for item in after.chapters.values() if item.completion) > sum(
        1 for item in before.chapters.values() if item.completion
    )
    blocked = len(after.blocked) > len(before.blocked)
    return any(moved) or completed or blocked or new.run.status is Status.COMPLETED


def given_back(novel: Novel, end: AttemptEnd, reason: str, stamp: Stamp) -> Novel:
    """The novel with the claimed unit prepared again, if one is claimed; its attempt stays told of."""
    if novel.head.claimed is None:
        return novel
    unit = novel.unit(novel.head.claimed)
    attempts = (*unit.attempts[:-1], changed(unit.attempts[-1], end=end, reason=as_line(reason)))
    current = unit.outline_revision == novel.head.outline_revision and unit.watermark == novel.head.received
    state = UnitState.PREPARED if current else UnitState.SUPERSEDED
    novel = novel.put("units", changed(unit, state=state, attempts=attempts))
    return novel.with_head(claimed=None, generation=novel.head.generation + 1).with_run(intent=None)


def with_attempt(unit: Unit, attempt: Attempt) -> Unit:
    """A unit claimed by a new attempt."""
    return changed(unit, state=UnitState.CLAIMED, attempts=(*unit.attempts, attempt)[-ATTEMPTS_KEPT:])


def paused(novel: Novel, halt: Halt, stamp: Stamp) -> Novel:
    """The novel, paused for a reason of the kit's. One that a person paused, or that is completed, stays what it is."""
    if halt.reason is None:
        raise AssertionError("a halt without a reason pauses nothing")
    if novel.head.run.status is not Status.ACTIVE:
        return novel
    pause = Pause(
        reason=halt.reason,
        told=as_line(halt.told, LONGEST_TEXT),
        ids=tuple(map(as_line, halt.ids[:40])),
        resume=as_line(halt.resume, LONGEST_TEXT),
        at=stamp.at,
    )
    keep = novel.head.run.intent if novel.head.claimed is not None else None
    return novel.with_run(status=Status.PAUSED, pause=pause, intent=keep)


def supersede(novel: Novel, unit: str, stamp: Stamp) -> Novel:
    """Retire a unit that is prepared for a scene that is done, or for an outline or instructions of before.

    Raises NovelPaused, NovelStaleUnit, NotFound.
    """
    require_work(novel, stamp, WorkKind.WRITE_UNIT, WorkKind.OUTLINE_REVISE)
    held, head = novel.unit(unit), novel.head
    if held.state is UnitState.SUPERSEDED:
        return novel
    scenes = {scene.id: scene for scene in novel.chapter(held.chapter).scenes} if held.chapter in novel.chapters else {}
    scene = scenes.get(held.scene)
    outdated = scene is None or scene.state is SceneState.DONE or held.outline_revision != head.outline_revision
    if held.state is not UnitState.PREPARED or not (outdated or held.watermark != head.received):
        raise NovelStaleUnit(
            f"{unit} is {held.state.value}, and what it was prepared for still stands",
            expected="a prepared unit whose scene is done, or whose outline is one of before",
            ids=[unit],
            recovery="Claim it, or leave it.",
        )
    novel = novel.put("units", changed(held, state=UnitState.SUPERSEDED))
    intent = head.run.intent
    return novel.with_run(intent=None) if intent is not None and intent.unit == unit else novel
