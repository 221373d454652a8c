"""An author's server is killed at any point of a commit: all of it is there or none, and the retry tells which."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lantern_kit.novel.model import UnitState
from lantern_kit.workspace import open_workspace
from tests.contract.host import LONGEST, PROCESSES
from tests.contract.novel_author import commit
from tests.contract.server import ANSWERED, ASKED, COMMITTED, WORKED_OUT, WRITTEN, Point
from tests.novel.capabilities.conftest import Place, Refused
from tests.novel.capabilities.host import Scripted

KEPT = {COMMITTED, ANSWERED}
SAMPLE = [Point(WRITTEN), Point(COMMITTED)]
REST = [Point(ASKED), Point(WORKED_OUT), Point(ANSWERED), *(Point(statement=number) for number in range(1, 8))]


@pytest.mark.parametrize("point", [*SAMPLE, *(pytest.param(point, marks=pytest.mark.prove) for point in REST)], ids=str)
def test_a_commit_that_was_killed_is_there_whole_or_not_at_all_and_is_never_there_twice(
    tmp_path: Path, point: Point
) -> None:
    made = Place(tmp_path / "ws")
    host = made.host()
    host.do(host.next())
    made.ws.close()
    told = tmp_path / "asked.json"
    author = PROCESSES.Process(target=commit, args=(str(made.ws.path), str(told), point))
    author.start()
    author.join(LONGEST)
    assert author.exitcode == -9
    asked = json.loads(told.read_text(encoding="utf-8"))
    with open_workspace(made.ws.path) as ws:
        made = Place(ws)
        kept = point.place in KEPT
        unit = made.novel.unit(asked["unit"])
        assert (unit.commit is not None, made.novel.head.commits) == (kept, int(kept))
        assert ws.verify().clean
        host = Scripted(made.caller(), "after")
        if kept:
            assert host.call("body_commit", **asked)["commit"] == unit.commit.id  # type: ignore[union-attr]
        else:
            assert unit.state is UnitState.CLAIMED
            with pytest.raises(Refused) as refused:
                host.call("body_commit", **asked)
            assert refused.value.code == "novel_ownership"
        assert host.all()[-1] == "completed"
        assert made.novel.head.commits == 4
        assert ws.verify().clean
