"""Canonical JSON: with integers and ASCII keys only, sorted compact JSON is RFC 8785."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.ids import encode

_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)
FINGERPRINT_LENGTH = 8
EXACT = 2**53
"""Every JSON reader keeps integers below this exact."""


def dumps(value: Any) -> bytes:
    """The canonical bytes of plain data (dicts with ASCII keys, lists, strings, integers below 2^53, booleans, None).

    Raises:
        TypeError: for anything else; a float anywhere is a fault of the caller.
    """
    _refuse_strangers((value,))
    return _ENCODER.encode(value).encode()


def _refuse_strangers(value: Any) -> None:
    """Refuse what JSON could say, but not in one way only: floats, big integers, keys that are not ASCII strings."""
    if type(value) is dict:
        if not "".join(value).isascii():
            raise TypeError("keys of documents are ASCII")
        value = value.values()
    for item in value:
        kind = type(item)
        if kind is int:
            if not -EXACT < item < EXACT:
                raise TypeError("documents hold integers below 2^53")
        elif kind is str or item is None or kind is bool:
            continue
        elif kind is dict or kind is list or kind is tuple:
            _refuse_strangers(item)
        elif not isinstance(item, str):
            raise TypeError(f"documents hold plain data, no {kind.__name__}")


def loads(data: bytes | str) -> Any:
    """Plain data from canonical bytes. Raises Corrupt."""
    try:
        return json.loads(data)
    except ValueError as error:
        raise Corrupt("stored JSON cannot be read") from error


def digest(data: bytes) -> bytes:
    """SHA-256, 32 bytes."""
    return hashlib.sha256(data).digest()


def fingerprint(value: Any) -> str:
    """Eight base-32 characters over plain data: what a handle carries after ``#``."""
    return mark(dumps(value))


def mark(data: bytes) -> str:
    """The fingerprint of data whose canonical bytes are at hand."""
    return encode(int.from_bytes(digest(data)[:5], "big"), FINGERPRINT_LENGTH)
