"""What a person left out of a proposal and why: as it is decided, signed, kept and read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.parts import Choice, Part, closed, named
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.words import describe_each
from lantern_kit.kernel.canonical import dumps, loads
from lantern_kit.kernel.errors import BadInput, Corrupt
from lantern_kit.kernel.wording import said

MOST = 400
"""Characters of a reason."""


@dataclass(frozen=True)
class Choices:
    """The rejected parts of an applied proposal."""

    reasons: dict[str, str]
    """Those that the person named, with the words given; maybe none."""
    because: dict[str, str]
    """Those that went along: the rejected part that each of them needs."""

    @property
    def rejected(self) -> tuple[str, ...]:
        """Ids of all of them, sorted."""
        return tuple(sorted({**self.reasons, **self.because}))

    def reason(self, part: str) -> str:
        """Why a part was rejected; of one that went along, why the one it needs was."""
        seen: set[str] = set()
        while part not in self.reasons and part in self.because and part not in seen:
            seen.add(part)
            part = self.because[part]
        return self.reasons.get(part, "")

    def text(self) -> str:
        """As it is signed and kept: canonical JSON; "" when nothing was rejected."""
        if not self.reasons:
            return ""
        facts = {"rejected": self.reasons}
        return dumps({**facts, "with": self.because} if self.because else facts).decode()

    @classmethod
    def read(cls, text: str) -> Choices:
        """The choices that ``text`` holds. Raises Corrupt."""
        if not text:
            return cls({}, {})
        found = loads(text)
        if isinstance(found, dict) and {"rejected"} <= found.keys() <= {"rejected", "with"}:
            reasons, because = found["rejected"], found.get("with", {})
            if _plain(reasons) and _plain(because):
                return cls(reasons, because)
        raise Corrupt("the choices of a verdict cannot be read")


def left_out(text: str | None) -> int | None:
    """How many parts a verdict left out, from its choices as they are kept; None when those cannot be read."""
    try:
        return len(Choices.read(text or "").rejected)
    except Corrupt:
        return None


def _plain(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(word, str) for word in value.values())


def decide(found: Sequence[Part], reject: Mapping[str, str]) -> tuple[Choice, Choices]:
    """What rejecting some parts comes to.

    Args:
        found: the proposal's parts.
        reject: reasons (maybe empty) by name of a part, an object (all its parts) or a unit (all on it).

    Raises:
        NotFound: a name is none of the proposal's parts.
        BadInput: nothing would be left of the proposal.
    """
    reasons: dict[str, str] = {}
    for name, reason in reject.items():
        words = " ".join(said(reason, "a reason", longest=MOST).split())
        for part in named(found, name.strip()):
            reasons[part.id] = words or reasons.get(part.id, "")
    choice = closed(found, reasons)
    if not choice.accepted:
        raise BadInput(
            "nothing of the proposal would be left",
            ids=list(reasons),
            recovery="Discard the proposal instead, with the reason.",
        )
    return choice, Choices(reasons, choice.because)


@dataclass(frozen=True)
class Told:
    """A part in words, for those who decide and those who are told."""

    part: Part
    title: str
    """What people call the unit; "" for the chapter itself."""
    words: str
    reason: str = ""
    """Why it was rejected; "" when no reason was given, or it was not."""
    because: str = ""
    """The rejected part that it needs, when it only went along."""


def tell(
    found: Iterable[Part],
    base: Book,
    frozen: Book,
    *,
    language: Language = "en",
    titles: Callable[[str], str] | None = None,
) -> list[Told]:
    """Parts in words, in their order. Arguments as of ``describe``."""
    listed = list(found)
    sections = describe_each([part.rows for part in listed], base, frozen, language=language, titles=titles)
    told = []
    for part, units in zip(listed, sections, strict=True):
        here = next((unit for unit in units if unit.unit == part.unit), None)
        words = "; ".join(here.sentences) if here is not None else f"{part.object_kind} {' '.join(part.properties)}"
        told.append(Told(part, "" if here is None or part.unit == frozen.chapter.id else here.title, words))
    return told


def landed(
    found: Sequence[Part], rejected: Iterable[str], base: Book, frozen: Book, before: Book, after: Book
) -> tuple[str, ...]:
    """Rejected parts that a step of the work brought in all the same; none, unless something is broken.

    Args:
        found: the proposal's parts.
        rejected: ids of those that must not come.
        base, frozen: what they lead from and to.
        before, after: the work around the step.
    """
    out = {*rejected}
    return tuple(part.id for part in found if part.id in out and _came(part, base, frozen, before, after))


def _came(part: Part, base: Book, frozen: Book, before: Book, after: Book) -> bool:
    values = [_value(part, book) for book in (base, frozen, before, after)]
    if part.change == "turned":
        common = set.intersection(*({*value} for value in values if value is not None))
        values = [None if value is None else [name for name in value if name in common] for value in values]
    was, proposed, stood, stands = values
    return stands == proposed and stands not in (stood, was)


def _value(part: Part, book: Book) -> Any:
    """What a part is about, as it is in a book: where and what it is, its properties or its order."""
    if part.object == book.chapter.id:
        return list(book.order) if part.change == "turned" else _properties(part, book.chapter)
    for name in dict.fromkeys(row.unit for row in part.rows):
        if name not in book:
            continue
        unit = book.unit(name)
        thing = unit if part.object == name else unit.index.get(part.object)
        if thing is None:
            continue
        if part.change == "turned":
            return list(unit.reading) if part.properties == ("reading",) else [item.id for item in unit.objects]
        return _properties(part, thing) if part.properties else (name, thing.kind)
    return None


def _properties(part: Part, thing: Any) -> list[Any]:
    return [getattr(thing, name, None) for name in part.properties]


def rejected(told: Iterable[Told], choices: Choices) -> Iterator[Told]:
    """Of some parts in words, those that were rejected, with reasons."""
    for item in told:
        name = item.part.id
        if name in choices.reasons or name in choices.because:
            yield Told(item.part, item.title, item.words, choices.reason(name), choices.because.get(name, ""))
