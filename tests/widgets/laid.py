"""Pages laid out, and nothing more."""

from __future__ import annotations

from lantern_kit.widgets.panel import Panel
from lantern_kit.widgets.sheets import Sheets
from lantern_kit.workspace import Workspace


class Laid(Sheets, Panel):
    """A panel that shows pages, and nothing more."""

    kind = "laid"

    def __init__(self, host: Workspace, chapter: str) -> None:
        super().__init__(host)
        self.chapter_id = chapter

    def text(self) -> str:
        return "pages"

    def picture(self) -> str:
        return "<p>pages</p>"
