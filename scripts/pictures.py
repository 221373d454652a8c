"""Draw the pictures that README and docs show, from what ``lantern demo`` really makes: docs/pictures/*.jpg.

``studio.jpg`` is a photograph of JupyterLab, and needs Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from lantern_kit.demo import run_demo
from lantern_kit.demo.story import COMIC
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.encode import encode_jpeg
from lantern_kit.imaging.picture import Pixels
from lantern_kit.workspace import open_workspace

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
SCALE = 4.6
"""Pixels a millimetre when all pages stand side by side."""
GAP = 18
ALONE = 1_200
"""Long edge of a page on its own."""
MOST = 300_000
"""Bytes a picture may take."""


def main() -> int:
    """Play the demo into a temporary folder and draw its pages; says what was written."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        result = run_demo(Path(scratch) / "demo", lambda line: None, notebook=False)
        with open_workspace(result.path) as workspace:
            chapter = workspace.comic(COMIC).chapter(1)
            units = [(unit.title, unit.model) for unit in chapter]
            facts = chapter.book.chapter
            sheet = [workspace.renderer.render(unit, facts, scale=SCALE).pixels for _, unit in units]
            alone = [workspace.renderer.render(unit, facts, long_edge=ALONE).pixels for _, unit in units]
            before, after = workspace.proposals[result.pending].sides(units[-1][1].id)
            review = [workspace.renderer.render(side.model, facts, scale=SCALE).pixels for _, side in (before, after)]
            workspace.copy_notebooks()
        _write("studio", _studio(Path(scratch)))
    _write("pages", _beside(sheet))
    _write("review", _beside(review))
    for name, pixels in zip(("page-1", "spread", "page-4"), alone, strict=True):
        _write(name, pixels)
    return 0


def _studio(folder: Path) -> Pixels:
    """The waiting proposal in JupyterLab."""
    sys.path.insert(0, str(FOLDER.parent.parent))
    from playwright.sync_api import sync_playwright

    from tests.browser import CHROMIUM, FLAGS
    from tests.lab.server import Lab, run_all

    (folder / "home").mkdir()
    lab = Lab(folder, folder / "home").start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
            page = browser.new_page(viewport={"width": 1480, "height": 980})
            lab.open(page, "demo/notebooks/02-review.ipynb")
            page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
            run_all(page)
            page.wait_for_selector("[data-testid=viewer-canvas][data-whole=true]")
            review = page.get_by_test_id("lantern-review")
            review.evaluate("(view) => view.scrollIntoView({block: 'center'})")
            page.wait_for_selector("[data-testid=viewer-canvas][data-whole=true]")
            shot = review.screenshot()
            browser.close()
    finally:
        lab.stop()
    return decode(shot).pixels


def _beside(pictures: list[Pixels]) -> Pixels:
    """Pictures of one height side by side, a white gap between them."""
    tall = max(item.shape[0] for item in pictures)
    wide = sum(item.shape[1] for item in pictures) + GAP * (len(pictures) - 1)
    sheet = np.full((tall, wide, 4), 255, np.uint8)
    left = 0
    for item in pictures:
        sheet[: item.shape[0], left : left + item.shape[1]] = item
        left += item.shape[1] + GAP
    return sheet


def _write(name: str, pixels: Pixels) -> None:
    for quality in range(88, 40, -4):
        data = encode_jpeg(np.ascontiguousarray(pixels), quality)
        if len(data) <= MOST:
            break
    path = FOLDER / f"{name}.jpg"
    path.write_bytes(data)
    sys.stdout.write(f"{path.name}: {pixels.shape[1]}×{pixels.shape[0]}, {len(data) // 1000} kB, quality {quality}\n")


if __name__ == "__main__":
    sys.exit(main())
