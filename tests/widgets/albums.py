"""Chapters to look through, and ways to look at them."""

from __future__ import annotations

from typing import Any

from lantern_kit import Workspace, datasets
from lantern_kit.comic.work.chapter import ChapterWork

WHOLE = """unit => {
    const view = document.querySelector("[data-testid=page]");
    const { whole, shown } = view?.querySelector("[data-testid=viewer-canvas]")?.dataset ?? {};
    return whole === "true" && view.dataset.unit.startsWith(unit) && shown.includes(view.dataset.unit);
}"""


def album(ws: Workspace, pages: int = 3, **facts: Any) -> ChapterWork:
    """A chapter whose pages have two frames, a picture and a balloon each."""
    facts.setdefault("size", "A6")
    chapter = ws.comic("Chelsea").begin_chapter(1, **facts)
    cat = ws.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0")
    with chapter.edit("pages") as edit:
        for number in range(1, pages + 1):
            page = edit.add_page()
            top = page.add_frame(rect=(8, 8, 89, 60))
            top.place(cat, fit="cover")
            page.add_frame(rect=(8, 72, 89, 68))
            page.say(f"Number {number}", speaker="Chelsea", at=(50, 100))
    return chapter


def whole(page: Any, unit: str | None = None) -> None:
    """Wait until nothing of the picture is missing, of this unit when one is named."""
    page.wait_for_function(WHOLE, arg=unit or "")


def canvas(page: Any) -> Any:
    """The picture."""
    return page.get_by_test_id("viewer-canvas")


def at(page: Any, x: float, y: float) -> dict[str, float]:
    """Where a millimetre of an A6 page is on the canvas when all of the page is shown."""
    box = canvas(page).bounding_box()
    scale = min((box["width"] - 24) / 111, (box["height"] - 24) / 154)
    return {"x": box["width"] / 2 + (x - 52.5) * scale, "y": box["height"] / 2 + (y - 74) * scale}
