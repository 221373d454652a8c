"""Everything that can be wrong with arguments, told by a model's published schema alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import BaseModel

CANARY = "zqxjk canary"
"""Words that no error may say back."""
NAN, INFINITY = math.nan, math.inf
ODD: tuple[Any, ...] = (
    *(True, 7, -7, 7.5, -0.5, 10**40, -(10**40), 1e300, -1e300, NAN, INFINITY, -INFINITY),
    *("", CANARY, "7", "\ud800", [], [CANARY], [[]], [None], {}, {"odd": CANARY}, {"rect": [CANARY]}),
)
"""Values that some field somewhere is bound to refuse."""
ALLOWED: tuple[Any, ...] = (
    *("r999999999", "r0", "d999", "cd999", "p999", "un_00000000", "@nothing"),
    *("../../etc/passwd", "a\x00b", "\u202e", "#", 0, 1, -1, 0.001),
    *(["un_00000000"], ["un_00000000", "un_00000000"]),
    [{"op": "unit.add", "args": {"name": NAN}}],
    [{"op": "unit.add", "args": {"name": "\ud800"}}],
    [{"op": "unit.add", "target": "@a", "as": "a"}],
    [{"op": "\ud800"}],
)
"""Values that look right and mean nothing, or nothing good."""
LONG = 250_000
"""Characters that no text without a limit of its own takes either; for items of a list, a thousandth."""
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """Arguments with one thing wrong."""

    what: str
    args: dict[str, Any]
    codes: frozenset[str]
    says: str
    """What the refusal must name."""


WRONG = frozenset({"bad_input"})
UNKNOWN = frozenset({"unknown_key"})


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """What a model publishes."""
    return model.model_json_schema()


def faults(model: type[BaseModel], example: Mapping[str, Any], *, absent: bool = True) -> Iterator[Fault]:
    """Every misspelt key, missing key and wrong value of a model, each in arguments that are right in all else.

    Args:
        model: the model.
        example: arguments that it takes.
        absent: whether null means that a key is absent, in the arguments themselves.
    """
    whole = schema_of(model)
    for path, schema in _places(whole, whole, ()):
        if _kind(schema) == "object" and "properties" in schema:
            yield from _keys(example, path, schema, whole)
        if path:
            yield from _values(example, path, schema, whole, absent=absent)


def _keys(example: Mapping[str, Any], path: Path, schema: dict[str, Any], whole: dict[str, Any]) -> Iterator[Fault]:
    """An object's keys, each misspelt, and each that is needed left out."""
    known = schema["properties"]
    there = _at(example, path)
    base = there if isinstance(there, dict) else _least(schema, whole)
    for name in known:
        value = base.get(name, _least(known[name], whole))
        rest = {key: item for key, item in base.items() if key != name}
        for wrong in misspelt(name, known):
            made = _with(example, path, {**rest, wrong: value})
            yield Fault(f"{_called((*path, name))} spelt {wrong}", made, UNKNOWN, name)
    for name in schema.get("required", ()):
        rest = {key: item for key, item in base.items() if key != name}
        yield Fault(f"{_called((*path, name))} missing", _with(example, path, rest), WRONG, name)


def misspelt(name: str, known: Mapping[str, Any]) -> list[str]:
    """A key with a letter left out, with two swapped, and with one too many."""
    middle = len(name) // 2
    made = [name[:middle] + name[middle + 1 :], f"{name[:-2]}{name[-1]}{name[-2]}" if len(name) > 1 else "", f"{name}x"]
    return [wrong for wrong in dict.fromkeys(made) if wrong and wrong not in known]


def _values(
    example: Mapping[str, Any], path: Path, schema: dict[str, Any], whole: dict[str, Any], *, absent: bool
) -> Iterator[Fault]:
    judge = Draft202012Validator({**schema, "$defs": whole.get("$defs", {})})
    top = str(path[0])
    for value in (*ODD, *_beyond(schema, whole), None):
        if not (_unreal(value) and _kind(schema) != "any") and judge.is_valid(value):
            continue
        if value is None and absent and len(path) == 1:
            continue
        codes = WRONG | UNKNOWN if isinstance(value, dict) else WRONG
        yield Fault(f"{_called(path)} = {_short(value)}", _with(example, path, value), codes, top)


def _unreal(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _beyond(schema: dict[str, Any], whole: dict[str, Any]) -> Iterator[Any]:
    """Just past each limit, and past what stands where there is none."""
    step = 1 if schema.get("type") == "integer" else 0.001
    for key, sign in (("minimum", -step), ("maximum", step), ("exclusiveMinimum", 0), ("exclusiveMaximum", 0)):
        if key in schema:
            yield schema[key] + sign
    kind = _kind(schema)
    if kind == "string" and "enum" not in schema:
        most = schema.get("maxLength")
        yield (CANARY * (most // len(CANARY) + 2))[: most + 1] if most is not None else _Huge.text
    if kind == "array" and "prefixItems" not in schema:
        item = _least(schema.get("items", {}), whole)
        yield [item] * (schema["maxItems"] + 1) if "maxItems" in schema else [item] * (LONG // 1_000)
        yield [item] * (schema.get("minItems", 0) - 1)


class _Huge:
    text = CANARY * (LONG // len(CANARY))


def _places(schema: dict[str, Any], whole: dict[str, Any], path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every place in arguments and its own schema, outermost first; of a union with null the other part."""
    schema = _plain(schema, whole)
    yield path, schema
    for name, part in schema.get("properties", {}).items():
        yield from _places(part, whole, (*path, name))
    if "prefixItems" in schema:
        for number, part in enumerate(schema["prefixItems"]):
            yield from _places(part, whole, (*path, number))
    elif "items" in schema:
        yield from _places(schema["items"], whole, (*path, 0))


def _plain(schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """A schema without references; a union with null keeps saying that null is right."""
    if "$ref" in schema:
        found = whole["$defs"][str(schema["$ref"]).rsplit("/", 1)[-1]]
        return _plain({**found, **{key: value for key, value in schema.items() if key != "$ref"}}, whole)
    if "allOf" in schema and len(schema["allOf"]) == 1:
        return _plain({**schema["allOf"][0], **{key: item for key, item in schema.items() if key != "allOf"}}, whole)
    if "anyOf" in schema:
        parts = [part for part in schema["anyOf"] if part.get("type") != "null"]
        if len(parts) == 1:
            inner = _plain(parts[0], whole)
            nullable = len(parts) < len(schema["anyOf"])
            if "enum" in inner and nullable:
                return {**inner, "enum": [*inner["enum"], None], "type": [inner.get("type", "string"), "null"]}
            return {**inner, "type": [inner["type"], "null"]} if nullable and "type" in inner else inner
    return schema


def _kind(schema: dict[str, Any]) -> str:
    kind = schema.get("type", "any")
    return kind if isinstance(kind, str) else next(item for item in kind if item != "null")


def _least(schema: dict[str, Any], whole: dict[str, Any]) -> Any:
    """Some value that a schema allows, as small as can be."""
    schema = _plain(schema, whole)
    if "default" in schema and schema["default"] is not None:
        return schema["default"]
    if "enum" in schema or "const" in schema:
        return schema.get("const", (schema.get("enum") or [None])[0])
    match _kind(schema):
        case "object":
            needed = schema.get("required", ())
            return {name: _least(schema["properties"][name], whole) for name in needed}
        case "array" if "prefixItems" in schema:
            return [_least(part, whole) for part in schema["prefixItems"]]
        case "array":
            return [_least(schema.get("items", {}), whole)] * schema.get("minItems", 0)
        case "string":
            return _matching(schema)
        case "boolean":
            return True
        case "integer" | "number":
            return max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
    return None


def _matching(schema: dict[str, Any]) -> str:
    text = "x" * max(1, schema.get("minLength", 1))
    for candidate in (text, "#336699", "en", "li_0000none", "r1", "d1"):
        if Draft202012Validator({key: schema[key] for key in ("pattern", "minLength") if key in schema}).is_valid(
            candidate
        ):
            return candidate
    raise AssertionError(f"say in _matching what a text like {schema['pattern']} is")


def _at(value: Any, path: Path) -> Any:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _with(example: Mapping[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A copy of arguments that has a value at a path; what is on the way is made."""
    made: Any = dict(example)
    if not path:
        return dict(value)
    made[path[0]] = _placed(deepcopy(made.get(path[0])), path[1:], value)
    return dict(made)


def _placed(there: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    part = path[0]
    if isinstance(part, int):
        items = list(there) if isinstance(there, list) else []
        items += [0] * (part + 1 - len(items))
        items[part] = _placed(items[part], path[1:], value)
        return items
    return {**(there if isinstance(there, dict) else {}), part: _placed(_at(there, (part,)), path[1:], value)}


def _called(path: Path) -> str:
    return ".".join(map(str, path))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else f"{text[:40]}… ({len(text)})"


def oddities(model: type[BaseModel], example: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Odd values that a model's schema allows, each in its place in arguments that are right in all else."""
    whole = schema_of(model)
    for path, schema in _places(whole, whole, ()):
        judge = Draft202012Validator({**schema, "$defs": whole.get("$defs", {})})
        for value in (*ODD, *ALLOWED):
            if path and judge.is_valid(value) and not _unreal(value):
                yield f"{_called(path)} = {_short(value)}", _with(example, path, value)
