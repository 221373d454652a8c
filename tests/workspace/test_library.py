"""The library as people hold it, as edits ask it, and as candidates remember its answers."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.geometry import extent
from lantern_kit.comic.layout.edges import frames_of
from lantern_kit.comic.model import Frame
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.library import EntryWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput, NotAllowed, NotFound, StaleEntry
from lantern_kit.workspace import Workspace, open_workspace

AGENT = Actor.agent("page-worker")


@pytest.fixture
def chelsea(ws: Workspace, cat: AssetVersion) -> EntryWork:
    return ws.library.promote(
        cat, "character", "Chelsea", role="front", palette=["#d97706"], looks=[{"name": "raincoat"}]
    )


def first_frame(chapter: ChapterWork, page: int = 0) -> Frame:
    frame = frames_of(chapter[page].model)[0]
    assert isinstance(frame, Frame)
    return frame


def test_a_picture_stays_a_picture_until_somebody_keeps_it(
    ws: Workspace, chapter: ChapterWork, cat: AssetVersion
) -> None:
    assert len(ws.library) == 0 and "nothing in the library" in repr(ws.library)
    made = ws.library.promote(cat, "character", role="front")
    assert (made.name, made.content.sheets[0].role) == ("Chelsea", "front")
    assert ws.library["chelsea"].id == made.id
    assert [item.id for item in ws.library.characters] == [made.id]
    assert list(ws.library.scenes) == list(ws.library.props) == list(ws.library.styles) == []


def test_an_entry_gives_its_new_self_and_an_older_one_is_refused(chelsea: EntryWork, cat: AssetVersion) -> None:
    wiser = chelsea.update(notes="A wise cat.", message="as written in chapter 2")
    more = wiser.add_sheet(cat, role="turnaround")
    assert [sheet.role for sheet in more.content.sheets] == ["front", "turnaround"]
    with pytest.raises(StaleEntry) as caught:
        chelsea.update(notes="A foolish cat.")
    assert caught.value.details["changed"] == ["notes", "sheets"]
    assert "3" in repr(more.versions).splitlines()[2] and "sheets" in repr(more.versions)
    back = more.restore(1)
    assert back.content == chelsea.content
    with pytest.raises(NotAllowed):
        back.archive(confirm="Chelsea", by=AGENT)


def test_uses_say_every_way_in_which_a_chapter_uses_an_entry(
    ws: Workspace, chapter: ChapterWork, chelsea: EntryWork
) -> None:
    roof = ws.library.keep("scene", "Roof")
    ink = ws.library.keep("style", "Ink")
    ws.library.keep("character", "Nobody")
    frame = first_frame(chapter)
    picture = next(item for item in chapter[0].model.objects if item.kind == "image")
    with chapter.edit("who is where") as edit:
        edit.run("frame.set", frame.id, scene="roof", cast=[{"who": "CHELSEA", "look": "raincoat"}])
        edit.run("image.mark", picture.id, marks=[{"kind": "face", "area": [0.2, 0.2, 0.6, 0.7], "who": "Chelsea"}])
        edit.run("chapter.set", None, styles=["Ink"])
    found = [(item.entry, item.use.how.value, item.page, item.use.detail) for item in chapter.uses()]
    assert found == [
        ("Ink", "style", "", ""),
        ("Roof", "scene", "Page 1 “One”", ""),
        ("Chelsea", "cast", "Page 1 “One”", "raincoat"),
        ("Chelsea", "mark", "Page 1 “One”", "face"),
        ("Chelsea", "sheet", "Page 1 “One”", picture.asset),
        ("Chelsea", "speaker", "Page 1 “One”", "Chelsea"),
    ]
    assert [item.use.how for item in chelsea.uses()] == ["cast", "mark", "sheet", "speaker"]
    assert {item.use.object for item in roof.uses()} == {frame.id}
    assert [item.chapter for item in ink.uses()] == ["Chelsea Goes Up 1"]
    ws.library.keep("character", "chelsea", comic="Chelsea Goes Up")
    assert [item.use.how for item in chelsea.uses()] == ["cast", "mark", "sheet"], "the comic's own one speaks"


def test_names_in_edits_mean_entries_and_several_are_refused(
    ws: Workspace, chapter: ChapterWork, chelsea: EntryWork
) -> None:
    frame = first_frame(chapter)
    ws.library.keep("prop", "Chelsea")
    with chapter.edit("cast") as edit:
        with pytest.raises(BadInput, match="several entries"):
            edit.run("frame.set", frame.id, cast=[{"who": "Chelsea"}])
        with pytest.raises(NotFound):
            edit.run("frame.set", frame.id, cast=[{"who": "Mira"}])
        with pytest.raises(NotFound, match="Two on top"):
            edit.run("layout.apply", chapter[0].id, template="Two on top")
        edit.run("frame.set", frame.id, cast=[{"who": chelsea.id}])
    assert [one.who for one in first_frame(chapter).cast] == [chelsea.id]


def test_a_kept_layout_is_laid_on_other_pages_by_its_name_with_weights(ws: Workspace, chapter: ChapterWork) -> None:
    kept = ws.library.keep("layout", "Two on top", layout=chapter[0], notes="a slanted cut")
    wanted = [extent(frame.shape) for frame in frames_of(chapter[0].model)]
    with chapter.edit("lay out") as edit:
        same, wide = edit.add_page(), edit.add_page()
        edit.run("layout.apply", same.id, template="two on TOP")
        edit.run("layout.apply", wide.id, template=kept.id, weights=[3.0, 1.0])
    found = [extent(frame.shape) for frame in frames_of(chapter[2].model)]
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, abs=20)
    left, right = (extent(frame.shape) for frame in frames_of(chapter[3].model))
    assert left[2] - left[0] > 2 * (right[2] - right[0])
    assert kept.template.title == "Two on top" and [item.id for item in ws.library.layouts] == [kept.id]
    with pytest.raises(BadInput, match="is no layout"):
        _ = ws.library.keep("prop", "Lamp").template


def test_a_candidate_is_adopted_on_the_answers_that_it_was_worked_out_on(
    ws: Workspace, chapter: ChapterWork, chelsea: EntryWork
) -> None:
    kept = ws.library.keep("layout", "Two on top", layout=chapter[0])
    with ws.journal.write() as connection:
        draft, _ = ws.drafts.begin(connection, chapter.id, title="t", actor=AGENT)
    frame = first_frame(chapter, 1).id
    operations = [
        {"op": "frame.set", "target": frame, "args": {"cast": [{"who": "Chelsea", "look": "raincoat"}]}},
        {"op": "layout.apply", "target": chapter[1].id, "args": {"template": "Two on top"}},
    ]
    head = ws.drafts.head(draft.id).revision.number
    with ws.journal.write() as connection:
        made, planned = ws.candidates.propose(connection, draft.id, head, operations, task="lay out", actor=AGENT)
    assert set(made.looked_up) == {"entry", "layout"}
    chelsea.update(name="Chelsea the cat", looks=[])
    kept.update(layout=chapter[1])
    kept = ws.library[kept.id].archive(confirm="Two on top")
    assert ws.verify().clean
    with open_workspace(ws.path) as other, other.journal.write() as connection:
        other.candidates.adopt(connection, made.id, head, actor=AGENT)
    assert ws.drafts.head(draft.id).book == planned.book
    again = [{**operations[1], "target": chapter[0].id}]
    number = ws.drafts.head(draft.id).revision.number
    with ws.journal.write() as connection, pytest.raises(NotFound):
        ws.candidates.propose(connection, draft.id, number, again, task="again", actor=AGENT)
    assert ws.verify().clean


class Balanced(HTMLParser):
    """Counts tags, so that what is shown is whole."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in {"img", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_library_shows_itself_with_pictures_and_escapes_what_people_wrote(
    ws: Workspace, chapter: ChapterWork, chelsea: EntryWork
) -> None:
    chelsea.update(notes="<script>alert(1)</script>")
    ws.library.keep("layout", "Two <on> top", layout=chapter[0])
    for shown in (
        ws.library,
        ws.library["Chelsea"],
        ws.library.layouts,
        chapter.uses(),
        ws.library["Chelsea"].versions,
    ):
        html = shown._repr_mimebundle_()["text/html"]
        assert "<script" not in html and "<on>" not in html
        walk = Balanced()
        walk.feed(html)
        assert walk.open == []
    assert ws.library._repr_mimebundle_()["text/html"].count("<img") == 2, "a picture, and a layout that was drawn"
    assert ws.library._ipython_key_completions_() == ["Two <on> top", "Chelsea"]


def test_the_library_prints_itself_kind_by_kind(ws: Workspace, chelsea: EntryWork) -> None:
    roof, sill = ws.library.keep("scene", "Roof"), ws.library.keep("scene", "Sill")
    character, scenes = repr(ws.library).split("\n\n")
    assert character.splitlines()[0] == "1 character" and chelsea.id in character
    assert scenes.splitlines()[0] == "2 scenes" and roof.id in scenes and sill.id in scenes


def test_a_sheet_is_shown_under_its_entrys_name_and_looks(chelsea: EntryWork) -> None:
    (figure,) = chelsea.figures()
    assert "Chelsea front" in figure
    drawn = chelsea.picture()
    assert drawn is not None and drawn.caption == "Chelsea: raincoat"
