r"""Words of a line as they stand in a script.

What would be taken for something else there has one backslash more before it than in the document: ``\*`` is an
asterisk, while ``*so*``, ``**so**`` and ``***so***`` become looks, as people write them in Markdown and Fountain.
"""

from __future__ import annotations

import re

_EMPHASIS = re.compile(r"(?<![\\*])(\*{1,3})(?![\s*])([^*\n\[\]{}\\]{1,600}?)(?<!\s)\1(?!\*)")
_ASTERISK = re.compile(r"(?<!\\)\\*\*")
_GUARDED_ASTERISK = re.compile(r"(?<!\\)\\(\\*\*)")
_LOOKS = {1: ".italic", 2: ".bold", 3: ".bold .italic"}
_STARS = {look: "*" * count for count, look in _LOOKS.items()}
_LOOKED = re.compile(r"(?<!\\)\[([^*\n\[\]{}\\]{1,600})\]\{(\.italic|\.bold(?: \.italic)?)\}")
ID = r"[a-z]{2}_[0-9a-z]{4,20}"


def marked(words: str) -> str:
    """Words of a script as the document keeps them."""
    if "*" not in words:
        return words
    looked = _EMPHASIS.sub(lambda found: f"[{found[2]}]{{{_LOOKS[len(found[1])]}}}", words)
    return _GUARDED_ASTERISK.sub(r"\1", looked)


def unmarked(words: str) -> str:
    """Words of the document as a script writes them: ``marked`` gives them back."""
    return _ASTERISK.sub(lambda found: f"\\{found[0]}", words) if "*" in words else words


def emphasized(words: str) -> str:
    """Words as ``unmarked`` writes them, italic and bold with asterisks where ``marked`` gives them back."""
    plain = unmarked(words)
    found = _LOOKED.sub(lambda found: f"{_STARS[found[2]]}{found[1]}{_STARS[found[2]]}", plain)
    return found if marked(found) == words else plain


class Guard:
    """What is told from its likes by one backslash before it.

    Args:
        pattern: of the thing itself, to be found after any number of backslashes.
    """

    def __init__(self, pattern: str) -> None:
        self._bare = re.compile(rf"(?<!\\)\\*(?:{pattern})")
        self._guarded = re.compile(rf"(?<!\\)\\(\\*(?:{pattern}))")

    def put(self, text: str) -> str:
        """The text with one backslash more."""
        return self._bare.sub(lambda found: f"\\{found[0]}", text)

    def taken(self, text: str) -> str:
        """The text with one backslash less."""
        return self._guarded.sub(r"\1", text)
