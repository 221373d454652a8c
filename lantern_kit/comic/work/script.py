"""A chapter's words as people hold them: a text that shows itself, and can be saved."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.markup import plain
from lantern_kit.comic.measure import counted
from lantern_kit.comic.merge import merge
from lantern_kit.comic.model import Frame, Lettering, Unit
from lantern_kit.comic.pages import unit_labels
from lantern_kit.comic.script import Form, write_script
from lantern_kit.comic.script.of_book import script_of
from lantern_kit.comic.script.words import ID
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work import show
from lantern_kit.kernel.errors import BadInput, MergeConflict, NotFound, nearest
from lantern_kit.kernel.files import write_text

SUFFIXES = {".md": Form.MARKDOWN, ".markdown": Form.MARKDOWN, ".txt": Form.MARKDOWN, ".fountain": Form.FOUNTAIN}
_COMMENTS = {Form.MARKDOWN: ("<!--", "-->"), Form.FOUNTAIN: ("/*", "*/")}
_OF = re.compile(
    r"^(?:<!--|/\*) (?P<chapter>ch_[0-9a-z]{4,20}) at r(?P<revision>[0-9]{1,16}) (?:-->|\*/)$", re.MULTILINE
)
_ID = re.compile(rf"\b{ID}\b")
LONGEST_QUOTED = 40
SHOWN = 20
"""Conflicts that an error names."""
_STYLE = "white-space:pre-wrap;font:13px/1.5 ui-monospace,monospace;max-height:60em;overflow:auto;margin:0"


class ScriptText(str):
    """A script: a text like any other that shows its lines as lines."""

    __slots__ = ()

    def save(self, path: str | Path) -> Path:
        """Write it as UTF-8; an older file of that name is replaced. Raises BadInput."""
        target = Path(path)
        write_text(target, self)
        return target

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(str(self), show.Markup(f'<pre style="{_STYLE}">{escape(self)}</pre>'))


def script_text(moment: Moment, form: str, units: Iterable[str] | None) -> ScriptText:
    """The words of a chapter, or of some of its units by id or handle. Raises BadInput, NotFound.

    Its last line says, as a comment, of which revision it is.
    """
    names = None if units is None else [parse_handle(name)[0] for name in units]
    book, written = moment.book, form_named(form)
    start, end = _COMMENTS[written]
    words = write_script(script_of(book, names), written, language=book.chapter.language)
    return ScriptText(f"{words}\n{start} {book.chapter.id} at {moment.id} {end}\n")


def revision_of(text: str, chapter: str) -> int | None:
    """The revision of a chapter that a script says it is of; None where it says none, or is of another chapter."""
    found = [*_OF.finditer(text)]
    return int(found[-1]["revision"]) if found and found[-1]["chapter"] == chapter else None


def is_written(path: Path, chapter: str) -> bool:
    """Whether a file is a script that was read out of a chapter: its last line says of which revision."""
    try:
        lines = path.read_bytes().decode("utf-8-sig").rstrip().splitlines()
    except UnicodeDecodeError:
        return False
    found = _OF.fullmatch(lines[-1]) if lines else None
    return found is not None and found["chapter"] == chapter


def as_counted(text: str, *books: Book) -> str:
    """A text with pages and panels as people count them in place of ids; the first book that has a thing names it."""

    def named(found: re.Match[str]) -> str:
        name = found[0]
        for book in books:
            for unit in [book.unit(name)] if name in book else book.units():
                if name == unit.id or name in unit.index:
                    return _place(book, unit, name)
        return name

    return _ID.sub(named, text)


def _place(book: Book, unit: Unit, name: str) -> str:
    """``page 2, panel 1: “Hello?”``."""
    page = unit_labels(book, [unit.id])[0]
    if name == unit.id:
        return page
    item = unit.index[name]
    frames = [other for other in unit.reading if isinstance(unit.index[other], Frame)]
    panel = name if isinstance(item, Frame) else item.parent
    where = f"{page}, panel {frames.index(panel) + 1}" if panel in frames else page
    if not isinstance(item, Lettering):
        return where if isinstance(item, Frame) else f"{where}: {item.kind}"
    words = plain(item.text).replace("\n", " ")
    return f"{where}: “{words if len(words) <= LONGEST_QUOTED else words[:LONGEST_QUOTED] + '…'}”"


def merged(base: Book, ours: Book, theirs: Book) -> Book:
    """What a script of an earlier state changes, brought into the state of now.

    Args:
        base: what the script was read from.
        ours: the chapter now.
        theirs: the earlier state with the script written to it.

    Raises:
        MergeConflict: both changed the same things.
    """
    found = merge(base, ours, theirs)
    if found.conflicts:
        raise MergeConflict(
            f"{counted(len(found.conflicts), 'change')} of the script meet other changes of the same things",
            ids=sorted({item.object for item in found.conflicts}),
            recovery="Read the script anew and change that; or take its last line away, to write it over them.",
            details={
                "conflicts": [
                    {"unit": item.unit, "object": item.object, "property": item.property}
                    for item in found.conflicts[:SHOWN]
                ]
            },
        )
    return found.book


def form_named(form: str) -> Form:
    """A form by its name. Raises BadInput."""
    try:
        return Form(form)
    except ValueError:
        close = nearest(form, [item.value for item in Form])
        raise BadInput(
            "that is no form of a script",
            expected=[item.value for item in Form],
            found=form[:40],
            recovery=f"nearest: {close[0]}." if close else "Name one of these.",
        ) from None


def form_of(path: Path, form: str | None) -> Form:
    """The form of a file's script: as named, else by its name."""
    return SUFFIXES.get(path.suffix.lower(), Form.MARKDOWN) if form is None else form_named(form)


def read_text(path: Path) -> str:
    """A script's file. Raises NotFound, BadInput for one that is no text."""
    try:
        return decoded(path.read_bytes())
    except FileNotFoundError:
        raise NotFound("there is no such file", found=path.name, recovery="Name the script's file.") from None


def decoded(data: bytes) -> str:
    """The text of a script's bytes. Raises BadInput for what is none, with its line."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput(
            f"line {line}: this is no UTF-8 text", recovery="Save the file as UTF-8.", details={"line": line}
        ) from None
