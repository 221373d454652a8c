"""A book to print: twenty pages read from right to left, with columns and lines, ruby, spreads and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from lantern_kit.comic.geometry import polygon_of
from lantern_kit.comic.model import (
    READABLE,
    AnyObject,
    Balloon,
    Binding,
    Chapter,
    Direction,
    Effect,
    EffectType,
    Frame,
    Image,
    Narration,
    Paper,
    Rect,
    Stroke,
    Surface,
    Tail,
    Text,
    TextStyle,
    Unit,
    UnitKind,
    Writing,
)
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.render.plate import Plate, Plates, Source
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.encode import encode_jpeg
from lantern_kit.imaging.picture import Picture

PAPER = Paper(width=128_000, height=182_000, bleed=3_000, binding=Binding.RIGHT)
CHAPTER = Chapter(
    id="ch_book1",
    comic="灯台の猫",
    number=3,
    title="Noon",
    language="ja",
    direction=Direction.RTL,
    paper=PAPER,
)
JAPANESE = (
    "{灯台|とうだい}の猫は、もう{知|し}っている。",
    "今日は12月3日、とても良い天気ですね！？",
    "……だれも、こんなところまでは来ないよ。",
    "「待って――」と、彼女は言った。",
)
CHINESE = ("我们走吧，快一点！", "灯塔里的猫早就知道了……", "「等一下，」她說：「看那邊。」")
LATIN = ("Nobody comes up here at noon.", "It’s “mine”, of course — isn’t it?", "Naïve café, Œuvre, 100 %!")
KOREAN = ("아무도 여기까지 오지 않아요.", "등대의 고양이는 벌써 알고 있다!")
SOUND = ("ドーン", "BOOM", "砰")


def units() -> tuple[Unit, ...]:
    """A cover, sixteen pages and spreads: twenty pages of paper."""
    made: list[Unit] = [_unit(0, UnitKind.COVER)]
    number = 1
    while number < 20:
        # Spreads lie on an even page and the next one.
        kind = UnitKind.SPREAD if number in (6, 14) else UnitKind.PAGE
        made.append(_unit(number, kind))
        number += 2 if kind is UnitKind.SPREAD else 1
    return tuple(made)


def _unit(number: int, kind: UnitKind) -> Unit:
    name = f"un_pg{number:02d}"
    spread = kind is UnitKind.SPREAD
    surfaces = [Surface(id=f"sf_a{number:03d}", x=0, width=PAPER.width, height=PAPER.height)]
    if spread:
        surfaces.append(Surface(id=f"sf_b{number:03d}", x=PAPER.width, width=PAPER.width, height=PAPER.height))
    objects: list[AnyObject] = []
    for half in range(2 if spread else 1):
        # The right half of a spread is read first.
        left = PAPER.width * (1 - half) if spread else 0
        objects += _page(number, half, name, left)
    return Unit(
        kind=kind,
        id=name,
        name="表紙" if kind is UnitKind.COVER else "",
        surfaces=tuple(surfaces),
        objects=tuple(objects),
        reading=tuple(item.id for item in objects if item.kind in READABLE),
    )


def _page(number: int, half: int, unit: str, left: int) -> Iterator[AnyObject]:
    key = f"{number:02d}{half}"

    def rect(x: float, y: float, w: float, h: float) -> Rect:
        return Rect(x=left + round(x * 1_000), y=round(y * 1_000), w=round(w * 1_000), h=round(h * 1_000))

    frames = []
    for place, box in enumerate((rect(8, 8, 112, 78), rect(66, 90, 54, 84), rect(8, 90, 54, 84))):
        frame = Frame(id=f"fr_{key}{place}", parent=unit, shape=polygon_of(box), border=Stroke(width=500))
        frames.append(frame)
        yield frame
        yield Image(id=f"im_{key}{place}", parent=frame.id, asset=("as_photo", "as_line", "as_disc")[place])
    yield Effect(id=f"ef_{key}0", parent=frames[1].id, effect=EffectType.SPEED, seed=number + 1)
    yield Effect(id=f"ef_{key}1", parent=frames[2].id, effect=EffectType.GRADIENT, angle=90_000)
    places = (
        (86, 10, 30, 40),
        (48, 12, 34, 30),
        (10, 12, 34, 26),
        (84, 96, 32, 36),
        (70, 140, 40, 24),
        (12, 96, 40, 30),
    )
    for place, box in enumerate(places):
        which = number + 3 * half + place
        pool = (JAPANESE, CHINESE, LATIN, JAPANESE, KOREAN, CHINESE)[place]
        words = f"{pool[which % len(pool)]}{which}" if place % 2 else pool[which % len(pool)]
        style = TextStyle(
            font="sans",
            size=3_400,
            smallest=900,
            language=("ja", "zh-Hans", "en", "ja", "ko", "zh-Hant")[place],
            writing=Writing.VERTICAL if place in (0, 3, 5) else Writing.HORIZONTAL,
        )
        tip = (left + round((box[0] + box[2] / 2) * 1_000), round((box[1] + box[3] + 8) * 1_000))
        yield Balloon(
            id=f"bl_{key}{place}",
            parent=unit,
            box=rect(*box),
            text=words,
            style=style,
            tails=(Tail(tip=tip),),
            speaker="Cat",
        )
    yield Narration(
        id=f"na_{key}0",
        parent=unit,
        box=rect(12, 150, 46, 14),
        text=f"Later,\nthat {number}th day…" if number % 2 else f"その{number}日後\n――夜。",
        style=TextStyle(font="narration", language="en" if number % 2 else "ja"),
    )
    yield Text(
        id=f"tx_{key}0",
        parent=unit,
        box=rect(34, 60, 60, 22),
        text=SOUND[number % 3],
        rotate=-12_000,
        style=TextStyle(font="sound", size=14_000, bold=True, outline=Stroke(width=600, colour="#ffffff")),
    )


@cache
def photo() -> bytes:
    """A JPEG with full colour."""
    y, x = np.mgrid[:600, :800].astype(np.float64)
    pixels = np.stack([x * 255 / 799, y * 255 / 599, 128 + 100 * np.sin(x / 30) * np.cos(y / 40)], axis=2)
    return encode_jpeg(pixels.astype(np.uint8), 90)


def line_art() -> Picture:
    """Black and white alone."""
    y, x = np.mgrid[:900, :700]
    return Picture.of(np.repeat(np.where((x + y) % 90 < 12, 0, 255).astype(np.uint8)[..., None], 3, axis=2))


def disc() -> Picture:
    """A soft disc in the middle of nothing."""
    y, x = np.mgrid[:400, :300].astype(np.float64)
    alpha = np.clip(140 - np.hypot(x - 150, y - 200), 0, 20) * 255 / 20
    colour = np.broadcast_to(np.array([200.0, 60.0, 40.0]), (400, 300, 3))
    return Picture.of(np.concatenate([colour, alpha[..., None]], axis=2).astype(np.uint8))


@dataclass(eq=False)
class Art:
    """The pictures of the book, without a workspace."""

    pictures: Plates

    @classmethod
    def of(cls, *gone: str) -> Art:
        """Its pictures, without some of them."""
        found = {"as_photo": decode(photo()), "as_line": line_art(), "as_disc": disc()}

        def find(asset: str) -> Source | None:
            made = found.get(asset) if asset not in gone else None
            if made is None:
                return None
            return Source(asset, made.width, made.height, not made.opaque, lambda: made)

        return cls(Plates(find, cache=RenderCache()))

    def plate(self, asset: str) -> Plate | None:
        return self.pictures(asset)

    def jpeg(self, asset: str) -> Callable[[], bytes] | None:
        return photo if asset == "as_photo" else None

    def painter(self, unit: Unit, chapter: Chapter, *, area: Rect | None = None) -> PartPainter:
        return PartPainter(unit, chapter, self.pictures, area=area)
