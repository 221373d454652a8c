"""Files that are broken, or meant to do harm: each is refused by its own error, and nothing of it is kept."""

from __future__ import annotations

import base64
import json
import tracemalloc
import zlib

import pytest

from lantern_kit.cards import errors, read_any
from lantern_kit.cards.limits import CARD_TEXT, MEMBERS
from tests.cards.makers import (
    BOOK,
    V1,
    V2,
    V3,
    charx,
    chunk,
    drawn,
    dumped,
    encrypted,
    linked,
    listed_at_length,
    png,
    text,
)

WHOLE = png(text("chara", V2))
BOMB = zlib.compress(b"A" * 100_000_000)

BAD: dict[str, tuple[bytes, type[errors.BadCard]]] = {
    "nothing": (b"", errors.CardNotJson),
    "3 MB in a text chunk": (png(text("chara", b" " * 3_000_000)), errors.CardTooLarge),
    "3 MB in JSON": (dumped({**V1, "description": "x" * 3_000_000}), errors.CardTooLarge),
    "3 MB in an archive": (charx({**V3, "x": "x" * 3_000_000}), errors.CardArchiveBomb),
    "3 MB that do not shrink": (
        charx(base64.b64encode(bytes((at * at * 7919 + at // 251) % 256 for at in range(2_000_000)))),
        errors.CardTooLarge,
    ),
    "a bad checksum": (png(text("chara", V2, sound=False)), errors.CardChecksum),
    "a picture without a card": (drawn(), errors.CardMissing),
    "a picture cut in a chunk": (WHOLE[:-20], errors.CardCutShort),
    "a picture cut after its card": (WHOLE[: WHOLE.index(b"IDAT") - 4], errors.CardCutShort),
    "a chunk longer than the file": (png(b"\x7f\xff\xff\xfftEXtchara\0"), errors.CardCutShort),
    "a chunk that inflates without end": (png(chunk(b"zTXt", b"chara\0\0" + BOMB)), errors.CardTooLarge),
    "a chunk that stops inflating": (
        png(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"x" * 999)[:-6])),
        errors.CardCutShort,
    ),
    "a chunk that does not inflate": (png(chunk(b"zTXt", b"chara\0\0nothing")), errors.CardNotText),
    "text that is no base64": (png(chunk(b"tEXt", b"chara\0!!!!")), errors.CardNotText),
    "base64 of no UTF-8": (png(text("chara", b"\xff\xfe{}")), errors.CardNotText),
    "an iTXt without its parts": (png(chunk(b"iTXt", b"chara\0\0\0en")), errors.CardCutShort),
    "only broken cards": (png(text("chara", b"{"), text("ccv3", b"[")), errors.CardNotJson),
    "too many chunks": (png(chunk(b"tIME", b"") * 20_001), errors.CardTooLarge),
    "JSON in UTF-16": (json.dumps(V2).encode("utf-16"), errors.CardNotText),
    "JSON that is cut": (dumped(V2)[:-3], errors.CardNotJson),
    "a list": (b"[]", errors.CardNotJson),
    "a text": (b'"card"', errors.CardNotJson),
    "deep arrays": (b'{"name": "A", "description": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", errors.CardTooDeep),
    "deep objects": (b'{"a":' * 70 + b"1" + b"}" * 70, errors.CardTooDeep),
    "NaN": (b'{"name": "A", "description": "", "x": NaN}', errors.CardNumber),
    "infinity": (b'{"name": "A", "description": "", "x": -Infinity}', errors.CardNumber),
    "a number past all floats": (b'{"name": "A", "description": "", "x": 1e999}', errors.CardNumber),
    "a number of 5,000 digits": (b'{"name": "A", "x": ' + b"9" * 5_000 + b"}", errors.CardNumber),
    "an unknown shape": (b'{"hello": 1}', errors.CardUnknownShape),
    "too many entries": (dumped({**BOOK, "entries": [{}] * 20_001}), errors.CardTooLarge),
    "too many keys": (
        dumped({**BOOK, "entries": [{"keys": [str(at) for at in range(600)], "content": ""}] * 90}),
        errors.CardTooLarge,
    ),
    "a file of another kind": (b'{"name": "kit", "description": "a package", "version": "1"}', errors.CardUnknownShape),
    "an archive cut short": (charx()[:-30], errors.CardArchive),
    "an archive without a card": (charx(None, ("x.png", b"")), errors.CardMissing),
    "a card in a folder": (charx(V3, name="x/card.json"), errors.CardMissing),
    "a card in an archive that is a book": (charx(BOOK), errors.CardUnknownShape),
    "an encrypted archive": (encrypted(), errors.CardArchive),
    "a member that unpacks a thousandfold": (charx(V3, ("a.bin", bytes(20_000_000))), errors.CardArchiveBomb),
    "a bomb beside a card in a nested archive": (
        charx(V3, ("a.zip", charx(None, ("b", bytes(20_000_000)))), ("c", bytes(20_000_000))),
        errors.CardArchiveBomb,
    ),
    "many members": (charx(V3, *((f"{at}", b"") for at in range(MEMBERS))), errors.CardArchiveBomb),
    "a list of members that never ends": (listed_at_length(), errors.CardArchiveBomb),
    "a member outside": (charx(V3, ("assets/../../x", b"")), errors.CardUnsafeMember),
    "a member at the root": (charx(V3, ("/etc/x", b"")), errors.CardUnsafeMember),
    "a member on a drive": (charx(V3, ("C:/x", b"")), errors.CardUnsafeMember),
    "a member with backslashes": (charx(V3, ("..\\x", b"")), errors.CardUnsafeMember),
    "a link": (linked(), errors.CardUnsafeMember),
}


@pytest.mark.parametrize("case", BAD)
def test_a_file_is_refused(case: str) -> None:
    data, error = BAD[case]
    with pytest.raises(error) as caught:
        read_any(data)
    assert type(caught.value) is error
    assert caught.value.recovery
    assert len(str(caught.value)) < 800


def test_a_member_that_was_changed_is_refused_by_its_checksum() -> None:
    data = bytearray(charx(V3))
    data[45] ^= 0xFF
    with pytest.raises(errors.BadCard):
        read_any(bytes(data))


def test_every_error_has_a_code_of_its_own() -> None:
    kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.BadCard)]
    assert len({kind.code for kind in kinds}) == len(kinds)
    refused = {error for _, error in BAD.values()}
    assert refused | {errors.BadCard, errors.CardUnwritable} == set(kinds)


def test_a_bomb_in_a_chunk_is_never_inflated_past_the_bound() -> None:
    data, _ = BAD["a chunk that inflates without end"]
    tracemalloc.start()
    with pytest.raises(errors.CardTooLarge):
        read_any(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * CARD_TEXT < 100_000_000


@pytest.mark.parametrize("cut", range(0, len(WHOLE), 97))
def test_a_picture_cut_anywhere_is_refused(cut: int) -> None:
    with pytest.raises(errors.BadCard):
        read_any(WHOLE[:cut])
