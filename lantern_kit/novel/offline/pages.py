"""The stand-in's prose: a scene's paragraphs, as many as its unit has room for, with what they make true."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from lantern_kit.novel.content import Content
from lantern_kit.novel.count import count
from lantern_kit.novel.model import MILLION, Scene, Target, Unit
from lantern_kit.novel.offline.cast import Cast, sentences
from lantern_kit.novel.offline.script import Take
from lantern_kit.novel.whole import Novel

_TRIES = 80
_LORE = (1, 2, 3, 4, 5, 8)
"""Beats in whose first scenes somebody speaks of what the book holds."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph that is to be written."""

    text: str
    facts: tuple[str, ...] = ()
    must: bool = False

    @property
    def key(self) -> str:
        """Its last sentence: what is written is known by it, and short prose makes do with it."""
        return sentences(self.text)[-1]

    def size(self, policy: int) -> int:
        """Effective characters."""
        return count(self.text, policy=policy).effective


@dataclass(frozen=True)
class Written:
    """What is to be committed."""

    paragraphs: list[str]
    content: Content


class Pages:
    """Writes one unit.

    Args:
        cast, take: the tale's, and which scene of it.
        novel, unit, scene: as they stand.
        before: what of the scene is written already.
        taken: paragraphs of all prose so far; none comes again.
    """

    def __init__(
        self,
        cast: Cast,
        take: Take,
        novel: Novel,
        unit: Unit,
        scene: Scene,
        before: str,
        taken: Collection[str],
    ) -> None:
        self._cast = cast
        self._take = take
        self._novel = novel
        self._unit = unit
        self._scene = scene
        self._before = before
        self._taken = taken
        self._policy = novel.config.count_policy

    def write(self, most: int, attempt: int) -> Written:
        """The unit's prose.

        Args:
            most: effective characters at most, where that can be held at all.
            attempt: another one gives other words where the tale leaves any choice.
        """
        dice = self._cast.dice(self._take.cue.name, self._take.place, self._unit.part, attempt)
        most = min(most, self._unit.high)
        chosen, done = self._needed(most)
        if done:
            chosen = self._filled(chosen, most, dice)
        return Written([item.text for item in chosen], self._content(chosen, done=done))

    # what is told

    def _all(self) -> list[Paragraph]:
        held = [Paragraph(text, tuple(facts), must) for text, must, facts in self._take.pieces(self._cast)]
        told = self._lore()
        return held if told is None else [*held[:1], told, *held[1:]]

    def _lore(self) -> Paragraph | None:
        """What somebody says of the world, out of the book: each sentence of it once."""
        kind, _, number = self._take.cue.name.partition(" ")
        lore = self._cast.lore
        if not lore or self._take.place:
            return None
        at = _LORE.index(int(number)) if kind == "beat" and int(number) in _LORE else None
        if kind == "interlude":
            at = len(_LORE) + int(number) - 1
        if at is None or at >= len(lore):
            return None
        text = self._cast.tale.story["lore"]
        return Paragraph(self._cast.fill(text, self._cast.dice("lore", at), lore=lore[at]))

    def _needed(self, most: int) -> tuple[list[Paragraph], bool]:
        """What must be told and is not yet, in as few words as the room asks for; and whether that is all of it."""
        held = [item for item in self._all() if item.must and item.key not in self._before]
        if not held:  # told to its end already, and asked for more: the place says something
            return [], True
        wanted = min(most, self._fair) if isinstance(self._novel.config.length, Target) else most
        short = list(held)
        for place, item in enumerate(held):
            if self._size(short) <= wanted:
                return short, True
            short[place] = replace(item, text=item.key)
        if self._size(short) <= most:
            return short, True
        fits = 1
        while fits < len(short) and self._size(short[: fits + 1]) <= most:
            fits += 1
        return short[:fits], fits == len(short)

    def _filled(self, chosen: list[Paragraph], most: int, dice: random.Random) -> list[Paragraph]:
        """The same with what may be told, and then with what merely fills, up to a fair length."""
        wanted = max(1, min(self._fair, most))
        keys = {item.key for item in chosen}
        size, made = self._size(chosen), list(chosen)
        for place, item in enumerate(self._all()):
            if item.must or item.text in self._before or item.text in self._taken or size + item.size(1) > wanted:
                continue
            later = [self._at(made, other) for other in self._all()[place + 1 :] if other.key in keys]
            made.insert(min([at for at in later if at is not None], default=len(made)), item)
            size += item.size(self._policy)
        least = max(self._unit.low, wanted * 9 // 10)
        for tries in range(_TRIES):
            if size >= least and made:
                break
            item = self._filler(dice, pair=tries % 4 != 3)
            if size + item.size(self._policy) > max(most, 1) and made:
                continue
            if item.text in self._taken or any(item.text == other.text for other in made):
                continue
            made.insert(dice.randint(min(1, len(made)), max(min(1, len(made)), len(made) - 1)), item)
            size += item.size(self._policy)
        return made

    @property
    def _fair(self) -> int:
        """The length that the unit's range was set round."""
        shares, unit = self._novel.config.shares, self._unit
        return unit.low * MILLION // shares.low if shares.low else (unit.low + unit.high) // 2

    def _at(self, made: list[Paragraph], wanted: Paragraph) -> int | None:
        return next((at for at, item in enumerate(made) if item.key == wanted.key), None)

    def _filler(self, dice: random.Random, *, pair: bool) -> Paragraph:
        lines = dice.sample(self._cast.tale.filler, 2 if pair else 1)
        between = "" if self._cast.language == "zh" else " "
        return Paragraph(between.join(self._cast.fill(line, dice) for line in lines))

    def _size(self, items: list[Paragraph]) -> int:
        return sum(item.size(self._policy) for item in items)

    # what it makes true

    def _content(self, chosen: list[Paragraph], *, done: bool) -> Content:
        facts: dict[str, list[dict[str, Any]]] = {}
        if self._unit.part == 1 and self._scene.place:
            facts["states"] = [
                {"person": who, "aspect": "place", "value": self._scene.place, "at": 0} for who in self._scene.people
            ]
        for number, item in enumerate(chosen):
            for fact in item.facts:
                self._fact(facts, fact, number)
        goal = self._scene.goal
        scene: dict[str, Any] = {"done": True, "evidence": self._scene.change or goal}
        if not done:
            told = self._cast.fill(self._cast.tale.story["open"], self._cast.dice("open"), goal=goal)
            scene = {"done": False, "remaining": told, "anchor": chosen[-1].key}
        return Content.model_validate({"scene": scene, "facts": facts})

    def _fact(self, facts: dict[str, list[dict[str, Any]]], fact: str, at: int) -> None:
        head, _, told = fact.partition(": ")
        sort, *words = head.split(" ")
        if sort == "event":
            made: dict[str, Any] = {"what": self._scene.change, "people": list(self._scene.people), "at": at}
            facts.setdefault("events", []).append(made)
        elif sort == "know":
            who = "reader" if words[0] == "reader" else self._person(words[0])
            facts.setdefault("knowledge", []).append({"who": who, "what": told, "at": at})
        elif sort == "rel":
            one, other = map(self._person, words)
            facts.setdefault("relations", []).append({"person": one, "to": other, "what": told, "at": at})
        elif sort == "state":
            person, aspect = words[:2]
            value = fact.partition(" = ")[2]
            made = {"person": self._person(person), "aspect": aspect, "value": value, "at": at}
            facts.setdefault("states", []).append(made)
        elif sort == "var":
            made = {"name": words[0], "value": int(words[-1]), "at": at}
            facts.setdefault("variables", []).append(made)
        else:
            self._moved(facts, sort, words[0], at)

    def _moved(self, facts: dict[str, list[dict[str, Any]]], sort: str, name: str, at: int) -> None:
        """A foreshadow planted or taken up, if it is still there for that."""
        what = self._cast.fill(
            self._cast.tale.story[f"foreshadow {name}"], self._cast.dice("story", f"foreshadow {name}")
        )
        wanted = ("planned", "planted") if sort == "plant" else ("planted", "resolved")
        held = next(
            (item for item in self._novel.foreshadows.values() if (item.what, item.state.value) == (what, wanted[0])),
            None,
        )
        if held is not None:
            facts.setdefault("foreshadows", []).append({"foreshadow": held.id, "move": wanted[1], "at": at})

    def _person(self, part: str) -> str:
        figure = next(item for item in self._cast.figures if item.part == part)
        return next(item.id for item in self._novel.people.values() if item.name == figure.name)
