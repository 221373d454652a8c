"""The stand-in's outlines: the tale laid out over the chapters, and changed as instructions come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lantern_kit.kernel.wording import counted
from lantern_kit.novel.canon import LIFE
from lantern_kit.novel.count import count
from lantern_kit.novel.errors import NovelCapability
from lantern_kit.novel.guards.ledger import DEAD
from lantern_kit.novel.length import planned
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
from lantern_kit.novel.offline.script import Cue, Script, Take, scenes_of
from lantern_kit.novel.pace import owed
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.whole import Novel

CHAPTERS = 12
"""Where a novel asks for no number of chapters."""
_MOST_SCENES = 60
"""That a plan can send of a chapter."""
_FULL = 50
"""Scenes of a chapter past which what is asked for is given a chapter of its own."""
_AT_ONCE = 20
"""Instructions that one outline deals with; the next ones wait for the next outline."""
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
        "follow": "It is taken up where the story stands.",
        "creation": "The stand-in reads no request: it has one tale, and tells that, with the people and the place of "
        "the cards and books.",
        "withdrawn": "Withdrawn by its author.",
        "clarified": "What its author meant takes its place.",
        "dead": "{name} died in what is written already; what is written stays.",
        "more": "The tale is told on, for it is too short as it is.",
    },
    "zh": {
        "reason": "把故事铺到各章。",
        "refine": "为下一章列出场景。",
        "follow": "从故事眼下的地方写进去。",
        "creation": "替身读不懂创作要求：它只有一个故事，用卡片里的人物和世界书里的地方来讲。",
        "withdrawn": "作者已撤回。",
        "clarified": "以作者的澄清为准。",
        "dead": "{name}在已写的正文中死了；已写的不改。",
        "more": "篇幅不足，故事再往下讲。",
    },
}

_NOTES = {InstructionSource.CREATION: "creation", InstructionSource.WITHDRAWAL: "withdrawn"}


class Planner:
    """Plans one novel as it stands."""

    def __init__(self, script: Script, novel: Novel, reader: Reader) -> None:
        self.script = script
        self.cast = script.cast
        self.novel = novel
        self.reader = reader
        self.say: Mapping[str, str] = _SAID[self.cast.language]

    @property
    def _withdrawn(self) -> set[str | None]:
        """Instructions whose withdrawal is still to be dealt with."""
        return {item.answers for item in self.novel.open_instructions if item.source is InstructionSource.WITHDRAWAL}

    @property
    def _next(self) -> list[Instruction]:
        """The instructions that this outline deals with."""
        return self.novel.open_instructions[:_AT_ONCE]

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
        spread = self._spread
        at = {cue.name: f"@c{number}" for number, cues in enumerate(spread, 1) for cue in cues}
        further = [
            item
            for item in self._next
            if item.source is InstructionSource.INSTRUCTION and item.id not in self._withdrawn
        ]
        chapters = []
        for number, cues in enumerate(spread, 1):
            told = [*cues[:1], *map(self.script.asked, further), *cues[1:]] if number == 1 else cues
            chapter = self._chapter(told, f"c{number}", bool(number == len(spread)))
            if number == 1:
                chapter["scenes"] = self._scenes(scenes_of(told), self._room / len(spread))
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
        return self._size(scenes_of(cues))

    def _size(self, takes: Sequence[Take]) -> int:
        """Effective characters of scenes that are told as they are."""
        return sum(
            max(
                self._counted(
                    *(take.piece(self.cast, at) for at, text in enumerate(take.scene.pieces) if not text.lore)
                ),
                aside(self.cast) if take.cue.name.startswith("interlude ") else 0,
            )
            for take in takes
        )

    def _counted(self, *texts: str) -> int:
        return sum(count(text, policy=self.novel.config.count_policy).effective for text in texts)

    @property
    def _room(self) -> int:
        """The length that is aimed at; 0: none is."""
        length = self.novel.config.length
        return length.characters if isinstance(length, Target) else 0

    @property
    def _spread(self) -> list[list[Cue]]:
        """What each chapter tells. Where their number is left to it: fewer ones in a short novel."""
        beats = scenes_of(self.script.beats)
        fits = max(3, self._room * CHAPTERS // self._size(beats)) if self._room else CHAPTERS
        return self.script.chapters(self.novel.config.chapters or min(CHAPTERS, fits))

    def fits(self) -> None:
        """See that the tale can be told at the length that is aimed at. Raises NovelCapability."""
        takes = scenes_of(cue for cues in self._spread for cue in cues)
        short = [take.brief(self.cast) or "".join(take.musts(self.cast)) for take in takes]
        sizes = [self._counted(text) for text in short]
        story, config = self.cast.tale.story, self.novel.config
        least, most, unit = sum(sizes), int(story["longest"]), max(sizes)
        slack = config.length.high - config.length.low if isinstance(config.length, Target) else 0
        if self._room and not least <= self._room <= most:
            asked = f"at {self._room:,} characters"
        elif self._room and slack < int(story["slack"]):
            asked = f"to within {slack:,} characters"
        elif config.unit_maximum < unit:
            asked = f"in units of at most {config.unit_maximum:,} characters"
        else:
            return
        chapters = len(self._spread)
        raise NovelCapability(
            f"the offline stand-in cannot tell its tale in {counted(chapters, 'chapter')} {asked}",
            expected=f"{least:,} to {most:,} characters in all, with {story['slack']} between the least and the most, "
            f"in units of at least {unit:,}",
            found={"length": self._room or None, "chapters": chapters, "unit_maximum": config.unit_maximum},
            ids=[self.novel.head.id],
            recovery="Configure another length or tolerance, or units that may be longer; or have a model write it.",
        )

    def _scenes(self, takes: list[Take], room: float) -> list[dict[str, Any]]:
        """Scenes of a chapter, as far as its room asks for more with interludes before what it tells.

        The first evening comes before any: they follow it.
        """
        more = room - self._size(takes)
        asides = min(_MOST_SCENES - len(takes), round(more / aside(self.cast))) if more > 0 else 0
        starts = [at for at, take in enumerate(takes) if take.place == 0 and take.cue.name != "beat 0"] or [len(takes)]
        made, number = list(takes), self._interludes + asides
        for turn, at in reversed(list(enumerate(starts))):
            for _ in range(asides * turn // len(starts), asides * (turn + 1) // len(starts)):
                made.insert(at, Take(self.script.numbered("interlude", number), 0))
                number -= 1
        return [self._scene(take, f"s{place}") for place, take in enumerate(made)]

    @property
    def _interludes(self) -> int:
        """How many interludes there are or are to be."""
        chapters = self.novel.chapters.values()
        goals = [self.script.find(scene.goal, self.novel) for chapter in chapters for scene in chapter.scenes]
        held = [int(take.cue.name.split(" ")[1]) for take in goals if take and take.cue.name.startswith("interlude ")]
        return max([len(self._spread) - len(self.script.beats), len(chapters) - len(self.script.beats), 0, *held])

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
        if chapter is None and (late := owed(self.novel)):
            raise NovelCapability(
                f"the offline stand-in cannot take up what somebody else planned: “{late[0].what[:80]}”",
                ids=[item.id for item in late],
                recovery="Have a model write it, or ask for it to be dropped.",
            )
        if chapter is None:
            return Plan.model_validate({"chapters": [self._further("more1")]}), [], self.say["more"]
        there = {scene.goal for scene in chapter.scenes}
        takes = self.script.of(chapter, self.novel)
        fresh = [take for take in takes if take.field(self.cast, "goal") not in there]
        if not fresh:
            fresh = [Take(self.script.numbered("interlude", self._interludes + 1), 0)]
        scenes = self._scenes(fresh, planned(self.novel, chapter) if self._room else 0)
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
            for item in self._next
            if item.source is not InstructionSource.WITHDRAWAL
            and item.state is InstructionState.PENDING
            and item.id not in self._withdrawn
        ]
        if not wanted:
            return Plan(), self._outcomes(None), self.say["follow"]
        cues = [self.script.asked(item) for item in wanted]
        chapter = self.novel.current
        if chapter is None or len(cues) > _FULL - max(len(chapter.scenes), len(self.script.of(chapter, self.novel))):
            plan = {"chapters": self._apart(cues, chapter)}
            return Plan.model_validate(plan), self._outcomes("@asked0"), self.say["follow"]
        change: dict[str, Any] = {
            "id": chapter.id,
            "events": [*chapter.events, *(cue.event(self.cast) for cue in cues)],
        }
        if chapter.characters:
            change["characters"] = chapter.characters + self._natural(cues)
        if chapter.scenes:
            change["scenes"] = self._placed(chapter, cues)
        return Plan.model_validate({"chapters": [change]}), self._outcomes(chapter.id), self.say["follow"]

    def _apart(self, cues: list[Cue], after: Chapter | None) -> list[dict[str, Any]]:
        """Chapters of what was asked alone, where no chapter has room for it: after one, or after all."""
        made = []
        place = {} if after is None else {"after": after.id}
        for number, at in enumerate(range(0, len(cues), _FULL)):
            told = cues[at : at + _FULL]
            scenes = [self._scene(take, f"s{number}_{nth}") for nth, take in enumerate(scenes_of(told))]
            made.append({**self._chapter(told, f"asked{number}", False), **place, "scenes": scenes})
            place = {"after": f"@asked{number}"}
        return made

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
        for item in self._next:
            answer = answers.get(item.id)
            if answer is not None:
                withdrawn = answer.source is InstructionSource.WITHDRAWAL
                note = self.say["withdrawn" if withdrawn else "clarified"]
                made.append(OutcomeIn(instruction=item.id, result="superseded", note=note, superseded_by=answer.id))
            else:
                note = self._note(item)
                made.append(OutcomeIn(instruction=item.id, result="applied", note=note, effective=effective))
        return made

    def _note(self, item: Instruction) -> str:
        """What is said of an instruction that was taken up: what was understood of it, or that nothing was."""
        if item.source in _NOTES:
            return self.say[_NOTES[item.source]]
        cue = self.script.asked(item)
        return cue.told(self.cast, cue.section.fields["note"], "note").strip()


def aside(cast: Cast) -> int:
    """Effective characters of an interlude."""
    return int(cast.tale.story["aside"])


def _wants_alive(text: str, names: tuple[str, ...]) -> bool:
    low = text.casefold()
    named = any(name.casefold() in low for name in names)
    return named and any(word in low for word in (*_ALIVE, *_ALIVE_ZH))
