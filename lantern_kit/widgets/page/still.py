"""What stands beside a PageView where nothing runs: a page, or the first of the strip, and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Direction
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.work import show
from lantern_kit.imaging.picture import Picture
from lantern_kit.imaging.sendable import sendable
from lantern_kit.kernel.errors import LanternError
from lantern_kit.widgets.sheets.sources import Seen

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host
    from lantern_kit.widgets.sheets.lightbox import Lightbox

EDGE = 720
"""Long edge of a page in pixels."""
THUMB = 150
"""Long edge of each picture in a row."""
ROW = 8
"""Pictures of a row at most."""
BYTES = 40_000
"""Of all pictures together, before they are written as text."""
NAMED = 12
"""Objects that are named."""

_WORDS: dict[str, tuple[str, str]] = {
    "book": ("{title} at {revision}: {count}, {way}", "{title}，版本 {revision}：共 {n} 个页面单元，{way}"),
    "ltr": ("read from left to right", "从左向右阅读"),
    "rtl": ("read from right to left", "从右向左阅读"),
    "ttb": ("read from the top down", "自上而下阅读"),
    "empty": ("no pages yet", "还没有页面"),
    "gone": ("the page that was shown is not there any more", "原先显示的页面已不存在"),
    "page": ("{title} ({at} of {n}), {size} mm", "{title}（第 {at} / {n} 个），{size} 毫米"),
    "objects": ("on it: {names}", "上面有：{names}"),
    "more": ("and {n} more", "等另外 {n} 个"),
    "row": ("{shown} of {n} are shown here", "此处显示 {n} 个中的 {shown} 个"),
}


def still_text(host: Host, box: Lightbox, seen: Seen, unit: str, language: Language) -> str:
    """What is shown, in plain text."""
    return "\n".join(_lines(host, box, seen, unit, language))


def still_html(host: Host, box: Lightbox, seen: Seen, unit: str, mode: str, language: Language) -> str:
    """What is shown, as HTML with its pictures in it, 60 kB at most."""
    head, *lines = _lines(host, box, seen, unit, language)
    shown = _place(seen, unit)
    if not shown:
        return show.heading(head) + "".join(map(show.small, lines))
    if mode == "page":
        pictures: str = _page(host, seen, shown, lines[0])
    else:
        pictures = _row(box, seen, shown, language)
    return show.heading(head) + pictures + "".join(map(show.small, lines))


def _lines(host: Host, box: Lightbox, seen: Seen, unit: str, language: Language) -> list[str]:
    chapter, order = seen.book.chapter, seen.book.order
    title = f"{chapter.comic} {chapter.number}" + (f" · {chapter.title}" if chapter.title else "")
    count = f"{len(order)} unit" + ("" if len(order) == 1 else "s")
    way = _say(Direction(chapter.direction).value, language)
    where = seen.revision or seen.source
    lines = [_say("book", language, title=title, revision=where, count=count, n=len(order), way=way)]
    shown = _place(seen, unit)
    if not shown:
        return [*lines, _say("empty", language)]
    if unit and unit != shown:
        lines.append(_say("gone", language))
    try:
        sheet = box.sheet(seen, shown, language)
    except LanternError as error:
        return [*lines, error.message]
    _, _, width, height = sheet["trim"]
    size = f"{spoken(round(width * 1_000))} × {spoken(round(height * 1_000))}"
    place = seen.book.position(shown) + 1
    lines.append(_say("page", language, title=sheet["title"], at=place, n=len(order), size=size))
    names = [thing["name"] for thing in sheet["objects"]]
    if names:
        rest = [_say("more", language, n=len(names) - NAMED)] if len(names) > NAMED else []
        joined = ("、" if language == "zh" else ", ").join([*names[:NAMED], *rest])
        lines.append(_say("objects", language, names=joined))
    return lines


def _place(seen: Seen, unit: str) -> str:
    order = seen.book.order
    return unit if unit in seen.book else order[0] if order else ""


def _page(host: Host, seen: Seen, unit: str, caption: str) -> str:
    try:
        drawn = host.renderer.render(seen.book.unit(unit), seen.book.chapter, long_edge=EDGE)
    except LanternError as error:
        return show.warning(error.message)
    whole = Picture(drawn.width, drawn.height, drawn.pixels, drawn.opaque)
    sent = sendable(whole, max_edge=EDGE, max_bytes=BYTES)
    return show.figure(show.image(sent.data, sent.media, caption), caption)


def _row(box: Lightbox, seen: Seen, unit: str, language: Language) -> str:
    order = seen.book.order
    start = seen.book.position(unit)
    chosen = order[start : start + ROW]
    facts, pictures = box.thumbs(seen, chosen, THUMB, lambda *_: None)
    figures: list[str] = []
    left = BYTES
    for told, data in zip(facts, pictures, strict=True):
        left -= len(data)
        if left < 0:
            break
        title = box.title(seen, told["unit"], language)
        media = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
        shown = show.image(data, media, title) if data else show.warning(told["error"]["message"])
        figures.append(show.figure(shown, title))
    if seen.book.chapter.direction is Direction.RTL:
        figures.reverse()
    note = _say("row", language, shown=len(figures), n=len(order)) if len(figures) < len(order) else ""
    return show.side_by_side(figures) + show.small(note)


def _say(key: str, language: Language, **facts: object) -> str:
    return _WORDS[key][language == "zh"].format(**facts)
