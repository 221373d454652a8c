"""Which entries of a book some texts wake, in the order in which they are put in, and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from lantern_kit.cards.decorators import effective, number
from lantern_kit.cards.macros import searchable
from lantern_kit.cards.model import Book, BookEntry, Decorator, Logic, Notice
from lantern_kit.cards.patterns import Patterns, slashed

ROUNDS = 5
MOST_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that was woken."""

    entry: BookEntry
    why: tuple[str, ...]
    """One reason or more, in English: ``key “gull”``, ``constant``, ``@@activate``."""
    keys: tuple[str, ...] = ()
    """The keys that were found."""
    round: int = 0
    """0: by the texts; 1 …: by contents of entries that were woken before."""
    decorators: tuple[Decorator, ...] = ()
    """Those that count, fallbacks in the place of what is not understood."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of the place in which texts stand; None: not known, and what depends on it is passed over."""

    scan_depth: int | None = None
    """How many of the newest texts are looked at, where an entry does not say."""
    recursive: bool | None = None
    rounds: int = ROUNDS
    case_sensitive: bool = False
    whole_words: bool = False
    messages: int | None = None
    """How many messages the character has given so far."""
    greeting: int | None = None
    user_icon: str | None = None
    before: Collection[str] | None = None
    """Ids of entries that were woken earlier."""
    full: bool | None = None
    """Whether there is no more room."""


def active(
    book: Book,
    texts: Sequence[str],
    *,
    setting: Setting | None = None,
    report: Callable[[Notice], None] | None = None,
) -> list[Match]:
    """The entries that texts wake, the lowest order first; of equal ones the earlier in the book.

    Args:
        book: whose entries.
        texts: the newest last.
        setting: what else is known.
        report: takes notices on patterns that are wrong or too slow.
    """
    return _Scan(book, texts, setting or Setting(), report).run()


class _Scan:
    def __init__(
        self, book: Book, texts: Sequence[str], setting: Setting, report: Callable[[Notice], None] | None
    ) -> None:
        self.book = book
        self.texts = tuple(texts)
        self.setting = setting
        self.woken: list[str] = []
        """Contents that may wake others."""
        self.patterns = Patterns(lambda code, message, key: report(Notice(code, message, key)) if report else None)
        unknown = {
            "activate_only_after": setting.messages,
            "activate_only_every": setting.messages,
            "is_greeting": setting.greeting,
            "is_user_icon": setting.user_icon,
            "keep_activate_after_match": setting.before,
            "dont_activate_after_match": setting.before,
            "ignore_on_max_context": setting.full,
        }
        self.without = {name for name, value in unknown.items() if value is None} | {"instruct_scan_depth"}
        self.folded: dict[str, str] = {}

    def run(self) -> list[Match]:
        found: dict[str, tuple[int, Match]] = {}
        recursive = self.setting.recursive if self.setting.recursive is not None else self.book.recursive
        for turn in range(1 + (min(self.setting.rounds, MOST_ROUNDS) if recursive else 0)):
            fresh: list[BookEntry] = []
            for place, entry in enumerate(self.book.entries):
                if entry.id in found or (entry.delay_until_recursion and not turn):
                    continue
                match = self.woken_by(entry, turn)
                if match is not None:
                    found[entry.id] = (place, match)
                    fresh.append(entry)
            more = [searchable(entry.content) for entry in fresh if not entry.prevent_recursion]
            if not more:
                break
            self.woken += more
        ranked = sorted(found.values(), key=lambda row: (row[1].entry.order, row[0]))
        return [match for _, match in ranked]

    def woken_by(self, entry: BookEntry, turn: int) -> Match | None:
        if not entry.enabled or not entry.content.strip() or entry.probability <= 0:
            return None
        marks = effective(entry.decorators, without=self.without)
        match = Match(entry, (), round=turn, decorators=tuple(marks.values()))
        if "activate" in marks:
            return replace(match, why=("@@activate",))
        if "dont_activate" in marks:
            return None
        if self.setting.before is not None and entry.id in self.setting.before:
            if "dont_activate_after_match" in marks:
                return None
            if "keep_activate_after_match" in marks:
                return replace(match, why=("@@keep_activate_after_match",))
        if not self.allowed(marks):
            return None
        sources = self.sources(entry, marks)
        extra = self.further(entry, marks, sources)
        if extra is None:
            return None
        if "constant" in marks or entry.constant:
            return replace(match, why=("@@constant" if "constant" in marks else "constant", *extra))
        keys = self.hits(entry, entry.keys, sources, regex=entry.use_regex)
        if not keys:
            return replace(match, why=extra) if entry.use_regex and extra else None
        second = self.second(entry, sources)
        if second is None:
            return None
        return replace(match, why=(*(f"key “{key}”" for key in keys), *second, *extra), keys=keys)

    def allowed(self, marks: dict[str, Decorator]) -> bool:
        """Whether decorators that ask for a certain place let an entry be woken here."""
        setting = self.setting

        def value(name: str) -> int | None:
            return number(marks[name].value) if name in marks else None

        after, every, greeting = value("activate_only_after"), value("activate_only_every"), value("is_greeting")
        if after is not None and (setting.messages or 0) < after:
            return False
        if every and (setting.messages or 0) % every:
            return False
        if greeting is not None and setting.greeting != greeting:
            return False
        if "is_user_icon" in marks and setting.user_icon != marks["is_user_icon"].value:
            return False
        return not ("ignore_on_max_context" in marks and setting.full)

    def sources(self, entry: BookEntry, marks: dict[str, Decorator]) -> tuple[str, ...]:
        """The texts that an entry looks at."""
        depths = (
            number(marks["scan_depth"].value) if "scan_depth" in marks else None,
            entry.scan_depth,
            self.setting.scan_depth,
            self.book.scan_depth,
        )
        depth = next((one for one in depths if one is not None), len(self.texts))
        seen = self.texts[max(0, len(self.texts) - depth) :]
        return seen if entry.exclude_recursion else (*seen, *self.woken)

    def further(self, entry: BookEntry, marks: dict[str, Decorator], sources: Sequence[str]) -> tuple[str, ...] | None:
        """Reasons of ``@@additional_keys``; None where that or ``@@exclude_keys`` forbids."""
        if "exclude_keys" in marks and not entry.use_regex and self.hits(entry, marks["exclude_keys"].values, sources):
            return None
        if "additional_keys" not in marks:
            return ()
        hits = self.hits(entry, marks["additional_keys"].values, sources, regex=entry.use_regex)
        if not hits and not entry.use_regex:
            return None
        return tuple(f"@@additional_keys “{key}”" for key in hits)

    def second(self, entry: BookEntry, sources: Sequence[str]) -> tuple[str, ...] | None:
        """Reasons of secondary keys; None where they forbid."""
        if not entry.selective or not entry.secondary_keys:
            return ()
        hits = self.hits(entry, entry.secondary_keys, sources, regex=entry.use_regex)
        every = len(hits) == len(entry.secondary_keys)
        fits = {
            Logic.AND_ANY: bool(hits),
            Logic.AND_ALL: every,
            Logic.NOT_ANY: not hits,
            Logic.NOT_ALL: not every,
        }[entry.logic]
        if not fits:
            return None
        return tuple(f"secondary key “{key}”" for key in hits) or (f"no secondary key ({entry.logic})",)

    def hits(
        self, entry: BookEntry, keys: Iterable[str], sources: Sequence[str], *, regex: bool = False
    ) -> tuple[str, ...]:
        """The keys that are found in any of the texts."""
        return tuple(key for key in keys if self.is_found(entry, key, sources, regex=regex))

    def is_found(self, entry: BookEntry, key: str, sources: Sequence[str], *, regex: bool) -> bool:
        case = self.setting.case_sensitive if entry.case_sensitive is None else entry.case_sensitive
        parts = slashed(key) or ((key, "" if case else "i") if regex else None)
        if parts is not None:
            return any(self.patterns.found(*parts, text) for text in sources)
        if not case:
            key, sources = key.casefold(), [self.fold(text) for text in sources]
        whole = self.setting.whole_words if entry.whole_words is None else entry.whole_words
        if whole and len(key.split()) == 1:
            word = re.compile(rf"(?:^|\W){re.escape(key)}(?:$|\W)", re.ASCII)
            return any(word.search(text) for text in sources)
        return any(key in text for text in sources)

    def fold(self, text: str) -> str:
        return self.folded.setdefault(text, text.casefold())


def fitted(matches: Sequence[Match], *, budget: int, size: Callable[[str], int]) -> tuple[list[Match], list[Match]]:
    """Those that there is room for, in their order, and those that are left out, the first to go first.

    First goes what asks for it (``@@ignore_on_max_context``), then what has the lowest priority, or order where an
    entry has none; of equal ones the later.

    Args:
        matches: from ``active``.
        budget: the room, such as a book's ``token_budget``.
        size: how much of it a content takes.
    """
    sizes = [size(match.entry.content) for match in matches]
    order = sorted(range(len(matches)), key=lambda place: _going(matches[place], place))
    total, gone = sum(sizes), 0
    while total > budget and gone < len(order):
        total -= sizes[order[gone]]
        gone += 1
    left = set(order[:gone])
    kept = [match for place, match in enumerate(matches) if place not in left]
    return kept, [matches[place] for place in order[:gone]]


def _going(match: Match, place: int) -> tuple[bool, int | float, int]:
    stays = all(mark.name != "ignore_on_max_context" for mark in match.entry.decorators)
    weight = match.entry.order if match.entry.priority is None else match.entry.priority
    return stays, weight, -place


def search(book: Book, words: str) -> list[BookEntry]:
    """Entries that hold each of some words in their names, keys or content, the best first.

    Case tells nothing apart; words are parted by blanks.
    """
    parts = words.casefold().split()
    ranked = []
    for place, entry in enumerate(book.entries):
        names = [one.casefold() for one in (*entry.keys, *entry.secondary_keys, entry.name, entry.comment) if one]
        content = entry.content.casefold()
        total = 0
        for part in parts:
            if part in names:
                continue
            if any(part in name for name in names):
                total += 1
            elif part in content:
                total += 3
            else:
                break
        else:
            ranked.append((total, place, entry))
    return [entry for *_, entry in sorted(ranked, key=lambda row: row[:2])] if parts else []
