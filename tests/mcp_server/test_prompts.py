"""Texts and prompts that a profile brings: listed, read and filled in."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest
from mcp import Client, MCPError

from lantern_kit.mcp_server.profile import Argument, Prompt, Text
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import Face
from lantern_kit.workspace import Workspace
from tests.mcp_server.host import Host

GUIDE = Text("skill://sample/SKILL.md", "sample", "A sample", "How it is done.", lambda: "# Sample\n")
DRAW = Prompt(
    "draw_page",
    "Draw a page",
    "A page of a chapter, from a few words.",
    lambda given: f"Draw: {given['what']} ({given.get('mood', 'any mood')})",
    (Argument("what", "what happens on it", required=True), Argument("mood", "how it feels")),
)
PROFILE = replace(COMIC, texts=lambda: (GUIDE,), prompts=lambda: (DRAW,))


def face(ws: Workspace) -> Face:
    return Face(ws.dispatcher(), PROFILE)


def test_a_text_is_listed_and_read_as_text(ws: Workspace) -> None:
    async def work() -> None:
        async with Client(face(ws).server()) as client:
            (listed,) = [item for item in (await client.list_resources()).resources if item.uri.startswith("skill:")]
            assert (listed.uri, listed.mime_type, listed.title) == (GUIDE.uri, "text/markdown", "A sample")
            (found,) = (await client.read_resource(GUIDE.uri)).contents
            assert found.model_dump(exclude_none=True, exclude={"meta"}) == {
                "uri": GUIDE.uri,
                "mime_type": "text/markdown",
                "text": "# Sample\n",
            }

    anyio.run(work)


def test_a_prompt_is_listed_and_filled_in(ws: Workspace) -> None:
    async def work() -> None:
        async with Client(face(ws).server()) as client:
            (listed,) = (await client.list_prompts()).prompts
            assert [(item.name, item.required) for item in listed.arguments or []] == [("what", True), ("mood", False)]
            got = await client.get_prompt("draw_page", {"what": "a cat leaves"})
            assert [message.role for message in got.messages] == ["user"]
            assert got.messages[0].content.text == "Draw: a cat leaves (any mood)"

    anyio.run(work)


@pytest.mark.parametrize(
    ("name", "given", "code", "hint"),
    [
        ("draw_pages", {"what": "x"}, "not_found", "draw_page"),
        ("draw_page", {}, "bad_input", ""),
        ("draw_page", {"what": " "}, "bad_input", ""),
        ("draw_page", {"what": "x", "mod": "y"}, "unknown_key", "mood"),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_is_refused(
    name: str, given: dict[str, str], code: str, hint: str, ws: Workspace
) -> None:
    async def work() -> None:
        async with Client(face(ws).server()) as client:
            with pytest.raises(MCPError) as caught:
                await client.get_prompt(name, given)
            assert caught.value.data["code"] == code
            assert hint in caught.value.data.get("recovery", "")

    anyio.run(work)


def test_a_profile_without_prompts_says_nothing_of_them(host: Host) -> None:
    plain = Face(host.dispatcher, replace(COMIC, prompts=lambda: ()))
    assert plain.server().get_capabilities().prompts is None
    assert face(host.ws).server().get_capabilities().prompts is not None
