"""The arguments of operations, and other facts of a comic, when their model refuses them."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.problems import refused


def bad_arguments(error: ValidationError, model: type[BaseModel], *, root: str = "args") -> BadInput:
    """The error to raise for arguments that a model refused; ``refused`` says what it tells."""
    return refused(error, model, root=root)
