"""A picture that is sent in parts, while servers are killed and answers are lost."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import datasets
from lantern_kit.workspace import open_workspace
from tests.contract.host import Client, Lost, data_of
from tests.contract.server import ANSWERED, WRITTEN, Point
from tests.contract.stage import Stage, content, counted

PICTURE = datasets.open_photo("moon")
STEP = len(PICTURE) // 3 + 1
PARTS = [(at, PICTURE[at : at + STEP]) for at in range(0, len(PICTURE), STEP)]


def sent(part: int, key: str, upload: str = "") -> dict[str, Any]:
    """The arguments that send a part."""
    offset, data = PARTS[part]
    place = {"upload": upload, "offset": offset} if upload else {"whole": len(PICTURE)}
    return {
        "data": base64.b64encode(data).decode(),
        "title": "Moon",
        "source_type": "photograph",
        "idempotency_key": key,
        **place,
    }


def refused(result: dict[str, Any]) -> dict[str, Any]:
    assert result["isError"], result
    found: dict[str, Any] = json.loads(result["content"][0]["text"])
    return found


def test_each_part_may_be_sent_again_and_counts_once(stage: Stage, tmp_path: Path) -> None:
    folder = stage.copied(tmp_path / "ws")
    assets = counted(folder)["assets"]
    with Client(folder) as client:
        upload = ""
        for part in range(len(PARTS)):
            given = sent(part, f"part {part}", upload)
            first = data_of(client.call("asset.register", given))
            assert data_of(client.call("asset.register", given)) == first
            upload = first.get("upload", upload)
        again = data_of(client.call("asset.register", sent(1, "too late", upload)))
    assert again == {**first, "already_registered": True}
    assert counted(folder)["assets"] == assets + 1
    with open_workspace(folder) as ws:
        assert ws.assets.read(first["asset"]["asset"]) == PICTURE
        assert ws.verify().clean


@pytest.mark.parametrize("place", [WRITTEN, ANSWERED])
def test_a_killed_server_forgets_what_it_had_and_says_to_begin_anew(place: str, stage: Stage, tmp_path: Path) -> None:
    folder = stage.copied(tmp_path / "ws")
    blobs = sorted((folder / "blobs").rglob("*"))
    with Client(folder) as client:
        upload = data_of(client.call("asset.register", sent(0, "first")))["upload"]
    before = content(folder)
    with Client(folder, Point(place)) as client, pytest.raises(Lost):
        client.call("asset.register", sent(0, "first again, elsewhere"))
    assert (content(folder) == before) == (place == WRITTEN)
    assert sorted((folder / "blobs").rglob("*")) == blobs
    with Client(folder) as client:
        assert data_of(client.call("asset.register", sent(0, "first")))["upload"] == upload
        gone = refused(client.call("asset.register", sent(1, "second", upload)))
        assert gone["code"] == "not_found"
        assert "first part" in gone["recovery"]
        upload = data_of(client.call("asset.register", sent(0, "anew 0")))["upload"]
        for part in range(1, len(PARTS)):
            last = client.call("asset.register", sent(part, f"anew {part}", upload))
    with open_workspace(folder) as ws:
        assert ws.assets.read(data_of(last)["asset"]["asset"]) == PICTURE
        assert ws.verify().clean


@pytest.mark.parametrize("place", [WRITTEN, ANSWERED])
def test_a_server_killed_at_the_last_part_has_the_picture_or_asks_for_all_of_it(
    place: str, stage: Stage, tmp_path: Path
) -> None:
    folder = stage.copied(tmp_path / "ws")
    assets = counted(folder)["assets"]
    stop = Point(place)
    with Client(folder, stop, gated=True) as client:
        upload = ""
        for part in range(len(PARTS)):
            client.ask("asset.register", sent(part, f"part {part}", upload))
            client.wait()
            if part < len(PARTS) - 1:
                client.go()
                upload = data_of(client.answer()).get("upload", upload)
        client.kill()
    assert counted(folder)["assets"] == assets + (place == ANSWERED)
    with Client(folder) as client:
        last = client.call("asset.register", sent(2, "part 2", upload))
    if place == ANSWERED:
        with open_workspace(folder) as ws:
            assert ws.assets.read(data_of(last)["asset"]["asset"]) == PICTURE
    else:
        assert refused(last)["code"] == "not_found"


def test_another_agent_cannot_send_on(stage: Stage, tmp_path: Path) -> None:
    folder = stage.copied(tmp_path / "ws")
    with Client(folder) as client:
        upload = data_of(client.call("asset.register", sent(0, "first")))["upload"]
        with Client(folder, name="another") as other:
            assert refused(other.call("asset.register", sent(1, "second", upload)))["code"] == "not_found"
        assert data_of(client.call("asset.register", sent(1, "second", upload)))["received"] == PARTS[2][0]
