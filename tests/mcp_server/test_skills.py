"""Skills over the protocol: as resources, by the extension for skills, and as prompts."""

from __future__ import annotations

import hashlib
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.types import Request, RequestParams, Result, TextContent, TextResourceContents

from lantern_kit.mcp_server.skill_list import EXTENSION
from lantern_kit.skills import WORKFLOWS, skills
from tests.mcp_server.host import Host


class Params(RequestParams):
    """With the address, where one is asked for."""

    uri: str | None = None


class Asked(Request[Params, str]):
    """A request of the extension's."""


class Told(Result):
    """Whatever the extension answers."""

    skills: list[dict[str, Any]] | None = None
    skill: dict[str, Any] | None = None
    ttl_ms: int
    cache_scope: str


def test_every_file_of_every_skill_is_a_resource_with_the_bytes_of_the_folder(host: Host) -> None:
    async def work() -> None:
        async with Client(host.face.server()) as client:
            listed = {item.uri: item for item in (await client.list_resources()).resources}
            assert len(listed) == sum(len(skill.files) for skill in skills().values())
            for skill in skills().values():
                head = listed[f"skill://{skill.name}/SKILL.md"]
                assert (head.name, head.description, head.mime_type) == (
                    skill.name,
                    skill.description,
                    "text/markdown",
                )
                for file in skill.files:
                    (found,) = (await client.read_resource(f"skill://{skill.name}/{file.path}")).contents
                    assert isinstance(found, TextResourceContents)
                    assert found.text.encode() == file.data

    anyio.run(work)


def test_the_extension_lists_skills_with_digests_that_hold(host: Host) -> None:
    async def work() -> None:
        async with Client(host.face.server()) as client:
            assert (client.server_capabilities.extensions or {})[EXTENSION] == {}
            told = await client.session.send_request(Asked(method="skills/list", params=Params()), Told)
            assert [entry["frontmatter"]["name"] for entry in told.skills or []] == list(skills())
            assert (told.cache_scope, told.ttl_ms > 0) == ("public", True)
            for entry in told.skills or []:
                asked = Asked(method="skills/get", params=Params(uri=entry["uri"]))
                assert (await client.session.send_request(asked, Told)).skill == entry
                assert entry["uri"] in {file["uri"] for file in entry["resources"]}
                for file in entry["resources"]:
                    (found,) = (await client.read_resource(file["uri"])).contents
                    assert isinstance(found, TextResourceContents)
                    data = found.text.encode()
                    assert (len(data), f"sha256:{hashlib.sha256(data).hexdigest()}") == (file["size"], file["digest"])

    anyio.run(work)


@pytest.mark.parametrize("uri", ["skill://lantern", "skill://lantern/references/page.md", "skill://other/SKILL.md", ""])
def test_what_is_no_skill_is_refused_with_those_that_are(uri: str, host: Host) -> None:
    async def work() -> None:
        async with Client(host.face.server()) as client:
            with pytest.raises(MCPError) as caught:
                await client.session.send_request(Asked(method="skills/get", params=Params(uri=uri)), Told)
            assert caught.value.code == -32602
            assert "skill://lantern/SKILL.md" in caught.value.data["expected"]

    anyio.run(work)


def test_workflows_are_prompts_that_need_nothing_and_take_what_the_person_says(host: Host) -> None:
    async def work() -> None:
        async with Client(host.face.server()) as client:
            listed = (await client.list_prompts()).prompts
            assert [item.name for item in listed] == [item.name for item in WORKFLOWS]
            assert not [argument for item in listed for argument in item.arguments or [] if argument.required]
            got = await client.get_prompt("revise_page", {"wish": "a wider last panel", "page": "page 3"})
            (message,) = got.messages
            assert isinstance(message.content, TextContent)
            assert "a wider last panel" in message.content.text
            assert "# Changing what is there" in message.content.text
            with pytest.raises(MCPError) as caught:
                await client.get_prompt("revise_page", {"wich": "a wider last panel"})
            assert "wish" in caught.value.data["recovery"]

    anyio.run(work)


def test_the_instructions_lead_to_the_skill(host: Host) -> None:
    async def work() -> str:
        async with Client(host.face.server()) as client:
            return client.instructions or ""

    assert "describe with guide lantern" in anyio.run(work)
    assert host.data("describe", guide="lantern")["guide"] == skills()["lantern"].body
