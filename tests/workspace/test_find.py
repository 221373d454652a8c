"""What people find by words: one thing, or all that could be meant with what tells them apart."""

from __future__ import annotations

import pytest

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.model import Balloon, Frame, Image
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.workspace import Workspace


def frames(chapter: ChapterWork, place: int = 0) -> list[str]:
    unit = chapter[place].model
    return [name for name in unit.reading if isinstance(unit.index[name], Frame)]


def test_a_phrase_that_means_one_thing_gives_it(chapter: ChapterWork) -> None:
    for text in ("page 1, last panel", "第1页最后一格"):
        found = chapter.find(text).one()
        assert (found.id, found.kind, found.page) == (frames(chapter)[-1], "frame", "Page 1 “One”")
        assert found.handle.startswith(f"{found.id}#")
        assert found.unit.id == chapter[0].id
        assert found.reference == chapter[0].reference_of(found.id)
    assert chapter.find("page 2", "unit").one().id == chapter[1].id


def test_several_that_could_be_meant_are_told_apart_and_none_is_chosen(chapter: ChapterWork) -> None:
    found = chapter.find("page 1, panel")
    assert [item.id for item in found] == frames(chapter)
    assert len({item.apart for item in found}) == 2
    assert all(" mm" in item.apart for item in found)
    with pytest.raises(BadInput) as caught:
        found.one()
    assert list(caught.value.ids) == frames(chapter)
    assert all(item.apart in said for item, said in zip(found, caught.value.found, strict=True))
    html = found._repr_mimebundle_()["text/html"]
    assert html.count("<img") == 2
    assert found[frames(chapter)[0]].apart in repr(found)


def test_what_is_said_is_found_by_its_words_and_by_who_says_it(chapter: ChapterWork) -> None:
    (balloon,) = (item for item in chapter[0].model.objects if isinstance(item, Balloon))
    assert chapter.find("Is that… mine?").one().id == balloon.id
    assert chapter.find("Chelsea's balloon").one().words == "Chelsea: Is that… mine?"
    assert chapter.find("mine", "frame", "image").note
    shown = chapter.find("mine?").one()._repr_mimebundle_()
    assert "<img" in shown["text/html"]


def test_nothing_that_answers_says_why(chapter: ChapterWork) -> None:
    for text, why in (
        ("page 9", "pages are 1–2"),
        ("chapter 2, page 1", "another chapter than 1"),
        ("Chelsea Goes Up", "the chapter itself"),
        ("zork", "not understood: zork"),
    ):
        found = chapter.find(text)
        assert len(found) == 0
        assert why in found.note
        assert why in repr(found)
        with pytest.raises(NotFound):
            found.one()


def test_ids_handles_references_and_pictures_are_pointed_at(chapter: ChapterWork, cat: AssetVersion) -> None:
    (image,) = (item.id for item in chapter[0].model.objects if isinstance(item, Image))
    found = chapter.find(image).one()
    assert found.id == image
    assert chapter.find(found.handle).one().id == image
    assert chapter.find(found.reference).one().id == image
    assert chapter.find(chapter[1].id).one().id == chapter[1].id
    assert chapter.find(cat.id).one().id == image
    assert chapter.find(cat.id, "balloon").note == "it is of another kind"
    assert "the chapter itself" in chapter.find(chapter.id).note


def test_an_entry_of_the_library_gives_what_shows_it_and_what_it_says(ws: Workspace, chapter: ChapterWork) -> None:
    cat, dog = (ws.library.keep("character", name).id for name in ("Chelsea", "Rex"))
    first, second = frames(chapter)
    with chapter.edit("who is in them") as edit:
        edit[first].run("frame.set", cast=[{"who": cat}])
        edit[second].run("frame.set", cast=[{"who": cat}])
    assert [item.id for item in chapter.find(cat, "frame")] == [first, second]
    assert chapter.find(cat, "balloon").one().words == "Chelsea: Is that… mine?"  # by who speaks
    assert "nothing here shows" in chapter.find(dog).note
    with pytest.raises(NotFound):
        chapter.find("li_0000none")


def test_what_is_nothing_here_and_kinds_that_are_none_are_refused(chapter: ChapterWork) -> None:
    with pytest.raises(NotFound):
        chapter.find("bl_0000none")
    with pytest.raises(NotFound):
        chapter.find("lantern://comic/ch_0000none")
    with pytest.raises(NotFound):
        chapter.find("as_0000none")
    with pytest.raises(BadInput) as caught:
        chapter.find("page 1", "panel")
    assert "frame" in caught.value.expected


def test_what_panels_are_said_to_show_is_found_by_its_words_in_any_script(ws: Workspace, chapter: ChapterWork) -> None:
    first, last = frames(chapter)[0], frames(chapter)[-1]
    with chapter.edit("tell of the panels") as edit:
        edit[first].stage(description="A small kitchen; the Attic's door stands open.")
        edit[last].stage(description="夜里的厨房，门开着。")
    for text, found in (
        ("kitchen", first),
        ("the door", first),
        ("door kitchen", first),
        ("ATTIC", first),
        ("厨房", last),
        ("厨房的门", last),
    ):
        assert chapter.find(text).one().id == found, text
    assert not chapter.find("itchen")
    assert not chapter.find("kitchen 厨房")


def test_the_name_of_an_entry_gives_all_that_shows_it_or_says_it(ws: Workspace, chapter: ChapterWork) -> None:
    first = frames(chapter)[0]
    cat = ws.library.keep("character", name="Chelsea", aliases=["the tabby"])
    with chapter.edit("cast it") as edit:
        edit[first].stage(cast=[{"who": cat.id}])
    (balloon,) = (item for item in chapter[0].model.objects if isinstance(item, Balloon))
    for name in ("Chelsea", "the tabby"):
        assert {first, balloon.id} <= {item.id for item in chapter.find(name)}, name
    assert [item.id for item in chapter.find("the tabby", "frame")] == [first]


@pytest.mark.parametrize(("text", "near"), [("panle 2", "panel"), ("ballon", "balloon"), ("Chelsae", "Chelsea")])
def test_a_near_miss_is_told_what_it_may_have_been(chapter: ChapterWork, text: str, near: str) -> None:
    assert f"did you mean {near}" in chapter.find(text).note
