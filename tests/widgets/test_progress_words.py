"""What is said of actions: every word of it in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import lantern_kit
from lantern_kit.comic.brief import Brief
from lantern_kit.comic.model import UnitKind
from lantern_kit.comic.words import titles_of
from lantern_kit.widgets.progress_words import _WORDS, Two, bar, figures, lasted, line, spoken

ROOT = Path(lantern_kit.__file__).parent


def reported() -> Iterator[str]:
    """Every word that an action of the kit reports."""
    others = {*ROOT.glob("demo/story/*.py"), *ROOT.glob("cards/*.py")}  # they report other things: a story, notices
    for path in sorted({*ROOT.rglob("*.py")} - others):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="reporting"), args=[_, ast.Constant(value=str(words))]):
                    yield words
                case ast.Call(func=ast.Name(id="steps"), args=[_, _, ast.Constant(value=str(words)), *_]):
                    yield words
                case ast.Call(func=ast.Attribute(attr="told"), args=[_, ast.Constant(value=str(words)), *_]):
                    yield words
                case ast.Call(func=ast.Name(id="tell" | "report"), args=[ast.Constant(value=str(words)), _, _]):
                    yield words


def test_every_word_that_actions_report_is_said_in_both_languages() -> None:
    words = {*reported()} - {""}  # nothing new is said where only a stop is listened for
    assert len(words) > 25
    assert words - _WORDS.keys() == set()


def test_no_word_is_left_over() -> None:
    states = {"done", "failed", "it cannot be stopped", "running", "stopped", "stopping", "Working"}
    tables = {"drafts", "proposals", "snapshots", "conflicts"}
    assert _WORDS.keys() - {*reported()} <= states | tables


def test_units_are_called_in_chinese_as_everywhere_in_the_kit() -> None:
    briefs = [
        Brief(f"un_{place}", kind, name, 105_000, 148_000, (), 0)
        for place, (kind, name) in enumerate(product(UnitKind, ("", "The Moon", "“Page 3”", "Cover")))
    ]
    english, chinese = titles_of(briefs, "en"), titles_of(briefs, "zh")
    assert {spoken(english[item.id]).zh for item in briefs} == {chinese[item.id] for item in briefs}


@pytest.mark.parametrize("words", ["", "Page three", "Pages 2–3", "Cover of the book", "changes of mine", "Page 3 “”"])
def test_other_words_stay_as_they_are(words: str) -> None:
    assert spoken(words) == (words, words)


def test_figures_and_times_are_said_in_both_languages() -> None:
    assert figures(12, 1500) == ("12 of 1,500", "12 / 1,500")
    assert figures(12, 0) == ("", "")
    assert [lasted(seconds).en for seconds in (0, 59.9, 61, 3600, 7325)] == [
        "0 s",
        "59 s",
        "1 min 1 s",
        "1 h 0 s",
        "2 h 2 min 5 s",
    ]
    assert lasted(7325).zh == "2 小时 2 分 5 秒"
    assert line(Two("a", "甲"), Two("", ""), Two("b", "乙")) == ("a · b", "甲 · 乙")


def test_a_bar_shows_the_language_of_the_page_and_escapes_what_people_wrote() -> None:
    shown = bar(Two("<b>Page</b> 1", "第 1 页"), 7, 5)
    assert '<progress max="5" value="5" aria-label="&lt;b&gt;Page' in shown
    assert '<span class="lk-en" lang="en">&lt;b&gt;Page&lt;/b&gt; 1</span>' in shown
    assert '<span class="lk-zh" lang="zh">第 1 页</span>' in shown
    assert "<script" not in shown
    assert "<progress aria-label" in bar(Two("x", "x"), 0, 0)
