"""Texts as they stand between quotation marks."""

from __future__ import annotations

LONGEST = 80
"""Characters of a quote."""


def quote(text: str) -> str:
    """A text as it stands between quotation marks: on one line, not too long."""
    line = " / ".join(text.split("\n"))
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def quotes(before: str, after: str) -> tuple[str, str]:
    """Two texts as they stand between quotation marks; of long ones, the part round the first difference."""
    if max(len(before), len(after)) > LONGEST:
        same = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), 0)
        start = same - LONGEST // 3
        if start > 0:
            before, after = f"…{before[start:]}", f"…{after[start:]}"
    return quote(before), quote(after)
