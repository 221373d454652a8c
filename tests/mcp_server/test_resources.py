"""Bytes by address: originals, and pages at full resolution."""

from __future__ import annotations

import base64
import io
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.types import INVALID_PARAMS, BlobResourceContents
from PIL import Image

from lantern_kit import datasets
from lantern_kit.comic.capabilities.addresses import PAGE
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
    assert caught.value.data["uri"] == uri


def test_clients_find_the_templates(host: Host) -> None:
    async def work() -> list[Any]:
        async with Client(host.face.server()) as client:
            with pytest.raises(MCPError):
                await client.read_resource("lantern://asset/as_00000000")
            return (await client.list_resource_templates()).resource_templates

    templates = anyio.run(work)
    assert [item.uri_template for item in templates] == [
        "lantern://asset/{asset}",
        "lantern://view/{source}/{unit}",
        "lantern://unit/{source}/{unit}",
    ]


def picture(number: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), (number % 256, number // 256, 0)).save(out, "PNG")
    return out.getvalue()


def lived(ws: Workspace, pages: int, pictures: int) -> None:
    """A chapter with pages, and pictures."""
    if pages:
        with ws.comic("Chelsea Goes Up").chapter(1).edit("pages") as edit:
            for _ in range(pages):
                edit.add_page()
    for number in range(pictures):
        ws.assets.register(picture(number), title=f"picture {number}")


async def walked(client: Client) -> list[Any]:
    """Every page of the list, one after the other."""
    rows, cursor = [], None
    while True:
        page = await client.list_resources(cursor=cursor)
        assert len(page.resources) <= PAGE or cursor is None
        rows += page.resources
        cursor = page.next_cursor
        if cursor is None:
            return rows


@pytest.mark.parametrize(("pages", "pictures"), [(0, 0), (2, 3), (PAGE - 1, 2), (PAGE, 0), (3, PAGE)])
def test_all_pages_and_pictures_are_listed_once_page_by_page(
    pages: int, pictures: int, host: Host, ws: Workspace
) -> None:
    lived(ws, pages, pictures)

    async def work() -> list[Any]:
        async with Client(host.face.server()) as client:
            return [item for item in await walked(client) if item.uri.startswith("lantern:")]

    rows = anyio.run(work)
    assert len({item.uri for item in rows}) == len(rows)
    assert [item.title for item in rows] == [
        *(f"Chelsea Goes Up 1, page {number}" for number in range(1, pages + 1)),
        *(f"picture {number}" for number in range(pictures)),
    ]
    assert [item.size for item in rows[pages:]] == [len(picture(number)) for number in range(pictures)]


def test_what_is_listed_is_read(host: Host, ws: Workspace) -> None:
    lived(ws, 1, 1)

    async def work() -> None:
        async with Client(host.face.server()) as client:
            for item in await walked(client):
                (found,) = (await client.read_resource(item.uri)).contents
                assert found.uri == item.uri
                assert item.mime_type in {None, found.mime_type}

    anyio.run(work)


def test_a_list_goes_on_after_what_came_and_is_refused_where_its_place_is_gone(host: Host, ws: Workspace) -> None:
    lived(ws, PAGE + 1, 0)

    async def work() -> None:
        async with Client(host.face.server()) as client:
            cursor = (await client.list_resources()).next_cursor
            last = cursor.partition("/")[2]
            lived(ws, 0, 1)
            titles = [item.title for item in (await client.list_resources(cursor=cursor)).resources]
            assert titles == [f"Chelsea Goes Up 1, page {PAGE + 1}", "picture 0"]
            with ws.comic("Chelsea Goes Up").chapter(1).edit("one less") as edit:
                edit[last].remove()
            for wrong in (cursor, "ch_00000000/un_1", "as_00000000", "nonsense", "/"):
                with pytest.raises(MCPError) as caught:
                    await client.list_resources(cursor=wrong)
                assert caught.value.code == INVALID_PARAMS
                assert caught.value.data["code"] == "bad_input"
                assert "beginning" in caught.value.data["recovery"]

    anyio.run(work)
