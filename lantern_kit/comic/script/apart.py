"""New lettering of a script that was merged, off what others lettered meanwhile in the same places."""

from __future__ import annotations

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.model import Lettering
from lantern_kit.comic.script.groups import groups_of, meet
from lantern_kit.comic.script.lettering import moved
from lantern_kit.comic.script.of_book import sheet_of
from lantern_kit.comic.script.spots import spots


def apart(then: Book, now: Book, merged: Book, ctx: EditContext) -> Book:
    """The merged book, in it new lettering of the script where it lies on nothing that is new or elsewhere by now.

    Args:
        then: what the script was read from.
        now: the chapter before it was merged.
        merged: with the script.
        ctx: pictures and the library.
    """
    for name in merged.order:
        if name not in then or name not in now or merged.unit(name) == now.unit(name):
            continue
        unit = merged.unit(name)
        was, here = then.unit(name).index, now.unit(name).index
        lettering = [item for item in unit.objects if isinstance(item, Lettering)]
        others = [item for item in lettering if item.id in here and was.get(item.id) != item]
        new = [item for item in lettering if item.id not in here and item.id not in was]
        struck = {item.id for item in new if any(meet(item.box, other.box) for other in others)}
        if not struck:
            continue
        sheet = sheet_of(unit)
        groups = groups_of(unit, sheet, [panel.id for panel in sheet.frames])
        found, _ = spots(merged, unit, groups, struck, ctx)
        lines = [line.id for line in sheet.lines]
        for number, spot in found.items():
            item = merged.unit(name).index[lines[number]]
            if isinstance(item, Lettering):
                merged = moved(merged, name, item.parent, item, spot, still=False)
    return merged
