"""Subset fonts of a PDF: the glyphs of the words it says, embedded as composite fonts with the way back to Unicode.

ISO 32000-1, 9.7 (composite fonts), 9.10.3 (ToUnicode); OpenType's OS/2 ``fsType`` says what may be embedded.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator
from typing import Any

import pikepdf
import uharfbuzz as hb
from pikepdf import Array, Dictionary, Name

from lantern_kit.comic.typeset.fonts import Face

_FORBIDDEN = 0x0002 | 0x0100 | 0x0200
"""fsType: no embedding, no subsetting, pictures of glyphs only."""
_LAYOUT = ("GSUB", "GPOS", "GDEF", "BASE", "JSTF", "VORG", "vhea", "vmtx", "DSIG", "name", "post", "OS/2", "cmap")
"""What a PDF's reader never looks at."""
_SERIF_SYMBOLIC = 4
_BATCH = 100


class PdfFont:
    """One face, and the codes by which its glyphs stand in the pages: their own numbers wherever that can be."""

    def __init__(self, face: Face, key: str) -> None:
        self.face = face
        self.key = key
        self._hb = hb.Face(hb.Blob.from_file_path(str(face.path)))
        self._font = hb.Font(self._hb)
        self._codes: dict[str, int] = {}
        self._means: dict[int, str] = {}
        self._glyphs: dict[int, int] = {}
        self._spare = int(self._hb.glyph_count)

    def code(self, character: str) -> int:
        """The code that shows, and means, a character."""
        code = self._codes.get(character)
        if code is None:
            glyph = self.face.glyph(ord(character))
            code = glyph if glyph and glyph not in self._means else self._free()
            self._codes[character] = code
            self._means[code] = character
            self._glyphs[code] = glyph
        return code

    def width(self, code: int) -> int:
        """Of a code's glyph, in thousandths of an em."""
        glyph = self._glyphs[code]
        if not glyph:
            return 0
        advance: float = self._font.get_glyph_h_advance(glyph)
        return round(advance * 1_000 / self.face.upem)

    def _free(self) -> int:
        """A code for a character whose glyph means another one already, or that has none."""
        self._spare -= 1
        while self._spare in self._means:
            self._spare -= 1
        return self._spare

    def write(self, pdf: pikepdf.Pdf) -> Any:
        """The font as an object of a PDF."""
        wanted = sorted({glyph for glyph in self._glyphs.values() if glyph})
        name = Name(f"/{_tag(self.face, wanted)}+{_postscript(self.face, self._hb)}")
        program, outlines = _subset(self._hb, wanted)
        descriptor = Dictionary(
            Type=Name.FontDescriptor,
            FontName=name,
            Flags=_SERIF_SYMBOLIC,
            FontBBox=Array(_bounds(self._hb)),
            ItalicAngle=0,
            Ascent=880,
            Descent=-120,
            CapHeight=700,
            StemV=80,
        )
        info = Dictionary(Registry=pikepdf.String("Adobe"), Ordering=pikepdf.String("Identity"), Supplement=0)
        inner = Dictionary(Type=Name.Font, BaseFont=name, CIDSystemInfo=info, DW=1_000, W=Array([*self._widths()]))
        if outlines == b"CFF ":
            inner.Subtype = Name.CIDFontType0
            descriptor.FontFile3 = pdf.make_stream(program, Subtype=Name.CIDFontType0C)
        else:
            inner.Subtype = Name.CIDFontType2
            inner.CIDToGIDMap = Name.Identity
            descriptor.FontFile2 = pdf.make_stream(program, Length1=len(program))
        inner.FontDescriptor = pdf.make_indirect(descriptor)
        return pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=name,
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([pdf.make_indirect(inner)]),
                ToUnicode=pdf.make_stream(self._to_unicode()),
            )
        )

    def _widths(self) -> Iterator[Any]:
        for code in sorted(self._means):
            yield code
            yield Array([self.width(code)])

    def _to_unicode(self) -> bytes:
        rows = [
            "/CIDInit /ProcSet findresource begin",
            "12 dict begin",
            "begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def",
            "/CMapType 2 def",
            "1 begincodespacerange",
            "<0000> <FFFF>",
            "endcodespacerange",
        ]
        codes = sorted(self._means)
        for first in range(0, len(codes), _BATCH):
            batch = codes[first : first + _BATCH]
            rows.append(f"{len(batch)} beginbfchar")
            rows += [f"<{code:04X}> <{self._means[code].encode('utf-16-be').hex().upper()}>" for code in batch]
            rows.append("endbfchar")
        rows += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]
        return "\n".join(rows).encode("ascii")


class PdfFonts:
    """The fonts of one PDF, in the order in which they were needed."""

    def __init__(self) -> None:
        self._fonts: dict[Face, PdfFont] = {}
        self._allowed: dict[Face, bool] = {}

    def font_for(self, character: str, faces: tuple[Face, ...], *, before: PdfFont | None) -> PdfFont:
        """The font for a character: the first of the faces that has it; one that none has stays where it is."""
        usable = [face for face in faces if self._may_be_embedded(face)]
        for face in usable:
            if face.glyph(ord(character)):
                return self._font(face)
        return before or self._font(usable[-1])

    def write(self, pdf: pikepdf.Pdf) -> dict[str, Any]:
        """All of them as objects of a PDF, by the names under which pages know them."""
        return {font.key: font.write(pdf) for font in self._fonts.values()}

    def _font(self, face: Face) -> PdfFont:
        made = self._fonts.get(face)
        if made is None:
            made = self._fonts[face] = PdfFont(face, f"W{len(self._fonts) + 1}")
        return made

    def _may_be_embedded(self, face: Face) -> bool:
        allowed = self._allowed.get(face)
        if allowed is None:
            source = hb.Face(hb.Blob.from_file_path(str(face.path)))
            table = bytes(source.reference_table("OS/2").data or b"")
            rights = int.from_bytes(table[8:10]) if len(table) >= 10 else 0
            outlines = {"glyf", "CFF "} & {*source.table_tags}
            allowed = self._allowed[face] = bool(outlines) and not rights & _FORBIDDEN
        return allowed


def _subset(face: Any, glyphs: list[int]) -> tuple[bytes, bytes]:
    """The font program with these glyphs under their own numbers, and the table its outlines are in."""
    wanted = hb.SubsetInput()
    for glyph in glyphs:
        wanted.glyph_set.add(glyph)
    wanted.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NOTDEF_OUTLINE | hb.SubsetFlags.NO_HINTING
    for table in _LAYOUT:
        wanted.drop_table_tag_set.add(int.from_bytes(table.encode("ascii")))
    data = bytes(hb.subset(face, wanted).blob.data)
    (count,) = struct.unpack_from(">H", data, 4)
    for number in range(count):
        tag, _, start, length = struct.unpack_from(">4sIII", data, 12 + 16 * number)
        if tag == b"CFF ":
            return data[start : start + length], tag
    return data, b"glyf"


def _tag(face: Face, glyphs: list[int]) -> str:
    """Six letters of its own for a subset."""
    digest = hashlib.sha256(f"{face.path.name}:{glyphs}".encode()).digest()
    return "".join(chr(65 + byte % 26) for byte in digest[:6])


def _postscript(face: Face, source: Any) -> str:
    name = source.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or face.family
    return re.sub(r"[^A-Za-z0-9-]", "", name)[:60] or "Font"


def _bounds(face: Any) -> list[int]:
    """Of all glyphs, in thousandths of an em."""
    head = bytes(face.reference_table("head").data or b"")
    if len(head) < 44:
        return [0, -200, 1_000, 900]
    return [round(value * 1_000 / face.upem) for value in struct.unpack_from(">4h", head, 36)]
