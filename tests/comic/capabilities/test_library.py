"""The library as agents meet it: listed, read, kept, updated, and seen on one picture."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from PIL import Image

from lantern_kit.assets import AssetVersion
from lantern_kit.kernel.capability import Effect
from lantern_kit.kernel.errors import BadInput, NotFound, StaleEntry, UnknownKey, WrongState
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk, op


def write(desk: Desk, kind: str | None = "character", name: str = "Mira", **more: Any) -> dict[str, Any]:
    given = {"kind": kind, "name": name, **more}
    facts = {field: value for field, value in given.items() if value is not None}
    return desk.ask("library.write", idempotency_key=desk.key(), **facts)


def test_an_agent_keeps_an_entry_and_reads_all_of_it(desk: Desk, ws: Workspace, cat: AssetVersion) -> None:
    made = write(
        desk,
        aliases=["小光"],
        notes="Never smiles.",
        palette=["#d97706"],
        looks=[{"name": "raincoat", "sheets": [cat.id]}],
        sheets=[{"asset": cat.id, "role": "front"}],
        message="she stays",
    )
    assert (made["kind"], made["version"]) == ("character", 1)
    for name in (made["entry"], "mira", "小光"):
        found = desk.ask("library.read", entry=name)
        assert found["content"] == {
            "name": "Mira",
            "aliases": ["小光"],
            "notes": "Never smiles.",
            "palette": ["#d97706"],
            "looks": [{"name": "raincoat", "sheets": [cat.id]}],
            "sheets": [{"asset": cat.id, "role": "front"}],
        }
    assert [(item["version"], item["by"], item["message"]) for item in found["versions"]] == [
        (1, "claude-code", "she stays")
    ]
    assert ws.library["Mira"].version.actor_kind == "agent"
    assert desk.dispatcher.capabilities.get("library.write").effect is Effect.RESOURCE_MUTATION


def test_the_same_key_keeps_once_and_a_new_version_changes_only_what_is_given(desk: Desk) -> None:
    first = desk.ask("library.write", kind="prop", name="Lamp", notes="brass", idempotency_key="k")
    assert desk.ask("library.write", kind="prop", name="Lamp", notes="brass", idempotency_key="k") == first
    second = write(desk, None, "Lantern", entry=first["entry"], seen=1)
    assert (second["entry"], second["version"]) == (first["entry"], 2)
    assert desk.ask("library.read", entry="Lantern")["content"] == {"name": "Lantern", "notes": "brass"}
    assert desk.ask("library.list")["total"] == 1


@pytest.mark.parametrize(
    ("args", "error", "said"),
    [
        ({"name": "Mira"}, BadInput, "kind is missing"),
        ({"kind": "character"}, BadInput, "name is missing"),
        ({"kind": "character", "name": "Mira", "seen": 1}, BadInput, "without entry"),
        ({"entry": "li_nothere0", "name": "Mira"}, BadInput, "names the version"),
        ({"entry": "li_nothere0", "seen": 1, "name": "Mira"}, NotFound, "li_nothere0"),
        ({"entry": "li_nothere0", "seen": 1, "kind": "prop"}, BadInput, "keeps its kind"),
        ({"kind": "layout", "name": "Mine"}, BadInput, "needs its template"),
        ({"kind": "layout", "name": "Mine", "unit": "1"}, BadInput, "source and unit"),
        ({"kind": "prop", "name": "M", "looks": [{"named": "x"}]}, UnknownKey, "named"),
        ({"kind": "prop", "name": "M", "sheets": [{"asset": "as_nothere0"}]}, NotFound, "as_nothere0"),
        ({"kind": "prop", "name": "M", "palette": ["red"]}, BadInput, "palette"),
        ({"kind": "prop", "name": "M", "notes": "\udc80"}, BadInput, "notes"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_writes_nothing(
    desk: Desk, args: dict[str, Any], error: type[Exception], said: str
) -> None:
    found = desk.refused("library.write", idempotency_key=desk.key(), **args)
    assert isinstance(found, error) and said in str(found)
    assert desk.ask("library.list")["total"] == 0


def test_a_stale_version_is_refused_with_what_changed(desk: Desk, ws: Workspace) -> None:
    made = write(desk, notes="tall")
    ws.library.update(made["entry"], 1, notes="small", message="by the sheet")
    error = desk.refused("library.write", entry=made["entry"], seen=1, notes="tiny", idempotency_key=desk.key())
    assert isinstance(error, StaleEntry)
    assert error.payload()["changed"] == ["notes"]
    assert error.payload()["since"] == [{"version": 2, "actor": "mina", "message": "by the sheet"}]
    taken = desk.refused("library.write", kind="character", name="MIRA", idempotency_key=desk.key())
    assert isinstance(taken, WrongState) and taken.ids == (made["entry"],)


def test_a_list_tells_kinds_words_and_what_a_draft_uses(desk: Desk, ws: Workspace, cat: AssetVersion) -> None:
    mira = write(desk, name="Chelsea", sheets=[{"asset": cat.id, "role": "front"}])
    roof = write(desk, "scene", "Roof", notes="red tiles")
    write(desk, "style", "Ink")
    assert [item["name"] for item in desk.ask("library.list")["entries"]] == ["Ink", "Roof", "Chelsea"]
    assert [item["name"] for item in desk.ask("library.list", kind="scene")["entries"]] == ["Roof"]
    assert [item["name"] for item in desk.ask("library.list", search="TILES")["entries"]] == ["Roof"]
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)["objects"]
    desk.edit(
        draft,
        op("frame.set", made["row.1"], scene="Roof", cast=[{"who": "Chelsea"}]),
        op("image.place", made["row.2"], asset=cat.id),
    )
    assert desk.ask("library.list", chapter=desk.chapter)["total"] == 0
    used = desk.ask("library.list", chapter=draft)["entries"]
    assert {item["entry"]: item["uses"] for item in used} == {
        mira["entry"]: {"cast": 1, "sheet": 1, "speaker": 1},
        roof["entry"]: {"scene": 1},
    }
    ws.library["Roof"].archive(confirm="Roof")
    gone = next(item for item in desk.ask("library.list", chapter=draft)["entries"] if item["entry"] == roof["entry"])
    assert gone["archived"] is True
    assert [item["name"] for item in desk.ask("library.list")["entries"]] == ["Ink", "Chelsea"]


def test_find_gives_the_panels_that_an_entry_is_cast_in(desk: Desk) -> None:
    mira, roof = write(desk, name="Mira"), write(desk, "scene", "Roof")
    draft = desk.begin()
    made = desk.edit(draft, *PAGE)["objects"]
    first, second = (made[name].partition("#")[0] for name in ("row.1", "row.2"))
    desk.edit(
        draft,
        op("frame.set", made["row.1"], scene="Roof", cast=[{"who": "Mira"}]),
        op("frame.set", made["row.2"], scene="Roof"),
    )

    def found(text: str, **more: Any) -> list[str]:
        rows = desk.ask("work.find", source=draft, text=text, **more)["found"]
        return [row["handle"].partition("#")[0] for row in rows]

    assert found("mira") == found(mira["entry"]) == [first]
    assert found("Roof") == found(roof["entry"], kinds=["frame"]) == [first, second]
    assert found(roof["entry"], kinds=["balloon"]) == []
    assert isinstance(desk.refused("work.find", source=draft, text="li_nothere0"), NotFound)


def test_find_gives_what_an_entrys_namesake_of_the_comic_says_to_that_one(desk: Desk) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    everywhere = write(desk, name="Chelsea")["entry"]
    assert len(desk.ask("work.find", source=draft, text=everywhere)["found"]) == 1
    here = write(desk, name="Chelsea", comic="Chelsea Goes Up")["entry"]
    assert len(desk.ask("work.find", source=draft, text=here)["found"]) == 1
    assert desk.ask("work.find", source=draft, text=everywhere)["match"] == "none"


def test_where_an_entry_is_used_is_told_of_the_works_themselves(desk: Desk, ws: Workspace) -> None:
    write(desk, name="Chelsea")
    with ws.comic("Chelsea Goes Up").chapter(1).edit("page") as edit:
        page = edit.add_page(name="One")
        said = page.add_frame(rect=(8, 8, 80, 60)).say("Up.", speaker="chelsea", at=(40, 30))
    assert desk.ask("library.read", entry="Chelsea")["uses"] == [
        {"chapter": desk.chapter, "page": "Page 1 “One”", "object": said.id, "how": "speaker", "detail": "chelsea"}
    ]


def test_a_layout_is_kept_from_a_draft_and_proposed_by_name(desk: Desk) -> None:
    draft = desk.begin()
    desk.edit(draft, *PAGE, op("unit.add", None, "second"))
    made = write(desk, "layout", "Two on top", source=draft, unit="1", notes="slanted")
    assert made["layout"].startswith("12")
    assert desk.ask("library.list", kind="layout")["entries"][0]["layout"] == made["layout"]
    proposed = desk.ask(
        "layout.propose",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        units=[desk.ask("work.outline", source=draft)["units"][1]["unit"]],
        layout="Two on top",
        weights=[2.0, 1.0],
    )
    assert len(proposed["objects"]) >= 2 and proposed["new_findings"] == []
    again = write(desk, None, "Two on top", entry=made["entry"], seen=1, notes="")
    assert again["version"] == 2


def shown(desk: Desk, name: str, size: int = 400) -> tuple[dict[str, Any], Image.Image | None]:
    reply = desk.reply("asset.read", asset=name, size=size)
    picture = Image.open(io.BytesIO(reply.pictures[0].data)) if reply.pictures else None
    return reply.data, picture


def test_reference_sheets_come_on_one_picture_with_the_palette(desk: Desk, cat: AssetVersion) -> None:
    made = write(desk, palette=["#ff0000", "#00ff00"], sheets=[{"asset": cat.id, "role": "front"}])
    facts, picture = shown(desk, made["entry"])
    assert picture is not None
    assert facts["entry"]["name"] == "Mira" and facts["picture"]["size"] == list(picture.size)
    pixels = picture.convert("RGB")
    low = pixels.height - 60
    row = {pixels.getpixel((x, y)) for x in range(0, pixels.width, 4) for y in range(low, pixels.height, 4)}
    for wanted in ((255, 0, 0), (0, 255, 0)):
        assert any(sum(abs(a - b) for a, b in zip(found, wanted, strict=True)) < 30 for found in row)  # type: ignore[arg-type]
    layout_desk = desk.begin()
    desk.edit(layout_desk, *PAGE)
    kept = write(desk, "layout", "Two", source=layout_desk, unit="1")
    _, drawn = shown(desk, kept["entry"])
    assert drawn is not None and drawn.height == 400
    bare = write(desk, "scene", "Nowhere")
    facts, nothing = shown(desk, bare["entry"])
    assert nothing is None and facts["entry"]["name"] == "Nowhere"
    assert isinstance(desk.refused("asset.read", asset="li_nothere0"), NotFound)


def test_activity_tells_of_entries_by_id_and_never_what_they_say(desk: Desk, ws: Workspace, cat: AssetVersion) -> None:
    made = write(desk, name="Secretname", notes="secretnotes", sheets=[{"asset": cat.id}], message="secretwhy")
    desk.ask("library.read", entry="Secretname")
    desk.ask("library.list", search="secretname")
    desk.refused("library.write", entry=made["entry"], seen=9, notes="secretnotes", idempotency_key=desk.key())
    desk.dispatcher.flush()
    with ws.journal.read() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM activity ORDER BY id").fetchall()
        told = connection.exec_driver_sql("SELECT target, assets, summary, effect FROM activity LIMIT 1").one()
    assert "secret" not in json.dumps(rows, default=str).lower()
    assert tuple(told) == (made["entry"], cat.id, "kept a character", "resource_mutation")


def test_an_entry_of_a_comic_that_is_none_is_refused_with_the_nearest(desk: Desk) -> None:
    refused = desk.refused(
        "library.write", idempotency_key=desk.key(), kind="prop", name="Cup", comic="Chelsea Goes Upp"
    )
    assert isinstance(refused, NotFound)
    assert "nearest: Chelsea Goes Up" in str(refused.recovery)
    assert desk.ask("library.list")["total"] == 0
