"""What a browser is told of pages: lists, sheets, sources, and what it is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from lantern_kit.comic.book import Book
from lantern_kit.comic.brief import Brief
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.widgets.asks import LARGEST
from lantern_kit.widgets.sheets import AT_ONCE
from lantern_kit.widgets.sheets.keys import Keyed
from lantern_kit.widgets.sheets.sheet import sheet as built
from lantern_kit.widgets.sheets.sources import Seen
from tests.comic.strategies import books
from tests.render.test_any_unit import some
from tests.widgets.asking import refused, sent, told
from tests.widgets.laid import Laid
from tests.widgets.reviewing import Studio, studio


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


@pytest.fixture
def panel(here: Studio) -> Laid:
    return Laid(here.ws, here.chapter.id)


def other_chapter(here: Studio) -> ChapterWork:
    made = here.ws.comic("Another").begin_chapter(1, size="A5", direction="rtl")
    with made.edit("a spread") as edit:
        edit.add_spread(name="Wide", gutter=8)
        edit.add_page()
    return made


# units


def test_units_are_listed_with_what_a_filmstrip_needs(here: Studio, panel: Laid) -> None:
    listed = told(panel, "units")
    assert listed["revision"] == here.chapter.moment.id
    assert listed["direction"] == "ltr"
    assert [unit["unit"] for unit in listed["units"]] == list(here.chapter.book.order)
    assert len({unit["key"] for unit in listed["units"]}) == 3
    assert listed["units"][0] == {
        "unit": here.page(),
        "title": "Page 1 “One”",
        "kind": "page",
        "key": listed["units"][0]["key"],
        "width": 105.0,
        "height": 148.0,
        "spread": False,
    }


def test_a_spread_says_so_and_a_chapter_its_direction(here: Studio) -> None:
    listed = told(Laid(here.ws, other_chapter(here).id), "units", "zh")
    assert listed["direction"] == "rtl"
    assert [(unit["title"], unit["spread"]) for unit in listed["units"]] == [
        ("第 1–2 页（跨页）“Wide”", True),
        ("第 3 页", False),
    ]


def test_listing_units_reads_none_of_them_whole(here: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    with here.other() as fresh:
        monkeypatch.setattr("lantern_kit.comic.store.ChapterStore._unit", None)
        assert len(told(Laid(fresh, here.chapter.id), "units")["units"]) == 3


# sheets


def test_a_sheet_has_its_areas_in_millimetres_and_its_levels_up_to_print(here: Studio, panel: Laid) -> None:
    sheet = told(panel, "sheet", source="head", unit=here.page())
    assert sheet["unit"] == here.page()
    assert sheet["source"] == "head"
    assert sheet["revision"] == here.chapter.moment.id
    assert sheet["title"] == "Page 1 “One”"
    assert sheet["area"] == [-3.0, -3.0, 111.0, 154.0]
    assert sheet["trim"] == [0.0, 0.0, 105.0, 148.0]
    assert sheet["safe"] == [[5.0, 5.0, 95.0, 138.0]]
    assert [side["rect"] for side in sheet["surfaces"]] == [[0.0, 0.0, 105.0, 148.0]]
    assert sheet["gutter"] is None
    assert sheet["tile"] == 512
    assert sheet["levels"][-1] == {"scale": 600 / 25.4, "width": 2622, "height": 3638}
    assert sheet["missing"] == []
    assert sheet["key"] == told(panel, "units")["units"][0]["key"]


def test_a_spread_has_two_surfaces_and_a_gutter(here: Studio) -> None:
    chapter = other_chapter(here)
    sheet = told(Laid(here.ws, chapter.id), "sheet", unit=chapter.book.order[0])
    assert sheet["gutter"] == [148.0, 0.0, 8.0, 210.0]
    assert [side["rect"][0] for side in sheet["surfaces"]] == [0.0, 156.0]
    assert len(sheet["safe"]) == 2


def test_objects_stand_in_drawing_order_with_names_handles_and_outlines(here: Studio, panel: Laid) -> None:
    sheet = told(panel, "sheet", unit=here.page())
    unit = here.chapter.book.unit(here.page())
    assert {thing["id"] for thing in sheet["objects"]} == set(unit.index)
    assert [thing["kind"] for thing in sheet["objects"]] == ["frame", "image", "frame", "balloon"]
    for thing in sheet["objects"]:
        item = unit.index[thing["id"]]
        assert thing["handle"] == handle_of(item)
        assert thing["parent"] == item.parent
        xs, ys = zip(*thing["outline"], strict=True)
        left, top, wide, tall = thing["box"]
        assert (min(xs), min(ys)) == (left, top)
        assert max(xs) == pytest.approx(left + wide, abs=2e-3)
        assert max(ys) == pytest.approx(top + tall, abs=2e-3)
    frame, image, _, balloon = sheet["objects"]
    assert [frame["name"], image["name"]] == ["frame 1", "picture “Chelsea” in frame 1"]
    assert balloon["box"][3] > 20, "the tail is part of the outline"
    assert len(balloon["outline"]) <= 64
    assert image["outline"] != frame["outline"] or image["box"] == frame["box"]
    assert sheet["reading"] == [name for name in unit.reading if name.startswith("fr_")]


def test_names_and_locks_are_told_in_the_language_of_the_browser(here: Studio, panel: Laid) -> None:
    here.chapter.lock(here.frame().id, "keep it")
    here.chapter.lock(here.balloon().id)
    english = told(panel, "sheet", unit=here.page())["objects"]
    assert [thing["locked"] for thing in english] == [
        "locked by mina: keep it", "locked by mina: keep it", "", "locked by mina",
    ]  # fmt: skip
    chinese = told(panel, "sheet", "zh", unit=here.page())["objects"]
    assert [chinese[0]["name"], chinese[3]["name"]] == ["画格1", "气泡1"]
    assert [chinese[0]["locked"], chinese[3]["locked"]] == ["已由 mina 锁定：keep it", "已由 mina 锁定"]


@settings(max_examples=40)
@given(books())
def test_a_sheet_of_any_unit_is_plain_and_holds_every_object_once(seeded: tuple[Book, Any, Any]) -> None:
    book = seeded[0]
    for unit in book.units():
        keyed = Keyed(Brief.of(unit), "k", ())
        made = built(Seen("head", book, "r1"), keyed, "Page", pictures=some, picture_title=str)
        assert json.loads(json.dumps(made, allow_nan=False)) == made
        assert sorted(thing["id"] for thing in made["objects"]) == sorted(unit.index)
        assert all(thing["name"] and len(thing["box"]) == 4 for thing in made["objects"])
        assert set(made["reading"]) == {item.id for item in unit.objects if item.kind == "frame"}


# sources


def test_any_revision_of_the_chapter_or_a_draft_of_it_can_be_looked_at(here: Studio, panel: Laid) -> None:
    before = here.chapter.moment
    here.say("Mine now.")
    draft = here.draft()
    here.edit(draft, here.usual())
    drafted = here.ws.drafts.head(draft).id
    keys = {
        source: told(panel, "sheet", source=source, unit=here.page())["key"] for source in (before.id, "head", drafted)
    }
    assert len(set(keys.values())) == 3
    assert told(panel, "sheet", source=drafted, unit=here.page())["revision"] == drafted
    assert told(panel, "units", source=before.id)["revision"] == before.id


def test_revisions_of_other_chapters_are_refused(here: Studio, panel: Laid) -> None:
    other = other_chapter(here).moment.id
    error = refused(panel, "units", source=other)
    assert error["code"] == "not_found"
    assert other in error["ids"]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("r999", "not_found"),
        ("c9:theirs", "not_found"),
        ("c1:mine", "bad_input"),
        ("tail", "bad_input"),
        ("", "bad_input"),
        ("r" + "9" * 30, "bad_input"),
        ("r1; DROP TABLE", "bad_input"),
    ],
)
def test_a_source_that_is_none_is_refused_with_what_there_is(panel: Laid, source: str, code: str) -> None:
    error = refused(panel, "units", source=source)
    assert error["code"] == code
    if source == "tail":
        assert error["expected"] == ["head", "r41", "c3:ours", "c3:theirs"]


def test_both_choices_of_a_conflict_are_sources_until_it_is_settled(here: Studio, panel: Laid) -> None:
    proposal, _ = here.proposed()
    here.say("MINE!")
    with here.ws.reviewer() as me:
        held = here.ws.proposals[proposal.id]
        held.look()
        held.apply(me, mode="merge")
    (found,) = here.chapter.conflicts()
    ours, theirs = (told(panel, "sheet", source=f"{found.id}:{side}", unit=here.page()) for side in ("ours", "theirs"))
    assert ours["key"] == told(panel, "sheet", unit=here.page())["key"] != theirs["key"]
    assert ours["revision"] == theirs["revision"] == here.chapter.moment.id
    (words,) = [row[1] for row in told(
        panel, "facts", source=f"{found.id}:theirs", unit=here.page(), object=here.balloon().id
    )["rows"] if row[0] == "Words"]  # fmt: skip
    assert words == "It is mine."
    assert refused(Laid(here.ws, other_chapter(here).id), "units", source=f"{found.id}:ours")["code"] == "not_found"
    found.resolve("theirs")
    error = refused(panel, "units", source=f"{found.id}:theirs")
    assert error["code"] == "wrong_state"
    assert "settled" in error["message"]
    assert told(panel, "sheet", unit=here.page())["key"] == theirs["key"]


def test_a_panel_may_show_sources_of_its_own(here: Studio) -> None:
    book = here.chapter.book
    first = book.unit(here.page())

    class Own(Laid):
        def book_of(self, source: str) -> Book:
            if source == "mine":
                return book.replace(first.model_copy(update={"background": "#ffeedd"}))
            return super().book_of(source)

    panel = Own(here.ws, here.chapter.id)
    mine, head = (told(panel, "sheet", source=source, unit=here.page()) for source in ("mine", "head"))
    assert mine["key"] != head["key"]
    assert mine["revision"] == ""
    assert panel.book_of("head") == here.chapter.book
    assert sent(panel, "tiles", source="mine", unit=here.page(), level=0, tiles=[[0, 0]])[0]["key"] == mine["key"]
    assert refused(panel, "units", source="other")["code"] == "bad_input"


# tiles, thumbs, and refusals


def test_tiles_come_as_they_were_asked_with_the_key_they_belong_to(here: Studio, panel: Laid) -> None:
    sheet = told(panel, "sheet", unit=here.page())
    spots = [[1, 1], [0, 0], [1, 0]]
    data, tiles = sent(panel, "tiles", unit=here.page(), level=2, tiles=spots)
    assert data == {"key": sheet["key"], "tiles": spots}
    assert len(set(tiles)) == 3
    assert all(tile[:2] == b"\xff\xd8" for tile in tiles)


def test_the_key_that_comes_with_tiles_tells_that_the_page_has_moved_on(here: Studio, panel: Laid) -> None:
    before = told(panel, "sheet", unit=here.page())["key"]
    here.say("Something else.")
    after, _ = sent(panel, "tiles", unit=here.page(), level=0, tiles=[[0, 0]])
    assert after["key"] != before
    assert after["key"] == told(panel, "sheet", unit=here.page())["key"]


def test_thumbs_come_in_the_order_they_were_asked(here: Studio, panel: Laid) -> None:
    order = [here.page(2), here.page(0), here.page(2)]
    data, pictures = sent(panel, "thumbs", units=order, edge=120)
    assert [item["unit"] for item in data["thumbs"]] == order
    assert pictures[0] == pictures[2] != pictures[1]


def test_the_most_that_can_be_asked_at_once_fits_one_message(here: Studio, panel: Laid) -> None:
    level = 3
    sheet = told(panel, "sheet", unit=here.page())["levels"][level]
    spots = [[x, y] for y in range(-(-sheet["height"] // 512)) for x in range(-(-sheet["width"] // 512))][:AT_ONCE]
    _, tiles = sent(panel, "tiles", unit=here.page(), level=level, tiles=spots)
    assert sum(map(len, tiles)) < LARGEST
    assert refused(panel, "tiles", unit=here.page(), level=0, tiles=[[0, 0]] * (AT_ONCE + 1))["code"] == "bad_input"
    assert refused(panel, "thumbs", units=[here.page()] * (AT_ONCE + 1))["code"] == "bad_input"


def test_what_is_not_there_is_refused_with_what_there_is(here: Studio, panel: Laid) -> None:
    page = here.page()
    for ask, args in (("sheet", {}), ("tiles", {"level": 0, "tiles": [[0, 0]]}), ("facts", {"object": "x"})):
        error = refused(panel, ask, unit="un_nowhere", **args)
        assert (error["code"], error["ids"]) == ("not_found", ["un_nowhere"])
        assert set(error["expected"]) <= set(here.chapter.book.order)
        assert error["recovery"]
    assert refused(panel, "thumbs", units=[page, "un_nowhere"])["code"] == "not_found"
    level = refused(panel, "tiles", unit=page, level=9, tiles=[[0, 0]])
    assert (level["code"], level["expected"], level["found"]) == ("not_found", "0 to 3", 9)
    tile = refused(panel, "tiles", unit=page, level=0, tiles=[[0, 0], [0, 7]])
    assert (tile["code"], tile["expected"]) == ("not_found", "columns 0 to 0, rows 0 to 0")
    thing = refused(panel, "facts", unit=page, object="bl_nowhere")
    assert (thing["code"], thing["ids"]) == ("not_found", ["bl_nowhere", page])
    assert refused(panel, "tiles", unit=page, level=-1, tiles=[[0, 0]])["code"] == "bad_input"
    assert refused(panel, "sheet", unit=page, pages=1)["code"] == "unknown_key"
