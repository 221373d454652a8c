"""What an address asks for."""

from __future__ import annotations

import pytest

from lantern_kit.studio.request import Request, request_of


def test_a_notebook_asks_for_nothing() -> None:
    assert request_of({}) == Request(proposal="", language="en", app=False, query="")


def test_an_app_hands_on_what_its_address_says() -> None:
    environ = {
        "QUERY_STRING": "proposal=p2&theme=dark",
        "HTTP_ACCEPT_LANGUAGE": "fr;q=1, zh-TW;q=0.8, en;q=0.5",
        "SERVER_SOFTWARE": "voila/0.5.13",
    }
    request = request_of(environ)
    assert (request.proposal, request.language, request.app) == ("p2", "zh", True)
    assert request.link("p3") == "?theme=dark&proposal=p3"
    assert Request().link("p3") == "?proposal=p3"


@pytest.mark.parametrize(
    ("query", "accepted", "own", "language"),
    [
        ("lang=zh", "en", "en_GB.UTF-8", "zh"),
        ("lang=en", "zh", "zh_CN.UTF-8", "en"),
        ("lang=xx", "", "zh_CN.UTF-8", "zh"),
        ("", "en-GB,zh;q=0.9", "zh_CN.UTF-8", "en"),
        ("", "*", "zh_CN.UTF-8", "zh"),
        ("", "", "C.UTF-8", "en"),
    ],
)
def test_the_language_is_the_address_s_then_the_browser_s_then_the_machine_s(
    query: str, accepted: str, own: str, language: str
) -> None:
    assert request_of({"QUERY_STRING": query, "HTTP_ACCEPT_LANGUAGE": accepted, "LANG": own}).language == language


@pytest.mark.parametrize("query", ["proposal", "=p2", "&".join(["a=1"] * 500) + "&proposal=p2", "%ff%00", "proposal=%"])
def test_an_address_that_is_none_asks_for_no_proposal_that_is_there(query: str) -> None:
    assert request_of({"QUERY_STRING": query}).proposal in {"", "%"}


def test_what_is_asked_for_is_not_endless() -> None:
    assert len(request_of({"QUERY_STRING": "proposal=" + "p" * 10_000}).proposal) <= 40
