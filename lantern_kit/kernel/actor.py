"""Who acts: a person by name, an agent under its client's name, or the kit itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lantern_kit.kernel.errors import BadInput, NotAllowed


class ActorKind(StrEnum):
    """What sort of actor."""

    PERSON = "person"
    AGENT = "agent"
    KIT = "kit"


@dataclass(frozen=True)
class Actor:
    """Somebody who changes or reads a work."""

    kind: ActorKind
    name: str

    def __post_init__(self) -> None:
        if not self.name or len(self.name) > 80 or not self.name.isprintable():
            raise BadInput("an actor's name has 1 to 80 printable characters", found=len(self.name))

    @classmethod
    def person(cls, name: str) -> Actor:
        """A person acting as themselves."""
        return cls(ActorKind.PERSON, name)

    @classmethod
    def agent(cls, name: str) -> Actor:
        """An agent acting under its client's name."""
        return cls(ActorKind.AGENT, name)


def require_person(actor: Actor, deed: str) -> None:
    """Refuse anybody but a person. Raises NotAllowed."""
    if actor.kind is not ActorKind.PERSON:
        raise NotAllowed(
            f"only a person may {deed}",
            expected="a person",
            found=actor.kind.value,
            recovery="Ask the person who owns the work to do it in a notebook or a terminal.",
        )
