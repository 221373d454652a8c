"""Annotations as W3C Web Annotations: judged by a schema of the model, an XML reader, and the picture itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

from lantern_kit import datasets
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import Workspace, create_workspace

SCHEMA = json.loads(Path(__file__).with_name("web_annotation.schema.json").read_text())
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    made = create_workspace(
        tmp_path / "ws",
        title="Chelsea",
        owner="mina",
        ids=SeededIds(3),
        clock=SteppingClock(),
        config=tmp_path / "keys",
    )
    yield made
    made.close()


@pytest.fixture
def chapter(ws: Workspace) -> ChapterWork:
    """A page with a red frame at a quarter of the drawn sheet, and another page."""
    made = ws.comic("Chelsea Goes Up").begin_chapter(1, size=(94, 94))  # 100 mm with its bleed
    with made.edit("two pages") as edit:
        edit.add_page().add_frame(rect=(22, 22, 50, 50)).set(background="#ff0000", border={"width": 0})
        edit.add_page().add_frame(rect=(10, 10, 20, 20))
    return made


def exported(chapter: ChapterWork, *states: str) -> dict[str, Any]:
    """What is written, held to the schema."""
    folder = chapter._host.path  # type: ignore[attr-defined]
    page = json.loads(chapter.annotations(*states).export(folder / "notes.jsonld").read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(page)] == []
    return page


def selectors(target: dict[str, Any]) -> tuple[str, list[float], Any]:
    """Element id, percent and SVG shape of a target."""
    element, fragment, svg = target["selector"]
    percent = [float(part) for part in fragment["value"].removeprefix("xywh=percent:").split(",")]
    return element["value"], percent, ElementTree.fromstring(svg["value"])


def test_every_sort_of_annotation_fits_the_model(ws: Workspace, chapter: ChapterWork) -> None:
    first, second = chapter
    frame = first.model.objects[0].id
    note = chapter.annotate(
        "更大 & <b>bigger</b>",
        on=[frame, {"unit": first.id, "point": (0.5, 0.5), "surface": first.model.surfaces[0].id}, second],
        attach=[datasets.open_photo("chelsea")],
    )
    note.reply("by a third")
    chapter.annotate("About the whole chapter.")
    chapter.annotate("Gone with its page.", on=second.model.objects[0].id)
    with chapter.edit("one page") as edit:
        edit[1].remove()
    page = exported(chapter)
    assert [len(item["target"]) for item in page["items"]] == [3, 1, 1]
    item = page["items"][0]
    assert [body["type"] for body in item["body"]] == ["TextualBody", "Image", "TextualBody"]
    assert item["body"][0]["value"] == "更大 & <b>bigger</b>"
    assert item["body"][2]["creator"] == {"type": "Person", "name": "mina"}
    assert [target["lantern:resolution"] for target in item["target"]] == ["unchanged", "unchanged", "missing"]
    assert page["items"][1]["target"] == [f"lantern://chapter/{chapter.id}"]
    (gone,) = page["items"][2]["target"]
    assert gone["source"] == f"lantern://chapter/{chapter.id}"
    assert len(gone["selector"]) == 1


def test_the_schema_refuses_what_the_model_forbids(chapter: ChapterWork) -> None:
    chapter.annotate("Here.", on=chapter[0].model.objects[0].id)
    good = exported(chapter)
    validator = Draft202012Validator(SCHEMA)
    for spoil in (
        lambda page: page.pop("@context"),
        lambda page: page["items"][0].update(target=[]),
        lambda page: page["items"][0].update(motivation="wishing"),
        lambda page: page["items"][0].update(created="yesterday"),
        lambda page: page["items"][0]["body"][0].pop("value"),
        lambda page: page["items"][0]["target"][0].pop("source"),
        lambda page: page["items"][0]["target"][0]["selector"][1].update(value="xywh=percent:1,2,3"),
    ):
        page = json.loads(json.dumps(good))
        spoil(page)
        assert not validator.is_valid(page)


def test_the_selectors_name_the_element_and_the_part_of_the_very_picture_the_address_gives(
    ws: Workspace, chapter: ChapterWork
) -> None:
    frame = chapter[0].model.objects[0]
    chapter.annotate("Too red.", on=frame.id)
    (target,) = exported(chapter)["items"][0]["target"]
    element, percent, svg = selectors(target)
    assert element == frame.id
    assert percent == [25, 25, 50, 50]
    assert svg.get("viewBox") == "-3 -3 100 100"
    assert svg.find(f"{SVG}polygon").get("points") == "22,22 72,22 72,72 22,72"  # type: ignore[union-attr]
    revision, unit = target["source"].removeprefix("lantern://unit/").split("/")
    assert revision == chapter.moment.id
    drawn = ws.renderer.render(chapter.moment.book.unit(unit), chapter.book.chapter, long_edge=200, bleed=True)
    left, top, width, height = (round(part / 100 * 200) for part in percent)
    inside = drawn.pixels[top : top + height, left : left + width, :3]
    assert (inside == (255, 0, 0)).all()
    assert (drawn.pixels[..., :3] == (255, 0, 0)).all(axis=2).sum() == width * height


def test_a_point_is_a_small_circle_where_it_is(chapter: ChapterWork) -> None:
    chapter.annotate("A crow here.", on={"unit": chapter[0].id, "point": (0, 1)})
    (target,) = exported(chapter)["items"][0]["target"]
    fragment, svg = target["selector"]
    circle = ElementTree.fromstring(svg["value"]).find(f"{SVG}circle")
    assert circle is not None
    assert (circle.get("cx"), circle.get("cy")) == ("0", "94")
    assert fragment["value"] == "xywh=percent:2,96,2,2"


def test_a_part_past_the_paper_is_cut_and_one_beyond_it_is_left_out(chapter: ChapterWork) -> None:
    frame = chapter[0].model.objects[0].id
    note = chapter.annotate("Further left.", on=frame)
    with chapter.edit("half out") as edit:
        edit[frame].move(by=(-50, 0))
    _, percent, _ = selectors(exported(chapter)["items"][0]["target"][0])
    assert percent == [0, 25, 25, 50]
    with chapter.edit("out") as edit:
        edit[frame].move(by=(-40, 0))
    (target,) = exported(chapter)["items"][0]["target"]
    assert [item["type"] for item in target["selector"]] == ["FragmentSelector", "SvgSelector"]
    assert target["lantern:resolution"] == "changed"
    note.resolve()
    assert exported(chapter)["items"] == []
    assert [item["lantern:state"] for item in exported(chapter, "resolved")["items"]] == ["resolved"]


def test_a_file_that_cannot_be_written_is_an_error_and_leaves_nothing(chapter: ChapterWork, tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        chapter.annotations().export(tmp_path / "nowhere" / "notes.jsonld")
    assert not (tmp_path / "nowhere").exists()
