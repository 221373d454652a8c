"""What the stand-in makes of an instruction: one of a few forms with who, what and where in it, or a mere motif."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from lantern_kit.novel.model import Instruction
from lantern_kit.novel.offline.cast import Cast, plain
from lantern_kit.novel.offline.tale import Section

MOTIF = "asked motif"
_LOOKED_AT = 2_000
"""Characters of an instruction."""
_CLAUSE = re.compile(r"[.!?;:,…。！？；：，、“”\"「」（）()]+")
_HOLE = re.compile(r"(?<!P)<(\w+)>")
_NOUN = {"en": r"[^\W_][\w'’ -]{0,39}?", "zh": r"[^\W_][\w·]{0,14}?"}
_AN = re.compile(r"^(?:an?|some|one)(?= )|^(?=[一两几])一?", re.IGNORECASE)


def understood(cast: Cast, instruction: Instruction) -> tuple[Section, Mapping[str, str]]:
    """The section of the tale that an instruction asks for, and what it puts in; a motif where no form fits.

    The first clause that has one of the forms decides. The old keeper's way is the tale's own: it takes no form.
    """
    story, motif = cast.tale.story, cast.tale.apart[MOTIF]
    idle = re.compile(f"(?:{story['tail']})*", re.IGNORECASE)
    parts = _CLAUSE.split(plain(instruction.text)[:_LOOKED_AT])
    clauses = [part.strip() for part in parts if not idle.fullmatch(part.strip())]
    number = {"k": str(instruction.sequence), "rest": story["rest"] if len(clauses) > 1 else ""}
    for clause in clauses:
        for section in cast.tale.sorts("asked"):
            for form in section.when:
                found = _form(cast.language, story["lead"], form, story["also"], story["tail"]).fullmatch(clause)
                held = None if found is None else _held(cast, found)
                if held is not None:
                    return section, {**number, **held}
    motifs = cast.dice("motif").sample(motif.motif, len(motif.motif))
    return motif, {**number, "motif": motifs[instruction.sequence % len(motifs)]}


@cache
def _form(language: str, lead: str, form: str, also: str, tail: str) -> re.Pattern[str]:
    def hole(name: re.Match[str]) -> str:
        return f"(?P<{name[1]}>{_NOUN[language]})" + (f"(?:{also})*" if name[1] == "who" else "")

    holes = _HOLE.sub(hole, form)
    return re.compile(f"(?:{lead})*{holes}(?:{tail})*", re.IGNORECASE)


def _held(cast: Cast, found: re.Match[str]) -> dict[str, str] | None:
    """What the tale calls what was found; None where it cannot tell of that."""
    story, slots = cast.tale.story, cast.slots
    known = {name.casefold(): figure.short for figure in cast.figures for name in (figure.name, figure.short)}
    held = {}
    for hole, told in found.groupdict().items():
        name = (told or "").strip()
        first = name.partition(" ")[0].casefold()
        if hole in {"who", "whom"} and first in story["they"].split():
            name = slots["hero"]
        elif first in story.get("articles", "").split() or (hole == "what" and not found.start(hole)):
            name = first + name[len(first) :]
        held[hole] = known.get(name.casefold(), name)
    held["whom"] = held.get("whom") or slots["hero"]
    held["where"] = held.get("where") or slots["town"]
    who = held.get("who", "")
    if slots["elder"] in held.values() or (found.groupdict().get("whom") and who == held["whom"]):
        return None
    for hole in ("who", "what"):
        if hole in held:
            held[f"the_{hole}"] = _AN.sub(story["the"], held[hole])
    for hole in ("where", "what"):
        if hole in held:
            held[hole.capitalize()] = held[hole][:1].upper() + held[hole][1:]
    return held
