"""Pydantic's errors in our words: where, and what was expected, but never the value that was sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel.errors import BadInput, UnknownKey, nearest

LISTED = 10
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


def refused(error: ValidationError, model: type[BaseModel], *, root: str = "", noun: str = "a key") -> BadInput:
    """The error to raise for values that a model refused.

    It names what is missing, then the first key that is unknown or the first value that is wrong, and what was
    expected; ``details['problems']`` lists all of them. An unknown key gives UnknownKey with the nearest known ones.

    Args:
        error: what the model raised.
        model: the model.
        root: what its fields are said to be in, such as ``args``.
        noun: what a field is called.
    """
    problems: list[dict[str, str]] = []
    missing: list[str] = []
    unknown: list[tuple[str, str, list[str]]] = []
    first = ""
    for item in error.errors(include_url=False, include_input=False):
        kind, place = item["type"], item["loc"]
        path = ".".join([*([root] if root else []), *(str(part)[:60] for part in place)]) or "all"
        if kind == "extra_forbidden":
            known = list(_keys(model, place[:-1]))
            unknown.append((path, str(place[-1]), known))
            problems.append({"field": path, "expected": f"a known key: {', '.join(known)}"})
            continue
        wanted = _expected(kind, item.get("ctx", {}))
        problems.append({"field": path, "expected": wanted})
        if kind == "missing":
            missing.append(path)
        else:
            first = first or (f"{path}: {wanted}" if kind == "value_error" else f"{path}: {wanted} is expected")
    details = {"problems": problems[:LISTED]}
    told = [_missing(missing)] if missing else []
    if unknown:
        path, key, known = unknown[0]
        absent = [name.rsplit(".", 1)[-1] for name in missing]
        close = nearest(key, known)
        hints = [f"needed: {', '.join(absent)}"] if absent else []
        hints += [f"nearest: {', '.join(close)}"] if close else []
        hint = "; ".join(hints) or f"known: {', '.join(known) or 'none'}"
        told.append(f"{path} is not {noun} here")
        return UnknownKey(", and ".join(told), expected=known, recovery=f"{hint}.", details=details)
    told += [first] if first else []
    more = len(problems) - len(missing) - bool(first)
    return BadInput(
        ", and ".join(told) + (f" (and {more} more)" if more else ""),
        expected=problems[0]["expected"],
        details=details,
    )


def _missing(paths: list[str]) -> str:
    shown = ", ".join(paths[:LISTED])
    return f"{shown} {'is' if len(paths) == 1 else 'are'} missing"


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
