"""A short scene in two languages, in balloons of many shapes, for every letterer. Written for this: CC0."""

from __future__ import annotations

from typing import NamedTuple

from lantern_kit.comic.model import Balloon, BalloonShape, TextStyle, Writing
from tests.specimens.sheet import rect

ELLIPSE, ROUNDED, BOX = BalloonShape.ELLIPSE, BalloonShape.ROUNDED, BalloonShape.BOX
BURST, CLOUD, THOUGHT = BalloonShape.BURST, BalloonShape.CLOUD, BalloonShape.THOUGHT


class Said(NamedTuple):
    """One line of the script, in both languages, each with its balloon's shape and size in millimetres."""

    english: str
    wide: tuple[BalloonShape, float, float]
    japanese: str
    tall: tuple[BalloonShape, float, float]


SCRIPT = (
    Said("Are you awake?", (ELLIPSE, 26, 14), "起きてる？", (ELLIPSE, 14, 26)),
    Said(
        "It is three in the morning. Nobody is awake.",
        (ELLIPSE, 38, 22),
        "午前三時だよ。だれも起きてない。",
        (ELLIPSE, 22, 32),
    ),
    Said("You answered.", (ELLIPSE, 22, 15), "返事したね。", (ELLIPSE, 14, 24)),
    Said(
        "I answer everything. It is a weakness of mine.",
        (ELLIPSE, 30, 26),
        "なんでも返事するんだ。それが弱みでね。",
        (ELLIPSE, 24, 30),
    ),
    Said(
        "Look up. That round thing, above the chimney. I want it.",
        (ELLIPSE, 40, 24),
        "上を見て。煙突の上の、あのまるいもの。あれがほしい。",
        (ELLIPSE, 26, 36),
    ),
    Said("THE MOON?!", (BURST, 34, 22), "月を!?", (BURST, 22, 26)),
    Said("A small one would do.", (ELLIPSE, 24, 18), "小さいのでいいよ。", (ELLIPSE, 16, 28)),
    Said(
        "There is only the one size, as far as I know.",
        (ROUNDED, 32, 20),
        "知るかぎり、大きさはひとつしかない。",
        (ROUNDED, 20, 30),
    ),
    Said(
        "(He has never measured it himself, of course.)",
        (THOUGHT, 40, 28),
        "（自分で測ったことはないくせに。）",
        (THOUGHT, 26, 36),
    ),
    Said(
        "CONTROL TO CAT: YOUR REQUEST HAS BEEN RECEIVED AND WILL BE IGNORED.",
        (BOX, 36, 18),
        "管制から猫へ。ご要望は受け取りましたが、無視されます。",
        (BOX, 20, 32),
    ),
    Said("How far is it, then?", (ELLIPSE, 18, 22), "じゃあ、どのくらい遠いの？", (ELLIPSE, 16, 30)),
    Said(
        "Three hundred and eighty-four thousand, four hundred kilometres.",
        (ELLIPSE, 36, 28),
        "三十八万四千四百キロメートル。",
        (ELLIPSE, 20, 34),
    ),
    Said("Is that further than the fish shop?", (ELLIPSE, 30, 18), "魚屋さんより遠い？", (ELLIPSE, 18, 26)),
    Said("Considerably.", (ELLIPSE, 28, 12), "かなりね。", (ELLIPSE, 12, 24)),
    Said(
        "Then we should take a sandwich. And the rocket, the one you say you do not keep in the shed.",
        (ELLIPSE, 46, 30),
        "それならサンドイッチがいるね。それと、物置にはないことになっている、あのロケットも。",
        (ELLIPSE, 30, 40),
    ),
    Said("Who told you about the rocket?!", (BURST, 40, 28), "だれがロケットのことを!?", (BURST, 28, 36)),
    Said(
        "The neighbours' dog. He is an unquestionably untrustworthy but well-informed animal.",
        (CLOUD, 44, 34),
        "となりの犬さ。信用はできないけど、事情通なんだ。",
        (CLOUD, 30, 40),
    ),
    Said("Fine. Coffee first.", (ELLIPSE, 16, 24), "わかった。コーヒーが先だ。", (ELLIPSE, 18, 28)),
    Said(
        "Ten… nine… eight… you have your paw on the button, haven't you?",
        (ELLIPSE, 34, 26),
        "10……9……8……ボタンに足を乗せてるだろう？",
        (ELLIPSE, 22, 36),
    ),
    Said("Meow.", (ELLIPSE, 18, 12), "にゃあ。", (ELLIPSE, 12, 20)),
)
LARGEST = 4_500
"""Micrometres: no letterer may go past it."""
SMALLEST = 1_000


def balloons() -> tuple[Balloon, ...]:
    """Every line of the script in its balloon, English and Japanese in turn, each at the page's corner."""
    found = []
    for number, said in enumerate(SCRIPT):
        for language, words, (shape, width, height) in (
            ("en", said.english, said.wide),
            ("ja", said.japanese, said.tall),
        ):
            writing = Writing.VERTICAL if language == "ja" else Writing.HORIZONTAL
            found.append(
                Balloon(
                    id=f"bl_{language}{number:02d}",
                    parent="un_scene",
                    box=rect(0, 0, width, height),
                    text=words,
                    shape=shape,
                    style=TextStyle(font="sans", size=LARGEST, smallest=SMALLEST, writing=writing, language=language),
                )
            )
    return tuple(found)
