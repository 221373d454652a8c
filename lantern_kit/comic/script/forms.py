"""The forms of a script's text."""

from __future__ import annotations

from enum import StrEnum

from lantern_kit.comic.script.fountain import read_fountain, write_fountain
from lantern_kit.comic.script.markdown import read_markdown, write_markdown
from lantern_kit.comic.script.model import Script
from lantern_kit.comic.script.tongues import tongue_of


class Form(StrEnum):
    """How a script is written."""

    MARKDOWN = "markdown"
    FOUNTAIN = "fountain"


def read_script(text: str, form: Form = Form.MARKDOWN) -> Script:
    """The script that a text is, whatever language its headings are in. Raises BadInput, naming the line."""
    return read_fountain(text) if form is Form.FOUNTAIN else read_markdown(text)


def write_script(script: Script, form: Form = Form.MARKDOWN, *, language: str = "en") -> str:
    """A script as text, its headings in Chinese or Japanese where the chapter's language is that, else in English."""
    write = write_fountain if form is Form.FOUNTAIN else write_markdown
    return write(script, tongue_of(language))
