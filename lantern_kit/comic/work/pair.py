"""A unit before and after, beside each other, and what changed on it in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.diff import diff
from lantern_kit.comic.words import UnitWords, describe
from lantern_kit.comic.work import show
from lantern_kit.comic.work.unit import UnitWork, picture_title
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.service import Moment
    from lantern_kit.comic.work.host import Host

DRAWN = 6
"""Units of one comparison that are drawn; the others are told in words."""
_EDGE = 560
_SIDES = (("before", "not there yet"), ("after", "removed"))

Sides = Sequence[tuple[str, UnitWork]]
"""``before`` and ``after``, where the unit is there."""


class Changes(Listed[UnitWords]):
    """What changed in words, a unit each."""

    heads = ("page", "what changed")
    empty = "nothing changed"
    key = "unit"

    def row(self, item: UnitWords) -> tuple[str, ...]:
        """Title and sentences."""
        return (item.title, show.Markup("<br>".join(map(escape, item.sentences))))

    def line(self, item: UnitWords) -> str:
        """A unit and its sentences, one below the other."""
        return "\n".join([item.title, *(f"  · {sentence}" for sentence in item.sentences)])

    @property
    def sentences(self) -> list[str]:
        """All of it, each sentence with its page."""
        return [f"{item.title}: {sentence}" for item in self.items for sentence in item.sentences]


def changes_between(host: Host, before: Moment | None, after: Moment) -> Changes:
    """What leads from one moment of a chapter to another; nothing where there was none before."""
    if before is None:
        return Changes(())
    rows = diff(before.book, after.book)
    return Changes(describe(rows, before.book, after.book, titles=lambda asset: picture_title(host, asset)))


def sides_of(host: Host, before: Moment | None, after: Moment, unit: str) -> list[tuple[str, UnitWork]]:
    """A unit ``before`` and ``after``, where it is there."""
    moments = (("before", before), ("after", after))
    return [
        (label, UnitWork(host, moment, unit)) for label, moment in moments if moment is not None and unit in moment.book
    ]


def pair(sides: Sides) -> str:
    """Both sides drawn beside each other."""
    there: dict[str, Any] = dict(sides)
    shown = []
    for label, absent in _SIDES:
        if label in there:
            work = there[label]
            caption = f"{work.title} · {label} ({work.moment.id})"
            shown.append(show.figure(work.render(long_edge=_EDGE), caption))
        else:
            shown.append(show.Markup(f'<p style="opacity:.7;margin:0 12px">{absent}</p>'))
    return show.side_by_side(shown)


def told(units: Iterable[tuple[str, Sides]], words: Iterable[UnitWords], *, rest: str) -> str:
    """Units before and after with what changed on each; of many the first are drawn.

    Args:
        units: ids with their sides.
        words: what changed, a unit each; those about the chapter itself come first.
        rest: how to see one that is not drawn.
    """
    listed = list(units)
    names = {unit for unit, _ in listed}
    said = {item.unit: item for item in words}
    parts: list[str] = []
    for name, item in said.items():
        if name not in names:
            parts += [show.paragraph(item.title), show.bullets(item.sentences)]
    for place, (unit, sides) in enumerate(listed):
        if place < DRAWN:
            parts.append(pair(sides))
        elif unit in said:
            parts.append(show.paragraph(said[unit].title))
        if unit in said:
            parts.append(show.bullets(said[unit].sentences))
    if len(listed) > DRAWN:
        parts.append(show.small(f"{DRAWN} of {len(listed)} pages are drawn; {rest}"))
    return "".join(parts)
