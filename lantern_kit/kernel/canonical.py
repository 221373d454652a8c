"""Canonical JSON: with integers and ASCII keys only, sorted compact JSON is RFC 8785."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from lantern_kit.kernel.errors import Corrupt
from lantern_kit.kernel.ids import encode

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
FINGERPRINT_LENGTH = 8


def dumps(value: Any) -> bytes:
    """The canonical bytes of plain data (dicts with ASCII keys, lists, strings, integers, booleans, None).

    Raises:
        TypeError: for anything else; a float anywhere is a fault of the caller.
    """
    _refuse_floats(value)
    return _ENCODER.encode(value).encode()


def _refuse_floats(value: Any) -> None:
    kind = type(value)
    if kind is str or kind is int or value is None:
        return
    if kind is dict:
        for item in value.values():
            _refuse_floats(item)
    elif kind is list or kind is tuple:
        for item in value:
            _refuse_floats(item)
    elif isinstance(value, float):
        raise TypeError("documents hold no floats")


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
    return encode(int.from_bytes(digest(dumps(value))[:5], "big"), FINGERPRINT_LENGTH)
