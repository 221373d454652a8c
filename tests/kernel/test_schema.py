"""Flat schemas say what the model says, in words that every client knows."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from lantern_kit.kernel.schema import flat_schema


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    width: float = Field(ge=0, description="mm")


class Sample(BaseModel):
    """A sample."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(min_length=1, pattern="^x")]
    colour: Colour | None = None
    line: Line | None = Field(None, description="how it is drawn")
    lines: list[Line] = Field(default_factory=list)
    point: tuple[float, float] = (0.0, 0.0)
    mixed: tuple[float, str] | None = None
    either: int | str = 1
    kind: Literal["a", "b"] = "a"
    loose: dict[str, Any] = Field(default_factory=dict)


def test_references_and_null_are_written_out() -> None:
    schema = flat_schema(Sample)
    assert schema["type"] == "object"
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert properties["colour"] == {"enum": ["red", "blue"], "type": "string"}
    assert properties["line"]["properties"] == {"width": {"minimum": 0, "type": "number", "description": "mm"}}
    assert properties["line"]["description"] == "how it is drawn"
    assert properties["lines"]["items"]["required"] == ["width"]
    pair = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    assert properties["point"] == {**pair, "default": [0.0, 0.0]}
    assert properties["mixed"]["maxItems"] == 2
    assert properties["either"]["anyOf"] == [{"type": "integer"}, {"type": "string"}]
    assert not _keys(schema) & {"$ref", "$defs", "title", "prefixItems", "oneOf"}


def test_brief_schemas_leave_out_what_only_the_model_needs() -> None:
    properties = flat_schema(Sample, brief=True)["properties"]
    assert properties["name"] == {"type": "string"}
    assert "default" not in properties["kind"]
    assert properties["line"]["properties"] == {"width": {"type": "number", "description": "mm"}}
    assert properties["loose"] == {"type": "object"}


def test_shallow_schemas_end_at_the_first_object() -> None:
    properties = flat_schema(Sample, shallow=True)["properties"]
    assert properties["line"] == {"type": "object"}
    assert properties["lines"] == {"type": "array"}
    assert properties["name"] == {"type": "string"}


def _keys(node: Any) -> set[str]:
    if isinstance(node, list):
        return set().union(*(_keys(item) for item in node))
    if not isinstance(node, dict):
        return set()
    found = {key for key in node if key != "properties"}
    parts = [part for key, part in node.items() if key != "properties"] + list(node.get("properties", {}).values())
    return found.union(*(_keys(part) for part in parts))
