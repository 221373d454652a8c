"""Long calls: their clients are told how far they are, and let go of them without anything half done."""

from __future__ import annotations

import base64
import contextlib
import io
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from PIL import Image

from lantern_kit.mcp_server.telling import Count
from lantern_kit.mcp_server.tokens import held_tokens
from lantern_kit.workspace import Workspace
from tests.mcp_server.test_stdio import ERAS, HERE, PAGE, data, serve

Told = list[tuple[float, float | None, str | None]]


def long(folder: Path, gate: Path) -> list[str]:
    return [str(HERE / "long.py"), str(folder), str(gate)]


async def drafted(client: Client) -> dict[str, Any]:
    """A draft with a page."""
    chapter = (await data(client, "outline"))["chapters"][0]["chapter"]
    draft = await data(client, "begin_draft", chapter=chapter, idempotency_key="b")
    at = {"draft": draft["draft"], "expected_revision": draft["revision"]}
    made = await data(client, "edit", **at, idempotency_key="e", operations=PAGE)
    return {"draft": draft["draft"], "expected_revision": made["revision"]}


@contextlib.asynccontextmanager
async def let_go_of(client: Client, tool: str, arguments: dict[str, Any]) -> AsyncIterator[Told]:
    """A call that tells of its progress for as long as the block lasts; then the client cancels it."""
    told, heard = Told(), anyio.Event()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))
        if len(told) == 3:
            heard.set()

    async with anyio.create_task_group() as group:
        group.start_soon(partial(client.call_tool, tool, arguments, progress_callback=hear))
        await heard.wait()
        yield told
        group.cancel_scope.cancel()


def grows(told: Told, words: str) -> bool:
    amounts = [progress for progress, _, _ in told]
    return amounts == sorted(set(amounts)) and (told[-1][2] or "").startswith(words)


@ERAS
def test_a_look_tells_how_far_it_is_and_stops_when_nobody_waits_for_it(era: str, folder: Path, tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def work(client: Client) -> None:
        at = await drafted(client)
        look = {"source": at["draft"], "unit": "1"}
        async with let_go_of(client, "look", look) as told:
            assert grows(told, "drawing")
        # Calls come one after the other, and the gate is shut: this one is answered because the look has ended.
        assert (await data(client, "manage_draft", action="status", draft=at["draft"]))["state"] == "open"
        assert gate.with_suffix(".stopped").exists()
        gate.touch()
        assert not (await client.call_tool("look", look)).is_error

    serve(long(folder, gate), work, era=era)


@ERAS
def test_a_write_tells_how_far_it_is_and_is_carried_to_its_end_though_nobody_waits(
    era: str, folder: Path, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"

    async def work(client: Client) -> None:
        freeze = {**await drafted(client), "idempotency_key": "f", "summary": "a page"}
        async with let_go_of(client, "freeze", freeze) as told:
            assert grows(told, "checking")
        gate.touch()
        again = await data(client, "freeze", **freeze)
        assert (again["state"], again["frozen_before"]) == ("pending", False)
        assert not gate.with_suffix(".stopped").exists()
        assert len((await data(client, "proposals"))["proposals"]) == 1

    serve(long(folder, gate), work, era=era)
    with Workspace(folder) as ws:
        assert ws.verify().clean


@ERAS
def test_a_write_that_is_let_go_of_before_its_turn_is_never_begun(era: str, folder: Path, tmp_path: Path) -> None:
    gate = tmp_path / "gate"

    async def work(client: Client) -> None:
        at = await drafted(client)
        more = {**at, "idempotency_key": "more", "operations": PAGE}
        async with let_go_of(client, "look", {"source": at["draft"], "unit": "1"}):
            with pytest.raises(MCPError, match=r"(?i)tim"):
                await client.call_tool("edit", more, read_timeout_seconds=0.2)
        status = await data(client, "manage_draft", action="status", draft=at["draft"])
        assert status["revision"] == at["expected_revision"]
        assert (await data(client, "edit", **more))["revision"] != at["expected_revision"]

    serve(long(folder, gate), work, era=era)
    with Workspace(folder) as ws:
        assert ws.verify().clean


@pytest.fixture
def reached(folder: Path, tmp_path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server over HTTP whose looks go on until the gate is there, and what lets a client in."""
    server = subprocess.Popen(
        [sys.executable, *long(folder, tmp_path / "gate"), "--http"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert server.stderr is not None
    url, _, file = server.stderr.readline().strip().partition(" ")
    yield url, {"Authorization": f"Bearer {held_tokens(Path(file)).draft}"}
    server.terminate()
    server.communicate(timeout=30)


@contextlib.asynccontextmanager
async def over_http(reached: tuple[str, dict[str, str]]) -> AsyncIterator[Client]:
    url, headers = reached
    async with (
        create_mcp_http_client(headers) as web,
        Client(streamable_http_client(url, http_client=web)) as client,
    ):
        yield client


def test_over_http_too_progress_is_told_and_closing_the_answer_stops_a_look(
    reached: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    gate = tmp_path / "gate"

    async def work() -> None:
        async with over_http(reached) as client:
            at = await drafted(client)
            look = {"source": at["draft"], "unit": "1"}
            async with let_go_of(client, "look", look) as told:
                assert grows(told, "drawing")
            assert (await data(client, "manage_draft", action="status", draft=at["draft"]))["state"] == "open"
            assert gate.with_suffix(".stopped").exists()

    anyio.run(work)


def test_over_http_a_page_of_megabytes_comes_whole_though_progress_was_asked_for(
    reached: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    gate = tmp_path / "gate"

    async def work() -> None:
        async with over_http(reached) as client:
            data_ = base64.b64encode(noise()).decode()
            picture = (await data(client, "register_asset", data=data_, title="Noise", idempotency_key="n"))["asset"]
            at = await drafted(client)
            box = [0, 0, 105, 148]
            place = {"op": "overlay.add", "target": "@page", "args": {"asset": picture["asset"], "box": box}}
            await data(client, "edit", **at, idempotency_key="o", operations=[*PAGE, place])
            gate.touch()
            meta = {"progressToken": "page"}
            (page,) = (await client.read_resource(f"lantern://unit/{at['draft']}/2", meta=meta)).contents
            assert len(page.blob) > 4 * 1024**2

    anyio.run(work)


def noise() -> bytes:
    out = io.BytesIO()
    random = np.random.default_rng(7).integers(0, 256, (900, 1_200, 3), np.uint8)
    Image.fromarray(random).save(out, "PNG")
    return out.getvalue()


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "pages", "reading"]), st.integers(0, 9), st.sampled_from([0, 3, 9])), max_size=40
    )
)
def test_progress_only_grows_whatever_is_reported(reports: list[tuple[str, int, int]]) -> None:
    count = Count()
    notes = [note for note in (count.note(*report) for report in reports) if note is not None]
    amounts = [progress for progress, _, _ in notes]
    assert amounts == sorted(set(amounts))
    assert bool(notes) == bool(reports)
    assert all(amount > 0 for amount in amounts)


def test_parts_that_count_anew_go_on_from_where_the_last_one_was() -> None:
    count = Count()
    assert count.note("reading", 1, 3) == (1, 3, "reading, 1 of 3")
    assert count.note("reading", 1, 3) == (1 + 1 / 64, 3, "reading, 1 of 3")
    assert count.note("reading", 3, 3) == (3, 3, "reading, 3 of 3")
    assert count.note("pages", 1, 2) == (4, 5, "pages, 1 of 2")
    assert count.note("", 7, 0) == (11, None, "")
