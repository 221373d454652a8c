"""What a Tab offers in the magic words: one matcher, which hears of every line and answers in those two alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from IPython.core.completer import (
    CompletionContext,
    SimpleCompletion,
    SimpleMatcherResult,
    context_matcher,
)

from lantern_kit.kernel.errors import LanternError
from lantern_kit.notebook.completion.commands import complete_command
from lantern_kit.notebook.completion.questions import complete_sql
from lantern_kit.notebook.completion.suggestion import Offer

if TYPE_CHECKING:
    from lantern_kit.notebook.desk import Desk

MOST = 300
"""Suggestions of one Tab."""
_FIRST = 200
"""The matcher's rank: before those of Python, whose answers are left out where it has any."""
_COMMAND = re.compile(r"\s*(?:[\w.,\s]+=\s*)?%lantern\s(?P<typed>.*)", re.DOTALL)
_LINE = re.compile(r"\s*(?:[\w.,\s]+=\s*)?%lantern_sql\s(?P<typed>.*)", re.DOTALL)
_CELL = re.compile(r"\s*%%lantern_sql(?P<typed>\s.*)", re.DOTALL)
_NAME = re.compile(r"\s*\S+\s*<<")


def matcher(desk: Desk) -> Callable[[CompletionContext], SimpleMatcherResult]:
    """A matcher for IPython's completer."""

    @context_matcher(priority=_FIRST, identifier="lantern_kit")  # type: ignore[untyped-decorator]
    def complete(context: CompletionContext) -> SimpleMatcherResult:
        offer = Offer("", [])
        with suppress(LanternError):  # a Tab says nothing; the command itself says what is wrong
            offer = offered(desk, context)
        return {
            "completions": [SimpleCompletion(item.text, type=item.kind) for item in offer.found[:MOST]],
            "matched_fragment": offer.typed,
            "suppress": True,
            "ordered": True,
        }

    found: Callable[[CompletionContext], SimpleMatcherResult] = complete
    return found


def offered(desk: Desk, context: CompletionContext) -> Offer:
    """What may come where the cursor is; nothing outside the magic words."""
    here = context.text_until_cursor
    command = _COMMAND.fullmatch(here)
    if command is not None:
        return complete_command(desk, command["typed"])
    line = _LINE.fullmatch(here)
    if line is not None:
        return complete_sql(desk, _question(line["typed"]), "")
    lines = context.full_text.split("\n")
    before = "\n".join([*lines[: context.cursor_line], here])
    after = context.line_with_cursor[len(here) :]
    cell = _CELL.fullmatch(before)
    if cell is not None:
        rest = "\n".join([after, *lines[context.cursor_line + 1 :]])
        return complete_sql(desk, _question(cell["typed"]), rest)
    return Offer("", [])


def _question(typed: str) -> str:
    """The SQL of what was typed, without the name that the answer goes to."""
    return _NAME.sub("", typed, count=1) if _NAME.match(typed) else typed
