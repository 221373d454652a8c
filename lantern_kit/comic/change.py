"""One changed thing between two states of a chapter: what is stored, shown, counted and turned back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One row of a difference.

    *added*: ``property`` and ``before`` are None, ``after`` holds the object's own fields. *removed*: mirrored.
    *changed*: one row for each property. Orders are properties of the parent: ``objects`` (drawing order) and
    ``reading`` of a unit, ``units`` of the chapter.
    """

    unit: str
    """Id of the unit; of the chapter for what lies above units."""
    object: str
    """Id of the object, unit or chapter that changed."""
    object_kind: str
    """``frame``, ``balloon`` …, ``unit`` or ``chapter``."""
    change: Kind
    property: str | None
    before: Any
    """Plain JSON-able data."""
    after: Any
    """Plain JSON-able data."""
