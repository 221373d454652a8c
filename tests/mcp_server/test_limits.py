"""How much one client may ask for, by a clock that the test moves."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, MCPError

from lantern_kit.kernel.errors import BadInput, TooFast
from lantern_kit.mcp_server.limits import PICTURE, WRITE, Limits
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import Face
from tests.mcp_server.host import Host


class Time:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.at = 1_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def time() -> Time:
    return Time()


def test_so_many_at_once_and_then_as_many_a_minute(time: Time) -> None:
    limits = Limits(60, time)
    for _ in range(60):
        limits.take("one", WRITE)
    with pytest.raises(TooFast) as caught:
        limits.take("one", WRITE)
    assert caught.value.details == {"retry_after": 1}
    assert caught.value.payload()["retryable"] is True
    time.at += 1
    limits.take("one", WRITE)
    with pytest.raises(TooFast):
        limits.take("one", WRITE)
    time.at += 3_600
    for _ in range(60):
        limits.take("one", WRITE)
    with pytest.raises(TooFast):
        limits.take("one", WRITE)


def test_who_waits_as_long_as_told_is_answered(time: Time) -> None:
    limits = Limits(30, time)
    while True:
        try:
            limits.take("one", PICTURE)
        except TooFast as error:
            time.at += error.details["retry_after"]
            break
    limits.take("one", PICTURE)


def test_one_client_does_not_use_up_anothers_share(time: Time) -> None:
    limits = Limits(4, time)
    limits.take("one", PICTURE)
    with pytest.raises(TooFast):
        limits.take("one", WRITE)
    limits.take("other", PICTURE)


def test_what_only_reads_text_and_a_server_without_a_limit_count_nothing(time: Time) -> None:
    limits, free = Limits(4, time), Limits(0, time)
    for _ in range(100):
        limits.take("one", 0)
        free.take("one", PICTURE)
    limits.take("one", PICTURE)


@pytest.mark.parametrize("rate", [-1, 1, 3])
def test_a_rate_that_never_lets_a_picture_through_is_refused(rate: int) -> None:
    with pytest.raises(BadInput):
        Limits(rate)


@given(
    rate=st.integers(PICTURE, 600),
    asked=st.lists(st.tuples(st.floats(0, 30), st.sampled_from([WRITE, PICTURE])), max_size=200),
)
def test_in_no_minute_is_more_let_through_than_twice_the_rate(rate: int, asked: list[tuple[float, int]]) -> None:
    time = Time()
    limits, taken = Limits(rate, time), list[tuple[float, int]]()
    for pause, cost in asked:
        time.at += pause
        try:
            limits.take("one", cost)
        except TooFast:
            continue
        taken.append((time.at, cost))
    for start, _ in taken:
        assert sum(cost for at, cost in taken if start <= at < start + 60) <= 2 * rate + 1e-6


def test_writes_and_pictures_are_refused_readably_and_texts_are_still_read(host: Host, time: Time) -> None:
    face = Face(host.dispatcher, COMIC, limits=Limits(PICTURE + WRITE, time))

    async def called(client: Client, tool: str, **given: Any) -> dict[str, Any]:
        result = await client.call_tool(tool, given)
        answer: dict[str, Any] = json.loads(result.content[0].text)
        assert result.is_error == ("code" in answer)
        return answer

    async def work() -> None:
        async with Client(face.server()) as client:
            draft = await called(client, "begin_draft", chapter=host.chapter, idempotency_key="b")
            assert (await called(client, "read_asset"))["total"] == 0
            edit = {
                "draft": draft["draft"],
                "expected_revision": draft["revision"],
                "idempotency_key": "e",
                "operations": [{"op": "unit.add"}],
            }
            refused = await called(client, "edit", **edit)
            assert (refused["code"], refused["retryable"]) == ("too_fast", True)
            assert f"Wait {refused['retry_after']} s" in refused["recovery"]
            with pytest.raises(MCPError) as caught:
                await client.read_resource("lantern://unit/d1/1")
            assert caught.value.data["code"] == "too_fast"
            assert (await called(client, "manage_draft", action="status", draft=draft["draft"]))["log"]
            assert "chapters" in await called(client, "outline")
            time.at += refused["retry_after"]
            assert "revision" in await called(client, "edit", **edit)

    anyio.run(work)
