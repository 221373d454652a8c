"""Page 1, at home: whose saucer it is. Five frames: one cut aslant, one round, one bleeding."""

from __future__ import annotations

from lantern_kit.demo.script import (
    CREAM,
    NIGHT,
    PAPER,
    RAYS,
    SUIT,
    SUN,
    TEAL,
    Step,
    asset,
    circle,
    dots,
    line,
    op,
    say,
    tell,
)

EDGE = line(0.55)
TITLE = {"size": 11, "colour": SUIT, "outline": line(0.55), "align": "left"}
RISING = {"size": 14, "colour": SUN, "outline": line(0.6)}
EYES = [[54.5, 108.5], [105, 105.5], [105, 139], [49.5, 139]]

LAYOUT = Step(
    "Page 1: dawn, a title, five frames",
    (
        op("unit.add", "@chapter", "home", kind="page", name="Home", background=PAPER),
        op("effect.add", "@home", effect="gradient", box=[-3, 70, 111, 81], colour="#f2a25c", angle=90, density=0.9),
        op("effect.add", "@home", effect="gradient", box=[-3, 96, 111, 55], colour=NIGHT, angle=90, density=1),
        op("text.add", "@home", "title", text="CHELSEA GOES", rect=[5.5, 5.5, 76, 12], style=TITLE, name="title"),
        op("frame.add", "@home", "coffee", rect=[6, 18.5, 93, 43], border=EDGE, name="coffee"),
        op("frame.add", "@home", "talk", rect=[6, 64.5, 93, 38], border=EDGE, background=TEAL, name="Commander"),
        op("frame.cut", "@talk", "talk2", line=[[51, 64], [45, 103]], gutter=3),
        op("frame.set", "@talk2.2", background=SUN, name="Chelsea"),
        op(
            "frame.add",
            "@home",
            "full",
            curve=circle(28, 125, 17),
            border=line(2.4, "#fff1cf38"),
            background=CREAM,
            name="the Moon",
        ),
        op("frame.add", "@home", "eyes", polygon=EYES, border=EDGE, bleed=["right"], name="eyes"),
        op("text.add", "@home", text="UP", rect=[77, 4.6, 22, 15], rotate=-8, style=RISING, name="up", after="@title"),
    ),
)

ART = Step(
    "Page 1: pictures",
    (
        op("image.place", "@coffee", asset=asset("coffee"), box=[5.5, 18, 94, 62.67]),
        op("effect.add", "@coffee", effect="vignette", colour=NIGHT, clear=0.4, density=0.55),
        dots("@talk2.1", 1.2),
        op("image.place", "@talk2.1", asset=asset("astronaut-cut"), box=[3, 66, 42, 42]),
        op("effect.add", "@talk2.2", centre=[0.45, 0.5], clear=0.2, density=0.55, pitch=2.2, **RAYS),
        op("image.place", "@talk2.2", asset=asset("chelsea-cut"), box=[37.5, 64.4, 58, 38.58]),
        op("image.place", "@full", asset=asset("moon"), opacity=0.85),
        op("effect.add", "@full", effect="gradient", colour="#fff6dd", angle=215, density=0.85),
        op("image.place", "@eyes", asset=asset("chelsea"), box=[35, 89, 92, 61.2]),
        op("effect.add", "@eyes", effect="focus", colour="#ffffff", clear=0.62, density=0.5, pitch=1.3),
    ),
)

WORDS = Step(
    "Page 1: words",
    (
        tell("@coffee", "5:10 a.m. Launch day.", [8.5, 21, 32, 6]),
        say("@coffee", "Chelsea", "That’s my saucer.", [74, 44, 21, 13], [79, 69]),
        say("@talk2.1", "Commander", "It was empty, Chelsea.", [28, 66, 19.5, 15], [24, 78.5], bend=-0.12),
        say("@talk2.2", "Chelsea", "It is always empty.", [82, 66, 15.5, 15], [72, 99], bend=-0.15),
        say("@full", "Commander", "There’s a bigger one up there.", [29, 105, 20, 9], [25, 98]),
        say("@eyes", "Chelsea", "Is it full?", [50, 128.5, 18, 9], [76, 135]),
        say("@eyes", "Commander", "Once a month.", [78.5, 134, 21, 9.5], [104, 146], bend=0.2),
    ),
)

HOME = (LAYOUT, ART, WORDS)
