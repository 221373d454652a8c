"""Random operations as callers send them, sensible ones and senseless ones, and a world to run them in."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit import OPERATIONS, ChangeSetResult, EditContext, apply_changeset
from lantern_kit.comic.edit.shelf import EmptyShelf, EntryFacts
from lantern_kit.comic.model import Chapter, Paper, Unit
from lantern_kit.comic.script import write_script
from lantern_kit.comic.script.of_book import script_of
from lantern_kit.kernel.errors import NotFound
from tests.comic.strategies import Ids

CAT, MOON, CUT, JPEG = "as_000cat00", "as_000moon0", "as_000cut00", "as_000jpeg0"


@dataclass(frozen=True)
class Facts:
    """Facts of a made-up picture."""

    width: int = 451
    height: int = 300
    alpha: bool = False
    media: str = "image/png"
    source_of: str | None = None


ASSETS: Mapping[str, Facts] = {
    CAT: Facts(),
    MOON: Facts(512, 512),
    CUT: Facts(alpha=True, source_of=CAT),
    JPEG: Facts(media="image/jpeg", source_of=CAT),
    "as_00small0": Facts(450, 300, alpha=True, source_of=CAT),
    "as_00other0": Facts(alpha=True, source_of=MOON),
}


def assets(name: str) -> Facts:
    """Facts of an asset."""
    if name not in ASSETS:
        raise NotFound("no such asset", ids=[name])
    return ASSETS[name]


MIRA, CAT_TOY, ROOM, INK = "li_00mira", "li_00toy0", "li_00room", "li_00ink0"
ENTRIES = (
    EntryFacts(MIRA, "character", "Mira", ("coat", "Pyjamas")),
    EntryFacts(CAT_TOY, "prop", "Toy mouse"),
    EntryFacts(ROOM, "scene", "Attic"),
    EntryFacts(INK, "style", "Ink"),
)


class Entries(EmptyShelf):
    """A small library."""

    def entry(self, name: str) -> EntryFacts:
        """An entry by id or name."""
        found = next((item for item in ENTRIES if name in {item.id, item.name}), None)
        return super().entry(name) if found is None else found


def world(ids: Ids | None = None) -> EditContext:
    """A context with ids in sequence, a few pictures and a small library."""
    return EditContext(ids=ids or Ids(), assets=assets, library=Entries())


def empty(*, direction: str = "ltr", language: str = "en") -> Book:
    """An A6 chapter without units."""
    values = {
        "id": "ch_00000000",
        "comic": "Chelsea Goes Up",
        "language": language,
        "direction": direction,
        "paper": Paper(width=105_000, height=148_000).model_dump(mode="json"),
    }
    return Book.of(Chapter.model_validate(values, strict=False))


class Desk:
    """A book under edit: ``do`` applies one ChangeSet and keeps its result."""

    def __init__(self, book: Book | None = None) -> None:
        self.book = empty() if book is None else book
        self.ids = Ids()
        self.notes: tuple[str, ...] = ()

    def do(self, *operations: Mapping[str, Any], **callbacks: Any) -> dict[str, str]:
        """Names made."""
        result = self.result(*operations, **callbacks)
        self.book, self.notes = result.book, result.notes
        return dict(result.made)

    def result(self, *operations: Mapping[str, Any], **callbacks: Any) -> ChangeSetResult:
        """The whole result, not kept."""
        return apply_changeset(self.book, operations, world(self.ids), **callbacks)

    def one(self, op: str, target: str | None = None, /, **args: Any) -> str:
        """One operation; the id it made, or ``""``."""
        made = self.do({"op": op, "target": target, "args": args})
        return next(iter(made.values()), "")

    def get(self, name: str) -> Any:
        """An object or unit."""
        if name in self.book:
            return self.book.unit(name)
        return next(unit.index[name] for unit in self.book.units() if name in unit.index)

    def home(self, name: str) -> Unit:
        """The unit an object lies on."""
        return next(unit for unit in self.book.units() if name in unit.index)


def random_operation(book: Book, rng: random.Random, name: str | None = None) -> dict[str, Any]:
    """An operation on something of the book (any, or the named one), right more often than wrong."""
    operation = rng.choice(list(OPERATIONS)) if name is None else OPERATIONS.get(name)
    things: list[tuple[str, str]] = [("chapter", book.chapter.id)]
    for unit in book.units():
        things += [("unit", unit.id), (unit.kind.value, unit.id)]
        things += [(item.kind, item.id) for item in unit.objects]
    fitting = [name for kind, name in things if kind in operation.target]
    if not fitting or rng.random() < 0.03:
        fitting = [name for _, name in things]
    target = rng.choice(fitting)
    home = next((unit for unit in book.units() if unit.id == target or target in unit.index), None)
    args = {name: value for name, value in _arguments(operation.name, book, home, rng).items() if value is not SKIP}
    return {"op": operation.name, "target": target, "args": args}


SKIP = object()
TEMPLATES = ("four-koma", "nine-grid", "diagonal-action", "two-tier-inset", "spread-panorama", "no")
SAYINGS = ("Up!", "Is that… mine?", "{三毛猫|みけねこ}。", "Once upon a time,\n[long]{.bold} ago")
SHAPES = ("ellipse", "rounded", "cloud", "burst", "thought", "whisper", "box", "none", "path")


def _arguments(op: str, book: Book, home: Unit | None, rng: random.Random) -> dict[str, Any]:
    noun, verb = op.split(".")
    here = [item.id for item in home.objects] if home is not None else []
    unit = rng.choice(book.order) if len(book) else "un_0000none"
    readable = list(home.reading) if home is not None else []

    def maybe(value: Any, chance: float = 0.5) -> Any:
        return value if rng.random() < chance else SKIP

    def xy() -> list[float]:
        return [round(rng.uniform(-3, 108), 3), round(rng.uniform(-3, 150), 3)]

    def rect() -> list[float]:
        return [*xy(), round(rng.uniform(4, 60), 3), round(rng.uniform(4, 60), 3)]

    def share() -> float:
        return round(rng.random(), 3)

    def colour() -> str:
        return rng.choice(("#ffffff", "#000000", "#12ab34", "#AA00FF80"))

    def stroke() -> dict[str, Any]:
        return {"width": rng.choice((0, 0.3, 1)), "colour": colour(), "dash": rng.choice(([], [1, 0.5]))}

    def outline() -> dict[str, Any]:
        choice = rng.randrange(4)
        x, y, w, h = rect()
        if choice == 0:
            return {"polygon": [[x, y], [x + w, y], [x + w / 2, y + h]]}
        if choice == 1:
            return {"polygon": [xy() for _ in range(rng.randint(3, 5))]}
        if choice == 2:
            up, down = [[x, y], [x + w, y], [x + w, y + h / 2]], [[x + w, y + h], [x, y + h], [x, y + h / 2]]
            return {"curve": {"start": [x, y + h / 2], "segments": [up, down]}}
        return {"rect": [x, y, w, h]}

    def placement() -> dict[str, Any]:
        return {
            "fit": maybe(rng.choice(("cover", "contain", "stretch"))),
            "focus": maybe([share(), share()]),
            "crop": maybe([0.1, 0.1, 0.9, 0.8]),
            "box": maybe(rng.choice((None, rect(), rect()))),
            "scale": maybe(rng.uniform(0.1, 3)),
            "rotate": maybe(rng.uniform(-90, 90)),
            "flip_x": maybe(True),
            "dx": maybe(rng.uniform(-5, 5)),
            "opacity": maybe(share()),
            "name": maybe("picture"),
            "band": maybe(rng.choice(("paper", "overlays", "text")), 0.2),
        }

    def style() -> dict[str, Any]:
        found = {
            "font": maybe("sans"),
            "size": maybe(rng.uniform(1, 6)),
            "smallest": maybe(rng.uniform(0.5, 2), 0.2),
            "bold": maybe(True),
            "align": maybe("left"),
            "leading": maybe(rng.choice((None, 1.2))),
            "tracking": maybe(0.05, 0.2),
            "writing": maybe(rng.choice(("vertical", "horizontal")), 0.3),
            "combine": maybe(rng.randint(0, 4), 0.2),
            "outline": maybe(rng.choice((None, {"width": 0.4}))),
            "colour": maybe(colour()),
        }
        return {name: value for name, value in found.items() if value is not SKIP}

    def words() -> dict[str, Any]:
        place = rng.randrange(3)
        return {
            "text": rng.choice(
                ("Up!", "Is that… mine?", "{三毛猫|みけねこ}。", "Once upon a time,\n[long]{.bold} ago")
            ),
            "at": xy() if place < 2 else SKIP,
            "size": [rng.uniform(5, 40), rng.uniform(5, 40)] if place == 1 else SKIP,
            "rect": rect() if place == 2 else SKIP,
            "style": maybe(style()),
            "name": maybe("words", 0.2),
            "after": maybe(rng.choice(readable or ["un_0000none"]), 0.3) if verb == "add" else SKIP,
        }

    bleed = rng.sample(("top", "right", "bottom", "left"), rng.randint(0, 3))
    facts = {"border": maybe(stroke()), "background": maybe(rng.choice((None, colour()))), "bleed": maybe(bleed)}
    facts["keep"] = maybe(rng.choice((None, "ratio", "size")), 0.2)
    facts["description"] = maybe(rng.choice(("", "Mira looks up.", "屋顶上，夜")), 0.3)
    facts["scene"] = maybe(rng.choice((None, "", "Attic", ROOM, "Cellar")), 0.3)
    facts["light"] = maybe(rng.choice((None, {"angle": rng.uniform(-360, 360)}, {"kind": "night"})), 0.3)
    facts["cast"] = maybe(rng.choice(([], [{"who": "Mira"}], [{"who": MIRA, "look": "coat"}, {"who": CAT_TOY}])), 0.3)
    mark = {"kind": rng.choice(("focus", "face")), "area": [0.1, share() / 2, 0.6, 0.9], "who": maybe("Mira")}
    marks = [{key: value for key, value in mark.items() if value is not SKIP}]
    asset = rng.choice((CAT, CAT, MOON, CUT, "as_000none0"))
    effect = {
        "effect": rng.choice(("focus", "speed", "tone", "tone", "gradient", "flash", "vignette")),
        "box": maybe(rng.choice((None, rect(), rect()))),
        "centre": maybe([share(), share()]),
        "density": maybe(share()),
        "angle": maybe(rng.uniform(-90, 90)),
        "density_to": maybe(rng.choice((None, share())), 0.3),
        "ramp": maybe(rng.uniform(-90, 90), 0.2),
        "screen": maybe(rng.choice(("dots", "lines", "grain")), 0.3),
        **rng.choice(({}, {"pitch": rng.uniform(0.1, 2)}, {"lpi": rng.uniform(20, 80)})),
    }
    look = {"padding": maybe(rng.uniform(0, 3)), "fill": maybe(colour()), "stroke": maybe(stroke())}
    balloons = [item.id for item in home.objects if item.kind == "balloon"] if home is not None else []
    form = {
        **rng.choice(({}, {"shape": rng.choice(SHAPES)}, {"outline": outline()})),
        "seed": maybe(7, 0.2),
        "joined": maybe(rng.choice((None, "", *balloons, *here)), 0.4),
    }
    bent = {"rotate": maybe(12.5), "arc": maybe(rng.uniform(-90, 90), 0.3), "skew": maybe(rng.uniform(-30, 30), 0.3)}
    made: dict[str, dict[str, Any]] = {
        "script.write": {"text": _script(book, rng)},
        "chapter.set": {
            "title": maybe("Up"),
            "number": maybe(3),
            "direction": maybe(rng.choice(("ltr", "rtl"))),
            "styles": maybe(rng.choice(([], ["Ink"])), 0.2),
        },
        "paper.set": {"bleed": maybe(rng.uniform(0, 5)), "width": maybe(rng.uniform(95, 110)), "dpi": maybe(300)},
        "unit.add": {
            "kind": rng.choice(("page", "cover", "transition", "spread")),
            "after": maybe(unit, 0.3),
            "gutter": maybe(rng.uniform(0, 8), 0.2),
            "name": maybe("Two"),
        },
        "unit.move": rng.choice(({"after": unit}, {"before": unit}, {"to": "first"}, {"to": "last"})),
        "unit.duplicate": {"name": maybe("again"), "after": maybe(unit, 0.3)},
        "unit.set": {
            "name": maybe("Three"),
            "background": maybe(colour()),
            "kind": maybe("cover", 0.2),
            "gutter": maybe(rng.uniform(0, 8), 0.3),
        },
        "spread.join": {"with": unit, "gutter": maybe(5.0)},
        "frame.add": {**outline(), **facts, "name": maybe("top"), "after": maybe(rng.choice(readable or [unit]), 0.3)},
        "frame.cut": {"line": [xy(), xy()], "gutter": maybe(rng.uniform(0, 6))},
        "frame.reshape": {**outline(), "snap": maybe(True, 0.2)},
        "frame.edge": {
            **rng.choice(({"side": rng.choice(("left", "top", "right", "bottom"))}, {"index": rng.randint(1, 4)})),
            **rng.choice(({"by": rng.uniform(-9, 9)}, {"to": rng.uniform(-3, 150)})),
            "line": maybe(True, 0.3),
            "snap": maybe(True, 0.3),
        },
        "frame.set": {**facts, "name": maybe("n")},
        "layout.apply": {
            **rng.choice(({"template": rng.choice(TEMPLATES)}, {"template": rng.choice(TEMPLATES)}, {"like": unit})),
            "weights": maybe([rng.choice((0.5, 1, 2)) for _ in range(rng.choice((4, 9, 3, 7)))], 0.3),
            "gutter": maybe(rng.uniform(0, 9), 0.3),
            "rows": maybe(rng.uniform(0, 9), 0.3),
        },
        "layout.reflow": {
            "weights": maybe([rng.choice((0.5, 1, 2)) for _ in range(rng.randint(1, 4))], 0.2),
            "gutter": maybe(rng.uniform(0, 9), 0.3),
            "over": maybe(rng.sample(list(book.order), min(len(book), rng.randint(0, 2))), 0.3),
            "most": maybe(rng.randint(1, 6), 0.4),
        },
        "object.order": rng.choice(
            (
                {"to": "front"},
                {"to": "back"},
                {"above": rng.choice(here or [unit])},
                {"below": rng.choice(here or [unit])},
            )
        ),
        "object.band": {"band": rng.choice((None, "paper", "frames", "text"))},
        "object.move": {**rng.choice(({"by": [3, -2]}, {"to": xy()}, {"centre": xy()})), "tail": maybe("move")},
        "object.rename": {"name": "renamed"},
        "object.duplicate": {"by": maybe([1, 1]), "name": maybe("copy")},
        "reading.set": {"order": rng.sample(readable, len(readable))},
        "reading.move": {"after": rng.choice((None, *readable))},
        "image.place": {**placement(), "asset": asset, "clip": maybe(False)},
        "image.replace": {"asset": asset},
        "image.mark": {"marks": rng.choice(([], marks, marks * 2))},
        "image.adjust": {**placement(), "clip": maybe(False)},
        "foreground.bind": {"asset": CUT},
        "overlay.add": {**placement(), "asset": asset, "box": rect()},
        "overlay.set": {**placement(), "asset": maybe(asset)},
        "effect.add": effect,
        "effect.set": effect,
        "balloon.add": {
            **words(),
            **look,
            **form,
            "speaker": maybe("Chelsea"),
            **rng.choice(
                ({"tail": xy()}, {"tails": [{"tip": xy(), "bend": 0.2, "style": rng.choice((None, "bubbles"))}]}, {})
            ),
        },
        "balloon.set": {**words(), **look, **form, "gutter_safe": maybe(False)},
        "balloon.tail": {
            "index": maybe(rng.randint(1, 3)),
            "tip": maybe(xy(), 0.7),
            "width": maybe(3),
            "style": maybe(rng.choice((None, "pointed", "bubbles")), 0.3),
            "remove": maybe(True, 0.2),
        },
        "narration.add": {**words(), **look},
        "narration.set": {**words(), **look},
        "text.add": {**words(), **bent},
        "text.set": {**words(), **bent},
    }
    if verb in {"set", "reshape"} and noun != "frame":
        made.get(op, {}).pop("after", None)
    return made.get(op, {})


def _script(book: Book, rng: random.Random) -> str:
    """A script with changes in it, right more often than wrong; of one unit and a new page, or of new pages alone."""
    new = f"## Page\n### Panel 1\n\nA roof.\n\nMIRA (whisper): {rng.choice(SAYINGS)}\nSFX: FWOOM\n"
    units = list(book.order)
    if not units or rng.random() < 0.2:
        return rng.choice((new, new * 2, "## Page 1\nMIRA:", "no page"))
    text = write_script(script_of(book, [rng.choice(units)]))
    if rng.random() < 0.5:
        text = text.replace("Bang", "Boom").replace("Up", "Down")
    if rng.random() < 0.3:
        text = "\n".join(line for line in text.split("\n") if rng.random() < 0.9)
    return text + (new if rng.random() < 0.5 else "CAPTION: Later.\n")
