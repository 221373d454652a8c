"""What takes long says how far it is, so that a face can tell of it, and can stop what only reads."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit import datasets
from lantern_kit.kernel.errors import Stopped
from lantern_kit.kernel.progress import reporting
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk, op

LOOKS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("unit.look", {"unit": "1"}, ["pages", "writing"]),
    ("unit.look", {"unit": "2", "neighbours": 1}, ["pages", "pages", "pages"]),
    ("unit.print", {"unit": "1", "dpi": 40}, ["pages", "writing"]),
    ("work.check", {}, ["pages"]),
    ("work.check", {"notes": True}, ["pages"]),
    ("work.compare", {"show": "regions"}, ["pages"]),
    ("work.compare", {"show": "difference", "unit": "1"}, ["pages", "writing"]),
]


@pytest.fixture
def draft(desk: Desk) -> str:
    draft = desk.begin()
    desk.edit(draft, *PAGE, op("unit.add"), op("unit.add"))
    return draft


@pytest.mark.parametrize(("name", "more", "words"), LOOKS)
def test_a_look_reports_and_can_be_stopped_there(
    name: str, more: dict[str, Any], words: list[str], draft: str, desk: Desk
) -> None:
    told: list[tuple[str, int, int]] = []
    with reporting(lambda *report: told.append(report)):
        desk.reply(name, source=draft, **more)
    assert all(0 <= done <= total for _, done, total in told)
    heard = [what for what, _, _ in told if what in {"pages", "writing"}]
    assert heard[: len(words)] == words

    def stop(what: str, done: int, total: int) -> None:
        raise Stopped("nobody waits")

    with reporting(stop), pytest.raises(Stopped):
        desk.reply(name, source=draft, **more)
    assert desk.reply(name, source=draft, **more).data


def test_a_registration_and_a_freeze_report(draft: str, desk: Desk, ws: Workspace) -> None:
    told: list[str] = []
    (ws.path / "inbox" / "cat.png").write_bytes(datasets.open_photo("chelsea"))
    with reporting(lambda what, done, total: told.append(what)):
        desk.reply("asset.register", path="cat.png", title="Cat", idempotency_key="r")
        assert told
        told.clear()
        desk.reply(
            "proposal.freeze",
            draft=draft,
            expected_revision=desk.revisions[draft],
            summary="three pages",
            idempotency_key="f",
        )
    assert "pages" in told
