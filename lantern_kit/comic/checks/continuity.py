"""What should stay the same from page to page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from lantern_kit.comic.checks.kept import spelling
from lantern_kit.comic.checks.seen import Wrong
from lantern_kit.comic.model import Balloon, Unit


def names(units: Iterable[Unit]) -> Iterator[tuple[str, str, Wrong]]:
    """continuity.speaker: one speaker's name in two spellings, by unit and balloon."""
    spelt: dict[str, list[tuple[str, str, str]]] = {}
    for unit in units:
        for item in unit.objects:
            if isinstance(item, Balloon) and item.speaker.strip():
                spelt.setdefault(spelling(item.speaker), []).append((unit.id, item.id, item.speaker))
    for said in spelt.values():
        counts = Counter(name for _, _, name in said)
        if len(counts) < 2:
            continue
        usual = max(counts, key=lambda name: (counts[name], -list(counts).index(name)))
        for unit_id, thing, name in said:
            if name != usual:
                yield (
                    unit_id,
                    thing,
                    Wrong(
                        "continuity.speaker",
                        "note",
                        f"its speaker is written “{name}”, in {counts[usual]} other "
                        f"{'balloon' if counts[usual] == 1 else 'balloons'} “{usual}”; write both alike",
                        {"speaker": name, "usual": usual, "count": counts[usual]},
                    ),
                )
