"""Ways in which two sides can meet, and what a merge makes of each; docs/review.md says the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from lantern_kit.comic.book import Book
from lantern_kit.comic.merge import merge
from lantern_kit.comic.validate import validate_book
from tests.comic.operations import CAT, CUT, MOON, Desk

Side = Callable[["Scene"], None]


class Scene(Desk):
    """A chapter under edit by one side: a page of two frames, a second page, a spread."""

    def __init__(self, book: Book, names: dict[str, str], start: int) -> None:
        super().__init__(book)
        self.names = dict(names)
        self.ids.count = start

    def __getitem__(self, name: str) -> str:
        return self.names[name]

    def run(self, op: str, target: str | None = None, /, **args: object) -> None:
        """An operation on a thing by its name; what it makes is called ``new`` of this side."""
        self.names["new"] = self.one(op, None if target is None else self.names[target], **args)

    def has(self, name: str) -> bool:
        return any(self.names[name] in unit.index or self.names[name] == unit.id for unit in self.book.units())


class Outcome(Scene):
    """The merged chapter beside the work's side."""

    mine: Scene


def scene() -> Scene:
    made = Scene(Desk().book, {}, 0)
    names = made.names
    for name in ("page", "second"):
        names[name] = made.one("unit.add")
    names["spread"] = made.one("unit.add", kind="spread", gutter=4)
    names["frame"] = made.one("frame.add", names["page"], rect=[8, 8, 89, 60])
    names["other"] = made.one("frame.add", names["page"], rect=[8, 74, 89, 60])
    names["image"] = made.one("image.place", names["frame"], asset=CAT)
    names["balloon"] = made.one("balloon.add", names["frame"], text="Up.", at=[40, 30])
    names["title"] = made.one("text.add", names["page"], text="UP", at=[50, 71])
    names["far"] = made.one("balloon.add", names["spread"], text="Far.", at=[160, 30])
    names["near"] = made.one("balloon.add", names["spread"], text="Near.", at=[40, 30])
    return made


@dataclass(frozen=True)
class Case:
    """What each side did since, and what comes of it."""

    ours: str
    theirs: str
    outcome: str
    conflicts: tuple[str, ...]
    """``thing.property``, or the bare thing; *new* is what the proposal made."""
    mine: Side
    other: Side
    holds: Callable[[Outcome], bool]
    """Of the merged chapter; ``their`` holds what the proposal made."""


def bound(scene: Scene) -> None:
    scene.run("foreground.bind", "image", asset=CUT)


def turned(*order: str) -> Side:
    return lambda it: it.run("reading.set", "page", order=[it[name] for name in order])


CASES = (
    Case(
        "words of a balloon changed", "its speaker changed", "both", (),
        lambda it: it.run("balloon.set", "balloon", text="Down."),
        lambda it: it.run("balloon.set", "balloon", speaker="Cat"),
        lambda it: (it.get(it["balloon"]).text, it.get(it["balloon"]).speaker) == ("Down.", "Cat"),
    ),
    Case(
        "words changed", "the same words changed otherwise", "the work's words", ("balloon.text",),
        lambda it: it.run("balloon.set", "balloon", text="Down."),
        lambda it: it.run("balloon.set", "balloon", text="Left."),
        lambda it: it.get(it["balloon"]).text == "Down.",
    ),
    Case(
        "words changed", "changed to the same words", "those words", (),
        lambda it: it.run("balloon.set", "balloon", text="Down."),
        lambda it: it.run("balloon.set", "balloon", text="Down."),
        lambda it: it.get(it["balloon"]).text == "Down.",
    ),
    Case(
        "balloon moved", "moved elsewhere", "the work's place", ("balloon.box",),
        lambda it: it.run("object.move", "balloon", by=[5, 0]),
        lambda it: it.run("object.move", "balloon", by=[0, 5]),
        lambda it: it.get(it["balloon"]).box.centre == (45_000, 30_000),
    ),
    Case(
        "balloon moved", "its words changed", "both", (),
        lambda it: it.run("object.move", "balloon", by=[5, 0]),
        lambda it: it.run("balloon.set", "balloon", text="Left."),
        lambda it: (it.get(it["balloon"]).text, it.get(it["balloon"]).box.centre[0]) == ("Left.", 45_000),
    ),
    Case(
        "balloon moved", "removed", "it stays, moved", ("balloon",),
        lambda it: it.run("object.move", "balloon", by=[5, 0]),
        lambda it: it.run("object.remove", "balloon"),
        lambda it: it.get(it["balloon"]).box.centre[0] == 45_000,
    ),
    Case(
        "balloon removed", "moved", "it stays away", ("balloon",),
        lambda it: it.run("object.remove", "balloon"),
        lambda it: it.run("object.move", "balloon", by=[5, 0]),
        lambda it: not it.has("balloon"),
    ),
    Case(
        "balloon removed", "removed too", "it is gone", (),
        lambda it: it.run("object.remove", "balloon"),
        lambda it: it.run("object.remove", "balloon"),
        lambda it: not it.has("balloon"),
    ),
    Case(
        "frame removed", "words of a balloon in it changed", "frame and balloon stay away", ("balloon",),
        lambda it: it.run("frame.remove", "frame"),
        lambda it: it.run("balloon.set", "balloon", text="Left."),
        lambda it: not it.has("frame") and not it.has("balloon"),
    ),
    Case(
        "words of a balloon in a frame changed", "the frame removed", "both stay, with what else lay in it",
        ("balloon", "frame", "image"),
        lambda it: it.run("balloon.set", "balloon", text="Down."),
        lambda it: it.run("frame.remove", "frame"),
        lambda it: it.get(it["balloon"]).text == "Down." and it.has("image"),
    ),
    Case(
        "frame removed", "a balloon added in it", "the frame stays away, the balloon waits", ("new",),
        lambda it: it.run("frame.remove", "frame"),
        lambda it: it.run("balloon.add", "frame", text="New", at=[60, 50]),
        lambda it: not it.has("frame") and not it.has("their"),
    ),
    Case(
        "frame cut in two", "a balloon added in it", "both, the balloon in the part that is the frame still", (),
        lambda it: it.run("frame.cut", "frame", line=[[52, 8], [52, 68]], gutter=4),
        lambda it: it.run("balloon.add", "frame", text="New", at=[25, 50]),
        lambda it: it.get(it["their"]).parent == it["frame"] and len(it.home(it["frame"]).children(it["page"])) == 4,
    ),
    Case(
        "frame cut in two", "cut along another line", "the work's cut; the other part of the proposal's comes too",
        ("frame.shape",),
        lambda it: it.run("frame.cut", "frame", line=[[52, 8], [52, 68]], gutter=4),
        lambda it: it.run("frame.cut", "frame", line=[[8, 38], [97, 38]], gutter=4),
        lambda it: it.get(it["frame"]).shape == it.mine.get(it["frame"]).shape,
    ),
    Case(
        "frame reshaped", "its border changed", "both", (),
        lambda it: it.run("frame.reshape", "frame", rect=[8, 8, 60, 60]),
        lambda it: it.run("frame.set", "frame", border={"width": 1}),
        lambda it: it.get(it["frame"]).border.width == 1_000
        and it.get(it["frame"]).shape == it.mine.get(it["frame"]).shape,
    ),
    Case(
        "picture replaced", "its focus moved", "both", (),
        lambda it: it.run("image.replace", "image", asset=MOON),
        lambda it: it.run("image.adjust", "image", focus=[0.2, 0.2]),
        lambda it: (it.get(it["image"]).asset, it.get(it["image"]).placement.focus) == (MOON, (200_000, 200_000)),
    ),
    Case(
        "foreground bound to a picture", "the picture replaced", "the work's picture with its foreground",
        ("image.asset",),
        bound,
        lambda it: it.run("image.replace", "image", asset=MOON),
        lambda it: it.get(it["image"]).asset == CAT and len(it.home(it["image"]).children(it["image"])) == 1,
    ),
    Case(
        "picture replaced", "a foreground bound to the old one", "the new picture; the foreground waits", ("new",),
        lambda it: it.run("image.replace", "image", asset=MOON),
        bound,
        lambda it: it.get(it["image"]).asset == MOON and not it.has("their"),
    ),
    Case(
        "foreground bound", "another bound to the same picture", "the work's foreground", ("new",),
        bound,
        bound,
        lambda it: len(it.home(it["image"]).children(it["image"])) == 1 and not it.has("their"),
    ),
    Case(
        "frame brought to the front", "another object sent to the back", "both turns", (),
        lambda it: it.run("object.order", "frame", to="front"),
        lambda it: it.run("object.order", "title", to="back"),
        lambda it: [x.id for x in it.home(it["frame"]).objects][::len(it.home(it["frame"]).objects) - 1]
        == [it["title"], it["frame"]],
    ),
    Case(
        "reading order turned", "turned against that", "the work's order", ("page.reading",),
        turned("balloon", "frame", "other", "title"),
        turned("frame", "other", "balloon", "title"),
        lambda it: it.get(it["page"]).reading[0] == it["balloon"],
    ),
    Case(
        "reading order turned", "a balloon added", "the work's order, the new balloon after what it followed", (),
        turned("other", "frame", "balloon", "title"),
        lambda it: it.run("balloon.add", "frame", text="New", at=[60, 50], after=it["balloon"]),
        lambda it: it.get(it["page"]).reading
        == (it["other"], it["frame"], it["balloon"], it["their"], it["title"]),
    ),
    Case(
        "balloon added in a frame", "another added there", "both, the work's first", (),
        lambda it: it.run("balloon.add", "frame", text="Mine", at=[20, 50]),
        lambda it: it.run("balloon.add", "frame", text="Theirs", at=[60, 50]),
        lambda it: [x.text for x in it.home(it["frame"]).children(it["frame"]) if x.kind == "balloon"]
        == ["Up.", "Mine", "Theirs"],
    ),
    Case(
        "spread split into pages", "words on its far page changed", "the words are on the new page", (),
        lambda it: it.run("spread.split", "spread"),
        lambda it: it.run("balloon.set", "far", text="Left."),
        lambda it: it.get(it["far"]).text == "Left." and it.home(it["far"]).id != it.home(it["near"]).id,
    ),
    Case(
        "words on a page changed", "the page joined with the next into a spread", "the words are on the spread", (),
        lambda it: it.run("balloon.set", "balloon", text="Down."),
        lambda it: it.run("spread.join", "page", **{"with": it["second"]}),
        lambda it: it.get(it["balloon"]).text == "Down." and len(it.home(it["balloon"]).surfaces) == 2,
    ),
    Case(
        "gutter of a spread widened", "widened more", "the work's gutter and sheet, and what moved with them",
        ("spread.gutter", "spread.surfaces", "far.box"),
        lambda it: it.run("unit.set", "spread", gutter=6),
        lambda it: it.run("unit.set", "spread", gutter=8),
        lambda it: it.get(it["spread"]).gutter == 6_000,
    ),
    Case(
        "page moved to the end", "words on it changed", "both", (),
        lambda it: it.run("unit.move", "page", to="last"),
        lambda it: it.run("balloon.set", "balloon", text="Left."),
        lambda it: it.book.order[-1] == it["page"] and it.get(it["balloon"]).text == "Left.",
    ),
    Case(
        "first page moved behind the second", "the second moved behind the third, the first staying before it",
        "the work's order", ("chapter.units",),
        lambda it: it.run("unit.move", "page", after=it["second"]),
        lambda it: it.run("unit.move", "second", to="last"),
        lambda it: it.book.order == (it["second"], it["page"], it["spread"]),
    ),
    Case(
        "page removed", "words on it changed", "the page stays away", ("balloon",),
        lambda it: it.run("unit.remove", "page"),
        lambda it: it.run("balloon.set", "balloon", text="Left."),
        lambda it: not it.has("page"),
    ),
    Case(
        "words on a page changed", "the page removed", "the page stays, with all that was on it", ("balloon", "page"),
        lambda it: it.run("balloon.set", "balloon", text="Down."),
        lambda it: it.run("unit.remove", "page"),
        lambda it: it.get(it["page"]) == it.mine.get(it["page"]),
    ),
    Case(
        "title of the chapter changed", "changed otherwise", "the work's title", ("chapter.title",),
        lambda it: it.run("chapter.set", title="Mine"),
        lambda it: it.run("chapter.set", title="Theirs"),
        lambda it: it.book.chapter.title == "Mine",
    ),
    Case(
        "picture replaced", "a face marked in the old one", "the new picture; the mark waits", ("image.marks",),
        lambda it: it.run("image.replace", "image", asset=MOON),
        lambda it: it.run("image.mark", "image", marks=[{"kind": "face", "area": [0, 0, 0.5, 0.5]}]),
        lambda it: (it.get(it["image"]).asset, it.get(it["image"]).marks) == (MOON, ()),
    ),
    Case(
        "face marked in a picture", "the picture replaced", "the old picture with its mark", ("image.asset",),
        lambda it: it.run("image.mark", "image", marks=[{"kind": "face", "area": [0, 0, 0.5, 0.5]}]),
        lambda it: it.run("image.replace", "image", asset=MOON),
        lambda it: (it.get(it["image"]).asset, len(it.get(it["image"]).marks)) == (CAT, 1),
    ),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.ours} - {case.theirs}".replace(" ", "_"))
def test_a_merge_case_comes_out_as_the_table_says(case: Case) -> None:
    base = scene()
    ours, theirs = Scene(base.book, base.names, 1_000), Scene(base.book, base.names, 2_000)
    case.mine(ours)
    case.other(theirs)
    merged = merge(base.book, ours.book, theirs.book)
    names = {name: what for what, name in base.names.items()} | {base.book.chapter.id: "chapter"}
    names.setdefault(theirs.names.get("new", ""), "new")
    found = {names[c.object] + (f".{c.property}" if c.property else "") for c in merged.conflicts}
    assert found == {*case.conflicts}
    assert validate_book(merged.book) == ()
    outcome = Outcome(merged.book, {**base.names, "their": theirs.names.get("new", "")}, 3_000)
    outcome.mine = ours
    assert case.holds(outcome)


def rows() -> list[tuple[str, ...]]:
    """The table that the cases make."""
    return [
        (str(number), case.ours, case.theirs, case.outcome, ", ".join(f"`{name}`" for name in case.conflicts) or "–")
        for number, case in enumerate(CASES, 1)
    ]


def test_the_page_on_review_has_the_same_table(root: Path) -> None:
    text = (root / "docs" / "review.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| \d+ .*$", text, re.MULTILINE)
    written = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    assert written == rows()


def test_no_case_is_told_twice() -> None:
    assert len(CASES) == len({(case.ours, case.theirs) for case in CASES}) == 32
