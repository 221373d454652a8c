"""Every way in which a byte of a table can be wrong, and which of them a check does not find."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Damage = tuple[str, str, int, Any]
"""Table, column, row, and what is put there."""


def damages(driver: sqlite3.Connection, table: str) -> Iterator[Damage]:
    """Every value of a table with one byte changed, or with another type."""
    columns = [row[1] for row in driver.execute(f"PRAGMA table_info({table})")]
    for row, *values in driver.execute(f"SELECT rowid, {', '.join(columns)} FROM {table}").fetchall():
        for column, value in zip(columns, values, strict=True):
            for other in others(value):
                yield table, column, row, other


def others(value: Any) -> Iterator[Any]:
    if value is None:
        yield from (0, "", b"")
    elif isinstance(value, int):
        for place in range(max(1, (value.bit_length() + 7) // 8)):
            yield from (value ^ (1 << 8 * place), value ^ (0x80 << 8 * place))
        yield None
    else:
        data = value.encode() if isinstance(value, str) else value
        for place in range(len(data)):
            for mask in (1, 0x80):
                damaged = bytearray(data)
                damaged[place] ^= mask
                yield (bytes(damaged), isinstance(value, str))
        yield (data + b"x", isinstance(value, str))
        if data:
            yield (data[:-1], isinstance(value, str))
        yield (data, not isinstance(value, str))
        yield None


def undetected(
    driver: sqlite3.Connection, table: str, is_found: Callable[[], bool], sample: int | None
) -> list[Damage]:
    """The damages to a table, or so many of them, that a check on the same connection does not find."""
    todo = list(damages(driver, table))
    if sample is not None:
        todo = Random(table).sample(todo, min(sample, len(todo)))
    return [damage for damage in todo if not _found(driver, damage, is_found)]


def _found(driver: sqlite3.Connection, damage: Damage, is_found: Callable[[], bool]) -> bool:
    """Whether a damage is found; it is undone afterwards."""
    table, column, row, value = damage
    data, text = value if isinstance(value, tuple) else (value, False)
    slot = "CAST(? AS TEXT)" if text else "?"
    driver.execute("BEGIN")
    try:
        driver.execute(f"UPDATE {table} SET {column} = {slot} WHERE rowid = ?", (data, row))
    except sqlite3.IntegrityError:
        return True  # the table itself refuses it
    else:
        return is_found()
    finally:
        driver.execute("ROLLBACK")
