"""Bytes by address: originals, and pages at full resolution."""

from __future__ import annotations

import base64
import io
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.types import BlobResourceContents
from PIL import Image

from lantern_kit import datasets
from lantern_kit.workspace import Workspace
from tests.mcp_server.host import Host


def read(host: Host, uri: str) -> BlobResourceContents:
    (found,) = host.face.read(uri, host.actor).contents
    assert isinstance(found, BlobResourceContents)
    return found


def test_an_original_is_read_byte_for_byte(host: Host, ws: Workspace) -> None:
    cat = ws.assets.register(datasets.open_photo("chelsea"), title="Chelsea")
    found = read(host, f"lantern://asset/{cat.id}")
    assert base64.b64decode(found.blob) == ws.assets.read(cat)
    assert (found.mime_type, found.uri) == ("image/png", f"lantern://asset/{cat.id}")


def test_a_page_is_read_at_the_papers_resolution_with_its_bleed(host: Host) -> None:
    draft = host.data("begin_draft", chapter=host.chapter, idempotency_key="b")
    host.data(
        "edit",
        draft=draft["draft"],
        expected_revision=draft["revision"],
        idempotency_key="e",
        operations=[{"op": "unit.add"}],
    )
    found = read(host, f"lantern://unit/{draft['draft']}/1")
    size = Image.open(io.BytesIO(base64.b64decode(found.blob))).size
    assert size == (round(111 / 25.4 * 600), round(154 / 25.4 * 600))


@pytest.mark.parametrize(
    "uri",
    [
        "lantern://asset/as_00000000",
        "lantern://asset/",
        "lantern://asset/as_1/../x",
        "lantern://unit/d9/1",
        "lantern://journal",
        "file:///etc/passwd",
        "",
    ],
)
def test_an_address_that_names_nothing_is_refused_with_the_templates(uri: str, host: Host) -> None:
    with pytest.raises(MCPError) as caught:
        host.face.read(uri, host.actor)
    assert caught.value.data["code"] in {"not_found", "bad_input"}
    assert caught.value.data["recovery"]


def test_clients_find_the_templates(host: Host) -> None:
    async def work() -> list[Any]:
        async with Client(host.face.server()) as client:
            with pytest.raises(MCPError):
                await client.read_resource("lantern://asset/as_00000000")
            return (await client.list_resource_templates()).resource_templates

    templates = anyio.run(work)
    assert [item.uri_template for item in templates] == ["lantern://asset/{asset}", "lantern://unit/{source}/{unit}"]
