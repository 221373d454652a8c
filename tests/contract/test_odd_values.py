"""What the published schemas allow is carried out, or refused by an error of ours: never by a fault of the kit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.capability import Capability
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.operation import Operation
from lantern_kit.workspace import Workspace
from tests.contract import examples
from tests.contract.faults import CANARY, oddities
from tests.contract.stage import AGENT, ALL, Stage, told

WORDS = frozenset(
    (
        *("title", "text", "message", "task", "summary", "licence"),
        *("search", "name", "comic", "description", "speaker", "kind"),
    )
)
"""Arguments that hold somebody's words. What should name something is said back instead: one sees which it was."""


def words(what: str) -> bool:
    """Whether an oddity stands where somebody's words do."""
    return bool(WORDS.intersection(what.partition(" ")[0].split(".")))


def refusal(what: str, work: Callable[[Any], Any], given: Any) -> str:
    """The payload of an error of ours, or nothing. Raises AssertionError for any other error."""
    try:
        work(given)
    except LanternError as error:
        return str(error.payload())
    except Exception as error:
        raise AssertionError(what) from error
    return ""


@pytest.fixture(scope="module")
def copy(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = stage.copied(tmp_path_factory.mktemp("odd") / "ws")
    with replace(stage, folder=folder).opened() as ws:
        yield ws


@pytest.mark.parametrize("capability", list(CAPABILITIES), ids=lambda item: item.name)
def test_odd_arguments_of_a_capability_never_fail_otherwise(
    capability: Capability, copy: Workspace, stage: Stage
) -> None:
    dispatcher = copy.dispatcher()
    example = stage.fill(examples.CAPABILITIES[capability.name])
    for number, (what, arguments) in enumerate(oddities(capability.input, example)):
        if capability.writes and not what.startswith("idempotency_key"):
            arguments["idempotency_key"] = f"{capability.name} {number}"
        error = refusal(
            what, lambda given: dispatcher.dispatch(capability.name, given, actor=AGENT, scopes=ALL), arguments
        )
        assert str(copy.path) not in error, what
        said_back = CANARY in error and CANARY in what and words(what)
        assert not said_back or "stale_entry" in error, (what, error)  # it tells what others call the entry by now
    dispatcher.flush()
    said = told(copy.path)
    assert CANARY not in said
    assert str(copy.path) not in said
    assert copy.verify().clean


@pytest.mark.parametrize("operation", list(OPERATIONS), ids=lambda item: item.name)
def test_odd_arguments_of_an_operation_never_fail_otherwise(
    operation: Operation, stood: Workspace, stage: Stage
) -> None:
    target, args = stage.fill(list(examples.OPERATIONS[operation.name]))
    draft, now = stage.names["draft"], int(stage.names["now"][1:])
    for what, arguments in oddities(operation.args, args):
        given = [{"op": operation.name, "target": target, "args": arguments}]
        error = refusal(what, lambda given: stood.drafts.plan(draft, now, given), given)
        assert CANARY not in error or CANARY not in what or not words(what), (what, error)
