"""What people edit inside an edit block: units, frames and objects, and how each is added and changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.model import Chapter, Node, Unit

if TYPE_CHECKING:
    from lantern_kit.comic.work.editing import Edit

Xy = tuple[float, float]
"""x and y in millimetres from the trim's top-left corner; or two shares, 0…1, where that is said."""
Box = tuple[float, float, float, float]
"""x, y, width and height in millimetres."""
ThingOrId: TypeAlias = "str | EditThing | None"
"""Another thing: its id, or the thing itself."""
Colour = str | None
"""``#rrggbb`` or ``#rrggbbaa``."""
Fields = dict[str, Any] | None
"""Keys that ``describe`` lists, such as ``{"width": 0.5, "colour": "#000000"}`` of a line; lengths in millimetres."""
Layer = Literal["paper", "frames", "overlays", "foregrounds", "balloons", "text"] | None
"""The layer of drawing; None is the default of the kind."""


class EditThing:
    """Something inside an edit block."""

    def __init__(self, edit: Edit, thing: str) -> None:
        self._edit = edit
        self.id = thing

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"

    def run(self, operation: str, /, **args: Any) -> dict[str, str]:
        """Run an operation on this thing."""
        return self._edit.run(operation, self.id, **args)

    @property
    def now(self) -> Any:
        """The thing as a frozen model, in micrometres."""
        return self._edit.thing(self.id)

    def remove(self) -> None:
        """Take it out, with everything inside it."""
        self.run("object.remove")

    def move(self, *, by: Xy) -> Self:
        """Shift it, in millimetres."""
        self.run("object.move", by=by)
        return self


class EditObject(EditThing):
    """A picture, balloon, caption, text, effect or overlay."""

    def set(self, **args: Any) -> Self:
        """Change its properties, with the arguments of its kind's ``set`` or ``adjust`` operation."""
        kind = str(self.now.kind)
        self.run({"image": "image.adjust"}.get(kind, f"{kind}.set"), **args)
        return self

    def bind(self, foreground: AssetVersion | str, *, name: str | None = None) -> EditObject:
        """Bind a cut-out of this picture so that its subject breaks out of the frame."""
        return EditObject(self._edit, self.run("foreground.bind", asset=foreground, name=name)[""])


class _Holder(EditThing):
    """What may hold pictures, words and effects: a unit or a frame."""

    def place(
        self,
        asset: AssetVersion | str,
        *,
        fit: Literal["cover", "contain", "stretch"] | None = None,
        focus: Xy | None = None,
        crop: Box | None = None,
        box: Box | None = None,
        scale: float | None = None,
        rotate: float | None = None,
        flip_x: bool | None = None,
        flip_y: bool | None = None,
        dx: float | None = None,
        dy: float | None = None,
        clip: bool | None = None,
        opacity: float | None = None,
        name: str | None = None,
        band: Layer = None,
    ) -> EditObject:
        """Place a picture.

        Args:
            asset: a registered picture.
            fit: ``cover`` fills the box, ``contain`` shows all, ``stretch`` distorts.
            focus: the point of the picture that ``cover`` keeps in view, in shares 0…1.
            crop: left, top, right and bottom of the part that is used, in shares 0…1.
            box: where it lies, in millimetres; by default the frame's bounds; needed on a unit.
            scale: 1 is as fitted.
            rotate: degrees clockwise about the box's centre.
            flip_x, flip_y: mirror left to right, top to bottom.
            dx, dy: shift right and down, in millimetres.
            clip: cut to the frame's outline.
            opacity: 0 clear … 1 solid.
        """
        return self._new(
            "image.place", asset=asset, fit=fit, focus=focus, crop=crop, box=box, scale=scale, rotate=rotate,
            flip_x=flip_x, flip_y=flip_y, dx=dx, dy=dy, clip=clip, opacity=opacity, name=name, band=band,
        )  # fmt: skip

    def say(
        self,
        text: str,
        *,
        at: Xy | None = None,
        size: Xy | None = None,
        rect: Box | None = None,
        tail: Xy | None = None,
        tails: Sequence[dict[str, Any]] | None = None,
        speaker: str | None = None,
        shape: Literal["ellipse", "rounded", "box"] | None = None,
        style: Fields = None,
        padding: float | None = None,
        fill: Colour = None,
        stroke: Fields = None,
        gutter_safe: bool | None = None,
        name: str | None = None,
        band: Layer = None,
        after: ThingOrId = None,
    ) -> EditObject:
        """A balloon.

        Args:
            text: the words.
            at, size: its middle, and width and height, in millimetres; the size comes from the words by default.
            rect: the same in one, instead of both.
            tail: the point it points at; ``tails`` for several, each with ``tip``, ``width`` and ``bend``.
            speaker: who says it.
            shape, style, padding, fill, stroke: how it looks.
            gutter_safe: keep it off a spread's gutter.
            after: what it is read after; last by default.
        """
        return self._new(
            "balloon.add", text=text, at=at, size=size, rect=rect, tail=tail, tails=tails, speaker=speaker, shape=shape,
            style=style, padding=padding, fill=fill, stroke=stroke, gutter_safe=gutter_safe, name=name, band=band,
            after=after,
        )  # fmt: skip

    def narrate(
        self,
        text: str,
        *,
        at: Xy | None = None,
        size: Xy | None = None,
        rect: Box | None = None,
        style: Fields = None,
        padding: float | None = None,
        fill: Colour = None,
        stroke: Fields = None,
        name: str | None = None,
        band: Layer = None,
        after: ThingOrId = None,
    ) -> EditObject:
        """A caption, in a rectangle or about a middle, in millimetres."""
        return self._new(
            "narration.add", text=text, at=at, size=size, rect=rect, style=style, padding=padding, fill=fill,
            stroke=stroke, name=name, band=band, after=after,
        )  # fmt: skip

    def letter(
        self,
        text: str,
        *,
        at: Xy | None = None,
        size: Xy | None = None,
        rect: Box | None = None,
        rotate: float | None = None,
        style: Fields = None,
        name: str | None = None,
        band: Layer = None,
        after: ThingOrId = None,
    ) -> EditObject:
        """Lettering on the paper, a title or a sound; ``rotate`` in degrees clockwise."""
        return self._new(
            "text.add", text=text, at=at, size=size, rect=rect, rotate=rotate, style=style, name=name, band=band,
            after=after,
        )  # fmt: skip

    def effect(
        self,
        effect: Literal["focus", "speed", "tone", "gradient"],
        *,
        box: Box | None = None,
        colour: Colour = None,
        centre: Xy | None = None,
        clear: float | None = None,
        density: float | None = None,
        pitch: float | None = None,
        angle: float | None = None,
        seed: int | None = None,
        opacity: float | None = None,
        name: str | None = None,
        band: Layer = None,
    ) -> EditObject:
        """Focus lines, speed lines, a tone or a gradient.

        Args:
            effect: which.
            box: where, in millimetres; by default the frame's bounds; needed on a unit.
            centre: where focus lines point, in shares 0…1 of the box.
            clear: share left empty: a radius of focus lines, the far end of speed lines.
            density: how many lines, or how dark, 0…1.
            pitch: millimetres: distance of a tone's dots, width of lines at their thick end.
            angle: degrees clockwise: a tone's screen, the direction of speed lines and gradients.
            seed: another number gives other lines.
        """
        return self._new(
            "effect.add", effect=effect, box=box, colour=colour, centre=centre, clear=clear, density=density,
            pitch=pitch, angle=angle, seed=seed, opacity=opacity, name=name, band=band,
        )  # fmt: skip

    def _new(self, operation: str, **args: Any) -> EditObject:
        return EditObject(self._edit, self.run(operation, **args)[""])


class EditUnit(_Holder):
    """A unit inside an edit block."""

    def add_frame(
        self,
        *,
        rect: Box | None = None,
        polygon: Sequence[Xy] | None = None,
        curve: Fields = None,
        border: Fields = None,
        background: Colour = None,
        bleed: Sequence[Literal["top", "right", "bottom", "left"]] | None = None,
        name: str | None = None,
        band: Layer = None,
        after: ThingOrId = None,
    ) -> EditFrame:
        """A frame with exactly one of ``rect``, ``polygon`` and ``curve``.

        Args:
            rect: x, y, width and height in millimetres.
            polygon: three corners or more, in order, in millimetres.
            curve: a closed Bézier outline: ``start``, and ``segments`` of control, control, end.
            border: the line round it, such as ``{"width": 0.5}``.
            bleed: paper edges past which it runs out to the bleed.
            after: what it is read after; last by default.
        """
        made = self.run(
            "frame.add", rect=rect, polygon=polygon, curve=curve, border=border, background=background, bleed=bleed,
            name=name, band=band, after=after,
        )  # fmt: skip
        return EditFrame(self._edit, made[""])

    def overlay(
        self,
        asset: AssetVersion | str,
        *,
        box: Box,
        fit: Literal["cover", "contain", "stretch"] | None = None,
        focus: Xy | None = None,
        crop: Box | None = None,
        scale: float | None = None,
        rotate: float | None = None,
        flip_x: bool | None = None,
        flip_y: bool | None = None,
        dx: float | None = None,
        dy: float | None = None,
        opacity: float | None = None,
        name: str | None = None,
        band: Layer = None,
    ) -> EditObject:
        """A free picture above the borders, in a ``box`` in millimetres; the rest is as with ``place``."""
        return self._new(
            "overlay.add", asset=asset, box=box, fit=fit, focus=focus, crop=crop, scale=scale, rotate=rotate,
            flip_x=flip_x, flip_y=flip_y, dx=dx, dy=dy, opacity=opacity, name=name, band=band,
        )  # fmt: skip

    def remove(self) -> None:
        """Take the unit out of the chapter."""
        self.run("unit.remove")


class EditFrame(_Holder):
    """A frame inside an edit block."""

    def cut(self, *, line: Sequence[Xy], gutter: float) -> tuple[EditFrame, EditFrame]:
        """Cut it along a line into two, in reading order; this frame becomes one of them."""
        made = self.run("frame.cut", line=line, gutter=gutter)
        return EditFrame(self._edit, made["1"]), EditFrame(self._edit, made["2"])

    def set(
        self,
        *,
        border: Fields = None,
        background: Colour = None,
        bleed: Sequence[Literal["top", "right", "bottom", "left"]] | None = None,
        name: str | None = None,
        band: Layer = None,
    ) -> Self:
        """Change border, background, bleed, name or layer; what is left out stays."""
        self.run("frame.set", border=border, background=background, bleed=bleed, name=name, band=band)
        return self

    def reshape(self, *, rect: Box | None = None, polygon: Sequence[Xy] | None = None, curve: Fields = None) -> Self:
        """Give it another outline: exactly one of ``rect``, ``polygon`` and ``curve``, as in ``add_frame``."""
        self.run("frame.reshape", rect=rect, polygon=polygon, curve=curve)
        return self


def wrap(edit: Edit, thing: Chapter | Unit | Node) -> EditThing:
    """The right handle for a thing."""
    if isinstance(thing, Unit):
        return EditUnit(edit, thing.id)
    return EditFrame(edit, thing.id) if thing.kind == "frame" else EditObject(edit, thing.id)


def plain(value: Any) -> Any:
    """A value as operations take it: bound things by id, tuples as lists, whole numbers as they are."""
    if isinstance(value, AssetVersion | EditThing):
        return value.id
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
