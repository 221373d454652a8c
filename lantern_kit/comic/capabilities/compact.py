"""A unit as a text for reading: one line an object, with handles to act on, lengths in millimetres."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from lantern_kit.comic.geometry import bounds, rect_of
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.measure import counted, spoken
from lantern_kit.comic.model import (
    MILLION,
    AnyObject,
    Balloon,
    BalloonShape,
    Chapter,
    Curve,
    Effect,
    EffectType,
    Fit,
    Foreground,
    Frame,
    Image,
    Lettering,
    Narration,
    Overlay,
    Placement,
    Point,
    Rect,
    Screen,
    Stroke,
    Text,
    TextStyle,
    Transform,
    Unit,
    Writing,
)
from lantern_kit.comic.placement import MICROMETRES_PER_INCH

Title = Callable[[str], str]
"""Title of an asset, or name of an entry of the library, by id; empty when it has none."""
DESCRIBED = 60
"""Characters of a description that are shown."""
_TRIM = {
    (148_000, 210_000): "A5",
    (105_000, 148_000): "A6",
    (210_000, 297_000): "A4",
    (182_000, 257_000): "B5",
    (128_000, 182_000): "B6",
}
_STYLE = TextStyle()
_LEADINGS = (None, 1_150_000)
"""By the script; and what was written where nothing was asked for, before that could be said."""
_CENTRED = (EffectType.FOCUS, EffectType.FLASH, EffectType.VIGNETTE)
_FONTS = {"balloon": "dialogue", "narration": "narration", "text": "sound"}
"""What lettering is set in unless something else was asked for."""


def heading(unit: Unit, chapter: Chapter, *, label: str, where: str) -> str:
    """The first line: what the unit is, how large, what is on it, and where it was read."""
    first = unit.surfaces[0]
    size = f"{spoken(first.width)}×{spoken(first.height)} mm"
    trim = _TRIM.get((first.width, first.height))
    parts = [f"{label} {handle_of(unit)}", f"{trim} {size}" if trim else size]
    if len(unit.surfaces) > 1:
        second = unit.surfaces[1]
        parts.append(f"2 surfaces, gutter {spoken(unit.gutter)}, second from x {spoken(second.x)}")
    parts.append(f"{chapter.direction.value}, safe {spoken(chapter.paper.safe)}, bleed {spoken(chapter.paper.bleed)}")
    if unit.name:
        parts.append(f"name {_quoted(unit.name)}")
    if unit.background != "#ffffff":
        parts.append(f"background {unit.background}")
    parts.extend((counts(unit), where))
    return " · ".join(parts)


def counts(unit: Unit) -> str:
    """``5 frames, 6 balloons``; ``empty``."""
    tally = Counter(item.kind for item in unit.objects if item.kind != "image")
    return ", ".join(counted(count, kind) for kind, count in tally.items()) or "empty"


def lines(unit: Unit, title: Title, marks: Mapping[str, str] | None = None) -> Iterator[str]:
    """One line an object: in reading order, what hangs on an object indented below it, then the rest of the paper.

    A frame is numbered by its place among the frames. ``marks`` holds what else is said of an object, by its id.
    """
    for item, line in _rows(unit, title):
        mark = (marks or {}).get(item.id)
        yield f"{line} · {mark}" if mark else line


def _rows(unit: Unit, title: Title) -> Iterator[tuple[AnyObject, str]]:
    hanging: dict[str, list[AnyObject]] = {}
    for item in unit.objects:
        hanging.setdefault(item.parent, []).append(item)
    number, group = 0, ""
    for name in unit.reading:
        item = unit.index[name]
        if isinstance(item, Frame):
            number, group = number + 1, item.id
            yield item, f"{number} {_line(item, title)}"
            yield from _below(item.id, hanging, title, "  ")
        elif item.parent == group:
            yield item, f"  {_line(item, title)}"
        else:
            group = "" if item.parent == unit.id else group
            inside = "" if item.parent == unit.id else f" in {item.parent}"
            yield item, f"{_line(item, title)}{inside}"
    for item in hanging.get(unit.id, ()):
        if not isinstance(item, Frame | Lettering):
            yield item, _line(item, title)
            yield from _below(item.id, hanging, title, "  ")


def _below(
    parent: str, hanging: dict[str, list[AnyObject]], title: Title, indent: str
) -> Iterator[tuple[AnyObject, str]]:
    """What hangs on an object and is not read, in drawing order."""
    for item in hanging.get(parent, ()):
        if not isinstance(item, Frame | Lettering):
            yield item, f"{indent}{_line(item, title)}"
            yield from _below(item.id, hanging, title, indent + "  ")


def _line(item: AnyObject, title: Title) -> str:
    words = [handle_of(item)]
    match item:
        case Frame():
            words += [*_frame(item), *_stage(item, title)]
        case Image() | Overlay():
            words += [_asset(item.asset, title), *_placement(item.placement), *_share("opacity", item.opacity)]
            if isinstance(item, Image) and not item.clip:
                words.append("unclipped")
            words += _marks(item, title)
        case Foreground():
            words += ["foreground", _asset(item.asset, title)]
        case Balloon():
            words += _balloon(item)
        case Narration():
            words += [f"narration {_quoted(item.text)} {_at(item.box)}", *_style(item)]
        case Text():
            words += [f"text {_quoted(item.text)} {_at(item.box)}", *_angle("rotate", item.rotate)]
            words += [*_angle("arc", item.arc), *_angle("skew", item.skew), *_style(item)]
        case Effect():
            words += _effect(item)
    if item.band is not None:
        words.append(f"band {item.band.value}")
    if item.name:
        words.append(f"name {_quoted(item.name)}")
    return " ".join(words)


def _frame(item: Frame) -> list[str]:
    shape, box = item.shape, rect_of(item.shape)
    if isinstance(shape, Curve):
        words = [f"curve within {_box(bounds(shape))}"]
    elif box is not None:
        words = [f"rect {_box(box)}"]
    else:
        words = ["poly " + " ".join(_point(point) for point in shape.points)]
    if item.border != Stroke(width=500):
        words.append(_stroke("border", item.border))
    if item.background != "#ffffff":
        words.append(f"background {item.background or 'none'}")
    if item.bleed:
        words.append("bleed " + ",".join(edge.value for edge in item.bleed))
    if item.keep is not None:
        words.append(f"keep {item.keep.value}")
    return words


def _stage(item: Frame, title: Title) -> list[str]:
    """What a frame is to show: where, in which light, who, and the beginning of its description."""
    words = []
    if item.scene is not None:
        words.append(f"scene {_entry(item.scene, title)}")
    if item.light is not None:
        light = [] if item.light.angle is None else [f"{spoken(item.light.angle)}°"]
        words.append(" ".join(["light", *light, *([_quoted(item.light.kind)] if item.light.kind else [])]))
    if item.cast:
        cast = (f"{_entry(one.who, title)}{f' ({one.look})' if one.look else ''}" for one in item.cast)
        words.append(f"cast {', '.join(cast)}")
    if item.description:
        long = len(item.description) > DESCRIBED
        words.append(f"shows {_quoted(item.description[: DESCRIBED - 1] + '…' if long else item.description)}")
    return words


def _marks(item: Image | Overlay, title: Title) -> list[str]:
    """What is marked in a picture; where, only the full form says."""
    if not item.marks:
        return []
    told = (f"{mark.kind.value}{f' {_entry(mark.who, title)}' if mark.who else ''}" for mark in item.marks)
    return [f"marks {', '.join(told)}"]


def _entry(name: str, title: Title) -> str:
    return title(name) or name


def _balloon(item: Balloon) -> list[str]:
    words = [f"{item.speaker or 'balloon'}: {_quoted(item.text)} {_at(item.box)}"]
    words += [f"tail {_point(tail.tip)}{f' {tail.style}' if tail.style else ''}" for tail in item.tails]
    if item.shape is not BalloonShape.ELLIPSE:
        words.append(item.shape.value)
    if item.seed != 1:
        words.append(f"seed {item.seed}")
    if item.joined is not None:
        words.append(f"joined {item.joined}")
    if item.fill != "#ffffff":
        words.append(f"fill {item.fill}")
    if not item.gutter_safe:
        words.append("may cross the gutter")
    return words + _style(item)


def _effect(item: Effect) -> list[str]:
    words = [item.effect.value]
    if item.box is not None:
        words.append(_box(item.box))
    if item.effect in _CENTRED:
        words.append("centre " + ",".join(_fraction(part) for part in item.centre))
    else:
        words += _angle("angle", item.angle)
    if item.colour != "#000000":
        words.append(item.colour)
    words.append(f"density {_fraction(item.density)}")
    if item.effect is EffectType.TONE:
        words += _screen(item)
    return [*words, *_share("opacity", item.opacity)]


def _screen(item: Effect) -> list[str]:
    """How a tone is made, as far as it is not as usual."""
    words = []
    if item.density_to is not None:
        words = [f"to {_fraction(item.density_to)} along {spoken(item.ramp)}°"]
    if item.screen is not Screen.DOTS:
        words.append(item.screen.value)
    if item.pitch != Effect.model_fields["pitch"].default:
        words.append(f"{round(MICROMETRES_PER_INCH / item.pitch, 1):g} lpi")
    return words


def _placement(placement: Placement) -> list[str]:
    words = [] if placement.box is None else [_box(placement.box)]
    words.append(placement.fit.value)
    if placement.fit is Fit.COVER and placement.focus != (500_000, 500_000):
        words.append("focus " + ",".join(_fraction(part) for part in placement.focus))
    if placement.crop != (0, 0, MILLION, MILLION):
        words.append("crop " + ",".join(_fraction(part) for part in placement.crop))
    turn = placement.transform
    if turn != Transform():
        words += _share("scale", turn.scale) + _angle("rotate", turn.rotate)
        if turn.dx or turn.dy:
            words.append(f"shift {_point((turn.dx, turn.dy))}")
        words += [name for name, on in (("flip_x", turn.flip_x), ("flip_y", turn.flip_y)) if on]
    return words


def _style(item: Lettering) -> list[str]:
    style = item.style
    words = []
    if style.font != _FONTS.get(item.kind):
        words.append(f"font {style.font}")
    if style.size != _STYLE.size:
        words.append(f"size {spoken(style.size)}")
    words += [
        name
        for name, on in (
            ("fixed size", not style.fit),
            ("bold", style.bold),
            ("italic", style.italic),
            ("vertical", style.writing is Writing.VERTICAL),
        )
        if on
    ]
    if style.leading not in _LEADINGS:
        words.append(f"leading {_fraction(style.leading or 0)}")
    if style.tracking:
        words.append(f"tracking {_fraction(style.tracking)}")
    if style.combine != _STYLE.combine:
        words.append(f"combine {style.combine}")
    if style.colour != _STYLE.colour:
        words.append(style.colour)
    if style.align is not _STYLE.align:
        words.append(f"align {style.align.value}")
    if style.outline is not None:
        words.append(_stroke("outline", style.outline))
    return words


def _asset(asset: str, title: Title) -> str:
    named = title(asset)
    return f"{asset} {_quoted(named)}" if named else asset


def _box(box: Rect) -> str:
    return f"{_point((box.x, box.y))} {spoken(box.w)}×{spoken(box.h)}"


def _at(box: Rect) -> str:
    """Middle and size, as the operations on lettering take them."""
    return f"at {_point(box.centre)} {spoken(box.w)}×{spoken(box.h)}"


def _point(point: Point) -> str:
    return f"{spoken(point[0])},{spoken(point[1])}"


def _stroke(name: str, stroke: Stroke) -> str:
    colour = "" if stroke.colour == "#000000" else f" {stroke.colour}"
    return f"{name} {spoken(stroke.width)}{colour}{' dashed' if stroke.dash else ''}"


def _fraction(parts: int) -> str:
    """A share of one with at most three decimals, without its leading zero: ``.5``."""
    text = f"{parts / MILLION:.3f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text or "0"


def _share(name: str, parts: int) -> list[str]:
    return [] if parts == MILLION else [f"{name} {_fraction(parts)}"]


def _angle(name: str, millidegrees: int) -> list[str]:
    return [f"{name} {spoken(millidegrees)}°"] if millidegrees else []


def _quoted(text: str) -> str:
    """The words on one line, escaped as in JSON, so that they can be sent back as they are."""
    return json.dumps(text, ensure_ascii=False)
