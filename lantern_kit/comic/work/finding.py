"""What checks found, as people see it: each with the place on the page that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.finding import Finding, Severity
from lantern_kit.comic.geometry import spanning
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work import show
from lantern_kit.comic.work.closeup import EDGE, close_up
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host

LARGE = 420
"""Long edge of the picture beside a finding that is shown by itself, in pixels."""


@dataclass(frozen=True)
class FindingWork:
    """One finding, with the revision that was checked."""

    host: Host = field(repr=False, compare=False)
    moment: Moment = field(repr=False, compare=False)
    finding: Finding
    name: str = field(default="", compare=False)
    """What people call the object."""
    other_name: str = field(default="", compare=False)
    """What people call the second one."""

    @property
    def rule(self) -> str:
        """Name of the rule, such as ``lettering.overflow``."""
        return self.finding.rule

    @property
    def severity(self) -> Severity:
        """error, warning or note."""
        return self.finding.severity

    @property
    def unit(self) -> str:
        """Id of the unit."""
        return self.finding.unit

    @property
    def object(self) -> str:
        """Id of the object, or of the unit where no single object is meant."""
        return self.finding.object

    @property
    def message(self) -> str:
        """One sentence, in which a second object has its name."""
        said, other = self.finding.message, self.other
        return said.replace(other, f"{self.other_name} ({other})") if other and self.other_name else said

    @property
    def data(self) -> dict[str, Any]:
        """Further plain facts."""
        return self.finding.data

    @property
    def called(self) -> str:
        """The object by name and id."""
        return f"{self.name} ({self.object})" if self.name else self.object

    @property
    def other(self) -> str:
        """Id of the second object, where two are at odds; else empty."""
        return self.finding.other

    def close_up(self, *, edge: int = LARGE) -> show.RenderedPage | None:
        """The page round what it is about, which is marked; None where nothing of it is on the page."""
        book = self.moment.book
        if self.unit not in book:
            return None
        area = None
        if "area_mm" in self.data:  # a face, or a focus
            left, top, right, bottom = (round(part * 1_000) for part in self.data["area_mm"])
            area = spanning(left, top, right, bottom)
        unit, chapter = book.unit(self.unit), book.chapter
        return close_up(self.host, unit, chapter, self.object, other=self.other, area=area, edge=edge)

    def __repr__(self) -> str:
        return f"{self.severity} {self.rule} {self.called}: {self.message}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        seen = self.close_up()
        words = show.paragraph(f"{self.severity} · {self.rule} · {self.called}") + show.paragraph(self.message)
        drawn = "" if seen is None else show.figure(seen, f"{self.called} at {self.moment.id}")
        return show.bundle(repr(self), words + drawn)


class Findings(Listed[FindingWork]):
    """What checks found, as a list that shows itself as a table."""

    heads = ("severity", "rule", "object", "what")
    empty = "no findings"
    key = "object"

    @classmethod
    def of(cls, host: Host, moment: Moment, found: Iterable[Finding], names: Mapping[str, str]) -> Findings:
        """Findings of one revision.

        Args:
            names: what people call the objects, by id.
        """
        return cls(
            FindingWork(host, moment, item, names.get(item.object, ""), names.get(item.other, "")) for item in found
        )

    def row(self, item: FindingWork) -> tuple[str, ...]:
        """Severity, rule, object, what."""
        return (item.severity, item.rule, item.called, item.message)

    def line(self, item: FindingWork) -> str:
        """A finding on one line."""
        return repr(item)

    def picture(self, item: FindingWork) -> str:
        """Its place on the page."""
        seen = item.close_up(edge=EDGE)
        return "" if seen is None else seen.picture(item.called)
