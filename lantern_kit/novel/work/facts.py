"""What is true in a novel as people read it: every fact with the paragraph it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from lantern_kit import showing as show
from lantern_kit.kernel.errors import BadInput
from lantern_kit.listed import Listed
from lantern_kit.novel.canon import canon
from lantern_kit.novel.model import Source
from lantern_kit.novel.whole import Novel
from lantern_kit.novel.work.host import clipped
from lantern_kit.novel.work.ledger import Place, place

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host

KINDS = ("event", "state", "relation", "knowledge", "variable", "foreshadow")


@dataclass(frozen=True)
class FactWork:
    """One thing that is true by what is written."""

    host: Host = field(repr=False, compare=False)
    novel: Novel = field(repr=False, compare=False)
    kind: str
    about: str
    """Whom or what it is about, by name."""
    what: str
    source: Source

    @property
    def place(self) -> Place:
        """The paragraph it stands in, with its words."""
        return place(self.host, self.novel, self.source)

    def __repr__(self) -> str:
        return f"{self.kind}  {self.about}  {self.what}  ({self.source})"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        rows = [(self.kind, self.about), ("what", self.what), ("where", self.place.told())]
        return show.bundle(repr(self), show.facts(rows))


class Facts(Listed[FactWork]):
    """What is true now; of states, relations and variables the newest."""

    heads: ClassVar = ("kind", "about", "what", "where")
    empty = "nothing is written yet, so nothing is true yet"

    def row(self, item: FactWork) -> tuple[str, ...]:
        """Kind, whom it is about, what, and the paragraph."""
        return (item.kind, item.about, clipped(item.what, 160), str(item.source))

    def line(self, item: FactWork) -> str:
        """A fact on one line."""
        return repr(item)


def facts(host: Host, novel: Novel, *, kind: str | None, about: str | None) -> Facts:
    """What is true in a novel.

    Args:
        kind: of one kind only: event, state, relation, knowledge, variable or foreshadow.
        about: of one person or variable only, by name or id.

    Raises BadInput.
    """
    if kind is not None and kind not in KINDS:
        raise BadInput("that is no kind of fact", expected=list(KINDS), found=str(kind)[:40])
    people = {item.id: item.name for item in novel.people.values()}
    wanted = people.get(about or "", about)
    return Facts(
        FactWork(host, novel, sort, name, what, source)
        for sort, name, what, source in _all(novel, people)
        if (kind is None or sort == kind) and (wanted is None or wanted in name.split(", "))
    )


def _all(novel: Novel, people: dict[str, str]) -> Iterator[tuple[str, str, str, Source]]:
    held = canon(novel)

    def name(person: str) -> str:
        return people.get(person, person)

    for event in held.events:
        yield "event", ", ".join(map(name, event.people)), event.what, event.source
    for state in held.states.values():
        yield "state", name(state.person), f"{state.aspect}: {state.value}", state.source
    for relation in held.relations.values():
        yield "relation", f"{name(relation.person)}, {name(relation.to)}", relation.what, relation.source
    for known in held.knowledge:
        yield "knowledge", name(known.who), known.what, known.source
    for variable in held.variables.values():
        yield "variable", variable.name, str(variable.value), variable.source
    for item in novel.foreshadows.values():
        for move, source in (("planted", item.planted), ("resolved", item.resolved)):
            if source is not None:
                yield "foreshadow", item.what, move, source
