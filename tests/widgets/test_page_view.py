"""PageView: a chapter in a browser, looked at, pointed at and annotated."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import PageView, Workspace, create_workspace
from lantern_kit.comic.annotation import Kind
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, NotFound
from tests.widgets.albums import album, at, canvas, whole
from tests.widgets.asking import refused, sent, told


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Work", owner="ann") as opened:
        yield opened


@pytest.fixture
def chapter(ws: Workspace) -> ChapterWork:
    return album(ws)


def pages(chapter: ChapterWork) -> tuple[str, ...]:
    return chapter.book.order


def thing(chapter: ChapterWork, kind: str, place: int = 0) -> str:
    unit = chapter.book.unit(pages(chapter)[place])
    return next(item.id for item in unit.objects if item.kind == kind)


# the kernel's half


def test_one_ask_gives_the_units_a_sheet_and_all_tiles_of_the_first_picture(chapter: ChapterWork) -> None:
    opened, tiles = sent(PageView(chapter), "open", screen=[1200, 600])
    assert [item["unit"] for item in opened["book"]["units"]] == list(pages(chapter))
    assert opened["book"]["binding"] == "left"
    assert opened["unit"] == opened["sheet"]["unit"] == pages(chapter)[0]
    level = opened["sheet"]["levels"][opened["level"]]
    assert level["height"] >= 576 / 1.15
    assert len(tiles) == len(opened["tiles"]) == -(-level["width"] // 512) * -(-level["height"] // 512)


def test_the_first_tiles_are_those_in_the_middle_and_no_more_than_one_answer_takes(ws: Workspace) -> None:
    opened, tiles = sent(PageView(album(ws, 1, size="A4")), "open", screen=[5_000, 5_000])
    assert len(tiles) == 24
    level = opened["sheet"]["levels"][opened["level"]]
    middle = [int(level["width"] / 1024 - 0.5), int(level["height"] / 1024 - 0.5)]
    assert abs(opened["tiles"][0][0] - middle[0]) <= 1
    assert abs(opened["tiles"][0][1] - middle[1]) <= 1


def test_a_view_follows_the_work_unless_it_is_made_for_a_revision(chapter: ChapterWork) -> None:
    first = chapter.moment.id
    old = chapter[0]
    with chapter.edit("one more") as edit:
        edit.add_page()
    assert PageView(chapter).state["source"] == "head"
    assert PageView(chapter[1]).state["source"] == "head"
    assert PageView(chapter[1]).state["unit"] == pages(chapter)[1]
    assert PageView(old).state["source"] == first
    assert PageView(chapter, first).state["source"] == first


def test_what_is_read_from_the_top_down_opens_as_a_strip(ws: Workspace) -> None:
    assert PageView(album(ws, 1, direction="ttb")).state["mode"] == "strip"


def test_a_view_of_what_is_not_there_is_refused_at_once(chapter: ChapterWork) -> None:
    with pytest.raises(NotFound):
        PageView(chapter, unit="un_00000000")
    with pytest.raises(NotFound):
        PageView(chapter, "r999")
    with pytest.raises(BadInput, match="pages do not lie"):
        PageView(chapter, mode="sideways")  # type: ignore[arg-type]


def test_a_point_keeps_its_place_as_shares_of_the_trim_and_an_object_of_itself(chapter: ChapterWork) -> None:
    view, page = PageView(chapter), pages(chapter)[0]
    told(view, "note.write", body="here", on=[{"unit": page, "point": [52.5, 37.0]}])
    inside = {"unit": page, "object": thing(chapter, "frame"), "point": [52.5, 23.0]}
    told(view, "note.write", body="that frame", on=[inside])
    told(view, "note.write", body="all of it", on=[{"unit": page}])
    notes = [note.facts for note in chapter.annotations()]
    assert [note.actor for note in notes] == ["ann"] * 3
    point, frame, unit = (note.references[0] for note in notes)
    assert (point.kind, point.at) == (Kind.POINT, (500_000, 250_000))
    assert (frame.target, frame.at) == (thing(chapter, "frame"), (500_000, 250_000))
    assert unit.target == page


def test_a_point_on_a_spread_belongs_to_the_page_it_lies_on(ws: Workspace) -> None:
    chapter = ws.comic("Wide").begin_chapter(1, size="A6")
    with chapter.edit("wide") as edit:
        edit.add_spread()
    unit = chapter.book.unit(pages(chapter)[0])
    right = {"unit": unit.id, "point": [unit.width / 1_000 - 52.5, 74.0]}
    told(PageView(chapter), "note.write", body="right", on=[right])
    (reference,) = chapter.annotations()[0].references
    assert (reference.surface, reference.at) == (unit.surfaces[1].id, (500_000, 500_000))


def test_an_annotation_on_what_is_gone_is_refused_and_says_so(chapter: ChapterWork) -> None:
    view, gone = PageView(chapter), pages(chapter)[0]
    with chapter.edit("away") as edit:
        edit[gone].remove()
    assert refused(view, "note.write", body="x", on=[{"unit": gone}])["code"] == "not_found"
    error = refused(view, "note.write", body="x", on=[{"unit": pages(chapter)[0], "object": "fr_00000000"}])
    assert error["code"] == "not_found"
    assert error["recovery"]


def test_news_differ_when_the_work_a_lock_or_an_annotation_does(chapter: ChapterWork) -> None:
    view = PageView(chapter)
    before = told(view, "news", source="head")
    assert told(view, "news", source="head") == before
    chapter.lock(pages(chapter)[0])
    locked = told(view, "news", source="head")
    assert (locked["locks"] != before["locks"], locked["notes"]) == (True, before["notes"])
    note = chapter.annotate("x")
    noted = told(view, "news", source="head")
    assert noted["notes"] != locked["notes"]
    note.reply("y")
    assert told(view, "news", source="head")["notes"] != noted["notes"]
    with chapter.edit("one more") as edit:
        edit.add_page()
    assert told(view, "news", source="r2")["head"] == chapter.moment.id


def test_what_is_saved_is_small(chapter: ChapterWork) -> None:
    state = PageView(chapter).get_state()
    assert sum(len(str(value)) for value in state.values()) < 5_000


@pytest.mark.parametrize("mode", ["page", "spread", "strip"])
def test_the_still_form_has_pictures_in_it_and_is_small(ws: Workspace, mode: Any) -> None:
    view = PageView(album(ws, 30, direction="rtl"), mode=mode)
    html = view.picture()
    assert html.count("data:image/jpeg") == (1 if mode == "page" else 8)
    assert len(html) <= 60_000
    assert "http" not in html.replace("data:", "")
    assert ("8 of 30 are shown here" in html) == (mode != "page")


def test_the_still_form_says_in_words_what_is_seen(ws: Workspace) -> None:
    chapter = album(ws, 2, direction="rtl", title="The Moon")
    view = PageView(chapter, unit=pages(chapter)[1])
    assert view.text().splitlines() == [
        "Chelsea 1 · The Moon at r2: 2 units, read from right to left",
        "Page 2 (2 of 2), 105 × 148 mm",
        "on it: frame 1, picture “Chelsea” in frame 1, frame 2, balloon 1",
    ]
    assert "从右向左阅读" in PageView(chapter, language="zh").text()


def test_the_still_form_of_nothing_says_so(ws: Workspace) -> None:
    empty = PageView(ws.comic("Bare").begin_chapter(1, size="A6"))
    assert "no pages yet" in empty.text()
    assert "no pages yet" in empty.picture()


# looking


def test_the_first_page_is_painted_and_the_place_is_said(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page, pages(chapter)[0])
    assert "Page 1" in page.get_by_test_id("page-place").inner_text()
    assert "1 of 3" in page.get_by_test_id("page-place").inner_text()
    assert canvas(page).get_attribute("aria-label") == "picture of Page 1"
    page.get_by_test_id("page-thumb").nth(2).locator("img").wait_for()
    assert page.errors == []


def test_what_is_under_the_pointer_comes_out(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    canvas(page).hover(position=at(page, 50, 100))
    page.wait_for_selector(f"canvas[data-hovered={thing(chapter, 'balloon')}]")
    canvas(page).hover(position=at(page, 20, 20))
    page.wait_for_selector(f"canvas[data-hovered={thing(chapter, 'image')}]")
    canvas(page).hover(position=at(page, 2, 2))
    page.wait_for_selector("canvas[data-hovered='']")


def test_a_click_gives_the_handle_and_facts_and_another_goes_to_what_lies_below(
    chapter: ChapterWork, stage: Any
) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    canvas(page).click(position=at(page, 20, 20))
    assert page.get_by_test_id("page-handle-text").input_value().startswith(thing(chapter, "image") + "#")
    page.get_by_test_id("page-facts").get_by_text("CC0-1.0").wait_for()
    values = page.get_by_test_id("page-facts").locator("dd")
    narrowest = min(values.nth(place).bounding_box()["width"] for place in range(values.count()))
    assert narrowest > 100, "no value stands in a column of single letters"
    canvas(page).click(position=at(page, 20, 20), delay=400)
    page.wait_for_function("id => document.querySelector('[data-testid=page-handle-text]')?.value.startsWith(id)",
                           arg=thing(chapter, "frame"))  # fmt: skip
    canvas(page).focus()
    page.keyboard.press("Escape")
    page.get_by_test_id("page-selected").wait_for(state="detached")


def test_a_handle_is_copied_and_selected_where_the_browser_refuses(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    canvas(page).click(position=at(page, 20, 20))
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")
    page.get_by_test_id("page-handle-button").click()
    page.get_by_text("Copied.", exact=True).first.wait_for()
    handle = page.get_by_test_id("page-handle-text").input_value()
    assert page.evaluate("() => window.copied") == handle
    page.evaluate("""() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
        document.execCommand = () => false;
    }""")
    page.get_by_test_id("page-handle-button").click()
    page.get_by_test_id("page-handle-outcome").get_by_text("press Ctrl+C").wait_for()
    assert page.evaluate("() => document.activeElement.value.slice(0, document.activeElement.selectionEnd)") == handle


def test_zooming_in_asks_for_few_tiles_and_no_message_is_large(ws: Workspace, stage: Any) -> None:
    view = PageView(album(ws, 1, size="A4"))
    sizes: list[int] = []
    say = view._say

    def weigh(content: Any, buffers: Any = ()) -> None:
        if "digest" not in content.get("ok", {}):
            sizes.append(sum(map(len, buffers)))
        say(content, buffers)

    view._say = weigh  # type: ignore[method-assign]
    page = stage.show(view)
    whole(page)
    assert sum(sizes) <= 1_500_000
    seen = page.get_by_test_id("viewer-zoom")
    for _ in range(14):
        page.get_by_test_id("viewer-zoom-in").click()
    whole(page)
    assert int(seen.inner_text().split()[0]) > 1_500
    assert sum(sizes) <= 6_000_000
    assert max(sizes) < 2_000_000


def test_the_wheel_zooms_where_one_works_and_is_left_to_the_page_before(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    zoom = page.get_by_test_id("viewer-zoom")
    before = zoom.inner_text()
    canvas(page).hover(position=at(page, 50, 50))
    page.mouse.wheel(0, -200)
    page.get_by_text("hold Ctrl").wait_for()
    assert zoom.inner_text() == before
    canvas(page).focus()
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "before => (document.querySelector('[data-testid=viewer-zoom]')?.textContent ?? before) !== before", arg=before
    )
    page.keyboard.press("0")
    page.wait_for_function(
        "before => document.querySelector('[data-testid=viewer-zoom]')?.textContent === before", arg=before
    )


def test_objects_are_stepped_through_in_reading_order_by_keyboard_and_named(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    canvas(page).focus()
    spoken = page.get_by_test_id("spoken")
    said = []
    page.keyboard.press("Enter")
    for _ in range(4):
        said.append(spoken.inner_text().strip())
        page.keyboard.press("ArrowRight")
    assert said == [
        "frame 1, 1 of 4", "picture “Chelsea” in frame 1, 2 of 4", "frame 2, 3 of 4", "balloon 1, 4 of 4",
    ]  # fmt: skip
    page.keyboard.press("Enter")
    assert page.get_by_test_id("page-selected").get_attribute("aria-label") == "balloon 1"
    canvas(page).focus()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.tagName") != "CANVAS"


def test_pages_are_turned_by_keyboard_and_the_place_is_kept(chapter: ChapterWork, stage: Any) -> None:
    view = PageView(chapter)
    page = stage.show(view)
    whole(page)
    canvas(page).focus()
    for key, place in (("PageDown", 1), ("End", 2), ("PageUp", 1), ("Home", 0), ("PageUp", 0), ("PageDown", 1)):
        page.keyboard.press(key)
        whole(page, pages(chapter)[place])
    assert "Page 2, 2 of 3" in page.get_by_test_id("spoken").inner_text()
    page.wait_for_function("unit => models[0].state.state.unit === unit", arg=pages(chapter)[1])
    stage_state = view.state
    assert stage_state["unit"] == pages(chapter)[1]


def test_the_next_page_is_there_before_one_turns_to_it(chapter: ChapterWork, stage: Any) -> None:
    view = PageView(chapter)
    page = stage.show(view)
    whole(page)
    _, own = sent(PageView(chapter), "open", screen=[1184, 576])
    page.wait_for_function("own => globalThis.__lanternTiles.count === 2 * own", arg=len(own))
    stage.silence(page)
    page.get_by_test_id("page-next").click()
    whole(page, pages(chapter)[1])


def test_pairs_lie_as_they_are_bound(ws: Workspace, stage: Any) -> None:
    chapter = album(ws, 4, direction="rtl")
    page = stage.show(PageView(chapter, mode="spread"))
    whole(page)
    assert "1 of 3" in page.get_by_test_id("page-place").inner_text()
    page.get_by_test_id("page-next").click()
    whole(page, pages(chapter)[1])
    assert "Page 2 · Page 3" in page.get_by_test_id("page-place").inner_text()
    box = canvas(page).bounding_box()
    canvas(page).click(position={"x": box["width"] * 0.6, "y": box["height"] * 0.2})
    page.get_by_test_id("page-selected").wait_for()
    first = page.get_by_test_id("page-handle-text").input_value().split("#")[0]
    assert first in chapter.book.unit(pages(chapter)[1]).index


def test_what_reads_from_right_to_left_has_its_first_page_on_the_right(ws: Workspace, stage: Any) -> None:
    chapter = album(ws, 20, direction="rtl")
    page = stage.show(PageView(chapter))
    whole(page)
    film = page.get_by_test_id("page-filmstrip").bounding_box()
    first = page.get_by_test_id("page-thumb").nth(0).bounding_box()
    second = page.get_by_test_id("page-thumb").nth(1).bounding_box()
    assert abs(first["x"] + first["width"] - film["x"] - film["width"]) < 4
    assert second["x"] < first["x"]
    turn = [page.get_by_test_id(f"page-{which}").bounding_box()["x"] for which in ("next", "previous")]
    assert turn[0] < turn[1]
    page.get_by_test_id("page-filmstrip").focus()
    page.keyboard.press("ArrowLeft")
    whole(page, pages(chapter)[1])


def test_a_strip_is_scrolled_and_says_where_one_is(ws: Workspace, stage: Any) -> None:
    chapter = album(ws, 6, direction="ttb")
    page = stage.show(PageView(chapter))
    whole(page)
    assert page.get_by_test_id("page-strip").evaluate("box => box.scrollHeight > 3 * box.clientHeight")
    page.get_by_test_id("page-strip").hover()
    page.mouse.wheel(0, 1_500)
    page.wait_for_selector(f"[data-testid=page][data-unit={pages(chapter)[1]}]")
    page.get_by_test_id("page-thumb").nth(4).click()
    whole(page, pages(chapter)[4])
    assert page.get_by_test_id("page-strip").evaluate("box => box.scrollTop") > 2_000
    box = canvas(page).bounding_box()
    canvas(page).click(position={"x": box["width"] / 2, "y": box["height"] / 3})
    page.get_by_test_id("page-selected").wait_for()
    assert page.errors == []


def test_overlays_are_drawn_and_kept(chapter: ChapterWork, stage: Any) -> None:
    view = PageView(chapter)
    page = stage.show(view)
    whole(page)
    bare = canvas(page).evaluate("canvas => canvas.toDataURL()")
    for name in ("outlines", "reading", "guides"):
        page.get_by_test_id(f"page-{name}").click()
        page.wait_for_function(
            "bare => document.querySelector('[data-testid=viewer-canvas]').toDataURL() !== bare", arg=bare
        )
        bare = canvas(page).evaluate("canvas => canvas.toDataURL()")
    page.wait_for_function("() => models[0].state.state.overlays?.guides")
    assert view.state["overlays"] == {"outlines": True, "reading": True, "guides": True}
