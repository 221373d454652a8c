"""What edits may ask of the library: entries that a chapter names, and kept layouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from lantern_kit.comic.layout.template import Template, template_named
from lantern_kit.kernel.errors import NotFound


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What an edit needs to know of an entry of the library."""

    id: str
    kind: str
    """character, scene, prop, style or layout."""
    name: str
    looks: tuple[str, ...] = ()
    """Names of its looks."""


class Shelf(Protocol):
    """The library, as edits see it."""

    def entry(self, name: str) -> EntryFacts:
        """An entry by id, name or other name. Raises NotFound; BadInput with the candidates when several answer."""

    def layout(self, name: str) -> Template:
        """A page template by name: one that comes with the kit, or a kept one, also by id. Raises NotFound."""


class EmptyShelf:
    """A library without entries; the layouts that come with the kit are there."""

    def entry(self, name: str) -> EntryFacts:
        """Never an entry. Raises NotFound."""
        raise NotFound(
            f"{name[:40]} is no entry of the library", recovery="Keep it in the library first, or leave it out."
        )

    def layout(self, name: str) -> Template:
        """A layout that comes with the kit. Raises NotFound."""
        return template_named(name)
