"""What agents say of panels and pictures, with the library: told back, looked at, checked."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from lantern_kit import datasets
from lantern_kit.assets import AssetVersion
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import Desk, op

PAIR = ("astronaut", "chelsea")
FACE = [0.36, 0.2, 0.72, 0.62]
"""Where the cat's face is in its photograph."""


@pytest.fixture
def cast(ws: Workspace) -> tuple[str, str]:
    """Chelsea and where she is."""
    cat = ws.library.keep("character", name="Chelsea", looks=[{"name": "collar"}], palette=["#b98b5e", "#5a4a3a"])
    return cat.id, ws.library.keep("scene", name="Window sill", palette=["#102040", "#3060a0"]).id


def page(desk: Desk, asset: str, *more: dict[str, object]) -> tuple[str, dict[str, str], dict[str, object]]:
    draft = desk.begin()
    made = desk.edit(
        draft,
        op("unit.add", None, "page"),
        op("frame.add", "@page", "top", rect=[8, 8, 89, 60], description="Chelsea looks.", scene="window  sill",
           light={"angle": 300, "kind": "day"}, cast=[{"who": "chelsea", "look": "Collar"}]),
        op("image.place", "@top", "cat", asset=asset),
        op("image.mark", "@cat", marks=[{"kind": "face", "area": FACE, "who": "Chelsea"}]),
        *more,
    )  # fmt: skip
    return draft, made["objects"], made


def test_what_was_said_is_read_with_names_and_can_be_sent_back(
    desk: Desk, cat: AssetVersion, cast: tuple[str, str]
) -> None:
    draft, made, _ = page(desk, cat.id)
    text = desk.ask("unit.read", source=draft, unit="1")["text"].splitlines()
    assert text[1].endswith(
        'rect 8,8 89×60 scene Window sill light 300° "day" cast Chelsea (collar) shows "Chelsea looks."'
    )
    assert text[2].endswith(f'{cat.id} "Chelsea" cover marks face Chelsea')
    frame, image = desk.ask("unit.read", source=draft, unit="1", form="full")["objects"]
    assert (frame["scene"], frame["cast"]) == (cast[1], [{"who": cast[0], "look": "collar"}])
    assert image["marks"] == [{"kind": "face", "area": FACE, "who": cast[0]}]
    said = {key: frame[key] for key in ("description", "scene", "light", "cast")}
    error = desk.cannot(
        draft, op("frame.set", made["top"], **said), op("image.mark", made["cat"], marks=image["marks"])
    )
    assert isinstance(error, BadInput)
    assert "change nothing" in error.message


def test_a_panel_is_found_by_what_it_is_to_show(desk: Desk, cat: AssetVersion, cast: tuple[str, str]) -> None:
    draft, made, _ = page(desk, cat.id)
    found = desk.ask("work.find", source=draft, text="“chelsea looks”")
    assert [(row["handle"], row["text"]) for row in found["found"]] == [(made["top"], "Chelsea looks.")]
    assert desk.ask("work.find", source=draft, text="Chelsea jumps")["match"] == "none"
    assert cast


def test_who_is_not_in_the_library_is_refused_with_who_is_near(
    desk: Desk, cat: AssetVersion, cast: tuple[str, str]
) -> None:
    draft, made, _ = page(desk, cat.id)
    error = desk.cannot(draft, op("frame.set", made["top"], cast=[{"who": "Chelsee"}]))
    assert isinstance(error, NotFound)
    assert "args.cast.1.who" in error.message
    assert "Chelsea" in error.recovery
    wrong = desk.cannot(draft, op("frame.set", made["top"], scene="Chelsea"))
    assert isinstance(wrong, BadInput)
    assert wrong.expected == "a scene"
    look = desk.cannot(draft, op("frame.set", made["top"], cast=[{"who": "Chelsea", "look": "hat"}]))
    assert look.expected == ["collar"]
    assert cast


def test_an_edit_that_covers_a_face_is_told_and_shown(desk: Desk, cat: AssetVersion, cast: tuple[str, str]) -> None:
    draft, made, before = page(desk, cat.id)
    assert "face.covered" not in {item["rule"] for item in before["new_findings"]}
    made |= desk.edit(
        draft, op("balloon.add", made["page"], "over", text="Is that… mine?", at=[58, 30], size=[40, 24])
    )["objects"]
    found = desk.ask("work.check", source=draft, units=["1"])["findings"]
    (told,) = (item for item in found if item["rule"] == "face.covered")
    assert told["object"] == made["over"]
    assert told["with"].split("#")[0] == made["cat"].split("#")[0]
    assert told["data"]["who"] == cast[0]
    assert told["data"]["covered"] > 0.3
    look = desk.reply("unit.look", source=draft, around=told["object"], mark=[told["with"]], exact=True)
    (mark,) = look.data["marks"]
    assert (mark["kind"], mark["who"], mark["mark"]) == ("face", "Chelsea", 1)
    left, top, right, bottom = mark["at"]
    over = look.data["objects"][made["over"].split("#")[0]]
    assert left < over[2] and over[0] < right and top < over[3] and over[1] < bottom
    pixels = np.asarray(Image.open(io.BytesIO(look.pictures[0].data)).convert("RGB"))
    assert (pixels[top + 1 : bottom - 1, left - 2] == (0xC2, 0x18, 0x5B)).all(axis=1).mean() > 0.9
    plain = desk.ask("unit.look", source=draft, around=made["top"])
    assert [row["object"] for row in plain["marks"]] == [made["cat"].split("#")[0]]
    assert "marks" not in desk.ask("unit.look", source=draft, unit="1")


def test_notes_tell_what_does_not_keep_to_the_library(desk: Desk, cat: AssetVersion, cast: tuple[str, str]) -> None:
    draft, made, _ = page(
        desk,
        cat.id,
        op("balloon.add", "@page", "words", text="Hm.", speaker="Chelsea", at=[25, 58], size=[20, 12], tail=[50, 45]),
    )
    desk.edit(draft, op("frame.set", made["top"], cast=[]))
    notes = desk.ask("work.check", source=draft, units=["1"], notes=True)["findings"]
    rules = {item["rule"] for item in notes}
    assert "continuity.kept" in rules
    assert "continuity.character" not in rules
    (kept,) = (item for item in notes if item["rule"] == "continuity.kept")
    assert kept["data"]["name"] == "Window sill"
    assert cast


def test_a_proposal_tells_who_came_by_name(desk: Desk, ws: Workspace, cast: tuple[str, str]) -> None:
    with ws.comic("Chelsea Goes Up").chapter(1).edit("a panel") as edit:
        frame = edit.add_page().add_frame(rect=(8, 8, 89, 60), description="A sill.")
    draft = desk.begin()
    desk.edit(draft, op("frame.set", frame.id, cast=[{"who": "Chelsea"}], scene="Window sill"))
    made = desk.ask(
        "proposal.freeze", draft=draft, expected_revision=desk.revisions[draft], summary="staged",
        idempotency_key=desk.key(),
    )  # fmt: skip
    (words,) = made["words"]
    assert "set in Window sill, now with Chelsea" in str(words)
    assert cast


def test_a_page_of_faces_tells_each_fault_and_none_once_it_is_mended(desk: Desk, ws: Workspace) -> None:
    photo = {name: ws.assets.register(datasets.open_photo(name), title=name, licence="x") for name in PAIR}
    ws.library.keep("character", name="Chelsea", looks=[{"name": "collar"}, {"name": "bare"}])
    ws.library.keep("character", name="Eileen")
    ws.library.keep("scene", name="Hangar")
    draft = desk.begin()
    both = [{"who": "Eileen"}, {"who": "Chelsea", "look": "collar"}]
    day, lamp = {"angle": 315, "kind": "day"}, {"angle": 90, "kind": "lamp"}
    face = {"astronaut": [0.34, 0.12, 0.53, 0.40], "chelsea": FACE}

    def marked(image: str, name: str) -> dict[str, object]:
        return op("image.mark", image, marks=[{"kind": "face", "area": face[name], "who": names[name]}])

    names = {"astronaut": "Eileen", "chelsea": "Chelsea"}
    made = desk.edit(
        draft,
        op("unit.add", None, "page"),
        op("frame.add", "@page", "a", rect=[8, 8, 42, 60], scene="Hangar", light=day, cast=both),
        op("frame.add", "@page", "b", rect=[54, 8, 42, 60], scene="Hangar", light=lamp, cast=both[:1]),
        op("frame.add", "@page", "c", rect=[8, 72, 88, 68], scene="Hangar", light=lamp,
           cast=[both[0], {"who": "Chelsea", "look": "bare"}]),
        op("image.place", "@a", "ia", asset=photo["astronaut"].id),
        op("image.place", "@b", "ib", asset=photo["chelsea"].id, dx=16),
        op("image.place", "@c", "ic", asset=photo["astronaut"].id, box=[8, 72, 44, 68]),
        op("image.place", "@c", "id", asset=photo["chelsea"].id, box=[52, 72, 44, 68], fit="contain"),
        *(marked(f"@i{key}", name) for key, name in zip("abcd", [*PAIR, *PAIR], strict=True)),
        op("balloon.add", "@a", "over", text="Me?", speaker="Eileen", at=[27, 24], size=[24, 15]),
        op("balloon.add", "@b", "uncast", text="And me?", speaker="Chelsea", at=[70, 58], size=[22, 12], tail=[80, 42]),
        op("balloon.add", "@c", "misled", text="Who?", speaker="Eileen", at=[48, 130], size=[26, 12], tail=[72, 108]),
    )["objects"]  # fmt: skip

    def rules() -> set[tuple[str, str]]:
        found = desk.ask("work.check", source=draft, units=["1"], notes=True)["findings"]
        told = {handle: name for name, handle in made.items()}
        wanted = ("face.", "tail.face", "balloon.cast", "continuity.")
        return {(item["rule"], told[item["object"]]) for item in found if item["rule"].startswith(wanted)}

    assert rules() == {
        ("face.covered", "over"), ("face.cut", "ib"), ("balloon.cast", "uncast"), ("tail.face", "misled"),
        ("continuity.light", "b"), ("continuity.absent", "b"), ("continuity.look", "c"),
    }  # fmt: skip
    desk.edit(
        draft,
        op("object.move", made["over"], to=[9, 50]),
        op("image.adjust", made["ib"], dx=-4.0),
        op("frame.set", made["b"], light=day, cast=both),
        op("frame.set", made["c"], light=day, cast=both),
        op("balloon.tail", made["misled"], tip=[30, 104]),
    )
    made |= {
        key: handle
        for row in desk.ask("unit.read", source=draft, unit="1", form="full")["objects"]
        for key, old in list(made.items())
        if (handle := row["handle"]).split("#")[0] == old.split("#")[0]
    }
    assert rules() == set()
