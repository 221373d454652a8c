"""Answers questions about a chapter by what the readers say: its outline, a page, a check, what is found, proposals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from lantern_kit.agents.chat import Said
from lantern_kit.agents.playbooks.phrases import phrase
from lantern_kit.agents.playbooks.request import NUMBERS
from lantern_kit.agents.playbooks.talk import Talk, bare

SHOWN = 12
"""Lines of a list."""
CLIPPED = 2_000
"""Characters of a page as text."""
_ASKS = re.compile(
    r"[?？吗呢]\s*$|^\s*(?:what|which|who|where|when|how|is|are|does|do|has|have|show|list|tell|describe|check|review|find"
    r"|read|look|see|compare|outline)\b|^\s*(?:请|帮我)?(?:看看|看|列出|说明|告诉|检查|查找|找出|找|读|哪|谁|怎么|有没有|多少)",
    re.IGNORECASE,
)
_CHECK = re.compile(
    r"\b(?:check|faults?|wrong|problems?|errors?|findings?)\b|检查|毛病|问题|错误",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"\b(?:page|unit)\s*(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten)\b|第\s*(\d{1,3}|[一二三四五六七八九十])\s*页",
    re.IGNORECASE,
)
_PROPOSALS = re.compile(r"\b(?:proposals?|verdicts?|decided)\b|提案|裁决|待审", re.IGNORECASE)
_DRAFT = re.compile(r"\bd\d+\b")
_WORDS = re.compile(r"“([^”]+)”|\"([^\"]+)\"|「([^」]+)」|『([^』]+)』")
Facts = Mapping[str, Any]


def answer_question(talk: Talk) -> Said | None:
    """The next step of answering a question."""
    if not _ASKS.search(talk.request):
        return None
    if talk.passed and talk.passed[-1].refused:
        last = talk.passed[-1]
        return Said(phrase("stopped", chinese=talk.chinese, tool=last.tool, why=str(last.data["message"])))
    if _PROPOSALS.search(talk.request) and "proposals" in talk.tools:
        given = talk.given("proposals")
        return talk.calls("proposals") if given is None else Said(_proposals(talk, given.data))
    named = _DRAFT.search(talk.request)
    source = named.group() if named else talk.chapter
    if not source:
        given = talk.first("outline")
        if given is None:
            return _reach(talk, "outline")
        chapters = given.data.get("chapters", ())
        if len(chapters) != 1:
            return Said(_chapters(talk, chapters))
        source = bare(str(chapters[0]["chapter"]))
    return _about(talk, source)


def _about(talk: Talk, source: str) -> Said:
    """An answer about a chapter or a draft."""
    page = _PAGE.search(talk.request)
    place = _place(page) if page else ""
    quoted = _WORDS.search(talk.request)
    if _CHECK.search(talk.request):
        units = {"units": [place]} if place else {}
        given = talk.given("check", source=source)
        return (
            _reach(talk, "check", source=source, **units)
            if given is None
            else Said(_findings(talk, source, given.data))
        )
    if quoted is not None:
        text = next(filter(None, quoted.groups()))
        given = talk.given("find", source=source)
        return _reach(talk, "find", source=source, text=text) if given is None else Said(_found(talk, text, given.data))
    if place:
        given = talk.given("read_unit", source=source)
        if given is None:
            return _reach(talk, "read_unit", source=source, unit=place)
        return Said(f"{phrase('reads', chinese=talk.chinese, unit=place)}\n{given.text[:CLIPPED]}")
    given = talk.given("outline", source=source)
    return _reach(talk, "outline", source=source) if given is None else Said(_outline(talk, given.data))


def _reach(talk: Talk, tool: str, **arguments: Any) -> Said:
    """Ask for a tool, where it was granted."""
    if tool not in talk.tools:
        return Said(phrase("not granted", chinese=talk.chinese, tools=tool))
    return talk.calls(tool, **arguments)


def _place(page: re.Match[str]) -> str:
    word = page.group(1) or page.group(2)
    return str(NUMBERS.get(word.lower(), word))


def _listed(talk: Talk, rows: Sequence[str]) -> str:
    shown = [f"- {row}" for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        shown.append(f"- {phrase('more', chinese=talk.chinese, count=len(rows) - SHOWN)}")
    return "\n".join(shown)


def _chapters(talk: Talk, chapters: Sequence[Facts]) -> str:
    if not chapters:
        return phrase("no chapter", chinese=talk.chinese)
    rows = [f"{bare(str(item['chapter']))}: {item['comic']} {item['number']}" for item in chapters]
    return f"{phrase('chapters', chinese=talk.chinese, count=len(rows))}\n{_listed(talk, rows)}"


def _outline(talk: Talk, data: Facts) -> str:
    facts = data["chapter"]
    units = data.get("units", ())
    head = phrase(
        "chapter",
        chinese=talk.chinese,
        comic=facts["comic"],
        number=facts["number"],
        chapter=bare(str(facts["chapter"])),
        units=len(units),
        revision=data["revision"],
        drafts=len(data.get("drafts", ())),
        proposals=len(data.get("proposals", ())),
    )
    rows = [" ".join(str(item[key]) for key in ("n", "kind", "name", "words") if item.get(key)) for item in units]
    return f"{head}\n{_listed(talk, rows)}" if rows else head


def _findings(talk: Talk, source: str, data: Facts) -> str:
    findings = data.get("findings", ())
    if not findings:
        return phrase("clear", chinese=talk.chinese, source=source)
    rows = [f"{item['rule']}: {item['message']}" for item in findings]
    return f"{phrase('findings', chinese=talk.chinese, count=len(rows), source=source)}\n{_listed(talk, rows)}"


def _found(talk: Talk, text: str, data: Facts) -> str:
    found = data.get("found", ())
    if not found:
        return phrase("found none", chinese=talk.chinese, text=text)
    rows = [" · ".join(str(item[key]) for key in ("what", "page", "text", "handle") if item.get(key)) for item in found]
    return f"{phrase('found', chinese=talk.chinese, count=len(rows))}\n{_listed(talk, rows)}"


def _proposals(talk: Talk, data: Facts) -> str:
    rows = [f"{item['proposal']} {item['state']}: {item['summary']}" for item in data.get("proposals", ())]
    return _listed(talk, rows) if rows else phrase("no proposals", chinese=talk.chinese)
