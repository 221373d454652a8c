"""Receipts: the answer once given to a request, kept with the change it made, so that a retry gets it again."""

from __future__ import annotations

import json
from typing import Any

from lantern_kit.kernel.canonical import digest, loads
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput, IdempotencyConflict
from lantern_kit.kernel.squeeze import squeeze, unsqueeze

LONGEST_KEY = 120
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def check_key(key: str) -> str:
    """The key itself, when it is one. Raises BadInput."""
    if not key or len(key) > LONGEST_KEY or not key.isprintable():
        raise BadInput(
            "idempotency_key must be 1 to 120 printable characters",
            recovery="Choose a new key for each new request, and reuse it when you retry that request.",
        )
    return key


def request_digest(request: Any) -> bytes:
    """Digest of what makes two requests the same: no preconditions, attempts or times."""
    return digest(_ENCODER.encode(request).encode(errors="surrogatepass"))  # halves are refused by who reads the words


def find(connection: Connection, scope: str, key: str, asked: bytes) -> Any | None:
    """The stored answer, or None. Raises IdempotencyConflict when the key was used for another request."""
    row = connection.exec_driver_sql(
        "SELECT digest, answer FROM receipts WHERE scope = ? AND key IN (?, ?)", (scope, _kept(key), key)
    ).fetchone()  # as it is: receipts older than this form of keys
    if row is None:
        return None
    if row[0] != asked:
        raise IdempotencyConflict("this idempotency key was used for another request", ids=[key])
    return loads(unsqueeze(row[1]))


def keep(connection: Connection, scope: str, key: str, asked: bytes, answer: Any, at: int) -> None:
    """Store the answer in the transaction of the change it speaks of."""
    connection.exec_driver_sql(
        "INSERT INTO receipts (scope, key, digest, answer, at) VALUES (?,?,?,?,?)",
        (scope, _kept(key), asked, squeeze(_text(answer)), at),
    )


def _kept(key: str) -> str:
    """A key in the form in which it is kept: callers may put anything into one, and it need only be known again."""
    return digest(key.encode(errors="surrogatepass")).hex()


def _text(value: Any) -> bytes:
    """Sorted compact JSON; unlike documents, requests and answers may speak in millimetres, that is in floats."""
    return _ENCODER.encode(value).encode()
