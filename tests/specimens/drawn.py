"""Pages of the specimen book that show effects, spreads and pictures that leave their frames."""

from __future__ import annotations

from lantern_kit.comic.model import (
    MILLION,
    BalloonShape,
    Direction,
    EffectType,
    Fit,
    Placement,
    Screen,
    Stroke,
    Transform,
)
from tests.specimens.sheet import Sheet, Specimen, columns, rect, style, tail


def lines() -> Specimen:
    """Effects made of lines."""
    sheet = Sheet("effect-lines", "Effects of lines", height=92)
    one = sheet.frame(4, 11, 44, 32)
    sheet.effect(one, EffectType.FOCUS, density=600_000, pitch=900)
    sheet.caption(4, 44, "Focus lines", 44)
    two = sheet.frame(52, 11, 44, 32)
    sheet.image(two, "chelsea")
    sheet.effect(two, EffectType.FOCUS, colour="#ffffff", centre=(480_000, 420_000), clear=480_000, pitch=1_300)
    sheet.caption(52, 44, "White, about a face", 44)
    three = sheet.frame(4, 50, 29, 32)
    sheet.effect(three, EffectType.SPEED, angle=0, clear=300_000)
    sheet.caption(4, 83, "Speed", 29)
    four = sheet.frame(36, 50, 29, 32)
    sheet.effect(four, EffectType.SPEED, angle=62_000, clear=450_000, pitch=1_400, density=350_000, seed=7)
    sheet.caption(36, 83, "Speed, falling", 29)
    five = sheet.frame(68, 50, 28, 32)
    sheet.effect(five, EffectType.FLASH, clear=520_000, pitch=1_600)
    sheet.caption(68, 83, "Flash", 28)
    return sheet.specimen(
        look=(
            "Lines are wedges, thick at the frame's edge and fine at their end, in bunches as a pen makes them.",
            "The middle is left free; the frame cuts what goes past it.",
            "Vectors, fixed by a seed: crisp at any resolution.",
        ),
        rules=("The kit's own drawing",),
    )


def tones() -> Specimen:
    """Effects made of tones and shades."""
    sheet = Sheet("effect-tones", "Tones and shades", height=107)
    made = (
        ("Dots, 30 lines an inch, 20 %", EffectType.TONE, {"density": 200_000, "pitch": 847}),
        ("Dots, 60 %", EffectType.TONE, {"density": 600_000, "pitch": 847}),
        ("Lines at 30°", EffectType.TONE, {"density": 300_000, "pitch": 700, "angle": 30_000, "screen": Screen.LINES}),
        ("Grain", EffectType.TONE, {"density": 250_000, "pitch": 600, "screen": Screen.GRAIN}),
        ("Dots, fading down", EffectType.TONE, {"density": 700_000, "density_to": 0, "pitch": 700}),
        (
            "Lines, growing sideways",
            EffectType.TONE,
            {
                "density": 50_000,
                "density_to": 800_000,
                "ramp": 0,
                "pitch": 900,
                "angle": 90_000,
                "screen": Screen.LINES,
            },
        ),
        ("Gradient", EffectType.GRADIENT, {"density": 900_000, "angle": 90_000}),
        ("Vignette", EffectType.VIGNETTE, {"density": 800_000}),
        ("Vignette on a photograph", EffectType.VIGNETTE, {"density": MILLION, "colour": "#101830"}),
    )
    for place, (caption, kind, more) in enumerate(made):
        x, y = 4 + 32 * (place % 3), 11 + 31 * (place // 3)
        frame = sheet.frame(x, y, 29, 26, border=Stroke(width=300))
        if "photograph" in caption:
            sheet.image(frame, "coffee")
        sheet.effect(frame, kind, **more)
        sheet.caption(x, y + 26.6, caption, 31)
    return sheet.specimen(
        look=(
            "Tones are true dots, lines or grain of one colour, on a grid at the angle that was asked for.",
            "A graded tone changes the size of its dots, never their distance.",
        ),
        rules=("Screen rulings as printers count them: lines an inch and angle",),
    )


def spread() -> Specimen:
    """Two facing pages as one sheet."""
    sheet = Sheet("spread", "A spread", width=74, height=88, spread=6, direction=Direction.RTL, language="ja")
    wide = sheet.frame(4, 11, 146, 44)
    sheet.image(wide, "hubble_deep_field")
    left = sheet.frame(4, 58, 66, 26)
    sheet.image(left, "coffee")
    right = sheet.frame(84, 58, 66, 26)
    sheet.image(right, "chelsea")
    sheet.overlay(
        "rocket-matte",
        Placement(box=rect(40, 6, 74, 78), fit=Fit.CONTAIN, transform=Transform(rotate=-14_000, scale=2_300_000)),
    )
    sheet.balloon(120, 14, 24, 36, "とうとう、\n月へ\n行くのか。", style=columns("ja", 5))
    sheet.balloon(8, 14, 26, 36, "うん。\nコーヒーを\n飲んだら。", tail(30, 58, bend=-0.2), style=columns("ja", 5))
    sheet.balloon(122, 59, 26, 24, "にゃ？", style=columns("ja", 4.6), shape=BalloonShape.BURST)
    return sheet.specimen(
        look=(
            "One picture and the rocket run across both pages and the gutter between them.",
            "Balloons keep clear of the gutter (a check says so when one does not).",
        ),
        rules=("The gutter is paper of the spread's own: what lies there is drawn, and lost when bound",),
        dpi=130,
    )


def breakouts() -> Specimen:
    """Pictures that leave their frames."""
    sheet = Sheet("breakouts", "Breakouts", height=84, background="#eef1f5")
    bound = sheet.frame(10, 26, 34, 36)
    image = sheet.image(bound, "astronaut", Placement(focus=(500_000, 0), transform=Transform(scale=1_250_000)))
    sheet.foreground(image, "astronaut-matte")
    sheet.caption(6, 76, "Bound: the cut-out follows its picture", 44)
    free = sheet.frame(56, 22, 38, 46, background="#22304a")
    sheet.effect(free, EffectType.SPEED, colour="#ffffff", angle=-60_000, clear=200_000)
    sheet.overlay(
        "rocket-matte",
        Placement(box=rect(50, 6, 50, 70), fit=Fit.CONTAIN, transform=Transform(rotate=26_000, scale=2_700_000)),
    )
    sheet.caption(68, 76, "Ordinary: a free object", 30)
    sheet.balloon(60, 60, 20, 12, "Up!", style=style("en", 4), shape=BalloonShape.BURST)
    sheet.balloon(4, 10, 18, 12, "Hello!", tail(22, 26, bend=0.2), style=style("en", 3.4))
    return sheet.specimen(
        look=(
            "The subject stands before the border, its background stays in the frame; soft edges have no fringe.",
            "Balloons stand before both.",
        ),
        rules=("The kit's own document: a bound foreground has no coordinates of its own",),
        dpi=150,
    )


PAGES = (lines, tones, spread, breakouts)
