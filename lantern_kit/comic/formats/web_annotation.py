"""Annotations as W3C Web Annotation JSON-LD: what was written, and where it points on the drawn page.

Targets are the addresses under which the kit serves a drawn unit, bleed included; selectors are the element's id, a
media fragment in per cent of that picture, and an SVG shape in millimetres of the page.
Web Annotation Data Model and Vocabulary, W3C Recommendation of 23 February 2017.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.annotation import Annotation, Kind, Message, Resolution, Resolved
from lantern_kit.comic.geometry import bleed_rect
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Paper, Point, Rect, Unit
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.files import replacing

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
TERMS = "tag:lantern-kit,2026:annotation/"
"""Prefix of what the vocabulary has no word for: state, resolution, fingerprint."""
MEDIA_FRAGMENTS = "http://www.w3.org/TR/media-frags/"
DOT = 1_000
"""Radius of a point's circle, in micrometres."""


class Seen(Protocol):
    """An annotation with its references against the work as it stands."""

    @property
    def annotation(self) -> Annotation:
        """As it is kept."""
        ...

    @property
    def references(self) -> tuple[Resolved, ...]:
        """Resolved, in order."""
        ...

    @property
    def attachments(self) -> tuple[AssetVersion, ...]:
        """Pictures, in order."""
        ...


def annotation_page(seen: Iterable[Seen], *, chapter: str, revision: str, paper: Paper) -> dict[str, Any]:
    """A chapter's annotations as one AnnotationPage, resolved at a revision (``r41``)."""
    return {
        "@context": [CONTEXT, {"lantern": TERMS}],
        "id": f"lantern://annotations/{chapter}/{revision}",
        "type": "AnnotationPage",
        "items": [_annotation(item, revision, paper) for item in seen],
    }


def write_annotations(path: Path, page: dict[str, Any]) -> Path:
    """Write an AnnotationPage to a file. Raises BadInput."""
    with replacing(path) as file:
        file.write((json.dumps(page, ensure_ascii=False, indent=1) + "\n").encode())
    return path


def _annotation(seen: Seen, revision: str, paper: Paper) -> dict[str, Any]:
    item = seen.annotation
    facts: dict[str, Any] = {
        "id": f"lantern://annotation/{item.id}",
        "type": "Annotation",
        "motivation": "editing",
        "creator": {"type": "Person", "name": item.actor},
        "created": stamp(item.created_at),
        "modified": stamp(item.changed_at),
        "body": [
            {"type": "TextualBody", "value": item.body, "format": "text/plain", "purpose": "editing"},
            *(_picture(asset) for asset in seen.attachments),
            *(_reply(said) for said in item.messages),
        ],
        "target": _targets(seen.references, item.chapter, revision, paper),
        "lantern:state": item.state.value,
    }
    if item.draft is not None:
        facts["lantern:draft"] = f"d{item.draft}"
    if item.proposal is not None:
        facts["lantern:proposal"] = f"p{item.proposal}"
    return facts


def _picture(asset: AssetVersion) -> dict[str, Any]:
    return {"id": f"lantern://asset/{asset.id}", "type": "Image", "format": asset.media}


def _reply(said: Message) -> dict[str, Any]:
    return {
        "type": "TextualBody",
        "value": said.body,
        "format": "text/plain",
        "purpose": "replying",
        "creator": {"type": "Person" if said.actor_kind == "person" else "Software", "name": said.actor},
        "created": stamp(said.at),
    }


def _targets(references: Sequence[Resolved], chapter: str, revision: str, paper: Paper) -> list[Any]:
    """Where it points, in order; one that names no place is about the chapter."""
    whole = f"lantern://chapter/{chapter}"
    return [_target(found, whole, revision, paper) for found in references] or [whole]


def _target(found: Resolved, whole: str, revision: str, paper: Paper) -> dict[str, Any]:
    made = found.reference
    selectors: list[dict[str, Any]] = []
    if made.kind is Kind.ELEMENT:
        selectors.append({"type": "FragmentSelector", "value": made.target})
    elif made.surface:
        selectors.append({"type": "FragmentSelector", "value": made.surface})
    source = whole
    if found.unit is not None and found.point is not None:
        source = f"lantern://unit/{revision}/{found.unit.id}"
        selectors += _places(found, found.unit, found.point, paper)
    target: dict[str, Any] = {"type": "SpecificResource", "source": source}
    if selectors:
        target["selector"] = selectors
    target |= {"lantern:resolution": found.resolution.value, "lantern:fingerprint": made.fingerprint}
    if found.point is not None and found.resolution is not Resolution.MISSING:
        target["lantern:at"] = [part / 1_000 for part in found.point]
    return target


def _places(found: Resolved, unit: Unit, point: Point, paper: Paper) -> list[dict[str, Any]]:
    sheet = bleed_rect(unit, paper)
    box = found.box or Rect(x=point[0] - DOT, y=point[1] - DOT, w=2 * DOT, h=2 * DOT)
    fragment = _fragment(box, sheet)
    selectors = [] if fragment is None else [fragment]
    return [*selectors, {"type": "SvgSelector", "value": _svg(found.outline, point, sheet)}]


def _fragment(box: Rect, sheet: Rect) -> dict[str, Any] | None:
    """The part of a box that is on the drawn sheet, in per cent of it; None when nothing of it is."""
    left, top = max(box.x, sheet.x), max(box.y, sheet.y)
    right, bottom = min(box.right, sheet.right), min(box.bottom, sheet.bottom)
    if right <= left or bottom <= top:
        return None
    parts = (
        (left - sheet.x) / sheet.w,
        (top - sheet.y) / sheet.h,
        (right - left) / sheet.w,
        (bottom - top) / sheet.h,
    )
    value = ",".join(f"{100 * part:.4f}".rstrip("0").rstrip(".") for part in parts)
    return {"type": "FragmentSelector", "conformsTo": MEDIA_FRAGMENTS, "value": f"xywh=percent:{value}"}


def _svg(outline: Sequence[Point], point: Point, sheet: Rect) -> str:
    """What is meant as a shape in millimetres of the page; a point is a small circle."""
    window = " ".join(spoken(part, 3) for part in (sheet.x, sheet.y, sheet.w, sheet.h))
    if outline:
        corners = " ".join(f"{spoken(x, 3)},{spoken(y, 3)}" for x, y in outline)
        shape = f'<polygon points="{corners}"/>'
    else:
        shape = f'<circle cx="{spoken(point[0], 3)}" cy="{spoken(point[1], 3)}" r="{spoken(DOT, 3)}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{window}">{shape}</svg>'
