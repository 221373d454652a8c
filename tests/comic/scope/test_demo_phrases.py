"""What people say of the demo's chapter, and what it means."""

from __future__ import annotations

import pytest

from lantern_kit.comic.book import Book
from lantern_kit.comic.scope import Found, read, resolve
from lantern_kit.comic.words import object_name, unit_titles
from tests.demo.stage import played

BOOK: Book = played().book
TITLES = unit_titles(BOOK)
PLACES = ("Page 1 “Home”", "Pages 2–3 (spread) “Going up”", "Page 4 “The Moon”")


def told(found: Found) -> str:
    title = TITLES[found.unit.id]
    return title if found.thing is None else f"{title}: {object_name(found.unit, found.thing.id)}"


def meant(text: str) -> list[str]:
    found: dict[str, Found] = {}
    names = {"chelsea", "commander", "chelsea's helmet", "mars", "the moon", "going up"}
    for phrase in read(text, names).phrases:
        found.update({item.key: item for item in resolve(phrase, BOOK, lambda asset: asset)})
    return [told(item) for item in found.values()]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("page 1, the last panel", [f"{PLACES[0]}: frame 5 “eyes”"]),
        ("第1页最后一格", [f"{PLACES[0]}: frame 5 “eyes”"]),
        ("page 4", [PLACES[2]]),
        ("the spread", [PLACES[1]]),
        ("跨页的最后一格", [f"{PLACES[1]}: frame 7 “the Commander”"]),
        ("第2–3页（跨页）", [PLACES[1]]),
        ("page 3, last panel", [f"{PLACES[1]}: frame 7 “the Commander”"]),
        ("the balloon where Chelsea says “Is it full?”", [f"{PLACES[0]}: balloon 5"]),
        ("Chelsea's last balloon on page 1", [f"{PLACES[0]}: balloon 5"]),
        ("the Commander's balloons on page 1", [f"{PLACES[0]}: balloon {number}" for number in (2, 4, 6)]),
        ("Chelsea说“That's Mars”的气泡", []),
        ("Commander说“That's Mars”的气泡", [f"{PLACES[1]}: balloon 3"]),
        ("my helmet is purring", []),
        ("“my helmet is purring”", [f"{PLACES[1]}: balloon 1"]),
        ("the panel called Mars", [f"{PLACES[1]}: frame 4 “Mars”"]),
        ("the panel with the speed lines", [f"{PLACES[1]}: frame 1 “launch”"]),
        ("速度线", [f"{PLACES[1]}: speed lines in frame 1 “launch”"]),
        ("the breakout", [f"{PLACES[2]}: breakout of “astronaut”"]),
        ("the sound “fwooosh”", [f"{PLACES[1]}: lettering 1"]),
        ("“ten thousand”", [f"{PLACES[2]}: balloon 3"]),
        ("the last caption on the spread", [f"{PLACES[1]}: caption 3"]),
        ("跨页的第2段旁白", [f"{PLACES[1]}: caption 2"]),
        ("page “The Moon”, panel 2", [f"{PLACES[2]}: frame 2 “ground”"]),
        ("the panel “Chelsea's helmet”", [f"{PLACES[2]}: frame 6 “Chelsea's helmet”"]),
        ("the second panel", [f"{title}: {name}" for title, name in zip(
            PLACES, ("frame 2 “Commander”", "frame 2 “cabin”", "frame 2 “ground”"), strict=True)]),
        ("page 5", []),
        ("the last page with speed lines", [PLACES[1]]),
        ("the first page with a caption", [PLACES[0]]),
        ("the last page where the Commander says “Mars”", [PLACES[1]]),
        ("the page where Chelsea says “two stars”", [PLACES[2]]),
    ],
)  # fmt: skip
def test_a_phrase_about_the_demo_means_what_people_mean(text: str, found: list[str]) -> None:
    assert meant(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "the 0th panel on page 1",
        "第1页第0格",
        "倒数第0格",
        "page 1 and the last panel",
        "not page 1",
        "page 1 or page 4",
        "every page but page 1",
        "除了第1页",
        "the panel before the last",
        "the last page but one",
        "panel 2 of 6 on page 1",
        "the first last panel",
        "the first two panels of page 1",
        "page 1 page 4",
        "page 1 and",
        "page and page and page and panel and panel and panel and balloon and balloon and balloon",
        "page " * 80,
        "the panel left of the balloon",
        "页前第2格",
    ],
)
def test_a_phrase_that_could_be_taken_wrongly_is_not_taken_at_all(text: str) -> None:
    readings = read(text, {"chelsea", "the moon"})
    assert not readings.phrases
    assert readings.strange
