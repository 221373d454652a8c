"""The library as people hold it: entries that show their reference pictures, and where they are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.layout.template import Template, sketch
from lantern_kit.comic.layout.tracing import traced
from lantern_kit.comic.measure import counted
from lantern_kit.comic.shelf import template_of
from lantern_kit.comic.uses import Use, uses_of
from lantern_kit.comic.work import show
from lantern_kit.comic.work.asset import SHEET, SMALL, figure_of
from lantern_kit.comic.work.unit import UnitWork
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.library import Entry, Kind, Library, Version
from lantern_kit.listed import PICTURE, Listed

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host
    from lantern_kit.kernel.actor import Actor
    from lantern_kit.kernel.engine import Connection


class Versions(Listed[Version]):
    """The versions of an entry, oldest first."""

    heads = ("version", "by", "when", "how", "what changed", "why")
    key = "number"

    def row(self, item: Version) -> tuple[str, ...]:
        """Number, author, time, and the fields that differ from the version before."""
        place = self.items.index(item)
        before = self.items[place - 1] if place else None
        changed = "" if before is None else ", ".join(before.content.changed(item.content))
        return (str(item.number), item.actor, to_the_minute(item.at), item.cause.value, changed, item.message)


@dataclass(frozen=True)
class UsedAt:
    """One use, with what people call its place."""

    use: Use
    entry: str
    """Its name; its id where there is none."""
    kind: str
    chapter: str
    """Comic and number."""
    page: str


class Uses(Listed[UsedAt]):
    """Where entries are used, in the order of the chapters."""

    heads = ("entry", "kind", "how", "chapter", "page", "object", "")
    empty = "used nowhere"

    def row(self, item: UsedAt) -> tuple[str, ...]:
        """Name, kind, way, and place."""
        use = item.use
        return (item.entry, item.kind, use.how.value, item.chapter, item.page, use.object, use.detail)


@dataclass(frozen=True, repr=False)
class EntryWork(Entry):
    """An entry that shows itself; what changes it gives the new one."""

    library: LibraryWork = field(kw_only=True, repr=False, compare=False)

    # reading

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names."""
        return self.content.aliases

    @property
    def notes(self) -> str:
        """Markdown."""
        return self.content.notes

    @property
    def palette(self) -> tuple[str, ...]:
        """Colours, ``#rrggbb``."""
        return self.content.palette

    @property
    def template(self) -> Template:
        """Of a layout: its page template. Raises BadInput for other kinds."""
        return template_of(self)

    @property
    def versions(self) -> Versions:
        """All its versions, oldest first."""
        return Versions(Library.versions(self.library, self.id))

    def uses(self) -> Uses:
        """Where the working lines of all chapters use it."""
        return self.library.uses(entry=self.id)

    # changing

    def update(self, *, message: str = "", by: Actor | None = None, **facts: Any) -> EntryWork:
        """A new version in which the fields that are given hold something else; this one saw ``number``.

        Raises StaleEntry when it has a newer version; BadInput, NotFound, WrongState.
        """
        made: EntryWork = self.library.update(self.id, self.number, message=message, actor=by, **facts)
        return made

    def add_sheet(self, asset: AssetVersion | str, *, role: str = "", note: str = "", message: str = "") -> EntryWork:
        """One more reference picture: a picture that was only placed, or registered, belongs to the entry then."""
        sheets = [sheet.model_dump() for sheet in self.content.sheets]
        return self.update(sheets=[*sheets, {"asset": _id(asset), "role": role, "note": note}], message=message)

    def restore(self, number: int, *, message: str = "", by: Actor | None = None) -> EntryWork:
        """An earlier version as a new one, which also brings back what was put away."""
        made: EntryWork = self.library.restore(self.id, number, self.number, message=message, actor=by)
        return made

    def archive(self, *, confirm: str, message: str = "", by: Actor | None = None) -> EntryWork:
        """Put it away: it is no longer listed, nor meant by its name; ``confirm`` is its exact name.

        Raises BadInput, NotAllowed, WrongState.
        """
        made: EntryWork = self.library.archive(self.id, confirm=confirm, message=message, actor=by)
        return made

    # showing

    def told(self) -> list[tuple[str, str]]:
        """Its facts by name."""
        held, newest = self.content, self.version
        looks = "; ".join(f"{look.name}: {look.notes}" if look.notes else look.name for look in held.looks)
        return [
            ("entry", f"{self.id} · {self.kind.value}" + (" · put away" if self.archived else "")),
            ("also", ", ".join(held.aliases)),
            ("comic", held.comic),
            ("looks", looks),
            ("palette", " ".join(held.palette)),
            ("layout", "" if held.layout is None else sketch(self.template)),
            ("version", f"{newest.number} by {newest.actor} at {to_the_minute(newest.at)}"),
            ("why", newest.message),
        ]

    def text(self) -> str:
        """All of it in plain text."""
        lines = [self.name, *(f"{name}: {value}" for name, value in self.told() if value)]
        lines += [f"sheet {asset}  {shown}".rstrip() for asset, shown in self.content.captions.items()]
        return "\n".join([*lines, *([self.notes] if self.notes else [])])

    def picture(self, *, edge: int = show.LARGEST) -> show.DrawnPicture | None:
        """Its reference pictures, colours or layout on one picture, ``edge`` pixels wide; None where there are none."""
        from lantern_kit.comic.entry_sheet import entry_sheet

        drawn = entry_sheet(self, self.library.assets, edge=edge)
        looks = ", ".join(look.name for look in self.content.looks)
        return None if drawn is None else show.DrawnPicture(drawn, f"{self.name}: {looks}" if looks else self.name)

    def figures(self, edge: int = SMALL) -> list[show.Markup]:
        """Its reference pictures, or its layout drawn, each with a line under it."""
        if self.content.layout is not None:
            drawn = self.picture(edge=edge)
            words = sketch(self.template)
            return [] if drawn is None else [show.figure(drawn.shown(words), words, width=edge)]
        assets = self.library.assets
        found = []
        for asset, caption in self.content.captions.items():
            try:
                found.append(figure_of(assets, assets.get(asset), f"{self.name} {caption}".rstrip(), edge=edge))
            except NotFound as error:
                found.append(show.Markup(show.warning(error.message)))
        return found

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        swatches = show.Markup("".join(map(_swatch, self.palette)))
        html = show.heading(self.name) + show.facts(self.told()) + swatches + show.paragraph(self.notes)
        return show.bundle(self.text(), html + show.side_by_side(self.figures()[:SHEET]))


class Entries(Listed[EntryWork]):
    """Entries of the library."""

    heads = ("entry", "kind", "name", "also", "sheets", "looks", "version")
    empty = "nothing in the library"

    def __getitem__(self, place: Any) -> Any:
        """An entry by its place, id or name, or a part of the list. Raises NotFound, IndexError."""
        if isinstance(place, str):
            named = [item for item in self.items if item.name == place]
            if len(named) == 1:
                return named[0]
        return super().__getitem__(place)

    def row(self, item: EntryWork) -> tuple[str, ...]:
        """Id, kind, names, and how much is kept."""
        held = item.content
        counts = (str(len(held.assets) or ""), ", ".join(look.name for look in held.looks), str(item.number))
        return (item.id, item.kind.value, item.name, ", ".join(held.aliases), *counts)

    def picture(self, item: EntryWork) -> str:
        """Its first reference picture, or its layout."""
        found = item.figures(PICTURE)[:1]
        return found[0] if found else ""


class LibraryWork(Library):
    """The library of a workspace, as people hold it: it gives entries that show themselves, and shows them all.

    Args:
        host: the workspace; uses are looked up in its chapters.
        facts: what ``Library`` takes.
    """

    def __init__(self, *facts: Any, host: Host, **more: Any) -> None:
        super().__init__(*facts, **more)
        self._host = host

    def facts(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Facts in which sheets may be pictures as people hold them, and a layout a page whose frames are taken."""
        made = dict(given)
        if isinstance(made.get("sheets"), Iterable) and not isinstance(made["sheets"], str):
            made["sheets"] = [item.id if isinstance(item, AssetVersion) else item for item in made["sheets"]]
        layout = made.get("layout")
        if isinstance(layout, UnitWork):
            chapter, title = layout.moment.book.chapter, str(made.get("name") or layout.title)
            layout = traced(layout.model, chapter.paper, chapter.direction, title=title)
        if isinstance(layout, Template):
            made["layout"] = layout.model_dump(mode="json")
        return made

    def comics(self, connection: Connection) -> set[str]:
        """The titles of the works there are, as their chapters say them now."""
        comics = self._host.comics
        rows = connection.exec_driver_sql("SELECT id FROM chapters").fetchall()
        return {comics.head(chapter, connection).book.chapter.comic for (chapter,) in rows}

    def record(self, entry: Entry) -> EntryWork:
        """An entry as people hold it."""
        return EntryWork(entry.id, entry.kind, entry.version, library=self)

    # reading

    @property
    def characters(self) -> Entries:
        """All characters."""
        return self.find(kind=Kind.CHARACTER)

    @property
    def scenes(self) -> Entries:
        """All scenes."""
        return self.find(kind=Kind.SCENE)

    @property
    def props(self) -> Entries:
        """All props."""
        return self.find(kind=Kind.PROP)

    @property
    def styles(self) -> Entries:
        """All styles."""
        return self.find(kind=Kind.STYLE)

    @property
    def layouts(self) -> Entries:
        """All kept layouts."""
        return self.find(kind=Kind.LAYOUT)

    def find(
        self, words: str = "", *, kind: Kind | str | None = None, comic: str | None = None, archived: bool = False
    ) -> Entries:
        """Entries in whose names, notes or looks each of the words is, the best first, else the newest.

        Args:
            words: parted by blanks; none finds all.
            kind: only of this kind.
            comic: only of this comic, or of the whole workspace.
            archived: those that were put away instead of the others.
        """
        return Entries(super().find(words, kind=kind, comic=comic, archived=archived))

    def __getitem__(self, name: str) -> EntryWork:
        """The one entry that an id, a name or another name means. Raises NotFound; BadInput for several."""
        found: EntryWork = self.resolve(name)
        return found

    def __iter__(self) -> Any:
        return iter(self.find())

    def __len__(self) -> int:
        return len(self.find())

    def _ipython_key_completions_(self) -> list[str]:
        return [item.name for item in self.find()]

    def uses(self, *, chapter: str = "", entry: str = "") -> Uses:
        """What chapters use, as their working lines stand.

        Args:
            chapter: only this one, by id.
            entry: only this entry, by id.
        """
        known = self.entries()
        comics = self._host.comics
        records = [comics.find_chapter(chapter)] if chapter else comics.chapters()
        found = []
        for record in records:
            moment = comics.head(record.id)
            for use in uses_of(moment.book, known):
                if entry in {"", use.entry}:
                    held = known.get(use.entry)
                    name, kind = (use.entry, "") if held is None else (held.name, held.kind.value)
                    page = moment.titles[use.unit] if use.unit else ""
                    found.append(UsedAt(use, name, kind, f"{record.comic} {record.number}", page))
        return Uses(found)

    # keeping

    def promote(
        self, asset: AssetVersion | str, kind: Kind | str, name: str = "", *, role: str = "", **facts: Any
    ) -> EntryWork:
        """Keep a new entry whose first reference picture is one that was only registered, or placed on a page.

        Args:
            asset: the picture, or its id.
            kind: what it shows.
            name: what that is called; empty: as the picture.
            role: what the picture shows of it: front, turnaround, expression.
            facts: what else ``keep`` takes.
        """
        held = self.assets.get(_id(asset))
        sheets = [{"asset": held.id, "role": role}, *facts.pop("sheets", ())]
        made: EntryWork = self.keep(kind, name or held.title, sheets=sheets, **facts)
        return made

    # showing

    def __repr__(self) -> str:
        parts = [f"{heading}\n{items!r}" for heading, items in self._by_kind()]
        return "\n\n".join(parts) or Entries.empty

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        parts = [show.heading(heading) + items.html() for heading, items in self._by_kind()]
        return show.bundle(repr(self), "".join(parts) or show.small(Entries.empty))

    def _by_kind(self) -> list[tuple[str, Entries]]:
        """All entries under a heading for each kind."""
        found = self.find()
        kinds = ((kind, Entries(item for item in found if item.kind is kind)) for kind in Kind)
        return [(counted(len(items), kind.value), items) for kind, items in kinds if items]


def _swatch(colour: str) -> str:
    style = f"display:inline-block;width:24px;height:24px;background:{colour};border:1px solid #8884;margin:2px"
    return f'<span title="{colour}" style="{style}"></span>'


def _id(asset: AssetVersion | str) -> str:
    """The id of a picture. Raises BadInput for what is none."""
    found = asset if isinstance(asset, str) else getattr(asset, "id", None)
    if isinstance(found, str):
        return found
    raise BadInput(
        "that is no registered picture",
        expected="a registered picture, or its id, as_…",
        found=type(asset).__name__,
        recovery="Register it first: ws.assets.register(file or bytes, title=…) gives the picture.",
    )
