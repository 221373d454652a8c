"""What lies on the table of a review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit.studio import Desk
from lantern_kit.studio.desk import SHOWN, WORDS
from lantern_kit.studio.request import Request
from lantern_kit.workspace import Workspace, create_workspace
from tests.cli.conftest import propose


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace with the demo's key and a page on which somebody speaks."""
    with create_workspace(tmp_path / "ws", title="Chelsea", owner="mina", config=tmp_path / "config") as made:
        made.enrol("mina", None, demo=True)
        with made.comic("Chelsea Goes Up").begin_chapter(1, size="A6").edit("one page") as edit:
            edit.add_page().add_frame(rect=(6, 6, 93, 136)).say("Mine?", at=(50, 30), speaker="C", tail=(40, 60))
        yield made


def test_the_newest_proposal_that_waits_is_on_the_table(ws: Workspace) -> None:
    propose(ws, "One.", summary="first"), propose(ws, "Two.", summary="second")
    desk = Desk(ws, Request())
    assert desk.proposal is not None
    assert desk.proposal.id == "p2"
    assert desk.waiting == ["p2", "p1"]
    assert repr(desk).splitlines()[0] == "On the table: p2 (waits for you): second"
    assert "p1: first" in repr(desk)


def test_the_one_asked_for_is_on_the_table_decided_or_not(ws: Workspace) -> None:
    propose(ws, "One.", summary="first"), propose(ws, "Two.", summary="second")
    with ws.reviewer() as me:
        ws.proposals["p1"].discard(me, reason="no")
    desk = Desk(ws, Request(proposal="p1"))
    assert desk.proposal is not None
    assert desk.proposal.id == "p1"
    assert "p1 (discarded): first" in repr(desk)
    assert "p2: second" in repr(desk)
    assert "aria-current" not in desk.html()
    assert "p2 · second" in desk.html()


@pytest.mark.parametrize("asked", ["p9", "nonsense", "<b>"])
def test_one_that_is_not_there_is_said_so_and_what_waits_is_offered(asked: str, ws: Workspace) -> None:
    propose(ws, "One.", summary="first")
    desk = Desk(ws, Request(proposal=asked, app=True))
    assert desk.proposal is None
    html = desk.html()
    assert 'role="alert"' in html
    assert "<b>" not in html
    assert re.search('<a href="[?]proposal=p1"[^>]*>p1 · first</a>', html)
    assert repr(desk).startswith(f"There is no proposal {asked} here\nWaiting for you:\n  p1: first")
    with ws.reviewer() as me:
        ws.proposals["p1"].discard(me, reason="no")
    assert "Nothing waits for a verdict" in Desk(ws, Request(proposal=asked)).html()


def test_when_nothing_waits_it_says_what_to_do(ws: Workspace) -> None:
    desk = Desk(ws, Request())
    assert desk.proposal is None
    assert "Nothing waits for a verdict" in desk.html()
    assert "lantern connect claude-code" in desk.html()
    propose(ws, "One.", summary="first")
    with ws.reviewer() as me:
        ws.proposals["p1"].apply(me)
    told = Desk(ws, Request(app=True)).html()
    assert "Nothing waits for a verdict" in told
    assert re.search('<a href="[?]proposal=p1"[^>]*>p1 · first</a> [(]applied[)]', told)
    assert '<a href="?">Look again</a>' in told


def test_links_are_for_the_app_and_code_is_for_notebooks(ws: Workspace) -> None:
    propose(ws, "One.", summary="first"), propose(ws, "Two.", summary="second")
    app = Desk(ws, Request(app=True, query="theme=dark&proposal=p2")).html()
    assert '<a href="?theme=dark&amp;proposal=p1"' in app
    assert re.search('<strong aria-current="page"[^>]*>p2 · second</strong>', app)
    assert "lk.ProposalReview" not in app
    notebook = Desk(ws, Request()).html()
    assert "<a " not in notebook
    assert "ws.proposals[&quot;p1&quot;]" in notebook


def test_what_agents_write_is_shown_and_not_obeyed(ws: Workspace) -> None:
    propose(ws, "One.", summary="<script>alert(1)</script>")
    propose(ws, "Two.", summary='<img src=x onerror="alert(1)">')
    html = Desk(ws, Request(app=True)).html()
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html


def test_a_long_list_is_cut(ws: Workspace) -> None:
    for number in range(SHOWN + 3):
        propose(ws, f"{number}.", summary=f"number {number}")
    html = Desk(ws, Request()).html()
    assert html.count("<span") == SHOWN
    assert "and 2 more" in html


def test_when_nothing_else_waits_it_says_so(ws: Workspace) -> None:
    propose(ws, "One.", summary="first")
    assert "nothing else waits for you." in Desk(ws, Request()).html()


def test_it_speaks_chinese_too(ws: Workspace) -> None:
    propose(ws, "One.", summary="first"), propose(ws, "Two.", summary="second")
    html = Desk(ws, Request(language="zh")).html()
    assert 'lang="zh"' in html
    assert "等你裁决的" in html
    assert WORDS["en"].keys() == WORDS["zh"].keys()
