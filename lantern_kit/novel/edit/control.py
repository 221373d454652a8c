"""What only people do: pause, stop, let go on, approve, change limits (seed 004, 4.3, 9.4, 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lantern_kit.kernel.errors import BadInput, WrongState
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.edit.ledger import aside
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.edit.work import given_back
from lantern_kit.novel.errors import NovelRevisionConflict
from lantern_kit.novel.model import (
    Approval,
    AttemptEnd,
    Config,
    Pause,
    Phase,
    Reason,
    Record,
    Status,
    Target,
)
from lantern_kit.novel.schedule import Halt, next_work
from lantern_kit.novel.sent import sent
from lantern_kit.novel.whole import Novel, changed


def pause(novel: Novel, stamp: Stamp) -> Novel:
    """No further unit is claimed; one that is claimed may end. Raises WrongState when it is completed."""
    _require_running(novel)
    if novel.head.run.status is Status.PAUSED:
        return novel
    return _paused(novel, Reason.REQUESTED, "Paused by a person.", stamp)


def stop(novel: Novel, stamp: Stamp) -> Novel:
    """At once: what is being written is refused when it comes; what was committed before stays.

    Raises WrongState when it is completed.
    """
    _require_running(novel)
    held = novel.head.run.pause
    if held is not None and held.reason is Reason.STOPPED:
        return novel
    novel = given_back(novel, AttemptEnd.STOPPED, "Stopped by a person.", stamp)
    novel = novel.with_head(generation=novel.head.generation + 1)
    if held is not None and held.reason is not Reason.REQUESTED:
        return novel  # what it waits for is still to be settled, and nothing is written meanwhile
    return _paused(novel, Reason.STOPPED, "Stopped by a person.", stamp)


def _paused(novel: Novel, reason: Reason, told: str, stamp: Stamp) -> Novel:
    made = Pause(reason=reason, told=told, ids=(), resume="Resume it.", at=stamp.at)
    keep = novel.head.run.intent if novel.head.claimed is not None else None
    return novel.with_run(status=Status.PAUSED, pause=made, intent=keep)


def resume(novel: Novel, stamp: Stamp) -> Novel:
    """Let it go on, if what it was paused for is settled; failures and turns without progress count anew.

    Raises WrongState, which says what is still in the way.
    """
    _require_running(novel)
    run = novel.head.run
    if run.status is Status.ACTIVE:
        return novel
    if run.pause is not None and run.pause.reason is Reason.AWAITING_APPROVAL:
        raise WrongState(
            "the outline waits to be approved",
            ids=[novel.head.id],
            recovery=f"Approve outline revision {novel.head.outline_revision}, or have it updated.",
        )
    spent = changed(novel.head.spent, failures=0, stalled=0)
    after = novel.with_head(spent=spent).with_run(status=Status.ACTIVE, pause=None)
    if run.pause is not None and run.pause.reason is Reason.RECOVERY_REQUIRED:
        after = given_back(after, AttemptEnd.LOST, "A person said that its author is gone.", stamp)
    work = next_work(after)
    if isinstance(work, Halt) and work.reason is not None and after.head.claimed is None:
        raise WrongState(
            f"it cannot go on yet: {work.told}",
            found=work.reason.value,
            ids=[*work.ids, novel.head.id],
            recovery=work.resume,
        )
    return after


def approve(novel: Novel, outline_revision: int, stamp: Stamp) -> Novel:
    """Let the outline begin. Raises WrongState, NovelRevisionConflict for another revision than the current one."""
    _require_running(novel)
    if novel.config.approval is not Approval.MANUAL or not novel.head.outline_revision:
        raise WrongState(
            "no outline waits to be approved",
            ids=[novel.head.id],
            recovery="Let its author write: an outline waits for you only under manual approval.",
        )
    if outline_revision != novel.head.outline_revision:
        raise NovelRevisionConflict(
            "that is not the outline there is",
            expected=f"outline revision {novel.head.outline_revision}",
            found=f"outline revision {outline_revision}",
            ids=[novel.head.id],
            recovery="Read the current outline and approve that.",
        )
    if novel.open_instructions:
        raise WrongState(
            "instructions came in that the outline does not know yet",
            ids=[item.id for item in novel.open_instructions],
            recovery="Have the outline updated first, then approve it.",
        )
    if novel.head.approved:
        return novel
    novel = novel.with_head(approved=outline_revision)
    held = novel.head.run.pause
    if held is not None and held.reason is Reason.AWAITING_APPROVAL:
        novel = novel.with_run(status=Status.ACTIVE, pause=None)
    return novel


def update_outline(novel: Novel, stamp: Stamp) -> Novel:
    """Allow one revision of an outline that waits to be approved, for the instructions that came in since.

    Raises WrongState.
    """
    held = novel.head.run.pause
    if held is None or held.reason is not Reason.AWAITING_APPROVAL:
        raise WrongState("no outline waits to be approved", ids=[novel.head.id], recovery="Add an instruction.")
    if not novel.open_instructions:
        raise WrongState(
            "there is nothing the outline does not know", ids=[novel.head.id], recovery="Add an instruction first."
        )
    return novel.with_run(status=Status.ACTIVE, pause=None, phase=Phase.REVISING)


def configure(novel: Novel, changes: dict[str, Any], stamp: Stamp) -> Novel:
    """Change approval, length, chapters or limits; nothing that was spent is forgotten.

    Args:
        changes: by field, records or plain data; of limits and shares only what changes in them.

    How many chapters there are to be can be changed until there is an outline; then an instruction asks for it.
    How it is approved can until an outline was let begin.

    Raises WrongState, BadInput (among others for a length that what is written is past already).
    """
    _require_running(novel)
    odd = changes.keys() - {"approval", "length", "chapters", "limits", "unit_maximum", "shares"}
    if odd or not changes:
        raise BadInput(
            "only approval, length, chapters, limits, shares and unit_maximum can be changed",
            found=sorted(odd),
            expected="approval, length, chapters, limits, shares, unit_maximum",
        )
    facts: dict[str, Any] = novel.config.model_dump(mode="json")
    for name, value in changes.items():
        given = value.model_dump(mode="json") if isinstance(value, Record) else value
        facts[name] = _laid(facts[name], given) if name in {"limits", "shares"} else given
    made = sent(Config, facts)
    if made == novel.config:
        return novel
    _require_reachable(novel, made)
    waits = novel.head.run.pause is not None and novel.head.run.pause.reason is Reason.AWAITING_APPROVAL
    if waits and made.approval is Approval.AUTOMATIC:
        novel = novel.with_run(status=Status.ACTIVE, pause=None)
    shape = [(held.length, held.chapters, held.shares, held.unit_maximum) for held in (novel.config, made)]
    return replace(novel if shape[0] == shape[1] else aside(novel), config=made)


def _laid(old: Any, given: Any) -> Any:
    """Plain data with some of it changed, key by key."""
    if not (isinstance(old, Mapping) and isinstance(given, Mapping)):
        return given
    return {**old, **{name: _laid(old.get(name), value) for name, value in given.items()}}


def _require_reachable(novel: Novel, config: Config) -> None:
    """Refuse what the prose that is there cannot meet any more. Raises BadInput."""
    done = novel.head.characters
    if isinstance(config.length, Target) and config.length.high < done:
        raise BadInput(
            "the novel is longer than that already, and nothing is cut",
            expected=f"a length that allows at least {done:,} characters",
            found=f"{config.length.high:,}",
            ids=[novel.head.id],
        )
    begun = novel.head.outline_revision and (novel.config.approval is Approval.AUTOMATIC or novel.head.approved)
    if config.approval is not novel.config.approval and begun:
        raise WrongState(
            "the outline was let begin already",
            found=novel.config.approval.value,
            ids=[novel.head.id],
            recovery="Approval is of the first outline; ask for changes by an instruction, or pause it.",
        )
    if config.chapters != novel.config.chapters and novel.head.outline_revision:
        raise WrongState(
            "the chapters are planned already",
            expected=f"{counted(len(novel.chapters), 'chapter')}, as planned",
            found=config.chapters,
            ids=[novel.head.id],
            recovery="Ask for more or fewer chapters by an instruction: the outline is then revised.",
        )


def _require_running(novel: Novel) -> None:
    if novel.head.run.status is Status.COMPLETED:
        raise WrongState("the novel is completed", ids=[novel.head.id], recovery="Export it, or begin another one.")
