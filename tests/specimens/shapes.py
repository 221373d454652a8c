"""Pages of the specimen book that show balloons, their tails, how words fit them, and sounds."""

from __future__ import annotations

from lantern_kit.comic.model import BalloonShape, Curve, Stroke, TailStyle, TextStyle, Writing
from tests.specimens.sheet import Sheet, Specimen, columns, style, tail

LEAF = Curve(
    start=(0, 20_000),
    segments=(
        ((6_000, 2_000), (26_000, -4_000), (52_000, 4_000)),
        ((50_000, 22_000), (40_000, 38_000), (18_000, 38_000)),
        ((8_000, 38_000), (2_000, 30_000), (0, 20_000)),
    ),
)
"""A free outline; stretched to the box it is given."""


def shapes() -> Specimen:
    """Every shape, each with the tail it takes by itself."""
    sheet = Sheet("balloon-shapes", "Every shape of balloon", height=148)
    words = {
        BalloonShape.ELLIPSE: "Plain speech, a little fuller than an ellipse.",
        BalloonShape.ROUNDED: "A machine, or a calm voice from far away.",
        BalloonShape.CLOUD: "Dreaming of a moon of one's own…",
        BalloonShape.BURST: "GET AWAY FROM MY ROCKET!",
        BalloonShape.THOUGHT: "Does he know that I took the biscuits?",
        BalloonShape.WHISPER: "Psst. Not so loud, the cat is asleep.",
        BalloonShape.BOX: "CONTROL TO CAT: PLEASE ANSWER.",
        BalloonShape.NONE: "No outline at all, only a tail.",
        BalloonShape.PATH: "An outline drawn by hand.",
    }
    for place, shape in enumerate(BalloonShape):
        x, y = 4 + 32 * (place % 3), 11 + 45 * (place // 3)
        more = {"outline": LEAF} if shape is BalloonShape.PATH else {}
        sheet.balloon(
            x, y, 29, 27, words[shape], tail(x + 10, y + 36, bend=0.15), shape=shape, style=style("en", 3.2), **more
        )
        sheet.caption(x, y + 38, shape.value, 29)
    return sheet.specimen(
        look=(
            "Tails grow out of their balloon: no line crosses the root, and the stroke is of one width all around.",
            "Bulges and spikes are uneven as a pen makes them, and fixed by a seed; a thought's tail is bubbles.",
            "Words keep clear of the real outline, also between spikes.",
        ),
        rules=("The kit's own drawing; the same document gives the same bytes",),
    )


def tails() -> Specimen:
    """Tails: straight, bent, several, bubbles."""
    sheet = Sheet("tails", "Tails", height=112)
    small = style("en", 3)
    sheet.balloon(4, 11, 29, 20, "Straight down.", tail(18, 42), style=small)
    sheet.caption(4, 43, "Straight", 29)
    sheet.balloon(36, 11, 29, 20, "Bent this way.", tail(44, 42, bend=0.35), style=small)
    sheet.caption(36, 43, "Bent clockwise", 29)
    sheet.balloon(68, 11, 29, 20, "And that way.", tail(90, 42, bend=-0.35), style=small)
    sheet.caption(68, 43, "Bent the other way", 29)
    sheet.balloon(4, 48, 29, 18, "All of us say so!", tail(7, 75), tail(18, 78), tail(30, 75), style=small)
    sheet.caption(4, 79, "Three speakers", 29)
    sheet.balloon(36, 48, 29, 18, "Hm. Bubbles.", tail(42, 78, style=TailStyle.BUBBLES, bend=0.2), style=small)
    sheet.caption(36, 79, "Bubbles on plain speech", 31)
    sheet.balloon(
        68, 48, 29, 18, "I dare you!", tail(90, 78, style=TailStyle.POINTED), style=small, shape=BalloonShape.CLOUD
    )
    sheet.caption(68, 79, "A point on a cloud", 29)
    sheet.balloon(4, 90, 29, 14, "Broad.", tail(18, 85, width=9), style=small)
    sheet.caption(4, 106, "Broad and short, upwards", 31)
    sheet.balloon(40, 90, 22, 14, "Thin.", tail(67, 97, width=1.6), style=small)
    sheet.caption(36, 106, "Thin, sideways", 29)
    sheet.balloon(70, 90, 24, 14, "Bzzt.", tail(66, 86), style=small, shape=BalloonShape.BURST)
    sheet.caption(68, 106, "From a burst, at its corner", 31)
    return sheet.specimen(
        look=(
            "Each tail leaves its balloon at a right angle, narrows evenly and ends in a fine point at its target.",
            "Several tails of one balloon do not cut into each other.",
        ),
        rules=("The kit's own drawing",),
    )


def joined() -> Specimen:
    """Balloons of one speaker that make one outline."""
    sheet = Sheet("joined", "Joined balloons", height=66)
    small = style("en", 3.2)
    first = sheet.balloon(4, 11, 36, 20, "I went up there once.", style=small)
    second = sheet.balloon(18, 26, 36, 20, "It was mostly dust,", style=small, joined=first.id)
    sheet.balloon(4, 41, 34, 16, "and no milk.", tail(46, 60, bend=-0.2), style=small, joined=second.id)
    sheet.caption(4, 60, "Three breaths of one speaker", 42)
    ja = columns("ja", 3.6)
    upper = sheet.balloon(72, 10, 22, 32, "月には\nいちど\n行った。", style=ja)
    sheet.balloon(58, 24, 20, 34, "でも、\nミルクは\nなかった。", tail(88, 58, bend=0.2), style=ja, joined=upper.id)
    sheet.caption(58, 60, "Two, in columns", 40)
    return sheet.specimen(
        look=("One outline goes around all of them; no line is left inside, and the tail is the last one's.",),
        rules=("The kit's own drawing",),
    )


def fitting() -> Specimen:
    """The same words in one shape after another."""
    sheet = Sheet("fitting", "Words find their size", height=118)
    words = "Nobody ever told a cat that the sky was closed on Sundays."
    large = TextStyle(size=4_200)
    sheet.balloon(4, 11, 44, 34, words, style=large)
    sheet.caption(4, 46, "Wide", 40)
    sheet.balloon(54, 11, 17, 34, words, style=large)
    sheet.caption(51, 46, "Narrow and tall", 24)
    sheet.balloon(75, 11, 22, 22, words, style=large, shape=BalloonShape.THOUGHT)
    sheet.caption(75, 46, "Small", 20)
    sheet.balloon(4, 52, 44, 22, "Unquestionably! Counterrevolutionaries!", style=large)
    sheet.caption(4, 75, "Long words stay whole while they can", 44)
    sheet.balloon(
        52, 52, 45, 22, "Donaudampfschifffahrtsgesellschaftskapitän", style=TextStyle(size=4_200, language="de")
    )
    sheet.caption(52, 75, "A word that is longer than any line", 45)
    ja = columns("ja", 4.6)
    long = "だれも猫に、日曜の空は休みだとは教えなかった。"
    sheet.balloon(74, 80, 22, 32, long, style=ja)
    sheet.balloon(51, 80, 20, 32, long, style=ja, shape=BalloonShape.BOX)
    sheet.balloon(33, 80, 15, 32, "だれも猫に、日曜は休みだとは。", style=ja)
    sheet.balloon(4, 80, 26, 32, "空は\n休みだ", style=ja, shape=BalloonShape.BURST)
    sheet.caption(4, 113, "Columns are even, and the last is no shorter than needed", 92)
    return sheet.specimen(
        look=(
            "The words are as large as each real outline lets them be, up to 4.2 mm, with an even margin.",
            "Lines and columns are balanced; no last line of one syllable.",
        ),
        rules=("UAX #14", "JLREQ 3.1.7–3.1.10"),
    )


def sounds() -> Specimen:
    """Lettering on the paper: slanted, bent, leaning."""
    sheet = Sheet("sounds", "Sounds", height=112)
    loud = TextStyle(font="sound", size=15_000, smallest=3_000, colour="#f2c230", outline=Stroke(width=1_000))
    sheet.text(4, 14, 46, 20, "FWOOM!", style=loud, rotate=-12_000)
    sheet.caption(4, 37, "On a slant", 40)
    sheet.text(52, 14, 44, 20, "WHOOOSH", style=loud.model_copy(update={"colour": "#ffffff"}), skew=18_000)
    sheet.caption(52, 37, "Leaning", 40)
    sheet.text(4, 44, 44, 24, "KRAKOOM", style=loud.model_copy(update={"colour": "#d8402c"}), arc=90_000)
    sheet.caption(4, 70, "On an arc, upwards", 40)
    sheet.text(52, 44, 44, 24, "SPLOOSH", style=loud.model_copy(update={"colour": "#7cc4e8"}), arc=-80_000)
    sheet.caption(52, 70, "On an arc, sagging", 40)
    mark = {"font": "sans", "bold": True, "size": 13_000, "smallest": 3_000, "language": "ja"}
    sheet.text(80, 76, 16, 32, "ドドド", style=TextStyle(writing=Writing.VERTICAL, **mark), rotate=8_000)
    sheet.text(
        50, 82, 30, 16, "ガーン", style=TextStyle(outline=Stroke(width=900), colour="#ffffff", **mark), arc=60_000
    )
    sheet.text(
        4,
        78,
        44,
        24,
        "BA-DA-BOOM!",
        style=loud.model_copy(update={"colour": "#000000", "outline": Stroke(width=1_200, colour="#f2c230")}),
        arc=50_000,
        rotate=-10_000,
        skew=8_000,
    )
    sheet.caption(4, 107, "Arc, slant and lean together", 46)
    sheet.caption(52, 107, "Kana", 20)
    return sheet.specimen(
        look=(
            "Letters of an arc turn with it and keep their distance; the outline is one width around every letter.",
            "Nothing is cut off at the ends.",
        ),
        rules=("The kit's own drawing",),
    )


PAGES = (shapes, tails, joined, fitting, sounds)
