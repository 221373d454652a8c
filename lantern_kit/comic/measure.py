"""The one place where people's units meet the document's: millimetres, degrees and shares to integers and back.

Rounding is half up, in decimal: 0.0005 mm is 1 µm however a binary float happens to store it.
"""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Decimal

_POWERS = {3: 1_000, 6: 1_000_000}


def _scaled(value: float, power: int) -> int:
    product = value * _POWERS[power]
    low = math.floor(product)
    rest = product - low
    if abs(rest - 0.5) > 1e-4:
        return low + (rest > 0.5)
    exact = Decimal(repr(value)).scaleb(power) + Decimal("0.5")
    return int(exact.to_integral_value(rounding=ROUND_FLOOR))


def micrometres(mm: float) -> int:
    """Micrometres of a length in millimetres."""
    return _scaled(mm, 3)


def millidegrees(degrees: float) -> int:
    """Millidegrees of an angle in degrees."""
    return _scaled(degrees, 3)


def millionths(share: float) -> int:
    """Millionths of a share (1.0 is the whole)."""
    return _scaled(share, 6)


def millimetres(um: int) -> float:
    """Millimetres of a length in micrometres; prints with at most three decimals."""
    return um / 1000


def degrees(thousandths: int) -> float:
    """Degrees of an angle in millidegrees."""
    return thousandths / 1000


def share(parts: int) -> float:
    """A share (1.0 is the whole) of millionths."""
    return parts / 1_000_000


def spoken(um: int, decimals: int = 2) -> str:
    """A length in millimetres as people write it: ``12.5``, never ``12.50``; no unit."""
    text = f"{um / 1000:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def a(noun: str) -> str:
    """The noun with its article."""
    return f"an {noun}" if noun[:1] in "aeio" else f"a {noun}"


def counted(number: int, noun: str) -> str:
    """``1 object``, ``2 objects``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
