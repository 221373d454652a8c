"""Whether what frames say they show goes together: with the library, with who speaks, and from panel to panel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import shapely

from lantern_kit.comic.balloons.body import form_of
from lantern_kit.comic.balloons.tails import Spine, spine
from lantern_kit.comic.checks.balloons import home_of
from lantern_kit.comic.checks.frames import Panel
from lantern_kit.comic.checks.kept import Kept, named
from lantern_kit.comic.checks.marked import Lying
from lantern_kit.comic.checks.seen import Wrong
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import AnyObject, Balloon, Frame, Image, Overlay, Unit
from lantern_kit.library.entry import folded

TURNED = 90_000
"""Millidegrees by which the light may turn from one panel to the next."""
NEARER = 1_500
"""Micrometres by which another face is nearer to a tail before the tail is said to point at it."""
AIMED = 80_000.0
"""How far a tail is looked along past its tip, in micrometres."""
INSIDE = 2_000.0
"""A tail that ends so far inside a frame, in micrometres, points at somebody there, not at its edge."""


class Shot(NamedTuple):
    """A frame with the unit it is on."""

    unit: str
    frame: Frame


def entries_of(item: AnyObject) -> list[str]:
    """The entries of the library that an object names, each once."""
    asked: list[str | None] = []
    if isinstance(item, Frame):
        asked = [item.scene, *(one.who for one in item.cast)]
    elif isinstance(item, Image | Overlay):
        asked = [mark.who for mark in item.marks]
    return list(dict.fromkeys(name for name in asked if name is not None))


def unknown(things: Iterable[AnyObject], kept: Mapping[str, Kept]) -> Iterator[tuple[str, Wrong]]:
    """library.missing: a frame or a picture that names an entry, or a look of one, which the library has not."""
    for item in things:
        lacking = [name for name in entries_of(item) if name not in kept]
        for one in item.cast if isinstance(item, Frame) else ():
            entry = kept.get(one.who)
            if entry is not None and one.look and entry.looks and one.look not in entry.looks:
                lacking.append(f"{entry.name} as “{one.look}”")
        if lacking:
            yield (
                item.id,
                Wrong(
                    "library.missing",
                    "warning",
                    f"it names {', '.join(lacking[:4])}, which the library has not; keep it there, or name another",
                    {"entries": lacking},
                ),
            )


def misled(
    unit: Unit, panels: Sequence[Panel], faces: Sequence[Lying], who: Mapping[str, str], kept: Mapping[str, Kept]
) -> Iterator[tuple[str, Wrong]]:
    """tail.face: a tail that points at another face than its speaker's, which is marked in the same frame.

    Args:
        who: entries that speak, by their names as they are spelt.
    """
    for item in unit.objects:
        own = who.get(folded(item.speaker)) if isinstance(item, Balloon) and item.speaker else None
        if own is None or not isinstance(item, Balloon):
            continue
        for tail in item.tails:
            way = spine(form_of(item), tail)
            panel = _at(way.tip, panels) if way is not None else None
            if way is None or panel is None:
                continue
            here = [lying for lying in faces if lying.item.parent == panel.frame.id and lying.shown.area]
            mine = [lying for lying in here if lying.mark.who == own]
            others = [lying for lying in here if lying.mark.who != own]
            if not mine or not others:
                continue
            tip = shapely.Point(way.tip)
            near, other = (min(float(shapely.distance(tip, lying.area)) for lying in part) for part in (mine, others))
            if other + NEARER < near and not _aimed(way, mine, others):
                wrong = min(others, key=lambda lying: float(shapely.distance(tip, lying.area)))
                at = f" ({named(kept, wrong.mark.who)})" if wrong.mark.who else ""
                yield (
                    item.id,
                    Wrong(
                        "tail.face",
                        "warning",
                        f"its tail ends {spoken(round(near))} mm from the face of {named(kept, own)}, who says it, and "
                        f"{spoken(round(other))} mm from another{at}; point it at the speaker",
                        {
                            "with": mine[0].item.id,
                            "who": own,
                            "name": named(kept, own),
                            "own_mm": round(near / 1_000, 1),
                            "other_mm": round(other / 1_000, 1),
                        },
                    ),
                )
                break


def _aimed(way: Spine, mine: Sequence[Lying], others: Sequence[Lying]) -> bool:
    """Whether a tail, drawn on past its tip, comes to the speaker's face first."""
    (x, y), (mx, my) = way.tip, way.middle
    length = ((x - mx) ** 2 + (y - my) ** 2) ** 0.5
    if not length:
        return False
    ray = shapely.LineString([way.tip, (x + (x - mx) / length * AIMED, y + (y - my) / length * AIMED)])
    tip = shapely.Point(way.tip)

    def first(part: Sequence[Lying]) -> float:
        met = (shapely.intersection(ray, lying.area) for lying in part)
        return min((float(shapely.distance(tip, found)) for found in met if not found.is_empty), default=AIMED)

    return first(mine) < first(others)


def _at(point: tuple[float, float], panels: Sequence[Panel]) -> Panel | None:
    return next((panel for panel in reversed(panels) if shapely.intersects_xy(panel.area, *point)), None)


def uncast(
    unit: Unit, panels: Sequence[Panel], who: Mapping[str, str], kept: Mapping[str, Kept]
) -> Iterator[tuple[str, Wrong]]:
    """balloon.cast: somebody speaks in a frame whose cast is without them, and is not heard from outside it."""
    by_id = {panel.frame.id: panel for panel in panels}
    for item in unit.objects:
        own = who.get(folded(item.speaker)) if isinstance(item, Balloon) and item.speaker else None
        if own is None or not isinstance(item, Balloon) or not item.tails:
            continue
        home = by_id.get(item.parent) or home_of(item.box, panels)
        if home is None or not home.frame.cast or own in {one.who for one in home.frame.cast}:
            continue
        edge = home.area.exterior
        inside = [
            tail
            for tail in item.tails
            if shapely.intersects_xy(home.area, *tail.tip)
            and float(shapely.distance(edge, shapely.Point(tail.tip))) > INSIDE
        ]
        if inside:
            yield (
                item.id,
                Wrong(
                    "balloon.cast",
                    "note",
                    f"{named(kept, own)} says it, who is not in the cast of its frame; add them to the cast, or let "
                    "the tail end at the frame's edge if they are out of sight",
                    {"with": home.frame.id, "who": own, "name": named(kept, own)},
                ),
            )


# From panel to panel


def runs(units: Iterable[Unit]) -> list[list[Shot]]:
    """Frames that follow each other in one scene; those that name none are passed over."""
    found: list[list[Shot]] = []
    for unit in units:
        for name in unit.reading:
            frame = unit.index.get(name)
            if not isinstance(frame, Frame) or frame.scene is None:
                continue
            if not found or found[-1][0].frame.scene != frame.scene:
                found.append([])
            found[-1].append(Shot(unit.id, frame))
    return found


def lights(run: Sequence[Shot]) -> Iterator[tuple[Shot, Wrong]]:
    """continuity.light: light that comes from elsewhere, or is another, than in the panel before in one scene."""
    for before, after in pairwise([shot for shot in run if shot.frame.light is not None]):
        was, now = before.frame.light, after.frame.light
        if was is None or now is None:
            continue
        other = bool(was.kind and now.kind and folded(was.kind) != folded(now.kind))
        turn = 0
        if was.angle is not None and now.angle is not None:
            apart = abs(was.angle - now.angle)
            turn = min(apart, 360_000 - apart)
        if not other and turn <= TURNED:
            continue
        said = [f"its light turned {spoken(turn)}°" if turn > TURNED else ""]
        said.append(f"its light is “{now.kind}” where it was “{was.kind}”" if other else "")
        yield (
            after,
            Wrong(
                "continuity.light",
                "note",
                f"{' and '.join(part for part in said if part)} since {before.frame.id}, in one scene; keep the light, "
                "or say in the picture why it changes (a reverse angle, a lamp switched on)",
                {
                    "with": before.frame.id,
                    "turned": turn / 1_000 if turn > TURNED else 0,
                    "kinds": [was.kind, now.kind] if other else [],
                },
            ),
        )


def looks(run: Sequence[Shot], kept: Mapping[str, Kept]) -> Iterator[tuple[Shot, Wrong]]:
    """continuity.look: somebody who looks otherwise than when they were last seen in one scene."""
    last: dict[str, tuple[Shot, str]] = {}
    for shot in run:
        for one in shot.frame.cast:
            before = last.get(one.who)
            if before is not None and before[1] != one.look:
                was, now = (look or "as usual" for look in (before[1], one.look))
                yield (
                    shot,
                    Wrong(
                        "continuity.look",
                        "note",
                        f"{named(kept, one.who)} is “{now}” here and was “{was}” in {before[0].frame.id}, in one "
                        "scene; keep the look, or show the change",
                        {
                            "with": before[0].frame.id,
                            "who": one.who,
                            "name": named(kept, one.who),
                            "looks": [before[1], one.look],
                        },
                    ),
                )
            last[one.who] = shot, one.look


def absences(run: Sequence[Shot], kept: Mapping[str, Kept]) -> Iterator[tuple[Shot, Wrong]]:
    """continuity.absent: who is in the panels before and after, and not in this one, in one scene."""
    for before, here, after in zip(run, run[1:], run[2:], strict=False):
        cast = {one.who for one in here.frame.cast}
        if not cast:
            continue  # nothing is said of who is there
        around = {one.who for one in after.frame.cast}
        gone = [one.who for one in before.frame.cast if one.who in around and one.who not in cast]
        if gone:
            names = [named(kept, who) for who in gone]
            yield (
                here,
                Wrong(
                    "continuity.absent",
                    "note",
                    f"{', '.join(names)} {'is' if len(gone) == 1 else 'are'} in {before.frame.id} and {after.frame.id} "
                    "and not here, in one scene; add them to the cast, unless they are out of sight",
                    {"with": before.frame.id, "after": after.frame.id, "who": gone, "names": names},
                ),
            )
