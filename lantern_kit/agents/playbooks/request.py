"""A page out of somebody's words: how many panels, what each is to show, and who says what in it.

``Make a page with two panels: a cat on a roof, Mira says "Where is it?"; a dog below.`` · ``画一页两格：…；…``
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

MOST = 12
"""Panels of one page."""
_LONGEST = 400
NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "one single 一",
            "two 二 两 兩",
            "three 三",
            "four 四",
            "five 五",
            "six 六",
            "seven 七",
            "eight 八",
            "nine 九",
            "ten 十",
            "eleven 十一",
            "twelve 十二",
        ),
        1,
    )
    for word in words.split()
}
"""Numbers in words."""
_ENGLISH = "|".join(sorted((word for word in NUMBERS if word.isascii()), key=len, reverse=True))
_COUNT = re.compile(
    rf"\b(\d{{1,2}}|{_ENGLISH})[\s-]+(?:[a-z]+\s+)?(?:panels?|frames?)\b"
    r"|(\d{1,2}|[一二两兩三四五六七八九十]{1,2})\s*个?\s*(?:格|分格|画格|分镜|幅)",
    re.IGNORECASE,
)
_MARK = re.compile(
    rf"\b(?:panel|frame)\s*(?:\d{{1,2}}|{_ENGLISH})\b\s*[:：.,–—-]?"
    rf"|\b(?:in|on)?\s*the\s+(?:first|second|third|fourth|fifth|sixth|next|last)(?:\s+(?:panel|frame|one))?\b\s*[:：,]?"
    r"|第\s*[0-9一二三四五六七八九十]{1,2}\s*[格幅][:：，,]?",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"“([^”]*)”|\"([^\"]*)\"|「([^」]*)」|『([^』]*)』|«([^»]*)»")
_HELD = re.compile(r"\x00(\d+)\x00")
_SPEAKER = re.compile(
    r"([A-Z][\w'-]{0,40})\s*(?:says?|asks?|shouts?|whispers?|answers?|thinks?|cries)?\s*[:：,]?\s*$"
    r"|([^\s，。；：、的\x00]{1,4}?)(?:说道|说|问道|问|喊道|喊|答道|答|想)[:：，]?\s*$"
)
_SAYING = re.compile(
    r"\b(?:says?|asks?|shouts?|whispers?|answers?|thinks?|cries)\s*[:,]?\s*$|[说问喊答想]道?[:：，]?\s*$"
)
_CAPTION = re.compile(r"(?:\bcaption|\bnarrat\w+|旁白|字幕)\s*[:：,]?\s*(?:says?|写着|写)?\s*$", re.IGNORECASE)
_EDGES = " \t\r\n,.;:，。；：、–—-"


@dataclass(frozen=True)
class Words:
    """What is said or told in a panel."""

    text: str
    speaker: str = ""
    caption: bool = False


@dataclass(frozen=True)
class Panel:
    """One panel as it is asked for."""

    shows: str = ""
    words: tuple[Words, ...] = ()


def counted_panels(request: str) -> int:
    """How many panels the words name; 0 where they name no number."""
    found = _COUNT.search(_QUOTE.sub("", request))
    return _number(found.group(1) or found.group(2)) if found else 0


def panels(request: str) -> list[Panel]:
    """The panels of the page that is asked for, 1 to ``MOST``."""
    quotes: list[str] = []

    def hold(match: re.Match[str]) -> str:
        quotes.append(" ".join(next(part for part in match.groups() if part is not None).split()))
        return f"\x00{len(quotes) - 1}\x00"

    held = _QUOTE.sub(hold, request.replace("\x00", " "))
    counted = _COUNT.search(held)
    count = min(_number(counted.group(1) or counted.group(2)), MOST) if counted else 0
    parts = _parts(_after(held, counted), count)[:MOST]
    found = [_panel(part, quotes) for part in parts]
    return _spread(found, count or len(found))


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS.get(word.lower(), 1)


def _after(held: str, counted: re.Match[str] | None) -> str:
    """What is told of the page, after the words that ask for it."""
    mark = _MARK.search(held)
    if mark is not None:
        return held[mark.start() :]
    colon = re.search(r"[:：]", held)
    if colon is not None and "\x00" not in held[: colon.start()]:
        return held[colon.end() :]
    where = re.search(r"\b(?:where|in which|showing)\b|，", held[counted.end() :]) if counted else None
    if counted is not None and where is not None:
        return held[counted.end() + where.end() :]
    first = _HELD.search(held)
    return held[counted.end() :] if counted else held[first.start() :] if first else ""


def _parts(told: str, count: int) -> list[str]:
    """What is told, panel by panel."""
    marks = [part for part in _MARK.split(told) if part.strip(_EDGES)]
    if _MARK.search(told):
        return marks
    lines = [part for part in re.split(r"[;；\n]", told) if part.strip(_EDGES)]
    if len(lines) == 1 and count > 1:
        for between in (r"(?<=[.。!！?？])\s*", r"[,，]\s*(?:and\s+)?then\s+|，?然后", r"[,，]\s*"):
            finer = [part for part in re.split(between, told) if part.strip(_EDGES)]
            if len(finer) == count:
                return finer
    return lines


def _panel(part: str, quotes: Sequence[str]) -> Panel:
    words: list[Words] = []
    shows, end = "", 0
    for match in _HELD.finditer(part):
        before = part[end : match.start()]
        speaker = _SPEAKER.search(before)
        caption = _CAPTION.search(before)
        text = quotes[int(match.group(1))]
        if caption is not None:
            before = before[: caption.start()]
            words.append(Words(text, caption=True))
        else:
            name = next(filter(None, speaker.groups()), "") if speaker else ""
            before = _SAYING.sub("", before)
            words.append(Words(text, name))
        shows += before
        end = match.end()
    shows = " ".join((shows + part[end:]).split()).strip(_EDGES)
    return Panel(shows[:_LONGEST], tuple(item for item in words if item.text))


def _spread(found: list[Panel], count: int) -> list[Panel]:
    """As many panels as were asked for: what is too much goes into the last, words without a panel into the next."""
    kept = found[:count]
    for extra in found[count:]:
        shows = "; ".join(filter(None, (kept[-1].shows, extra.shows)))[:_LONGEST]
        kept[-1] = Panel(shows, kept[-1].words + extra.words)
    if len(kept) == 1 < count:
        words, shared = kept[0].words, [Panel() for _ in range(count)]
        for place, item in enumerate(words):
            at = place if len(words) <= count else place * count // len(words)
            shared[at] = replace(shared[at], words=(*shared[at].words, item))
        shared[0] = replace(shared[0], shows=kept[0].shows)
        return shared
    return [*kept, *(Panel() for _ in range(max(count, 1) - len(kept)))]
