"""Pages whose pictures are gone or damaged, pages that are damaged themselves: the others can be looked at."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from lantern_kit.assets import AssetVersion
from lantern_kit.workspace import Workspace
from tests.widgets.asking import refused, sent, told
from tests.widgets.laid import Laid
from tests.widgets.reviewing import Studio, studio


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


@pytest.fixture
def other(here: Studio) -> Iterator[Workspace]:
    """The workspace as another process opens it after something happened to its files."""
    made = here.other()
    yield made
    made.close()


def asset(here: Studio) -> AssetVersion:
    return next(iter(here.ws.assets.find()))


def blob(here: Studio) -> Path:
    name = asset(here).blob.hex()
    return here.ws.path / "blobs" / name[:2] / name


def test_a_picture_that_is_gone_leaves_a_marked_stand_in_and_is_listed(here: Studio, other: Workspace) -> None:
    before = sent(Laid(here.ws, here.chapter.id), "thumbs", units=[here.page()], edge=300)[1][0]
    blob(here).unlink()
    panel = Laid(other, here.chapter.id)
    sheet = told(panel, "sheet", unit=here.page())
    assert sheet["missing"] == [asset(here).id]
    assert [thing["kind"] for thing in sheet["objects"]] == ["frame", "image", "frame", "balloon"]
    _, (after,) = sent(panel, "thumbs", units=[here.page()], edge=300)
    shown = np.asarray(Image.open(io.BytesIO(after))).astype(int)
    assert (np.abs(shown - (0xF3, 0xE9, 0xE2)).max(axis=2) < 12).mean() > 0.05, "the hatched box is there"
    assert after != before
    image = next(thing["id"] for thing in sheet["objects"] if thing["kind"] == "image")
    rows = dict(told(panel, "facts", unit=here.page(), object=image)["rows"])
    assert "missing" in rows["State"]
    assert rows["Picture"] == "Chelsea"


def test_a_damaged_picture_is_named_with_what_to_do_while_other_pages_open(here: Studio, other: Workspace) -> None:
    path = blob(here)
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    panel = Laid(other, here.chapter.id)
    listed = told(panel, "units")["units"]
    assert [unit["kind"] for unit in listed] == ["page"] * 3
    sheet = told(panel, "sheet", unit=here.page())
    assert sheet["missing"] == []
    error = refused(panel, "tiles", unit=here.page(), level=0, tiles=[[0, 0]])
    assert error["code"] == "corrupt"
    assert error["ids"] == [asset(here).id]
    assert "“Chelsea”" in error["message"]
    assert "lantern verify" in error["recovery"]
    assert str(here.ws.path) not in str(error)
    data, pictures = sent(panel, "thumbs", units=list(here.chapter.book.order), edge=100)
    assert [bool(picture) for picture in pictures] == [False, True, True]
    assert [item.get("error", {}).get("ids") for item in data["thumbs"]] == [[asset(here).id], None, None]
    assert len(sent(panel, "tiles", unit=here.page(1), level=0, tiles=[[0, 0]])[1]) == 1


def test_only_the_tiles_that_show_a_damaged_picture_are_refused(here: Studio, other: Workspace) -> None:
    path = blob(here)
    path.write_bytes(b"x" + path.read_bytes()[1:])
    panel = Laid(other, here.chapter.id)
    finest = told(panel, "sheet", unit=here.page())["levels"][-1]
    last = [-(-finest["width"] // 512) - 1, -(-finest["height"] // 512) - 1]
    assert len(sent(panel, "tiles", unit=here.page(), level=3, tiles=[last])[1]) == 1
    assert refused(panel, "tiles", unit=here.page(), level=3, tiles=[[1, 1]])["code"] == "corrupt"


def test_a_damaged_page_stands_in_the_list_and_the_others_open(here: Studio, other: Workspace) -> None:
    damaged = here.chapter.moment.stored.hashes[here.page(1)]
    with here.ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE documents SET body = x'00' WHERE hash = ?", (damaged,))
    panel = Laid(other, here.chapter.id)
    listed = told(panel, "units")["units"]
    assert [(unit["title"], unit["kind"]) for unit in listed] == [
        ("Page 1 “One”", "page"), ("Page 2, damaged", "damaged"), ("Page 3 “Three”", "page"),
    ]  # fmt: skip
    assert listed[1]["key"] == ""
    assert listed[1]["width"] == 105.0
    assert told(panel, "units", "zh")["units"][1]["title"] == "第 2 页（已损坏）"
    assert told(panel, "sheet", unit=here.page(2))["title"] == "Page 3 “Three”"
    for ask, args in (("sheet", {}), ("tiles", {"level": 0, "tiles": [[0, 0]]}), ("facts", {"object": "x"})):
        error = refused(panel, ask, unit=here.page(1), **args)
        assert error["code"] == "corrupt"
        assert error["ids"][0] == here.page(1)
        assert "lantern verify" in error["recovery"]
    data, pictures = sent(panel, "thumbs", units=[here.page(0), here.page(1)], edge=90)
    assert [bool(picture) for picture in pictures] == [True, False]
    assert data["thumbs"][1]["error"]["code"] == "corrupt"
