"""Units and frames inside an edit block: what is put on them and into them, and how they are changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.model import Chapter, Node, Unit
from lantern_kit.comic.work.things import (
    BalloonShape,
    Box,
    Colour,
    EditObject,
    EditThing,
    Fields,
    Layer,
    ThingOrId,
    Xy,
)

if TYPE_CHECKING:
    from lantern_kit.comic.work.editing import Edit


class Holder(EditThing):
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
        return self._new("image.place", locals())

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
        shape: BalloonShape = None,
        outline: Fields = None,
        seed: int | None = None,
        joined: ThingOrId = None,
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
            text: the words, maybe with marks: ``{漢字|かんじ}`` is ruby, ``[so]{.bold}`` a style of its own.
            at, size: its middle, and width and height, in millimetres; the size comes from the words by default.
            rect: the same in one, instead of both.
            tail: the point it points at; ``tails`` for several, each with ``tip``, ``width``, ``bend`` and ``style``.
            speaker: who says it.
            shape, style, padding, fill, stroke: how it looks; ``style={"writing": "vertical"}`` sets columns.
            outline: a free outline, one of ``rect``, ``polygon`` and ``curve``; the box becomes its bounds by default.
            seed: another number gives a cloud, thought or burst other bulges.
            joined: another balloon of the unit, with which it makes one outline.
            gutter_safe: keep it off a spread's gutter.
            after: what it is read after; last by default.
        """
        return self._new("balloon.add", locals())

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
        return self._new("narration.add", locals())

    def letter(
        self,
        text: str,
        *,
        at: Xy | None = None,
        size: Xy | None = None,
        rect: Box | None = None,
        rotate: float | None = None,
        arc: float | None = None,
        skew: float | None = None,
        style: Fields = None,
        name: str | None = None,
        band: Layer = None,
        after: ThingOrId = None,
    ) -> EditObject:
        """Lettering on the paper, a title or a sound.

        Args:
            text: the words, maybe with marks.
            at, size, rect: as with ``say``.
            rotate: degrees clockwise about its middle.
            arc: degrees through which the line bends; positive arches up.
            skew: degrees by which the strokes lean; positive to the right.
        """
        return self._new("text.add", locals())

    def effect(
        self,
        effect: Literal["focus", "speed", "tone", "gradient", "flash", "vignette"],
        *,
        box: Box | None = None,
        colour: Colour = None,
        centre: Xy | None = None,
        clear: float | None = None,
        density: float | None = None,
        density_to: float | None = None,
        ramp: float | None = None,
        screen: Literal["dots", "lines", "grain"] | None = None,
        pitch: float | None = None,
        lpi: float | None = None,
        angle: float | None = None,
        seed: int | None = None,
        opacity: float | None = None,
        name: str | None = None,
        band: Layer = None,
    ) -> EditObject:
        """Focus lines, speed lines, a tone, a gradient, a flash or a vignette.

        Args:
            effect: which.
            box: where, in millimetres; by default the frame's bounds; needed on a unit.
            centre: the middle of focus lines, a flash or a vignette, in shares 0…1 of the box.
            clear: share left empty: a radius about the middle, the far end of speed lines.
            density: how many lines, or how dark, 0…1; of a tone the share covered.
            density_to, ramp: the share that a tone covers at its far end, and the direction there in degrees clockwise.
            screen: what a tone is made of.
            pitch: millimetres: distance of a tone's dots, width of lines at their thick end.
            lpi: a tone's dots or lines an inch, instead.
            angle: degrees clockwise: a tone's screen, the direction of speed lines and gradients.
            seed: another number gives other lines.
        """
        return self._new("effect.add", locals())

    def _new(self, operation: str, given: dict[str, Any]) -> EditObject:
        """Something new, made with the arguments of a method as it was called."""
        return EditObject(self._edit, self._run(operation, given)[""])


class EditUnit(Holder):
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
        keep: Literal["ratio", "size"] | None = None,
        description: str | None = None,
        scene: str | None = None,
        light: Fields = None,
        cast: Sequence[str | dict[str, Any]] | None = None,
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
            keep: what of it stays as it is when edges move and pages are laid out anew.
            description, scene, light, cast: what it is to show, as of ``EditFrame.stage``.
            after: what it is read after; last by default.
        """
        cast = _named(cast)
        return EditFrame(self._edit, self._run("frame.add", locals())[""])

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
        return self._new("overlay.add", locals())

    def lay_out(
        self,
        template: str | None = None,
        *,
        like: ThingOrId = None,
        weights: Sequence[float] | None = None,
        gutter: float | None = None,
        rows: float | None = None,
    ) -> list[EditFrame]:
        """Lay a template, or another unit's layout, on it; the empty frames that were added for slots without one.

        Args:
            template: its name, as ``lantern_kit.comic.layout.template.built_in()`` lists them.
            like: instead, another unit of the same size, whose layout is taken over.
            weights: one a slot, as read: 2 is about twice as large as its neighbours.
            gutter, rows: millimetres between frames beside and above each other; the template's by default.
        """
        return [EditFrame(self._edit, made) for made in self._run("layout.apply", locals()).values()]

    def reflow(
        self,
        *,
        weights: Sequence[float] | None = None,
        gutter: float | None = None,
        rows: float | None = None,
        over: Sequence[ThingOrId] | None = None,
        most: int | None = None,
    ) -> Self:
        """Lay its frames out anew in the live area: places beside and above each other, gutters and order stay.

        Args:
            weights: one a frame, as read, on over the units of ``over``.
            gutter, rows: millimetres between frames beside and above each other; as they are by default.
            over: units right after this one, laid out too.
            most: frames a unit; more go on to the next of ``over``.
        """
        self._run("layout.reflow", locals())
        return self

    def remove(self) -> None:
        """Take the unit out of the chapter."""
        self.run("unit.remove")


class EditFrame(Holder):
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
        self._run("frame.set", locals())
        return self

    def keep(self, what: Literal["ratio", "size"] | None) -> Self:
        """Say what of it stays as it is when edges move and pages are laid out anew; None: nothing."""
        self.run("frame.set", keep=what)
        return self

    def stage(
        self,
        *,
        description: str | None = None,
        scene: str | None = None,
        light: Fields = None,
        cast: Sequence[str | dict[str, Any]] | None = None,
    ) -> Self:
        """Say what it is to show; it is never drawn, but the checks hold pictures and neighbours against it.

        Args:
            description: what is to be seen; empty takes it off.
            scene: a scene of the library, by name or id; empty takes it off.
            light: ``angle`` in degrees clockwise from above, ``kind`` in a word, or both; ``{}`` takes it off.
            cast: characters and props of the library, each once: a name or id, or ``who`` with a ``look``.
        """
        given = {"description": description, "scene": scene, "light": light or None, "cast": _named(cast)}
        if light == {}:
            self.run("frame.set", light=None)
        if any(value is not None for value in given.values()):
            self._run("frame.set", given)
        return self

    def reshape(
        self,
        *,
        rect: Box | None = None,
        polygon: Sequence[Xy] | None = None,
        curve: Fields = None,
        snap: bool | None = None,
    ) -> Self:
        """Give it another outline: exactly one of ``rect``, ``polygon`` and ``curve``, as in ``add_frame``.

        With ``snap`` its sides go to paper lines, neighbours' edges and gutters within 1.5 mm.
        """
        self._run("frame.reshape", locals())
        return self

    def edge(
        self,
        side: Literal["left", "right", "top", "bottom"] | None = None,
        *,
        index: int | None = None,
        to: float | None = None,
        by: float | None = None,
        line: bool | None = None,
        snap: bool | None = None,
    ) -> Self:
        """Move one straight edge with every frame that shares it; gutters stay as wide as they are.

        Args:
            side: which edge; or ``index``, of a polygon the edge that starts at that corner, from 1.
            to: x or y in millimetres; or ``by``, to the right or down.
            line: also the edges in line with it.
            snap: to paper lines, neighbours' edges and gutters within 1.5 mm.
        """
        self._run("frame.edge", locals())
        return self


def _named(cast: Sequence[str | dict[str, Any]] | None) -> list[str | dict[str, Any]] | None:
    """A cast as operations take it."""
    return None if cast is None else [{"who": one} if isinstance(one, str) else one for one in cast]


def wrap(edit: Edit, thing: Chapter | Unit | Node) -> EditThing:
    """The right handle for a thing."""
    if isinstance(thing, Unit):
        return EditUnit(edit, thing.id)
    return EditFrame(edit, thing.id) if thing.kind == "frame" else EditObject(edit, thing.id)
