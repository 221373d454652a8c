"""Pictures sent in parts, by hosts that share no folder with the server."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from lantern_kit import datasets
from lantern_kit.workspace import Workspace
from tests.mcp_server.host import Host, text_of

CAT = datasets.open_photo("chelsea")
STEP = 50_000


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def parts(data: bytes = CAT) -> list[bytes]:
    return [data[at : at + STEP] for at in range(0, len(data), STEP)]


def send(host: Host, data: bytes = CAT, /, *, key: str = "k", **facts: Any) -> dict[str, Any]:
    """Send it all, each part once."""
    first, *others = parts(data)
    answer = host.data(
        "register_asset", title="Cat", data=text(first), whole=len(data), idempotency_key=f"{key}0", **facts
    )
    offset = len(first)
    for number, part in enumerate(others, 1):
        assert answer == {"upload": answer["upload"], "received": offset}
        answer = host.data(
            "register_asset",
            title="Cat",
            data=text(part),
            upload=answer["upload"],
            offset=offset,
            idempotency_key=f"{key}{number}",
            **facts,
        )
        offset += len(part)
    return answer


def test_a_picture_sent_in_parts_is_the_one_sent_whole(host: Host, ws: Workspace) -> None:
    assert len(parts()) > 3
    done = send(host, licence="CC0-1.0", sha256=hashlib.sha256(CAT).hexdigest())
    assert ws.assets.read(done["asset"]["asset"]) == CAT
    assert done["asset"]["licence"] == "CC0-1.0"
    whole = host.data("register_asset", title="Cat", licence="CC0-1.0", data=text(CAT), idempotency_key="w")
    assert whole["asset"]["asset"] == done["asset"]["asset"]
    assert whole["already_registered"] is True


def test_every_part_sent_again_with_its_key_is_answered_as_before(host: Host, ws: Workspace) -> None:
    first, second, *_ = parts()
    begin = {"title": "Cat", "data": text(first), "whole": len(CAT), "idempotency_key": "0"}
    begun = host.data("register_asset", **begin)
    on = {"title": "Cat", "data": text(second), "upload": begun["upload"], "offset": STEP, "idempotency_key": "1"}
    went = host.data("register_asset", **on)
    assert went["received"] == 2 * STEP
    assert host.data("register_asset", **begin) == begun
    assert host.data("register_asset", **on) == went
    # The answer was lost and the host made a new key: the bytes are there, and are not taken twice.
    assert host.data("register_asset", **{**on, "idempotency_key": "other"}) == went
    assert len(ws.uploads) == 1


def test_another_agents_upload_is_none(host: Host, ws: Workspace) -> None:
    first, second, *_ = parts()
    begun = host.data("register_asset", title="Cat", data=text(first), whole=len(CAT), idempotency_key="0")
    thief = Host(ws, host.chapter, name="another-host")
    refused = thief.refused(
        "register_asset", title="Cat", data=text(second), upload=begun["upload"], offset=STEP, idempotency_key="1"
    )
    assert refused["code"] == "not_found"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"whole": 97 * 1024 * 1024}, "bad_input"),
        ({"whole": 3}, "bad_input"),
        ({"upload": "up_00000000", "offset": 4}, "not_found"),
        ({"upload": "up_00000000", "whole": 9_999}, "bad_input"),
        ({"whole": 9_999, "offset": 4}, "bad_input"),
        ({"whole": 9_999, "path": "inbox/cat.png", "data": ""}, "bad_input"),
        ({"whole": 9_999, "data": "no base64 !"}, "bad_input"),
        ({"sha256": "0" * 64}, "bad_input"),
        ({"sha256": "short"}, "bad_input"),
        ({"ofset": 4}, "unknown_key"),
    ],
)
def test_what_cannot_be_a_part_is_refused_and_keeps_nothing(
    given: dict[str, Any], code: str, host: Host, ws: Workspace
) -> None:
    refused = host.refused("register_asset", **{"title": "Cat", "data": text(CAT), "idempotency_key": "k", **given})
    assert refused["code"] == code
    assert (len(ws.uploads), list(ws.assets.find())) == (0, [])


def test_a_file_that_is_not_what_its_hash_says_is_given_up(host: Host, ws: Workspace) -> None:
    first = text(CAT[:STEP])
    begun = host.data("register_asset", title="Cat", data=first, whole=STEP + 5, idempotency_key="0")
    refused = host.refused(
        "register_asset",
        title="Cat",
        data=text(b"wrong"),
        upload=begun["upload"],
        offset=STEP,
        sha256=hashlib.sha256(CAT).hexdigest(),
        idempotency_key="1",
    )
    assert refused["code"] == "bad_input"
    assert "from the first" in refused["recovery"]
    assert (len(ws.uploads), list(ws.assets.find())) == (0, [])


def test_bytes_that_are_no_picture_are_refused_when_they_are_all_there(host: Host, ws: Workspace) -> None:
    begun = host.data("register_asset", title="No", data=text(b"abc"), whole=6, idempotency_key="0")
    refused = host.refused(
        "register_asset", title="No", data=text(b"def"), upload=begun["upload"], offset=3, idempotency_key="1"
    )
    assert refused["code"] == "bad_picture"
    assert list(ws.assets.find()) == []
    assert ws.verify().clean


def test_a_server_that_was_started_anew_says_to_begin_again(host: Host, ws: Workspace) -> None:
    first, second, *_ = parts()
    begun = host.data("register_asset", title="Cat", data=text(first), whole=len(CAT), idempotency_key="0")
    ws.uploads.close()
    refused = host.refused(
        "register_asset", title="Cat", data=text(second), upload=begun["upload"], offset=STEP, idempotency_key="1"
    )
    assert refused["code"] == "not_found"
    assert "new idempotency keys" in refused["recovery"]
    assert "asset" in send(host, key="again")


def test_the_bytes_of_a_part_are_in_no_error(host: Host) -> None:
    secret = text(b"a word that is nobody's business")
    result = host.result("register_asset", title="Cat", data=secret, upload="up_00000000", idempotency_key="k")
    assert secret not in text_of(result)
