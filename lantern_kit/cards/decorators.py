"""Decorators: lines such as ``@@depth 4`` before the content of an entry, with ``@@@`` lines to fall back on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from lantern_kit.cards.model import Decorator

_LINE = re.compile(r"[ \t]*(?P<marks>@{2,3})(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?:[ \t]+(?P<value>.*))?[ \t]*\Z")
MOST = 100
"""Decorators of one entry that are read; further lines are content."""
FALLBACKS = 20
"""Fallbacks of one decorator that are kept; the specification asks for five at least."""

FLAGS = frozenset(
    {
        *("activate", "dont_activate", "keep_activate_after_match", "dont_activate_after_match"),
        *("ignore_on_max_context", "constant"),
    }
)
NUMBERS = frozenset(
    {
        *("activate_only_after", "activate_only_every", "depth", "instruct_depth", "reverse_depth"),
        *("reverse_instruct_depth", "scan_depth", "instruct_scan_depth", "is_greeting"),
    }
)
WORDS = frozenset({"is_user_icon", "additional_keys", "exclude_keys"})
CHOICES = {
    "role": frozenset({"assistant", "system", "user"}),
    "position": frozenset({"after_desc", "before_desc", "personality", "scenario"}),
    "disable_ui_prompt": frozenset({"post_history_instructions", "system_prompt"}),
}


def divided(content: str) -> tuple[tuple[Decorator, ...], str]:
    """The decorators before a content, and the content without them and without the line ends around them.

    A ``@@@`` line that follows no decorator is content, as is everything after the first line that is none.
    """
    lines = content.split("\n")
    found: list[tuple[Decorator, list[Decorator]]] = []
    at = 0
    for at, line in enumerate([*lines, ""]):
        if at == len(lines):
            break
        line = line.rstrip("\r")
        if not line.strip(" \t"):
            continue
        match = _LINE.match(line)
        if match is None or (match["marks"] == "@@@" and not found) or (match["marks"] == "@@" and len(found) == MOST):
            break
        made = Decorator(match["name"], (match["value"] or "").strip())
        if match["marks"] == "@@":
            found.append((made, []))
        elif len(found[-1][1]) < FALLBACKS:
            found[-1][1].append(made)
    if not found:
        return (), content
    rest = "\n".join(lines[at:])
    return tuple(Decorator(made.name, made.value, tuple(below)) for made, below in found), rest


def is_understood(decorator: Decorator) -> bool:
    """Whether this is a decorator of the specification with a value that it may have."""
    name, value = decorator.name, decorator.value
    if name in FLAGS:
        return not value or value.lower() == "true"
    if name in NUMBERS:
        return number(value) is not None
    if name in WORDS:
        return bool(value)
    return value in CHOICES.get(name, ())


def number(value: str) -> int | None:
    """A whole number from 0, or None."""
    return int(value) if value.isascii() and value.isdecimal() and len(value) <= 12 else None


def effective(decorators: Iterable[Decorator], *, without: Collection[str] = ()) -> dict[str, Decorator]:
    """What counts, by name: of each chain the first that is understood, of each name the first.

    Args:
        decorators: as they stand before a content.
        without: names that cannot be followed here, so that their fallbacks count.
    """
    chosen: dict[str, Decorator] = {}
    for decorator in decorators:
        for one in (decorator, *decorator.fallbacks):
            if one.name not in without and is_understood(one):
                chosen.setdefault(one.name, one)
                break
    return chosen


def ignored(decorators: Iterable[Decorator]) -> list[Decorator]:
    """Those of which neither the line nor a fallback is understood."""
    return [one for one in decorators if not any(map(is_understood, (one, *one.fallbacks)))]
