from __future__ import annotations

from pathlib import Path

from lantern_kit.novel.model import ForeshadowState, Status
from tests.novel.stage import stage


def test_a_novel_goes_from_a_request_to_completed_step_by_step(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws")
    made.plan()
    made.write(foreshadows=[{"foreshadow": made.made["key"], "move": "planted", "at": 0}])
    made.write(done=False, states=[{"person": made.made["mira"], "aspect": "place", "value": "the pier", "at": 1}])
    made.write()
    made.complete()
    made.write(foreshadows=[{"foreshadow": made.made["key"], "move": "resolved", "at": 0}])
    made.write()
    made.complete()
    done = made.finish()
    assert done.head.run.status is Status.COMPLETED
    assert done.head.commits == 5
    assert [item.state for item in done.foreshadows.values()] == [ForeshadowState.RESOLVED]
    assert [unit.part for _, unit in done.reading()] == [1, 1, 2, 1, 1]
    assert made.ws.verify().clean
    made.close()
