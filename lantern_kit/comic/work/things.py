"""What people edit inside an edit block: things, and objects on a page, and how each is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from lantern_kit.assets import AssetVersion

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
BalloonShape = Literal["ellipse", "rounded", "cloud", "burst", "thought", "whisper", "box", "none", "path"] | None
"""A balloon's outline; None is an ellipse, or a path where an outline is given."""
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

    def _run(self, operation: str, given: dict[str, Any]) -> dict[str, str]:
        """Run an operation with those arguments of a method that were given."""
        return self.run(
            operation, **{name: value for name, value in given.items() if name != "self" and value is not None}
        )

    @property
    def now(self) -> Any:
        """The thing as it is stored, frozen: whole micrometres, thousandths of a degree, millionths of one.

        What edits take, and ``unit.objects()`` tells, is in millimetres, degrees and shares.
        """
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
        """Change its properties, with the arguments of its kind's ``set`` or ``adjust`` operation.

        What is left out stays. None stands for null where that has a meaning, such as of ``joined``.
        """
        kind = str(self.now.kind)
        self.run({"image": "image.adjust"}.get(kind, f"{kind}.set"), **args)
        return self

    def tail(
        self,
        *,
        tip: Xy | None = None,
        index: int | None = None,
        width: float | None = None,
        bend: float | None = None,
        style: Literal["pointed", "bubbles"] | None = None,
        remove: bool | None = None,
    ) -> Self:
        """Change one tail of a balloon, add one, or take one away; what is left out stays.

        Args:
            tip: the point it points at, in millimetres.
            index: which, from 1; one more than there are adds one. By default the only one, or the first to add.
            width, bend, style: how wide it is at the balloon in millimetres, how it swings, and what it looks like.
            remove: take it away.
        """
        self._run("balloon.tail", locals())
        return self

    def mark(self, *marks: dict[str, Any]) -> Self:
        """Mark faces and what the eye is to find in a picture, instead of what was marked; without any: nothing.

        Each has a ``kind`` (face, focus), an ``area`` (left, top, right and bottom in shares 0…1 of the whole picture)
        and maybe ``who``, a character or prop of the library. They are never drawn; the checks keep them seen.
        """
        self.run("image.mark", marks=marks)
        return self

    def bind(self, foreground: AssetVersion | str, *, name: str | None = None) -> EditObject:
        """Bind a cut-out of this picture so that its subject breaks out of the frame."""
        return EditObject(self._edit, self.run("foreground.bind", asset=foreground, name=name)[""])


def plain(value: Any) -> Any:
    """A value as operations take it: bound things by id, tuples as lists, whole numbers as they are."""
    if isinstance(value, AssetVersion | EditThing):
        return value.id
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
