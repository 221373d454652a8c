"""jtypeset, a Japanese typesetter in C++ that follows JLREQ: the same words in the same fonts."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from lantern_kit.comic.markup import parse
from lantern_kit.comic.model import TextStyle, Writing
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts

MORE = 0.02
"""Room that is added to a line's length, in ems: two ways of adding up must not break a line that just fits."""


class Peer(NamedTuple):
    """What jtypeset makes of some words; lengths in ems."""

    lines: tuple[tuple[int, int], ...]
    """Begin and end of each line, in characters."""
    starts: dict[int, float]
    """Where the place of each character begins, along its line."""
    lengths: tuple[float, ...]
    """Of each line, without any stretching."""


class Japanese:
    """jtypeset with the kit's fonts."""

    def __init__(self, fonts: Fonts | None = None) -> None:
        self.lib: Any = import_module("jtypeset")
        self.fonts = fonts or packaged_fonts()
        self._sets: dict[tuple[str, ...], Any] = {}

    def paragraph(self, words: str, style: TextStyle, size: float, **spacing: Any) -> tuple[Any, Any, Any]:
        """Marked words as jtypeset's paragraph: font set, paragraph, writing mode."""
        lib = self.lib
        faces = self.fonts.choice(style).faces
        files = tuple(str(face.path) for face in faces)
        if files not in self._sets:
            made = lib.FontSet()
            for file in files:
                assert made.load_file(file, file)
            self._sets[files] = made
        marked = parse(words)
        look = lib.TextStyle(list(files), size)
        look.language = style.language
        looks = lib.ParagraphStyle()
        looks.align = lib.Align.START
        for name, value in spacing.items():
            setattr(looks.spacing, name, value)
        made = lib.Paragraph(marked.text, look, looks)
        units = [0]
        for character in marked.text:
            units.append(units[-1] + len(character.encode("utf-16-le")) // 2)
        for ruby in marked.rubies:
            mode = lib.RubyMode.MONO if len(ruby.readings) > 1 else lib.RubyMode.GROUP
            if len(ruby.readings) > 1:
                for number, reading in enumerate(ruby.readings):
                    at = ruby.start + number
                    made.annotate(lib.Annotation.ruby(units[at], units[at + 1], reading, mode))
            else:
                made.annotate(lib.Annotation.ruby(units[ruby.start], units[ruby.end], ruby.readings[0], mode))
        for start, end, stretch in marked.stretches:
            if stretch.column == "tcy":
                made.annotate(lib.Annotation.tate_chu_yoko(units[start], units[end]))
            if stretch.marks:
                made.annotate(lib.Annotation.emphasis(units[start], units[end]))
        mode = lib.WritingMode.VERTICAL_RL if style.writing is Writing.VERTICAL else lib.WritingMode.HORIZONTAL_TB
        return self._sets[files], made, mode

    def set(self, words: str, style: TextStyle, lengths: Sequence[float] = (), *, length: float = 200.0) -> Peer:
        """Set marked words on lines of so many ems, the last length for all that follow."""
        size = 100.0
        fonts, paragraph, mode = self.paragraph(words, style, size)
        found = self.lib.layout_paragraph(
            fonts, paragraph, mode, [(given + MORE) * size for given in lengths], (length + MORE) * size
        )
        text = parse(words).text
        places = []
        for at, character in enumerate(text):
            places += [at] * (len(character.encode("utf-16-le")) // 2)
        places.append(len(text))
        starts = {
            places[box.char_index]: box.inline_start / size
            for number in range(len(found.lines))
            for box in found.char_boxes(number)
        }
        return Peer(
            tuple((places[line.char_start], places[line.char_end]) for line in found.lines),
            starts,
            tuple(line.natural_length / size for line in found.lines),
        )
