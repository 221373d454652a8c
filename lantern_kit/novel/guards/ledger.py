"""Prose against what is true by then: the dead who speak, secrets nobody told, overdue threads (seed 004, 8.2).

Rules know words, not meaning: what they find is for an author to look at. Only what is hardly ever meant has to be
committed over with a reason; the rest are notes.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from lantern_kit.novel.canon import LIFE
from lantern_kit.novel.content import Content
from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.guards.speech import speaking_names, speaks
from lantern_kit.novel.guards.unfinished import pairs
from lantern_kit.novel.model import Foreshadow, ForeshadowState, Person, Unit
from lantern_kit.novel.prose import Prose
from lantern_kit.novel.whole import Novel, committed

DEAD = frozenset({"dead", "died", "deceased", "killed", "死", "死亡", "已死", "去世", "已故", "身亡", "死去"})
MISSING = frozenset({"missing", "gone", "lost", "失踪", "下落不明", "不在"})
_TOLD = 0.6
"""Share of a secret's words that a paragraph holds when it tells it."""
_LEAST = 4
"""Words, or pairs of Han characters, that a secret has at least to be known again."""
_HAN = re.compile(r"[㐀-鿿]+")
_KEPT = 8


@dataclass
class _Known:
    """What commits made true, as far as this guard asks; grown with the novel."""

    commits: list[str] = field(default_factory=list)
    life: dict[str, str] = field(default_factory=dict)
    told: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    """Words of what each person came to know."""


_KNOWN: OrderedDict[str, _Known] = OrderedDict()
_LOCK = threading.Lock()


def ledger_findings(
    novel: Novel, unit: Unit, written: Prose, content: Content, names: Collection[str] = ()
) -> list[Finding]:
    """What in a unit's prose does not go with what is true by then.

    Args:
        names: of whoever stands in cards and books.
    """
    known = _brought_up(novel)
    life = {**known.life, **{item.person: item.value for item in content.facts.states if item.aspect == LIFE}}
    return [
        *_dead(novel, written, content, known, life),
        *_absent(novel, unit, written, life),
        *_secrets(novel, written, content, known),
        *_unknown(novel, written, names),
        *_overdue(novel, unit, content),
    ]


def _brought_up(novel: Novel) -> _Known:
    now = list(novel.commits)
    with _LOCK:
        known = _KNOWN.get(novel.head.id)
        if known is None or known.commits != now[: len(known.commits)]:
            known = _Known()
        for name in now[len(known.commits) :]:
            facts = committed(novel.commits[name]).delta
            known.life.update((item.person, item.value) for item in facts.states if item.aspect == LIFE)
            for item in facts.knowledge:
                known.told.setdefault(item.who, []).append(pairs(item.what))
            known.commits.append(name)
        _KNOWN[novel.head.id] = known
        _KNOWN.move_to_end(novel.head.id)
        if len(_KNOWN) > _KEPT:
            _KNOWN.popitem(last=False)
        return known


def _dead(novel: Novel, written: Prose, content: Content, known: _Known, life: dict[str, str]) -> Iterator[Finding]:
    """The dead who speak, or come to know something. Who dies in this prose may speak in it."""
    dead = {name for name, value in known.life.items() if value.casefold() in DEAD}
    dead &= {name for name, value in life.items() if value.casefold() in DEAD}
    for person in (novel.people[name] for name in sorted(dead) if name in novel.people):
        for number, paragraph in enumerate(written.paragraphs):
            if _speaks(person, paragraph):
                told = f"{person.name} is dead, and speaks in paragraph {number}"
                yield Finding("ledger.dead", Severity.OVERRIDE, told, (person.id,), number)
                break
    for item in content.facts.knowledge:
        if item.who in dead:
            told = f"{novel.people[item.who].name} is dead, and comes to know something"
            yield Finding("ledger.dead", Severity.OVERRIDE, told, (item.who,), _paragraph(item.at))


def _absent(novel: Novel, unit: Unit, written: Prose, life: dict[str, str]) -> Iterator[Finding]:
    """People who are missing, or not of the scene, and speak."""
    chapter = novel.chapters.get(unit.chapter)
    scene = next((item for item in chapter.scenes if item.id == unit.scene), None) if chapter else None
    there = frozenset(scene.people) if scene is not None else frozenset()
    for person in novel.people.values():
        value = life.get(person.id, "").casefold()
        missing = value in MISSING
        if value in DEAD or not (missing or (there and person.id not in there)):
            continue
        for number, paragraph in enumerate(written.paragraphs):
            if _speaks(person, paragraph):
                why = "is missing" if missing else "is not one of this scene's people"
                told = f"{person.name} {why}, and speaks in paragraph {number}"
                yield Finding("ledger.absent", Severity.NOTE, told, (person.id,), number)
                break


def _secrets(novel: Novel, written: Prose, content: Content, known: _Known) -> Iterator[Finding]:
    """Secrets that somebody tells who was never told them."""
    for owner in novel.people.values():
        for secret in owner.knows:
            words = pairs(secret)
            if len(words) < _LEAST:
                continue
            for number, paragraph in enumerate(written.paragraphs):
                if _share(words, pairs(paragraph)) < _TOLD:
                    continue
                speakers = [person for person in novel.people.values() if _speaks(person, paragraph)]
                if len(speakers) != 1 or _knows(speakers[0], words, content, known):
                    continue
                told = f"{speakers[0].name} tells in paragraph {number} what only {owner.name} knows"
                ids = (speakers[0].id, owner.id)
                yield Finding("ledger.secret", Severity.OVERRIDE, told, ids, number)
                break


def _knows(person: Person, words: frozenset[str], content: Content, known: _Known) -> bool:
    """Whether somebody knew something from the start, came to know it, or does so with this prose."""
    held = [pairs(item) for item in person.knows] + known.told.get(person.id, [])
    held += [pairs(item.what) for item in content.facts.knowledge if item.who == person.id]
    return any(_share(words, item) >= _TOLD for item in held)


def _unknown(novel: Novel, written: Prose, names: Collection[str]) -> Iterator[Finding]:
    """Speakers whom neither the outline nor a card or a book knows."""
    known = {word for name in names for word in _parts(name)}
    for person in novel.people.values():
        for name in (person.name, *person.aliases):
            known.update(_parts(name))
    seen: set[str] = set()
    for number, paragraph in enumerate(written.paragraphs):
        for name in speaking_names(paragraph):
            if name in seen or any(part in known for part in _parts(name)):
                continue
            if _HAN.search(name) and any(name in item or item in name for item in known):
                continue
            seen.add(name)
            told = f"“{name}” speaks in paragraph {number}, and is no one of the outline, the cards or the books"
            yield Finding("ledger.unknown", Severity.NOTE, told, (), number)


def _overdue(novel: Novel, unit: Unit, content: Content) -> Iterator[Finding]:
    """Foreshadows that were to be planted or taken up in an earlier chapter."""
    place = {name: at for at, name in enumerate(novel.chapters)}
    here = place.get(unit.chapter, 0)
    moved = {item.foreshadow for item in content.facts.foreshadows}
    for item in novel.foreshadows.values():
        due = _due(item)
        if item.id in moved or due is None or place.get(due, here) >= here:
            continue
        what = "be planted" if item.state is ForeshadowState.PLANNED else "be taken up"
        told = f"“{item.what[:60]}” was to {what} in “{novel.chapters[due].title}”"
        yield Finding("ledger.foreshadow", Severity.NOTE, told, (item.id, due))


def _due(item: Foreshadow) -> str | None:
    """The chapter in which a foreshadow's next move is due."""
    if item.state is ForeshadowState.PLANNED:
        return item.plant
    return item.resolve if item.state is ForeshadowState.PLANTED else None


def _speaks(person: Person, paragraph: str) -> bool:
    return any(speaks(name, paragraph) for name in (person.name, *person.aliases, *person.name.split()[:1]))


def _parts(name: str) -> list[str]:
    """A name, and what people shorten it to."""
    return [name, *(part for part in name.replace("·", " ").split() if len(part) > 1)]


def _share(words: frozenset[str], of: frozenset[str]) -> float:
    return len(words & of) / len(words) if words else 0.0


def _paragraph(at: int | str) -> int | None:
    """The paragraph of this prose that a fact stands in; None: in earlier prose."""
    return int(at) if str(at).isdecimal() else None
