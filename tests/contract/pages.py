"""A page as plain dictionaries: what two agents do to it, and what a merge must make of that.

Nothing here comes from the kit: it says once more, in its own way, what edits and merges are to mean.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

Facts = dict[str, Any]
SPEAKERS = ("Chelsea", "Moon", "Commander")
COLOURS = ("#ffffff", "#ffeecc", "#cceeff")


@dataclass
class Page:
    """One unit on which nothing lies in anything else."""

    things: dict[str, Facts]
    """Facts of each thing by id, in the order of drawing."""
    reading: list[str] = field(default_factory=list)

    def copy(self) -> Page:
        """The same once more."""
        return deepcopy(self)

    @property
    def orders(self) -> tuple[list[str], list[str]]:
        """Both orders."""
        return list(self.things), list(self.reading)


@dataclass
class Edit:
    """An operation as it is sent, and what it does to a page."""

    op: str
    target: str
    args: Facts
    orders: bool = False
    """Whether it changes an order."""

    def on(self, page: Page, made: str = "") -> None:
        """Do it to a page; what it makes is called ``made``."""
        match self.op:
            case "narration.add":
                page.things[made] = {"kind": "narration", "name": self.args["name"], **_words(self.args)}
                page.reading.insert(page.reading.index(self.args["after"]) + 1, made)
            case "object.remove":
                del page.things[self.target]
                page.reading.remove(self.target)
            case "reading.set":
                page.reading = list(self.args["order"])
            case "reading.move":
                page.reading.remove(self.target)
                after = self.args["after"]
                page.reading.insert(0 if after is None else page.reading.index(after) + 1, self.target)
            case "object.order":
                facts = page.things.pop(self.target)
                rest = page.things
                page.things = (
                    {**rest, self.target: facts} if self.args["to"] == "front" else {self.target: facts, **rest}
                )
            case "object.move":
                _, _, width, height = page.things[self.target]["box"]
                page.things[self.target]["box"] = [*self.args["to"], width, height]
            case _:
                page.things[self.target] |= _words(self.args)


def _words(args: Facts) -> Facts:
    facts = {name: args[name] for name in ("text", "speaker", "name", "background", "description") if name in args}
    return {**facts, "box": list(args["rect"])} if "rect" in args else facts


def random_edit(page: Page, rng: random.Random, who: str, number: int, favourites: Iterable[str]) -> Edit:
    """Something that an agent does to a page as it knows it, and that changes it."""
    liked = [name for name in favourites if name in page.things] or list(page.things)
    while True:
        target = rng.choice(liked)
        edit = _edit(page, rng, f"{who} {number}", target)
        if edit is None:
            continue
        after = page.copy()
        edit.on(after, "new")
        if after != page or list(after.things) != list(page.things):
            return edit


def _edit(page: Page, rng: random.Random, words: str, target: str) -> Edit | None:
    kind = page.things[target]["kind"]
    lettered = kind != "frame"
    rect = [rng.randint(0, 80), rng.randint(0, 120), rng.randint(10, 25), rng.randint(8, 20)]
    others = [name for name in page.reading if name != target]
    match rng.choices(range(10), (22, 14, 24, 40, 10, 8, 8, 6, 8, 4))[0]:
        case 0 if lettered:
            return Edit(f"{kind}.set", target, {"text": rng.choice((words, words, "Yes!", "No."))})
        case 1:
            return Edit("object.rename", target, {"name": rng.choice((words, "left", "right"))})
        case 2 if kind == "balloon":
            return Edit("balloon.set", target, {"speaker": rng.choice(SPEAKERS)})
        case 3 if kind == "frame":
            looks = {"background": rng.choice(COLOURS)}
            return Edit(
                "frame.set", target, rng.choice((looks, {"description": words}, {**looks, "description": words}))
            )
        case 4 if kind in {"narration", "text"}:
            return Edit(f"{kind}.set", target, {"rect": rect, "text": words})
        case 5 if kind in {"narration", "text"}:
            return Edit("object.move", target, {"to": rect[:2]})
        case 6:
            args = {"text": words, "rect": rect, "name": words, "after": rng.choice(page.reading)}
            return Edit("narration.add", "", args, orders=True)
        case 7 if lettered and len(page.things) > 12:
            return Edit("object.remove", target, {}, orders=True)
        case 8 if rng.random() < 0.8:
            return Edit("reading.move", target, {"after": rng.choice((None, *others))}, orders=True)
        case 8:
            return Edit("reading.set", "", {"order": rng.sample(page.reading, len(page.reading))}, orders=True)
        case 9:
            return Edit("object.order", target, {"to": rng.choice(("front", "back"))}, orders=True)
    return None


@dataclass
class Merged:
    """What two sides come to."""

    things: dict[str, Facts]
    conflicts: set[tuple[str, str | None]]
    """Things and the facts of them that both sides changed, each in its own way; None: the whole thing."""


def merged(base: Page, ours: Page, theirs: Page) -> Merged:
    """Facts of what is on a page once theirs has come into ours: of each fact, whoever changed it has it."""
    found = Merged({}, set())
    for name in {**base.things, **ours.things, **theirs.things}:
        was, mine, other = (side.things.get(name) for side in (base, ours, theirs))
        if was is None:  # whoever added it has it
            found.things[name] = mine or other or {}
        elif mine is None or other is None:
            left = mine if mine is not None else other
            if left is not None and left != was:
                found.conflicts.add((name, None))
                if mine is not None:
                    found.things[name] = mine
        else:
            found.things[name] = {}
            for fact, before in was.items():
                here, there = mine[fact], other[fact]
                found.things[name][fact] = there if here == before else here
                if before not in (here, there) and here != there:
                    found.conflicts.add((name, fact))
    return found


def require_order(base: list[str], ours: list[str], theirs: list[str], result: list[str]) -> bool:
    """Hold a merged order to what it must be; whether both sides' turns could be had."""
    held = set(result)
    assert len(held) == len(result)
    common = [name for name in base if name in held and name in ours and name in theirs]
    before: dict[str, set[str]] = {name: set() for name in common}
    for first, second in itertools.combinations(common, 2):
        turned = any(side.index(first) > side.index(second) for side in (ours, theirs))
        before[first if turned else second].add(second if turned else first)
    try:
        wanted, whole = list(TopologicalSorter(before).static_order()), True
    except CycleError:
        wanted, whole = [name for name in ours if name in before], False
    assert [name for name in result if name in before] == wanted
    for side in (ours, theirs):
        kept = [name for name in side if name in held]
        for last, name in itertools.pairwise([None, *kept]):
            if name not in before:  # it comes after what it came after, with nothing but other new things between
                start = -1 if last is None else result.index(last)
                assert start < result.index(name)
                assert not before.keys() & set(result[start + 1 : result.index(name)])
    return whole


def choose(result: Mapping[str, Facts], side: Page, conflicts: Iterable[tuple[str, str | None]]) -> dict[str, Facts]:
    """What is on the page once a person took that side's for some conflicts."""
    found = {name: dict(facts) for name, facts in result.items()}
    for name, fact in conflicts:
        if fact is not None:
            found[name][fact] = side.things[name][fact]
        elif name in side.things:
            found[name] = dict(side.things[name])
        else:
            found.pop(name, None)
    return found
