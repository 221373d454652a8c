"""Keys that are JavaScript patterns, run by a JavaScript engine with bounds on time, memory and length."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

SECONDS = 0.05
"""Of processor time, for one pattern on one text."""
BUDGET = 1.0
"""Seconds for all patterns of one question together."""
MEMORY = 32 << 20
LONGEST_TEXT = 1_000_000
"""UTF-16 units of a text that patterns look at: its newest end."""
LONGEST_PATTERN = 4_000
_SLASHED = re.compile(r"/(?P<pattern>.+)/(?P<flags>[dgimsuvy]*)\Z", re.DOTALL)
_TEST = "(function (pattern, flags, text) { return new RegExp(pattern, flags).test(text) })"
_SURROGATE = re.compile("[\ud800-\udfff]")

Report = Callable[[str, str, str], None]


def slashed(key: str) -> tuple[str, str] | None:
    """Pattern and flags of a key written ``/pattern/flags``; None for any other."""
    match = _SLASHED.match(key)
    if match is None or re.search(r"(?<!\\)(?:\\\\)*/", match["pattern"]):
        return None
    return match["pattern"], match["flags"]


class Patterns:
    """An engine for one question; a pattern that is wrong, or takes too long, matches nothing and is reported once.

    Args:
        report: takes code, message and the pattern.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._test: Any = None
        self._spent = 0.0
        self._bad: set[tuple[str, str]] = set()

    def found(self, pattern: str, flags: str, text: str) -> bool:
        """Whether a pattern is found in a text."""
        if (pattern, flags) in self._bad:
            return False
        if len(pattern) > LONGEST_PATTERN or _SURROGATE.search(pattern):
            return self._refused(pattern, flags, "bad_pattern", "The pattern is too long, or no text.")
        if self._spent > BUDGET:
            return self._refused(
                pattern, flags, "pattern_budget", "Patterns took too long; this one was not looked for."
            )
        import quickjs

        if self._test is None:
            context = quickjs.Context()
            context.set_memory_limit(MEMORY)
            context.set_time_limit(SECONDS)
            self._test = context.eval(_TEST)
        began = time.thread_time()
        try:
            return self._test(pattern, flags, _SURROGATE.sub("\ufffd", text[-LONGEST_TEXT:])) is True
        except quickjs.JSException as error:
            self._test = None
            if "SyntaxError" in str(error):
                return self._refused(pattern, flags, "bad_pattern", "The pattern is no JavaScript pattern.")
            return self._refused(pattern, flags, "slow_pattern", "The pattern took too long, or too much memory.")
        finally:
            self._spent += time.thread_time() - began

    def _refused(self, pattern: str, flags: str, code: str, message: str) -> bool:
        self._bad.add((pattern, flags))
        self._report(code, f"{message} It never matches.", pattern[:80])
        return False
