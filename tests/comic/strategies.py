"""Random chapters and random steps between them, for the laws of diff, merge and edits.

Books are sound by construction. ``stepped`` changes a book by other means than the operations (it moves, deletes and
reorders on its own), so that what holds for it holds for any two states, not only for those an operation makes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import (
    READABLE,
    Balloon,
    BalloonShape,
    Band,
    Chapter,
    Curve,
    Direction,
    Edge,
    Effect,
    EffectType,
    Fit,
    Foreground,
    Frame,
    Image,
    Keep,
    Light,
    Mark,
    MarkKind,
    Narration,
    Node,
    Overlay,
    Paper,
    Placement,
    Polygon,
    Presence,
    Rect,
    Screen,
    Shape,
    Stroke,
    Surface,
    Tail,
    TailStyle,
    Text,
    TextStyle,
    Transform,
    Unit,
    UnitKind,
    Writing,
)

WIDTH, HEIGHT = 105_000, 148_000
WORDS = (
    "Is that… mine?", "Up.", "三二一", "Bang!\nBang!", "A longer line that must be broken", "", "…",
    "{三毛猫|みけねこ}", "[Bang]{.bold size=1.4}!", "{三|み}毛[猫]{.dots}", "[no mark", "\\[plain]",
)  # fmt: skip


class Ids:
    """Ids in sequence, fresh for the whole test."""

    def __init__(self) -> None:
        self.count = 0

    def new(self, prefix: str) -> str:
        """The next one."""
        self.count += 1
        return f"{prefix}_{self.count:08d}"


def random_rect(rng: random.Random) -> Rect:
    w, h = rng.randint(5_000, 60_000), rng.randint(5_000, 60_000)
    return Rect(x=rng.randint(-5_000, WIDTH - w + 5_000), y=rng.randint(-5_000, HEIGHT - h + 5_000), w=w, h=h)


def random_shape(rng: random.Random) -> Shape:
    box = random_rect(rng)
    choice = rng.randrange(4)
    if choice == 0:
        return Polygon(points=((box.x, box.bottom), (box.centre[0], box.y), (box.right, box.bottom)))
    if choice == 1:
        slant = rng.randint(0, box.w // 3)
        return Polygon(
            points=((box.x + slant, box.y), (box.right, box.y), (box.right - slant, box.bottom), (box.x, box.bottom))
        )
    if choice == 2:
        y = box.centre[1]
        return Curve(
            start=(box.x, y),
            segments=(
                ((box.x, box.y), (box.right, box.y), (box.right, y)),
                ((box.right, box.bottom), (box.x, box.bottom), (box.x, y)),
            ),
        )
    return Polygon(points=((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)))


def random_placement(rng: random.Random, *, boxed: bool) -> Placement:
    return Placement(
        box=random_rect(rng) if boxed else None,
        fit=rng.choice(list(Fit)),
        focus=(rng.randint(0, 10) * 100_000, 500_000),
        transform=Transform(dx=rng.randint(-9, 9) * 100, flip_x=rng.random() < 0.2, rotate=rng.randint(-3, 3) * 1_000),
    )


def random_style(rng: random.Random) -> TextStyle:
    return TextStyle(
        size=rng.randint(17, 40) * 100,
        bold=rng.random() < 0.3,
        leading=rng.choice((None, None, 1_150_000)),
        tracking=rng.choice((0, 0, 50_000)),
        writing=rng.choice((Writing.HORIZONTAL, *Writing)),
        combine=rng.choice((2, 2, 0, 4)),
    )


def random_stage(rng: random.Random) -> dict[str, Any]:
    """What a frame shows."""
    angle = rng.choice((None, 0, 90_000, 315_000))
    cast = rng.sample(("li_00mira", "li_00toy0", "li_00else"), rng.randint(0, 3))
    return {
        "description": rng.choice(("", "Mira looks up.", "屋顶上，夜")),
        "scene": rng.choice((None, "li_00room", "li_00roof")),
        "light": rng.choice((None, Light(angle=angle, kind=rng.choice(("night", "lamp"))))),
        "cast": tuple(Presence(who=who, look=rng.choice(("", "coat", "Pyjamas"))) for who in cast),
    }


def random_marks(rng: random.Random) -> tuple[Mark, ...]:
    """A few places in a picture, mostly none."""
    made = []
    for _ in range(rng.choice((0, 0, 1, 2))):
        left, top = rng.randint(0, 800_000), rng.randint(0, 800_000)
        area = (left, top, left + rng.randint(1, 200_000), top + rng.randint(1, 200_000))
        made.append(Mark(kind=rng.choice(list(MarkKind)), area=area, who=rng.choice((None, "li_00mira"))))
    return tuple(made)


def random_object(rng: random.Random, ids: Ids, kind: str, parent: str, *, on_unit: bool) -> Node:
    """One object of a kind, on a parent."""
    name = rng.choice(("", "", "hero", "背景"))
    band = rng.choice((None, None, None, *Band))
    style = random_style(rng)
    same: dict[str, Any] = {"parent": parent, "name": name, "band": band}
    asset = rng.choice(("as_000cat00", "as_000moon0"))
    match kind:
        case "frame":
            bleed = tuple(sorted(rng.sample(list(Edge), rng.randint(0, 2))))
            keep = rng.choice((None, None, *Keep))
            shown = random_stage(rng) if rng.random() < 0.6 else {}
            return Frame(id=ids.new("fr"), shape=random_shape(rng), bleed=bleed, keep=keep, **shown, **same)
        case "image":
            same |= {"marks": random_marks(rng)}
            placement = random_placement(rng, boxed=on_unit or rng.random() < 0.3)
            return Image(id=ids.new("im"), asset=asset, placement=placement, **same)
        case "overlay":
            same |= {"marks": random_marks(rng)}
            return Overlay(id=ids.new("ov"), asset=asset, placement=random_placement(rng, boxed=True), **same)
        case "balloon":
            tails = tuple(
                Tail(tip=(rng.randint(0, WIDTH), rng.randint(0, HEIGHT)), style=rng.choice((None, None, *TailStyle)))
                for _ in range(rng.choice((0, 1, 1, 2)))
            )
            shape = rng.choice(list(BalloonShape))
            facts: dict[str, Any] = {"text": rng.choice(WORDS), "style": style, "tails": tails, "shape": shape, **same}
            if shape is BalloonShape.PATH:
                facts["outline"] = random_shape(rng)
            return Balloon(id=ids.new("bl"), box=random_rect(rng), seed=rng.choice((1, 1, 7)), **facts)
        case "narration":
            return Narration(id=ids.new("na"), box=random_rect(rng), text=rng.choice(WORDS), style=style, **same)
        case "text":
            bent = {"arc": rng.choice((0, 0, 40_000)), "skew": rng.choice((0, 0, -12_000))}
            return Text(id=ids.new("tx"), box=random_rect(rng), text=rng.choice(WORDS), style=style, **bent, **same)
        case "effect":
            box = random_rect(rng) if on_unit or rng.random() < 0.5 else None
            drawn = {
                "effect": rng.choice(list(EffectType)),
                "screen": rng.choice(list(Screen)),
                "density_to": rng.choice((None, 0, 900_000)),
                "ramp": rng.choice((90_000, 0)),
            }
            return Effect(id=ids.new("ef"), box=box, **drawn, **same)
    raise AssertionError(kind)


def random_objects(rng: random.Random, ids: Ids, unit: str, count: int) -> list[Node]:
    """Objects of one unit, their parents among them."""
    objects: list[Node] = []
    for _ in range(count):
        grow(rng, ids, unit, objects)
    return objects


def grow(rng: random.Random, ids: Ids, unit: str, objects: list[Node]) -> Node:
    """One more object, somewhere in the drawing order."""
    frames = [item.id for item in objects if item.kind == "frame"]
    kind = rng.choice(("frame", "frame", "image", "overlay", "balloon", "balloon", "narration", "text", "effect"))
    parent = unit
    if frames and kind not in ("frame", "overlay") and rng.random() < 0.7:
        parent = rng.choice(frames)
    item = random_object(rng, ids, kind, parent, on_unit=parent == unit)
    objects.insert(rng.randint(0, len(objects)), item)
    if isinstance(item, Image) and rng.random() < 0.4:
        objects.append(Foreground(id=ids.new("fg"), parent=item.id, asset=item.asset))
    others = [other.id for other in objects if isinstance(other, Balloon) and other is not item]
    if isinstance(item, Balloon) and others and rng.random() < 0.4:
        item = item.model_copy(update={"joined": rng.choice(others)})
        objects[:] = [item if other.id == item.id else other for other in objects]
    return item


def freed(objects: Sequence[Node]) -> list[Node]:
    """The objects, with no balloon joined to what is not a balloon among them."""
    here = {item.id for item in objects if isinstance(item, Balloon)}
    return [
        item.model_copy(update={"joined": None}) if isinstance(item, Balloon) and item.joined not in here else item
        for item in objects
    ]


def read(rng: random.Random, objects: list[Node]) -> tuple[str, ...]:
    """A reading order of the objects."""
    found = [item.id for item in objects if item.kind in READABLE]
    if rng.random() < 0.5:
        rng.shuffle(found)
    return tuple(found)


def random_unit(rng: random.Random, ids: Ids, count: int | None = None) -> Unit:
    kind = rng.choice((UnitKind.PAGE, UnitKind.PAGE, UnitKind.COVER, UnitKind.TRANSITION, UnitKind.SPREAD))
    surfaces = [Surface(id=ids.new("sf"), x=0, width=WIDTH, height=HEIGHT)]
    gutter = 0
    if kind is UnitKind.SPREAD:
        gutter = rng.choice((0, 4_000, 6_000))
        surfaces.append(Surface(id=ids.new("sf"), x=WIDTH + gutter, width=WIDTH, height=HEIGHT))
    name = ids.new("un")
    objects = random_objects(rng, ids, name, rng.randint(0, 7) if count is None else count)
    return Unit(
        kind=kind, id=name, gutter=gutter, surfaces=tuple(surfaces), objects=tuple(objects), reading=read(rng, objects)
    )


def random_book(rng: random.Random, ids: Ids, *, units: int | None = None) -> Book:
    """A sound chapter of up to four units."""
    chapter = Chapter(
        id=ids.new("ch"),
        comic="Chelsea Goes Up",
        direction=rng.choice(list(Direction)),
        paper=Paper(width=WIDTH, height=HEIGHT),
    )
    count = rng.randint(0, 4) if units is None else units
    return Book.of(chapter, [random_unit(rng, ids) for _ in range(count)])


def family(objects: list[Node], root: str) -> set[str]:
    """An object's id and those of everything that hangs on it."""
    found = {root}
    while more := {item.id for item in objects if item.parent in found} - found:
        found |= more
    return found


def stepped(book: Book, rng: random.Random, ids: Ids, steps: int = 3) -> Book:
    """The book after a few random changes of every sort."""
    for _ in range(steps):
        book = _step(book, rng, ids)
    return book


def _step(book: Book, rng: random.Random, ids: Ids) -> Book:
    choice = rng.choice(
        ("chapter", "add", "remove", "order", "unit", "grow", "prune", "edit", "edit", "shuffle", "move")
    )
    if choice == "chapter":
        title = rng.choice(("", "One", "Two"))
        return book.with_chapter(book.chapter.model_copy(update={"title": title, "number": rng.randint(1, 3)}))
    if choice == "add" or not len(book):
        return book.insert(random_unit(rng, ids), rng.randint(0, len(book)))
    if choice == "order":
        order = list(book.order)
        rng.shuffle(order)
        return book.reorder(tuple(order))
    unit = book.unit(rng.choice(book.order))
    if choice == "remove":
        return book.remove(unit.id)
    if choice == "unit":
        return book.replace(unit.model_copy(update={"background": rng.choice(("#ffffff", "#000000", "#123456"))}))
    objects = list(unit.objects)
    reading = list(unit.reading)
    if choice == "grow":
        before = {item.id for item in objects}
        grow(rng, ids, unit.id, objects)
        for item in objects:
            if item.id not in before and item.kind in READABLE:
                reading.insert(rng.randint(0, len(reading)), item.id)
    elif not objects:
        return book
    elif choice == "shuffle":
        rng.shuffle(objects)
        rng.shuffle(reading)
    elif choice == "edit":
        place = rng.randrange(len(objects))
        objects[place] = changed(objects[place], rng)
        if isinstance(objects[place], Balloon) and rng.random() < 0.3:
            objects = joined(objects, place, rng)
        objects = freed(objects)
    else:
        gone = family(objects, rng.choice(objects).id)
        taken = [item for item in objects if item.id in gone]
        if choice == "move":
            return _moved(book, unit, taken, rng)
        objects = freed([item for item in objects if item.id not in gone])
        reading = [name for name in reading if name not in gone]
    return book.replace(unit.model_copy(update={"objects": tuple(objects), "reading": tuple(reading)}))


def joined(objects: list[Node], place: int, rng: random.Random) -> list[Node]:
    """The objects with one balloon joined to another, or to none, and never in a circle."""
    item = objects[place]
    assert isinstance(item, Balloon)
    links = {other.id: other.joined for other in objects if isinstance(other, Balloon) and other is not item}
    other = rng.choice((None, *links))
    at: str | None = other
    while at is not None and at != item.id:
        at = links.get(at)
    if at is not None:
        other = None
    return [*objects[:place], item.model_copy(update={"joined": other}), *objects[place + 1 :]]


def changed(item: Node, rng: random.Random) -> Node:
    """The object with one of its fields changed, or as another kind under the same id."""
    choice = rng.randrange(4)
    if choice == 0:
        return item.model_copy(update={"name": rng.choice(("a", "b", "c", "d"))})
    if isinstance(item, Balloon | Narration | Text):
        if choice == 1:
            return item.model_copy(update={"text": rng.choice(WORDS)})
        if choice == 2 and not isinstance(item, Narration):
            return Narration(id=item.id, parent=item.parent, box=item.box, text=item.text)
        if choice == 3 and rng.random() < 0.5:
            return item.model_copy(update={"style": random_style(rng)})
        if choice == 3 and isinstance(item, Balloon):
            shape = rng.choice(list(BalloonShape))
            outline = random_shape(rng) if shape is BalloonShape.PATH else None
            return item.model_copy(update={"shape": shape, "outline": outline})
        return item.model_copy(update={"box": random_rect(rng)})
    if isinstance(item, Frame):
        if choice == 1:
            return item.model_copy(update={"border": Stroke(width=rng.randint(0, 3) * 250)})
        if choice == 2:
            name, value = rng.choice(list(random_stage(rng).items()))
            return item.model_copy(update={name: value})
        return item.model_copy(update={"shape": random_shape(rng)})
    if isinstance(item, Image | Overlay):
        if choice == 1:
            return item.model_copy(update={"marks": random_marks(rng)})
        return item.model_copy(update={"opacity": rng.randint(0, 4) * 250_000})
    return item.model_copy(update={"band": rng.choice((None, *Band))})


def _moved(book: Book, unit: Unit, taken: list[Node], rng: random.Random) -> Book:
    """A family of objects moved to another unit, as splitting and joining spreads does."""
    others = [name for name in book.order if name != unit.id]
    if not others or (taken[0].parent != unit.id and not any(item.parent == unit.id for item in taken)):
        return book
    other = book.unit(rng.choice(others))
    gone = {item.id for item in taken}
    moved = [item.model_copy(update={"parent": other.id}) if item.parent == unit.id else item for item in taken]
    here = {
        "objects": tuple(freed([item for item in unit.objects if item.id not in gone])),
        "reading": tuple(name for name in unit.reading if name not in gone),
    }
    there = {
        "objects": (*other.objects, *freed(moved)),
        "reading": (*other.reading, *(name for name in unit.reading if name in gone)),
    }
    return book.replace(unit.model_copy(update=here)).replace(other.model_copy(update=there))


@st.composite
def books(draw: st.DrawFn) -> tuple[Book, random.Random, Ids]:
    """A random sound chapter, with the randomness and the ids to go on from it."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    ids = Ids()
    return random_book(rng, ids), rng, ids
