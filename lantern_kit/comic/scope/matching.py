"""Which things answer to what a pick says of them: names, speakers, words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lantern_kit.comic.edit.tree import box_of
from lantern_kit.comic.geometry import contains
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import (
    READABLE,
    Balloon,
    Effect,
    Foreground,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Unit,
)
from lantern_kit.comic.scope.nouns import bare, fold
from lantern_kit.comic.scope.phrase import EFFECTS, Noun, Pick

Title = Callable[[str], str]
"""Title of a picture by its asset id; empty when it has none."""
_KINDS: dict[Noun, tuple[str, ...]] = {
    Noun.FRAME: ("frame",),
    Noun.BALLOON: ("balloon",),
    Noun.NARRATION: ("narration",),
    Noun.TEXT: ("text",),
    Noun.PICTURE: ("image", "overlay"),
    Noun.OVERLAY: ("overlay",),
    Noun.FOREGROUND: ("foreground",),
}


@dataclass(frozen=True)
class Found:
    """A unit, or an object on it."""

    unit: Unit
    thing: Node | None = None

    @property
    def key(self) -> str:
        """The id of what was found."""
        return self.unit.id if self.thing is None else self.thing.id


def answers(noun: Noun, item: Node) -> bool:
    """Whether an object is of the kind that a noun names."""
    if noun is Noun.ANY:
        return True
    if isinstance(item, Effect):
        return noun is Noun.EFFECT or (noun in EFFECTS and item.effect.value == noun.value)
    return item.kind in _KINDS.get(noun, ())


def ordered(unit: Unit) -> Iterator[Node]:
    """Objects as people count them: what is read in the order of reading, the rest in that of drawing."""
    index = unit.index
    yield from (index[name] for name in unit.reading)
    yield from (item for item in unit.objects if item.kind not in READABLE)


def lies_in(unit: Unit, item: Node, frame: Frame) -> bool:
    """Whether an object belongs to a frame, or is the paper's and has its middle in the frame."""
    parent = item.parent
    while parent != unit.id:
        if parent == frame.id:
            return True
        parent = unit.index[parent].parent
    box = box_of(item)
    return item.parent == unit.id and item.id != frame.id and box is not None and contains(frame.shape, box.centre)


def named(rows: Sequence[Found], name: str, title: Title) -> list[Found]:
    """Those that a name means: named just so, else named so in part, else said to show it; words need only hold it."""
    wanted, words = fold(name), bare(name)
    same = [row for row in rows if wanted in {fold(text) for text in names_of(row, title)}]
    written = [row for row in rows if isinstance(row.thing, Lettering) and words in bare(plain(row.thing.text))]
    if same or written:
        return _in_order(rows, [*same, *written])
    partly = [row for row in rows if any(wanted in fold(text) for text in names_of(row, title))]
    if partly or not words:
        return partly
    return [row for row in rows if isinstance(row.thing, Frame) and words in bare(row.thing.description)]


def names_of(row: Found, title: Title) -> Iterator[str]:
    """What a thing may be called."""
    item = row.thing
    if item is None:
        yield from filter(None, (row.unit.name,))
        return
    if item.name:
        yield item.name
    if isinstance(item, Image | Overlay):
        yield from filter(None, (title(item.asset),))
    if isinstance(item, Foreground):
        source = row.unit.index[item.parent]
        yield from filter(None, (title(item.asset), title(source.asset), source.name))
    if isinstance(item, Balloon) and item.speaker:
        yield item.speaker
    if isinstance(item, Frame):
        entries = [*([] if item.scene is None else [item.scene]), *(one.who for one in item.cast)]
        yield from filter(None, map(title, entries))


def spoken(rows: Sequence[Found], pick: Pick) -> list[Found]:
    """Those in which somebody says something, or that themselves are what is said."""
    words, wanted = bare(pick.said) if pick.said else "", fold(pick.speaker)
    heard = [
        (row, [fold(_speaker(item)) for item in _lettering(row) if words in bare(plain(item.text))]) for row in rows
    ]
    if not wanted:
        return [row for row, speakers in heard if speakers]
    same = [row for row, speakers in heard if wanted in speakers]
    return same or [row for row, speakers in heard if any(wanted in speaker for speaker in speakers)]


def _lettering(row: Found) -> Iterator[Lettering]:
    """The words that are on or in a thing."""
    if row.thing is None:
        inside: Iterable[Node] = row.unit.objects
    elif isinstance(row.thing, Frame):
        frame = row.thing
        inside = (item for item in row.unit.objects if lies_in(row.unit, item, frame))
    else:
        inside = (row.thing,)
    return (item for item in inside if isinstance(item, Lettering))


def _speaker(item: Lettering) -> str:
    return item.speaker if isinstance(item, Balloon) else ""


def _in_order(rows: Sequence[Found], some: Sequence[Found]) -> list[Found]:
    keys = {row.key for row in some}
    return [row for row in rows if row.key in keys]
