"""Registering pictures: from files under the allowed folders, or inline."""

from __future__ import annotations

import base64
import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lantern_kit import datasets
from lantern_kit.comic.capabilities.answer import BUDGET, tokens_of
from lantern_kit.comic.capabilities.assets import LARGEST_FILE
from lantern_kit.kernel.errors import BadInput, BadPicture, IdempotencyConflict, NotFound, PathRefused
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import Desk, op


def png(width: int = 40, height: int = 30, value: int = 120) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (value, 30, 60)).save(out, "PNG")
    return out.getvalue()


def matte(width: int = 40, height: int = 30, value: int = 120) -> bytes:
    """The picture of ``png`` with its left half transparent."""
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[..., :3] = (value, 30, 60)
    pixels[:, width // 2 :, 3] = 255
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def inbox(ws: Workspace) -> Path:
    return ws.path / "inbox"


def test_a_file_in_the_inbox_becomes_an_asset_with_its_origin(desk: Desk, inbox: Path) -> None:
    (inbox / "cat.png").write_bytes(png())
    made = desk.ask(
        "asset.register",
        path="cat.png",
        title="Cat",
        licence="CC0-1.0",
        source="own photograph",
        source_type="photograph",
        idempotency_key=desk.key(),
    )["asset"]
    assert (made["size"], made["source_type"], made["licence"]) == ([40, 30], "photograph", "CC0-1.0")
    assert made["registered_by"] == "claude-code"
    draft = desk.begin()
    desk.edit(
        draft,
        op("unit.add", None, "p"),
        op("frame.add", "@p", "f", rect=[8, 8, 20, 15]),
        op("image.place", "@f", asset=made["asset"]),
    )
    absolute = desk.ask("asset.register", path=str(inbox / "cat.png"), title="Cat again", idempotency_key=desk.key())[
        "asset"
    ]
    assert absolute["asset"] != made["asset"]


def test_small_pictures_may_come_inline(desk: Desk) -> None:
    text = base64.b64encode(png()).decode()
    made = desk.ask("asset.register", data=text, title="Cat", idempotency_key="k")
    assert desk.ask("asset.register", data=text, title="Cat", idempotency_key="k") == made
    other = base64.b64encode(png(value=121)).decode()
    error = desk.refused("asset.register", data=other, title="Cat", idempotency_key="k")
    assert isinstance(error, IdempotencyConflict)
    assert desk.ask("asset.read")["total"] == 1


def test_a_bound_foreground_is_checked_against_its_source_and_drives_nothing_by_coordinates(desk: Desk) -> None:
    source = desk.ask("asset.register", data=base64.b64encode(png()).decode(), title="Cat", idempotency_key=desk.key())[
        "asset"
    ]["asset"]
    made = desk.ask(
        "asset.register",
        data=base64.b64encode(matte()).decode(),
        title="Cat cut out",
        foreground_of=source,
        idempotency_key=desk.key(),
    )
    assert made["redrawn"] == 0.0
    assert made["asset"]["foreground_of"] == source
    draft = desk.begin()
    objects = desk.edit(
        draft,
        op("unit.add", None, "p"),
        op("frame.add", "@p", "f", rect=[8, 8, 20, 15]),
        op("image.place", "@f", "i", asset=source),
        op("foreground.bind", "@i", "fg", asset=made["asset"]["asset"]),
    )["objects"]
    text = desk.ask("unit.read", source=draft, unit="1")["text"]
    assert f"{objects['fg']} foreground {made['asset']['asset']}" in text


@pytest.mark.parametrize(
    ("data", "foreground"),
    [
        (png()[:70], False),
        (b"not a picture at all", False),
        (b"", False),
        (matte(41, 30), True),
        (png(), True),
    ],
    ids=["truncated", "no picture", "empty", "foreground of another size", "foreground without alpha"],
)
def test_a_bad_picture_is_refused_and_leaves_nothing(
    data: bytes, foreground: bool, desk: Desk, inbox: Path, ws: Workspace
) -> None:
    args = {}
    if foreground:
        (inbox / "source.png").write_bytes(png())
        args["foreground_of"] = desk.ask(
            "asset.register", path="source.png", title="Source", idempotency_key=desk.key()
        )["asset"]["asset"]
    (inbox / "bad.png").write_bytes(data)
    before = desk.ask("asset.read")["total"]
    error = desk.refused("asset.register", path="bad.png", title="Bad", idempotency_key=desk.key(), **args)
    assert isinstance(error, BadPicture)
    assert error.recovery
    assert desk.ask("asset.read")["total"] == before
    assert ws.verify().clean


def test_a_decompression_bomb_is_refused_by_its_size_before_it_is_opened(desk: Desk, inbox: Path) -> None:
    whole = png(4, 4)
    head = bytearray(whole)
    head[16:24] = (50_000).to_bytes(4, "big") * 2
    (inbox / "bomb.png").write_bytes(bytes(head))
    error = desk.refused("asset.register", path="bomb.png", title="Bomb", idempotency_key=desk.key())
    assert isinstance(error, BadPicture)


@pytest.mark.parametrize("way", ["parent", "absolute", "link", "linked folder", "home"])
def test_a_path_out_of_the_allowed_folders_is_refused(way: str, desk: Desk, inbox: Path, tmp_path: Path) -> None:
    outside = tmp_path / "secret.png"
    outside.write_bytes(png())
    if way == "link":
        (inbox / "inside.png").symlink_to(outside)
    if way == "linked folder":
        (inbox / "folder").symlink_to(tmp_path)
    path = {
        "parent": "../../secret.png",
        "absolute": str(outside),
        "link": "inside.png",
        "linked folder": "folder/secret.png",
        "home": "~/secret.png",
    }[way]
    error = desk.refused("asset.register", path=path, title="Secret", idempotency_key=desk.key())
    assert isinstance(error, PathRefused)
    assert str(tmp_path) not in str(error.payload())


@pytest.mark.parametrize(
    "path", ["~nobody-of-that-name/a.png", "a\0b.png", "a" * 900, "a/" * 400, "\n", ".", "fifo", "~"]
)
def test_a_path_that_names_no_file_is_refused_whatever_it_is(path: str, desk: Desk, inbox: Path) -> None:
    os.mkfifo(inbox / "fifo")
    error = desk.refused("asset.register", path=path, title="Cat", idempotency_key=desk.key())
    assert isinstance(error, NotFound | PathRefused)


@pytest.mark.parametrize("way", ["file", "folder"])
def test_a_file_that_is_swapped_for_a_link_while_it_is_opened_is_refused(
    way: str, desk: Desk, inbox: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside, inside = tmp_path / "outside", inbox / "mine"
    for folder in (outside, inside):
        folder.mkdir()
        (folder / "cat.png").write_bytes(png())
    held = os.open

    def swapping(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if os.fspath(path) == str(inside / "cat.png"):
            if way == "file":
                (inside / "cat.png").unlink()
                (inside / "cat.png").symlink_to(outside / "cat.png")
            else:
                inside.rename(inbox / "away")
                inside.symlink_to(outside)
        return held(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", swapping)
    error = desk.refused("asset.register", path="mine/cat.png", title="Cat", idempotency_key=desk.key())
    assert isinstance(error, PathRefused)


def test_a_file_that_grows_past_the_limit_is_not_read_whole(desk: Desk, inbox: Path) -> None:
    with (inbox / "grown.png").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    error = desk.refused("asset.register", path="grown.png", title="Cat", idempotency_key=desk.key())
    assert error.expected == "at most 96 MiB"


@pytest.mark.parametrize("name", ["title", "licence", "source"])
def test_words_about_a_picture_are_printable(name: str, desk: Desk, inbox: Path) -> None:
    (inbox / "cat.png").write_bytes(png())
    words = {"title": "Cat", name: "\x1b]0;owned\x07"}
    error = desk.refused("asset.register", path="cat.png", **words, idempotency_key=desk.key())
    assert isinstance(error, BadInput)


def test_what_to_register_is_said_once_and_well_formed(desk: Desk, inbox: Path) -> None:
    (inbox / "cat.png").write_bytes(png())
    text = base64.b64encode(png()).decode()
    key = desk.key
    assert isinstance(desk.refused("asset.register", title="x", idempotency_key=key()), BadInput)
    both = desk.refused("asset.register", path="cat.png", data=text, title="x", idempotency_key=key())
    assert isinstance(both, BadInput)
    assert isinstance(desk.refused("asset.register", data="%%%", title="x", idempotency_key=key()), BadInput)
    assert isinstance(desk.refused("asset.register", path="dog.png", title="x", idempotency_key=key()), NotFound)
    assert isinstance(desk.refused("asset.register", path=".", title="x", idempotency_key=key()), NotFound)
    large = base64.b64encode(bytes(3 * 1024 * 1024 + 3)).decode()
    assert isinstance(desk.refused("asset.register", data=large, title="x", idempotency_key=key()), BadInput)
    odd = desk.refused("asset.register", path="cat.png", title="x", source_type="stolen", idempotency_key=key())
    assert isinstance(odd, BadInput)


def unusual() -> dict[str, tuple[bytes, str]]:
    """Pictures that need work before they can be drawn: their bytes, and the mode they are stored in."""
    made: dict[str, tuple[bytes, str]] = {}

    def keep(name: str, image: Image.Image, form: str, mode: str, **options: Any) -> None:
        out = io.BytesIO()
        image.save(out, form, **options)
        made[name] = (out.getvalue(), mode)

    keep("cmyk", Image.new("CMYK", (20, 30), (0, 80, 160, 20)), "JPEG", "CMYK")
    keep("16 bit", Image.fromarray(np.full((30, 20), 40_000, np.uint16)), "PNG", "I;16")
    palette = Image.new("P", (20, 30), 1)
    palette.putpalette([0, 0, 0, 255, 0, 0])
    keep("palette with alpha", palette, "PNG", "P", transparency=0)
    turned = Image.Exif()
    turned[0x0112] = 6
    keep("turned", Image.new("RGB", (30, 20), (9, 9, 9)), "JPEG", "RGB", exif=turned)
    return made


@pytest.mark.parametrize("name", list(unusual()))
def test_unusual_pictures_are_taken_upright_and_what_was_done_to_them_is_told(
    name: str, desk: Desk, inbox: Path, ws: Workspace
) -> None:
    data, mode = unusual()[name]
    (inbox / "odd").write_bytes(data)
    made = desk.ask("asset.register", path="odd", title="Odd", idempotency_key=desk.key())["asset"]
    assert (made["mode"], made["size"]) == (mode, [20, 30])
    assert made["notes"]
    shown = desk.reply("asset.read", asset=made["asset"])
    assert Image.open(io.BytesIO(shown.pictures[0].data)).size == (20, 30)
    assert ws.verify().clean


def test_the_photographs_of_the_kit_register_with_their_licences(desk: Desk, inbox: Path) -> None:
    photo = datasets.open_photo("coffee")
    data = photo if isinstance(photo, bytes) else Path(photo).read_bytes()
    (inbox / "coffee.png").write_bytes(data)
    made = desk.ask("asset.register", path="coffee.png", title="Coffee", idempotency_key=desk.key())["asset"]
    assert made["size"] == [600, 400]


def test_files_that_wait_are_listed_apart_from_what_is_registered(desk: Desk, inbox: Path, tmp_path: Path) -> None:
    (inbox / "sub" / "deep").mkdir(parents=True)
    for name, value in (("b.png", 1), ("a.PNG", 2), ("sub/deep/c.png", 3), (".hidden.png", 4), ("notes.txt", 5)):
        (inbox / name).write_bytes(png(value=value))
    (tmp_path / "secret.png").write_bytes(png())
    (inbox / "link.png").symlink_to(tmp_path / "secret.png")
    (inbox / "away").symlink_to(tmp_path)
    listed = desk.ask("asset.read")
    assert (listed["assets"], listed["total"]) == ([], 0)
    assert [item["path"] for item in listed["inbox"]] == ["inbox/a.PNG", "inbox/b.png", "inbox/sub/deep/c.png"]
    assert listed["inbox"][0]["bytes"] == len(png(value=2))
    for item in listed["inbox"]:
        desk.ask("asset.register", path=item["path"], title="Cat", idempotency_key=desk.key())
    assert (again := desk.ask("asset.read"))["inbox"] == []
    assert again["total"] == 3
    (inbox / "b.png").write_bytes(png(value=9))
    assert [item["path"] for item in desk.ask("asset.read")["inbox"]] == ["inbox/b.png"], "it holds other bytes now"
    assert desk.ask("asset.read", search="nothing of that name")["inbox"] == []
    assert "inbox" not in desk.ask("asset.read", start=2)


def test_a_full_inbox_is_listed_as_far_as_an_answer_has_room(desk: Desk, inbox: Path) -> None:
    for number in range(200):
        (inbox / f"a-picture-with-quite-a-long-name-{number:03d}.png").write_bytes(b"x" * number)
    listed = desk.ask("asset.read")
    assert listed["more_in_inbox"] is True
    assert 20 < len(listed["inbox"]) <= 60
    assert tokens_of(json.dumps(listed)) < BUDGET


@pytest.mark.parametrize("path", ["cat.png", "inbox/cat.png", "./inbox/cat.png"])
def test_the_folder_s_own_name_may_stand_before_a_file(path: str, desk: Desk, inbox: Path) -> None:
    (inbox / "cat.png").write_bytes(png())
    assert desk.ask("asset.register", path=path, title="Cat", idempotency_key=desk.key())["asset"]["size"] == [40, 30]


@pytest.mark.parametrize("path", ["inbox/../../secret.png", "inbox/link.png"])
def test_the_folder_s_own_name_opens_no_way_out(path: str, desk: Desk, inbox: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    (inbox / "link.png").symlink_to(tmp_path / "secret.png")
    error = desk.refused("asset.register", path=path, title="Cat", idempotency_key=desk.key())
    assert isinstance(error, NotFound | PathRefused)


def test_a_file_that_is_not_there_is_told_with_the_nearest(desk: Desk, inbox: Path) -> None:
    for name in ("chelsea.png", "coffee.jpg"):
        (inbox / name).write_bytes(png())
    for asked, nearest in (
        ("inbox/chelsae.png", ["inbox/chelsea.png"]),
        ("zzz", ["inbox/chelsea.png", "inbox/coffee.jpg"]),
    ):
        error = desk.refused("asset.register", path=asked, title="x", idempotency_key=desk.key())
        assert error.details["nearest"][: len(nearest)] == nearest


def test_the_same_picture_with_the_same_facts_is_registered_once(desk: Desk, inbox: Path, ws: Workspace) -> None:
    (inbox / "cat.png").write_bytes(png())

    def register(**facts: Any) -> dict[str, Any]:
        given = {"title": "Cat", "licence": "CC0-1.0", "source": "Mina", **facts}
        return desk.ask("asset.register", path="cat.png", **given, idempotency_key=desk.key())

    first, again = register(), register()
    assert "already_registered" not in first
    assert again == {**first, "already_registered": True}
    others = [register(**{name: "other"})["asset"]["asset"] for name in ("title", "licence", "source")]
    others.append(register(source_type="drawn")["asset"]["asset"])
    assert len({first["asset"]["asset"], *others}) == 5
    same = ws.assets.register(png(), title="Cat", licence="CC0-1.0", source="Mina")
    assert same.id == first["asset"]["asset"]
    assert repr(same) == f"<Picture {same.id} “Cat”: 40×30 px, CC0-1.0>"


def test_covers_and_pictures_of_a_style_are_registered_as_such(desk: Desk, ws: Workspace) -> None:
    data = base64.b64encode(png()).decode()

    def registered(**args: Any) -> dict[str, Any]:
        made = desk.ask("asset.register", data=data, title="Moon", idempotency_key=desk.key(), **args)
        return dict(made["asset"])

    plain, cover, style = registered(), registered(use="cover"), registered(use="style")
    assert [item.get("use") for item in (plain, cover, style)] == [None, "cover", "style"]
    assert len({item["asset"] for item in (plain, cover, style)}) == 3
    assert registered(use="cover")["asset"] == cover["asset"]
    listed = desk.ask("asset.read")["assets"]
    assert {item["asset"]: item.get("use") for item in listed} == {
        plain["asset"]: None,
        cover["asset"]: "cover",
        style["asset"]: "style",
    }
    assert [item.id for item in ws.assets.find(use="style")] == [style["asset"]]
    assert ws.assets.register(png(), title="Moon", use="cover", actor=desk.actor).id == cover["asset"]
    error = desk.refused(
        "asset.register", data=data, title="Moon", use="style", foreground_of=plain["asset"], idempotency_key=desk.key()
    )
    assert isinstance(error, BadPicture | BadInput)
    with pytest.raises(BadInput, match="no use of a picture"):
        ws.assets.find(use="portrait")
