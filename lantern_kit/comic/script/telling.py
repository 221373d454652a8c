"""What writing a script back did, told tersely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lantern_kit.comic.measure import counted

MOST_TOLD = 20
_DEEDS = ("added", "removed", "changed", "moved")


@dataclass
class Deeds:
    """What happened to one unit."""

    unit: str
    new: bool = False
    panels: int = 0
    """Of a unit that is laid out anew."""
    panel_deeds: Counter[str] = field(default_factory=Counter)
    line_deeds: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def told(self) -> Iterator[str]:
        """In words."""
        parts = [
            f"{counted(number, noun)} {deed}"
            for noun, deeds in (("panel", self.panel_deeds), ("line", self.line_deeds))
            for deed in _DEEDS
            if (number := deeds[deed])
        ]
        if self.panels and not self.new:
            parts.append(f"laid out anew for {counted(self.panels, 'panel')}")
        if parts:
            yield f"{self.unit}: {', '.join(parts)}"


def told(every: list[Deeds]) -> tuple[str, ...]:
    """What happened to all of them: new units together, the others one by one, as far as anybody reads."""
    found: list[str] = []
    new = [deeds for deeds in every if deeds.new]
    if new:
        panels = sum(deeds.panel_deeds["added"] for deeds in new)
        lines = sum(deeds.line_deeds["added"] for deeds in new)
        found.append(f"{counted(len(new), 'unit')} added with {counted(panels, 'panel')} and {counted(lines, 'line')}")
    found += [note for deeds in every if not deeds.new for note in deeds.told()]
    found += [note for deeds in every for note in deeds.notes]
    if len(found) > MOST_TOLD:
        found[MOST_TOLD:] = [f"and {len(found) - MOST_TOLD} more of the like"]
    return tuple(found)
