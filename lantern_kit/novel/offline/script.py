"""The stand-in's script: which scenes a novel has, chapter by chapter, and which of them a planned scene is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lantern_kit.novel.model import Chapter, Instruction
from lantern_kit.novel.offline.cast import Cast, plain
from lantern_kit.novel.offline.tale import SceneText, Section

_WORDS = 160
"""Characters of an instruction that plan and prose take up."""


@dataclass(frozen=True)
class Cue:
    """A section of the tale at one place of the novel."""

    name: str
    """``beat 3``, ``interlude 2``, ``asked 4``."""
    section: Section
    more: Mapping[str, str]
    """What this place puts in: its number, an instruction's words."""

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

    def goal(self, cast: Cast, place: int) -> str:
        """Of one of its scenes."""
        return self.told(cast, self.section.scenes[place].fields["goal"], place, "goal")


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

    def pieces(self, cast: Cast) -> list[tuple[str, bool, list[str]]]:
        """Its paragraphs in order: text, whether it must be told, what it makes true."""
        made = []
        for number, piece in enumerate(self.scene.pieces):
            text = self.cue.told(cast, piece.text, self.place, number)
            dice = cast.dice(self.cue.name, self.place, number, "facts")
            facts = [cast.put_in(fact, dice, **self.cue.more) for fact in piece.facts]
            made.append((text, piece.must, facts))
        return made


class Script:
    """The tale spread over the chapters of a novel."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._beats = [Cue(f"beat {at}", beat, {}) for at, beat in enumerate(cast.tale.beats)]

    def chapters(self, count: int) -> list[list[Cue]]:
        """What each of some chapters tells; where there are more chapters than beats, others stand between them."""
        beats = len(self._beats)
        if count <= beats:
            return [self._beats[at * beats // count : (at + 1) * beats // count] for at in range(count)]
        place = {round(at * (count - 1) / (beats - 1)): cue for at, cue in enumerate(self._beats)}
        made: list[list[Cue]] = []
        between = 0
        for at in range(count):
            if at not in place:
                between += 1
            made.append([place[at] if at in place else self.numbered("interlude", between)])
        return made

    def numbered(self, section: str, number: int) -> Cue:
        """An interlude, or an evening after it all."""
        return Cue(f"{section} {number}", self._cast.tale.apart[section], {"k": str(number)})

    def asked(self, instruction: Instruction) -> Cue:
        """What an instruction asks for."""
        words = plain(instruction.text)
        words = words if len(words) <= _WORDS else f"{words[: _WORDS - 1]}…"
        more = {"k": str(instruction.sequence), "words": words.strip("“”\"'").rstrip("。.") or "…"}
        return Cue(f"asked {instruction.sequence}", self._cast.tale.apart["asked"], more)

    def cues(self, chapters: int, instructions: list[Instruction]) -> Iterator[Cue]:
        """All that could be told in a novel of so many chapters."""
        yield from self._beats
        yield from map(self.asked, instructions)
        for number in range(1, chapters + 2):
            yield self.numbered("interlude", number)
            yield self.numbered("after", number)

    def of(self, chapter: Chapter, chapters: int, instructions: list[Instruction]) -> list[Take]:
        """The scenes a chapter is to have, by the events it was planned with."""
        wanted = list(chapter.events)
        known = {cue.event(self._cast): cue for cue in self.cues(chapters, instructions)}
        found = [known[event] for event in wanted if event in known]
        return [Take(cue, place) for cue in found for place in range(len(cue.section.scenes))]

    def find(self, goal: str, chapters: int, instructions: list[Instruction]) -> Take | None:
        """The scene that a goal is of; None: of none of the tale's."""
        for cue in self.cues(chapters, instructions):
            for place in range(len(cue.section.scenes)):
                if cue.goal(self._cast, place) == goal:
                    return Take(cue, place)
        return None
