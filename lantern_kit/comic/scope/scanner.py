"""A phrase as a row of tokens: nouns, places in a row, quotes, the small words between them, and what is left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from lantern_kit.comic.scope import nouns
from lantern_kit.comic.scope.numerals import CARDINALS, HAN, ORDINALS, number_of
from lantern_kit.comic.scope.phrase import Noun


class Kind(StrEnum):
    """What a token is."""

    NOUN = "noun"
    ORDINAL = "ordinal"
    NUMBER = "number"
    FROM_END = "from the end"
    QUOTE = "quote"
    NAME = "name"
    SAYS = "says"
    WHERE = "where"
    WITH = "with"
    CALLED = "called"
    BY = "by"
    OF = "of"
    AND = "and"
    POSSESSIVE = "possessive"
    BREAK = "break"
    SKIP = "skip"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of a phrase."""

    kind: Kind
    start: int
    end: int
    text: str = ""
    noun: Noun = Noun.ANY
    number: int = 0
    to: int = 0
    """The end of a range; otherwise the number itself."""
    han: bool = False


_QUOTES = re.compile(
    r"“([^”]*)”|\"([^\"]*)\"|「([^」]*)」|『([^』]*)』|«([^»]*)»|《([^》]*)》|(?<![\w])'([^']+)'(?!\w)"
)
MARK = "\x01"
"""Stands where a quote stood."""
_LATIN = r"(?<![a-z])(?:%s)(?![a-z])"
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.FROM_END, re.compile(_LATIN % r"(?:from|counting from|before) the (?:end|last)|from (?:behind|last)")),
    (Kind.SAYS, re.compile(_LATIN % nouns.SAYS)),
    (Kind.WITH, re.compile(_LATIN % nouns.WITH)),
    (Kind.WHERE, re.compile(_LATIN % nouns.WHERE)),
    (Kind.CALLED, re.compile(_LATIN % nouns.CALLED)),
    (Kind.BY, re.compile(_LATIN % nouns.BY)),
    (Kind.AND, re.compile(_LATIN % "and" + "|&|和|与|與|以及|、")),
    (Kind.OF, re.compile(_LATIN % nouns.OF)),
    (Kind.SKIP, re.compile(_LATIN % nouns.SKIP)),
)
_HAN_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.SAYS, re.compile(nouns.SAYS_HAN)),
    (Kind.SKIP, re.compile(nouns.SKIP_HAN + f"|{nouns.CLASSIFIER}")),
    (Kind.OF, re.compile(nouns.OF_HAN)),
)
_ENGLISH = re.compile(_LATIN % nouns.either(nouns.ENGLISH).pattern)
_CHINESE = nouns.either(nouns.CHINESE)
_FROM_LAST = re.compile(
    _LATIN % r"(?:(?P<word>second|third|fourth|fifth|next)[- ](?:to[- ])?last)|(?:penultimate)|"
    r"last but (?P<but>one|two|three)"
)
_LAST = re.compile(_LATIN % "last|final")
_ORDINAL = re.compile(
    _LATIN % f"(?P<word>{'|'.join(ORDINALS)})" + r"|(?<!\d)(?P<figure>\d{1,6})(?:st|nd|rd|th)(?![a-z])"
)
_COUNT = rf"(?:\d{{1,7}}|[{HAN}]{{1,8}})"
_HAN_LAST = re.compile(rf"(?:最后|最後|最末|末尾)(?:[一1]?{nouns.CLASSIFIER}|一)?|末(?=[页頁格话話])")
_HAN_FROM_LAST = re.compile(rf"倒[数數]第?({_COUNT}){nouns.CLASSIFIER}?")
_HAN_FIRST = re.compile(rf"首(?:{nouns.CLASSIFIER}|(?=[页頁格话話]))")
_RANGE = r"\s*(?:-|–|~|至|到)\s*"
_HAN_ORDINAL = re.compile(rf"第({_COUNT})(?:{_RANGE}第?({_COUNT}))?{nouns.CLASSIFIER}?")
_HAN_NOUNS = "|".join(words for _, words in nouns.CHINESE)
_HAN_PLAIN = re.compile(rf"(?<!\d)(\d{{1,7}})(?={nouns.CLASSIFIER}?(?:{_HAN_NOUNS}))")
_RELATIVE = re.compile(rf"[上下前后後](?:[一两兩几幾]|\d+){nouns.CLASSIFIER}?(?=(?:{_HAN_NOUNS}))")
"""The page before, the next two: relative to something that a phrase does not say."""
_NUMBER = re.compile(rf"#?\s?(\d{{1,7}})(?:(?:{_RANGE}|\s+to\s+)(\d{{1,7}}))?(?![\da-z])")
_CARDINAL = re.compile(_LATIN % f"(?:{'|'.join(CARDINALS)})")
_BREAK = re.compile(r"[,;:.!?()\[\]|/·>–。→-]+")
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:['-][^\W_]+)*?(?='s\b|[^\w'-]|['-]|$)|\S")
_OWNING = re.compile(rf"'s(?![a-z])|的|之| ?(?:{nouns.SAYS})(?![a-z])|{nouns.SAYS_HAN}")
_WORDS_OF_NUMBERS = {"next": 2, "one": 2, "two": 3, "three": 4}


def quoted(text: str) -> tuple[str, dict[int, str]]:
    """A text folded, its quotes taken out: each leaves one character, and is kept by the place of that."""
    text = text.replace(MARK, " ")
    kept: list[str] = []
    found: list[str] = []
    last = 0
    for match in _QUOTES.finditer(text):
        kept += [text[last : match.start()], MARK]
        found.append(next(part for part in match.groups() if part is not None))
        last = match.end()
    folded = nouns.tight(nouns.fold("".join([*kept, text[last:]]).replace(MARK, f" {MARK} ")))
    places = [place for place, character in enumerate(folded) if character == MARK]
    return folded, dict(zip(places, found, strict=True))


def scan(text: str, quotes: dict[int, str], names: Iterable[str] = ()) -> list[Token]:
    """The tokens of a folded text.

    Args:
        text: as ``quoted`` gives it.
        quotes: what stood at each place.
        names: folded names that are to be taken whole, before any other word is read.
    """
    known = sorted({nouns.tight(name) for name in names if name}, key=len, reverse=True)
    return list(_tokens(text, quotes, known))


def _tokens(text: str, quotes: dict[int, str], names: list[str]) -> Iterator[Token]:
    at = 0
    while at < len(text):
        if text[at] == " ":
            at += 1
            continue
        token = _name(text, at, names) or _next(text, at, quotes)
        yield token
        at = token.end


def _name(text: str, at: int, names: list[str]) -> Token | None:
    for name in names:
        if text.startswith(name, at):
            end = at + len(name)
            inside = (name[0].isascii() and at and text[at - 1].isascii() and text[at - 1].isalnum()) or (
                name[-1].isascii() and text[end : end + 1].isascii() and text[end : end + 1].isalnum()
            )
            noun = _noun(text, at)
            plain = noun is None or noun.end < end  # a name that is a noun too is one where somebody speaks or owns
            if not inside and (plain or _OWNING.match(text, end)):
                return Token(Kind.NAME, at, end, name)
    return None


def _next(text: str, at: int, quotes: dict[int, str]) -> Token:
    if at in quotes:
        return Token(Kind.QUOTE, at, at + 1, quotes[at])
    if text.startswith("'s", at):
        return Token(Kind.POSSESSIVE, at, at + 2)
    found = _RELATIVE.match(text, at)
    if found:
        return Token(Kind.WORD, at, found.end(), found[0], han=True)
    return _placed(text, at) or _noun(text, at) or _small(text, at) or _rest(text, at)


def _placed(text: str, at: int) -> Token | None:
    """A place in a row, or a number."""
    found = _FROM_LAST.match(text, at)
    if found:
        word = found["word"] or found["but"] or "next"
        return Token(Kind.ORDINAL, at, found.end(), number=-(_WORDS_OF_NUMBERS.get(word) or ORDINALS[word]))
    for pattern, number in ((_LAST, -1), (_HAN_LAST, -1), (_HAN_FIRST, 1)):
        found = pattern.match(text, at)
        if found:
            return Token(Kind.ORDINAL, at, found.end(), number=number, han=pattern is not _LAST)
    found = _ORDINAL.match(text, at)
    if found:
        number = ORDINALS[found["word"]] if found["word"] else int(found["figure"])
        return Token(Kind.ORDINAL, at, found.end(), number=number)
    return _counted(text, at)


def _counted(text: str, at: int) -> Token | None:
    for pattern, sign in ((_HAN_FROM_LAST, -1), (_HAN_ORDINAL, 1), (_HAN_PLAIN, 1)):
        found = pattern.match(text, at)
        first = None if found is None else number_of(found[1])
        if found is not None and first is not None:
            to = number_of(found[2]) if found.lastindex == 2 else first
            return Token(Kind.ORDINAL, at, found.end(), number=sign * first, to=sign * (to or first), han=True)
    found = _NUMBER.match(text, at)
    if found:
        first, to = number_of(found[1]), number_of(found[2] or found[1])
        if first is not None and to is not None:
            return Token(Kind.NUMBER, at, found.end(), number=first, to=to)
    found = _CARDINAL.match(text, at)
    return (
        Token(Kind.NUMBER, at, found.end(), text=found[0], number=CARDINALS[found[0]], to=CARDINALS[found[0]])
        if found
        else None
    )


def _noun(text: str, at: int) -> Token | None:
    for pattern, han in ((_ENGLISH, False), (_CHINESE, True)):
        found = pattern.match(text, at)
        if found is not None and found.lastgroup is not None:
            return Token(Kind.NOUN, at, found.end(), found[0], Noun[found.lastgroup], han=han)
    return None


def _small(text: str, at: int) -> Token | None:
    for table, han in ((_PATTERNS, False), (_HAN_PATTERNS, True)):
        for kind, pattern in table:
            found = pattern.match(text, at)
            if found:
                return Token(kind, at, found.end(), found[0], han=han)
    return None


def _rest(text: str, at: int) -> Token:
    found = _BREAK.match(text, at)
    if found:
        return Token(Kind.BREAK, at, found.end(), found[0])
    character = text[at]
    if not character.isascii():
        return Token(Kind.WORD, at, at + 1, character, han=True)
    found = _WORD.match(text, at)
    end = at + 1 if found is None else found.end()
    return Token(Kind.WORD, at, end, text[at:end])
