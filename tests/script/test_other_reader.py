"""Our Fountain, read by Jouvence, which knows nothing of comics."""

from __future__ import annotations

import re

import pytest
from jouvence.document import TYPE_ACTION, TYPE_CHARACTER, TYPE_DIALOG
from jouvence.parser import JouvenceParser

from lantern_kit import datasets
from lantern_kit.comic.script import Form, read_script, write_script
from lantern_kit.comic.script.of_book import script_of
from tests.comic.operations import Desk, empty

_NOTE = re.compile(r"\s*\[\[[^\]]+\]\]$")


@pytest.mark.parametrize(
    ("name", "language"), [("gull-rock", "en"), ("rooftop-cat", "zh-Hans"), ("last-train", "ja"), ("gull-rock", "ja")]
)
def test_another_reader_finds_the_same_headings_names_and_words(name: str, language: str) -> None:
    desk = Desk(empty(language=language))
    desk.one("script.write", text=datasets.script(name))
    script = script_of(desk.book)
    document = JouvenceParser().parseString(write_script(script, Form.FOUNTAIN, language=language))
    assert document.title_values["title"] == script.title
    assert [ident for scene in document.scenes for ident in re.findall(r"\[\[(\w+)\]\]", scene.header)] == [
        name for sheet in script.sheets for name in (sheet.id, *(panel.id for panel in sheet.frames))
    ]
    parts = [part for scene in document.scenes for part in scene.paragraphs]
    said = [_NOTE.sub("", part.text).strip() for part in parts if part.type == TYPE_DIALOG]
    assert said == [line.text for sheet in script.sheets for line in sheet.lines]
    named = [part.text.partition(" (")[0] for part in parts if part.type == TYPE_CHARACTER]
    assert len(named) == len(said)
    speakers = [line.speaker for sheet in script.sheets for line in sheet.lines]
    assert [called for called, speaker in zip(named, speakers, strict=True) if speaker] == list(filter(None, speakers))
    seen = [part.text.strip() for part in parts if part.type == TYPE_ACTION]
    assert seen == [panel.description for sheet in script.sheets for panel in sheet.frames]
    assert read_script(write_script(script, Form.FOUNTAIN, language=language), Form.FOUNTAIN) == script
