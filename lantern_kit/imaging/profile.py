"""The colour profiles that written files carry: sRGB, and grey by sRGB's curve. Built here, so they never change."""

from __future__ import annotations

import struct
from functools import lru_cache

from lantern_kit.imaging.light import light_of

_D50 = (0.9642, 1.0, 0.8249)
PRIMARIES = {
    b"rXYZ": (0.43607, 0.22249, 0.01392),
    b"gXYZ": (0.38515, 0.71687, 0.09708),
    b"bXYZ": (0.14307, 0.06061, 0.71410),
}
"""Of IEC 61966-2-1, adapted to D50 by Bradford's matrix, as profiles for it have them."""
_STEPS = 1_024


@lru_cache(maxsize=1)
def srgb_profile() -> bytes:
    """An ICC 2 display profile of sRGB (IEC 61966-2-1): the same bytes on every day."""
    curve = _curve()
    colours = {tag: _xyz(values) for tag, values in PRIMARIES.items()}
    return _profile(b"RGB ", "sRGB IEC61966-2.1", {**colours, b"rTRC": curve, b"gTRC": curve, b"bTRC": curve})


@lru_cache(maxsize=1)
def grey_profile() -> bytes:
    """An ICC 2 display profile of grey levels that follow sRGB's curve."""
    return _profile(b"GRAY", "Grey by sRGB's curve", {b"kTRC": _curve()})


def _curve() -> bytes:
    values = [round(light_of(step / (_STEPS - 1)) * 65_535) for step in range(_STEPS)]
    return b"curv" + bytes(4) + struct.pack(f">I{_STEPS}H", _STEPS, *values)


def _xyz(values: tuple[float, float, float]) -> bytes:
    return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(value * 65_536) for value in values))


def _profile(space: bytes, name: str, own: dict[bytes, bytes]) -> bytes:
    """A profile by ICC.1:2001-04, clause 6; a tag's bytes that another one has too are stored once."""
    text = name.encode("ascii") + b"\0"
    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", len(text)) + text + bytes(78),
        b"cprt": b"text" + bytes(4) + b"No copyright, use freely\0",
        b"wtpt": _xyz(_D50),
        **own,
    }
    start = 128 + 4 + 12 * len(tags)
    table, body, places = b"", b"", dict[bytes, int]()
    for tag, content in tags.items():
        if content not in places:
            places[content] = start + len(body)
            body += content + bytes(-len(content) % 4)
        table += tag + struct.pack(">II", places[content], len(content))
    head = struct.pack(">I4sI4s4s4s", start + len(body), bytes(4), 0x02400000, b"mntr", space, b"XYZ ")
    head += struct.pack(">6H", 2000, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    head += struct.pack(">3i", *(round(value * 65_536) for value in _D50))
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body
