"""The library as a comic's edits see it: entries by name, and page layouts, the kit's own and those that were kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from lantern_kit.assets import AssetLibrary
from lantern_kit.comic.edit.shelf import EntryFacts, Shelf
from lantern_kit.comic.layout.template import Template, built_in, template_named
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.problems import refused
from lantern_kit.library import Content, Entry, Kind, Library
from lantern_kit.library.entry import folded

if TYPE_CHECKING:
    from lantern_kit.comic.checks.kept import Entries, Kept

ENTRY, LAYOUT = "entry", "layout"
REFLOW = "reflow"
"""What a layout is not called, since it means another way to lay pages out."""


@dataclass(frozen=True)
class LibraryShelf:
    """What edits may ask of a workspace's library.

    Args:
        library: the workspace's.
        comic: names mean entries of this comic, or of the whole workspace.
    """

    library: Library
    comic: str

    def entry(self, name: str) -> EntryFacts:
        """An entry by id, name or other name. Raises NotFound; BadInput with the candidates when several answer."""
        found: Entry = self.library.resolve(name, comic=self.comic)
        looks = tuple(look.name for look in found.content.looks)
        return EntryFacts(found.id, found.kind.value, found.name, looks)

    def layout(self, name: str) -> Template:
        """A page template by name: one that comes with the kit, or a kept one, also by id. Raises NotFound."""
        if name in built_in():
            return template_named(name)
        kept = self.library.find(kind=Kind.LAYOUT, comic=self.comic)
        try:
            return template_of(self.library.resolve(name, kind=Kind.LAYOUT, comic=self.comic))
        except NotFound as error:
            names = [*built_in(), *(item.name for item in kept)]
            raise NotFound(
                f"there is no layout template {name[:40]}", expected=names, recovery=error.recovery
            ) from None


@dataclass
class KeptAnswers:
    """A shelf that answers as it answered an earlier run, so that the same operations do the same again.

    Args:
        source: what is asked for the rest.
        kept: the answers of that run, by what was asked and by name.
    """

    source: Shelf
    kept: Mapping[str, Mapping[str, Any]] | None = None
    given: dict[str, dict[str, Any]] = field(default_factory=dict)
    """All answers, those of the kit's own layouts left out."""

    def entry(self, name: str) -> EntryFacts:
        """As the source. Raises NotFound, BadInput."""
        known = (self.kept or {}).get(ENTRY, {}).get(name)
        found = self.source.entry(name) if known is None else EntryFacts(**{**known, "looks": tuple(known["looks"])})
        self.given.setdefault(ENTRY, {})[name] = asdict(found)
        return found

    def layout(self, name: str) -> Template:
        """As the source. Raises NotFound, BadInput."""
        if name in built_in():
            return self.source.layout(name)
        known = (self.kept or {}).get(LAYOUT, {}).get(name)
        found = self.source.layout(name) if known is None else Template.model_validate_json(dumps(known))
        self.given.setdefault(LAYOUT, {})[name] = found.model_dump(mode="json")
        return found


def called(name: str, assets: AssetLibrary, library: Library) -> str:
    """What people call a picture or an entry of the library, by its id; the id itself where it is nothing here."""
    if name.startswith("li_"):
        entry = library.entries().get(name)
        return name if entry is None else entry.name
    try:
        return assets.get(name).title
    except NotFound:
        return name


def entries_for_checks(library: Library) -> Entries:
    """The library as the checks see it; made anew only when something in it changed."""
    seen: tuple[Mapping[str, Entry], Mapping[str, Kept]] = {}, {}

    def entries() -> Mapping[str, Kept]:
        nonlocal seen
        found = library.entries()
        if found is not seen[0]:
            seen = found, {name: _kept(entry) for name, entry in found.items()}
        return seen[1]

    return entries


def _kept(entry: Entry) -> Kept:
    from lantern_kit.comic.checks.kept import Kept

    held = entry.content
    looks = tuple(look.name for look in held.looks)
    return Kept(entry.id, entry.kind.value, held.names, held.palette, held.comic, entry.archived, looks)


def template_of(entry: Entry) -> Template:
    """The template of a kept layout, under its name. Raises BadInput for an entry of another kind."""
    if entry.content.layout is None:
        raise BadInput(f"{entry.name} is no layout", expected=Kind.LAYOUT.value, found=entry.kind.value, ids=[entry.id])
    return _template(entry.content).model_copy(update={"title": entry.name})


def sound_entry(kind: Kind, content: Content) -> Content:
    """Content whose layout, if it has one, is a page template. Raises BadInput."""
    if kind is not Kind.LAYOUT:
        return content
    return content.model_copy(update={"layout": _template(content).model_dump(mode="json")})


def checked_entry(kind: Kind, content: Content) -> Content:
    """The same, of content that is to be kept: a layout is not called as one of the kit's own. Raises BadInput."""
    if kind is Kind.LAYOUT:
        taken = next((name for name in content.names if folded(name) in {REFLOW, *built_in()}), None)
        if taken is not None:
            raise BadInput(f"{taken} is a layout that comes with the kit", expected="another name", found=taken)
    return sound_entry(kind, content)


def _template(content: Content) -> Template:
    try:
        return Template.model_validate_json(dumps(content.layout))
    except TypeError:
        raise BadInput("layout: not a page template", expected="keys, text and whole numbers") from None
    except ValidationError as error:
        raise refused(error, Template, root="layout") from None
