"""Where a story is, and what of it is due: by its length, its chapters and what was planted (seed 004, 7.2)."""

from __future__ import annotations

from lantern_kit.novel.model import Foreshadow, ForeshadowState, Target
from lantern_kit.novel.whole import Novel


def phase(novel: Novel) -> str:
    """Where the story is: opening, rising, middle, closing or ending; by its length, or by its chapters."""
    if not novel.chapters:
        return "opening"
    current = novel.current
    last = next(reversed(list(novel.chapters)), None)
    if current is None or current.id == last:
        return "ending"
    share = novel.completed_chapters / max(1, len(novel.chapters))
    length = novel.config.length
    if isinstance(length, Target):
        share = max(share, novel.head.characters / length.characters)
    steps = ((0.15, "opening"), (0.45, "rising"), (0.7, "middle"))
    return next((name for most, name in steps if share < most), "closing")


def owed(novel: Novel) -> list[Foreshadow]:
    """Foreshadows that must be taken up, and are not: with these no story ends."""
    states = {ForeshadowState.PLANNED, ForeshadowState.PLANTED}
    return [item for item in novel.foreshadows.values() if item.required and item.state in states]


def overdue(novel: Novel) -> list[Foreshadow]:
    """Open foreshadows whose chapter to be planted or taken up in is the current one, or over; all after the last."""
    place = {name: at for at, name in enumerate(novel.chapters)}
    now = len(place) if novel.current is None else place[novel.current.id]
    found = []
    for item in novel.foreshadows.values():
        due = {ForeshadowState.PLANNED: item.plant, ForeshadowState.PLANTED: item.resolve}
        if item.state in due and place.get(due[item.state] or "", len(place)) <= now:
            found.append(item)
    return found
