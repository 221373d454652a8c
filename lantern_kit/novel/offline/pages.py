"""The stand-in's prose: a scene's paragraphs, as many as its unit has room for, with what they make true."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any

from lantern_kit.novel.content import Content
from lantern_kit.novel.count import count
from lantern_kit.novel.errors import NovelCapability
from lantern_kit.novel.model import MILLION, Scene, SceneState, Target, Unit
from lantern_kit.novel.offline.cast import sentences
from lantern_kit.novel.offline.script import Script, Take, fresh
from lantern_kit.novel.offline.tale import SceneText
from lantern_kit.novel.whole import Novel

_TRIES = 80
_SENTENCES = 3
"""In a paragraph that merely fills."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph that is to be written."""

    text: str
    facts: tuple[str, ...] = ()
    must: bool = False


@dataclass(frozen=True)
class Written:
    """What is to be committed."""

    paragraphs: list[str]
    content: Content


class Pages:
    """Writes one unit.

    Args:
        script, take: the tale's, and which scene of it.
        novel, unit, scene: as they stand.
        before: what of the scene is written already.
        taken: sentences of all prose so far; none of any length comes again.
    """

    def __init__(
        self,
        script: Script,
        take: Take,
        novel: Novel,
        unit: Unit,
        scene: Scene,
        before: str,
        taken: Collection[str],
    ) -> None:
        self._script = script
        self._cast = script.cast
        self._take = take
        self._novel = novel
        self._unit = unit
        self._scene = scene
        self._before = before
        self._taken = taken
        self._aimed = isinstance(novel.config.length, Target)

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

    @cached_property
    def _all(self) -> list[Paragraph]:
        """The scene's paragraphs as the tale has them, in words that stand nowhere yet."""
        made = []
        for number, piece in enumerate(self._take.scene.pieces):
            if not piece.lore:
                text = self._fresh(partial(self._take.piece, self._cast, number))
                made.append(Paragraph(text, tuple(self._take.facts(self._cast, number)), piece.must))
            elif (told := self._lore(piece.text)) is not None:
                made.append(told)
        if self._take.cue.name.startswith("interlude ") and (
            told := self._lore(self._cast.tale.story["interlude lore"])
        ):
            made.append(told)
        return made

    def _fresh(self, make: Callable[[int], str]) -> str:
        return fresh(make, self._before, self._taken)

    def _lore(self, text: str) -> Paragraph | None:
        """What somebody says of the world, out of the book: each sentence of it once."""
        kind, _, number = self._take.cue.name.partition(" ")
        places = [at for at, cue in enumerate(self._script.beats) for item in cue.section.scenes if _told_of(item)]
        at = len(places) + int(number) - 1 if kind == "interlude" else places.index(int(number))
        lore = self._cast.lore[at : at + 1]
        return Paragraph(self._cast.fill(text, self._cast.dice("lore", at), lore=lore[0])) if lore else None

    def _echo(self) -> Paragraph | None:
        """How something shows that was asked for, is in force and was told of: in every other scene, each in turn."""
        last = list(self._novel.chapters)[-1]
        ends = self._unit.chapter == last and self._scene.id == self._novel.chapter(last).scenes[-1].id
        if self._unit.part > 1 or ends or self._take.cue.name.startswith("asked "):
            return None
        done = {
            scene.goal
            for chapter in self._novel.chapters.values()
            for scene in chapter.scenes
            if scene.state is SceneState.DONE
        }
        cues = [self._script.asked(item) for item in self._novel.instructions.values() if item.in_force]
        told = [cue for cue in cues if Take(cue, 0).field(self._cast, "goal") in done]
        turn = self._unit.number % (len(told) + 1)
        if turn == len(told):
            return None
        cue = told[turn]
        dice = self._cast.dice(cue.name, "echo", self._unit.number)
        texts = dice.sample(cue.section.echo, len(cue.section.echo))
        return Paragraph(
            self._fresh(lambda roll: cue.told(self._cast, texts[roll % len(texts)], "echo", self._unit.number, roll))
        )

    def _needed(self, most: int) -> tuple[list[Paragraph], bool]:
        """What must be told and is not yet, and whether that is all of it; in brief where there is no room for more."""
        held = [item for item in self._all if item.must and item.text not in self._before]
        brief = None if self._before else self._brief()
        size = self._size(held)
        if brief is not None:
            short = self._size([brief])
            tight = self._aimed and 2 * self._fair < short + size
            if tight or (size > most and self._aimed and self._fair < size) or self._size(held[:1]) > most:
                return [brief], True
        fits = 1
        while fits < len(held) and self._size(held[: fits + 1]) <= most:
            fits += 1
        return held[:fits], fits >= len(held)

    def _brief(self) -> Paragraph | None:
        if self._take.brief(self._cast) is None:
            return None
        text = self._fresh(lambda roll: self._take.brief(self._cast, roll) or "")
        return Paragraph(text, tuple(fact for item in self._all for fact in item.facts), must=True)

    def _filled(self, chosen: list[Paragraph], most: int, dice: random.Random) -> list[Paragraph]:
        """The same with what may be told, and an interlude with what fills it, up to its length."""
        wanted = min(most, self._fair) if self._aimed and not self._ample else most
        size, made = self._size(chosen), list(chosen)
        echo = self._echo()
        if echo is not None and size + self._size([echo]) <= most:
            made.insert(0, echo)
            size += self._size([echo])
        order = [item.text for item in self._all]
        if any(item.text in order for item in chosen):
            for item in self._all:
                if item.must or item.text in self._before or size + self._size([item]) > wanted:
                    continue
                at = order.index(item.text)
                later = [place for place, other in enumerate(made) if other.text in order[at + 1 :]]
                made.insert(min(later, default=len(made)), item)
                size += self._size([item])
        if not self._take.cue.name.startswith(("interlude ", "after ")):
            return made
        wanted = wanted if self._aimed else min(most, int(self._cast.tale.story["aside"]))
        for lines in islice(self._fillers(dice), _TRIES):
            if made and size >= wanted * 19 // 20:
                break
            told = self._new(lines, dice, wanted - size, {part for other in made for part in sentences(other.text)})
            if told:
                made.insert(len(made) - self._take.cue.name.startswith("after "), Paragraph(told))
                size += self._size([Paragraph(told)])
        return made

    @property
    def _ample(self) -> bool:
        """Whether a scene of the tale's own may be as long as it is: interludes of its chapter make up for that."""
        chapter, last = self._novel.chapter(self._unit.chapter), list(self._novel.chapters)[-1]
        takes = [self._script.find(scene.goal, self._novel) for scene in chapter.scenes]
        own = not self._take.cue.name.startswith("interlude ")
        return own and chapter.id != last and any(take and take.cue.name.startswith("interlude ") for take in takes)

    @property
    def _fair(self) -> int:
        """The length that the unit's range was set round."""
        shares, unit = self._novel.config.shares, self._unit
        return unit.low * MILLION // shares.low if shares.low else (unit.low + unit.high) // 2

    def _fillers(self, dice: random.Random) -> Iterator[list[str]]:
        """A few lines about one thing, then about another; each comes once before any comes again."""
        while True:
            groups = [dice.sample(group, len(group)) for group in self._cast.tale.filler]
            while any(groups):
                for group in dice.sample(groups, len(groups)):
                    yield [group.pop() for _ in range(min(_SENTENCES, len(group)))]

    def _new(self, lines: Sequence[str], dice: random.Random, room: int, here: Collection[str]) -> str:
        """A paragraph of those of some lines that give sentences new in the novel, as far as there is room."""
        between, told = "" if self._cast.language == "zh" else " ", ""
        for line in lines:
            text = self._cast.fill(line, dice)
            longer = f"{told}{between}{text}".strip()
            if text not in self._taken and text not in here and self._size([Paragraph(longer)]) <= room:
                told = longer
        return told

    def _size(self, items: list[Paragraph]) -> int:
        return sum(count(item.text, policy=self._novel.config.count_policy).effective for item in items)

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
            scene = {"done": False, "remaining": told, "anchor": sentences(chosen[-1].text)[-1]}
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
        held = next((item.id for item in self._novel.people.values() if item.name == figure.name), None)
        if held is None:
            raise NovelCapability(
                f"the offline stand-in tells of its own people alone, and {figure.name} is not in this outline",
                ids=[self._novel.head.id],
                recovery="Have a model go on with an outline that it did not make.",
            )
        return held


def _told_of(scene: SceneText) -> bool:
    """Whether somebody speaks of what the book holds."""
    return any(piece.lore for piece in scene.pieces)
