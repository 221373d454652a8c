"""What the rules are given to look at, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from lantern_kit.comic.finding import Finding, Severity
from lantern_kit.comic.model import Unit, UnitKind


class PictureSize(Protocol):
    """What the checks ask of a picture."""

    @property
    def width(self) -> int:
        """Pixels."""
        ...

    @property
    def height(self) -> int:
        """Pixels."""
        ...

    @property
    def alpha(self) -> bool:
        """Whether it may be seen through."""
        ...


class PictureShelf(Protocol):
    """Where a checker looks pictures up."""

    def get(self, asset: str) -> PictureSize:
        """A picture by asset id. Raises NotFound."""
        ...


Pictures = Callable[[str], PictureSize | None]
"""Asset id → a picture's size in pixels, or None when there is none."""


class Wrong(NamedTuple):
    """What a rule has to say of one object."""

    rule: str
    severity: Severity
    message: str
    data: dict[str, Any]

    def finding(self, unit: str, thing: str) -> Finding:
        """The finding, with facts of its own."""
        return Finding(
            rule=self.rule,
            severity=self.severity,
            unit=unit,
            object=thing,
            message=self.message,
            data=dict(self.data),
        )


def fold_of(unit: Unit) -> tuple[int, int] | None:
    """Left and right edge of a spread's gutter; None on other units."""
    if unit.kind is not UnitKind.SPREAD or len(unit.surfaces) != 2:
        return None
    left, right = unit.surfaces
    return left.x + left.width, right.x
