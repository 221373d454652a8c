"""Entries as people call them: the one that a name means, and those that hold some words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lantern_kit.kernel.errors import BadInput, NotFound, nearest
from lantern_kit.library.entry import Content, Entry, Kind, folded, kind_named

NAMED = 10
"""Entries that an error names."""


class Lookup:
    """Entries by their names; case, width and blanks tell nothing apart.

    Args:
        entries: all there are, by id, in the order in which they were kept.
    """

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self.entries = entries
        self._named: dict[str, list[Entry]] = {}
        for item in entries.values():
            for name in () if item.archived else item.content.names:
                self._named.setdefault(folded(name), []).append(item)

    def one(self, name: str, *, kind: Kind | str | None, comic: str | None) -> Entry:
        """The one entry that an id or a name means; see ``Library.resolve``. Raises NotFound, BadInput."""
        if name in self.entries:
            return self.entries[name]
        wanted, word = None if kind is None else kind_named(kind), folded(name)
        found = [item for item in self._named.get(word, ()) if _is_of(item, wanted, comic)]
        if len(found) == 1:
            return found[0]
        if found:
            raise BadInput(
                f"{name[:40]} is the name of several entries of the library",
                expected=[" · ".join(item.apart().values()) for item in found[:NAMED]],
                ids=[item.id for item in found[:NAMED]],
                recovery="Name one of them by its id.",
                details={"candidates": [item.apart() for item in found[:NAMED]]},
            )
        others = [item for item in self._named.get(word, ()) if _is_of(item, wanted, None)]
        if others:
            item = others[0]
            raise NotFound(
                f"{name[:40]} belongs to another comic, {item.content.comic}",
                expected=f"an entry of {comic}, or of the whole workspace",
                ids=[other.id for other in others[:NAMED]],
                recovery="Keep one of this comic, or let a new version of that one belong to the whole workspace"
                ' (comic "").',
            )
        what = "entry" if wanted is None else wanted.value
        spelt = {
            word: next(name for name in item.content.names if folded(name) == word)
            for word, items in self._named.items()
            for item in items
            if _is_of(item, wanted, comic)
        }
        close = [spelt[other] for other in nearest(word, spelt)]
        raise NotFound(
            f"{name[:40]} is no {what} of the library",
            ids=[name[:40]],
            recovery=f"nearest: {', '.join(close)}" if close else "List the library, or keep it there first.",
        )

    def holding(self, words: str, *, kind: Kind | str | None, comic: str | None, archived: bool) -> list[Entry]:
        """Entries that hold each of some words, the best first; see ``Library.find``. Raises BadInput."""
        wanted, parts = None if kind is None else kind_named(kind), folded(words).split()
        ranked = []
        for place, item in enumerate(self.entries.values()):
            if item.archived is archived and _is_of(item, wanted, comic):
                rank = _rank(item.content, parts)
                if rank is not None:
                    ranked.append((rank, -place, item))
        return [item for *_, item in sorted(ranked, key=lambda row: row[:2])]


def _is_of(item: Entry, kind: Kind | None, comic: str | None) -> bool:
    """Whether an entry is of a kind, and belongs to a comic or to the whole workspace; None: of any."""
    return kind in {None, item.kind} and (comic is None or item.content.comic in {"", comic})


def _rank(content: Content, parts: Sequence[str]) -> int | None:
    """How well an entry fits words, lower is better; None where one of them is not in it."""
    names = [folded(name) for name in content.names]
    looks = [folded(f"{look.name} {look.notes}") for look in content.looks]
    rest = [folded(content.notes), *looks]
    total = 0
    for part in parts:
        if part in names:
            continue
        if any(name.startswith(part) for name in names):
            total += 1
        elif any(part in name for name in names):
            total += 2
        elif any(part in text for text in rest):
            total += 4
        else:
            return None
    return total
