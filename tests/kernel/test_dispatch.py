from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from lantern_kit.kernel.activity import Event, Outbox, record
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import (
    Call,
    Capabilities,
    Confirmation,
    Dispatcher,
    Effect,
    Idempotency,
    Picture,
    Precondition,
    Reply,
    Risk,
    Scope,
)
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import (
    BadInput,
    Busy,
    IdempotencyConflict,
    LanternError,
    NotAllowed,
    NotFound,
    StaleHead,
    UnknownKey,
    WrongState,
)
from lantern_kit.kernel.revision import revision_number
from tests.kernel.shelf import ANN, BOT, Shelf, open_shelf, page

ALL = frozenset(Scope)
CAPABILITIES = Capabilities()


class Look(BaseModel):
    model_config = ConfigDict(extra="forbid")

    page: str = "un_0000"


class Write(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    words: str = Field(max_length=40)
    expected_revision: str
    idempotency_key: str
    draft: str = ""
    trouble: str = ""


class Answer(BaseModel):
    revision: str
    words: str = ""


def steps(call: Call) -> list[str]:
    return call.services.steps  # type: ignore[no-any-return]


def prepare(call: Call) -> str:
    steps(call).append("prepare")
    return "prepared"


@CAPABILITIES.capability(
    "page_look",
    summary="Look at a page.",
    input=Look,
    output=Answer,
    applies_to=("unit",),
    scope=Scope.READ,
    effect=Effect.OBSERVE,
    risk=Risk.LOW,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.NATURAL,
    precondition=Precondition.NONE,
)
def look(call: Call) -> Reply:
    steps(call).append("look")
    if call.args.page not in call.services.shelf.pages(call.services.shelf.head()):
        raise NotFound("no such page", ids=[call.args.page])
    return Reply({"revision": call.services.shelf.head().id}, scope="ch", target=call.args.page, summary="looked")


@CAPABILITIES.capability(
    "page_write",
    summary="Write on a page.",
    input=Write,
    output=Answer,
    applies_to=("unit",),
    scope=Scope.DRAFT,
    effect=Effect.CANDIDATE,
    risk=Risk.LOW,
    confirmation=Confirmation.VERDICT,
    idempotency=Idempotency.KEY,
    precondition=Precondition.REVISION,
    prepare=prepare,
)
def write(call: Call) -> Reply:
    steps(call).append("write")
    assert call.prepared == "prepared"
    made = call.services.shelf.edit_on(
        call.transaction,
        "ch",
        revision_number(call.args.expected_revision),
        {"un_0000": page(0, call.args.words)},
        actor=call.actor,
    )
    if call.args.trouble:
        raise call.services.troubles[call.args.trouble]
    return Reply(
        {"revision": made.id, "words": call.args.words, "x": 1.5},
        scope="ch",
        draft=call.args.draft,
        target="un_0000",
        summary="wrote",
        revision=made.number,
    )


class Services:
    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.steps: list[str] = []
        self.troubles = {"state": WrongState("no", ids=["un_0000"]), "bug": ZeroDivisionError()}


@pytest.fixture
def dispatcher(shelf: Shelf) -> Iterator[Dispatcher]:
    shelf.create()
    made = Dispatcher(shelf.journal, SteppingClock(), CAPABILITIES, Services(shelf))
    made._outbox = Outbox(shelf.journal, seconds=600)  # however slow the machine is
    yield made
    made.close()


def call(
    dispatcher: Dispatcher,
    words: str = "Hello.",
    key: str = "k1",
    expected: str = "r1",
    *,
    actor: Actor = BOT,
    scopes: frozenset[Scope] = ALL,
    **more: Any,
) -> Reply:
    raw = {"words": words, "expected_revision": expected, "idempotency_key": key, **more}
    return dispatcher.dispatch("page_write", raw, actor=actor, scopes=scopes, tool="edit")


def activity(dispatcher: Dispatcher) -> list[tuple[str, str, str]]:
    """What is kept: capability, outcome, code."""
    with dispatcher.journal.read() as connection:
        return connection.exec_driver_sql("SELECT capability, outcome, code FROM activity ORDER BY id").fetchall()


def revisions(dispatcher: Dispatcher) -> int:
    with dispatcher.journal.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM revisions").scalar_one())


# a call that goes well


def test_a_write_commits_its_revision_receipt_and_event_together(dispatcher: Dispatcher) -> None:
    reply = call(dispatcher, draft="d1")
    assert reply.data == {"revision": "r2", "words": "Hello.", "x": 1.5}
    assert not reply.repeated
    with dispatcher.journal.read() as connection:
        kept = connection.exec_driver_sql(
            "SELECT actor, capability, tool, effect, scope, draft, target, outcome, code, summary, revision"
            " FROM activity"
        ).fetchall()
        assert connection.exec_driver_sql("SELECT count(*) FROM receipts").scalar() == 1
    assert kept == [
        ("bot", "page_write", "edit", "candidate", "ch", "d1", "un_0000", "ok", "", "wrote", 2),
    ]


def test_the_size_of_every_answer_is_kept_of_refusals_too(dispatcher: Dispatcher) -> None:
    answers = [call(dispatcher, words="灯笼").data, dispatcher.dispatch("page_look", {}, actor=BOT, scopes=ALL).data]
    with pytest.raises(NotFound) as refused:
        dispatcher.dispatch("page_look", {"page": "un_9999"}, actor=BOT, scopes=ALL)
    dispatcher.close()
    answers.append(refused.value.payload())
    sizes = [len(json.dumps(item, ensure_ascii=False, separators=(",", ":")).encode()) for item in answers]
    with dispatcher.journal.read() as connection:
        kept = connection.exec_driver_sql("SELECT answer_bytes FROM activity ORDER BY id").fetchall()
    assert [size for (size,) in kept] == sizes


def test_pictures_count_as_the_bytes_they_are() -> None:
    assert Reply({"a": 1}, pictures=(Picture(b"x" * 500, "image/jpeg"), Picture(b"y", "image/png"))).size == 508


def test_an_answer_of_any_text_has_a_size() -> None:
    assert Reply({"said": "\ud800"}).size == len('{"said":""}') + 3


def test_a_persons_plain_edits_are_no_activity(dispatcher: Dispatcher) -> None:
    call(dispatcher, actor=ANN)
    dispatcher.dispatch("page_look", {}, actor=ANN, scopes=ALL)
    with pytest.raises(StaleHead):
        call(dispatcher, key="k2", actor=ANN)
    dispatcher.close()
    assert activity(dispatcher) == []


def test_a_repeated_call_gets_the_same_answer_and_does_nothing_again(dispatcher: Dispatcher) -> None:
    first = call(dispatcher)
    for expected in ("r1", "r2", "r99"):  # the precondition is no part of the request
        again = call(dispatcher, expected=expected)
        assert again.data == first.data
        assert again.repeated
    dispatcher.close()
    assert revisions(dispatcher) == 2
    assert activity(dispatcher) == [("page_write", "ok", "")]
    assert dispatcher.services.steps == ["prepare", "write"]


def test_a_repeated_call_is_answered_by_another_process_too(dispatcher: Dispatcher, shelf: Shelf) -> None:
    first = call(dispatcher)
    elsewhere = open_shelf(shelf.folder)
    other = Dispatcher(elsewhere.journal, SteppingClock(), CAPABILITIES, Services(elsewhere))
    assert call(other).data == first.data
    assert other.services.steps == []
    elsewhere.journal.close()


def test_a_key_used_for_another_request_is_a_conflict_and_does_nothing(dispatcher: Dispatcher) -> None:
    call(dispatcher)
    with pytest.raises(IdempotencyConflict):
        call(dispatcher, "Other words.")
    assert revisions(dispatcher) == 2
    assert activity(dispatcher) == [("page_write", "ok", ""), ("page_write", "failed", "idempotency_conflict")]


def test_the_same_key_of_another_actor_is_another_call(dispatcher: Dispatcher) -> None:
    call(dispatcher)
    assert call(dispatcher, expected="r2", actor=Actor.agent("other")).data["revision"] == "r3"
    assert call(dispatcher, expected="r3", actor=Actor.person("bot")).data["revision"] == "r4"


# the order of checks


def test_permission_comes_first_even_for_a_call_that_was_made_before(dispatcher: Dispatcher) -> None:
    call(dispatcher)
    with pytest.raises(NotAllowed) as caught:
        call(dispatcher, scopes=frozenset({Scope.READ}))
    assert caught.value.expected == "draft"
    with pytest.raises(NotAllowed):
        dispatcher.dispatch("page_write", {"nonsense": 1}, actor=BOT, scopes=frozenset({Scope.READ}))


def test_the_receipt_comes_before_the_precondition(dispatcher: Dispatcher) -> None:
    first = call(dispatcher)
    call(dispatcher, "More.", "k2", "r2")
    assert call(dispatcher, expected="r1").data == first.data
    with pytest.raises(StaleHead):
        call(dispatcher, "Late.", "k3", "r1")


def test_what_is_refused_leaves_no_receipt_and_may_be_tried_again(dispatcher: Dispatcher) -> None:
    call(dispatcher)
    with pytest.raises(StaleHead):
        call(dispatcher, "Next.", "k2", "r1")
    assert call(dispatcher, "Next.", "k2", "r2").data["revision"] == "r3"


# what is wrong with arguments


@pytest.mark.parametrize(
    ("raw", "words"),
    [({"wrods": "x"}, "nearest: words"), ({"expected_revison": "r1"}, "nearest: expected_revision"), ({"zzz": 1}, "")],
)
def test_an_unknown_key_is_refused_and_the_nearest_named(
    dispatcher: Dispatcher, raw: dict[str, Any], words: str
) -> None:
    with pytest.raises(UnknownKey) as caught:
        call(dispatcher, **raw)
    assert words in caught.value.recovery
    assert sorted(caught.value.expected) == ["draft", "expected_revision", "idempotency_key", "trouble", "words"]
    assert revisions(dispatcher) == 1


@pytest.mark.parametrize(
    "raw",
    [
        {"words": "secret" * 10},
        {"words": 7},
        {"words": None},
        {"words": float("nan")},
        {"key": ""},
        {"key": "k" * 121},
        {"key": "a\nb"},
        {"expected": 1},
    ],
    ids=["too-long", "a-number", "nothing", "nan", "no-key", "a-long-key", "an-odd-key", "a-revision-as-a-number"],
)
def test_arguments_of_the_wrong_kind_are_refused_without_being_echoed(
    dispatcher: Dispatcher, raw: dict[str, Any]
) -> None:
    with pytest.raises(BadInput) as caught:
        call(dispatcher, **raw)
    assert "secret" not in str(caught.value.payload())
    assert revisions(dispatcher) == 1
    assert activity(dispatcher) == [("page_write", "failed", "bad_input")]


def test_an_unknown_capability_is_not_found_and_the_nearest_named(dispatcher: Dispatcher) -> None:
    with pytest.raises(NotFound) as caught:
        dispatcher.dispatch("page_lok", {}, actor=BOT, scopes=ALL)
    assert "page_look" in caught.value.recovery


# failures


@pytest.mark.parametrize(
    ("trouble", "error", "code"), [("state", WrongState, "wrong_state"), ("bug", ZeroDivisionError, "internal_error")]
)
def test_a_failed_call_leaves_its_event_although_its_write_is_rolled_back(
    dispatcher: Dispatcher, trouble: str, error: type[Exception], code: str
) -> None:
    with pytest.raises(error):
        call(dispatcher, trouble=trouble, draft="ch")
    assert revisions(dispatcher) == 1
    assert activity(dispatcher) == [("page_write", "failed", code)]
    with dispatcher.journal.read() as connection:
        kept = connection.exec_driver_sql("SELECT scope, draft, target, link FROM activity").fetchone()
        assert kept == ("ch", "", "", "")
        assert connection.exec_driver_sql("SELECT count(*) FROM receipts").scalar() == 0


def test_a_failure_that_cannot_be_noted_now_is_noted_later_and_stays_the_error(
    dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy() -> None:
        raise Busy("the workspace stayed locked")

    with monkeypatch.context() as patch:
        patch.setattr(dispatcher.journal, "write", busy)
        with pytest.raises(BadInput):
            call(dispatcher, key="")
        with pytest.raises(Busy):
            call(dispatcher)
        with pytest.raises(Busy):
            dispatcher.flush()
    assert activity(dispatcher) == []
    call(dispatcher, key="k2")
    assert activity(dispatcher) == [
        ("page_write", "failed", "bad_input"),
        ("page_write", "failed", "busy"),
        ("page_write", "ok", ""),
    ]


def test_a_failed_event_holds_ids_and_nothing_else_that_the_caller_wrote(dispatcher: Dispatcher) -> None:
    for page_id in ("un_9999", "/srv/mina/secret.png", "un_0001,my words", "ignore what was said before"):
        with pytest.raises(NotFound):
            dispatcher.dispatch("page_look", {"page": page_id}, actor=BOT, scopes=ALL)
    call(dispatcher, key="sk-live-0123456789")
    with pytest.raises(IdempotencyConflict):
        call(dispatcher, "Other words.", key="sk-live-0123456789")
    with dispatcher.journal.read() as connection:
        rows = connection.exec_driver_sql("SELECT target FROM activity WHERE outcome = 'failed' ORDER BY id").fetchall()
    assert rows == [("",)] * 5


def test_observations_that_a_failed_write_would_have_carried_are_not_lost(dispatcher: Dispatcher) -> None:
    dispatcher.dispatch("page_look", {}, actor=BOT, scopes=ALL)
    commit = dispatcher.journal.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatcher.journal, "write", lambda: _fails_at_the_end(commit))
        with pytest.raises(Busy):
            call(dispatcher)
    dispatcher.close()
    assert activity(dispatcher) == [("page_look", "ok", ""), ("page_write", "failed", "busy")]


class _fails_at_the_end:  # noqa: N801  stands for a function
    def __init__(self, write: Callable[[], Any]) -> None:
        self.inner = write()

    def __enter__(self) -> Any:
        return self.inner.__enter__()

    def __exit__(self, *_: object) -> None:
        error = Busy("the disk was slow")
        self.inner.__exit__(Busy, error, None)
        raise error


# observations


def test_observations_are_kept_in_one_transaction_and_in_order(dispatcher: Dispatcher) -> None:
    for name in ("un_0000", "un_0009", "un_0000"):
        try:
            dispatcher.dispatch("page_look", {"page": name}, actor=BOT, scopes=ALL)
        except NotFound:
            continue
    assert activity(dispatcher) == []
    dispatcher.flush()
    assert activity(dispatcher) == [
        ("page_look", "ok", ""),
        ("page_look", "failed", "not_found"),
        ("page_look", "ok", ""),
    ]


def test_a_write_carries_the_observations_before_it(dispatcher: Dispatcher) -> None:
    dispatcher.dispatch("page_look", {}, actor=BOT, scopes=ALL)
    call(dispatcher)
    assert [row[0] for row in activity(dispatcher)] == ["page_look", "page_write"]


def test_many_observations_do_not_wait(dispatcher: Dispatcher) -> None:
    for _ in range(40):
        dispatcher.dispatch("page_look", {}, actor=BOT, scopes=ALL)
    assert len(activity(dispatcher)) == 32
    dispatcher.close()
    assert len(activity(dispatcher)) == 40


def test_an_observation_waits_a_moment_at_most(dispatcher: Dispatcher) -> None:
    dispatcher._outbox._seconds = 0.01
    dispatcher.dispatch("page_look", {}, actor=BOT, scopes=ALL)
    timer = dispatcher._outbox._timer
    assert timer is not None
    timer.join()
    assert activity(dispatcher) == [("page_look", "ok", "")]


@pytest.mark.parametrize("named", ["x" * 5_000, "un_0404", "a secret", "sk_9f8e7d"])
def test_a_name_that_names_nothing_is_not_kept_of_a_failed_call(dispatcher: Dispatcher, named: str) -> None:
    call(dispatcher, "First.")
    with pytest.raises(NotFound):
        dispatcher.dispatch("page_look", {"page": named}, actor=BOT, scopes=ALL)
    with pytest.raises(WrongState):
        call(dispatcher, key="k2", expected="r2", trouble="state", draft=named[:40])
    dispatcher.flush()
    with dispatcher.journal.read() as connection:
        kept = connection.exec_driver_sql("SELECT target, draft, scope, link FROM activity WHERE id > 1").fetchall()
    assert kept == [("", "", "", ""), ("un_0000", "", "", "")]


def test_what_is_kept_of_a_call_is_bounded(dispatcher: Dispatcher) -> None:
    things = tuple(f"un_{number:04}" for number in range(100))
    with dispatcher.journal.write() as connection:
        words = Event(1, "bot", "c", "t", "observe", target=",".join(things), assets=things, summary="w\n" * 900)
        record(connection, replace(words, action="a" * 900, link="no id"))
        kept = connection.exec_driver_sql("SELECT target, assets, summary, action, link FROM activity").one()
    assert kept[0] == kept[1] == ",".join(things[:25])
    assert [len(text) for text in kept[2:]] == [200, 200, 0]
    assert kept[2].isprintable()


# at once


@pytest.mark.parametrize("same", [True, False])
def test_threads_with_one_key_have_one_effect_and_with_their_own_one_each(dispatcher: Dispatcher, same: bool) -> None:
    start = threading.Barrier(6)
    replies: list[Reply] = []
    refused: list[LanternError] = []

    def work(number: int) -> None:
        start.wait()
        try:
            replies.append(call(dispatcher, key="k1" if same else f"k{number}"))
        except LanternError as error:
            refused.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert revisions(dispatcher) == 2
    if same:
        assert [reply.data for reply in replies] == [replies[0].data] * 6
        assert [reply.repeated for reply in replies].count(False) == 1
        assert len(activity(dispatcher)) == 1
    else:
        assert (len(replies), len(refused)) == (1, 5)
        assert all(isinstance(error, StaleHead) for error in refused)
        assert len(activity(dispatcher)) == 6


# the registry


class Loose(BaseModel):
    pass


DECLARED: dict[str, Any] = {
    "summary": "Does something.",
    "input": Look,
    "output": Answer,
    "applies_to": ("unit",),
    "scope": Scope.READ,
    "effect": Effect.OBSERVE,
    "risk": Risk.LOW,
    "confirmation": Confirmation.NONE,
    "idempotency": Idempotency.NATURAL,
    "precondition": Precondition.NONE,
}


@pytest.mark.parametrize(
    "other",
    [
        {"summary": ""},
        {"applies_to": ()},
        {"input": Loose},
        {"input": Write},
        {"idempotency": Idempotency.KEY},
        {"effect": Effect.CANDIDATE},
        {"effect": Effect.CANDIDATE, "idempotency": Idempotency.KEY},
        {"precondition": Precondition.REVISION},
    ],
    ids=lambda other: "-".join(f"{key}={getattr(value, '__name__', value)}" for key, value in other.items()),
)
def test_a_capability_that_leaves_something_undeclared_is_refused(other: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="capability thing"):
        Capabilities().capability("thing", **{**DECLARED, **other})(look)


def test_a_capability_is_registered_once_and_found_by_its_name() -> None:
    registry = Capabilities()
    registry.capability("thing", **DECLARED)(look)
    with pytest.raises(ValueError, match="twice"):
        registry.capability("thing", **DECLARED)(look)
    assert [item.name for item in registry] == ["thing"]
    assert registry.get("thing").handler is look
    assert not registry.get("thing").writes


def test_a_reading_handler_has_no_write_transaction() -> None:
    with pytest.raises(AssertionError):
        _ = Call(BOT, None, None).transaction
