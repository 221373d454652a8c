"""The stand-in's script: which scenes a novel has, chapter by chapter, and which of them a planned scene is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from lantern_kit.novel.model import Chapter, Instruction
from lantern_kit.novel.offline.asked import understood
from lantern_kit.novel.offline.cast import Cast, sentences
from lantern_kit.novel.offline.tale import SceneText, Section
from lantern_kit.novel.whole import Novel

_ROLLS = 24
_OFTEN = 8
"""Characters up to which a sentence may well come again."""


@dataclass(frozen=True)
class Cue:
    """A section of the tale at one place of the novel."""

    name: str
    """``beat 3``, ``interlude 2``, ``asked 4``."""
    section: Section
    more: Mapping[str, str]
    """What this place puts in: its number, who and what an instruction is of."""

    @property
    def apart(self) -> bool:
        """Whether it is none of the tale's own beats."""
        return not self.name.startswith("beat ")

    def told(self, cast: Cast, text: str, *key: object) -> str:
        """A text of the section as it stands here."""
        return cast.fill(text, cast.dice(self.name, *key), **self.more)

    def title(self, cast: Cast) -> str:
        """Of a chapter of it."""
        titles = self.section.titles if "title" not in self.section.fields else [self.section.fields["title"]]
        made = self.told(cast, cast.dice(self.name, "which").choice(titles), "title")
        return made[:1].upper() + made[1:]

    def event(self, cast: Cast) -> str:
        """What happens, in a sentence."""
        return self.told(cast, self.section.fields["event"], "event")


@dataclass(frozen=True)
class Take:
    """A scene of a cue."""

    cue: Cue
    place: int

    @property
    def scene(self) -> SceneText:
        """As the tale has it."""
        return self.cue.section.scenes[self.place]

    def field(self, cast: Cast, name: str) -> str:
        """One of its fields as it stands here."""
        return self.cue.told(cast, self.scene.fields[name], self.place, name)

    def piece(self, cast: Cast, number: int, roll: int = 0) -> str:
        """One of its paragraphs; another roll gives other words where there is a choice."""
        return self.cue.told(cast, self.scene.pieces[number].text, self.place, number, *([roll] if roll else []))

    def brief(self, cast: Cast, roll: int = 0) -> str | None:
        """All of it in a sentence or two; None: it has no such form."""
        text = self.scene.fields.get("brief")
        return None if text is None else self.cue.told(cast, text, self.place, "brief", *([roll] if roll else []))

    def facts(self, cast: Cast, number: int) -> list[str]:
        """What one of its paragraphs makes true."""
        dice = cast.dice(self.cue.name, self.place, number, "facts")
        return [cast.put_in(fact, dice, **self.cue.more) for fact in self.scene.pieces[number].facts]

    def musts(self, cast: Cast) -> list[str]:
        """The paragraphs that have to be told."""
        return [self.piece(cast, number) for number, piece in enumerate(self.scene.pieces) if piece.must]


def fresh(make: Callable[[int], str], before: str, taken: Collection[str]) -> str:
    """Of the words that could stand somewhere, the first that stand nowhere yet, or there already."""
    for roll in range(_ROLLS):
        text = make(roll)
        if text in before or not any(part in taken for part in sentences(text) if len(part) > _OFTEN):
            return text
    return make(0)


def scenes_of(cues: Iterable[Cue]) -> list[Take]:
    """All scenes of some sections, in order."""
    return [Take(cue, place) for cue in cues for place in range(len(cue.section.scenes))]


class Script:
    """The tale spread over the chapters of a novel."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.beats = [Cue(f"beat {at}", beat, {}) for at, beat in enumerate(cast.tale.beats)]
        self._apart = {name: cast.tale.sorts(name) for name in ("interlude", "after")}
        self._asked: dict[str, Cue] = {}
        self._events: dict[str, Cue] = {}
        self._goals: dict[str, Take] = {}
        self._numbers = 0
        self._know(self.beats)

    def chapters(self, count: int) -> list[list[Cue]]:
        """What each of some chapters tells; where there are more chapters than beats, others stand between them."""
        beats = len(self.beats)
        if count <= beats:
            return [self.beats[at * beats // count : (at + 1) * beats // count] for at in range(count)]
        place = {round(at * (count - 1) / (beats - 1)): cue for at, cue in enumerate(self.beats)}
        made: list[list[Cue]] = []
        between = 0
        for at in range(count):
            if at not in place:
                between += 1
            made.append([place[at] if at in place else self.numbered("interlude", between)])
        return made

    def numbered(self, name: str, number: int) -> Cue:
        """An interlude, or an evening after it all."""
        sorts = self._apart[name]
        return Cue(f"{name} {number}", sorts[(number + self.cast.seed) % len(sorts)], {"k": str(number)})

    def asked(self, instruction: Instruction) -> Cue:
        """What an instruction asks for."""
        if instruction.id not in self._asked:
            section, more = understood(self.cast, instruction)
            self._asked[instruction.id] = Cue(f"asked {instruction.sequence}", section, more)
            self._know([self._asked[instruction.id]])
        return self._asked[instruction.id]

    def of(self, chapter: Chapter, novel: Novel) -> list[Take]:
        """The scenes that a chapter was planned with, by its events."""
        self._bring_up(novel)
        return scenes_of(self._events[event] for event in chapter.events if event in self._events)

    def find(self, goal: str, novel: Novel) -> Take | None:
        """The scene that a goal is of; None: of none of the tale's."""
        self._bring_up(novel)
        return self._goals.get(goal)

    def _bring_up(self, novel: Novel) -> None:
        """Know all that this novel can have of the tale by now."""
        for item in novel.instructions.values():
            self.asked(item)
        most = 2 + len(novel.chapters) + sum(len(chapter.scenes) for chapter in novel.chapters.values())
        for number in range(self._numbers + 1, most + 1):
            self._know([self.numbered("interlude", number), self.numbered("after", number)])
        self._numbers = max(self._numbers, most)

    def _know(self, cues: Iterable[Cue]) -> None:
        for cue in cues:
            self._events[cue.event(self.cast)] = cue
            for take in scenes_of([cue]):
                self._goals[take.field(self.cast, "goal")] = take
