"""The stand-in's outlines: the tale laid out over the chapters, and changed as instructions come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lantern_kit.novel.canon import LIFE
from lantern_kit.novel.count import count
from lantern_kit.novel.guards.ledger import DEAD
from lantern_kit.novel.model import (
    Chapter,
    Instruction,
    InstructionSource,
    InstructionState,
    SceneState,
    Source,
    Target,
)
from lantern_kit.novel.offline.cast import PARTS, Cast, Figure
from lantern_kit.novel.offline.script import Cue, Script, Take
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.whole import Novel

CHAPTERS = 12
"""Where a novel asks for no number of chapters."""
_FORESHADOWS = {"rhyme": (0, 10), "token": (1, 8), "letter": (3, 7)}
"""The beats in which each is planted and taken up."""
_ALIVE = (
    *("alive", "never died", "not dead", "did not die", "didn’t die", "didn't die", "survive", "still lives"),
    *("from the dead", "to life", "back from death", "resurrect", "lives again", "live again"),
)
_ALIVE_ZH = (
    *("活着", "活过来", "没死", "没有死", "从未死", "复活", "不死", "未死", "还在世"),
    *("复生", "回生", "死而", "重新活", "还魂"),
)
_SAID = {
    "en": {
        "reason": "The tale is laid out over its chapters.",
        "refine": "The next chapter is given its scenes.",
        "follow": "It is taken up as asked.",
        "creation": "The tale is laid out for it.",
        "withdrawn": "Withdrawn by its author.",
        "clarified": "What its author meant takes its place.",
        "dead": "{name} died in what is written already; what is written stays.",
        "more": "The tale is told on, for it is too short as it is.",
    },
    "zh": {
        "reason": "把故事铺到各章。",
        "refine": "为下一章列出场景。",
        "follow": "依要求写进故事。",
        "creation": "按此要求铺排故事。",
        "withdrawn": "作者已撤回。",
        "clarified": "以作者的澄清为准。",
        "dead": "{name}在已写的正文中死了；已写的不改。",
        "more": "篇幅不足，故事再往下讲。",
    },
}

_NOTES = {InstructionSource.CREATION: "creation", InstructionSource.WITHDRAWAL: "withdrawn"}


class Planner:
    """Plans one novel as it stands."""

    def __init__(self, cast: Cast, novel: Novel, reader: Reader) -> None:
        self.cast = cast
        self.novel = novel
        self.reader = reader
        self.script = Script(cast)
        self.say: Mapping[str, str] = _SAID[cast.language]

    @property
    def _withdrawn(self) -> set[str | None]:
        """Instructions whose withdrawal is still to be dealt with."""
        return {item.answers for item in self.novel.open_instructions if item.source is InstructionSource.WITHDRAWAL}

    def contradiction(self) -> tuple[Instruction, str, Source] | None:
        """The first instruction that wants somebody alive who died in what is written, with the place."""
        dead = {who: item for (who, what), item in self.reader.canon(self.novel).states.items() if what == LIFE}
        answered = {item.answers for item in self.novel.open_instructions}
        for item in self.novel.open_instructions:
            if item.id in answered or item.source is InstructionSource.WITHDRAWAL:
                continue
            for who, state in dead.items():
                person = self.novel.people.get(who)
                if person is None or state.value.casefold() not in DEAD:
                    continue
                if _wants_alive(item.text, (person.name, *person.aliases)):
                    held = item if item.answers is None else self.novel.instruction(item.answers)
                    return held, self.say["dead"].format(name=person.name), state.source
        return None

    # the first outline

    def create(self) -> tuple[Plan, list[OutcomeIn], str]:
        """The first outline."""
        spread = self.script.chapters(self.novel.config.chapters or CHAPTERS)
        at = {cue.name: f"@c{number}" for number, cues in enumerate(spread, 1) for cue in cues}
        further = [
            item
            for item in self.novel.open_instructions
            if item.source is InstructionSource.INSTRUCTION and item.id not in self._withdrawn
        ]
        chapters = []
        for number, cues in enumerate(spread, 1):
            told = [*cues[:1], *map(self.script.asked, further), *cues[1:]] if number == 1 else cues
            scenes = [Take(cue, place) for cue in told for place in range(len(cue.section.scenes))]
            chapter = self._chapter(told, f"c{number}", bool(number == len(spread)))
            if number == 1:
                chapter["scenes"] = [self._scene(take, f"s{place}") for place, take in enumerate(scenes)]
            chapters.append(chapter)
        plan = {
            "story": self._story(),
            "people": [self._person(figure, f"p{place}") for place, figure in enumerate(self.cast.figures)],
            "chapters": chapters,
            "foreshadows": [
                {
                    "as": name,
                    "what": self._told(f"foreshadow {name}"),
                    "plant": at[f"beat {plant}"],
                    "resolve": at[f"beat {resolve}"],
                    "required": True,
                }
                for name, (plant, resolve) in _FORESHADOWS.items()
            ],
        }
        return Plan.model_validate(plan), self._outcomes("@c1"), self.say["reason"]

    def _story(self) -> dict[str, Any]:
        told = {name: self._told(name) for name in ("premise", "theme", "conflict", "ending")}
        return {"title": self.novel.head.title, **told, "taboos": [self._told("taboo")]}

    def _told(self, name: str) -> str:
        return self.cast.fill(self.cast.tale.story[name], self.cast.dice("story", name))

    def _person(self, figure: Figure, name: str) -> dict[str, Any]:
        made: dict[str, Any] = {"as": name, "name": figure.name, "role": self._told(f"role {figure.part}")}
        if figure.short != figure.name:
            made["aliases"] = [figure.short]
        if figure.card is not None:
            made["card"] = figure.card
        if figure.told:
            made["initial"] = figure.told[:400]
        if figure.part in PARTS:
            made |= {"motive": self._told(f"motive {figure.part}"), "arc": self._told(f"arc {figure.part}")}
        return made

    def _chapter(self, cues: list[Cue], name: str, last: bool) -> dict[str, Any]:  # noqa: FBT001
        first, end = Take(cues[0], 0), Take(cues[-1], len(cues[-1].section.scenes) - 1)
        people = dict.fromkeys(part for cue in cues for scene in cue.section.scenes for part in scene.people)
        return {
            "as": name,
            "title": cues[0].title(self.cast)[:120],
            "purpose": self._told("ending") if last else cues[-1].event(self.cast),
            "events": [cue.event(self.cast) for cue in cues],
            "people": [self._ref(part) for part in people],
            "entry": first.field(self.cast, "goal"),
            "exit": end.field(self.cast, "change"),
            "characters": self._natural(cues),
        }

    def _natural(self, cues: list[Cue]) -> int:
        """How long some sections are when they are told as they are; 0 where the novel has a length to share out."""
        if isinstance(self.novel.config.length, Target):
            return 0
        takes = [Take(cue, place) for cue in cues for place in range(len(cue.section.scenes))]
        texts = [text for take in takes for text, _, _ in take.pieces(self.cast)]
        return sum(count(text, policy=self.novel.config.count_policy).effective for text in texts)

    def _scene(self, take: Take, name: str) -> dict[str, Any]:
        fields = ("goal", "place", "time", "conflict", "change")
        told = {field: take.field(self.cast, field) for field in fields}
        told["place"], told["time"] = told["place"][:240], told["time"][:240]
        cause = "" if take.place == 0 else Take(take.cue, take.place - 1).field(self.cast, "change")
        return {"as": name, **told, "cause": cause, "people": [self._ref(part) for part in take.scene.people]}

    def _ref(self, part: str) -> str:
        """A person by their part: of the first outline by its name, later by id."""
        place, figure = next((at, item) for at, item in enumerate(self.cast.figures) if item.part == part)
        held = next((item.id for item in self.novel.people.values() if item.name == figure.name), None)
        return f"@p{place}" if held is None else held

    # later ones

    def refine(self) -> tuple[Plan, list[OutcomeIn], str]:
        """Scenes for the next chapter; where all are completed and too little is told, a further chapter."""
        chapter = self.novel.current
        if chapter is None:
            return Plan.model_validate({"chapters": [self._further("more1")]}), [], self.say["more"]
        there = {scene.goal for scene in chapter.scenes}
        takes = self.script.of(chapter, len(self.novel.chapters), list(self.novel.instructions.values()))
        fresh = [take for take in takes if take.field(self.cast, "goal") not in there]
        if not fresh:
            number = len(self.novel.chapters) + sum(len(item.scenes) for item in self.novel.chapters.values())
            fresh = [Take(self.script.numbered("interlude", number), 0)]
        scenes = [self._scene(take, f"s{place}") for place, take in enumerate(fresh)]
        return Plan.model_validate({"chapters": [{"id": chapter.id, "scenes": scenes}]}), [], self.say["refine"]

    def _further(self, name: str) -> dict[str, Any]:
        number = 1 + sum(1 for item in self.novel.chapters.values() if item.title in self._evenings)
        cue = self.script.numbered("after", number)
        made = self._chapter([cue], name, False)
        return {**made, "scenes": [self._scene(Take(cue, 0), "s0")]}

    @property
    def _evenings(self) -> set[str]:
        count = len(self.novel.chapters) + 1
        return {self.script.numbered("after", number).title(self.cast) for number in range(1, count)}

    def instructed(self) -> tuple[Plan, list[OutcomeIn], str]:
        """The outline with what instructions ask for taken up where the story stands."""
        wanted = [
            item
            for item in self.novel.open_instructions
            if item.source is not InstructionSource.WITHDRAWAL
            and item.state is InstructionState.PENDING
            and item.id not in self._withdrawn
        ]
        if not wanted:
            return Plan(), self._outcomes(None), self.say["follow"]
        cues = [self.script.asked(item) for item in wanted]
        chapter = self.novel.current
        if chapter is None:
            made = self._chapter(cues, "asked", False)
            scenes = [self._scene(Take(cue, 0), f"s{place}") for place, cue in enumerate(cues)]
            plan = {"chapters": [{**made, "scenes": scenes}]}
            return Plan.model_validate(plan), self._outcomes("@asked"), self.say["follow"]
        change: dict[str, Any] = {
            "id": chapter.id,
            "events": [*chapter.events, *(cue.event(self.cast) for cue in cues)],
        }
        if chapter.characters:
            change["characters"] = chapter.characters + self._natural(cues)
        if chapter.scenes:
            change["scenes"] = self._placed(chapter, cues)
        return Plan.model_validate({"chapters": [change]}), self._outcomes(chapter.id), self.say["follow"]

    def _placed(self, chapter: Chapter, cues: list[Cue]) -> list[dict[str, Any]]:
        """Scenes of what was asked, before the chapter's last one if that is still to come: it ends as it was meant."""
        before = None
        if len(chapter.scenes) > 1 and chapter.scenes[-1].state is SceneState.PLANNED:
            before = chapter.scenes[-2].id
        made = []
        for place, cue in enumerate(cues):
            scene = self._scene(Take(cue, 0), f"a{place}")
            made.append(scene if before is None else {**scene, "after": before})
            before = None if before is None else f"@a{place}"
        return made

    def _outcomes(self, effective: str | None) -> list[OutcomeIn]:
        made = []
        answers = {item.answers: item for item in self.novel.open_instructions if item.answers is not None}
        for item in self.novel.open_instructions:
            answer = answers.get(item.id)
            if answer is not None:
                withdrawn = answer.source is InstructionSource.WITHDRAWAL
                note = self.say["withdrawn" if withdrawn else "clarified"]
                made.append(OutcomeIn(instruction=item.id, result="superseded", note=note, superseded_by=answer.id))
            else:
                note = self.say[_NOTES.get(item.source, "follow")]
                made.append(OutcomeIn(instruction=item.id, result="applied", note=note, effective=effective))
        return made


def _wants_alive(text: str, names: tuple[str, ...]) -> bool:
    low = text.casefold()
    named = any(name.casefold() in low for name in names)
    return named and any(word in low for word in (*_ALIVE, *_ALIVE_ZH))
