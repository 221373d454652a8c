"""What an author is told of one piece of work: bounded, and nothing that is needed ever left out (seed 004, 7.2, 8.3).

What must be told is told whole, or the novel halts and says so; only who plans is told of long instructions by their
beginnings, so that they can be dealt with at all. The rest is told by a budget, the most useful first; what found no
room is named, and can be read at the desk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lantern_kit.novel.brief_parts import Part, Parts, standing
from lantern_kit.novel.brief_words import Words, words
from lantern_kit.novel.material import fenced
from lantern_kit.novel.model import Intent, Reason
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.whole import Novel

ROOM = 60_000
"""Characters of a brief at most, where a host says nothing else."""
_LEAST = 1_000
"""What is left of a brief for anything that is not needed, at the least; below it, no such part is begun."""


@dataclass(frozen=True)
class Brief:
    """What an author is told of one piece of work."""

    text: str
    """For a model, in the novel's language."""
    facts: dict[str, Any]
    """The same as plain data, ids and versions included."""
    left_out: tuple[str, ...]
    """What found no room, by the names of its parts."""


def brief(
    novel: Novel,
    intent: Intent,
    reader: Reader,
    *,
    room: int = ROOM,
    deed: Callable[[str], str] = str,
    whole: bool = False,
) -> Brief | Halt:
    """The brief of a piece of work; or why it cannot be given: what is needed has no room.

    Args:
        novel: as it stands.
        intent: the work, prepared or sent.
        room: characters at most.
        deed: the face's name of a deed of the desk.
        whole: halt before anything that is needed is shortened.

    Raises NovelStorageCorruption.
    """
    say = words(novel.config.language)
    parts = Parts(novel, intent, reader, say, deed).all()
    needed, length = _needed(parts, say)
    if length > room and not whole:
        parts = Parts(novel, intent, reader, say, deed, room // 4).all()
        needed, length = _needed(parts, say)
    if length > room:
        longest = sorted(needed, key=lambda part: -len(part.text))[:3]
        return Halt(
            f"What the author must be told takes {length:,} characters, and there is room for {room:,}: "
            f"most of it {', '.join(part.name for part in longest)}.",
            Reason.CAPABILITY,
            (intent.id, *(item.id for item in standing(novel)[:20])),
            "Use a host with more room, or let shorter instructions take the place of long ones; then resume.",
        )
    kept, out = list(needed), []
    for part in parts:
        size = len(_rendered(part, say))
        if part.needed or not part.text:
            continue
        if length + size > room - min(_LEAST, room // 20):
            out.append(part.name)
            continue
        kept.append(part)
        length += size
    order = {part.name: place for place, part in enumerate(parts)}
    kept.sort(key=lambda part: order[part.name])
    text = "\n\n".join(_rendered(part, say) for part in kept if part.text)
    if out:
        text += f"\n\n{say['left_out']}: {', '.join(say.title(name) for name in out)}"
    facts = {part.name: part.facts for part in kept if part.facts not in (None, [], {}, "")}
    return Brief(text, {**facts, "left_out": out}, tuple(out))


def _needed(parts: list[Part], say: Words) -> tuple[list[Part], int]:
    """Parts that are told whatever room there is, and the characters they take."""
    needed = [part for part in parts if part.needed]
    return needed, sum(len(_rendered(part, say)) for part in needed)


def _rendered(part: Part, say: Words) -> str:
    if not part.text:
        return ""
    body = fenced(part.text) if part.material else part.text.replace("\n#", "\n #")
    return f"# {say.title(part.name)}\n{body}"
