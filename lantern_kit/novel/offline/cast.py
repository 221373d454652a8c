"""Who and what the stand-in's tale is of: people out of the cards, the town out of the book, the rest by a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lantern_kit.kernel.canonical import digest
from lantern_kit.novel.model import AssetKind, is_chinese
from lantern_kit.novel.offline.tale import Tale, tale
from lantern_kit.novel.reading import Reader

PARTS = ("hero", "friend", "elder", "rival")
_OPEN = re.compile(r"\{(\w+)\}|\[([^\[\]]*\|[^\[\]]*)\]")
_START = re.compile(r"(^|[.!?…] |[.!?…]” )([a-z])")
_END = re.compile(r"(?<=[。！？])|(?<=[.!?])\s+")
_MARKS = re.compile(r"\{\{.*?\}\}|<[^>]*>|[*_#`{}\[\]|]")
_LONGEST, _NAME = 160, 60
_COMMAS = (",", "，", "、", ":", "：", "")
_QUOTES = "“”\"'.… "

_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "hero": ("Ines", "Corin", "Wilma", "Anselm", "Isolde"),
        "friend": ("Tam", "Jory", "Nell", "Piers", "Odile"),
        "elder": ("Hesper", "Barnaby", "Edda", "Ambrose"),
        "rival": ("Lockwood", "Vane", "Marchbank", "Crewe"),
        "town": ("Low Harrow", "Kestrel Quay", "Brinewick", "Saint Orrin"),
    },
    "zh": {
        "hero": ("阿棠", "陆遥", "宁川", "苏禾"),
        "friend": ("石生", "程舟", "阿晓", "叶帆"),
        "elder": ("柏伯", "梅婆", "葛老", "岑叔"),
        "rival": ("贺崇", "冯敬", "钱万里", "董衡"),
        "town": ("盐渡", "雁回镇", "临潮", "白石港"),
    },
}
_THINGS: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "en": (
        {
            "thing": "the tide bell",
            "Thing": "the Tide Bell",
            "tower": "the bell tower",
            "Tower": "the Bell Tower",
            "under": "the chain pit",
            "Voice": "Note",
            "done": "rung",
            "did": "rang",
            "works": "rings",
        },
        {
            "thing": "the tide clock",
            "Thing": "the Tide Clock",
            "tower": "the clock house",
            "Tower": "the Clock House",
            "under": "the weight shaft",
            "Voice": "Stroke",
            "done": "struck",
            "did": "struck",
            "works": "strikes",
        },
        {
            "thing": "the tide horn",
            "Thing": "the Tide Horn",
            "tower": "the horn tower",
            "Tower": "the Horn Tower",
            "under": "the bellows pit",
            "Voice": "Call",
            "done": "sounded",
            "did": "sounded",
            "works": "sounds",
        },
    ),
    "zh": (
        {
            "thing": "潮钟",
            "tower": "钟楼",
            "under": "链井",
            "Voice": "钟声",
            "done": "敲响",
            "did": "敲响",
            "works": "敲响",
        },
        {
            "thing": "潮鼓",
            "tower": "鼓楼",
            "under": "绳井",
            "Voice": "鼓声",
            "done": "擂响",
            "did": "擂响",
            "works": "擂响",
        },
        {
            "thing": "潮笛",
            "tower": "笛楼",
            "under": "风井",
            "Voice": "笛声",
            "done": "鸣响",
            "did": "鸣响",
            "works": "鸣响",
        },
    ),
}


@dataclass(frozen=True)
class Figure:
    """Somebody of the tale."""

    part: str
    """hero, friend, elder, rival or other."""
    name: str
    short: str
    """What the prose calls them."""
    card: str | None
    told: str
    """What their card tells of them, shortly."""


class Cast:
    """The tale with its names.

    Args:
        seed: the stand-in's.
        language: of the novel.
        reader: for its cards and books.
    """

    def __init__(self, seed: int, language: str, reader: Reader) -> None:
        self.seed = seed
        self.tale: Tale = tale(language)
        self.language = "zh" if is_chinese(language) else "en"
        self._reader = reader

    def dice(self, *key: object) -> random.Random:
        """Chance that is the same for the same seed and key."""
        name = "\n".join(map(str, (self.seed, *key)))
        return random.Random(digest(name.encode()))  # noqa: S311  the same novel again is the point

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The people: the first two cards play hero and friend, further ones stand about."""
        made: list[Figure] = []
        for place, asset in enumerate(self._reader.assets(AssetKind.CARD)):
            told = self._reader.character(asset.id)
            name = plain(asset.name).strip(_QUOTES)[:_NAME].strip() or f"N. {place + 1}"
            short = self._short(name, plain(str(told.get("nickname", ""))))
            if any(name == other.name or short == other.short for other in made):
                short = name = f"{name} {place + 1}"
            words = plain(str(told.get("personality") or told.get("description") or ""))
            part = PARTS[place] if place < 2 else "other"
            made.append(Figure(part, name, short, asset.id, sentences(words)[0] if words else ""))
        known = " ".join([*(item.name for item in made), *self._titles])
        for part in PARTS:
            if all(item.part != part for item in made):
                free = [name for name in _NAMES[self.language][part] if name not in known]
                name = self.dice("name", part).choice(free or list(_NAMES[self.language][part]))
                made.append(Figure(part, name, name, None, ""))
        return tuple(made)

    @cached_property
    def _titles(self) -> list[str]:
        return [f"{item.title} {' '.join(item.keys)} {item.content}" for item in self._entries]

    @cached_property
    def _entries(self) -> list[_Lore]:
        return [
            _Lore(entry.title, entry.keys, entry.content)
            for asset in self._reader.assets(AssetKind.BOOK)
            for entry in self._reader.entries(asset.id)
        ]

    @cached_property
    def lore(self) -> tuple[str, ...]:
        """A sentence of each entry that speaks of what it is called after; none that lists what somebody is."""
        found = []
        for entry in self._entries:
            first = sentences(plain(entry.content))[:1]
            names = [name for name in (entry.title, *entry.keys[:1]) if len(name) > 1]
            told = [first[0][len(name) :][:1] not in _COMMAS for name in names if first and first[0].startswith(name)]
            if told and all(told) and 12 <= len(first[0]) <= _LONGEST:
                found.append(first[0])
        return tuple(dict.fromkeys(found))

    @cached_property
    def slots(self) -> Mapping[str, str]:
        """Names by what the tale calls them."""
        held = dict(self.dice("thing").choice(_THINGS[self.language]))
        for name in ("thing", "tower"):
            held.setdefault(name.capitalize(), held[name])
        for figure in self.figures:
            if figure.part in PARTS:
                held[figure.part] = held[figure.part.capitalize()] = figure.short
        books = [plain(asset.name) for asset in self._reader.assets(AssetKind.BOOK) if asset.within is None]
        town = next((name for name in books if 1 < len(name) <= 24), "")
        held["town"] = town or self.dice("town").choice(_NAMES[self.language]["town"])
        return held

    def fill(self, text: str, dice: random.Random, **more: str) -> str:
        """A text with its choices made and its names put in, its sentences begun with capitals."""
        made = self.put_in(text, dice, **more)
        return made if self.language == "zh" else _START.sub(lambda match: match[1] + match[2].upper(), made)

    def put_in(self, text: str, dice: random.Random, **more: str) -> str:
        """A text with its choices made and its names put in; what is put in is not looked through again."""
        slots = {**self.slots, **more}

        def put(match: re.Match[str]) -> str:
            if match[1]:
                return slots[match[1]]
            return _OPEN.sub(put, dice.choice(match[2].split("|")))

        return _OPEN.sub(put, text)

    def _short(self, name: str, nickname: str) -> str:
        if nickname and nickname in name:
            return nickname
        first, _, rest = name.partition(" ")
        return first if self.language == "en" and rest and len(first) > 2 and "." not in first else name


@dataclass(frozen=True)
class _Lore:
    title: str
    keys: Sequence[str]
    content: str


def plain(text: str) -> str:
    """Words of a card or book as prose can hold them: on one line, without marks or macros."""
    shown = "".join(letter if letter.isprintable() else " " for letter in _MARKS.sub(" ", text))
    return " ".join(shown.split())


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph; quotes stay with what they quote."""
    found: list[str] = []
    for part in _END.split(text):
        unfinished = found and found[-1].count("“") > found[-1].count("”")
        if unfinished or (found and part.startswith("”")):
            found[-1] += (" " if not found[-1][-1] > "⺀" and not found[-1].endswith(("。", "！", "？")) else "") + part
        elif part.strip():
            found.append(part)
    return found
