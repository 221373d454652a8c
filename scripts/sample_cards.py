"""Draws the pictures of the sample cards, and puts the cards of ``datasets/cards/text`` into them.

    python scripts/sample_cards.py [FOLDER]

Writes shen-yan.png and mara-quill.charx; the same Pillow gives the same bytes.
"""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

from lantern_kit.cards import read_card, write_card

CARDS = Path(__file__).parent.parent / "datasets" / "cards"
WIDTH, HEIGHT = 320, 480
COLOURS = 48


def sky(top: tuple[int, int, int], low: tuple[int, int, int]) -> Image.Image:
    """A sheet that fades from one colour to another."""
    picture = Image.new("RGB", (WIDTH, HEIGHT))
    draw = ImageDraw.Draw(picture)
    for y in range(HEIGHT):
        part = y / HEIGHT
        draw.line([(0, y), (WIDTH, y)], tuple(round(a + (b - a) * part) for a, b in zip(top, low, strict=True)))
    return picture


def lighthouse() -> Image.Image:
    """The lamp of the northern rocks in fog, a small boat below it."""
    picture = sky((24, 38, 58), (120, 132, 138))
    glow = Image.new("RGB", picture.size)
    draw = ImageDraw.Draw(glow)
    draw.polygon([(196, 128), (0, 60), (0, 190)], (120, 96, 40))
    draw.ellipse([146, 78, 246, 178], (170, 130, 60))
    picture = Image.blend(
        picture, Image.composite(glow, picture, glow.convert("L").filter(ImageFilter.GaussianBlur(14))), 0.8
    )
    draw = ImageDraw.Draw(picture)
    draw.polygon([(178, 150), (214, 150), (232, 380), (160, 380)], (58, 60, 66))
    for level in range(3):
        draw.rectangle([188, 190 + level * 60, 202, 206 + level * 60], (24, 26, 32))
    draw.rectangle([180, 112, 212, 148], (236, 206, 120))
    for x in (180, 190, 201, 211):
        draw.line([(x, 112), (x, 148)], (40, 40, 46), 2)
    draw.polygon([(172, 112), (220, 112), (196, 84)], (40, 42, 50))
    draw.line([(170, 150), (222, 150)], (34, 36, 42), 5)
    dice = random.Random(13)
    for left in range(90, 320, 26):
        top = 372 - dice.randint(0, 26)
        draw.polygon([(left - 26, 420), (left + dice.randint(-8, 8), top), (left + 30, 420)], (28, 32, 38))
    draw.rectangle([0, 408, WIDTH, HEIGHT], (46, 62, 74))
    for _ in range(60):
        x, y = dice.randint(-10, WIDTH), dice.randint(412, HEIGHT - 4)
        draw.line([(x, y), (x + dice.randint(8, 40), y)], (84, 102, 112))
    draw.polygon([(28, 436), (112, 436), (98, 452), (44, 452)], (22, 22, 26))
    draw.pieslice([46, 414, 98, 460], 180, 360, (36, 34, 34))
    draw.line([(104, 436), (104, 404)], (30, 28, 28), 3)
    draw.ellipse([100, 400, 110, 412], (232, 150, 70))
    return picture


def ferry() -> Image.Image:
    """A flat ferry over the roofs of a drowned town."""
    picture = sky((196, 186, 170), (96, 122, 128))
    draw = ImageDraw.Draw(picture)
    draw.ellipse([210, 70, 262, 122], (236, 222, 190))
    dice = random.Random(9)
    for left in range(-10, WIDTH, 74):
        width, top = 58 + dice.randint(-8, 8), 292 + dice.randint(-12, 20)
        shade = 70 + dice.randint(-10, 14)
        draw.polygon([(left, 350), (left + width // 2, top), (left + width, 350)], (shade + 24, shade, shade - 8))
        draw.rectangle(
            [left + width // 2 + 6, top - 4, left + width // 2 + 16, top + 24], (shade - 16, shade - 20, shade - 20)
        )
    draw.rectangle([0, 338, WIDTH, HEIGHT], (74, 104, 112))
    for _ in range(110):
        x, y = dice.randint(-10, WIDTH), dice.randint(342, HEIGHT - 4)
        draw.line([(x, y), (x + dice.randint(6, 44), y)], (112, 142, 146))
    draw.polygon([(60, 372), (280, 372), (258, 410), (84, 410)], (38, 40, 46))
    draw.line([(64, 372), (278, 372)], (196, 112, 64), 4)
    draw.rectangle([196, 330, 244, 372], (60, 58, 58))
    draw.rectangle([204, 338, 222, 354], (222, 214, 180))
    draw.line([(130, 372), (130, 236)], (44, 38, 34), 4)
    draw.polygon([(134, 244), (134, 352), (190, 352)], (206, 196, 172))
    draw.ellipse([98, 336, 114, 352], (52, 44, 42))
    draw.polygon([(94, 372), (98, 352), (114, 352), (120, 372)], (120, 52, 44))
    draw.polygon([(92, 340), (120, 340), (106, 328)], (34, 34, 40))
    return picture


def png(picture: Image.Image) -> bytes:
    """A picture as a small PNG."""
    out = io.BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def main(folder: Path) -> None:
    """Write both cards into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture, form in (("shen-yan", lighthouse(), "png"), ("mara-quill", ferry(), "charx")):
        card = read_card((CARDS / "text" / f"{name}.json").read_bytes())
        (folder / f"{name}.{form}").write_bytes(write_card(card, form, picture=png(picture)).data)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CARDS)
