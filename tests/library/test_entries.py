"""Entries kept, updated, restored, found and put away."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from lantern_kit.assets import AssetVersion
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput, Corrupt, NotAllowed, NotFound, StaleEntry, UnknownKey, WrongState
from lantern_kit.workspace import Workspace, open_workspace

BOT = Actor.agent("claude-code")


def test_a_kept_entry_is_read_again_by_another_process_as_it_was_kept(ws: Workspace, cat: AssetVersion) -> None:
    made = ws.library.keep(
        "character",
        "Mira",
        aliases=["the girl"],
        notes="Never *smiles*.",
        palette=["#D97706"],
        looks=[{"name": "raincoat", "notes": "yellow", "sheets": [cat.id]}],
        sheets=[cat.id, {"asset": cat.id, "role": "front", "note": "as in chapter 1"}],
        message="she stays",
        actor=BOT,
    )
    with open_workspace(ws.path) as other:
        found = other.library.get(made.id)
        assert (found.kind, found.number, found.content) == ("character", 1, made.content)
        assert found.content.palette == ("#d97706",)
        assert [sheet.role for sheet in found.content.sheets] == ["", "front"]
        assert (found.version.actor, found.version.actor_kind, found.version.message) == (
            "claude-code",
            "agent",
            "she stays",
        )
        assert other.verify().clean
        assert other.verify().checked["entries"] == 1


def test_an_update_names_the_version_it_saw_and_a_stale_one_is_told_what_changed(ws: Workspace) -> None:
    made = ws.library.keep("character", "Mira", notes="tall")
    ws.library.update(made.id, 1, notes="small", palette=["#112233"], message="by the model sheet", actor=BOT)
    with pytest.raises(StaleEntry) as caught:
        ws.library.update(made.id, 1, notes="tiny")
    assert caught.value.details == {
        "current_version": 2,
        "changed": ["notes", "palette"],
        "since": [{"version": 2, "actor": "claude-code", "message": "by the model sheet"}],
    }
    assert [item.content.notes for item in ws.library.versions(made.id)] == ["tall", "small"]
    with pytest.raises(BadInput, match="has no version 3"):
        ws.library.update(made.id, 3, notes="tiny")
    with pytest.raises(BadInput, match="changes nothing"):
        ws.library.update(made.id, 2, notes="small")


def test_an_earlier_version_comes_back_as_a_new_one(ws: Workspace) -> None:
    made = ws.library.keep("prop", "Lamp", notes="brass")
    ws.library.update(made.id, 1, notes="tin", name="Lantern")
    back = ws.library.restore(made.id, 1, 2)
    assert (back.number, back.name, back.content) == (3, "Lamp", made.content)
    assert [item.cause for item in ws.library.versions(made.id)] == ["kept", "updated", "restored"]
    with pytest.raises(WrongState, match="as it was in version 1"):
        ws.library.restore(made.id, 1, 3)
    with pytest.raises(NotFound, match="no version 9"):
        ws.library.restore(made.id, 9, 3)


def test_only_a_person_puts_an_entry_away_and_only_by_its_exact_name(ws: Workspace) -> None:
    made = ws.library.keep("scene", "Harbour")
    with pytest.raises(NotAllowed):
        ws.library.archive(made.id, confirm="Harbour", actor=BOT)
    with pytest.raises(BadInput, match="another one"):
        ws.library.archive(made.id, confirm="harbour")
    assert ws.library.get(made.id).number == 1
    gone = ws.library.archive(made.id, confirm="Harbour", message="cut from the story")
    assert gone.archived
    assert list(ws.library.find()) == []
    assert [item.id for item in ws.library.find(archived=True)] == [made.id]
    with pytest.raises(NotFound):
        ws.library.resolve("Harbour")
    assert ws.library.resolve(made.id).archived
    with pytest.raises(WrongState, match="put away by mina"):
        ws.library.update(made.id, 2, notes="fog", actor=BOT)
    with pytest.raises(WrongState):
        ws.library.archive(made.id, confirm="Harbour")
    with pytest.raises(NotAllowed):
        ws.library.restore(made.id, 1, 2, actor=BOT)
    assert not ws.library.restore(made.id, 1, 2).archived
    assert ws.library.resolve("harbour").id == made.id
    assert ws.verify().clean


def test_a_name_means_one_entry_or_is_refused_with_what_tells_them_apart(ws: Workspace) -> None:
    ws.comic("Chelsea Goes Up").begin_chapter(1)
    mira = ws.library.keep("character", "Mira", aliases=["小光"], notes="the girl\nmore")
    boat = ws.library.keep("prop", "MIRA", notes="a boat", comic="Chelsea Goes Up")
    assert ws.library.resolve("小光").id == mira.id
    assert ws.library.resolve(" mira ", kind="prop").id == boat.id
    assert ws.library.resolve("ＭＩＲＡ", comic="Another comic").id == mira.id
    with pytest.raises(BadInput, match="several entries") as caught:
        ws.library.resolve("mira")
    assert caught.value.details["candidates"] == [
        {"entry": mira.id, "kind": "character", "name": "Mira", "also": "小光", "notes": "the girl"},
        {"entry": boat.id, "kind": "prop", "name": "MIRA", "comic": "Chelsea Goes Up", "notes": "a boat"},
    ]
    with pytest.raises(NotFound, match="nearest: Mira"):
        ws.library.resolve("Mirra", comic="Another comic")
    with pytest.raises(WrongState, match=mira.id):
        ws.library.keep("character", "mira")
    ws.library.keep("character", "mira", comic="Chelsea Goes Up")


def test_search_finds_entries_by_all_words_and_names_come_before_notes(ws: Workspace) -> None:
    ws.library.keep("scene", "Harbour", notes="where Mira waits for the boat")
    ws.library.keep("character", "Mira", looks=[{"name": "yellow raincoat"}])
    ws.library.keep("character", "Miranda", notes="her aunt")
    assert [item.name for item in ws.library.find("MIRA")] == ["Mira", "Miranda", "Harbour"]
    assert [item.name for item in ws.library.find("boat mira")] == ["Harbour"]
    assert [item.name for item in ws.library.find("raincoat", kind="character")] == ["Mira"]
    assert [item.name for item in ws.library.find()] == ["Miranda", "Mira", "Harbour"]
    assert list(ws.library.find("nobody")) == []


@pytest.mark.parametrize(
    ("facts", "error", "said"),
    [
        ({"colour": "red"}, UnknownKey, "colour"),
        ({"palette": ["red"]}, BadInput, "palette.1"),
        ({"name": " Mira"}, BadInput, "one line"),
        ({"name": ""}, BadInput, "name"),
        ({"notes": "bell \x07"}, BadInput, "cannot be shown"),
        ({"aliases": ["mira"]}, BadInput, "differ"),
        ({"looks": [{"name": "a"}, {"name": "A"}]}, BadInput, "differ"),
        ({"sheets": ["as_nothere0"]}, NotFound, "as_nothere0"),
        ({"looks": [{"name": "a", "sheets": ["as_nothere0"]}]}, NotFound, "as_nothere0"),
        ({"sheets": ["a picture"]}, BadInput, "sheets.1"),
        ({"layout": {}}, BadInput, "a character has none"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name_and_nothing_is_written(
    ws: Workspace, facts: dict[str, object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        ws.library.keep("character", **{"name": "Mira", **facts})  # type: ignore[arg-type]
    assert list(ws.library.find()) == []
    assert ws.verify().checked["entries"] == 0


def test_a_layout_must_be_a_page_template_under_a_name_of_its_own(ws: Workspace) -> None:
    slots = [{"points": [[0, 0], [1_000_000, 0], [1_000_000, 1_000_000], [0, 1_000_000]]}]
    template = {"name": "one", "title": "One", "slots": slots}
    made = ws.library.keep("layout", "My splash", layout=template)
    assert made.content.layout["gutter"] == [3_500, 5_000]
    for layout, said in (
        (None, "needs its template"),
        ({**template, "slots": []}, "layout.slots"),
        ({**template, "gutter": [3.5, 5]}, "whole numbers"),
    ):
        with pytest.raises(BadInput, match=said):
            ws.library.keep("layout", "Other", layout=layout)
    for taken in ("four-koma", "Four-KOMA", "reflow"):
        with pytest.raises(BadInput, match="comes with the kit"):
            ws.library.keep("layout", taken, layout=template)
    with pytest.raises(BadInput, match="no kind of entry"):
        ws.library.keep("villain", "Other")


CHANGED = (
    "UPDATE library_versions SET content = replace(content, 'small', 'large') WHERE number = 1",
    "UPDATE library_versions SET actor = 'mina' WHERE number = 2",
    "UPDATE library_versions SET at = at + 1 WHERE number = 1",
    "UPDATE library_versions SET message = 'x' WHERE number = 2",
    "UPDATE library_versions SET cause = 'restored' WHERE number = 2",
    "UPDATE library_versions SET chain = zeroblob(32) WHERE number = 2",
    "UPDATE library_versions SET content = '{' WHERE number = 2",
    "UPDATE library_versions SET content = content || ' ' WHERE number = 2",
    "DELETE FROM library_versions WHERE number = 1",
    "DELETE FROM library_versions WHERE number = 2",
    "UPDATE library SET head = 1",
    "UPDATE library SET kind = 'prop'",
    "UPDATE library SET kind = x'00'",
    "DELETE FROM library",
    "DELETE FROM assets",
)


@pytest.mark.parametrize("statement", CHANGED)
def test_what_was_changed_behind_the_library_is_found(ws: Workspace, cat: AssetVersion, statement: str) -> None:
    made = ws.library.keep("character", "Mira", notes="small", sheets=[cat.id])
    ws.library.update(made.id, 1, notes="taller", actor=BOT)
    assert ws.verify().clean
    with closing(sqlite3.connect(ws.journal.path, isolation_level=None)) as raw:
        raw.execute(statement)
    found = ws.verify()
    assert {item.id for item in found.problems if item.kind == "entry"} == {made.id}
    assert all(item.remedy for item in found.problems)


def test_a_version_that_cannot_be_read_is_said_to_be_damaged(ws: Workspace) -> None:
    made = ws.library.keep("character", "Mira")
    with closing(sqlite3.connect(ws.journal.path, isolation_level=None)) as raw:
        raw.execute("UPDATE library_versions SET content = '{}'")
    with open_workspace(ws.path) as other, pytest.raises(Corrupt, match="version 1"):
        other.library.get(made.id)


def test_an_entry_belongs_to_a_comic_that_is_there(ws: Workspace) -> None:
    with pytest.raises(NotFound, match="no comic Cat Upstair") as caught:
        ws.library.keep("prop", "Cup", comic="Cat Upstair")
    assert caught.value.expected == "no comic yet"
    ws.comic("Cat Upstairs").begin_chapter(1)
    with pytest.raises(NotFound, match="nearest: Cat Upstairs"):
        ws.library.keep("prop", "Cup", comic="Cat Upstair")
    cup = ws.library.keep("prop", "Cup", comic="Cat Upstairs")
    with pytest.raises(NotFound, match="no comic Dog"):
        cup.update(comic="Dog")
    assert cup.update(comic="").update(notes="Blue.").update(comic="Cat Upstairs").number == 4
    assert [item.name for item in ws.library] == ["Cup"]


def test_a_renamed_comic_s_entries_can_still_be_said_anew(ws: Workspace) -> None:
    chapter = ws.comic("Cat Upstairs").begin_chapter(1)
    cup = ws.library.keep("prop", "Cup", comic="Cat Upstairs")
    with chapter.edit("another title") as edit:
        edit.run("chapter.set", chapter.id, comic="Dog Downstairs")
    assert cup.update(notes="Blue.").update(comic="Dog Downstairs").number == 3


def test_an_entry_of_another_comic_is_told_from_one_that_is_none(ws: Workspace) -> None:
    for title in ("Cat Upstairs", "Dog Downstairs"):
        ws.comic(title).begin_chapter(1)
    cup = ws.library.keep("prop", "Cup", comic="Cat Upstairs")
    with pytest.raises(NotFound, match="cup belongs to another comic, Cat Upstairs") as caught:
        ws.library.resolve("cup", comic="Dog Downstairs")
    assert caught.value.ids == (cup.id,)
    with (
        pytest.raises(NotFound, match="belongs to another comic, Cat Upstairs"),
        ws.comic("Dog Downstairs").chapter(1).edit("cast") as edit,
    ):
        edit.add_page().add_frame(rect=(8, 8, 80, 60)).stage(cast=["Cup"])


def test_only_a_registered_picture_is_promoted(ws: Workspace) -> None:
    with pytest.raises(BadInput, match="no registered picture"):
        ws.library.promote(b"GIF89a", "prop", "Cup")  # type: ignore[arg-type]
    assert len(ws.library) == 0
