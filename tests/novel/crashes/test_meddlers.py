from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from lantern_kit.kernel.errors import WrongState
from lantern_kit.novel.offline import OfflineAuthor
from lantern_kit.workspace import create_workspace
from tests.novel.crashes.sweep import ROOT


@pytest.mark.prove
def test_of_what_several_people_decide_at_once_no_word_is_lost_and_no_unit_is_written_twice(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "ws", title="Novels", owner="Ann") as ws:
        novel = ws.novels.begin("The Lamp", "A keeper finds that her light has been out for years.")
        command = [sys.executable, "-m", "tests.novel.crashes.meddler", ws.path, novel.id]
        people = [
            subprocess.Popen([*map(str, (*command, number, 120))], cwd=ROOT, stdout=-1, text=True)
            for number in range(3)
        ]
        assert [one.stdout.readline() for one in people if one.stdout] == ["ready\n"] * 3, "each is there as it begins"
        while any(one.poll() is None for one in people):
            novel.run(OfflineAuthor(1))
        received = [name for one in people for name in json.loads(one.communicate()[0])]
        while not novel.run(OfflineAuthor(1)).completed:
            for item in novel.moment.novel.unanswered:
                novel.withdraw(item.id)
                received.append(novel.instructions[-1].id)
            with suppress(WrongState):
                novel.resume()
        held = novel.moment.novel
        asked = [item.id for item in held.instructions.values() if item.sequence > 1]
        told = [(unit.scene, unit.part) for unit in held.units.values() if unit.commit is not None]
        assert sorted(asked) == sorted(received)
        assert len(asked) > 100
        assert all(item.settled for item in held.instructions.values())
        assert len(told) == len(set(told)) == held.head.commits
        assert ws.verify().clean
