"""A novel lies in a workspace beside comics: what looks at comics goes on as before, and says what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern_kit.kernel.errors import NotFound
from tests.novel.stage import stage


def test_what_looks_at_comics_takes_a_novel_for_none_and_goes_on(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws")
    made.plan()
    made.write()
    revision = made.service.head(made.novel_id).revision
    for deed in (
        lambda: made.ws.comics.at(revision.number),
        lambda: made.ws.comics.head(made.novel_id),
        lambda: made.ws.comics.find_chapter(made.novel_id),
    ):
        with pytest.raises(NotFound):
            deed()
    tables = made.ws.analysis(in_memory=True)
    assert tables.execute("SELECT count(*) FROM objects").fetchone() == (0,)
    assert tables.execute("SELECT count(*) FROM revisions").fetchone() == (revision.number,)
    assert made.ws.verify().clean


def test_a_revision_of_a_comic_is_none_of_a_novel(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws")
    chapter = made.ws.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
    for number in (made.ws.comics.head(chapter.id).revision.number, 99):
        with pytest.raises(NotFound):
            made.service.at(number)
    assert [item.id for item in made.service.novels()] == [made.novel_id]
    assert made.ws.verify().clean
