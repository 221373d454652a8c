"""Lines, tones and other effects that are drawn, not placed."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from lantern_kit.comic.model.node import Band, Node
from lantern_kit.comic.model.values import MILLION, Angle, Colour, Fraction, Rect, later


class EffectType(StrEnum):
    """What an effect draws."""

    FOCUS = "focus"
    SPEED = "speed"
    TONE = "tone"
    GRADIENT = "gradient"
    FLASH = "flash"
    """A field of colour with a ragged burst left open in it."""
    VIGNETTE = "vignette"
    """Darker towards the edges."""


class Screen(StrEnum):
    """What a tone is made of."""

    DOTS = "dots"
    LINES = "lines"
    GRAIN = "grain"


class Effect(Node):
    """Lines and tones, drawn as vectors and fixed by ``seed``. Its parent is a frame (which clips it) or the unit."""

    kind: Literal["effect"] = "effect"
    effect: EffectType
    box: Rect | None = None
    """None is the bounds of the parent frame; an effect on the unit needs one."""
    colour: Colour = "#000000"
    centre: tuple[Fraction, Fraction] = (500_000, 500_000)
    """focus, flash, vignette: the middle, as fractions of the box."""
    clear: Fraction = 350_000
    """focus, flash, vignette: radius left empty, over half the diagonal. speed: share left empty at the far end."""
    density: Fraction = 500_000
    """focus, speed, flash: how many lines. tone: share covered. gradient, vignette: opacity at the dark end."""
    pitch: Annotated[int, Field(ge=100, le=20_000)] = 600
    """tone: distance of dots or lines, 25,400 over lines an inch. focus, speed, flash: width at the thick end."""
    angle: Angle = 45_000
    """tone: screen angle. speed, gradient: direction, clockwise from the x axis."""
    screen: Screen = later(Screen.DOTS)
    """tone: what it is made of."""
    density_to: Fraction | None = later(None)
    """tone: share covered at the far end, growing or fading along ``ramp``; None is even all over."""
    ramp: Angle = later(90_000)
    """tone: the direction in which ``density_to`` is reached, clockwise from the x axis."""
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 1
    opacity: Fraction = MILLION

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "ef"
