"""Pages made of scripts alone: laid out and lettered so that the checks find nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit import datasets
from lantern_kit.comic.book import Book
from lantern_kit.comic.checks.checker import study_units
from lantern_kit.comic.edit import apply_changeset
from lantern_kit.comic.geometry import bounds, safe_areas
from lantern_kit.comic.model import Chapter, Direction, Frame, Lettering, Writing
from lantern_kit.comic.script import MOST_TEXT, Voice, read_script
from lantern_kit.comic.script.of_book import script_of
from lantern_kit.kernel.errors import BadInput
from tests.comic.operations import world
from tests.comic.strategies import Ids

TEXTS = Path(__file__).with_name("texts")
A4, COMIC, A5, B6, A6 = (210, 297), (168, 260), (148, 210), (128, 182), (105, 148)
STORIES = [
    pytest.param(datasets.script("gull-rock"), "ltr", "en", COMIC, id="gull-rock"),
    pytest.param(datasets.script("rooftop-cat"), "ltr", "zh-Hans", A5, id="rooftop-cat"),
    pytest.param(datasets.script("last-train"), "rtl", "ja", B6, id="last-train"),
    pytest.param((TEXTS / "tea-party.txt").read_text("utf-8"), "ltr", "en", A5, id="tea-party"),
]
TASTE = {"balance.side", "balance.weight", "lettering.dots"}
"""What only pictures, or the writer, could change."""
RARE = {"lettering.uneven", "tail.absent"}
"""Notes of which a crowded page may have one: only a dictionary tells where Chinese may break, and a balloon that is
hemmed in has no room for a tail."""


def chapter(direction: str, language: str, paper: tuple[int, int]) -> Book:
    facts = {
        "id": "ch_00000000",
        "comic": "Up",
        "language": language,
        "direction": direction,
        "paper": {"width": paper[0] * 1_000, "height": paper[1] * 1_000, "safe": 7_000},
    }
    return Book.of(Chapter.model_validate(facts, strict=False))


def written(book: Book, text: str) -> tuple[Book, tuple[str, ...]]:
    result = apply_changeset(book, [{"op": "script.write", "args": {"text": text}}], world(Ids()))
    return result.book, result.notes


def faults(book: Book) -> list[tuple[str, str, str]]:
    found = study_units(book.units(), book.chapter, lambda _: None)
    return [(item.rule, item.object, item.message) for item in found if item.rule not in TASTE]


@pytest.mark.parametrize(("text", "direction", "language", "paper"), STORIES)
def test_a_script_alone_makes_pages_without_a_fault(
    text: str, direction: str, language: str, paper: tuple[int, int]
) -> None:
    book, notes = written(chapter(direction, language, paper), text)
    assert not faults(book)
    assert len(notes) == 1
    assert notes[0].startswith(f"{len(book)} units added")
    asked, made = read_script(text), script_of(book)
    assert [[(panel.framed, panel.description) for panel in sheet.panels] for sheet in made.sheets] == [
        [(panel.framed, panel.description) for panel in sheet.panels] for sheet in asked.sheets
    ]
    assert [
        (line.voice, line.speaker, line.shape, line.off, line.text) for sheet in made.sheets for line in sheet.lines
    ] == [(line.voice, line.speaker, line.shape, line.off, line.text) for sheet in asked.sheets for line in sheet.lines]


@pytest.mark.parametrize(("text", "direction", "language", "paper"), STORIES)
def test_frames_fill_the_live_area_and_read_the_way_the_chapter_does(
    text: str, direction: str, language: str, paper: tuple[int, int]
) -> None:
    book, _ = written(chapter(direction, language, paper), text)
    for unit in book.units():
        frames: list[Frame] = [unit.index[name] for name in unit.reading if unit.index[name].kind == "frame"]
        if not frames:
            continue
        boxes = [bounds(frame.shape) for frame in frames]
        (safe,) = safe_areas(unit, book.chapter.paper)
        assert min(box.x for box in boxes) == safe.x
        assert max(box.right for box in boxes) == safe.right
        assert (min(box.y for box in boxes), max(box.bottom for box in boxes)) == (safe.y, safe.bottom)
        for one, two in pairwise(boxes):
            beside = one.y == two.y
            ahead = two.x >= one.right if direction == "ltr" else two.right <= one.x
            assert ahead if beside else two.y >= one.bottom


def test_words_of_japanese_chapters_stand_in_columns() -> None:
    book, _ = written(chapter("rtl", "ja", B6), datasets.script("last-train"))
    said = [item for unit in book.units() for item in unit.objects if item.kind in {"balloon", "narration"}]
    assert all(item.style.writing is Writing.VERTICAL for item in said)
    assert book.chapter.direction is Direction.RTL


WORDS = (
    "the lamp was late tonight and nobody on the rock had any oil left so they took the old chair and made a fire of it"
)
HAN = "今天早上整条街都还没有醒小满推开天台的门看见一只橘色的猫叼着刚学飞的小麻雀小心翼翼地放在她的手心里"


def random_script(rng: random.Random, language: str, most: int) -> str:
    """Two pages of panels with up to four lines each."""

    def words(count: int) -> str:
        if language == "en":
            return " ".join(rng.choice(WORDS.split()) for _ in range(count)).capitalize() + rng.choice(".!?")
        start = rng.randrange(len(HAN) - 2 * count)
        return HAN[start : start + 2 * count] + rng.choice("。！？")

    def line() -> str:
        count = rng.choice((1, 2, 4, 6, 8, 12))
        choice = rng.random()
        if choice < 0.2:
            return f"CAPTION: {words(count)}"
        if choice < 0.3:
            return f"SFX: {rng.choice(('BOOM', 'KRAK!', 'WHOOOSH', 'ドドド'))}"
        how = rng.choice(("", "", "", " (whisper)", " (shout)", " (thought)", " (off-panel)"))
        return f"{rng.choice(('MIRA', 'FOX', 'GRANDFATHER'))}{how}: {words(count)}"

    parts: list[str] = []
    for _ in range(2):
        parts.append(f"## {rng.choice(('Page', 'Page', 'Spread', 'Cover'))}\n")
        parts += [f"TITLE: {words(2)}\n"] if rng.random() < 0.2 else []
        for _ in range(rng.randint(1, most)):
            parts += ["### Panel\n\nA roof.\n", *(line() for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4)))), ""]
    return "\n".join(parts)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    facts=st.sampled_from(
        (("ltr", "en", A4, 9), ("ltr", "en", COMIC, 7), ("ltr", "zh-Hans", A5, 6), ("rtl", "ja", B6, 6),
         ("rtl", "zh-TW", A5, 6), ("ttb", "en", A5, 5), ("ltr", "en", A6, 3))
    ),
)  # fmt: skip
def test_whatever_is_said_it_stands_in_order_and_over_nothing_or_is_told_to_be_too_much(
    seed: int, facts: tuple[str, str, tuple[int, int], int]
) -> None:
    direction, language, paper, most = facts
    text = random_script(random.Random(seed), language, most)
    book, notes = written(chapter(direction, language, paper), text)
    if not any("more words than room" in note for note in notes):
        assert len([item for item in faults(book) if item[0] in RARE]) <= 1
        assert not [item for item in faults(book) if item[0] not in RARE]
    asked = [line for sheet in read_script(text).sheets for line in sheet.lines]
    made = [line for sheet in script_of(book).sheets for line in sheet.lines]
    assert [line.text for line in made] == [line.text for line in asked]
    assert all(one.off for one, other in zip(asked, made, strict=True) if other.off)


def test_a_panel_with_far_too_many_words_is_told() -> None:
    book, notes = written(chapter("ltr", "en", A6), "## Page\n### Panel\n" + f"MIRA: {WORDS}\n" * 60)
    (frame,) = [item for item in book.unit(book.order[0]).objects if isinstance(item, Frame)]
    assert notes[-1].startswith(f"{frame.id} has more words than room")
    assert sum(isinstance(item, Lettering) for item in book.unit(book.order[0]).objects) == 60


def test_a_hundred_pages_are_written_at_once() -> None:
    page = "".join(f"### Panel\n\nA roof.\n\nMIRA: {WORDS[:60]}.\nFOX: {WORDS[:40]}?\n" for _ in range(6))
    text = "".join(f"## Page {number}\n{page}" for number in range(1, 101))
    assert len(text) < MOST_TEXT
    book, notes = written(chapter("ltr", "en", COMIC), text)
    assert notes == ("100 units added with 600 panels and 1200 lines",)
    lines: Sequence[Voice] = [line.voice for sheet in script_of(book).sheets for line in sheet.lines]
    assert lines == [Voice.BALLOON] * 1200


def test_a_script_that_makes_far_too_many_pages_is_refused_before_any_is_made() -> None:
    with pytest.raises(BadInput, match="line 501: this script makes 20000 units"):
        written(chapter("ltr", "en", COMIC), "## Page\n" * 20_000)
