"""What is wrong with a script's text, told with the line it is wrong in."""

from __future__ import annotations

from collections.abc import Iterable

from lantern_kit.kernel.errors import BadInput

SHOWN = 60


def fault(line: int, message: str, expected: str, *, found: str = "", ids: Iterable[str] = ()) -> BadInput:
    """The error to raise for a line of a script.

    Args:
        line: from 1.
        message: what is wrong.
        expected: what would have been right.
        found: what stands there; only its beginning is told.
        ids: the things concerned.
    """
    shown = found if len(found) <= SHOWN else f"{found[: SHOWN - 1]}…"
    return BadInput(
        f"line {line}: {message}",
        expected=expected,
        found="".join(character if character.isprintable() else "�" for character in shown) or None,
        ids=ids,
        recovery="Correct that line of the script and send it again; nothing was written.",
        details={"line": line},
    )
