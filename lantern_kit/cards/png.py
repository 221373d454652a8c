"""PNG pictures as rows of chunks: cards found in their text chunks, and put there, every other byte left as it is.

Libraries lose what stands after the pixels, or compressed text, and inflate without a bound: hence a reader of our own.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from lantern_kit.cards.errors import BadCard, CardChecksum, CardCutShort, CardMissing, CardNotText, CardTooLarge
from lantern_kit.cards.limits import CHUNK_TEXT, CHUNKS, FILE
from lantern_kit.cards.text import Tell

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CARDS = ("ccv3", "chara")
"""Keywords of cards, the better first."""
BOOK = "naidata"
"""The keyword of NovelAI's lorebooks."""
_ASSET = "chara-ext-asset_"
_TEXTS = frozenset({b"tEXt", b"zTXt", b"iTXt"})
_KEYWORD = 79


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk of a file.

    Args:
        kind: four letters.
        start: where it begins.
        end: where the next one does.
        place: its number in the file, from 1.
        sound: whether its checksum fits.
    """

    kind: bytes
    start: int
    end: int
    place: int
    sound: bool

    def body(self, data: bytes) -> bytes:
        """What it holds."""
        return data[self.start + 8 : self.end - 4]


@dataclass(frozen=True, slots=True)
class Held:
    """A text chunk with a keyword that matters here."""

    keyword: str
    """In small letters."""
    chunk: Chunk
    where: str


def chunks(data: bytes) -> Iterator[Chunk]:
    """The chunks of a picture, up to its end. Raises CardCutShort, CardTooLarge, CardMissing."""
    if not data.startswith(SIGNATURE):
        raise CardMissing("the file is no PNG picture")
    if len(data) > FILE:
        raise CardTooLarge("the picture is too large", expected=f"at most {FILE:,} bytes", found=f"{len(data):,} bytes")
    at = len(SIGNATURE)
    for place in range(1, CHUNKS + 1):
        length = int.from_bytes(data[at : at + 4], "big")
        end = at + 12 + length
        if at + 12 > len(data) or end > len(data):
            raise CardCutShort("the picture ends in the middle of a chunk", found=f"byte {len(data):,}")
        kind = data[at + 4 : at + 8]
        checksum = int.from_bytes(data[end - 4 : end], "big")
        yield Chunk(kind, at, end, place, zlib.crc32(memoryview(data)[at + 4 : end - 4]) == checksum)
        if kind == b"IEND":
            return
        at = end
    raise CardTooLarge("the picture has too many chunks", expected=f"at most {CHUNKS:,}")


def found_in(data: bytes, tell: Tell) -> list[Held]:
    """Text chunks of cards and books, in order; what is wrong with other chunks is told. Raises as ``chunks``."""
    found: list[Held] = []
    end = 0
    for chunk in chunks(data):
        end = chunk.end
        keyword = _keyword(data, chunk)
        if keyword in CARDS or keyword == BOOK:
            kind = chunk.kind.decode("ascii")
            found.append(Held(keyword, chunk, f"{keyword} in {kind}, chunk {chunk.place}"))
        elif not chunk.sound:
            name = chunk.kind.decode("ascii", "replace")
            tell("bad_checksum", "A chunk beside the card does not match its checksum.", f"{name}, chunk {chunk.place}")
    if end < len(data):
        tell("trailing_bytes", "There is something after the end of the picture; it is kept, and not read.", "")
    return found


def _keyword(data: bytes, chunk: Chunk) -> str:
    if chunk.kind not in _TEXTS:
        return ""
    head = data[chunk.start + 8 : min(chunk.end - 4, chunk.start + 9 + _KEYWORD)]
    return head.partition(b"\0")[0].decode("latin-1").strip().lower()


def json_in(data: bytes, held: Held, tell: Tell) -> bytes:
    """The JSON that a text chunk holds.

    Raises:
        CardChecksum: the chunk was changed on its way.
        CardTooLarge: it holds, or inflates to, more than a card does.
        CardCutShort, CardNotText: it is not whole, or no base64.
    """
    if not held.chunk.sound:
        raise CardChecksum("the chunk with the card does not match its checksum", found=held.where)
    text = _text(data, held)
    packed = b"".join(text.split())
    if packed.startswith(b"{"):
        tell("not_base64", "The card is plain JSON where base64 is usual.", held.where)
        return text
    missing = -len(packed.rstrip(b"=")) % 4
    if len(packed) % 4:
        tell("bad_padding", "The base64 of the card does not end as it should.", held.where)
    try:
        return base64.b64decode(packed.rstrip(b"=") + b"=" * missing, validate=True)
    except (binascii.Error, ValueError):
        raise CardNotText("the chunk with the card is no base64", found=held.where) from None


def _text(data: bytes, held: Held) -> bytes:
    body = held.chunk.body(data).partition(b"\0")[2]
    if held.chunk.kind == b"tEXt":
        return _bounded(body, held)
    if held.chunk.kind == b"zTXt":
        return _inflated(body[1:], held)
    packed = body[:1] == b"\x01"
    rest = body[2:].split(b"\0", 2)
    if len(rest) < 3:
        raise CardCutShort("the chunk with the card ends too early", found=held.where)
    return _inflated(rest[2], held) if packed else _bounded(rest[2], held)


def _bounded(text: bytes, held: Held) -> bytes:
    if len(text) > CHUNK_TEXT:
        raise CardTooLarge(
            "the chunk with the card is too large", expected=f"at most {CHUNK_TEXT:,} bytes", found=held.where
        )
    return text


def _inflated(packed: bytes, held: Held) -> bytes:
    machine = zlib.decompressobj()
    try:
        text = machine.decompress(packed, CHUNK_TEXT + 1)
    except zlib.error:
        raise CardNotText("the chunk with the card cannot be inflated", found=held.where) from None
    if not machine.eof and len(text) <= CHUNK_TEXT:
        raise CardCutShort("the chunk with the card ends too early", found=held.where)
    return _bounded(text, held)


def chunk_of(kind: bytes, body: bytes) -> bytes:
    """A chunk as bytes."""
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def with_card(picture: bytes, keyword: str, json: bytes) -> bytes:
    """A picture with a card in it, before its pixels, and without any that was there; all else byte for byte.

    Raises as ``chunks``; CardCutShort for a picture without pixels.
    """
    return _rewritten(picture, chunk_of(b"tEXt", keyword.encode("ascii") + b"\0" + base64.b64encode(json)))


def without_cards(picture: bytes) -> bytes:
    """A picture without the cards inside; all else byte for byte. Raises as ``with_card``."""
    return _rewritten(picture, b"")


def _rewritten(picture: bytes, card: bytes) -> bytes:
    parts = [SIGNATURE]
    put, end = False, len(SIGNATURE)
    for chunk in chunks(picture):
        end = chunk.end
        if _keyword(picture, chunk) in CARDS:
            continue
        if chunk.kind == b"IDAT" and not put:
            parts.append(card)
            put = True
        parts.append(picture[chunk.start : chunk.end])
    if not put:
        raise CardCutShort("the picture has no pixels")
    return b"".join([*parts, picture[end:]])


def asset_names(data: bytes) -> tuple[str, ...]:
    """Assets that text chunks of a picture hold, by name."""
    try:
        kept = [_keyword(data, chunk) for chunk in chunks(data)]
    except BadCard:
        return ()
    return tuple(name.removeprefix(_ASSET).lstrip(":") for name in kept if name.startswith(_ASSET))
