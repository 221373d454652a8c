"""What a check found: one thing that is wrong, or could be better, with the object it concerns."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lantern_kit.comic.model import Record

Severity = Literal["error", "warning", "note"]


class Finding(Record):
    """One thing that a check found."""

    rule: str
    """Stable name of the rule, such as ``shape.crosses_itself``."""
    severity: Severity
    """``error`` refuses an edit; ``warning`` and ``note`` never do."""
    unit: str
    """Id of the unit, or of the chapter for what concerns the whole."""
    object: str
    """Id of the object; the unit's or the chapter's own id when no single object is meant."""
    message: str
    """One sentence, with lengths in millimetres."""
    data: dict[str, Any] = Field(default_factory=dict)
    """Further plain facts for machines."""

    @property
    def other(self) -> str:
        """Id of the second object, where two are at odds; else empty."""
        return str(self.data.get("with", ""))

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same finding in another state of the chapter: its rule and its objects."""
        return self.rule, self.object, self.other
