"""New lines lettered into their spots, by the operations that letter everything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import StyleArgs
from lantern_kit.comic.edit.balloons import BalloonAdd, balloon_add
from lantern_kit.comic.edit.lettering import NarrationAdd, TextAdd, narration_add, text_add
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.tree import swap
from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.model import Balloon, Lettering, Point, Rect, Tail, TextStyle, Unit
from lantern_kit.comic.script.groups import Spot
from lantern_kit.comic.script.model import Line, Voice


def lettered(book: Book, unit: str, parent: str, line: Line, spot: Spot, joined: str, ctx: EditContext) -> Outcome:
    """The book with a new line.

    Args:
        book: before.
        unit: the page it comes to lie on.
        parent: the frame it belongs to, or the page itself.
        line: what is lettered.
        spot: where, and how.
        joined: the balloon it goes on from, or empty.
        ctx: fresh ids.
    """
    sheet = book.unit(unit)
    target = Target(sheet, sheet if parent == unit else sheet.index[parent])
    same: dict[str, Any] = {"text": line.text, "rect": _mm(spot.box), "name": line.label or None}
    match line.voice:
        case Voice.BALLOON:
            balloon = BalloonAdd(
                **same,
                style=_size(spot.style),
                speaker=line.speaker or None,
                shape=line.shape,
                joined=joined or None,
                tail=None if spot.tip is None else _point(spot.tip),
            )
            outcome: Outcome = balloon_add(book, target, balloon, ctx)
        case Voice.CAPTION:
            outcome = narration_add(book, target, NarrationAdd(**same, style=_size(spot.style)), ctx)
        case _:
            outcome = text_add(book, target, TextAdd(**same, style=_bare(spot.style)), ctx)
    return outcome


def moved(book: Book, unit: str, parent: str, item: Lettering, spot: Spot, *, still: bool) -> Book:
    """The book with lettering that was there, as it was but for its place; ``still`` keeps tails that stay as good."""
    update: dict[str, Any] = {"parent": parent, "box": spot.box}
    if isinstance(item, Balloon) and still and item.tails:
        first, *rest = item.tails
        update["tails"] = (first if spot.tip is None else first.model_copy(update={"tip": spot.tip}), *rest)
    elif isinstance(item, Balloon):
        update["tails"] = () if spot.tip is None else (Tail(tip=spot.tip),)
    return book.replace(swap(book.unit(unit), item.model_copy(update=update)))


def balloon_before(lines: Sequence[Line], at: int, names: Mapping[int, str], unit: Unit) -> str:
    """The balloon that a line goes on from: the one before it in its panel; empty for none.

    Args:
        lines: the panel's.
        at: the line's place among them.
        names: ids of new ones, by their places.
        unit: on which they lie.
    """
    for place in range(at - 1, -1, -1):
        if lines[place].voice is Voice.BALLOON:
            name = names.get(place, lines[place].id)
            return name if name in unit.index else ""
    return ""


def _bare(style: TextStyle) -> StyleArgs:
    """The style of lettering on the paper."""
    return StyleArgs(
        font=style.font,
        size=millimetres(style.size),
        smallest=millimetres(style.smallest),
        bold=style.bold or None,
    )


def _size(style: TextStyle) -> StyleArgs | None:
    usual = TextStyle()
    if style.size == usual.size:
        return None
    smallest = None if style.smallest == usual.smallest else millimetres(style.smallest)
    return StyleArgs(size=millimetres(style.size), smallest=smallest)


def _mm(box: Rect) -> tuple[float, float, float, float]:
    return millimetres(box.x), millimetres(box.y), millimetres(box.w), millimetres(box.h)


def _point(at: Point) -> tuple[float, float]:
    return millimetres(at[0]), millimetres(at[1])
