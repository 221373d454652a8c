"""A proposal's static form: the words, and a touched page before and after, in a few kilobytes."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from lantern_kit.comic.phrases import Language
from lantern_kit.comic.proposal import Review
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work import show
from lantern_kit.kernel.clock import minute
from lantern_kit.widgets.review.reviewed import Data, Reviewed

if TYPE_CHECKING:
    from lantern_kit.comic.render.rendered import Rendered
    from lantern_kit.workspace import Workspace

LARGEST = 60_000
"""Bytes of the whole form, pictures in it."""
WORDS = 24_000
"""Bytes of its words at most; the rest is told by the live view."""
EDGE = 520
LEAST = 3_000
"""Bytes below which a picture shows nothing."""
_SAID = {
    "en": {
        "by": "by {agent}, from draft {draft}",
        "base": "base r{base}, compared with r{before}",
        "before": "before",
        "after": "after",
        "absent": "not there",
        "faults": "New faults",
        "healed": "Healed",
        "none": "none",
        "more": "… and more: run the cell to see all of it",
        "live": "Run the cell to look closer and to decide.",
        "by_key": "{verdict} by {reviewer}, {when} UTC",
        "pending": "waits for a verdict",
        "kept": "kept for later",
        "applied": "applied",
        "discarded": "discarded",
        "superseded": "superseded",
        "apply": "Applied",
        "keep": "Kept",
        "discard": "Discarded",
        "proposal": "Proposal {id}",
    },
    "zh": {
        "by": "来自 {agent}，草稿 {draft}",
        "base": "基于 r{base}，与 r{before} 比较",
        "before": "之前",
        "after": "之后",
        "absent": "不存在",
        "faults": "新问题",
        "healed": "已修复",
        "none": "无",
        "more": "……更多内容请运行此单元格查看",
        "live": "运行此单元格以细看并裁决。",
        "by_key": "{reviewer} {verdict}，{when} UTC",
        "pending": "等待裁决",
        "kept": "暂留",
        "applied": "已应用",
        "discarded": "已拒绝",
        "superseded": "已被取代",
        "apply": "应用",
        "keep": "暂留",
        "discard": "拒绝",
        "proposal": "提案 {id}",
    },
}


def still(host: Workspace, review: Review) -> str:
    """The form as HTML that needs neither script nor connection."""
    told = Reviewed(host, review)
    facts = told.data()
    language = review.language
    words = _fitting(_words(facts, language), language)
    room = LARGEST - len(words.encode()) - 2_000
    return words + _pictures(host, told, facts, room) + show.small(_SAID[language]["live"])


def _words(facts: Data, language: Language) -> Iterator[str]:
    """Piece by piece, the most important ones first."""
    said = _SAID[language]
    title = said["proposal"].format(id=facts["proposal"])
    yield show.heading(f"{title} · {said[facts['state']]}")
    yield show.paragraph(facts["summary"])
    yield show.small(said["by"].format(**facts))
    yield show.small(said["base"].format(**facts))
    for item in facts["verdicts"]:
        line = said["by_key"].format(verdict=said[item["verdict"]], reviewer=item["reviewer"], when=minute(item["at"]))
        yield show.paragraph(f"{line}: {item['reason']}" if item["reason"] else line)
    for state, key in (("new", "faults"), ("healed", "healed")):
        found = [item["message"] for item in facts["faults"] if item["state"] == state]
        if found or state == "new":
            yield show.paragraph(f"{said[key]}: {'; '.join(found) or said['none']}")
    for unit in facts["units"]:
        yield show.paragraph(unit["title"])
        for part in facts["parts"]:
            if part["unit"] == unit["unit"]:
                yield f"<div>· {escape(part['words'])}</div>"


def _fitting(pieces: Iterator[str], language: Language) -> str:
    """As many of the pieces as there is room for; what is left out is said."""
    kept: list[str] = []
    size = 0
    for piece in pieces:
        size += len(piece.encode())
        if size > WORDS:
            kept.append(show.small(_SAID[language]["more"]))
            break
        kept.append(piece)
    return "".join(kept)


def _pictures(host: Workspace, told: Reviewed, facts: Data, room: int) -> str:
    """The first unit whose two sides differ in what is drawn, else the first one, before and after."""
    said = _SAID[told.language]
    moments = (("before", told.before()), ("after", told.review.frozen))
    units = [item for item in facts["units"] if item["before"] or item["after"]]
    chosen = next((item for item in units if _differs(item["unit"], *(moment for _, moment in moments))), None)
    unit = chosen or next(iter(units), None)
    if unit is None:
        return ""
    there = [label for label, moment in moments if unit["unit"] in moment.book]
    limit = int(room / max(1, len(there)) * 0.74)  # as base64 it is a third longer
    figures = []
    for label, moment in moments:
        caption = f"{unit['title']} · {said[label]} ({moment.id})"
        if label in there and limit > LEAST:
            drawn = host.renderer.render(moment.book.unit(unit["unit"]), moment.book.chapter, long_edge=EDGE)
            figures.append(show.figure(_small(drawn, limit, caption), caption))
        else:
            figures.append(show.small(f"{caption}: {said['absent']}" if label not in there else caption))
    return show.side_by_side(figures)


def _differs(unit: str, before: Moment, after: Moment) -> bool:
    if unit not in before.book or unit not in after.book:
        return True
    return before.book.unit(unit).objects != after.book.unit(unit).objects


def _small(drawn: Rendered, limit: int, alternative: str) -> show.Markup:
    from lantern_kit.imaging.picture import Picture
    from lantern_kit.imaging.sendable import sendable

    whole = Picture(drawn.width, drawn.height, drawn.pixels, drawn.opaque)
    sent = sendable(whole, max_edge=EDGE, max_bytes=limit)
    return show.image(sent.data, sent.media, alternative)
