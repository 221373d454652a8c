"""What describe says of operations and how to work."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.errors import UnknownOperation
from lantern_kit.kernel.operation import Operation
from lantern_kit.skills import ORDER, guides
from tests.comic.capabilities.desk import Desk


def test_every_operation_is_listed_with_its_targets_and_what_it_does(reader: Desk) -> None:
    listed = reader.ask("operation.describe")
    assert [row["op"] for row in listed["operations"]] == [item.name for item in OPERATIONS]
    assert all(row["does"] and row["target"] for row in listed["operations"])
    assert list(listed["guides"]) == list(ORDER)


@pytest.mark.parametrize("operation", list(OPERATIONS), ids=lambda item: item.name)
def test_a_schema_names_every_argument_and_every_one_that_is_needed(operation: Operation, reader: Desk) -> None:
    (row,) = reader.ask("operation.describe", operations=[operation.name])["operations"]
    fields = {field.alias or name: field for name, field in operation.args.model_fields.items()}
    assert set(row["args"]["properties"]) == set(fields)
    assert set(row["args"]["required"]) == {name for name, field in fields.items() if field.is_required()}
    assert not _odd(row)


def _odd(node: Any) -> list[str]:
    """Keywords that clients stumble over, anywhere in a schema."""
    if isinstance(node, list):
        return [found for part in node for found in _odd(part)]
    if not isinstance(node, dict):
        return []
    here = [key for key in node if key in {"$ref", "$defs", "oneOf", "allOf", "prefixItems"}]
    here += ["null"] if node.get("type") == "null" else []
    return here + [found for part in node.values() for found in _odd(part)]


def test_a_misspelt_operation_names_the_nearest(reader: Desk) -> None:
    error = reader.refused("operation.describe", operations=["frame.splt"])
    assert isinstance(error, UnknownOperation)
    assert "frame" in error.recovery


def test_many_schemas_at_once_are_cut_and_what_is_left_out_is_named(reader: Desk) -> None:
    names = [item.name for item in OPERATIONS][:25]
    answer = reader.ask("operation.describe", operations=names)
    shown = [row["op"] for row in answer["operations"]]
    assert shown + answer.get("left_out", []) == names
    assert len(json.dumps(answer)) < 40_000


def test_every_guide_is_read_by_its_name_and_the_nearest_is_named(reader: Desk) -> None:
    for name, text in guides().items():
        assert reader.ask("operation.describe", guide=name)["guide"] == text
    assert "page" in reader.refused("operation.describe", guide="pages").recovery
