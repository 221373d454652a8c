"""A script written back into a chapter: what it names is brought into step, what it does not name stays as it is."""

from __future__ import annotations

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.units import UnitAdd, unit_add
from lantern_kit.comic.script.faults import fault
from lantern_kit.comic.script.known import check
from lantern_kit.comic.script.manners import unknown_manners
from lantern_kit.comic.script.model import Script, tidy_title
from lantern_kit.comic.script.recognized import recognized
from lantern_kit.comic.script.revising import Revision
from lantern_kit.comic.script.speakers import Speakers
from lantern_kit.comic.script.telling import Deeds, told
from lantern_kit.comic.script.transfer import transferred

MOST_NAMED = 60
"""Panels that are named to whoever wrote the script; of more, only the units are."""

MOST_NEW = 500
"""Units that one script makes."""


def write(book: Book, script: Script, ctx: EditContext) -> Outcome:
    """The book in step with a script.

    Units that it names are taken whole; others stay. What has an id keeps all that a script does not say: places,
    looks, pictures. What has none is new: pages are laid out by the number of their panels and what is said in them,
    balloons sized and placed in the order of reading. What has none and says what is there already is taken for that:
    a script that says what is there, with ids or without, changes nothing.

    Args:
        book: before.
        script: some or all of it.
        ctx: fresh ids, pictures and the library.

    Returns:
        ``made`` holds new units under their place in the script (``2``) and new panels under that and their own
        (``2.3``).

    Raises:
        BadInput: with the line of the script that cannot be done, and what would be right there.
    """
    script, taken = recognized(book, script)
    homes, speakers = check(book, script), Speakers(book, ctx)
    manners = unknown_manners(book, script, homes)
    new = [sheet for sheet in script.sheets if not sheet.id]
    if len(new) > MOST_NEW:
        raise fault(new[MOST_NEW].at, f"this script makes {len(new)} units", f"{MOST_NEW} at most, the rest in another")
    if script.title and script.title != tidy_title(book.chapter.title):
        book = book.with_chapter(book.chapter.model_copy(update={"title": script.title}))
    book = _in_order(book, [sheet.id for sheet in script.sheets if sheet.id])
    book, units = _with_new(book, script, ctx)
    book, touched, notes = transferred(book, script, units, homes)
    every: list[Deeds] = []
    made = {str(number): units[number - 1] for number, sheet in enumerate(script.sheets, 1) if not sheet.id}
    panels: dict[str, str] = {}
    for number, (unit, sheet) in enumerate(zip(units, script.sheets, strict=True), 1):
        revision = Revision(book, unit, sheet, ctx, speakers, relay=unit in touched)
        revision.run()
        book = revision.book
        revision.deeds.new = not sheet.id
        every.append(revision.deeds)
        panels |= {f"{number}.{place}": name for place, name in revision.made.items()}
    return Outcome(
        book, made | (panels if len(panels) <= MOST_NAMED else {}), (*told(every), *notes, *taken.told(), *manners)
    )


def _in_order(book: Book, named: list[str]) -> Book:
    """The units that a script names in its order, in the places that they have among the others."""
    places = sorted(map(book.position, named))
    order = list(book.order)
    for place, name in zip(places, named, strict=True):
        order[place] = name
    return book if tuple(order) == book.order else book.reorder(tuple(order))


def _with_new(book: Book, script: Script, ctx: EditContext) -> tuple[Book, list[str]]:
    """The book with the script's new units, each after the one before it there; and the unit of each sheet."""
    units: list[str] = []
    first = next((sheet.id for sheet in script.sheets if sheet.id), None)
    for sheet in script.sheets:
        if sheet.id:
            units.append(sheet.id)
            continue
        where = {"after": units[-1]} if units else {"before": first}
        added = unit_add(book, Target(None, book.chapter), UnitAdd(kind=sheet.kind, name=sheet.name, **where), ctx)
        book = added.book
        units.append(added.made[""])
    return book, units
