"""Words that come near: what a description tells of, and what a misspelt word may have been."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from lantern_kit.comic.scope.nouns import SKIP, bare, fold

USUAL = (
    *("page", "panel", "frame", "balloon", "bubble", "caption", "narration", "picture", "image", "cover", "spread"),
    *("chapter", "sound effect", "overlay", "foreground", "effect", "first", "second", "third", "last"),
)
"""What is looked for most, one word for each."""
LIKE = 0.75
"""So alike, of one, are a word and what it is taken to have been."""
SHORTEST = 4
"""Letters of a word that is worth a guess."""
LONGEST = 40
_SPACED = 0x0E00
"""Letters of scripts that part words by blanks come before this; those of Thai, Chinese, Japanese and Korean after."""
_SKIPPED = re.compile(SKIP)
_OF = re.compile("[的之]")


def tells(description: str, text: str) -> bool:
    """Whether a description has all the words of a text, in any order; a word is told by its beginning."""
    words = [word for part in _OF.split(bare(text)) for word in part.split() if not _SKIPPED.fullmatch(word)]
    if not words or not description:
        return False
    told = bare(description)
    return all(_has(told, word) for word in words)


def meant_perhaps(strange: Iterable[str], names: Iterable[str], count: int = 2) -> list[str]:
    """Usual words and names that are very like words that were not understood, best first; possibly none."""
    known = {fold(name): name for name in (*names, *USUAL)}
    words = [word for said in strange for word in fold(said).split() if SHORTEST <= len(word) <= LONGEST]
    near = (difflib.get_close_matches(word, list(known), n=count, cutoff=LIKE) for word in words)
    return list(dict.fromkeys(known[word] for some in near for word in some))[:count]


def _has(told: str, word: str) -> bool:
    if ord(word[0]) >= _SPACED:
        return word in told
    return re.search(rf"(?<![^\W\d_]){re.escape(word)}", told) is not None
