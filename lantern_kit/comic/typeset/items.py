"""A text taken apart into what is set as one: characters with all that is written over them.

Each has its face, its script, its level, and its way to stand in a column.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import NamedTuple

from lantern_kit.comic.markup import Look, Marked
from lantern_kit.comic.model import MILLION, TextStyle, Writing
from lantern_kit.comic.typeset import characters as kind
from lantern_kit.comic.typeset.bidi import levels
from lantern_kit.comic.typeset.breaking import graphemes
from lantern_kit.comic.typeset.fonts import CJK_LANGUAGES, EMOJI, Choice, Face, Fonts, among_ideographs
from lantern_kit.comic.typeset.standing import FLAT, ONE_PLACE, TURNED, UPRIGHT, Standing, standings


class Dress(NamedTuple):
    """How a stretch of words looks."""

    choice: Choice
    scale: float
    """Em size over that of the whole."""
    colour: str
    marks: str


@dataclass(slots=True)
class Item:
    """What is set as one."""

    start: int
    end: int
    text: str
    """What is shown: the characters, or what stands for them in a column."""
    dress: Dress
    face: Face
    wide: bool
    """Full width: an ideograph, or a mark among them."""
    script: str
    level: int
    stand: Standing


class Taken(NamedTuple):
    """A text taken apart."""

    items: list[Item]
    missing: tuple[str, ...]
    """Characters that no face has, each once."""
    unknown: str
    """A family that is not installed; else empty."""


def take(marked: Marked, style: TextStyle, fonts: Fonts, writing: Writing) -> Taken:
    """Take a text apart. Line ends are no items; what is not shown belongs to what it stands beside."""
    return _Taker(marked, style, fonts, writing).take()


class _Taker:
    def __init__(self, marked: Marked, style: TextStyle, fonts: Fonts, writing: Writing) -> None:
        self.text = marked.text
        self.stretches = marked.stretches
        self.style = style
        self.fonts = fonts
        self.columns = writing is Writing.VERTICAL
        self.missing: dict[str, None] = {}
        self.unknown: dict[str, None] = {}
        self.wide_language = style.language.partition("-")[0] in CJK_LANGUAGES
        self.shown = list(self.text)
        self.wide = self._widths()
        self.levels = levels(self.text, style.language)
        self._faces: dict[tuple[str, bool, int], Face] = {}

    def take(self) -> Taken:
        text = self.text
        looks = [stretch.look for stretch in self.stretches]
        spans = self._spans()
        stands: dict[int, tuple[int, Standing]] = {}
        if self.columns:
            stands = standings(text, self.wide, self.shown, self._columns(), self.style.combine)
        dresses = [self._dress(look) for look in looks]
        items: list[Item] = []
        stretch, skip = 0, 0
        last: Item | None = None
        for start, end in spans:
            if start < skip:
                continue
            character = text[start]
            if character == "\n":
                last = None
                continue
            while self.stretches[stretch].end <= start:
                stretch += 1
            stand = FLAT
            if self.columns:
                stop, stand = stands.get(start, (end, TURNED))
                if stop > end:
                    end = skip = stop
            item = self._item(start, end, dresses[stretch], last, stand)
            items.append(item)
            last = item
        return Taken(items, tuple(self.missing), next(iter(self.unknown), ""))

    def _columns(self) -> list[tuple[int, int, str]]:
        return [(s.start, s.end, s.look.column) for s in self.stretches if s.look.column]

    def _dress(self, look: Look) -> Dress:
        style = self.style
        bold = style.bold if look.bold is None else look.bold
        italic = style.italic if look.italic is None else look.italic
        choice = self._choice(look.font or style.font, bold=bold, italic=italic)
        if choice.unknown:
            self.unknown[choice.unknown] = None
            if look.font:
                choice = self._choice(style.font, bold=bold, italic=italic)
        return Dress(choice, look.size / MILLION, look.colour, look.marks)

    def _choice(self, font: str, *, bold: bool, italic: bool) -> Choice:
        among = among_ideographs(self.style, self.text, font)
        return self.fonts.named(font, bold=bold, italic=italic, ideographic=among)

    def _spans(self) -> list[tuple[int, int]]:
        """The text's characters with what is written over them; a dash that goes on is one."""
        spans: list[tuple[int, int]] = []
        start = 0
        text = self.text
        for end in graphemes(text):
            dash = text[start] in "—―" and start > 0 and text[start - 1] == text[start] and self.wide[start]
            if dash and spans[-1][1] == start:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((start, end))
            start = end
        return spans

    def _item(self, start: int, end: int, dress: Dress, last: Item | None, stand: Standing) -> Item:
        cluster = "".join(self.shown[start:end])
        wide = self.wide[start]
        level = self.levels[start] if self.levels else 0
        face = self._face(cluster, start, dress, last, wide=wide, level=level)
        script = kind.script_of(cluster[0])
        if script in ("Zyyy", "Zinh"):
            script = "Hani" if wide else last.script if last is not None and last.face is face else "Latn"
        elif script in ("Hira", "Kana", "Bopo"):
            script = "Hani"
        if self.columns and stand is not ONE_PLACE and kind.is_emoji(cluster):
            stand = UPRIGHT
        return Item(start, end, cluster, dress, face, wide, script, level, stand)

    def _face(self, cluster: str, start: int, dress: Dress, last: Item | None, *, wide: bool, level: int) -> Face:
        choice = dress.choice
        if last is not None and last.end == start and last.dress is dress and last.face.family != EMOJI:
            if cluster == " " or kind.is_invisible(cluster[0]):
                return last.face
            # The marks of a script are of its own face.
            own = last.wide or last.script == "Hang" or level & last.level & 1
            mark = kind.script_of(cluster[0]) == "Zyyy" and not cluster[0].isalnum() and not kind.is_emoji(cluster)
            if own and mark and _has(last.face, cluster):
                return last.face
        key = (cluster, wide, id(choice))
        found = self._faces.get(key)
        if found is None:
            found = self._faces[key] = self._chosen(cluster, choice, wide=wide)
        return found

    def _chosen(self, cluster: str, choice: Choice, *, wide: bool) -> Face:
        faces = choice.faces
        if (len(cluster) > 1 or not wide) and kind.is_emoji(cluster):
            faces = choice.emoji_faces
        if wide and faces is choice.faces:
            faces = choice.wide_faces
        for face in faces:
            if _has(face, cluster):
                return face
        composed = unicodedata.normalize("NFC", cluster)
        visible = [c for c in composed if not kind.is_invisible(c)]
        best = max(
            faces, key=lambda face: (bool(face.glyph(ord(composed[0]))), sum(map(face.glyph, map(ord, visible))) > 0)
        )
        for character in visible:
            if not character.isspace() and not best.glyph(ord(character)):
                self.missing[character] = None
        return best

    def _widths(self) -> list[bool]:
        """Which characters are full width. Marks that letters and ideographs share go by what they stand among."""
        text = self.text
        if text.isascii():
            return [False] * len(text)
        wide = [kind.is_ideographic(c) for c in text]
        shared = [at for at, c in enumerate(text) if c in kind.AMBIGUOUS]
        among = any(wide)
        quotes = [at for at in shared if text[at] in "“”‘’"]
        for marks in (quotes, [at for at in shared if text[at] not in "“”‘’"]):
            before, after = self._neighbours(text, wide), self._neighbours(text[::-1], wide[::-1])[::-1]
            for at in marks:
                beside = (before[at], after[at])
                edge = self.wide_language and None in beside and (among or beside == (None, None))
                wide[at] = True in beside or edge
            if marks is quotes and quotes:
                self._quotes(wide)
        if self.columns:
            self._stops(wide)
        return wide

    def _stops(self, wide: list[bool]) -> None:
        """Stops and dots of alphabets behind ideographs and Hangul stand in a column as theirs do."""
        text = self.text
        at = 1
        while at < len(text):
            end = at
            if text[at] in ".," and (wide[at - 1] or kind.is_hangul(text[at - 1])):
                while end < len(text) and text[end] == text[at]:
                    end += 1
                run = end - at
                if text[at] == "." and run > 1:  # three dots are one mark, the other two then show nothing
                    full, rest = divmod(run, 3)
                    self.shown[at:end] = [*("…", "\u200b", "\u200b") * full, *("‥\u200b" if rest == 2 else "．" * rest)]
                    wide[at:end] = [True] * run
                elif run == 1 and not kind.is_letter(text[end : end + 1] or " "):
                    self.shown[at] = "．" if text[at] == "." else "，"
                    wide[at] = True
            at = max(end, at + 1)

    @staticmethod
    def _neighbours(text: str, wide: list[bool]) -> list[bool | None]:
        """For every place, whether the last letter before it in its paragraph is full width; None without any."""
        found: list[bool | None] = []
        last: bool | None = None
        for at, character in enumerate(text):
            found.append(last)
            if character == "\n":
                last = None
            elif wide[at] or (character not in kind.AMBIGUOUS and character.isalnum()):
                last = wide[at] or (kind.is_hangul(character) and None)
        return found

    def _quotes(self, wide: list[bool]) -> None:
        """Quotation marks go in pairs, and an apostrophe is a letter's; in columns they have forms of their own."""
        text = self.text
        forms = kind.QUOTES[self._written()]
        opened: list[int] = []
        pairs: list[tuple[int, ...]] = []
        for at, character in enumerate(text):
            if character == "\n":
                opened.clear()
            elif character in "“‘":
                opened.append(at)
            elif character in "”’":
                inside = at > 0 and kind.is_letter(text[at - 1])
                partner = "“" if character == "”" else "‘"
                match = next((place for place in reversed(opened) if text[place] == partner), None)
                if character == "’" and inside and (match is None or kind.is_letter(text[at + 1 : at + 2] or " ")):
                    wide[at] = False
                elif match is None:
                    pairs.append((at,))
                else:
                    opened = opened[: opened.index(match)]
                    pairs.append((match, at))
        closed = {place for pair in pairs for place in pair}
        pairs.extend((at,) for at, c in enumerate(text) if c in "“‘" and at not in closed)
        for pair in pairs:
            full = any(wide[place] for place in pair)
            for place in pair:
                wide[place] = full
                if self.columns and (full or self._among_hangul(place)):
                    wide[place] = True
                    self.shown[place] = forms["“”‘’".index(text[place])]

    def _written(self) -> str:
        """The ideographic language of the words: the style's, or what they look like."""
        language = self.style.language
        if self.wide_language:
            return kind.chinese(language) or ("ko" if language.partition("-")[0] == "ko" else "ja")
        if any(map(kind.is_kana, self.text)):
            return "ja"
        return "ko" if any(map(kind.is_hangul, self.text)) else "zh-Hans"

    def _among_hangul(self, at: int) -> bool:
        return any(kind.is_hangul(c) for c in (self.text[at - 1 : at] + self.text[at + 1 : at + 2]))


def _has(face: Face, cluster: str) -> bool:
    """Whether a face has all of a cluster, composed or taken apart."""
    if len(cluster) == 1:
        return bool(face.glyph(ord(cluster)))
    if all(face.glyph(ord(c)) or kind.is_invisible(c) for c in cluster):
        return True
    return all(face.glyph(ord(c)) or kind.is_invisible(c) for c in unicodedata.normalize("NFC", cluster))
