"""All rules, put to units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lantern_kit.comic.checks import balloons, faces, frames, printing, reading, staging, words
from lantern_kit.comic.checks.balance import Hue, View, hues, odd_hues, unlettered, weighed
from lantern_kit.comic.checks.continuity import names
from lantern_kit.comic.checks.focus import focused
from lantern_kit.comic.checks.kept import Entries, Kept, speakers
from lantern_kit.comic.checks.lettering import lettering, sheet_of, torn, uneven
from lantern_kit.comic.checks.marked import Lying, faces_of, focuses_of, lying_on
from lantern_kit.comic.checks.palette import miscoloured, strayed
from lantern_kit.comic.checks.picture import bleeding, coarse, fitting, picture
from lantern_kit.comic.checks.seen import Pictures, PictureShelf, PictureSize, Wrong
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.model import Balloon, Chapter, Edge, Foreground, Frame, Image, Lettering, Overlay, Unit
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.kernel.errors import NotFound

Told = tuple[str, Wrong]
"""What is wrong, after the id of the object."""
Bound = Callable[[Unit], Edge | None]
"""At which edge a unit is bound; None where that is not known, or at none."""


class Checker:
    """Checks units against the pictures of a library.

    Args:
        library: the assets.
        fonts: the fonts that lettering is set in; None is those that come with the kit.
        kept: the entries of the library; None: there is none to hold a work against.
    """

    def __init__(self, library: PictureShelf, *, fonts: Fonts | None = None, kept: Entries | None = None) -> None:
        self._library = library
        self._kept = kept
        self._fonts = fonts or packaged_fonts()

    def check(self, unit: Unit, chapter: Chapter) -> tuple[Finding, ...]:
        """Everything that a good page should not have; see ``check_unit``."""
        return check_unit(unit, chapter, self.picture, fonts=self._fonts, kept=self._kept)

    def study(
        self, units: Iterable[Unit], chapter: Chapter, *, view: View | None = None, bound: Bound | None = None
    ) -> tuple[Finding, ...]:
        """What ``check`` finds on each unit, and what taste decides; see ``study_units``."""
        return study_units(units, chapter, self.picture, fonts=self._fonts, kept=self._kept, view=view, bound=bound)

    def picture(self, asset: str) -> PictureSize | None:
        """What the checks know of a picture; None when it is not there."""
        try:
            return self._library.get(asset)
        except NotFound:
            return None


def check_unit(
    unit: Unit, chapter: Chapter, pictures: Pictures, *, fonts: Fonts | None = None, kept: Entries | None = None
) -> tuple[Finding, ...]:
    """Everything that a good page should not have, in the order of its objects.

    Args:
        unit: what to check.
        chapter: its chapter; its paper and direction count.
        pictures: asset id → a picture's size in pixels, or None when there is none.
        fonts: the fonts that lettering is set in; None is those that come with the kit.
        kept: the entries of the library; None: there is none to hold the unit against.
    """
    fonts = fonts or packaged_fonts()
    paper = chapter.paper
    sheet = sheet_of(unit, paper)
    there = balloons.bodies(unit)
    shared = _grouped(
        [*torn(unit, sheet), *balloons.crowding(there, fonts), *_shown(unit, chapter, pictures, fonts, kept)]
    )
    found: list[Finding] = []
    for item in unit.objects:
        wrongs: list[Wrong] = []
        if isinstance(item, Lettering):
            wrongs += lettering(item, sheet, fonts)
            if isinstance(item, Balloon) and item.tails:
                wrongs += balloons.tails(item, there)
        elif isinstance(item, Image | Overlay | Foreground):
            wrongs += picture(item, unit, paper, pictures)
        elif isinstance(item, Frame):
            wrongs += frames.reach(item, unit, paper, chapter.direction)
            wrongs += bleeding(item, unit, paper, pictures)
        wrongs += printing.thin_lines(item)
        wrongs += shared.get(item.id, ())
        found.extend(wrong.finding(unit.id, item.id) for wrong in wrongs)
    return tuple(found)


def study_units(
    units: Iterable[Unit],
    chapter: Chapter,
    pictures: Pictures,
    *,
    fonts: Fonts | None = None,
    kept: Entries | None = None,
    view: View | None = None,
    bound: Bound | None = None,
) -> tuple[Finding, ...]:
    """What ``check_unit`` finds on each unit, and what taste decides: on each, and between them.

    Args:
        units: what to look at, in the order of reading; neighbours are held against each other.
        chapter: their chapter.
        pictures: asset id → a picture's size in pixels, or None when there is none.
        fonts: the fonts that lettering is set in; None is those that come with the kit.
        kept: the entries of the library; None: there is none to hold the units against.
        view: draws a unit small; without it, balance and palette are not looked at.
        bound: at which edge each is bound.
    """
    fonts = fonts or packaged_fonts()
    every: list[Unit] = []
    found: dict[str, list[Finding]] = {}
    read: list[Hue] = []
    entries = {} if kept is None else kept()
    for unit in units:
        every.append(unit)
        here = found[unit.id] = [*check_unit(unit, chapter, pictures, fonts=fonts, kept=kept)]
        here += (wrong.finding(unit.id, thing) for thing, wrong in _notes(unit, chapter, pictures, fonts))
        there = lying_on(unit, chapter.paper, pictures)
        side = None if bound is None or not there else bound(unit)
        told = [*_tasted(unit, chapter, there, pictures, fonts, entries, side)]
        if view is not None:
            pixels = view(unlettered(unit), chapter)
            here += (wrong.finding(unit.id, unit.id) for wrong in weighed(pixels))
            read += hues(unit, pixels)
            told += (*strayed(unit, pixels, entries, chapter.styles), *miscoloured(unit, pixels, there, entries))
        here += (wrong.finding(unit.id, thing) for thing, wrong in told)
    for hue, wrong in odd_hues(read):
        found[hue.unit].append(wrong.finding(hue.unit, hue.frame))
    for unit_id, thing, wrong in names(every):
        found[unit_id].append(wrong.finding(unit_id, thing))
    for run in staging.runs(every):
        shots = (*staging.lights(run), *staging.looks(run, entries), *staging.absences(run, entries))
        for shot, wrong in shots:
            found[shot.unit].append(wrong.finding(shot.unit, shot.frame.id))
    return tuple(finding for here in found.values() for finding in here)


def _shown(unit: Unit, chapter: Chapter, pictures: Pictures, fonts: Fonts, kept: Entries | None) -> Iterator[Told]:
    """What is wrong with faces, and with whom the library knows; nothing is looked up where a unit says nothing."""
    there = faces_of(lying_on(unit, chapter.paper, pictures))
    if there:
        yield from faces.covered_faces(unit, there, chapter.paper, pictures, fonts)
        yield from faces.folded_faces(unit, there)
    if kept is not None and any(staging.entries_of(item) for item in unit.objects):
        entries = kept()
        yield from staging.unknown(unit.objects, entries)
        if len(there) > 1:
            who = speakers(entries, chapter.comic)
            yield from staging.misled(unit, frames.panels_of(unit), there, who, entries)


def _tasted(
    unit: Unit,
    chapter: Chapter,
    there: Sequence[Lying],
    pictures: Pictures,
    fonts: Fonts,
    entries: Mapping[str, Kept],
    side: Edge | None,
) -> Iterator[Told]:
    """What taste decides of faces, focuses and casts."""
    if there:
        seen, sought = faces_of(there), focuses_of(there)
        yield from faces.covered_focuses(unit, sought, chapter.paper, pictures, fonts)
        yield from faces.cut_faces(unit, seen, chapter.direction)
        yield from faces.cut_focuses(unit, sought, chapter.direction)
        yield from faces.folded_focuses(unit, sought)
        yield from faces.bound_faces(unit, seen, chapter.paper, side)
    if any(isinstance(item, Frame) and item.cast for item in unit.objects):
        yield from staging.uncast(unit, frames.panels_of(unit), speakers(entries, chapter.comic), entries)


def _notes(unit: Unit, chapter: Chapter, pictures: Pictures, fonts: Fonts) -> Iterator[Told]:
    """What is only told to those who ask."""
    paper, direction = chapter.paper, chapter.direction
    panels = frames.panels_of(unit)
    for panel in panels:
        yield from ((panel.frame.id, wrong) for wrong in frames.safe(panel, unit, paper, direction))
    yield from frames.overlaps(panels)
    yield from frames.gutters(panels, unit)
    yield from reading.path(panels, unit, direction)
    yield from reading.balloons(panels, unit, direction)
    there = balloons.bodies(unit)
    yield from balloons.lying_over(there)
    yield from balloons.astray(unit, paper)
    yield from balloons.voices(unit, panels)
    for item in unit.objects:
        if isinstance(item, Image | Overlay):
            yield from ((item.id, wrong) for wrong in fitting(item, unit, paper, pictures))
    yield from focused(unit, paper, pictures, there)
    yield from coarse(unit, paper, pictures)
    yield from printing.tones(unit, paper)
    yield from uneven(unit, fonts)
    yield from words.writing(unit)


def _grouped(told: Sequence[Told]) -> dict[str, list[Wrong]]:
    found: dict[str, list[Wrong]] = {}
    for thing, wrong in told:
        found.setdefault(thing, []).append(wrong)
    return found
