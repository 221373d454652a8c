"""Pages 2 and 3, a true spread: going up, and a little too far. One frame runs across the gutter."""

from __future__ import annotations

from lantern_kit.demo.script import (
    CREAM,
    NIGHT,
    ROCKET,
    SPACE,
    TEAL,
    Step,
    asset,
    circle,
    dots,
    line,
    op,
    say,
    sound,
    tell,
)

EDGE = line(0.5, CREAM)
BARE = line(0)
LAUNCH = [[0, 0], [58, 0], [52.65, 66], [0, 66]]
CABIN = [[0, 69], [52.4, 69], [46, 148], [0, 148]]
ABOVE = [[61, 0], [214, 0], [214, 148], [49, 148]]
FACE = [[182, 104], [208, 101], [208, 142], [178, 142]]

LAYOUT = Step(
    "Pages 2 and 3: a sky across the gutter",
    (
        op("unit.add", "@chapter", "spread", kind="spread", gutter=4, name="Going up", background=NIGHT),
        op("frame.add", "@spread", "launch", polygon=LAUNCH, bleed=["left", "top"], border=EDGE, name="launch"),
        op(
            "frame.add",
            "@spread",
            "cabin",
            polygon=CABIN,
            bleed=["left", "bottom"],
            border=EDGE,
            background=TEAL,
            name="cabin",
        ),
        op(
            "frame.add",
            "@spread",
            "sky",
            polygon=ABOVE,
            bleed=["top", "right", "bottom"],
            border=EDGE,
            background=SPACE,
            name="sky, across the gutter",
        ),
        op("frame.add", "@spread", "mars", curve=circle(130, 76, 47), border=BARE, background=None, name="Mars"),
        op(
            "frame.add",
            "@spread",
            "passed",
            curve=circle(73, 80.5, 7.5),
            border=BARE,
            background=CREAM,
            name="the Moon",
        ),
        op(
            "frame.add",
            "@spread",
            "porthole",
            curve=circle(72, 116, 20),
            border=line(2, "#c9ced6"),
            background=TEAL,
            name="porthole",
        ),
        op("frame.add", "@spread", "face", polygon=FACE, border=EDGE, background=TEAL, name="the Commander"),
    ),
)

ART = Step(
    "Pages 2 and 3: pictures",
    (
        op("image.place", "@launch", asset=asset("rocket"), box=[-24.8, -3, 104.9, 70]),
        op("effect.add", "@launch", effect="speed", colour="#ffffff80", angle=90, density=0.28, pitch=0.5, clear=0.2),
        op("effect.add", "@launch", effect="gradient", colour="#ff8a2b", box=[-3, 36, 61, 31], angle=90, density=1),
        dots("@cabin", 1.4),
        op("image.place", "@cabin", asset=asset("astronaut-cut"), box=[-12, 83, 68, 68]),
        op("image.place", "@sky", asset=asset("hubble_deep_field"), box=[49, -3, 168, 146.5]),
        op("effect.add", "@sky", effect="gradient", colour=SPACE, box=[46, 98, 175, 53], angle=90, density=1),
        op("image.place", "@mars", asset=asset("retina"), box=[81, 27, 98, 98]),
        op("effect.add", "@mars", effect="gradient", colour=SPACE, angle=35, density=0.92),
        op("image.place", "@passed", asset=asset("moon"), opacity=0.55),
        op("effect.add", "@passed", effect="gradient", colour=SPACE, angle=35, density=0.85),
        op("image.place", "@porthole", asset=asset("chelsea-cut"), box=[42, 96, 60.4, 40.2]),
        dots("@face", 1.2),
        op("image.place", "@face", asset=asset("astronaut-cut"), box=[160, 103, 76, 76]),
        op("overlay.add", "@spread", asset=asset("rocket-cut"), box=[98, 8, 6.2, 40], crop=ROCKET, rotate=58),
    ),
)

WORDS = Step(
    "Pages 2 and 3: words",
    (
        tell("@launch", "Three. Two. One.", [6, 6, 26, 6], "count"),
        sound("@spread", "FWOOOSH!", [6, 38, 67, 30], size=17, rotate=-13, arc=38, rim=0.8, after="@count"),
        tell("@cabin", "Nobody counted the cat.", [6, 72, 36, 6]),
        say("@cabin", "Commander", "Houston… my helmet is [purring.]{.italic}", [27, 80.5, 22, 19], [21, 103]),
        sound("@cabin", "prrrrr", [22, 119, 25, 12], size=6, rotate=-14, arc=-60, colour=CREAM, rim=0.5),
        tell("@sky", "Slightly past the Moon.", [66, 6, 35, 6]),
        say("@porthole", "Chelsea", "There! My saucer!", [84, 123, 25, 19], [77.5, 133], shape="burst"),
        say("@face", "Commander", "That’s Mars.", [154, 108, 20, 10], [165, 127], bend=0),
        say("@face", "Commander", "You sat on the keyboard.", [153, 121, 24, 14], [192, 125], bend=0.12),
    ),
)

SKY = (LAYOUT, ART, WORDS)
