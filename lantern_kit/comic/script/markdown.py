r"""A script as Markdown.

``# Title`` · ``## Page 3: Name {#un_…}`` · ``### Panel 2 {#fr_…}`` · paragraphs that say what is to be seen ·
``MIRA (whisper): words {#bl_…}``, ``CAPTION: …``, ``SFX: …``; further lines of words are indented · ``### On the page``
before lettering that lies in no panel. A backslash before a paragraph's line says that it is no more than that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lantern_kit.comic.script.building import Builder, lines_of
from lantern_kit.comic.script.cues import Cue, cue_at, cue_text, is_name, is_voice, unnumbered
from lantern_kit.comic.script.faults import fault
from lantern_kit.comic.script.headings import Heading, heading_of, panel_headings, sheet_heading
from lantern_kit.comic.script.model import Line, Panel, Script, Sheet, tidy_title
from lantern_kit.comic.script.tongues import ENGLISH, Tongue
from lantern_kit.comic.script.words import ID, Guard, marked, unmarked

_TAG = rf"\{{#{ID}(?:#[0-9a-z]{{8}})?\}}(?=\n|\Z)"
_TAGGED = re.compile(rf"(?P<text>.*?)(?<!\\)\{{#(?P<id>{ID})(?:#[0-9a-z]{{8}})?\}}\Z", re.DOTALL)
_WRONG_TAG = re.compile(r"(?<!\\)\{#[^{}\n]{0,60}\}\Z")
_TAGS = Guard(_TAG)
_HEADS = Guard(r"\{#[^{}\n]{0,60}\}(?=\n|\Z)")
_RULE = re.compile(r"([-*_=])(?:[ ]?\1){2,}")
_COMMENT = re.compile(r"<!--.*-->")
_FENCE = "```"


def read_markdown(text: str) -> Script:
    """The script that a text is. Raises BadInput, with the line that is wrong and what was expected."""
    return _Reader(lines_of(text)).script()


def write_markdown(script: Script, tongue: Tongue = ENGLISH) -> str:
    """A script as text; ``read_markdown`` gives it back."""
    parts: list[str] = []
    if script.title:
        title = script.title
        plain = not title.startswith("\\") and heading_of(title) is None
        parts += [f"# {'' if plain else chr(92)}{_HEADS.put(title)}", ""]
    for number, sheet in enumerate(script.sheets, 1):
        parts += _sheet(sheet, sheet.number or str(number), tongue)
    return "\n".join(parts).rstrip("\n") + "\n" if parts else ""


def _sheet(sheet: Sheet, number: str, tongue: Tongue) -> Iterator[str]:
    yield from (f"## {_named(_HEADS.put(sheet_heading(sheet, number, tongue)), sheet.id)}", "")
    for panel, heading in panel_headings(sheet, tongue):
        if heading:
            yield from (f"### {_named(heading, panel.id)}", "")
        yield from _panel(panel, tongue)


def _panel(panel: Panel, tongue: Tongue) -> Iterator[str]:
    if panel.description:
        yield from map(_paragraph, panel.description.split("\n"))
        yield ""
    for line in panel.lines:
        yield from _line(line, tongue)
    if panel.lines:
        yield ""


def _line(line: Line, tongue: Tongue) -> Iterator[str]:
    words = _TAGS.put(unmarked(line.text)).split("\n")
    before = f"{cue_text(line, tongue)}{tongue.colon}"
    words[0] = f"{before}{words[0]}" if words[0] else before.rstrip()
    words[-1] = _named(words[-1], line.id)
    yield words[0]
    yield from (f"  {further}" if further else "" for further in words[1:])


def _named(text: str, name: str) -> str:
    return f"{text} {{#{name}}}" if name else text


def _paragraph(text: str) -> str:
    """A line of a description, told from everything else by a backslash where it needs one."""
    text = _TAGS.put(text)
    if not text:
        return text
    plain = not text.startswith(("\\", "#")) and not _is_rule(text) and _bare(text) is None
    return text if plain and _cue(text, tagged=False) is None else f"\\{text}"


def _is_rule(text: str) -> bool:
    """Whether a line parts others, fences them or is a comment, and says nothing itself."""
    return text.startswith(_FENCE) or any(pattern.fullmatch(text) for pattern in (_RULE, _COMMENT))


def _bare(text: str) -> Heading | None:
    """The heading that a line without marks of one is."""
    text = _unbold(text)
    if len(text) > _LONGEST_BARE and ":" not in text[:40] and "：" not in text[:40]:
        return None
    return heading_of(text, bare=True) if text[:1].isupper() or text[:1] == "第" else None


_LONGEST_BARE = 80


def _cue(text: str, *, tagged: bool) -> Cue | None:
    """Who says a line and how; None for a paragraph. What has an id is a line whatever its name looks like."""
    text = _uncounted(text)
    cue = cue_at(text)
    if cue is None or text[cue.end : cue.end + 1] not in (":", "："):
        return None
    return cue if cue.forced or is_voice(cue.name) or is_name(cue.name) or tagged else None


def _uncounted(text: str) -> str:
    """``- **MIRA:** so`` and ``1. MIRA: so`` as ``MIRA: so``."""
    return unnumbered(_unbold(unnumbered(text.removeprefix("- "))))


def _unbold(text: str) -> str:
    """``**MIRA:** so`` as ``MIRA: so``."""
    if text.startswith("**") and (end := text.find("**", 2, 200)) > 0:
        return text[2:end] + text[end + 2 :]
    return text


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0
        self._build = Builder()

    def script(self) -> Script:
        """Read it all."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            self._read(line.strip(" "), len(line) - len(line.lstrip(" ")))
        return self._build.script()

    def _read(self, text: str, indent: int) -> None:
        at = self._at
        if _is_rule(text):
            return
        if text.startswith("#"):
            self._heading(text.lstrip("#").strip(" "), at, top=not text.startswith("##"))
            return
        bare, name = self._tagged(text)
        if text.startswith("\\"):
            self._stray(name)
            self._build.paragraph(_TAGS.taken(text[1:]), at)
            return
        heading = _bare(bare)
        if heading is not None:
            self._build.heading(heading, name, at)
            return
        cue = _cue(text, tagged=bool(name))
        if cue is not None:
            self._said(cue, _uncounted(text)[cue.end + 1 :], indent)
            return
        self._stray(name)
        self._build.paragraph(_TAGS.taken(text), at)

    def _stray(self, name: str) -> None:
        """Refuse an id beside a paragraph. Raises BadInput."""
        if name:
            raise fault(
                self._at,
                f"{name} stands on a line without a name",
                "NAME: words, CAPTION: words or SFX: words",
                ids=[name],
            )

    def _heading(self, text: str, at: int, *, top: bool) -> None:
        text, name = self._tagged(text)
        wrong = _WRONG_TAG.search(text)
        if wrong is not None:
            raise fault(at, "this is no id", "{#un_…} of a page or {#fr_…} of a panel, as they were read")
        heading = heading_of(_HEADS.taken(text))
        if heading is not None:
            self._build.heading(heading, name, at)
        elif top and not self._build.begun and not self._build.title and text and not name:
            self._build.title = tidy_title(_HEADS.taken(text.removeprefix("\\")))
        else:
            raise fault(
                at,
                "this heading is none of a script's",
                "# Title, ## Page 3, ## Cover, ## Spread 4–5, ## Transition, ### Panel 2 or ### On the page",
            )

    def _said(self, cue: Cue, first: str, indent: int) -> None:
        """A line with the further lines of its words."""
        at, found = self._at, [first]
        empty = 0
        while self._at < len(self._lines):
            line = self._lines[self._at]
            text = line.strip(" ")
            further = len(line) - len(line.lstrip(" ")) > indent
            if not text:
                empty += 1
                self._at += 1
                continue
            if not further and (empty or self._begins(text)):
                break
            found += [""] * empty + [text]
            empty = 0
            self._at += 1
        words, names = [], []
        for text in found:
            words_here, name = self._tagged(text.strip(" "))
            words.append(_TAGS.taken(words_here))
            names += [name] if name else []
        self._build.line(cue, marked("\n".join(words)), names, at)

    def _begins(self, text: str) -> bool:
        """Whether a line that is not indented begins something else, and goes on with no words."""
        if text.startswith(("#", "\\")) or _is_rule(text):
            return True
        bare, name = self._tagged(text)
        return _bare(bare) is not None or _cue(text, tagged=bool(name)) is not None

    def _tagged(self, text: str) -> tuple[str, str]:
        """A text without the id at its end, and that id."""
        found = _TAGGED.fullmatch(text) if text.endswith("}") else None
        return (text, "") if found is None else (found["text"].rstrip(" "), found["id"])
