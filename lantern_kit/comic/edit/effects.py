"""Operations on focus lines, speed lines, tones and gradients."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import (
    Args,
    BandArg,
    ColourArg,
    Degrees,
    Name,
    Opacity,
    RectArg,
    Share,
    Whole,
    cleared,
    given,
    to_colour,
    to_rect,
)
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add, swap
from lantern_kit.comic.measure import micrometres, millidegrees, millionths
from lantern_kit.comic.model import Effect, EffectType, Unit
from lantern_kit.kernel.errors import BadInput


class EffectFacts(Args):
    """What can be said of an effect."""

    box: RectArg | None = Field(None, description="[x, y, w, h] mm; null: the frame's bounds; needed on a unit")
    colour: ColourArg | None = None
    centre: tuple[Share, Share] | None = Field(None, description="focus: where the lines point, 0…1 of the box")
    clear: Share | None = Field(None, description="focus: radius left empty; speed: share left empty at the far end")
    density: Share | None = Field(None, description="how many lines, or how dark a tone or gradient")
    pitch: Annotated[float, Strict(), Field(ge=0.1, le=20)] | None = Field(
        None, description="mm; tone: distance of dots; lines: width at the thick end"
    )
    angle: Degrees | None = Field(None, description="tone: screen; speed, gradient: direction, degrees clockwise")
    seed: Annotated[Whole, Field(ge=0, le=2**31 - 1)] | None = Field(None, description="another number, other lines")
    opacity: Opacity | None = None
    name: Name | None = None
    band: BandArg | None = None


class EffectAdd(EffectFacts):
    """A new effect."""

    effect: EffectType


class EffectSet(EffectFacts):
    """Changes to an effect."""

    effect: EffectType | None = None


@OPERATIONS.operation("effect.add", target=("frame", "unit"), args=EffectAdd, order=("unit",))
def effect_add(book: Book, target: Target, args: EffectAdd, ctx: EditContext) -> Outcome:
    """Add focus lines, speed lines, a tone or a gradient to a frame (which clips it) or to the paper (with a box)."""
    if isinstance(target.object, Unit) and args.box is None:
        raise BadInput("args.box: an effect on the paper itself needs a box", expected="[x, y, width, height] mm")
    effect = Effect(id=ctx.ids.new("ef"), parent=target.id, **_values(args))
    return Outcome(book.replace(add(target.sheet(), [effect])), {"": effect.id})


@OPERATIONS.operation("effect.set", target=("effect",), args=EffectSet)
def effect_set(book: Book, target: Target, args: EffectSet, ctx: EditContext) -> Outcome:
    """Change an effect; keys left out keep their value."""
    effect = target.expect(Effect)
    return Outcome(book.replace(swap(target.sheet(), effect.model_copy(update=_values(args)))))


def _values(args: EffectFacts) -> dict[str, Any]:
    """The given values as the document keeps them."""
    values: dict[str, Any] = given(args)
    for name, value in values.items():
        match name:
            case "box":
                values[name] = to_rect(value)
            case "colour":
                values[name] = to_colour(value)
            case "centre":
                values[name] = (millionths(value[0]), millionths(value[1]))
            case "clear" | "density" | "opacity":
                values[name] = millionths(value)
            case "pitch":
                values[name] = micrometres(value)
            case "angle":
                values[name] = millidegrees(value)
            case _:  # as given
                pass
    if cleared(args, "box"):
        values["box"] = None
    return values
