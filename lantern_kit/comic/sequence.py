"""Three-way merge of an order: a list of ids that two sides changed from one base."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def merge_order(
    base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], held: Collection[str]
) -> tuple[list[str], bool]:
    """One order of the ids in ``held`` (each of which is in at least one of the lists) for two sides' changes.

    Of each two ids that all three lists hold, the side that turned them round decides; new ids come after what they
    came after on their own side, ours before theirs.

    Returns:
        The order, and whether it is whole. When the two sides' turns cannot all be had at once, ours are kept and it
        is not.
    """
    common = {*base} & {*ours} & {*theirs} & {*held}
    kept, whole = _merged(
        [name for name in base if name in common],
        [name for name in ours if name in common],
        [name for name in theirs if name in common],
    )
    mine = {*ours}
    merged = _inserted(kept, [name for name in ours if name in held], skip=frozenset())
    fresh = mine - common
    return _inserted(merged, [name for name in theirs if name in held], skip=fresh), whole


def _merged(base: list[str], ours: list[str], theirs: list[str]) -> tuple[list[str], bool]:
    if theirs in (base, ours):
        return ours, True
    if ours == base:
        return theirs, True
    # Both turned something. Ends that all three share need no thought.
    low, high = 0, len(base)
    while base[low] == ours[low] == theirs[low]:
        low += 1
    while base[high - 1] == ours[high - 1] == theirs[high - 1]:
        high -= 1
    names = base[low:high]
    places = [{name: place for place, name in enumerate(order)} for order in (ours, theirs)]
    mine, other = places
    before = dict.fromkeys(names, 0)  # how many of the others come before each
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            turned = mine[first] > mine[second] or other[first] > other[second]
            before[first if turned else second] += 1
    order = sorted(names, key=before.__getitem__)
    if [before[name] for name in order] != list(range(len(order))):
        return ours, False  # the turns make a circle
    return [*base[:low], *order, *base[high:]], True


def _inserted(order: list[str], side: list[str], *, skip: Collection[str]) -> list[str]:
    """The order with what only ``side`` has, each after what it follows there, past the ``skip`` ids behind that."""
    result = list(order)
    there = {*order}
    last: str | None = None
    for name in side:
        if name not in there:
            place = 0 if last is None else result.index(last) + 1
            while place < len(result) and result[place] in skip:
                place += 1
            result.insert(place, name)
        last = name
    return result
