"""Completing a chapter, and the novel (seed 004, 6.2, 7.3)."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.kernel.errors import BadInput
from lantern_kit.novel.completion import chapter_findings, novel_findings
from lantern_kit.novel.edit.ledger import outline_moved
from lantern_kit.novel.edit.stamp import Stamp, require_work
from lantern_kit.novel.errors import NovelNotComplete, NovelRevisionConflict, NovelStaleUnit
from lantern_kit.novel.finding import Finding
from lantern_kit.novel.model import Chapter, ChapterState, Completion, Finished, Status, WorkKind
from lantern_kit.novel.whole import Novel, changed


def complete_chapter(
    novel: Novel, chapter: str, expected_content: int, evidence: str, open_ends: Sequence[str], stamp: Stamp
) -> tuple[Novel, Chapter]:
    """Complete the chapter that is asked for; the same again in one turn gives what there is.

    Raises NovelPaused, NovelStaleUnit, NovelRevisionConflict, NovelNotComplete, NotFound, BadInput.
    """
    held = novel.chapter(chapter)
    if held.completion is not None and (held.completion.evidence, held.completion.open) == (evidence, tuple(open_ends)):
        return novel, held
    work = require_work(novel, stamp, WorkKind.CHAPTER_COMPLETE)
    if work.chapter != chapter:
        raise NovelStaleUnit(f"{chapter} is not the chapter that is asked for", expected=work.chapter, ids=[chapter])
    require_content(novel, expected_content)
    if not evidence.strip():
        raise BadInput("evidence: say how the chapter reaches its purpose", ids=[chapter])
    require_none(chapter_findings(novel, held), f"“{held.title}” is not complete")
    completion = Completion(
        evidence=evidence, open=tuple(open_ends), content_revision=novel.head.content_revision, at=stamp.at
    )
    made = changed(held, state=ChapterState.COMPLETED, completion=completion)
    return novel.put("chapters", made).with_run(intent=None), made


def finish(
    novel: Novel, expected_content: int, expected_outline: int, ending: str, evidence: str, stamp: Stamp
) -> Novel:
    """Complete the novel, if all guards agree; what an author believes completes nothing.

    The same again gives what there is.

    Raises NovelPaused, NovelStaleUnit, NovelRevisionConflict, NovelNotComplete, BadInput.
    """
    done = novel.head.finished
    if done is not None and (done.ending, done.evidence) == (ending, evidence):
        return novel
    require_work(novel, stamp, WorkKind.FINISH)
    require_content(novel, expected_content)
    if novel.head.outline_revision != expected_outline:
        raise outline_moved(novel, expected_outline)
    if not evidence.strip():
        raise BadInput("evidence: say how the story ends, and its main conflict with it", ids=[novel.head.id])
    require_none(novel_findings(novel, ending), "the novel is not complete")
    finished = Finished(
        ending=ending,
        evidence=evidence,
        content_revision=novel.head.content_revision,
        outline_revision=novel.head.outline_revision,
        characters=novel.head.characters,
        at=stamp.at,
    )
    return novel.with_head(finished=finished).with_run(status=Status.COMPLETED, pause=None, intent=None)


def require_content(novel: Novel, expected: int) -> None:
    """Refuse what goes by other prose than there is. Raises NovelRevisionConflict."""
    if novel.head.content_revision != expected:
        raise NovelRevisionConflict(
            "the prose is another than the one this goes by",
            expected=f"content revision {expected}",
            found=f"content revision {novel.head.content_revision}",
            ids=[novel.head.id],
        )


def require_none(found: Sequence[Finding], told: str) -> None:
    """Refuse while there are findings. Raises NovelNotComplete."""
    if found:
        raise NovelNotComplete(
            f"{told}: {found[0].told}",
            ids=found[0].ids,
            details={"findings": [item.facts() for item in found]},
        )
