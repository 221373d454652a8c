"""Macros in the words of cards: names put in where somebody asks for it, and nothing else done."""

from __future__ import annotations

import re

_MACRO = re.compile(
    r"\{\{\s*(?P<name>char|user)\s*\}\}"
    r"|<(?P<tag>bot|char|user)>"
    r"|\{\{(?:\s*//|\s*comment\s*:|\s*hidden_key\s*:)[^{}]*\}\}",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"\{\{\s*//[^{}]*\}\}", re.IGNORECASE)


def substituted(text: str, *, char: str, user: str) -> str:
    """A text with ``{{char}}`` and ``{{user}}`` (also ``<BOT>``, ``<CHAR>``, ``<USER>``) replaced, whatever their case.

    Comments (``{{// …}}``, ``{{comment: …}}``, ``{{hidden_key: …}}``) are taken out. What rolls dice stays as it
    is, and the names put in are not looked through again.
    """

    def put(match: re.Match[str]) -> str:
        word = (match["name"] or match["tag"] or "").lower()
        return {"": "", "user": user}.get(word, char)

    return _MACRO.sub(put, text)


def searchable(text: str) -> str:
    """A text as other entries' keys look at it: without comments, with hidden keys."""
    return _HIDDEN.sub("", text)
