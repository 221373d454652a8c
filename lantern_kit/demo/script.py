"""What the comic is written in: change sets as an agent sends them, said in as few words as Python allows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Operation = dict[str, Any]

INK = "#14162b"
NIGHT = "#0b1026"
PAPER = "#fdf6e6"
CREAM = "#fff1cf"
SUN = "#f6b93b"
SUIT = "#e4572e"
TEAL = "#1d7f86"
SPACE = "#04050c"

SAY = {"size": 2.8, "smallest": 2.4}
"""Speech: comfortable on a page the size of a postcard."""
TELL = {"size": 2.7, "smallest": 2.4}
"""Captions."""
RAYS = {"effect": "focus", "colour": "#fff3c4"}
ROCKET = [0.465, 0.28, 0.545, 0.97]
"""The part of its photograph that the rocket stands in."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change set. ``@name`` is a thing made under that name, in this step or in an earlier one."""

    message: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One unit of the story and the change sets that make it; the first adds the unit under ``unit``."""

    unit: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A picture the story needs, under the name that ``asset`` says, from the kit's own photographs."""

    name: str
    photo: str
    cut: bool = False
    """Its matte: only the subject."""


def op(name: str, target: str, label: str = "", /, **args: Any) -> Operation:
    """One operation on ``target``; what it makes is called ``label``."""
    made: Operation = {"op": name, "target": target, "args": args}
    if label:
        made["as"] = label
    return made


def asset(name: str) -> str:
    """Stands for the id that a picture gets when it is registered."""
    return f"${name}"


def circle(x: float, y: float, radius: float) -> dict[str, Any]:
    """A circle about a point as four Bézier segments, all in millimetres."""
    pull = radius * 4 / 3 * math.tan(math.pi / 8)

    def at(dx: float, dy: float) -> list[float]:
        return [round(x + dx, 3), round(y + dy, 3)]

    quarters = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)]
    segments = []
    for (ax, ay), (bx, by) in pairwise(quarters):
        segments.append(
            [
                at(ax * radius - ay * pull, ay * radius + ax * pull),
                at(bx * radius + by * pull, by * radius - bx * pull),
                at(bx * radius, by * radius),
            ]
        )
    return {"start": at(radius, 0), "segments": segments}


def line(width: float, colour: str = INK) -> dict[str, Any]:
    """A solid line."""
    return {"width": width, "colour": colour}


def dots(frame: str, pitch: float) -> Operation:
    """A screen of dots on the teal of a frame."""
    return op("effect.add", frame, effect="tone", colour="#0d5a60", density=0.3, pitch=pitch)


def say(
    frame: str,
    speaker: str,
    words: str,
    rect: Sequence[float],
    tip: Sequence[float],
    *,
    bend: float = 0.15,
    after: str | None = None,
    shape: str | None = None,
) -> Operation:
    """A speech balloon with one bent tail, read last in its frame or ``after`` something."""
    tails = [{"tip": list(tip), "width": 3.2, "bend": bend}]
    facts = {"speaker": speaker, "shape": shape, "tails": tails, "style": SAY, "after": after}
    return op("balloon.add", frame, text=words, rect=list(rect), **facts)


def tell(frame: str, words: str, rect: Sequence[float], label: str = "") -> Operation:
    """A caption."""
    return op("narration.add", frame, label, text=words, rect=list(rect), style=TELL)


def sound(
    target: str,
    words: str,
    rect: Sequence[float],
    *,
    size: float,
    rotate: float,
    colour: str = SUN,
    rim: float = 0.6,
    arc: float | None = None,
    after: str | None = None,
) -> Operation:
    """A sound effect: big letters with a dark rim, aslant; read last in its frame or ``after`` something."""
    style = {"size": size, "colour": colour, "outline": line(rim)}
    return op("text.add", target, text=words, rect=list(rect), rotate=rotate, arc=arc, style=style, after=after)
