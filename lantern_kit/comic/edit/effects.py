"""Operations on lines, tones and other drawn effects."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict, model_validator

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
from lantern_kit.comic.model import Effect, EffectType, Screen, Unit
from lantern_kit.comic.placement import MICROMETRES_PER_INCH
from lantern_kit.kernel.errors import BadInput


class EffectFacts(Args):
    """What can be said of an effect."""

    box: RectArg | None = Field(None, description="[x, y, w, h] mm; null: the frame's bounds; needed on a unit")
    colour: ColourArg | None = None
    centre: tuple[Share, Share] | None = Field(None, description="focus, flash, vignette: middle, 0…1 of the box")
    clear: Share | None = Field(
        None, description="focus, flash, vignette: radius left empty; speed: share left empty at the far end"
    )
    density: Share | None = Field(None, description="how many lines; tone: share covered; else how dark")
    density_to: Share | None = Field(
        None, description="tone: share covered at the far end, reached along ramp; null: even"
    )
    ramp: Degrees | None = Field(None, description="tone: direction of density_to, degrees clockwise from right")
    screen: Screen | None = Field(None, description="tone: what it is made of")
    pitch: Annotated[float, Strict(), Field(ge=0.1, le=20)] | None = Field(
        None, description="mm; tone: distance of dots or lines; focus, speed, flash: width at the thick end"
    )
    lpi: Annotated[float, Strict(), Field(ge=1.27, le=254)] | None = Field(
        None, description="tone: dots or lines an inch, instead of pitch"
    )
    angle: Degrees | None = Field(None, description="tone: screen; speed, gradient: direction, degrees clockwise")
    seed: Annotated[Whole, Field(ge=0, le=2**31 - 1)] | None = Field(None, description="another number, other lines")
    opacity: Opacity | None = None
    name: Name | None = None
    band: BandArg | None = None

    @model_validator(mode="after")
    def _one(self) -> EffectFacts:
        if self.pitch is not None and self.lpi is not None:
            raise ValueError("give pitch or lpi, not both")
        return self


class EffectAdd(EffectFacts):
    """A new effect."""

    effect: EffectType


class EffectSet(EffectFacts):
    """Changes to an effect."""

    effect: EffectType | None = None


@OPERATIONS.operation("effect.add", target=("frame", "unit"), args=EffectAdd, order=("unit",))
def effect_add(book: Book, target: Target, args: EffectAdd, ctx: EditContext) -> Outcome:
    """Add lines, a tone, gradient, flash or vignette to a frame (which clips it) or to the paper (with a box)."""
    if isinstance(target.object, Unit) and args.box is None:
        raise BadInput("args.box: an effect on the paper itself needs a box", expected="[x, y, width, height] mm")
    effect = Effect(id=ctx.ids.new("ef"), parent=target.id, **_values(args, args.effect))
    return Outcome(book.replace(add(target.sheet(), [effect])), {"": effect.id})


@OPERATIONS.operation("effect.set", target=("effect",), args=EffectSet)
def effect_set(book: Book, target: Target, args: EffectSet, ctx: EditContext) -> Outcome:
    """Change an effect; keys left out keep their value."""
    effect = target.expect(Effect)
    values = _values(args, args.effect or effect.effect, effect)
    return Outcome(book.replace(swap(target.sheet(), effect.model_copy(update=values))))


_ONLY_TONE = {
    "lpi": ("only a tone has a screen", "pitch, or a tone"),
    "screen": ("only a tone has a screen", "a tone"),
    "density_to": ("only a tone is graded so", "a tone; a gradient has its density at the dark end alone"),
    "ramp": ("only a tone is graded so", "angle, or a tone"),
}
"""What other effects would take without any effect."""


def _values(args: EffectFacts, effect: EffectType, before: Effect | None = None) -> dict[str, Any]:
    """The given values as the document keeps them; ``before`` is what they change."""
    for name, (message, wanted) in _ONLY_TONE.items():
        if getattr(args, name) is not None and effect is not EffectType.TONE:
            raise BadInput(f"args.{name}: {message}", expected=wanted, found=str(effect))
    graded = args.density_to is not None or (
        before is not None and before.density_to is not None and not cleared(args, "density_to")
    )
    if args.ramp is not None and not graded:
        raise BadInput(
            "args.ramp: it is the direction of density_to, and there is none",
            expected="density_to with it, the share covered at the far end",
            found="ramp alone",
        )
    values: dict[str, Any] = given(args)
    for name, value in values.items():
        match name:
            case "box":
                values[name] = to_rect(value)
            case "colour":
                values[name] = to_colour(value)
            case "centre":
                values[name] = (millionths(value[0]), millionths(value[1]))
            case "clear" | "density" | "density_to" | "opacity":
                values[name] = millionths(value)
            case "pitch":
                values[name] = micrometres(value)
            case "angle" | "ramp":
                values[name] = millidegrees(value)
            case _:  # as given
                pass
    if args.lpi is not None:
        values["pitch"] = round(MICROMETRES_PER_INCH / values.pop("lpi"))
    values.update({name: None for name in ("box", "density_to") if cleared(args, name)})
    return values
