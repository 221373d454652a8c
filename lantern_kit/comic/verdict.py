"""What applying a proposal makes of a chapter that may have moved on since the draft began."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.book import Book
from lantern_kit.comic.merge import Merged, merge
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.kernel.errors import MergeConflict, WrongState


def moved(units: Sequence[str], base: Book, current: Book) -> tuple[str, ...]:
    """Those of a proposal's units that the work changed since the proposal's base."""
    return tuple(unit for unit in units if _differs(base, current, unit))


def applied(proposal: str, units: Sequence[str], base: Book, current: Book, frozen: Book, mode: ApplyMode) -> Merged:
    """The chapter after a proposal was applied, and what is left to choose: conflicts, of a merge only.

    Args:
        proposal: its id, for messages.
        units: what it touches.
        base: what the draft was forked from.
        current: the work as it stands.
        frozen: what is proposed.
        mode: how to meet what moved.

    Raises:
        WrongState: something it touches moved, and the mode is plain.
        MergeConflict: both sides changed one fact of the chapter, and the mode is plain.
    """
    changed = moved(units, base, current)
    if mode is ApplyMode.PLAIN and changed:
        raise WrongState(
            f"{len(changed)} units that {proposal} touches were changed meanwhile",
            ids=changed,
            recovery="Look at the review again, then choose merge or overwrite.",
        )
    merged = merge(base, current, frozen)
    if mode is ApplyMode.OVERWRITE:
        facts = [item.property for item in merged.conflicts if item.object == frozen.chapter.id]
        return Merged(_overwritten(units, facts, merged.book, frozen), ())
    if merged.conflicts and mode is ApplyMode.PLAIN:
        raise MergeConflict(
            f"{len(merged.conflicts)} changes of {proposal} meet other changes of the same things",
            ids=sorted({item.object for item in merged.conflicts}),
            details={
                "conflicts": [
                    {"unit": item.unit, "object": item.object, "property": item.property}
                    for item in merged.conflicts[:20]
                ]
            },
        )
    return merged


def _differs(one: Book, other: Book, unit: str) -> bool:
    if (unit in one) != (unit in other):
        return True
    return unit in one and one.unit(unit) != other.unit(unit)


def _overwritten(units: Sequence[str], facts: Sequence[str | None], book: Book, frozen: Book) -> Book:
    """The merged book with the draft's version of every unit it touched, and of the chapter's facts in conflict."""
    wanted = {
        name: getattr(frozen.chapter, name) for name in facts if name is not None and name in Chapter.model_fields
    }
    if wanted:
        book = book.with_chapter(book.chapter.model_copy(update=wanted))
    for unit in units:
        if unit in frozen:
            held = frozen.unit(unit)
            book = book.replace(held) if unit in book else book.insert(held, min(frozen.position(unit), len(book)))
        elif unit in book:
            book = book.remove(unit)
    _refuse_doubles(book, [book.unit(unit) for unit in units if unit in book])
    return book


def _refuse_doubles(book: Book, taken: Sequence[Unit]) -> None:
    """Refuse a result in which one object lies on two units, because each side moved it to another."""
    ids = {item for unit in taken for item in unit.index}
    names = {unit.id for unit in taken}
    doubles = sorted(ids.intersection(item for unit in book.units() if unit.id not in names for item in unit.index))
    if doubles:
        raise MergeConflict(
            f"{len(doubles)} objects were moved to different pages by the draft and meanwhile in the work",
            ids=doubles,
            recovery="Keep the proposal and ask for a new draft from the current revision.",
        )
