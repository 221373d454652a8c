from __future__ import annotations

from pathlib import Path

from lantern_kit.novel.model import ForeshadowState, Status
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.sent import sent
from lantern_kit.workspace import open_workspace
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


def test_a_novel_is_read_by_others_as_it_was_written_at_each_of_its_revisions(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws")
    made.plan()
    made.instruct()
    made.plan(sent(Plan, {"chapters": [{"as": "new", "title": "N", "purpose": "p", "events": ["e"], "after": ""}]}))
    made.instruct("Not that one.")
    made.plan(sent(Plan, {"dropped_chapters": [made.made["new"]]}))
    done = made.whole()
    revisions = [item.number for item in made.service.log(made.novel_id)]
    with open_workspace(made.ws.path) as other:
        assert other.novel_service.head(made.novel_id).novel == done
        for number in revisions:
            there, here = other.novel_service.at(number).novel, made.service.at(number).novel
            assert there == here
            assert list(there.chapters) == list(here.chapters)
            assert list(there.units) == list(here.units)
            assert list(there.commits) == list(here.commits)
            assert [*there.units_by_chapter.items()] == [*here.units_by_chapter.items()]
    made.close()
