"""People as a brief tells of them: each with how they are by now and what they know, apart from all others."""

from __future__ import annotations

from typing import Any

from lantern_kit.novel.brief_words import Words
from lantern_kit.novel.canon import Canon
from lantern_kit.novel.model import Person
from lantern_kit.novel.whole import Novel


class People:
    """Those of one novel, as its canon has them.

    Args:
        most: eight times the characters told of what one of them knows, the newest of it; None: all of it is told.
    """

    def __init__(self, novel: Novel, canon: Canon, say: Words, most: int | None) -> None:
        self.novel = novel
        self.canon = canon
        self.say = say
        self.most = most

    def told(self, person: Person) -> str:
        """Somebody in words, the newest of what they know last."""
        say, facts = self.say, self.facts(person)
        lines = [f"- {person.id} {person.name}" + (f" ({', '.join(person.aliases)})" if person.aliases else "")]
        lines += [f"  {say.field(name)}: {facts[name]}" for name in ("role", "motive", "arc") if facts[name]]
        lines += [f"  {aspect}: {value}" for aspect, value in facts["state"].items()]
        lines += [f"  {say.bond(self.name(other))}: {what}" for other, what in facts["bonds"].items()]
        lines.append(f"  {say['knows']}: {self._known(facts['knows'])}")
        return "\n".join(lines)

    def facts(self, person: Person) -> dict[str, Any]:
        """The same as plain data, with all that they know."""
        state = {aspect: item.value for (who, aspect), item in self.canon.states.items() if who == person.id}
        if person.initial and not state:
            state = {"start": person.initial}
        bonds = {bond.to: bond.what for bond in person.bonds}
        bonds.update({other: item.what for (who, other), item in self.canon.relations.items() if who == person.id})
        return {
            "id": person.id,
            "name": person.name,
            "role": person.role,
            "motive": person.motive,
            "arc": person.arc,
            "state": state,
            "bonds": bonds,
            "knows": [*person.knows, *(item.what for item in self.canon.known_to(person.id))],
        }

    def name(self, person: str) -> str:
        """What somebody is called; their id, where the novel knows nobody of it."""
        held = self.novel.people.get(person)
        return person if held is None else held.name

    def _known(self, held: list[str]) -> str:
        """What somebody knows, the newest of it where there is no room for all."""
        told: list[str] = []
        size = 0
        for what in reversed(held):
            size += len(what) + 2
            if self.most is not None and size > self.most // 8:
                break
            told.insert(0, what)
        short = len(held) - len(told)
        return "; ".join([self.say.shortened(short), *told] if short else told) or self.say["nothing"]
