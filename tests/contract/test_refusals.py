"""Every wrong argument of every capability and every operation is refused for what it is, and writes nothing.

The cases come from what is registered and from the schemas that are published: whatever is added is covered as soon
as it is there, and asks for one line in ``examples.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.capability import Capability, Dispatcher
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.operation import Operation
from lantern_kit.workspace import Workspace
from tests.contract import examples
from tests.contract.faults import CANARY, Fault, faults
from tests.contract.stage import AGENT, ALL, Stage, content

EVERY_CAPABILITY = pytest.mark.parametrize("capability", list(CAPABILITIES), ids=lambda item: item.name)
EVERY_OPERATION = pytest.mark.parametrize("operation", list(OPERATIONS), ids=lambda item: item.name)
Ask = Callable[[dict[str, Any]], LanternError | None]


def asked_of(capability: str) -> dict[str, Any]:
    """The example of a capability."""
    found = examples.CAPABILITIES.get(capability)
    assert found is not None, f"add an example of {capability} to CAPABILITIES in tests/contract/examples.py"
    return found


def done_by(operation: str) -> tuple[str, dict[str, Any]]:
    """The example of an operation."""
    found = examples.OPERATIONS.get(operation)
    assert found is not None, f"add an example of {operation} to OPERATIONS in tests/contract/examples.py"
    return found


@pytest.fixture(scope="module")
def dispatcher(stood: Workspace) -> Dispatcher:
    return stood.dispatcher()


def asker(dispatcher: Dispatcher, name: str) -> Ask:
    """Makes a call and gives what it was refused with."""

    def ask(arguments: dict[str, Any]) -> LanternError | None:
        try:
            dispatcher.dispatch(name, arguments, actor=AGENT, scopes=ALL)
        except LanternError as error:
            return error
        return None

    return ask


def wrongs(cases: Iterator[Fault], ask: Ask, folder: str) -> list[str]:
    """What of the refusals is not as it must be."""
    found = []
    for case in cases:
        error = ask(case.args)
        if error is None:
            found.append(f"{case.what}: accepted")
            continue
        told = json.dumps(error.payload(), ensure_ascii=False)
        if error.code not in case.codes:
            found.append(f"{case.what}: {error.code}: {error.message[:120]}")
        elif case.says not in told:
            found.append(f"{case.what}: {case.says} is not named: {told[:200]}")
        if CANARY in told or folder in told:
            found.append(f"{case.what}: says back what was sent, or where the work lies: {told[:200]}")
        if len(told) > 4_000:
            found.append(f"{case.what}: the refusal has {len(told)} characters")
    return found


@EVERY_CAPABILITY
def test_wrong_arguments_of_a_capability_are_refused_and_write_nothing(
    capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    before = content(stage.folder)
    found = wrongs(
        faults(capability.input, example, absent=False), asker(dispatcher, capability.name), str(stage.folder)
    )
    assert not found, "\n".join(found)
    assert content(stage.folder) == before


def in_change_set(stage: Stage, target: str | None, op: str, args: Any) -> dict[str, Any]:
    return {
        "draft": stage.names["draft"],
        "expected_revision": stage.names["now"],
        "idempotency_key": "a-key",
        "operations": [{"op": op, "target": target, "args": args}],
    }


@EVERY_OPERATION
def test_wrong_arguments_of_an_operation_are_refused_and_write_nothing(
    operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    target, args = stage.fill(list(done_by(operation.name)))
    edit = asker(dispatcher, "draft.edit")
    before = content(stage.folder)
    found = wrongs(
        faults(operation.args, args),
        lambda wrong: edit(in_change_set(stage, target, operation.name, wrong)),
        str(stage.folder),
    )
    assert not found, "\n".join(found)
    assert content(stage.folder) == before


@EVERY_OPERATION
def test_the_example_of_an_operation_works(operation: Operation, stood: Workspace, stage: Stage) -> None:
    target, args = stage.fill(list(done_by(operation.name)))
    given = [{"op": operation.name, "target": target, "args": args}]
    assert stood.drafts.plan(stage.names["draft"], int(stage.names["now"][1:]), given).changes
