"""The arguments of operations, and other facts of a comic, when their model refuses them."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.problems import PATTERNS, refused

_COLOUR = "a colour such as #336699, or #33669980 with its opacity"
PATTERNS.update(
    {
        r"^#[0-9a-f]{6}([0-9a-f]{2})?$": _COLOUR,
        r"^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$": _COLOUR,
        r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$": "a language's tag such as en, ja or zh-Hans",
        r"^[a-z]{2}_[0-9a-z]{4,20}$": "an id such as fr_7kq2m9x4",
    }
)


def bad_arguments(error: ValidationError, model: type[BaseModel], *, root: str = "args") -> BadInput:
    """The error to raise for arguments that a model refused; ``refused`` says what it tells."""
    return refused(error, model, root=root)
