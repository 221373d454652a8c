"""The catalogue of sentences: whole, and with the same holes."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from lantern_kit.cli.chinese import SENTENCES, agents, cards, deciding, novels, places, works
from lantern_kit.cli.words import counted
from lantern_kit.comic.model import OBJECT_TYPES
from lantern_kit.home import own_language
from tests.cli.conftest import Run


@pytest.fixture
def sentences(root: Path) -> set[str]:
    """Every sentence that the command line says."""
    found = set()
    for path in (root / "lantern_kit" / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case (
                    ast.Call(func=ast.Name(id="tr"), args=[ast.Constant(value=str(sentence)), *_])
                    | ast.Call(func=ast.Name(id="counted"), args=[_, ast.Constant(value=str(sentence))])
                ):
                    found.add(sentence)
    return found


def test_every_sentence_has_its_translation(sentences: set[str]) -> None:
    assert len(sentences) > 100
    assert sentences - SENTENCES.keys() == set()


def test_no_translation_is_left_over(sentences: set[str]) -> None:
    """Besides whole sentences there are the words that are looked up one by one."""
    left = SENTENCES.keys() - sentences
    assert all(word.islower() and "{" not in word and len(word) < 15 for word in left), left


def test_no_sentence_has_two_translations() -> None:
    parts = (places, deciding, works, agents, cards, novels)
    assert sum(len(part.SENTENCES) for part in parts) == len(SENTENCES)


def test_the_kinds_of_things_have_their_words() -> None:
    assert set(OBJECT_TYPES) <= SENTENCES.keys()


def test_one_thing_is_one_and_several_are_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    said = [counted(number, "{count} entry", many="{count} entries") for number in (0, 1, 1_200)]
    assert said == ["0 entries", "1 entry", "1,200 entries"]
    assert [counted(number, "{count} chapter") for number in (1, 2)] == ["1 chapter", "2 chapters"]
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert [counted(number, "{count} chapter") for number in (1, 2)] == ["1 章", "2 章"]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_translation_has_the_same_holes(sentence: str) -> None:
    def holes(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    assert holes(sentence) == holes(SENTENCES[sentence])


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert own_language() == language


def test_a_chinese_terminal_reads_chinese(run: Run, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "一切都如当初写入的那样" in run("verify", path).output
    said = run("outline", path / "inbox", code=1).output
    assert "错误：" in said
    assert "Traceback" not in said
