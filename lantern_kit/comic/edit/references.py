"""Which arguments of an operation name other objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel

from lantern_kit.comic.edit.args import RefMark


@cache
def reference_fields(model: type[BaseModel]) -> Mapping[str, RefMark]:
    """The fields that name other objects, with their marks."""
    found = ((item.alias or name, _mark(item.metadata, item.annotation)) for name, item in model.model_fields.items())
    return {name: mark for name, mark in found if mark is not None}


def _mark(metadata: Iterable[Any], annotation: Any) -> RefMark | None:
    inside = (_mark(getattr(part, "__metadata__", ()), part) for part in get_args(annotation))
    marks = (*(mark for mark in metadata if isinstance(mark, RefMark)), *inside)
    return next((mark for mark in marks if mark is not None), None)
