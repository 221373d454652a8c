from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lantern_kit.kernel.documents import Documents, Pending, build
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.store import NovelStore
from tests.novel.stage import Stage, stage


def grown(made: Stage) -> None:
    """A novel that grows at the end of its document, in its middle, and shrinks."""
    made.plan()
    made.write()
    made.ann.instruct("More rain.", message="m1")
    chapters = list(made.novel.chapters)
    made.plan(
        Plan.model_validate({"chapters": [{"as": "x", "title": "Rain", "purpose": "to rain", "events": ["rain"]}]})
    )
    made.write(done=False)
    made.ann.instruct("Less rain.", message="m2")
    made.plan(Plan.model_validate({"dropped_chapters": [list(made.novel.chapters)[-1]]}))
    assert list(made.novel.chapters) == chapters
    made.write()


def test_each_revision_is_the_document_that_its_items_make_however_it_came_about(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws")
    grown(made)
    for revision in made.service.log(made.novel_id):
        held = made.service.at(revision.number).stored
        with made.ws.journal.read() as connection:
            read = NovelStore(Documents()).load(connection, revision.document)
        assert read.novel == held.novel
        assert list(read.hashes.items()) == list(held.hashes.items())
        assert read.root.tree == build(list(read.hashes.items()), Pending())
        assert read.root.count == len(read.hashes)


def test_commits_known_of_the_novel_before_are_those_that_the_units_have(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws")
    made.plan()
    assert dict(made.novel.commits) == {}
    for number in range(1, 4):
        made.write(done=False)
        novel = made.novel
        assert "commits" in vars(novel), "handed on from the novel before"
        assert list(novel.commits.items()) == list(replace(novel).commits.items())
        assert len(novel.commits) == number
