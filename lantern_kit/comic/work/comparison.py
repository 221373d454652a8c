"""A unit compared with what it was, as people hold it: what is to be seen of the change, and how far each object is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.measure import counted
from lantern_kit.comic.words import object_names
from lantern_kit.comic.work import show
from lantern_kit.comic.work.unit import picture_title
from lantern_kit.kernel.errors import NotFound
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.render.compare import Comparison, Distance, Region
    from lantern_kit.comic.render.distance import ObjectDistance
    from lantern_kit.comic.service import Moment
    from lantern_kit.comic.work.host import Host

LEGEND = "orange: gone · blue: new · yellow: altered"
_UNSEEN = {
    "alike": "not seen: it is drawn alike",
    "hidden": "not seen: it lies under {others}",
    "outside": "not seen: it lies beside the page",
}


class Distances(Listed["ObjectDistance"]):
    """Objects that changed, or that look different, with how far they are from what they were."""

    heads = ("object", "what", "moved", "difference", "area that differs", "regions")
    empty = "no object changed"

    def __init__(self, found: Comparison, names: dict[str, str]) -> None:
        super().__init__(found.objects)
        self._names = names
        self._regions = {
            item.id: [str(region.number) for region in found.regions if item.id in region.objects]
            for item in found.objects
        }

    def row(self, item: ObjectDistance) -> tuple[str, ...]:
        """Name, what became of it, by how much it moved, how different it looks, and in which regions."""
        what = ", ".join(part for part in (_change(item), self._why(item)) if part)
        difference, share = f"{item.difference:.1f}", percent(item.share)
        return (self.named(item.id), what, _moved(item), difference, share, ", ".join(self._regions[item.id]))

    def named(self, thing: str) -> str:
        """What people call an object."""
        return self._names.get(thing) or thing

    def _why(self, item: ObjectDistance) -> str:
        others = ", ".join(map(self.named, item.covered_by)) or "others"
        if item.unseen is not None:
            return _UNSEEN[item.unseen.value].format(others=others)
        said = (
            ("now covered by {}", item.covered_by),
            ("no longer covered by {}", item.bared_by),
            ("mixed with {}", item.mixed_with),
        )
        if item.covered_by == item.bared_by and item.covered_by:
            return f"otherwise covered by {others}"
        return ", ".join(words.format(", ".join(map(self.named, things))) for words, things in said if things)


class Regions(Listed["Region"]):
    """Parts of the page that look different, numbered as in the pictures."""

    heads = ("region", "place", "size", "difference", "share of the page", "objects")
    empty = "no region differs"
    key = "number"

    def __init__(self, found: Comparison, names: dict[str, str]) -> None:
        super().__init__(found.regions)
        self._names = names

    def row(self, item: Region) -> tuple[str, ...]:
        """Number, where it lies and how large it is in millimetres, how different it looks, and whose look changed."""
        x, y, w, h = item.mm
        things = ", ".join(self._names.get(thing) or thing for thing in item.objects)
        size = f"{w:.1f} × {h:.1f} mm"
        return (str(item.number), f"{x:.1f}, {y:.1f}", size, f"{item.difference:.1f}", percent(item.share), things)


class UnitComparison:
    """A unit before and after, compared as it is drawn; it shows the difference, both sides and a table of objects."""

    def __init__(self, host: Host, unit: str, before: Moment | None, after: Moment | None, **options: Any) -> None:
        self._before = before if before is not None and unit in before.book else None
        self._after = after if after is not None and unit in after.book else None
        sides = [(None, None) if side is None else (side.book.unit(unit), side.book.chapter) for side in self._sides]
        (old, old_chapter), (new, new_chapter) = sides
        chapter = new_chapter or old_chapter
        if chapter is None:
            raise NotFound(f"{unit[:40]} is in neither of the two", ids=[unit[:40]])
        self.unit = unit
        self.found: Comparison = host.renderer.compare(
            old, new, old_chapter or chapter, new_chapter or chapter, **options
        )
        self._names: dict[str, str] = {}
        for side in (old, new):
            if side is not None:
                self._names |= object_names(side, titles=lambda asset: picture_title(host, asset))

    # what it found

    @property
    def regions(self) -> Regions:
        """Where something changed, in the order of reading."""
        return Regions(self.found, self._names)

    @property
    def distance(self) -> Distance:
        """Of the page as a whole."""
        return self.found.distance

    @property
    def objects(self) -> Distances:
        """How far each object is from what it was."""
        return Distances(self.found, self._names)

    @property
    def title(self) -> str:
        """The unit, and the revisions that were compared."""
        moment = self._after or self._before
        title = self.unit if moment is None else moment.titles[self.unit]
        return f"{title}: {' → '.join('not there' if side is None else side.id for side in self._sides)}"

    @property
    def words(self) -> str:
        """``3 regions, 4.1% of the page``."""
        if self.found.alike:
            unseen = any(item.unseen for item in self.found.objects)
            return "drawn alike; what changed is not seen" if unseen else "drawn alike"
        count = len(self.found.regions) + self.found.rest.regions
        return f"{counted(count, 'region')}, {percent(self.distance.changed)} of the page"

    # pictures

    def picture(self) -> show.DrawnPicture:
        """The page after, faded, with what changed in colour and its regions numbered; it shows itself."""
        return show.DrawnPicture(self.found.picture(), f"{self.title} · {LEGEND}")

    def beside(self, *numbers: int, edge: int = 1_024) -> show.DrawnPicture:
        """Regions before and after beside each other: those with these numbers, or the strongest; it shows itself.

        Raises NotFound; BadInput where there is none, because both are drawn alike.
        """
        caption = f"{self.title} · before (left) and after (right), by region"
        if not numbers:
            return show.DrawnPicture(self.found.beside(edge=edge), caption)
        known = {region.number: region for region in self.regions}
        gone = [number for number in numbers if number not in known]
        if gone:
            raise NotFound(
                "there is no such region",
                expected=sorted(known),
                found=gone,
                recovery="Name regions of this comparison.",
            )
        return show.DrawnPicture(self.found.beside([known[number] for number in numbers], edge=edge), caption)

    def save(self, path: str | Path) -> Path:
        """Write the picture of the difference, its regions numbered, as ``picture().save`` does. Raises BadInput."""
        return self.picture().save(path)

    # showing

    def __repr__(self) -> str:
        return f"<Comparison of {self.title}: {self.words}>"

    def text(self) -> str:
        """All of it in plain text."""
        return "\n".join([f"{self.title}: {self.words}", *([repr(self.objects)] if self.objects else [])])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(self.text(), self.html())

    def html(self) -> str:
        """The difference, the strongest regions before and after, and the objects with their distances."""
        parts: list[str] = [show.heading(self.title), show.paragraph(self.words)]
        if not self.found.alike:
            figures = [
                show.figure(found.shown(words), words, width=560)
                for found, words in (
                    (self.picture(), f"what changed · {LEGEND}"),
                    (self.beside(edge=900), "before (left) and after (right), by region"),
                )
            ]
            parts.append(show.side_by_side(figures))
        if self.found.rest.regions:
            more = counted(self.found.rest.regions, "slighter region")
            parts.append(show.small(f"and {more}, {percent(self.found.rest.share)} of the page"))
        if self.found.missing:
            parts.append(show.warning(f"pictures that are not there: {', '.join(self.found.missing)}"))
        if self.objects:
            parts.append(self.objects.html())
            parts.append(show.small("difference: mean ΔE OK × 100 where the object is seen; 2 is just noticed"))
        return "".join(parts)

    @property
    def _sides(self) -> tuple[Moment | None, Moment | None]:
        return self._before, self._after


def percent(share: float) -> str:
    """A share as people say it: never nothing for what is there."""
    return "under 0.1%" if 0 < share < 0.001 else f"{share:.1%}"


def _change(item: ObjectDistance) -> str:
    properties = f" ({', '.join(item.properties)})" if item.properties else ""
    return f"{item.change}{properties}" if item.change else "looks different"


def _moved(item: ObjectDistance) -> str:
    """By how much, in words."""
    move = item.shift
    if move is None:
        return ""
    said = []
    if move.right or move.down:
        said.append(f"{_signed(move.right)}, {_signed(move.down)} mm")
    if (move.wider, move.taller) != (1, 1):
        said.append(f"× {move.wider:g}" if move.wider == move.taller else f"× {move.wider:g}, {move.taller:g}")
    if move.turned:
        said.append(f"{_signed(move.turned)}°")
    return "; ".join(said)


def _signed(value: float) -> str:
    return f"{value:+g}" if value else "0"
