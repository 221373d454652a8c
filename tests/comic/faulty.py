"""For each rule of the checks a faulty page and a sound one, as like it as can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lantern_kit.comic.checks.balance import EDGE
from lantern_kit.comic.model import (
    BalloonShape,
    Chapter,
    Direction,
    Edge,
    EffectType,
    Fit,
    Paper,
    Placement,
    Screen,
    Stroke,
    Surface,
    TextStyle,
    Transform,
    Unit,
    UnitKind,
    Writing,
)
from lantern_kit.comic.render import render_unit
from lantern_kit.imaging.picture import Picture, Pixels
from tests.render.pages import CHAPTER, Maker, page, plain, rect

MANGA = CHAPTER.model_copy(update={"direction": Direction.RTL})
STRIP = CHAPTER.model_copy(update={"direction": Direction.TTB})
COARSE = CHAPTER.model_copy(update={"paper": Paper(width=100_000, height=140_000, dpi=150)})


class Case(NamedTuple):
    """Pages that a rule is put to."""

    rule: str
    severity: str
    faulty: tuple[Unit, ...]
    sound: tuple[Unit, ...]
    chapter: Chapter = CHAPTER
    name: str = ""

    @property
    def label(self) -> str:
        """What the case is called."""
        return f"{self.rule} {self.name}".strip()


PICTURES: dict[str, Picture] = {
    "as_fine0": plain((120, 120, 120), 1_400, 1_000),
    "as_half0": plain((120, 120, 120), 450, 450),
    "as_wide0": plain((120, 120, 120), 4_000, 800),
    "as_warm0": plain((230, 150, 60), 800, 800),
    "as_cold0": plain((60, 110, 220), 800, 800),
}


def pictures(asset: str) -> Picture | None:
    return PICTURES.get(asset)


def view(unit: Unit, chapter: Chapter) -> Pixels:
    drawn = render_unit(unit, chapter, pictures, long_edge=EDGE).pixels
    return np.ascontiguousarray(drawn)


def another(unit: Unit) -> Unit:
    """The same page again, under another id."""
    return unit.model_copy(
        update={"id": "un_page2", "surfaces": (Surface(id="sf_left2", x=0, width=100_000, height=140_000),)}
    )


def _grid(xs: tuple[tuple[float, float], ...], ys: tuple[tuple[float, float], ...], **more: Any) -> list[Any]:
    make = Maker()
    return [make.frame(x, y, w, h, **more) for y, h in ys for x, w in xs]


def _ordered(unit: Unit, *places: int) -> Unit:
    return unit.model_copy(update={"reading": tuple(unit.reading[place] for place in places)})


def _frames() -> list[Case]:
    make = Maker()
    columns = ((8, 26), (37, 26), (66, 26))
    even = page(*_grid(columns, ((8, 40), (51, 40), (94, 38))))
    uneven = page(*_grid(((8, 26), (37, 26), (66, 26)), ((8, 40), (51, 40))), make.frame(8, 99, 84, 33))
    wide = page(*_grid(columns, ((8, 40), (51, 40))), make.frame(8, 94, 40, 38), make.frame(60, 94, 32, 38))
    inset = make.frame(8, 8, 84, 60), make.frame(50, 40, 30, 20)
    bleeding = make.frame(0, 8, 92, 60, bleed=(Edge.LEFT,))
    return [
        Case("frame.gutter", "note", (wide,), (even,), name="across"),
        Case(
            "frame.gutter", "note", (page(*_grid(columns, ((8, 28), (39, 28), (70, 28), (106, 26)))),), (uneven,),
            name="down",
        ),
        Case("frame.overlap", "note", (page(make.frame(8, 8, 50, 60), make.frame(40, 40, 50, 60)),), (page(*inset),)),
        Case(
            "frame.overlap", "warning", (page(make.frame(8, 8, 50, 60), make.frame(57.2, 8, 35, 60)),),
            (page(make.frame(8, 8, 49, 60), make.frame(57, 8, 35, 60)),), name="by a sliver",
        ),
        Case("frame.safe", "note", (page(make.frame(3, 8, 89, 60)),), (page(make.frame(5, 8, 87, 60), bleeding),)),
        Case("frame.reach", "warning", (page(make.frame(0, 8, 92, 60)),), (page(bleeding),)),
        Case(
            "frame.reach", "warning", (page(make.frame(8, 8, 93.5, 60)),), (page(make.frame(8, 8, 95, 60)),),
            name="drawn out by hand",
        ),
        Case(
            "frame.unreached", "warning", (page(make.frame(2, 8, 90, 60, bleed=(Edge.LEFT,))),), (page(bleeding),)
        ),
    ]  # fmt: skip


def _reading() -> list[Case]:
    make = Maker()
    four = page(*_grid(((8, 40), (52, 40)), ((8, 60), (72, 60))))
    strips = page(*_grid(((8, 38), (54, 38)), ((8, 30), (40, 30), (72, 30))))
    slanted = page(
        make.polygon((8, 8), (92, 8), (92, 40), (8, 50)),
        make.polygon((8, 54), (50, 48), (44, 130), (8, 130)),
        make.polygon((54, 47), (92, 44), (92, 130), (48, 130)),
    )
    tall = page(make.frame(8, 8, 40, 60), make.frame(8, 72, 40, 60), make.frame(52, 8, 40, 124))
    inset = page(make.frame(8, 8, 84, 60), make.frame(8, 72, 84, 60), make.frame(60, 12, 28, 20))
    spread = page(*_grid(((8, 84), (114, 84)), ((8, 60), (72, 60))), kind=UnitKind.SPREAD, gutter=6_000)
    first, second = make.frame(8, 8, 84, 60), make.frame(8, 72, 84, 60)
    one, two = make.balloon(12, 12, 30, 16, "First."), make.balloon(50, 30, 30, 16, "Then.")
    below = make.balloon(20, 80, 30, 16, "Last.")
    said = page(first, one, two, second, below)
    left = page(first, make.balloon(50, 12, 30, 16, "Then."), make.balloon(12, 14, 30, 16, "First."))
    return [
        Case("reading.path", "note", (_ordered(four, 1, 0, 2, 3),), (four,)),
        Case("reading.path", "note", (four,), (_ordered(four, 1, 0, 3, 2),), MANGA, "of manga"),
        Case("reading.path", "note", (_ordered(strips, 0, 1, 2, 3, 4, 5),), (_ordered(strips, 0, 2, 4, 1, 3, 5),),
             name="down strips"),
        Case("reading.path", "note", (_ordered(slanted, 0, 2, 1),), (slanted,), name="over slanted gutters"),
        Case("reading.path", "note", (_ordered(tall, 2, 0, 1),), (tall,), name="past a tall frame"),
        Case("reading.path", "note", (_ordered(inset, 1, 0, 2),), (inset, _ordered(inset, 0, 2, 1)), name="with inset"),
        Case("reading.path", "note", (spread,), (_ordered(spread, 0, 2, 1, 3),), name="of a spread"),
        Case("reading.frames", "note", (_ordered(said, 0, 1, 3, 2, 4),), (said,)),
        Case("reading.balloons", "note", (_ordered(said, 0, 2, 1, 3, 4),), (said,)),
        Case("reading.balloons", "note", (left,), (_ordered(left, 0, 2, 1),), name="in a row"),
        Case("reading.balloons", "note", (_ordered(left, 0, 2, 1),), (left,), MANGA, "of manga"),
    ]  # fmt: skip


def _balloons() -> list[Case]:
    make = Maker()
    low = make.balloon(10, 20, 40, 22, "I meant what I said.")
    over = make.balloon(24, 26, 40, 22, "And I said what I meant.")
    beside = make.balloon(46, 26, 40, 22, "And I said what I meant.")
    joined = over.model_copy(update={"joined": low.id})
    above = make.balloon(20, 10, 30, 14, "Over there!", tip=(35, 70))
    between = make.balloon(20, 36, 30, 14, "Where?")
    aside = make.balloon(55, 36, 30, 14, "Where?")
    tied = make.balloon(20, 10, 30, 14, "Over there!", tip=(35, 43))
    frame = make.frame(8, 8, 84, 60)
    ann = make.balloon(12, 12, 30, 14, "Hello.", speaker="Ann", tip=(20, 40))
    mute = make.balloon(50, 30, 30, 14, "Hello yourself.", speaker="Bo")
    points = make.balloon(50, 30, 30, 14, "Hello yourself.", speaker="Bo", tip=(60, 60))
    follows = make.balloon(50, 14, 30, 14, "Hello.", speaker="Ann", joined=ann.id)
    unnamed = make.balloon(50, 30, 30, 14, "Hello yourself.", tip=(60, 60))
    return [
        Case("balloon.covers", "warning", (page(low, over),), (page(low, joined), page(low, beside))),
        Case(
            "balloon.covers", "warning", (page(low, make.narration(20, 28, 30, 8, "Later")),),
            (page(make.narration(20, 28, 30, 8, "Later")),), name="by a caption",
        ),
        Case("balloon.overlap", "note", (page(low, beside),), (page(low, make.balloon(52, 26, 40, 22, "Fine.")),)),
        Case("tail.crosses", "warning", (page(above, between),), (page(above, aside), page(tied, between))),
        Case(
            "tail.inside", "warning", (page(make.balloon(20, 20, 30, 14, "Hm.", tip=(36, 27))),),
            (page(make.balloon(20, 20, 30, 14, "Hm.", tip=(36, 44))),),
        ),
        Case(
            "tail.away", "note", (page(make.balloon(8, 20, 30, 14, "Hm.", tip=(-9, 27))),),
            (page(make.balloon(8, 20, 30, 14, "Hm.", tip=(-2, 27))),),
        ),
        Case(
            "tail.absent", "note", (page(frame, ann, mute),),
            (page(frame, ann, points), page(frame, ann, points, follows), page(frame, mute)),
        ),
        Case("balloon.speaker", "note", (page(frame, ann, unnamed),), (page(frame, ann, points), page(frame, unnamed))),
    ]  # fmt: skip


def _pictures() -> list[Case]:
    make = Maker()
    edge = make.frame(-0.0, 8, 92, 60, bleed=(Edge.LEFT,))
    to_trim = make.image(edge.id, "as_fine0", Placement(box=rect(0, 8, 92, 60)))
    beyond = make.image(edge.id, "as_fine0", Placement(box=rect(-3, 8, 95, 60)))
    inner = make.image(edge.id, "as_fine0", Placement(box=rect(20, 20, 40, 30)))
    frame = make.frame(8, 8, 60, 60)
    tall = make.frame(8, 8, 20, 80)
    wide = make.frame(8, 8, 84, 20)
    stretched = Placement(fit=Fit.STRETCH)
    half = Placement(transform=Transform(scale=500_000))
    looked_at = make.image(frame.id, "as_half0", Placement(focus=(200_000, 200_000)))
    middle = make.image(frame.id, "as_half0")
    over = make.balloon(10, 10, 34, 24, "Look!")
    across = make.frame(60, 8, 86, 60)
    folded, aside = (make.image(across.id, "as_half0", Placement(focus=(x, 300_000))) for x in (490_000, 100_000))
    return [
        Case(
            "balloon.focus", "note", (page(frame, looked_at, over),),
            (
                page(frame, middle, make.balloon(21, 26, 34, 24, "Look!")),
                page(frame, looked_at, make.balloon(30, 40, 34, 24, "Look!")),
                page(frame, looked_at, over.model_copy(update={"shape": BalloonShape.NONE})),
            ),
        ),
        Case(
            "picture.fold", "note", (page(across, folded, kind=UnitKind.SPREAD, gutter=6_000),),
            (page(across, aside, kind=UnitKind.SPREAD, gutter=6_000), page(across, folded)),
        ),
        Case("picture.bleed", "warning", (page(edge, to_trim),), (page(edge, beyond), page(edge, inner))),
        Case(
            "picture.fine", "note", (page(frame, make.image(frame.id, "as_half0")),),
            (page(frame, make.image(frame.id, "as_half0", half)),),
        ),
        Case(
            "picture.ratio", "note", (page(tall, make.image(tall.id, "as_wide0")),),
            (page(wide, make.image(wide.id, "as_wide0")),),
        ),
        Case(
            "picture.stretched", "note", (page(frame, make.image(frame.id, "as_fine0", stretched)),),
            (page(frame, make.image(frame.id, "as_half0", stretched)),),
        ),
    ]  # fmt: skip


def _printing() -> list[Case]:
    make = Maker()
    frame, other = make.frame(8, 8, 84, 60), make.frame(8, 72, 84, 60)
    hair, fine = Stroke(width=50), Stroke(width=80)

    def tone(parent: str, **more: Any) -> Any:
        return make.effect(parent, EffectType.TONE, **more)

    screens = frame, tone(frame.id), tone(frame.id, angle=52_000)
    return [
        Case(
            "print.line", "warning", (page(make.frame(8, 8, 84, 60, border=hair)),),
            (page(make.frame(8, 8, 84, 60, border=fine), make.frame(8, 80, 84, 30, border=Stroke(width=0))),),
        ),
        Case(
            "print.line", "warning", (page(make.narration(10, 10, 40, 10, "Later", stroke=hair)),),
            (page(make.narration(10, 10, 40, 10, "Later", stroke=fine)),), name="of a caption",
        ),
        Case("print.tone", "note", (page(frame, tone(frame.id, pitch=300)),), (page(frame, tone(frame.id, pitch=900)),),
             COARSE),
        Case(
            "print.moire", "note", (page(*screens),),
            (
                page(frame, tone(frame.id), tone(frame.id, angle=75_000)),
                page(frame, tone(frame.id), tone(frame.id)),
                page(frame, other, tone(frame.id), tone(other.id, angle=52_000)),
                page(frame, tone(frame.id), tone(frame.id, angle=52_000, screen=Screen.GRAIN)),
            ),
        ),
    ]  # fmt: skip


def _words() -> list[Case]:
    make = Maker()

    def said(*texts: str, **style: Any) -> Unit:
        return page(
            *(
                make.balloon(10, 10 + 26 * place, 60, 22, text, style=TextStyle(**style))
                for place, text in enumerate(texts)
            )
        )

    small = page(
        make.balloon(10, 10, 40, 20, "We ought to go home."),
        make.balloon(10, 40, 40, 20, "It is very late."),
        make.balloon(10, 70, 19, 10, "I never asked for the whole moon."),
    )

    def grown(width: float, height: float) -> Unit:
        return page(*small.objects[:2], make.balloon(10, 70, width, height, "I never asked for the whole moon."))

    whisper = small.model_copy(
        update={
            "objects": (*small.objects[:2], small.objects[2].model_copy(update={"shape": BalloonShape.WHISPER})),
        }
    )
    return [
        Case("lettering.spaces", "note", (said("Well,  then."),), (said("Well, then."), said("Well,\nthen."))),
        Case(
            "lettering.quotes", "note", (said("“Well”", '"Then"'),),
            (said('"Well"', '"Then"'), said("“It’s 5\" long”")),
        ),
        Case(
            "lettering.dots", "note", (said("Well…", "Then..."),),
            (said("Well...", "Then..."), said("Well…", "Then…")),
        ),
        Case(
            "lettering.width", "note", (said("月が,きれい", language="ja"),),
            (said("月が、きれい", language="ja"), said("月が3.5倍", language="ja"),
             said("月だ!", language="ja", writing=Writing.VERTICAL), said("月だ!", language="en")),
        ),
        Case(
            "lettering.marks", "note", (said("また[来世|らいせ]で"), said("[強い]{.bol}"), said("{漢字|}")),
            (said("また{来世|らいせ}で"), said("[強い]{.bold}"), said("[sic] {a} \\[1|2]")),
        ),
        Case("lettering.uneven", "note", (small,), (whisper,)),
        Case("lettering.uneven", "note", (grown(22, 11),), (grown(24, 12),), name="by a fifth"),
    ]  # fmt: skip


def _views() -> list[Case]:
    make = Maker()
    dark = page(make.frame(8, 8, 30, 124, background="#000000"))
    middle = page(make.frame(8, 8, 84, 124, background="#000000"))

    def three(*assets: str) -> Unit:
        frames = [make.frame(8, 8 + 42 * place, 84, 38) for place in range(3)]
        return page(*frames, *(make.image(frame.id, asset) for frame, asset in zip(frames, assets, strict=True)))

    odd = three("as_warm0", "as_cold0", "as_warm0")
    named = page(make.balloon(10, 10, 40, 20, "Hm.", speaker="Ann"), make.balloon(10, 50, 40, 20, "So.", speaker="Ann"))
    other = another(page(make.balloon(10, 10, 40, 20, "Hm.", speaker="ann ")))
    different = another(page(make.balloon(10, 10, 40, 20, "Hm.", speaker="Anna")))
    return [
        Case("balance.aside", "note", (dark,), (middle, page())),
        Case(
            "continuity.palette", "note", (odd,),
            (three("as_warm0", "as_warm0", "as_cold0"), three("as_warm0", "as_warm0", "as_warm0")),
        ),
        Case("continuity.speaker", "note", (named, other), (named, different)),
    ]  # fmt: skip


_MAKERS: tuple[Callable[[], list[Case]], ...] = (
    _frames, _reading, _balloons, _pictures, _printing, _words, _views,
)  # fmt: skip
CASES = [case for make in _MAKERS for case in make()]
