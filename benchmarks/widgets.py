"""The notebook widgets in a real browser: how soon something is seen, and what it costs.

lab_first_paint_s       JupyterLab: from running a cell to the page painted, in a kernel that only opened the workspace
bare_first_paint_s      a bare page that has the code: from mounting to the page painted, the kernel's half warm
bare_with_code_s        the same on a page that must fetch the code first, through the test's own bridge
next_page_s             from the key to the next page painted, both pages seen before
chapter500_open_s       mounting to painted, of a chapter of 500 pages in a workspace just opened
first_view_bytes        all that the kernel sends for the first view of a 600 dpi A4 page, the widgets' code included
saved_bytes_per_widget  what a saved notebook keeps of one PageView: its outputs and its synced state
leak_mb_50              memory that stays after opening and closing 50 views: the browser's heap and the kernel's

Floors in the same run: ``floor_image_s``, the same picture in an <img> of the bare page; ``full_transfer_bytes``, the
page as one 600 dpi PNG. Figures are medians of the rounds. Needs Chromium.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import comm

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lantern_kit import ActivityPanel, PageView, Workspace, create_workspace, datasets
from lantern_kit.comic.work.chapter import ChapterWork
from tests.browser import CHROMIUM, FLAGS
from tests.lab.server import READY, Lab
from tests.widgets.stage import Stage, Wire, state_of

PHOTOS = ("chelsea", "moon", "rocket", "coffee", "hubble_deep_field", "astronaut")
SEEN = """
window.painted = new Promise((done) => {
  const look = () => {
    const canvas = document.querySelector('[data-testid=viewer-canvas]');
    if (canvas?.dataset.whole === 'true') done(performance.now());
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
window.begun = 0;
const render = () => { window.begun ||= performance.now(); };
window.addEventListener('DOMContentLoaded', () => {
  new MutationObserver(render).observe(document.body, { childList: true });
});
"""
NEXT = """async ([button, unit]) => {
  const begun = performance.now();
  document.querySelector(`[data-testid=${button}]`).click();
  const there = () =>
    document.querySelector('[data-testid=page]')?.dataset.unit === unit &&
    document.querySelector('[data-testid=viewer-canvas]')?.dataset.whole === 'true';
  while (!there()) await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}"""
PUT = """async ([which, state]) => {
  const begun = performance.now();
  await put(which, state);
  const canvas = () => document.querySelector('[data-testid=viewer-canvas]');
  while (canvas()?.dataset.whole !== 'true') await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}"""
RUN = """async () => {
  const begun = performance.now();
  jupyterapp.commands.execute('notebook:run-cell');
  const seen = () => document.querySelector('[data-testid=viewer-canvas]')?.dataset.whole === 'true';
  while (!seen()) await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}"""


class Counted(Wire):
    """A wire that adds up what the kernel sends."""

    total = 0

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **keys: Any
    ) -> None:
        """Send, and count."""
        Counted.total += len(json.dumps(data or {}, default=str)) + sum(len(part) for part in buffers or ())
        super().publish_msg(msg_type, data, metadata, buffers, **keys)


def rich(ws: Workspace) -> ChapterWork:
    """Two A4 pages at 600 dpi: six pictures and eight balloons each."""
    chapter = ws.comic("Bench").begin_chapter(1, size="A4")
    assets = [
        ws.assets.register(datasets.open_photo(name), title=name, licence=datasets.licence(name)) for name in PHOTOS
    ]
    with chapter.edit("pages") as edit:
        for number in (1, 2):
            page = edit.add_page()
            for place, asset in enumerate(assets):
                x, y = 8 + place % 2 * 98, 8 + place // 2 * 95
                page.add_frame(rect=(x, y, 94, 90)).place(asset, fit="cover")
                page.say(f"Balloon {place + 1} of page {number}.", speaker="Chelsea", at=(x + 40, y + 20))
            page.say("And two more.", speaker="Moon", at=(105, 150))
            page.say("The last one.", speaker="Moon", at=(60, 240))
    return chapter


def long(ws: Workspace) -> ChapterWork:
    """A chapter of 500 pages."""
    chapter = ws.comic("Long").begin_chapter(1, size="A6")
    cat = ws.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0")
    for start in range(0, 500, 100):
        with chapter.edit("pages") as edit:
            for number in range(start, start + 100):
                page = edit.add_page()
                page.add_frame(rect=(8, 8, 89, 60)).place(cat, fit="cover")
                page.say(f"Number {number + 1}", speaker="Chelsea", at=(50, 100))
    return chapter


def painted(page: Any) -> float:
    """Seconds from mounting to painted."""
    return float(page.evaluate("async () => (await window.painted) - window.begun")) / 1000


@contextmanager
def staged(browser: Any) -> Iterator[Stage]:
    """A stage that closes what it showed."""
    stage = Stage(browser)
    try:
        yield stage
    finally:
        stage.close()


def bare(browser: Any, chapter: ChapterWork, rounds: int) -> dict[str, float]:
    """First paint, the next page, and the same picture as a plain <img>."""
    first, cold, following, floor = [], [], [], []
    with staged(browser) as stage:
        stage.show(PageView(chapter), script=SEEN).evaluate("() => window.painted")
    Counted.total = 0
    sizes = []
    for _ in range(rounds):
        with staged(browser) as stage:
            before = Counted.total
            page = stage.show(PageView(chapter), script=SEEN)
            cold.append(painted(page))
            sizes.append(Counted.total - before)
            one, two = chapter.book.order[:2]
            page.evaluate(NEXT, ["page-next", two])
            page.evaluate(NEXT, ["page-previous", one])
            following.append(page.evaluate(NEXT, ["page-next", two]) / 1000)
        with staged(browser) as stage:
            page = stage.show(ActivityPanel(chapter.host))
            view = PageView(chapter)
            page.widgets.append(view)
            first.append(page.evaluate(PUT, [1, state_of(view)]) / 1000)
        floor.append(image(browser, chapter))
    return {
        "bare_first_paint_s": statistics.median(first),
        "bare_with_code_s": statistics.median(cold),
        "floor_image_s": statistics.median(floor),
        "next_page_s": statistics.median(following),
        "first_view_bytes": max(sizes),
    }


def image(browser: Any, chapter: ChapterWork) -> float:
    """Seconds until a page's picture is seen in an <img>, its bytes at hand."""
    import base64

    data = base64.b64encode(chapter[0].render(long_edge=1024).rendered.jpeg()).decode()
    context = browser.new_context()
    page = context.new_page()
    page.goto("about:blank")
    spent = page.evaluate(
        """async (data) => {
          const begun = performance.now();
          const image = document.createElement('img');
          image.src = `data:image/jpeg;base64,${data}`;
          document.body.append(image);
          await image.decode();
          await new Promise(requestAnimationFrame);
          return performance.now() - begun;
        }""",
        data,
    )
    context.close()
    return float(spent) / 1000


def opened_long(browser: Any, folder: Path, rounds: int) -> float:
    """Seconds from mounting to painted, the workspace just opened."""
    with create_workspace(folder / "long", title="Long", owner="bench") as ws:
        long(ws)
    spent = []
    for _ in range(rounds):
        with Workspace(folder / "long") as ws, staged(browser) as stage:
            spent.append(painted(stage.show(PageView(ws.comic("Long").chapter(1)), script=SEEN)))
    return statistics.median(spent)


def leak(browser: Any, chapter: ChapterWork, count: int) -> float:
    """Megabytes that stay after opening and closing many views, in the browser and the kernel together."""
    with staged(browser) as stage:
        page = stage.show()
        session = page.context.new_cdp_session(page)

        def cycle(times: int) -> None:
            for _ in range(times):
                view = PageView(chapter)
                stage.put(page, view)
                page.wait_for_selector("[data-testid=viewer-canvas][data-whole=true]")
                stage.take(page, view)

        def held() -> tuple[float, float]:
            session.send("HeapProfiler.collectGarbage")
            gc.collect()
            heap = session.send("Runtime.getHeapUsage")
            return (heap["usedSize"] + heap.get("backingStorageSize", 0)) / 1e6, resident()

        cycle(10)
        before = held()
        cycle(count)
        after = held()
        return max(0.0, after[0] - before[0]) + max(0.0, after[1] - before[1])


def resident() -> float:
    """Megabytes of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def lab(browser: Any, folder: Path, rounds: int) -> dict[str, float]:
    """First paint in JupyterLab, and what a saved notebook keeps."""
    spent = []
    (folder / "home").mkdir()
    running = Lab(folder, folder / "home").start()
    try:
        for place in range(rounds):
            context = browser.new_context(viewport={"width": 1300, "height": 900})
            page = context.new_page()
            name = f"work/notebooks/{place}.ipynb"
            opening = "import lantern_kit as lk\nchapter = lk.open_workspace('..').works()[0].chapter(1)"
            running.write(name, opening, "lk.PageView(chapter)")
            running.open(page, name)
            page.evaluate("() => jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
            page.wait_for_function(READY)
            spent.append(page.evaluate(RUN) / 1000)
            page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
            page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
            context.close()
        saved = (folder / name).read_text()
    finally:
        running.stop()
    return {"lab_first_paint_s": statistics.median(spent), "lab_saved_bytes": len(saved)}


def saved(chapter: ChapterWork) -> int:
    """Bytes that one view adds to a notebook saved with the state of its widgets."""
    view = PageView(chapter)
    shown = json.dumps(view.get_state(), default=str) + view._framed() + view.text()
    view.close()
    return len(shown.encode())


def measure(*, quick: bool) -> dict[str, float]:
    """All figures."""
    from playwright.sync_api import sync_playwright

    rounds = 3 if quick else 7
    comm.create_comm = Counted
    started = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as name,
        sync_playwright() as playwright,
        create_workspace(Path(name) / "work", title="Bench", owner="bench") as ws,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(FLAGS))
        chapter = rich(ws)
        found: dict[str, float] = bare(browser, chapter, rounds)
        found["full_transfer_bytes"] = len(chapter[0].render(dpi=600, bleed=True).rendered.png())
        found["saved_bytes_per_widget"] = saved(chapter)
        found["chapter500_open_s"] = opened_long(browser, Path(name), 3)
        found["leak_mb_50"] = leak(browser, chapter, 50)
        found |= lab(browser, Path(name), 3)
        browser.close()
    found["seconds"] = time.perf_counter() - started
    return found


def main(tell: Callable[[str], None] = print) -> None:
    """Print the figures, as a table or as one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    options = parser.parse_args()
    if CHROMIUM is None:
        raise SystemExit("Chromium is not installed: on Debian or Ubuntu, sudo apt-get install -y chromium")
    found = {name: round(value, 3) for name, value in measure(quick=options.quick).items()}
    if options.json:
        tell(json.dumps(found))
        return
    for name, value in found.items():
        tell(f"{name:24} {value:,}")


if __name__ == "__main__":
    main()
