"""Whatever the kit calls a thing is understood again, in both languages, and never for something else alone."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Balloon, Frame, Lettering, UnitKind
from lantern_kit.comic.phrases import LANGUAGES, Language
from lantern_kit.comic.scope import Found, read, resolve
from lantern_kit.comic.words import object_names, unit_titles
from tests.comic.strategies import Ids, books

EACH = pytest.mark.parametrize("language", LANGUAGES)


def title(asset: str) -> str:
    return f"picture {asset}"


def meant(book: Book, text: str) -> list[str]:
    readings = read(text)
    assert readings.phrases, f"{text}: {readings.strange}"
    found: dict[str, Found] = {}
    for phrase in readings.phrases:
        found.update({item.key: item for item in resolve(phrase, book, title)})
    return list(found)


@EACH
@given(made=books())
def test_every_title_of_a_unit_is_understood_and_means_that_unit(
    language: Language, made: tuple[Book, random.Random, Ids]
) -> None:
    book = made[0]
    titles = unit_titles(book, language)
    for unit in book.units():
        found = meant(book, titles[unit.id])
        same = [other for other in book.order if titles[other] == titles[unit.id]]
        assert found == same, titles[unit.id]


@EACH
@given(made=books())
def test_every_name_of_an_object_is_understood_on_its_page(
    language: Language, made: tuple[Book, random.Random, Ids]
) -> None:
    book = made[0]
    titles = unit_titles(book, language)
    for unit in book.units():
        if unit.kind is UnitKind.COVER:
            continue
        names = object_names(unit, language=language, titles=title)
        for thing, name in names.items():
            text = f"{titles[unit.id]}{'的' if language == 'zh' else ', '}{name}"
            assert thing in meant(book, text), text


@given(made=books(), place=st.integers(1, 6), back=st.booleans())
def test_a_frame_by_its_place_is_that_frame_or_none(
    made: tuple[Book, random.Random, Ids], place: int, back: bool
) -> None:
    book = made[0]
    titles = unit_titles(book)
    for unit in book.units():
        if unit.kind is UnitKind.COVER:
            continue
        frames = [name for name in unit.reading if isinstance(unit.index[name], Frame)]
        row = frames[::-1] if back else frames
        words = f"the {'last' if place == 1 else f'{place}th-last'}" if back else f"the {place}th"
        text = f"{words} panel on {titles[unit.id].lower()}" if not back or place == 1 else ""
        if not text:
            text = f"{titles[unit.id]}, the {place}th panel from the end"
        assert meant(book, text) == row[place - 1 : place]


@EACH
@given(made=books())
def test_two_that_are_alike_are_both_given(language: Language, made: tuple[Book, random.Random, Ids]) -> None:
    book = made[0]
    words = "Is that mine"
    text = f"“{words}”" + ("的气泡" if language == "zh" else "")
    same = [
        item.id
        for unit in book.units()
        for item in unit.objects
        if isinstance(item, Balloon if language == "zh" else Lettering) and item.text == "Is that… mine?"
    ]
    assert sorted(meant(book, text)) == sorted(same)


@given(text=st.text(max_size=60))
def test_no_text_is_too_odd_to_be_read(text: str) -> None:
    readings = read(text, ["a", "the moon", "切"])
    assert not (readings.phrases and readings.strange)
