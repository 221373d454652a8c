"""Fonts by package: which faces set a text, in which order they are asked for a character, and how they are adapted.

No font of the operating system is ever looked at, so that a page is the same on every machine. A person's own fonts
come from folders that are named when ``Fonts`` is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import uharfbuzz as hb

from lantern_kit import datasets
from lantern_kit.comic.model import TextStyle
from lantern_kit.comic.typeset.characters import is_hangul, is_ideographic
from lantern_kit.kernel.errors import MissingDependency, NotFound, nearest

SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".otc"})
_OUTLINES = frozenset({"glyf", "CFF ", "CFF2"})
"""Tables of which a font has one, if its glyphs can be drawn at every size."""
OBLIQUE = 0.18
"""Lean of a synthetic italic, sideways over upwards."""
BOLD = 0.055
"""Ink added to a glyph by a synthetic bold, over the em."""
CJK_LANGUAGES = frozenset({"ja", "zh", "ko", "yue"})


class Ink(NamedTuple):
    """What a glyph covers, in ems from its origin, y up."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(eq=False)
class Face:
    """One font file, as HarfBuzz reads it."""

    family: str
    path: Path
    bold: bool = False
    italic: bool = False
    _inks: dict[int, Ink] = field(default_factory=dict, repr=False)
    _glyphs: dict[int, int] = field(default_factory=dict, repr=False)

    @cached_property
    def _face(self) -> Any:
        return hb.Face(hb.Blob.from_file_path(str(self.path)))

    @cached_property
    def shaper(self) -> Any:
        """HarfBuzz font, scaled to its own units."""
        return hb.Font(self._face)

    @cached_property
    def upem(self) -> int:
        """Units in an em."""
        return int(self._face.upem)

    def glyph(self, character: int) -> int:
        """Glyph of a code point; 0 where the font has none."""
        found = self._glyphs.get(character)
        if found is None:
            found = self._glyphs[character] = int(self.shaper.get_nominal_glyph(character) or 0)
        return found

    def ink(self, glyph: int) -> Ink:
        """What a glyph covers."""
        found = self._inks.get(glyph)
        if found is None:
            extents = self.shaper.get_glyph_extents(glyph)
            if extents is None:
                found = Ink(0.0, 0.0, 0.0, 0.0)
            else:
                left, top = extents.x_bearing, extents.y_bearing
                found = Ink(
                    left / self.upem,
                    (top + extents.height) / self.upem,
                    (left + extents.width) / self.upem,
                    top / self.upem,
                )
            self._inks[glyph] = found
        return found

    def advance(self, glyph: int) -> float:
        """Width of a glyph's place in a line, in ems."""
        return float(self.shaper.get_glyph_h_advance(glyph)) / self.upem

    @cached_property
    def has_columns(self) -> bool:
        """Whether the font says how its glyphs stand in columns."""
        return "vmtx" in self._face.table_tags

    @cached_property
    def has_ideographs(self) -> bool:
        """Whether the font is made for Chinese, Japanese or Korean."""
        return any(self.glyph(ord(character)) for character in "永あ가")

    def height_of(self, character: str, otherwise: float) -> float:
        """Top of a character's ink in ems; ``otherwise`` where the font lacks it."""
        glyph = self.glyph(ord(character))
        return self.ink(glyph).top if glyph else otherwise


class Packaged(NamedTuple):
    """Where a font package keeps a face."""

    family: str
    package: str
    module: str
    file: str
    bold: bool = False


PACKAGED = (
    Packaged("Delius", "fontpkg-delius", "fontpkg_delius", "files/Delius-Regular.ttf"),
    Packaged("Luckiest Guy", "fontpkg-luckiest-guy", "fontpkg_luckiest_guy", "files/LuckiestGuy-Regular.ttf"),
    Packaged(
        "Permanent Marker", "fontpkg-permanent-marker", "fontpkg_permanent_marker", "files/PermanentMarker-Regular.ttf"
    ),
    Packaged("Noto Sans CJK JP", "noto-cjk-sans-jp-regular", "noto_cjk_sans_jp_regular", "NotoSansCJKjp-Regular.otf"),
    Packaged("Noto Sans CJK JP", "noto-cjk-sans-jp-bold", "noto_cjk_sans_jp_bold", "NotoSansCJKjp-Bold.otf", bold=True),
    Packaged("Almarai", "fontpkg-almarai", "fontpkg_almarai", "files/Almarai-Regular.ttf"),
    Packaged("Almarai", "fontpkg-almarai", "fontpkg_almarai", "files/Almarai-Bold.ttf", bold=True),
    Packaged("Varela Round", "fontpkg-varela-round", "fontpkg_varela_round", "files/VarelaRound-Regular.ttf"),
)
EMOJI = "Noto Emoji"
SCRIPTS = ("Almarai", "Varela Round", EMOJI)
"""Asked in this order for what the first face and the fallback lack: Arabic, Hebrew, emoji (as line art)."""
FALLBACK = "Noto Sans CJK JP"


class Role(NamedTuple):
    """A use of lettering, by which a style asks for a font without naming one."""

    family: str
    weight: float = 0.0
    """Ink added to every glyph, over the em: pen lettering is heavier than a text face."""
    lean: float = 0.0
    among: bool = False
    """Its letters stand among ideographs and Hangul too; else those bring letters of their own face."""


ROLES = {
    "dialogue": Role("Delius", weight=0.018),
    "narration": Role("Delius", weight=0.012, lean=0.16),
    "sound": Role("Luckiest Guy"),
    "marker": Role("Permanent Marker", among=True),
    "sans": Role(FALLBACK, among=True),
}


class Choice(NamedTuple):
    """How a style is set."""

    faces: tuple[Face, ...]
    """Asked in this order for every character."""
    own: Face
    """The face of the role or family that was asked for."""
    weight: float
    """Ink added to every glyph of that face, over the em; the others are heavy enough."""
    lean: float
    """Lean of that face's glyphs: sideways over upwards."""
    italic: float
    """Lean of all others but pictures: a person asked for italic."""
    unknown: str
    """The family that was asked for, when it is not installed; else empty."""

    def weight_of(self, face: Face) -> float:
        """Ink added to every glyph of a face, over the em."""
        return self.weight if face is self.own else 0.0

    def lean_of(self, face: Face) -> float:
        """Synthetic italic of a face: a role's own lean is that of its letters, never of other scripts."""
        return self.lean if face is self.own else 0.0 if face.family == EMOJI else self.italic

    @property
    def wide_faces(self) -> tuple[Face, ...]:
        """The order for ideographs and what stands among them."""
        first, second, *rest = self.faces if len(self.faces) > 1 else self.faces * 2
        return self.faces if first.has_ideographs else (second, first, *rest)

    @property
    def emoji_faces(self) -> tuple[Face, ...]:
        """The order for pictures among the characters."""
        return (*(face for face in self.faces if face.family == EMOJI), *self.faces)


class Fonts:
    """The font packages, and the fonts of some folders.

    Args:
        folders: folders with fonts of a person's own; searched with all their subfolders, in order.
    """

    def __init__(self, folders: Iterable[Path | str] = ()) -> None:
        self.folders = tuple(Path(folder) for folder in folders)
        self.problems: list[str] = []
        """Font folders and files that could not be read, by name, with the reason."""
        self._choices: dict[tuple[str, bool, bool, bool], Choice] = {}

    @cached_property
    def _packaged(self) -> dict[str, list[Face]]:
        found: dict[str, list[Face]] = {}
        for item in PACKAGED:
            found.setdefault(item.family.casefold(), []).append(Face(item.family, _packaged_file(item), bold=item.bold))
        found[EMOJI.casefold()] = [Face(EMOJI, datasets.font("NotoEmoji-Regular.ttf"))]
        return found

    @cached_property
    def _own(self) -> dict[str, list[Face]]:
        found: dict[str, list[Face]] = {}
        for folder in self.folders:
            if not folder.is_dir():
                self.problems.append(f"the font folder {folder.name} is not there")
            for path in sorted(folder.rglob("*")):
                if path.suffix.lower() in SUFFIXES and path.is_file():
                    face = self._read(path)
                    if face is not None:
                        found.setdefault(face.family.casefold(), []).append(face)
        return found

    def _read(self, path: Path) -> Face | None:
        face = hb.Face(hb.Blob.from_file_path(str(path)))
        if face.glyph_count == 0 or face.upem < 16 or not _OUTLINES & set(face.table_tags):
            self.problems.append(f"{path.name} is not a font that can be read")
            return None
        ids = hb.OTNameIdPredefined
        family = face.get_name(ids.TYPOGRAPHIC_FAMILY) or face.get_name(ids.FONT_FAMILY)
        if not family:
            self.problems.append(f"{path.name} has no family name")
            return None
        style = (face.get_name(ids.TYPOGRAPHIC_SUBFAMILY) or face.get_name(ids.FONT_SUBFAMILY) or "").casefold()
        bold = "bold" in style or "black" in style or "heavy" in style
        return Face(family, path, bold=bold, italic="italic" in style or "oblique" in style)

    def families(self) -> tuple[str, ...]:
        """Names a style may ask for: the roles, then every family, sorted."""
        names = {face.family for faces in (*self._packaged.values(), *self._own.values()) for face in faces}
        return (*ROLES, *sorted(names))

    def face(self, family: str, *, bold: bool = False, italic: bool = False) -> Face:
        """The face of a family that comes nearest to what is asked. Raises NotFound, naming near families."""
        key = family.casefold()
        faces = self._own.get(key) or self._packaged.get(key)
        if not faces:
            close = nearest(family, self.families())
            hint = f"Use a role ({', '.join(ROLES)}) or an installed family"
            raise NotFound(
                f"no font of the family {family} is installed",
                ids=[family],
                recovery=f"{hint}; nearest: {', '.join(close)}."
                if close
                else f"{hint}, or add its file to a font folder.",
            )
        return min(faces, key=lambda face: (face.italic != italic) + 2 * (face.bold != bold))

    def choice(self, style: TextStyle, text: str = "") -> Choice:
        """How a style is set, for its words. An unknown family is set as dialogue and said in ``unknown``."""
        among = among_ideographs(style, text)
        return self.named(style.font, bold=style.bold, italic=style.italic, ideographic=among)

    def named(self, font: str, *, bold: bool, italic: bool, ideographic: bool = False) -> Choice:
        """How lettering of a role or family is set. An unknown family is set as dialogue and said in ``unknown``.

        Args:
            font: the role or family.
            bold: heavy.
            italic: leaning.
            ideographic: the words are Chinese, Japanese or Korean: a role's letters and digits are of their face too.
        """
        key = (font, bold, italic, ideographic)
        found = self._choices.get(key)
        if found is None:
            found = self._choices[key] = self._choose(font, bold=bold, italic=italic, ideographic=ideographic)
        return found

    def _choose(self, font: str, *, bold: bool, italic: bool, ideographic: bool) -> Choice:
        role, unknown = ROLES.get(font, Role(font, among=True)), ""
        try:
            own = self.face(role.family, bold=bold, italic=italic)
        except NotFound:
            role, unknown = ROLES["dialogue"], font
            own = self.face(role.family, bold=bold, italic=italic)
        heavy = bold or font == "sound"
        fallback, *scripts = (self.face(family, bold=heavy) for family in (FALLBACK, *SCRIPTS))
        faces = (fallback, own, *scripts) if ideographic and not role.among else (own, fallback, *scripts)
        slant = OBLIQUE if italic else 0.0
        return Choice(
            faces=tuple(dict.fromkeys(faces)),
            own=own,
            weight=role.weight + (BOLD if bold and not own.bold else 0.0),
            lean=role.lean if own.italic else max(role.lean, slant),
            italic=slant,
            unknown=unknown,
        )


def among_ideographs(style: TextStyle, text: str, font: str = "") -> bool:
    """Whether letters stand among ideographs or Hangul: by the language, of a sound by what it is mostly made of."""
    if (font or style.font) != "sound":
        return style.language.partition("-")[0] in CJK_LANGUAGES
    letters = [character for character in text if character.isalnum()]
    return 2 * sum(is_ideographic(c) or is_hangul(c) for c in letters) > len(letters)


def _packaged_file(item: Packaged) -> Path:
    spec = find_spec(item.module)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(place) / item.file
        if path.is_file():
            return path
    raise MissingDependency(
        f"the font {item.family} is not installed",
        ids=[item.package],
        recovery=f"Install the package {item.package}; it is one of Lantern Kit's requirements.",
    )


@lru_cache(maxsize=1)
def packaged_fonts() -> Fonts:
    """The fonts that come with the kit, and no others."""
    return Fonts()
