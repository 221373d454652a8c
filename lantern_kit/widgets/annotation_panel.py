"""AnnotationPanel: what people wrote about a chapter, on its pages; written, answered and settled by a person."""

from __future__ import annotations

from html import escape
from typing import Any

from lantern_kit.comic.annotations import Inspected
from lantern_kit.comic.work.annotation import Annotations, pages_of, text_of
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.show import image
from lantern_kit.widgets.given import CHAPTER, given
from lantern_kit.widgets.notes import Notes
from lantern_kit.widgets.panel import Panel
from lantern_kit.widgets.sheets import Sheets

STILL_BYTES = 44_000
"""Of pictures in the static form."""
STILL_EDGE = 420


class AnnotationPanel(Notes, Sheets, Panel):
    """The annotations of a chapter beside its pages: read, write, answer and settle them.

    Args:
        shown: the chapter, or annotations of it.
        unit: id of the page shown first; "" is that of the first annotation.
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.

    Raises:
        NotFound: there is no such unit.
    """

    kind = "notes"

    def __init__(self, shown: ChapterWork | Annotations, *, unit: str = "", language: str = "") -> None:
        chapter = shown.chapter if isinstance(shown, Annotations) else shown
        host: Any = given(chapter, ChapterWork, expected="a chapter, or its annotations", recovery=CHAPTER).host
        self.chapter_id = chapter.id
        if unit:
            chapter.book.position(unit)
        super().__init__(host, language=language, state={"unit": unit} if unit else {})

    def text(self) -> str:
        """All that is not settled, in plain text."""
        return "\n\n".join(text_of(item) for item in self._unsettled()) or "no annotations"

    def picture(self) -> str:
        """All that is not settled in words, with as many of the pages as there is room for."""
        parts = []
        left = STILL_BYTES
        for item in self._unsettled():
            parts.append(f'<pre style="white-space:pre-wrap">{escape(text_of(item))}</pre>')
            for title, page in pages_of(self.host, item, long_edge=STILL_EDGE) if left > 0 else ():
                data = page.rendered.jpeg(70)
                left -= len(data)
                if left >= 0:
                    parts.append(image(data, "image/jpeg", title))
        return "".join(parts) or "<p>no annotations</p>"

    def _unsettled(self) -> list[Inspected]:
        return self.host.annotation_service.inspect_all(self.chapter_id)
