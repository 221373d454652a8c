"""The review as an app, in a real browser: looked at in every way, decided on, and nothing asked of any other host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from lantern_kit import Workspace, create_workspace
from lantern_kit.comic.model import Balloon
from lantern_kit.kernel.actor import Actor
from tests.cli.program import Program

pytestmark = pytest.mark.lab

PASSPHRASE = "a lantern in the fog"
AGENT = Actor.agent("claude-code")
MODES = ("side", "swipe", "blink", "onion", "difference")


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A workspace with Ann's key and a page, and a proposal that rewords a balloon and adds another."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    with create_workspace(tmp_path / "chelsea", title="Chelsea", owner="ann") as made:
        made.enrol("ann", PASSPHRASE)
        chapter = made.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
        with chapter.edit("one page") as edit:
            frame = edit.add_page().add_frame(rect=(6, 6, 93, 136))
            said = frame.say("Is that… mine?", at=(50, 30), speaker="Chelsea", tail=(40, 60))
        new = {"text": "It is not.", "at": [50, 100], "tail": [60, 120]}
        operations: list[dict[str, Any]] = [
            {"op": "balloon.set", "target": said.id, "args": {"text": "It is mine."}},
            {"op": "balloon.add", "target": frame.id, "args": new},
        ]
        with made.journal.write() as connection:
            draft, moment = made.drafts.begin(connection, chapter.id, title="words", actor=AGENT)
        head = moment.revision.number
        planned = made.drafts.plan(draft.id, head, operations)
        with made.journal.write() as connection:
            done = made.drafts.commit(connection, draft.id, planned, head, operations, message="words", actor=AGENT)
        with made.journal.write() as connection:
            number = done.moment.revision.number
            made.proposal_service.freeze(connection, draft.id, number, summary="Whose is it?", actor=AGENT)
        yield made


@pytest.fixture
def app(ws: Workspace, tmp_path: Path) -> Iterator[Program]:
    """``lantern review``, running."""
    program = Program("review", ws.path, "p1", "--no-browser", cwd=tmp_path)
    yield program
    if program.process.poll() is None:
        program.end()


@pytest.fixture
def page(browser: Any, app: Program) -> Iterator[Any]:
    """A browser that remembers nothing, at the link that was printed; ``page.hosts``, ``page.errors``."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000}, color_scheme="dark", locale="en-GB")
    page = context.new_page()
    page.hosts, page.errors = set(), []
    page.on("request", lambda asked: page.hosts.add(asked.url.split("/")[2]) if asked.url.startswith("http") else None)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda line: page.errors.append(line.text) if "Refused to" in line.text else None)
    page.goto(app.address)
    page.locator("[data-testid=review-apply]:enabled").wait_for(timeout=120_000)
    yield page
    context.close()


def balloons(ws: Workspace) -> list[str]:
    book = ws.works()[0].chapter(1).book
    return [item.text for unit in book.units() for item in unit.objects if isinstance(item, Balloon)]


def test_a_proposal_is_looked_at_in_every_way_and_applied_without_one_of_its_parts(
    ws: Workspace, app: Program, page: Any, root: Path
) -> None:
    assert page.url == f"http://127.0.0.1:{app.parts.port}/?proposal=p1"
    assert page.title() == "Review · Chelsea"
    assert page.locator("[data-testid=review-summary]").inner_text() == "Whose is it?"
    assert page.get_by_text("How to decide").is_visible()
    ground = "getComputedStyle(document.querySelector('#rendered_cells')).backgroundColor"
    assert page.evaluate(ground) == "rgb(17, 17, 17)"
    for number, mode in enumerate(MODES):
        page.get_by_test_id("review-modes").get_by_role("radio").nth(number).click()
        page.locator(f"[data-testid=viewer][data-mode={mode}]").wait_for()
    assert serious_faults(page, root) == []

    parts = page.locator("[data-testid=review-part]", has_text="It is not.")
    parts.locator("input[type=checkbox]").click()
    parts.locator("[data-testid=review-reason]").fill("nobody says that")
    page.locator("[data-testid=review-tally]", has_text="left out").wait_for()
    page.locator("[data-testid=review-apply]:enabled").click()
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()
    page.locator("[data-testid=review-decided][data-state=applied]").wait_for()
    assert page.hosts == {f"127.0.0.1:{app.parts.port}"}
    assert page.errors == []

    assert balloons(ws) == ["It is mine."]
    assert len(ws.works()[0].chapter(1).snapshots()) == 1
    (verdict,) = ws.proposals["p1"].look().approvals
    assert (verdict.verdict.value, verdict.reviewer) == ("apply", "ann")
    report = ws.verify()
    assert report.clean
    assert report.checked["approvals"] == 1

    kernels = psutil.Process(app.process.pid).children()
    page.goto(f"http://127.0.0.1:{app.parts.port}/")
    assert psutil.wait_procs(kernels, timeout=60)[1] == [], "a page that is left ends its kernel"
    desk = page.get_by_test_id("review-desk")
    desk.get_by_text("Nothing waits for a verdict").wait_for(timeout=120_000)
    desk.get_by_role("link", name="p1 · Whose is it?").click()
    page.locator("[data-testid=review-state]", has_text="applied").wait_for(timeout=120_000)


def test_a_browser_that_was_not_let_in_types_the_token_comes_to_the_proposal_and_is_told_when_the_server_ends(
    ws: Workspace, app: Program, browser: Any
) -> None:
    context = browser.new_context(locale="zh-CN")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{app.parts.port}/?proposal=p1")
    page.get_by_label("令牌").fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    page.get_by_label("令牌").fill(app.query["token"][0])
    page.keyboard.press("Enter")
    page.locator("[data-testid=review-summary]").wait_for(timeout=120_000)
    assert page.url == f"http://127.0.0.1:{app.parts.port}/?proposal=p1"
    assert page.evaluate("document.documentElement.lang") == "zh"
    assert page.get_by_text("如何裁决").is_visible()
    assert page.locator("[data-testid=review-apply]", has_text="应用并保存").is_visible()
    page.locator("[data-testid=review-apply]:enabled").wait_for(timeout=120_000)
    assert app.end()[0] == 0
    page.locator("[data-testid=link-badge]:not([data-state=live])").first.wait_for(timeout=60_000)
    page.locator("[data-testid=review-apply]:enabled").wait_for(state="detached")
    context.close()


def serious_faults(page: Any, root: Path) -> list[str]:
    """What axe-core finds wrong on the whole page."""
    script = root / "widgets" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        pytest.skip("NO AXE: accessibility was not judged; run npm ci in widgets/")
    page.add_script_tag(path=str(script))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{item['id']}: {[re.sub(chr(10), ' ', node['html'][:120]) for node in item['nodes'][:3]]}"
        for item in found
        if item["impact"] in ("serious", "critical")
    ]
