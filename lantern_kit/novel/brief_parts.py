"""The parts of a brief: what each says, to a model and as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lantern_kit.novel.brief_people import People
from lantern_kit.novel.brief_words import Words
from lantern_kit.novel.length import left
from lantern_kit.novel.model import (
    PLANNING,
    READER,
    Chapter,
    Foreshadow,
    ForeshadowState,
    Instruction,
    InstructionState,
    Intent,
    Scene,
    WorkKind,
)
from lantern_kit.novel.pace import overdue, phase
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.whole import Novel, committed

_LAST = 1_500
"""Characters of earlier prose that a unit always takes up."""
_MORE = 6_000
"""And as many as there is room for."""
_BEFORE, _AFTER = 20, 60
"""Chapters told of, round the current one."""
_CONTESTED = 20
"""Keys told of at most that several books have."""
_SHORT = 240
"""Characters of what is told shortly."""

DEEDS: dict[WorkKind, tuple[str, ...]] = {
    WorkKind.OUTLINE_CREATE: ("create_outline", "block"),
    WorkKind.OUTLINE_REVISE: ("revise_outline", "block", "supersede"),
    WorkKind.WRITE_UNIT: ("claim", "commit", "supersede"),
    WorkKind.CHAPTER_COMPLETE: ("complete_chapter",),
    WorkKind.FINISH: ("finish",),
}
"""The desk's deeds that each kind of work opens; faces put their own names of them in."""


@dataclass(frozen=True)
class Part:
    """One part of a brief."""

    name: str
    text: str
    facts: Any
    """The same as plain data."""
    needed: bool = True
    """Whether it is told whatever room there is."""
    material: bool = False
    """Whether it quotes cards, books or prose."""


def standing(novel: Novel) -> list[Instruction]:
    """Instructions that hold: those that were followed and that no other took the place of."""
    return [item for item in novel.instructions.values() if item.in_force]


class Parts:
    """What there is to tell of one piece of work.

    Args:
        most: characters of the instructions, of each sort, while planning, and eight times those of what one person
            knows; what is shortened is said to be. None: all of it is told.
    """

    def __init__(
        self,
        novel: Novel,
        intent: Intent,
        reader: Reader,
        say: Words,
        deed: Callable[[str], str],
        most: int | None = None,
    ) -> None:
        self.novel = novel
        self.intent = intent
        self.reader = reader
        self.say = say
        self.deed = deed
        self.most = most
        self.chapter = None if intent.chapter is None else novel.chapters.get(intent.chapter)
        self.unit = None if intent.unit is None else novel.units.get(intent.unit)
        scenes = () if self.chapter is None else self.chapter.scenes
        wanted = None if self.unit is None else self.unit.scene
        self.scene: Scene | None = next((item for item in scenes if item.id == wanted), None)
        self.canon = reader.canon(novel)
        self.people = People(novel, self.canon, say, most)

    def all(self) -> list[Part]:
        """Parts, those that are needed among the rest, in the order in which they are read.

        What stays the same from one piece of work to the next comes first: hosts read that again for less.
        """
        planning = self.intent.kind in PLANNING
        writing = self.intent.kind is WorkKind.WRITE_UNIT
        parts = [Part("law", self.say.law, None), self._manner(), self._task(), self._versions()]
        parts += [self._length(), self._requirements(), self._pending()]
        if not planning or self.novel.story is not None:
            parts.append(self._story())
        if self.chapter is not None:
            parts.append(self._chapter_part())
        if writing:
            parts += [self._scene_part(), self._people(), self._continuity(), self._due()]
        if planning:
            parts += [self._assets(), self._contested(), self._due(), self._chapters(), self._everybody()]
        if self.intent.kind in {WorkKind.CHAPTER_COMPLETE, WorkKind.FINISH}:
            parts += [self._due(), self._commits()]
        parts += [self._lore(), self._reader_knows(), self._open_foreshadows(), self._earlier(), self._events()]
        if not planning:
            parts.append(self._chapters())
        return [part for part in parts if part.text]

    # always

    def _task(self) -> Part:
        kind = self.intent.kind
        deeds = [self.deed(name) for name in DEEDS[kind]]
        text = self.say.task(kind, self.intent.why, deeds, over=self.novel.current is None)
        facts = {"intent": self.intent.id, "kind": kind.value, "why": self.intent.why.value, "deeds": deeds}
        facts["language"] = self.novel.config.language
        return Part("task", text, facts)

    def _versions(self) -> Part:
        head = self.novel.head
        facts: dict[str, Any] = {
            "intent": self.intent.id,
            "unit": self.intent.unit,
            "chapter": self.intent.chapter,
            "expected_outline": head.outline_revision,
            "expected_watermark": head.watermark,
            "expected_content": head.content_revision,
        }
        return Part(
            "versions", "\n".join(f"{name}: {value}" for name, value in facts.items() if value is not None), facts
        )

    def _length(self) -> Part:
        say, rest, where = self.say, left(self.novel), phase(self.novel)
        lines = [f"{say['phase']}: {say.phases[where]}"]
        facts: dict[str, Any] = {"phase": where, "written": self.novel.head.characters}
        if self.unit is not None:
            lines.append(say.unit_length(self.unit.low, self.unit.high))
            facts["unit"] = {"low": self.unit.low, "high": self.unit.high, "part": self.unit.part}
            facts["unit"]["maximum"] = self.novel.config.unit_maximum
        if rest is not None:
            lines.append(say.rest(rest.low, rest.high, rest.hard))
            facts["left"] = {"low": rest.low, "high": rest.high, "hard": rest.hard}
            if where in {"closing", "ending"}:
                lines.append(say["converge"])
        if self.novel.config.chapters is not None:
            lines.append(say.chapters_wanted(self.novel.config.chapters))
            facts["chapters"] = self.novel.config.chapters
        return Part("length", "\n".join(lines), facts)

    def _requirements(self) -> Part:
        held = standing(self.novel)
        facts = [{"id": item.id, "sequence": item.sequence, "text": item.text} for item in held]
        return Part(
            "requirements", self._ordered([f"{item.sequence}. ({item.id}) {item.text}" for item in held]), facts
        )

    def _pending(self) -> Part:
        held = self.novel.open_instructions
        lines = []
        for item in held:
            about = f" → {item.answers}" if item.answers else ""
            lines.append(f"{item.sequence}. ({item.id}, {self.say.state(item.state, item.source)}{about}) {item.text}")
            if item.state is InstructionState.BLOCKED and item.conflict is not None:
                lines.append(f"   {self.say['conflict']}: {item.conflict.reason}")
        facts = [
            {
                "id": item.id,
                "sequence": item.sequence,
                "text": item.text,
                "state": item.state.value,
                "source": item.source.value,
                "answers": item.answers,
            }
            for item in held
        ]
        return Part("pending", self._ordered(lines), facts)

    def _ordered(self, lines: list[str]) -> str:
        """Lines about instructions, the first ones whole. Only planning goes on with less: prose keeps to all of it."""
        if self.most is None or self.intent.kind not in PLANNING:
            return "\n".join(lines)
        told: list[str] = []
        size = 0
        for line in lines:
            shown = line if size + len(line) <= self.most // 2 else _clipped(line)
            size += len(shown) + 1
            if size > self.most:
                break
            told.append(shown)
        short = sum(1 for place, line in enumerate(lines) if place >= len(told) or told[place] != line)
        return "\n".join([*told, self.say.shortened(short)] if short else told)

    def _manner(self) -> Part:
        story, config, say = self.novel.story, self.novel.config, self.say
        view = config.view if story is None else story.view
        style = config.style if story is None else story.style
        taboos = () if story is None else story.taboos
        settings = [] if story is None else [item.setting for item in story.overrides]
        rows = [
            (say["genre"], config.genre),
            (say["view"], view),
            (say["style"], style),
            (say["language"], config.language),
        ]
        lines = [f"{name}: {value}" for name, value in rows if value]
        lines += [f"{say['taboo']}: {item}" for item in taboos] + [f"{say['override']}: {item}" for item in settings]
        facts = {"genre": config.genre, "view": view, "style": style, "taboos": list(taboos), "overrides": settings}
        return Part("manner", "\n".join(lines), facts)

    def _story(self) -> Part:
        story = self.novel.story
        if story is None:
            return Part("story", "", None)
        names = ("title", "premise", "theme", "conflict", "ending")
        facts = {name: getattr(story, name) for name in names}
        return Part("story", "\n".join(f"{self.say.field(name)}: {facts[name]}" for name in names), facts)

    # of the place

    def _chapter_part(self) -> Part:
        chapter = self.chapter
        if chapter is None:
            return Part("chapter", "", None)
        number = list(self.novel.chapters).index(chapter.id) + 1
        rows = {
            "title": f"{number}. {chapter.title} ({chapter.id})",
            "purpose": chapter.purpose,
            "events": "; ".join(chapter.events),
            "entry": chapter.entry,
            "exit": chapter.exit,
        }
        lines = [f"{self.say.field(name)}: {value}" for name, value in rows.items() if value]
        lines += [f"- {scene.id} [{self.say.scene_state(scene.state)}] {scene.goal}" for scene in chapter.scenes]
        facts = _chapter_facts(chapter, number)
        return Part("chapter", "\n".join(lines), facts)

    def _scene_part(self) -> Part:
        scene, unit = self.scene, self.unit
        if scene is None or unit is None:
            return Part("scene", "", None)
        names = ("goal", "place", "time", "cause", "conflict", "change", "anchor")
        facts: dict[str, Any] = {name: getattr(scene, name) for name in names}
        before = [
            committed(item)
            for item in self.novel.units_of(unit.chapter)
            if item.scene == scene.id and item.part < unit.part
        ]
        shown = names[:-1] if before else names
        lines = [f"{self.say.field(name)}: {facts[name]}" for name in shown if facts[name]]
        if before:
            lines.append(self.say.goes_on(unit.part, before[-1].remaining, before[-1].anchor))
            facts["remaining"], facts["anchor"] = before[-1].remaining, before[-1].anchor
        return Part("scene", "\n".join(lines), {**facts, "id": scene.id, "part": unit.part})

    def _people(self) -> Part:
        """Those of the scene, and what each of them knows, apart from the others and from the reader."""
        wanted = () if self.scene is None else self.scene.people
        if not wanted and self.chapter is not None:
            wanted = self.chapter.people
        held = [self.novel.people[name] for name in wanted if name in self.novel.people]
        return Part("people", "\n".join(map(self.people.told, held)), [self.people.facts(item) for item in held])

    def _everybody(self) -> Part:
        held = list(self.novel.people.values())
        text = "\n".join(f"- {item.id} {item.name}: {item.role} {_clipped(item.arc)}".rstrip(" :") for item in held)
        facts = [{"id": item.id, "name": item.name, "role": item.role} for item in held]
        return Part("people", text, facts, needed=False)

    def _continuity(self) -> Part:
        held = self.reader.recent(_LAST, self.novel)
        text = "\n".join(item.text for item in held)
        return Part("continuity", text, [str(item.source) for item in held], material=True)

    def _due(self) -> Part:
        held = overdue(self.novel)
        return Part("due", "\n".join(map(self._foreshadow, held)), [_foreshadow_facts(item) for item in held])

    def _foreshadow(self, item: Foreshadow) -> str:
        must = f" ({self.say['required']})" if item.required else ""
        return f"- {item.id} [{self.say.foreshadow_state(item.state)}]{must} {item.what}"

    def _assets(self) -> Part:
        held = list(self.novel.assets.values())
        text = "\n".join(f"- {item.id} {self.say.asset(item.kind)} {item.name}" for item in held)
        facts = [{"id": item.id, "kind": item.kind.value, "name": item.name} for item in held]
        return Part("assets", text, facts, material=True)

    def _contested(self) -> Part:
        """What several books speak of, and may not agree on: their sources, for whoever plans to decide."""
        held = dict(list(self.reader.contested().items())[:_CONTESTED])
        text = "\n".join(f"- {key[:60]}: {', '.join(refs[:10])}" for key, refs in held.items())
        return Part("contested", text, {key: list(refs) for key, refs in held.items()}, needed=False, material=True)

    def _commits(self) -> Part:
        """Of the chapter, or the last: what completing refers to."""
        chapter = self.chapter or next(reversed(list(self.novel.chapters.values())), None)
        held = [] if chapter is None else [committed(unit) for unit in self.novel.units_of(chapter.id)]
        text = "\n".join(
            f"- {item.id} ({item.characters}) {_clipped(item.evidence or item.remaining)}" for item in held
        )
        return Part("commits", text, [item.id for item in held])

    # as far as there is room

    def _reader_knows(self) -> Part:
        held = [item.what for item in self.canon.known_to(READER)][-40:]
        return Part("reader", "\n".join(f"- {item}" for item in held), held, needed=False, material=True)

    def _lore(self) -> Part:
        texts = [item.text for item in self.reader.recent(_LAST, self.novel)]
        texts += [
            " ".join(str(value) for value in thing.model_dump(exclude={"scenes", "people"}).values())
            for thing in (self.chapter, self.scene)
            if thing is not None
        ]
        named = [] if self.scene is None else [self.people.name(name) for name in self.scene.people]
        texts += [item.text for item in self.novel.open_instructions] + [" ".join(named)]
        held = self.reader.woken([text for text in texts if text])
        text = "\n".join(f"[{item.ref}] {item.title}: {item.content}" for item in held)
        facts = [{"ref": item.ref, "title": item.title, "why": list(item.why)} for item in held]
        return Part("lore", text, facts, needed=False, material=True)

    def _open_foreshadows(self) -> Part:
        late = {item.id for item in overdue(self.novel)}
        states = {ForeshadowState.PLANNED, ForeshadowState.PLANTED}
        held = [item for item in self.novel.foreshadows.values() if item.state in states and item.id not in late]
        facts = [_foreshadow_facts(item) for item in held]
        return Part("foreshadows", "\n".join(map(self._foreshadow, held)), facts, needed=False)

    def _earlier(self) -> Part:
        if self.intent.kind is not WorkKind.WRITE_UNIT:
            return Part("earlier", "", None)
        near = {str(item.source) for item in self.reader.recent(_LAST, self.novel)}
        held = [item for item in self.reader.recent(_MORE, self.novel) if str(item.source) not in near]
        text = "\n".join(item.text for item in held)
        return Part("earlier", text, [str(item.source) for item in held], needed=False, material=True)

    def _events(self) -> Part:
        held = self.canon.events[-30:]
        text = "\n".join(f"- {item.what} [{item.source}]" for item in held)
        facts = [{"what": item.what, "source": str(item.source)} for item in held]
        return Part("events", text, facts, needed=False, material=True)

    def _chapters(self) -> Part:
        """The chapters round the current one; where there are more, that is said."""
        held = list(self.novel.chapters.values())
        current = self.chapter or self.novel.current
        at = held.index(current) if current in held else len(held)
        first, last = max(0, at - _BEFORE), min(len(held), at + _AFTER)
        lines, facts = [], []
        for number, chapter in list(enumerate(held, 1))[first:last]:
            told = f"{number}. {chapter.id} [{self.say.chapter_state(chapter.state)}] {chapter.title}"
            lines.append(f"{told}: {_clipped(chapter.purpose)}" if chapter.completion is None else told)
            facts.append({"id": chapter.id, "title": chapter.title, "state": chapter.state.value})
        if last - first < len(held):
            lines.append(self.say.more_chapters(len(held)))
        return Part("chapters", "\n".join(lines), facts, needed=False)


def _clipped(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 1]}…"


def _chapter_facts(chapter: Chapter, number: int) -> dict[str, Any]:
    return {
        "id": chapter.id,
        "number": number,
        "title": chapter.title,
        "purpose": chapter.purpose,
        "events": list(chapter.events),
        "state": chapter.state.value,
        "scenes": [{"id": scene.id, "goal": scene.goal, "state": scene.state.value} for scene in chapter.scenes],
    }


def _foreshadow_facts(item: Foreshadow) -> dict[str, Any]:
    return {"id": item.id, "what": item.what, "state": item.state.value, "required": item.required}
