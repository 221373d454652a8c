"""Pages compared as they are drawn, as people hold it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.comparison import percent
from lantern_kit.kernel.errors import NotFound
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import balloon, begin, edit, freeze, proposed


def test_a_page_is_compared_with_the_revision_before_it_or_any_other(ws: Workspace, chapter: ChapterWork) -> None:
    first = chapter.moment.id
    page = chapter[0]
    with chapter.edit("say it otherwise") as change:
        change[balloon(chapter).id].set(text="It is mine, I think.")
    now = chapter[0]
    for found in (now.compare(), now.compare(first), now.compare(page)):
        assert found.title == f"Page 1 “One”: {first} → {chapter.moment.id}"
        assert found.words.startswith("1 region, 0.")
        (told,) = found.objects
        assert (told.change, told.properties) == ("changed", ("text",))
        assert found.objects.row(told)[0] == "balloon 1"
    assert chapter[0].compare(now).words == "drawn alike"
    assert len(chapter[1].compare().regions) == 0


def test_a_revision_and_a_proposal_compare_a_page_they_changed(ws: Workspace, chapter: ChapterWork) -> None:
    made = proposed(ws, chapter, "It is mine.")
    unit = made.units[0]
    found = ws.proposals[made.id].compare(unit, long_edge=500)
    assert max(found.picture().width, found.picture().height) == 500
    assert found.regions[0].objects == (balloon(chapter).id,)
    began = chapter.revision(chapter.moment.id).compare(unit)
    assert began.title.startswith("Page 1 “One”: not there → r")
    assert (began.words, began.distance.difference) == ("1 region, 100.0% of the page", 100)
    with pytest.raises(NotFound, match="neither"):
        ws.proposals[made.id].compare("un_00000000")


def test_a_comparison_shows_the_difference_both_sides_and_the_objects(
    ws: Workspace, chapter: ChapterWork, tmp_path: Path
) -> None:
    found = ws.proposals[proposed(ws, chapter, "It <is> mine.").id].compare(chapter.book.order[0])
    shown = found._repr_mimebundle_()
    assert shown["text/html"].count("<img") == 2
    assert "orange: gone" in shown["text/html"]
    assert "balloon 1" in shown["text/html"]
    assert shown["text/plain"].startswith("Page 1 “One”: r")
    assert "changed (text)" in shown["text/plain"]
    saved = found.save(tmp_path / "difference.png")
    with Image.open(saved) as picture:
        assert max(picture.size) == 1_024
    assert found.beside(1).height < found.beside(1).width
    with pytest.raises(NotFound, match="no such region"):
        found.beside(2)


def test_a_change_that_is_not_seen_is_said_to_be_so(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    thing = balloon(chapter)
    done = edit(
        ws, draft, head, [{"op": "balloon.set", "target": thing.id, "args": {"speaker": "Moon", "name": "first"}}]
    )
    found = ws.proposals[freeze(ws, draft, done.moment.revision.number).id].compare(chapter.book.order[0])
    assert found.words == "drawn alike; what changed is not seen"
    assert "not seen: it is drawn alike" in found.objects.row(found.objects[0])[1]
    assert "<img" not in found.html()


def test_shares_are_never_rounded_to_nothing() -> None:
    assert [percent(share) for share in (0, 0.00001, 0.041, 1)] == ["0.0%", "under 0.1%", "4.1%", "100.0%"]
