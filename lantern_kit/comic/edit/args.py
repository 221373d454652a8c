"""Arguments as callers write them (millimetres, degrees, shares of one) and as the document keeps them (integers).

Every model refuses unknown keys, wrong types, NaN and infinities. An absent key and null both mean "leave it as it is",
except where the key's description gives null a meaning.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, Strict, model_validator

from lantern_kit.comic.geometry import polygon_of
from lantern_kit.comic.measure import micrometres, millidegrees, millionths
from lantern_kit.comic.model import (
    Align,
    Band,
    Curve,
    Fit,
    Node,
    Placement,
    Point,
    Polygon,
    Rect,
    Shape,
    Stroke,
    TextStyle,
    Transform,
    Writing,
)
from lantern_kit.kernel.errors import BadInput


class Args(BaseModel):
    """Base of all argument models."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    def named(self) -> tuple[str, ...]:
        """Ids of what is there already that stand in a text among the arguments, units with all that they hold."""
        return ()


class Nothing(Args):
    """No arguments."""


class RefMark:
    """Marks a field that names another object: handles and ``@names`` are resolved before the operation runs.

    Args:
        clears: an empty text is taken as well, and stands for none.
    """

    def __init__(self, *, clears: bool = False) -> None:
        self.clears = clears


Mm = Annotated[float, Strict(), Field(ge=-10_000, le=10_000)]
Extent = Annotated[float, Strict(), Field(ge=0.001, le=10_000)]
Degrees = Annotated[float, Strict(), Field(ge=-360, le=360)]
Share = Annotated[float, Strict(), Field(ge=0, le=1)]
Whole = Annotated[int, Strict()]
Flag = Annotated[bool, Strict()]
Word = Annotated[str, Strict()]
Ref = Annotated[str, Strict(), RefMark()]
RefOrNone = Annotated[str, Strict(), RefMark(clears=True)]
AssetId = Annotated[str, Strict(), Field(min_length=1, max_length=64)]
Name = Annotated[str, Strict(), Field(max_length=120, description="a label for people")]
ColourArg = Annotated[str, Strict(), Field(pattern=r"^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$", description="#rrggbb[aa]")]
Language = Annotated[str, Strict(), Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="BCP 47 tag")]
Opacity = Annotated[float, Strict(), Field(ge=0, le=1, description="0 clear … 1 solid")]
BandArg = Annotated[Band, Field(description="layer of drawing; absent: the default of the kind")]
XY = tuple[Mm, Mm]
Box = tuple[Mm, Mm, Extent, Extent]
Extents = tuple[Extent, Extent]
RectArg = Annotated[Box, Field(description="[x, y, width, height] mm from the trim corner")]
PolygonArg = Annotated[list[XY], Field(min_length=3, max_length=400, description="corners [x, y] mm in order")]


class CurveArgs(Args):
    """A closed outline of cubic Bézier segments."""

    start: XY = Field(description="[x, y] mm")
    segments: list[tuple[XY, XY, XY]] = Field(
        min_length=2, max_length=400, description="each [control, control, end], the last end is the start"
    )


class OutlineArgs(Args):
    """Exactly one of three ways to say an outline."""

    rect: RectArg | None = None
    polygon: PolygonArg | None = None
    curve: CurveArgs | None = None

    @model_validator(mode="after")
    def _one(self) -> OutlineArgs:
        if sum(value is not None for value in (self.rect, self.polygon, self.curve)) != 1:
            raise ValueError("give exactly one of rect, polygon, curve")
        return self

    def shape(self) -> Shape:
        """The outline in micrometres."""
        if self.rect is not None:
            return polygon_of(to_rect(self.rect))
        if self.polygon is not None:
            return Polygon(points=tuple(to_point(point) for point in self.polygon))
        assert self.curve is not None  # noqa: S101 - the validator above holds it
        segments = tuple((to_point(a), to_point(b), to_point(c)) for a, b, c in self.curve.segments)
        return Curve(start=to_point(self.curve.start), segments=segments)


class StrokeArgs(Args):
    """A drawn line; keys left out keep their value."""

    width: Annotated[float, Strict(), Field(ge=0, le=20, description="mm; 0 draws nothing")] | None = None
    colour: ColourArg | None = None
    dash: (
        Annotated[
            list[Annotated[float, Strict(), Field(ge=0.001, le=100)]],
            Field(max_length=8, description="dash, gap … mm; empty: solid"),
        ]
        | None
    ) = None


class StyleArgs(Args):
    """How words are set; keys left out keep their value."""

    font: Annotated[str, Strict(), Field(min_length=1, max_length=80)] | None = Field(
        None, description="dialogue, narration, sound, sans, or an installed family"
    )
    size: Annotated[float, Strict(), Field(ge=0.5, le=200)] | None = Field(
        None, description="mm; the largest tried when fit is on"
    )
    smallest: Annotated[float, Strict(), Field(ge=0.3, le=200)] | None = Field(
        None, description="mm; fitting goes no smaller"
    )
    fit: Flag | None = Field(None, description="search the largest size that fits the shape")
    colour: ColourArg | None = None
    bold: Flag | None = None
    italic: Flag | None = None
    align: Align | None = None
    leading: Annotated[float, Strict(), Field(ge=0.5, le=4)] | None = Field(
        None, description="line pitch over size; null: by the script"
    )
    tracking: Annotated[float, Strict(), Field(ge=-0.2, le=2)] | None = Field(
        None, description="space after every character, over size"
    )
    writing: Writing | None = Field(None, description="vertical: in columns, the first at the right")
    combine: Annotated[Whole, Field(ge=0, le=4)] | None = Field(
        None, description="in columns: so many digits, or !?, stand upright in one place; 0: none"
    )
    outline: StrokeArgs | None = Field(None, description="line behind the glyphs; null: none")
    language: Language | None = None


class PlacementArgs(Args):
    """How a picture lies in its box; keys left out keep their value."""

    fit: Fit | None = Field(None, description="cover fills the box, contain shows all, stretch distorts")
    focus: tuple[Share, Share] | None = Field(None, description="[x, y] of the picture kept in view by cover, 0…1")
    crop: tuple[Share, Share, Share, Share] | None = Field(None, description="[left, top, right, bottom] used, 0…1")
    box: RectArg | None = Field(None, description="[x, y, w, h] mm; null: the frame's bounds; needed on a unit")
    scale: Annotated[float, Strict(), Field(ge=0.01, le=100)] | None = Field(None, description="1 is as fitted")
    rotate: Degrees | None = Field(None, description="degrees clockwise about the box's centre")
    flip_x: Flag | None = Field(None, description="mirror left to right")
    flip_y: Flag | None = Field(None, description="mirror top to bottom")
    dx: Mm | None = Field(None, description="shift right, mm")
    dy: Mm | None = Field(None, description="shift down, mm")


def given(args: BaseModel) -> dict[str, Any]:
    """The values that the caller gave, null left out."""
    return {name: value for name in args.model_fields_set if (value := getattr(args, name)) is not None}


def cleared(args: BaseModel, name: str) -> bool:
    """Whether the caller gave null for a key."""
    return name in args.model_fields_set and getattr(args, name) is None


def usual(kind: type[Node], name: str) -> Any:
    """What the document holds of a property where nothing is said of it."""
    return kind.model_fields[name].default


def to_point(value: tuple[float, float]) -> Point:
    """A point in micrometres."""
    return micrometres(value[0]), micrometres(value[1])


def to_rect(value: tuple[float, float, float, float]) -> Rect:
    """A rectangle in micrometres."""
    x, y, w, h = value
    left, top = micrometres(x), micrometres(y)
    return Rect(x=left, y=top, w=micrometres(w), h=micrometres(h))


def to_colour(value: str) -> str:
    """A colour as the document writes it."""
    return value.lower()


def to_stroke(args: StrokeArgs, base: Stroke | None) -> Stroke:
    """The stroke with the given keys changed; without a base the width is needed."""
    values: dict[str, Any] = {} if base is None else dict(base)
    for name, value in given(args).items():
        if name == "width":
            values["width"] = micrometres(value)
        elif name == "colour":
            values["colour"] = to_colour(value)
        else:
            values["dash"] = tuple(micrometres(length) for length in value)
    if "width" not in values:
        raise BadInput("a new line needs a width", expected="width in mm")
    return Stroke(**values)


def to_style(args: StyleArgs | None, base: TextStyle) -> TextStyle:
    """The style with the given keys changed. A smaller size brings ``smallest`` down with it unless that is given."""
    if args is None:
        return base
    values = dict(base)
    for name, value in given(args).items():
        if name in {"size", "smallest"}:
            values[name] = micrometres(value)
        elif name in {"leading", "tracking"}:
            values[name] = millionths(value)
        elif name == "outline":
            values[name] = to_stroke(value, base.outline)
        elif name == "colour":
            values[name] = to_colour(value)
        else:
            values[name] = value
    values.update({name: None for name in ("outline", "leading") if cleared(args, name)})
    if args.smallest is None:
        values["smallest"] = min(values["smallest"], values["size"])
    return TextStyle(**values)


def to_picture(args: PlacementArgs, base: Placement) -> dict[str, Any]:
    """The given values of a placed picture as the document keeps them: its placement, and what else is said of it."""
    values: dict[str, Any] = {"placement": to_placement(args, base)}
    for name, value in given(args).items():
        if name == "opacity":
            values[name] = millionths(value)
        elif name not in PlacementArgs.model_fields:
            values[name] = value
    return values


def to_placement(args: PlacementArgs, base: Placement) -> Placement:
    """The placement with the given keys changed."""
    values, turn = dict(base), dict(base.transform)
    for name, value in given(args).items():
        match name:
            case "fit":
                values["fit"] = value
            case "focus" | "crop":
                values[name] = tuple(millionths(part) for part in value)
            case "box":
                values["box"] = to_rect(value)
            case "scale":
                turn["scale"] = millionths(value)
            case "rotate":
                turn["rotate"] = millidegrees(value)
            case "dx" | "dy":
                turn[name] = micrometres(value)
            case "flip_x" | "flip_y":
                turn[name] = value
            case _:  # keys of the operation itself
                pass
    if cleared(args, "box"):
        values["box"] = None
    values["transform"] = Transform(**turn)
    return Placement(**values)
