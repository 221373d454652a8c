"""What people hold shows itself as a cell's last line: words beside static HTML that needs nothing from outside."""

from __future__ import annotations

import base64
import io
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.comic.work.finding import FindingWork
from lantern_kit.comic.work.revision import RevisionWork
from lantern_kit.comic.work.unit import Units
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import balloon, begin, edit, freeze, proposed, say

_VOID = {"img", "br", "hr"}


class Shown(NamedTuple):
    """What a thing shows: its text, its HTML and the pictures in that."""

    text: str
    html: str
    pictures: list[Image.Image]


class _Balanced(HTMLParser):
    """Fails on tags that are not closed in order, or that a static form must not have."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "style", "link", "iframe", "object", "form", "button", "input", "a", "svg"}, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name != "src" or (value or "").startswith("data:image/")
            assert name != "alt" or value
            assert "url(" not in (value or "")
            # a colour of text or paper of its own would be lost in one of the themes
            assert name != "style" or not re.search(r"(?:^|;)\s*(?:color|background[-\w]*)\s*:", value or "")
        assert tag != "img" or "alt" in dict(attrs)
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def shown(thing: Any) -> Shown:
    """What a thing shows, held to what every static form must be."""
    bundle = thing._repr_mimebundle_()
    text, html = bundle["text/plain"], bundle["text/html"]
    assert set(bundle) == {"text/plain", "text/html"}
    assert text and html
    parser = _Balanced()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    found = re.findall(r'src="data:(image/\w+);base64,([^"]+)"', html)
    pictures = [Image.open(io.BytesIO(base64.b64decode(data))) for _, data in found]
    for picture in pictures:
        picture.load()
    return Shown(text, html, pictures)


@pytest.fixture
def crowded(chapter: ChapterWork) -> ChapterWork:
    """The chapter with words too many for their balloon."""
    with chapter.edit("too much") as edit:
        edit[balloon(chapter).id].set(text="far too many words for so small a balloon " * 9, rect=(70, 20, 9, 5))
    return chapter


def things(ws: Workspace, chapter: ChapterWork, cat: AssetVersion) -> dict[str, Any]:
    """One of everything that people hold."""
    saved = chapter.save("first words")
    agreed = proposed(ws, chapter)
    lock = chapter.lock(balloon(chapter).id, "done")
    note = chapter.annotate("Larger, please.", on=balloon(chapter).id, attach=cat)
    return {
        "asset": cat,
        "assets": ws.assets,
        "unit": chapter[0],
        "view": chapter[0].render(long_edge=300),
        "chapter": chapter,
        "units": chapter[:1],
        "comic": ws.comic("Chelsea Goes Up"),
        "works": ws.works(),
        "workspace": ws,
        "proposal": ws.proposals[agreed.id],
        "proposals": ws.proposals,
        "revision": chapter.revision(chapter.moment.id),
        "history": chapter.history(),
        "saved version": saved,
        "saved versions": chapter.snapshots(),
        "lock": lock,
        "locks": chapter.locks(),
        "annotation": note,
        "annotations": chapter.annotations(),
        "findings": chapter.check(),
        "finding": chapter.check()[0],
        "conflicts": chapter.conflicts(),
        "changes": chapter.revision(chapter.moment.id).changes,
    }


DRAWN = {
    "asset", "assets", "unit", "view", "chapter", "units", "comic", "works", "workspace", "proposal", "revision",
    "saved version", "saved versions", "lock", "locks", "annotation", "annotations", "findings", "finding",
}  # fmt: skip


def test_everything_people_hold_shows_itself_with_words_and_without_script_or_connection(
    ws: Workspace, crowded: ChapterWork, cat: AssetVersion
) -> None:
    held = things(ws, crowded, cat)
    drawn = {name for name, thing in held.items() if shown(thing).pictures}
    assert drawn == DRAWN


def test_a_chapter_of_many_units_shows_the_first_of_its_strip_and_says_how_to_see_the_rest(
    chapter: ChapterWork,
) -> None:
    with chapter.edit("many") as edit:
        for _ in range(48):
            edit.add_page()
    strip = shown(chapter)
    assert len(strip.pictures) == 24
    assert "24 of 50 units. chapter[24:48] shows the next of them, chapter[49] the last." in strip.html
    second = chapter[24:48]
    assert isinstance(second, Units) and len(second) == 24
    assert [unit.id for unit in second] == list(chapter.book.order[24:48])
    assert len(shown(second).pictures) == 24
    assert "24 of 50 units; [24:] shows the next" in shown(chapter[:]).html
    assert "shows the next" not in shown(chapter[48:]).html


def test_an_empty_chapter_and_an_empty_workspace_say_so(ws: Workspace) -> None:
    assert "no comics yet" in shown(ws).html
    empty = ws.comic("Quiet").begin_chapter(1)
    assert "no units yet" in shown(empty).html
    assert "nothing on it yet" in shown(ws.works()).html
    assert shown(empty.locks()).text == "nothing is locked"
    assert shown(empty.check()).text == "no findings"
    assert shown(empty.snapshots()).text == "no version was saved yet"
    assert shown(ws.assets).text == "no pictures"
    assert shown(ws.proposals.pending()).text == "no proposal waits for a verdict"


def test_a_unit_lists_its_objects_with_the_handles_that_edits_take(chapter: ChapterWork) -> None:
    listed = chapter[0].objects()
    names = [item.name for item in listed]
    assert listed[names.index("balloon 1")].words == "Chelsea: Is that… mine?"
    assert shown(listed).html.count("<tr>") == len(listed) + 1
    assert listed[listed[0].id] is listed[0]
    assert "balloon 1" in names and "picture “Chelsea” in frame 1" in names
    html = shown(chapter[0]).html
    for name, handle, place, _ in listed:
        assert name in html and handle in html and place in html
    with chapter.edit("by handle") as edit:
        edit[listed[names.index("balloon 1")][1].split("#")[0]].set(text="Mine.")
    assert balloon(chapter).text == "Mine."


def test_a_large_page_is_shown_smaller_and_saved_whole(chapter: ChapterWork, tmp_path: Any) -> None:
    drawn = chapter[0].render(dpi=600)
    seen = shown(drawn)
    assert max(seen.pictures[0].size) == 1568
    assert len(seen.html) < 1_000_000
    assert "save(path) keeps every pixel" in seen.html
    with Image.open(drawn.save(tmp_path / "page.png")) as saved:
        assert saved.size == (drawn.width, drawn.height)


# findings


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("p.png", "PNG"),
        ("p.JPG", "JPEG"),
        ("p.jpeg", "JPEG"),
        ("p.webp", "WEBP"),
        ("p.tif", "TIFF"),
        ("p.tiff", "TIFF"),
    ],
)
def test_a_page_is_saved_as_what_its_name_says(chapter: ChapterWork, tmp_path: Path, name: str, form: str) -> None:
    drawn = chapter[0].render(dpi=72)
    with Image.open(drawn.save(tmp_path / name)) as saved:
        assert saved.format == form
        assert saved.size == (drawn.width, drawn.height)
        held = saved.info.get("dpi") or [saved.getexif()[0x011A]] * 2
        assert [round(float(part)) for part in held] == [72, 72]
        apart = np.abs(np.asarray(saved.convert("RGB")).astype(int) - drawn.rendered.pixels[..., :3])
        assert apart.mean() < (1 if form == "JPEG" else 1e-9)


@pytest.mark.parametrize("name", ["page", "page.gif", "page.pdf", ".png"])
def test_a_name_that_says_no_kind_of_picture_is_refused(chapter: ChapterWork, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="does not say what kind of picture") as refused:
        chapter[0].render(dpi=72).save(tmp_path / name)
    assert ".webp" in refused.value.expected
    assert [*tmp_path.glob("*page*")] == []


def test_a_finding_shows_the_page_round_its_object_with_the_object_marked(crowded: ChapterWork) -> None:
    finding = next(item for item in crowded[0].check() if item.rule == "lettering.overflow")
    assert isinstance(finding, FindingWork)
    assert finding.object == balloon(crowded).id
    assert finding.called == f"balloon 1 ({finding.object})"
    seen = shown(finding)
    assert finding.message.split(";")[0] in seen.text
    pixels = np.asarray(seen.pictures[0].convert("RGB")).astype(int)
    pink = (abs(pixels - [0xC2, 0x18, 0x5B]).sum(axis=-1) < 90).sum()
    assert pink > 40
    plain = np.asarray(Image.fromarray(crowded[0].render(long_edge=420).rendered.pixels).convert("RGB")).astype(int)
    assert (abs(plain - [0xC2, 0x18, 0x5B]).sum(axis=-1) < 90).sum() == 0


def test_findings_are_a_table_whose_first_rows_have_pictures(crowded: ChapterWork) -> None:
    found = crowded.check()
    seen = shown(found)
    assert len(seen.pictures) == min(12, len(found))
    assert all(max(picture.size) <= 180 for picture in seen.pictures)
    assert seen.html.count("<tr>") == len(found) + 1


def test_a_finding_about_a_whole_unit_shows_the_unit(chapter: ChapterWork) -> None:
    unit = chapter[1]
    thing = FindingWork(chapter.host, unit.moment, chapter_finding(unit.id), unit.title)
    assert shown(thing).pictures[0].size[1] == 420


def test_a_finding_about_two_objects_marks_both_and_names_them(chapter: ChapterWork) -> None:
    first = balloon(chapter)
    with chapter.edit("one over the other") as edit:
        frame = edit[chapter[0].model.index[first.id].parent]
        frame.say("So I am told.", speaker="Chelsea", at=(75, 27))
    finding = next(item for item in chapter.check() if item.rule == "balloon.covers")
    assert finding.other == first.id
    assert f"balloon 1 ({first.id})" in finding.message
    alone = FindingWork(chapter.host, finding.moment, chapter_finding(finding.unit, finding.object))
    both, one = (np.asarray(shown(item).pictures[0].convert("RGB")).astype(int) for item in (finding, alone))
    pink = [(abs(pixels - [0xC2, 0x18, 0x5B]).sum(axis=-1) < 90).mean() for pixels in (both, one)]
    assert pink[0] > 1.3 * pink[1] > 0


def test_matters_of_taste_are_told_to_those_who_ask(chapter: ChapterWork) -> None:
    with chapter.edit("wide as the page") as edit:
        edit[chapter[1].id].add_frame(rect=(2, 100, 12, 20))
    asked = {item.rule for item in chapter.check(notes=True)}
    assert {"frame.safe", "frame.overlap"} <= asked
    assert {item.rule for item in chapter.check()} <= asked
    assert {item.rule for item in chapter[1].check(notes=True)} <= asked
    assert "frame.overlap" not in {item.rule for item in chapter.check()}


def chapter_finding(unit: str, thing: str = "") -> Any:
    from lantern_kit.comic.finding import Finding

    return Finding(rule="page.empty", severity="note", unit=unit, object=thing or unit, message="there is little on it")


# locks


def test_a_lock_says_what_it_keeps_and_an_unlocked_thing_that_it_is_free(chapter: ChapterWork) -> None:
    thing = balloon(chapter).id
    made = chapter.lock(thing, "my <joke>")
    assert repr(made).startswith(f"<Lock: {thing} is locked by mina: my <joke>.")
    assert "my &lt;joke&gt;" in shown(made).html
    assert chapter.locks()[thing] == made
    gone = chapter.unlock(thing)
    assert f"{thing} is free again; it was locked by mina" in shown(gone).text
    assert not gone.held and made.held


def test_a_lock_on_a_chapter_and_one_on_what_is_gone_show_without_a_picture(
    ws: Workspace, chapter: ChapterWork
) -> None:
    assert shown(chapter.lock(chapter.id)).pictures == []
    thing = chapter.lock(balloon(chapter).id)
    with chapter.edit("away") as edit:
        edit[balloon(chapter).id].remove()
    assert shown(thing).pictures == []


# revisions


def test_a_revision_says_who_when_and_why_and_draws_the_pages_it_touched(chapter: ChapterWork) -> None:
    with chapter.edit("my own words") as edit:
        edit[balloon(chapter).id].set(text="Mine.")
    found = chapter.revision(chapter.moment.id)
    assert (found.who, found.why, found.cause, found.draft) == ("mina", "my own words", "edit", "")
    assert found.when.startswith("20") and found.when.endswith("Z")
    assert found.changes.sentences == ["Page 1 “One”: balloon 1: “Is that… mine?” → “Mine.”"]
    assert found.touched == [chapter[0].id]
    assert [label for label, _ in found.sides(chapter[0].id)] == ["before", "after"]
    seen = shown(found)
    assert len(seen.pictures) == 2
    assert seen.pictures[0].tobytes() != seen.pictures[1].tobytes()
    assert "my own words" in seen.text and "“Is that… mine?” → “Mine.”" in seen.text
    assert "Page 1 “One” · before (r2)" in seen.html and "Page 1 “One” · after (r3)" in seen.html
    assert [unit.moment.id for unit in found.units] == ["r3", "r3"]


def test_a_history_gives_its_revisions_by_place_and_by_id(ws: Workspace, chapter: ChapterWork) -> None:
    proposed(ws, chapter)
    past = chapter.history()
    assert isinstance(past["r2"], RevisionWork)
    assert past["r2"].id == past[0].id == chapter.moment.id
    assert [item.id for item in past] == ["r2", "r1"]
    assert [item.id for item in past[1:]] == ["r1"]
    with pytest.raises(NotFound, match="r4 is not in this history") as caught:
        past["r4"]
    assert "drafts=True" in caught.value.recovery
    with_drafts = chapter.history(drafts=True)
    assert with_drafts["r4"].draft == "d1"
    assert with_drafts["r4"].frozen is not None and with_drafts["r4"].frozen.proposal == "p1"
    assert chapter.revision("r4").sides(chapter[0].id)[1][1].moment.id == "r4"


def test_the_first_revision_and_one_of_another_chapter(ws: Workspace, chapter: ChapterWork) -> None:
    first = shown(chapter.revision("r1"))
    assert first.pictures == [] and "the chapter began" in first.text
    other = ws.comic("Another").begin_chapter(1)
    with pytest.raises(NotFound, match="not a revision of"):
        other.revision("r2")
    with pytest.raises(BadInput):
        chapter.revision("two")


def test_a_revision_of_an_apply_says_which_proposal_and_what_was_left_out(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    draft, head = begin(ws, chapter)
    words = {"op": "balloon.set", "target": balloon(chapter).id, "args": {"text": "Mine.", "speaker": "Luna"}}
    done = edit(ws, draft, head, [words])
    name = freeze(ws, draft, done.moment.revision.number).id
    decided = ws.proposals[name].apply(me, reject={f"{balloon(chapter).id}.text": "keep my joke"})
    assert ", 1 part left out" in repr(decided)
    found = chapter.revision(chapter.moment.id)
    assert "apply by mina, 1 part left out" in shown(found).html
    assert "proposal p1, applied" in shown(found).text
    assert "saved as s1 “A better line”" in shown(found).text
    assert "apply by mina, 1 part left out" in repr(chapter.history())
    told = chapter.history().data()[0]["proposal"]
    assert (told["id"], told["left_out"]) == ("p1", 1)


def test_a_revision_of_many_pages_draws_the_first_and_tells_the_rest(chapter: ChapterWork) -> None:
    with chapter.edit("many") as edit:
        for _ in range(9):
            edit.add_page()
    seen = shown(chapter.revision(chapter.moment.id))
    assert len(seen.pictures) == 6
    assert "6 of 9 pages are drawn; revision.sides(UNIT) gives any page" in seen.html
    assert seen.html.count("page added") == 9
    with chapter.edit("more") as edit:
        for _ in range(101):
            edit.add_page()
    seen = shown(chapter.revision(chapter.moment.id))
    assert seen.html.count("page added") == 100
    assert "… and 1 more: revision.changes[100:] tells of them" in seen.html
    assert seen.text.count("page added") == 100


def test_a_long_history_is_cut_and_says_how_to_go_on(chapter: ChapterWork) -> None:
    for place in range(110):
        chapter.host.comics.save(chapter.id, actor=chapter.host.owner, title=f"v{place}")
        with chapter.edit(f"turn {place}") as edit:
            edit[balloon(chapter).id].set(text=f"{place}")
    past = chapter.history()
    assert shown(past).html.count("<tr>") == 101
    assert "… and 12 earlier: history[100:] shows them" in shown(past).text
    assert len(past[100:]) == 12
    assert "… and 10 more: a slice such as [100:] shows them" in repr(chapter.snapshots())


# saved versions, assets, works


def test_a_saved_version_shows_its_pages_as_they_were(chapter: ChapterWork) -> None:
    saved = chapter.save("first words")
    before = shown(saved).pictures[0].tobytes()
    with chapter.edit("later") as edit:
        edit[balloon(chapter).id].set(text="Later.")
    again = chapter.snapshots()["s1"]
    assert again == saved
    assert shown(again).pictures[0].tobytes() == before != shown(chapter).pictures[0].tobytes()
    assert "r2, saved by mina at" in shown(again).html


def test_an_asset_shows_its_picture_with_its_facts_and_licence(ws: Workspace, cat: AssetVersion) -> None:
    seen = shown(ws.assets.get(cat.id))
    assert seen.pictures[0].size == (451, 300)
    for words in ("Chelsea", cat.id, "451 × 300 px", "CC0-1.0", "a photograph", "image/png", "by mina at"):
        assert words in seen.html
    assert ws.assets[cat.id] == cat == ws.assets.find("Chelsea")[cat.id]


def test_a_large_asset_is_shown_small_and_a_missing_one_in_words(ws: Workspace) -> None:
    noise = np.random.default_rng(7).integers(0, 255, (1200, 1600, 3), dtype=np.uint8)
    data = io.BytesIO()
    Image.fromarray(noise).save(data, "PNG")
    kept = ws.assets.register(data.getvalue(), title="<noise>")
    seen = shown(kept)
    assert max(seen.pictures[0].size) == 480
    assert "&lt;noise&gt;" in seen.html and "none named" in seen.html
    next(path for path in ws.blobs.folder.rglob("*") if path.is_file()).unlink()
    gone = shown(kept)
    assert gone.pictures == [] and kept.id in gone.html


def test_assets_are_a_sheet_of_pictures(ws: Workspace, cat: AssetVersion) -> None:
    for shade in range(25):
        data = io.BytesIO()
        Image.new("RGB", (4, 4), (shade, 0, 0)).save(data, "PNG")
        ws.assets.register(data.getvalue(), title=f"shade {shade}")
    seen = shown(ws.assets)
    assert len(seen.pictures) == 24
    assert "24 of 26 pictures; [24:] shows the next" in seen.html
    assert len(shown(ws.assets.find("shade 1")).pictures) == 11


def test_a_workspace_shows_its_works_and_what_waits(ws: Workspace, chapter: ChapterWork) -> None:
    proposed(ws, chapter)
    seen = shown(ws)
    assert "Chelsea Goes Up" in seen.html and "chapter 1 · 2 units" in seen.html
    assert "Waiting for a verdict" in seen.html and "A better line" in seen.html
    assert "mina · 1 comic · 1 picture · 1 open draft" in seen.html
    assert str(ws.path) not in seen.html
    assert ws.works()["Chelsea Goes Up"].title == "Chelsea Goes Up"
    with pytest.raises(NotFound, match="Chelsey") as caught:
        ws.works()["Chelsey"]
    assert caught.value.expected == ["Chelsea Goes Up"]


def test_a_tab_inside_brackets_offers_the_ids_there_are(ws: Workspace, chapter: ChapterWork, cat: AssetVersion) -> None:
    name = proposed(ws, chapter).id
    chapter.save("v")
    note = chapter.annotate("Softer.")
    keys = {
        ws.proposals: [name],
        ws.proposals.pending(): [name],
        ws.assets: [cat.id],
        chapter: list(chapter.book.order),
        chapter.snapshots(): ["s1"],
        chapter.annotations(): [note.id],
        chapter.conflicts(): [],
        ws.works(): ["Chelsea Goes Up"],
    }
    for thing, names in keys.items():
        assert thing._ipython_key_completions_() == names  # type: ignore[attr-defined]
        for each in names:
            assert thing[each] is not None  # type: ignore[index]
    assert chapter.history()._ipython_key_completions_() == ["r2", "r1"]


# proposals


def test_proposals_are_a_table_and_one_shows_its_new_faults_where_they_are(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [say(balloon(chapter).id, "far too many words for it " * 30)])
    name = freeze(ws, draft, done.moment.revision.number).id
    assert f"<Proposal {name} pending by claude-code: 1 change>" in shown(ws.proposals).text
    assert "A better line" in shown(ws.proposals.pending()).html
    held = ws.proposals.pending()[name]
    seen = shown(held)
    assert {item.rule for item in held.facts.new_findings} == {"lettering.overflow", "lettering.safe"}
    assert len(seen.pictures) == 2 + 2
    held.keep(me, reason="<later>")
    assert "keep by mina at" in shown(held).html and "&lt;later&gt;" in shown(held).html


def test_a_proposal_of_many_pages_draws_the_first_of_them(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    done = edit(ws, draft, head, [{"op": "unit.add"} for _ in range(9)])
    held = ws.proposals[freeze(ws, draft, done.moment.revision.number).id]
    seen = shown(held)
    assert len(seen.pictures) == 6
    assert "6 of 9 pages are drawn; proposal.sides(UNIT) gives any page" in seen.html
    assert seen.html.count("page added") == 9


def test_many_annotations_are_drawn_up_to_a_bound_and_the_rest_are_listed(chapter: ChapterWork) -> None:
    for place in range(12):
        chapter.annotate(f"Note {place}.", on=chapter[0])
    seen = shown(chapter.annotations())
    assert len(seen.pictures) == 10
    assert "10 of 12 are drawn" in seen.html and "Note 11." in seen.html


def test_things_round_the_edge_of_the_paper_are_marked_inside_the_picture(chapter: ChapterWork) -> None:
    """A frame that fills the page, and one that lies outside it."""
    from lantern_kit.comic.work.closeup import close_up

    with chapter.edit("frames") as edit:
        whole = edit[1].add_frame(rect=(-3, -3, 111, 154))
        away = edit[1].add_frame(rect=(200, 200, 30, 30))
    unit = chapter[1]

    def seen(thing: str) -> Any:
        return close_up(chapter.host, unit.model, chapter.book.chapter, thing)

    assert seen(whole.id).height == 180
    assert seen(away.id) is None
    assert seen("bl_nothing1") is None


def test_a_finding_about_a_face_marks_the_face_and_not_its_whole_picture(
    chapter: ChapterWork, cat: AssetVersion
) -> None:
    with chapter.edit("a face") as edit:
        frame = edit[1].add_frame(rect=(8, 8, 89, 130))
        picture = frame.place(cat).mark({"kind": "face", "area": (0.45, 0.4, 0.55, 0.5)})
        frame.say("Mine?", rect=(44, 60, 20, 14))
    (found,) = (item for item in chapter[1].check() if item.rule == "face.covered")
    assert found.other == picture.id
    seen = found.close_up()
    assert seen is not None
    x, y, w, h = seen.rendered.visible
    assert (w, h) < (60_000, 60_000)
    left, top, right, bottom = (round(part * 1_000) for part in found.data["area_mm"])
    assert x < left < right < x + w
    assert y < top < bottom < y + h
