"""Chapters in Markdown: every paragraph is text, whatever it looks like; CommonMark gives back what was written.

A rule parts scenes; it is the only mark that the prose itself does not hold.
"""

from __future__ import annotations

import re

from lantern_kit.novel.edition import Edition, Part

RULE = "---"
_MARKS = re.compile(r"[\\`*_\[\]<>&~|$@]|:(?=//)|(?<=www)\.", re.IGNORECASE)
_TITLE_MARKS = re.compile(f"{_MARKS.pattern}|#", re.IGNORECASE)
_OPENING = re.compile(r"[#+\-=:]")
_NUMBER = re.compile(r"[0-9]{1,9}(?=[.)])")


def as_text(line: str, marks: re.Pattern[str] = _MARKS) -> str:
    """A line that Markdown shows as it is.

    A backslash becomes its character reference, for notebooks take two of them before a bracket for a formula.
    """
    safe = marks.sub(lambda mark: "&#92;" if mark.group() == "\\" else f"\\{mark.group()}", line)
    if _OPENING.match(safe):
        return f"\\{safe}"
    return _NUMBER.sub(r"\g<0>\\", safe, count=1) if _NUMBER.match(safe) else safe


def heading(text: str, level: int = 1) -> str:
    """A heading; signs that would end it are kept as text."""
    return f"{'#' * level} {as_text(text, _TITLE_MARKS)}"


def chapter_text(made: Part, level: int = 1) -> str:
    """A chapter: its title, and its prose."""
    blocks = [heading(made.title, level)]
    for number, section in enumerate(made.sections):
        blocks += [RULE] if number else []
        blocks += [as_text(paragraph) for paragraph in section.paragraphs]
    return "\n\n".join(blocks) + "\n"


def novel_markdown(made: Edition) -> str:
    """A whole novel in one file; an unfinished one says so under its title."""
    blocks = [heading(made.title)]
    blocks += [f"> {as_text(line)}" for line in made.cover]
    blocks += [chapter_text(item, 2).rstrip("\n") for item in made.parts]
    return "\n\n".join([*blocks, _remark(made)]) + "\n"


def _remark(made: Edition) -> str:
    """What the file is, for those who look into it; readers do not see it."""
    head = made.novel.head
    return (
        f"<!-- novel {head.id}, {made.revision}, content revision {head.content_revision},"
        f" {'completed' if made.finished else 'unfinished'},"
        f" {head.characters} characters by count policy {made.novel.config.count_policy} -->"
    )
