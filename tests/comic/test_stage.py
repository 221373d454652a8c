"""What frames show and what is marked in pictures: said, cleared, kept and dropped."""

from __future__ import annotations

import random
import types
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities.compact import lines
from lantern_kit.comic.capabilities.facts import chapter_facts, thing_facts
from lantern_kit.comic.contract import Contract, breaches
from lantern_kit.comic.diff import diff
from lantern_kit.comic.edit import apply_changeset
from lantern_kit.comic.edit.shelf import EntryFacts
from lantern_kit.comic.edit.tree import swap
from lantern_kit.comic.model import Frame, Image, Light, Mark, MarkKind, Overlay, Presence
from lantern_kit.comic.validate import validate_unit
from lantern_kit.kernel.errors import BadInput, LanternError, NotFound, WrongTarget
from tests.comic.operations import CAT, CAT_TOY, ENTRIES, INK, MIRA, MOON, ROOM, Desk, world
from tests.comic.strategies import Ids, books

RECT = [10, 10, 80, 60]


def staged(**more: Any) -> tuple[Desk, str, str]:
    desk = Desk()
    unit = desk.one("unit.add")
    return desk, unit, desk.one("frame.add", unit, rect=RECT, **more)


def pictured() -> tuple[Desk, str, str]:
    desk, _, frame = staged()
    return desk, frame, desk.one("image.place", frame, asset=CAT)


def refused(desk: Desk, op: str, target: str, kind: type[LanternError] = BadInput, /, **args: Any) -> LanternError:
    before = desk.book
    with pytest.raises(kind) as caught:
        desk.one(op, target, **args)
    assert desk.book is before
    return caught.value


def test_a_frame_is_told_what_it_shows_with_entries_by_name_or_id() -> None:
    said = {
        "description": "Mira looks up.",
        "scene": "Attic",
        "light": {"angle": -45, "kind": " lamp "},
        "cast": [{"who": "Mira", "look": "pyjamas"}, {"who": CAT_TOY, "look": "chewed"}],
    }
    desk, unit, frame = staged(**said)
    first = desk.get(frame)
    assert isinstance(first, Frame)
    assert (first.description, first.scene) == ("Mira looks up.", ROOM)
    assert first.light == Light(angle=315_000, kind="lamp")
    assert first.cast == (Presence(who=MIRA, look="Pyjamas"), Presence(who=CAT_TOY, look="chewed"))
    second = desk.get(desk.one("frame.add", unit, rect=RECT))
    desk.one("frame.set", second.id, **said)
    now = desk.get(second.id)
    assert (now.description, now.scene, now.light, now.cast) == (
        first.description, first.scene, first.light, first.cast,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("cleared", "name", "empty"),
    [
        ({"description": ""}, "description", ""),
        ({"scene": None}, "scene", None),
        ({"scene": ""}, "scene", None),
        ({"light": None}, "light", None),
        ({"cast": []}, "cast", ()),
    ],
)
def test_each_is_cleared_alone_and_stays_when_left_out(cleared: dict[str, Any], name: str, empty: Any) -> None:
    desk, _, frame = staged(description="Night.", scene=ROOM, light={"kind": "night"}, cast=[{"who": MIRA}])
    before = desk.get(frame)
    desk.one("frame.set", frame, name="kept", description=None, cast=None)
    assert desk.get(frame) == before.model_copy(update={"name": "kept"})
    desk.one("frame.set", frame, **cleared)
    assert desk.get(frame) == before.model_copy(update={"name": "kept", name: empty})


def test_a_light_is_replaced_whole() -> None:
    desk, _, frame = staged(light={"angle": 90, "kind": "lamp"})
    desk.one("frame.set", frame, light={"angle": 360})
    assert desk.get(frame).light == Light(angle=0)


@pytest.mark.parametrize(
    ("args", "kind", "says"),
    [
        ({"scene": "Cellar"}, NotFound, "args.scene"),
        ({"scene": "Mira"}, BadInput, "Mira is a character of the library"),
        ({"cast": [{"who": "Mira"}, {"who": "Nobody"}]}, NotFound, "args.cast.2.who"),
        ({"cast": [{"who": ROOM}]}, BadInput, "Attic is a scene of the library"),
        ({"cast": [{"who": "Mira"}, {"who": MIRA, "look": "coat"}]}, BadInput, "Mira is named twice"),
        ({"cast": [{"who": "Mira", "look": "armour"}]}, BadInput, "args.cast.1.look: Mira has no such look"),
        ({"light": {}}, BadInput, "give angle, kind or both"),
        ({"light": {"kind": "  "}}, BadInput, "give angle, kind or both"),
        ({"light": {"angle": 361}}, BadInput, "args.light.angle"),
        ({"description": "x" * 4_001}, BadInput, "args.description"),
    ],
)
def test_what_cannot_be_shown_is_refused(args: dict[str, Any], kind: type[LanternError], says: str) -> None:
    desk, _, frame = staged()
    assert says in str(refused(desk, "frame.set", frame, kind, **args))


@pytest.mark.parametrize("wrong", [{"who": 7}, {"who": "Nobody"}, {"who": "Mira", "hat": "red"}])
def test_the_second_item_of_a_list_is_item_two_whoever_refuses_it(wrong: dict[str, Any]) -> None:
    desk, _, frame = staged()
    error = refused(desk, "frame.set", frame, LanternError, cast=[{"who": MIRA}, wrong])
    assert "args.cast.2." in error.message


def test_a_look_that_is_not_there_is_answered_with_those_that_are() -> None:
    desk, _, frame = staged()
    error = refused(desk, "frame.set", frame, cast=[{"who": "Mira", "look": "armour"}])
    assert error.expected == ["coat", "Pyjamas"]
    assert error.ids == (MIRA,) or error.ids == [MIRA]


def test_a_cut_leaves_description_and_cast_with_the_first_part_and_says_so() -> None:
    desk, unit, frame = staged(description="Night.", scene=ROOM, light={"kind": "night"}, cast=[{"who": MIRA}])
    before = desk.get(frame)
    desk.do({"op": "frame.cut", "target": frame, "as": "part", "args": {"line": [[50, 0], [50, 100]]}})
    one, two = (item for item in desk.get(unit).objects if isinstance(item, Frame))
    assert (one.id, one.description, one.cast) == (frame, "Night.", before.cast)
    assert (two.description, two.cast) == ("", ())
    assert (one.scene, one.light) == (two.scene, two.light) == (ROOM, before.light)
    assert desk.notes == (f"the description and the cast stay with {frame}; say what {two.id} shows",)


def test_a_cut_of_a_frame_that_says_nothing_has_nothing_to_note() -> None:
    desk, _, frame = staged(scene=ROOM)
    desk.do({"op": "frame.cut", "target": frame, "args": {"line": [[50, 0], [50, 100]]}})
    assert desk.notes == ()


def test_copies_and_moves_keep_what_is_shown_and_marked() -> None:
    desk, unit, frame = staged(description="Night.", cast=[{"who": MIRA}])
    image = desk.one("image.place", frame, asset=CAT)
    desk.one("image.mark", image, marks=[{"kind": "face", "area": [0.1, 0.2, 0.3, 0.4], "who": "Mira"}])
    marks = desk.get(image).marks
    copy = desk.one("unit.duplicate", unit)
    again = desk.one("object.duplicate", frame)
    desk.one("object.move", frame, by=[3, 0])
    for home in (desk.get(copy), desk.get(unit)):
        for item in home.objects:
            if isinstance(item, Frame):
                assert (item.description, item.cast) == ("Night.", (Presence(who=MIRA),))
            else:
                assert item.marks == marks
    assert again


def test_marks_replace_each_other_and_are_cleared() -> None:
    desk, _, image = pictured()
    desk.one("image.mark", image, marks=[{"kind": "face", "area": [0.1, 0.2, 0.3, 0.4], "who": "Mira"}])
    face = Mark(kind=MarkKind.FACE, area=(100_000, 200_000, 300_000, 400_000), who=MIRA)
    held = desk.get(image)
    assert isinstance(held, Image)
    assert held.marks == (face,)
    desk.one("image.mark", image, marks=[{"kind": "focus", "area": [0, 0, 1, 1]}])
    assert desk.get(image).marks == (Mark(kind=MarkKind.FOCUS, area=(0, 0, 1_000_000, 1_000_000)),)
    desk.one("image.mark", image, marks=[])
    assert desk.get(image).marks == ()


@pytest.mark.parametrize(
    "mark",
    [
        {"kind": "nose", "area": [0, 0, 1, 1]},
        {"kind": "face", "area": [0.5, 0, 0.5, 1]},
        {"kind": "face", "area": [0, 0.6, 1, 0.4]},
        {"kind": "face", "area": [0, 0, 1, 1.1]},
        {"kind": "face", "area": [0, 0, 1]},
        {"kind": "face", "area": [0.1, 0, 0.1000001, 1]},
        {"kind": "face", "area": [0, 0, 1, 1], "who": "Attic"},
    ],
)
def test_a_mark_that_marks_nothing_is_refused(mark: dict[str, Any]) -> None:
    desk, frame, image = pictured()
    refused(desk, "image.mark", image, marks=[mark])
    refused(desk, "image.mark", frame, WrongTarget, marks=[])


def test_another_picture_loses_the_marks_of_the_old_one_and_says_so() -> None:
    desk, _, image = pictured()
    unit = desk.home(image).id
    overlay = desk.one("overlay.add", unit, asset=CAT, box=RECT)
    for name in (image, overlay):
        desk.one("image.mark", name, marks=[{"kind": "focus", "area": [0, 0, 1, 1]}])
    for op, name in (("image.replace", image), ("overlay.set", overlay)):
        desk.one(op, name, asset=CAT)
        assert len(desk.get(name).marks) == 1
        assert desk.notes == ()
        desk.one(op, name, asset=MOON)
        assert desk.get(name).marks == ()
        assert desk.notes[0].startswith(f"dropped the 1 mark of {name}")
    assert isinstance(desk.get(overlay), Overlay)
    desk.one("overlay.set", overlay, opacity=0.5)
    assert desk.notes == ()


def test_a_chapter_keeps_to_styles_each_once() -> None:
    desk = Desk()
    desk.one("chapter.set", styles=["Ink", INK])
    assert desk.book.chapter.styles == (INK,)
    desk.one("chapter.set", title="Up")
    assert desk.book.chapter.styles == (INK,)
    assert "Attic is a scene" in str(refused(desk, "chapter.set", desk.book.chapter.id, styles=["Attic"]))
    desk.one("chapter.set", styles=[])
    assert desk.book.chapter.styles == ()


def test_the_compact_form_says_briefly_what_is_shown_and_marked() -> None:
    desk, unit, frame = staged(
        description="Mira looks up at the hatch. " * 4,
        scene=ROOM,
        light={"angle": 45, "kind": "lamp"},
        cast=[{"who": MIRA, "look": "coat"}, {"who": CAT_TOY}],
    )
    image = desk.one("image.place", frame, asset=CAT)
    desk.one("image.mark", image, marks=[{"kind": "face", "area": [0, 0, 0.5, 0.5], "who": MIRA}])
    first, second = lines(desk.get(unit), {MIRA: "Mira", ROOM: "Attic", CAT: "Chelsea", CAT_TOY: ""}.__getitem__)
    told = first.partition("80×60 ")[2]
    assert told.startswith(f'scene Attic light 45° "lamp" cast Mira (coat), {CAT_TOY} shows "Mira looks up at the ')
    assert told.endswith('…"')
    assert len(told) < 160
    assert second.endswith(f'{CAT} "Chelsea" cover marks face Mira')


@given(books())
@settings(max_examples=60)
def test_what_the_full_form_says_of_a_frame_or_a_picture_can_be_sent_back(
    seeded: tuple[Book, random.Random, Ids],
) -> None:
    book, _, _ = seeded
    every = EntryFacts("li_00else", "character", "Else"), EntryFacts("li_00roof", "scene", "Roof"), *ENTRIES
    known = {entry.id: entry for entry in every}
    context = replace(world(), library=types.SimpleNamespace(entry=known.__getitem__))  # type: ignore[arg-type]
    for unit in book.units():
        for item in unit.objects:
            if isinstance(item, Frame):
                emptied = {"description": "", "scene": None, "light": None, "cast": ()}
                keys, op, empty = emptied.keys(), "frame.set", item.model_copy(update=emptied)
            elif isinstance(item, Image | Overlay):
                keys, op, empty = {"marks"}, "image.mark", item.model_copy(update={"marks": ()})
            else:
                continue
            facts = {name: value for name, value in thing_facts(item).items() if name in keys}
            if not facts:
                continue
            bare = book.replace(swap(unit, empty))
            again = apply_changeset(bare, [{"op": op, "target": item.id, "args": facts}], context).book
            assert again.unit(unit.id).index[item.id] == item


def test_a_draft_may_be_opened_for_them_alone() -> None:
    held = Contract.of(properties=["description", "scene", "light", "cast", "marks", "styles"])
    desk, _, frame = staged()
    image = desk.one("image.place", frame, asset=CAT)
    before = desk.book
    desk.one("frame.set", frame, description="Up.", cast=[{"who": MIRA}])
    desk.one("image.mark", image, marks=[{"kind": "focus", "area": [0, 0, 1, 1]}])
    desk.one("chapter.set", styles=[INK])
    assert breaches(held, diff(before, desk.book), before, desk.book) == ()
    desk.one("frame.set", frame, name="other")
    assert [item.property for item in breaches(held, diff(before, desk.book), before, desk.book)] == ["name"]


def test_the_chapters_styles_are_told_in_its_facts() -> None:
    desk = Desk()
    assert "styles" not in chapter_facts(desk.book.chapter)
    desk.one("chapter.set", styles=[INK])
    assert chapter_facts(desk.book.chapter)["styles"] == [INK]


def test_a_document_that_names_one_twice_is_broken() -> None:
    desk, unit, frame = staged()
    image = desk.one("image.place", frame, asset=CAT)
    broken = desk.get(unit)
    mark = Mark.model_construct(kind=MarkKind.FACE, area=(500_000, 0, 500_000, 10), who=None)
    twice = {"cast": (Presence(who=MIRA), Presence(who=MIRA, look="coat")), "description": "a\x07b"}
    broken = swap(broken, desk.get(frame).model_copy(update=twice))
    broken = swap(broken, desk.get(image).model_copy(update={"marks": (mark,)}))
    found = {(item.object, item.rule) for item in validate_unit(broken, desk.book.chapter)}
    assert {(frame, "frame.cast"), (frame, "text.control"), (image, "mark.area")} <= found
