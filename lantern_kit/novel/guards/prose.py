"""All guards over prose that is about to be committed."""

from __future__ import annotations

from collections.abc import Callable

from lantern_kit.novel.content import Content
from lantern_kit.novel.finding import Finding
from lantern_kit.novel.guards.passages import passages
from lantern_kit.novel.model import Unit
from lantern_kit.novel.prose import Prose
from lantern_kit.novel.whole import Novel

Read = Callable[[str], tuple[str, ...]]
"""The paragraphs of a commit."""


def prose_findings(novel: Novel, unit: Unit, written: Prose, content: Content, read: Read) -> list[Finding]:
    """What is noticed in prose: passages that were written before."""
    return passages(novel, written, read)
