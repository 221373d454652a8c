r"""A script in the manner of Fountain, the plain text of screenwriters.

``Title: …`` · scene headings ``.PAGE 3: Name [[un_…]]`` and ``.PANEL 2 [[fr_…]]`` · action that says what is to be
seen · ``MIRA (whisper)`` with dialogue below it, ``CAPTION``, ``SFX`` · ids as notes at the end of the words. ``!``
says that a line is action, ``@`` that a name is one, two spaces make an empty line of dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lantern_kit.comic.script.building import Builder, lines_of
from lantern_kit.comic.script.cues import Cue, cue_at, cue_text, is_capital, is_name, is_voice, unnumbered
from lantern_kit.comic.script.faults import fault
from lantern_kit.comic.script.headings import Heading, heading_of, panel_headings, sheet_heading
from lantern_kit.comic.script.model import Panel, Script, Sheet, tidy_title
from lantern_kit.comic.script.tongues import ENGLISH, Tongue
from lantern_kit.comic.script.words import ID, Guard, emphasized, marked

_NOTED = re.compile(rf"(?P<text>.*?)(?<![\\\[])\[\[#?(?P<id>{ID})(?:#[0-9a-z]{{8}})?\]\]\Z", re.DOTALL)
_NOTE = re.compile(r"(?<![\\\[])\[\[([^\[\]\n]{1,400})\]\]")
_NOTES = Guard(r"\[{2,}")
_ASIDE = re.compile(r"[(（]([^()（）]{0,300})[)）]")
_DUAL = re.compile(r"(?<!\\)\^\Z")
_TITLES = frozenset(
    (
        *("title", "credit", "author", "authors", "source", "notes", "note"),
        *("draft date", "date", "contact", "copyright", "format", "revision"),
    )
)
_FORCED = ("!", "@", "=", "~", "#", ".", ">", "\\")


def read_fountain(text: str) -> Script:
    """The script that a text is. Raises BadInput, with the line that is wrong and what was expected."""
    return _Reader(lines_of(_without_comments(text))).script()


def write_fountain(script: Script, tongue: Tongue = ENGLISH) -> str:
    """A script as text; ``read_fountain`` gives it back."""
    parts = [f"Title: {_NOTES.put(script.title)}", ""] if script.title else []
    for number, sheet in enumerate(script.sheets, 1):
        parts += _sheet(sheet, sheet.number or str(number), tongue)
    return _open_guarded("\n".join(parts).rstrip("\n")) + "\n" if parts else ""


def _open_guarded(text: str) -> str:
    """A text in which no comment begins."""
    return re.sub(r"/(\\*\*)", r"/\\\1", text)


def _without_comments(text: str) -> str:
    """A text without what stands between ``/*`` and ``*/``; its lines keep their numbers."""
    parts: list[str] = []
    at = 0
    while (start := text.find("/*", at)) >= 0 and (end := text.find("*/", start + 2)) >= 0:
        parts += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 2
    parts.append(text[at:])
    return re.sub(r"/\\(\\*\*)", r"/\1", "".join(parts))


def _sheet(sheet: Sheet, number: str, tongue: Tongue) -> Iterator[str]:
    heading = sheet_heading(Sheet(kind=sheet.kind), number, tongue).upper()
    name = f"{tongue.colon}{_NOTES.put(sheet.name)}" if sheet.name else ""
    yield from (f".{_noted(f'{heading}{name}', sheet.id)}", "")
    for panel, words in panel_headings(sheet, tongue):
        if words:
            yield from (f".{_noted(words.upper(), panel.id)}", "")
        yield from _panel(panel, tongue)


def _panel(panel: Panel, tongue: Tongue) -> Iterator[str]:
    if panel.description:
        yield from map(_action, panel.description.split("\n"))
        yield ""
    for line in panel.lines:
        yield cue_text(line, tongue, cased=True)
        words = [_words(words) for words in emphasized(line.text).split("\n")]
        words[-1] = _noted(words[-1], line.id) if line.text else f"[[{line.id}]]"
        yield from words
        yield ""


def _words(words: str) -> str:
    if not words:
        return "  "
    guarded = _NOTES.put(words)
    return f"\\{guarded}" if _is_aside(guarded) else guarded


def _is_aside(text: str) -> bool:
    """Whether a line of dialogue begins with a parenthesis, behind any number of backslashes."""
    return text.lstrip("\\").startswith(("(", "（"))


def _noted(text: str, name: str) -> str:
    return f"{text} [[{name}]]" if name else text


def _action(text: str) -> str:
    """A line of a description, told from everything else by an exclamation mark where it needs one."""
    text = _NOTES.put(text)
    if not text:
        return text
    forced = text.startswith((*_FORCED, "===")) or _bare(text) is not None or _character(text) is not None
    return f"!{text}" if forced else text


def _bare(text: str) -> Heading | None:
    """The heading that a line without marks of one is."""
    if text[:1].isupper() or text[:1] == "第":
        return heading_of(text, bare=True)
    return None


def _character(text: str) -> Cue | None:
    """Who speaks below a line; None where the line is no name."""
    bare = unnumbered(_DUAL.sub("", text).rstrip(" "))
    cue = cue_at(bare)
    if cue is None or cue.end != len(bare):
        return None
    if cue.forced or is_voice(cue.name):
        return cue
    cased = cue.name.upper() != cue.name.lower()
    return cue if cased and is_capital(cue.name) and is_name(cue.name) else None


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0
        self._apart = True
        """Whether the line before was empty, or a heading: only then does a name begin dialogue."""
        self._build = Builder()

    def script(self) -> Script:
        """Read it all."""
        self._title_page()
        while self._at < len(self._lines):
            text = self._lines[self._at].strip(" ")
            self._at += 1
            apart, self._apart = self._apart, not text
            self._read(text, apart=apart)
        return self._build.script()

    def _title_page(self) -> None:
        """Facts at the top, up to the first empty line; only the title is one of a script's."""
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        key = ""
        found: list[str] = []
        while self._at < len(self._lines) and self._lines[self._at].strip():
            line = self._lines[self._at]
            name, colon, value = line.partition(":")
            if colon and name.strip().lower() in _TITLES and not line.startswith(" "):
                key = name.strip().lower()
            elif key and line.startswith(" "):
                value = line
            else:
                break
            found += [value.strip()] if key == "title" else []
            self._at += 1
        self._build.title = tidy_title(_NOTES.taken(" ".join(found)))

    def _read(self, text: str, *, apart: bool) -> None:
        at = self._at
        if text.startswith("===") and not text.strip("="):
            return
        if text.startswith("!"):
            self._stray(self._noted(text)[1])
            self._build.paragraph(_NOTES.taken(text[1:]), at)
            return
        forced = text.startswith((".", "#")) and not text.startswith("..")
        bare, name = self._noted(text.lstrip("#").removeprefix(".").strip(" ") if forced else text)
        heading = heading_of(_NOTES.taken(bare)) if forced else _bare(bare)
        if heading is not None:
            self._build.heading(heading, name, at)
            self._apart = True
            return
        if text.startswith("#"):
            raise fault(
                at,
                "this heading is none of a script's",
                ".PAGE 3, .COVER, .SPREAD 4–5, .PANEL 2, .ON THE PAGE",
            )
        bare, name = self._noted(text)
        cue = _character(bare) if apart or text.startswith("@") else None
        if cue is not None and self._at < len(self._lines) and self._lines[self._at].strip(" "):
            self._said(cue, name)
            return
        self._stray(name)
        for mark in (".", ">", "=", "~"):
            if text.startswith(mark) and not text.startswith(mark * 2):
                text = text.removeprefix(mark).strip(" ")
                break
        self._build.paragraph(_NOTES.taken(text), at)

    def _stray(self, name: str) -> None:
        """Refuse an id beside a line of action. Raises BadInput."""
        if name:
            raise fault(
                self._at,
                f"{name} stands on a line of action",
                "a CHARACTER in capitals, and words below",
                ids=[name],
            )

    def _said(self, cue: Cue, name: str) -> None:
        """Dialogue up to the next empty line; two spaces are an empty line of it."""
        at, words, asides = self._at, list[str](), [cue.aside] if cue.aside else []
        names = [name] if name else []
        while self._at < len(self._lines) and (self._lines[self._at].strip(" ") or self._lines[self._at][:2] == "  "):
            text, name = self._noted(self._lines[self._at].strip(" "))
            names += [name] if name else []
            asides += _NOTE.findall(text)
            text = _NOTE.sub("", text).strip(" ")
            aside = _ASIDE.fullmatch(text)
            if aside is not None:
                asides.append(aside[1])
            else:
                words.append(_NOTES.taken(text.removeprefix("\\") if _is_aside(text) else text))
            self._at += 1
        whole = cue._replace(aside=", ".join(asides))
        self._build.line(whole, marked("\n".join(words)), names, at)

    def _noted(self, text: str) -> tuple[str, str]:
        """A text without the id at its end, and that id."""
        found = _NOTED.fullmatch(text) if text.endswith("]]") else None
        return (text, "") if found is None else (found["text"].rstrip(" "), found["id"])
