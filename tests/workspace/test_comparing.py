"""Pages compared as they are drawn, as people hold it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.comparison import percent
from lantern_kit.kernel.errors import BadInput, NotFound
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


def test_a_page_is_compared_with_a_saved_version_by_its_title_its_id_or_itself(chapter: ChapterWork) -> None:
    saved = chapter.save("first pages")
    with chapter.edit("say it otherwise") as change:
        change[balloon(chapter).id].set(text="It is mine, I think.")
    page = chapter[0]
    for before in ("first pages", saved.id, saved, chapter.revision(f"r{saved.revision}")):
        assert page.compare(before).title == f"Page 1 “One”: r{saved.revision} → {page.moment.id}"
    assert [unit.moment.id for unit in chapter.at("first pages")] == [f"r{saved.revision}"] * 2
    chapter.save("first pages")
    with pytest.raises(BadInput, match="several versions were saved as “first pages”") as refused:
        page.compare("first pages")
    assert refused.value.expected == [page.moment.id, f"r{saved.revision}"]
    with pytest.raises(BadInput, match="neither a revision nor a saved version") as refused:
        page.compare("second pages")
    assert f"first pages (r{saved.revision})" in refused.value.expected
    with pytest.raises(NotFound, match="no saved version s99"):
        page.compare("s99")


def test_a_page_is_compared_with_no_other_page(chapter: ChapterWork) -> None:
    with pytest.raises(BadInput, match="Page 2 “Two” is another unit than Page 1 “One”"):
        chapter[0].compare(chapter[1])


WRONG: tuple[tuple[Callable[[ChapterWork], object], str], ...] = (
    (lambda chapter: chapter[0].compare(2), "not a revision"),  # type: ignore[arg-type]
    (lambda chapter: chapter[0].compare("r1", dpi="300"), "dpi is a number"),  # type: ignore[arg-type]
    (lambda chapter: chapter[0].render(dpi="300"), "dpi is a number"),  # type: ignore[arg-type]
    (lambda chapter: chapter[0].render(long_edge=True), "long_edge is a number"),
    (lambda chapter: chapter[0].render(long_edge=0), "long_edge is a number"),
    (lambda chapter: chapter[1.5], "by its place from 0 or by its id"),  # type: ignore[call-overload]
    (lambda chapter: chapter[None], "by its place from 0 or by its id"),  # type: ignore[call-overload]
    (lambda chapter: chapter.at(3), "not a revision"),  # type: ignore[arg-type]
    (lambda chapter: chapter.revision(None), "not a revision"),  # type: ignore[arg-type]
    (lambda chapter: chapter.restore(3, "back"), "not a revision"),  # type: ignore[arg-type]
    (lambda chapter: chapter.save(3), "title is text"),  # type: ignore[arg-type]
    (lambda chapter: chapter.save("x", expected=3), "not a revision"),  # type: ignore[arg-type]
    (lambda chapter: chapter.lock(3), "neither an id nor a handle"),  # type: ignore[arg-type]
    (lambda chapter: chapter.blame(3), "neither an id nor a handle"),  # type: ignore[arg-type]
    (lambda chapter: chapter.annotate(3), "annotation is text"),  # type: ignore[arg-type]
    (lambda chapter: chapter.export("out", dpi="300"), "whole number"),  # type: ignore[arg-type]
)


def test_what_is_of_a_wrong_kind_is_refused_in_words(chapter: ChapterWork) -> None:
    for wrong, said in WRONG:
        with pytest.raises(BadInput, match=said):
            wrong(chapter)


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
    for drawn in (found.beside(1), found.picture()):
        assert drawn._repr_mimebundle_()["text/html"].count("<img") == 1
        assert repr(drawn).startswith(f"<picture {drawn.width}×{drawn.height} px: Page 1 “One”: r")
    with Image.open(found.beside(1).save(tmp_path / "beside.webp")) as picture:
        assert (picture.format, picture.size) == ("WEBP", (found.beside(1).width, found.beside(1).height))
    assert found.regions._repr_mimebundle_()["text/html"].count("<tr>") == 2
    (region,) = found.regions
    assert region.mm == tuple(part / 1_000 for part in (region.rect.x, region.rect.y, region.rect.w, region.rect.h))
    assert f"{region.mm[0]:.1f}, {region.mm[1]:.1f}" in repr(found.regions)
    assert "balloon 1" in repr(found.regions)
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
