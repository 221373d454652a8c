"""Arguments of any size are refused in a few words: before a million faults are looked for, and told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.capability import Capability, Dispatcher
from lantern_kit.kernel.operation import Operation
from lantern_kit.mcp_server.profile import Tool
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import Face
from lantern_kit.workspace import Workspace
from tests.contract.stage import AGENT, Stage, content
from tests.contract.test_preconditions import refused
from tests.contract.test_refusals import asked_of, done_by, in_change_set

COUNT = 100_000
SHORT = 1_000
"""Characters of a refusal."""


def nested(deep: int) -> Any:
    value: Any = 1
    for place in range(deep):
        value = [value] if place % 2 else {"a": value}
    return value


KEYS = {f"key {number}": number for number in range(COUNT)}
TOO_MUCH: dict[str, Any] = {
    "keys": KEYS,
    "items": [{}] * COUNT,
    "objects of many keys": [KEYS] * 10,
    "lists of lists": [[1] * 1_000] * 1_000,
    "levels": nested(900),
}
EACH = pytest.mark.parametrize("much", TOO_MUCH.values(), ids=TOO_MUCH)


@pytest.fixture(scope="module")
def dispatcher(stood: Workspace) -> Dispatcher:
    return stood.dispatcher()


def require_short(dispatcher: Dispatcher, name: str, arguments: dict[str, Any]) -> None:
    error = refused(dispatcher, name, arguments)
    assert error.code in {"bad_input", "unknown_key", "unknown_operation"}
    assert len(json.dumps(error.payload())) < SHORT


@EACH
@pytest.mark.parametrize("capability", list(CAPABILITIES), ids=lambda item: item.name)
def test_far_too_much_for_a_capability_is_refused_in_a_few_words(
    much: Any, capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    before = content(stage.folder)
    for key in capability.input.model_fields:
        require_short(dispatcher, capability.name, {**example, key: much})
    require_short(dispatcher, capability.name, {**example, **KEYS})
    assert content(stage.folder) == before


@EACH
@pytest.mark.parametrize("operation", list(OPERATIONS), ids=lambda item: item.name)
def test_far_too_much_for_an_operation_is_refused_in_a_few_words(
    much: Any, operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    target, args = stage.fill(list(done_by(operation.name)))
    for key in operation.args.model_fields:
        require_short(dispatcher, "draft.edit", in_change_set(stage, target, operation.name, {**args, key: much}))


@pytest.mark.parametrize("long", ["x" * 1_000_000, "frame." * 200_000, "frame.cut." * 100_000])
def test_a_name_without_end_is_told_by_its_beginning(long: str, dispatcher: Dispatcher, stage: Stage) -> None:
    for name, arguments in (
        ("draft.edit", in_change_set(stage, stage.handles["f"], long, {})),
        ("draft.edit", in_change_set(stage, long, "frame.set", {})),
        ("draft.edit", in_change_set(stage, f"@{long}", "frame.set", {})),
        ("draft.edit", in_change_set(stage, stage.handles["f"], "frame.set", {long: 1})),
        ("operation.describe", {"operations": [long]}),
        ("operation.describe", {long: 1}),
    ):
        error = refused(dispatcher, name, arguments)
        assert len(json.dumps(error.payload())) < SHORT


@pytest.mark.parametrize("tool", [tool for tool in COMIC.tools if tool.actions], ids=lambda tool: tool.name)
def test_many_keys_and_no_action_are_refused_in_a_few_words(tool: Tool, stood: Workspace) -> None:
    face = Face(stood.dispatcher(), COMIC, folder=stood.path.name)
    result = face.call(tool.name, KEYS, AGENT)
    assert result.is_error
    assert len(result.content[0].text) < SHORT  # type: ignore[union-attr]
