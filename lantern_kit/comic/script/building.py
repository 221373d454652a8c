"""A script put together line by line, whatever its form: what both readers have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lantern_kit.comic.model import MOST_DESCRIBED, MOST_OBJECTS, MOST_WORDS, UnitKind
from lantern_kit.comic.script.cues import Cue, line_of
from lantern_kit.comic.script.faults import fault
from lantern_kit.comic.script.headings import Heading
from lantern_kit.comic.script.model import MOST_TEXT, Line, Panel, Script, Sheet, Voice, tidy_description, tidy_words
from lantern_kit.kernel.errors import BadInput

_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_PREFIXES = {
    Voice.BALLOON: "bl",
    Voice.CAPTION: "na",
    Voice.SOUND: "tx",
    Voice.TITLE: "tx",
}
_KINDS = {"un": "a unit's", "fr": "a panel's", "bl": "a balloon's", "na": "a caption's", "tx": "a sound's or title's"}


def lines_of(text: str) -> list[str]:
    """The lines of a script's text. Raises BadInput for one that is too long, or holds what no text does."""
    if len(text) > MOST_TEXT:
        raise BadInput(
            f"this script has {len(text)} characters", expected=f"{MOST_TEXT} at most", recovery="Send it in parts."
        )
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    hidden = _HIDDEN.search(text)
    if hidden is not None:
        at = next(number for number, line in enumerate(lines, 1) if hidden[0] in line)
        raise fault(at, f"it holds the control character U+{ord(hidden[0]):04X}", "text without control characters")
    return [line.replace("\t", "    ") for line in lines]


class Builder:
    """Takes headings, paragraphs and lines in order, and gives the script."""

    def __init__(self) -> None:
        self.title = ""
        self._sheets: list[Sheet] = []
        self._panels: list[Panel] = []
        self._lines: list[Line] = []
        self._said: list[str] = []
        self._said_at = 0
        self._ids: dict[str, int] = {}

    @property
    def begun(self) -> bool:
        """Whether there is a unit already."""
        return bool(self._sheets)

    def heading(self, heading: Heading, name: str, at: int) -> None:
        """A unit or a panel begins. Raises BadInput."""
        if heading.kind is not None:
            self._end_sheet()
            self._known(name, "un", at)
            kind = UnitKind(heading.kind)
            self._sheets.append(Sheet((), kind, heading.said, name, heading.number, at))
            self._panels = [Panel(framed=False, at=at)]
            return
        if not self._sheets:
            raise fault(at, "a panel stands before the first page", "## Page 1 (in Fountain .PAGE 1) before it")
        if heading.framed:
            self._end_panel()
            self._known(name, "fr", at)
            self._panels.append(Panel(id=name, at=at))
            if heading.said:
                self.paragraph(heading.said, at)
        else:
            if name:
                raise fault(at, "lettering on the page itself has no id of its own", "the heading alone")
            self._end_panel()
            self._panels.append(Panel(framed=False, at=at))

    def paragraph(self, text: str, at: int) -> None:
        """A line of description; empty ones part paragraphs. Raises BadInput."""
        if not text.strip():
            if self._said:
                self._said.append("")
            return
        if not self._sheets:
            raise fault(at, "this stands before the first page", "## Page 1 (in Fountain .PAGE 1)")
        self._said_at = self._said_at or at
        self._said.append(text)

    def line(self, cue: Cue, words: str, names: Sequence[str], at: int) -> None:
        """A balloon, caption or piece of lettering, with the ids that stand beside it. Raises BadInput."""
        if len(set(names)) > 1:
            raise fault(at, "this line has several ids", "one id, at the end of its words", ids=names)
        name = names[0] if names else ""
        line = line_of(cue, tidy_words(words), name, at)
        if not self._sheets:
            raise fault(at, "this stands before the first page", "## Page 1 (in Fountain .PAGE 1)")
        if not line.text and not name:
            raise fault(at, "this name says nothing", "words after the name")
        if len(line.text) > MOST_WORDS:
            raise fault(at, f"these words have {len(line.text)} characters", f"{MOST_WORDS} at most")
        self._known(name, _PREFIXES[line.voice], at)
        self._lines.append(line)

    def script(self) -> Script:
        """All of it. Raises BadInput."""
        self._end_sheet()
        return Script(tuple(self._sheets), self.title)

    def _known(self, name: str, prefix: str, at: int) -> None:
        if not name:
            return
        if name[:2] != prefix:
            raise fault(
                at,
                f"{name} is {_KINDS.get(name[:2], 'no')} id",
                f"{_KINDS[prefix]} id, {prefix}_…; leave it out for a new one",
                ids=[name],
            )
        before = self._ids.setdefault(name, at)
        if before != at:
            raise fault(at, f"{name} stands in line {before} already", "each id once; none for a copy", ids=[name])

    def _end_panel(self) -> None:
        panel = self._panels[-1]
        said = tidy_description("\n".join(self._said))
        if panel.framed:
            if panel.description or said:
                said = tidy_description(f"{panel.description}\n\n{said}")
            if len(said) > MOST_DESCRIBED:
                raise fault(panel.at, f"its description has {len(said)} characters", f"{MOST_DESCRIBED} at most")
            self._panels[-1] = replace(panel, lines=tuple(self._lines), description=said)
            self._said, self._said_at = [], 0
        else:
            self._panels[-1] = replace(panel, lines=tuple(self._lines))
            if self._said:  # what is said of a page goes to its next panel
                self._said.append("")
        self._lines = []

    def _end_sheet(self) -> None:
        if not self._sheets:
            return
        self._end_panel()
        if self._said:
            raise fault(
                self._said_at,
                "a description belongs to a panel, and none follows on this page",
                "### Panel 1 (in Fountain .PANEL 1) before it, or NAME: before words that are lettered",
            )
        merged: list[Panel] = []
        for panel in self._panels:
            if not panel.framed and not panel.lines:
                continue
            if merged and not merged[-1].framed and not panel.framed:
                merged[-1] = replace(merged[-1], lines=(*merged[-1].lines, *panel.lines))
            else:
                merged.append(panel)
        count = sum(1 + len(panel.lines) for panel in merged)
        if count > MOST_OBJECTS:
            raise fault(self._sheets[-1].at, f"this page has {count} things on it", f"{MOST_OBJECTS} at most")
        self._sheets[-1] = replace(self._sheets[-1], panels=tuple(merged))
        self._panels = []
