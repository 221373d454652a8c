"""Turning pydantic's errors into ours: where, and what was expected, but never the value that was sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel.errors import BadInput, UnknownKey, nearest

_EXPECTED = {
    "missing": "a value",
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "string_type": "text",
    "bool_type": "true or false",
    "finite_number": "a finite number",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "an object with keys",
    "model_type": "an object with keys",
    "string_unicode": "well-formed Unicode text",
}
_COUNTED = {
    "greater_than": ("a number above {gt}", "gt"),
    "greater_than_equal": ("a number of at least {ge}", "ge"),
    "less_than": ("a number below {lt}", "lt"),
    "less_than_equal": ("a number of at most {le}", "le"),
    "string_too_long": ("text of at most {max_length} characters", "max_length"),
    "string_too_short": ("text of at least {min_length} characters", "min_length"),
    "too_short": ("a list of at least {min_length} items", "min_length"),
    "too_long": ("a list of at most {max_length} items", "max_length"),
    "string_pattern_mismatch": ("text like {pattern}", "pattern"),
    "enum": ("one of {expected}", "expected"),
    "literal_error": ("one of {expected}", "expected"),
}


def bad_arguments(error: ValidationError, model: type[BaseModel], *, root: str = "args") -> BadInput:
    """The error to raise for arguments that a model refused.

    It names the first field that is wrong and what was expected; ``details['problems']`` lists all of them. An unknown
    key gives UnknownKey with the nearest known ones.
    """
    problems: list[dict[str, str]] = []
    unknown: list[tuple[str, str, list[str]]] = []
    for item in error.errors(include_url=False, include_input=False):
        kind = item["type"]
        path = ".".join([root, *(str(part)[:40] for part in item["loc"])])
        if kind == "extra_forbidden":
            key = str(item["loc"][-1])
            known = list(_keys(model, item["loc"][:-1]))
            unknown.append((path, key, known))
            problems.append({"field": path, "expected": f"a known key: {', '.join(known)}"})
        else:
            problems.append({"field": path, "expected": _expected(kind, item.get("ctx", {}))})
    details = {"problems": problems}
    if unknown:
        path, key, known = unknown[0]
        close = nearest(key, known)
        hint = f"nearest: {', '.join(close)}" if close else f"known keys: {', '.join(known) or 'none'}"
        return UnknownKey(f"{path} is not a key here", expected=known, recovery=f"{hint}.", details=details)
    first = problems[0]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return BadInput(
        f"{first['field']}: {first['expected']} is expected{more}", expected=first["expected"], details=details
    )


def _expected(kind: str, context: dict[str, Any]) -> str:
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind in _COUNTED:
        text, key = _COUNTED[kind]
        return text.format(**{key: context.get(key)})
    if kind == "value_error":
        return str(context.get("error", "another value"))  # the sentence of one of our own validators
    return f"another value ({kind.replace('_', ' ')})"


def _keys(model: type[BaseModel], path: tuple[int | str, ...]) -> Iterator[str]:
    """Names of the fields that the model at a path has."""
    at = model
    for part in path:
        field = at.model_fields.get(str(part))
        if field is not None:
            at = next(_models(field.annotation), at)
    yield from (field.alias or name for name, field in at.model_fields.items())


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)
