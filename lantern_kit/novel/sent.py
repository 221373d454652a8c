"""What people and agents send, made into records or refused in words that name the field."""

from __future__ import annotations

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel.problems import refused

M = TypeVar("M", bound=BaseModel)


def sent(kind: type[M], value: object) -> M:
    """A record of a kind out of plain data, or the record itself. Raises BadInput, UnknownKey."""
    try:
        return kind.model_validate(value, strict=False)
    except ValidationError as error:
        raise refused(error, kind) from error
