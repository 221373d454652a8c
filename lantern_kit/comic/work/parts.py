"""A proposal's parts as people see them: a table of what can be taken or left by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lantern_kit.comic.choices import Told
from lantern_kit.comic.work import show


class PartsTable:
    """Parts in words, with what each needs and, once decided, why it was left out."""

    def __init__(self, told: Sequence[Told]) -> None:
        self._told = tuple(told)

    def __len__(self) -> int:
        return len(self._told)

    def __iter__(self) -> Iterator[Told]:
        return iter(self._told)

    def __getitem__(self, place: int) -> Told:
        return self._told[place]

    @property
    def ids(self) -> tuple[str, ...]:
        """What to name when rejecting; an object's or a unit's id means all its parts."""
        return tuple(item.part.id for item in self._told)

    def __repr__(self) -> str:
        return "\n".join(f"{item.part.id}  {line(item)}" for item in self._told) or "no parts"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        decided = any(item.reason or item.because for item in self._told)
        heads = ["part", "page", "what", "needs", *(["rejected"] if decided else [])]
        rows = [
            [item.part.id, item.title, item.words, ", ".join(item.part.needs), *([verdict(item)] if decided else [])]
            for item in self._told
        ]
        return show.bundle(repr(self), show.table(heads, rows, empty="no parts"))


def line(item: Told) -> str:
    """A part on one line, without its id."""
    where = f"{item.title} · " if item.title else ""
    needs = f" (only with {', '.join(item.part.needs)})" if item.part.needs else ""
    why = verdict(item)
    return f"{where}{item.words}{needs}{f' — rejected: {why}' if why else ''}"


def verdict(item: Told) -> str:
    """Why a part was left out; nothing when no words were given."""
    along = f"went with {item.because}" if item.because else ""
    return "; ".join(word for word in (item.reason, along) if word)


def rejected(item: Told) -> str:
    """A rejected part on one line, for those who read the verdict."""
    where = f"{item.title} · " if item.title else ""
    why = verdict(item)
    return f"{where}{item.words} [{item.part.id}]{f': {why}' if why else ''}"
