"""docs/script.md, held to what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lantern_kit.comic.checks.checker import check_unit
from lantern_kit.comic.script import Form, read_script, write_script
from lantern_kit.comic.script.cues import cue_at, line_of
from lantern_kit.comic.script.headings import heading_of
from lantern_kit.comic.script.model import Voice
from lantern_kit.comic.script.of_book import script_of
from lantern_kit.workspace import create_workspace
from tests.comic.operations import Desk, empty


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "script.md").read_text("utf-8")


def examples(page: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)


def test_every_example_makes_a_page_without_a_fault_and_reads_back(page: str) -> None:
    found = [(text, Form.MARKDOWN) for text in examples(page, "markdown")]
    found += [(text, Form.FOUNTAIN) for text in examples(page, "fountain")]
    assert len(found) == 3
    for text, form in found:
        desk = Desk(empty(language="zh-Hans" if "第" in text else "en"))
        desk.one("script.write", text=text, form=form)
        book = desk.book
        assert not [fault for unit in book.units() for fault in check_unit(unit, book.chapter, lambda _: None)]
        words = write_script(script_of(book), form, language=book.chapter.language)
        assert re.sub(r" (\{#\w+\}|\[\[\w+\]\])", "", words).replace("  in the", "in the").split() == text.split()


def test_its_python_runs_as_written(page: str, tmp_path: Path) -> None:
    (code,) = examples(page, "python")
    with create_workspace(tmp_path / "up", title="Up") as ws:
        chapter = ws.comic("Gull Rock").begin_chapter(1, size="A5")
        exec(code, {"chapter": chapter})
        assert "Burn, please." in chapter.script()


def test_every_way_of_saying_it_is_understood(page: str) -> None:
    table = page[page.index("## What is written") : page.index("## Fountain")]
    for said in re.findall(r"`(#{2,3} [^`]+)`", table):
        assert heading_of(said.lstrip("# ")) is not None, said
    for said in ("PAGE THREE (5 panels)", "Panel 2: a roof", "第3页", "第2格", "3ページ", "2コマ"):
        assert f"`{said}`" in table
        assert heading_of(said, bare=said[0].isupper()) is not None
    (row,) = re.findall(r"how: (.*?)\. Anything", table)
    for how in re.findall(r"`([^`]+)`", row):
        cue = cue_at(f"MIRA ({how}): so")
        assert cue is not None
        line = line_of(cue, "so", "", 1)
        assert not line.label, how
    for name in ("旁白：", "音效：", "ナレーション：", "効果音："):
        assert f"`{name}`" in table
        cue = cue_at(name)
        assert cue is not None
        assert line_of(cue, "so", "", 1).voice is not Voice.BALLOON
    for said in ("Close-up:", "Night:", "远景："):
        assert f"`{said}`" in table
        (panel,) = read_script(f"## Page 1\n### Panel 1\n{said} a hand").sheets[0].panels
        assert (panel.description, panel.lines) == (f"{said} a hand", ())
