"""Units as people hold them: pages, covers, transitions and spreads at a revision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from lantern_kit.comic.handle import handle_of, parse_handle
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Balloon, Lettering, Node, Unit
from lantern_kit.comic.pages import bound_at
from lantern_kit.comic.quoting import quote
from lantern_kit.comic.reference import Reference
from lantern_kit.comic.service import Moment
from lantern_kit.comic.shelf import called
from lantern_kit.comic.words import object_name
from lantern_kit.comic.work import show
from lantern_kit.comic.work.finding import Findings
from lantern_kit.comic.work.named import revision_named
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.work.comparison import UnitComparison
    from lantern_kit.comic.work.host import Host
    from lantern_kit.comic.work.revision import RevisionWork
    from lantern_kit.comic.work.snapshot import SnapshotWork


class UnitWork:
    """One page, cover, transition or spread at one revision."""

    def __init__(self, host: Host, moment: Moment, unit: str) -> None:
        self._host = host
        self.moment = moment
        self.id = unit

    @property
    def host(self) -> Host:
        """The workspace it belongs to."""
        return self._host

    @property
    def model(self) -> Unit:
        """The unit's content as it is stored, in whole micrometres; ``objects()`` tells places in millimetres."""
        return self.moment.book.unit(self.id)

    @property
    def number(self) -> int:
        """Its place in the chapter, from 1."""
        return self.moment.book.position(self.id) + 1

    @property
    def reference(self) -> str:
        """Its address for agents and notes, ``lantern://comic/ch_…/unit/un_…``: edits do not change it."""
        return str(Reference(self.moment.book.chapter.id, self.id))

    def reference_of(self, thing: str) -> str:
        """The address of one of its objects, by id or handle. Raises NotFound, BadInput."""
        name, _ = parse_handle(thing)
        if name not in self.model.index:
            raise NotFound(f"{name} is nothing on {self.title}", ids=[name, self.id])
        return str(Reference(self.moment.book.chapter.id, self.id, name))

    @property
    def title(self) -> str:
        """What people call it, as in the words of changes: ``Page 4 “The Moon”``."""
        return self.moment.titles[self.id]

    def render(self, *, dpi: int | None = None, long_edge: int | None = None, bleed: bool = False) -> show.RenderedPage:
        """Draw it: at ``dpi``, or so that the long edge has ``long_edge`` pixels (1,024 when neither is given).

        Raises BadInput: both are given, one is no number above 0, or the picture would be too large.
        """
        drawn = self._host.renderer.render(
            self.model, self.moment.book.chapter, bleed=bleed, dpi=dpi, long_edge=long_edge
        )
        return show.RenderedPage(drawn)

    def check(self, *, notes: bool = False) -> Findings:
        """What the checks find here.

        Args:
            notes: what taste decides too: composition, reading order, habits of writing, weight and colours.
        """
        unit, book, checker = self.model, self.moment.book, self._host.checker
        if notes:
            found = checker.study([unit], book.chapter, view=self._host.renderer.view, bound=bound_at(book))
        else:
            found = checker.check(unit, book.chapter)
        names = {item.object: self.named(item.object) or self.title for item in found}
        names |= {item.other: self.named(item.other) for item in found if item.other}
        return Findings.of(self._host, self.moment, found, names)

    def compare(
        self,
        before: UnitWork | SnapshotWork | RevisionWork | str | None = None,
        *,
        dpi: int | None = None,
        long_edge: int | None = None,
        bleed: bool = False,
    ) -> UnitComparison:
        """Compare it as it is drawn with what it was.

        Args:
            before: the unit at another revision; or that revision itself: ``r12``, a saved version, its id ``s3`` or
                its title. None is the revision before this one.
            dpi, long_edge: as of ``render``.
            bleed: the bleed too.

        Raises NotFound; BadInput, also for another unit.
        """
        from lantern_kit.comic.work.comparison import UnitComparison

        moment = self._moment_of(before)
        return UnitComparison(self._host, self.id, moment, self.moment, dpi=dpi, long_edge=long_edge, bleed=bleed)

    def _moment_of(self, before: UnitWork | SnapshotWork | RevisionWork | str | None) -> Moment | None:
        if isinstance(before, UnitWork):
            if before.id != self.id:
                raise BadInput(
                    f"{before.title} is another unit than {self.title}",
                    expected=f"{self.id} at another revision",
                    found=before.id,
                    ids=[self.id, before.id],
                    recovery="A unit is compared with itself as it was: unit.compare(), or unit.compare('r12').",
                )
            return before.moment
        if before is not None:
            chapter = self.moment.book.chapter.id
            return self._host.comics.of_chapter(chapter, revision_named(self._host, chapter, before))
        parent = self.moment.revision.parent
        return None if parent is None else self._host.comics.at(parent)

    def named(self, thing: str) -> str:
        """What people call one of its objects, ``balloon 1``; empty for what is none of them."""
        return object_name(self.model, thing, titles=lambda asset: picture_title(self._host, asset))

    def objects(self) -> Objects:
        """Its objects in the order of drawing: name, handle, place in millimetres, words."""
        from lantern_kit.comic.inventory import measured

        unit = self.model
        return Objects(
            ObjectOnPage(
                self.named(item.object),
                handle_of(unit.index[item.object]),
                "" if item.x is None else f"{item.x:g}, {item.y:g} · {item.w:g} × {item.h:g} mm",
                _said(unit.index[item.object]),
            )
            for item in measured(unit)
        )

    def __repr__(self) -> str:
        unit = self.model
        return f"<{self.title}: {counted(len(unit.objects), 'object')}, {self.moment.id}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        things = show.folded(counted(len(self.model.objects), "object"), self.objects().html())
        return show.bundle(repr(self), show.figure(self.render(), f"{self.title} at {self.moment.id}") + things)


class ObjectOnPage(NamedTuple):
    """One object of a unit, as it is listed."""

    name: str
    """What people call it: ``balloon 1``."""
    handle: str
    """Its id and fingerprint; edits take it, and the id alone."""
    place: str
    """x, y, width and height in millimetres."""
    words: str
    """Who says what, with its marks; empty for what says nothing."""

    @property
    def id(self) -> str:
        """Its id."""
        return self.handle.split("#")[0]


class Objects(Listed[ObjectOnPage]):
    """The objects of a unit, in the order of drawing."""

    heads = ("object", "handle", "place", "words")
    empty = "nothing on it yet"

    def row(self, item: ObjectOnPage) -> tuple[str, ...]:
        """Name, handle, place and words."""
        return tuple(item)


def _said(item: Node) -> str:
    """Who says what."""
    if not isinstance(item, Lettering):
        return ""
    speaker = item.speaker if isinstance(item, Balloon) else ""
    return f"{speaker}: {quote(item.text)}" if speaker else quote(item.text)


class Units(Listed[UnitWork]):
    """Units of one revision, in reading order; they show themselves as a filmstrip."""

    empty = "no units yet"

    def __init__(self, items: Iterable[UnitWork], title: str = "") -> None:
        super().__init__(items)
        self.title = title

    def row(self, item: UnitWork) -> tuple[str, ...]:
        """Title and number of objects."""
        return (item.title, counted(len(item.model.objects), "object"))

    def line(self, item: UnitWork) -> str:
        """A unit on one line."""
        return repr(item)

    def html(self) -> str:
        """The first of the strip, and how to see the rest."""
        shown = self.items[: show.STRIP]
        pages = ((unit.render(long_edge=show.THUMB), unit.title) for unit in shown)
        rest = "" if len(shown) == len(self) else f"{len(shown)} of {len(self)} units; [{show.STRIP}:] shows the next"
        return show.filmstrip(self.title, pages, rest=rest)


def picture_title(host: Host, asset: str) -> str:
    """What people call a picture, or an entry of the library; its id when it is not here."""
    return called(asset, host.assets, host.comics.library)
