"""Who says a line and how: the part before its words, read and written alike in both forms of a script."""

from __future__ import annotations

import re
from typing import NamedTuple

from lantern_kit.comic.model import BalloonShape
from lantern_kit.comic.script.headings import heading_of
from lantern_kit.comic.script.model import LONGEST_LABEL, LONGEST_NAME, Line, Voice, tidy_name
from lantern_kit.comic.script.tongues import JOINED, OFF, SHAPES, STAGE, VOICES, Tongue

COLONS = ":："
_OPEN, _CLOSE = "(（", ")）"
_LONGEST = 4 * LONGEST_NAME
_ESCAPED = frozenset(f"\\^[{COLONS}{_OPEN}")
_NAME = re.compile(r"\w[\w .'’·・=＝&/#\-–]*")
_SLUG = re.compile(r"(int|ext|est|int\.?/ext|i/e)[. ]", re.IGNORECASE)
_COMMAS = re.compile(r"[,，、;；]")
_NUMBERED = re.compile(r"[0-9]{1,4}(?:[.)．）][ ]+|、[ ]*)")
MOST_WORDS, MOST_LETTERS = 4, 12


class Cue(NamedTuple):
    """What stands before the words of a line."""

    name: str
    aside: str
    """What stands in parentheses after the name, without them."""
    forced: bool
    """Written with an @, so that it is a name whatever it looks like."""
    end: int
    """Place in the text right after it."""
    sure: bool = False
    """Its first character has a backslash: it is a speaker, and no word such as 旁白."""

    @property
    def voice(self) -> Voice:
        """What is lettered. Words that have no capitals say it behind an @ too, as Fountain needs one there."""
        name = self.name.upper()
        said = not self.forced or (is_caseless(name) and not self.sure)
        return VOICES.get(name, Voice.BALLOON) if said else Voice.BALLOON


def cue_at(text: str) -> Cue | None:
    """The name and its parentheses with which a text begins; None where it begins with none."""
    forced = text.startswith("@")
    at = 1 if forced else 0
    name: list[str] = []
    while at < len(text) and len(name) <= _LONGEST:
        character = text[at]
        if forced and character == "\\" and at + 1 < len(text) and (text[at + 1] in _ESCAPED or at == 1):
            name.append(text[at + 1])
            at += 2
            continue
        if character in COLONS or character in _OPEN or (forced and character in "^["):
            break
        name.append(character)
        at += 1
    asides: list[str] = []
    while text[at : at + 1] and text[at] in _OPEN:
        close = next((place for place in range(at, min(len(text), at + 400)) if text[place] in _CLOSE), -1)
        if close < 0:
            return None
        asides.append(text[at + 1 : close])
        at = close + 1
        while text[at : at + 1] == " ":
            at += 1
    called = tidy_name("".join(name))
    return Cue(called, ", ".join(asides), forced, at, text.startswith("@\\")) if called else None


def unnumbered(text: str) -> str:
    """A line without the number that counts it, as in ``1. MIRA: words``; a name that begins so needs an @."""
    found = _NUMBERED.match(text)
    return text[found.end() :] if found else text


def is_voice(name: str) -> bool:
    """Whether a name says what is lettered and is no speaker, such as CAPTION, SFX or 旁白."""
    return name.upper() in VOICES


def is_caseless(name: str) -> bool:
    """Whether a name has no capitals, as in Chinese and Japanese."""
    return name.upper() == name.lower()


def is_capital(name: str) -> bool:
    """Whether a name is written in capitals, or in a script that has none."""
    return name == name.upper()


def is_name(name: str) -> bool:
    """Whether something before a colon reads as a speaker's name, and not as the beginning of a description."""
    if not _NAME.fullmatch(name) or not any(map(str.isalpha, name)):
        return False
    if name.lower().rstrip(".") in STAGE or _SLUG.match(name) or heading_of(name, bare=True):
        return False
    words = name.split()
    if is_caseless(name):
        return len(name) <= MOST_LETTERS
    return len(words) <= MOST_WORDS and all(word == word.upper() or word[0] != word[0].lower() for word in words)


def line_of(cue: Cue, text: str, name: str, at: int) -> Line:
    """A line from what stands before it.

    Args:
        cue: who and how.
        text: its words, tidy.
        name: its id, or empty.
        at: line of the script.
    """
    voice = cue.voice
    if voice is not Voice.BALLOON:
        return Line(text, voice, label=label_of(cue.aside, voice), id=name, at=at)
    spoken = cue.name if cue.forced else cue.name.upper()
    nobody = is_voice(cue.name) and not cue.sure and (not cue.forced or is_caseless(cue.name))
    speaker = "" if nobody else spoken
    shape, off, joined = BalloonShape.ELLIPSE, False, False
    for part in parts_of(cue.aside):
        word = part.lower()
        shape = SHAPES.get(word, shape)
        off, joined = off or word in OFF, joined or word in JOINED
    return Line(text, voice, speaker[:LONGEST_NAME].rstrip(), shape, off, joined, label_of(cue.aside, voice), name, at)


def label_of(aside: str, voice: Voice) -> str:
    """What in parentheses is a note for people: of a balloon, all that says nothing of how it is said."""
    plain = tidy_name("".join(" " if character in _OPEN + _CLOSE else character for character in aside), LONGEST_LABEL)
    if voice is not Voice.BALLOON:
        return plain
    kept = [part for part in parts_of(plain) if part.lower() not in SHAPES.keys() | OFF | JOINED]
    return tidy_name(", ".join(kept), LONGEST_LABEL)


def parts_of(aside: str) -> list[str]:
    """What stands in parentheses, part by part."""
    return [found for part in _COMMAS.split(aside) if (found := tidy_name(part, LONGEST_LABEL))]


def cue_text(line: Line, tongue: Tongue, *, cased: bool = False) -> str:
    """What is written before a line's words, without the colon: ``MIRA (whisper, to Fox)``.

    Args:
        line: the line.
        tongue: in which words.
        cased: names that have no capitals are written with an @.
    """
    parts: list[str] = []
    named = line.voice is Voice.BALLOON and line.speaker
    word = tongue.voices[line.voice]
    name = _written(line.speaker, cased=cased) if named else f"@{word}" if cased and is_caseless(word) else word
    if line.voice is Voice.BALLOON:
        parts += [tongue.shapes[line.shape]] if line.shape is not BalloonShape.ELLIPSE else []
        parts += [tongue.off] if line.off else []
        parts += [tongue.joined] if line.joined else []
    parts += [line.label] if line.label else []
    if not parts:
        return name
    return f"{name} ({', '.join(parts)})" if cased else f"{name}{tongue.open}{tongue.comma.join(parts)}{tongue.close}"


def _written(speaker: str, *, cased: bool) -> str:
    plain = is_name(speaker) and is_capital(speaker) and not is_voice(speaker)
    if plain and not (cased and is_caseless(speaker)) and unnumbered(speaker) == speaker:
        return speaker
    escaped = "".join(f"\\{character}" if character in _ESCAPED else character for character in speaker)
    sure = is_voice(speaker) and is_caseless(speaker)
    return f"@\\{escaped}" if sure else f"@{escaped}"
