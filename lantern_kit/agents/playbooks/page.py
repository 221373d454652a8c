"""Makes a page from a request: outline, draft, frames and words, check, mend, freeze."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lantern_kit.agents.chat import Said
from lantern_kit.agents.playbooks.phrases import phrase
from lantern_kit.agents.playbooks.request import MOST, Panel, Words, counted_panels, panels
from lantern_kit.agents.playbooks.talk import Answered, Talk, bare

NEEDS = ("outline", "begin_draft", "edit", "check", "freeze")
ROUNDS = 3
"""How often the page is mended and checked again."""
BATCH = 25
"""Operations of one edit."""
GUTTER = 5.0
"""Millimetres between frames."""
_TAIL = 20.0
"""Millimetres from the middle of a balloon down to its tail's tip."""
_MAKES = re.compile(
    r"\b(?:make|draw|add|create|draft|lay\s+out|do|sketch|compose)\b.*\b(?:page|panels?|comic|strip)\b"
    r"|[做画加绘排]\S{0,8}(?:页|格|漫画)|(?:创建|新建|起草|生成)\S{0,8}(?:页|格|漫画)",
    re.IGNORECASE | re.DOTALL,
)
_LOOKS = re.compile(
    r"\s*(?:check|review|compare|find|describe|what|which|who|where|why|how)\b|\s*(?:检查|看看|查找)", re.IGNORECASE
)
_ROWS: dict[int, tuple[tuple[int, ...], ...]] = {
    1: ((1,),),
    2: ((1, 1),),
    3: ((1, 1, 1), (1, 2), (2, 1)),
    4: ((2, 2), (1, 2, 1), (1, 1, 2)),
    5: ((2, 1, 2), (1, 2, 2), (2, 2, 1)),
    6: ((2, 2, 2), (1, 2, 3), (2, 1, 3)),
}
"""Panels in each row, by how many there are."""
Operation = dict[str, Any]
Facts = Mapping[str, Any]


def make_page(talk: Talk) -> Said | None:
    """The next step of making a page."""
    if not _MAKES.search(talk.request) or _LOOKS.match(talk.request):
        return None
    missing = [name for name in NEEDS if name not in talk.tools]
    if missing:
        return Said(phrase("not granted", chinese=talk.chinese, tools=", ".join(missing)))
    if counted_panels(talk.request) > MOST:
        return Said(phrase("too many", chinese=talk.chinese, most=MOST, count=counted_panels(talk.request)))
    refused = talk.passed[-1] if talk.passed and talk.passed[-1].refused else None
    if refused is not None and not _mending(refused):
        return _stopped(talk, refused)
    return _next(talk)


def _next(talk: Talk) -> Said:
    chapter = talk.chapter
    if not chapter:
        overview = talk.first("outline")
        if overview is None:
            return talk.calls("outline")
        chapters = [bare(str(item["chapter"])) for item in overview.data.get("chapters", ())]
        if len(chapters) != 1:
            words = "which chapter" if chapters else "no chapter"
            return Said(phrase(words, chinese=talk.chinese, chapters=", ".join(chapters)))
        chapter = chapters[0]
    outline = talk.given("outline", source=chapter)
    if outline is None:
        return talk.calls("outline", source=chapter)
    begun = talk.given("begin_draft")
    if begun is None:
        title = phrase("lay out", chinese=talk.chinese)
        return talk.calls("begin_draft", chapter=chapter, title=title)
    return _drawn(talk, chapter, outline.data, begun.data)


def _drawn(talk: Talk, chapter: str, outline: Facts, begun: Facts) -> Said:
    """Edit until all is there, then check, mend and freeze."""
    wanted = panels(talk.request)
    operations = list(_operations(chapter, outline["chapter"], wanted, talk))
    edits = [item for item in talk.passed if item.tool == "edit" and not item.refused]
    at = {"draft": begun["draft"], "expected_revision": edits[-1].data["revision"] if edits else begun["revision"]}
    made = {name: handle for item in edits for name, handle in item.data.get("objects", {}).items()}
    sent = sum(len(item.arguments["operations"]) for item in edits if not _mending(item))
    if sent < len(operations):
        batch = [_resolved(item, made) for item in operations[sent : sent + BATCH]]
        return talk.calls("edit", **at, message=phrase("lay out", chinese=talk.chinese), operations=batch)
    last = talk.passed[-1]
    if last.tool == "edit" and not last.refused:
        return talk.calls("check", source=at["draft"], units=[bare(made["page"])])
    checked = talk.given("check")
    findings: Sequence[Facts] = checked.data.get("findings", ()) if checked is not None else ()
    remedies = list(_remedies(findings))
    if last.tool == "check" and remedies and sum(map(_mending, edits)) < ROUNDS:
        return talk.calls("edit", **at, message=phrase("mend", chinese=talk.chinese), operations=remedies)
    frozen = talk.given("freeze")
    if frozen is None:
        return talk.calls("freeze", **at, summary=_summary(talk, wanted, len(findings)))
    return Said(phrase("handed in", chinese=talk.chinese, proposal=frozen.data.get("proposal", "")))


def _operations(chapter: str, facts: Facts, wanted: Sequence[Panel], talk: Talk) -> Iterator[Operation]:
    """A page, a frame for each panel, and the words in them."""
    yield {"op": "unit.add", "target": chapter, "as": "page", "args": {}}
    boxes = layout(len(wanted), facts["paper"], rtl=facts.get("direction") == "rtl", seed=talk.seed, words=talk.request)
    for place, (panel, box) in enumerate(zip(wanted, boxes, strict=True), 1):
        args = {"rect": box} | ({"description": panel.shows} if panel.shows else {})
        yield {"op": "frame.add", "target": "@page", "as": f"f{place}", "args": args}
    for place, (panel, box) in enumerate(zip(wanted, boxes, strict=True), 1):
        for number, words in enumerate(panel.words):
            yield _lettering(f"f{place}", box, number, len(panel.words), words)


def layout(count: int, paper: Facts, *, rtl: bool, seed: int, words: str) -> list[list[float]]:
    """Boxes of so many panels on a paper, in millimetres, as they are read.

    Args:
        seed: which of the arrangements, together with the words.
    """
    rows = _ROWS.get(count)
    if count == 2 and paper["width"] > paper["height"]:
        rows = ((2,),)
    full, rest = divmod(count, 3)
    chosen = random.Random(f"{seed} {words}").choice(rows or ((3,) * full + ((rest,) if rest else ()),))  # noqa: S311
    margin = max(float(paper["safe"]), GUTTER)
    width, height = float(paper["width"]) - 2 * margin, float(paper["height"]) - 2 * margin
    tall = (height - GUTTER * (len(chosen) - 1)) / len(chosen)
    boxes = []
    for row, across in enumerate(chosen):
        wide = (width - GUTTER * (across - 1)) / across
        for column in range(across):
            place = across - 1 - column if rtl else column
            box = (margin + place * (wide + GUTTER), margin + row * (tall + GUTTER), wide, tall)
            boxes.append([round(value, 2) for value in box])
    return boxes


def _lettering(frame: str, box: Sequence[float], number: int, count: int, words: Words) -> Operation:
    """Words in a frame, downwards as they are read: told in its middle, said at its left and right in turn."""
    x, y, wide, tall = box
    down = y + tall * (0.35 if count == 1 else 0.1 + 0.8 * (number + 0.5) / count)
    if words.caption:
        args: dict[str, Any] = {"text": words.text, "at": _at(x + wide / 2, down)}
        return {"op": "narration.add", "target": f"@{frame}", "args": args}
    args = {"text": words.text, "at": _at(x + wide * (0.4 if number % 2 == 0 else 0.6), down)}
    if words.speaker:
        args["speaker"] = words.speaker
    if count == 1:
        args["tail"] = _at(x + wide / 2, min(y + tall * 0.85, down + _TAIL))
    return {"op": "balloon.add", "target": f"@{frame}", "args": args}


def _at(x: float, y: float) -> list[float]:
    return [round(x, 2), round(y, 2)]


def _resolved(operation: Operation, made: Mapping[str, str]) -> Operation:
    """An operation with what earlier edits made called by its handle."""
    target = str(operation["target"])
    return {**operation, "target": made[target[1:]]} if target[:1] == "@" and target[1:] in made else operation


def _remedies(findings: Iterable[Facts]) -> Iterator[Operation]:
    """Words that reach past the safe area are moved back by as much as the check says."""
    for finding in findings:
        if finding.get("rule") == "lettering.safe":
            data = finding.get("data", {})
            by = [_way(data, "left_mm", "right_mm"), _way(data, "top_mm", "bottom_mm")]
            yield {"op": "object.move", "target": finding["object"], "args": {"by": by}}


def _way(data: Facts, before: str, after: str) -> float:
    for side, sign in ((before, 1), (after, -1)):
        if side in data:
            return round(sign * (float(data[side]) + 0.2), 2)
    return 0.0


def _mending(item: Answered) -> bool:
    """Whether a call was to mend what the check found."""
    return item.tool == "edit" and all(part.get("op") == "object.move" for part in item.arguments["operations"])


def _summary(talk: Talk, wanted: Sequence[Panel], left: int) -> str:
    """What a person reads who decides."""
    chinese = talk.chinese
    count = phrase("panels one" if len(wanted) == 1 else "panels", chinese=chinese, count=len(wanted))
    parts = [phrase("page", chinese=chinese, panels=count), phrase("made by", chinese=chinese)]
    if left:
        parts.append(phrase("faults left", chinese=chinese, count=left))
    shown = [
        phrase("shows", chinese=chinese, place=place, what=panel.shows[:120])
        for place, panel in enumerate(wanted, 1)
        if panel.shows
    ]
    between = "；" if chinese else "; "
    return between.join([*parts, *shown])


def _stopped(talk: Talk, refused: Answered) -> Said:
    """A refusal that cannot be mended, in words."""
    begun = talk.given("begin_draft")
    why = str(refused.data["message"])
    words = phrase("stopped", chinese=talk.chinese, tool=refused.tool, why=why)
    return Said(words + (phrase("left", chinese=talk.chinese, draft=begun.data["draft"]) if begun is not None else ""))
