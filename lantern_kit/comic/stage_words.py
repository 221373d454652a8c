"""What frames show and what is marked in pictures, as parts of the sentences that tell of a change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lantern_kit.comic.phrases import Speech

_EIGHTH = 45_000
"""Millidegrees between the eight directions that have names."""


def lit(speech: Speech, light: Mapping[str, Any] | None) -> str:
    """A light: ``lamp from the upper right``."""
    if light is None:
        return speech.say("none")
    angle = light["angle"]
    where = [] if angle is None else [speech.say(f"light.{round(angle / _EIGHTH) % 8}")]
    return " ".join([*([light["kind"]] if light["kind"] else []), *where]) or speech.say("none")


def cast_words(
    speech: Speech, name: Callable[[str], str], before: Sequence[Mapping[str, str]], after: Sequence[Mapping[str, str]]
) -> Iterator[str]:
    """Who came into a cast, who left it, and whose look is another.

    Args:
        name: what an entry of the library is called, by its id.
    """
    say = speech.say
    was, now = ({one["who"]: one["look"] for one in cast} for cast in (before, after))
    come = [who for who in now if who not in was]
    gone = [who for who in was if who not in now]
    if come:
        yield say("cast.come", names=speech.join([dressed(speech, name(who), now[who]) for who in come]))
    if gone:
        yield say("cast.gone", names=speech.join([name(who) for who in gone]))
    for who, look in now.items():
        if who in was and was[who] != look:
            old, new = (part or say("look.usual") for part in (was[who], look))
            yield say("cast.look", name=name(who), before=old, after=new)
    if [who for who in was if who in now] != [who for who in now if who in was]:
        yield say("cast.order")


def dressed(speech: Speech, name: str, look: str) -> str:
    """Somebody in a look: ``Mira as coat``; the name alone in the usual one."""
    return name + speech.say("look", look=look) if look else name


def marks_words(speech: Speech, marks: Sequence[Mapping[str, Any]]) -> str:
    """What is marked in a picture: ``marked: 2 faces and a focus``."""
    return speech.say("marks", things=marked_things(speech, marks)) if marks else speech.say("marks.none")


def marked_things(speech: Speech, marks: Sequence[Mapping[str, Any]]) -> str:
    """Marks counted: ``2 faces and a focus``."""
    counted = Counter(mark["kind"] for mark in marks)
    return speech.say("and").join(
        speech.say(f"one.{kind}" if number == 1 else f"count.{kind}", number=number)
        for kind, number in sorted(counted.items())
    )
