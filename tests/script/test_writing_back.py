from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import diff
from lantern_kit.comic.edit import EditContext, apply_changeset
from lantern_kit.comic.edit.shelf import EntryFacts
from lantern_kit.comic.layout.template import Template, template_named
from lantern_kit.comic.model import Balloon, BalloonShape, Lettering, Mark, MarkKind, Unit
from lantern_kit.comic.script import Form, Script, write_script
from lantern_kit.comic.script.applying import write
from lantern_kit.comic.script.of_book import script_of
from lantern_kit.comic.script.recognized import recognized
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import BadInput, LanternError, StaleHandle
from tests.comic.operations import CAT, Desk, Entries, assets, world
from tests.comic.strategies import Ids, books
from tests.script.strategies import scripts

ONE = """\
## Page 1

### Panel 1

A roof at night.

MIRA: Is it you?
CAT (off-panel): Who else.

### Panel 2

CAPTION: Later.
MIRA (whisper): Come down.
"""


def lettered(text: str = ONE, **facts: str) -> Desk:
    desk = Desk()
    if facts:
        desk.one("chapter.set", **facts)
    desk.one("script.write", text=text)
    return desk


def script(desk: Desk) -> str:
    return write_script(script_of(desk.book))


def rewritten(desk: Desk, *changes: tuple[str, str]) -> dict[str, str]:
    """Write the desk's own script back with some words in it replaced."""
    text = script(desk)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return desk.do({"op": "script.write", "args": {"text": text}})


def items(desk: Desk, kind: str | None = None) -> list[Any]:
    unit = desk.book.unit(desk.book.order[0])
    return [unit.index[name] for name in unit.reading if kind is None or unit.index[name].kind == kind]


def refused(desk: Desk, *changes: tuple[str, str]) -> str:
    before = desk.book
    with pytest.raises(BadInput) as caught:
        rewritten(desk, *changes)
    assert desk.book is before
    return str(caught.value)


# Laws


@given(held=books(), form=st.sampled_from(list(Form)))
def test_a_script_written_back_as_it_was_read_changes_nothing(
    held: tuple[Book, random.Random, Ids], form: Form
) -> None:
    book, rng, ids = held
    units = rng.sample(book.order, rng.randint(0, len(book)))
    for chosen in (None, sorted(units, key=book.position)):
        text = write_script(script_of(book, chosen), form)
        result = apply_changeset(book, [{"op": "script.write", "args": {"text": text, "form": form}}], world(ids))
        assert result.book == book
        assert not diff(book, result.book)
        assert result.notes == ()


@settings(max_examples=60)
@given(held=books(), wanted=scripts())
def test_whatever_is_written_the_chapter_is_sound_and_says_what_the_script_says(
    held: tuple[Book, random.Random, Ids], wanted: Script
) -> None:
    book, rng, ids = held
    mixed, _ = recognized(book, _mixed(script_of(book), wanted, rng))
    try:
        result = write(book, mixed, world(ids))
    except LanternError:
        return
    assert not validate_book(result.book)
    again = script_of(result.book)
    said = [(line.text, line.voice) for sheet in mixed.sheets for line in sheet.lines]
    ids_said = {sheet.id for sheet in mixed.sheets if sheet.id}
    others = [sheet for sheet in again.sheets if sheet.id in book and sheet.id not in ids_said]
    assert sorted((line.text, line.voice) for sheet in again.sheets for line in sheet.lines) == sorted(
        [*said, *((line.text, line.voice) for sheet in others for line in sheet.lines)]
    )
    assert all(result.book.unit(sheet.id) == book.unit(sheet.id) for sheet in others)
    assert write(result.book, again, world(ids)).book == result.book


@settings(max_examples=60)
@given(held=books(), wanted=scripts())
def test_a_script_without_ids_that_is_written_twice_changes_nothing_the_second_time(
    held: tuple[Book, random.Random, Ids], wanted: Script
) -> None:
    book, rng, ids = held
    mixed = _without_some_ids(_mixed(script_of(book), wanted, rng), rng)
    try:
        once = write(book, mixed, world(ids))
        twice = write(once.book, mixed, world(ids))
    except LanternError:  # what is joined to a line that went is refused the second time
        return
    assert twice.book == once.book
    assert not twice.made


def _without_some_ids(script: Script, rng: random.Random) -> Script:
    """Whole units without ids, and lines without theirs in units and panels that keep them."""
    sheets = []
    for sheet in script.sheets:
        bare = rng.random() < 0.5
        panels = []
        for panel in sheet.panels:
            lines = [
                replace(line, id="", shape=BalloonShape.ELLIPSE if bare else line.shape)
                if line.text and (bare or (rng.random() < 0.3 and line.shape is not BalloonShape.PATH))
                else line
                for line in panel.lines
            ]
            held = [line for line in lines if line.text or not bare]
            if panel.framed or held:
                panels.append(replace(panel, lines=tuple(held), id="" if bare else panel.id))
        sheets.append(replace(sheet, panels=tuple(panels), id="" if bare else sheet.id))
    return replace(script, sheets=tuple(sheets))


def _mixed(old: Script, new: Script, rng: random.Random) -> Script:
    """Some of what is there, shuffled, with some of what is new between."""
    sheets = []
    lines = [replace(line, id="") for sheet in new.sheets for line in sheet.lines if line.text]
    lines = [line for line in lines if line.shape is not BalloonShape.PATH and not line.joined]
    for sheet in old.sheets:
        if rng.random() < 0.3:
            continue
        panels = list(sheet.panels)
        if rng.random() < 0.4:
            rng.shuffle(panels)
        made = []
        for panel in panels:
            here = list(panel.lines)
            if here and rng.random() < 0.4:
                here.pop(rng.randrange(len(here)))
            if lines and rng.random() < 0.5:
                here.insert(rng.randint(0, len(here)), rng.choice(lines))
            if here and rng.random() < 0.3:
                here[0] = replace(here[0], text="Other words.", label="said")
            if (panel.framed or here) and not (made and not panel.framed and not made[-1].framed):
                made.append(replace(panel, lines=tuple(here)))
        sheets.append(replace(sheet, panels=tuple(made)))
    fresh = [
        replace(
            sheet,
            id="",
            panels=tuple(
                replace(
                    panel,
                    id="",
                    lines=tuple(
                        replace(line, id="")
                        for line in panel.lines
                        if line.text and line.shape is not BalloonShape.PATH and not line.joined
                    ),
                )
                for panel in sheet.panels
                if panel.framed
            ),
        )
        for sheet in new.sheets
    ]
    for sheet in fresh:
        sheets.insert(rng.randint(0, len(sheets)), sheet)
    return Script(tuple(sheets))


# What changes, and what stays


def test_words_change_in_their_balloon_alone() -> None:
    desk = lettered()
    before = {item.id: item for item in items(desk)}
    rewritten(desk, ("Is it you?", "Is it [you]{.bold}, {猫|ねこ}?"))
    changed = [item for item in items(desk) if item != before[item.id]]
    assert [item.text for item in changed] == ["Is it [you]{.bold}, {猫|ねこ}?"]
    assert changed[0].model_copy(update={"text": "Is it you?"}) == before[changed[0].id]
    assert desk.notes == (f"{desk.book.order[0]}: 1 line changed",)


def test_speakers_manners_and_labels_change_and_keep_their_places() -> None:
    desk = lettered()
    desk.one("balloon.set", items(desk, "balloon")[0].id, speaker="Mira")
    boxes = [item.box for item in items(desk, "balloon")]
    rewritten(desk, ("CAT (off-panel)", "MIRA (shout, to herself)"), ("CAPTION:", "CAPTION (Mira):"))
    said = items(desk, "balloon")[1]
    assert (said.speaker, said.shape, said.name) == ("Mira", BalloonShape.BURST, "to herself")
    assert items(desk, "narration")[0].name == "Mira"
    assert [item.box for item in items(desk, "balloon")] == boxes
    assert not script_of(desk.book).sheets[0].panels[0].lines[1].off


def test_a_speaker_in_capitals_is_spelt_as_the_chapter_or_the_library_spells_it() -> None:
    class Folding(Entries):
        def entry(self, name: str) -> EntryFacts:
            return super().entry(name.title())

    desk = lettered("## Page 1\n\n### Panel 1\n\n@McCoy: Who is there?\nPETE: I.\n")
    text = "## Page 2\n\n### Panel 1\n\nMCCOY: Come in.\nMIRA: Thanks.\nPETE: Hm.\n"
    ctx = EditContext(ids=desk.ids, assets=assets, library=Folding())
    book = apply_changeset(desk.book, [{"op": "script.write", "args": {"text": text}}], ctx).book
    said = [item.speaker for unit in book.units() for item in unit.objects if isinstance(item, Balloon)]
    assert said == ["McCoy", "PETE", "McCoy", "Mira", "PETE"]


def test_new_lines_are_lettered_in_order_clear_of_what_is_there() -> None:
    desk = lettered()
    before = {item.id for item in items(desk)}
    rewritten(desk, ("CAT (off", "MIRA: Where were you all day?\nMIRA (joined): I was afraid.\nSFX: DONG\nCAT (off"))
    new = [item for item in items(desk) if item.id not in before]
    assert [item.text for item in new] == ["Where were you all day?", "I was afraid.", "DONG"]
    assert new[1].joined == new[0].id
    assert [item.text for item in items(desk)[1:6]] == [
        "Is it you?", "Where were you all day?", "I was afraid.", "DONG", "Who else.",
    ]  # fmt: skip
    boxes = [item.box for item in items(desk) if isinstance(item, Lettering)]
    for place, one in enumerate(boxes):
        for other in boxes[:place]:
            assert one.x >= other.right or other.x >= one.right or one.y >= other.bottom or other.y >= one.bottom


def test_lines_that_are_left_out_are_removed_and_lines_in_another_panel_moved_there() -> None:
    desk = lettered()
    panels = [item.id for item in items(desk, "frame")]
    moved = items(desk, "balloon")[0]
    text = script(desk)
    line = next(line for line in text.splitlines() if "Is it you?" in line)
    gone = next(line for line in text.splitlines() if "Who else." in line)
    rewritten(desk, (f"{line}\n{gone}\n", ""), ("CAPTION", f"{line}\nCAPTION"))
    found = desk.get(moved.id)
    assert (found.parent, found.text, found.style) == (panels[1], moved.text, moved.style)
    assert [item.text for item in items(desk)[2:]] == ["Is it you?", "Later.", "Come down."]
    assert desk.notes == (f"{desk.book.order[0]}: 1 line removed, 1 line moved",)


def test_lines_stay_when_the_last_panels_of_their_page_are_left_out() -> None:
    desk = lettered()
    text = script(desk)
    rewritten(desk, *((line, "") for line in text.splitlines() if line.startswith(("### Panel", "A roof"))))
    assert not items(desk, "frame")
    assert {item.parent for item in items(desk)} == {desk.book.order[0]}
    assert [item.text for item in items(desk) if isinstance(item, Lettering)] == [
        item.text for item in items(lettered()) if isinstance(item, Lettering)
    ]


def test_order_in_a_panel_is_the_order_of_reading() -> None:
    desk = lettered()
    text = script(desk)
    one, two = (line for line in text.splitlines() if line.startswith(("MIRA: Is", "CAT")))
    rewritten(desk, (f"{one}\n{two}", f"{two}\n{one}"))
    assert [item.text for item in items(desk, "balloon")][:2] == ["Who else.", "Is it you?"]


def test_new_pages_come_after_the_one_before_them_and_pages_change_places() -> None:
    desk = lettered()
    desk.one("unit.add")
    first, last = desk.book.order
    text = f"## Page 2 {{#{last}}}\n## Cover: Back\n### Panel 1"
    made = desk.do({"op": "script.write", "as": "s", "args": {"text": text}})
    assert desk.book.order == (first, last, made["s.2"])
    assert (desk.get(made["s.2"]).kind, desk.get(made["s.2"]).name) == ("cover", "Back")
    assert desk.get(made["s.2.1"]).kind == "frame"
    both = write_script(script_of(desk.book, [last, first]))
    desk.one("script.write", text=both)
    assert desk.book.order == (last, first, made["s.2"])


def test_a_new_panel_lays_its_page_out_anew_and_carries_what_is_there() -> None:
    desk = lettered()
    frame = items(desk, "frame")[0]
    picture = desk.one("image.place", frame.id, asset=CAT)
    made = rewritten(desk, ("### Panel 2", "### Panel 2\n\nA cat.\n\nCAT: Here.\n\n### Panel 3"))
    frames = items(desk, "frame")
    assert [item.description for item in frames] == ["A roof at night.", "A cat.", ""]
    assert desk.get(picture).parent == frame.id
    assert frames[0].shape != frame.shape
    assert made == {"1.1.2": frames[1].id}
    assert desk.notes == (f"{desk.book.order[0]}: 1 panel added, 1 line added, laid out anew for 3 panels",)


def test_panels_that_change_places_take_each_others_frames() -> None:
    desk = lettered()
    one, two = items(desk, "frame")
    text = script(desk)
    head, first, second = text.split("### Panel")
    desk.one("script.write", text=f"{head}### Panel{second}\n### Panel{first}")
    assert [(item.id, item.shape) for item in items(desk, "frame")] == [(two.id, one.shape), (one.id, two.shape)]


def test_panels_and_lines_go_to_other_pages_with_what_they_hold() -> None:
    desk = lettered(f"{ONE}\n{ONE}")
    first, second = desk.book.order
    frame = next(item for item in desk.get(second).objects if item.kind == "frame")
    picture = desk.one("image.place", frame.id, asset=CAT)
    text = script(desk)
    head, rest = text.split("## Page 2")
    panel = rest[rest.index("### Panel 1") : rest.index("### Panel 2")]
    desk.one("script.write", text=head + panel + "## Page 2" + rest.replace(panel, ""))
    assert desk.home(frame.id).id == desk.home(picture).id == first
    assert [len([item for item in unit.objects if item.kind == "frame"]) for unit in desk.book.units()] == [3, 1]
    assert desk.get(frame.id).description == "A roof at night."


def test_titles_names_and_kinds_are_those_of_the_script() -> None:
    desk = lettered()
    rewritten(desk, ("## Page 1", "# Down\n\n## Transition 1: Night"))
    unit = desk.get(desk.book.order[0])
    assert (desk.book.chapter.title, unit.kind, unit.name) == ("Down", "transition", "Night")


def test_a_tail_points_where_the_speaker_is_known_to_be() -> None:
    desk = lettered()
    frame = items(desk, "frame")[0]
    desk.one("balloon.tail", items(desk, "balloon")[0].id, index=1, tip=[50, 60])
    picture = desk.one("image.place", frame.id, asset=CAT)
    unit = desk.home(picture)
    marked = unit.index[picture].model_copy(
        update={"marks": (Mark(kind=MarkKind.FACE, area=(400_000, 400_000, 600_000, 600_000), who="li_0000fox0"),)}
    )
    desk.book = desk.book.replace(_swapped(unit, marked))

    class Known:
        def entry(self, name: str) -> EntryFacts:
            if name.upper() == "FOX":
                return EntryFacts("li_0000fox0", "character", "Fox")
            raise BadInput("nobody")

        def layout(self, name: str) -> Template:
            return template_named(name)

    text = script(desk).replace("CAT (off", "MIRA: Again.\nFOX: Me.\nOWL: Who?\nCAT (off", 1)
    ctx = EditContext(ids=desk.ids, assets=assets, library=Known())
    desk.book = apply_changeset(desk.book, [{"op": "script.write", "args": {"text": text}}], ctx).book
    tips = {item.text: [tail.tip for tail in item.tails] for item in items(desk, "balloon")}
    assert tips["Again."] == [(50_000, 60_000)]
    assert tips["Who?"] == []
    (at,) = tips["Me."]
    assert abs(at[0] - frame_middle(frame)[0]) < 200


def frame_middle(frame: Any) -> tuple[int, int]:
    xs = [x for x, _ in frame.shape.points]
    ys = [y for _, y in frame.shape.points]
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def _swapped(unit: Unit, item: Any) -> Unit:
    objects = tuple(item if other.id == item.id else other for other in unit.objects)
    return unit.model_copy(update={"objects": objects})


def test_pages_that_are_written_twice_without_ids_are_taken_for_those_that_are_there() -> None:
    desk = lettered(f"{ONE}\n{ONE}")
    before = desk.book
    assert len(before) == 2
    made = desk.do({"op": "script.write", "args": {"text": f"{ONE}\n{ONE}"}})
    assert desk.book == before
    assert not made
    assert desk.notes == (f"2 units without an id taken for what says the same: {', '.join(before.order)}",)
    desk.one("script.write", text=f"{ONE}\n{ONE}\n{ONE}")
    assert len(desk.book) == 3
    desk.one("script.write", text=ONE.replace("Later.", "Soon."))
    assert len(desk.book) == 4


def test_a_line_without_an_id_is_taken_for_the_one_that_says_the_same_and_repeats_stay() -> None:
    desk = lettered()
    was = items(desk, "balloon")[1]
    rewritten(desk, (f" {{#{was.id}}}", ""))
    assert items(desk, "balloon")[1] == was
    assert desk.notes == (f"{desk.book.order[0]}: 1 line without an id taken for what says the same there",)
    rewritten(desk, ("CAT (off-panel): Who else.", "CAT (off-panel): Who else.\nCAT: Who else. "))
    assert [item.text for item in items(desk, "balloon")].count("Who else.") == 2


def test_a_new_line_is_never_laid_on_lettering_that_is_there() -> None:
    desk = lettered("## Page 1\n\n### Panel 1\n\nMIRA: Is it you?\n\n### Panel 2\n")
    balloon = items(desk, "balloon")[0]
    frame = items(desk, "frame")[0]
    xs, ys = zip(*frame.shape.points, strict=True)
    left, top, right, bottom = (value / 1_000 for value in (min(xs), min(ys), max(xs), max(ys)))
    desk.one("balloon.set", balloon.id, rect=[left, top, right - left, bottom - top - 14])
    rewritten(desk, ("### Panel 2", "MIRA: I have been waiting here for you since the evening.\n\n### Panel 2"))
    one, two = items(desk, "balloon")
    assert two.box.y >= one.box.bottom
    assert "more words than room" in desk.notes[-1]
    desk.one("balloon.set", balloon.id, rect=[left, top, right - left, bottom - top])
    told = refused(desk, ("### Panel 2", "MIRA: And now?\n\n### Panel 2"))
    assert "there is no room for it beside what is there" in told


def test_a_way_of_speaking_that_is_none_is_told_with_the_nearest() -> None:
    desk = lettered("## Page 1\n\n### Panel 1\n\nMIRA (wisper, to the cat): Is it you?\nCAT (softly): I.\n")
    assert desk.notes[1:] == (
        "MIRA (wisper): kept as a note for people; the nearest way of speaking is whisper",
        "CAT (softly): kept as a note for people",
    )
    rewritten(desk, ("Is it you?", "You?"))
    assert len(desk.notes) == 1
    rewritten(desk, ("wisper", "wispers"))
    assert "(wispers)" in desk.notes[-1]


# What is refused


def test_a_panel_that_holds_pictures_is_not_left_out() -> None:
    desk = lettered()
    frame = items(desk, "frame")[1]
    text = script(desk)
    desk.one("image.place", frame.id, asset=CAT)
    told = refused(desk, (text[text.index("### Panel 2") :], ""))
    assert frame.id in told
    assert "frame.remove" in told


def test_frames_that_are_kept_forbid_a_new_layout() -> None:
    desk = lettered()
    desk.one("frame.set", items(desk, "frame")[0].id, keep="size")
    told = refused(desk, ("### Panel 2", "### Panel 2\n\n### Panel 3"))
    assert '"keep": null' in told
    assert "line 10" in told


def test_ids_that_are_nothing_are_refused_with_the_nearest() -> None:
    desk = lettered()
    balloon = items(desk, "balloon")[0]
    near = f"{balloon.id[:-1]}z"
    assert "nearest: bl_" in refused(desk, (balloon.id, near))
    desk.one("script.write", text=ONE.replace("Who else.", "Who."))
    other = desk.get(desk.book.order[1]).objects[-1].id
    with pytest.raises(BadInput, match=f"line 2: {other} lies on {desk.book.order[1]}"):
        desk.one("script.write", text=f"## Page 1 {{#{desk.book.order[0]}}}\nMIRA: So {{#{other}}}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("## Page 1\n\nMIRA (drawn): So", "line 3: an outline of its own is drawn"),
        ("## Page 1\n\nMIRA (joined): So", "line 3: it is joined, and no balloon"),
        ("## Page 1\n" + "### Panel 1\n" * 41, "line 1: this page has 41 panels"),
        ("## Page 1\n\n### Act 2", "line 3: this heading is none of a script's"),
        ("A roof.", "line 1: this stands before the first page"),
        ("## Page 1\n\nA roof.", "line 3: a description belongs to a panel"),
        ("## Page 1\n\nMIRA:", "line 3: this name says nothing"),
        ("## Page 1 {#fr_12345678}", "line 1: fr_12345678 is a panel's id"),
        ("## Page 1 {#roof}", "line 1: this is no id"),
    ],
)
def test_what_a_script_cannot_say_is_refused_with_its_line(text: str, told: str) -> None:
    desk = Desk()
    with pytest.raises(BadInput) as caught:
        desk.one("script.write", text=text)
    assert told in caught.value.message
    assert not len(desk.book)


def test_a_spread_is_made_of_pages_by_other_means() -> None:
    desk = lettered()
    assert "spread.join" in refused(desk, ("## Page 1", "## Spread 1"))


def test_what_changed_since_the_script_was_read_is_refused() -> None:
    desk = lettered()
    balloon = items(desk, "balloon")[0].id
    seen: list[str] = []

    def stale(name: str) -> None:
        seen.append(name)
        if name == balloon:
            raise StaleHandle(f"{name} changed", ids=[name])

    with pytest.raises(StaleHandle):
        desk.result({"op": "script.write", "args": {"text": script(desk)}}, seen=stale)
    assert desk.book.order[0] in seen
    orders: list[str] = []
    desk.result({"op": "script.write", "args": {"text": script(desk)}}, seen_order=orders.append)
    assert orders == [desk.book.chapter.id, desk.book.order[0]]


def test_a_balloon_keeps_what_a_script_does_not_tell() -> None:
    desk = lettered()
    balloon = items(desk, "balloon")[0]
    desk.one("balloon.set", balloon.id, text="  spaces  stay \n\n here ", fill="#ff0000")
    before = desk.get(balloon.id)
    rewritten(desk, ("Come down.", "Come."))
    assert desk.get(balloon.id) == before
    assert isinstance(before, Balloon)


def test_lettering_that_a_narrower_panel_would_push_together_finds_new_places() -> None:
    desk = lettered("## Page 1\n\n### Panel 1\n\nMIRA: So.\nFOX (off-panel): And?\n")
    frame = items(desk, "frame")[0]
    picture = desk.one("image.place", frame.id, asset=CAT)
    mira, fox = items(desk, "balloon")
    desk.one("balloon.set", mira.id, rect=[20, 30, 35, 25])
    desk.one("balloon.tail", mira.id, index=1, tip=[40, 100], bend=0.2)
    desk.one("balloon.set", fox.id, rect=[57, 32, 35, 25])
    rewritten(desk, ("### Panel 1", "### Panel 1\n\n### Panel 2\n\n### Panel 3\n\n### Panel 4"))
    assert desk.get(picture).parent == frame.id
    one, two = (desk.get(name) for name in (mira.id, fox.id))
    assert one.box.bottom <= two.box.y or one.box.right <= two.box.x
    assert one.tails[0].bend == 200_000
    assert script_of(desk.book).sheets[0].panels[3].lines[1].off
