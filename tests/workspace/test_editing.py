"""A person edits the working line from Python."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.book import Book
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.comic.model import Balloon, Frame, Image, Light
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.editing import Edit
from lantern_kit.comic.work.holders import EditFrame, EditUnit
from lantern_kit.comic.work.things import EditObject
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import InvalidDocument, LanternError, NotFound, StaleHead, UnknownOperation, WrongState
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import Workspace, create_workspace, open_workspace


def objects(chapter: ChapterWork, kind: type) -> list:
    return [item for unit in chapter.book.units() for item in unit.objects if isinstance(item, kind)]


def test_an_edit_block_makes_one_revision_with_its_changes(ws: Workspace, chapter: ChapterWork) -> None:
    history = chapter.history()
    assert [item.cause for item in history.revisions] == ["edit", "create"]
    assert history.revisions[0].message == "two pages"
    assert len(objects(chapter, Frame)) == 3
    assert len(objects(chapter, Image)) == 1
    with ws.journal.read() as connection:
        rows = ws.history.changes(connection, history.revisions[0])
    assert {row.object for row in rows if row.change == "added"} == {
        thing.id for unit in chapter.book.units() for thing in (unit, *unit.objects)
    }


def test_an_edit_block_that_raises_writes_nothing(chapter: ChapterWork) -> None:
    before = chapter.moment

    def half() -> None:
        with chapter.edit("half") as edit:
            edit.add_page()
            raise RuntimeError("the author changed her mind")

    with pytest.raises(RuntimeError):
        half()
    assert chapter.moment.revision == before.revision


def test_a_refused_operation_leaves_the_block_as_it_was(chapter: ChapterWork) -> None:
    with chapter.edit("one good frame") as edit:
        page = edit[1]
        with pytest.raises(LanternError):
            page.add_frame(polygon=((10, 10), (60, 60), (60, 10), (10, 60)))
        page.add_frame(rect=(20, 20, 30, 30))
    assert len(objects(chapter, Frame)) == 4


def test_an_edit_block_without_changes_makes_no_revision(chapter: ChapterWork) -> None:
    before = chapter.moment.id
    with chapter.edit("nothing") as edit:
        pass
    assert edit.revision is None
    assert chapter.moment.id == before


def test_two_blocks_on_different_things_both_land(chapter: ChapterWork) -> None:
    balloon = objects(chapter, Balloon)[0]
    with chapter.edit("outer") as outer:
        with chapter.edit("inner") as inner:
            inner[1].add_frame(rect=(20, 20, 30, 30))
        outer[balloon.id].set(text="It is mine.")
    assert objects(chapter, Balloon)[0].text == "It is mine."
    assert len(objects(chapter, Frame)) == 4


def test_two_blocks_on_the_same_property_refuse_the_later_one(chapter: ChapterWork) -> None:
    balloon = objects(chapter, Balloon)[0]

    def both() -> None:
        with chapter.edit("outer") as outer:
            with chapter.edit("inner") as inner:
                inner[balloon.id].set(text="Mine!")
            outer[balloon.id].set(text="Yours?")

    with pytest.raises(StaleHead) as caught:
        both()
    assert caught.value.details["changed_units"] == [chapter.book.order[0]]
    assert objects(chapter, Balloon)[0].text == "Mine!"


def test_undo_and_redo_copy_content_forward(chapter: ChapterWork) -> None:
    balloon = objects(chapter, Balloon)[0]
    full = chapter.moment.revision.document
    for text in ("one", "two"):
        with chapter.edit(text) as edit:
            edit[balloon.id].set(text=text)
    chapter.undo()
    assert objects(chapter, Balloon)[0].text == "one"
    chapter.undo()
    assert chapter.moment.revision.document == full
    chapter.redo()
    chapter.redo()
    assert objects(chapter, Balloon)[0].text == "two"
    with pytest.raises(WrongState):
        chapter.redo()
    chapter.undo()
    with chapter.edit("three") as edit:
        edit[balloon.id].set(text="three")
    with pytest.raises(WrongState):
        chapter.redo()
    chapter.undo()
    assert objects(chapter, Balloon)[0].text == "one"
    assert len(chapter.history()) == 11
    chapter.undo()
    chapter.undo()
    assert len(chapter) == 0
    with pytest.raises(WrongState):
        chapter.undo()


def test_restore_copies_an_earlier_revision_forward(chapter: ChapterWork) -> None:
    then = chapter.moment
    with chapter.edit("remove a page") as edit:
        edit[1].remove()
    assert len(chapter) == 1
    chapter.restore(then.id, "it was better with two")
    assert chapter.moment.revision.document == then.revision.document
    assert chapter.history().revisions[0].message == "it was better with two"
    with pytest.raises(NotFound):
        chapter.restore("r999", "from nowhere")


def test_saving_marks_the_head(chapter: ChapterWork) -> None:
    snapshot = chapter.save("first page")
    assert (snapshot.id, snapshot.revision) == ("s1", chapter.moment.revision.number)
    assert list(chapter.snapshots()) == [snapshot]


def test_everything_is_there_after_reopening(ws: Workspace, chapter: ChapterWork) -> None:
    book = chapter.book
    ws.close()
    with open_workspace(ws.path) as again:
        assert again.comic("Chelsea Goes Up").chapter(1).book == book
        assert again.verify().clean


def test_the_same_input_gives_the_same_revisions(tmp_path: Path) -> None:
    def chains(name: str) -> list[str]:
        with create_workspace(
            tmp_path / name, title="T", owner="mina", ids=SeededIds(3), clock=SteppingClock()
        ) as made:
            chapter = made.comic("C").begin_chapter(1, size="A6")
            with chapter.edit("a page") as edit:
                edit.add_page().add_frame(rect=(6, 6, 93, 136)).say("Hm.", at=(50, 50))
            return [item.chain.hex() for item in chapter.history().revisions]

    assert chains("one") == chains("two")


def test_a_missing_comic_or_chapter_is_named(ws: Workspace, chapter: ChapterWork) -> None:
    with pytest.raises(NotFound, match="no chapter 9"):
        ws.comic("Chelsea Goes Up").chapter(9)
    with pytest.raises(WrongState, match="exists already"):
        ws.comic("Chelsea Goes Up").begin_chapter(1)


def test_a_unit_shows_itself_and_renders(chapter: ChapterWork) -> None:
    page = chapter[0]
    shown = page._repr_mimebundle_()
    assert "data:image/jpeg;base64," in shown["text/html"]
    assert shown["text/plain"].startswith("<Page 1 “One”")
    assert page.render(long_edge=600).height == 600
    assert "Page 2" in chapter._repr_mimebundle_()["text/html"]


def test_a_broken_result_is_refused_with_its_findings(chapter: ChapterWork) -> None:
    with pytest.raises(InvalidDocument) as caught, chapter.edit("far away") as edit:
        edit[0].add_frame(rect=(5000, 5000, 10, 10))
    assert caught.value.details["findings"]


ADDING = {
    (Edit, "add_page"): "unit.add",
    (Edit, "add_cover"): "unit.add",
    (Edit, "add_transition"): "unit.add",
    (Edit, "add_spread"): "unit.add",
    (EditUnit, "add_frame"): "frame.add",
    (EditUnit, "overlay"): "overlay.add",
    (EditUnit, "place"): "image.place",
    (EditUnit, "say"): "balloon.add",
    (EditUnit, "narrate"): "narration.add",
    (EditUnit, "letter"): "text.add",
    (EditUnit, "effect"): "effect.add",
    (EditObject, "tail"): "balloon.tail",
    (EditFrame, "cut"): "frame.cut",
    (EditFrame, "set"): "frame.set",
    (EditFrame, "reshape"): "frame.reshape",
}


@pytest.mark.parametrize(("holder", "method"), ADDING)
def test_methods_name_every_argument_of_their_operation(holder: type, method: str) -> None:
    named = {name for name in inspect.signature(getattr(holder, method)).parameters if name not in {"self", "asset"}}
    known = set(OPERATIONS.get(ADDING[holder, method]).args.model_fields) - {"asset", "kind"}
    if method in {"add_page", "add_cover", "add_transition"}:
        known -= {"gutter"}
    if (holder, method) == (EditFrame, "set"):
        known -= {"keep", "description", "scene", "light", "cast"}  # methods of their own
    assert named == known


def test_everything_that_can_be_named_arrives(chapter: ChapterWork, cat: AssetVersion) -> None:
    with chapter.edit("all of it") as edit:
        frame = edit[1].add_frame(
            polygon=[(10, 10), (60, 10), (60, 60)], border={"width": 1}, background="#ff0000", bleed=["top"], name="f"
        )
        picture = frame.place(cat, fit="contain", rotate=5, flip_x=True, opacity=0.5, name="p")
        words = frame.say("Oh", rect=(20, 20, 20, 10), shape="box", style={"size": 4}, after=None, name="w")
        edit.add_spread(gutter=4, after=edit[0], name="s")
        spread = edit[1]
    book = chapter.book
    made, image, balloon = (book.unit(edit_home(book, item.id)).index[item.id] for item in (frame, picture, words))
    assert (made.border.width, made.background, made.name, made.bleed) == (1000, "#ff0000", "f", ("top",))
    assert (image.placement.fit, image.placement.transform.rotate, image.opacity) == ("contain", 5000, 500_000)
    assert (balloon.shape, balloon.style.size) == ("box", 4000)
    assert book.order[1] == spread.id
    assert book.unit(spread.id).gutter == 4000


def test_balloons_are_joined_and_outlined_and_what_null_clears_is_cleared_by_none(chapter: ChapterWork) -> None:
    with chapter.edit("two breaths") as edit:
        page = edit[1]
        one = page.say("{三毛猫|みけねこ}", at=(40, 90), shape="cloud", seed=5, style={"writing": "vertical"})
        two = page.say("So", outline={"polygon": [(60, 80), (90, 80), (75, 110)]}, joined=one)
        tone = page.effect("tone", box=(10, 10, 30, 30), lpi=50, density_to=0.9)
        assert (two.now.joined, two.now.shape.value, one.now.style.writing.value) == (one.id, "path", "vertical")
        two.set(joined=None, style={"leading": None})
        tone.set(density_to=None)
        assert (two.now.joined, tone.now.density_to, tone.now.pitch) == (None, None, 508)


def edit_home(book: Book, thing: str) -> str:
    return next(unit.id for unit in book.units() if thing in unit.index)


def test_a_tail_is_moved_added_and_taken_away(chapter: ChapterWork) -> None:
    spoken = next(item for item in chapter[0].model.objects if item.kind == "balloon")
    with chapter.edit("tails") as edit:
        balloon = edit[spoken.id].tail(tip=(60, 50), width=3)
        assert [(tail.tip, tail.width) for tail in balloon.now.tails] == [((60_000, 50_000), 3_000)]
        balloon.tail(index=2, tip=(70, 50), style="bubbles")
        assert [tail.tip for tail in balloon.now.tails] == [(60_000, 50_000), (70_000, 50_000)]
        balloon.tail(index=1, remove=True)
        assert [tail.tip for tail in balloon.now.tails] == [(70_000, 50_000)]


def test_an_edit_that_was_not_begun_says_how_it_begins(chapter: ChapterWork) -> None:
    edit = chapter.edit("a page")
    with pytest.raises(WrongState, match="begins with with") as refused:
        edit.add_page()
    assert refused.value.expected == 'with chapter.edit("why") as edit:'
    with edit:
        edit.add_page()
    with pytest.raises(WrongState, match="has ended"):
        edit.add_page()
    assert len(chapter) == 3


def test_operations_and_their_arguments_can_be_looked_up(chapter: ChapterWork) -> None:
    edit = chapter.edit("look")
    every = edit.describe()
    assert [item.name for item in every] == [item.name for item in OPERATIONS]
    assert "balloon.tail  balloon  Point, bend, widen, add or remove one tail of a balloon." in repr(every)
    told = edit.describe("effect.add")
    assert told["effect"].needed
    assert "vignette" in told["effect"].values
    assert told["density"].values == "a number 0 … 1"
    assert "<table>" in told._repr_mimebundle_()["text/html"]
    for item in OPERATIONS:
        assert {argument.name for argument in edit.describe(item.name)} == {
            name.rstrip("_") for name in item.args.model_fields
        }
    with pytest.raises(UnknownOperation, match="is not an operation") as refused, edit:
        edit.run("balloon.tale", chapter[0].id)
    assert "balloon.tail" in refused.value.recovery
    assert "edit.describe()" in refused.value.recovery


def test_what_a_frame_shows_and_what_is_marked_is_said_in_methods_of_their_own(
    chapter: ChapterWork, cat: AssetVersion
) -> None:
    with chapter.edit("said") as edit:
        frame = edit[1].add_frame(rect=(10, 10, 40, 40), description="The cat.", light={"angle": 45, "kind": "lamp"})
        picture = frame.place(cat).mark({"kind": "face", "area": (0.3, 0.1, 0.6, 0.5)})
    unit = chapter.book.unit(chapter.book.order[1])
    shown, placed = unit.index[frame.id], unit.index[picture.id]
    assert (shown.description, shown.light) == ("The cat.", Light(angle=45_000, kind="lamp"))
    assert [mark.area for mark in placed.marks] == [(300_000, 100_000, 600_000, 500_000)]
    with chapter.edit("and not") as edit:
        edit[frame.id].stage(light={}, description="")
        edit[picture.id].mark()
    unit = chapter.book.unit(unit.id)
    assert (unit.index[frame.id].description, unit.index[frame.id].light) == ("", None)
    assert unit.index[picture.id].marks == ()
