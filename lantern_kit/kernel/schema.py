"""JSON schemas that every client can read: flat, without references, unions at the top or ``anyOf`` with null.

Where a model says more than such a schema can (a rectangle, exactly one of three keys), the description says it in
words, and the model itself still decides.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

_DROPPED = frozenset({"title", "$defs", "discriminator"})
_NOISE = frozenset({"pattern", "minLength", "maxLength", "minItems", "minimum", "maximum", "default"})


def flat_schema(model: type[BaseModel], *, brief: bool = False, shallow: bool = False) -> dict[str, Any]:
    """The schema of a model with every reference written out.

    Args:
        model: the model.
        brief: leave out patterns, lengths, bounds and defaults, which the model checks anyway, and what holds unsaid.
        shallow: of what is inside the object, say no more than that it is an object or a list.
    """
    whole = model.model_json_schema()
    defs = whole.get("$defs", {})
    made: dict[str, Any] = _flatten(whole, defs, brief=brief)
    if shallow:
        made["properties"] = {name: _shallow(part) for name, part in made.get("properties", {}).items()}
    made.pop("description", None)
    return made


def _flatten(node: Any, defs: dict[str, Any], *, brief: bool) -> Any:
    if isinstance(node, list):
        return [_flatten(item, defs, brief=brief) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = defs[str(node["$ref"]).rsplit("/", 1)[-1]]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    for union in ("anyOf", "oneOf"):
        if union in node:
            options = [item for item in node[union] if item.get("type") != "null"]
            rest = {key: value for key, value in node.items() if key != union}
            if len(options) == 1:
                return _flatten({**options[0], **rest}, defs, brief=brief)
            node = {**rest, "anyOf": options}
    out: dict[str, Any] = {}
    for key, value in node.items():
        if key in _DROPPED or (brief and key in _NOISE) or (key == "default" and value is None):
            continue
        if key == "properties":
            out[key] = {name: _flatten(part, defs, brief=brief) for name, part in value.items()}
        elif brief and key == "additionalProperties" and value is True:
            continue
        elif key == "prefixItems":
            out.update(_row([_flatten(item, defs, brief=brief) for item in value]))
        elif key in {"minItems", "maxItems"} and "prefixItems" in node:
            continue
        else:
            out[key] = _flatten(value, defs, brief=brief) if isinstance(value, dict | list) else value
    return out


def _row(items: list[Any]) -> dict[str, Any]:
    """A list of fixed length: one description of its items where they are alike."""
    alike = all(item == items[0] for item in items[1:])
    schema = items[0] if alike else {"type": items[0].get("type", "number")}
    return {"items": schema, "minItems": len(items), "maxItems": len(items)}


def _shallow(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: value for key, value in part.items() if key == "type"} or {}
    return part
