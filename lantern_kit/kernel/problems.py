"""Pydantic's errors in our words: where, what was expected, and what kind of thing was sent, but never text itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel.errors import BadInput, UnknownKey, nearest

LISTED = 10
MOST_VALUES, MOST_KEYS, MOST_ITEMS, DEEPEST = 150_000, 200, 5_000, 60
"""What arguments may hold in all, in one object and in one list, and how deep: more than any of ours has a use for."""
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
_HALF = re.compile("[\ud800-\udfff]")
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
PATTERNS: dict[str, str] = {}
"""What text of a pattern is, in words with an example; patterns that nobody put here are shown as they are."""
_PARTS: dict[str, tuple[str, ...]] = {
    "rect": ("x", "y", "width", "height"),
    "box": ("x", "y", "width", "height"),
    "crop": ("left", "top", "right", "bottom"),
    "size": ("width", "height"),
    **dict.fromkeys(("at", "tip", "tail", "by", "centre", "focus", "start"), ("x", "y")),
}
"""What the numbers of a list are called, by its key."""
_POINTS = frozenset({"polygon", "line", "segments"})
"""Keys of lists of points."""


def require_modest(given: Mapping[str, Any]) -> None:
    """Refuse arguments of which no model could make sense, before one tries and tells of a million faults.

    Raises BadInput.
    """
    level: list[Any] = [given]
    left, deep = MOST_VALUES, 0
    while level:
        left, deep = left - len(level), deep + 1
        if left < 0 or deep > DEEPEST:
            what, most = ("hold too many values", MOST_VALUES) if left < 0 else ("lie too deep in each other", DEEPEST)
            raise BadInput(f"the arguments {what}", expected=f"at most {most}")
        below: list[Any] = []
        for value in level:
            if isinstance(value, Mapping):
                if len(value) > MOST_KEYS:
                    raise BadInput("an object has too many keys", expected=f"at most {MOST_KEYS}", found=len(value))
                if any(_HALF.search(str(key)) for key in value):
                    raise BadInput("an object's key is not well-formed", expected=_EXPECTED["string_unicode"])
                below.extend(value.values())
            elif isinstance(value, list | tuple):
                if len(value) > MOST_ITEMS:
                    raise BadInput("a list is too long", expected=f"at most {MOST_ITEMS} items", found=len(value))
                below.extend(value)
        level = below


def refused(error: ValidationError, model: type[BaseModel], *, root: str = "", noun: str = "a key") -> BadInput:
    """The error to raise for values that a model refused.

    It names what is missing, then the first key that is unknown or the first value that is wrong, and what was
    expected; items of lists are counted from 1. ``details['problems']`` lists all of them. An unknown key gives
    UnknownKey with the nearest known ones.

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
    given: list[Any] = []
    for item in error.errors(include_url=False):
        kind, place = item["type"], item["loc"]
        path = ".".join([*([root] if root else []), *named(place)]) or "all"
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
            given = given or [_found(item["input"], kind)]
            where = path + _called(place)
            first = first or (f"{where}: {wanted}" if kind == "value_error" else f"{where}: {wanted} is expected")
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
        found=given[0] if given and not missing else None,
        details=details,
    )


def named(place: tuple[int | str, ...]) -> Iterator[str]:
    """The parts of a place in a value, as an error names them: keys, and items of lists counted from 1."""
    return (str(part + 1 if isinstance(part, int) else part)[:60] for part in place)


def _missing(paths: list[str]) -> str:
    shown = ", ".join(paths[:LISTED])
    return f"{shown} {'is' if len(paths) == 1 else 'are'} missing"


def _called(place: tuple[int | str, ...]) -> str:
    """`` (width)`` for the third number of a rectangle; nothing for what has no name of its own."""
    if len(place) < 2 or not isinstance(place[-1], int):
        return ""
    named = next((part for part in reversed(place[:-1]) if isinstance(part, str)), "")
    deep = isinstance(place[-2], int)
    names = ("x", "y") if deep and named in _POINTS else () if deep else _PARTS.get(named, ())
    return f" ({names[place[-1]]})" if place[-1] < len(names) else ""


def _found(value: Any, kind: str) -> str | None:
    """What was sent: short numbers as they are, of all else only its kind; nothing where one of ours has a sentence."""
    if kind == "value_error":
        return None
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int | float):
        return f"{value:.6g}" if -1e15 < value < 1e15 else "a number far out"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    return "an object with keys" if isinstance(value, dict) else type(value).__name__


def _expected(kind: str, context: dict[str, Any]) -> str:
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind == "string_pattern_mismatch" and context.get("pattern") in PATTERNS:
        return PATTERNS[context["pattern"]]
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
