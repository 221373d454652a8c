"""What a person asked the review for: which proposal, in which language."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from lantern_kit.home import Language, own_language

MOST = 50
"""Parameters that an address may have."""


@dataclass(frozen=True)
class Request:
    """What an address asks for."""

    proposal: str = ""
    """``p2``; empty where none was named."""
    language: Language = "en"
    app: bool = False
    """Whether the review runs as an app, and not as a notebook."""
    query: str = ""
    """What the address says, all of it."""

    def link(self, proposal: str) -> str:
        """The address of another proposal's review, as this one otherwise."""
        kept = [(name, value) for name, value in parameters(self.query) if name != "proposal"]
        return "?" + urlencode([*kept, ("proposal", proposal)])


def request_of(environ: Mapping[str, str] = os.environ) -> Request:
    """The request behind a kernel: Voilà leaves the query and the browser's languages in its environment."""
    query = environ.get("QUERY_STRING", "")
    return Request(
        proposal=asked(query, "proposal"),
        language=language_of(query, environ.get("HTTP_ACCEPT_LANGUAGE", ""), environ),
        app=environ.get("SERVER_SOFTWARE", "").startswith("voila/"),
        query=query,
    )


def asked(query: str, name: str) -> str:
    """A parameter of a query string; empty where it is not there."""
    return dict(parameters(query)).get(name, "").strip()[:40]


def parameters(query: str) -> list[tuple[str, str]]:
    """The parameters of a query string in their order; none of one that has too many."""
    try:
        return parse_qsl(query, keep_blank_values=True, max_num_fields=MOST)
    except ValueError:
        return []


def language_of(query: str, accepted: str, environ: Mapping[str, str] = os.environ) -> Language:
    """Chinese or English: as the address says, else as the browser prefers, else as the machine is set up."""
    preferred = [part.partition(";")[0].strip() for part in accepted.split(",")]
    for tag in (asked(query, "lang"), *preferred):
        match tag[:2].lower():
            case "zh":
                return "zh"
            case "en":
                return "en"
    return own_language(environ)
