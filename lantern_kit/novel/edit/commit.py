"""Committing a unit: prose, facts and progress in one step, once (seed 004, 10.3)."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.kernel.errors import BadInput
from lantern_kit.novel.content import Content, business_digest, delta, require_whole
from lantern_kit.novel.edit.claim import require_token
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.errors import NovelDuplicateCommit, NovelFindings, NovelLengthLimit
from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.model import (
    AttemptEnd,
    Chapter,
    ChapterState,
    Commit,
    Delta,
    FindingOverride,
    Foreshadow,
    ForeshadowState,
    Move,
    SceneState,
    Target,
    Unit,
    UnitState,
)
from lantern_kit.novel.plan import FindingOverrideIn
from lantern_kit.novel.prose import Prose
from lantern_kit.novel.whole import Novel, changed


def given_before(unit: Unit, written: Prose, content: Content) -> Commit | None:
    """The commit a unit has, if this is the same content again. Raises NovelDuplicateCommit for other content."""
    if unit.commit is None:
        return None
    asked = business_digest(unit, written, content)
    if unit.commit.digest != asked:
        raise NovelDuplicateCommit(
            f"{unit.id} was committed with other content",
            expected=unit.commit.digest,
            found=asked,
            ids=[unit.id, unit.commit.id],
        )
    return unit.commit


def commit(
    novel: Novel, unit: str, token: str, written: Prose, content: Content, found: Sequence[Finding], stamp: Stamp
) -> tuple[Novel, Commit]:
    """Commit a unit. The same content again gives the commit there is, whatever the token.

    Args:
        found: what the guards noticed.

    Raises NovelDuplicateCommit, NovelStaleUnit, NovelLengthLimit, NovelFindings, BadInput, NotFound.
    """
    held = novel.unit(unit)
    before = given_before(held, written, content)
    if before is not None:
        return novel, before
    attempt = require_token(novel, held, token, stamp)
    require_whole(content)
    require_length(novel, held, written)
    require_overridden(found, content.overrides)
    name = stamp.ids.new("cm")
    facts = delta(novel, name, written, content.facts)
    foreshadows = moved(novel, facts)
    made = Commit(
        id=name,
        digest=business_digest(held, written, content),
        body=written.name,
        size=len(written.body),
        paragraphs=len(written.paragraphs),
        characters=written.counted.effective,
        punctuated=written.counted.punctuated,
        scene_done=content.scene.done,
        remaining=content.scene.remaining,
        evidence=content.scene.evidence,
        anchor=content.scene.anchor,
        delta=facts,
        overrides=tuple(FindingOverride(finding=item.finding, reason=item.reason) for item in content.overrides),
        attempt=attempt.id,
        generation=attempt.generation,
        outline_revision=attempt.outline_revision,
        watermark=attempt.watermark,
        content_revision=novel.head.content_revision + 1,
        author=stamp.by,
        at=stamp.at,
    )
    attempts = (*held.attempts[:-1], changed(attempt, end=AttemptEnd.COMMITTED))
    novel = novel.put("units", changed(held, state=UnitState.COMMITTED, attempts=attempts, commit=made))
    novel = novel.put("chapters", _chapter(novel.chapter(held.chapter), held, content))
    if foreshadows:
        novel = novel.put("foreshadows", *foreshadows)
    head = novel.head
    novel = novel.with_head(
        content_revision=made.content_revision,
        characters=head.characters + made.characters,
        punctuated=head.punctuated + made.punctuated,
        commits=head.commits + 1,
        claimed=None,
    )
    return novel.with_run(intent=None), made


def require_length(novel: Novel, unit: Unit, written: Prose) -> None:
    """Refuse prose past the unit's or the novel's maximum; nothing is cut (seed 004, 7.2). Raises NovelLengthLimit."""
    length, count = novel.config.length, written.counted.effective
    if count > novel.config.unit_maximum:
        raise NovelLengthLimit(
            "the unit is longer than one may be",
            expected=f"at most {novel.config.unit_maximum:,} characters",
            found=count,
            ids=[unit.id],
            details={"over": count - novel.config.unit_maximum},
        )
    if isinstance(length, Target) and length.hard_maximum is not None:
        room = length.hard_maximum - novel.head.characters
        if count > room:
            raise NovelLengthLimit(
                "the novel would be longer than it may ever be",
                expected=f"at most {max(room, 0):,} characters more",
                found=count,
                ids=[unit.id],
                details={"over": count - room},
            )


def require_overridden(found: Sequence[Finding], overrides: Sequence[FindingOverrideIn]) -> None:
    """Refuse what guards found, unless it may be kept with a reason and has one. Raises NovelFindings, BadInput."""
    given = {item.finding for item in overrides}
    open_ones = [
        item
        for item in found
        if item.severity is Severity.REFUSED or (item.severity is Severity.OVERRIDE and item.rule not in given)
    ]
    if open_ones:
        raise NovelFindings(
            open_ones[0].told,
            ids=open_ones[0].ids,
            details={"findings": [item.facts() for item in found]},
        )
    idle = given - {item.rule for item in found}
    if idle:
        raise BadInput(
            "an override names a finding that is there", found=sorted(idle), expected=[x.rule for x in found]
        )


def moved(novel: Novel, facts: Delta) -> list[Foreshadow]:
    """Foreshadows as a commit leaves them. Raises BadInput for a move that cannot be."""
    held: dict[str, Foreshadow] = {}
    for item in facts.foreshadows:
        now = held.get(item.foreshadow) or novel.foreshadows[item.foreshadow]
        wanted = ForeshadowState.PLANNED if item.move is Move.PLANTED else ForeshadowState.PLANTED
        if now.state is not wanted:
            raise BadInput(
                f"“{now.what[:60]}” cannot be {item.move.value}: it is {now.state.value}",
                expected=wanted.value,
                found=now.state.value,
                ids=[now.id],
            )
        if item.move is Move.PLANTED:
            held[now.id] = changed(now, state=ForeshadowState.PLANTED, planted=item.source)
        else:
            held[now.id] = changed(now, state=ForeshadowState.RESOLVED, resolved=item.source)
    return list(held.values())


def _chapter(chapter: Chapter, unit: Unit, content: Content) -> Chapter:
    """A chapter with a piece of one of its scenes written."""
    done = content.scene.done
    scenes = tuple(
        changed(
            scene,
            state=SceneState.DONE if done else SceneState.WRITING,
            anchor=scene.anchor if done else content.scene.anchor,
        )
        if scene.id == unit.scene
        else scene
        for scene in chapter.scenes
    )
    return changed(chapter, scenes=scenes, state=ChapterState.WRITING)
