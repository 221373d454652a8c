"""Tokens to readings. A phrase is understood whole or not at all: no word of it is passed over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lantern_kit.comic.scope.phrase import UNITS, WORDS, Noun, Phrase, Pick
from lantern_kit.comic.scope.scanner import MARK, Kind, Token, quoted, scan

LONGEST = 400
"""Characters of a phrase that are read."""
MOST = 8
"""Things that one phrase names: alternatives inside alternatives are looked up one by one."""
_NAMED = frozenset({Noun.PICTURE, Noun.OVERLAY, Noun.FOREGROUND})
_ARTICLES = frozenset({"the", "a", "an"})
_IDLE = frozenset({Kind.SKIP, Kind.BREAK})


@dataclass(frozen=True, slots=True)
class Readings:
    """What a text may mean."""

    phrases: tuple[Phrase, ...]
    """Each way in which all of it is understood."""
    strange: tuple[str, ...] = ()
    """Where there is none: the words that are not understood."""
    without: Phrase | None = None
    """What it would mean without those words."""


def read(text: str, names: Iterable[str] = ()) -> Readings:
    """The readings of a text.

    Args:
        text: in English or Chinese.
        names: folded names of people, things and pages that may stand in it without quotes.
    """
    if len(text) > LONGEST:
        return Readings((), ("a text of so many words",))
    folded, quotes = quoted(text)
    known = frozenset(names)
    found: dict[Phrase, None] = {}
    partial: _Parser | None = None
    for taken in (frozenset[str](), known) if known else (known,):
        tokens = scan(folded, quotes, taken)
        for parser in _parsers(folded, quotes, taken, tokens):
            phrase = parser.phrase()
            if phrase is not None and not parser.strange:
                found[phrase] = None
            elif partial is None or len(parser.strange) < len(partial.strange):
                partial = parser
    if found or partial is None:
        return Readings(tuple(found))
    return Readings((), tuple(dict.fromkeys(partial.strange)), partial.phrase())


def _parsers(folded: str, quotes: dict[int, str], names: frozenset[str], tokens: list[Token]) -> list[_Parser]:
    """One parser, or where words are spoken without quotes, one for each place where they may end."""
    says = next((at for at, token in enumerate(tokens) if token.kind is Kind.SAYS), None)
    after = [] if says is None else [token for token in tokens[says + 1 :] if token.kind not in _IDLE]
    if says is None or not after or after[0].kind in {Kind.QUOTE, Kind.OF} or any(token.han for token in after):
        return [_Parser(tokens)]
    found = []
    for end in range(says + 2, len(tokens) + 1):
        rest = tokens[end:]
        if rest and rest[0].kind not in {Kind.BREAK, Kind.OF}:
            continue
        last = tokens[end - 1]
        words = folded[tokens[says].end : last.end].strip(" ,.:")
        if MARK in words or not words:
            continue
        spoken = Token(Kind.QUOTE, tokens[says].end, last.end, words)
        found.append(_Parser([*tokens[: says + 1], spoken, *rest]))
    return found or [_Parser(tokens)]


class _Parser:
    """Reads one row of tokens."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self.picks: list[Pick] = []
        self.strange: list[str] = []
        self._head: int | None = None
        self._next = _Waiting()
        self._also = False
        self._before: Token | None = None
        at = 0
        while at < len(tokens):
            at = self._take(at)
        if self._next.anything:
            self.strange.append(self._next.words)
        if self._also:
            self.strange.append("and")
        if len(self.picks) > MOST:
            self.strange.append("so many things at once")
            self.picks = []

    def phrase(self) -> Phrase | None:
        """What was read, from the outside inwards; None when it names nothing."""
        if not self.picks:
            return None
        picks = tuple(sorted(self.picks, key=lambda pick: pick.rank))
        innermost = picks[-1].rank
        return Phrase(picks, innermost if self._head is None else self._head)

    # tokens

    def _take(self, at: int) -> int:
        token = self._tokens[at]
        match token.kind:
            case Kind.NOUN:
                self._noun(token)
            case Kind.ORDINAL:
                self._ordinal(token)
            case Kind.NUMBER:
                self._number(token)
            case Kind.FROM_END:
                self._from_end(token)
            case Kind.QUOTE | Kind.NAME:
                at = self._quote(at)
            case Kind.WORD:
                at = self._word(at)
            case Kind.SAYS:
                at = self._says(at, "")
            case Kind.WITH:
                if self.picks and self._head is None:
                    self._head = self.picks[-1].rank
                else:
                    self.strange.append(token.text)
            case Kind.AND:
                self._also = True
            case _:
                pass
        if token.kind is not Kind.SKIP:
            self._before = self._tokens[min(at, len(self._tokens) - 1)]
        return at + 1

    def _noun(self, token: Token) -> None:
        last = self.picks[-1] if self.picks else None
        if last is not None and self._joins(last, token):
            noun = token.noun if last.noun is Noun.PAGE else last.noun
            self.picks[-1] = replace(last, noun=noun, paged=last.paged or last.number is not None)
            return
        waiting, self._next = self._next, _Waiting()
        pick = Pick(token.noun, name=waiting.name, speaker=waiting.speaker, said=waiting.said)
        if waiting.owner:
            spoken = token.noun in WORDS
            pick = replace(pick, speaker=waiting.owner) if spoken else replace(pick, name=waiting.owner)
        if waiting.ordinal:
            counted = token.noun in {Noun.PAGE, Noun.CHAPTER} and waiting.ordinal > 0
            if counted or waiting.to != waiting.ordinal:
                pick = replace(pick, number=(min(waiting.ordinal, waiting.to), max(waiting.ordinal, waiting.to)))
            else:
                pick = replace(pick, ordinal=waiting.ordinal)
        self._add(pick, token.text)

    def _joins(self, last: Pick, token: Token) -> bool:
        """Whether a noun only says more closely what the one before it is: cover page, pages 4–5 (spread)."""
        if self._next.anything or last.noun not in UNITS or token.noun not in UNITS or last.noun is token.noun:
            return False
        before = self._before
        if last.noun is Noun.PAGE:
            return last.number is not None and before is not None and before.kind is Kind.BREAK
        return token.noun is Noun.PAGE and before is not None and before.kind is Kind.NOUN and not last.number

    def _add(self, pick: Pick, words: str) -> None:
        same = [item for item in self.picks if item.rank == pick.rank]
        if bool(same) is not self._also:  # two of a kind that do not lie in each other, or two things of two kinds
            self.strange.append(words)
        self._also = False
        self.picks.append(pick)

    def _ordinal(self, token: Token) -> None:
        if self._next.ordinal or not token.number:  # two places for one thing, or the place nought
            self.strange.append(_said(token))
            return
        self._next.ordinal, self._next.to = token.number, token.to or token.number
        self._next.tell(_said(token))

    def _number(self, token: Token) -> None:
        if self._next.anything and token.text == "one":  # the last one
            self._noun(Token(Kind.NOUN, token.start, token.end, token.text))
            return
        before, last = self._before, self.picks[-1] if self.picks else None
        number = (min(token.number, token.to), max(token.number, token.to))
        if last is not None and not self._next.anything and before is not None:
            fresh = last.number is None and not last.ordinal
            if before.kind is Kind.NOUN and fresh:
                self.picks[-1] = replace(last, number=number, paged=last.noun is Noun.SPREAD and number[0] < number[1])
                return
            if self._also and last.number is not None:  # pages 3 and 4
                self._add(replace(last, number=number), _said(token))
                return
        self.strange.append(_said(token))

    def _from_end(self, token: Token) -> None:
        last = self.picks[-1] if self.picks else None
        if self._next.ordinal > 0:
            self._next.ordinal = self._next.to = -self._next.ordinal
        elif last is not None and last.ordinal > 0:
            self.picks[-1] = replace(last, ordinal=-last.ordinal)
        elif (
            last is not None and last.number is not None and last.number[0] == last.number[1] and last.noun is Noun.PAGE
        ):
            self.picks[-1] = replace(last, number=None, ordinal=-last.number[0])
        else:
            self.strange.append(token.text)

    def _quote(self, at: int) -> int:
        token = self._tokens[at]
        following = self._following(at)
        if token.kind is Kind.NAME and following is not None and following.kind is Kind.SAYS:
            return self._says(self._tokens.index(following), token.text)
        if token.kind is Kind.NAME and self._owns(at):
            self._next.owner = token.text
            self._next.tell(token.text)
            return at
        self._attach(at, token.text)
        return at

    def _attach(self, at: int, name: str) -> None:
        """Give a name, or quoted words, to the noun that they stand at; else they stand for a thing by themselves."""
        before, last = self._before, self.picks[-1] if self.picks else None
        close = before is not None and before.kind in {Kind.NOUN, Kind.NUMBER, Kind.CALLED}
        of = before is not None and before.kind is Kind.OF and last is not None and last.noun in _NAMED
        if last is not None and (close or of) and not last.name and not self._next.anything:
            self.picks[-1] = replace(last, name=name)
        elif before is not None and before.kind is Kind.BY and last is not None and last.noun in WORDS:
            self.picks[-1] = replace(last, speaker=name)
        elif self._leads_to_noun(at):
            self._next.name = name
            self._next.tell(name)
        else:
            self._add(Pick(Noun.ANY, name=name), name)

    def _word(self, at: int) -> int:
        """Words that are no part of the grammar: somebody's name, where it is clear that they are."""
        end = at
        while end + 1 < len(self._tokens) and self._tokens[end + 1].kind is Kind.WORD:
            end += 1
        words = self._between(at, end)
        following = self._following(end)
        if following is not None and following.kind is Kind.SAYS:
            return self._says(self._tokens.index(following), words)
        if self._owns(end):
            self._next.owner = words
            self._next.tell(words)
        elif self._before is not None and self.picks and self._before.kind in {Kind.CALLED, Kind.BY, Kind.OF}:
            last = self.picks[-1]
            if self._before.kind is Kind.CALLED or (self._before.kind is Kind.OF and last.noun in _NAMED):
                self.picks[-1] = replace(last, name=words)
            elif self._before.kind is Kind.BY and last.noun in WORDS:
                self.picks[-1] = replace(last, speaker=words)
            else:
                self.strange.append(words)
        else:
            self.strange.append(words)
        return end

    def _says(self, at: int, speaker: str) -> int:
        """Somebody says something: it tells of the noun before ``where``, or of the noun after it in Chinese."""
        quote = self._following(at)
        said, end = "", at
        if quote is not None and quote.kind is Kind.QUOTE:
            said, end = quote.text, self._tokens.index(quote)
        if not speaker and not said:
            self.strange.append(self._tokens[at].text)
            return at
        before, last = self._before, self.picks[-1] if self.picks else None
        relative = before is not None and (before.kind is Kind.WHERE or (before.kind is Kind.NOUN and not speaker))
        if self._leads_to_noun(end, needs_of=True):
            self._next.speaker, self._next.said = speaker, said
            self._next.tell(speaker or said)
        elif last is not None and relative and not self._next.anything:
            self.picks[-1] = replace(last, speaker=speaker or last.speaker, said=said)
        else:
            self._add(Pick(Noun.BALLOON, speaker=speaker, said=said), self._tokens[at].text)
        return end

    # looking round

    def _following(self, at: int) -> Token | None:
        return next((token for token in self._tokens[at + 1 :] if token.kind not in _IDLE), None)

    def _owns(self, at: int) -> bool:
        """Whether a word is somebody's whose thing follows: ``Chelsea's …``, ``切尔西的…``."""
        if at + 1 >= len(self._tokens):
            return False
        following = self._tokens[at + 1]
        if following.kind is Kind.POSSESSIVE:
            return True
        return following.kind is Kind.OF and following.text in {"的", "之"} and self._leads_to_noun(at + 1)

    def _leads_to_noun(self, at: int, *, needs_of: bool = False) -> bool:
        """Whether a noun comes next, with no more than small words and a place in a row before it."""
        seen_of = not needs_of
        for token in self._tokens[at + 1 :]:
            if token.kind is Kind.NOUN:
                return seen_of
            if token.kind is Kind.OF and token.text in {"的", "之"}:
                seen_of = True
            elif token.kind is not Kind.ORDINAL and (token.kind is not Kind.SKIP or token.text in _ARTICLES):
                return False
        return False

    def _between(self, first: int, last: int) -> str:
        words = [self._tokens[place] for place in range(first, last + 1)]
        out = words[0].text
        for before, token in pairwise(words):
            out += token.text if token.start == before.end else f" {token.text}"
        return out


class _Waiting:
    """What was said of a noun that is still to come."""

    def __init__(self) -> None:
        self.ordinal = self.to = 0
        self.owner = self.name = self.speaker = self.said = self.words = ""

    @property
    def anything(self) -> bool:
        """Whether something was said."""
        return bool(self.words)

    def tell(self, words: str) -> None:
        """Keep the words, to name them if no noun comes."""
        self.words = f"{self.words} {words}".strip()


def _said(token: Token) -> str:
    if token.text:
        return token.text
    return "last" if token.number == -1 else str(token.number)
