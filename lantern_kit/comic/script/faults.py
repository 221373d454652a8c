"""What is wrong with a script's text, told with the line it is wrong in."""

from __future__ import annotations

from collections.abc import Iterable

from lantern_kit.kernel.errors import BadInput


def fault(line: int, message: str, expected: str, *, ids: Iterable[str] = ()) -> BadInput:
    """The error to raise for a line of a script.

    Args:
        line: from 1.
        message: what is wrong, in no words of the script's.
        expected: what would have been right.
        ids: the things concerned.
    """
    return BadInput(
        f"line {line}: {message}",
        expected=expected,
        ids=ids,
        recovery="Correct that line of the script and send it again; nothing was written.",
        details={"line": line},
    )
