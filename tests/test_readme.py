"""The README's Python, run as a reader would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.model import Balloon
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.workspace import create_workspace

PASSPHRASE = "a lantern in the fog"


def blocks(root: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (root / "README.md").read_text(), flags=re.MULTILINE | re.DOTALL)


def propose(chapter: ChapterWork, ws: Any) -> None:
    balloon = next(item for unit in chapter.book.units() for item in unit.objects if isinstance(item, Balloon))
    agent = Actor.agent("claude-code")
    say = [{"op": "balloon.set", "target": balloon.id, "args": {"text": "It is mine."}}]
    with ws.journal.write() as connection:
        draft, moment = ws.drafts.begin(connection, chapter.id, title="t", actor=agent)
    planned = ws.drafts.plan(draft.id, moment.revision.number, say)
    with ws.journal.write() as connection:
        head = moment.revision.number
        edited = ws.drafts.commit(connection, draft.id, planned, head, say, message="m", actor=agent)
        number = edited.moment.revision.number
        ws.proposal_service.freeze(connection, draft.id, number, summary="A better line", actor=agent)


def test_the_readmes_python_runs_as_written(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with create_workspace("my-comic", title="My comic", owner="mina") as made:
        made.comic("My comic").begin_chapter(1)
        made.enrol("mina", PASSPHRASE)
    edit, decide = blocks(root)
    names: dict[str, Any] = {}
    exec(edit, names)
    assert len(names["chapter"][0].check()) == 0
    assert (tmp_path / "page-1.png").stat().st_size > 100_000
    names["ws"]._ask = lambda name: PASSPHRASE
    propose(names["chapter"], names["ws"])
    exec(decide, names)
    assert names["proposal"].facts.state == "applied"
    assert names["ws"].verify().clean
    names["ws"].close()
