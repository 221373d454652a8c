"""For each rule of faces, casts, light and kept colours a faulty page and a sound one, as like it as can be."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.checks.kept import Kept
from lantern_kit.comic.model import (
    Band,
    Edge,
    Frame,
    Image,
    Light,
    Mark,
    MarkKind,
    Placement,
    Presence,
    TextStyle,
    Transform,
    Unit,
    UnitKind,
)
from tests.comic.faulty import CHAPTER, Case
from tests.render.pages import Maker, page, rect

MIRA, BO, ATTIC, ROOF, INK = "li_00mira", "li_000bo0", "li_attic0", "li_roof00", "li_00ink0"
WARM, COLD = ("#e6963c", "#f0b060", "#402010"), ("#3c6edc", "#6090f0", "#102040")
KEPT = {
    item.id: item
    for item in (
        Kept(MIRA, "character", ("Mira", "米拉"), WARM),
        Kept(BO, "character", ("Bo",), looks=("coat", "apron")),
        Kept(ATTIC, "scene", ("Attic",), WARM),
        Kept(ROOF, "scene", ("Roof",)),
        Kept(INK, "style", ("Ink",), COLD),
    )
}
MIDDLE = (400_000, 300_000, 600_000, 600_000)
"""Of a frame of 84 × 60 mm at 8, 8: from 41.6, 26 to 58.4, 44 mm."""
LEFT, RIGHT = (100_000, 300_000, 300_000, 600_000), (700_000, 300_000, 900_000, 600_000)
INKED = CHAPTER.model_copy(update={"styles": (INK,)})


def bound(_: Unit) -> Edge:
    """Every page is bound at the left."""
    return Edge.LEFT


def face(area: tuple[int, int, int, int] = MIDDLE, who: str | None = None) -> Mark:
    return Mark(kind=MarkKind.FACE, area=area, who=who)


def focus(area: tuple[int, int, int, int] = MIDDLE) -> Mark:
    return Mark(kind=MarkKind.FOCUS, area=area)


def shifted(x: float = 0, y: float = 0, scale: int = 1_000_000) -> Placement:
    return Placement(transform=Transform(dx=round(x * 1_000), dy=round(y * 1_000), scale=scale))


class Panels:
    """Frames with a picture each, and what is said of them."""

    def __init__(self) -> None:
        self.make = Maker()

    def one(
        self,
        *marks: Mark,
        at: tuple[float, float, float, float] = (8, 8, 84, 60),
        placement: Placement | None = None,
        asset: str = "as_fine0",
        bleed: tuple[Edge, ...] = (),
        **said: Any,
    ) -> tuple[Frame, Image]:
        frame = self.make.frame(*at, bleed=bleed, **said)
        return frame, self.make.image(frame.id, asset, placement, marks=marks)

    def row(self, *said: dict[str, Any]) -> Unit:
        """Frames below each other, each with a picture."""
        placed = [self.one(at=(8, 8 + 42 * place, 84, 38), **one) for place, one in enumerate(said)]
        return page(*(frame for frame, _ in placed), *(image for _, image in placed))


def _faces() -> list[Case]:
    panels = Panels()
    make = panels.make
    shown = panels.one(face())
    over = make.balloon(40, 26, 34, 20, "Look!")
    beside = make.balloon(57, 26, 33, 20, "Look!")
    caption, lettered = (
        make.narration(38, 32, 26, 7, "Later"),
        make.text(36, 30, 30, 12, "Hm", style=TextStyle(size=9_000)),
    )
    turned, level = (
        make.text(32, 15, 36, 10, "CLONK", style=TextStyle(size=9_000), rotate=rotate) for rotate in (90_000, 0)
    )
    overlay = make.overlay("as_fine0", Placement(box=rect(45, 20, 30, 30)))
    away = make.overlay("as_fine0", Placement(box=rect(60, 20, 30, 30)))
    clear = make.overlay("as_fine0", Placement(box=rect(45, 20, 30, 30)), opacity=200_000)
    inset, aside = make.frame(44, 20, 20, 30), make.frame(60, 20, 20, 30)
    cut_out, below = (make.foreground(shown[1], "as_fine0", band=band) for band in (None, Band.PAPER))
    through = make.balloon(10, 11, 22, 10, "Look!", tip=(70, 50))
    touching = make.balloon(10, 11, 22, 10, "Look!", tip=(43, 30))
    return [
        Case("face.covered", "warning", (page(*shown, over),), (page(*shown, beside), page(*shown))),
        Case("face.covered", "warning", (page(*shown, caption),), (page(*shown, away),), name="by a caption"),
        Case("face.covered", "warning", (page(*shown, lettered),), (page(*shown),), name="by lettering"),
        Case("face.covered", "warning", (page(*shown, turned),), (page(*shown, level),), name="by turned lettering"),
        Case(
            "face.covered", "warning", (page(*shown, overlay),),
            (page(*shown, away), page(*shown, clear), page(*shown, overlay, cut_out), page(*shown, below)),
            name="by a picture",
        ),
        Case("face.covered", "warning", (page(*shown, inset),), (page(*shown, aside), page(inset, *shown)),
             name="by an inset"),
        Case("face.covered", "warning", (page(*shown, through),), (page(*shown, touching),), name="by a tail"),
    ]  # fmt: skip


def _cuts() -> list[Case]:
    panels = Panels()
    edge = (800_000, 300_000, 1_000_000, 600_000)
    crop = Placement(crop=(0, 0, 900_000, 1_000_000))
    wide, bleeding = (8.0, 8.0, 95.0, 60.0), (Edge.RIGHT,)
    outer, inner = (900_000, 300_000, 1_000_000, 500_000), (700_000, 300_000, 800_000, 500_000)
    whole = page(*panels.one(face(edge)))
    cut_out = panels.one(face(edge), placement=shifted(8))
    return [
        Case(
            "face.cut", "note", (page(*panels.one(face(edge), placement=shifted(8))),),
            (
                whole,
                page(*panels.one(face(edge), placement=shifted(1))),
                page(*panels.one(face(edge), placement=shifted(18))),
                page(*cut_out, panels.make.foreground(cut_out[1], "as_fine0")),
                page(*panels.one(face((100_000, 50_000, 900_000, 950_000)), placement=shifted(0, 0, 1_600_000))),
            ),
        ),
        Case("face.cut", "note", (page(*panels.one(face(edge), placement=crop)),), (whole,), name="by the crop"),
        Case(
            "face.cut", "note", (page(*panels.one(face(outer), at=wide, bleed=bleeding)),),
            (page(*panels.one(face(inner), at=wide, bleed=bleeding)),), name="by the trim",
        ),
        Case(
            "focus.cut", "note", tuple(page(*panels.one(focus(edge), placement=shifted(x))) for x in (8, 18)),
            (page(*panels.one(focus(edge))),),
        ),
        Case(
            "focus.covered", "note", (page(*panels.one(focus()), panels.make.balloon(40, 26, 34, 20, "Look!")),),
            (page(*panels.one(focus()), panels.make.balloon(57, 26, 33, 20, "Look!")),),
        ),
    ]  # fmt: skip


def _folds() -> list[Case]:
    panels = Panels()
    across, left = (60.0, 8.0, 86.0, 60.0), (50_000, 300_000, 250_000, 600_000)

    def spread(mark: Mark) -> Unit:
        return page(*panels.one(mark, at=across), kind=UnitKind.SPREAD, gutter=6_000)

    def edge(mark: Mark) -> Unit:
        return page(*panels.one(mark, at=(-3, 8, 95, 60), bleed=(Edge.LEFT,)))

    return [
        Case("face.gutter", "warning", (spread(face()),), (spread(face(left)), page(*panels.one(face(), at=across)))),
        Case("focus.gutter", "note", (spread(focus()),), (spread(focus(left)),)),
        Case(
            "face.binding", "note", (edge(face((0, 300_000, 150_000, 600_000))),),
            (edge(face(MIDDLE)), edge(focus((0, 300_000, 150_000, 600_000)))),
        ),
    ]  # fmt: skip


def _voices() -> list[Case]:
    panels = Panels()
    make = panels.make
    both = panels.one(face(LEFT, MIRA), face(RIGHT, BO))
    alone = panels.one(face(RIGHT, BO))

    def says(name: str, tip: tuple[float, float]) -> Any:
        return make.balloon(36, 10, 28, 12, "Look!", speaker=name, tip=tip)

    cast = (Presence(who=BO),)
    staged = panels.one(cast=cast)
    unsaid = panels.one()
    return [
        Case(
            "tail.face", "warning", (page(*both, says("mira", (64, 26))), page(*both, says("米拉", (64, 26)))),
            (
                page(*both, says("Mira", (36, 26))),
                page(*both, says("Bo", (64, 26))),
                page(*both, says("Somebody", (64, 26))),
                page(*alone, says("Mira", (64, 26))),
            ),
        ),
        Case(
            "balloon.cast", "note", (page(*staged, says("Mira", (40, 40))),),
            (
                page(*staged, says("Bo", (40, 40))),
                page(*staged, says("Mira", (9, 40))),
                page(*staged, says("A voice", (40, 40))),
                page(*unsaid, says("Mira", (40, 40))),
            ),
        ),
        Case(
            "library.missing", "warning",
            (
                page(*panels.one(cast=(Presence(who="li_nobody"),))),
                page(*panels.one(scene="li_nowhere")),
                page(*panels.one(face(MIDDLE, "li_nobody"))),
                page(*panels.one(cast=(Presence(who=BO, look="armour"),))),
            ),
            (
                page(*panels.one(face(MIDDLE, MIRA), cast=cast, scene=ATTIC)),
                page(*panels.one(cast=(Presence(who=BO, look="coat"), Presence(who=MIRA, look="any")))),
            ),
        ),
    ]  # fmt: skip


def _panels() -> list[Case]:
    panels = Panels()

    def lit(*angles: int | None, kinds: tuple[str, ...] = ("", "", ""), scenes: tuple[str, ...] = (ROOF,) * 3) -> Unit:
        said = zip(angles, kinds, scenes, strict=True)
        return panels.row(
            *(
                {"scene": scene, "light": Light(angle=None if angle is None else angle * 1_000, kind=kind)}
                for angle, kind, scene in said
            )
        )

    def cast(*shots: tuple[str, ...], scene: str = ROOF, look: str = "") -> Unit:
        return panels.row(
            *(
                {"scene": scene, "cast": tuple(Presence(who=who, look=look if place == 2 else "") for who in shot)}
                for place, shot in enumerate(shots)
            )
        )

    elsewhere = (ROOF, ATTIC, ROOF)
    return [
        Case(
            "continuity.light", "note", (lit(350, 20, 200),),
            (lit(0, 90, 0), lit(320, 40, 340), lit(0, None, 80), lit(0, 180, 0, scenes=elsewhere)),
        ),
        Case(
            "continuity.light", "note", (lit(0, 0, 0, kinds=("night", "night", "lamp")),),
            (lit(0, 0, 0, kinds=("night", "Night ", "")), lit(0, 0, 0, kinds=("a", "b", "c"), scenes=elsewhere)),
            name="of another kind",
        ),
        Case(
            "continuity.look", "note", (cast((MIRA,), (BO,), (MIRA,), look="coat"),),
            (cast((MIRA,), (BO,), (MIRA,)), cast((MIRA,), (MIRA,), (BO,), look="coat")),
        ),
        Case(
            "continuity.absent", "note", (cast((MIRA, BO), (BO,), (MIRA,)),),
            (cast((MIRA, BO), (), (MIRA,)), cast((MIRA,), (BO,), (BO,)), cast((MIRA, BO), (BO, MIRA), (MIRA,))),
        ),
        Case(
            "continuity.kept", "note", (page(*panels.one(asset="as_cold0", scene=ATTIC)),),
            (
                page(*panels.one(asset="as_warm0", scene=ATTIC)),
                page(*panels.one(asset="as_cold0", scene=ROOF)),
                page(*panels.one(asset="as_cold0")),
            ),
        ),
        Case(
            "continuity.kept", "note", (page(*panels.one(asset="as_warm0")),),
            (page(*panels.one(asset="as_cold0")), page(*panels.one(asset="as_warm0", scene=ATTIC))), INKED,
            "of a style",
        ),
        Case(
            "continuity.character", "note", (page(*panels.one(face(MIDDLE, MIRA), asset="as_cold0")),),
            (
                page(*panels.one(face(MIDDLE, MIRA), asset="as_warm0")),
                page(*panels.one(face(MIDDLE, BO), asset="as_cold0")),
            ),
        ),
    ]  # fmt: skip


CASES = [*_faces(), *_cuts(), *_folds(), *_voices(), *_panels()]
