"""The system's Chromium, and a judge of what is hard to perceive, for tests that look at pages."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LAST = 3_000
"""Characters of a page that are shown where a test failed."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, one for all tests of a process."""
    if CHROMIUM is None:
        pytest.skip("NO CHROMIUM: the widgets were not tried in a browser; install the system package chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(FLAGS))
        yield running
        running.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show, with a test that failed, what its pages read: a browser that nobody sees tells nothing else."""
    report = yield
    running = getattr(item, "funcargs", {}).get("browser")
    if report.failed and call.when == "call" and running is not None:
        from playwright.sync_api import Error

        for page in (page for context in running.contexts for page in context.pages):
            try:
                read = page.locator("body").inner_text(timeout=2_000)
            except Error as error:
                read = f"not to be read: {error}"
            report.sections.append((f"page {page.url.partition('?')[0]}", read[-LAST:]))
    return report


@pytest.fixture
def axe(root: Path) -> Callable[[Any], list[str]]:
    """Serious and critical faults that axe-core finds inside the widgets of a page, each in a line."""
    script = root / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        pytest.skip("NO AXE: accessibility was not judged; run npm ci in widgets/")

    def judge(page: Any) -> list[str]:
        page.add_script_tag(path=str(script))
        found = page.evaluate("() => axe.run('.lk', {resultTypes: ['violations']})")["violations"]
        return [
            f"{item['id']}: {item['help']} {[node['target'] for node in item['nodes']]}"
            for item in found
            if item["impact"] in ("serious", "critical")
        ]

    return judge


@pytest.fixture(autouse=True)
def _loop_aside(request: pytest.FixtureRequest) -> Iterator[None]:
    """Take Playwright's loop, which counts as running between its calls, out of others' way."""
    loop = None if "browser" in request.fixturenames else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    yield
    if loop is not None:
        asyncio._set_running_loop(loop)
