"""A template laid on a unit: its frames, as they are read, to the template's slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lantern_kit.comic.geometry import bounds, stretched
from lantern_kit.comic.layout.edges import fold_of
from lantern_kit.comic.layout.joints import Joints
from lantern_kit.comic.layout.keeping import kept, size_of
from lantern_kit.comic.layout.solving import Hold, Wishes, holds_of, settled
from lantern_kit.comic.layout.template import Place
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Frame, Keep, Rect, Shape, Unit
from lantern_kit.kernel.errors import BadInput


def outlines(
    unit: Unit, places: Sequence[Place], frames: Sequence[Frame], weights: Sequence[float]
) -> tuple[Shape, ...]:
    """An outline for each place, sized by weights, with frames that keep something held to it.

    Args:
        unit: where they are laid out.
        places: those of a fitted template.
        frames: what goes to the first of them, in order; may be fewer.
        weights: one for each place, or none at all.

    Raises:
        BadInput: the locks leave no room.
    """
    slots = [Frame(id=f"fr_slot{number:04d}", parent=unit.id, shape=place.shape) for number, place in enumerate(places)]
    flat = [slot for slot, place in zip(slots, places, strict=True) if not place.over]
    names = {frame.id: slot.id for frame, slot in zip(frames, slots, strict=False)}
    holds = {names[name]: hold for name, hold in holds_of(frames).items()}
    found: dict[str, Shape] = {slot.id: slot.shape for slot in slots}
    heavy = dict(zip((slot.id for slot in slots), weights, strict=False))
    if holds or len(set(weights)) > 1:
        joints = Joints(flat, fold_of(unit))
        try:
            found |= settled(joints, Wishes(heavy, holds, {}))
        except BadInput:
            found |= settled(joints, Wishes(heavy, {}, {}))  # held ones are then centred in their slots
    for frame, slot in zip(frames, slots, strict=False):
        if frame.keep is not None and not kept(frame, found[slot.id]):
            found[slot.id] = _centred(frame, holds[slot.id], found[slot.id])
    return tuple(found[slot.id] for slot in slots)


def _centred(frame: Frame, hold: Hold, slot: Shape) -> Shape:
    """A held frame in the middle of its slot. Raises BadInput where it does not fit."""
    wide, high = size_of(slot)
    if hold.keep is Keep.RATIO:
        width = min(wide, high * hold.width // hold.height)
        height = width * hold.height // hold.width
    else:
        width, height = hold.width, hold.height
    if width > wide or height > high or min(width, height) < 1:
        raise BadInput(
            f"{frame.id} keeps its size, {spoken(hold.width)}×{spoken(hold.height)} mm, and its slot is "
            f"{spoken(wide)}×{spoken(high)} mm",
            expected="another template, other weights, or no lock on it",
            ids=[frame.id],
            recovery='frame.set {"keep": null} lets it change.',
        )
    around = bounds(slot)
    x, y = around.x + (wide - width) // 2, around.y + (high - height) // 2
    return stretched(frame.shape, Rect(x=x, y=y, w=width, h=height))


def weights_for(given: Sequence[float] | None, count: int, what: str) -> tuple[float, ...]:
    """Weights as given, one for each; all alike where none are. Raises BadInput."""
    if given is None:
        return ()
    if len(given) != count:
        raise BadInput(
            f"args.weights: {len(given)} weights for {count} {what}", expected=f"{count} numbers, in reading order"
        )
    return tuple(given)


def above(unit: Unit, names: Mapping[str, bool]) -> Unit:
    """The unit with those frames drawn last that lie on others, in their order."""
    over = [item for item in unit.objects if names.get(item.id)]
    if not over:
        return unit
    rest = [item for item in unit.objects if not names.get(item.id)]
    return unit.model_copy(update={"objects": (*rest, *over)})
