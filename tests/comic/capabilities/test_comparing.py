"""What agents are told of two states as they are drawn."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from PIL import Image

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.capabilities.answer import tokens_of
from lantern_kit.comic.render.view import MAX_BYTES
from lantern_kit.kernel.errors import BadInput, NotFound
from tests.comic.capabilities.desk import PAGE, Desk, op


class Story:
    """A page whose balloon was moved and reworded, and one that was added."""

    def __init__(self, desk: Desk, cat: AssetVersion) -> None:
        self.desk = desk
        self.draft = desk.begin()
        self.made = desk.edit(
            self.draft,
            *PAGE,
            op("image.place", "@row.1", "cat", asset=cat.id),
            op("image.place", "@row.2", asset=cat.id),
        )
        objects = self.made["objects"]
        self.words, self.cat = str(objects["words"]), str(objects["cat"])
        self.moved = desk.edit(self.draft, op("object.move", self.words, by=[-6, 12]))
        self.words = (
            str(self.moved["objects"][next(iter(self.moved["objects"]))]) if self.moved["objects"] else self.words
        )


@pytest.fixture
def story(desk: Desk, cat: AssetVersion) -> Story:
    return Story(desk, cat)


def test_regions_tell_in_millimetres_where_a_page_changed_and_each_objects_distance(desk: Desk, story: Story) -> None:
    told = desk.ask("work.compare", source=story.moved["revision"], show="regions")
    (row,) = told["units"]
    assert row["unit"] == "Page 1"
    assert 0 < row["changed"] < 0.2
    (region,) = row["regions"]
    left, top, wide, tall = region["rect"]
    assert left < 75 - 6 < left + wide
    assert top < 20 + 12 < top + tall
    name = story.words.split("#")[0]
    assert region["objects"][0] == name
    balloon = row["objects"][0]
    assert balloon["object"].split("#")[0] == name
    assert balloon["change"] == "changed"
    assert balloon["moved"] == [-6, 12]
    assert 0 < balloon["difference"] < 100
    under = next(item for item in row["objects"] if item["change"] == "looks different")
    assert under["covered_by"] == under["bared_by"] == [name]


def test_a_change_that_is_not_seen_is_told_as_such(desk: Desk, story: Story) -> None:
    renamed = desk.edit(story.draft, op("balloon.set", story.words.split("#")[0], speaker="Moon"))
    (row,) = desk.ask("work.compare", source=renamed["revision"], show="regions")["units"]
    assert (row["regions"], row["changed"]) == ([], 0)
    (balloon,) = row["objects"]
    assert (balloon["unseen"], balloon["properties"]) == ("alike", ["speaker"])
    refused = desk.refused("work.compare", source=renamed["revision"], show="beside", unit="1")
    assert isinstance(refused, BadInput)
    assert "drawn alike" in refused.message


def test_the_difference_is_one_picture_with_the_facts_of_its_pixels(desk: Desk, story: Story) -> None:
    reply = desk.reply("work.compare", source=story.moved["revision"], show="difference", unit="1", size=600)
    (picture,) = reply.pictures
    view = reply.data["view"]
    assert len(picture.data) == view["bytes"] <= MAX_BYTES
    shown = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(int)
    assert list(shown.shape[1::-1]) == view["size"]
    assert max(view["size"]) == 600
    assert (shown[..., 2] > shown[..., 0] + 60).any()
    assert (shown[..., 0] > shown[..., 2] + 60).any()
    left, top, wide, tall = reply.data["units"][0]["regions"][0]["rect"]
    a, _, _, d, e, f = view["page_to_pixel"]
    coloured = np.argwhere(np.abs(shown[..., 0] - shown[..., 2]) > 60)
    assert coloured[:, 1].min() >= a * left + e - 3
    assert coloured[:, 1].max() <= a * (left + wide) + e + 3
    assert coloured[:, 0].min() >= d * top + f - 3
    assert coloured[:, 0].max() <= d * (top + tall) + f + 3


def test_regions_come_before_and_after_beside_each_other(desk: Desk, story: Story) -> None:
    reply = desk.reply(
        "work.compare", source=story.draft, old=story.made["revision"], show="beside", unit="1", size=512
    )
    (picture,) = reply.pictures
    view = reply.data["view"]
    assert (view["left"], view["right"]) == ("old", "new")
    shown = Image.open(io.BytesIO(picture.data))
    assert list(shown.size) == view["size"]
    assert max(shown.size) <= 512
    half = np.asarray(shown.convert("L")).astype(int)
    middle = half.shape[1] // 2
    assert half[:, :middle].mean() != half[:, middle:].mean()


def test_a_page_that_was_added_and_one_that_was_removed_are_regions_as_a_whole(desk: Desk, story: Story) -> None:
    (row,) = desk.ask("work.compare", source=story.draft, show="regions")["units"]
    assert (row["changed"], row["difference"], len(row["regions"])) == (1, 100, 1)
    assert {item["change"] for item in row["objects"]} == {"added"}
    back = desk.ask("work.compare", source=desk.chapter, old=story.draft, show="regions")["units"][0]
    assert back["unit"] == "Page 1, removed"
    assert {item["change"] for item in back["objects"]} == {"removed"}


def test_only_the_named_unit_is_told_and_only_changed_ones_are_drawn(desk: Desk, story: Story) -> None:
    more = desk.edit(story.draft, op("unit.add", None, "two"), op("balloon.add", "@two", text="Hm.", at=[50, 50]))
    new, old = more["revision"], story.made["revision"]
    both = desk.ask("work.compare", source=new, old=old, show="regions")
    assert [row["unit"] for row in both["units"]] == ["Page 1", "Page 2"]
    second = desk.ask("work.compare", source=new, old=old, show="regions", unit="2")
    assert second["units"] == both["units"][1:]
    assert 0 < second["changes"] < both["changes"]
    rest = desk.ask("work.compare", source=new, old=old, show="regions", start=2)
    assert rest["units"] == both["units"][1:]
    words = desk.ask("work.compare", source=new, old=old, unit="2")
    assert [row["unit"] for row in words["units"]] == ["Page 2"]
    last = desk.ask("work.compare", source=new, show="regions")
    assert [row["unit"] for row in last["units"]] == ["Page 2"]


def test_a_picture_needs_to_know_which_unit(desk: Desk, story: Story) -> None:
    for show in ("difference", "beside"):
        assert "one unit" in desk.refused("work.compare", source=story.draft, show=show).message
    assert isinstance(desk.refused("work.compare", source=story.draft, show="regions", unit="7"), NotFound)
    assert isinstance(desk.refused("work.compare", source=story.draft, show="pixels"), BadInput)


def test_a_crowded_page_is_told_in_few_tokens(desk: Desk) -> None:
    draft = desk.begin()
    spots = [(10 + 14 * (place % 6), 10 + 28 * (place // 6)) for place in range(24)]
    first = desk.edit(
        draft,
        op("unit.add", None, "page"),
        *(
            op("balloon.add", "@page", f"b{at}", text="Oh!", at=list(spot), size=[12, 8])
            for at, spot in enumerate(spots)
        ),
    )
    names = [first["objects"][f"b{at}"] for at in range(24)]
    last = desk.edit(draft, *(op("balloon.set", name, text="Ah!") for name in names))
    (row,) = desk.ask("work.compare", source=last["revision"], show="regions")["units"]
    assert len(row["regions"]) <= 12
    assert len(row["objects"]) == 24
    seen = len(row["regions"]) + row.get("more_regions", {"count": 0})["count"]
    assert seen == 24
    assert tokens_of(json.dumps(row)) < 4_000
