from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Lettering
from lantern_kit.comic.script import Form, read_script, write_script
from lantern_kit.comic.script.of_book import script_of
from tests.comic.operations import Desk
from tests.comic.strategies import Ids, books


@given(held=books(), form=st.sampled_from(list(Form)), language=st.sampled_from(("en", "zh", "ja")))
def test_everything_that_is_lettered_stands_in_a_script_once_and_reads_back(
    held: tuple[Book, random.Random, Ids], form: Form, language: str
) -> None:
    book = held[0]
    script = script_of(book)
    lettered = [item.id for unit in book.units() for item in unit.objects if isinstance(item, Lettering)]
    frames = [item.id for unit in book.units() for item in unit.objects if item.kind == "frame"]
    assert sorted(line.id for sheet in script.sheets for line in sheet.lines) == sorted(lettered)
    assert sorted(panel.id for sheet in script.sheets for panel in sheet.frames) == sorted(frames)
    assert [sheet.id for sheet in script.sheets] == list(book.order)
    for sheet in script.sheets:
        order = {name: place for place, name in enumerate(book.unit(sheet.id).reading)}
        for panel in sheet.panels:
            places = [order[line.id] for line in panel.lines]
            assert places == sorted(places)
        read = [order[panel.id] for panel in sheet.frames]
        assert read == sorted(read)
    assert read_script(write_script(script, form, language=language), form) == script


def test_a_script_says_who_speaks_how_and_where_and_counts_pages_as_people_do() -> None:
    desk = Desk()
    desk.one("chapter.set", title="Up")
    desk.one("unit.add", kind="cover")
    spread = desk.one("unit.add", kind="spread", name="The roof")
    page = desk.one("unit.add")
    title = desk.one("text.add", spread, at=[40, 10], text="UP", style={"font": "sans"})
    frame = desk.one("frame.add", spread, rect=[10, 20, 80, 60])
    desk.one("frame.set", frame, description="A roof.\n\nNight.")
    said = desk.one("balloon.add", frame, at=[30, 40], text="Is that… mine?", speaker="Chelsea", shape="whisper")
    out = desk.one("balloon.add", frame, at=[70, 40], text="{三|み}!", speaker="fox", tail=[90, 40], name="to Chelsea")
    sound = desk.one("text.add", frame, at=[50, 70], text="FWOOM\nFWOOM")
    caption = desk.one("narration.add", page, at=[30, 40], text="Later.", name="Chelsea")
    assert (
        write_script(script_of(desk.book))
        == f"""\
# Up

## Cover {{#{desk.book.order[0]}}}

## Spread 1–2: The roof {{#{spread}}}

TITLE: UP {{#{title}}}

### Panel 1 {{#{frame}}}

A roof.

Night.

CHELSEA (whisper): Is that… mine? {{#{said}}}
FOX (off-panel, to Chelsea): {{三|み}}! {{#{out}}}
SFX: FWOOM
  FWOOM {{#{sound}}}

## Page 3 {{#{page}}}

CAPTION (Chelsea): Later. {{#{caption}}}
"""
    )
    assert (
        write_script(script_of(desk.book, [page]), Form.FOUNTAIN, language="zh-Hans")
        == f"""\
.第3页 [[{page}]]

@旁白 (Chelsea)
Later. [[{caption}]]
"""
    )


def test_a_part_of_a_script_has_no_title_and_its_units_alone() -> None:
    desk = Desk()
    desk.one("chapter.set", title="Up")
    pages = [desk.one("unit.add") for _ in range(3)]
    script = script_of(desk.book, pages[1:2])
    assert (script.title, [sheet.id for sheet in script.sheets]) == ("", [pages[1]])
    assert script.sheets[0].number == "2"
