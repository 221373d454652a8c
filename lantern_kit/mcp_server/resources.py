"""Resources: texts that come with the kit, and addresses of bytes too large for a tool's answer.

Bytes are read through a capability; a text is the same in every workspace, and comes from the profile.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

from mcp.types import BlobResourceContents, ReadResourceResult, ResourceTemplate, TextResourceContents
from mcp.types import Resource as Listed

from lantern_kit.kernel.capability import Reply
from lantern_kit.kernel.errors import NotFound
from lantern_kit.mcp_server.profile import Profile, Text

_PART = re.compile(r"\{(\w+)\}")


def listed_templates(profile: Profile) -> list[ResourceTemplate]:
    """The addresses that a profile knows."""
    return [
        ResourceTemplate(
            name=item.capability, title=item.title, description=item.description, uri_template=item.template
        )
        for item in profile.resources
    ]


def listed_texts(texts: Sequence[Text]) -> list[Listed]:
    """Texts as clients list them."""
    return [
        Listed(uri=item.uri, name=item.name, title=item.title, description=item.description, mime_type=item.media)
        for item in texts
    ]


def listed_rows(profile: Profile, rows: Sequence[Mapping[str, Any]]) -> list[Listed]:
    """Rows of the profile's list as clients list them, each under the address that its capability is read at."""
    templates = {item.capability: item.template for item in profile.resources}
    return [
        Listed(
            uri=_address(templates[row["capability"]], row["given"]),
            name=row["name"],
            title=row["title"],
            mime_type=row.get("media"),
            size=row.get("bytes"),
        )
        for row in rows
    ]


def _address(template: str, given: Mapping[str, str]) -> str:
    return _PART.sub(lambda part: quote(given[part[1]], safe=""), template)


def text_at(texts: Sequence[Text], uri: str) -> ReadResourceResult | None:
    """The text at an address; None where there is none."""
    for item in texts:
        if item.uri == uri:
            return ReadResourceResult(contents=[TextResourceContents(uri=uri, mime_type=item.media, text=item.read())])
    return None


def route(profile: Profile, uri: str) -> tuple[str, dict[str, str]]:
    """The capability that an address means, and its arguments. Raises NotFound."""
    for item in profile.resources:
        literals = [re.escape(part) for part in _PART.split(item.template)[::2]]
        found = re.fullmatch("([^/?#]+)".join(literals), uri)
        if found is not None:
            names = _PART.findall(item.template)
            return item.capability, dict(zip(names, map(unquote, found.groups()), strict=True))
    raise NotFound(
        "there is no resource at that address",
        expected=[item.template for item in profile.resources],
        recovery="Fill one of the templates in.",
    )


def contents(uri: str, reply: Reply) -> ReadResourceResult:
    """The bytes of a reply under their address."""
    return ReadResourceResult(
        contents=[
            BlobResourceContents(uri=uri, mime_type=item.media, blob=base64.b64encode(item.data).decode())
            for item in reply.pictures
        ]
    )
