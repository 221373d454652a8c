"""Records of a novel as answers tell them: plain data, what says nothing left out."""

from __future__ import annotations

from typing import Any

from lantern_kit.novel.model import Record, Source

LONGEST = 6_000
"""Characters of one text in an answer; what is longer is read on in parts."""


def told(record: Record) -> dict[str, Any]:
    """A record's fields, sources as ``cm_…:2``."""
    return {name: plain for name in type(record).model_fields if (plain := _plain(getattr(record, name))) not in _NONE}


_NONE: tuple[Any, ...] = (None, "", [], {})


def _plain(value: Any) -> Any:
    if isinstance(value, Source):
        return str(value)
    if isinstance(value, Record):
        return told(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.value if hasattr(value, "value") else value


def shortened(text: str) -> str:
    """A text, cut where it is very long, which is said."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text):,} characters)"


def pieces(text: str) -> list[str]:
    """A long text in parts of that length."""
    return [text[at : at + LONGEST] for at in range(0, len(text), LONGEST)] or [""]
