"""An author in a process of its own, who is killed at a chosen point of a commit."""

from __future__ import annotations

import json
from pathlib import Path

from lantern_kit.workspace import open_workspace
from tests.contract.server import Point, Stops
from tests.novel.capabilities.conftest import Place
from tests.novel.capabilities.host import Scripted


def commit(folder: str, told: str, point: Point) -> None:
    """Claim the next unit, tell of the commit that is to come, and be killed in it."""
    with open_workspace(folder) as ws:
        host = Scripted(Place(ws).caller(), "killed")
        work = host.next()
        asked = {
            "unit": work["unit"],
            "token": host.claim(work)["token"],
            "paragraphs": ["Mira lights the lamp."],
            "scene": {"done": True, "evidence": "it burns"},
            "facts": {},
            "idempotency_key": "the-commit",
        }
        Path(told).write_text(json.dumps(asked), encoding="utf-8")
        Stops(point).install()
        host.call("body_commit", **asked)
