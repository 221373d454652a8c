"""All guards over prose that is about to be committed."""

from __future__ import annotations

from collections.abc import Callable, Collection

from lantern_kit.novel.content import Content
from lantern_kit.novel.finding import Finding
from lantern_kit.novel.guards.ledger import ledger_findings
from lantern_kit.novel.model import Unit
from lantern_kit.novel.prose import Prose
from lantern_kit.novel.whole import Novel, committed

Read = Callable[[str], tuple[str, ...]]
"""The paragraphs of a commit."""


def prose_findings(
    novel: Novel, unit: Unit, written: Prose, content: Content, read: Read, names: Collection[str] = ()
) -> list[Finding]:
    """What is noticed in prose: what was written before, what cannot be by now, what goes round in circles.

    Args:
        names: of whoever stands in the novel's cards and books.
    """
    from lantern_kit.novel.guards.duplicate import duplicate_findings
    from lantern_kit.novel.guards.repetition import repetition_findings

    chapter = [committed(item).id for item in novel.units_of(unit.chapter)] if unit.chapter in novel.chapters else []
    before = [paragraph for name in chapter for paragraph in read(name)]
    return [
        *duplicate_findings(novel, written, read),
        *ledger_findings(novel, unit, written, content, names),
        *repetition_findings(before, written.paragraphs),
    ]
