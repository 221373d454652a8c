"""Prose that was written before: whole units much like another, and passages taken over nearly word for word.

Candidates come from an index that grows with the novel, so that a unit is looked up and never compared with all; each
is confirmed by its grams themselves. A line or two that come again, as refrains do, are too short to count.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.guards.prints import GRAM, HASHES, SHINGLE, Hashes, Prints, grams, likeness, plain, prints
from lantern_kit.novel.prose import Prose
from lantern_kit.novel.whole import Novel, committed

Read = Callable[[str], tuple[str, ...]]
"""The paragraphs of a commit."""
PASSAGE = 135
"""Bytes of plain text that a passage taken over has at least: 45 Han characters, some 28 English words."""
LONG = 270
"""Bytes from which a passage counts within a paragraph that is otherwise new."""
_ALMOST = 0.8
"""Share of a paragraph that has to be elsewhere for it to be there nearly word for word."""
_UNIT, _LIKELY = 0.35, 0.12
"""Share of a unit's shingles that have to be another's; and the likeness from which that is looked at."""
_SHARED = 3
"""Sampled grams that two paragraphs share before they are compared."""
_KEPT = 8


@dataclass
class _Index:
    """What a novel's commits are found by, in their order."""

    commits: list[str] = field(default_factory=list)
    minhashes: Hashes = field(default_factory=lambda: np.empty((64, HASHES), np.uint64))
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Where a sampled gram stands first: the commit's number, the paragraph."""

    def add(self, commit: str, made: Prints) -> None:
        """Add the next commit."""
        number = len(self.commits)
        if number == len(self.minhashes):
            self.minhashes = np.concatenate([self.minhashes, np.empty_like(self.minhashes)])
        self.minhashes[number] = made.minhash
        for paragraph, sample in enumerate(made.samples):
            for gram in sample:
                self.places.setdefault(gram, (number, paragraph))
        self.commits.append(commit)


_INDEXES: OrderedDict[str, _Index] = OrderedDict()
_PRINTS: OrderedDict[str, Prints] = OrderedDict()
_LOCK = threading.Lock()


def duplicate_findings(novel: Novel, written: Prose, read: Read) -> list[Finding]:
    """What of a unit's prose stands in earlier units, or twice in it."""
    made = _prints(written.name, written.paragraphs)
    with _LOCK:
        index = _brought_up(novel, read)
        near = _near(index, made)
        likely = [_likely(index.places, sample) for sample in made.samples]
        commits = list(index.commits)
    found = _whole(written, commits, near, read)
    if found:
        return found  # its passages would say the same again
    own: dict[int, tuple[int, int]] = {}
    for number, sample in enumerate(made.samples):
        text = plain(written.paragraphs[number])
        if len(text) >= PASSAGE:
            seen = likely[number] + _likely(own, sample)
            finding = _passage(written, number, text, seen, commits, read)
            if finding is not None:
                found.append(finding)
        for gram in sample:
            own.setdefault(gram, (-1, number))
    return found


def _prints(name: str, paragraphs: Sequence[str]) -> Prints:
    """What a body is compared by; that of the newest ones is remembered."""
    made = _PRINTS.get(name)
    if made is None:
        made = prints(paragraphs)
        with _LOCK:
            _PRINTS[name] = made
            if len(_PRINTS) > _KEPT:
                _PRINTS.popitem(last=False)
    return made


def _brought_up(novel: Novel, read: Read) -> _Index:
    """The index of a novel's commits; made anew when they are not those it was made of and more."""
    now = list(novel.commits)
    index = _INDEXES.get(novel.head.id)
    if index is None or index.commits != now[: len(index.commits)]:
        index = _Index()
    for name in now[len(index.commits) :]:
        body = committed(novel.commits[name]).body
        index.add(name, _PRINTS.get(body) or prints(read(name)))
    _INDEXES[novel.head.id] = index
    _INDEXES.move_to_end(novel.head.id)
    if len(_INDEXES) > _KEPT:
        _INDEXES.popitem(last=False)
    return index


def _near(index: _Index, made: Prints) -> list[int]:
    """Commits that may be much like a unit, the likest first."""
    alike = likeness(made.minhash, index.minhashes[: len(index.commits)])
    return [int(at) for at in np.argsort(-alike, kind="stable")[:3] if alike[at] >= _LIKELY]


def _likely(places: dict[int, tuple[int, int]], sample: frozenset[int]) -> list[tuple[int, int]]:
    """Paragraphs that share some grams with one, those that share most first."""
    seen = Counter(places[gram] for gram in sample if gram in places)
    return [place for place, count in sorted(seen.items(), key=lambda item: (-item[1], item[0])) if count >= _SHARED][
        :4
    ]


def _whole(written: Prose, commits: Sequence[str], near: Sequence[int], read: Read) -> list[Finding]:
    """The earlier unit that this one is much like."""
    own = grams(plain("".join(written.paragraphs)), SHINGLE)
    for at in near:
        other = grams(plain("".join(read(commits[at]))), SHINGLE)
        share = len(own & other) / max(1, len(own))
        if share >= _UNIT and len(own) >= LONG:
            told = f"{share:.0%} of this prose stands in {commits[at]} already"
            return [Finding("duplicate.unit", Severity.OVERRIDE, told, (commits[at],), 0)]
    return []


def _passage(
    written: Prose, number: int, text: bytes, seen: Sequence[tuple[int, int]], commits: Sequence[str], read: Read
) -> Finding | None:
    """A paragraph that stands elsewhere, or a long part of it."""
    for at, place in seen:
        commit = commits[at] if at >= 0 else ""
        there = plain((read(commit) if commit else written.paragraphs)[place])
        shared, longest = _shared(text, there)
        where = f"{commit or 'this prose'}, paragraph {place}"
        ids = (commit,) if commit else ()
        if shared >= PASSAGE and shared >= _ALMOST * len(text):
            told = f"paragraph {number} stands already in {where}" + ("" if shared == len(text) else ", nearly")
            return Finding("duplicate.paragraph", Severity.OVERRIDE, told, ids, number)
        if longest >= LONG:
            told = f"a long part of paragraph {number} stands already in {where}"
            return Finding("duplicate.passage", Severity.OVERRIDE, told, ids, number)
    return None


def _shared(text: bytes, there: bytes) -> tuple[int, int]:
    """How many bytes of a text lie in grams that another has, and how long the longest run of them is."""
    known = grams(there, GRAM)
    shared = longest = run = end = 0
    for at in range(len(text) - GRAM + 1):
        if text[at : at + GRAM] in known:
            added = at + GRAM - max(end, at)
            run = run + added if end >= at and run else added
            end = at + GRAM
            shared += added
            longest = max(longest, run)
        elif at >= end:
            run = 0
    return shared, longest
