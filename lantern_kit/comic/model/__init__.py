"""The comic document: chapter → units → objects, frozen, without any input or output.

Lengths are integer micrometres in page space (origin at the trim box's top-left corner, x right, y down; values
outside the trim are bleed), angles millidegrees clockwise, scales and fractions millionths. A unit holds its objects as
one flat tuple whose order is the drawing order inside a band; ``parent`` ties an object to its unit, frame or image.

values: lengths, colours, shapes · paper · node: what all objects are · frame, picture, style, lettering, effect: each
kind of them · unit: pages, spreads and covers, and the chapter
"""

from lantern_kit.comic.model.effect import Effect, EffectType, Screen
from lantern_kit.comic.model.frame import MOST_DESCRIBED, Frame, Keep, Light, Presence
from lantern_kit.comic.model.lettering import (
    MOST_WORDS,
    Balloon,
    BalloonShape,
    Lettering,
    Narration,
    Tail,
    TailStyle,
    Text,
)
from lantern_kit.comic.model.node import BANDS, Band, Node
from lantern_kit.comic.model.paper import Binding, Direction, Edge, Paper
from lantern_kit.comic.model.picture import Fit, Foreground, Image, Mark, MarkKind, Overlay, Placement, Transform
from lantern_kit.comic.model.style import Align, TextStyle, Writing
from lantern_kit.comic.model.unit import (
    MOST_LETTERS,
    MOST_OBJECTS,
    OBJECT_TYPES,
    READABLE,
    AnyObject,
    Chapter,
    Surface,
    Unit,
    UnitKind,
)
from lantern_kit.comic.model.values import (
    LIMIT,
    MILLION,
    Angle,
    Colour,
    Curve,
    EntryId,
    Fraction,
    Id,
    Length,
    Point,
    Polygon,
    Record,
    Rect,
    Shape,
    Size,
    Stroke,
)

__all__ = [
    "BANDS",
    "LIMIT",
    "MILLION",
    "MOST_DESCRIBED",
    "MOST_LETTERS",
    "MOST_OBJECTS",
    "MOST_WORDS",
    "OBJECT_TYPES",
    "READABLE",
    "Align",
    "Angle",
    "AnyObject",
    "Balloon",
    "BalloonShape",
    "Band",
    "Binding",
    "Chapter",
    "Colour",
    "Curve",
    "Direction",
    "Edge",
    "Effect",
    "EffectType",
    "EntryId",
    "Fit",
    "Foreground",
    "Fraction",
    "Frame",
    "Id",
    "Image",
    "Keep",
    "Length",
    "Lettering",
    "Light",
    "Mark",
    "MarkKind",
    "Narration",
    "Node",
    "Overlay",
    "Paper",
    "Placement",
    "Point",
    "Polygon",
    "Presence",
    "Record",
    "Rect",
    "Screen",
    "Shape",
    "Size",
    "Stroke",
    "Surface",
    "Tail",
    "TailStyle",
    "Text",
    "TextStyle",
    "Transform",
    "Unit",
    "UnitKind",
    "Writing",
]
