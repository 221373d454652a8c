"""Units as people hold them: pages, covers, transitions and spreads at a revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Unit
from lantern_kit.comic.service import Moment
from lantern_kit.comic.words import object_name
from lantern_kit.comic.work import show
from lantern_kit.comic.work.finding import Findings
from lantern_kit.kernel.errors import NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host


class UnitWork:
    """One page, cover, transition or spread at one revision."""

    def __init__(self, host: Host, moment: Moment, unit: str) -> None:
        self._host = host
        self.moment = moment
        self.id = unit

    @property
    def model(self) -> Unit:
        """The unit's content, in micrometres."""
        return self.moment.book.unit(self.id)

    @property
    def number(self) -> int:
        """Its place in the chapter, from 1."""
        return self.moment.book.position(self.id) + 1

    @property
    def title(self) -> str:
        """What people call it, as in the words of changes: ``Page 4 “The Moon”``."""
        return self.moment.titles[self.id]

    def render(self, *, dpi: int | None = None, long_edge: int | None = None, bleed: bool = False) -> show.RenderedPage:
        """Draw it: at ``dpi``, or so that the long edge has ``long_edge`` pixels (1,024 when neither is given)."""
        size: dict[str, Any] = {"dpi": dpi} if dpi is not None else {"long_edge": long_edge or 1024}
        drawn = self._host.renderer.render(self.model, self.moment.book.chapter, bleed=bleed, **size)
        return show.RenderedPage(drawn)

    def check(self) -> Findings:
        """What the checks find here."""
        unit = self.model
        found = tuple(self._host.checker.check(unit, self.moment.book.chapter))
        names = {item.object: object_name(unit, item.object, titles=self._picture) or self.title for item in found}
        return Findings(found, names)

    def _picture(self, asset: str) -> str:
        """What people call a picture; its id when it is not registered here."""
        try:
            return self._host.assets.get(asset).title
        except NotFound:
            return asset

    def __repr__(self) -> str:
        unit = self.model
        return f"<{self.title}: {counted(len(unit.objects), 'object')}, {self.moment.id}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), show.figure(self.render(), f"{self.title} at {self.moment.id}"))
