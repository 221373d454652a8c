"""Who saw the work as it was, or names a thing of another kind or none, is refused and writes nothing."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.comic.edit.references import reference_fields
from lantern_kit.kernel.capability import Capability, Dispatcher, Precondition
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.operation import Operation
from lantern_kit.workspace import Workspace
from tests.contract.stage import AGENT, ALL, FIRST, Stage, content
from tests.contract.test_refusals import asked_of, done_by, in_change_set

EVERY_OPERATION = pytest.mark.parametrize("operation", list(OPERATIONS), ids=lambda item: item.name)
EVERY_WRITE = pytest.mark.parametrize(
    "capability", [item for item in CAPABILITIES if item.writes], ids=lambda item: item.name
)
WITH_REVISION = [item for item in CAPABILITIES if item.precondition is Precondition.REVISION]
EVERY_PRECONDITION = pytest.mark.parametrize("capability", WITH_REVISION, ids=lambda item: item.name)
STALE = {"stale_head", "stale_handle", "stale_candidate"}
KEYS = itertools.count()
ELSEWHERE = {"draft.begin", "draft.pick"}
"""These name what lies in the work, or at a revision that is named too, and not what the draft holds."""
THINGS = {"chapter", "four", *(item["as"] for item in FIRST)}
"""What the examples name by handles."""
A_HANDLE = re.compile(r"[a-z]{2}_[0-9a-z]+#[0-9a-z]{8}")


def names_a_thing(value: Any) -> bool:
    """Whether an example, or a part of one, names a thing of the draft."""
    if isinstance(value, str):
        return value.startswith("$") and value[1:] in THINGS
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(names_a_thing, parts))


@pytest.fixture(scope="module")
def dispatcher(stood: Workspace) -> Dispatcher:
    return stood.dispatcher()


@pytest.fixture(autouse=True)
def unwritten(stage: Stage) -> Iterator[None]:
    """Every test here leaves the workspace as it was."""
    before = content(stage.folder)
    yield
    assert content(stage.folder) == before


def refused(dispatcher: Dispatcher, name: str, arguments: dict[str, Any]) -> LanternError:
    if arguments.get("idempotency_key") == "a-key":  # were one call carried out, the next would be its conflict
        arguments = {**arguments, "idempotency_key": f"key {next(KEYS)}"}
    with pytest.raises(LanternError) as caught:
        dispatcher.dispatch(name, arguments, actor=AGENT, scopes=ALL)
    return caught.value


def aged(stage: Stage, value: Any) -> Any:
    """A value in which every handle is as it was at an earlier revision."""
    if isinstance(value, str) and A_HANDLE.fullmatch(value):
        known = next((key for key, handle in stage.handles.items() if handle == value), None)
        return stage.old.get(known or "", f"{value[:-8]}00000000")
    if isinstance(value, dict):
        return {key: aged(stage, item) for key, item in value.items()}
    return [aged(stage, item) for item in value] if isinstance(value, list) else value


def bare(value: Any) -> Any:
    """A value in which every handle is a bare id."""
    if isinstance(value, str):
        return value.partition("#")[0] if A_HANDLE.fullmatch(value) else value
    if isinstance(value, dict):
        return {key: bare(item) for key, item in value.items()}
    return [bare(item) for item in value] if isinstance(value, list) else value


# operations


@EVERY_OPERATION
def test_an_operation_on_a_handle_of_before_is_refused(
    operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    target, args = stage.fill(list(done_by(operation.name)))
    error = refused(dispatcher, "draft.edit", in_change_set(stage, aged(stage, target), operation.name, args))
    assert error.code == "stale_handle"
    assert error.details["handles"] == [target]
    assert error.details["operation"] == 1


@pytest.mark.parametrize(
    "operation",
    [item for item in OPERATIONS if any(names_a_thing(value) for value in done_by(item.name)[1].values())],
    ids=lambda item: item.name,
)
def test_an_operation_whose_arguments_name_a_thing_by_a_handle_of_before_is_refused(
    operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    target, args = stage.fill(list(done_by(operation.name)))
    named = {key: value for key, value in args.items() if aged(stage, value) != value}
    assert named
    for key, value in named.items():
        old = in_change_set(stage, target, operation.name, {**args, key: aged(stage, value)})
        assert refused(dispatcher, "draft.edit", old).code == "stale_handle", key


@EVERY_OPERATION
def test_an_operation_on_a_bare_id_is_refused_from_a_revision_before_the_thing_changed(
    operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    target, args = stage.fill(list(done_by(operation.name)))
    targets = [bare(target), *([None] if "chapter" in operation.target else [])]
    for named in targets:
        given = in_change_set(stage, named, operation.name, bare(args))
        error = refused(dispatcher, "draft.edit", {**given, "expected_revision": stage.names["before"]})
        assert error.code == "stale_handle", named


@EVERY_OPERATION
def test_an_operation_on_a_thing_of_another_kind_is_refused(
    operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    _, args = stage.fill(list(done_by(operation.name)))
    for name, kind in stage.kinds.items():
        kinds = {kind, "unit"} if kind in {"page", "spread", "cover", "transition"} else {kind}
        if kinds.intersection(operation.target) or name in {"work", "said"}:
            continue
        for target in (stage.handles[name], stage.names[name]):
            error = refused(dispatcher, "draft.edit", in_change_set(stage, target, operation.name, args))
            assert error.code == "wrong_target", name
            assert error.expected == list(operation.target)


@EVERY_OPERATION
@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("fr_00000000", "not_found"),
        ("un_00000000#00000000", "not_found"),
        ("@nobody", "not_found"),
        ("", "bad_input"),
        ("page 3", "bad_input"),
        ("d1", "bad_input"),
        ("../../etc/passwd", "bad_input"),
        ("fr_7kq2m9x4#", "bad_input"),
        ("fr_7kq2m9x4#short", "bad_input"),
        ("fr_" + "0" * 100_000, "bad_input"),
    ],
)
def test_an_operation_on_what_is_not_there_is_refused(
    operation: Operation, target: str, code: str, dispatcher: Dispatcher, stage: Stage
) -> None:
    _, args = stage.fill(list(done_by(operation.name)))
    assert refused(dispatcher, "draft.edit", in_change_set(stage, target, operation.name, args)).code == code


@pytest.mark.parametrize(
    "operation", [item for item in OPERATIONS if reference_fields(item.args)], ids=lambda item: item.name
)
def test_an_operation_whose_arguments_name_what_is_not_there_or_is_of_no_use_is_refused(
    operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    target, args = stage.fill(list(done_by(operation.name)))
    for key in reference_fields(operation.args):
        many = operation.args.model_json_schema()["properties"][key].get("type") == "array"
        for wrong, codes in (
            ("fr_00000000", {"not_found"}),
            ("@nobody", {"not_found"}),
            ("the last panel", {"bad_input"}),
            (stage.handles["e"], {"bad_input", "wrong_target", "not_found", "invalid_document"}),
        ):
            given = {**args, key: [wrong] if many else wrong}
            error = refused(dispatcher, "draft.edit", in_change_set(stage, target, operation.name, given))
            assert error.code in codes, (key, wrong, error)


@pytest.mark.parametrize(
    "operation", [item for item in OPERATIONS if "chapter" not in item.target], ids=lambda item: item.name
)
def test_an_operation_without_the_target_that_it_needs_is_refused(
    operation: Operation, dispatcher: Dispatcher, stage: Stage
) -> None:
    _, args = stage.fill(list(done_by(operation.name)))
    error = refused(dispatcher, "draft.edit", in_change_set(stage, None, operation.name, args))
    assert error.code == "bad_input"
    assert "target" in error.message


# capabilities


@EVERY_PRECONDITION
def test_a_write_without_what_it_must_have_seen_is_refused(
    capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    for key in ("expected_revision", "draft"):
        error = refused(dispatcher, capability.name, {name: item for name, item in example.items() if name != key})
        assert error.code == "bad_input"
        assert key in error.message


@EVERY_WRITE
def test_a_write_without_a_key_for_its_retry_is_refused(
    capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    for key in (None, "", "k" * 121, "a\nb", "a\x00b", "\ud800", 7, ["k"]):
        given = {name: item for name, item in example.items() if name != "idempotency_key"}
        error = refused(dispatcher, capability.name, given if key is None else {**given, "idempotency_key": key})
        assert error.code == "bad_input", key
        assert "idempotency_key" in error.message


@pytest.mark.parametrize(
    "capability",
    [item for item in WITH_REVISION if item.name != "candidate.drop"],  # put away whatever became of its draft
    ids=lambda item: item.name,
)
def test_a_write_that_saw_an_earlier_revision_is_refused(
    capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = bare(stage.fill(asked_of(capability.name)))
    if capability.name == "candidate.adopt":  # what a candidate is about is kept with it
        example["candidate"] = stage.names["passed"]
    error = refused(dispatcher, capability.name, {**example, "expected_revision": stage.names["before"]})
    assert error.code in STALE
    assert stage.names["now"] in str(error.payload())
    assert error.recovery


@EVERY_PRECONDITION
@pytest.mark.parametrize(
    ("revision", "codes"),
    [
        ("$other_now", {"stale_head"}),
        ("r1", {"stale_head"}),
        ("r999999", {"stale_head", "not_found"}),
        ("r0", {"bad_input", "not_found", "stale_head"}),
        ("r-1", {"bad_input"}),
        ("41", {"bad_input"}),
        ("head", {"bad_input"}),
        ("r٤", {"bad_input"}),
        ("r99999999999999999", {"bad_input", "not_found", "stale_head"}),
        ("r9999999999999999999", {"bad_input"}),
    ],
)
def test_a_write_that_saw_a_revision_of_something_else_or_none_is_refused(
    capability: Capability, revision: str, codes: set[str], dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    error = refused(dispatcher, capability.name, {**example, "expected_revision": stage.fill(revision)})
    assert error.code in codes, error


@pytest.mark.parametrize(
    "capability", [item for item in CAPABILITIES if "seen" in item.input.model_fields], ids=lambda item: item.name
)
def test_a_write_that_saw_an_earlier_version_is_refused(
    capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    for seen in (example["seen"] - 1, example["seen"] + 1, 10**9):
        error = refused(dispatcher, capability.name, {**example, "seen": seen})
        assert error.code in {"stale_entry", "not_found", "bad_input"}
        assert str(example["seen"]) in str(error.payload())


@pytest.mark.parametrize(
    "capability",
    [
        item
        for item in CAPABILITIES
        if item.writes and item.name not in ELSEWHERE and any(map(names_a_thing, asked_of(item.name).values()))
    ],
    ids=lambda item: item.name,
)
def test_a_write_on_a_thing_by_a_handle_of_before_is_refused(
    capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    named = {key: value for key, value in example.items() if aged(stage, value) != value}
    assert named
    for key, value in named.items():
        assert refused(dispatcher, capability.name, {**example, key: aged(stage, value)}).code in STALE, key


@pytest.mark.parametrize(
    "capability",
    [item for item in CAPABILITIES if item.writes and "draft" in asked_of(item.name)],
    ids=lambda item: item.name,
)
def test_a_write_in_a_draft_that_is_none_is_refused(
    capability: Capability, dispatcher: Dispatcher, stage: Stage
) -> None:
    example = stage.fill(asked_of(capability.name))
    others = [stage.names[name] for name in ("chapter", "proposal", "now", "candidate")]
    for draft in ("d999", "d99999999999999999", "D1", "d1 ", "d01", "d١", *others):
        error = refused(dispatcher, capability.name, {**example, "draft": draft})
        assert error.code in {"bad_input", "not_found"}, (draft, error)
