"""What people and agents mean by words: phrases read, and looked up in a chapter. Never a guess.

nouns, numerals     the words that are understood, English and Chinese
phrase              a reading: what is meant, from the chapter inwards
scanner, reading    text to readings; several where words can be taken in two ways
matching, resolve   readings to things: every one that fits
seek                words looked for in chapters: phrases where they are understood, else whatever holds the words
apart               what tells several candidates apart
"""

from lantern_kit.comic.scope.apart import candidate
from lantern_kit.comic.scope.phrase import Noun, Phrase, Pick
from lantern_kit.comic.scope.reading import Readings, read
from lantern_kit.comic.scope.resolve import Found, resolve
from lantern_kit.comic.scope.seek import Sought, of_kind, seek

__all__ = [
    "Found",
    "Noun",
    "Phrase",
    "Pick",
    "Readings",
    "Sought",
    "candidate",
    "of_kind",
    "read",
    "resolve",
    "seek",
]
