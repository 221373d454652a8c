"""Files of cards, good and bad, made by hand: nothing here goes through the kit's own writers."""

from __future__ import annotations

import base64
import io
import json
import stat
import zipfile
import zlib
from typing import Any

from PIL import Image

ENTRY: dict[str, Any] = {
    "keys": ["gull"],
    "content": "A gull.",
    "extensions": {"x": 1},
    "enabled": True,
    "insertion_order": 5,
}
BOOK: dict[str, Any] = {"name": "World", "extensions": {}, "entries": [ENTRY]}
V1: dict[str, Any] = {
    "name": "Ann",
    "description": "d",
    "personality": "p",
    "scenario": "s",
    "first_mes": "f",
    "mes_example": "m",
}
V2: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": V1 | {"extensions": {"z": [1.5, None]}, "character_book": BOOK},
}
V3: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": V1 | {"name": "Bea", "extensions": {}, "group_only_greetings": [], "future": {"é": "☂"}},
}
WORLD: dict[str, Any] = {
    "entries": {"7": {"uid": 7, "key": ["gull"], "content": "A gull.", "order": 5, "selectiveLogic": 3, "sticky": 2}}
}


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def chunk(kind: bytes, body: bytes, *, sound: bool = True) -> bytes:
    checksum = zlib.crc32(kind + body) ^ (0 if sound else 1)
    return len(body).to_bytes(4, "big") + kind + body + checksum.to_bytes(4, "big")


def packed(value: Any) -> bytes:
    return base64.b64encode(value if isinstance(value, bytes) else dumped(value))


def text(keyword: str, value: Any, *, sound: bool = True) -> bytes:
    return chunk(b"tEXt", keyword.encode() + b"\0" + packed(value), sound=sound)


def compressed(keyword: str, value: Any) -> bytes:
    return chunk(b"zTXt", keyword.encode() + b"\0\0" + zlib.compress(packed(value)))


def international(keyword: str, value: Any, *, squeezed: bool = False) -> bytes:
    body = zlib.compress(packed(value)) if squeezed else packed(value)
    return chunk(b"iTXt", keyword.encode() + b"\0" + bytes([squeezed, 0]) + b"en\0\0" + body)


def drawn(size: tuple[int, int] = (8, 6), form: str = "PNG") -> bytes:
    picture = Image.new("RGB", size)
    picture.putdata([(x * 31 % 256, y * 47 % 256, 90) for y in range(size[1]) for x in range(size[0])])
    out = io.BytesIO()
    picture.save(out, form)
    return out.getvalue()


def png(*before: bytes, after: tuple[bytes, ...] = (), tail: bytes = b"") -> bytes:
    """A picture with chunks before and after its pixels."""
    plain = drawn()
    at = plain.index(b"IDAT") - 4
    end = len(plain) - 12
    return plain[:at] + b"".join(before) + plain[at:end] + b"".join(after) + plain[end:] + tail


def charx(card: Any = V3, *files: tuple[str, bytes], name: str = "card.json") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        if card is not None:
            archive.writestr(name, card if isinstance(card, bytes) else dumped(card))
        for path, data in files:
            archive.writestr(path, data)
    return out.getvalue()


def linked() -> bytes:
    """An archive with a symbolic link."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("card.json", dumped(V3))
        info = zipfile.ZipInfo("assets/x.png")
        info.create_system = 3
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return out.getvalue()


def encrypted() -> bytes:
    """An archive whose member says that it is encrypted."""
    data = bytearray(charx())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + at] |= 1
    return bytes(data)


def listed_at_length() -> bytes:
    """An archive of 40,000 members, in a list of 2 MB."""
    row = b"PK\x01\x02" + bytes(24) + (3).to_bytes(2, "little") + bytes(16) + b"a/b"
    rows = row * 40_000
    return (
        b"PK\x03\x04"
        + rows
        + b"PK\x05\x06"
        + bytes(8)
        + len(rows).to_bytes(4, "little")
        + (4).to_bytes(4, "little")
        + bytes(2)
    )
