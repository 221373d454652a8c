"""Paragraphs that stand in earlier prose already, word for word."""

from __future__ import annotations

from collections.abc import Callable

from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.prose import Prose
from lantern_kit.novel.whole import Novel

_LEAST = 40
"""Characters of a paragraph that is looked for; shorter ones may well come twice."""


def passages(novel: Novel, written: Prose, read: Callable[[str], tuple[str, ...]]) -> list[Finding]:
    """Paragraphs of some length that an earlier commit holds, or that come twice."""
    seen: dict[str, tuple[str, int]] = {}
    for commit in novel.commits:
        for number, paragraph in enumerate(read(commit)):
            if len(paragraph) >= _LEAST:
                seen.setdefault(paragraph, (commit, number))
    found = []
    for number, paragraph in enumerate(written.paragraphs):
        if len(paragraph) < _LEAST:
            continue
        before = seen.get(paragraph)
        if before is not None:
            told = f"paragraph {number} stands already in {before[0] or 'this prose'}, paragraph {before[1]}"
            found.append(
                Finding("duplicate.paragraph", Severity.OVERRIDE, told, tuple(filter(None, before[:1])), number)
            )
        seen.setdefault(paragraph, ("", number))
    return found
