"""Words that people and agents leave in the journal, text that can be stored, signed and shown; and things counted."""

from __future__ import annotations

import unicodedata

from lantern_kit.kernel.errors import BadInput

MESSAGE = 1_000
"""Characters of a message at most."""
_UNSHOWN = frozenset({"Cc", "Cs"})


def counted(number: int, noun: str, nouns: str = "") -> str:
    """``1 hit``, ``1,200 hits``."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def one_line(text: str) -> str:
    """The text itself, if it is one line and all of it is seen. Raises ValueError, which names what is not."""
    for character in text:
        if not character.isprintable():
            name = unicodedata.name(character, "").lower()
            held = f"U+{ord(character):04X}" + (f" ({name})" if name else "")
            raise ValueError(f"text on one line, with plain spaces and nothing that is not seen; it holds {held}")
    if text != text.strip():
        raise ValueError("text on one line, without blanks at its ends")
    return text


def said(text: object, what: str, *, longest: int, empty: bool = True) -> str:
    """The words themselves, if they are text that can be kept.

    Args:
        text: what somebody gave.
        what: what it is, with its article: ``a reason``.
        longest: characters at most.
        empty: nothing at all is fine.

    Raises:
        BadInput: no text, none where some is needed, too much, or characters that cannot be shown.
    """
    if not isinstance(text, str):
        raise BadInput(f"{what} is text", expected="text", found=type(text).__name__)
    if len(text) > longest or not (empty or text.strip()):
        least = 0 if empty else 1
        raise BadInput(
            f"{what} has {least} to {longest:,} characters", expected=f"{least} to {longest}", found=len(text)
        )
    if any(unicodedata.category(character) in _UNSHOWN and character not in "\n\t\r" for character in text):
        raise BadInput(f"{what} holds characters that cannot be shown", expected="text, line ends and tabs")
    return text
