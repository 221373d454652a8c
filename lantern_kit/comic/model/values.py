"""Numbers, colours and shapes that the document is made of: integer micrometres, millidegrees, millionths."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MILLION = 1_000_000
LIMIT = 10_000_000  # ten metres, in micrometres: no coordinate or length lies further out
Length = Annotated[int, Field(ge=-LIMIT, le=LIMIT)]
Size = Annotated[int, Field(gt=0, le=LIMIT)]
Angle = Annotated[int, Field(ge=-360_000, le=360_000)]
Fraction = Annotated[int, Field(ge=0, le=MILLION)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}([0-9a-f]{2})?$")]
Id = Annotated[str, Field(pattern=r"^[a-z]{2}_[0-9a-z]{4,20}$")]
EntryId = Annotated[str, Field(pattern=r"^li_[0-9a-z]{4,20}$")]
"""Id of an entry of the library."""
Point = tuple[Length, Length]


class Record(BaseModel):
    """A frozen value; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def later(default: Any) -> Any:
    """A field that came later: left out of the text where it holds its default.

    So what was written before it was thought of reads, compares and hashes as ever.
    """
    return Field(default, exclude_if=lambda value: value == default)


class Rect(Record):
    """An upright rectangle: left, top, width, height."""

    x: Length
    y: Length
    w: Size
    h: Size

    @property
    def right(self) -> int:
        """The x of the right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The y of the bottom edge."""
        return self.y + self.h

    @property
    def centre(self) -> tuple[int, int]:
        """The middle, rounded down."""
        return self.x + self.w // 2, self.y + self.h // 2


class Polygon(Record):
    """A closed outline of straight edges, its last point joined to the first."""

    type: Literal["polygon"] = "polygon"
    points: tuple[Point, ...] = Field(min_length=3, max_length=400)


class Curve(Record):
    """A closed outline of cubic Bézier segments, starting and ending at ``start``."""

    type: Literal["curve"] = "curve"
    start: Point
    segments: tuple[tuple[Point, Point, Point], ...] = Field(min_length=2, max_length=400)
    """Each segment: two control points and its end."""


Shape = Annotated[Polygon | Curve, Field(discriminator="type")]


class Stroke(Record):
    """A drawn line."""

    width: Annotated[int, Field(ge=0, le=20_000)]
    """Zero draws nothing."""
    colour: Colour = "#000000"
    dash: tuple[Annotated[int, Field(gt=0, le=100_000)], ...] = Field(default=(), max_length=8)
    """Lengths of dashes and gaps in turn; empty is solid."""
