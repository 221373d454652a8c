"""The comic document: chapter → units → objects, frozen, without any input or output.

Lengths are integer micrometres in page space (origin at the trim box's top-left corner, x right, y down; values
outside the trim are bleed), angles millidegrees clockwise, scales and fractions millionths. A unit holds its objects as
one flat tuple whose order is the drawing order inside a band; ``parent`` ties an object to its unit, frame or image.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

MILLION = 1_000_000
LIMIT = 10_000_000  # ten metres, in micrometres: no coordinate or length lies further out
MOST_OBJECTS = 2_000  # on one unit

Length = Annotated[int, Field(ge=-LIMIT, le=LIMIT)]
Size = Annotated[int, Field(gt=0, le=LIMIT)]
Angle = Annotated[int, Field(ge=-360_000, le=360_000)]
Fraction = Annotated[int, Field(ge=0, le=MILLION)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}([0-9a-f]{2})?$")]
Point = tuple[Length, Length]


class Record(BaseModel):
    """A frozen value; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Direction(StrEnum):
    """Reading direction of a chapter."""

    LTR = "ltr"
    RTL = "rtl"
    TTB = "ttb"


class Binding(StrEnum):
    """The side on which the book is bound."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"


class UnitKind(StrEnum):
    """What a reader meets as one thing."""

    PAGE = "page"
    COVER = "cover"
    TRANSITION = "transition"
    SPREAD = "spread"


class Band(StrEnum):
    """Default layers of drawing, from the bottom to the top."""

    PAPER = "paper"
    FRAMES = "frames"
    OVERLAYS = "overlays"
    FOREGROUNDS = "foregrounds"
    BALLOONS = "balloons"
    TEXT = "text"


BANDS = tuple(Band)


class Edge(StrEnum):
    """An edge of the paper."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"


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


class Paper(Record):
    """The paper of a chapter: what a printer needs to know about one page."""

    width: Size
    """Trim width."""
    height: Size
    """Trim height."""
    bleed: Annotated[int, Field(ge=0, le=50_000)] = 3_000
    """Drawn area past the trim, on every side."""
    safe: Annotated[int, Field(ge=0, le=100_000)] = 5_000
    """Inset from the trim inside which lettering stays."""
    dpi: Annotated[int, Field(ge=72, le=2_400)] = 600
    """Resolution of print exports."""
    binding: Binding = Binding.LEFT


class Stroke(Record):
    """A drawn line."""

    width: Annotated[int, Field(ge=0, le=20_000)]
    """Zero draws nothing."""
    colour: Colour = "#000000"
    dash: tuple[Annotated[int, Field(gt=0, le=100_000)], ...] = Field(default=(), max_length=8)
    """Lengths of dashes and gaps in turn; empty is solid."""


class Align(StrEnum):
    """How lines of text stand in their box."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class TextStyle(Record):
    """How lettering is set."""

    font: Annotated[str, Field(min_length=1, max_length=80)] = "dialogue"
    """A role (``dialogue``, ``narration``, ``sound``, ``sans``) or a family name of an installed font."""
    size: Annotated[int, Field(ge=500, le=200_000)] = 2_800
    """Em size; with ``fit`` it is the largest that is tried."""
    smallest: Annotated[int, Field(ge=300, le=200_000)] = 1_700
    """The size below which fitting gives up and overflow is a finding."""
    fit: bool = True
    """Search the largest size that fits the real shape; else ``size`` is used as it is."""
    colour: Colour = "#000000"
    bold: bool = False
    italic: bool = False
    align: Align = Align.CENTRE
    leading: Annotated[int, Field(ge=500_000, le=4_000_000)] = 1_150_000
    """Line pitch over em size, in millionths."""
    outline: Stroke | None = None
    """Drawn behind the glyphs."""
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    """BCP 47 tag; picks the CJK forms."""


class Transform(Record):
    """A change on top of where a placement puts a picture, about the centre of its box."""

    dx: Length = 0
    dy: Length = 0
    scale: Annotated[int, Field(ge=10_000, le=100 * MILLION)] = MILLION
    rotate: Angle = 0
    flip_x: bool = False
    flip_y: bool = False


class Fit(StrEnum):
    """How a picture meets its box."""

    COVER = "cover"
    CONTAIN = "contain"
    STRETCH = "stretch"


class Placement(Record):
    """How a picture lies in its box."""

    box: Rect | None = None
    """The box in page space; None is the bounds of the parent frame."""
    fit: Fit = Fit.COVER
    focus: tuple[Fraction, Fraction] = (500_000, 500_000)
    """The point of the picture that ``cover`` keeps in view."""
    crop: tuple[Fraction, Fraction, Fraction, Fraction] = (0, 0, MILLION, MILLION)
    """The part of the picture that is used: left, top, right, bottom."""
    transform: Transform = Transform()


class Node(Record):
    """What all objects of a unit have."""

    kind: str
    id: Annotated[str, Field(pattern=r"^[a-z]{2}_[0-9a-z]{4,20}$")]
    parent: Annotated[str, Field(pattern=r"^[a-z]{2}_[0-9a-z]{4,20}$")]
    name: Annotated[str, Field(max_length=120)] = ""
    """A label for people; never a key."""
    band: Band | None = None
    """None is the default band of the kind."""

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "xx"

    @property
    def layer(self) -> Band:
        """The band in which the object is drawn."""
        return self.default_band if self.band is None else self.band


class Frame(Node):
    """A panel: an outline that clips its pictures and effects, with a border."""

    kind: Literal["frame"] = "frame"
    shape: Shape
    border: Stroke = Stroke(width=500)
    background: Colour | None = "#ffffff"
    bleed: tuple[Edge, ...] = ()
    """Edges of the paper past which the frame runs out to the bleed, sorted."""

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "fr"


class Image(Node):
    """A placed picture: in a frame, or free on the paper when the unit is its parent."""

    kind: Literal["image"] = "image"
    asset: str
    """Id of an AssetVersion."""
    placement: Placement = Placement()
    clip: bool = True
    """Cut to the parent frame's outline; without a frame it has no meaning."""
    opacity: Fraction = MILLION

    default_band: ClassVar[Band] = Band.PAPER
    prefix: ClassVar[str] = "im"


class Foreground(Node):
    """A bound breakout: the cut-out subject of one image, drawn past the frame. Its parent is that image.

    It has no coordinates of its own: the image's placement drives it (seed 000, bound breakout).
    """

    kind: Literal["foreground"] = "foreground"
    asset: str
    """AssetVersion with real alpha, of the image's own pixel size and origin."""

    default_band: ClassVar[Band] = Band.FOREGROUNDS
    prefix: ClassVar[str] = "fg"


class Overlay(Node):
    """A free paper object above the borders: an ordinary breakout, or an object across a spread's gutter."""

    kind: Literal["overlay"] = "overlay"
    asset: str
    placement: Placement
    opacity: Fraction = MILLION

    default_band: ClassVar[Band] = Band.OVERLAYS
    prefix: ClassVar[str] = "ov"


class Tail(Record):
    """A balloon's tail, from the balloon's edge to ``tip``."""

    tip: Point
    width: Annotated[int, Field(gt=0, le=100_000)] = 4_000
    """Width where it leaves the balloon."""
    bend: Annotated[int, Field(ge=-MILLION, le=MILLION)] = 0
    """Sideways swing of the middle, as a fraction of the length; positive is clockwise from root to tip."""


class BalloonShape(StrEnum):
    """Outline of a balloon."""

    ELLIPSE = "ellipse"
    ROUNDED = "rounded"
    BOX = "box"


class Lettering(Node):
    """What all objects with words have."""

    box: Rect
    text: Annotated[str, Field(max_length=4_000)]
    style: TextStyle = TextStyle()


class Balloon(Lettering):
    """Speech: a shape, tails joined to it without a seam, and words. Its parent is its frame, or the unit."""

    kind: Literal["balloon"] = "balloon"
    shape: BalloonShape = BalloonShape.ELLIPSE
    tails: tuple[Tail, ...] = Field(default=(), max_length=8)
    speaker: Annotated[str, Field(max_length=80)] = ""
    padding: Annotated[int, Field(ge=0, le=50_000)] = 1_200
    """Least distance of the words from the outline."""
    fill: Colour = "#ffffff"
    stroke: Stroke = Stroke(width=350)
    gutter_safe: bool = True
    """On a spread, keep clear of the gutter (checked)."""

    default_band: ClassVar[Band] = Band.BALLOONS
    prefix: ClassVar[str] = "bl"


class Narration(Lettering):
    """A caption box. Its parent is a frame or the unit."""

    kind: Literal["narration"] = "narration"
    padding: Annotated[int, Field(ge=0, le=50_000)] = 1_200
    fill: Colour | None = "#fff8dc"
    stroke: Stroke = Stroke(width=300)

    default_band: ClassVar[Band] = Band.BALLOONS
    prefix: ClassVar[str] = "na"


class Text(Lettering):
    """Lettering on the paper itself: titles and sound effects."""

    kind: Literal["text"] = "text"
    rotate: Angle = 0
    """About the centre of the box."""

    default_band: ClassVar[Band] = Band.TEXT
    prefix: ClassVar[str] = "tx"


class EffectType(StrEnum):
    """What an effect draws."""

    FOCUS = "focus"
    SPEED = "speed"
    TONE = "tone"
    GRADIENT = "gradient"


class Effect(Node):
    """Lines and tones, drawn as vectors and fixed by ``seed``. Its parent is a frame (which clips it) or the unit."""

    kind: Literal["effect"] = "effect"
    effect: EffectType
    box: Rect | None = None
    """None is the bounds of the parent frame; an effect on the unit needs one."""
    colour: Colour = "#000000"
    centre: tuple[Fraction, Fraction] = (500_000, 500_000)
    """focus: where the lines point to, as fractions of the box."""
    clear: Fraction = 350_000
    """focus: radius left empty, over half the box's diagonal. speed: share of the box left empty at the far end."""
    density: Fraction = 500_000
    """focus, speed: how many lines. tone: share of the area covered. gradient: opacity at the dark end."""
    pitch: Annotated[int, Field(ge=100, le=20_000)] = 600
    """tone: distance of dot centres. focus, speed: width of a line at its thick end."""
    angle: Angle = 45_000
    """tone: screen angle. speed, gradient: direction, clockwise from the x axis."""
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 1
    opacity: Fraction = MILLION

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "ef"


AnyObject = Annotated[
    Frame | Image | Foreground | Overlay | Balloon | Narration | Text | Effect, Field(discriminator="kind")
]
OBJECT_TYPES: dict[str, type[Node]] = {
    "frame": Frame,
    "image": Image,
    "foreground": Foreground,
    "overlay": Overlay,
    "balloon": Balloon,
    "narration": Narration,
    "text": Text,
    "effect": Effect,
}


class Surface(Record):
    """One sheet side of a unit, in unit space."""

    id: Annotated[str, Field(pattern=r"^sf_[0-9a-z]{4,20}$")]
    x: Length
    """Left trim edge: 0, or the left page's width plus the gutter."""
    width: Size
    height: Size


class Unit(Record):
    """A page, cover, transition or true spread, with everything on it."""

    kind: UnitKind
    id: Annotated[str, Field(pattern=r"^un_[0-9a-z]{4,20}$")]
    name: Annotated[str, Field(max_length=120)] = ""
    background: Colour = "#ffffff"
    gutter: Annotated[int, Field(ge=0, le=200_000)] = 0
    """Width between the two surfaces of a spread; zero on other kinds."""
    surfaces: tuple[Surface, ...] = Field(min_length=1, max_length=2)
    objects: tuple[AnyObject, ...] = Field(default=(), max_length=MOST_OBJECTS)
    """Drawing order inside a band and a parent, bottom first."""
    reading: tuple[str, ...] = ()
    """Frames, balloons, narration and texts in reading order, each once."""

    prefix: ClassVar[str] = "un"

    @cached_property
    def index(self) -> dict[str, Any]:
        """Objects by id."""
        return {item.id: item for item in self.objects}

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced; its index is its own (pydantic would hand on the cached one)."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("index", None)
        return copied

    @property
    def width(self) -> int:
        """Trim width of the whole unit, gutter included."""
        last = self.surfaces[-1]
        return last.x + last.width

    @property
    def height(self) -> int:
        """Trim height."""
        return max(surface.height for surface in self.surfaces)

    def children(self, parent: str) -> tuple[Any, ...]:
        """Objects whose parent is ``parent``, in drawing order."""
        return tuple(item for item in self.objects if item.parent == parent)


class Chapter(Record):
    """One episode: facts that hold for all its units. The units themselves follow it in the document."""

    kind: Literal["chapter"] = "chapter"
    id: Annotated[str, Field(pattern=r"^ch_[0-9a-z]{4,20}$")]
    comic: str
    """Title of the comic."""
    number: Annotated[int, Field(ge=0, le=100_000)] = 1
    title: Annotated[str, Field(max_length=200)] = ""
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    direction: Direction = Direction.LTR
    paper: Paper

    prefix: ClassVar[str] = "ch"


READABLE = frozenset({"frame", "balloon", "narration", "text"})
"""Kinds that stand in a unit's reading order."""
