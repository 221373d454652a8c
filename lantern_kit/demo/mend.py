"""From what ``check`` finds to the operations that mend it; the findings' own figures say how much."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.model import TextStyle
from lantern_kit.demo.script import Operation, op

BREATH = 1.5
"""Millimetres left between mended lettering and what it had to keep clear of."""

Facts = Mapping[str, Any]


def remedies(findings: Iterable[Facts], objects: Mapping[str, Facts]) -> list[Operation]:
    """One operation for each finding that has a remedy, in the order of the findings.

    Args:
        findings: as ``check`` answers them.
        objects: what the full form of ``read_unit`` says of each object, by handle.
    """
    made: list[Operation] = []
    for finding in findings:
        handle = str(finding["object"])
        facts = objects.get(handle)
        if facts is not None:
            made.extend(_remedy(str(finding["rule"]), handle, facts, finding.get("data", {})))
    return made


def _remedy(rule: str, handle: str, facts: Facts, data: Facts) -> list[Operation]:
    match rule:
        case "picture.dpi":
            share = math.floor(1_000 * data["dpi"] / data["least"] - 1) / 1_000
            name = "image.adjust" if facts["kind"] == "image" else "overlay.set"
            return [op(name, handle, scale=round(facts.get("scale", 1) * share, 3))]
        case "lettering.overflow" if "grow" in data:
            return [_enlarged(handle, facts, data["grow"])]
        case "lettering.small" if data["fitted"]:
            return [_enlarged(handle, facts, data["grow"])]
        case "lettering.small":
            size = facts.get("style", {}).get("size", millimetres(TextStyle().size))
            return [op(f"{facts['kind']}.set", handle, style={"size": math.ceil(100 * size * data["grow"]) / 100})]
        case "frame.reach":
            return [op("frame.set", handle, bleed=data["bleed"])]
        case "lettering.safe":
            by = [_way(data, "left_mm", "right_mm"), _way(data, "top_mm", "bottom_mm")]
            return [op("object.move", handle, by=by)]
        case "lettering.gutter":
            x, _, w, _ = facts["rect"]
            away = data["over_mm"] + BREATH
            left = x + w / 2 <= sum(data["gutter_mm"]) / 2
            return [op("object.move", handle, by=[round(-away if left else away, 2), 0])]
        case _:
            return []


def _enlarged(handle: str, facts: Facts, grow: float) -> Operation:
    """Lettering in a box so many times as large, about its middle."""
    x, y, w, h = facts["rect"]
    wide, high = (math.ceil(10 * length * grow) / 10 for length in (w, h))
    rect = [round(x - (wide - w) / 2, 2), round(y - (high - h) / 2, 2), wide, high]
    return op(f"{facts['kind']}.set", handle, rect=rect)


def _way(data: Facts, before: str, after: str) -> float:
    """How far to move along one axis: away from the side that is passed."""
    for side, sign in ((before, 1), (after, -1)):
        if side in data:
            return round(sign * (float(data[side]) + 0.2), 2)
    return 0
