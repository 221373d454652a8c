"""Looking at pages and pictures, finding, checking, comparing."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.model import Direction, Paper
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk, op


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


# looking


def test_a_look_is_one_picture_with_the_facts_to_act_on_it(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)["objects"]
    reply = desk.reply("unit.look", source=draft, unit="1")
    (picture,) = reply.pictures
    image = opened(picture.data)
    facts = reply.data
    assert picture.media == facts["media"] == "image/jpeg"
    assert max(image.size) == 1_024
    assert list(image.size) == facts["size"]
    assert hashlib.sha256(picture.data).hexdigest() == facts["sha256"]
    assert len(picture.data) == facts["bytes"] <= 700_000
    assert facts["revision"] == desk.revisions[draft]
    left, top, right, bottom = facts["objects"][made["words"].split("#")[0]]
    a, _, _, d, e, f = facts["page_to_pixel"]
    x, y = a * 75 + e, d * 20 + f
    assert left < x < right
    assert top < y < bottom
    back = facts["pixel_to_page"]
    assert back[0] * x + back[4] == pytest.approx(75, abs=0.01)


def test_looking_round_an_object_shows_it_larger_and_little_else(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    made = desk.edit(draft, *PAGE, op("image.place", "@row.1", "cat", asset=cat.id))["objects"]
    close = desk.ask("unit.look", source=draft, around=made["words"], margin=2)
    x, y, w, h = close["visible"]
    assert 60 < x < 75 < x + w < 90
    assert 0 < y < 20
    assert 40 < y + h < 45  # the tip of its tail is seen too
    inside = desk.ask("unit.look", source=draft, around=made["cat"], margin=1)
    assert inside["visible"][0] == pytest.approx(7, abs=0.1)
    assert isinstance(desk.refused("unit.look", source=draft, around="bl_00000000"), NotFound)
    assert isinstance(desk.refused("unit.look", source=draft), BadInput)
    assert isinstance(desk.refused("unit.look", source=draft, around=desk.chapter), BadInput)
    assert isinstance(desk.refused("unit.look", source=draft, around=made["cat"], neighbours=1), BadInput)


def test_an_object_off_the_paper_cannot_be_looked_at_and_the_error_says_how_to_bring_it_back(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft, op("unit.add", None, "p"), op("text.add", "@p", "t", text="gone", at=[180, 100], size=[10, 10])
    )["objects"]
    error = desk.refused("unit.look", source=draft, around=made["t"], margin=1)
    assert "outside the paper" in error.message
    assert "object.move" in error.recovery


def test_exact_pixels_come_as_png_and_a_size_past_the_limit_is_refused(desk: Desk) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    reply = desk.reply("unit.look", source=draft, unit="1", exact=True, size=500)
    assert reply.pictures[0].media == "image/png"
    assert max(opened(reply.pictures[0].data).size) == 500
    assert isinstance(desk.refused("unit.look", source=draft, unit="1", size=1_569), BadInput)


@pytest.mark.parametrize("direction", [Direction.LTR, Direction.RTL])
def test_a_contact_sheet_shows_neighbours_in_the_direction_of_reading(ws: Workspace, direction: Direction) -> None:
    paper = Paper(width=105_000, height=148_000)
    made = ws.comics.create_chapter(comic="Other", number=1, actor=ws.owner, paper=paper, direction=direction)
    desk = Desk(ws, made.id)
    draft = desk.begin()
    desk.edit(draft, *(op("unit.add", None, f"p{n}", background=f"#{n}0{n}0{n}0") for n in range(1, 6)))
    reply = desk.reply("unit.look", source=draft, unit="3", neighbours=1, size=900)
    tiles = reply.data["tiles"]
    assert [tile["n"] for tile in tiles] == [2, 3, 4]
    xs = [tile["at"][0] for tile in tiles]
    assert xs == (sorted(xs) if direction is Direction.LTR else sorted(xs, reverse=True))
    pixels = np.asarray(opened(reply.pictures[0].data).convert("RGB"))
    assert max(pixels.shape[:2]) <= 900
    for tile in tiles:
        x, y, w, h = tile["at"]
        assert pixels[y + h // 2, x + w // 2] == pytest.approx(tile["n"] * 16, abs=3)
    whole = desk.reply("unit.look", source=draft, unit="1", neighbours=4)
    assert [tile["n"] for tile in whole.data["tiles"]] == [1, 2, 3, 4, 5]
    assert len({tile["at"][1] for tile in whole.data["tiles"]}) == 2


# pictures


def test_a_registered_picture_is_shown_with_its_facts(desk: Desk, cat: AssetVersion) -> None:
    reply = desk.reply("asset.read", asset=cat.id, size=200)
    assert max(opened(reply.pictures[0].data).size) == 200
    assert reply.data["asset"]["licence"] == "CC0-1.0"
    assert reply.data["asset"]["size"] == [451, 300]
    assert reply.data["picture"]["of"] == [451, 300]


def test_a_picture_with_transparency_is_shown_as_png(desk: Desk, ws: Workspace) -> None:
    pixels = np.zeros((40, 30, 4), np.uint8)
    pixels[10:20] = 255
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    asset = ws.assets.register(out.getvalue(), title="cut out")
    reply = desk.reply("asset.read", asset=asset.id)
    assert reply.pictures[0].media == "image/png"
    assert opened(reply.pictures[0].data).mode == "RGBA"


def test_without_an_id_pictures_are_listed_and_searched_by_title(desk: Desk, cat: AssetVersion) -> None:
    assert desk.ask("asset.read")["assets"] == [{"asset": cat.id, "title": "Chelsea", "size": [451, 300]}]
    assert desk.ask("asset.read", search="els")["total"] == 1
    assert desk.ask("asset.read", search="dog")["assets"] == []
    assert isinstance(desk.refused("asset.read", asset="as_00000000"), NotFound)


def test_an_original_comes_byte_for_byte(desk: Desk, ws: Workspace, cat: AssetVersion) -> None:
    reply = desk.reply("asset.original", asset=cat.id)
    assert reply.pictures[0].data == ws.assets.read(cat)
    assert reply.pictures[0].media == reply.data["asset"]["media"] == "image/png"


def test_a_unit_is_drawn_at_full_resolution_with_its_bleed(desk: Desk) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    reply = desk.reply("unit.print", source=draft, unit="1", dpi=100)
    image = opened(reply.pictures[0].data)
    assert list(image.size) == reply.data["size"] == [round(111 / 0.254), round(154 / 0.254)]
    assert reply.pictures[0].media == "image/png"
    assert desk.ask("unit.print", source=draft, unit="1")["dpi"] == pytest.approx(600, abs=1)
    assert isinstance(desk.refused("unit.print", source=draft, unit="1", dpi=9_600), BadInput)


# finding


def test_things_are_found_by_words_speaker_name_picture_and_id(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft,
        *PAGE,
        op("image.place", "@row.1", "cat", asset=cat.id, name="the hero"),
        op("unit.add", None, "two", name="Quiet page"),
    )["objects"]

    def found(**args: Any) -> list[str]:
        return [row["handle"] for row in desk.ask("work.find", source=draft, **args)["found"]]

    assert found(text="is THAT") == [made["words"]]
    assert sorted(found(text="chelsea")) == sorted([made["cat"], made["words"]])
    assert found(text="chelsea", kinds=["balloon"]) == [made["words"]]
    assert found(text="hero") == [made["cat"]]
    assert found(text=cat.id) == [made["cat"]]
    assert found(text=made["words"]) == [made["words"]]
    assert found(text="quiet") == [made["two"]]
    assert found(kinds=["frame"]) == [made["row.1"], made["row.2"]]
    assert found(text="nothing like it") == []
    assert isinstance(desk.refused("work.find", source=draft, kinds=["panel"]), BadInput)


def test_marked_words_are_found_as_they_are_read_as_they_are_written_and_by_their_readings(desk: Desk) -> None:
    draft = desk.begin()
    edits = op("balloon.add", "@p", "b", text="{三毛猫|み|け|ねこ}は[up]{.bold} there", at=[50, 50])
    made = desk.edit(draft, op("unit.add", None, "p"), edits)["objects"]
    for text in ("三毛猫は", "up there", "[up]{.bold}", "みけねこ"):
        (row,) = desk.ask("work.find", source=draft, text=text)["found"]
        assert (row["handle"], row["text"]) == (made["b"], "三毛猫はup there")
    assert desk.ask("work.find", source=draft, text="upthere")["found"] == []


# checking


def test_a_check_lists_faults_gravest_first_with_handles(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft,
        op("unit.add", None, "p"),
        op("frame.add", "@p", "f", rect=[2, 2, 101, 144]),
        op("image.place", "@f", "i", asset=cat.id),
        op("balloon.add", "@f", "b", text="far too many words for so small a balloon", at=[50, 50], size=[8, 6]),
        op("unit.add", None, "fine"),
    )["objects"]
    all_of_it = desk.ask("work.check", source=draft)
    assert all_of_it["checked"] == 2
    rules = {(item["rule"], item["object"]) for item in all_of_it["findings"]}
    assert ("picture.dpi", made["i"]) in rules
    assert ("lettering.overflow", made["b"]) in rules
    assert sum(all_of_it["totals"].values()) == len(all_of_it["findings"])
    ranks = [["error", "warning", "note"].index(item["severity"]) for item in all_of_it["findings"]]
    assert ranks == sorted(ranks)
    assert desk.ask("work.check", source=draft, units=["2"])["findings"] == []


def test_a_finding_about_two_objects_names_both_and_look_shows_both_outlined(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft,
        op("unit.add", None, "p"),
        op("balloon.add", "@p", "low", text="I meant what I said.", at=[40, 40], size=[40, 20]),
        op("balloon.add", "@p", "over", text="So did I.", at=[44, 44], size=[30, 16]),
        op("frame.add", "@p", "f", rect=[6, 90, 90, 50]),
        op("unit.add", None, "fine"),
    )["objects"]
    (finding,) = desk.ask("work.check", source=draft)["findings"]
    assert finding["rule"] == "balloon.covers"
    assert (finding["object"], finding["with"]) == (made["over"], made["low"])
    assert "with" not in finding["data"]
    both = {"around": finding["object"], "mark": [finding["object"], finding["with"]], "margin": 1.0}
    reply = desk.reply("unit.look", source=draft, **both)
    left, top, wide, high = reply.data["visible"]
    assert left <= 20 and top <= 30 and left + wide >= 60 and top + high >= 50
    bare = desk.reply("unit.look", source=draft, **both | {"mark": []})
    assert pink(reply.pictures[0].data) > 100 > 2 * pink(bare.pictures[0].data)
    refused = desk.refused("unit.look", source=draft, around=finding["object"], mark=[made["fine"]])
    assert isinstance(refused, BadInput)


def test_matters_of_taste_are_told_when_they_are_asked_for(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(draft, op("unit.add", None, "p"), op("frame.add", "@p", "f", rect=[2, 20, 101, 60]))["objects"]
    assert desk.ask("work.check", source=draft)["findings"] == []
    told = desk.ask("work.check", source=draft, notes=True)
    assert [(item["rule"], item["severity"], item["object"]) for item in told["findings"]] == [
        ("frame.safe", "note", made["f"])
    ]
    assert told["totals"] == {"note": 1}


def pink(data: bytes) -> int:
    """How many pixels of a picture have the colour of a mark."""
    pixels = np.asarray(opened(data).convert("RGB")).astype(int)
    return int((abs(pixels - [0xC2, 0x18, 0x5B]).sum(axis=-1) < 90).sum())


# comparing


def test_a_draft_is_compared_with_its_base_and_a_revision_with_the_one_before(desk: Desk) -> None:
    draft = desk.begin()
    start = desk.revisions[draft]
    first = desk.edit(draft, *PAGE)
    second = desk.edit(draft, op("balloon.set", first["objects"]["words"], text="It is mine."))
    whole = desk.ask("work.compare", source=draft)
    assert [row["unit"] for row in whole["units"]] == ["Page 1"]
    assert any("It is mine." in line for line in whole["units"][0]["changes"])
    last = desk.ask("work.compare", source=second["revision"])
    assert last["old"] == first["revision"]
    assert len(last["units"][0]["changes"]) == 1
    back = desk.ask("work.compare", source=start, old=second["revision"])
    assert back["changes"] == whole["changes"]
    assert desk.ask("work.compare", source=draft, old=draft)["units"] == []


def test_two_chapters_are_not_compared(desk: Desk, ws: Workspace) -> None:
    paper = Paper(width=105_000, height=148_000)
    other = ws.comics.create_chapter(comic="Other", number=2, actor=ws.owner, paper=paper)
    assert isinstance(desk.refused("work.compare", source=desk.chapter, old=other.id), BadInput)
