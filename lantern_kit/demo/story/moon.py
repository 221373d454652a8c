"""Page 4, on the Moon: a review. The rocket breaks out above the borders, the Commander bound to her picture."""

from __future__ import annotations

from lantern_kit.demo.script import (
    CREAM,
    NIGHT,
    RAYS,
    ROCKET,
    SPACE,
    SUN,
    Step,
    asset,
    circle,
    line,
    op,
    say,
    sound,
    tell,
)

EDGE = line(0.5, CREAM)
GROUND = {
    "start": [6.2, 57.8],
    "segments": [
        [[6.2, 56], [6.2, 54], [6.2, 49]],
        [[30, 39], [75, 39], [98.8, 49]],
        [[98.8, 54], [98.8, 56], [98.8, 57.8]],
        [[70, 57.8], [35, 57.8], [6.2, 57.8]],
    ],
}
LICK = [[6, 61], [38, 61], [34, 97], [6, 97]]
DRY = [[41.2, 61], [99, 61], [99, 97], [37.2, 97]]
WITHIN = [0, 0, 0.985, 0.985]
"""The photograph of the Moon without the seam at its edge."""

LAYOUT = Step(
    "Page 4: the Moon",
    (
        op("unit.add", "@chapter", "last", kind="page", name="The Moon", background=NIGHT),
        op("frame.add", "@last", "landing", rect=[6, 10, 93, 48], border=EDGE, background=SPACE, name="landing"),
        op("frame.add", "@last", "ground", curve=GROUND, border=line(0), background=CREAM, name="ground"),
        op("frame.add", "@last", "lick", polygon=LICK, border=EDGE, background=CREAM, name="lick"),
        op("frame.add", "@last", "dry", polygon=DRY, border=EDGE, background=SUN, name="dry"),
        op(
            "frame.add",
            "@last",
            "end",
            rect=[0, 100, 105, 48],
            border=EDGE,
            background=SPACE,
            bleed=["left", "right", "bottom"],
            name="the end",
        ),
        op(
            "frame.add",
            "@last",
            "helmet",
            curve=circle(26, 125.5, 20),
            border=line(1.4, "#d7e6ee"),
            background="#1b2340",
            name="Chelsea's helmet",
        ),
    ),
)

ART = Step(
    "Page 4: pictures, two breakouts",
    (
        op("image.place", "@landing", asset=asset("hubble_deep_field"), box=[6, -6, 93, 81]),
        op("image.place", "@ground", asset=asset("moon"), box=[3.8, 22, 66, 66], crop=WITHIN),
        op("image.place", "@ground", asset=asset("moon"), box=[69.6, 30, 66, 66], crop=WITHIN, flip_x=True),
        op("effect.add", "@ground", effect="gradient", colour=CREAM, angle=270, density=0.4),
        op("image.place", "@lick", asset=asset("moon"), box=[3, 60, 60, 60], opacity=0.85),
        op("effect.add", "@dry", centre=[0.35, 0.5], clear=0.2, density=0.55, pitch=2.4, **RAYS),
        op("image.place", "@dry", asset=asset("chelsea-cut"), box=[24, 60.9, 55, 36.58]),
        # The sky lies over her own picture and under its foreground: she stands in front of the stars.
        op("image.place", "@end", "portrait", asset=asset("astronaut"), box=[47, 90, 61, 61]),
        op("image.place", "@end", asset=asset("hubble_deep_field"), box=[-3, 80, 111, 96.8]),
        op("foreground.bind", "@portrait", asset=asset("astronaut-cut"), name="the Commander, breaking out"),
        op("image.place", "@helmet", asset=asset("chelsea-cut"), box=[-4, 105.4, 60.4, 40.2]),
        op("effect.add", "@helmet", effect="gradient", colour="#ffffff", angle=235, density=0.3),
        op("overlay.add", "@last", asset=asset("rocket-cut"), box=[66, 3.5, 7.2, 46], crop=ROCKET, name="rocket"),
    ),
)

WORDS = Step(
    "Page 4: words",
    (
        tell("@landing", "Nine days late. The Moon was full.", [8.5, 12.5, 50, 6]),
        sound("@lick", "LICK", [7, 70, 29, 16], size=11, rotate=-10),
        say("@dry", "Chelsea", "It’s dry.", [74, 64, 20, 13], [60, 90], bend=0.2, shape="thought"),
        say("@helmet", "Chelsea", "Two stars.", [42, 103.5, 19, 11], [43, 115.5]) | {"as": "two"},
        say(
            "@end",
            "Commander",
            "I count\nten thousand.",
            [78.5, 110.5, 21.5, 13.5],
            [74.5, 108],
            bend=0.2,
            after="@two",
        ),
    ),
)

MOON = (LAYOUT, ART, WORDS)
